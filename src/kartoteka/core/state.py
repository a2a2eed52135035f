"""What a rule is handed: one state of a game."""

from __future__ import annotations

from typing import Any

State = Any
"""One game state: an element of an array of the game's ``STATE`` dtype."""

"""The arrays that rules and loops read and write."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
"""Card or move numbers, in the order in which they are written."""
States = npt.NDArray[Any]
"""States, one after the other: an array of the game's ``STATE`` dtype."""

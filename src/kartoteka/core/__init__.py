"""The core: rules as plain functions on one record, the loops over any game, and their machine code.

``marks`` says which functions become machine code, ``game`` what the loops ask of a game, ``loops`` holds them,
``binding`` binds them to a game, ``machine`` compiles what is bound, ``cache`` keeps it on disk, ``chance`` deals in
chance. A game's modules need no more than the names below; importing them imports no compiler.
"""

from kartoteka.core.arrays import Ints, States
from kartoteka.core.binding import Core
from kartoteka.core.chance import chance, randbelow, shuffle
from kartoteka.core.marks import loop, rule
from kartoteka.core.state import State, reading

__all__ = ["Core", "Ints", "State", "States", "chance", "loop", "randbelow", "reading", "rule", "shuffle"]

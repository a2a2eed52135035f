"""The lattice of KON 1.3 as arrays: its cells, what touches what, and who is within three steps of whom.

Cells are numbered on the largest table (eight columns, rows 0 to 10); smaller tables use a part of it. First come
the upright cells, row by row, then the sideways cells, row by row.
"""

from __future__ import annotations

import itertools

import numpy as np

COLUMNS, ROWS = 8, 11
UPRIGHTS = COLUMNS * ROWS
CELLS = UPRIGHTS + (COLUMNS - 1) * (ROWS - 1)

_PLACES = [(column, row, False) for row in range(ROWS) for column in range(COLUMNS)]
_PLACES += [(column, row, True) for row in range(ROWS - 1) for column in range(COLUMNS - 1)]
_NUMBER = {place: cell for cell, place in enumerate(_PLACES)}


def _name(column: int, row: int, sideways: bool) -> str:
    return "abcdefgh"[column : column + 1 + sideways] + str(row)


def _touching(column: int, row: int, sideways: bool) -> list[int]:
    """KON 1.4; the two vertical neighbours of an upright cell come first."""
    if sideways:
        near = [(column + dx, row + dy, False) for dx in (0, 1) for dy in (0, 1)]
    else:
        near = [(column, row - 1, False), (column, row + 1, False)]
        near += [(column - dx, row - dy, True) for dx in (0, 1) for dy in (0, 1)]
    return [_NUMBER[place] for place in near if place in _NUMBER]


NAMES: tuple[str, ...] = tuple(_name(*place) for place in _PLACES)
NUMBERS: dict[str, int] = {name: cell for cell, name in enumerate(NAMES)}

COLUMN = np.array([column for column, _, _ in _PLACES], np.int16)
"""The column of each cell; of a sideways cell the left one."""
ROW = np.array([row for _, row, _ in _PLACES], np.int16)
"""The row of each cell; of a sideways cell the lower one."""
LEVEL = np.array([2 * row + sideways for _, row, sideways in _PLACES], np.int16)
"""How high each cell is, in half rows (KON 4.3, small_moves)."""

_NEAR = [_touching(*place) for place in _PLACES]
_HIGHER = [[c for c in near if LEVEL[c] > LEVEL[cell]] for cell, near in enumerate(_NEAR)]

NEARS = np.array([[len(near) for near in kind] for kind in (_NEAR, _HIGHER)], np.int16)
"""How many entries `NEAR` has for each cell."""
NEAR = np.array([[near + [0] * (6 - len(near)) for near in kind] for kind in (_NEAR, _HIGHER)], np.uint16)
"""The neighbours of each cell: ``NEAR[0]`` all, ``NEAR[1]`` those on a higher level."""


def _within(cell: int, steps: int) -> set[int]:
    found = {cell}
    for _step in range(steps):
        found |= {near for c in found for near in _NEAR[c]}
    return found - {cell}


_PAIRS = [(start, end) for start in range(CELLS) for end in sorted(_within(start, 3))]
PAIRS = len(_PAIRS)
START = np.array([start for start, _ in _PAIRS], np.int16)
END = np.array([end for _, end in _PAIRS], np.int16)
PAIR = np.full((CELLS, CELLS), -1, np.int16)
"""The number of each ordered pair of cells within three steps, -1 for others."""
PAIR[START, END] = np.arange(PAIRS)
REACH = max(len(list(group)) for _, group in itertools.groupby(_PAIRS, lambda pair: pair[0]))
"""The most cells that are within three steps of one."""

"""Draws views in the terminal. It knows kinds of zones, no game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from kartoteka.cards import NUMBER, UNSEEN, glyph
from kartoteka.engine.view import Cell, Fact, View, Zone
from kartoteka.text import _

_RED, _BLACK, _DIM, _BACK = "bold red", "bold", "dim", "blue"


def card_text(card: str) -> Text:
    """Return one card in signs and colour; suits differ in shape, not only in colour."""
    number = NUMBER[card]
    if number == UNSEEN:
        return Text("▒▒", style=_BACK)
    return Text(glyph(number), style=_RED if card[1] in "dh" else "bold magenta" if card == "Jk" else _BLACK)


def _cards(zone: Zone) -> Text:
    if zone.kind == "stock" or (zone.count and not zone.cards):
        return Text(_("{n} cards, face down").format(n=zone.count), style=_DIM)
    if zone.cards and all(card == "??" for card in zone.cards):
        return Text("▒" * min(len(zone.cards), 20) + f" {len(zone.cards)}", style=_BACK)
    if zone.kind == "pile" and len(zone.cards) == 1 and zone.count > 1:
        return card_text(zone.cards[0]) + Text(" " + _("on top of {n}").format(n=zone.count - 1), style=_DIM)
    line = Text()
    for k, card in enumerate(zone.cards):
        if k:
            line.append(" ")
        if zone.kind == "fan":
            line.append(f"{k + 1}·", style=_DIM)
        line.append_text(card_text(card))
        if zone.houses and zone.houses[k] != zone.owner:
            line.append(f"→{zone.houses[k]}", style=_DIM)
    return line if zone.cards else Text("—", style=_DIM)


def _lattice(cells: Sequence[Cell]) -> Text:
    """Draw cells on a grid of characters: x and y count half cards, y upward."""
    width = max((cell_len(_cell(c).plain) for c in cells), default=1) + 1
    columns = sorted({c.x for c in cells})
    rows = sorted({c.y for c in cells}, reverse=True)
    step = max(1, -(-width // min((b - a for a, b in pairwise(columns)), default=1)))
    at = {(c.x, c.y): c for c in cells}
    lines = []
    for y in rows:
        line = Text()
        for x in columns:
            if (x, y) in at:
                line.append(" " * max(0, (x - columns[0]) * step - cell_len(line.plain)))
                line.append_text(_cell(at[x, y]))
        lines.append(line)
    return Text("\n").join(lines)


def _cell(cell: Cell) -> Text:
    left, right = ("⟨", "⟩") if cell.sideways else ("[", "]")
    inner = card_text(cell.card) if cell.card else Text(cell.name, style=_DIM)
    frame = _BLACK if cell.marked else _DIM
    if not cell.card:
        return Text(" ") + inner + Text(" ")
    pieces = Text("".join(cell.pieces), style="bold yellow")
    return Text(left, style=frame) + inner + pieces + Text(right, style=frame)


def _facts(facts: Sequence[Fact], names: Sequence[str]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False)
    table.add_column("")
    for fact in facts:
        table.add_column(fact.label, justify="right", header_style=_DIM)
    for k, name in enumerate(names):
        table.add_row(escape(name), *(str(fact.values[k]) for fact in facts))
    return table


def table_of(view: View, names: Sequence[str], title: str) -> RenderableType:
    """Return a view as something rich can print; `names` are the seats' names."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style=_DIM, no_wrap=True)
    grid.add_column(overflow="fold")
    parts: list[RenderableType] = []
    for zone in view.zones:
        if zone.kind == "lattice":
            parts.append(_lattice(zone.cells))
            continue
        label = Text(f"{'▸' if zone.owner and zone.owner == view.turn else ' '} {zone.label}")
        line = _cards(zone)
        for note in zone.notes:
            line = line + Text("  " + note, style=_DIM)
        grid.add_row(label, line)
    parts.append(grid)
    if view.facts:
        parts.append(_facts(view.facts, names))
    if view.state:
        parts.append(Text(view.state, style="italic"))
    return Panel(Group(*parts), title=escape(title), title_align="left", border_style=_DIM)


def choices(console: Console, moves: Sequence[str], labels: Sequence[str]) -> RenderableType:
    """Return the legal moves as a numbered list, in as many columns as fit."""
    rows = [
        f"{k:>3}  {move:<{max(map(len, moves))}}  {label}"
        for k, (move, label) in enumerate(zip(moves, labels, strict=True), 1)
    ]
    wide = max(map(cell_len, rows)) + 3
    columns = max(1, min(len(rows), (console.width or 80) // wide))
    height = -(-len(rows) // columns)
    grid = Table.grid(padding=(0, 3, 0, 0))
    for k in range(height):
        grid.add_row(*(Text(rows[j]) for j in range(k, len(rows), height)))
    return grid

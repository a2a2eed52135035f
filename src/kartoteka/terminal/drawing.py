"""Draws views in the terminal. It knows kinds of zones, no game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from kartoteka.cards import NUMBER, UNSEEN, glyph
from kartoteka.engine.view import Cell, Fact, View, Zone
from kartoteka.text import _, ngettext

_RED, _BLACK, _DIM, _BACK = "bold red", "bold", "dim", "blue"


def card_text(card: str) -> Text:
    """Return one card in signs and colour; suits differ in shape, not only in colour."""
    number = NUMBER[card]
    if number == UNSEEN:
        return Text("▒▒", style=_BACK)
    return Text(glyph(number), style=_RED if card[1] in "dh" else "bold magenta" if card == "Jk" else _BLACK)


def _cards(zone: Zone) -> Text:
    if zone.kind == "stock" or (zone.count and not zone.cards):
        text = ngettext("{n} card, face down", "{n} cards, face down", zone.count)
        return Text(text.format(n=zone.count), style=_DIM)
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
    drawn = {(c.x, c.y): _cell(c) for c in cells}
    left = min(x for x, _y in drawn)
    rows = {y: sorted(x for x, other in drawn if other == y) for _x, y in drawn}
    apart = min((b - a for row in rows.values() for a, b in pairwise(row)), default=2)
    step = -(-(max(cell_len(text.plain) for text in drawn.values()) + 1) // apart)
    lines = []
    for y in sorted(rows, reverse=True):
        line = Text()
        for x in rows[y]:
            line.append(" " * ((x - left) * step - cell_len(line.plain)))
            line.append_text(drawn[x, y])
        lines.append(line)
    return Text("\n", no_wrap=True).join(lines)


def _cell(cell: Cell) -> Text:
    left, right = ("⟨", "⟩") if cell.sideways else ("[", "]")
    frame = _BLACK if cell.marked else _DIM
    if not cell.card:
        return Text(f" {cell.name} ", style=_DIM)
    stacked = ((piece, cell.pieces.count(piece)) for piece in dict.fromkeys(cell.pieces))
    pieces = Text("".join(piece + (str(n) if n > 1 else "") for piece, n in stacked), style="bold yellow")
    return Text(left, style=frame) + card_text(cell.card) + pieces + Text(right, style=frame)


def legend(view: View) -> Iterator[str]:
    """Yield sentences that explain the signs in a view."""
    yield _("▸ marks what belongs to the seat to move.")
    if any(zone.count > sum(card != "??" for card in zone.cards) for zone in view.zones if zone.kind == "hand"):
        yield _("▒ is a card that you cannot see.")
    if any(zone.houses for zone in view.zones):
        yield _("→2 after a card: it lies in the house of seat 2, not of the row's owner.")
    if any(zone.kind == "fan" for zone in view.zones):
        yield _("1· 2· 3· count the cards from the oldest.")
    cells = [cell for zone in view.zones for cell in zone.cells]
    if cells:
        yield _("A bare name such as {cell} is an empty place.").format(cell=cells[0].name)
    if any(cell.sideways for cell in cells):
        yield _("[ ] is an upright card, ⟨ ⟩ a sideways one.")


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
            parts += [Text(note, style=_DIM) for note in zone.notes]
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


def choices(console: Console, rows: Sequence[tuple[int, str, str]]) -> tuple[RenderableType, int]:
    """Return moves (number, notation, description) as a list in as many columns as fit, and its lines."""
    wide = max(len(move) for _k, move, _label in rows)
    lines = [f"{k:>3}  {move:<{wide}}  {label}" for k, move, label in rows]
    columns = max(1, min(len(lines), (console.width or 80) // (max(map(cell_len, lines)) + 3)))
    height = -(-len(lines) // columns)
    grid = Table.grid(padding=(0, 3, 0, 0))
    for k in range(height):
        grid.add_row(*(Text(lines[j]) for j in range(k, len(lines), height)))
    return grid, height

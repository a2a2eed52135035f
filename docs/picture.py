"""Draws the README's pictures, the drawer and a game in the terminal. Run it with `make picture`."""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.terminal_theme import MONOKAI

import kartoteka
from kartoteka.core import chance
from kartoteka.engine.position import Position
from kartoteka.engine.telling import label
from kartoteka.study.load import served
from kartoteka.terminal import drawing

FRAME = """<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font: {char_height}px Menlo, Consolas, "DejaVu Sans Mono", monospace;
  line-height: {line_height}px; }}
{styles}
</style>
<rect width="{width}" height="{height}" rx="10" fill="#1c1f1d"/>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
<g transform="translate({terminal_x}, 12)" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def position() -> Position:
    """Return a position worth showing: rows, houses, a tail, and something to decide."""
    p = kartoteka.game("khvostiki", players=3).deal(seed=119, dealer=3)
    rng = chance("picture")
    while p.ply < 14:
        p.push(p.best(rng))
    return p


def drawer() -> None:
    """Write docs/drawer.png: the first page of a new server."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as (site, _pid), sync_playwright() as started:
        browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(site)
        page.screenshot(path=Path(__file__).with_name("drawer.png"))
        browser.close()


def terminal() -> None:
    """Write docs/terminal.svg: a game as the terminal shows it."""
    shown = position()
    names = ["Player 1", "Greedy 2", "Greedy 3"]
    console = Console(record=True, width=104, force_terminal=True, color_system="truecolor", file=io.StringIO())
    console.print(drawing.table_of(shown.view(1), names, f"{shown.game.title} · move {shown.ply + 1}"))
    rows = [(k, m, label(shown, m)) for k, m in enumerate(shown.moves, 1)]
    console.print(drawing.choices(console, rows)[0])
    console.print("[bold]Player 1[/] › ", highlight=False)
    svg = console.export_svg(title="", code_format=FRAME, theme=MONOKAI, unique_id="k")
    Path(__file__).with_name("terminal.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    drawer()
    terminal()

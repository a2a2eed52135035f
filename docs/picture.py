"""Draws the README's pictures and those that links to games show. Run it with `make picture`."""

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
from kartoteka.engine import registry
from kartoteka.engine.position import Position
from kartoteka.engine.telling import label
from kartoteka.server.html import assets
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
    Path(__file__).with_name("terminal.svg").write_text(svg, encoding="utf-8", newline="\n")


CARD = """([native, title, lang, say, widths]) => {
  document.documentElement.dataset.theme = "light";
  const board = document.getElementById("region-board");
  const made = (kind, text, name) => {
    const element = document.createElement(kind);
    element.textContent = text;
    element.className = name;
    return element;
  };
  const card = made("section", "", "shown");
  const head = made("header", "", "shown__head");
  head.append(made("b", native, ""), made("i", title === native ? "" : title, ""), made("span", "Kartoteka", ""));
  head.firstChild.lang = lang;
  const felt = made("div", "", "felt shown__felt");
  felt.dataset.game = board.closest(".felt").dataset.game;
  felt.append(board);
  card.append(head, felt, made("p", say, "shown__say"));
  document.body.replaceChildren(document.querySelector("svg"), card);
  board.querySelectorAll(".lanes, .hands").forEach((lanes) => lanes.remove());
  let [by, best] = [0, 0];
  for (const wide of widths) {
    board.style.width = `${wide}px`;
    const fits = Math.min((felt.clientWidth - 48) / wide, (felt.clientHeight - 24) / board.offsetHeight);
    if (fits > 0.97 * by) [by, best] = [fits, wide];
  }
  board.style.width = `${best}px`;
  board.style.zoom = by;
}"""
"""Leaves of a replay's page its board, under the game's name in both scripts."""

WIDTHS = (560, 680, 800, 920, 1040, 1160, 1300)
"""How wide a board may be laid out before it is made to fit, in pixels; the largest picture is taken."""

CARD_STYLE = """
.shown { display: grid; grid-template: auto 1fr auto / 1fr; gap: 18px; width: 1200px; height: 630px;
  box-sizing: border-box; padding: 30px 44px; background: var(--desk); overflow: hidden; font-family: var(--serif); }
.shown__head { display: flex; align-items: baseline; gap: 28px; padding-bottom: 10px;
  border-bottom: 3px solid #a5372c; }
.shown__head b { font-size: 64px; line-height: 1; } .shown__head i { font-size: 40px; color: var(--ink-2); }
.shown__head span { margin-left: auto; align-self: center; padding: 8px 24px; font-size: 30px; letter-spacing: .02em;
  background: var(--stock); border: 1px solid var(--edge-strong);
  box-shadow: inset 0 0 0 3px var(--stock), inset 0 0 0 4px var(--edge); }
.shown__felt { display: grid; place-items: center; min-height: 0; margin: 0; padding: 16px 24px;
  border-radius: 10px; overflow: hidden; }
.shown__felt :is(button, a, summary) { display: none; }
.shown__say { font-size: 25px; line-height: 1.25; white-space: nowrap; }
"""


def invitations() -> None:
    """Write picture.png into each game's folder, and the drawer's beside the pages: what a link shows to a friend."""
    card = {"width": 1200, "height": 630}
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as (site, _pid), sync_playwright() as started:
        browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_context(viewport=card, bypass_csp=True, color_scheme="light").new_page()
        page.set_default_timeout(0)  # a game may have to be compiled first
        page.goto(site)
        page.screenshot(path=assets.FOLDER / "picture.png")
        for game in registry.games().values():
            page.goto(f"{site}sample/{game.name}")
            plies = int(page.locator("main").get_attribute("data-plies") or 0)
            page.goto(f"{site}sample/{game.name}?ply={min(plies * 2 // 5, 24)}")
            page.add_style_tag(content=CARD_STYLE)
            page.evaluate(CARD, [game.native, game.title, game.lang, game.sentence, WIDTHS])
            page.screenshot(path=game.folder / "page" / "picture.png")
        browser.close()


if __name__ == "__main__":
    invitations()
    drawer()
    terminal()

// An earlier position in place of the board, as the log's lines ask for it; the game goes on behind it.

import { all, byId } from "./dom.js";
import { fill, forget } from "./regions.js";
import { looking } from "./state.js";

/** @typedef {import("./state.js").State} State */

const SHOWN = ["board", "hand"]; // the regions in whose place an earlier position is shown

/** @param {string} label @param {Record<string, string>} data @param {boolean} disabled */
const button = (label, data, disabled) => {
  const el = document.createElement("button");
  el.type = "button";
  el.className = "btn";
  el.textContent = label;
  el.disabled = disabled;
  Object.assign(el.dataset, data);
  return el;
};

/** What the bar says. @param {State["words"]} words @param {number} ply @param {boolean} goneOn */
export const said = (words, ply, goneOn) =>
  (ply ? words.position : words.position_start).replace("{ply}", String(ply)) + (goneOn ? ` ${words.gone_on}` : "");

/** @param {State} state @param {boolean} goneOn whether to tell that the game has gone on */
function draw({ past, words }, goneOn) {
  const { ply } = past;
  const most = Math.max(0, ...all(document, "#region-log [data-look]").map((el) => Number(el.dataset.look)));
  const at = document.activeElement;
  const focused = at instanceof HTMLElement && past.bar?.contains(at) && at.dataset.step;
  const bar = (past.bar ??= document.createElement("div"));
  bar.className = "past";
  const title = document.createElement("p");
  title.textContent = said(words, ply, goneOn);
  title.setAttribute("role", "status");
  bar.replaceChildren(
    title,
    button(words.earlier, { look: String(ply - 1), step: "earlier" }, ply <= 0),
    button(words.later, { look: String(ply + 1), step: "later" }, ply >= most),
    button(words.back, { act: "back", step: "back" }, false),
  );
  byId("region-board").before(bar);
  if (focused) all(bar, `[data-step="${focused}"]:enabled, [data-step="back"]`)[0].focus();
}

/** @param {State} state */
function markLines({ past }) {
  for (const el of all(document, "#region-log [data-look]"))
    if (Number(el.dataset.look) === past.ply) el.setAttribute("aria-current", "true");
    else el.removeAttribute("aria-current");
}

/** Show an earlier position. @param {State} state @param {Messages.Past} message */
export function show(state, message) {
  const { past } = state;
  if (!looking(state)) past.kept = { ...state.regions };
  past.ply = message.ply;
  const regions = message.regions ?? {};
  for (const name of SHOWN) if (name in regions) fill(state, name, regions[name]);
  document.documentElement.classList.add("in-the-past");
  const first = !past.bar;
  draw(state, false);
  if (first) past.bar?.scrollIntoView({ block: "nearest", behavior: "instant" });
  markLines(state);
}

/** Parts the regions of a page that comes while an earlier position is shown: those that may be drawn, and whether
 * the game has gone on behind it. @param {Record<string, string>} kept @param {Record<string, string>} regions */
export const behind = (kept, regions) => ({
  drawn: Object.fromEntries(Object.entries(regions).filter(([name]) => !SHOWN.includes(name))),
  moved: SHOWN.some((name) => name in regions && regions[name] !== kept[name]),
});

/** The game goes on while an earlier position is shown: tell so, and return the regions that may be drawn.
 * @param {State} state @param {Record<string, string>} regions */
export function goOn(state, regions) {
  const { drawn, moved } = behind(state.past.kept, regions);
  state.past.kept = { ...state.past.kept, ...regions };
  if (moved) draw(state, true);
  return drawn;
}

/** Go back to the game; the focus goes to the line that was looked at, if it would be lost. @param {State} state */
export function leave(state) {
  const { past } = state;
  const [line] = all(document, `#region-log [data-look="${past.ply}"]`);
  const focused = past.bar?.contains(document.activeElement);
  past.ply = -1;
  past.bar?.remove();
  past.bar = null;
  document.documentElement.classList.remove("in-the-past");
  for (const name of SHOWN) {
    forget(state, name);
    if (name in past.kept) fill(state, name, past.kept[name]);
  }
  markLines(state);
  if (focused) line?.focus({ preventScroll: true });
}

/** Mark the line looked at in a log that was drawn anew. @param {State} state */
export const relight = (state) => looking(state) && markLines(state);

// An earlier position in place of the board, as the log's lines ask for it; the game goes on behind it.

import { fill, forget } from "./regions.js";

let ply = -1;
let kept = {}; // what the regions will show again
let bar = null;

/** Whether an earlier position is shown. */
export const looking = () => ply >= 0;

const button = (label, data, disabled) => {
  const el = document.createElement("button");
  el.type = "button";
  el.className = "btn";
  el.textContent = label;
  el.disabled = disabled;
  Object.assign(el.dataset, data);
  return el;
};

function draw(words, note) {
  const most = Math.max(
    0,
    ...[...document.querySelectorAll("#region-log [data-look]")].map((el) => Number(el.dataset.look)),
  );
  const focused = bar?.contains(document.activeElement) && document.activeElement.dataset.step;
  bar ??= document.createElement("div");
  bar.className = "past";
  const title = document.createElement("p");
  title.textContent = (ply ? words.position : words.position_start).replace("{ply}", ply) + (note ? ` ${note}` : "");
  title.setAttribute("role", "status");
  bar.replaceChildren(
    title,
    button(words.earlier, { look: ply - 1, step: "earlier" }, ply <= 0),
    button(words.later, { look: ply + 1, step: "later" }, ply >= most),
    button(words.back, { act: "back", step: "back" }, false),
  );
  document.getElementById("region-board").before(bar);
  if (focused) bar.querySelector(`[data-step="${focused}"]:enabled, [data-step="back"]`).focus();
}

function markLines() {
  for (const el of document.querySelectorAll("#region-log [data-look]"))
    if (Number(el.dataset.look) === ply) el.setAttribute("aria-current", "true");
    else el.removeAttribute("aria-current");
}

/** Show an earlier position. `now`: the regions as they stand in the game. */
export function show(message, now, words) {
  if (!looking()) kept = { ...now };
  ply = message.ply;
  for (const name of ["board", "hand"]) if (name in (message.regions ?? {})) fill(name, message.regions[name]);
  document.documentElement.classList.add("in-the-past");
  const first = !bar;
  draw(words, "");
  if (first) bar.scrollIntoView({ block: "nearest", behavior: "instant" });
  markLines();
}

/** The game goes on while an earlier position is shown: tell so, and return the regions that may be drawn. */
export function goOn(regions, words) {
  const moved = ["board", "hand"].some((name) => name in regions && regions[name] !== kept[name]);
  kept = { ...kept, ...regions };
  if (moved) draw(words, words.gone_on);
  return Object.fromEntries(Object.entries(regions).filter(([name]) => name !== "board" && name !== "hand"));
}

/** Go back to the game; the focus goes to the line that was looked at, if it would be lost. */
export function leave() {
  const line = document.querySelector(`#region-log [data-look="${ply}"]`);
  const focused = bar?.contains(document.activeElement);
  ply = -1;
  bar?.remove();
  bar = null;
  document.documentElement.classList.remove("in-the-past");
  for (const name of ["board", "hand"]) {
    forget(name);
    if (name in kept) fill(name, kept[name]);
  }
  markLines();
  if (focused) line?.focus({ preventScroll: true });
}

/** Mark the line looked at in a log that was drawn anew. */
export const relight = () => looking() && markLines();

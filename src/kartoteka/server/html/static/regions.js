// Fresh HTML for the regions of the page; what a person had done there (text, caret, scrolling, folds) stays.

const region = (name) => document.getElementById(`region-${name}`);

/** What each region shows, as the server sent it. @type {Map<string, string>} */
const shown = new Map();

let composing = false; // an input method is at work in a field, which fresh HTML would break off
const waiting = new Map();

addEventListener("compositionstart", () => (composing = true));
addEventListener("compositionend", () => {
  composing = false;
  const regions = [...waiting];
  waiting.clear();
  for (const [name, html] of regions) fill(name, html);
});

/** The folds that the person opened or closed: the words on each, and how. @type {Map<string, boolean>} */
const folded = new Map();
const wordsOn = (fold) => fold.querySelector("summary")?.textContent.trim() ?? "";

document.addEventListener("click", (event) => {
  const fold = event.target.closest("summary")?.parentElement;
  if (fold?.closest("[id^=region-]")) folded.set(wordsOn(fold), !fold.open);
});

/** The regions whose HTML is new, as [name, html]. @returns {[string, string][]} */
export const changes = (regions) =>
  Object.entries(regions).filter(([name, html]) => region(name) && shown.get(name) !== html);

/** Forget what a region shows, since something else was drawn there. */
export const forget = (name) => shown.delete(name);

const same = (el) => el.localName + [...el.classList].map((name) => `.${CSS.escape(name)}`).join("");
const mark = (root, el) => [same(el), [...root.querySelectorAll(same(el))].indexOf(el)];
const found = (root, [selector, k]) => (k < 0 ? root : root.querySelectorAll(selector)[k]);
const atEnd = (el) => el.scrollTop + el.clientHeight >= el.scrollHeight - 40;
const scrolls = (el) => el.scrollHeight > el.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(el).overflowY);

function keep(root) {
  const all = [root, ...root.querySelectorAll("*")];
  const scrolled = all.filter((el) => el.scrollTop || el.scrollLeft);
  const places = scrolled.map((el) => [mark(root, el), el.scrollTop, el.scrollLeft, atEnd(el)]);
  const fields = [...root.querySelectorAll("input[name], textarea[name]")].map((el) => [
    el.name,
    el.value,
    el.selectionStart,
    el.selectionEnd,
  ]);
  return () => {
    for (const [name, value, start, end] of fields) {
      const field = root.querySelector(`[name="${CSS.escape(name)}"]`);
      if (!field || !value || field.type === "hidden") continue;
      field.value = value;
      if (start !== null) field.setSelectionRange(start, end);
    }
    for (const fold of root.querySelectorAll("details"))
      if (folded.has(wordsOn(fold))) fold.open = folded.get(wordsOn(fold));
    for (const [at, top, left, end] of places)
      found(root, at)?.scrollTo({ top: end ? 1e9 : top, left, behavior: "instant" });
  };
}

/** Add lines to the list of a region. One that was read at its end is again shown at its end. */
export function append(name, html) {
  const root = region(name);
  const end = atEnd(root);
  root.querySelector("ol").insertAdjacentHTML("beforeend", html);
  shown.delete(name);
  if (end) root.scrollTo({ top: 1e9, behavior: "instant" });
}

/** Fill a region. A log or a chat that was read at its end is again shown at its end. */
export function fill(name, html) {
  const root = region(name);
  if (composing && root.contains(document.activeElement)) return waiting.set(name, html);
  const first = !shown.has(name);
  const again = keep(root);
  root.innerHTML = html;
  shown.set(name, html);
  again();
  if (first && /^(log|chat)$/.test(name))
    for (const el of [root, ...root.querySelectorAll("*")]) if (scrolls(el)) el.scrollTop = el.scrollHeight;
}

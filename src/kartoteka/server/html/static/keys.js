// The table by keys: arrows walk among the places that may be used, letters go to a part of the page.

import { placed } from "./focus.js";

const LETTERS = { h: "hand", b: "board", m: "moves", l: "log" };
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const regionOf = (el) => el.closest("#region-board, #region-hand");
const usable = (root) =>
  [...root.querySelectorAll("[data-place][tabindex], .here")].filter((el) => el.checkVisibility?.() ?? true);

/** The middle of what `el` stands for: of a card in a fan, of the part that is seen. */
function middle(el) {
  const box = (el.classList.contains("here") ? el.parentElement : el).getBoundingClientRect();
  const next = el.closest("li")?.nextElementSibling?.getBoundingClientRect();
  const right = next && next.top < box.bottom && next.left > box.left ? Math.min(box.right, next.left) : box.right;
  return [(box.left + right) / 2, (box.top + box.bottom) / 2];
}

/** The nearest in a direction: a step aside counts twice. */
function nearest(from, among, [dx, dy]) {
  const [x, y] = middle(from);
  let best = null;
  for (const el of among) {
    if (el === from) continue;
    const [a, b] = middle(el).map((value, k) => value - [x, y][k]);
    const [along, aside] = [a * dx + b * dy, Math.abs(a * dy) + Math.abs(b * dx)];
    if (along < 4 || aside > 3 * along) continue;
    const far = along + 2 * aside;
    if (!best || far < best.far) best = { el, far };
  }
  return best?.el;
}

/** Go from a place to the next one in the direction of an arrow key, in its own region if there is one. */
function walk(from, key) {
  const all = ["board", "hand"].flatMap((name) => usable(document.getElementById(`region-${name}`)));
  const near = nearest(
    from,
    all.filter((el) => regionOf(el) === regionOf(from)),
    ARROWS[key],
  );
  const to = near ?? nearest(from, all, ARROWS[key]);
  to?.focus();
  return Boolean(to);
}

/** Put the focus on the first thing of a part of the page that can be used, else on the part itself. */
export function goTo(name) {
  const root = document.getElementById(name === "moves" ? "moves" : `region-${name}`);
  if (!root) return;
  root.closest("details")?.setAttribute("open", "");
  const fit = "[data-place][tabindex='0'], .here, button[data-move], button[data-act], summary, button[data-look]";
  const all = [...root.querySelectorAll(fit)];
  const to = (name === "log" ? all.at(-1) : all[0]) ?? root.querySelector("[tabindex]") ?? root;
  if (to === root && name === "hand") return goTo("board"); // a game without hands
  if (!to.hasAttribute("tabindex") && to === root) root.tabIndex = -1;
  to.focus();
}

const FIELDS = "input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]";
const writing = (el) => el?.matches(FIELDS);

const lettersOff = () => {
  try {
    return localStorage.getItem("keys") === "off";
  } catch {
    return false;
  }
};

/** @param {{act: (el: Element) => void, escape: () => void, shift: (el: Element, by: number) => void}} on */
export function watchKeys(on) {
  document.addEventListener("keydown", (event) => {
    const at = document.activeElement;
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (event.key === "Escape") return document.querySelector("dialog[open]") ? undefined : on.escape();
    const place = placed(at);
    const isPlace = place && (place === at || at.classList.contains("here"));
    if (isPlace && event.key in ARROWS) {
      const sorts = event.shiftKey && /Left|Right/.test(event.key) && at.closest("[data-sortable]");
      if (sorts) on.shift(at, ARROWS[event.key][0]);
      if (sorts || walk(at, event.key)) event.preventDefault();
    } else if (isPlace && at === place && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      if (!event.repeat) on.act(at);
    } else if (!writing(at) && !event.repeat && !lettersOff() && !document.querySelector("dialog[open]")) {
      if (event.key === "?") document.getElementById("keys")?.showModal();
      else if (event.key in LETTERS) goTo(LETTERS[event.key]);
      else return;
      event.preventDefault();
    }
  });
}

// The letters can be switched off, for those who speak to their machine or press keys by mistake.
for (const box of document.querySelectorAll("input[data-keys]")) {
  box.checked = !lettersOff();
  box.addEventListener("change", () => {
    try {
      localStorage.setItem("keys", box.checked ? "on" : "off");
    } catch {
      /* storage may be forbidden */
    }
  });
}

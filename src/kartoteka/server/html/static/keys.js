// The table by keys: arrows walk among the places that may be used, letters go to a part of the page.

import { all, byId, placed } from "./dom.js";
import { toward } from "./screen.js";

/** @type {Record<string, string>} */
const LETTERS = { h: "hand", b: "board", m: "moves", l: "log" };
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const regionOf = (/** @type {Element} */ el) => el.closest("#region-board, #region-hand");
const usable = (/** @type {Element} */ root) =>
  all(root, "[data-place][tabindex], .here").filter((el) => el.checkVisibility?.() ?? true);

/** The middle of what `el` stands for: of a card in a fan, of the part that is seen.
 * @param {Element} el @returns {[number, number]} */
function middle(el) {
  const box = ((el.classList.contains("here") && el.parentElement) || el).getBoundingClientRect();
  const next = el.closest("li")?.nextElementSibling?.getBoundingClientRect();
  const right = next && next.top < box.bottom && next.left > box.left ? Math.min(box.right, next.left) : box.right;
  return [(box.left + right) / 2, (box.top + box.bottom) / 2];
}

/** The nearest in a direction. @param {Element} from @param {HTMLElement[]} among @param {string} key */
function nearest(from, among, key) {
  const others = among.filter((el) => el !== from);
  return others[toward(middle(from), others.map(middle), ARROWS[key])];
}

/** Go from a place to the next one in the direction of an arrow key, in its own region if there is one.
 * @param {Element} from @param {string} key */
function walk(from, key) {
  const places = ["board", "hand"].flatMap((name) => usable(byId(`region-${name}`)));
  const own = places.filter((el) => regionOf(el) === regionOf(from));
  const to = nearest(from, own, key) ?? nearest(from, places, key);
  to?.focus();
  return Boolean(to);
}

/** Put the focus on the first thing of a part of the page that can be used, else on the part itself.
 * @param {string} name @returns {void} */
export function goTo(name) {
  const root = document.getElementById(name === "moves" ? "moves" : `region-${name}`);
  if (!root) return;
  root.closest("details")?.setAttribute("open", "");
  const fit = "[data-place][tabindex='0'], .here, button[data-move], button[data-act], summary, button[data-look]";
  const fitting = all(root, fit);
  const to = (name === "log" ? fitting.at(-1) : fitting[0]) ?? all(root, "[tabindex]")[0] ?? root;
  if (to === root && name === "hand") return goTo("board"); // a game without hands
  if (!to.hasAttribute("tabindex") && to === root) root.tabIndex = -1;
  to.focus();
}

const FIELDS = "input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]";
const writing = (/** @type {Element} */ el) => el.matches(FIELDS);

const lettersOff = () => {
  try {
    return localStorage.getItem("keys") === "off";
  } catch {
    return false;
  }
};

/** The letters can be switched off, for those who speak to their machine or press keys by mistake. */
function watchSwitches() {
  for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[data-keys]"))) {
    box.checked = !lettersOff();
    box.addEventListener("change", () => {
      try {
        localStorage.setItem("keys", box.checked ? "on" : "off");
      } catch {
        /* storage may be forbidden */
      }
    });
  }
}

/** Show which keys there are. */
export const showKeys = () => /** @type {HTMLDialogElement | null} */ (document.getElementById("keys"))?.showModal();

/** @param {{act: (el: HTMLElement) => void, escape: () => void, shift: (el: HTMLElement, by: number) => void}} on */
export function watchKeys(on) {
  watchSwitches();
  document.addEventListener("keydown", (event) => {
    const at = /** @type {HTMLElement} */ (document.activeElement ?? document.body);
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
      if (event.key === "?") showKeys();
      else if (event.key in LETTERS) goTo(LETTERS[event.key]);
      else return;
      event.preventDefault();
    }
  });
}

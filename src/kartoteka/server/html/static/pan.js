/**
 * Pan and zoom. Any `<div data-pan="key">` with a bar of buttons (`data-zoom="in|out|all"`), a scrolling window
 * `.pan__win` and in it a `.lattice__field` whose lengths are in units that `--zoom` multiplies.
 *
 * One panes by the window's own scrolling (finger, wheel, arrow keys) or by dragging with the mouse, and zooms by
 * the buttons, by + − 0, by ctrl and the wheel, or by pinching. A region may be replaced by fresh HTML at any time:
 * listeners are the document's, and what is zoomed and where is kept by key.
 */

import { all } from "./dom.js";
import { allowed, missing, nearestWay, spread, stays, wheeled } from "./screen.js";

const STEP = 1.25;
const SLACK = 5;

/**
 * @typedef {object} Pans
 * @property {Map<string, {zoom: number, left: number, top: number}>} kept how each was left
 * @property {{name: string, zoom: number, apart: number} | null} pinch two fingers that are down, as they began
 * @property {{name: string, x: number, y: number, moved: boolean} | null} drag the mouse that is down
 */

/** @param {HTMLElement} pan */
const nameOf = (pan) => `pan ${location.pathname} ${pan.dataset.pan}`;
/** @param {HTMLElement} pan @param {string} selector @returns {HTMLElement} */
function part(pan, selector) {
  const el = pan.querySelector(selector);
  if (!(el instanceof HTMLElement)) throw new Error(`A part to pan has no ${selector}.`);
  return el;
}
const windowOf = (/** @type {HTMLElement} */ pan) => part(pan, ".pan__win");
const fieldOf = (/** @type {HTMLElement} */ pan) => part(pan, ".lattice__field");
const barOf = (/** @type {HTMLElement} */ pan) => part(pan, ".pan__bar");
/** @param {EventTarget | null} node @returns {HTMLElement | null} */
const panOf = (node) => (node instanceof Element ? node.closest("[data-pan]") : null);
const zoomOf = (/** @type {HTMLElement} */ pan) => parseFloat(pan.style.getPropertyValue("--zoom")) || 1;
const panNamed = (/** @type {string} */ name) => all(document, `[data-pan="${CSS.escape(name)}"]`)[0] ?? null;

/** @param {Pans} pans @param {string} name */
function recall({ kept }, name) {
  if (!kept.has(name)) {
    try {
      const was = JSON.parse(sessionStorage.getItem(name) ?? "null");
      if (was && [was.zoom, was.left, was.top].every(Number.isFinite)) kept.set(name, was);
    } catch {
      /* no storage, or none of ours: start afresh */
    }
  }
  return kept.get(name);
}

/** @param {Pans} pans @param {HTMLElement} pan */
function remember({ kept }, pan) {
  const win = windowOf(pan);
  kept.set(nameOf(pan), { zoom: zoomOf(pan), left: win.scrollLeft, top: win.scrollTop });
}

/** @param {Pans} pans */
function store({ kept }) {
  try {
    for (const [name, was] of kept) sessionStorage.setItem(name, JSON.stringify(was));
  } catch {
    /* no storage: the page remembers while it is open */
  }
}

/** Zoom, and keep what lies at (x, y) of the screen where it is; by default the middle of the window.
 * @param {Pans} pans @param {HTMLElement} pan @param {number} zoom @param {number} [x] @param {number} [y] */
function zoomTo(pans, pan, zoom, x, y) {
  const win = windowOf(pan);
  const field = fieldOf(pan);
  const box = win.getBoundingClientRect();
  x ??= box.left + win.clientWidth / 2;
  y ??= box.top + win.clientHeight / 2;
  const before = field.getBoundingClientRect();
  pan.style.setProperty("--zoom", allowed(zoom).toFixed(4));
  const after = field.getBoundingClientRect();
  win.scrollLeft += stays(x, [before.left, before.width], [after.left, after.width]);
  win.scrollTop += stays(y, [before.top, before.height], [after.top, after.height]);
  remember(pans, pan);
}

/** Zoom so that the whole field is in the window, never closer than usual.
 * @param {Pans} pans @param {HTMLElement} pan */
function showAll(pans, pan) {
  zoomTo(pans, pan, 1);
  const win = windowOf(pan);
  const field = fieldOf(pan);
  const wide = (win.clientWidth - win.scrollWidth + field.offsetWidth) / field.offsetWidth;
  const high = (win.clientHeight - win.scrollHeight + field.offsetHeight) / field.offsetHeight;
  zoomTo(pans, pan, Math.min(1, wide, high));
}

/** Scroll the nearest of some cells into the window if none of them shows.
 * @param {HTMLElement} pan @param {string} marks */
function reveal(pan, marks) {
  const win = windowOf(pan);
  const { left, top } = win.getBoundingClientRect();
  const box = { left, top, right: left + win.clientWidth, bottom: top + win.clientHeight };
  const way = nearestWay(all(pan, marks).map((cell) => missing(cell.getBoundingClientRect(), box)));
  if (!way) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  win.scrollBy({ left: way.left, top: way.top, behavior: still ? "instant" : "smooth" });
}

/** Fresh HTML: show its bar, and look where one looked before, or else at what it calls home.
 * @param {Pans} pans @param {HTMLElement} pan */
function enhance(pans, pan) {
  barOf(pan).hidden = false;
  const was = recall(pans, nameOf(pan));
  const win = windowOf(pan);
  const home = pan.querySelector("[data-pan-home]");
  if (was) {
    pan.style.setProperty("--zoom", String(was.zoom));
    win.scrollTo({ left: was.left, top: was.top, behavior: "instant" });
  } else if (home) {
    const at = home.getBoundingClientRect();
    const box = win.getBoundingClientRect();
    win.scrollTo({
      left: at.left - box.left + (at.width - win.clientWidth) / 2,
      top: at.top - box.top + (at.height - win.clientHeight) / 2,
      behavior: "instant",
    });
    remember(pans, pan);
  }
}

/** @param {Pans} pans */
function enhanceAll(pans) {
  for (const pan of all(document, "[data-pan]")) if (barOf(pan).hidden) enhance(pans, pan);
}

const LIGHTS = ["can-put", "is-last"];

/** Whether a record tells that an element has just been lit. @param {MutationRecord} record @param {string} light */
const lights = ({ type, target, oldValue }, light) =>
  type === "attributes" &&
  target instanceof Element &&
  target.classList.contains(light) &&
  !` ${oldValue ?? ""} `.includes(` ${light} `);

/** @param {Pans} pans */
function watchPage(pans) {
  const observer = new MutationObserver((records) => {
    enhanceAll(pans);
    for (const light of LIGHTS) {
      const lit = records.filter((record) => lights(record, light));
      for (const pan of new Set(lit.map(({ target }) => panOf(target)))) if (pan) reveal(pan, `.${light}`);
    }
  });
  observer.observe(document.documentElement, {
    subtree: true,
    childList: true,
    attributeFilter: ["class"],
    attributeOldValue: true,
  });
  const onScroll = (/** @type {Event} */ event) => {
    const pan = panOf(event.target);
    if (pan && event.target === windowOf(pan)) remember(pans, pan);
  };
  document.addEventListener("scroll", onScroll, true);
  addEventListener("pagehide", () => store(pans));
}

/** Zoom by the buttons, by keys and by the wheel. @param {Pans} pans */
function watchZoom(pans) {
  document.addEventListener("click", ({ target }) => {
    /** @type {HTMLElement | null} */
    const button = target instanceof Element ? target.closest("[data-zoom]") : null;
    const pan = panOf(button);
    if (!button || !pan) return;
    const how = button.dataset.zoom;
    if (how === "all") showAll(pans, pan);
    else zoomTo(pans, pan, zoomOf(pan) * (how === "in" ? STEP : 1 / STEP));
  });
  document.addEventListener("keydown", (event) => {
    const pan = panOf(event.target);
    if (!pan || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === "+" || event.key === "=") zoomTo(pans, pan, zoomOf(pan) * STEP);
    else if (event.key === "-") zoomTo(pans, pan, zoomOf(pan) / STEP);
    else if (event.key === "0") showAll(pans, pan);
    else return;
    event.preventDefault();
  });
  const onWheel = (/** @type {WheelEvent} */ event) => {
    const pan = event.ctrlKey ? panOf(event.target) : null;
    if (!pan) return;
    event.preventDefault();
    zoomTo(pans, pan, zoomOf(pan) * wheeled(event.deltaY), event.clientX, event.clientY);
  };
  document.addEventListener("wheel", onWheel, { passive: false });
}

/** Pinch: two fingers, the field between them stays between them. @param {Pans} pans */
function watchPinch(pans) {
  const onStart = (/** @type {TouchEvent} */ { touches, target }) => {
    const pan = touches.length === 2 ? panOf(target) : null;
    const { apart } = pan ? spread(touches[0], touches[1]) : { apart: 0 };
    pans.pinch = pan ? { name: pan.dataset.pan ?? "", zoom: zoomOf(pan), apart } : null;
  };
  const onMove = (/** @type {TouchEvent} */ event) => {
    const { pinch } = pans;
    const pan = pinch && event.touches.length === 2 ? panNamed(pinch.name) : null;
    if (!pinch || !pan || !event.cancelable) return;
    event.preventDefault();
    const now = spread(event.touches[0], event.touches[1]);
    zoomTo(pans, pan, (pinch.zoom * now.apart) / Math.max(1, pinch.apart), now.x, now.y);
  };
  document.addEventListener("touchstart", onStart, { passive: true });
  document.addEventListener("touchmove", onMove, { passive: false });
  document.addEventListener("touchend", () => {
    pans.pinch = null;
  });
}

/** Drag by mouse; what is taken up and put down by dragging is left alone. @param {Pans} pans */
function watchMouse(pans) {
  document.addEventListener("pointerdown", ({ target, pointerType, button, clientX: x, clientY: y }) => {
    pans.drag = null;
    const win = target instanceof Element ? target.closest(".pan__win") : null;
    const pan = panOf(win);
    if (!(target instanceof Element) || !win || !pan || pointerType !== "mouse" || button) return;
    if (target.closest(".can-take, .is-held, button, a")) return;
    const box = win.getBoundingClientRect();
    const onBars = x - box.left > win.clientWidth || y - box.top > win.clientHeight;
    if (!onBars) pans.drag = { name: pan.dataset.pan ?? "", x, y, moved: false };
  });
  document.addEventListener("pointermove", ({ buttons, clientX: x, clientY: y }) => {
    const { drag } = pans;
    const pan = drag && buttons & 1 ? panNamed(drag.name) : null;
    if (!drag || !pan) return;
    const [dx, dy] = [x - drag.x, y - drag.y];
    if (!drag.moved && Math.hypot(dx, dy) < SLACK) return;
    pans.drag = { ...drag, x, y, moved: true };
    const win = windowOf(pan);
    win.classList.add("is-panned");
    win.scrollLeft -= dx;
    win.scrollTop -= dy;
  });
  document.addEventListener("pointerup", () => {
    for (const win of document.querySelectorAll(".pan__win.is-panned")) win.classList.remove("is-panned");
  });
  // The click that ends a drag means nothing.
  const onClick = (/** @type {Event} */ event) => {
    if (pans.drag?.moved) {
      event.preventDefault();
      event.stopPropagation();
    }
    pans.drag = null;
  };
  addEventListener("click", onClick, true);
}

function start() {
  /** @type {Pans} */
  const pans = { kept: new Map(), pinch: null, drag: null };
  watchPage(pans);
  enhanceAll(pans);
  watchZoom(pans);
  watchPinch(pans);
  watchMouse(pans);
}

start();

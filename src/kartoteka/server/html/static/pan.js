/**
 * Pan and zoom. Any `<div data-pan="key">` with a bar of buttons (`data-zoom="in|out|all"`), a scrolling window
 * `.pan__win` and in it a `.lattice__field` whose lengths are in units that `--zoom` multiplies.
 *
 * One panes by the window's own scrolling (finger, wheel, arrow keys) or by dragging with the mouse, and zooms by
 * the buttons, by + − 0, by ctrl and the wheel, or by pinching. A region may be replaced by fresh HTML at any time:
 * listeners are the document's, and what is zoomed and where is kept by key.
 */

const STEP = 1.25;
const LEAST = 0.3;
const MOST = 3;
const SLACK = 5;

/** @type {Map<string, {zoom: number, left: number, top: number}>} */
const kept = new Map();

/** @param {Element} pan */
const nameOf = (pan) => `pan ${location.pathname} ${pan.dataset.pan}`;
const windowOf = (pan) => pan.querySelector(".pan__win");
const fieldOf = (pan) => pan.querySelector(".lattice__field");
const panOf = (node) => (node instanceof Element ? node.closest("[data-pan]") : null);
const zoomOf = (pan) => parseFloat(pan.style.getPropertyValue("--zoom")) || 1;

function recall(name) {
  if (!kept.has(name)) {
    try {
      const was = JSON.parse(sessionStorage.getItem(name));
      if (was && [was.zoom, was.left, was.top].every(Number.isFinite)) kept.set(name, was);
    } catch {
      /* no storage, or none of ours: start afresh */
    }
  }
  return kept.get(name);
}

function remember(pan) {
  const win = windowOf(pan);
  kept.set(nameOf(pan), { zoom: zoomOf(pan), left: win.scrollLeft, top: win.scrollTop });
}

function store() {
  try {
    for (const [name, was] of kept) sessionStorage.setItem(name, JSON.stringify(was));
  } catch {
    /* no storage: the page remembers while it is open */
  }
}

/** Zoom, and keep what lies at (x, y) of the screen where it is; by default the middle of the window. */
function zoomTo(pan, zoom, x, y) {
  const win = windowOf(pan);
  const field = fieldOf(pan);
  const box = win.getBoundingClientRect();
  x ??= box.left + win.clientWidth / 2;
  y ??= box.top + win.clientHeight / 2;
  const before = field.getBoundingClientRect();
  pan.style.setProperty("--zoom", Math.min(MOST, Math.max(LEAST, zoom)).toFixed(4));
  const after = field.getBoundingClientRect();
  win.scrollLeft += after.left + ((x - before.left) / before.width) * after.width - x;
  win.scrollTop += after.top + ((y - before.top) / before.height) * after.height - y;
  remember(pan);
}

/** Zoom so that the whole field is in the window, never closer than usual. */
function showAll(pan) {
  zoomTo(pan, 1);
  const win = windowOf(pan);
  const field = fieldOf(pan);
  const wide = (win.clientWidth - win.scrollWidth + field.offsetWidth) / field.offsetWidth;
  const high = (win.clientHeight - win.scrollHeight + field.offsetHeight) / field.offsetHeight;
  zoomTo(pan, Math.min(1, wide, high));
}

/** @param {Element} cell how far the window must scroll so that the cell is wholly in it */
function missing(win, cell) {
  const at = cell.getBoundingClientRect();
  const box = win.getBoundingClientRect();
  const edge = 32;
  const over = (start, end, low, high) =>
    start < low + edge ? start - low - edge : end > high - edge ? end - high + edge : 0;
  return {
    left: over(at.left, at.right, box.left, box.left + win.clientWidth),
    top: over(at.top, at.bottom, box.top, box.top + win.clientHeight),
    hidden:
      at.right < box.left ||
      at.left > box.left + win.clientWidth ||
      at.bottom < box.top ||
      at.top > box.top + win.clientHeight,
  };
}

/** Scroll the nearest of some cells into the window if none of them shows. */
function reveal(pan, marks) {
  const win = windowOf(pan);
  const ways = [...pan.querySelectorAll(marks)].map((cell) => missing(win, cell));
  if (!ways.length || ways.some((way) => !way.hidden)) return;
  const { left, top } = ways.reduce((a, b) => (Math.hypot(a.left, a.top) <= Math.hypot(b.left, b.top) ? a : b));
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  win.scrollBy({ left, top, behavior: still ? "instant" : "smooth" });
}

/** Fresh HTML: show its bar, and look where one looked before, or else at what it calls home. */
function enhance(pan) {
  pan.querySelector(".pan__bar").hidden = false;
  const was = recall(nameOf(pan));
  const win = windowOf(pan);
  const home = pan.querySelector("[data-pan-home]");
  if (was) {
    pan.style.setProperty("--zoom", was.zoom);
    win.scrollTo({ left: was.left, top: was.top, behavior: "instant" });
  } else if (home) {
    const at = home.getBoundingClientRect();
    const box = win.getBoundingClientRect();
    win.scrollTo({
      left: at.left - box.left + (at.width - win.clientWidth) / 2,
      top: at.top - box.top + (at.height - win.clientHeight) / 2,
      behavior: "instant",
    });
    remember(pan);
  }
}

function enhanceAll() {
  for (const pan of document.querySelectorAll("[data-pan]")) if (pan.querySelector(".pan__bar").hidden) enhance(pan);
}

const LIGHTS = ["can-put", "is-last"];

new MutationObserver((records) => {
  enhanceAll();
  for (const light of LIGHTS) {
    const lit = records.filter(
      (r) =>
        r.type === "attributes" &&
        r.target.classList.contains(light) &&
        !` ${r.oldValue ?? ""} `.includes(` ${light} `),
    );
    for (const pan of new Set(lit.map((r) => panOf(r.target)))) if (pan) reveal(pan, `.${light}`);
  }
}).observe(document.documentElement, {
  subtree: true,
  childList: true,
  attributeFilter: ["class"],
  attributeOldValue: true,
});
enhanceAll();

document.addEventListener(
  "scroll",
  (event) => {
    const pan = panOf(event.target);
    if (pan && event.target === windowOf(pan)) remember(pan);
  },
  true,
);
addEventListener("pagehide", store);

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-zoom]") : null;
  const pan = panOf(button);
  if (!pan) return;
  const how = button.dataset.zoom;
  if (how === "all") showAll(pan);
  else zoomTo(pan, zoomOf(pan) * (how === "in" ? STEP : 1 / STEP));
});

document.addEventListener("keydown", (event) => {
  const pan = panOf(event.target);
  if (!pan || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.key === "+" || event.key === "=") zoomTo(pan, zoomOf(pan) * STEP);
  else if (event.key === "-") zoomTo(pan, zoomOf(pan) / STEP);
  else if (event.key === "0") showAll(pan);
  else return;
  event.preventDefault();
});

document.addEventListener(
  "wheel",
  (event) => {
    const pan = event.ctrlKey && panOf(event.target);
    if (!pan) return;
    event.preventDefault();
    zoomTo(
      pan,
      zoomOf(pan) * Math.exp(-Math.max(-50, Math.min(50, event.deltaY)) / 150),
      event.clientX,
      event.clientY,
    );
  },
  { passive: false },
);

/* -- Pinch: two fingers, the field between them stays between them ------------------- */
let pinch = null;
const spread = ([a, b]) => ({
  x: (a.clientX + b.clientX) / 2,
  y: (a.clientY + b.clientY) / 2,
  apart: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY),
});

document.addEventListener(
  "touchstart",
  (event) => {
    const pan = event.touches.length === 2 ? panOf(event.target) : null;
    pinch = pan ? { name: pan.dataset.pan, zoom: zoomOf(pan), ...spread(event.touches) } : null;
  },
  { passive: true },
);

document.addEventListener(
  "touchmove",
  (event) => {
    const pan =
      pinch && event.touches.length === 2 ? document.querySelector(`[data-pan="${CSS.escape(pinch.name)}"]`) : null;
    if (!pan || !event.cancelable) return;
    event.preventDefault();
    const now = spread(event.touches);
    zoomTo(pan, (pinch.zoom * now.apart) / Math.max(1, pinch.apart), now.x, now.y);
  },
  { passive: false },
);

document.addEventListener("touchend", () => {
  pinch = null;
});

/* -- Drag by mouse; what is taken up and put down by dragging is left alone ----------- */
let drag = null;

document.addEventListener("pointerdown", (event) => {
  drag = null;
  const win = event.target instanceof Element ? event.target.closest(".pan__win") : null;
  if (!win || event.pointerType !== "mouse" || event.button || event.target.closest(".can-take, .is-held, button, a"))
    return;
  const box = win.getBoundingClientRect();
  const onBars = event.clientX - box.left > win.clientWidth || event.clientY - box.top > win.clientHeight;
  if (onBars) return;
  drag = { name: panOf(win).dataset.pan, x: event.clientX, y: event.clientY, moved: false };
});

document.addEventListener("pointermove", (event) => {
  const pan = drag && event.buttons & 1 ? document.querySelector(`[data-pan="${CSS.escape(drag.name)}"]`) : null;
  if (!pan) return;
  const dx = event.clientX - drag.x;
  const dy = event.clientY - drag.y;
  const win = windowOf(pan);
  if (!drag.moved && Math.hypot(dx, dy) < SLACK) return;
  Object.assign(drag, { moved: true, x: event.clientX, y: event.clientY });
  win.classList.add("is-panned");
  win.scrollLeft -= dx;
  win.scrollTop -= dy;
});

document.addEventListener("pointerup", () => {
  for (const win of document.querySelectorAll(".pan__win.is-panned")) win.classList.remove("is-panned");
});

/* The click that ends a drag means nothing. */
addEventListener(
  "click",
  (event) => {
    if (drag?.moved) {
      event.preventDefault();
      event.stopPropagation();
    }
    drag = null;
  },
  true,
);

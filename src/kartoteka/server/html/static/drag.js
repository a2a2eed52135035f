// Taking things up by a pointer: a mouse or pen that moves, a finger that moves sideways or rests. A finger that
// moves up or down scrolls the page (touch-action: pan-y in play.css); in a window that scrolls sideways too it must
// rest.

const FAR = 6; // px before a press becomes a drag
const REST = 350; // ms after which a resting finger takes the thing up
const EDGE = 36; // px from an edge where the window under the pointer, or the page, scrolls along
const PACE = 8; // px a frame
const STILL = 150; // ms without a move before that begins, so that a quick drop near an edge falls where it was meant

/** @typedef {import("./state.js").State} State */

/** @param {HTMLElement[]} elements @param {{x: number, y: number}} at */
function picture(elements, { x, y }) {
  const holder = document.createElement("div");
  holder.className = "ghost";
  for (const el of elements) {
    const copy = /** @type {HTMLElement} */ (el.cloneNode(true));
    const box = el.getBoundingClientRect();
    copy.removeAttribute("data-place");
    copy.classList.remove("is-held", "can-take", "can-put", "is-last");
    copy.style.setProperty("--card-w", getComputedStyle(el).getPropertyValue("--card-w") || `${box.width}px`);
    Object.assign(copy.style, { width: `${box.width}px`, height: `${box.height}px` });
    if (el.closest(".by-colour")) holder.classList.add("by-colour");
    holder.append(copy);
  }
  const box = elements[0].getBoundingClientRect();
  holder.style.setProperty("--dx", `${box.x - x}px`);
  holder.style.setProperty("--dy", `${box.y - y}px`);
  document.body.append(holder);
  return holder;
}

/** @param {number} at @param {number} start @param {number} end */
export const step = (at, start, end) => (at < start + EDGE ? -PACE : at > end - EDGE ? PACE : 0);

/** Scroll whatever is under a point near an edge of it; return whether anything moved.
 * @param {number} x @param {number} y */
function scrollAlong(x, y) {
  for (let el = /** @type {Element | null} */ (document.elementFromPoint(x, y)); el; el = el.parentElement) {
    const page = el === document.documentElement;
    if (!page && !/auto|scroll/.test(getComputedStyle(el).overflow)) continue;
    const box = page ? { left: 0, right: innerWidth, top: 0, bottom: innerHeight } : el.getBoundingClientRect();
    const was = [el.scrollLeft, el.scrollTop];
    el.scrollBy({
      left: page ? 0 : step(x, box.left, box.right),
      top: step(y, box.top, box.bottom),
      behavior: "instant",
    });
    if (el.scrollLeft !== was[0] || el.scrollTop !== was[1]) return true;
  }
  return false;
}

/**
 * Watch for drags.
 *
 * @param {State} state
 * @param {{
 *   grab: (x: number, y: number) => HTMLElement | null,
 *   lift: (el: HTMLElement) => HTMLElement[],
 *   over: (target: Element | null) => Element | null,
 *   drop: (el: HTMLElement, target: Element, x: number, y: number) => void,
 *   cancel: () => void,
 *   idle: () => void,
 * }} on `grab`: the thing at a point that may be taken up; `lift`: take it up, and tell what moves along; `over`: the
 *   place there that would take it; `idle`: nothing is down any more
 */
export function watchDrag({ drag }, on) {
  /** @param {number} x @param {number} y */
  const hover = (x, y) => {
    const now = on.over(document.elementFromPoint(x, y));
    if (now === drag.over) return;
    drag.over?.classList.remove("is-over");
    now?.classList.add("is-over");
    drag.over = now;
  };

  /** @param {{clientX: number, clientY: number}} to */
  const move = ({ clientX: x, clientY: y }) => {
    if (!drag.press || !drag.ghost) return;
    drag.press.now = { x, y, since: performance.now() };
    drag.ghost.style.translate = `${x}px ${y}px`;
    hover(x, y);
  };

  // The place meant may not be in view.
  const scroll = () => {
    if (!drag.ghost || !drag.press) return;
    const { x, y, since } = drag.press.now;
    const rests = performance.now() - since > STILL && Math.hypot(x - drag.press.x, y - drag.press.y) > EDGE;
    if (rests && scrollAlong(x, y)) hover(x, y);
    requestAnimationFrame(scroll);
  };

  const begin = () => {
    const { press } = drag;
    if (!press) return;
    clearTimeout(press.timer);
    const elements = on.lift(press.el);
    drag.ghost = picture(elements, press);
    for (const el of elements) el.classList.add("is-lifted");
    press.lifted = elements;
    document.documentElement.classList.add("dragging");
    move({ clientX: press.x, clientY: press.y });
    requestAnimationFrame(scroll);
  };

  const end = () => {
    clearTimeout(drag.press?.timer);
    drag.ghost?.remove();
    drag.over?.classList.remove("is-over");
    for (const el of drag.press?.lifted ?? []) el.classList.remove("is-lifted");
    document.documentElement.classList.remove("dragging");
    drag.press = drag.ghost = drag.over = null;
    setTimeout(on.idle); // after the click that follows
  };

  const swallow = () => {
    const stop = (/** @type {Event} */ event) => (event.preventDefault(), event.stopPropagation());
    addEventListener("click", stop, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", stop, { capture: true }));
  };

  document.addEventListener("pointerdown", (event) => {
    if (drag.press) return void (drag.ghost && (on.cancel(), end()));
    const el = event.isPrimary && event.button === 0 && on.grab(event.clientX, event.clientY);
    if (!el) return;
    const [x, y, touch] = [event.clientX, event.clientY, event.pointerType === "touch"];
    const scrolls = getComputedStyle(el).touchAction !== "pan-y";
    const now = { x, y, since: performance.now() };
    drag.press = { el, x, y, pointer: event.pointerId, touch, scrolls, now };
    if (touch) drag.press.timer = setTimeout(begin, REST);
  });
  document.addEventListener("pointermove", (event) => {
    const { press } = drag;
    if (event.pointerId !== press?.pointer) return;
    if (drag.ghost) return move(event);
    if (!event.buttons) return end();
    const [dx, dy] = [Math.abs(event.clientX - press.x), Math.abs(event.clientY - press.y)];
    if (Math.hypot(dx, dy) < FAR) return;
    if (press.touch && (dy > dx || press.scrolls)) return end(); // the page scrolls, or the window of the board
    begin();
    move(event);
  });
  document.addEventListener("pointerup", (event) => {
    if (event.pointerId !== drag.press?.pointer) return;
    const { el } = drag.press;
    if (drag.ghost) {
      const target = document.elementFromPoint(event.clientX, event.clientY);
      swallow();
      end();
      if (target) on.drop(el, target, event.clientX, event.clientY);
    } else end();
  });
  const giveUp = () => {
    if (drag.ghost) on.cancel();
    if (drag.press) end();
  };
  document.addEventListener("pointercancel", (event) => event.pointerId === drag.press?.pointer && giveUp());
  addEventListener("blur", giveUp);
  document.addEventListener("keydown", (event) => event.key === "Escape" && giveUp());
  // The browser must neither scroll, nor offer its menu or its own dragging, while a thing is in the air.
  document.addEventListener("touchmove", (event) => drag.ghost && event.preventDefault(), { passive: false });
  document.addEventListener("contextmenu", (event) => drag.press?.touch && event.preventDefault());
  document.addEventListener("dragstart", (event) => drag.press && event.preventDefault());
}

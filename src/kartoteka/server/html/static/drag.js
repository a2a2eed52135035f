// Taking things up by a pointer: a mouse or pen that moves, a finger that moves sideways or rests. A finger that
// moves up or down scrolls the page (touch-action: pan-y in play.css); in a window that scrolls sideways too it must
// rest.

const FAR = 6; // px before a press becomes a drag
const REST = 350; // ms after which a resting finger takes the thing up
const EDGE = 36; // px from an edge where the window under the pointer, or the page, scrolls along
const PACE = 8; // px a frame
const STILL = 150; // ms without a move before that begins, so that a quick drop near an edge falls where it was meant

let press = null; // {el, x, y, pointer, touch, scrolls, timer, lifted, now}
let ghost = null;
let over = null;

/** Whether a finger or button is down on a thing: its page must not change under it. */
export const pressing = () => Boolean(press);

function picture(elements, { x, y }) {
  const holder = document.createElement("div");
  holder.className = "ghost";
  for (const el of elements) {
    const copy = el.cloneNode(true);
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

const step = (at, start, end) => (at < start + EDGE ? -PACE : at > end - EDGE ? PACE : 0);

/** Scroll whatever is under a point near an edge of it; return whether anything moved. */
function scrollAlong(x, y) {
  for (let el = document.elementFromPoint(x, y); el; el = el.parentElement) {
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
 * @param {{
 *   grab: (x: number, y: number) => Element | null,
 *   lift: (el: Element) => Element[],
 *   over: (target: Element | null) => Element | null,
 *   drop: (el: Element, target: Element, x: number, y: number) => void,
 *   cancel: () => void,
 *   idle: () => void,
 * }} on `grab`: the thing at a point that may be taken up; `lift`: take it
 *   up, and tell what moves along; `over`: the place there that would take it; `idle`: nothing is down any more
 */
export function watchDrag(on) {
  const hover = (x, y) => {
    const now = on.over(document.elementFromPoint(x, y));
    if (now === over) return;
    over?.classList.remove("is-over");
    now?.classList.add("is-over");
    over = now;
  };

  const move = ({ clientX: x, clientY: y }) => {
    press.now = { x, y, since: performance.now() };
    ghost.style.translate = `${x}px ${y}px`;
    hover(x, y);
  };

  // The place meant may not be in view.
  const scroll = () => {
    if (!ghost) return;
    const { x, y, since } = press.now;
    const rests = performance.now() - since > STILL && Math.hypot(x - press.x, y - press.y) > EDGE;
    if (rests && scrollAlong(x, y)) hover(x, y);
    requestAnimationFrame(scroll);
  };

  const begin = () => {
    clearTimeout(press.timer);
    const elements = on.lift(press.el);
    ghost = picture(elements, press);
    for (const el of elements) el.classList.add("is-lifted");
    press.lifted = elements;
    document.documentElement.classList.add("dragging");
    move({ clientX: press.x, clientY: press.y });
    requestAnimationFrame(scroll);
  };

  const end = () => {
    clearTimeout(press?.timer);
    ghost?.remove();
    over?.classList.remove("is-over");
    for (const el of press?.lifted ?? []) el.classList.remove("is-lifted");
    document.documentElement.classList.remove("dragging");
    press = ghost = over = null;
    setTimeout(on.idle); // after the click that follows
  };

  const swallow = () => {
    const stop = (event) => (event.preventDefault(), event.stopPropagation());
    addEventListener("click", stop, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", stop, { capture: true }));
  };

  document.addEventListener("pointerdown", (event) => {
    if (press) return void (ghost && (on.cancel(), end()));
    const el = event.isPrimary && event.button === 0 && on.grab(event.clientX, event.clientY);
    if (!el) return;
    const touch = event.pointerType === "touch";
    const scrolls = getComputedStyle(el).touchAction !== "pan-y";
    press = { el, x: event.clientX, y: event.clientY, pointer: event.pointerId, touch, scrolls };
    if (touch) press.timer = setTimeout(begin, REST);
  });
  document.addEventListener("pointermove", (event) => {
    if (event.pointerId !== press?.pointer) return;
    if (ghost) return move(event);
    if (!event.buttons) return end();
    const [dx, dy] = [Math.abs(event.clientX - press.x), Math.abs(event.clientY - press.y)];
    if (Math.hypot(dx, dy) < FAR) return;
    if (press.touch && (dy > dx || press.scrolls)) return end(); // the page scrolls, or the window of the board
    begin();
    move(event);
  });
  document.addEventListener("pointerup", (event) => {
    if (event.pointerId !== press?.pointer) return;
    const { el } = press;
    if (ghost) {
      const target = document.elementFromPoint(event.clientX, event.clientY);
      swallow();
      end();
      if (target) on.drop(el, target, event.clientX, event.clientY);
    } else end();
  });
  const giveUp = () => {
    if (ghost) on.cancel();
    if (press) end();
  };
  document.addEventListener("pointercancel", (event) => event.pointerId === press?.pointer && giveUp());
  addEventListener("blur", giveUp);
  document.addEventListener("keydown", (event) => event.key === "Escape" && giveUp());
  // The browser must neither scroll, nor offer its menu or its own dragging, while a thing is in the air.
  document.addEventListener("touchmove", (event) => ghost && event.preventDefault(), { passive: false });
  document.addEventListener("contextmenu", (event) => press?.touch && event.preventDefault());
  document.addEventListener("dragstart", (event) => press && event.preventDefault());
}

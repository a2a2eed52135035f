// What a person's eyes and hands need to know of a table's page; it is put into every page of these tests.
const all = (selector) => [...document.querySelectorAll(selector)];
const tappable = (el) => getComputedStyle(el).pointerEvents !== "none";

const things = {
  /** Things to take up. */
  take: () => all(".can-take:not(.is-held)").filter(tappable),
  /** Places to put what is held, or to do something at once. */
  put: () => all(".can-put").filter(tappable),
  /** Places where nothing of the kind can be done, and that are no part of one where it can. */
  wrong() {
    const open = all(".can-put").map((el) => el.dataset.place);
    const within = (el) => open.some((place) => el.dataset.place.startsWith(`${place}/`));
    const marked = ".can-put, .can-take, .is-held";
    return all("#region-board [data-place]").filter(
      (el) => !el.matches(marked) && !within(el) && tappable(el) && pointOf(el),
    );
  },
  /** Moves that have a button. */
  button: () => all("#moves > button[data-move]"),
  "let go": () => all("#moves > button[data-act='let go']"),
};

/** A point at which an element can be tapped, scrolled into view; null if there is none. */
function pointOf(el) {
  el.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const { left, top, width, height } = el.getBoundingClientRect();
  const parts = [0.5, 0.25, 0.75, 0.1, 0.9];
  const points = parts.flatMap((b) => parts.map((a) => [left + a * width, top + b * height]));
  const hit = ([x, y]) => document.elementFromPoint(x, y);
  const own = (p) =>
    hit(p)?.closest("[data-place], button") === el || (hit(p)?.matches(".here") && el.contains(hit(p)));
  return points.find(own) ?? points.find((p) => el.contains(hit(p))) ?? null;
}

window.seen = {
  /** How the table stands, and how many things of each kind can be pressed. */
  table() {
    const bar = document.querySelector(".turnbar");
    const refusal = document.getElementById("refusal");
    return {
      phase: bar?.dataset.phase ?? "",
      yours: Boolean(bar?.classList.contains("is-yours")),
      sending: Boolean(document.documentElement?.classList.contains("is-sending")),
      held: all(".is-held").length,
      lines: all("#region-log li")
        .map((li) => li.textContent.trim())
        .join("\n"),
      refused: refusal && !refusal.hidden ? refusal.textContent : "",
      ...Object.fromEntries(["take", "put", "button", "let go"].map((kind) => [kind, things[kind]().length])),
    };
  },

  /** Whether the table has gone on since `lines`, and waits neither for an answer nor for a page. */
  on(lines) {
    const now = seen.table();
    if (now.sending || ["waiting", "sealing"].includes(now.phase) || now.lines === lines) return false;
    return now.phase !== "playing" || !now.yours || now.take + now.put + now.button > 0;
  },

  /** How many things there are of a kind. */
  count(kind) {
    return things[kind]().length;
  },

  /** Where the k-th thing of a kind can be tapped. */
  point(kind, k) {
    return pointOf(things[kind]()[k]);
  },

  /** The element whose place the focus has, among the things of a kind; -1 for none. */
  focused(kind) {
    const at = document.activeElement;
    const el = at?.classList.contains("here") ? at.parentElement : at;
    return things[kind]().indexOf(el);
  },

  /** The part of the page in which the k-th thing of a kind lies. */
  part(kind, k) {
    return things[kind]()[k].closest("#region-board, #region-hand, #moves")?.id ?? "";
  },

  /** The arrow key that leads from the focus towards the k-th thing of a kind. */
  arrow(kind, k) {
    const middle = (el) => {
      const { left, right, top, bottom } = (
        el.classList.contains("here") ? el.parentElement : el
      ).getBoundingClientRect();
      return [(left + right) / 2, (top + bottom) / 2];
    };
    const [[a, b], [x, y]] = [document.activeElement, things[kind]()[k]].map(middle);
    if (Math.abs(x - a) > Math.abs(y - b)) return x > a ? "ArrowRight" : "ArrowLeft";
    return y > b ? "ArrowDown" : "ArrowUp";
  },

  /** Every card that the page shows, on the board and in the hand. */
  cards() {
    return all("#region-board [data-card], #region-hand [data-card]").map((el) => el.dataset.card);
  },

  /** The HTML of the k-th thing of a kind, for a test's failure. */
  html(kind, k) {
    return things[kind]()[k]?.outerHTML.slice(0, 400);
  },
};

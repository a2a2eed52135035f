// What a person's eyes and hands need to know of a table's page; it is put into every page of these tests.
window.seen = {
  /** How the table stands, and how many things can be done. */
  table() {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const bar = document.querySelector(".turnbar");
    const refusal = document.getElementById("refusal");
    return {
      phase: bar?.dataset.phase ?? "",
      yours: Boolean(bar?.classList.contains("is-yours")),
      sending: document.documentElement.classList.contains("is-sending"),
      takes: all(".can-take:not(.is-held)").length,
      puts: all(".can-put").length,
      held: all(".is-held").length,
      buttons: all("#moves > button[data-move]").length,
      lines: all("#region-log li").map((li) => li.textContent.trim()).join("\n"),
      refused: refusal && !refusal.hidden ? refusal.textContent : "",
    };
  },

  /** Whether the table has gone on since `lines`, and waits neither for an answer nor for a page. */
  on(lines) {
    const now = seen.table();
    if (now.sending || ["waiting", "sealing"].includes(now.phase) || now.lines === lines) return false;
    return now.phase !== "playing" || !now.yours || now.takes + now.puts + now.buttons > 0;
  },

  /** A point at which the k-th element of a selector can be tapped, scrolled into view; null if there is none. */
  point(selector, k) {
    const el = document.querySelectorAll(selector)[k];
    el.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const { left, top, width, height } = el.getBoundingClientRect();
    const parts = [0.5, 0.25, 0.75, 0.1, 0.9];
    const points = parts.flatMap((b) => parts.map((a) => [left + a * width, top + b * height]));
    const hit = ([x, y]) => document.elementFromPoint(x, y);
    const own = (p) => hit(p)?.closest("[data-place], button") === el || hit(p)?.matches(".here") && el.contains(hit(p));
    return points.find(own) ?? points.find((p) => el.contains(hit(p))) ?? null;
  },

  /** The element whose place the focus has, among those of a selector; -1 for none. */
  focused(selector) {
    const at = document.activeElement;
    const el = at?.classList.contains("here") ? at.parentElement : at;
    return [...document.querySelectorAll(selector)].indexOf(el);
  },

  /** The part of the page in which the k-th element of a selector lies. */
  part(selector, k) {
    return document.querySelectorAll(selector)[k].closest("#region-board, #region-hand, #moves")?.id ?? "";
  },

  /** The arrow key that leads from the focus towards the k-th element of a selector. */
  arrow(selector, k) {
    const middle = (el) => {
      const { left, right, top, bottom } = (el.classList.contains("here") ? el.parentElement : el).getBoundingClientRect();
      return [(left + right) / 2, (top + bottom) / 2];
    };
    const [[a, b], [x, y]] = [document.activeElement, document.querySelectorAll(selector)[k]].map(middle);
    if (Math.abs(x - a) > Math.abs(y - b)) return x > a ? "ArrowRight" : "ArrowLeft";
    return y > b ? "ArrowDown" : "ArrowUp";
  },

  /** Every card that the page shows, on the board and in the hand. */
  cards() {
    return [...document.querySelectorAll("#region-board [data-card], #region-hand [data-card]")].map((el) => el.dataset.card);
  },
};

// The order of a hand: as the server tells it, by suit, by rank, or as the person laid it. Kept for this table.

const RANKS = "23456789TJQKA";

const key = `hand ${document.getElementById("main")?.dataset.socket ?? ""}`;
let order = read(); // {by: "" | "suit" | "rank" | "own", own: {zone: cards in order}}

function read() {
  try {
    return { by: "", own: {}, ...JSON.parse(localStorage.getItem(key)) };
  } catch {
    return { by: "", own: {} };
  }
}

function write() {
  try {
    localStorage.setItem(key, JSON.stringify(order));
  } catch {
    /* storage may be forbidden: then the order lasts as long as the page */
  }
}

const lists = () => [...document.querySelectorAll("[data-sortable]")];
const cardOf = (item) => item.querySelector("[data-card]")?.dataset.card ?? "";
const cards = (list) => [...list.children].map(cardOf);

/** The suits that are there, black and red in turn where that can be. */
function suits(texts) {
  const there = new Set(texts.map((card) => card[1]));
  const [black, red] = ["cs", "dh"].map((colour) => [...colour].filter((suit) => there.has(suit)));
  const [first, second] = red.length > black.length ? [red, black] : [black, red];
  return first.flatMap((suit, k) => [suit, ...(second[k] ? [second[k]] : [])]).join("");
}

function sorter(texts) {
  const line = suits(texts);
  const rank = (card) => (card === "Jk" ? 99 : RANKS.indexOf(card[0]));
  const suit = (card) => (card === "Jk" ? 99 : line.indexOf(card[1]));
  return order.by === "suit"
    ? (a, b) => suit(a) - suit(b) || rank(a) - rank(b)
    : (a, b) => rank(a) - rank(b) || suit(a) - suit(b);
}

/** Where each card stands in the person's own order; one that is new stands after all others. */
function ownPlaces(list) {
  const left = [...(order.own[list.dataset.sortable] ?? [])];
  return cards(list).map((card) => {
    const k = left.indexOf(card);
    if (k >= 0) left[k] = null;
    return k >= 0 ? k : left.length;
  });
}

function arrange(list) {
  const items = [...list.children];
  if (!order.by || !items.every(cardOf)) return;
  const places = order.by === "own" ? new Map(items.map((item, k) => [item, ownPlaces(list)[k]])) : null;
  const compare = places ? (a, b) => places.get(a) - places.get(b) : null;
  const by =
    compare ??
    (
      (sort) => (a, b) =>
        sort(cardOf(a), cardOf(b))
    )(sorter(cards(list)));
  const sorted = [...items].sort(by);
  if (sorted.some((item, k) => item !== items[k])) list.append(...sorted);
}

/** Lay every hand on the page in its order, and show which that is. */
export function arrangeHands() {
  lists().forEach(arrange);
  for (const button of document.querySelectorAll("[data-sort]"))
    button.setAttribute("aria-pressed", String(button.dataset.sort === order.by));
}

function setOwn() {
  order = { by: "own", own: Object.fromEntries(lists().map((list) => [list.dataset.sortable, cards(list)])) };
  write();
  arrangeHands();
}

/** Sort by `by`; asked for again, or `own`: go back to the order that the person had laid. */
export function sortHands(by) {
  const laid = Object.keys(order.own).length > 0;
  order.by = by === order.by || (by === "own" && !laid) ? (laid ? "own" : "") : by; // again: as it was before
  write();
  arrangeHands();
}

/** Lay the hand's card `el` where the pointer let it go. */
export function layAt(el, x, y) {
  const item = el.closest("[data-sortable] > *");
  const others = [...item.parentElement.children].filter((other) => other !== item);
  const boxes = others.map((other) => other.getBoundingClientRect());
  // Of cards that overlap only the left edge is surely seen: a card goes before the first whose middle lies right of
  // it.
  const level = (box) => Math.max(0, box.top - y, y - box.bottom);
  const nearest = Math.min(...boxes.map(level));
  const row = others.filter((_other, k) => level(boxes[k]) === nearest);
  const before = row.find((other) => other.getBoundingClientRect().x + 12 > x);
  const after = row.at(-1);
  if (before) before.before(item);
  else after?.after(item);
  setOwn();
}

/** Move the hand's card `el` by one place. */
export function shift(el, by) {
  const item = el.closest("[data-sortable] > *");
  if (by < 0) item.previousElementSibling?.before(item);
  else item.nextElementSibling?.after(item);
  setOwn();
}

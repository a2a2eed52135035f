// The order of a hand's cards. Pure: cards go in, the order comes out.

const RANKS = "23456789TJQKA";
const JOKER = "Jk";

/** @typedef {"" | "suit" | "rank" | "own"} By "": as the server tells it */

/** The suits that are there, black and red in turn where that can be. @param {string[]} cards */
export function suits(cards) {
  const there = new Set(cards.map((card) => card[1]));
  const [black, red] = ["cs", "dh"].map((colour) => [...colour].filter((suit) => there.has(suit)));
  const [first, second] = red.length > black.length ? [red, black] : [black, red];
  return first.flatMap((suit, k) => [suit, ...(second[k] ? [second[k]] : [])]).join("");
}

/** Where each card stands in the person's own order; one that is new stands after all others.
 * @param {string[]} cards @param {string[]} own @returns {number[]} */
export function ownPlaces(cards, own) {
  /** @type {(string | null)[]} */
  const left = [...own];
  return cards.map((card) => {
    const k = left.indexOf(card);
    if (k >= 0) left[k] = null;
    return k >= 0 ? k : left.length;
  });
}

/** The numbers of the cards in their order. @param {string[]} cards @param {By} by @param {string[]} own */
export function ordered(cards, by, own) {
  const line = suits(cards);
  const places = ownPlaces(cards, own);
  const rank = (/** @type {string} */ card) => (card === JOKER ? 99 : RANKS.indexOf(card[0]));
  const suit = (/** @type {string} */ card) => (card === JOKER ? 99 : line.indexOf(card[1]));
  /** @type {Record<By, (k: number) => number[]>} */
  const keys = {
    "": () => [0],
    suit: (k) => [suit(cards[k]), rank(cards[k])],
    rank: (k) => [rank(cards[k]), suit(cards[k])],
    own: (k) => [places[k]],
  };
  const key = keys[by];
  return cards.map((_card, k) => k).sort((a, b) => key(a).reduce((sign, value, n) => sign || value - key(b)[n], 0));
}

/** What a hand is sorted by after somebody asked for `by`; asked for again, or `own`: as the person had laid it.
 * @param {By} now @param {By} by @param {boolean} laid whether the person ever laid it @returns {By} */
export const turned = (now, by, laid) => (by === now || (by === "own" && !laid) ? (laid ? "own" : "") : by);

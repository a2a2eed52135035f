// The buttons under the hand: what can be done without a place, what can be done with what is held, and every move.

import { exact, offer } from "./pick.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {State["words"]} Words */
/** @typedef {import("./pick.js").Choice} Choice */

/** @type {Record<string, string>} */
const SUITS = { "♣": "c", "♦": "d", "♥": "h", "♠": "s" };

/** Return a text with the cards named in it (`10♥`) in their colours.
 * @param {string} text @returns {(string | Node)[]} */
export function inked(text) {
  return text.split(/((?:10|[2-9JQKA])[♣♦♥♠])/u).map((part, k) => {
    if (k % 2 === 0) return part;
    const card = document.createElement("span");
    card.className = `ix sx-${SUITS[part.slice(-1)]}`;
    card.textContent = part;
    return card;
  });
}

/** @param {string} label @param {Record<string, string>} data @param {string} kind @returns {HTMLElement} */
function make(label, data, kind = "") {
  const button = document.createElement("button");
  button.type = "button";
  button.className = `btn ${kind}`.trim();
  Object.assign(button.dataset, data);
  const words = document.createElement("span"); // a button is a flex box, which would pull words and cards apart
  words.append(...inked(label));
  button.append(words);
  return button;
}

/** @param {Choice} choice @param {string} kind */
const choose = (choice, kind) => make(choice.label, { move: choice.move }, kind);

/** @param {string} title @param {Choice[]} choices */
function fold(title, choices) {
  const details = document.createElement("details");
  details.id = "moves-all";
  details.className = "moves__all";
  const summary = document.createElement("summary");
  summary.id = "moves-all-open";
  summary.textContent = title;
  const list = document.createElement("ul");
  list.className = "moves__list";
  for (const choice of choices) {
    const item = document.createElement("li");
    item.append(choose(choice, "btn--plain"));
    list.append(item);
  }
  details.append(summary, list);
  return details;
}

const told = (/** @type {string} */ text) => {
  const p = document.createElement("p");
  p.className = "moves__say";
  p.textContent = text;
  return p;
};

/** @param {import("./pick.js").Offer} offer @param {Words} words */
function buttons({ direct, folded, holding, lost }, words) {
  const made = direct.map((choice) => choose(choice, holding && !choice.puts ? "btn--main" : ""));
  if (lost) made.push(told(words.no_move), make(words.why, { act: "why" }));
  const title = holding ? words.moves_held : words.all_moves;
  if (folded.length) made.push(fold(title.replace("{n}", String(folded.length)), folded));
  return holding ? [...made, make(words.let_go, { act: "let go" }, "btn--plain")] : made;
}

/** Fill the box of buttons, if anything of it is new. @param {HTMLElement} box @param {State} state */
export function showMoves(box, { choices, held, asked, words }) {
  const places = held.map(({ place }) => place);
  const key = JSON.stringify([choices, places, asked]);
  if (box.dataset.key === key) return;
  const open = box.querySelector("details")?.open && Boolean(held.length) === (box.dataset.held === "true");
  box.dataset.key = key;
  box.dataset.held = String(Boolean(held.length));
  if (asked) {
    const found = exact(choices, places).filter((choice) => choice.puts === asked);
    box.replaceChildren(
      told(words.which),
      ...found.map((choice) => choose(choice, "btn--main")),
      make(words.let_go, { act: "let go" }, "btn--plain"),
    );
  } else box.replaceChildren(...buttons(offer(choices, places), words));
  const details = box.querySelector("details");
  if (details && open) details.open = true;
}

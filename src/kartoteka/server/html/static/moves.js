// The buttons under the hand: what can be done without a place, what can be done with what is held, and every move.

import { exact, wider } from "./pick.js";

const SHOWN = 6; // so many at once; the rest is folded

const SUITS = { "♣": "c", "♦": "d", "♥": "h", "♠": "s" };

/** Return a text with the cards named in it (`10♥`) in their colours. @returns {(string | Node)[]} */
export function inked(text) {
  return text.split(/((?:10|[2-9JQKA])[♣♦♥♠])/u).map((part, k) => {
    if (k % 2 === 0) return part;
    const card = document.createElement("span");
    card.className = `ix sx-${SUITS[part.at(-1)]}`;
    card.textContent = part;
    return card;
  });
}

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

const choose = (choice, kind) => make(choice.label, { move: choice.move }, kind);

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

const told = (text) => {
  const p = document.createElement("p");
  p.className = "moves__say";
  p.textContent = text;
  return p;
};

function free(choices, words) {
  const direct = choices.filter((choice) => !choice.takes.length);
  const shown = direct.filter((choice) => !choice.puts || direct.length <= SHOWN);
  const made = shown.map((choice) => choose(choice, ""));
  if (choices.length > shown.length) made.push(fold(words.all_moves.replace("{n}", choices.length), choices));
  return made;
}

function withHeld(choices, held, words) {
  const fitting = exact(choices, held);
  const all = [...fitting, ...wider(choices, held)];
  const shown = fitting.slice(0, SHOWN);
  const made = shown.map((choice) => choose(choice, choice.puts ? "" : "btn--main"));
  if (!all.length) made.push(told(words.no_move), make(words.why, { act: "why" }));
  if (all.length > shown.length) made.push(fold(words.moves_held.replace("{n}", all.length), all));
  return [...made, make(words.let_go, { act: "let go" }, "btn--plain")];
}

/**
 * Fill the box of buttons, if anything changed.
 *
 * @param {HTMLElement} box
 * @param {{choices: import("./pick.js").Choice[], held: string[], asked: string}} state `asked`: the place whose
 *   several choices are to be told apart
 * @param {Record<string, string>} words
 */
export function showMoves(box, { choices, held, asked }, words) {
  const key = JSON.stringify([choices, held, asked]);
  if (box.dataset.key === key) return;
  const open = box.querySelector("details")?.open && Boolean(held.length) === (box.dataset.held === "true");
  box.dataset.key = key;
  box.dataset.held = String(Boolean(held.length));
  if (asked) {
    const found = exact(choices, held).filter((choice) => choice.puts === asked);
    box.replaceChildren(
      told(words.which),
      ...found.map((choice) => choose(choice, "btn--main")),
      make(words.let_go, { act: "let go" }, "btn--plain"),
    );
  } else box.replaceChildren(...(held.length ? withHeld(choices, held, words) : free(choices, words)));
  const details = box.querySelector("details");
  if (details && open) details.open = true;
}

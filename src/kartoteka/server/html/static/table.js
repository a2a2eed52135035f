// The table page: messages from the server are shown, what a person does is sent. What may be done, where, and in
// which words comes from the server; what is drawn is its HTML. No rules stand here.
//
// The page gives: <main id="main" data-socket data-seat data-rules="address of the rulebook">, regions
// #region-<name>, #moves, #live, #refusal, #link-state, <dialog id="keys">, and its words in
// <script type="application/json" id="words"> (they are written in words.py).

import { attempt, drop, grab, letGo, lift, play, tap, targetAt, watchActs } from "./act.js";
import { pressing, watchDrag } from "./drag.js";
import { placed, remember } from "./focus.js";
import { arrangeHands, layAt, shift, sortHands } from "./hand.js";
import { goTo, watchKeys } from "./keys.js";
import { mark } from "./marks.js";
import { showMoves } from "./moves.js";
import { nonceFor } from "./nonce.js";
import * as past from "./past.js";
import { complete } from "./pick.js";
import { clearRefusal, openClause, showRefusal } from "./refusal.js";
import { append, changes, fill } from "./regions.js";
import { announce, ring, setClock, setTitle, tick } from "./signals.js";
import { settle, slide } from "./slide.js";
import { Line, uuid } from "./socket.js";
import { elementOf, main, places, spot, state, words } from "./state.js";

// --- showing -----------------------------------------------------------------------------------------------

/** Whether the focus stands in such a part of the page, for somebody who goes by it. */
const byKeys = (part) => Boolean(document.querySelector(":focus-visible")?.closest(part));

/** Mark the page and fill the box of buttons, as the state is. */
function show() {
  const seen = past.looking() ? { ...state, choices: [], held: [], last: [] } : state;
  mark(seen, words);
  const box = document.getElementById("moves");
  if (box) {
    const inBox = byKeys("#moves");
    const back = remember();
    showMoves(box, { choices: seen.choices, held: seen.held.map(({ place }) => place), asked: state.asked }, words);
    if (!back() && inBox) goTo(state.held.length ? "moves" : "hand");
  }
  document.documentElement.classList.toggle("is-sending", Boolean(state.sent));
}

/** Page `number` shows what was sent, if it is done: let go of it. */
function made(number) {
  if (!(state.sent?.due <= number)) return;
  state.sent = null;
  state.held = [];
}

/** Draw what a page message brings. */
function draw(page) {
  const back = remember();
  const inGame = byKeys("#region-board, #region-hand, #moves");
  if (page.lines) append("log", page.lines);
  const regions = past.looking() ? past.goOn(page.regions, words) : page.regions;
  for (const [name, html] of changes(regions)) fill(name, html);
  state.choices = complete(page.choices);
  state.many = state.choices.some(({ takes }) => takes.length > 1) || Boolean(document.querySelector("[data-many]"));
  state.last = page.last ?? [];
  state.yours = page.yours;
  made(page.number);
  state.held = page.yours ? state.held.filter(elementOf) : [];
  if (!state.choices.some(({ puts }) => puts === state.asked) || !state.held.length) state.asked = "";
  arrangeHands();
  past.relight();
  show();
  tick();
  if (!back() && inGame) goTo("hand"); // what had the focus is gone: the card that was just played
}

// --- what the table says -----------------------------------------------------------------------------------

const waiting = []; // pages that came while a finger was down

function onPage(page) {
  if (page.seat !== Number(main.dataset.seat)) return void location.reload(); // another browser has the seat now
  if (pressing()) return void waiting.push(page);
  settle();
  const begins = page.yours && !state.yours && state.number > 0;
  Object.assign(state.regions, page.regions);
  line.number = state.number = page.number;
  setClock(page.deadline ?? 0);
  setTitle(page.title, page.yours, words);
  const fresh = past.looking() ? [] : changes(page.regions).filter(([name]) => name === "board" || name === "hand");
  slide(fresh, page.last ?? [], () => draw(page));
  announce(page.news ?? []);
  if (begins) ring();
  if (page.commitment) line.say({ type: "nonce", commitment: page.commitment, nonce: nonceFor(page.commitment) });
}

function onDone({ id, number }) {
  settle();
  const message = line.answered(id);
  if (!message || state.sent?.id !== id) return;
  state.sent.due = number;
  if (state.number < number) return; // the page that shows the move is still to come
  made(state.number);
  show();
}

function onRefused(refusal, to) {
  settle();
  if (to === "nonce") return; // the shuffle went on without it, which nobody needs to hear
  const message = line.answered(refusal.id);
  if (message && refusal.id === state.sent?.id) {
    state.sent = null;
    if (state.number !== message.number || refusal.number > state.number) state.held = []; // the table had gone on
    show();
  }
  const field = document.querySelector('form[data-say="say"] [name="text"]');
  if (message?.type === "say" && field && !field.value) field.value = message.text;
  showRefusal(refusal, main.dataset.rules ?? "", words);
}

function onPast(message) {
  settle();
  state.held = [];
  state.asked = "";
  past.show(message, state.regions, words);
  arrangeHands();
  show();
}

const heard = { page: onPage, done: onDone, refused: onRefused, past: onPast };

// --- what the person does ----------------------------------------------------------------------------------

watchActs({
  show,
  send(message) {
    clearRefusal();
    state.sent = { id: message.id, due: Infinity };
    line.ask(message);
    show();
  },
});

/** Fresh HTML may be about to be drawn: then what is meant is what will stand at that place. */
function act(target) {
  const at = placed(target);
  const there = spot(at);
  settle();
  const now = at.isConnected ? target : elementOf(there);
  if (now) tap(now);
}

let before = []; // what was held before a drag

watchDrag({
  grab(x, y) {
    settle();
    return grab(document.elementFromPoint(x, y));
  },
  over: targetAt,
  lift(el) {
    before = state.held;
    return lift(el);
  },
  drop(el, target, x, y) {
    const list = el.closest("[data-sortable]");
    if (!list || !target.closest("#region-hand")) return drop(el, target);
    const held = before.map(elementOf);
    layAt(el, x, y);
    state.held = held.map(spot);
    show();
  },
  cancel() {
    state.held = before;
    show();
  },
  idle: () => waiting.splice(0).forEach(onPage),
});

function leavePast() {
  past.leave();
  arrangeHands();
  show();
}

watchKeys({
  act,
  escape() {
    if (past.looking()) return leavePast();
    clearRefusal();
    letGo();
  },
  shift(el, by) {
    const held = state.held.map(elementOf);
    shift(el, by);
    state.held = held.map(spot);
    show();
    el.focus();
  },
});

async function copy(button) {
  const source = document.querySelector(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent.trim());
  } catch {
    // There is no clipboard without https: then the old way.
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
    document.execCommand("copy");
  }
  button.dataset.label ??= button.textContent;
  button.textContent = words.copied;
  announce([words.copied]);
  setTimeout(() => (button.textContent = button.dataset.label), 2000);
}

function say(message) {
  clearRefusal();
  if ("id" in message) line.ask({ ...message, id: uuid() });
  else line.say(message);
}

/** What a click on a button with this attribute does. */
const clicks = {
  move: (el) => play(el.dataset.move),
  act: (el) => ({ "let go": letGo, why: () => attempt(""), back: leavePast })[el.dataset.act]?.(),
  say: (el) => say(JSON.parse(el.dataset.say)),
  look: (el) => say({ type: "look", ply: Number(el.dataset.look) }),
  keys: () => document.getElementById("keys")?.showModal(),
  copy,
  sort(el) {
    sortHands(el.dataset.sort);
    letGo();
  },
};

document.addEventListener("click", (event) => {
  // What was sliding when the finger came down was not yet to be touched, and is now.
  const target = (event.pointerType && document.elementFromPoint(event.clientX, event.clientY)) || event.target;
  const control = target.closest("button, a, summary, input, label, textarea, select");
  if (control?.matches("a[data-clause]") && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    openClause(control);
  } else if (control && !control.matches(".here")) {
    const name = control.localName === "button" && Object.keys(clicks).find((key) => key in control.dataset);
    if (!name || event.detail > 1) return; // the second click of a double one meant nothing more
    settle();
    clicks[name](control);
  } else if (placed(target)?.closest("#region-board, #region-hand")) act(target);
  else if (target.closest(".felt") && places().length) letGo();
});

document.addEventListener("submit", (event) => {
  if (event.target.dataset.say !== "say") return;
  event.preventDefault();
  const field = event.target.elements.namedItem("text");
  const text = field.value.trim();
  field.value = "";
  if (text) say({ type: "say", id: "", text });
});

// --- the line ----------------------------------------------------------------------------------------------

let missing = 0;

function showLine(how) {
  const el = document.getElementById("link-state");
  clearTimeout(missing);
  if (!el) return;
  const tell = () => {
    el.textContent = words[how];
    el.hidden = false;
  };
  if (how === "open") el.hidden = true;
  else missing = setTimeout(tell, how === "lost" ? 800 : 0); // a break that is mended at once need trouble nobody
}

const line = new Line(main.dataset.socket, {
  state: showLine,
  heard(message, to) {
    if (!Object.hasOwn(heard, message.type)) return;
    try {
      heard[message.type](message, to);
    } catch (error) {
      console.error(error); // the next message may do better
    }
  },
});

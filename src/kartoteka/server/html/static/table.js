// The table page: messages from the server are shown, what a person does is sent. What may be done, where, and in
// which words comes from the server; what is drawn is its HTML. No rules stand here.
//
// The page gives: <main id="main" data-socket data-seat data-rules="address of the rulebook">, regions
// #region-<name>, #moves, #live, #refusal, #link-state, <dialog id="keys">, and its words in
// <script type="application/json" id="words"> (they are written in script_texts.py).

import { attempt, drop, grab, letGo, lift, play, tap, targetAt } from "./act.js";
import { all, byId, elementOf, elementsOf, placed, spot, targetOf } from "./dom.js";
import { watchDrag } from "./drag.js";
import { remember } from "./focus.js";
import { arrangeHands, layAt, readOrder, shift, sortHands } from "./hand.js";
import { goTo, showKeys, watchKeys } from "./keys.js";
import { mark } from "./marks.js";
import { showMoves } from "./moves.js";
import { nonceFor } from "./nonce.js";
import * as past from "./past.js";
import { complete } from "./pick.js";
import { clearRefusal, openClause, showRefusal } from "./refusal.js";
import { append, changes, fill, watchRegions } from "./regions.js";
import { announce, ring, setClock, setTitle, tick, watchSignals } from "./signals.js";
import { settle, slide, watchSlides } from "./slide.js";
import { Line, uuid } from "./socket.js";
import { begin, looking, made, places, pressing } from "./state.js";

/** @typedef {import("./state.js").State} State */

// --- showing -----------------------------------------------------------------------------------------------

/** Whether the focus stands in such a part of the page, for somebody who goes by it. @param {string} part */
const byKeys = (part) => Boolean(document.querySelector(":focus-visible")?.closest(part));

/** Mark the page and fill the box of buttons, as the state is. @param {State} state */
function show(state) {
  const seen = looking(state) ? { ...state, choices: [], held: [], last: [] } : state;
  mark(seen);
  const box = document.getElementById("moves");
  if (box) {
    const inBox = byKeys("#moves");
    const back = remember();
    showMoves(box, seen);
    if (!back() && inBox) goTo(state.held.length ? "moves" : "hand");
  }
  document.documentElement.classList.toggle("is-sending", Boolean(state.sent));
}

/** Draw what a page message brings. @param {State} state @param {Messages.Page} page */
function draw(state, page) {
  const back = remember();
  const inGame = byKeys("#region-board, #region-hand, #moves");
  if (page.lines) append(state, "log", page.lines);
  const regions = looking(state) ? past.goOn(state, page.regions) : page.regions;
  for (const [name, html] of changes(state, regions)) fill(state, name, html);
  state.choices = complete(page.choices);
  state.many = state.choices.some(({ takes }) => takes.length > 1) || Boolean(document.querySelector("[data-many]"));
  state.last = page.last ?? [];
  state.yours = page.yours;
  made(state, page.number);
  state.held = page.yours ? state.held.filter(elementOf) : [];
  if (!state.choices.some(({ puts }) => puts === state.asked) || !state.held.length) state.asked = "";
  arrangeHands(state);
  past.relight(state);
  show(state);
  tick(state);
  if (!back() && inGame) goTo("hand"); // what had the focus is gone: the card that was just played
}

// --- what the table says -----------------------------------------------------------------------------------

/** @param {State} state @param {Line} line @param {Messages.Page} page @returns {void} */
function onPage(state, line, page) {
  if (page.seat !== Number(state.main.dataset.seat)) return void location.reload(); // the seat is another's
  if (pressing(state)) return void state.waiting.push(page);
  settle(state);
  const begins = page.yours && !state.yours && state.number > 0;
  Object.assign(state.regions, page.regions);
  line.number = state.number = page.number;
  setClock(state, page.deadline ?? 0);
  setTitle(state, page);
  const fresh = changes(state, page.regions).filter(([name]) => name === "board" || name === "hand");
  slide(state, looking(state) ? [] : fresh, page.last ?? [], () => draw(state, page));
  announce(page.news ?? []);
  if (begins) ring(state);
  const { commitment } = page;
  if (commitment) line.say({ type: "nonce", commitment, nonce: nonceFor(state.nonces, commitment) });
}

/** @param {State} state @param {Line} line @param {Messages.Done} done */
function onDone(state, line, { id, number }) {
  settle(state);
  const message = line.answered(id);
  if (!message || state.sent?.id !== id) return;
  state.sent.due = number;
  if (state.number < number) return; // the page that shows the move is still to come
  made(state, state.number);
  show(state);
}

/** @param {State} state @param {Line} line @param {Messages.Refused} refusal @param {string} [to] */
function onRefused(state, line, refusal, to) {
  settle(state);
  if (to === "nonce") return; // the shuffle went on without it, which nobody needs to hear
  const message = line.answered(refusal.id ?? "");
  if (message && "number" in message && refusal.id === state.sent?.id) {
    state.sent = null;
    const goneOn = state.number !== message.number || (refusal.number ?? 0) > state.number;
    if (goneOn) state.held = [];
    show(state);
  }
  const field = document.querySelector('form[data-say="say"] [name="text"]');
  if (message?.type === "say" && field instanceof HTMLInputElement && !field.value) field.value = message.text;
  showRefusal(state, refusal);
}

/** @param {State} state @param {Messages.Past} message */
function onPast(state, message) {
  settle(state);
  state.held = [];
  state.asked = "";
  past.show(state, message);
  arrangeHands(state);
  show(state);
}

/** @param {State} state @param {Line} line @param {Messages.Tell} message @param {string} [to] */
function hear(state, line, message, to) {
  if (message.type === "page") onPage(state, line, message);
  else if (message.type === "done") onDone(state, line, message);
  else if (message.type === "refused") onRefused(state, line, message, to);
  else if (message.type === "past") onPast(state, message);
}

// --- what the person does ----------------------------------------------------------------------------------

/** Fresh HTML may be about to be drawn: then what is meant is what will stand at that place.
 * @param {State} state @param {Element} target */
function act(state, target) {
  const at = placed(target);
  if (!at) return;
  const there = spot(at);
  settle(state);
  const now = at.isConnected ? target : elementOf(there);
  if (now) tap(state, now);
}

/** @param {State} state */
function leavePast(state) {
  past.leave(state);
  arrangeHands(state);
  show(state);
}

/** Change the order of the hand by `lay`; what is held stays held.
 * @param {State} state @param {import("./state.js").Held[]} held @param {() => void} lay */
function relay(state, held, lay) {
  const elements = elementsOf(held);
  lay();
  state.held = elements.map(spot);
  show(state);
}

/** @param {State} state @param {Line} line */
function watchHands(state, line) {
  watchDrag(state, {
    grab(x, y) {
      settle(state);
      return grab(state, document.elementFromPoint(x, y));
    },
    over: (target) => targetAt(state, target),
    lift(el) {
      state.drag.before = state.held;
      return lift(state, el);
    },
    drop(el, target, x, y) {
      const own = el.closest("[data-sortable]") && target.closest("#region-hand");
      if (!own) return drop(state, el, target);
      relay(state, state.drag.before, () => layAt(state, el, x, y));
    },
    cancel() {
      state.held = state.drag.before;
      show(state);
    },
    idle: () => state.waiting.splice(0).forEach((page) => onPage(state, line, page)),
  });
  watchKeys({
    act: (el) => act(state, el),
    escape() {
      if (looking(state)) return leavePast(state);
      clearRefusal();
      letGo(state);
    },
    shift(el, by) {
      relay(state, state.held, () => shift(state, el, by));
      el.focus();
    },
  });
}

/** @param {State} state @param {HTMLElement} button */
async function copy(state, button) {
  const source = document.querySelector(button.dataset.copy ?? "");
  if (!source) return;
  const field = source instanceof HTMLInputElement ? source : null;
  try {
    await navigator.clipboard.writeText(field?.value ?? source.textContent?.trim() ?? "");
  } catch {
    // There is no clipboard without https: then the old way.
    if (field) field.select();
    else getSelection()?.selectAllChildren(source);
    document.execCommand("copy");
  }
  const label = (button.dataset.label ??= button.textContent ?? "");
  button.textContent = state.words.copied;
  announce([state.words.copied]);
  setTimeout(() => (button.textContent = label), 2000);
}

/** @param {Line} line @param {Messages.Ask} message */
function say(line, message) {
  clearRefusal();
  if ("id" in message) line.ask({ ...message, id: uuid() });
  else line.say(message);
}

/** What a click on a button with this attribute does. @param {State} state @param {Line} line
 * @returns {Record<string, (value: string, button: HTMLElement) => void>} */
const clicks = (state, line) => ({
  move: (move) => play(state, move),
  act(what) {
    if (what === "let go") letGo(state);
    else if (what === "why") attempt(state, "");
    else if (what === "back") leavePast(state);
  },
  say: (message) => say(line, JSON.parse(message)),
  look: (ply) => say(line, { type: "look", ply: Number(ply) }),
  keys: showKeys,
  copy: (_source, button) => copy(state, button),
  sort(by) {
    sortHands(state, /** @type {import("./order.js").By} */ (by));
    letGo(state);
  },
});

/** @param {State} state @param {Line} line */
function watchClicks(state, line) {
  const known = clicks(state, line);
  document.addEventListener("click", (event) => {
    // What was sliding when the finger came down was not yet to be touched, and is now.
    const pointed = "pointerType" in event && event.pointerType;
    const target = (pointed && document.elementFromPoint(event.clientX, event.clientY)) || targetOf(event);
    const control = /** @type {HTMLElement | null} */ (
      target.closest("button, a, summary, input, label, textarea, select")
    );
    if (
      control instanceof HTMLAnchorElement &&
      control.dataset.clause &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.shiftKey
    ) {
      event.preventDefault();
      openClause(control);
    } else if (control && !control.matches(".here")) {
      const name = control.localName === "button" && Object.keys(known).find((key) => key in control.dataset);
      if (!name || event.detail > 1) return; // the second click of a double one meant nothing more
      settle(state);
      known[name](control.dataset[name] ?? "", control);
    } else if (placed(target)?.closest("#region-board, #region-hand")) act(state, target);
    else if (target.closest(".felt") && places(state).length) letGo(state);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset.say !== "say") return;
    event.preventDefault();
    const field = form.elements.namedItem("text");
    if (!(field instanceof HTMLInputElement)) return;
    const text = field.value.trim();
    field.value = "";
    if (text) say(line, { type: "say", id: "", text });
  });
}

// --- the line ----------------------------------------------------------------------------------------------

/** @param {State} state @param {"open" | "lost" | "gone"} how */
function showLine(state, how) {
  const el = document.getElementById("link-state");
  clearTimeout(state.missing);
  if (!el) return;
  if (how === "open") return void (el.hidden = true);
  const tell = () => {
    el.textContent = state.words[how];
    el.hidden = false;
  };
  state.missing = setTimeout(tell, how === "lost" ? 800 : 0); // a break that is mended at once need trouble nobody
}

/** @param {State} state @returns {Line} */
function connect(state) {
  const line = new Line(state.main.dataset.socket ?? "", {
    state: (how) => showLine(state, how),
    heard(message, to) {
      try {
        hear(state, line, message, to);
      } catch (error) {
        console.error(error); // the next message may do better
      }
    },
  });
  return line;
}

function start() {
  const main = byId("main");
  const state = begin(main, JSON.parse(byId("words").textContent ?? "{}"), readOrder(main.dataset.socket ?? ""));
  watchSignals(state);
  watchRegions(state);
  watchSlides(state);
  const line = connect(state);
  state.show = () => show(state);
  state.send = (message) => {
    clearRefusal();
    state.sent = { id: message.id, due: Infinity };
    line.ask(message);
    show(state);
  };
  watchHands(state, line);
  watchClicks(state, line);
}

start();

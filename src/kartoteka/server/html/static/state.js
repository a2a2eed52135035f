// What the page knows: one state, made once and passed to every function.

/** @typedef {import("./pick.js").Choice} Choice */
/** Something held; `nth` tells equal cards of a hand apart. @typedef {{place: string, nth: number}} Held */

/**
 * @typedef {object} Press a finger or button that is down on a thing
 * @property {HTMLElement} el
 * @property {number} x
 * @property {number} y
 * @property {number} pointer
 * @property {boolean} touch
 * @property {boolean} scrolls whether the thing lies in a window that scrolls sideways
 * @property {{x: number, y: number, since: number}} now
 * @property {number} [timer]
 * @property {HTMLElement[]} [lifted]
 */

/**
 * @typedef {object} State
 * @property {HTMLElement} main the page's main part, whose attributes say which table and whose seat it is
 * @property {Record<string, string>} words the page's words (script_texts.py)
 * @property {(message: Messages.Play | Messages.Try) => void} send send a move, or what may be one
 * @property {() => void} show mark the page anew, as this state is
 *
 * @property {number} number of the event that the page shows
 * @property {boolean} yours
 * @property {Choice[]} choices the legal moves, if it is the reader's turn
 * @property {Held[]} held what is taken up
 * @property {string} asked the place tapped whose several choices are to be told apart, "" if none
 * @property {string[]} last the places that the last move touched
 * @property {boolean} many whether several things may be held together: a choice takes up several, or the board says
 *   so (data-many)
 * @property {Record<string, string>} regions as they stand in the game, by name
 * @property {{id: string, due: number} | null} sent a move that is on its way: its id, and once it is done the event
 *   that a page must show
 * @property {Messages.Page[]} waiting pages that came while a finger was down
 *
 * @property {{ply: number, kept: Record<string, string>, bar: HTMLElement | null}} past the earlier position that is
 *   shown (-1: none), and what the regions will show again
 * @property {{shown: Map<string, string>, composing: boolean, waiting: Map<string, string>,
 *   folded: Map<string, boolean>}} drawn what each region shows, as the server sent it; whether an input method is at
 *   work in a field, which fresh HTML would break off, and what waits for it; the folds that the person opened or
 *   closed, by the words on each
 * @property {Map<Element, (string | null)[]>} marked what was marked, and how it stood before
 * @property {{running: ViewTransition | null, pending: (() => void) | null}} sliding
 * @property {{press: Press | null, ghost: HTMLElement | null, over: Element | null, before: Held[]}} drag `before`:
 *   what was held before it
 * @property {import("./hand.js").Order} order of the hand
 * @property {Map<string, string>} nonces by commitment, in case nothing can be stored
 * @property {{context: AudioContext | null}} sounds
 * @property {{title: string, deadline: number}} clock the page's own title, and when the time is up (0: no clock)
 * @property {number} missing the timer that will tell that the line is lost
 */

/**
 * @param {HTMLElement} main
 * @param {Record<string, string>} words
 * @param {import("./hand.js").Order} order
 * @returns {State}
 */
export const begin = (main, words, order) => ({
  main,
  words,
  send: () => {},
  show: () => {},
  number: 0,
  yours: false,
  choices: [],
  held: [],
  asked: "",
  last: [],
  many: false,
  regions: {},
  sent: null,
  waiting: [],
  past: { ply: -1, kept: {}, bar: null },
  drawn: { shown: new Map(), composing: false, waiting: new Map(), folded: new Map() },
  marked: new Map(),
  sliding: { running: null, pending: null },
  drag: { press: null, ghost: null, over: null, before: [] },
  order,
  nonces: new Map(),
  sounds: { context: null },
  clock: { title: "", deadline: 0 },
  missing: 0,
});

/** The places that are held. @param {State} state */
export const places = (state) => state.held.map(({ place }) => place);

/** Whether an earlier position is shown. @param {State} state */
export const looking = (state) => state.past.ply >= 0;

/** Whether a finger or button is down on a thing: its page must not change under it. @param {State} state */
export const pressing = (state) => Boolean(state.drag.press);

/** Whether the reader can do anything now. @param {State} state */
export const able = (state) => state.choices.length > 0 && !state.sent && !looking(state);

/** Page `number` shows what was sent, if it is done: let go of it. @param {State} state @param {number} number */
export function made(state, number) {
  if (!state.sent || state.sent.due > number) return;
  state.sent = null;
  state.held = [];
}

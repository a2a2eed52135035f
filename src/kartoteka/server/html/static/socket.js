// The line to the table: it comes back by itself, says the last number it has, and says again what was not answered.

const FIRST = 500; // ms before the first attempt to come back; each further one waits twice as long, up to LAST
const LAST = 8000;
const SILENCE = 5000; // ms in which a line that was asked must answer

const random = (/** @type {number} */ n) => crypto.getRandomValues(new Uint8Array(n));

/** Return `n` random bytes in hex. @param {number} n */
export const hex = (n) => Array.from(random(n), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Return a word that nobody else uses. A page from plain http, other than of this machine, has no randomUUID. */
export const uuid = () => crypto.randomUUID?.() ?? hex(16);

/** How long to wait before the attempt after one that waited for `wait`. @param {number} wait */
export const longer = (wait) => Math.min(2 * wait, LAST);

/** Whether a line that was closed with this code is never to come back: the table is gone, or not for this reader.
 * @param {number} code */
export const final = (code) => code >= 4400 && code < 4500 && code !== 4429; // 4429: too much at once

/** Whether a message answers something that was said without an id. @param {Messages.Tell} message */
export const answersUnnamed = (message) =>
  /^(done|refused|past)$/.test(message.type) && !("id" in message && message.id);

/** A message that has an id. @typedef {Messages.Play | Messages.Try | Messages.Say} Named */

export class Line {
  /** The number of the last event this page shows. */
  number = 0;
  #url;
  #heard;
  #state;
  /** @type {WebSocket | null} */
  #socket = null;
  #wait = FIRST;
  #timer = 0;
  #silence = 0;
  #store;
  /** What was said with an id and is not answered. @type {Named[]} */
  #pending;
  /** The types of what was said without an id on this line and is not answered; answers come in order.
   * @type {string[]} */
  #unnamed = [];

  /**
   * @param {string} path of the socket
   * @param {{
   *   heard: (message: Messages.Tell, to: string | undefined) => void,
   *   state: (state: "open" | "lost" | "gone") => void,
   * }} on `to`: the type of what a message without an id answers
   */
  constructor(path, { heard, state }) {
    this.#url = new URL(path, location.href);
    this.#url.protocol = this.#url.protocol === "https:" ? "wss:" : "ws:";
    this.#heard = heard;
    this.#state = state;
    this.#store = `unanswered ${path}`;
    this.#pending = this.#read();
    addEventListener("online", () => this.#nudge());
    addEventListener("pageshow", (event) => event.persisted && this.#nudge());
    document.addEventListener("visibilitychange", () => document.hidden || this.#nudge());
    this.#connect();
  }

  get open() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Say something that need not be said again; return whether the line was open. @param {Messages.Ask} message */
  say(message) {
    if (!this.#socket || !this.open) return false;
    this.#socket.send(JSON.stringify(message));
    if (!("id" in message) && message.type !== "hello") this.#unnamed.push(message.type);
    return true;
  }

  /** Say something that has an id, and again after every break until it is answered. @param {Named} message */
  ask(message) {
    this.#pending.push(message);
    this.#write();
    this.say(message);
    return message.id;
  }

  /** The message with this id is answered; return it, if it was this page's. @param {string} id */
  answered(id) {
    const found = this.#pending.find((message) => message.id === id);
    if (found) {
      this.#pending = this.#pending.filter((message) => message !== found);
      this.#write();
    }
    return found;
  }

  #connect() {
    clearTimeout(this.#timer);
    const socket = (this.#socket = new WebSocket(this.#url));
    this.#unnamed = [];
    socket.onopen = () => {
      this.#state("open");
      this.say({ type: "hello", number: this.number });
      for (const message of this.#pending) this.say(message);
    };
    socket.onmessage = (event) => {
      if (socket !== this.#socket) return;
      this.#wait = FIRST; // not in onopen: a server that opens only to close must not be asked twice a second
      clearTimeout(this.#silence);
      const message = JSON.parse(event.data);
      this.#heard(message, answersUnnamed(message) ? this.#unnamed.shift() : undefined);
    };
    socket.onclose = (event) => {
      if (socket === this.#socket) this.#closed(event.code);
    };
  }

  /** @param {number} code */
  #closed(code) {
    clearTimeout(this.#silence);
    this.#socket = null;
    if (final(code)) return this.#state("gone");
    this.#state("lost");
    this.#timer = setTimeout(() => this.#connect(), this.#wait);
    this.#wait = longer(this.#wait);
  }

  // Something tells that the net may be back, or that it may have gone unnoticed while the device slept.
  #nudge() {
    if (!this.#socket) return this.#timer ? this.#connect() : undefined;
    if (!this.say({ type: "hello", number: this.number })) return;
    clearTimeout(this.#silence);
    const asked = this.#socket;
    this.#silence = setTimeout(() => {
      if (!asked || asked !== this.#socket) return;
      asked.close();
      this.#closed(0); // a dead line may take minutes to close
    }, SILENCE);
  }

  /** @returns {Named[]} */
  #read() {
    try {
      return JSON.parse(sessionStorage.getItem(this.#store) ?? "[]") ?? [];
    } catch {
      return [];
    }
  }

  #write() {
    try {
      if (this.#pending.length) sessionStorage.setItem(this.#store, JSON.stringify(this.#pending));
      else sessionStorage.removeItem(this.#store);
    } catch {
      /* storage may be forbidden: then a reload forgets */
    }
  }
}

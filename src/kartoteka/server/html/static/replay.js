// Steps through a replay without loading the page anew: each link's position is fetched as a piece of HTML.

import { all, byId, targetOf } from "./dom.js";

const PACE = 1400; // milliseconds a move when it goes on by itself

/**
 * @typedef {object} Replay
 * @property {HTMLElement} main the page's main part, whose attributes say which deal it is and what titles are
 * @property {HTMLElement} play the button that lets it go on by itself
 * @property {HTMLInputElement} slider
 * @property {HTMLElement} moves the list of all moves
 * @property {number} plies
 * @property {number} ply the position that is shown
 * @property {number} wanted the one that was asked for last
 * @property {number} timer
 * @property {Map<number, Promise<string>>} boards each position as it comes, fetched once
 */

/** @param {Replay} replay @param {number} at */
const address = ({ main }, at) => `?deal=${main.dataset.deal}&ply=${at}`;

/** @param {Replay} replay @param {number} at @returns {Promise<string>} */
function fetched(replay, at) {
  const there = replay.boards.get(at);
  if (there) return there;
  const coming = fetch(`${address(replay, at)}&part=board`).then(async (response) => {
    if (!response.ok) throw new Error(String(response.status));
    return (await response.json()).board;
  });
  replay.boards.set(at, coming);
  coming.catch(() => replay.boards.delete(at));
  return coming;
}

/** @param {Replay} replay */
const playing = ({ play }) => play.getAttribute("aria-pressed") === "true";

/** @param {Replay} replay */
function pause({ timer, play }) {
  clearTimeout(timer);
  play.setAttribute("aria-pressed", "false");
}

/** Bring a line of the list of moves into view. @param {Replay} replay @param {HTMLElement | null} line */
function bring({ moves }, line) {
  const box = moves.parentElement ?? moves;
  const top = line ? line.offsetTop - box.offsetTop : 0;
  if (top < box.scrollTop || top + (line?.offsetHeight ?? 0) > box.scrollTop + box.clientHeight)
    box.scrollTop = top - box.clientHeight / 2;
}

/** @param {Replay} replay @param {number} at */
function say(replay, at) {
  const { main, moves, plies, slider } = replay;
  const { title = "", start = "" } = main.dataset;
  /** @type {HTMLElement | null} */
  const line = moves.querySelector(`[data-ply="${at}"]`);
  byId("at").textContent = at ? title.replace("{ply}", String(at)).replace("{plies}", String(plies)) : start;
  byId("said").replaceChildren(...(line?.lastElementChild?.cloneNode(true).childNodes ?? []));
  byId("count").textContent = `${at} / ${plies}`;
  moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
  line?.setAttribute("aria-current", "true");
  bring(replay, line);
  slider.value = String(at);
  const links = { first: 0, back: Math.max(0, at - 1), on: Math.min(plies, at + 1), last: plies };
  for (const [name, to] of Object.entries(links))
    for (const link of all(main, `[data-step=${name}]`)) link.setAttribute("href", address(replay, to));
}

/** @param {Replay} replay @param {number} to */
async function go(replay, to) {
  const { plies } = replay;
  const at = (replay.wanted = Math.min(plies, Math.max(0, to)));
  let html;
  try {
    html = await fetched(replay, at);
  } catch {
    location.search = address(replay, at); // the server says what is wrong
    return;
  }
  if (at !== replay.wanted) return; // another step was asked for meanwhile
  replay.ply = at;
  byId("region-board").innerHTML = html;
  say(replay, at);
  history.replaceState(null, "", address(replay, at));
  if (at < plies) fetched(replay, at + 1).catch(() => {});
  if (at === plies) pause(replay);
  if (playing(replay)) next(replay);
}

/** @param {Replay} replay */
function next(replay) {
  clearTimeout(replay.timer);
  replay.timer = setTimeout(() => (document.hidden ? next(replay) : go(replay, replay.ply + 1)), PACE);
}

/** @param {Replay} replay */
function toggle(replay) {
  if (playing(replay)) return pause(replay);
  replay.play.setAttribute("aria-pressed", "true");
  go(replay, replay.ply === replay.plies ? 0 : replay.ply + 1);
}

/** Where each step leads. @type {Record<string, (replay: Replay) => number>} */
const STEPS = {
  first: () => 0,
  back: ({ wanted }) => wanted - 1,
  on: ({ wanted }) => wanted + 1,
  last: ({ plies }) => plies,
};
/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };

/** @param {Replay} replay */
function watch(replay) {
  document.addEventListener("click", (event) => {
    /** @type {HTMLElement | null} */
    const at = targetOf(event).closest("[data-step], .log [data-ply]");
    if (!at || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const { step = "", ply } = at.dataset;
    if (step === "play") return toggle(replay);
    pause(replay);
    go(replay, ply ? Number(ply) : STEPS[step](replay));
  });
  document.addEventListener("keydown", (event) => {
    const step = KEYS[event.key];
    const own = targetOf(event).closest("input, textarea, select, summary, [data-pan]");
    if (!step || own || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    pause(replay);
    go(replay, STEPS[step](replay));
  });
  replay.slider.addEventListener("input", () => {
    pause(replay);
    go(replay, Number(replay.slider.value));
  });
}

/** What this browser added to the shuffle (see nonce.js), compared with what the record says. */
function showOwn() {
  const own = document.getElementById("own");
  try {
    const nonce = own && JSON.parse(localStorage.getItem("nonces") ?? "{}")[own.dataset.commitment ?? ""];
    if (nonce) {
      const added = [...document.querySelectorAll(".seal__what dd")].some((dd) => dd.textContent === nonce);
      own.textContent = (added ? own.dataset.in : own.dataset.out) ?? "";
      own.hidden = false;
    }
  } catch {
    /* nothing was kept: nothing to compare */
  }
}

function start() {
  const main = byId("main");
  const ply = Number(main.dataset.ply);
  const [play] = all(main, "[data-step=play]");
  const [moves] = all(main, ".log");
  /** @type {HTMLInputElement | null} */
  const slider = main.querySelector("input[type=range]");
  if (!slider) throw new Error("The page has no slider.");
  const boards = new Map([[ply, Promise.resolve(byId("region-board").innerHTML)]]);
  /** @type {Replay} */
  const replay = { main, play, slider, moves, plies: Number(main.dataset.plies), ply, wanted: ply, timer: 0, boards };
  say(replay, ply);
  watch(replay);
  showOwn();
}

start();

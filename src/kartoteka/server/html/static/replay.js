// Steps through a replay without loading the page anew: each link's position is fetched as a piece of HTML.

const PACE = 1400; // milliseconds a move when it goes on by itself

const main = document.getElementById("main");
const { deal, title, start } = main.dataset;
const plies = Number(main.dataset.plies);
const board = document.getElementById("region-board");
const slider = main.querySelector("input[type=range]");
const play = main.querySelector("[data-step=play]");
const moves = main.querySelector(".log");
let ply = Number(main.dataset.ply);
let wanted = ply;
let timer = 0;

/** Each position as it comes, fetched once. @type {Map<number, Promise<string>>} */
const boards = new Map([[ply, Promise.resolve(board.innerHTML)]]);
const address = (at) => `?deal=${deal}&ply=${at}`;

function fetched(at) {
  if (!boards.has(at)) {
    const answer = fetch(`${address(at)}&part=board`).then((response) => {
      if (!response.ok) throw new Error(String(response.status));
      return response.json();
    });
    boards.set(
      at,
      answer.then((data) => data.board),
    );
    answer.catch(() => boards.delete(at));
  }
  return boards.get(at);
}

const playing = () => play.getAttribute("aria-pressed") === "true";

function pause() {
  clearTimeout(timer);
  play.setAttribute("aria-pressed", "false");
}

function say(at) {
  const line = moves.querySelector(`[data-ply="${at}"]`);
  document.getElementById("at").textContent = at ? title.replace("{ply}", at).replace("{plies}", plies) : start;
  document.getElementById("said").replaceChildren(...(line ? line.lastElementChild.cloneNode(true).childNodes : []));
  document.getElementById("count").textContent = `${at} / ${plies}`;
  moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
  line?.setAttribute("aria-current", "true");
  const box = moves.parentElement;
  const top = line ? line.offsetTop - box.offsetTop : 0;
  if (top < box.scrollTop || top + (line?.offsetHeight ?? 0) > box.scrollTop + box.clientHeight)
    box.scrollTop = top - box.clientHeight / 2;
  slider.value = at;
  const links = { first: 0, back: Math.max(0, at - 1), on: Math.min(plies, at + 1), last: plies };
  for (const [name, to] of Object.entries(links)) main.querySelector(`[data-step=${name}]`).href = address(to);
}

async function go(to) {
  wanted = Math.min(plies, Math.max(0, to));
  const at = wanted;
  let html;
  try {
    html = await fetched(at);
  } catch {
    location.search = address(at); // the server says what is wrong
    return;
  }
  if (at !== wanted) return; // another step was asked for meanwhile
  ply = at;
  board.innerHTML = html;
  say(at);
  history.replaceState(null, "", address(at));
  if (at < plies) fetched(at + 1).catch(() => {});
  if (at === plies) pause();
  if (playing()) next();
}

function next() {
  clearTimeout(timer);
  timer = setTimeout(() => (document.hidden ? next() : go(ply + 1)), PACE);
}

function toggle() {
  if (playing()) return pause();
  play.setAttribute("aria-pressed", "true");
  go(ply === plies ? 0 : ply + 1);
}

const STEPS = { first: () => 0, back: () => wanted - 1, on: () => wanted + 1, last: () => plies };
const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };

document.addEventListener("click", (event) => {
  const at = event.target.closest("[data-step], .log [data-ply]");
  if (!at || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (at.dataset.step === "play") return toggle();
  pause();
  go(at.dataset.ply ? Number(at.dataset.ply) : STEPS[at.dataset.step]());
});

document.addEventListener("keydown", (event) => {
  const step = KEYS[event.key];
  const own = event.target.closest("input, textarea, select, summary, [data-pan]");
  if (!step || own || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  pause();
  go(STEPS[step]());
});

say(ply);
slider.addEventListener("input", () => {
  pause();
  go(Number(slider.value));
});

// What this browser added to the shuffle (see nonce.js), compared with what the record says.
const own = document.getElementById("own");
try {
  const nonce = own && JSON.parse(localStorage.getItem("nonces") ?? "{}")[own.dataset.commitment];
  if (nonce) {
    const added = [...document.querySelectorAll(".seal__what dd")].some((dd) => dd.textContent === nonce);
    own.textContent = added ? own.dataset.in : own.dataset.out;
    own.hidden = false;
  }
} catch {
  /* nothing was kept: nothing to compare */
}

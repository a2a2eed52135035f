// What tells a person that something happened: a sentence for those who hear the page, the title, a sound, the clock.

/** @typedef {import("./state.js").State} State */

/** Keep the time, and wake the sounds: a browser lets a page sound only after its person did something there.
 * @param {State} state */
export function watchSignals(state) {
  const wake = () => {
    if (window.AudioContext) state.sounds.context ??= new AudioContext();
  };
  addEventListener("pointerdown", wake, { once: true });
  addEventListener("keydown", wake, { once: true });
  state.clock.title = document.title;
  setInterval(() => tick(state), 1000);
}

/** Tell sentences to who hears the page, politely and at once. @param {readonly string[]} sentences */
export function announce(sentences) {
  const live = document.getElementById("live");
  if (!live || !sentences.length) return;
  const p = document.createElement("p"); // a new element, so that the same words twice are told twice
  p.textContent = sentences.join(" ");
  live.replaceChildren(p);
}

/** @param {AudioContext} sounds @param {number} at @param {number} pitch */
function note(sounds, at, pitch) {
  const tone = sounds.createOscillator();
  const volume = sounds.createGain();
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(0.08, at + 0.015);
  volume.gain.exponentialRampToValueAtTime(0.001, at + 0.35);
  tone.connect(volume).connect(sounds.destination);
  tone.start(at);
  tone.stop(at + 0.4);
}

/** Two soft notes and a short tremble: it is your turn. @param {State} state */
export function ring({ sounds: { context: sounds } }) {
  if (document.documentElement.dataset.sound === "off") return;
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(40);
  if (sounds?.state === "suspended") sounds.resume().catch(() => {});
  if (sounds?.state !== "running") return;
  note(sounds, sounds.currentTime, 523);
  note(sounds, sounds.currentTime + 0.14, 659);
}

/** The title of a page that shows whether it is the reader's turn.
 * @param {string} title @param {boolean} yours @param {string} mark the title of one's turn, with {title} in it */
export const titled = (title, yours, mark) =>
  yours && !title.startsWith("▸") ? mark.replace("{title}", title) : title;

/** Show in the title whether it is the reader's turn. @param {State} state @param {Messages.Page} page */
export function setTitle({ clock, words }, { title, yours }) {
  document.title = titled(title || clock.title, yours, words.title_yours);
}

/** The time left as a clock shows it. @param {number} ms */
export function time(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Show the time left wherever the page wants it. @param {State} state */
export function tick({ clock: { deadline } }) {
  if (!deadline) return;
  const left = deadline - performance.now();
  for (const el of document.querySelectorAll("[data-deadline]")) {
    const text = time(left);
    if (el.textContent !== text) el.textContent = text;
    el.classList.toggle("is-short", left < 10_000);
  }
}

/** Set the clock: `ms` are left, 0 without a clock. @param {State} state @param {number} ms */
export function setClock(state, ms) {
  state.clock.deadline = ms ? performance.now() + ms : 0;
  tick(state);
}

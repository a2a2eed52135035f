// What tells a person that something happened: a sentence for those who hear the page, the title, a sound, the clock.

let sounds = null;

/** A browser lets a page sound only after its person did something there. */
const wake = () => {
  if (!sounds && window.AudioContext) sounds = new AudioContext();
};
addEventListener("pointerdown", wake, { once: true });
addEventListener("keydown", wake, { once: true });

/** Tell sentences to who hears the page, politely and at once. */
export function announce(sentences) {
  const live = document.getElementById("live");
  if (!live || !sentences.length) return;
  const p = document.createElement("p"); // a new element, so that the same words twice are told twice
  p.textContent = sentences.join(" ");
  live.replaceChildren(p);
}

function note(at, pitch) {
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

/** Two soft notes and a short tremble: it is your turn. */
export function ring() {
  if (document.documentElement.dataset.sound === "off") return;
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(40);
  if (sounds?.state === "suspended") sounds.resume().catch(() => {});
  if (sounds?.state !== "running") return;
  note(sounds.currentTime, 523);
  note(sounds.currentTime + 0.14, 659);
}

const plain = document.title;

/** Show in the title whether it is the reader's turn. */
export function setTitle(title, yours, words) {
  const name = title || plain;
  document.title = yours && !name.startsWith("▸") ? words.title_yours.replace("{title}", name) : name;
}

let end = 0;

const clock = (ms) => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n) => String(n).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
};

/** Show the time left wherever the page wants it. */
export function tick() {
  if (!end) return;
  const left = end - performance.now();
  for (const el of document.querySelectorAll("[data-deadline]")) {
    const text = clock(left);
    if (el.textContent !== text) el.textContent = text;
    el.classList.toggle("is-short", left < 10_000);
  }
}

/** Set the clock: `ms` are left, 0 without a clock. */
export function setClock(ms) {
  end = ms ? performance.now() + ms : 0;
  tick();
}

setInterval(tick, 1000);

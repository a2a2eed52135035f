// A refusal: why, by which clause, and what could be done. Its clause opens in the leaf of rules beside the table.

import { inked } from "./moves.js";

const box = () => document.getElementById("refusal");

/** Take the refusal away. */
export function clearRefusal() {
  const el = box();
  if (el) {
    el.hidden = true;
    el.replaceChildren();
  }
}

const anchor = (/** @type {string} */ clause) => clause.replaceAll(" ", "-");

/** @param {string} clause @param {import("./state.js").State} state */
function link(clause, { main, words }) {
  const a = document.createElement("a");
  a.href = `${main.dataset.rules ?? ""}#${anchor(clause)}`;
  a.dataset.clause = clause;
  a.setAttribute("aria-label", words.clause.replace("{clause}", clause));
  a.textContent = clause.replaceAll(" ", "\u00a0");
  return a;
}

const sentence = (/** @type {string} */ text) =>
  text.charAt(0).toLocaleUpperCase(document.documentElement.lang) + text.slice(1);

/** Show a refusal. @param {import("./state.js").State} state @param {Messages.Refused} refusal */
export function showRefusal(state, { reason, clause, advice }) {
  const el = box();
  if (!el) return;
  const cross = document.createElement("b");
  cross.textContent = "✕";
  cross.setAttribute("aria-hidden", "true");
  const text = document.createElement("span");
  const why = document.createElement("b");
  why.append(...inked(sentence(reason)));
  text.append(why);
  if (advice) {
    const small = document.createElement("small");
    small.append(...inked(advice));
    text.append(small);
  }
  el.replaceChildren(cross, text, ...(clause ? [link(clause, state)] : []));
  el.hidden = false;
  el.scrollIntoView({ block: "nearest", behavior: "instant" });
}

/** @param {ParentNode} root @param {string} clause @returns {HTMLElement | null} */
const paragraph = (root, clause) =>
  root.querySelector(`[id="${anchor(clause)}"]`) ?? root.querySelector(`.cl[data-clause="${CSS.escape(clause)}"]`);

/** The clause in the leaf; one that does not stand there is fetched from the rulebook.
 * @param {string} clause @param {string} href */
async function find(clause, href) {
  const leaf = document.getElementById("region-rules");
  const there = leaf && paragraph(leaf, clause);
  if (there || !leaf) return there;
  const answer = await fetch(href);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fetched = paragraph(page, clause);
  if (!fetched) return null;
  const own = document.adoptNode(fetched);
  const first = leaf.querySelector(".cl");
  if (first) first.before(own);
  else leaf.append(own);
  return own;
}

/** Open the clause that a link names; whatever fails, the rulebook itself opens in a new tab.
 * @param {HTMLAnchorElement} a */
export async function openClause(a) {
  const el = await find(a.dataset.clause ?? "", a.href).catch(() => null);
  if (!el) return void open(a.href, "_blank", "noopener");
  for (const other of document.querySelectorAll("#region-rules .is-asked")) other.classList.remove("is-asked");
  el.classList.add("is-now", "is-asked");
  el.closest("details")?.setAttribute("open", "");
  el.tabIndex = -1;
  el.focus({ preventScroll: true });
  el.scrollIntoView({ block: "center", behavior: "instant" });
}

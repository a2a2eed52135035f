// This browser's own chance in a shuffle, kept with what the server promised, so that it can be checked when it is
// over.

import { hex } from "./socket.js";

const KEPT = 200; // shuffles

/** @returns {[string, string][]} */
function stored() {
  try {
    return Object.entries(JSON.parse(localStorage.getItem("nonces") ?? "{}"));
  } catch {
    return [];
  }
}

/** Return the nonce (hex, 16 bytes) for the shuffle of a commitment: the same whenever it is asked for again.
 * @param {Map<string, string>} told those of this page, in case nothing can be stored @param {string} commitment */
export function nonceFor(told, commitment) {
  const kept = new Map([...stored(), ...told]);
  const nonce = kept.get(commitment) ?? hex(16);
  told.set(commitment, nonce);
  try {
    const newest = [...kept.set(commitment, nonce)].slice(-KEPT);
    localStorage.setItem("nonces", JSON.stringify(Object.fromEntries(newest)));
  } catch {
    /* then it cannot be checked later, but counts all the same */
  }
  return nonce;
}

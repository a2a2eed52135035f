// What the server's list of choices says of a selection. Pure: no page in here, and no rules.
//
// A choice is {move, label, takes, puts}: the move as written, in words, the places that a hand takes up for it
// (the same place twice for two equal cards) and the place that completes it ("" if none does).

/** @typedef {{move: string, label: string, takes: string[], puts: string}} Choice */

/** Return choices as they came, with what the server leaves out when it is empty. @returns {Choice[]} */
export const complete = (choices) => (choices ?? []).map((choice) => ({ takes: [], puts: "", ...choice }));

/** Whether every place of `part` stands in `whole`, as often. */
export function within(part, whole) {
  const left = [...whole];
  return part.every((place) => {
    const k = left.indexOf(place);
    if (k >= 0) left.splice(k, 1);
    return k >= 0;
  });
}

/** The choices that take up exactly what is held. */
export const exact = (choices, held) =>
  choices.filter((choice) => choice.takes.length === held.length && within(held, choice.takes));

/** The choices that take up what is held and more. */
export const wider = (choices, held) =>
  choices.filter((choice) => choice.takes.length > held.length && within(held, choice.takes));

/** Where what is held may be put, each place with its choices. @returns {Map<string, Choice[]>} */
export function targets(choices, held) {
  const found = new Map();
  for (const choice of exact(choices, held)) {
    if (choice.puts) found.set(choice.puts, [...(found.get(choice.puts) ?? []), choice]);
  }
  return found;
}

/** The places that some choice takes up along with what is held. @returns {Set<string>} */
export function extensions(choices, held) {
  const found = new Set();
  for (const choice of wider(choices, held)) {
    for (const place of choice.takes) if (within([...held, place], choice.takes)) found.add(place);
  }
  return found;
}

/** All places that some choice takes up. @returns {Set<string>} */
export const takeable = (choices) => new Set(choices.flatMap((choice) => choice.takes));

/** The zone a place lies in: `hand:2` of `hand:2/7h`. */
export const zoneOf = (place) => place.split("/", 1)[0];

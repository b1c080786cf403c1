// @ts-check
// What may stand on the squares of a board for those who do not see all of it: the more of the possible states have it
// there, the less faint it is.

import { piece } from "./board.js";
import { element } from "./terms.js";

/** What may stand on a square, drawn. */
function faint(things) {
  const one = ({ square, share }) => {
    const made = element("span", { class: "belief" }, piece(square));
    made.style.setProperty("--share", String(share));
    // What is faint is no text of the square, which is named by what certainly stands there.
    for (const word of made.querySelectorAll("span:not(:has(*), :empty)")) [word.dataset.text, word.textContent] = [word.textContent, ""];
    return made;
  };
  const made = element("span", { class: "beliefs", "aria-hidden": "true" }, ...things.map(one));
  made.style.setProperty("--across", String(Math.ceil(Math.sqrt(things.length))));
  return made;
}

/** A share in words; what is rare is not said to be impossible. */
const percent = (share) => (share < 0.01 ? "less than 1%" : `${Math.round(100 * share)}%`);

/** What may stand on a square, in words. */
function words(things) {
  const all = things.map(({ square, share }) => `${square.text} in ${percent(share)}`).join(", ");
  return all ? `perhaps ${all} of the possible states` : "not known";
}

/**
 * Draws what may stand on the squares, and returns it in words, by their places.
 * @param {Element} board
 * @param {import("./answers").SquareBelief[]} beliefs
 */
export function shade(board, beliefs) {
  for (const { place, things } of beliefs) {
    if (things.length) board.querySelector(`[data-place="${place}"]`)?.append(faint(things));
  }
  return new Map(beliefs.map(({ place, things }) => [String(place), words(things)]));
}

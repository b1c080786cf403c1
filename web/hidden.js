// @ts-check
// Games with hidden information: what a role sees of a match, which is its own moves and its percepts. The page is answered
// no more than that, until somebody asks for all.

import { jointMove } from "./terms.js";

/** Whether a part of the position is hidden: the rules have percepts, and nobody has asked for all of it. */
export const isHidden = ({ view, isOpen }) => Boolean(view?.has_percepts) && !isOpen;

/** The index of the role whose view is shown, as it was answered; -1 without any. */
export const viewer = ({ roles, view }) => roles.indexOf(view.known?.role);

/** What the viewer knows of a joint move: its own move, and what it sees. */
export const known = (place, index) => ({ move: place.known?.[index] ?? null, seen: place.percepts?.[index] ?? [] });

/** The joint move to a place in words; what the viewer does not know of it is three dots. */
export function moveWords(place, state) {
  const idle = state.view?.idle;
  if (!place.known) return jointMove(place.moves, idle);
  const seen = isHidden(state) ? [known(place, viewer(state)).move] : place.known;
  const moves = seen.filter((move) => move !== null);
  const isShort = moves.length < place.known.length;
  const chosen = isShort ? moves.filter((move) => move !== (idle ?? "noop")) : moves;
  return chosen.length ? jointMove(chosen, idle) : "…";
}

/** What a person is told who asks for what a role does not know. */
export function refuseHidden(state, what) {
  if (isHidden(state)) throw new Error(`${what} would use what this role does not see. “Show all” allows it.`);
}

// @ts-check
// Games with hidden information: what a role sees of a match, which is its own moves and its percepts. The page is answered
// no more than that, until somebody asks for all.

import { element, jointMove } from "./terms.js";

/** Whether a part of the position is hidden: the rules have percepts, and nobody has asked for all of it. */
export const isHidden = ({ view, isOpen }) => Boolean(view?.has_percepts) && !isOpen;

/** The index of the role whose view is shown, as it was answered; -1 without any. */
const viewer = ({ roles, view }) => roles.indexOf(view.known?.role);

/** What the viewer knows of a joint move: its own move, and what it sees. */
const known = (place, index) => ({ move: place.known?.[index] ?? null, seen: place.percepts?.[index] ?? [] });

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

/** How many states the viewer thinks possible, and what is faint on the board. */
function possibleText({ states, is_complete: isComplete, beliefs }) {
  const count = states.toLocaleString("en");
  if (states === 1 && isComplete) return "Only one state is possible.";
  const number = isComplete ? `${count} states are possible` : `${count} possible states were drawn; there are more`;
  return `${number}.${beliefs.length ? " What is faint on the board stands there in some of them." : ""}`;
}

class Hidden extends HTMLElement {
  /**
   * Answers a line in the position that is shown, in a session beside that of the board.
   * @type {(line: string) => Promise<any>}
   */
  ask = async () => null;

  /** Shows what is known, below the board if there is one, while a part of the position is hidden. */
  show(state) {
    this.hidden = !isHidden(state);
    if (this.hidden) return this.replaceChildren();
    const index = viewer(state);
    const role = state.roles[index];
    const idle = state.view.idle ?? "noop";
    const line = (place) => {
      const { move, seen } = known(place, index);
      const parts = [...(move && move !== idle ? [`plays ${move}`] : []), ...(seen.length ? [`sees ${seen.join(", ")}`] : [])];
      return parts.length ? element("li", {}, `ply ${place.ply}: ${role} ${parts.join(" and ")}`) : null;
    };
    const lines = role ? state.here.way.map(line).filter(Boolean) : [];
    this.replaceChildren(
      element("p", {}, role ? `${role} sees its own moves and its percepts only. The rest of the position is hidden.` : "The roles of this game do not see the whole position, and no role is played here."),
      element("ul", { "aria-label": "What is known" }, ...(lines.length ? lines : [element("li", {}, "Nothing is known yet.")])),
      role ? element("p", { class: "possible" }, possibleText(state.view.known)) : null,
      ...(role && state.view.roles[index].legal.length > 1 ? [element("button", { type: "button", class: "mixed", onclick: () => this.#mix(role) }, "What would an equilibrium play?")] : []),
      element("div", { class: "advice", role: "status" }),
      element("button", { type: "button", class: "open", onclick: () => this.dispatchEvent(new CustomEvent("open", { bubbles: true })) }, "Show all"),
    );
  }

  /** Shows the strategy at what the role knows now. */
  async #mix(role) {
    const { showStrategy } = await import("./strategy.js");
    await showStrategy(this.querySelector(".advice"), role, this.ask);
  }
}

customElements.define("ggp-hidden", Hidden);

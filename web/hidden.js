// @ts-check
// Games with hidden information: what a role sees of a match, which is its own moves and its percepts, in place of the
// board.

import { persons } from "./store.js";
import { element } from "./terms.js";

/** Whether a part of the position is hidden: the rules have percepts, and nobody has asked for all of it. */
export const isHidden = ({ view, isOpen }) => Boolean(view?.has_percepts) && !isOpen;

/** The index of the role whose view is shown: of the persons at this page the one that chooses, else the first; -1 without any. */
export function viewer({ roles, seats, view }) {
  const here = persons({ roles, seats });
  const chooses = (role) => view?.roles.some((one) => one.role === role && one.legal.length > 1);
  return roles.indexOf(here.find(chooses) ?? here[0]);
}

/** What the viewer knows of a joint move: its own move, and what it sees. */
export function known(place, index) {
  const seen = place.percepts?.[index] ?? [];
  return { move: index < 0 ? null : place.moves[index], seen };
}

/** A joint move in the words of the viewer; the moves of others are three dots. */
export function knownMove(place, index, idle) {
  const { move } = known(place, index);
  return !move || move === (idle ?? "noop") ? "…" : move;
}

class Hidden extends HTMLElement {
  /**
   * Answers a line in the position that is shown, in a session beside that of the board.
   * @type {(line: string) => Promise<any>}
   */
  ask = async () => null;

  /** Shows what is known, in place of the board, while a part of the position is hidden. */
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

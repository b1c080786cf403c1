// @ts-check
// What a role knows of a match while a part of the position is hidden: its own moves and its percepts, and how many states
// it thinks possible.

import { known, viewer } from "./hidden.js";
import { game, scout } from "./page.js";
import { element } from "./terms.js";

/** How many states the viewer thinks possible, and what is faint on the board. */
function possibleText({ states, is_complete: isComplete, beliefs }) {
  const count = states.toLocaleString("en");
  if (states === 1 && isComplete) return "Only one state is possible.";
  const number = isComplete ? `${count} states are possible` : `${count} possible states were drawn; there are more`;
  return `${number}.${beliefs.length ? " What is faint on the board stands there in some of them." : ""}`;
}

/** Answers a line in the position that is shown, in a session beside that of the board. */
const ask = async (line) => (await scout.run(game.here, line, () => {}, new AbortController().signal))?.records?.[0];

class Cover extends HTMLElement {
  /** Shows what is known, below the board if there is one, while a part of the position is hidden. */
  show(state) {
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
    await showStrategy(this.querySelector(".advice"), role, ask);
  }
}

customElements.define("ggp-hidden", Cover);

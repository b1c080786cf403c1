// @ts-check
// The strategy of an equilibrium at what a role knows, as bars.

import { element } from "./terms.js";

/** The search for strategies: enough for small games within the patience of a person. */
const SEARCH = "--seconds 3 --nodes 1000000 --sets 1";

/** The probabilities of moves as bars. */
function bars(moves) {
  const bar = ({ move, probability }) => element("li", {},
    element("span", {}, move), element("meter", { min: "0", max: "1", value: String(probability), "aria-label": move }), element("span", {}, `${(100 * probability).toFixed(1)}%`));
  return element("ul", { class: "strategy", "aria-label": "Probabilities of the moves" }, ...moves.map(bar));
}

/**
 * Shows the probabilities of a role's moves below a view of a game with hidden information.
 * @param {Element | null} advice where they are shown
 * @param {string} role
 * @param {(line: string) => Promise<any>} ask answers a line in the position that is shown
 */
export async function showStrategy(advice, role, ask) {
  if (!advice) return;
  advice.replaceChildren("…");
  const record = await ask(`cfr ${role} ${SEARCH}`);
  const { here, exploitability } = record?.answer ?? {};
  // Another position may be shown by now.
  if (!advice.isConnected) return;
  if (!here) return advice.replaceChildren(record?.error ?? "No strategy was found in time.");
  advice.replaceChildren(
    element("p", {}, `By what ${role} knows, with strategies that can be exploited by ${Number(exploitability).toPrecision(2)}:`),
    bars(here.moves),
  );
}

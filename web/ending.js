// @ts-check
// The end of a match: who has won and how, and what to do next.

import { judged, persons } from "./store.js";
import { element, isChance } from "./terms.js";

/** Who has won, in words; a single person at this page is addressed. */
export function outcome(roles, seats) {
  const all = judged(roles);
  const values = all.map(({ utility }) => utility);
  if (values.some((value) => value === null)) return "The match is over, and no utility is defined.";
  const own = all.filter(({ role }) => !seats[role]);
  const [most, least] = [Math.max(...values), Math.min(...values)];
  const best = all.filter(({ utility }) => utility === most);
  if (all.length === 1) return most === 100 ? "Solved." : `The end: ${most} of 100.`;
  if (most === least) return `A draw: ${most} each.`;
  const score = [...values].sort((one, other) => other - one).join(" to ");
  const [person] = own.length === 1 ? own : [];
  if (person && best.includes(person)) return best.length === 1 ? `You win, ${score}.` : `You win with others, ${score}.`;
  if (person) return `You lose: ${best.map(({ role }) => role).join(" and ")} won, ${score}.`;
  return `${best.map(({ role }) => role).join(" and ")} won, ${score}.`;
}

/** A loss on time, in words. */
function lost(late, roles, seats) {
  const [person, ...others] = persons({ roles, seats });
  if (person && !others.length) return person === late ? "You lose on time." : `You win: ${late} has no time left.`;
  return `${late} loses on time.`;
}

/** The conditions of the rule that gives a claim: helpers with a single condition and no values say nothing by themselves. */
function conditions(claims) {
  const byNumber = new Map(claims.map((claim) => [claim.number, claim]));
  for (let claim = claims[0]; ;) {
    const because = (claim.because ?? []).map((number) => byNumber.get(number)).filter(Boolean);
    const [only, ...others] = because;
    if (!only || claim.reason === "absent") return [claim];
    if (others.length || /[(]/.test(only.claim)) {
      // Facts of the sheet itself hold in every match.
      const told = because.filter(({ reason, because: below }) => reason !== "clause" || below?.length);
      return told.length ? told : because;
    }
    claim = only;
  }
}

const words = (claims) => conditions(claims).map(({ claim }) => claim.replace(/^true\((.*)\)$/, "$1")).join(" and ");

/**
 * Why the match is over, and why the best role has its utility: `{reasons, facts}`, in words and as the facts of the
 * position on which they rest. `why(atom)` has the claims of a proof.
 */
export async function reasonsOf({ roles }, why) {
  const best = judged(roles).filter(({ utility }) => utility !== null).sort((one, other) => other.utility - one.utility)[0];
  const proofs = [["The match ends because", await why("terminal")]];
  if (best) proofs.push([`${best.role} gets ${best.utility} because`, await why(`goal(${best.role},${best.utility})`)]);
  const known = proofs.filter(([, claims]) => claims?.[0].holds);
  const facts = known.flatMap(([, claims]) => claims.filter(({ reason }) => reason === "fact").map(({ claim }) => claim.replace(/^true\((.*)\)$/, "$1")));
  const reasons = known.map(([head, claims]) => [head, words(claims)]).filter(([, text]) => text !== "terminal");
  if (reasons.length === 2 && reasons[0][1] === reasons[1][1]) reasons.pop();
  return { reasons: reasons.map(([head, text]) => `${head} ${text}.`), facts: [...new Set(facts)] };
}

class Ending extends HTMLElement {
  #view = null;

  /** Shows the end of a match, and asks why it is over: `ask(view)` finds the reasons; `mark(squares)` marks squares on the board. */
  async show({ view, seats, roles, late }, ask, mark) {
    this.#view = view;
    this.hidden = false;
    const send = (name) => this.dispatchEvent(new CustomEvent(name, { bubbles: true }));
    const button = (name, text) => element("button", { type: "button", "data-do": name, onclick: () => send(name) }, text);
    const several = roles.filter((role) => !isChance(role)).length > 1;
    this.replaceChildren(
      element("p", { role: "status" }, element("strong", {}, late ? lost(late, roles, seats) : outcome(view.roles, seats)), " ", element("span", { class: "reasons" })),
      element("div", { class: "bar" }, button("newmatch", "Again"), ...(several ? [button("swapsides", "Swap sides")] : []), late ? button("unclocked", "Go on without a clock") : button("judge", "Judge")));
    if (late) return;
    const { reasons, squares } = await ask(view).catch(() => ({ reasons: [], squares: [] }));
    if (view !== this.#view) return;
    this.querySelector(".reasons").textContent = reasons.join(" ");
    mark(squares);
  }
}

customElements.define("ggp-ending", Ending);

// The facts that hold, the legal moves, and why: a proof that unfolds, or where it fails.

import { element } from "./terms.js";

class Facts extends HTMLElement {
  /** Answers a line of the prompt: `{answer, text}`. */
  ask = null;

  connectedCallback() {
    const question = element("input", { id: "question", "aria-label": "An atom", placeholder: "legal(xplayer,mark(1,1)), or goal(…), or any atom" });
    this.replaceChildren(
      element("form", { class: "bar", onsubmit: (event) => { event.preventDefault(); if (question.value.trim()) this.why(question.value.trim()); } },
        question, element("button", { id: "why" }, "Why (not)?")),
      element("div", { class: "proof", role: "region", "aria-live": "polite", "aria-label": "Why" }),
      element("input", { class: "filter", type: "search", "aria-label": "Filter", placeholder: "filter", oninput: (event) => this.#filter(event.target.value) }),
      element("ul", { class: "facts" }),
    );
  }

  show({ facts, roles }) {
    const legal = roles.flatMap(({ role, legal }) => legal.map((move) => `legal(${role},${move})`));
    const button = (atom, question) => element("li", {}, element("button", { type: "button", title: "Why?", onclick: () => this.why(question) }, atom));
    this.querySelector(".facts").replaceChildren(
      ...facts.map((fact) => button(fact, `true(${fact})`)),
      ...legal.slice(0, 400).map((atom) => button(atom, atom)),
    );
    this.querySelector(".proof").replaceChildren();
    this.#filter(this.querySelector(".filter").value);
  }

  #filter(text) {
    for (const item of this.querySelectorAll(".facts li")) item.hidden = !item.textContent.includes(text);
  }

  async why(question) {
    const box = this.querySelector(".proof");
    try {
      const { answer } = await this.ask(`why ${question}`);
      const claims = new Map(answer.claims.map((claim) => [claim.number, claim]));
      const head = element("p", {}, element("strong", {}, answer.question), answer.holds ? " holds" : " does not hold");
      box.replaceChildren(head, element("ul", { class: "claims" }, this.#claim(answer.claims[0], claims, new Set(), true)));
    } catch (error) {
      box.replaceChildren(element("p", { class: "problem" }, error.message));
    }
  }

  #claim(claim, claims, above, isOpen) {
    const place = claim.clause ? ` ${claim.clause.file}:${claim.clause.line}` : "";
    const reasons = { fact: "a fact of the state", no_fact: "not a fact of the state", clause: "by the rule at", attempts: "no rule gives it" };
    const words = element("span", {}, element("code", {}, claim.claim), ` ${claim.holds ? "holds" : "does not hold"}: ${reasons[claim.reason] ?? claim.reason.replaceAll("_", " ")}${place}`);
    const below = (claim.because ?? []).filter((number) => claims.has(number) && !above.has(number));
    const tried = (claim.attempts ?? []).map((attempt) => {
      const at = `${attempt.clause.file}:${attempt.clause.line}`;
      const bound = Object.entries(attempt.bindings ?? {}).map(([name, value]) => `${name} = ${value}`).join(", ");
      const failed = claims.has(attempt.fails) ? [element("ul", {}, this.#claim(claims.get(attempt.fails), claims, new Set([...above, claim.number]), false))] : [];
      return element("li", {}, `the rule at ${at}${bound ? ` with ${bound}` : ""} fails after ${attempt.held} of ${attempt.literals} conditions`, ...failed);
    });
    if (!below.length && !tried.length) return element("li", {}, words);
    const inside = below.map((number) => this.#claim(claims.get(number), claims, new Set([...above, claim.number]), false));
    return element("li", {}, element("details", { open: isOpen }, element("summary", {}, words), element("ul", {}, ...inside, ...tried)));
  }
}

customElements.define("ggp-facts", Facts);

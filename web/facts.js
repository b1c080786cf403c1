// @ts-check
// The facts that hold, the legal moves, and why: a proof that unfolds, or where it fails.

import { element } from "./terms.js";

/** The lines of the clause that begins here: up to its last bracket, or while lines are continued. */
export function clauseAt(text, line, column) {
  const [first, ...others] = text.split("\n").slice(line - 1);
  if (first === undefined) return "";
  const lines = [first.slice(column - 1)];
  const depth = () => lines.join("\n").replace(/[;%].*/g, "").split("").reduce((sum, letter) => sum + ({ "(": 1, ")": -1 }[letter] ?? 0), 0);
  const isOpen = (next) => depth() > 0 || /(:-|&|\||,)\s*$/.test(lines.at(-1)) || /^\s*[&|]/.test(next);
  while (others.length && isOpen(others[0])) lines.push(others.shift());
  return lines.join("\n").trimEnd();
}

/** Why a claim holds or fails, in words; those of rules and alternatives are made where they are shown. */
const REASONS = {
  fact: "a fact of the state", no_fact: "not a fact of the state", move: "a move of the joint move", no_move: "not a move of the joint move",
  no_joint_move: "no joint move is given", no_clause: "no rule has this form", clause: "by the rule at", all: "all of it holds",
  different: "the terms differ", same: "the terms are equal", absent: "what it denies does not hold", present: "what it denies holds",
  unexplored: "not explained further",
};

/** Why a claim fails that was attempted: by rules, by the alternatives of a disjunction, or part by part. */
function failure({ attempts = [] }) {
  if (attempts.some(({ clause }) => clause)) return "no rule gives it";
  return attempts.some(({ alternative }) => alternative) ? "no alternative holds" : "a part of it fails";
}

class Facts extends HTMLElement {
  /** Answers a line of the prompt: `{answer, text}`. */
  ask = null;
  /** Why a fact of the position holds, by the rules that made it: `{answer, error}`. */
  origin = null;
  /** The text of the sheet that is played. */
  sheet = () => "";

  connectedCallback() {
    const question = element("input", { id: "question", "aria-label": "An atom", placeholder: "legal(…), …" });
    this.replaceChildren(
      element("form", { class: "bar", onsubmit: (event) => { event.preventDefault(); if (question.value.trim()) this.why(question.value.trim()); } },
        question, element("button", { id: "why" }, "Why (not)?"),
        element("button", { type: "button", id: "here", "aria-pressed": "false", title: "A click on a square asks about it, and makes no move", onclick: () => this.#ask() }, "Why here?")),
      element("div", { class: "here-box", role: "group", "aria-live": "polite", "aria-label": "The square" }),
      element("div", { class: "proof", role: "region", "aria-live": "polite", "aria-label": "Why" }),
      element("input", { class: "filter", type: "search", "aria-label": "Filter", placeholder: "Filter the list", oninput: (event) => this.#filter(event.target.value) }),
      element("ul", { class: "facts" }),
      element("details", { class: "constant", hidden: true }, element("summary", {}), element("ul", { class: "facts" })),
    );
  }

  #view = null;

  show(view) {
    const { facts, constant, roles, dialect, idle } = view;
    this.#view = view;
    this.querySelector(".here-box").replaceChildren();
    // A sheet with operations has facts without `true`, and `legal` is about the role in control.
    const hasOperations = dialect === "operations";
    this.querySelector("#question").placeholder = hasOperations ? "legal(…), a fact, …" : "legal(…), true(…), …";
    const atom = (role, move) => (hasOperations ? `legal(${move})` : `legal(${role},${move})`);
    const legal = roles.flatMap(({ role, legal }) => legal.filter((move) => move !== idle).map((move) => atom(role, move)));
    const button = (atom, question) => element("li", {}, element("button", { type: "button", title: "Why?", onclick: () => this.why(question) }, atom));
    const made = (fact) => element("li", {}, element("button", { type: "button", title: "Which rules made it?", onclick: () => this.#made(fact) }, fact));
    this.querySelector(".facts").replaceChildren(
      ...facts.map(made),
      ...legal.slice(0, 400).map((atom) => button(atom, atom)),
    );
    const folded = this.querySelector(".constant");
    folded.hidden = !constant.length;
    folded.querySelector("summary").textContent = `${constant.length} facts that never change`;
    folded.querySelector("ul").replaceChildren(...constant.map((fact) => button(fact, `true(${fact})`)));
    this.querySelector(".proof").replaceChildren();
    this.#filter(this.querySelector(".filter").value);
  }

  /** Lets clicks on squares ask, or make moves again. */
  #ask(isAsking = this.querySelector("#here").getAttribute("aria-pressed") !== "true") {
    const button = this.querySelector("#here");
    button.setAttribute("aria-pressed", String(isAsking));
    this.dispatchEvent(new CustomEvent("asking", { detail: isAsking, bubbles: true }));
  }

  /** Lets clicks on squares make moves. */
  stop() {
    this.#ask(false);
  }

  /** What can be asked about a square that was clicked. If there is only one question, it is asked. */
  async about(name, { facts, moves }) {
    const { dialect, roles } = this.#view;
    const choosing = roles.filter(({ legal }) => legal.length > 1).map(({ role }) => role);
    const atom = (role, move) => (dialect === "operations" ? `legal(${move})` : `legal(${role},${move})`);
    const asked = moves.filter(({ role }) => !choosing.length || choosing.includes(role));
    const questions = [
      ...asked.map(({ role, move, is_legal: isLegal }) => ({ words: isLegal ? `why can ${role} play ${move}?` : `why can ${role} not play ${move}?`, ask: () => this.why(atom(role, move)), isGrey: !isLegal })),
      ...facts.map((fact) => ({ words: `which rules made ${fact}?`, ask: () => this.#made(fact) })),
    ];
    const box = this.querySelector(".here-box");
    const button = ({ words, ask, isGrey }) => element("li", {}, element("button", { type: "button", class: isGrey ? "grey" : "", onclick: ask }, words));
    box.replaceChildren(element("p", {}, element("strong", {}, name), questions.length ? "" : ": nothing stands here, and no move names this square."), element("ul", {}, ...questions.map(button)));
    const first = questions.find(({ isGrey }) => isGrey) ?? questions[0];
    if (first) await first.ask();
  }

  #filter(text) {
    for (const item of this.querySelectorAll(".facts li")) item.hidden = !item.textContent.includes(text);
  }

  async why(question) {
    return this.#prove(async () => {
      const { answer } = await this.ask(`why ${question}`);
      // A fact of the position has no rules under its own name: it is typed as the list shows it.
      if (answer.claims[0].reason !== "no_clause") return answer;
      return (await this.origin(question)).answer ?? answer;
    });
  }

  /** The rules that made a fact of the position, or that it holds by what it is. */
  async #made(fact) {
    return this.#prove(async () => (await this.origin(fact)).answer ?? (await this.ask(`why true(${fact})`)).answer);
  }

  async #prove(ask) {
    const box = this.querySelector(".proof");
    try {
      const answer = await ask();
      const claims = new Map(answer.claims.map((claim) => [claim.number, claim]));
      const head = element("p", {}, element("strong", {}, answer.question), answer.holds ? " holds" : " does not hold");
      const seen = answer.claims.filter(({ reason }) => reason === "fact").map(({ claim }) => claim.replace(/^true\((.*)\)$/, "$1"));
      this.dispatchEvent(new CustomEvent("rests", { detail: seen, bubbles: true }));
      const warnings = (answer.warnings ?? []).map((text) => element("p", { class: "problem" }, text));
      box.replaceChildren(head, ...warnings, element("ul", { class: "claims" }, this.#claim(answer.claims[0], claims, new Set(), true)));
    } catch (error) {
      box.replaceChildren(element("p", { class: "problem" }, error.message));
    }
    box.scrollTop = 0;
    box.scrollIntoView({ block: "nearest" });
  }

  /** A link to a rule of the sheet. */
  #rule(clause) {
    const open = (event) => {
      event.preventDefault();
      this.dispatchEvent(new CustomEvent("rule", { detail: clause, bubbles: true }));
    };
    return element("button", { type: "button", class: "rule", title: "Show it among the rules", onclick: open }, `${clause.file}:${clause.line}`);
  }

  /** The text of a rule; nothing if it is in another sheet. */
  #text({ line, column }) {
    const text = clauseAt(this.sheet(), line, column);
    return text ? element("pre", { class: "clause" }, text) : null;
  }

  #claim(claim, claims, above, isOpen) {
    const reason = claim.reason === "attempts" ? failure(claim) : claim.reason === "alternative" ? `by alternative ${claim.alternative}` : REASONS[claim.reason] ?? claim.reason;
    const words = element("span", {}, element("code", {}, claim.claim), ` ${claim.holds ? "holds" : "does not hold"}: ${reason} `, claim.clause ? this.#rule(claim.clause) : null);
    const below = (claim.because ?? []).filter((number) => claims.has(number) && !above.has(number));
    const tried = (claim.attempts ?? []).map((attempt) => {
      const bound = Object.entries(attempt.bindings ?? {}).map(([name, value]) => `${name} = ${value}`).join(", ");
      const failed = claims.has(attempt.fails) ? [element("ul", {}, this.#claim(claims.get(attempt.fails), claims, new Set([...above, claim.number]), false))] : [];
      const name = attempt.clause ? ["the rule at ", this.#rule(attempt.clause)] : [attempt.alternative ? `alternative ${attempt.alternative}` : "the conjunction"];
      const text = attempt.clause ? this.#text(attempt.clause) : null;
      return element("li", {}, ...name, `${bound ? ` with ${bound}` : ""} fails after ${attempt.held} of ${attempt.literals} conditions`, text, ...failed);
    });
    const text = claim.clause ? this.#text(claim.clause) : null;
    if (!below.length && !tried.length) return element("li", {}, words, text);
    const inside = below.map((number) => this.#claim(claims.get(number), claims, new Set([...above, claim.number]), false));
    return element("li", {}, element("details", { open: isOpen }, element("summary", {}, words), text, element("ul", {}, ...inside, ...tried)));
  }
}

customElements.define("ggp-facts", Facts);

// @ts-check
// The rule sheet in an editor, which is loaded when the pane is opened first, with its problems, and below it the facts of
// the position, each of which shows the rules that made it.

import { download } from "./files.js";
import { element } from "./terms.js";
import { withStyle } from "./views.js";

/** The time without a change after which the text is checked, and kept with its history. */
const PAUSE = 300;

class Rules extends HTMLElement {
  /**
   * Checks a text.
   * @type {((name: string, text: string) => Promise<import("./answers").TextVerdict>) | null}
   */
  check = null;
  /** Loads a text: `{loaded, diagnostics, error}`. */
  load = null;
  /** Formats a text, in a dialect if one is given: `{text, diagnostics}`. */
  format = null;
  /** Asks the language service: `(name, text, question)`. */
  language = null;
  /** Why a fact holds, by the rules that made it: `{answer, error}`. */
  origin = null;
  /**
   * What was kept of the editor of a sheet.
   * @type {(name: string) => any}
   */
  history = () => null;
  name = "sheet.gdl";
  #timer = 0;
  #text = "";
  /** The text that is loaded. */
  #loaded = "";
  #checks = 0;
  /** The editor, once the pane has been opened. */
  #editor = null;
  #opening = null;
  #diagnostics = [];
  /** The fact whose rules are marked, and where the first of them is. */
  #fact = null;
  #rule = null;

  connectedCallback() {
    this.replaceChildren(
      element("div", { class: "bar" },
        element("button", { type: "button", id: "run", onclick: () => this.#run() }, "Play these rules"),
        ...[["Format", null], ["To infix", "infix"], ["To prefix", "prefix"], ["To operations", "operations"]].map(
          ([name, dialect]) => element("button", { type: "button", onclick: () => this.#format(dialect) }, name)),
        element("button", { type: "button", onclick: () => this.dispatchEvent(new CustomEvent("newsheet")) }, "New sheet"),
        element("button", { type: "button", onclick: () => download(this.name, this.text) }, "Download"),
        element("button", { type: "button", id: "revert", hidden: true, onclick: () => this.replace(this.#loaded) }, "Back to the rules that are played"),
        element("span", { class: "verdict", role: "status" })),
      element("div", { class: "editor" }),
      element("ul", { class: "problems", "aria-label": "Problems" }),
      element("details", { class: "origins", open: true },
        element("summary", {}, "The position: which rules made each fact"),
        element("ul", { class: "facts" }),
        element("p", { class: "hint made", role: "status" })),
    );
    addEventListener("pagehide", () => this.#keep());
  }

  /** Loads the editor, if it is not there yet. */
  open() {
    this.#opening ??= this.#load();
    return this.#opening;
  }

  async #load() {
    try {
      const [{ Editor }] = await Promise.all([import("./editor.js"), withStyle()]);
      this.#editor = new Editor(this.querySelector(".editor"), (text, question) => this.language(this.name, text, question), (isChanged) => this.#changed(isChanged));
    } catch (error) {
      this.#opening = null;
      this.querySelector(".verdict").textContent = `the editor cannot be loaded: ${error.message}`;
      throw error;
    }
    this.#editor.open(this.#text, this.history(this.name));
    this.#editor.judge(this.#diagnostics);
  }

  /** Shows the text of a sheet; what was typed last, if it is not the text that is loaded, takes its place. */
  show(name, text, typed = null) {
    this.#keep();
    [this.name, this.#loaded, this.#text] = [name, text, typed ?? text];
    this.#editor?.open(this.#text, this.history(name));
    clearTimeout(this.#timer);
    this.judge([]);
    this.querySelector("#revert").hidden = typed === null;
    if (typed !== null) this.#check();
  }

  /** The facts of the position that is shown. */
  follow({ facts }) {
    const button = (fact) => element("li", {}, element("button", {
      type: "button", onpointerenter: () => this.#explain(fact), onfocus: () => this.#explain(fact), onclick: () => this.#go(fact),
    }, fact));
    this.querySelector(".facts").replaceChildren(...facts.map(button));
    this.querySelector(".made").textContent = "";
    [this.#fact, this.#rule] = [null, null];
  }

  /** Marks the rules that made a fact. */
  async #explain(fact) {
    if (this.#fact === fact) return;
    this.#fact = fact;
    const { answer, error } = await this.origin(fact);
    await this.open();
    if (this.#fact !== fact) return;
    const clauses = (answer?.claims ?? []).map(({ clause }) => clause).filter(Boolean);
    this.#rule = clauses[0] ?? null;
    const [claim] = answer?.claims ?? [];
    const others = clauses.length - 1;
    this.querySelector(".made").textContent = error ?? (this.#rule ? `${claim.claim}: by the rule of line ${this.#rule.line}${others > 0 ? ` and ${others} more` : ""}. Click to go there.` : "");
    if (this.text === this.#loaded) this.#editor.mark(clauses);
  }

  async #go(fact) {
    await this.#explain(fact);
    if (this.#rule) await this.reveal(this.#rule.line, this.#rule.column);
  }

  get text() {
    return this.#editor?.text ?? this.#text;
  }

  /** The text that is played. */
  get played() {
    return this.#loaded;
  }

  #changed(isChanged) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#keep(), PAUSE);
    if (!isChanged) return;
    this.#text = this.#editor.text;
    this.querySelector("#revert").hidden = this.#text === this.#loaded;
    this.dispatchEvent(new CustomEvent("typed", { detail: { name: this.name, text: this.#text, loaded: this.#loaded }, bubbles: true }));
    this.#timer = setTimeout(() => {
      this.#keep();
      this.#check();
    }, PAUSE);
  }

  /** Has the history of the editor kept. */
  #keep() {
    if (this.#editor) this.dispatchEvent(new CustomEvent("edited", { detail: { name: this.name, history: this.#editor.kept }, bubbles: true }));
  }

  async #check() {
    const number = ++this.#checks;
    const { diagnostics, error } = await this.check(this.name, this.text);
    // A later text has been checked meanwhile.
    if (number === this.#checks) this.judge(diagnostics, error);
  }

  async #run() {
    const { loaded, diagnostics, error } = await this.load(this.name, this.text);
    this.judge(diagnostics, error);
    if (loaded) this.dispatchEvent(new CustomEvent("loaded", { bubbles: true }));
  }

  /** Rewrites the text; one with errors of syntax stays as it is. */
  async #format(dialect) {
    const { text, diagnostics, error } = await this.format(this.name, this.text, dialect);
    if (text === undefined) return this.judge(diagnostics, error);
    return this.replace(text);
  }

  /** Takes another text in place of this one, which can be undone. */
  async replace(text) {
    await this.open();
    this.#editor.replace(text);
    // A check that still waits for a pause would take the place of this one: the problems shown would be those of an earlier text.
    clearTimeout(this.#timer);
    this.#keep();
    await this.#check();
  }

  judge(diagnostics, error) {
    this.#diagnostics = diagnostics;
    this.#editor?.judge(diagnostics);
    const errors = diagnostics.filter(({ severity }) => severity === "error").length;
    const warnings = diagnostics.length - errors;
    const said = errors || warnings ? [errors ? `${errors} error${errors > 1 ? "s" : ""}` : "", warnings ? `${warnings} warning${warnings > 1 ? "s" : ""}` : ""].filter(Boolean).join(", ") : "no problems";
    this.querySelector(".verdict").textContent = error ?? said;
    const item = ({ severity, code, message, line, column, help, fix }) => element("li", { class: severity },
      element("button", { type: "button", onclick: () => this.reveal(line, column) }, `${line ? `${line}:${column} ` : ""}${severity} ${code}: ${message}`),
      fix?.length ? element("button", { type: "button", class: "fix", title: help, onclick: () => this.#fix(fix) }, `Fix: ${this.#editor?.inWords(fix) ?? help}`) : null);
    this.querySelector(".problems").replaceChildren(...diagnostics.map(item));
  }

  async #fix(edits) {
    await this.open();
    this.#editor.fix(edits);
  }

  /** Goes to a place of the text. */
  async reveal(line, column) {
    if (!line) return;
    await this.open();
    this.#editor.reveal(line, column);
  }
}

customElements.define("ggp-rules", Rules);

// The rule sheet, with the checker's messages beside its lines as one types.

import { download } from "./files.js";
import { element } from "./terms.js";

const PAUSE = 300;

class Rules extends HTMLElement {
  /** Checks a text: `{diagnostics}`. */
  check = null;
  /** Loads a text: `{loaded, diagnostics, error}`. */
  load = null;
  /** Formats a text, in a dialect if one is given: `{text, diagnostics}`. */
  format = null;
  name = "sheet.gdl";
  #timer = 0;
  /** The text that is loaded. */
  #loaded = "";
  #checks = 0;

  connectedCallback() {
    const text = element("textarea", { id: "text", spellcheck: "false", "aria-label": "Rule sheet", wrap: "off", oninput: () => this.#later(), onscroll: () => this.#scroll() });
    this.replaceChildren(
      element("div", { class: "bar" },
        element("button", { type: "button", id: "run", onclick: () => this.#run() }, "Play these rules"),
        ...[["Format", null], ["To infix", "infix"], ["To prefix", "prefix"]].map(
          ([name, dialect]) => element("button", { type: "button", onclick: () => this.#format(dialect) }, name)),
        element("button", { type: "button", onclick: () => this.#download() }, "Download"),
        element("button", { type: "button", id: "revert", hidden: true, onclick: () => this.#revert() }, "Back to the rules that are played"),
        element("span", { class: "verdict", role: "status" })),
      element("div", { class: "editor" }, element("div", { class: "gutter", "aria-hidden": "true" }), text),
      element("ul", { class: "problems", "aria-label": "Problems" }),
    );
  }

  /** Shows the text of a sheet; what was typed last, if it is not the text that is loaded, takes its place. */
  show(name, text, typed = null) {
    [this.name, this.#loaded] = [name, text];
    this.querySelector("textarea").value = typed ?? text;
    this.judge([]);
    this.querySelector("#revert").hidden = typed === null;
    if (typed !== null) this.#check();
  }

  #revert() {
    this.#replace(this.#loaded);
    this.querySelector("#revert").hidden = true;
  }

  get text() {
    return this.querySelector("textarea").value;
  }

  #later() {
    clearTimeout(this.#timer);
    this.querySelector("#revert").hidden = this.text === this.#loaded;
    this.dispatchEvent(new CustomEvent("typed", { detail: { name: this.name, text: this.text, loaded: this.#loaded }, bubbles: true }));
    this.#timer = setTimeout(() => this.#check(), PAUSE);
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
    this.#replace(text);
    return this.#check();
  }

  #replace(text) {
    const field = this.querySelector("textarea");
    field.select();
    // Unlike an assignment, this can be taken back with Ctrl-Z.
    if (!document.execCommand("insertText", false, text)) field.value = text;
    field.setSelectionRange(0, 0);
    field.scrollTop = 0;
  }

  judge(diagnostics, error) {
    const worst = new Map();
    for (const { line, severity } of diagnostics) {
      if (line && worst.get(line) !== "error") worst.set(line, severity);
    }
    const lines = this.text.split("\n").length;
    const numbers = Array.from({ length: lines }, (_, index) => element("div", { class: worst.get(index + 1) ?? "" }, String(index + 1)));
    this.querySelector(".gutter").replaceChildren(...numbers);
    const errors = diagnostics.filter(({ severity }) => severity === "error").length;
    const warnings = diagnostics.length - errors;
    const said = errors || warnings ? [errors ? `${errors} error${errors > 1 ? "s" : ""}` : "", warnings ? `${warnings} warning${warnings > 1 ? "s" : ""}` : ""].filter(Boolean).join(", ") : "no problems";
    this.querySelector(".verdict").textContent = error ?? said;
    const item = ({ severity, code, message, line, column }) => element("li", { class: severity },
      element("button", { type: "button", onclick: () => this.reveal(line, column) }, `${line ? `${line}:${column} ` : ""}${severity} ${code}: ${message}`));
    this.querySelector(".problems").replaceChildren(...diagnostics.map(item));
    this.#scroll();
  }

  /** The text that is played. */
  get played() {
    return this.#loaded;
  }

  /** Goes to a place of the text. */
  reveal(line, column) {
    if (!line) return;
    const text = this.querySelector("textarea");
    const start = text.value.split("\n").slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
    text.focus();
    text.setSelectionRange(start, start + 1);
    text.scrollTop = (line - 5) * (text.scrollHeight / text.value.split("\n").length);
  }

  #scroll() {
    this.querySelector(".gutter").scrollTop = this.querySelector("textarea").scrollTop;
  }

  #download() {
    download(this.name, this.text);
  }
}

customElements.define("ggp-rules", Rules);

// @ts-check
// The prompt: every command of `ggp repl`, with its answer as text.

import { download, written } from "./files.js";
import { element } from "./terms.js";

class Prompt extends HTMLElement {
  /** Answers a line: `{records, notes}`. */
  ask = null;
  #earlier = [];
  #at = 0;

  connectedCallback() {
    const line = element("input", { id: "line", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": "A command", placeholder: "help", onkeydown: (event) => this.#recall(event) });
    this.replaceChildren(
      element("div", { class: "said", role: "log", tabindex: "0", "aria-label": "Answers" }),
      element("form", { class: "bar", onsubmit: (event) => { event.preventDefault(); this.#send(line); } }, element("span", { "aria-hidden": "true" }, ">"), line),
      element("button", { type: "button", onclick: () => this.#download() }, "Download as a script"),
    );
  }

  async #send(input) {
    const line = input.value.trim();
    if (!line) return;
    this.#earlier.push(line);
    this.#at = this.#earlier.length;
    input.value = "";
    const said = this.querySelector(".said");
    const answer = element("pre", {}, "…");
    said.append(element("p", {}, `> ${line}`), answer);
    try {
      const { records, notes, files } = await this.ask(line);
      answer.textContent = [...notes.map((note) => `note: ${note}`), ...records.map(({ text, remark }) => text + (remark ?? ""))].join("\n");
      answer.after(...written(files));
    } catch (error) {
      answer.textContent = error.message;
    }
    said.scrollTop = said.scrollHeight;
  }

  #recall(event) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.#at = Math.min(Math.max(this.#at + step, 0), this.#earlier.length);
    event.target.value = this.#earlier[this.#at] ?? "";
  }

  #download() {
    download("session.query", this.#earlier.map((line) => `${line}\n`).join(""));
  }
}

customElements.define("ggp-prompt", Prompt);

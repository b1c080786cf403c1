// @ts-check
// The lessons of `learn`: a step says what to do and why, and any line that does it solves the step.

import { element } from "./terms.js";

/** A text whose parts in backticks are code. */
const withCode = (text) => text.split("`").map((part, index) => (index % 2 ? element("code", {}, part) : part));

class Lessons extends HTMLElement {
  /** Answers a line and shows what it has led to: `{records}`. */
  ask = null;
  /** Whether a lesson runs, which hears of each line. */
  isRunning = false;

  connectedCallback() {
    this.append(element("div", { class: "step", role: "status" }), element("pre", { class: "answer", tabindex: "0", role: "region", "aria-label": "The answer", hidden: true }));
  }

  /** Begins a lesson. */
  begin(name) {
    return this.#send(`learn ${name}`);
  }

  /** Tells what was done in a lesson, for its mark. */
  #note(detail) {
    this.dispatchEvent(new CustomEvent("done", { detail }));
  }

  /** Asks for the list of lessons and tasks. */
  #list() {
    this.dispatchEvent(new CustomEvent("list"));
  }

  #show(...content) {
    this.querySelector(".step").replaceChildren(...content.filter(Boolean));
  }

  async #send(line) {
    const { records: [record] } = await this.ask(line);
    const answer = this.querySelector(".answer");
    // The text of a step at the prompt has the line that solves it.
    answer.hidden = record.answer?.kind === "lesson";
    answer.textContent = answer.hidden ? "" : `> ${line}\n${record.text}`;
    if (record.answer?.kind === "lesson" && record.answer.page === "step") this.#step(record.answer);
    else if (record.answer?.page === "skipped") {
      this.#note({ name: record.answer.lesson, shown: true });
      this.hear({ ...record.answer, page: undefined });
    } else if (line === "learn off") {
      this.isRunning = false;
      this.#list();
    }
  }

  /** Hears what was said of a line that was typed anywhere, or a move that was made on the board. */
  hear({ verdict, hint, page, title, is_try: isTry, ...next }) {
    if (isTry) this.#note({ name: page.lesson });
    if (verdict === "finished") {
      this.isRunning = false;
      this.#note({ name: next.lesson, answer: next.answer });
      const again = element("button", { type: "button", onclick: () => this.#list() }, "All lessons and tasks");
      return this.#show(element("p", {}, `That was the last step of “${title}”.`), again);
    }
    this.#step(page ?? { title, ...next }, hint);
  }

  #step({ title, step, of, text, line }, hint = null) {
    this.isRunning = true;
    const input = element("input", { class: "line", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": "Your line" });
    const button = (name, told) => element("button", { type: "button", onclick: () => this.#send(told) }, name);
    this.#show(
      element("h2", {}, `${title}: step ${step} of ${of}`),
      ...text.split("\n").map((paragraph) => element("p", {}, ...withCode(paragraph))),
      hint ? element("p", { class: "problem" }, ...withCode(hint)) : null,
      element("form", { class: "bar", onsubmit: (event) => { event.preventDefault(); if (input.value.trim()) this.#send(input.value.trim()); } }, input, element("button", {}, "Enter")),
      element("div", { class: "bar" },
        element("button", { type: "button", onclick: () => { input.value = line; input.focus(); } }, "Write it for me"),
        button("Leave this step out", "learn next"), button("Leave the lesson", "learn off")),
    );
    input.focus();
  }
}

customElements.define("ggp-lessons", Lessons);

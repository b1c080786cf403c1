// @ts-check
// The pseudo-code of a search with the line at work, and the nodes that wait: beside the tree of the pane Search.

import { element } from "./terms.js";

/** The number of waiting nodes that a search lists, and of them those that are shown. */
export const WAITING = 24;

class Pseudocode extends HTMLElement {
  #code = null;
  #line = -1;

  connectedCallback() {
    if (this.firstChild) return;
    this.replaceChildren(element("ol", { "aria-label": "Pseudo-code", tabindex: "0" }), element("p", { class: "waiting" }));
  }

  /** Takes a search; without pseudo-code only the waiting nodes are shown. */
  set trace(trace) {
    this.#code = trace?.code ?? null;
    this.#line = -1;
    const lines = this.#code?.lines ?? [];
    this.querySelector("ol").replaceChildren(...lines.map((text) => element("li", {}, text)));
    this.querySelector("ol").hidden = !lines.length;
  }

  /** Shows what is at work after a step of a trace. */
  at(trace, step) {
    const line = this.#code?.at[step - 1] ?? -1;
    if (line !== this.#line) {
      const list = this.querySelector("ol");
      list.children[this.#line]?.removeAttribute("aria-current");
      list.children[line]?.setAttribute("aria-current", "step");
      this.#line = line;
      this.#reveal(list, list.children[line]);
    }
    this.querySelector(".waiting").textContent = waitingText(trace, step);
  }

  /** Scrolls the list, and nothing around it, to a line that is out of sight. */
  #reveal(list, line) {
    if (!line) return;
    const top = line.offsetTop - list.offsetTop;
    const isSeen = top >= list.scrollTop && top + line.offsetHeight <= list.scrollTop + list.clientHeight;
    if (!isSeen) list.scrollTop = top - (list.clientHeight - line.offsetHeight) / 2;
  }
}

/** The queue, or the stack of a search without one: the nodes whose moves are being tried; of random games the line to a node. */
export function waitingText(trace, step) {
  const waiting = trace.waitingAt(step);
  if (!waiting) {
    const node = trace.nodeAt(step);
    return node ? `${trace.isSampled ? "Line" : "Stack"}: ${node.line.map(({ id }) => id).join(" ")}` : "";
  }
  const key = ([id, order]) => (order === null ? `${id}` : `${id} (${order})`);
  return `Queue: ${waiting.map(key).join(" ") || "empty"}${waiting.length === WAITING ? " …" : ""}`;
}

customElements.define("ggp-pseudocode", Pseudocode);

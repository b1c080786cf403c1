// @ts-check
// The value of each position of the match for a role, found by a search in each, as a chart over the plies: values that a
// search has proven, and estimates of the others.

import { element } from "./terms.js";

class Values extends HTMLElement {
  /** Searches all positions of the line: `judge(role, seconds, found, signal)` calls `found(place)` after each. */
  judge = null;
  #match = null;
  #stop = null;
  #role = 0;

  connectedCallback() {
    const role = element("select", { "aria-label": "Role", onchange: () => { this.#role = role.selectedIndex; this.#draw(); } });
    const seconds = element("input", { class: "seconds", type: "number", min: "0.1", max: "60", step: "0.1", value: "0.3", "aria-label": "Seconds for a position" });
    this.replaceChildren(
      element("form", { class: "bar", onsubmit: (event) => { event.preventDefault(); this.#toggle(Number(seconds.value)); } },
        element("span", {}, "The match for"), role, element("label", {}, seconds, " s a position"), element("button", {}, "Judge the match")),
      element("p", { class: "progress", role: "status" }),
      element("div", { class: "chart" }),
    );
  }

  /** Shows the line of a match through the position that it is in. */
  show(match) {
    if (match.root !== this.#match?.root) this.#stop?.abort();
    this.#match = match;
    const select = this.querySelector("select");
    if (select.options.length !== match.roles.length || [...select.options].some(({ text }, index) => text !== match.roles[index])) {
      select.replaceChildren(...match.roles.map((role) => element("option", {}, role)));
      this.#role = 0;
    }
    this.#draw();
  }

  /** Begins to judge the match, unless that is under way. */
  begin() {
    if (!this.#stop) this.querySelector("form").requestSubmit();
  }

  async #toggle(seconds) {
    if (this.#stop) return this.#stop.abort();
    const stop = (this.#stop = new AbortController());
    const [progress, button] = [".progress", "form button"].map((name) => this.querySelector(name));
    button.textContent = "Stop";
    progress.textContent = "";
    try {
      const length = this.#match.line.length;
      await this.judge(this.#role, seconds, (place) => {
        progress.textContent = `ply ${place.ply} of ${length}`;
        this.#draw();
      }, stop.signal);
      progress.textContent = "";
    } catch (error) {
      progress.textContent = error.name === "AbortError" ? "stopped" : error.message;
    } finally {
      this.#stop = null;
      button.textContent = "Judge the match";
    }
  }

  #draw() {
    const { root, line, here } = this.#match;
    const known = [root, ...line].filter(({ values }) => values[this.#role]);
    const chart = this.querySelector(".chart");
    if (known.length < 2) return chart.replaceChildren();
    const valueOf = (place) => place.values[this.#role];
    const height = (place) => 100 - Math.min(Math.max(valueOf(place).value, 0), 100);
    const across = (ply) => (ply / Math.max(line.length, 1)) * 300;
    const words = (place) => `${valueOf(place).isProven ? "" : "about "}${valueOf(place).value.toFixed(0)}`;
    const path = known.map((place, index) => `${index ? "L" : "M"}${across(place.ply)},${height(place)}`).join("");
    const point = (place) => {
      const classes = [place === here ? "now" : "", valueOf(place).isProven ? "" : "estimate"].join(" ").trim();
      return `<circle cx="${across(place.ply)}" cy="${height(place)}" r="${place === here ? 5 : 3}" class="${classes}" data-ply="${place.ply}"><title>ply ${place.ply}: ${words(place)}</title></circle>`;
    };
    const marks = [100, 50, 0].map((value) => `<text x="-8" y="${103.5 - value}">${value}</text>`).join("");
    const svg = new DOMParser().parseFromString(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-30 -8 340 116" role="img">${marks}<path d="M0,50H300" class="middle"/><path d="${path}" class="line"/>${known.map(point).join("")}</svg>`, "image/svg+xml").documentElement;
    svg.setAttribute("aria-label", `The value for ${this.#match.roles[this.#role]} by ply: ${known.map((place) => `${place.ply}: ${words(place)}`).join(", ")}`);
    svg.addEventListener("click", ({ target }) => {
      const place = known.find(({ ply }) => String(ply) === target.dataset?.ply);
      if (place) this.#match.go(place);
    });
    const hasEstimates = known.some((place) => !valueOf(place).isProven);
    chart.replaceChildren(svg, element("p", { class: "hint small" }, hasEstimates ? "● proven by a search, ○ an estimate from random games or a search that was cut off" : "All of these values are proven."));
  }
}

customElements.define("ggp-values", Values);

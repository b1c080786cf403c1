// Searches on the current position: lines with their values, growing while they run.

import { written } from "./files.js";
import { element } from "./terms.js";

/** Each search with its line, and what draws its tree or its results. */
const TREE = "--tree svg tree.svg";
const SEARCHES = [
  ["Deeper and deeper (analyse)", "analyse", null],
  ["What fits the game (best)", "best", null],
  ["Monte Carlo tree search", "mcts --seconds 2", TREE],
  ["Alpha-beta", "alphabeta", TREE],
  ["Minimax", "minimax", TREE],
  ["Expectimax", "expectimax", TREE],
  ["A shortest plan (bestplan)", "bestplan", null],
  ["Breadth-first search", "bfs", TREE],
  ["A*", "astar --heuristic hadd", TREE],
  ["All states (solve)", "solve", null],
  ["Random games (simulate)", "simulate --playouts 10000", "--svg games.svg"],
];

class Analysis extends HTMLElement {
  /** Runs a line of the prompt: `run(line, tell, signal)`. */
  run = null;
  #stop = null;

  connectedCallback() {
    const search = element("select", { id: "search", "aria-label": "Search" }, ...SEARCHES.map(([name, line]) => element("option", { value: line }, name)));
    const picture = element("input", { type: "checkbox", id: "draw" });
    const allow = () => { picture.disabled = !SEARCHES[search.selectedIndex][2]; };
    search.addEventListener("change", allow);
    const options = element("input", { id: "options", "aria-label": "Options", placeholder: "options, such as --seconds 10" });
    this.replaceChildren(
      element("form", { class: "bar", onsubmit: (event) => { event.preventDefault(); this.#toggle([search.value, options.value, picture.checked && !picture.disabled ? SEARCHES[search.selectedIndex][2] : ""].join(" ").trim()); } },
        search, options, element("label", {}, picture, " draw it"), element("button", { id: "analyse" }, "Start")),
      element("p", { class: "progress", role: "status" }),
      element("pre", { class: "found", tabindex: "0", role: "region", "aria-label": "What was found" }),
      element("div", { class: "files" }),
    );
    allow();
  }

  /** Stops what is running: the position has changed. */
  stop() {
    this.#stop?.abort();
  }

  async #toggle(line) {
    if (this.#stop) return this.stop();
    const [progress, found, button] = [".progress", ".found", "#analyse"].map((name) => this.querySelector(name));
    this.#stop = new AbortController();
    button.textContent = "Stop";
    found.textContent = "";
    this.querySelector(".files").replaceChildren();
    try {
      const last = await this.run(line, ({ nodes, depth, seconds, shown }) => {
        progress.textContent = `${nodes.toLocaleString("en")} nodes, depth ${depth}, ${seconds.toFixed(1)} s`;
        if (shown) found.textContent = `${shown.heading}\n${shown.rows}`;
      }, this.#stop.signal);
      const [record] = last?.records ?? [];
      found.textContent = record?.text ?? last?.error ?? "";
      progress.textContent = "";
      this.querySelector(".files").replaceChildren(...written(last?.files ?? []));
    } catch (error) {
      progress.textContent = error.name === "AbortError" ? "stopped" : error.message;
    } finally {
      this.#stop = null;
      button.textContent = "Start";
    }
  }
}

customElements.define("ggp-analysis", Analysis);

// @ts-check
// Searches on the current position: lines with their values, growing while they run.
//
// They run in a session beside that of the page. A search follows the position: a move begins it anew there. What was
// found says of which position it is, and leads back to it.

import { written } from "./files.js";
import "./options.js";
import { element } from "./terms.js";

/** Each search with its line, and what draws its tree or its results. */
const TREE = "--tree svg tree.svg";
const SEARCHES = [
  ["Iterative deepening (analyse)", "analyse", null],
  ["What fits the game (best)", "best", null],
  ["Monte Carlo tree search", "mcts --seconds 2", TREE],
  ["Alpha-beta", "alphabeta", TREE],
  ["Minimax", "minimax", TREE],
  ["Expectimax", "expectimax", TREE],
  ["A shortest plan (bestplan)", "bestplan --shortest", null],
  ["Breadth-first search", "bfs", TREE],
  ["A*", "astar --heuristic hadd", TREE],
  ["All states (solve)", "solve", null],
  ["Random games (simulate)", "simulate --playouts 10000", "--svg games.svg"],
];

/** The greatest number of lines that are offered. */
const MOST_LINES = 5;

/** A move with so many times fewer visits than the one with the most is known too little. */
const FEW = 20;

/** The moves of a line by plies: those that are made at once stand in one text. */
function plies(line) {
  const made = new Map();
  for (const { ply, move } of line) made.set(ply, [...(made.get(ply) ?? []), move]);
  return [...made.values()].map((moves) => moves.join(" "));
}

/** The lines of an answer: `{value, plies}`, the best first; the value is a utility, or `null`. */
function lines({ moves = [], line }) {
  const isPlan = moves.length > 0 && moves.every((move) => typeof move === "string");
  if (isPlan) return [{ value: null, isProven: false, plies: moves }];
  const most = Math.max(...moves.map(({ visits = 0 }) => visits));
  // A mean of few visits says little: such moves are below the others, whatever it is.
  const isKnown = ({ visits = most }) => visits * FEW >= most;
  const valued = moves.filter((move) => move.line?.length)
    .map((move) => ({ value: move.mean ?? move.utility ?? null, isProven: move.proven ?? move.mean === undefined, isKnown: isKnown(move), plies: plies(move.line) }))
    .sort((one, other) => Number(other.isKnown) - Number(one.isKnown) || other.value - one.value);
  if (valued.length) return valued.slice(0, MOST_LINES);
  return line?.length ? [{ value: null, isProven: false, plies: plies(line) }] : [];
}

class Analysis extends HTMLElement {
  /** Runs a line of the prompt at a place: `run(place, line, heard, signal)`. */
  run = null;
  #stop = null;
  /** The place that is shown, and that of what was found. */
  #here = null;
  #of = null;
  /** The roles that are not chance. */
  #roles = [];

  connectedCallback() {
    const search = element("select", { id: "search", "aria-label": "Search" }, ...SEARCHES.map(([name, line]) => element("option", { value: line }, name)));
    const picture = element("input", { type: "checkbox", id: "draw" });
    const options = element("ggp-options", {});
    const allow = () => { picture.disabled = !SEARCHES[search.selectedIndex][2]; };
    search.addEventListener("change", () => { allow(); options.show(search.value); });
    const line = () => [options.line, picture.checked && !picture.disabled ? SEARCHES[search.selectedIndex][2] : ""].join(" ").trim();
    this.replaceChildren(
      element("form", { class: "bar", onsubmit: (event) => { event.preventDefault(); this.#toggle(line()); } },
        element("button", { id: "analyse" }, "Start"), search, element("label", {}, picture, " draw it"), options),
      element("p", { class: "progress", role: "status" }),
      element("button", { type: "button", class: "origin", hidden: true, onclick: () => this.dispatchEvent(new CustomEvent("go", { detail: this.#of, bubbles: true })) }),
      element("pre", { class: "found", tabindex: "0", role: "region", "aria-label": "What was found" }),
      element("div", { class: "lines" },
        element("div", { class: "evaluation", hidden: true }, element("span", {}), element("span", { class: "share-of-first", "aria-hidden": "true" }, element("span", {})), element("span", {})),
        ...Array.from({ length: MOST_LINES }, () => this.#row())),
      element("div", { class: "files" }),
    );
    allow();
  }

  /** A place of the match: what runs goes on there, and what was found elsewhere says so. */
  show(place, roles) {
    this.#roles = roles;
    const isOtherMatch = place.root !== this.#here?.root;
    const isMoved = place !== this.#here;
    this.#here = place;
    if (isOtherMatch) this.querySelector("ggp-options").show(this.querySelector("#search").value);
    if (isOtherMatch) {
      this.#stop?.abort("over");
      this.#clear();
    } else if (isMoved) {
      this.#stop?.abort("moved");
    }
    this.#mark();
  }

  /** What runs begins again: it has another engine now. */
  again() {
    this.#stop?.abort("moved");
  }

  #clear() {
    this.#of = null;
    this.querySelector(".found").textContent = "";
    for (const row of this.querySelector(".lines").children) row.hidden = true;
    this.querySelector(".files").replaceChildren();
  }

  /** Marks results that are not of the position that is shown. */
  #mark() {
    const isOld = Boolean(this.#of) && this.#of !== this.#here;
    const origin = this.querySelector(".origin");
    origin.hidden = !isOld;
    if (isOld) origin.textContent = this.#of.ply ? `This is of the position after ply ${this.#of.ply}. Go there` : "This is of the position at the start. Go there";
    this.classList.toggle("old", isOld);
  }

  /** The lines of an answer, which can be played: a plan, the line of a search, or the best lines with their values. */
  #lines(answer) {
    const best = lines(answer);
    const top = best[0]?.value ?? null;
    const [bar, ...rows] = this.querySelector(".lines").children;
    const [first, second, ...others] = this.#roles;
    bar.hidden = top === null || others.length > 0;
    if (!bar.hidden) {
      // The first role has the left side, whoever moves. The number is that of the role for which the search was made.
      const isOther = second && answer.role === second;
      const share = Math.min(Math.max(isOther ? 100 - top : top, 0), 100);
      const [left, fill, right] = bar.children;
      [left.textContent, right.textContent] = [isOther ? first : `${first} ${top.toFixed(0)}`, isOther ? `${top.toFixed(0)} ${second}` : second ?? ""];
      fill.firstChild.style.setProperty("width", `${share}%`);
    }
    rows.forEach((row, index) => {
      row.hidden = index >= best.length;
      if (row.hidden) return;
      const { value, isProven, plies } = best[index];
      row.plies = plies;
      const [number, text] = row.children;
      number.textContent = value === null ? "Play" : `${isProven ? "" : "≈"}${value.toFixed(0)}`;
      number.title = value === null ? "" : isProven ? "proven" : "an estimate";
      text.textContent = plies.join("  ");
    });
  }

  /** A line, whose moves change while a search runs: it stays the same element, so that it can be clicked meanwhile. */
  #row() {
    const tell = (name, detail) => this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
    const hint = () => tell("hint", row.plies[0].split(" ")[0]);
    const none = () => tell("hint", null);
    const row = element("button", {
      type: "button", class: "candidate", title: "Play it on the board", hidden: true, onclick: () => tell("line", { from: this.#of, plies: row.plies }),
      onpointerenter: hint, onpointerleave: none, onfocus: hint, onblur: none,
    }, element("span", { class: "value" }), element("span", {}));
    return row;
  }

  async #toggle(line) {
    if (this.#stop) return this.#stop.abort("stopped");
    const button = this.querySelector("#analyse");
    button.textContent = "Stop";
    try {
      while ((await this.#search(line)) === "moved");
    } finally {
      this.#stop = null;
      button.textContent = "Start";
    }
  }

  /** Searches at the present place; returns why it was stopped, if it was. */
  async #search(line) {
    const [progress, found] = [".progress", ".found"].map((name) => this.querySelector(name));
    const stop = (this.#stop = new AbortController());
    this.#clear();
    this.#of = this.#here;
    this.#mark();
    try {
      const last = await this.run(this.#of, line, ({ nodes, depth, seconds, shown }) => {
        progress.textContent = `${nodes.toLocaleString("en")} ${shown?.unit ?? "nodes"}, depth ${depth}, ${seconds.toFixed(1)} s`;
        if (shown) found.textContent = shown.answer ? shown.heading : `${shown.heading}\n${shown.rows}`;
        if (shown?.answer) this.#lines(shown.answer);
      }, stop.signal);
      const [record] = last?.records ?? [];
      found.textContent = record?.text ?? last?.error ?? "";
      progress.textContent = "";
      if (record?.answer) this.#lines(record.answer);
      this.querySelector(".files").replaceChildren(...written(last?.files ?? []));
    } catch (error) {
      progress.textContent = stop.signal.aborted ? "stopped" : error.message;
    }
    return stop.signal.aborted ? stop.signal.reason : null;
  }
}

customElements.define("ggp-analysis", Analysis);

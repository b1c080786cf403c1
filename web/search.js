// @ts-check
// A search step by step: its tree as it grows, with values, alpha and beta at each node, forward and back.
//
// Only the nodes that are in view have elements, so a tree may have as many nodes as the trace. A small search of the
// position is shown as soon as the view is; it follows the position until a person searches.

import { download } from "./files.js";
import "./options.js";
import { legend } from "./overview.js";
import { Port } from "./port.js";
import { WAITING } from "./pseudocode.js";
import { drawing, element, isChance, keyStep } from "./terms.js";
import { COLUMN, edge, estimateText, HEIGHT, ROW, SIDES, Trace, WIDTH } from "./trace.js";

/** The searches that tell their steps: for games of one role, and for games of several. */
const ONE = [
  ["Breadth-first search", "bfs"], ["Depth-first search", "dfs"], ["Iterative deepening", "ids"], ["A*", "astar --heuristic hadd"],
  ["Greedy search", "greedy --heuristic hadd"], ["IDA*", "ida --heuristic hadd"], ["Monte Carlo tree search", "mcts"],
];
const SEVERAL = [
  ["Alpha-beta", "alphabeta"], ["Minimax", "minimax"], ["Negamax", "negamax"], ["Iterative alpha-beta", "iterative"],
  ["Expectimax", "expectimax"], ["Max^n", "maxn"], ["Paranoid", "paranoid"],
  ["Monte Carlo tree search", "mcts"],
];
/** The number of events that are asked for; a search that has more is shown as far as they go. */
const EVENTS = 60_000;
/** The depth to which a search goes at first. */
const DEPTH = 3;
/** The limit of a search that a person begins with; a search by random games has visits and no depth. */
const limit = (line) => (line === "mcts" ? "--visits 60" : `--depth ${DEPTH}`);
/** The search that is shown before a person asks for one, and what is said of it. */
const small = (line) => (line === "mcts" ? ["--visits 20 --trace 4000", "twenty random games"] : ["--depth 2 --nodes 4000 --trace 4000", "two moves deep"]);
/** Searches whose nodes wait in a queue, which is listed. */
const QUEUED = /^(bfs|astar|greedy)\b/;
const queue = (line) => (QUEUED.test(line) ? ` --queue ${WAITING}` : "");
/** The least and greatest zoom. */
const [FAR, NEAR] = [0.15, 2];
/** What the signs mean. */
const LEGEND = [
  ["max", "▲", "maximising"], ["min", "▼", "minimising"], ["chance", "●", "chance"], ["best", "", "best line"], ["current", "", "this step"],
  ["cut", "✂", "pruned"], ["", "■", "game over"], ["", "↺", "seen before"], ["", "…", "beyond the depth"],
];
/** Rows beyond the view that are drawn as well. */
const BEYOND = 6;
/** The time between two steps that are shown by themselves, in milliseconds. */
const PACES = [["Slow", 1500], ["Medium", 350], ["Fast", 60]];

class Search extends HTMLElement {
  /** Runs a line of the prompt: `run(line, tell, signal)`; `glance` does so beside it, for small searches. */
  run = null;
  glance = null;
  /** The place in the match where a search begins. */
  start = () => null;
  #stop = null;
  #timer = 0;
  #trace = null;
  #step = 0;
  #chosen = null;
  #from = null;
  /** The elements of the nodes that are drawn. */
  #drawn = new Map();
  #isAsked = false;
  #zoom = 1;
  /** The part of the tree that is in view. */
  #port = null;
  /** The place whose small search is shown or runs, and whether a person has searched. */
  #seen = null;
  #glancing = null;
  #isOwn = false;

  connectedCallback() {
    const button = (sign, title, act) => element("button", { type: "button", title, "aria-label": title, onclick: act }, sign);
    const go = (step) => () => this.go(step());
    this.replaceChildren(
      element("form", { class: "bar", onsubmit: (event) => { event.preventDefault(); this.#toggle(); } },
        element("select", { id: "traced", "aria-label": "Search", onchange: () => this.#offer() }),
        element("button", { id: "trace" }, "Search"),
        element("ggp-options", {})),
      element("p", { class: "progress", role: "status" }),
      element("div", { class: "traced", hidden: true },
        element("div", { class: "bar", role: "group", "aria-label": "Steps", onkeydown: (event) => this.#stepKey(event) },
          button("|◀", "To the first step", go(() => 0)), button("◀", "One step back", go(() => this.#step - 1)),
          button("▶", "One step forward", go(() => this.#step + 1)), button("▶|", "To the last step", go(() => this.#trace.steps)),
          element("button", { type: "button", id: "pace", "aria-pressed": "false", onclick: () => this.#pace(!this.#timer) }, "Play"),
          element("select", { id: "stepping", "aria-label": "Speed", onchange: () => { if (this.#timer) this.#pace(true); } },
            ...PACES.map(([name, time]) => element("option", { value: time, selected: name === "Medium" }, name))),
          element("button", { type: "button", id: "film", title: "Save the search as an SVG picture that plays by itself", onclick: () => this.#film() }, "Film"),
          element("input", { type: "range", id: "step", "aria-label": "Step", min: "0", value: "0", oninput: (event) => this.go(Number(event.target.value)) }),
          element("output", { class: "count", for: "step" })),
        element("p", { class: "told", role: "status" }),
        element("ggp-pseudocode", {}),
        element("div", { class: "mapped" },
          element("div", { class: "explored", role: "tree", tabindex: "0", "aria-label": "The explored tree", onscroll: () => this.#later(), onkeydown: (event) => this.#key(event) },
            element("div", { class: "extent", role: "presentation" }, element("div", { class: "ground", role: "presentation" }))),
          element("div", { class: "below" }, element("div", { class: "keys" }, legend(LEGEND)))),
        element("div", { class: "chosen-node", role: "region", "aria-live": "polite", "aria-label": "The chosen node" })),
    );
    const lines = drawing("svg", { "aria-hidden": "true" }, ...["edges", "best"].map((kind) => drawing("path", { class: kind })));
    this.querySelector(".ground").append(lines);
    const explored = this.querySelector(".explored");
    this.#port = new Port(explored, {
      scrolls: true, least: FAR, most: NEAR,
      view: () => ({ x: explored.scrollLeft / this.#zoom, y: explored.scrollTop / this.#zoom, scale: this.#zoom }),
      look: (view) => this.#look(view),
      box: () => this.#box(),
    });
    this.#port.buttons.append(element("button", { type: "button", id: "fold", onclick: () => this.#foldAll() }, "Fold"));
    this.querySelector(".keys").prepend(this.#port.buttons);
    this.querySelector(".below").append(this.#port.map);
    new ResizeObserver(() => this.#later()).observe(explored);
    // What has changed while the view was hidden is searched when it is seen.
    new ResizeObserver(() => { if (this.clientHeight) this.#glance(); }).observe(this);
  }

  /** A position: its game has the searches that are offered. The tree of an earlier one stays. */
  show({ game, roles }) {
    const offered = roles.filter(({ role }) => !isChance(role)).length === 1 ? ONE : SEVERAL;
    const select = this.querySelector("#traced");
    if (this.game !== game) {
      this.#show(null);
      this.#isOwn = false;
    }
    if (this.game !== game || !select.options.length) {
      select.replaceChildren(...offered.map(([name, line]) => element("option", { value: line }, name)));
      this.#offer();
    }
    this.game = game;
    if (this.clientHeight) this.#glance();
  }

  /** Shows a small search of the position, unless a person has searched. */
  async #glance() {
    const from = this.start();
    const [search] = this.querySelector("#traced").selectedOptions;
    if (this.#isOwn || this.#stop || !from || from === this.#seen || !this.glance || !search) return;
    this.#glancing?.abort();
    const stop = (this.#glancing = new AbortController());
    this.#seen = from;
    const [options, told] = small(search.value);
    try {
      const { records: [record] = [] } = await this.glance(`${search.value} ${options}${queue(search.value)}`, () => {}, stop.signal);
      const trace = record?.answer?.trace;
      if (stop.signal.aborted || this.#isOwn || !trace?.events.length) return;
      this.#from = from;
      this.#show(new Trace(trace));
      this.go(this.#trace.steps);
      this.#reveal(this.#trace.treeAt(this.#step).root);
      this.querySelector(".progress").textContent = `A small search of this position: ${search.text}, ${told}.`;
    } catch {
      // The position is left, or there is no answer: a search that a person asks for tells what is wrong.
      if (!stop.signal.aborted) this.#seen = null;
    }
  }

  /** Shows the options of the chosen search. */
  #offer() {
    return this.querySelector("ggp-options").show(`${this.querySelector("#traced").value} ${limit(this.querySelector("#traced").value)}`);
  }

  /** Stops what is running. */
  stop() {
    this.#stop?.abort();
    this.#pace(false);
  }

  async #toggle() {
    if (this.#stop) return this.stop();
    this.#glancing?.abort();
    this.#isOwn = true;
    const { line: asked } = this.querySelector("ggp-options");
    const line = `${asked} --trace ${EVENTS}${queue(asked)}`;
    const [progress, button] = [".progress", "#trace"].map((name) => this.querySelector(name));
    const from = this.start();
    this.#stop = new AbortController();
    button.textContent = "Stop";
    try {
      const last = await this.run(line, ({ nodes, seconds }) => { progress.textContent = `${nodes.toLocaleString("en")} nodes, ${seconds.toFixed(1)} s`; }, this.#stop.signal);
      const [record] = last?.records ?? [];
      const trace = record?.answer?.trace;
      progress.textContent = trace?.events.length ? "" : record?.error ?? last?.error ?? "This search told no steps.";
      if (!trace?.events.length) return;
      this.#from = from;
      this.#show(new Trace(trace));
    } catch (error) {
      progress.textContent = error.name === "AbortError" ? "stopped" : error.message;
    } finally {
      this.#stop = null;
      button.textContent = "Search";
    }
  }

  #show(trace) {
    this.#pace(false);
    [this.#trace, this.#chosen] = [trace, null];
    this.querySelector(".traced").hidden = !trace;
    if (!trace) return;
    this.querySelector("#step").max = trace.steps;
    this.querySelector("ggp-pseudocode").trace = trace;
    this.#clear();
    this.go(0);
    this.querySelector(".explored").scrollTo(0, 0);
  }

  #clear() {
    for (const one of this.#drawn.values()) one.remove();
    this.#drawn.clear();
  }

  /** Shows the tree as it is after a step. */
  go(step) {
    const before = this.#trace.treeAt(this.#step);
    this.#step = Math.min(Math.max(step, 0), this.#trace.steps);
    const tree = this.#trace.treeAt(this.#step);
    if (tree !== before || !this.#drawn.size) this.#lay();
    if (tree !== before) {
      this.#clear();
      this.#chosen = null;
    }
    const slider = this.querySelector("#step");
    slider.value = this.#step;
    slider.setAttribute("aria-valuetext", `step ${this.#step} of ${this.#trace.steps}`);
    const more = this.#trace.leftOut && this.#step === this.#trace.steps ? `, and ${this.#trace.leftOut.toLocaleString("en")} more that were not kept` : "";
    this.querySelector(".count").textContent = `${this.#step.toLocaleString("en")} of ${this.#trace.steps.toLocaleString("en")}${more}`;
    this.querySelector(".told").textContent = this.#trace.told(this.#step);
    this.querySelector("ggp-pseudocode").at(this.#trace, this.#step);
    this.#reveal((this.#trace.nodeAt(this.#step) ?? tree.root).visible);
    this.#tell();
    this.#draw();
  }

  /** Saves the tree as a film. */
  async #film() {
    const { filmOf } = await import("./film.js");
    try {
      download("search.svg", filmOf(this.#trace, this.#step));
    } catch (error) {
      this.querySelector(".progress").textContent = error.message;
    }
  }

  #stepKey(event) {
    const by = keyStep(event);
    if (!by || event.target.id === "step") return;
    event.preventDefault();
    this.go(this.#step + by);
  }

  #pace(isOn) {
    clearInterval(this.#timer);
    this.#timer = isOn ? setInterval(() => { this.go(this.#step + 1); if (this.#step === this.#trace.steps) this.#pace(false); }, Number(this.querySelector("#stepping").value)) : 0;
    const button = this.querySelector("#pace");
    button.textContent = isOn ? "Pause" : "Play";
    button.setAttribute("aria-pressed", String(isOn));
  }

  /** Gives the tree its room, and its map. */
  #lay() {
    const tree = this.#trace.treeAt(this.#step);
    this.#extend();
    this.querySelector("#fold").textContent = tree.root.children.some(({ isFolded }) => isFolded) ? "Unfold" : "Fold";
    const style = getComputedStyle(this);
    const colours = Object.fromEntries([["max", "--accent"], ["min", "--problem"], ["chance", "--open"]].map(([kind, name]) => [kind, style.getPropertyValue(name)]));
    this.#port.map.draw(this.#box(), tree.columns.flatMap((column) => column.map((node) => [node.column * COLUMN, node.row * ROW, WIDTH, HEIGHT, colours[node.decides] ?? colours.max])));
  }

  /** Gives the tree the room that it has at this zoom. */
  #extend() {
    const tree = this.#trace.treeAt(this.#step);
    const [extent, ground] = [".extent", ".ground"].map((name) => this.querySelector(name));
    Object.assign(extent.style, { width: `${tree.columns.length * COLUMN * this.#zoom}px`, height: `${tree.rows * ROW * this.#zoom}px` });
    ground.style.transform = `scale(${this.#zoom})`;
  }

  /** The room of the tree that is shown. */
  #box() {
    const { columns, rows } = this.#trace.treeAt(this.#step);
    return { left: 0, top: 0, width: columns.length * COLUMN, height: rows * ROW };
  }

  /** Brings a part of the tree into view. */
  #look({ x, y, scale }) {
    this.#zoom = scale;
    this.#extend();
    this.querySelector(".explored").scrollTo({ left: x * scale, top: y * scale, behavior: "instant" });
    this.#draw();
  }

  /** Hides what is below a node, or shows it again. */
  #fold(node, isFolded = !node.isFolded) {
    if (!node.children.length) return;
    node.isFolded = isFolded;
    this.#folded(node);
  }

  /** Folds all moves of the position, or unfolds all that is folded. */
  #foldAll() {
    const { root } = this.#trace.treeAt(this.#step);
    const isFolded = !root.children.some((child) => child.isFolded);
    for (const node of this.#trace.nodes.values()) node.isFolded = isFolded && node.parent === root && node.children.length > 0;
    this.#folded(root);
  }

  #folded(node) {
    this.#trace.treeAt(this.#step).arrange();
    this.#clear();
    if (this.#chosen) this.#chosen = this.#chosen.visible;
    this.#lay();
    this.#reveal(node);
    this.#tell();
    this.#draw();
  }

  /** Scrolls so that a node is in view. */
  #reveal(node) {
    if (!node) return;
    const view = this.querySelector(".explored");
    const into = (at, size, from, shown) => (at < from ? at - 8 : at + size > from + shown ? at + size - shown : from);
    const { x, y, width, height } = this.#port.part;
    const top = into(node.row * ROW, HEIGHT + 20, y, height) * this.#zoom;
    const left = into(node.column * COLUMN, WIDTH + 20, x, width) * this.#zoom;
    if (top !== view.scrollTop || left !== view.scrollLeft) view.scrollTo({ top, left, behavior: "instant" });
  }

  #later() {
    if (this.#isAsked) return;
    this.#isAsked = true;
    requestAnimationFrame(() => {
      this.#isAsked = false;
      this.#draw();
    });
  }

  /** Draws what is in view. */
  #draw() {
    const view = this.querySelector(".explored");
    if (!this.#trace || !view.clientHeight) return;
    const tree = this.#trace.treeAt(this.#step);
    // Before the first step there is the position from which the search begins.
    const step = Math.max(this.#step, tree.root.born);
    const current = this.#trace.nodeAt(this.#step);
    const range = (from, size, unit, more) => [Math.floor(from / unit) - more, Math.ceil((from + size) / unit) + more];
    const port = this.#port.part;
    const [first, last] = range(port.y, port.height, ROW, BEYOND);
    const [left, right] = range(port.x, port.width, COLUMN, 1);
    this.#port.map.frame(port);
    const isOver = this.#trace.isOver(step);
    // A node slides along with its children, so that the line to what is in view is in view as well.
    const height = (node) => Math.max(node.row * ROW, Math.min(port.y, node.lastRow * ROW));
    const [edges, best, kept] = [[], [], new Set()];
    for (let column = Math.max(left, 0); column <= right && column < tree.columns.length; column += 1) {
      for (const node of tree.between(column, first, last)) {
        if (node.born > step) continue;
        kept.add(node);
        this.#node(node, height(node), { step, isCurrent: node === current, isBest: isOver && node.isBest });
        if (node.parent) (isOver && node.isBest ? best : edges).push(edge(node, height(node.parent), height(node)));
      }
    }
    for (const [node, one] of this.#drawn) {
      if (kept.has(node)) continue;
      one.remove();
      this.#drawn.delete(node);
    }
    const [edgePath, bestPath] = this.querySelectorAll(".ground path");
    edgePath.setAttribute("d", edges.join(""));
    bestPath.setAttribute("d", best.join(""));
  }

  /** The element of a node at a height, as it is after a step. */
  #node(node, y, { step, isCurrent, isBest }) {
    let one = this.#drawn.get(node);
    const isChosen = node === this.#chosen;
    const look = `${step} ${isCurrent} ${isChosen} ${isBest} ${node.isFolded}`;
    if (!one) {
      one = element("div", { role: "treeitem", id: `node-${node.id}`, onclick: () => this.#choose(node), ondblclick: () => this.#fold(node) });
      this.#drawn.set(node, one);
      this.querySelector(".ground").append(one);
    }
    if (one.y !== y) one.style.transform = `translate(${node.column * COLUMN}px, ${y}px)`;
    one.y = y;
    if (one.look === look) return;
    one.look = look;
    const { value, alpha, beta, games, marks, isExpanded } = node.at(step);
    const [sign, side] = SIDES[node.decides];
    one.className = ["node", node.decides, isCurrent && "current", isChosen && "picked", isBest && "best", ...marks.map(({ kind }) => kind)].filter(Boolean).join(" ");
    one.setAttribute("aria-level", node.column + 1);
    one.setAttribute("aria-selected", String(isChosen));
    if (node.children.length) one.setAttribute("aria-expanded", String(isExpanded && !node.isFolded));
    const estimate = node.soFar === undefined ? "" : `${node.soFar}+${node.toGo ?? "∞"}`;
    const below = games ?? (alpha === null ? estimate : `α ${alpha}  β ${beta}`);
    const shown = (name, kind, text) => element(name, { class: kind, "aria-hidden": "true" }, text);
    one.replaceChildren(
      element("span", { class: "hidden" }, inWords(node, step)),
      element("span", { class: "name", "aria-hidden": "true", title: `${side} node` }, `${sign} ${node.label}`), shown("b", "value", value ?? ""),
      shown("span", "window", below), shown("span", "mark", marks.map((mark) => mark.sign).join(" ")),
    );
    one.classList.toggle("inner", Boolean(node.children.length && isExpanded));
    if (!node.children.length || !isExpanded) return;
    const toggle = element("span", { class: "fold", "aria-hidden": "true", onclick: (event) => { event.stopPropagation(); this.#fold(node); } }, node.isFolded ? `+${node.size - 1}` : "−");
    one.append(toggle);
  }

  /** Arrow keys in the tree choose a node: its parent, its first child, and its neighbours in the same column; `-` and `+` fold. */
  #key(event) {
    const [step, tree] = [this.#step, this.#trace.treeAt(this.#step)];
    const at = (this.#chosen ?? this.#trace.nodeAt(step) ?? tree.root).visible;
    const column = tree.columns[at.column].filter(({ born }) => born <= step);
    const place = column.indexOf(at);
    const fold = { "-": true, "+": false }[event.key];
    if (fold !== undefined) {
      event.preventDefault();
      return this.#fold(at.visible, fold);
    }
    const chosen = {
      ArrowLeft: () => at.parent, ArrowRight: () => at.shown.find(({ born }) => born <= step),
      ArrowUp: () => column[place - 1], ArrowDown: () => column[place + 1],
      Home: () => tree.root, End: () => column.at(-1), Enter: () => at, " ": () => at,
    }[event.key]?.();
    if (!(event.key in { ArrowLeft: 1, ArrowRight: 1, ArrowUp: 1, ArrowDown: 1, Home: 1, End: 1, Enter: 1, " ": 1 })) return;
    event.preventDefault();
    if (chosen && chosen.born <= step) this.#choose(chosen);
  }

  #choose(node) {
    this.#chosen = node;
    this.#reveal(node);
    this.#draw();
    this.querySelector(".explored").setAttribute("aria-activedescendant", `node-${node.id}`);
    this.#tell();
  }

  /** Tells what is known of the chosen node. */
  #tell() {
    const [box, node] = [this.querySelector(".chosen-node"), this.#chosen];
    if (!node || node.born > this.#step) return box.replaceChildren(element("p", { class: "hint" }, "A click or the arrow keys choose a node; a double click, or - and +, fold the nodes below it."));
    const line = node.line.slice(1).map(({ label }) => label);
    const show = () => this.dispatchEvent(new CustomEvent("line", { detail: { from: this.#from, moves: node.line.slice(1).map(({ moves }) => moves) }, bubbles: true }));
    box.replaceChildren(
      element("p", {}, inWords(node, this.#step), node.probability === undefined ? "" : `; probability ${node.probability.toPrecision(3)}`),
      ...(line.length ? [element("p", {}, "Line: ", element("code", {}, line.join("; ")))] : []),
      element("div", { class: "bar" },
        element("button", { type: "button", onclick: () => this.go(node.born) }, "Where it was generated"),
        element("button", { type: "button", id: "visit", onclick: show }, "Show its position")),
    );
  }
}

/** A node after a step, in words. */
function inWords(node, step) {
  const { value, alpha, beta, games, marks } = node.at(step);
  const [, side] = SIDES[node.decides];
  const parts = [`node ${node.id}: ${node.label}, ${side}`, value === null ? "no value yet" : `value ${value}`];
  if (games !== null) parts.push(games);
  if (alpha !== null) parts.push(`alpha ${alpha}, beta ${beta}`);
  return parts.join(", ") + estimateText(node) + marks.map(({ text }) => `; ${text}`).join("");
}

customElements.define("ggp-search", Search);

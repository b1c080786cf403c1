// @ts-check
// The events of a search (`--trace`) as trees, and what is known of each node after each event.
//
// Every round of an iterative search is a tree of its own. The trees are laid out once, with all nodes that they will
// have, so that nothing moves while one steps: a column is a depth, a leaf has a row of its own, and any other node is
// in the row of its first child. Changes of a node are kept with their steps; its look at a step is the last of them.

/** The sign of a node by who decides in it, and its words. */
export const SIDES = { max: ["▲", "maximising"], min: ["▼", "minimising"], chance: ["●", "chance"] };
/** The place of a node: pixels of a row and of a column, and of a node. */
export const [ROW, COLUMN, HEIGHT, WIDTH] = [46, 176, 38, 148];

/** The line from a node to its parent, by their heights: across from the parent, down, and across. */
export function edge(node, above, y) {
  const from = node.parent.column * COLUMN + WIDTH;
  return `M${from},${above + HEIGHT / 2}H${from + 12}V${y + HEIGHT / 2}H${node.column * COLUMN}`;
}

/** The last of the entries `[step, …]`, ascending by step, that happened by then. */
function latest(entries, step) {
  let [from, to] = [0, entries.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (entries[middle][0] <= step) from = middle + 1;
    else to = middle;
  }
  return entries[from - 1];
}

const rounded = (value, digits = 1) => String(Math.round(value * 10 ** digits) / 10 ** digits);

/** A value as answers show it: of one role, or of each role. */
function valueText({ values, worths = [] }) {
  const shown = (worth) => String(worth.utility ?? (worth.estimate === undefined ? "?" : `≈${worth.estimate}`));
  return (worths.length ? worths.map(shown) : values.map((value) => (value === null ? "∞" : rounded(value, 3)))).join(" / ");
}

/** A node of the explored tree. */
class Node {
  /** @type {any[]} */
  children = [];
  /**
   * What happens to it later, with the step.
   * @type {[number, number, number][]}
   */
  windows = [];
  /** @type {[number, string][]} */
  values = [];
  /** @type {[number, string][]} */
  counts = [];
  /** @type {[number, {kind: string, sign: string, text: string}][]} */
  marks = [];
  row = 0;
  column = 0;
  isFolded = false;
  size = 1;
  expanded = Infinity;
  isBest = false;

  /**
   * @param {any} event
   * @param {Node | null} parent
   * @param {number} step
   */
  constructor(event, parent, step) {
    const { node: id, moves, depth, decides, so_far: soFar, to_go: toGo, probability } = event;
    this.id = id;
    this.parent = parent;
    this.moves = moves;
    this.depth = depth;
    this.decides = decides;
    this.soFar = soFar;
    this.toGo = toGo;
    this.probability = probability;
    this.born = step;
  }

  /** The moves to this node; the root is the position itself. */
  get label() {
    return this.parent ? this.moves.join(" ") : "start";
  }

  /** What is known after a step: its value, alpha and beta, the random games through it, and what happened to it. */
  at(step) {
    const [, value = null] = latest(this.values, step) ?? [];
    const [, alpha = null, beta = null] = latest(this.windows, step) ?? [];
    const [, games = null] = latest(this.counts, step) ?? [];
    const marks = this.marks.filter(([when]) => when <= step).map(([, mark]) => mark);
    return { value, alpha, beta, games, marks, isExpanded: this.expanded <= step };
  }

  /** The children that are shown: none of a node that is folded. */
  get shown() {
    return this.isFolded ? [] : this.children;
  }

  /** The row of its last child. */
  get lastRow() {
    return this.shown.at(-1)?.row ?? this.row;
  }

  /** The lowest of its line that no folded node hides. */
  get visible() {
    /** @type {Node} */
    let visible = this;
    for (let node = visible; node; node = node.parent) if (node.isFolded) visible = node;
    return visible;
  }

  /** Its ancestors and itself, the root first. */
  get line() {
    const line = [];
    for (let node = /** @type {Node} */ (this); node; node = node.parent) line.push(node);
    return line.reverse();
  }
}

/** One tree: that of a search, or of a round. */
class Tree {
  rows = 0;
  /** @type {Node[][]} */
  columns = [];

  /** @param {Node} root */
  constructor(root) {
    this.root = root;
    this.born = root.born;
  }

  /** Gives each node that is shown its row and column; `columns` has the nodes of each depth from top to bottom. */
  arrange() {
    [this.rows, this.columns] = [0, []];
    const open = [this.root];
    while (open.length) {
      const node = open.pop();
      node.column = node.parent ? node.parent.column + 1 : 0;
      node.row = this.rows;
      (this.columns[node.column] ??= []).push(node);
      const shown = node.shown;
      if (!shown.length) this.rows += 1;
      for (let index = shown.length - 1; index >= 0; index -= 1) open.push(shown[index]);
    }
  }

  /** The nodes of a column that lie in these rows, with the nearest one above and below. */
  between(column, first, last) {
    const nodes = this.columns[column] ?? [];
    const search = (row) => {
      let [from, to] = [0, nodes.length];
      while (from < to) {
        const middle = (from + to) >> 1;
        if (nodes[middle].row < row) from = middle + 1;
        else to = middle;
      }
      return from;
    };
    return nodes.slice(Math.max(search(first) - 1, 0), search(last + 1) + 1);
  }
}

/** A search as it happened. Steps count from 1; after step 0 nothing has happened. */
export class Trace {
  trees = [];
  nodes = new Map();
  /** Whether it is a search by random games. */
  isSampled = false;

  constructor({ events, left_out: leftOut, code = null }) {
    this.events = events;
    this.leftOut = leftOut;
    this.code = code;
    this.frontiers = [];
    events.forEach((event, index) => this.#add(event, index + 1));
    // The number of nodes in each subtree: a node is generated after its parent.
    for (const node of [...this.nodes.values()].reverse()) if (node.parent) node.parent.size += node.size;
    this.trees.forEach((tree) => tree.arrange());
  }

  #add(event, step) {
    if (event.event === "generated") {
      const parent = event.parent === null ? null : this.nodes.get(event.parent);
      const node = new Node(event, parent, step);
      this.nodes.set(node.id, node);
      if (parent) parent.children.push(node);
      else this.trees.push(new Tree(node));
      return;
    }
    const node = this.nodes.get(event.node);
    switch (event.event) {
      case "expanded":
        node.expanded = Math.min(node.expanded, step);
        if (event.alpha !== undefined) node.windows.push([step, event.alpha, event.beta]);
        break;
      case "narrowed":
        node.parent?.windows.push([step, event.alpha, event.beta]);
        break;
      case "valued":
        node.values.push([step, valueText(event)]);
        break;
      case "cut": {
        const count = event.left_out === null ? "" : ` ${event.left_out}`;
        node.marks.push([step, { kind: "cut", sign: `✂${count}`, text: cutText(event, node.at(step)) }]);
        break;
      }
      case "ended":
        node.marks.push([step, { kind: "ended", sign: "■", text: "the game is over" }]);
        break;
      case "repeated":
        node.marks.push([step, { kind: "repeated", sign: "↺", text: "this state has been reached before" }]);
        break;
      case "beyond":
        node.marks.push([step, { kind: "beyond", sign: "…", text: "beyond the horizon" }]);
        break;
      case "averaged":
        this.isSampled = true;
        node.counts.push([step, `${event.visits} ${event.visits === 1 ? "game" : "games"}`]);
        if (event.mean !== null) node.values.push([step, rounded(event.mean)]);
        break;
      case "frontier":
        this.frontiers.push([step, event.nodes]);
        break;
      case "best_line":
        event.nodes.forEach((id) => { const best = this.nodes.get(id); if (best) best.isBest = true; });
        break;
    }
  }

  get steps() {
    return this.events.length;
  }

  /** The tree that is being built at a step. */
  treeAt(step) {
    return this.trees.findLast(({ born }) => born <= step) ?? this.trees[0];
  }

  /** The node of a step, if it has one. */
  nodeAt(step) {
    return this.nodes.get(this.events[step - 1]?.node) ?? null;
  }

  /** The first nodes that wait after a step, with their keys in the queue; null in a search without one. */
  waitingAt(step) {
    if (!this.frontiers.length) return null;
    return latest(this.frontiers, step)?.[1] ?? [];
  }

  /** Whether the best line is known at a step. */
  isOver(step) {
    return this.events[step - 1]?.event === "best_line";
  }

  /** A step in words. */
  told(step) {
    const event = this.events[step - 1];
    if (!event) return "Nothing has happened yet.";
    const node = this.nodes.get(event.node);
    const name = node ? `node ${node.id}${node.parent ? `, ${node.label}` : ""}` : "";
    switch (event.event) {
      case "round": return `A round begins, to ${roundText(event)}.`;
      case "round_over": return `The round to ${roundText(event)} is over: ${event.nodes} nodes.`;
      case "generated": return `Generated: ${name}${node.parent ? `, below node ${node.parent.id}` : ", the position"}${estimateText(node)}.`;
      case "expanded": return `Expanded: ${name}${event.alpha === undefined ? "" : `, with alpha ${event.alpha} and beta ${event.beta}`}.`;
      case "legal": return `The moves of ${name}: ${event.moves.join(", ")}.`;
      case "ended": return `The game is over at ${name}${event.utility === null ? "" : `, with utility ${event.utility}`}.`;
      case "repeated": return `Not searched: ${name}; its state has been reached before.`;
      case "beyond": return `Not searched: ${name}; it is beyond the horizon.`;
      case "valued": return `The value of ${name} is ${valueText(event)}.`;
      case "narrowed": return `After ${name}, its parent has alpha ${event.alpha} and beta ${event.beta}.`;
      case "cut": return `Pruned below ${name}: ${cutText(event, node.at(step))}.`;
      case "selected": return `Gone on to ${name}${event.bound === null ? "" : `: no other move there has a greater bound, mean + C √(ln N/n), than ${rounded(event.bound)}`}.`;
      case "sampled": return `A random game from ${name} ends with ${event.utilities.map((utility) => rounded(utility)).join(" / ")}.`;
      case "averaged": return `Counted in ${name}: ${event.visits} ${event.visits === 1 ? "game" : "games"}${event.mean === null ? "" : ` with the mean ${rounded(event.mean)}`}.`;
      case "frontier": return `Waiting: ${event.nodes.map(([id]) => id).join(", ") || "no node"}.`;
      case "best_line": return `The search is over; the best line has ${event.nodes.length - 1} ${event.nodes.length === 2 ? "move" : "moves"}.`;
      default: return event.event;
    }
  }
}

const roundText = ({ depth, cost }) => (depth === undefined ? `cost ${cost}` : `depth ${depth}`);

/** Cost so far and to go, in searches with a heuristic. */
export function estimateText({ soFar, toGo }) {
  if (soFar === undefined) return "";
  return toGo === null ? `, g ${soFar}, no goal can be reached` : `, g ${soFar} + h ${toGo} = ${soFar + toGo}`;
}

/** What is left out below a node, and why: by the bounds of the node when that happens. */
function cutText({ left_out: leftOut, reason }, { alpha, beta }) {
  const what = leftOut === null ? "the other moves are" : leftOut === 1 ? "1 move is" : `${leftOut} moves are`;
  const why = {
    beta: `the value here is at least ${alpha}, and min has ${beta} elsewhere, so min does not let it come to this`,
    alpha: `the value here is at most ${beta}, and max has ${alpha} elsewhere, so max does not choose this`,
    best: "no utility is greater than what is found",
  }[reason];
  return `${what} left out, since ${why}`;
}

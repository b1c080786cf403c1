// @ts-check
// The boards of a position. A move that carries a piece is made by picking the piece up and putting it down, by two clicks or
// a drag; another move by a click on its square. If several moves remain, further clicks on squares that they change choose
// among them. Arrow keys move between squares.

import { Plan } from "./ahead.js";
import { animate, standing } from "./motion.js";
import { drawn } from "./pieces.js";
import { drawing, element } from "./terms.js";

/** The height of a row of hexagons, in sides; the space for a title, for the names of stacks and between boards, in pixels. */
const [HEX, TITLE, FEET, GAP] = [0.866, 26, 26, 16];
/** The greatest side of a square, of a card and of a node of a tree, as shares of the room, and the least, in pixels. */
const [LARGEST, CARD, NODE, SMALLEST] = [0.5, 0.34, 0.13, 14];
/** The height of a board, as a share of its width, up to which the tools have more room below it than beside it. */
const LOW = 0.5;
/** The least side of a square whose label does not cover its piece, in pixels; with a label of several letters, and in hollows. */
const [LABELLED, LONG, NAMED_PIT] = [32, 48, 60];

/** The pixels that a pointer moves before a click becomes a drag. */
const SLACK = 6;

/** Hollows hold at least so many things side by side; in these and on cards the label is a part of the square. */
const IN_PIT = 3;
const [PITS, NAMED] = [["pit", "store"], ["pit", "store", "card"]];
/** The shapes that show the text of their square. */
const WITH_TEXT = ["tile", "node"];

/**
 * What is drawn behind what stands on a square; nothing is said of a free one.
 * @param {import("./answers").Square} square
 */
const kindOf = ({ ground = "open" }) => (typeof ground === "string" ? ground : "disc");

/** What stands on a square: a shape, or a sign; a tile has both, and several shapes share the square. */
export function piece({ text, colour, pictogram, pieces = [], ground }) {
  if (pieces.length) {
    const made = element("span", { class: "piece several" }, ...pieces.map(drawn));
    made.style.setProperty("--across", String(Math.max(Math.ceil(Math.sqrt(pieces.length)), PITS.includes(ground) ? IN_PIT : 1)));
    return made;
  }
  if (pictogram && !WITH_TEXT.includes(pictogram.shape)) return element("span", { class: "piece" }, drawn(pictogram));
  const made = element("span", { class: "piece" }, pictogram ? drawn(pictogram) : null, element("span", {}, text));
  if (pictogram) made.classList.add("tile");
  made.style.setProperty("--letters", String(Math.max(text.length, 1)));
  if (colour && !pictogram) made.style.setProperty("--piece", colour);
  return made;
}

/** The part of a line that is left out at its end. */
const SHORTER = 0.14;

/** The lines between squares, below what stands on them. */
function links({ links: all = [], squares }, isFlipped = false) {
  if (!all.length) return null;
  const [across, down] = [squares[0].length, squares.length];
  const middle = ([row, column]) => (isFlipped ? [across - column - 0.5, down - row - 0.5] : [column + 0.5, row + 0.5]).map((one) => one * 100);
  const made = drawing("svg", { class: "branches", viewBox: `0 0 ${across * 100} ${down * 100}`, "aria-hidden": "true" });
  for (const { from, to, text } of all) {
    const [[x, y], [toX, toY]] = [middle(from), middle(to)];
    // It ends where what stands on the other square begins.
    // Its words are as far from there as they are where the squares are two rows apart.
    const far = Math.max(2, Math.abs(to[0] - from[0]));
    const [ends, words] = [1 - (2 * SHORTER) / far, 1 - 0.92 / far];
    made.append(drawing("path", { d: `M${x},${y}L${x + (toX - x) * ends},${y + (toY - y) * ends}` }), drawing("text", { x: x + (toX - x) * words, y: y + (toY - y) * words + 11 }, text ?? ""));
  }
  return made;
}

/** Whether squares are hexagons, and the most half squares by which a row of them is further to the right. */
const isHex = ({ shifts }) => shifts.length > 0;
const halves = ({ shifts }) => Math.max(0, ...shifts);

/** A small picture of a board, which has this room. */
export function miniature(grid, width, height) {
  const [across, down] = [grid.squares[0].length, grid.squares.length];
  const ratio = grid.is_wide ? 3 : 1;
  const shift = halves(grid) / 2;
  const square = (one, row, column) => {
    const ground = kindOf(one);
    const made = element("div", { class: `square ${ground === "open" ? "" : ground} ${(row + column) % 2 ? "odd" : ""}` }, one.text ? piece(one) : null);
    if (ground === "disc") made.style.setProperty("--disc", `${one.ground.disc}%`);
    return made;
  };
  const lines = grid.squares.map((squares, row) => {
    const made = element("div", { class: "row" }, ...squares.map((one, column) => square(one, row, column)));
    if (isHex(grid)) made.style.setProperty("--shift", String(grid.shifts[row]));
    return made;
  });
  const made = element("div", { class: `squares ${isHex(grid) ? "hex" : grid.is_wide ? "wide" : ""}` }, links(grid), ...lines);
  made.style.setProperty("--side", `${Math.max(Math.min(width / (across * ratio + shift), height / down, 40), 3)}px`);
  return made;
}

const isSame = (one, other) => String(one) === String(other);

/** The squares of a move that can be clicked after some others: where its piece is, where that goes, then all that it changes. */
function next({ squares, carried, placed }, chosen) {
  if (carried.length) {
    if (!chosen.length) return carried.map(([from]) => from);
    if (chosen.length === 1) return carried.filter(([from]) => isSame(from, chosen[0])).map(([, to]) => to);
  } else if (!chosen.length) {
    return placed;
  }
  // A square that a piece has left may be meant again: an arrow can be shot there.
  const used = chosen.slice(carried.length ? 1 : 0);
  return squares.filter((place) => !used.some((one) => isSame(one, place)));
}

class Board extends HTMLElement {
  /** @type {import("./answers").PositionView | null} */
  #view = null;
  /**
   * The legal moves with their squares; `null` while they are not known.
   * @type {import("./answers").MoveTarget[] | null}
   */
  #targets = null;
  #chosen = [];
  /** The square that was clicked before the targets were known. */
  #early = null;
  /** Whether a position of this game had a choice of where a piece goes, so that a click only picks it up. */
  #hasDestinations = false;
  /** Whether a position of this game had a choice among pieces, so that none is picked up by itself. */
  #hasPieces = false;
  /** The square of the only piece that moves, which is always picked up. */
  #alone = null;
  /** What stands there. */
  #mover = null;
  #isFlipped = false;
  /** Whether moves name the row of a square before its column. */
  #isRowFirst = false;
  /** The width and height that the boards may have, in pixels: asking for them anew would lay the page out. */
  #room = null;
  /** Whether the last move was made by a drag, whose piece is where it was dropped. */
  #isDropped = false;
  /** Whether the keyboard, and not the mouse, is used on the squares. */
  #isByKey = true;
  /** What may stand on the squares that the viewer does not know, in words, by their places. */
  #possible = new Map();
  /** What is drawn over the squares, once something is. */
  #shapes = null;
  /** Whether others think, so that clicks plan a move; the plan, and whether pieces are moved in this game. */
  isAhead = false;
  #plan = new Plan();
  #isCarrying = false;
  /** Whether clicks ask about squares, and make no moves. */
  isAsking = false;
  /** The role for which clicks make moves. */
  role = null;

  connectedCallback() {
    new ResizeObserver(([{ contentRect: { width, height } }]) => {
      this.#room = [width, height];
      this.#fit();
    }).observe(this);
    this.addEventListener("pointerdown", (event) => {
      this.#isByKey = false;
      if (event.button === 2 && event.pointerType === "mouse") return this.#sketch(event);
      this.#shapes?.then((shapes) => shapes.clear());
      this.#drag(event);
    });
    document.addEventListener("keydown", ({ key }) => { if (key === "Tab" || key === "Enter") this.#isByKey = true; });
  }

  /** What is drawn over the squares, which is loaded for the first shape. */
  #drawing() {
    this.#shapes ??= import("./shapes.js").then(({ Shapes }) => new Shapes(this));
    return this.#shapes;
  }

  /** Draws an arrow, or a circle, with the right button of the mouse. */
  async #sketch(down) {
    const squareAt = ({ clientX, clientY }) => document.elementsFromPoint(clientX, clientY).map((one) => one.closest("[data-place]")).find(Boolean)?.dataset.place;
    const from = squareAt(down);
    if (!from) return;
    const stop = new AbortController();
    let to = from;
    this.addEventListener("contextmenu", (event) => event.preventDefault(), { once: true });
    addEventListener("pointermove", (event) => {
      to = squareAt(event);
      this.#drawing().then((shapes) => { if (!stop.signal.aborted) shapes.sketch(from, to ?? from); });
    }, { signal: stop.signal });
    const [up] = await Promise.all([
      new Promise((resolve) => { for (const name of ["pointerup", "pointercancel"]) addEventListener(name, resolve, { signal: stop.signal }); }),
      this.#drawing(),
    ]);
    stop.abort();
    const shapes = await this.#drawing();
    if (up.type === "pointerup" && to) shapes.toggle(from, to);
    else shapes.sketch(null, null);
  }

  /** Shows a legal move as a hint on the board. */
  async propose(role, move) {
    const target = this.#targets?.find((one) => one.role === role && one.move === move);
    if (!target) return;
    const places = target.placed.length ? target.placed : target.squares;
    (await this.#drawing()).hint(target.carried.length ? target.carried.map((pair) => pair.map(String)) : places.map((place) => [String(place), String(place)]));
  }

  /** Shows a position without targets, until they are known. */
  show(view) {
    const isSameGame = this.#view?.game === view.game;
    // A plan is for the moves that follow, and not for other places of the match.
    if (!isSameGame || view.ply !== this.#view.ply + 1) this.#plan.drop();
    if (!isSameGame) this.#isCarrying = false;
    this.#shapes?.then((shapes) => shapes.clear());
    const before = isSameGame ? standing(this.#view.grids) : null;
    if (!isSameGame) [this.#hasDestinations, this.#hasPieces, this.#isRowFirst, this.#mover] = [false, false, false, null];
    [this.#view, this.#targets, this.#chosen, this.#early, this.#alone] = [view, null, [], null, null];
    this.#draw();
    if (before && !this.#isDropped) animate(this, before, standing(view.grids));
    this.#isDropped = false;
  }

  /** Sets the squares of each move of a person. A piece is picked up if it is the only one of the game that moves. */
  aim(targets, isCarrying) {
    this.#targets = targets;
    this.#isCarrying ||= isCarrying;
    const carrying = this.#own.filter(({ carried }) => carried.length);
    const sources = new Set(carrying.flatMap(({ carried }) => carried.map(([from]) => String(from))));
    const ends = carrying.map(({ carried }) => new Set(carried.map(([, to]) => String(to))));
    const [first = new Set()] = ends;
    // The tiles of a sliding puzzle have one place to go, and so need one click.
    const isSwap = ({ squares, carried }) => new Set([...squares, ...carried.flat()].map(String)).size === 2;
    const isShared = carrying.every(isSwap) && [...first].some((to) => ends.every((all) => all.has(to)));
    this.#hasDestinations ||= carrying.length > 0 && (!isShared || sources.size < carrying.length);
    this.#hasPieces ||= sources.size > 1 && !this.#common.length;
    this.#order();
    this.#alone = this.#only();
    this.#choose([]);
    const early = this.#early;
    this.#early = null;
    if (early) {
      this.#tell("");
      this.#click(early);
    } else if (this.#own.length && this.#plan.isWhole) {
      this.#follow(this.#plan.drop());
    }
  }

  /** Makes the move that was planned, if it is legal now. */
  #follow(squares) {
    let chosen = this.#alone && squares.length === 1 ? [this.#alone] : [];
    for (const place of squares) {
      this.#chosen = chosen;
      chosen = [...chosen, this.#meant(place)];
    }
    const moves = this.#moves(chosen);
    this.#choose([]);
    if (moves.length) return this.#advance(chosen, moves);
    this.#tell("The planned move is not legal here.");
  }

  /** Keeps a click for the time when the person can move. */
  #planAt(place) {
    const [board, row, column] = place;
    const isPiece = this.#isCarrying && Boolean(this.#view.grids[board].squares[row][column].text);
    this.#plan.click(place, isPiece);
    this.#mark();
    const { squares, isWhole } = this.#plan;
    if (isWhole) this.#tell(`Planned: ${squares.map((one) => this.nameOf(one)).join(" – ")}. It is played if it is legal then; another click drops it.`);
    else this.#tell("");
  }

  /** Names the squares by their coordinates in the order in which moves name them, as far as moves tell. */
  #order() {
    let order = 0;
    for (const { move, carried, placed } of this.#own) {
      const [place] = carried.length ? carried[0] : placed;
      const grid = place && this.#view.grids[place[0]];
      const [row, column] = [grid?.rows[place?.[1]], grid?.columns[place?.[2]]];
      if (!row || !column || row === column) continue;
      const words = move.split(/[(), ]+/);
      order += words.some((word, index) => word === row && words[index + 1] === column) ? 1 : 0;
      order -= words.some((word, index) => word === column && words[index + 1] === row) ? 1 : 0;
    }
    const isRowFirst = order > 0 || (order === 0 && this.#isRowFirst);
    if (isRowFirst === this.#isRowFirst) return;
    this.#isRowFirst = isRowFirst;
    this.#label();
  }

  /** Names the squares. */
  #label() {
    for (const button of this.querySelectorAll("button[data-place]")) {
      const [board, row, column] = button.dataset.place.split(",").map(Number);
      const grid = this.#view.grids[board];
      const possible = this.#possible.get(button.dataset.place);
      button.setAttribute("aria-label", this.#words(grid.squares[row][column], row, column, grid, possible));
      button.title = possible ?? "";
    }
  }

  /** A square in words: where it is, and what stands there, or may stand there. */
  #words(square, row, column, grid, possible = "") {
    const coordinates = [grid.columns[column], grid.rows[row]];
    const name = (this.#isRowFirst ? coordinates.reverse() : coordinates).filter(Boolean).join(", ") || square.label;
    const what = [square.text, possible].filter(Boolean).join("; ") || "empty";
    return [name, kindOf(square) === "wall" ? "wall" : what].filter(Boolean).join(": ");
  }

  /** The squares from which each move takes a piece: another piece may change places with one of them. */
  get #common() {
    const shown = this.#own.filter(({ carried, placed }) => carried.length || placed.length);
    const [first = [], ...others] = shown.map(({ carried }) => carried.map(([from]) => String(from)));
    return first.filter((from) => others.every((sources) => sources.includes(from)));
  }

  /** The square of the only piece that moves, if no position of the game had several. */
  #only() {
    const squares = this.#common.map((one) => one.split(",").map(Number));
    const textAt = (/** @type {number[]} */ [board, row, column]) => this.#view?.grids[board].squares[row][column].text;
    // Where two change places, it is the one that has moved before.
    const one = squares.length > 1 ? squares.find((square) => textAt(square) === this.#mover) : squares[0];
    if (!one || this.#hasPieces) return null;
    this.#mover = textAt(one);
    return one;
  }

  /** Marks the squares of a move, or none. */
  hint(move) {
    const squares = new Set((this.#targets ?? []).filter((target) => target.move === move).flatMap(({ squares: own }) => own.map(String)));
    for (const button of this.querySelectorAll("button[data-place]")) button.classList.toggle("target", squares.has(button.dataset.place));
  }

  /** Marks the squares on which a reason is seen. */
  mark(squares) {
    const wanted = new Set(squares.map(String));
    for (const button of this.querySelectorAll("[data-place]")) button.classList.toggle("reason", wanted.has(button.dataset.place));
  }

  /** The name of a square in words. */
  nameOf([board, row, column]) {
    const grid = this.#view.grids[board];
    return this.#words(grid.squares[row][column], row, column, grid, this.#possible.get(String([board, row, column])));
  }

  /** Turns the boards round. */
  flip() {
    this.#isFlipped = !this.#isFlipped;
    if (this.#view) this.#draw();
  }

  #draw() {
    const { grids, changed, is_over: isOver, known } = this.#view;
    this.#possible = new Map();
    const last = new Set(changed.map(String));
    const focused = this.contains(document.activeElement) ? document.activeElement.dataset?.place : null;
    this.replaceChildren(...grids.map((grid, board) => this.#board(grid, board, last)));
    this.classList.toggle("over", isOver);
    const [first, ...others] = this.querySelectorAll("figure");
    // A single board that is wider than high needs less height.
    const height = first && !others.length ? Math.min(first.down / first.across, 1) : 1;
    const page = this.closest("main");
    page.style.setProperty("--height", String(height));
    page.classList.toggle("low", !this.hidden && height <= LOW && first.largest === LARGEST);
    this.#fit();
    this.#mark();
    if (known?.beliefs.length) this.#shade(known.beliefs);
    // Drawing anew must not take the focus from the square.
    if (focused) (this.querySelector(`[data-place="${focused}"]`) ?? this).focus({ preventScroll: true });
  }

  /** Shows what may stand on the squares that the viewer does not know. */
  async #shade(beliefs) {
    const { shade } = await import("./faint.js");
    if (this.#view?.known?.beliefs !== beliefs) return;
    this.#possible = shade(this, beliefs);
    this.#label();
  }

  #board(grid, board, last) {
    const [width, height] = [grid.squares[0]?.length ?? 0, grid.squares.length];
    const turned = (all) => (this.#isFlipped ? [...all].reverse() : all);
    const lines = turned(grid.squares.map((squares, row) => {
      const made = element("div", { class: "row" }, ...turned(squares.map((square, column) => this.#square(square, [board, row, column], grid, last))));
      if (isHex(grid)) made.style.setProperty("--shift", String(this.#isFlipped ? halves(grid) - grid.shifts[row] : grid.shifts[row]));
      return made;
    }));
    const squares = element("div", { class: ["squares", isHex(grid) ? "hex" : grid.is_wide ? "wide" : ""].join(" "), role: "group", "aria-label": grid.title || this.#view.game }, links(grid, this.#isFlipped), ...lines);
    // Labels stand in the squares at two edges, so that the board can use all of its room.
    const bottom = turned(grid.squares.map((_, row) => row)).at(-1);
    const left = this.#isFlipped ? width - 1 : 0;
    const label = (row, column, text, side) => {
      if (!text) return;
      const isOnWall = kindOf(grid.squares[row][column]) === "wall";
      const made = element("span", { class: `label ${side}${isOnWall ? " on-wall" : ""}`, "aria-hidden": "true" }, text);
      made.style.setProperty("--column", this.#isFlipped ? width - 1 - column : column);
      lines[this.#isFlipped ? height - 1 - row : row].append(made);
    };
    grid.rows.forEach((text, row) => label(row, left, text, "at-side"));
    const kinds = new Set(grid.squares.flat().map(kindOf));
    // The discs of a stack would cover its name.
    const hasFeet = kinds.has("pole") || kinds.has("disc");
    if (hasFeet) squares.append(element("div", { class: "feet", "aria-hidden": "true" }, ...turned(grid.columns.map((name) => element("span", {}, name)))));
    else grid.columns.forEach((text, column) => label(bottom, column, text, "at-bottom"));
    grid.squares.forEach((squares, row) => squares.forEach((square, column) => { if (!NAMED.includes(kindOf(square))) label(row, column, square.label, isHex(grid) ? "at-top" : "at-side"); }));
    const figure = element("figure", {}, grid.title ? element("figcaption", {}, grid.title) : null, squares);
    const hasLongLabels = [...grid.rows, ...grid.columns].some(({ length }) => length > 2);
    const labelled = kinds.has("pit") ? NAMED_PIT : hasLongLabels ? LONG : LABELLED;
    const largest = grid.links ? NODE : kinds.has("card") ? CARD : LARGEST;
    Object.assign(figure, { labelled, largest, beside: (grid.title ? TITLE : 0) + (hasFeet ? FEET : 0), across: width * (grid.is_wide ? 3 : 1) + halves(grid) / 2, down: isHex(grid) ? height * HEX + HEX / 3 : height });
    return figure;
  }

  /** Gives the squares the greatest size with which all boards have room. */
  #fit() {
    const figures = [...this.querySelectorAll("figure")];
    const [width, height] = (this.#room ??= [this.clientWidth, this.clientHeight]);
    if (!figures.length || !width || !height) return;
    const count = figures.length;
    const sides = (columns) => figures.map(({ across, down, largest, beside }) => {
      const [wide, high] = [(width - GAP * (columns - 1)) / columns, (height - GAP * (Math.ceil(count / columns) - 1)) / Math.ceil(count / columns) - beside];
      return Math.min(wide / across, high / down, Math.max(width, height) * largest);
    });
    const area = (all) => all.reduce((sum, side, index) => sum + side * side * figures[index].across * figures[index].down, 0);
    const choices = figures.map((_, index) => sides(index + 1));
    const best = choices.reduce((best, one) => (area(one) > area(best) ? one : best));
    figures.forEach((figure, index) => {
      const side = Math.max(Math.floor(best[index] * 4) / 4, SMALLEST);
      figure.style.setProperty("--side", `${side}px`);
      figure.classList.toggle("small", side < figure.labelled);
    });
    this.style.setProperty("--boards", String(choices.indexOf(best) + 1));
    this.#shapes?.then((shapes) => shapes.draw());
  }

  #square(square, place, grid, last) {
    const [, row, column] = place;
    const kind = kindOf(square);
    const words = this.#words(square, row, column, grid);
    const breaks = [(grid.row_breaks ?? []).includes(row) ? "row-break" : "", (grid.column_breaks ?? []).includes(column) ? "column-break" : ""];
    const at = { "data-place": place.join(","), class: ["square", kind, (row + column) % 2 ? "odd" : "", ...breaks, last.has(String(place)) ? "last" : ""].join(" ") };
    if (kind === "outside" || kind === "wall") return element("div", at, element("span", { class: "hidden" }, words));
    const button = element("button", {
      ...at,
      type: "button",
      "aria-label": words,
      tabindex: "-1",
      onclick: () => this.#click(place),
      onkeydown: (event) => this.#step(event, place),
      onpointerenter: () => this.#hover(place),
      onpointerleave: () => this.#hover(null),
    });
    if (kind === "disc") button.style.setProperty("--disc", `${square.ground.disc}%`);
    if (NAMED.includes(kind)) {
      const named = square.label ?? "";
      // Small hollows show how many things are in them, and not their names.
      const [, whose, count] = PITS.includes(kind) && /^(.*: )(\d+)$/.exec(named) || [null, "", named];
      const label = element("span", { class: "name" }, whose ? element("span", { class: "whose" }, whose) : null, count);
      label.style.setProperty("--letters", String(named.length));
      button.append(label, " ");
    }
    if (square.text) button.append(piece(square));
    return button;
  }

  get #own() {
    return (this.#targets ?? []).filter((target) => !this.role || target.role === this.role);
  }

  /** The moves that these clicks can still mean. */
  #moves(chosen) {
    return this.#own.filter((target) => chosen.every((place, index) => next(target, chosen.slice(0, index)).some((one) => isSame(one, place))));
  }

  /** The squares that can be clicked next. */
  get #open() {
    return this.#moves(this.#chosen).flatMap((target) => next(target, this.#chosen));
  }

  #mark() {
    const open = new Set(this.#open.map(String));
    const chosen = new Set(this.#chosen.map(String));
    const held = new Set(this.#moves([]).flatMap(({ carried }) => carried.map(([from]) => String(from))));
    const planned = new Set(this.#plan.squares.map(String));
    const buttons = [...this.querySelectorAll("button[data-place]")];
    this.classList.toggle("picked", chosen.size > 0);
    for (const button of buttons) {
      const place = button.dataset.place;
      button.classList.toggle("open", open.has(place));
      button.classList.toggle("held", held.has(place));
      button.classList.toggle("chosen", chosen.has(place));
      button.classList.toggle("planned", planned.has(place));
      button.setAttribute("aria-disabled", String(!open.has(place) && !held.has(place)));
    }
    const focus = buttons.find((button) => button === document.activeElement) ?? buttons.find((button) => open.has(button.dataset.place)) ?? buttons[0];
    buttons.forEach((button) => button.setAttribute("tabindex", button === focus ? "0" : "-1"));
  }

  #hover(place) {
    const moves = place && this.#targets ? this.#moves([...this.#chosen, this.#meant(place)]) : [];
    const squares = new Set(moves.flatMap(({ squares }) => squares.map(String)));
    for (const button of this.querySelectorAll("button[data-place]")) {
      button.classList.toggle("target", squares.has(button.dataset.place));
    }
  }

  /** A piece that is drawn to another square: as if both had been clicked, whatever was picked up before. */
  #drag(down) {
    const from = down.target.closest(this.isAhead && this.#isCarrying ? "button.square:has(.piece)" : "button.held:has(.piece)");
    if (!from || down.button !== 0) return;
    const place = (square) => square.dataset.place.split(",").map(Number);
    const piece = from.querySelector(".piece");
    const stop = new AbortController();
    let isDragged = false;
    const move = ({ clientX, clientY }) => {
      const [across, along] = [clientX - down.clientX, clientY - down.clientY];
      if (!isDragged && Math.hypot(across, along) < SLACK) return;
      // Even a piece with a single move makes it only where it is dropped.
      if (!isDragged && this.isAhead) {
        this.#plan.drop();
        this.#planAt(place(from));
      } else if (!isDragged) {
        this.#choose([place(from)]);
      }
      isDragged = true;
      from.classList.add("moving");
      piece.style.transform = `translate(${across}px, ${along}px)`;
    };
    const drop = ({ clientX, clientY, type }) => {
      stop.abort();
      if (!isDragged) return;
      from.classList.remove("moving");
      piece.style.transform = "";
      // The click that ends the drag is none.
      addEventListener("click", (event) => event.stopPropagation(), { capture: true, once: true });
      setTimeout(() => dispatchEvent(new Event("click")), 0);
      const to = type === "pointerup" ? document.elementsFromPoint(clientX, clientY).map((one) => one.closest("button.square")).find((one) => one && one !== from) : null;
      this.#isDropped = Boolean(to) && !this.isAhead;
      if (to) return this.#click(place(to));
      this.#plan.drop();
      this.#choose([]);
    };
    for (const [name, act] of [["pointermove", move], ["pointerup", drop], ["pointercancel", drop]]) addEventListener(/** @type {"pointermove"} */ (name), /** @type {(event: PointerEvent) => void} */ (act), { signal: stop.signal });
  }

  /** Keeps clicked squares; without any, the only piece that moves is picked up. */
  #choose(places) {
    this.#chosen = places.length || !this.#alone ? places : [this.#alone];
    this.#mark();
  }

  #tell(text) {
    this.dispatchEvent(new CustomEvent("told", { detail: text, bubbles: true }));
  }

  #click(place) {
    if (this.isAsking) return this.dispatchEvent(new CustomEvent("why", { detail: place, bubbles: true }));
    if (this.#view.is_over) return this.#tell("The game is over. Go back, or begin another match.");
    if (!this.#targets) {
      this.#early = place;
      return this.#tell("The legal moves are not known yet; the click waits for them.");
    }
    if (this.isAhead) return this.#planAt(place);
    place = this.#meant(place);
    const chosen = [...this.#chosen, place];
    const moves = this.#moves(chosen);
    if (moves.length) return this.#advance(chosen, moves);
    if (this.#chosen.length && !this.#alone) {
      // A click elsewhere lets go, or picks another piece up; it makes no other move.
      const isOther = !isSame(place, this.#chosen[0]) && this.#moves([place]).some(({ carried }) => carried.length);
      return isOther ? this.#advance([place], this.#moves([place])) : this.#choose([]);
    }
    if (this.#alone) this.#choose([]);
    this.dispatchEvent(new CustomEvent("nomove", { detail: place, bubbles: true }));
    const hasPieces = !this.#alone && this.#own.some(({ carried }) => carried.length);
    this.#tell(hasPieces ? "No legal move begins on this square. Click a piece first; “Explain” tells why a move is not legal." : "No legal move changes this square. “Explain” tells why a move is not legal.");
  }

  /** Makes the move that the clicks mean, or keeps them if several moves remain or a piece is only picked up. */
  #advance(chosen, moves) {
    const isPick = moves.some(({ carried }) => carried.length) && chosen.length === 1;
    if (moves.length === 1 && (!isPick || !this.#hasDestinations)) return this.#make(moves[0]);
    const left = moves.map((target) => next(target, chosen).map(String).sort().join(" "));
    const done = moves.filter((_, index) => !left[index]);
    if (done.length === 1) return this.#make(done[0]);
    const isClear = isPick || (!done.length && new Set(left).size > 1);
    if (!isClear) return this.dispatchEvent(new CustomEvent("choices", { detail: moves, bubbles: true }));
    this.#choose(chosen);
  }

  #make(target) {
    this.dispatchEvent(new CustomEvent("move", { detail: target, bubbles: true }));
  }

  /** The square that a click on this one means: another of its column, if that is a pole, or if things fall there. */
  #meant(place) {
    const [board, row, column] = place;
    const open = new Map(this.#open.map((one) => [String(one), one]));
    if (open.has(String(place)) || this.#chosen.some((one) => isSame(one, place))) return place;
    const isPole = ["pole", "disc"].includes(kindOf(this.#view.grids[board].squares[row][column]));
    if (!isPole && !this.#isFalling(board)) return place;
    const [one, ...others] = [...open.values()].filter((other) => other[0] === board && other[2] === column);
    return one && !others.length ? one : place;
  }

  /** Whether moves let things fall: none names a row, and each column has at most one, on its lowest free square. */
  #isFalling(board) {
    const { squares } = this.#view.grids[board];
    const falls = (/** @type {import("./answers").MoveTarget} */ { move, placed: [place, ...others] }) => place && !others.length && place[0] === board && !move.includes(",")
      && squares.every((row, down) => !row[place[2]].text === (down <= place[1]));
    const moves = this.#own;
    return moves.every(falls) && new Set(moves.map(({ placed: [place] }) => place[2])).size === moves.length;
  }

  #step(event, [board, row, column]) {
    // After a click of the mouse arrow keys go through the match.
    if (!this.#isByKey && event.key.startsWith("Arrow")) {
      const name = { ArrowLeft: "back", ArrowRight: "forth" }[event.key];
      if (name) this.dispatchEvent(new CustomEvent("stepped", { detail: name, bubbles: true }));
      return event.preventDefault();
    }
    const way = this.#isFlipped ? -1 : 1;
    const steps = { ArrowUp: [-way, 0], ArrowDown: [way, 0], ArrowLeft: [0, -way], ArrowRight: [0, way] };
    const step = steps[event.key];
    if (!step) {
      if (event.key !== "Escape") return;
      this.#plan.drop();
      this.#choose([]);
      return;
    }
    event.preventDefault();
    const [rows, columns] = [this.#view.grids[board].squares.length, this.#view.grids[board].squares[0].length];
    for (let at = [row + step[0], column + step[1]]; at[0] >= 0 && at[0] < rows && at[1] >= 0 && at[1] < columns; at = [at[0] + step[0], at[1] + step[1]]) {
      const next = this.querySelector(`button[data-place="${board},${at[0]},${at[1]}"]`);
      if (next) {
        this.querySelectorAll('[tabindex="0"]').forEach((one) => one.setAttribute("tabindex", "-1"));
        next.setAttribute("tabindex", "0");
        return next.focus();
      }
    }
  }
}

customElements.define("ggp-board", Board);

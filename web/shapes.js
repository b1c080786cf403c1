// @ts-check
// Arrows and circles over the squares of a board: those that a person draws with the right button of the mouse, and those
// of a hint.

import { drawing } from "./terms.js";

/** The thickness of an arrow, the length of its head, the radius of a circle, as shares of the side of a square. */
const [THICKNESS, HEAD, RADIUS] = [0.13, 0.36, 0.44];

/** The middle of a square in its drawing, and the shorter of its sides, in pixels. */
function middle(square) {
  const { offsetLeft, offsetTop, offsetWidth, offsetHeight, parentElement: row } = square;
  return { x: row.offsetLeft + offsetLeft + offsetWidth / 2, y: row.offsetTop + offsetTop + offsetHeight / 2, side: Math.min(offsetWidth, offsetHeight) };
}

/** An arrow from one middle to another, as the outline of a shape. */
function arrow(from, to) {
  const { side } = from;
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [wide, head] = [(THICKNESS * side) / 2, HEAD * side];
  const neck = length - head;
  const turn = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  return drawing("path", { d: `M0,${-wide}H${neck}V${-head / 2}L${length},0L${neck},${head / 2}V${wide}H0Z`, transform: `translate(${from.x} ${from.y}) rotate(${turn})` });
}

export class Shapes {
  #board;
  /** Each shape: `{from, to, kind}`, with the places of squares; a circle ends where it begins. */
  #all = [];
  /** The shape that is being drawn. */
  #draft = null;

  constructor(board) {
    this.#board = board;
  }

  /** Shows what a person draws, before the button is released. */
  sketch(from, to) {
    this.#draft = { from, to, kind: "drawn" };
    this.draw();
  }

  /** Keeps what a person has drawn; the same shape again removes it. */
  toggle(from, to) {
    this.#draft = null;
    const isSame = (one) => one.kind === "drawn" && one.from === from && one.to === to;
    if (this.#all.some(isSame)) this.#all = this.#all.filter((one) => !isSame(one));
    else this.#all.push({ from, to, kind: "drawn" });
    this.draw();
  }

  /** Shows a move as a hint: pairs of squares. */
  hint(pairs) {
    this.#all = [...this.#all.filter(({ kind }) => kind !== "hinted"), ...pairs.map(([from, to]) => ({ from, to, kind: "hinted" }))];
    this.draw();
  }

  clear() {
    if (!this.#all.length && !this.#draft) return;
    [this.#all, this.#draft] = [[], null];
    this.draw();
  }

  /** Draws all shapes where their squares are now. */
  draw() {
    for (const old of this.#board.querySelectorAll(".shapes")) old.remove();
    for (const { from, to, kind } of [...this.#all, this.#draft].filter(Boolean)) {
      const [start, goal] = [from, to].map((place) => this.#board.querySelector(`[data-place="${place}"]`));
      const squares = start?.closest(".squares");
      // An arrow from one board to another has no drawing in which both lie.
      if (!squares || squares !== goal?.closest(".squares")) continue;
      const [one, other] = [middle(start), middle(goal)];
      const made = from === to ? drawing("circle", { cx: one.x, cy: one.y, r: RADIUS * one.side, "stroke-width": 0.08 * one.side }) : arrow(one, other);
      made.setAttribute("class", kind);
      this.#layer(squares).append(made);
    }
  }

  /** The drawing above the squares of a board. */
  #layer(squares) {
    const known = squares.querySelector(".shapes");
    if (known) return known;
    const made = drawing("svg", { class: "shapes", "aria-hidden": "true" });
    squares.append(made);
    return made;
  }
}

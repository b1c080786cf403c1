// @ts-check
// A move that is planned while the others think: the squares that are clicked meanwhile, which are clicked again, as it were,
// in the position in which the person can move.

export class Plan {
  /** The places of its squares, in the order of the clicks. */
  squares = [];
  /** Whether the first square has a piece that goes to a second one. */
  #isCarried = false;

  /** Whether nothing is missing. */
  get isWhole() {
    return this.squares.length === (this.#isCarried ? 2 : 1);
  }

  /** Takes a click; `isPiece` says that a piece can be picked up there. A click on a whole plan, or on its first square, drops it. */
  click(place, isPiece) {
    const isDropped = this.isWhole || String(place) === String(this.squares[0]);
    if (isDropped) return this.drop();
    if (!this.squares.length) this.#isCarried = isPiece;
    this.squares = [...this.squares, place];
  }

  /** Gives the plan up; returns its squares. */
  drop() {
    const { squares } = this;
    this.squares = [];
    return squares;
  }
}

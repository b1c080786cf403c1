// @ts-check
// The tree of a match: its positions, with the moves that lead to them, their variations and notes.

import { isChance } from "./terms.js";

/** A position in the tree; `moves` is the joint move that leads to it, and the first child goes on in the main line. */
export class Place {
  /** @type {Place[]} */
  children = [];
  note = "";
  /**
   * The values of the position, by the numbers of the roles.
   * @type {Record<number, {value: number, isProven: boolean} | null>}
   */
  values = {};
  /**
   * The roles that had a choice here; `null` until it was visited.
   * @type {string[] | null}
   */
  choosing = null;
  /**
   * What each role saw of the move that leads here; `null` until it was visited.
   * @type {string[][] | null}
   */
  percepts = null;
  /**
   * The moves that lead here as far as they were seen, by the numbers of the roles, in games where roles do not see all
   * moves; `moves` has sealed names for them then. `null` in other games.
   * @type {(string | null)[] | null}
   */
  known = null;
  /**
   * How the match has ended here, in words.
   * @type {string | null}
   */
  result = null;

  /**
   * @param {Place | null} parent
   * @param {string[] | null} moves
   */
  constructor(parent, moves) {
    this.parent = parent;
    this.moves = moves;
    /** @type {number} */
    this.ply = parent ? parent.ply + 1 : 0;
  }

  /** The start of the match. */
  get root() {
    let place = /** @type {Place} */ (this);
    while (place.parent) place = place.parent;
    return place;
  }

  /** The places from the start to this one, without the start. */
  get way() {
    const places = [];
    for (let place = /** @type {Place} */ (this); place.parent; place = place.parent) places.push(place);
    return places.reverse();
  }

  /** The places of the line through this one, without the start. */
  get line() {
    const places = this.way;
    for (let [next] = this.children; next; [next] = next.children) places.push(next);
    return places;
  }

  /** The place after a joint move, which is added if it is new. */
  after(moves) {
    const known = this.children.find((child) => child.moves.join(" ") === moves.join(" "));
    if (known) return known;
    const made = new Place(this, moves);
    this.children.push(made);
    return made;
  }

  /** Removes this place with all that follows it. */
  remove() {
    this.parent.children = this.parent.children.filter((child) => child !== this);
  }

  /** The place where the variation that this one belongs to branches off; `null` in the main line. */
  get branch() {
    return this.way.findLast((place) => place.parent.children[0] !== place) ?? null;
  }

  /** Makes the variation that this place belongs to the main line at its branch. */
  promote() {
    const { branch } = this;
    if (!branch) return;
    branch.remove();
    branch.parent.children.unshift(branch);
  }

  /** The latest place before this one where one of these roles had a choice; the start if none had. */
  lastChoice(roles) {
    for (let place = this.parent; place; place = place.parent) {
      if (!place.choosing || place.choosing.some((role) => roles.includes(role))) return place;
    }
    return this.root;
  }

  /**
   * What the role that chose the move to this place gave away, where both values are proven: `{role, from, to}`; `null`
   * for the best moves, and where a value is not known.
   */
  mistake(roles) {
    const [role, ...others] = this.parent?.choosing ?? [];
    if (!role || others.length || isChance(role)) return null;
    const [before, after] = [this.parent, this].map(({ values }) => values[roles.indexOf(role)]);
    const isKnown = before?.isProven && after?.isProven;
    return isKnown && after.value < before.value ? { role, from: before.value, to: after.value } : null;
  }

  /** The branches below this place as values: their moves, notes and branches. */
  get branches() {
    return this.children.map(({ moves, note, branches }) => [moves, note, branches]);
  }

  /** Adds branches; a place that has a note keeps it. */
  grow(branches) {
    for (const [moves, note, below] of branches) {
      const made = this.after(moves);
      made.note ||= note;
      made.grow(below);
    }
  }
}

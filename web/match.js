// The match: moves with variations and notes, the seats of the roles, and the legal moves as buttons.

import "./seats.js";
import { element, jointMove } from "./terms.js";

/** A position in the tree of the match. */
class Place {
  constructor(parent, moves) {
    Object.assign(this, { parent, moves, children: [], note: "", ply: parent ? parent.ply + 1 : 0, values: {} });
  }

  /** The places from the start to this one, without the start. */
  get way() {
    return this.parent ? [...this.parent.way, this] : [];
  }

  /** The place after a joint move, which is added if it is new. */
  after(moves) {
    const known = this.children.find((child) => child.moves.join(" ") === moves.join(" "));
    if (known) return known;
    const made = new Place(this, moves);
    this.children.push(made);
    return made;
  }
}

class Match extends HTMLElement {
  root = new Place(null, null);
  here = this.root;
  roles = [];
  #view = null;

  connectedCallback() {
    this.replaceChildren(
      element("div", { class: "turn" }),
      element("div", { class: "bar", role: "group", "aria-label": "Back and forth" },
        ...[["|◀", "first", "To the start"], ["◀", "back", "One ply back"], ["▶", "forth", "One ply forth"], ["▶|", "last", "To the end of the line"]].map(
          ([sign, name, title]) => element("button", { type: "button", title, "aria-label": title, onclick: () => this.go(this.#goal(name)) }, sign)),
      ),
      element("ggp-seats"),
      element("div", { class: "moves", role: "group", "aria-label": "Legal moves" }),
      element("ol", { class: "tree", "aria-label": "Moves and variations" }),
    );
  }

  /** Begins a match of a game with these roles. */
  begin(roles) {
    this.root = this.here = new Place(null, null);
    this.roles = roles;
    this.querySelector("ggp-seats").begin(roles);
  }

  /** The lines of the players by their roles. */
  get seats() {
    return this.querySelector("ggp-seats").lines;
  }

  /** The places of the line through the present one, without the start. */
  get line() {
    const places = this.here.way;
    for (let [next] = this.here.children; next; [next] = next.children) places.push(next);
    return places;
  }

  #goal(name) {
    const forth = (place) => place.children[0] ?? place;
    if (name === "first") return this.root;
    if (name === "back") return this.here.parent ?? this.here;
    if (name === "forth") return forth(this.here);
    return this.line.at(-1) ?? this.here;
  }

  go(place) {
    if (place !== this.here) this.dispatchEvent(new CustomEvent("go", { detail: place, bubbles: true }));
  }

  /** The line of the plies of a view becomes part of the tree, and its end the place where one is. */
  follow(plies) {
    this.here = plies.reduce((place, moves) => place.after(moves ?? ["(set)"]), this.root);
  }

  show(view) {
    this.#view = view;
    this.#turn();
    this.#moves();
    this.#tree();
  }

  #turn() {
    const { roles, is_over: isOver, ply } = this.#view;
    const choosing = roles.filter(({ legal }) => legal.length > 1).map(({ role }) => role);
    const results = roles.map(({ role, utility }) => `${role} ${utility ?? "–"}`).join(", ");
    const text = isOver ? `The game is over after ${ply} plies: ${results}` : `Ply ${ply + 1}: ${(choosing.length ? choosing : ["all"]).join(" and ")} to move`;
    this.querySelector(".turn").replaceChildren(element("strong", {}, text));
  }

  #moves() {
    const { roles, is_over: isOver } = this.#view;
    const box = this.querySelector(".moves");
    if (isOver) return box.replaceChildren();
    const choosing = roles.filter(({ legal }) => legal.length > 1);
    if (!choosing.length) {
      const next = element("button", { type: "button", onclick: () => this.#send(roles.map(({ legal }) => legal[0])) }, "Next");
      return box.replaceChildren(next);
    }
    const groups = choosing.map(({ role, legal }) => {
      const button = (move) => element("button", { type: "button", class: "move", "data-move": move, "data-role": role, onclick: () => this.choose(role, move) }, move);
      return element("div", {}, element("span", { class: "role" }, role), ...legal.slice(0, 400).map(button),
        legal.length > 400 ? element("span", {}, ` and ${legal.length - 400} more`) : null);
    });
    this.pending = {};
    box.replaceChildren(...groups);
  }

  /** A role's choice; the joint move is made when all roles of this page have chosen. */
  choose(role, move) {
    this.pending = { ...this.pending, [role]: move };
    for (const button of this.querySelectorAll(".move")) {
      button.setAttribute("aria-pressed", String(this.pending[button.dataset.role] === button.dataset.move));
    }
    const open = this.#view.roles.filter(({ role, legal }) => legal.length > 1 && !this.pending[role] && !this.seats[role]);
    if (open.length) {
      return this.dispatchEvent(new CustomEvent("told", { detail: `${role} plays ${move}; now ${open.map((seat) => seat.role).join(" and ")}`, bubbles: true }));
    }
    this.#send(this.#view.roles.map(({ role, legal }) => this.pending[role] ?? (legal.length === 1 ? legal[0] : null)));
  }

  #send(moves) {
    this.dispatchEvent(new CustomEvent("jointmove", { detail: moves, bubbles: true }));
  }

  #tree() {
    const label = (place) => `${place.ply}. ${jointMove(place.moves)}`;
    const item = (place) => {
      const button = element("button", { type: "button", class: place === this.here ? "here" : "", "aria-current": place === this.here ? "step" : null, onclick: () => this.go(place) }, label(place));
      const note = place === this.here
        ? element("input", { class: "note", value: place.note, placeholder: "a note", "aria-label": "A note on this move", onchange: (event) => { place.note = event.target.value; } })
        : place.note ? element("em", {}, ` ${place.note}`) : null;
      return element("li", {}, button, note);
    };
    // The main line goes on in the same list; what branches off is a list inside.
    const line = (place) => {
      const items = [];
      for (let at = place; at.children.length; [at] = at.children) {
        const [main, ...others] = at.children;
        const made = item(main);
        others.forEach((other) => made.append(element("ol", { class: "variation" }, item(other), ...line(other))));
        items.push(made);
      }
      return items;
    };
    const list = this.querySelector(".tree");
    list.replaceChildren(...line(this.root));
    list.querySelector(".here")?.scrollIntoView({ block: "nearest" });
  }
}

customElements.define("ggp-match", Match);

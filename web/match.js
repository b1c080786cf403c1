// The match: moves with variations and notes, and the legal moves as buttons where no square stands for them.

import { icon } from "./icons.js";
import "./seats.js";
import { element, jointMove } from "./terms.js";

/** The moves of a role that have buttons. */
const MOST = 400;
/** The steps through the line, and the buttons that the page acts upon, with their titles. */
const STEPS = [["first", "To the start"], ["back", "One ply back"], ["forth", "One ply forth"], ["last", "To the end of the line"]];
/** How many moves a second a line is played at. */
const SPEEDS = [["slow", 0.5], ["1 a second", 1], ["2 a second", 2], ["5 a second", 5]];
const ACTIONS = [["restart", "Restart"], ["flip", "Turn the board round"], ["fill", "The board alone"]];

/** A position in the tree of the match. */
class Place {
  constructor(parent, moves) {
    Object.assign(this, { parent, moves, children: [], note: "", ply: parent ? parent.ply + 1 : 0, values: {} });
  }

  /** The start of the match. */
  get root() {
    return this.parent ? this.parent.root : this;
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
  /** The role whose player thinks. */
  #thinking = null;
  /** Whether a person has unfolded the buttons of the moves. */
  #isUnfolded = false;
  /** The element with the players of the roles. */
  seating = null;
  #view = null;
  /** The timer of a line that is played, and the place that it goes to. */
  #playing = null;
  #expected = null;

  connectedCallback() {
    const button = ([name, title], attributes) => element("button", { type: "button", title, "aria-label": title, ...attributes }, icon(name));
    this.replaceChildren(
      element("ol", { class: "tree", "aria-label": "Moves and variations", tabindex: "0" }),
      element("input", { class: "note", placeholder: "A note on this move", "aria-label": "A note on this move", onchange: (event) => { this.here.note = event.target.value; this.#tree(); this.dispatchEvent(new CustomEvent("noted", { bubbles: true })); } }),
      element("details", { class: "legal" }, element("summary", { onclick: () => { this.#isUnfolded = !this.querySelector(".legal").open; } }), element("div", { class: "moves", role: "group", "aria-label": "Legal moves" })),
      element("div", { class: "steps", role: "group", "aria-label": "Back and forth" },
        ...STEPS.map((step) => button(step, { onclick: () => this.step(step[0]) })),
        button(["play", "Play the line"], { id: "play", "aria-pressed": "false", onclick: () => (this.#playing ? this.pause() : this.playLine()) }),
        element("select", { id: "speed", "aria-label": "Speed" }, ...SPEEDS.map(([name, speed]) => element("option", { value: speed, selected: speed === 2 }, name))),
        ...ACTIONS.map((action) => button(action, { id: action[0] }))),
    );
    // What is below the list may take some of its height.
    new ResizeObserver(() => this.#reveal()).observe(this.querySelector(".tree"));
  }

  /** Shows the rest of the line, move by move, until it ends, or is left or paused. */
  playLine() {
    this.pause();
    const place = this.here;
    if (!place.children.length) return;
    this.#press(true);
    this.#playing = setInterval(() => {
      const [next] = this.here.children;
      if (!next) return this.pause();
      this.#expected = next;
      this.go(next);
    }, 1000 / Number(this.querySelector("#speed").value));
  }

  pause() {
    clearInterval(this.#playing);
    [this.#playing, this.#expected] = [null, null];
    this.#press(false);
  }

  #press(isPlaying) {
    const button = this.querySelector("#play");
    button.setAttribute("aria-pressed", String(isPlaying));
    button.title = isPlaying ? "Pause" : "Play the line";
    button.setAttribute("aria-label", button.title);
    button.replaceChildren(icon(isPlaying ? "pause" : "play"));
  }

  /** Begins a match of a game with these roles, whose players may have been kept. */
  begin(roles, kept) {
    this.pause();
    this.root = this.here = new Place(null, null);
    this.roles = roles;
    this.seating.begin(roles, kept);
  }

  /** The lines of the players by their roles. */
  get seats() {
    return this.seating.lines;
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

  /** Goes `first`, `back`, `forth` or `last` in the line. */
  step(name) {
    this.go(this.#goal(name));
  }

  go(place) {
    if (place !== this.#expected && this.#playing) this.pause();
    if (place !== this.here) this.dispatchEvent(new CustomEvent("go", { detail: place, bubbles: true }));
  }

  /** The line of the plies of a view becomes part of the tree, and its end the place where one is. */
  follow(plies) {
    this.here = plies.reduce((place, moves) => place.after(moves ?? ["(set)"]), this.root);
    // A person who goes elsewhere stops the line that is played; its last move ends it.
    if (this.#playing && ((this.#expected && this.here !== this.#expected && this.here !== this.#expected.parent) || !this.here.children.length)) this.pause();
  }

  show(view) {
    this.#view = view;
    this.pending = {};
    this.#moves();
    this.#tree();
  }

  /** Whether the position has squares, and not only cards. */
  get #hasSquares() {
    return this.#view.grids.some(({ squares }) => squares.flat().some(({ ground }) => !["card", "outside"].includes(ground)));
  }

  /** Sets which squares each move changes; moves of persons that change none are shown as buttons. */
  aim(targets) {
    const bySquares = new Set(targets.filter(({ squares }) => squares.length).map(({ role, move }) => `${role} ${move}`));
    const isHidden = this.#choosing.some(({ role, legal }) => !this.seats[role] && legal.some((move) => !bySquares.has(`${role} ${move}`)));
    const isWaiting = this.#choosing.length > 0 && this.#choosing.every(({ role }) => this.seats[role]);
    const details = this.querySelector(".legal");
    details.open = isHidden || this.#isUnfolded || details.contains(document.activeElement) || isWaiting || !this.#choosing.length || !this.#hasSquares;
  }

  get #choosing() {
    return this.#view.is_over ? [] : this.#view.roles.filter(({ legal }) => legal.length > 1);
  }

  #moves() {
    const { is_over: isOver } = this.#view;
    const [box, details] = [this.querySelector(".moves"), this.querySelector(".legal")];
    details.hidden = isOver;
    if (isOver) return box.replaceChildren();
    const hasFocus = box.contains(document.activeElement);
    this.#offer(box, details);
    details.open ||= hasFocus || this.#isUnfolded;
    // The buttons are new: the focus goes on among them.
    if (hasFocus) (box.querySelector("button") ?? details.querySelector("summary")).focus({ preventScroll: true });
  }

  /** Marks the role whose player thinks, or that none does. */
  think(role) {
    this.#thinking = role;
    if (this.#view) this.#moves();
  }

  #offer(box, details) {
    const { roles } = this.#view;
    const choosing = this.#choosing.filter(({ role }) => !this.seats[role]);
    const waiting = this.#choosing.filter(({ role }) => this.seats[role]);
    details.open = !this.#hasSquares || !choosing.length;
    if (!choosing.length && waiting.length) {
      const names = waiting.map(({ role }) => role).join(" and ");
      const event = this.#thinking ? "halt" : "resume";
      details.querySelector("summary").textContent = this.#thinking ? `${names} is thinking…` : `${names} to move`;
      return box.replaceChildren(element("button", { type: "button", id: "player", onclick: () => this.dispatchEvent(new CustomEvent(event, { bubbles: true })) }, this.#thinking ? `Stop ${names}` : `Let ${names} move`));
    }
    const count = choosing.reduce((sum, { legal }) => sum + legal.length, 0);
    details.querySelector("summary").textContent = count ? `${count} legal moves` : "No choice";
    if (!choosing.length) {
      this.seating.offerSteps();
      const next = element("button", { type: "button", onclick: () => this.#send(roles.map(({ legal }) => legal[0])) }, "Next");
      return box.replaceChildren(next);
    }
    const groups = choosing.map(({ role, legal }) => {
      const button = (move) => element("button", { type: "button", class: "move", "data-move": move, "data-role": role, onclick: () => this.choose(role, move) }, move);
      return element("div", {}, choosing.length > 1 ? element("span", { class: "role" }, role) : null, ...legal.slice(0, MOST).map(button),
        legal.length > MOST ? element("span", {}, ` and ${legal.length - MOST} more`) : null);
    });
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

  /** Scrolls the list of moves to the place where one is; the page does not scroll. */
  #reveal() {
    const list = this.querySelector(".tree");
    const here = list.querySelector(".here");
    if (here) list.scrollTop = Math.max(0, here.offsetTop - list.clientHeight / 2);
  }

  #tree() {
    // Arrow keys go along the line, so that Tab stops at the place where one is and at variations only.
    const along = new Set(this.line);
    const item = (place) => {
      const isHere = place === this.here;
      const button = element("button", { type: "button", tabindex: along.has(place) && !isHere ? "-1" : null, class: isHere ? "here" : "", "aria-current": isHere ? "step" : null, onclick: () => this.go(place) },
        element("span", { class: "number" }, `${place.ply}. `), jointMove(place.moves, this.#view?.idle));
      return element("li", { class: place.ply % 2 ? null : "second" }, button, place.note ? element("em", {}, place.note) : null);
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
    const items = line(this.root);
    // The moves of two roles stand in two columns, others in as many as their longest leaves room for.
    list.classList.toggle("two", this.roles.length === 2);
    list.style.setProperty("--letters", String(Math.max(0, ...this.line.map(({ moves }) => jointMove(moves, this.#view?.idle).length))));
    list.replaceChildren(...(items.length ? items : [element("li", { class: "hint" }, "Moves appear here. Click a square to begin.")]));
    requestAnimationFrame(() => this.#reveal());
    const note = this.querySelector(".note");
    [note.value, note.hidden] = [this.here.note, !this.here.parent];
  }
}

customElements.define("ggp-match", Match);

// @ts-check
// The match: moves with variations and notes, and the legal moves as buttons where no square stands for them.

import { isHidden, moveWords } from "./hidden.js";
import { icon } from "./icons.js";
import "./seats.js";
import { element, jointMove } from "./terms.js";

/** The moves of a role that have buttons. */
const MOST = 400;
/** The steps through the line, and the buttons that the page acts upon, with their titles. */
const STEPS = [["first", "To the start"], ["back", "One ply back"], ["forth", "One ply forth"], ["last", "To the end of the line"]];
/** How many moves a second a line is played at. */
const SPEEDS = [["slow", 0.5], ["1 a second", 1], ["2 a second", 2], ["5 a second", 5]];
const ACTIONS = [["hint", "A hint"], ["takeback", "Take back to your last choice"], ["restart", "New match"], ["flip", "Turn the board round"], ["fill", "The board alone"]];
/** What can be done with the move that is shown, with the words of its button. */
const EDITS = [["promote", "Make it the main line"], ["delete", "Delete from here on"]];

/** A loss of so many hundredths is a blunder. */
const BLUNDER = 50;

/** The mark of a move that gives something away. */
function marked({ role, from, to }) {
  const words = `gives away ${from - to}: ${role} had ${from} for certain, and has ${to} after this move`;
  return element("span", { class: "mistake", title: words }, element("span", { "aria-hidden": "true" }, from - to < BLUNDER ? "?" : "??"), element("span", { class: "hidden" }, `, ${words}`));
}

class Match extends HTMLElement {
  /** What is true of the page. */
  store = null;
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
    const button = (/** @type {string[]} */ [name, title], attributes) => element("button", { type: "button", title, "aria-label": title, ...attributes }, icon(name));
    this.replaceChildren(
      element("ol", { class: "tree", "aria-label": "Moves and variations", tabindex: "0" }),
      element("div", { class: "edit", role: "group", "aria-label": "This move" },
        element("input", { class: "note", placeholder: "A note on this move", "aria-label": "A note on this move", onchange: (event) => { this.here.note = event.target.value; this.#edited(this.here); } }),
        ...EDITS.map(([id, words]) => element("button", { type: "button", id, title: words, "aria-label": words, onclick: () => this.#edit(id) }, icon(id)))),
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

  get root() {
    return this.store.state.root;
  }

  get here() {
    return this.store.state.here;
  }

  get roles() {
    return this.store.state.roles;
  }

  /** The lines of the players by their roles. */
  get seats() {
    return this.store.state.seats;
  }

  /** The places of the line through the present one, without the start. */
  get line() {
    return this.here.line;
  }

  /** The tree has changed; `place` is where the match is then. */
  #edited(place) {
    this.dispatchEvent(new CustomEvent("edited", { detail: place, bubbles: true }));
    this.#tree();
  }

  #edit(name) {
    const { here } = this;
    if (name === "promote") here.promote();
    else here.remove();
    this.#edited(name === "promote" ? here : here.parent);
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

  show(view) {
    // A person who goes elsewhere stops the line that is played; its last move ends it.
    if (this.#playing && ((this.#expected && this.here !== this.#expected && this.here !== this.#expected.parent) || !this.here.children.length)) this.pause();
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
      return box.replaceChildren(element("button", { type: "button", id: "player", onclick: () => this.dispatchEvent(new CustomEvent(event, { bubbles: true })) }, this.#thinking ? `Stop ${names}` : `Play for ${names}`));
    }
    const count = choosing.reduce((sum, { legal }) => sum + legal.length, 0);
    details.querySelector("summary").textContent = count ? `${count} legal moves` : "The only move";
    if (!choosing.length) {
      this.seating.offerSteps();
      const moves = roles.map(({ legal }) => legal[0]);
      const only = isHidden(this.store.state) ? "Next" : jointMove(moves, this.#view.idle);
      return box.replaceChildren(element("button", { type: "button", class: "only", "data-move": only, onclick: () => this.#send(moves) }, only));
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
    if (!here) return;
    // An item that is drawn only in view is what `offsetTop` counts from, so both places are taken from the window.
    const below = here.getBoundingClientRect().top - list.getBoundingClientRect().top;
    list.scrollTop = Math.max(0, list.scrollTop + below - list.clientHeight / 2);
  }

  /** The items of the list by their places, with what they show: only items that show something else are made anew. */
  #items = new Map();

  /** The words of the move that leads to a place. */
  #words(place) {
    return moveWords(place, this.store.state);
  }

  /** The item of a place in the list, with the variations beside it. */
  #item(place, others, items) {
    const words = this.#words(place);
    const mistake = isHidden(this.store.state) ? null : place.mistake(this.roles);
    const shown = JSON.stringify([words, place.note, place.ply, mistake, others.map((other) => [this.#words(other), other.note, other.branches, isHidden(this.store.state)])]);
    const known = this.#items.get(place);
    const isKnown = known?.shown === shown;
    const button = isKnown ? known.button : element("button", { type: "button", onclick: () => this.go(place) }, element("span", { class: "number" }, `${place.ply}. `), words, mistake && marked(mistake));
    // Variations are few: they are made anew.
    const item = isKnown && !others.length ? known.item : element("li", { class: place.ply % 2 ? null : "second" }, button, place.note ? element("em", {}, place.note) : null);
    items.set(place, { shown, button, item });
    for (const other of others) item.append(element("ol", { class: "variation" }, this.#item(other, [], items), ...this.#line(other, items)));
    return item;
  }

  /** The items after a place. The main line goes on in the same list; what branches off is a list inside. */
  #line(place, items) {
    const made = [];
    for (let at = place; at.children.length; [at] = at.children) made.push(this.#item(at.children[0], at.children.slice(1), items));
    return made;
  }

  /** Lists the moves anew, since more is known of them. */
  relist() {
    this.#tree();
  }

  #tree() {
    const list = this.querySelector(".tree");
    const items = new Map();
    const made = this.#line(this.root, items);
    this.#items = items;
    if (!made.length) made.push(element("li", { class: "hint" }, "Moves appear here. Make one on the board to begin."));
    // Arrow keys go along the line, so that Tab stops at the place where one is and at variations only.
    const along = new Set(this.line);
    for (const [place, { button }] of items) {
      const isHere = place === this.here;
      button.classList.toggle("here", isHere);
      for (const [name, value] of [["tabindex", along.has(place) && !isHere ? "-1" : null], ["aria-current", isHere ? "step" : null]]) {
        if (value === null) button.removeAttribute(name);
        else if (button.getAttribute(name) !== value) button.setAttribute(name, value);
      }
    }
    // The moves of two roles stand in two columns, others in as many as their longest leaves room for.
    list.classList.toggle("two", this.roles.length === 2);
    list.style.setProperty("--letters", String(Math.max(0, ...[...along].map((place) => this.#words(place).length))));
    made.forEach((item, index) => { if (list.children[index] !== item) list.insertBefore(item, list.children[index] ?? null); });
    while (list.children.length > made.length) list.lastChild.remove();
    requestAnimationFrame(() => this.#reveal());
    const { note, parent, branch } = this.here;
    this.querySelector(".note").value = note;
    this.querySelector(".edit").hidden = !parent;
    this.querySelector("#promote").hidden = !branch;
  }
}

customElements.define("ggp-match", Match);

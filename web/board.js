// The boards of a position. A move is made by clicking squares that it changes: each click keeps the moves that change
// that square too, until one is left. Arrow keys move between squares.

import { element } from "./terms.js";

class Board extends HTMLElement {
  #view = null;
  #targets = [];
  #chosen = [];
  /** The role for which clicks make moves. */
  role = null;

  /** Shows a position without targets, until they are known. */
  show(view) {
    [this.#view, this.#targets, this.#chosen] = [view, [], []];
    this.#draw();
  }

  /** Sets the squares that each move changes. */
  aim(targets) {
    this.#targets = targets;
    this.#mark();
  }

  #draw() {
    const { grids, lines, changed, is_over: isOver } = this.#view;
    const last = new Set(changed.map(String));
    const boards = grids.map((grid, board) => this.#board(grid, board, last));
    const values = lines.length ? element("ul", { class: "values" }, ...lines.map((line) => element("li", {}, line))) : null;
    this.replaceChildren(...boards, ...(values ? [values] : []));
    this.classList.toggle("over", isOver);
    this.#mark();
  }

  #board(grid, board, last) {
    const label = grid.title || this.#view.game;
    const names = (row, column) => [grid.columns[column], grid.rows[row]].filter(Boolean).join(", ");
    const square = (square, row, column) => this.#square(square, [board, row, column], names(row, column), last);
    const heads = grid.columns.map((name) => element("th", { scope: "col" }, name));
    const corner = grid.rows.length ? [element("td", { class: "corner" })] : [];
    const head = grid.columns.length ? [element("tr", {}, ...corner, ...heads)] : [];
    const rows = grid.squares.map((squares, row) => {
      const name = grid.rows.length ? [element("th", { scope: "row" }, grid.rows[row] ?? "")] : [];
      const made = element("tr", {}, ...name, ...squares.map((one, column) => square(one, row, column)));
      if (grid.is_hex) made.style.setProperty("--shift", row);
      return made;
    });
    const table = element("table", { class: grid.is_hex ? "hex" : grid.is_wide ? "wide" : "", "aria-label": label });
    const size = Math.max(grid.squares.length, grid.squares[0]?.length ?? 1);
    table.style.setProperty("--size", size);
    table.append(...(grid.is_upwards ? [...rows, ...head] : [...head, ...rows]));
    return element("figure", {}, grid.title ? element("figcaption", {}, grid.title) : null, table);
  }

  #square(square, place, name, last) {
    const kind = typeof square.ground === "string" ? square.ground : "disc";
    const words = [name, kind === "wall" ? "wall" : square.text || "empty"].filter(Boolean).join(": ");
    if (kind === "outside" || kind === "wall") return element("td", { class: kind }, element("span", { class: "hidden" }, words));
    const button = element("button", {
      type: "button",
      "data-place": place.join(","),
      "aria-label": words,
      tabindex: "-1",
      class: [kind, last.has(String(place)) ? "last" : ""].join(" "),
      onclick: () => this.#click(place),
      onkeydown: (event) => this.#step(event, place),
      onpointerenter: () => this.#hover(place),
      onpointerleave: () => this.#hover(null),
    });
    if (kind === "disc") button.style.setProperty("--disc", `${square.ground.disc}%`);
    const piece = element("span", { class: "piece" }, square.text || square.label || "");
    if (square.colour) piece.style.setProperty("--piece", square.colour);
    button.append(piece);
    return element("td", { class: (place[1] + place[2]) % 2 ? "odd" : "" }, button);
  }

  get #own() {
    return this.#targets.filter((target) => !this.role || target.role === this.role);
  }

  /** The moves that change all squares clicked so far and this one. */
  #moves(...more) {
    const wanted = [...this.#chosen, ...more].map(String);
    return this.#own.filter(({ squares }) => wanted.every((place) => squares.some((one) => String(one) === place)));
  }

  #mark() {
    const open = new Set(this.#moves().flatMap(({ squares }) => squares.map(String)));
    const chosen = new Set(this.#chosen.map(String));
    const buttons = [...this.querySelectorAll("button[data-place]")];
    for (const button of buttons) {
      const place = button.dataset.place;
      button.classList.toggle("open", open.has(place) && !chosen.has(place));
      button.classList.toggle("chosen", chosen.has(place));
      button.setAttribute("aria-disabled", String(!open.has(place)));
    }
    const focus = buttons.find((button) => button === document.activeElement) ?? buttons.find((button) => open.has(button.dataset.place)) ?? buttons[0];
    buttons.forEach((button) => button.setAttribute("tabindex", button === focus ? "0" : "-1"));
  }

  #hover(place) {
    const squares = place ? new Set(this.#moves(place).flatMap(({ squares }) => squares.map(String))) : new Set();
    for (const button of this.querySelectorAll("button[data-place]")) {
      button.classList.toggle("target", squares.has(button.dataset.place));
    }
  }

  #click(place) {
    if (this.#chosen.some((one) => String(one) === String(place))) {
      this.#chosen = [];
      return this.#mark();
    }
    let moves = this.#moves(place);
    if (!moves.length && this.#chosen.length) {
      this.#chosen = [];
      moves = this.#moves(place);
    }
    if (!moves.length) return this.dispatchEvent(new CustomEvent("nomove", { bubbles: true }));
    // Moves that change exactly the clicked squares are meant before those that change others as well.
    const exact = moves.filter(({ squares }) => squares.length === this.#chosen.length + 1);
    if (moves.length === 1 || exact.length === 1) {
      const [target] = exact.length === 1 ? exact : moves;
      return this.dispatchEvent(new CustomEvent("move", { detail: target, bubbles: true }));
    }
    const all = [...this.#chosen, place];
    const told = moves.every(({ squares }) => squares.every((square) => all.some((one) => String(one) === String(square))));
    if (told) return this.dispatchEvent(new CustomEvent("choices", { detail: moves, bubbles: true }));
    this.#chosen = all;
    this.#mark();
  }

  #step(event, [board, row, column]) {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const step = steps[event.key];
    if (!step) {
      if (event.key === "Escape") {
        this.#chosen = [];
        this.#mark();
      }
      return;
    }
    event.preventDefault();
    const [rows, columns] = [this.#view.grids[board].squares.length, this.#view.grids[board].squares[0].length];
    for (let at = [row + step[0], column + step[1]]; at[0] >= 0 && at[0] < rows && at[1] >= 0 && at[1] < columns; at = [at[0] + step[0], at[1] + step[1]]) {
      const next = this.querySelector(`[data-place="${board},${at[0]},${at[1]}"]`);
      if (next) {
        this.querySelectorAll('[tabindex="0"]').forEach((one) => one.setAttribute("tabindex", "-1"));
        next.setAttribute("tabindex", "0");
        return next.focus();
      }
    }
  }
}

customElements.define("ggp-board", Board);

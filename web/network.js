// @ts-check
// The propositional network around a proposition, with its values in the current state. Components unfold their
// neighbours; data flows from left to right. It begins with the end of the game.

import { download } from "./files.js";
import { legend } from "./overview.js";
import { Port } from "./port.js";
import { drawing, element } from "./terms.js";

/** Gates by their signs, and how values are written. */
const SIGNS = { and: "∧", or: "∨", not: "¬", constant: "=" };
const VALUES = new Map([[true, ["●", "true"]], [false, ["○", "false"]], [null, ["?", "decided by the moves"]]]);
/** Edges from the proposition that are shown first, and components that one unfolding adds at most. */
const [DISTANCE, MOST] = [3, 60];
/** Pixels: the height of a row and of a node, the space between columns, and the width of a letter. */
const [ROW, HEIGHT, SPACE, LETTER] = [40, 28, 70, 7.3];
/** The scale below which a whole network is not shown at first. */
const SMALLEST = 0.6;
/** The longest text of a node, in letters. */
const LONGEST = 34;
/** Passes that order each column by the places of its neighbours. */
const SWEEPS = 6;

/** What is shown before a person asks for something, and the edges from it. */
const [FIRST, NEAR] = ["terminal", 2];
/** What the signs mean. */
const LEGEND = [
  ["true", "●", "true"], ["false", "○", "false"], ["open", "?", "decided by the moves"], ["base", "", "fact"], ["output", "", "what rules ask for"],
  ["", "∧", "and"], ["", "∨", "or"], ["", "¬", "not"], ["", "+3", "neighbours not shown"],
];

class Network extends HTMLElement {
  /** Answers lines of the prompt: `{records: [{answer, error}]}`. */
  ask = null;
  /** Whether the game has its network, so that asking for it sets up nothing. */
  isReady = () => false;
  /** The components that are known, by number. */
  #known = new Map();
  /** The questions that found them, as operands of the command. */
  #asked = [];
  #chosen = null;
  /** The part of the drawing that is in view: its corner, and pixels for each unit. */
  #view = { x: 0, y: 0, scale: 1 };
  #port = null;
  #isStale = false;
  #game = null;

  connectedCallback() {
    const centre = element("input", { id: "proposition", list: "propositions", "aria-label": "A proposition", title: "A fact, legal(…), goal(…) or terminal", placeholder: "a fact, legal(…)" });
    this.replaceChildren(
      element("form", { class: "bar", onsubmit: (event) => { event.preventDefault(); if (centre.value.trim()) this.around(centre.value.trim()); } },
        centre, element("datalist", { id: "propositions" }), element("button", { id: "network" }, "Show"),
        element("label", {}, "after ", element("select", { id: "after", onchange: () => this.#refresh() }))),
      element("p", { class: "progress", role: "status" }),
      element("div", { class: "network", hidden: true },
        element("div", { class: "mapped" },
          element("div", { class: "canvas" }),
          element("div", { class: "below" }, element("div", { class: "keys" }, legend(LEGEND)))),
        element("p", { class: "hint small" }, "A click, or Enter, unfolds the neighbours of a component."),
        element("div", { class: "chosen-component", role: "region", "aria-live": "polite", "aria-label": "The chosen component" })),
    );
    const svg = drawing("svg", { role: "group", "aria-label": "The network" });
    svg.append(drawing("g", { class: "links" }), drawing("g", { class: "components" }));
    svg.addEventListener("keydown", (event) => this.#key(event));
    const canvas = this.querySelector(".canvas");
    canvas.append(svg);
    this.#port = new Port(canvas, {
      least: 0.05, most: 4,
      view: () => this.#view,
      look: (view) => {
        this.#view = view;
        this.#look();
      },
      box: () => this.#box(),
    });
    this.#port.buttons.append(element("button", { type: "button", onclick: () => this.#keep() }, "Save picture"));
    this.querySelector(".keys").prepend(this.#port.buttons);
    this.querySelector(".below").append(this.#port.map);
    // What has changed while the view was hidden is asked for when it is seen.
    new ResizeObserver(() => { if (this.clientHeight && this.#isStale) this.#refresh(); }).observe(this);
  }

  /** A position: its values are asked for when they are in view. */
  show({ game, facts, roles }) {
    const legal = roles.flatMap(({ role, legal }) => legal.map((move) => `legal(${role},${move})`));
    const offered = ["terminal", ...facts.map((fact) => `true(${fact})`), ...legal].slice(0, 400);
    this.querySelector("datalist").replaceChildren(...offered.map((value) => element("option", { value })));
    const choosing = roles.filter(({ legal }) => legal.length > 1);
    const moves = choosing.length === 1 ? choosing[0].legal : roles.length && !choosing.length && legal.length ? [roles.map(({ legal }) => legal[0]).join(" ")] : [];
    this.querySelector("#after").replaceChildren(element("option", { value: "" }, "no move yet"), ...moves.map((value) => element("option", { value }, value)));
    if (this.#game !== game) this.#forget();
    this.#game = game;
    this.#isStale = true;
    if (this.clientHeight) this.#refresh();
  }

  /** Shows the first part, now that the network is there. */
  begin() {
    if (this.clientHeight && !this.#asked.length) this.#refresh();
  }

  #forget() {
    [this.#asked, this.#chosen] = [[], null];
    this.#known.clear();
    this.querySelector(".network").hidden = true;
  }

  get #after() {
    const moves = this.querySelector("#after").value;
    return moves ? ` after ${moves}` : "";
  }

  /** Shows the network around a proposition, as far as so many edges lead. */
  async around(proposition, distance = DISTANCE) {
    const options = `--distance ${distance} --most ${MOST}`;
    const part = await this.#answer([`network ${proposition}${this.#after} ${options}`]);
    if (!part) return;
    this.#forget();
    this.#asked = [[proposition, options]];
    this.querySelector(".network").hidden = false;
    this.#learn(part);
    this.#arrange();
    this.#choose(part[0].components[0].component);
    this.#port.fit();
    if (this.#view.scale < SMALLEST) {
      this.#view.scale = 1;
      this.#centre();
    }
  }

  /** The answers to lines; `null` if one is an error, which is told. */
  async #answer(lines) {
    const progress = this.querySelector(".progress");
    progress.textContent = "…";
    try {
      const { records } = await this.ask(lines);
      const failed = records.find(({ error }) => error);
      progress.textContent = failed?.error ?? "";
      progress.classList.toggle("problem", Boolean(failed));
      return failed ? null : records.map(({ answer }) => answer);
    } catch (error) {
      progress.textContent = error.message;
      return null;
    }
  }

  #learn(parts) {
    for (const { components } of parts) {
      for (const one of components) this.#known.set(one.component, { ...this.#known.get(one.component), ...one });
    }
  }

  /** Asks again for all values. */
  async #refresh() {
    this.#isStale = false;
    if (!this.#asked.length) return this.isReady() ? this.around(FIRST, NEAR) : undefined;
    const parts = await this.#answer(this.#asked.map(([centre, options]) => `network ${centre}${this.#after} ${options}`));
    if (!parts) return;
    this.#learn(parts);
    this.#draw();
  }

  /** Adds the neighbours of a component. */
  async #unfold(number) {
    const one = this.#known.get(number);
    if (hidden(one, this.#known).length) {
      const options = `--component ${number} --distance 1 --most ${MOST}`;
      const parts = await this.#answer([`network${this.#after} ${options}`]);
      if (!parts) return;
      this.#asked.push(["", options]);
      const { x, y } = one;
      this.#learn(parts);
      this.#arrange();
      // What was chosen stays where it was.
      this.#view.x += one.x - x;
      this.#view.y += one.y - y;
      if (parts[0].left_out) this.querySelector(".progress").textContent = `${parts[0].left_out} more neighbours are not shown`;
    }
    this.#choose(number);
  }

  /** Gives each component its place: a column to the right of its inputs, ordered by the places of its neighbours. */
  #arrange() {
    const all = [...this.#known.values()].sort((one, other) => one.component - other.component);
    for (const one of all) {
      one.near = [...one.inputs, ...one.readers].map((number) => this.#known.get(number)).filter(Boolean);
      one.text = label(one);
      one.width = one.text.length * LETTER + 40;
    }
    const columns = columnsOf(all, this.#known);
    const mean = (numbers, otherwise) => (numbers.length ? numbers.reduce((sum, one) => sum + one, 0) / numbers.length : otherwise);
    columns.forEach((column) => column.forEach((one, index) => { one.y = index * ROW; }));
    for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
      for (const column of sweep % 2 ? columns : [...columns].reverse()) {
        const wanted = new Map(column.map((one) => [one, mean(one.near.map(({ y }) => y), one.y)]));
        column.sort((one, other) => wanted.get(one) - wanted.get(other) || one.component - other.component);
        const middle = mean([...wanted.values()], 0) - ((column.length - 1) * ROW) / 2;
        column.forEach((one, index) => { one.y = middle + index * ROW; });
      }
    }
    let x = 0;
    for (const column of columns) {
      column.forEach((one) => { one.x = x; });
      x += Math.max(...column.map(({ width }) => width)) + SPACE;
    }
  }

  #draw() {
    const all = [...this.#known.values()];
    const links = all.flatMap((one) => one.inputs.map((number) => this.#known.get(number)).filter(Boolean).map((input) => drawing("path", { class: word(input), d: link(input, one) })));
    this.querySelector(".links").replaceChildren(...links);
    const hadFocus = this.querySelector("svg").contains(document.activeElement);
    this.querySelector(".components").replaceChildren(...all.map((one) => this.#component(one)));
    if (hadFocus) this.#element(this.#chosen)?.focus({ preventScroll: true });
    const style = getComputedStyle(this);
    const colours = Object.fromEntries([["true", "--open"], ["false", "--pale"], ["open", "--accent"]].map(([kind, name]) => [kind, style.getPropertyValue(name)]));
    this.#port.map.draw(this.#box(), all.map((one) => [one.x, one.y - HEIGHT / 2, one.width, HEIGHT, colours[word(one)]]));
    this.#look();
    this.#tell();
  }

  #component(one) {
    const isChosen = one.component === this.#chosen;
    const [sign] = VALUES.get(one.value);
    const before = hidden(one, this.#known, "inputs").length;
    const after = hidden(one, this.#known, "readers").length;
    const made = drawing("g", {
      class: `component ${one.is} ${word(one)}${isChosen ? " picked" : ""}`, transform: `translate(${one.x},${one.y})`,
      role: "button", tabindex: isChosen ? "0" : "-1", "data-component": one.component, "aria-pressed": String(isChosen),
    });
    made.append(
      drawing("title", {}, inWords(one)),
      drawing("rect", { y: -HEIGHT / 2, width: one.width, height: HEIGHT, rx: one.is === "base" || one.is === "output" ? 2 : 13 }),
      drawing("text", { x: 10, y: 5, "aria-hidden": "true" }, `${sign} ${one.text}`),
    );
    if (before) made.append(drawing("text", { class: "more", "aria-hidden": "true", x: -4, y: -6, "text-anchor": "end" }, `+${before}`));
    if (after) made.append(drawing("text", { class: "more", "aria-hidden": "true", x: one.width + 4, y: -6 }, `+${after}`));
    made.addEventListener("click", () => this.#unfold(one.component));
    return made;
  }

  #element(number) {
    return this.querySelector(`[data-component="${number}"]`);
  }

  #choose(number) {
    this.#chosen = number;
    this.#draw();
  }

  #tell() {
    const one = this.#known.get(this.#chosen);
    const named = (number) => {
      const other = this.#known.get(number);
      return element("button", { type: "button", onclick: () => (other ? this.#select(number) : this.#unfold(one.component)) }, other ? `${VALUES.get(other.value)[0]} ${label(other)}` : `component ${number}`);
    };
    const row = (name, numbers) => element("p", {}, `${name}: `, ...(numbers.length ? numbers.slice(0, 40).map(named) : ["none"]), numbers.length > 40 ? ` and ${numbers.length - 40} more` : "");
    this.querySelector(".chosen-component").replaceChildren(
      element("p", {}, `Component ${one.component}: ${inWords(one)}`),
      row("Inputs", one.inputs), row("Read by", one.readers),
      ...(one.proposition ? [element("button", { type: "button", onclick: () => this.around(one.proposition) }, "Only around this one")] : []),
    );
  }

  /** Chooses a component and brings it into view. */
  #select(number) {
    this.#choose(number);
    const one = this.#known.get(number);
    const { x, y, width, height } = this.#port.part;
    const isIn = one.x >= x && one.x + one.width <= x + width && one.y - HEIGHT >= y && one.y + HEIGHT <= y + height;
    if (!isIn) this.#centre();
    this.#element(number).focus({ preventScroll: true });
  }

  /** Arrow keys go to an input, to a reader, and up and down a column. */
  #key(event) {
    const one = this.#known.get(this.#chosen);
    const shown = (numbers) => numbers.map((number) => this.#known.get(number)).filter(Boolean).sort((left, right) => Math.abs(left.y - one.y) - Math.abs(right.y - one.y))[0];
    const column = [...this.#known.values()].filter(({ x }) => x === one.x).sort((left, right) => left.y - right.y);
    const place = column.indexOf(one);
    const act = {
      ArrowLeft: () => shown(one.inputs), ArrowRight: () => shown(one.readers),
      ArrowUp: () => column[place - 1], ArrowDown: () => column[place + 1],
      Enter: () => void this.#unfold(one.component), " ": () => void this.#unfold(one.component),
      "+": () => void this.#port.zoom(1.25), "-": () => void this.#port.zoom(0.8), 0: () => void this.#port.fit(),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    const next = act();
    if (next) this.#select(next.component);
  }

  /** Shows the part of the drawing that is in view. */
  #look() {
    const part = this.#port.part;
    this.querySelector("svg").setAttribute("viewBox", `${part.x} ${part.y} ${part.width} ${part.height}`);
    this.#port.map.frame(part);
  }

  /** Brings the chosen component to the middle. */
  #centre() {
    const one = this.#known.get(this.#chosen);
    this.#port.centre(one.x + one.width / 2, one.y);
  }

  #box() {
    const all = [...this.#known.values()];
    const [left, top] = [Math.min(...all.map(({ x }) => x)) - 40, Math.min(...all.map(({ y }) => y)) - ROW];
    const [right, bottom] = [Math.max(...all.map(({ x, width }) => x + width)) + 40, Math.max(...all.map(({ y }) => y)) + ROW];
    return { left, top, width: right - left, height: bottom - top };
  }

  /** Offers all that is drawn as a file, in the colours of the page. */
  #keep() {
    const svg = this.querySelector("svg");
    const copy = svg.cloneNode(true);
    const [before, after] = [svg, copy].map((one) => one.querySelectorAll("rect, path, text"));
    before.forEach((one, index) => {
      const style = getComputedStyle(one);
      for (const name of ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size"]) after[index].setAttribute(name, style.getPropertyValue(name));
    });
    const { left, top, width, height } = this.#box();
    for (const [name, value] of Object.entries({ xmlns: svg.namespaceURI, viewBox: `${left} ${top} ${width} ${height}`, width, height })) copy.setAttribute(name, value);
    copy.prepend(drawing("rect", { x: left, y: top, width, height, fill: getComputedStyle(this.querySelector(".canvas")).backgroundColor }));
    download("network.svg", new XMLSerializer().serializeToString(copy));
  }
}

/** The columns of components: each is to the right of its inputs, except on cycles. */
function columnsOf(all, known) {
  const columns = [];
  const places = new Map();
  const visit = (one, above) => {
    if (places.has(one)) return places.get(one);
    if (above.has(one)) return -1;
    above.add(one);
    const inputs = one.inputs.map((number) => known.get(number)).filter(Boolean);
    const place = Math.max(-1, ...inputs.map((input) => visit(input, above))) + 1;
    above.delete(one);
    places.set(one, place);
    return place;
  };
  for (const one of all) (columns[visit(one, new Set())] ??= []).push(one);
  return columns.filter(Boolean);
}

/** The numbers of the neighbours of a component that are not shown. */
function hidden(one, known, which = null) {
  const numbers = which ? one[which] : [...one.inputs, ...one.readers];
  return numbers.filter((number) => !known.has(number));
}

/** What a node says: its proposition, or its gate. */
function label({ is, proposition }) {
  const text = proposition ?? `${SIGNS[is] ?? ""} ${is}`.trim();
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

const word = ({ value }) => ({ true: "true", false: "false", null: "open" })[value];

/** A component in words. */
function inWords({ is, proposition, value, inputs, readers }) {
  const count = (number, one, several) => (number === 1 ? `1 ${one}` : `${number} ${several}`);
  const parts = [proposition ? `${is} ${proposition}` : is, VALUES.get(value)[1], count(inputs.length, "input", "inputs"), `read by ${readers.length}`];
  return parts.join(", ");
}

/** The line from a component to one that reads it. */
function link(from, to) {
  const [x, end] = [from.x + from.width, to.x];
  const bend = Math.max((end - x) / 2, 24);
  return `M${x},${from.y}C${x + bend},${from.y} ${end - bend},${to.y} ${end},${to.y}`;
}

customElements.define("ggp-network", Network);

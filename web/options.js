// @ts-check
// The options of a command as controls: checks, numbers, choices and texts, as the workbench lists them.

import { server } from "./page.js";
import { element } from "./terms.js";

/** The searches, once they have been asked for. */
let searches = null;
/** The player without a search. */
const RANDOM = "random";

/** Options that say what becomes of files of the machine, of which a page has none. */
const OF_FILES = ["--force"];

/** The help of an option for a page: what the prompt types stands as code, and other options as the names of their controls. */
const helpful = (text) => text.split("`").flatMap((piece, index) => {
  const named = piece.replace(/--([a-z][a-z-]*)/g, (_, name) => `“${name.replaceAll("-", " ")}”`);
  if (!piece) return [];
  return [index % 2 && named === piece ? element("code", {}, piece) : named];
});

/** The words and values of a line: `--depth 6 --table`. */
const words = (line) => line.split(/\s+/).filter(Boolean);

class Options extends HTMLElement {
  #command = "";
  #preset = [];
  /** The controls with what reads them, once they have been asked for. */
  #controls = null;

  connectedCallback() {
    if (this.childElementCount) return;
    this.replaceChildren(element("details", { ontoggle: () => this.#list() }, element("summary", {}, "Options"), element("div", { class: "controls" })));
    this.addEventListener("change", () => this.#tell());
  }

  /** Shows the options of a line's command, with the values that the line gives them. */
  show(line) {
    [this.#command, ...this.#preset] = words(line);
    this.#controls = null;
    this.#tell();
    this.#list();
  }

  /** The line: the command with its options. */
  get line() {
    return [this.#command, ...this.#given()].join(" ");
  }

  #given() {
    return this.#controls?.map(({ read }) => read()).filter(Boolean) ?? (this.#preset.length ? [this.#preset.join(" ")] : []);
  }

  /** Lists the controls, once they are unfolded. */
  async #list() {
    const command = this.#command;
    if (this.#controls || !command || !this.querySelector("details").open) return;
    const controls = (await server.controls(command)).filter(({ name }) => !OF_FILES.includes(name));
    if (command !== this.#command || this.#controls) return;
    this.#controls = controls.map((control) => made(control, valueIn(this.#preset, control.name)));
    this.querySelector(".controls").replaceChildren(...this.#controls.map(({ row }) => row));
    this.#tell();
  }

  /** Says in the summary what is set. */
  #tell() {
    const set = this.#given().join(" ").replace(/\s*--/g, ", ").replace(/^, /, "").replaceAll("-", " ");
    this.querySelector("summary").textContent = set ? `Options: ${set}` : "Options";
  }
}

/** The greatest length of a default that stands in its control, and not only below it. */
const SHORT = 12;

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The value of an option in words: `true` for one without a value, `null` if it is not there. */
function valueIn(preset, name) {
  const index = preset.indexOf(name);
  if (index < 0) return null;
  const next = preset[index + 1];
  return next === undefined || next.startsWith("--") ? true : next;
}

/** The elements of a control, and what reads it as an option; nothing if it is not set. */
function made(control, value) {
  const { name, label, help, default: otherwise, form } = control;
  const [fields, read] = { check, number, choice, text }[control.kind](control, value);
  for (const field of fields) {
    field.dataset.option = name;
    field.title = help.replaceAll("`", "");
  }
  if (fields.length > 1) fields[1].setAttribute("aria-label", `${label}: ${form}`);
  const hint = [...helpful(sentence(help)), ".", ...(otherwise ? [" Default: ", ...helpful(otherwise), "."] : [])];
  const row = element("div", { class: "control" }, element("label", {}, element("span", {}, sentence(label)), fields[0]), ...fields.slice(1), element("small", {}, ...hint));
  return { row, read };
}

function check({ name, has_number: hasNumber }, value) {
  const box = element("input", { type: "checkbox" });
  box.checked = value !== null;
  if (!hasNumber) return [[box], () => (box.checked ? name : "")];
  const many = element("input", { type: "number", min: "0", class: "seconds", value: typeof value === "string" ? value : null });
  return [[box, many], () => (box.checked ? `${name} ${many.value}`.trim() : "")];
}

function number({ name, is_whole: isWhole, form }, value) {
  const field = element("input", { type: "number", min: isWhole ? "0" : null, step: isWhole ? "1" : "any", placeholder: form.toLowerCase(), value });
  return [[field], () => (field.value === "" ? "" : `${name} ${field.value}`)];
}

function choice({ name, of, is_bare: isBare, default: otherwise }, value) {
  const none = element("option", { value: "" }, otherwise && !isBare ? (otherwise.length > SHORT ? "default" : `default: ${otherwise}`) : "no");
  const bare = isBare ? [element("option", { value: name }, "yes")] : [];
  const field = element("select", {}, none, ...bare, ...of.map((word) => element("option", { value: `${name} ${word}` }, word)));
  if (value !== null) field.value = value === true ? name : `${name} ${value}`;
  return [[field], () => field.value];
}

function text({ name, form }, value) {
  const field = element("input", { placeholder: form, value });
  return [[field], () => (field.value.trim() ? `${name} ${field.value.trim()}` : "")];
}

customElements.define("ggp-options", Options);

/** A player of the server: random moves, or a search with its options. */
class Player extends HTMLElement {
  #line = "random";

  connectedCallback() {
    if (this.childElementCount) return;
    const select = element("select", { "aria-label": this.getAttribute("label") ?? "Player", onchange: () => this.#choose(select.value) });
    this.replaceChildren(select, element("ggp-options", {}));
    this.#list([{ name: words(this.#line)[0] }]);
  }

  /** Lists the searches that there are. */
  async open() {
    this.#list(await (searches ??= server.searches()));
  }

  #list(searches) {
    const { line } = this;
    const select = this.querySelector("select");
    const others = searches.filter(({ name }) => name !== RANDOM);
    select.replaceChildren(element("option", { value: RANDOM }, "random moves"), ...others.map(({ name, summary }) => element("option", { value: name, title: summary }, name)));
    [select.value] = words(line);
    this.#choose(line);
  }

  #choose(line) {
    const options = this.querySelector("ggp-options");
    this.#line = line;
    options.hidden = line === RANDOM;
    if (!options.hidden && options.line !== line) options.show(line);
  }

  /** What `play` is given. */
  get line() {
    const options = this.querySelector("ggp-options");
    return !options || options.hidden ? this.#line : options.line;
  }

  set line(line) {
    this.#line = line;
    const select = this.querySelector("select");
    if (!select) return;
    const [name] = words(line);
    if (![...select.options].some(({ value }) => value === name)) select.append(element("option", { value: name }, name));
    select.value = name;
    this.#choose(line);
  }
}

customElements.define("ggp-player", Player);

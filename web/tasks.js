// The tasks of the course: a list with marks, a task beside its board, an answer, and what the judge says of it. The judge
// is the engine; the page keeps the marks, and saves them as a file that `ggp course grade` judges again. A teacher's own
// task is opened from its file, or from a link that has its text.

import { copy, download, pack } from "./files.js";
import { keepMarks, keepOwnTasks, keepTask, marks as keptMarks, ownTasks, task as keptTask } from "./storage.js";
import { element } from "./terms.js";

/** What a task asks for, by its kind. */
const ASKED = {
  move: "a move", plan: "a plan", number: "a number", choice: "a choice", text: "a text", cut: "the leaves that are cut",
  order: "an order of nodes", values: "the values of nodes", sheet: "a rule sheet", layout: "a layout", heuristic: "a heuristic",
  evaluation: "an evaluation",
};

/** The kinds of answers that are moves on the board. */
const PLAYED = ["move", "plan"];

/** The documents of the course, by the beginnings of their items. */
const DOCUMENTS = { L: "Lessons", S0: "S0 Slides", S1: "S1 Chapter", S2: "S2 Video", S3: "S3 Lecture", S4: "S4 Coursework", C: "Conventions" };
const documentOf = ({ section, text }) => (text ? "Your own tasks" : DOCUMENTS[section.split(".")[0]] ?? DOCUMENTS[section[0]] ?? section);

/** A text whose parts in backticks are code. */
const withCode = (text) => text.split("`").map((part, index) => (index % 2 ? element("code", {}, part) : part));

/** What is said of an answer: a sentence, or an excerpt of a text with its lines. */
const said = (text) => (text.includes("\n") ? element("pre", { tabindex: "0" }, text) : element("p", {}, ...withCode(text)));

/** How an answer is given without typing, by its kind. */
const GIVEN = {
  move: "Make the move on the board, or type it", plan: "Make the moves on the board, or type them", cut: "Press the leaves in the tree, or type",
  order: "Press the nodes in their order, or type", values: "Fill in the fields, or type",
};

/** The name under which an answer is shown on the board, by which it is read; `null` for an answer that has no position. */
function fileOf({ kind, game }) {
  if (kind === "sheet") return "answer.gdl";
  // In this folder the sheet of a layout is found.
  if (kind === "layout") return "course/tasks/answer.layout";
  return kind === "text" && /^[[(]/.test(game ?? "") ? "answer.tree" : null;
}

/** How an answer is given, above its field; nothing where that is seen. */
function formOf({ kind, form, choices = [], is_written: isWritten }) {
  if (choices.length || isWritten) return "";
  return kind === "move" ? `${GIVEN.move}.` : `${GIVEN[kind] ?? "The answer is"}${PLAYED.includes(kind) ? ":" : ""} ${form}.`;
}

class Tasks extends HTMLElement {
  /** Asks the session of the page: `ask(task, body)` returns its answer. */
  ask = null;
  /** Answers lines that lead to the position of a task, and shows it. */
  set = null;
  /** Plays a text; returns what is wrong with it, or `null`. */
  play = null;
  /** Whether the task has no position, so that no board belongs beside it. */
  isPlaceless = false;
  /** The joint moves of the match up to the position that is shown. */
  played = null;

  #rows = [];
  #marks = null;
  /** The task that is being done, the plies before it, and its hints that were shown. */
  #task = null;
  #start = 0;
  #hints = 0;
  /** What was typed or clicked: the text of the answer. */
  #field = null;

  /** Shows where a student was last: a task, or the list. */
  async resume() {
    await this.#gatherTasks();
    const last = keptTask();
    if (this.#rows.some(({ name }) => name === last)) await this.open(last);
    else this.list();
  }

  /** The tasks of the program, and before them those of files. */
  async #gatherTasks() {
    const { tasks, marks } = await this.ask("tasks");
    const own = ownTasks();
    this.#rows = [...own, ...tasks.filter(({ name }) => !own.some((task) => task.name === name))];
    this.#marks = keptMarks() ?? marks;
  }

  /** Opens the text of a task's file, and keeps it; or says above the list what is wrong with it. */
  async openText(name, text) {
    const { task, error: problem } = await this.ask("task", { name, text });
    const error = problem ?? (task.kind === "lesson" ? `A lesson of a file is begun at the prompt: course ${name}.task` : null);
    if (error) {
      await this.#gatherTasks();
      this.list();
      return this.querySelector("[role=alert]").replaceChildren(element("pre", { tabindex: "0" }, error));
    }
    const { section, title, kind } = task;
    keepOwnTasks([{ section, name, title, kind, text }, ...ownTasks().filter((own) => own.name !== name)]);
    await this.#gatherTasks();
    await this.open(name);
  }

  /** A task as it is asked for: by its name and, if it is of a file, with its text. */
  #named(name) {
    return { name, text: this.#rows.find((row) => row.name === name)?.text ?? null };
  }

  #mark(name) {
    return this.#marks.tasks[name] ?? { right: false, tries: 0, hints: 0, shown: false, answer: "" };
  }

  /** Changes the mark of a task; after a right answer it stays. */
  #note(name, change) {
    const mark = this.#mark(name);
    if (mark.right) return;
    this.#marks.tasks[name] = { ...mark, ...change(mark) };
    keepMarks(this.#marks);
  }

  /** Lists the lessons, and all tasks by the items of the course. */
  list() {
    this.#task = null;
    this.#place(true);
    keepTask(null);
    const item = ({ name, section, title, about, kind }) => {
      const { right, tries, hints, shown } = this.#mark(name);
      const begun = right ? "right" : tries || hints || shown ? "open" : "";
      const counts = [tries > 1 ? `${tries} tries` : "", hints ? `${hints} hint${hints > 1 ? "s" : ""}` : "", shown ? "solution shown" : ""];
      return element("li", { "data-mark": begun }, `${section} `,
        element("button", { type: "button", "data-task": name, onclick: () => (kind === "lesson" ? this.#teach(name) : this.open(name)) }, title),
        ` ${[about ?? ASKED[kind] ?? kind, begun, ...counts].filter(Boolean).join(", ")}`);
    };
    const isRight = ({ name }) => this.#mark(name).right;
    const done = this.#rows.filter(isRight).length;
    const group = (name) => {
      const rows = this.#rows.filter((row) => documentOf(row) === name);
      return [element("h2", {}, `${name}: ${rows.filter(isRight).length} of ${rows.length}`), element("ul", { class: "lessons" }, ...rows.map(item))];
    };
    this.replaceChildren(
      element("p", { role: "status" }, `${done} of ${this.#rows.length} tasks are right.`),
      element("div", { class: "bar" }, this.#button("Next task", () => this.#next()), this.#button("Save marks", () => this.#save()),
        element("label", { class: "button", title: "A task that you or your teacher has written (.task)" }, "Open a task",
          element("input", { type: "file", accept: ".task", onchange: ({ target }) => this.#openFile(target) }))),
      element("div", { class: "problem", role: "alert" }),
      ...[...new Set(this.#rows.map(documentOf))].flatMap(group),
    );
  }

  async #openFile(input) {
    const [file] = input.files;
    if (file) await this.openText(file.name.replace(/\.task$/, ""), await file.text());
  }

  /** Copies an address that opens the task: its text is in the address. */
  async #share() {
    const { name, text } = this.#named(this.#task.name);
    const packed = await pack(`${name}\n${text}`);
    if (!packed) return this.#tell("This task is too long for a link: give the class its file.");
    const address = `${location.origin}${location.pathname}#game=tic_tac_toe&pane=learn&task=${packed}`;
    const isCopied = await copy(address);
    this.#tell(isCopied ? "The link for the class is copied." : address);
  }

  /** Takes a task of a file off the list. */
  #forget() {
    const { name } = this.#task;
    keepOwnTasks(ownTasks().filter((own) => own.name !== name));
    this.#gatherTasks().then(() => this.list());
  }

  /** Begins a lesson, whose lines are typed in the session of the page. */
  #teach(name) {
    this.dispatchEvent(new CustomEvent("lesson", { detail: name }));
  }

  /** Notes what was done in a lesson: a line that did not solve its step, a step that was left out, or its end. */
  noteLesson({ name, ...what }) {
    if (!this.#marks) return;
    this.#note(name, (mark) => ({ tries: mark.tries + (what.shown ? 0 : 1), right: what.answer !== undefined, shown: mark.shown || Boolean(what.shown), answer: what.answer ?? "" }));
  }

  /** Asks for the item of the course to which the task belongs. */
  #read(section) {
    this.dispatchEvent(new CustomEvent("item", { detail: section }));
  }

  /** Loads what was written, so that it can be played; returns what is wrong with it, or `null`. */
  async #play() {
    const task = this.#task;
    const problem = await this.play(fileOf(task), this.#field.value);
    if (this.#task === task && !problem) this.#place(true);
    return problem;
  }

  async #try() {
    this.#tell((await this.#play()) ?? "It is on the board.");
  }

  /** Tells whether there is a position that belongs beside the task. */
  #place(isShown) {
    this.isPlaceless = !isShown;
    this.dispatchEvent(new CustomEvent("placed"));
  }

  #tell(text) {
    this.#reply(element("p", {}, ...withCode(text)));
  }

  /** Shows a reply, where it is seen. */
  #reply(...content) {
    const reply = this.querySelector(".verdict");
    reply.replaceChildren(...content);
    reply.scrollIntoView({ block: "nearest" });
  }

  #button(name, act) {
    return element("button", { type: "button", onclick: act }, name);
  }

  /** The first task after this one that is not right. */
  async #next() {
    const at = this.#rows.findIndex(({ name }) => name === this.#task?.name) + 1;
    const next = [...this.#rows.slice(at), ...this.#rows].find(({ name, kind }) => kind !== "lesson" && !this.#mark(name).right);
    if (next) await this.open(next.name);
    else this.list();
  }

  #save() {
    download("course.json", `${JSON.stringify(this.#marks, null, 2)}\n`);
  }

  /** Begins a task: its position is on the board, its question here. */
  async open(name) {
    const { task, error } = await this.ask("task", this.#named(name));
    if (error) throw new Error(error);
    this.#task = task;
    this.#hints = Math.min(this.#mark(name).hints, task.hints.length);
    this.#start = Infinity;
    keepTask(name);
    this.#show();
    if (!task.game) {
      // What is written is on the board as soon as it can be.
      this.#place(false);
      if (task.is_written) await this.#play();
      return;
    }
    this.#place(true);
    const { records } = await this.set([`load ${task.game}`, ...(task.begin ?? [])]);
    if (this.#task !== task) return;
    const failed = records.find((record) => record.error);
    if (failed) this.#say(failed.error, false);
    this.#start = this.played().length;
  }

  #show() {
    const { name, title, section, question, kind, choices = [], nodes = [], is_written: isWritten, draft } = this.#task;
    const form = formOf(this.#task);
    const mark = this.#mark(name);
    const field = isWritten
      ? element("textarea", { rows: "16", spellcheck: "false", "aria-label": "Your answer" })
      : element("input", { class: "line", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": "Your answer" });
    field.value = mark.answer || draft;
    if (!isWritten) field.value = mark.right ? mark.answer : "";
    this.#field = field;
    const statements = choices.map(([letter, text]) => element("label", {},
      element("input", { type: "radio", name: "statement", value: letter, onchange: () => { field.value = letter; } }), ` ${letter}. `, ...withCode(text)));
    this.replaceChildren(
      element("h2", {}, element("button", { type: "button", class: "item", title: "Read this item of the course", onclick: () => this.#read(section) }, section), ` ${title}`),
      element("p", { class: "question" }, ...withCode(question)),
      ...statements,
      nodes.length ? this.#tree(nodes, kind) : "",
      form ? element("p", { class: "hint" }, ...withCode(form)) : "",
      element("form", { class: "bar", onsubmit: (event) => { event.preventDefault(); this.#answer(); } },
        ...(choices.length ? [] : [field]), element("button", {}, "Answer"),
        fileOf(this.#task) ? this.#button("Show it on the board", () => this.#try()) : ""),
      element("div", { class: "verdict", role: "status" }),
      element("ol", { class: "hints" }, ...this.#task.hints.slice(0, this.#hints).map((hint) => element("li", {}, ...withCode(hint)))),
      element("div", { class: "bar" },
        this.#task.hints.length ? this.#button("Hint", () => this.#hint()) : "",
        this.#button("Solution", () => this.#solution()),
        this.#button("Begin again", () => this.#again(name)),
        this.#button("Next task", () => this.#next()),
        this.#button("All tasks", () => this.list()),
        ...(this.#named(name).text === null ? [] : [this.#button("Link for a class", () => this.#share()), this.#button("Remove this task", () => this.#forget())])),
    );
  }

  /** The task from its start, without an answer. */
  async #again(name) {
    await this.open(name);
    if (!this.#task?.is_written) this.#field.value = "";
  }

  /** The tree of a task: nodes are clicked in their order, leaves as cut, or each inner node has a field for its value. */
  #tree(nodes, kind) {
    const children = new Map(nodes.map((_, index) => [index, []]));
    nodes.forEach(({ parent }, index) => { if (parent !== null) children.get(parent).push(index); });
    const label = ({ name, value, decides, player = decides }) => (value !== null ? `${name}: ${value}` : player ? `${name} (${player})` : name);
    const shown = (index) => {
      const node = nodes[index];
      const isLeaf = node.value !== null;
      const canBeClicked = kind === "order" || (kind === "cut" && isLeaf);
      const own = canBeClicked
        ? element("button", { type: "button", "data-node": node.name, "aria-pressed": "false", onclick: ({ currentTarget }) => this.#click(node.name, currentTarget) }, label(node))
        : element("span", {}, label(node));
      const value = kind === "values" && !isLeaf
        ? element("input", { class: "given", size: "6", "data-node": node.name, autocomplete: "off", "aria-label": `The value of ${node.name}`, oninput: () => this.#gather() })
        : "";
      return element("li", {}, own, value, element("ul", {}, ...children.get(index).map(shown)));
    };
    return element("ul", { class: "nodes" }, shown(0));
  }

  /** A click on a node: it is added to the answer; a second one takes a leaf back, or the order back to this node. */
  #click(name, button) {
    const named = this.#field.value.split(/\s+/).filter((word) => word && word !== "none");
    const at = named.indexOf(name);
    if (at < 0) named.push(name);
    else named.splice(at, this.#task.kind === "cut" ? 1 : named.length);
    this.#field.value = named.join(" ");
    for (const one of this.querySelectorAll("button[data-node]")) one.setAttribute("aria-pressed", String(named.includes(one.dataset.node)));
    button.focus();
  }

  /** The values of the nodes as the text of the answer. */
  #gather() {
    const pairs = [...this.querySelectorAll("input.given")].filter(({ value }) => value.trim());
    this.#field.value = pairs.map(({ dataset, value }) => `${dataset.node}=${value.replace(/\s/g, "")}`).join(" ");
  }

  /** Hears that the match has moved on: moves that were made since the task began are the answer. */
  moved() {
    if (!this.#task || !PLAYED.includes(this.#task.kind)) return;
    const made = this.played().slice(this.#start);
    if (made.length) this.#field.value = this.#task.kind === "move" ? made[0] : made.join(" ");
  }

  #say(text, isRight, ...more) {
    this.querySelector(".verdict").dataset.right = String(isRight);
    this.#reply(element("strong", {}, isRight ? "Right." : "Not right."), said(text), ...more);
  }

  async #answer() {
    const { name } = this.#task;
    const answer = this.#field.value.trim();
    const { judged, error } = await this.ask("judge", { ...this.#named(name), answer });
    if (error) return this.#reply(element("div", { class: "problem" }, said(error)));
    this.#note(name, ({ tries }) => ({ tries: tries + 1, right: judged.right, answer }));
    this.#say(judged.text, judged.right, this.#computed(judged.command));
  }

  /** The command that computes a right answer: pressed, it is run in the position of the task. */
  #computed(command) {
    if (!command) return "";
    const answer = element("pre", { class: "answer", tabindex: "0", hidden: true });
    const run = async ({ currentTarget: button }) => {
      button.disabled = true;
      const { computed, error } = await this.ask("computed", this.#named(this.#task.name));
      button.disabled = false;
      answer.hidden = false;
      answer.textContent = error ?? computed.text;
    };
    return element("div", {}, element("button", { type: "button", class: "command", title: "Run it", onclick: run }, command), " computes it.", answer);
  }

  #hint() {
    const { name, hints } = this.#task;
    if (this.#hints >= hints.length) return;
    this.querySelector(".hints").append(element("li", {}, ...withCode(hints[this.#hints])));
    this.#hints += 1;
    this.#note(name, (mark) => ({ hints: Math.max(mark.hints, this.#hints) }));
  }

  async #solution() {
    const { name } = this.#task;
    const { solution, error } = await this.ask("solution", this.#named(name));
    if (error) throw new Error(error);
    this.#note(name, () => ({ shown: true }));
    const text = element("pre", { tabindex: "0" }, solution.text);
    this.#reply(element("strong", {}, "A right answer:"), text, this.#computed(solution.command));
  }
}

customElements.define("ggp-tasks", Tasks);

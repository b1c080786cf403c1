// @ts-check
// The pages of the course: what the documents of the course show, and their exercises; each command runs here.

import { written } from "./files.js";
import { element } from "./terms.js";

/** The names of standard output: what a command writes there is shown. */
const PRINTED = ["-", "/dev/stdout"];

const PAGES = [
  ["slides", "S0 Slides"], ["chapter", "S1 Chapter"], ["video", "S2 Video"], ["lecture", "S3 Lecture"], ["coursework", "S4 Coursework"],
  ["conventions", "Conventions"], ["README", "Contents"], ["tasks", "About tasks"],
];

/** The page of an item such as S3.7 or C1. */
const pageOf = (item) => (item.startsWith("C") ? "conventions" : PAGES.find(([, title]) => title.startsWith(item.split(".")[0]))?.[0]);
/** The item that a heading is about. */
const itemOf = (heading) => /^(?:S\d+(?:\.\d+)?|C\d+)(?=[ :])/.exec(heading.textContent)?.[0];

/** The address of a heading as Markdown of repositories has it. */
const slug = (heading) => heading.toLowerCase().replace(/[^\p{L}\p{N}\s-]/gu, "").trim().replace(/\s/g, "-");

/** The game and the lines of a command `ggp eval GAME 'LINES'…`; `null` for another one, or one that reads files outside of the course. */
function lines(command) {
  const [, game, rest] = /^ggp eval ('[^']*'|\S+) (.*)$/.exec(command) ?? [];
  if (!game || (/[/.]/.test(game) && !game.startsWith("course/"))) return null;
  const parts = [...rest.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
  return { game: game.replaceAll("'", ""), lines: parts.flatMap((part) => part.split(";")).map((line) => line.trim()).filter(Boolean) };
}

/** What the paragraph before a block says of its time and memory: `20 s and 1 GB`; empty where commands are short. */
const costOf = (block) => /Takes about (.+?)\.(?:\s|$)/.exec(block.previousElementSibling?.textContent ?? "")?.[1] ?? "";

/** What a command has drawn: a picture, a text that it prints, or a file to keep. */
function shown([name, text]) {
  if (text.startsWith("<svg")) return written([[name.endsWith(".svg") ? name : "picture.svg", text]]);
  return PRINTED.includes(name) ? [element("pre", { tabindex: "0" }, text)] : written([[name, text]]);
}

class Course extends HTMLElement {
  /**
   * Loads a game and answers lines: `run(game, lines, tell, signal)` returns their records, and the files that they have
   * written; `tell` hears of the progress, and the signal stops it.
   */
  run = null;
  /** The tasks of the course: `{name, title, section}` each. */
  tasks = async () => [];

  connectedCallback() {
    const pages = PAGES.map(([name, title]) => element("button", { type: "button", "data-page": name, onclick: () => this.open(name) }, title));
    this.replaceChildren(element("div", { class: "bar", role: "group", "aria-label": "Pages of the course" }, ...pages),
      element("article", { class: "page", tabindex: "0", "aria-label": "A page of the course" }));
  }

  /** Opens a page, at one of its headings. */
  async open(name, anchor = null) {
    const response = await fetch(`course/${name}`);
    if (!response.ok) throw new Error(`there is no page ${name} of the course`);
    const article = this.querySelector("article");
    // The page is part of the program, and the policy of its server runs no code in it.
    article.innerHTML = await response.text();
    for (const button of this.querySelectorAll("[data-page]")) button.setAttribute("aria-pressed", String(button.dataset.page === name));
    article.querySelectorAll("pre").forEach((block) => this.#runnable(block));
    article.querySelectorAll("a").forEach((link) => this.#lead(link, name));
    await this.#offerTasks(article);
    const heading = anchor && [...article.querySelectorAll("h1, h2, h3")].find((one) => slug(one.textContent) === anchor || itemOf(one) === anchor);
    if (heading) heading.scrollIntoView();
    else article.scrollTop = 0;
  }

  /** Opens the page of an item, there. */
  async openItem(item) {
    await this.open(pageOf(item) ?? "README", item);
  }

  /** Below the heading of an item are the tasks that belong to it. */
  async #offerTasks(article) {
    const tasks = await this.tasks();
    for (const heading of article.querySelectorAll("h1, h2, h3")) {
      const own = tasks.filter(({ section }) => section === itemOf(heading));
      if (!own.length) continue;
      const open = (name) => () => this.dispatchEvent(new CustomEvent("task", { detail: name }));
      heading.after(element("div", { class: "bar tasks", role: "group", "aria-label": "Tasks" },
        ...own.map(({ name, title }) => element("button", { type: "button", onclick: open(name) }, `Task: ${title}`))));
    }
  }

  /** Gives a block of commands and their answers a button for each command that runs here. */
  #runnable(block) {
    block.tabIndex = 0;
    const commands = block.textContent.split("\n").filter((line) => line.startsWith("$ ")).map((line) => lines(line.slice(2)));
    const runnable = commands.filter(Boolean);
    if (!runnable.length) return;
    const cost = costOf(block);
    const answer = element("pre", { class: "answer", hidden: true, tabindex: "0", role: "status" });
    const drawn = element("div", { class: "drawn" });
    let stop = null;
    const run = async (command, button) => {
      if (stop) return stop.abort();
      stop = new AbortController();
      const name = button.textContent;
      button.textContent = "Stop";
      answer.hidden = false;
      answer.textContent = "…";
      drawn.replaceChildren();
      try {
        const tell = ({ nodes, seconds }) => { answer.textContent = `${nodes.toLocaleString("en")} nodes, ${seconds.toFixed(1)} s`; };
        const { records, files } = await this.run(command.game, command.lines, tell, stop.signal);
        answer.textContent = records.map(({ text }) => text).join("");
        drawn.replaceChildren(...files.flatMap(shown));
      } catch (error) {
        answer.textContent = error.name === "AbortError" ? `stopped: ${answer.textContent}` : error.message;
      } finally {
        stop = null;
        button.textContent = name;
      }
    };
    const name = ({ lines: typed }) => (runnable.length > 1 ? `Run ${typed.join("; ").slice(0, 30)} here` : "Run it here");
    block.after(element("div", { class: "bar" }, ...runnable.map((command) => element("button", { type: "button", onclick: ({ currentTarget }) => run(command, currentTarget) },
      cost ? `${name(command)} (about ${cost})` : name(command)))), answer, drawn);
  }

  /** Links between the pages open here; those to files of the project are text. */
  #lead(link, here) {
    const [, page, anchor] = /^(?:(\w+)\.md)?(?:#(.*))?$/.exec(link.getAttribute("href") ?? "") ?? [];
    const name = page ?? (anchor ? here : null);
    if (!PAGES.some(([known]) => known === name)) return link.replaceWith(...link.childNodes);
    link.addEventListener("click", (event) => { event.preventDefault(); this.open(name, anchor); });
  }
}

customElements.define("ggp-course", Course);

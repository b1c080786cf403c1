// @ts-check
// The seats of a match: who plays each role (a person at this page, a level, a search of the server with its time for a
// move, or a page of Stanford's course in another tab), the seed of chance, and the matches of this game that were played
// before.

import { hasSound } from "./storage.js";
import { element, isChance } from "./terms.js";
import { withStyle } from "./views.js";

/** The players that a seat may have; `line` is what `play` is given, and a search that takes a time gets `--seconds`. */
const PLAYERS = [
  { name: "you", line: null },
  { name: "random moves", line: "random" },
  { name: "beginner", line: "mcts --visits 20", group: "Levels" },
  { name: "casual player", line: "mcts --visits 300", group: "Levels" },
  { name: "strong player", line: "mcts --seconds 0.5", group: "Levels" },
  { name: "full strength", line: "best --seconds 3", group: "Levels" },
  { name: "trained network", line: "mcts --net trained --seconds 3", group: "Levels", isNetwork: true },
  { name: "Monte Carlo tree search", line: "mcts", isTimed: true, group: "Searches" },
  { name: "alpha-beta, iterative deepening", line: "iterative", isTimed: true, group: "Searches" },
  { name: "what fits the game", line: "best", isTimed: true, group: "Searches" },
  { name: "another search …", line: "", isOwn: true, group: "Searches" },
  { name: "a page in a tab …", line: "", isTimed: true, isPage: true, group: "Other pages" },
];
/** The seconds for a move of a search, and of a page: some of these leave two seconds of them unused. */
const [SECONDS, PAGE_SECONDS] = [1, 10];

/** The clocks that a match may have, in minutes for each role. */
const CLOCKS = [1, 3, 5, 10, 30];

/** How the line of a seat names such a player, and its seconds for a move. */
const LINE = /^page (\S+) --seconds ([\d.]+)$/;

/** The player of the line of a seat: `{name, seconds}`; `null` for any other line. */
export function pageOf(line) {
  const [, name, seconds] = LINE.exec(line ?? "") ?? [];
  return name ? { name, seconds: Number(seconds) } : null;
}

/** The line of the seat of such a player. */
export const pageLine = (name, seconds) => `page ${name} --seconds ${seconds}`;

/**
 * The player that a line stands for, its seconds for a move, and the name of a page.
 * @returns {[any, number | string, string?]}
 */
function playerOf(line) {
  const page = pageOf(line);
  if (page) return [PLAYERS.find(({ isPage }) => isPage), page.seconds, page.name];
  const fixed = PLAYERS.find((player) => !player.isTimed && player.line === line);
  if (fixed) return [fixed, SECONDS];
  const [, name, seconds] = /^(\S+) --seconds ([\d.]+)$/.exec(line ?? "") ?? [];
  const timed = PLAYERS.find((player) => player.isTimed && player.line === name);
  return timed ? [timed, seconds] : [PLAYERS.find(({ isOwn }) => isOwn), SECONDS];
}

/** The name of the player of a seat. */
export function playerName(line) {
  const [player, seconds, page] = playerOf(line);
  if (player.isOwn) return line;
  if (page) return `the page ${page}, ${seconds} s`;
  return player.isTimed ? `${player.name}, ${seconds} s` : player.name;
}

/** The players as options, those of a group together; a network is offered where the server has one for the game. */
function options(chosen, hasNetwork) {
  const offered = PLAYERS.filter((player) => hasNetwork || !player.isNetwork || player === chosen);
  const option = (player) => element("option", { selected: player === chosen, value: player.name }, player.name);
  const groups = [...new Set(offered.map(({ group }) => group).filter(Boolean))];
  const alone = offered.filter(({ group }) => !group).map(option);
  return [...alone, ...groups.map((label) => element("optgroup", { label }, ...offered.filter(({ group }) => group === label).map(option)))];
}

/** The options of searches, which are loaded for a person who chooses them. */
const withOptions = () => Promise.all([import("./options.js"), withStyle()]);

/** The seats with the players of all roles but chance passed on by one. */
export function swapped(roles, seats) {
  const players = roles.filter((role) => !isChance(role));
  const passed = players.map((role, index) => [role, seats[players[(index + 1) % players.length]] ?? null]);
  return { ...seats, ...Object.fromEntries(passed) };
}

class Seats extends HTMLElement {
  #shown = null;
  #hasNetwork = false;
  /** Whether a person makes the moves without a choice; asked for where there is one. */
  #stepping = element("label", { class: "stepping", hidden: true }, element("input", { type: "checkbox" }), " Step through moves without a choice");
  #match = element("div", { class: "bar match" });
  #earlier = element("details", { class: "matches", hidden: true }, element("summary", {}), element("ol", {}));

  get isStepping() {
    return this.#stepping.firstChild.checked;
  }

  /** Lets a person choose to step, since nobody has a choice. */
  offerSteps() {
    this.#stepping.hidden = false;
  }

  /** Shows the seats of a match. What a person sets stays as it is typed. */
  show({ roles, seats, match, view }) {
    const hasNetwork = Boolean(view?.has_network);
    const shown = JSON.stringify([match.id, roles, seats, match.clock, hasNetwork]);
    if (shown === this.#shown) return;
    this.#hasNetwork = hasNetwork;
    const [lastId, lastRoles, , , hadNetwork] = JSON.parse(this.#shown ?? "[]");
    const isOther = lastRoles?.join() !== roles.join();
    const isTyped = lastId === match.id && hadNetwork === hasNetwork && roles.every((role) => this.querySelector(`[data-role="${CSS.escape(role)}"]`)?.line === seats[role]);
    this.#shown = shown;
    this.#tell(roles, seats, match);
    if (isTyped) return;
    if (isOther) this.#stepping.hidden = true;
    this.replaceChildren(element("fieldset", {}, element("legend", { class: "hidden" }, "Players"), ...roles.map((role) => this.#seat(role, seats[role])), this.#stepping), this.#match, this.#earlier);
  }

  /** Shows what a match can do as a whole, and its seed if anything in it depends on chance. */
  #tell(roles, seats, match) {
    const send = (name, detail) => this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
    const button = (id, words) => element("button", { type: "button", id, onclick: () => send(id) }, words);
    const isRandom = roles.some((role) => isChance(role) || seats[role]);
    const seed = element("input", { id: "seed", class: "seconds", type: "number", min: "0", max: "999999", value: match.seed, title: "The same seed and the same moves give the same match. A change begins a match with this seed.", onchange: () => { if (seed.checkValidity() && seed.value) send("seeded", Number(seed.value)); } });
    const option = (seconds, words) => element("option", { value: seconds ?? "", selected: seconds === (match.clock ?? null) }, words);
    const clock = element("select", { id: "clock", title: "The time of each role. A change after the first move begins another match.", onchange: () => send("clocked", Number(clock.value) || null) },
      option(null, "none"), ...CLOCKS.map((minutes) => option(minutes * 60, `${minutes} min`)));
    this.#match.replaceChildren(button("newmatch", "New match"),
      ...(roles.filter((role) => !isChance(role)).length > 1 ? [button("swapsides", "Swap sides")] : []),
      element("label", {}, "Clock ", clock),
      ...(isRandom ? [element("label", {}, "Seed ", seed)] : []),
      element("label", { class: "sounds" }, element("input", { type: "checkbox", id: "sounds", checked: hasSound(), onchange: ({ target }) => send("sounded", target.checked) }), " Sounds"));
  }

  /** Lists the matches of this game that were played before: `{id, began, plies, result}`. */
  list(matches) {
    this.#earlier.hidden = !matches.length;
    const [summary, list] = this.#earlier.children;
    summary.textContent = `Earlier matches (${matches.length})`;
    const words = ({ began, plies, result }) => `${new Date(began).toLocaleString([], { dateStyle: "short", timeStyle: "short" })}, ${plies} ${plies === 1 ? "ply" : "plies"}${result ? `, ${result}` : ""}`;
    list.replaceChildren(...matches.map((match) => element("li", {}, element("button", { type: "button", onclick: () => this.dispatchEvent(new CustomEvent("reopen", { detail: match.id, bubbles: true })) }, words(match)))));
  }

  #seat(role, line) {
    const [chosen, time, known] = playerOf(line);
    const select = element("select", {}, ...options(chosen, this.#hasNetwork));
    const seconds = element("input", { class: "seconds", type: "number", min: "0.1", max: "600", step: "0.1", value: time, "aria-label": `Seconds for a move of ${role}` });
    const own = element("ggp-player", { class: "own", label: `The search of ${role}`, hidden: !chosen.isOwn });
    const page = element("input", { class: "identifier", required: true, pattern: "[a-z]\\w*", value: known ?? "", placeholder: "its name", hidden: !chosen.isPage, "aria-label": `The name of the page that plays ${role}` });
    const timing = element("label", { hidden: !chosen.isTimed }, seconds, " s");
    const open = async (given) => {
      await withOptions();
      if (given) own.line = given;
      await own.open();
    };
    if (chosen.isOwn) open(line);
    const bar = element("div", { class: "bar", "data-role": role }, element("label", {}, element("span", { class: "name" }, role), select), page, timing, own);
    bar.line = line;
    const change = async () => {
      const player = PLAYERS.find(({ name }) => name === select.value);
      [timing.hidden, own.hidden] = [!player.isTimed, !player.isOwn];
      if (Boolean(player.isPage) === page.hidden) seconds.value = player.isPage ? PAGE_SECONDS : SECONDS;
      page.hidden = !player.isPage;
      if (player.isOwn) await open();
      if (!seconds.checkValidity()) return seconds.reportValidity();
      // A page has no seat before its name is typed.
      if (player.isPage && !page.checkValidity()) return page.value ? page.reportValidity() : page.focus();
      const next = player.isPage ? pageLine(page.value, seconds.value) : player.isTimed ? `${player.line} --seconds ${seconds.value}` : player.isOwn ? own.line : player.line;
      if (next === bar.line) return;
      bar.line = next;
      this.dispatchEvent(new CustomEvent("seated", { detail: { role, line: next }, bubbles: true }));
    };
    for (const field of [select, seconds, own, page]) field.addEventListener("change", change);
    return bar;
  }
}

customElements.define("ggp-seats", Seats);

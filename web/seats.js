// The seats of the roles: a person at this page, random moves, a search of the server with its time for a move, or a page of
// Stanford's course in another tab.

import "./options.js";
import { pageLine, pageOf } from "./manager.js";
import { element, isChance } from "./terms.js";

/** The players that a seat may have; `line` is what `play` is given, and a search that takes a time gets `--seconds`. */
const PLAYERS = [
  { name: "you", line: null },
  { name: "random moves", line: "random" },
  { name: "Monte Carlo tree search", line: "mcts", isTimed: true },
  { name: "alpha-beta, deeper and deeper", line: "iterative", isTimed: true },
  { name: "what fits the game", line: "best", isTimed: true },
  { name: "another search …", line: "", isOwn: true },
  { name: "a page in a tab …", line: "", isTimed: true, isPage: true },
];
/** The seconds for a move of a search, and of a page: some of these leave two seconds of them unused. */
const [SECONDS, PAGE_SECONDS] = [1, 10];

/** The player that a line stands for, and its seconds for a move. */
function playerOf(line) {
  const page = pageOf(line);
  if (page) return [PLAYERS.find(({ isPage }) => isPage), page.seconds, page.name];
  const [, name, seconds] = /^(\S+) --seconds ([\d.]+)$/.exec(line ?? "") ?? [];
  const timed = PLAYERS.find((player) => player.isTimed && player.line === name);
  if (timed) return [timed, seconds];
  return [PLAYERS.find((player) => !player.isTimed && player.line === line) ?? PLAYERS.find(({ isOwn }) => isOwn), SECONDS];
}

class Seats extends HTMLElement {
  /** The line of each role's player; `null` for a person at this page. */
  lines = {};
  #roles = [];
  /** Whether a person makes the moves without a choice; asked for where there is one. */
  #stepping = element("label", { class: "stepping", hidden: true }, element("input", { type: "checkbox" }), " Step through moves without a choice");

  get isStepping() {
    return this.#stepping.firstChild.checked;
  }

  /** Lets a person choose to step, since nobody has a choice. */
  offerSteps() {
    this.#stepping.hidden = false;
  }

  /** Seats for these roles, with the players that were kept; else a role that was there before keeps its player. */
  begin(roles, kept) {
    if (kept || roles.join() !== this.#roles.join()) {
      this.#roles = roles;
      this.lines = Object.fromEntries(roles.map((role) => [role, kept?.[role] ?? (isChance(role) ? "random" : null)]));
      this.replaceChildren(element("fieldset", {}, element("legend", { class: "hidden" }, "Players"), ...roles.map((role) => this.#seat(role)), this.#stepping));
      this.#stepping.hidden = true;
      for (const own of this.querySelectorAll("ggp-player:not([hidden])")) own.open();
    }
  }

  #seat(role) {
    const [chosen, time, known] = playerOf(this.lines[role]);
    const select = element("select", {}, ...PLAYERS.map((player) => element("option", { selected: player === chosen }, player.name)));
    const seconds = element("input", { class: "seconds", type: "number", min: "0.1", max: "600", step: "0.1", value: time, "aria-label": `Seconds for a move of ${role}` });
    const own = element("ggp-player", { class: "own", label: `The search of ${role}`, hidden: !chosen.isOwn });
    const page = element("input", { class: "identifier", required: true, pattern: "[a-z]\\w*", value: known ?? "", placeholder: "its name", hidden: !chosen.isPage, "aria-label": `The name of the page that plays ${role}` });
    const timing = element("label", { hidden: !chosen.isTimed }, seconds, " s");
    if (chosen.isOwn) own.line = this.lines[role];
    const change = () => {
      const player = PLAYERS[select.selectedIndex];
      [timing.hidden, own.hidden] = [!player.isTimed, !player.isOwn];
      if (Boolean(player.isPage) === page.hidden) seconds.value = player.isPage ? PAGE_SECONDS : SECONDS;
      page.hidden = !player.isPage;
      if (player.isOwn) own.open();
      if (!seconds.checkValidity()) return seconds.reportValidity();
      // A page has no seat before its name is typed.
      if (player.isPage && !page.checkValidity()) return page.value ? page.reportValidity() : page.focus();
      const line = player.isPage ? pageLine(page.value, seconds.value) : player.isTimed ? `${player.line} --seconds ${seconds.value}` : player.isOwn ? own.line : player.line;
      if (line === this.lines[role]) return;
      this.lines[role] = line;
      this.dispatchEvent(new CustomEvent("seated", { bubbles: true }));
    };
    for (const field of [select, seconds, own, page]) field.addEventListener("change", change);
    return element("div", { class: "bar" }, element("label", {}, element("span", { class: "name" }, role), select), page, timing, own);
  }
}

customElements.define("ggp-seats", Seats);

// @ts-check
// The first page: what this is, how to begin, where one was last, and the games in groups.

import { miniature } from "./board.js";
import { element } from "./terms.js";

/** The steps of a newcomer: what to do, why, and where. */
const STEPS = [
  ["1. Play", "Click a square. The other side is yours too, or the computer’s.", "#game=tic_tac_toe"],
  ["2. Ask why", "You can see the proof of each fact and each legal move.", "#game=tic_tac_toe&moves=mark(2,2) noop&pane=explain"],
  ["3. Change a rule", "The rules are a text: change it, and play the new game.", "#game=tic_tac_toe&pane=rules"],
  ["4. Learn", "Five lessons, and a course on search and general game playing.", "#game=tic_tac_toe&pane=learn"],
];

/**
 * The games by what they are, in the order in which a newcomer may want them.
 * @type {[string, string[]][]}
 */
const GROUPS = [
  ["To begin with", ["tic_tac_toe", "connect_four", "eight_puzzle", "nim", "pig_dice", "breakthrough_6x6"]],
  ["For two", ["chess", "checkers", "othello", "kalaha", "gomoku_9x9", "hex_7x7", "connect_four_4x4", "connect_four_4x5", "connect_four_5x4", "connect_four_5x5", "rock_paper_scissors"]],
  ["Puzzles", ["peg_solitaire", "hanoi", "lights_out", "maze", "three_puzzle", "blocksworld_tiles", "blocksworld_tiles_walls", "buttons_and_lights", "eight_puzzle_unlimited", "eight_puzzle_two_moves", "hanoi_8"]],
  ["Chance and hidden information", ["monty_hall", "kuhn_poker", "liars_dice", "phantom_tic_tac_toe", "battleship_small", "dice_race", "mastermind", "leduc_poker", "goofspiel_hidden", "expectimax_tree"]],
  ["Pacman and its ghosts", ["pacman_small", "pacman_hunt", "pacman_ring", "pacman_corridor", "pacman_corridor_small", "pacman_trapped", "pacman_mystery", "pacman_ring_two_ghosts"]],
  ["Trees of textbooks", ["minimax_tree", "three_player_tree"]],
];
/** What is in no group yet. */
const OTHERS = "Others";
/** The cards of a group that are shown at first. */
const SHOWN = 6;

/** The room around a picture, in pixels. */
const MARGIN = 16;

/** The words of each kind of game, with its number of players. */
const KINDS = {
  puzzle: () => "puzzle",
  contest: (players) => `${players} players`,
  chance: (players) => (players === 1 ? "1 player and chance" : `${players} players and chance`),
};

const words = (name) => name.replaceAll("_", " ");

class Home extends HTMLElement {
  /** The games: `{name, summary}`. */
  games = [];
  /** Asks for the card of a game: `{players, kind, size, board}`. */
  card = null;
  #watched = null;
  #sized = new ResizeObserver((changed) => changed.forEach(({ target }) => /** @type {any} */ (target).draw()));

  /** Shows all games, and the place where a person was last, if it is known. */
  show(last) {
    const way = ([title, about, address]) => element("li", {}, element("a", { href: address }, element("strong", {}, title), element("span", {}, about)));
    const on = last ? [["Continue where you were", `${words(last.game)}, ply ${last.ply}`, last.address]] : [];
    const find = element("input", { type: "search", id: "find", placeholder: "Find a game", "aria-label": "Find a game", oninput: () => this.#filter(find.value), onkeydown: ({ key }) => { if (key === "Enter") this.#openOnly(); } });
    this.replaceChildren(
      element("h2", {}, "Any game, from its rules"),
      element("p", { class: "lead" }, "The rules of each game below are a text. This page reads them, plays the game, searches it and proves why a move is legal; you can change the rules and play on."),
      element("ul", { class: "ways", "aria-label": "How to begin" }, ...[...on, ...STEPS].map(way)),
      element("div", { class: "find" }, find, element("button", { type: "button", onclick: () => this.dispatchEvent(new CustomEvent("open")) }, "Open your own"),
        element("button", { type: "button", id: "newsheet", onclick: () => this.dispatchEvent(new CustomEvent("newsheet")) }, "New sheet"),
        element("span", { class: "hint" }, "a rule sheet (.gdl, .kif, .hrf), a tree in brackets (.tree), a layout (.layout) or a saved match (.json)")),
      element("p", { class: "hint none", role: "status" }),
      ...this.#groups().map(([title, games]) => this.#group(title, games)),
    );
    this.#watched?.disconnect();
    this.#sized.disconnect();
    // A picture is asked for when its card is seen.
    this.#watched = new IntersectionObserver((seen) => {
      for (const { target, isIntersecting } of seen) {
        if (!isIntersecting) continue;
        this.#watched.unobserve(target);
        this.#fill(target);
      }
    });
    for (const item of this.querySelectorAll(".cards li")) this.#watched.observe(item);
  }

  /** The groups with their games; games of no group are in the last one. */
  #groups() {
    const byName = new Map(this.games.map((game) => [game.name, game]));
    const groups = GROUPS.map(([title, names]) => [title, names.map((name) => byName.get(name)).filter(Boolean)]);
    const grouped = new Set(GROUPS.flatMap(([, names]) => names));
    return [...groups, [OTHERS, this.games.filter(({ name }) => !grouped.has(name))]].filter(([, games]) => games.length);
  }

  #group(title, games) {
    const items = games.map((game) => this.#item(game));
    const group = element("section", { class: "group", "aria-label": title }, element("h3", {}, title), element("ul", { class: "cards" }, ...items));
    if (games.length <= SHOWN) return group;
    const all = element("button", { type: "button", class: "all", onclick: () => { group.classList.add("whole"); all.remove(); } }, `All ${games.length}`);
    group.querySelector("h3").append(" ", all);
    return group;
  }

  /** Opens the only game that is found. */
  #openOnly() {
    const [only, ...others] = this.querySelectorAll(".cards li:not([hidden]) a");
    if (only && !others.length) only.click();
  }

  #item({ name, summary }) {
    return element("li", { "data-game": name, "data-words": `${words(name)} ${summary}`.toLowerCase() },
      element("a", { href: `#game=${name}` }, element("span", { class: "picture", "aria-hidden": "true" }), element("span", {},
        element("strong", {}, words(name)), element("span", { class: "about kind" }, "\u00a0"), element("span", { class: "about", title: summary }, summary))));
  }

  async #fill(item) {
    const name = item.dataset.game;
    const card = await this.card(name).catch(() => null);
    const box = item.querySelector(".picture");
    if (!card) return;
    const about = [KINDS[card.kind](card.players), card.size].filter(Boolean).join(", ");
    item.querySelector(".kind").textContent = about;
    item.dataset.words += ` ${about.toLowerCase()}`;
    box.replaceChildren(element("span", { class: "sign" }, words(name)[0].toUpperCase()));
    if (!card.board) return;
    // The board fits its box, which has another size in another window.
    box.draw = () => box.replaceChildren(miniature(card.board, box.clientWidth - MARGIN, box.clientHeight - MARGIN));
    box.draw();
    this.#sized.observe(box);
  }

  #filter(text) {
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    const items = [...this.querySelectorAll(".cards li")];
    for (const item of items) item.hidden = !wanted.every((word) => item.dataset.words.includes(word));
    this.classList.toggle("found", wanted.length > 0);
    for (const group of this.querySelectorAll(".group")) group.hidden = !group.querySelector("li:not([hidden])");
    this.querySelector(".none").textContent = items.every(({ hidden }) => hidden) ? "No game of the library is like this." : "";
  }
}

customElements.define("ggp-home", Home);

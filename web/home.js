// The first page: the games as cards, where one was last, and three steps for a person who is new.

import { miniature } from "./board.js";
import { element } from "./terms.js";

/** The steps of a newcomer: what to do, why, and where. */
const STEPS = [
  ["1. Play", "Click a square. The other side is yours too, or the computer’s.", "#game=tic_tac_toe"],
  ["2. Ask why", "You can see the proof of each fact and each legal move.", "#game=tic_tac_toe&moves=mark(2,2) noop&pane=explain"],
  ["3. Change a rule", "The rules are a text: change it, and play the new game.", "#game=tic_tac_toe&pane=rules"],
];

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

  /** Shows all games, and the place where a person was last, if it is known. */
  show(last) {
    const way = ([title, about, address]) => element("li", {}, element("a", { href: address }, element("strong", {}, title), element("span", {}, about)));
    const on = last ? [["Continue where you were", `${words(last.game)}, ply ${last.ply}`, last.address]] : [];
    const find = element("input", { type: "search", id: "find", placeholder: "Find a game", "aria-label": "Find a game", oninput: () => this.#filter(find.value) });
    this.replaceChildren(
      element("ul", { class: "ways", "aria-label": "How to begin" }, ...[...on, ...STEPS].map(way)),
      element("h2", {}, "Games"),
      element("div", { class: "find" }, find, element("button", { type: "button", onclick: () => this.dispatchEvent(new CustomEvent("open")) }, "Open your own"),
        element("span", { class: "hint" }, "a rule sheet (.gdl, .kif, .hrf), a tree in brackets (.tree), a layout (.layout) or a saved match (.json)")),
      element("ul", { class: "cards" }, ...this.games.map((game) => this.#item(game))),
      element("p", { class: "hint", role: "status" }),
    );
    this.#watched?.disconnect();
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

  #item({ name, summary }) {
    return element("li", { "data-game": name, "data-words": `${words(name)} ${summary}`.toLowerCase() },
      element("a", { href: `#game=${name}` }, element("span", { class: "picture", "aria-hidden": "true" }), element("span", {},
        element("strong", {}, words(name)), element("span", { class: "about kind" }, "\u00a0"), element("span", { class: "about" }, summary))));
  }

  async #fill(item) {
    const name = item.dataset.game;
    const card = await this.card(name).catch(() => null);
    const box = item.querySelector(".picture");
    if (!card) return;
    const about = [KINDS[card.kind](card.players), card.size].filter(Boolean).join(", ");
    item.querySelector(".kind").textContent = about;
    item.dataset.words += ` ${about.toLowerCase()}`;
    box.replaceChildren(card.board ? miniature(card.board, box.clientWidth - MARGIN, box.clientHeight - MARGIN) : element("span", { class: "sign" }, words(name)[0].toUpperCase()));
  }

  #filter(text) {
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    const items = [...this.querySelectorAll(".cards li")];
    for (const item of items) item.hidden = !wanted.every((word) => item.dataset.words.includes(word));
    this.querySelector("[role=status]").textContent = items.every(({ hidden }) => hidden) ? "No game of the library is like this." : "";
  }
}

customElements.define("ggp-home", Home);

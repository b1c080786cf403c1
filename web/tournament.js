// @ts-check
// Players against each other for many games: a table that fills while they play.
//
// A player is what `play` takes: `random`, or a search with its options. The command `tournament` plays the games, in a
// session beside that of the page, and tells its results while it plays; the players take all seats in turn.

import "./options.js";
import { element } from "./terms.js";

/** The players of a tournament before others are chosen. */
const FIRST = ["mcts --visits 200", "random"];

class Tournament extends HTMLElement {
  /** Opens a session at the initial state: `{run, end}`. */
  beside = null;
  #stop = null;
  #game = null;

  connectedCallback() {
    this.replaceChildren(
      element("form", { class: "tournament", onsubmit: (event) => { event.preventDefault(); this.#toggle(); } },
        element("fieldset", {}, element("legend", {}, "Players"), element("div", { class: "players" })),
        element("div", { class: "bar" },
          element("label", {}, "Games ", element("input", { id: "games", type: "number", min: "1", max: "100000", value: "20" })),
          element("label", {}, "Seed ", element("input", { id: "tournament-seed", type: "number", min: "0", max: "1000000000", value: "0" })),
          element("button", { type: "button", id: "another", onclick: () => this.#add("random").open() }, "Another player"),
          element("button", { id: "compete" }, "Play"))),
      element("p", { class: "progress", role: "status" }),
      element("div", { class: "table" }),
    );
    FIRST.forEach((line) => this.#add(line));
  }

  /** Lists the searches that players may use. */
  open() {
    this.querySelectorAll("ggp-player").forEach((player) => player.open());
  }

  /** Adds a player, who can be removed again. */
  #add(line) {
    const player = element("ggp-player", { label: "Player" });
    const row = element("div", { class: "bar player" }, player, element("button", { type: "button", title: "Remove this player", "aria-label": "Remove this player", onclick: () => row.remove() }, "×"));
    this.querySelector(".players").append(row);
    player.line = line;
    return player;
  }

  /** A position; a tournament goes on as long as its game is there. */
  show({ game }) {
    if (this.#game !== game) {
      this.#stop?.abort();
      this.querySelector(".table").replaceChildren();
      this.querySelector(".progress").textContent = "";
    }
    this.#game = game;
  }

  async #toggle() {
    if (this.#stop) return this.#stop.abort();
    const players = [...this.querySelectorAll("ggp-player")].map(({ line }) => line);
    const [games, seed] = ["#games", "#tournament-seed"].map((name) => Number(this.querySelector(name).value));
    const [progress, button] = [".progress", "#compete"].map((name) => this.querySelector(name));
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    button.textContent = "Stop";
    let session = null;
    try {
      session = await this.beside();
      await this.#compete(session, { players, games, seed, signal });
    } catch (error) {
      progress.textContent = error.name === "AbortError" ? `stopped: ${progress.textContent}` : error.message;
    } finally {
      this.#stop = null;
      button.textContent = "Play";
      session?.end();
    }
  }

  async #compete(session, { players, games, seed, signal }) {
    const named = players.map((player) => `(${player})`).join(",");
    const tell = ({ shown }) => shown?.answer && this.#draw(players, shown.answer);
    const { records: [record] = [], error } = await session.run(`tournament ${named} --games ${games} --seed ${seed}`, tell, signal);
    if (!record || record.error) throw new Error(record?.error ?? error);
    this.#draw(players, record.answer);
    const progress = this.querySelector(".progress");
    if (record.answer.stopped) progress.textContent = `stopped: ${progress.textContent}`;
  }

  /** Draws the results so far, which an answer of `tournament` has, with the players as they were typed. */
  #draw(names, { players, games, abandoned, of }) {
    const done = games + abandoned;
    const more = abandoned ? `; ${abandoned} were abandoned after too many plies` : "";
    this.querySelector(".progress").textContent = `${done} of ${of} games${more}`;
    const row = ({ wins, draws, losses, score, mean }, index) => {
      const cells = [wins, draws, losses, interval(score, 100, "%"), interval(mean, 1, "")].map((cell) => element("td", {}, String(cell)));
      return element("tr", {}, element("th", { scope: "row" }, names[index]), ...cells);
    };
    const heads = ["Player", "Wins", "Draws", "Losses", "Score (95%)", "Mean utility (95%)"].map((name) => element("th", { scope: "col" }, name));
    this.querySelector(".table").replaceChildren(element("table", { class: "standings" },
      element("caption", {}, `${this.#game}: ${done} of ${of} games`), element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...players.map(row))));
  }
}

/** An estimate with its interval, both times `factor`. */
function interval(estimate, factor, unit) {
  if (!estimate) return "–";
  const [value, low, high] = [estimate.value, estimate.low, estimate.high].map((number) => (factor * number).toFixed(1));
  return `${value}${unit} (${low} to ${high})`;
}

customElements.define("ggp-tournament", Tournament);

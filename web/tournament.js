// Players against each other for many games: a table that fills while they play.
//
// A player is what `play` takes: `random`, or a search with its options. The games are played in a session beside that
// of the page, each from the initial state and with a seed of its own; the players take all seats in turn.

import { element, isChance } from "./terms.js";

/** A game that is longer is abandoned, in plies. */
const LONGEST = 2_000;
/** The quantile of the normal distribution for 95%. */
const QUANTILE = 1.959963985;

class Tournament extends HTMLElement {
  /** Opens a session at the initial state: `{lines, run, view, end}`. */
  beside = null;
  #stop = null;
  #game = null;

  connectedCallback() {
    this.replaceChildren(
      element("form", { class: "tournament", onsubmit: (event) => { event.preventDefault(); this.#toggle(); } },
        element("label", { for: "players" }, "Players, one in each line: random, or a search with its options"),
        element("textarea", { id: "players", rows: "4", spellcheck: "false" }),
        element("div", { class: "bar" },
          element("label", {}, "Games ", element("input", { id: "games", type: "number", min: "1", max: "100000", value: "20" })),
          element("label", {}, "Seed ", element("input", { id: "tournament-seed", type: "number", min: "0", max: "1000000000", value: "0" })),
          element("button", { id: "compete" }, "Play"))),
      element("p", { class: "progress", role: "status" }),
      element("div", { class: "table" }),
    );
    this.querySelector("#players").value = "mcts --visits 200\nrandom";
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
    const players = this.querySelector("#players").value.split("\n").map((line) => line.trim()).filter(Boolean);
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
    const standings = players.map((player) => ({ player, wins: 0, draws: 0, losses: 0, utilities: [] }));
    const { roles } = await session.view();
    const seats = roles.map(({ role }) => role).filter((role) => !isChance(role));
    if (players.length < seats.length) throw new Error(`this game needs ${seats.length} players, one for each of ${seats.join(", ")}`);
    const orders = arrangements(players.length, seats.length);
    let abandoned = 0;
    this.#draw(standings, { done: 0, games, abandoned });
    for (let number = 0; number < games; number += 1) {
      signal.throwIfAborted();
      const order = orders[number % orders.length];
      const playing = Object.fromEntries(seats.map((role, index) => [role, players[order[index]]]));
      const result = await play(session, playing, seed + number, signal);
      if (result) count(order.map((player) => standings[player]), seats.map((role) => result[role]));
      else abandoned += 1;
      this.#draw(standings, { done: number + 1, games, abandoned });
    }
  }

  #draw(standings, { done, games, abandoned }) {
    const more = abandoned ? `; ${abandoned} were abandoned after ${LONGEST} plies` : "";
    this.querySelector(".progress").textContent = `${done} of ${games} games${more}`;
    const row = (standing) => {
      const { player, wins, draws, losses } = standing;
      const cells = [wins, draws, losses, score(standing), mean(standing)].map((cell) => element("td", {}, String(cell)));
      return element("tr", {}, element("th", { scope: "row" }, player), ...cells);
    };
    const heads = ["Player", "Wins", "Draws", "Losses", "Score (95%)", "Mean utility (95%)"].map((name) => element("th", { scope: "col" }, name));
    this.querySelector(".table").replaceChildren(element("table", { class: "standings" },
      element("caption", {}, `${this.#game}: ${done} of ${games} games`), element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...standings.map(row))));
  }
}

/** All ways to seat players, by their numbers; each is followed by its rotations, so that a few games treat all alike. */
function arrangements(players, seats) {
  if (!seats) return [[]];
  const all = arrangements(players, seats - 1).flatMap((order) => Array.from({ length: players }, (_, player) => player).filter((player) => !order.includes(player)).map((player) => [...order, player]));
  const seen = new Set();
  return all.flatMap((order) => {
    if (seen.has(order.join())) return [];
    const turns = order.map((_, shift) => [...order.slice(shift), ...order.slice(0, shift)]);
    turns.forEach((turn) => seen.add(turn.join()));
    return turns;
  });
}

/** Plays one game from the initial state; the utilities by role, or `null` if it is too long. */
async function play(session, players, seed, signal) {
  await ask(session, "restart", signal);
  await ask(session, `seed ${seed}`, signal);
  for (let ply = 0; ply < LONGEST; ply += 1) {
    const { is_over: isOver, roles } = await session.view();
    if (isOver) return Object.fromEntries(roles.map(({ role, utility }) => [role, utility]));
    const choosing = roles.filter(({ legal }) => legal.length > 1);
    if (!choosing.length) await ask(session, "do", signal);
    else if (choosing.length === 1) await ask(session, `play ${players[choosing[0].role] ?? "random"}`, signal);
    else await ask(session, `do ${(await jointMove(session, roles, players, signal)).join(" ")}`, signal);
  }
  return null;
}

/** The moves of roles that choose at once: each player moves for all, and what it chose for its own role counts. */
async function jointMove(session, roles, players, signal) {
  const moves = [];
  for (const [index, { role, legal }] of roles.entries()) {
    if (legal.length === 1) {
      moves.push(legal[0]);
      continue;
    }
    await ask(session, `play ${players[role] ?? "random"}`, signal);
    moves.push((await session.view()).plies.at(-1)[index]);
    await ask(session, "undo", signal);
  }
  return moves;
}

/** The answer to a line; its error names the line. */
async function ask(session, line, signal) {
  signal.throwIfAborted();
  const { records: [record] = [], error } = await session.run(line, () => {}, signal);
  if (!record || record.error) throw new Error(`${line}: ${record?.error ?? error}`);
  return record.answer;
}

/** Counts a game: the greatest utility wins, if it is one player's alone; a player without others wins with 100. */
function count(standings, utilities) {
  const worth = utilities.map((utility) => Number(utility ?? 0));
  standings.forEach((standing, index) => {
    const others = worth.filter((_, other) => other !== index);
    const most = others.length ? Math.max(...others) : null;
    if (most === null ? worth[index] >= 100 : worth[index] > most) standing.wins += 1;
    else if (worth[index] === most) standing.draws += 1;
    else standing.losses += 1;
    standing.utilities.push(worth[index]);
  });
}

/** The share of the points with its interval (Wilson, 1927): a win counts 1, a draw a half. */
function score({ wins, draws, losses }) {
  const games = wins + draws + losses;
  if (!games) return "–";
  const [share, square] = [(wins + draws / 2) / games, QUANTILE ** 2];
  const middle = (share + square / (2 * games)) / (1 + square / games);
  const half = (QUANTILE * Math.sqrt((share * (1 - share)) / games + square / (4 * games ** 2))) / (1 + square / games);
  const percent = (value) => (100 * Math.min(Math.max(value, 0), 1)).toFixed(1);
  return `${percent(share)}% (${percent(middle - half)} to ${percent(middle + half)})`;
}

/** The mean utility, with the interval of the normal distribution. */
function mean({ utilities }) {
  if (!utilities.length) return "–";
  const value = utilities.reduce((sum, one) => sum + one, 0) / utilities.length;
  if (utilities.length < 2) return value.toFixed(1);
  const variance = utilities.reduce((sum, one) => sum + (one - value) ** 2, 0) / (utilities.length - 1);
  return `${value.toFixed(1)} ± ${(QUANTILE * Math.sqrt(variance / utilities.length)).toFixed(1)}`;
}

customElements.define("ggp-tournament", Tournament);

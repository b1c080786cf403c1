// @ts-check
// Players of Stanford's course: pages in other tabs of this browser, at the same address. This page is their manager. Both
// write to each other through the local storage they share, as `message(ID,SENDER,RECEIVER,MESSAGE)`.

import { jointMove } from "./terms.js";

/** The identifier by which players know their manager. */
const MANAGER = "manager";
/** Seconds: to answer that one is there, to prepare for a match, and for which an answer may be late. */
const [READY, START, GRACE] = [2, 10, 1];

/** What stands in the tree of moves for a position that was set. */
const SET = "(set)";

/** A move as pages write it. */
const bare = (move) => move.replace(/\s+/g, "");

/** The identifiers of messages are numbers that no other tab uses. */
let last = Math.floor(Math.random() * 1e9) * 1000;

/** Sends a message, and returns its identifier. */
function send(player, message) {
  last += 1;
  localStorage[player] = `message(${last},${MANAGER},${player},${message})`;
  return String(last);
}

/** Sends a message, and waits for the answer; `null` if there is none in time. The signal ends the wait. */
function ask(player, message, seconds, signal) {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    let id = null;
    const end = (settle, value) => {
      removeEventListener("storage", hear);
      clearTimeout(timer);
      settle(value);
    };
    const hear = ({ key, newValue }) => {
      const [, about, sender, receiver, answer] = /^\s*message\((\w+),\s*(\w+),\s*(\w+),\s*([\s\S]+)\)\s*$/.exec((key === MANAGER && newValue) || "") ?? [];
      if (about === id && sender === player && receiver === MANAGER) end(resolve, answer.trim());
    };
    const timer = setTimeout(() => end(resolve, null), 1000 * seconds);
    signal.addEventListener("abort", () => end(reject, signal.reason), { once: true });
    addEventListener("storage", hear);
    id = send(player, message);
  });
}

/** The matches of the pages that play. A page knows its match up to a place of the tree of moves. */
export class Manager {
  /** The rules of a match that begins at the position of the page, as text; throws why there are none. */
  #ruleset;
  /** By the name of each player: its role, and the place up to which it knows the match. */
  #matches = new Map();

  constructor(ruleset) {
    this.#ruleset = ruleset;
  }

  /** The moves from a place to one below it, each that of the role in control; `null` if it is not below. */
  #between(from, place, idle) {
    const way = [place.root, ...place.way];
    const at = way.indexOf(from);
    const steps = way.slice(at + 1);
    // No message tells of a position that was set.
    if (at < 0 || steps.some(({ moves: [first] }) => first === SET)) return null;
    return steps.map(({ moves }) => bare(jointMove(moves, idle)));
  }

  /** The move of a player in the seat of a role at a place of the match, whose position is given as `view`. */
  async choose({ name, seconds }, role, place, view, signal) {
    const known = this.#matches.get(name);
    const moves = known?.role === role && known.place !== place ? this.#between(known.place, place, view.idle) : null;
    this.#matches.delete(name);
    let answer;
    if (moves) {
      moves.slice(0, -1).forEach((move) => send(name, `play(${move})`));
      answer = await ask(name, `play(${moves.at(-1)})`, seconds + GRACE, signal);
    } else {
      await this.#begin({ name, seconds }, role, signal);
      answer = await ask(name, "play([])", seconds + GRACE, signal);
    }
    if (answer === null) throw new Error(`${name} has not answered within ${seconds} s`);
    const { legal } = view.roles.find((one) => one.role === role);
    const chosen = legal.find((move) => bare(move) === bare(answer));
    if (!chosen) throw new Error(`${name} answers ${answer}, which is not legal for ${role}`);
    this.#matches.set(name, { role, place });
    return chosen;
  }

  /** Begins a match at the position of the page. */
  async #begin({ name, seconds }, role, signal) {
    const rules = await this.#ruleset();
    // A page that still thinks about an earlier match answers when it has done so.
    const isThere = await ask(name, "ping()", READY + seconds, signal);
    if (isThere === null) throw new Error(`no player ${name} answers: its page has to be open in another tab of ${location.origin}`);
    const isReady = await ask(name, `start(${role},ruleset(${rules}),${START},${seconds})`, START + GRACE, signal);
    if (isReady === null) throw new Error(`${name} was not ready for a match within ${START} s`);
  }

  /** Tells the players that know the match of a place that it is over there. */
  finish(place, idle) {
    for (const [name, known] of this.#matches) {
      const moves = this.#between(known.place, place, idle);
      if (!moves?.length) continue;
      moves.slice(0, -1).forEach((move) => send(name, `play(${move})`));
      send(name, `stop(${moves.at(-1)})`);
      this.#matches.delete(name);
    }
  }
}

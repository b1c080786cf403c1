// @ts-check
// What all rooms of the page share: its state, its session, the sessions beside that, its elements, and how a step of a
// person runs.

import { Companion } from "./companion.js";
import { Server } from "./server.js";
import { persons, Store } from "./store.js";

export const server = new Server();
/** What is true of the page: all else follows it. */
export const store = new Store();
export const part = (name) => document.querySelector(name);
export const [board, game, rules, home, cover, ending, seating] = ["board", "match", "rules", "home", "hidden", "ending", "seats"].map((name) => part(`ggp-${name}`));
export const picker = part("#game");

export const tell = (text, isProblem = false) => store.send("told", { text, isProblem });

/** Runs a step; its error is told. */
export const asked = (step) => async (event) => {
  store.send("stepBegun");
  try {
    await step(event);
  } catch (error) {
    if (error.name !== "AbortError") tell(error.message, true);
  } finally {
    store.send("stepEnded");
  }
};

/** Runs a step that a person has asked for, after which what was told before is over. */
export const wanted = (step) => (event) => {
  tell("");
  return asked(step)(event);
};

/** The line with which a session begins while the network is not ready: the page's own may build it meanwhile. */
export const beginning = (session) => (session === server && Server.buildsBeside ? "engine auto" : "engine interpreter");

/** Loads the game into a session that has none, and goes to a place of the match. */
export async function repeat(session, place) {
  const { sheet, view, isPrepared } = store.state;
  if (!isPrepared) await session.lines(beginning(session));
  if (sheet) await session.load(sheet.name, sheet.text);
  else if (view) await session.line(`load ${view.game}`);
  if (!place.moves) return;
  const { records } = await session.lines(...place.way.map(({ moves }) => `do ${moves.join(" ")}`));
  const failed = records.find(({ error }) => error);
  if (failed) throw new Error(failed.error);
}

/** A session beside that of the page, at a place of the match. */
export async function beside(place) {
  const session = new Server();
  await session.begin();
  await repeat(session, place);
  return session;
}

/** Waits for the network of the game; throws the reason if there will be none. */
export async function network(signal) {
  let unfollow = () => {};
  try {
    await new Promise((ready, fail) => {
      const look = ({ isPrepared, noNetwork }) => {
        if (isPrepared) ready();
        else if (noNetwork) fail(new Error(`there is no network: ${noNetwork}`));
      };
      signal.addEventListener("abort", () => fail(signal.reason));
      unfollow = store.follow(look);
      look(store.state);
    });
  } finally {
    unfollow();
  }
}

/** The sessions in which analyses run, in which the players of the server think, and in which small searches look ahead. */
export const [analyst, player, scout] = [0, 1, 2].map(() => new Companion(() => beside(store.state.root), () => store.state.isPrepared));

/** Who looks at the page. It is answered what they know, and so are the moves that players make for them. */
server.viewers = player.viewers = () => {
  const { state } = store;
  return state.match && { roles: persons(state), seed: state.match.seed, is_open: state.isOpen };
};

/** Work that can wait until the position has been painted; a later one takes its place. */
let waiting = null;
export function later(work) {
  if (!waiting) requestAnimationFrame(() => setTimeout(finish));
  waiting = work;
}
export function finish() {
  const work = waiting;
  waiting = null;
  work?.();
}
addEventListener("pagehide", finish);
document.addEventListener("visibilitychange", () => { if (document.hidden) finish(); });

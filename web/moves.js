// @ts-check
// The match: showing its positions, going through them, moves of persons and of the players of the server, and another
// match of the same game.

import { headline } from "./headline.js";
import { isHidden, refuseHidden } from "./hidden.js";
import { board, cover, ending, finish, game, later, part, player, rules, seating, server, store, tell } from "./page.js";
import { select } from "./panes.js";
import * as router from "./router.js";
import { pageOf } from "./seats.js";
import { choosing, judged, persons } from "./store.js";
import { keepLast, keepMatch, matches, seats } from "./storage.js";
import { isChance } from "./terms.js";
import { Place } from "./tree.js";

/** The manager of players in other tabs, once one of them has a seat. */
let manager = null;

/** The line of a player that makes random moves. */
const RANDOM = "random";

/** The versions of the matches that this tab has kept, by their names. */
const versions = new Map();

/** How a match has ended. */
const resultOf = ({ roles }) => judged(roles).map(({ role, utility }) => `${role} ${utility ?? "–"}`).join(", ");

/** Keeps the match, and the position in the address, so that it can be shared. */
export function remember() {
  const { state } = store;
  const { key, match, root, here, view, isHome, late } = state;
  if (!view) return;
  if (view.is_over) here.result = resultOf(view);
  keepMatch(key, { ...match, seats: state.seats, root, way: here.way, result: late ? `${late} lost on time` : here.line.at(-1)?.result ?? null }, versions);
  seating.list(matches(key).filter(({ id }) => id !== match.id));
  if (isHome) return;
  const address = router.write(state);
  keepLast({ address, game: view.game, ply: view.ply, match: match.id });
  router.enter(address, match.id);
}

/** Draws the position that the session is in. */
export async function show(view) {
  store.send("arrived", { view: view ?? (await server.view()) });
  const { state } = store;
  ({ view } = state);
  part(".choices").hidden = true;
  draw(state);
  game.show(view);
  showEnd(state);
  // A piece that slides asks where squares are, so that the page is laid out: after all else has changed.
  board.show(view);
  if (view.is_over) manager?.finish(state.here, view.idle);
  later(remember);
  const { targets } = await server.targets();
  if (store.state.view === view && targets) {
    board.role = null;
    board.isAhead = isAhead(store.state);
    board.aim(targets.filter(({ role }) => !game.seats[role]), targets.some(({ carried }) => carried.length));
    game.aim(targets);
  }
  document.body.classList.add("ready");
  return view;
}

/** Whether only players of the server have a choice, so that a person can plan a move. */
const isAhead = (state) => state.here.choosing.length > 0 && state.here.choosing.every((role) => state.seats[role]) && persons(state).length > 0;

/** The time of a hint, in seconds. */
const HINT = 1;

/** Shows a move that a search chooses for the person who can move. */
export async function hint() {
  const { state } = store;
  const { here, view } = state;
  const role = here.choosing.find((one) => persons(state).includes(one));
  if (view.is_over || state.late) return tell("The game is over. Go back, or begin another match.");
  refuseHidden(state, "A hint");
  if (!role) return tell("There is no choice here for which a hint could be given.");
  tell(`A search looks for a move of ${role}.`);
  const move = await chosenBy(`best --seconds ${HINT}`, role, here, running.signal);
  if (store.state.here !== here) return;
  board.propose(role, move);
  tell(`A hint for ${role}: ${move}`);
}

/** Shows how a match has ended, if it has; what shows it is loaded with the first end. */
export async function showEnd(state) {
  ending.hidden = true;
  if (!state.view.is_over && !state.late) return;
  await import("./ending.js");
  if (store.state.view === state.view) ending.show(state, explainEnd, (squares) => board.mark(squares));
}

/** Shows what the role knows; what shows it is loaded with the first position of which a part is hidden. */
async function uncover(state) {
  await import("./cover.js");
  if (store.state.view === state.view && isHidden(store.state)) cover.show(state);
}

/** Draws what shows all of a position, or hides it where roles do not see it. */
function draw(state) {
  const isCovered = isHidden(state);
  document.body.classList.toggle("covered", isCovered);
  headline(state, () => select("explain"));
  seating.show(state);
  cover.hidden = !isCovered;
  if (isCovered) uncover(state);
  else cover.replaceChildren();
  board.hidden = isCovered && !state.view.grids.length;
  rules.follow(state.view);
}


/** Why the match has ended, and the squares of the facts on which that rests. */
async function explainEnd(view) {
  if (isHidden(store.state)) return { reasons: [], squares: [] };
  const why = async (atom) => (await server.question(`why ${atom}`).catch(() => null))?.answer.claims;
  const { reasonsOf } = await import("./ending.js");
  const { reasons, facts } = await reasonsOf(view, why);
  return { reasons, squares: facts.length ? await server.squares(facts) : [] };
}

/** A match that begins now, with a seed that nobody has chosen if none is given. */
const newMatch = (seed, clock = null) => ({
  id: crypto.getRandomValues(new Uint32Array(2)).join("-"), began: Date.now(), seed: seed ?? Math.floor(Math.random() * 1_000_000), clock,
});

/**
 * Sets what is played: a match that was kept goes on, or another begins, with these seats if they are given.
 * @param {import("./answers").PositionView} view
 * @param {{key: string, kept?: any, seed?: number, clock?: number | null, lines?: Record<string, string | null>}} what
 */
export function start(view, { key, kept, seed, clock, lines }) {
  const roles = view.roles.map(({ role }) => role);
  const root = new Place(null, null);
  if (kept) {
    root.grow(kept.branches);
    versions.set(kept.id, kept.version);
  }
  const match = kept ? { id: kept.id, began: kept.began, seed: kept.seed, clock: kept.clock, left: kept.left } : newMatch(seed, clock);
  const known = lines ?? kept?.seats ?? seats(key);
  const seatOf = (role) => (lines && role in lines ? lines[role] : known?.[role] ?? (isChance(role) ? RANDOM : null));
  const own = Object.fromEntries(roles.map((role) => [role, seatOf(role)]));
  game.pause();
  store.send("begun", { key, match, roles, seats: own, root });
}

/** Begins another match of the same game; what was played before is in the list of matches. */
export async function again(/** @type {{seed?: number, clock?: number | null, lines?: Record<string, string | null>}} */ { seed, clock, lines } = {}) {
  const { key, match } = store.state;
  const signal = halt();
  finish();
  const { view } = await server.walk("restart");
  start(view, { key, seed, clock: clock === undefined ? match.clock : clock, lines: lines ?? game.seats });
  await answer(await show(view.has_percepts ? null : view), signal);
}

/** Goes on with a match that was kept. */
export async function reopen(id) {
  const { key } = store.state;
  halt();
  finish();
  const kept = matches(key).find((one) => one.id === id);
  const { view, failed } = await server.walk("restart", ...kept.way.map((joint) => `do ${joint.join(" ")}`));
  start(view, { key, kept });
  if (failed) tell(failed, true);
  await show(view.has_percepts ? null : view);
}

/** Goes to another place of the tree of moves. */
export async function go(place) {
  halt();
  const [from, to] = [game.here.way, place.way];
  const common = from.findIndex((one, index) => one !== to[index]);
  const kept = common < 0 ? from.length : common;
  const back = from.length > kept ? [`undo ${from.length - kept}`] : [];
  const forth = to.slice(kept).map(({ moves }) => `do ${moves.join(" ")}`);
  const { view, failed } = await server.walk(...back, ...forth);
  if (failed) tell(failed, true);
  await show(view);
}

/** Makes a line a part of the tree, and shows it move by move. */
export async function playThrough(from, plies) {
  await go(from);
  const { view, failed } = await server.walk(...plies.map((moves) => `do ${moves}`));
  if (failed) tell(failed, true);
  await show(view);
  const end = game.here;
  await go(from);
  from.children.sort((one, other) => Number(end.way.includes(other)) - Number(end.way.includes(one)));
  game.playLine();
}

/** Makes a joint move; roles whose seat is not taken here choose by their player. */
export async function play(moves) {
  if (store.state.late) return tell("The match is over on time. Go on without a clock, or begin another match.");
  const signal = halt();
  if (moves.some((move) => move === null)) {
    const open = game.roles.filter((_, index) => moves[index] === null);
    const chosen = await thinking(() => choices(open, signal), signal);
    if (!chosen) return;
    moves = game.roles.map((role, index) => moves[index] ?? chosen[role]);
  }
  await answer(await make(moves), signal, true);
}

/** Makes a joint move, and shows the position after it. */
async function make(moves) {
  const { view, failed } = await server.walk(`do ${moves.join(" ")}`);
  if (failed) throw new Error(failed);
  return show(view);
}

/** What the match does by itself: the players of the server, and moves without a choice. A person's step ends it. */
let running = new AbortController();

/** Ends what the match does by itself; returns the signal that will end what it does next. */
export function halt() {
  running.abort();
  running = new AbortController();
  return running.signal;
}

/** Lets players of the server think; returns what they found, or `null` if they were stopped. */
async function thinking(work, signal) {
  try {
    const found = await work();
    return signal.aborted ? null : found;
  } catch (error) {
    if (!signal.aborted) throw error;
    return null;
  } finally {
    game.think(null);
  }
}

/** The moves of players, one after another: those of the server are found in a session beside that of the page. */
async function choices(roles, signal) {
  const place = game.here;
  const chosen = {};
  for (const role of roles) {
    const line = game.seats[role];
    const page = pageOf(line);
    if (page) {
      if (store.state.view.has_percepts) throw new Error("A page in a tab is told all moves, which the roles of this game may not see.");
      const { Manager } = await import("./manager.js");
      manager ??= new Manager(() => server.ruleset());
      chosen[role] = await manager.choose(page, role, place, store.state.view, signal);
      continue;
    }
    chosen[role] = await chosenBy(line, role, place, signal);
  }
  return chosen;
}

/** The move that a player of the server chooses for a role: a random one if its time is over before it has found any. */
async function chosenBy(line, role, place, signal) {
  const ask = async (choice) => {
    const { records: [record] = [], error } = await player.run(place, `play ${choice}`, () => {}, signal, `seed ${seedOf(role, place)}`);
    return record ?? { error };
  };
  let record = await ask(line);
  if (record.is_stopped) {
    tell(`The time of ${role} was over before its search had found a move, so it plays a random one.`);
    record = await ask(RANDOM);
  }
  // The way to the state that an error is about may follow its first line.
  if (record.error) throw new Error(record.error.split("\n")[0]);
  return record.answer.joint_move.find((one) => one.role === role).move;
}

/** The seed of a role's choice at a place: the same for a match at all times, so that a step back does not throw dice anew. */
function seedOf(role, place) {
  const { match, roles } = store.state;
  return match.seed * 10_007 + place.ply * 101 + roles.indexOf(role);
}

/** For how long a position is seen in which nobody has a choice, in milliseconds. */
const FORCED = 250;

/** Waits, unless it is stopped. */
const delay = (time, signal) => new Promise((resolve, reject) => {
  setTimeout(resolve, time);
  signal.addEventListener("abort", reject);
});

/**
 * Lets the players of the server move as long as only they have a choice, until the signal ends it. Moves without a choice
 * are made after a move of a person, and in matches without persons, unless a person wants to step through them.
 */
export async function answer(view, signal, isAfterMove = false) {
  while (view && !view.is_over && !signal.aborted && !store.state.late) {
    const movers = choosing(view);
    const isWatched = game.roles.every((role) => isChance(role) || game.seats[role]);
    const goesOn = !seating.isStepping && (isAfterMove || isWatched);
    if (!movers.length && !goesOn) return;
    if (movers.some((role) => !game.seats[role])) return;
    const chosen = await thinking(async () => {
      if (movers.length) game.think(movers[0]);
      else await delay(FORCED, signal);
      return choices(movers, signal);
    }, signal);
    if (!chosen) return;
    const before = view.ply;
    view = await make(view.roles.map(({ role, legal }) => chosen[role] ?? legal[0]));
    if (view.ply === before) return;
  }
}

/** Gives seats to players, who go on from the position. */
export async function sit(lines) {
  const signal = halt();
  store.send("seated", { seats: lines });
  await answer(await show(), signal);
}

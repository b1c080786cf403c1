// @ts-check
// What is played: games of the library, texts, files, and what an address asks for.

import { pack, sheetInPage, unpack } from "./files.js";
import { again, answer, halt, show, start } from "./moves.js";
import { beginning, finish, game, home, part, picker, rules, server, store, tell } from "./page.js";
import { offer, select } from "./panes.js";
import * as router from "./router.js";
import { Server } from "./server.js";
import { ServerError } from "./asking.js";
import { draft, gameKey, keepDraft, keepSheet, last, matches, sheets } from "./storage.js";
import { element } from "./terms.js";
import { withMatchStyle } from "./views.js";

/** The games of the library, by their names. */
const names = () => home.games.map(({ name }) => name);

/** The name of a file without its extension. */
const stem = (name) => name.replace(/\.[^.]*$/, "");

/** What is being loaded gives way to what is loaded later. */
let opening = new AbortController();
function open() {
  opening.abort();
  halt();
  opening = new AbortController();
  return opening.signal;
}

/** Begins a match of what the session has loaded, with what is asked for: `{moves, seed, match}` of an address, or `{lines}`, the seats. */
export async function begin(what = {}, signal = opening.signal) {
  finish();
  const [view] = await Promise.all([server.view(), withMatchStyle()]);
  const { sheet, isPrepared } = store.state;
  const text = sheet?.text ?? (await server.sheet());
  signal.throwIfAborted();
  const name = sheet?.name ?? `${view.game}.gdl`;
  const key = gameKey(name, text);
  const { moves = [] } = what;
  const running = halt();
  start(view, { key, seed: what.seed, lines: what.lines, kept: what.match && matches(key).find(({ id }) => id === what.match) });
  part("#engine").textContent = "";
  rules.show(name, text, draft(name));
  if (moves.length) {
    const { view: reached, failed } = await server.walk("restart", ...moves.map((joint) => `do ${joint}`));
    signal.throwIfAborted();
    if (failed) tell(`the moves of the address end here: ${failed}`, true);
    await show(reached);
  } else {
    // It was asked for when nobody had a seat.
    await show(view.has_percepts ? null : view);
  }
  if (!isPrepared || Server.buildsBeside) prepare(signal);
  await answer(store.state.view, running);
}

/** Loads a game of the library. */
export async function load(name, what) {
  const signal = open();
  const { records } = await server.lines("engine auto", `load ${name}`);
  const failed = records.find(({ error }) => error);
  signal.throwIfAborted();
  if (failed) throw new Error(failed.error);
  store.send("loaded", { sheet: null, isPrepared: true });
  choose(name);
  await begin(what, signal);
}

/** Loads a text; the old game stays if it has errors. It is kept among the sheets that were opened, unless it is of a task. */
export async function loadText(name, text, isKept = true) {
  const signal = open();
  await server.lines(beginning(server));
  const judged = await server.load(name, text, name.endsWith(".layout") ? sheets() : []);
  signal.throwIfAborted();
  if (!judged.loaded) return judged;
  name = name.replace(/.*\//, "");
  // What a tree or a layout stands for is the sheet that is played from here on.
  if (judged.text) [name, text] = [`${stem(name)}.gdl`, judged.text];
  const packed = await pack(text);
  signal.throwIfAborted();
  store.send("loaded", { sheet: { name, text, packed }, isPrepared: false });
  if (isKept) {
    keepDraft(name, text, text);
    keepSheet(name, text);
  }
  choose(name);
  return judged;
}

/** Loads a text, and begins a match of it; throws if it has errors. */
async function playText(name, text, what) {
  const { loaded, diagnostics, error } = await loadText(name, text);
  if (!loaded) throw new Error(`${name} does not load: ${error ?? diagnostics[0]?.message}`);
  await begin(what);
}

/** Lists the games, and the sheets that were opened, and selects one. */
function choose(name) {
  const mine = sheets().map((sheet) => element("option", { value: `own:${sheet.name}` }, sheet.name));
  const known = names().map((one) => element("option", { value: one }, one));
  picker.replaceChildren(...(mine.length ? [element("optgroup", { label: "Opened here" }, ...mine), element("optgroup", { label: "The library" }, ...known)] : known));
  const { sheet } = store.state;
  const value = sheet ? `own:${sheet.name}` : name;
  picker.value = value;
  // A sheet that is too long to be kept is named nevertheless.
  if (sheet && picker.value !== value) {
    picker.prepend(element("option", { value }, sheet.name));
    picker.value = value;
  }
}

/** Loads what the list of games names. */
export async function pick() {
  store.send("home", { isHome: false });
  const [, name] = /^own:(.*)$/.exec(picker.value) ?? [];
  if (name === undefined) return load(picker.value);
  const sheet = sheets().find((one) => one.name === name);
  if (sheet) await playText(sheet.name, sheet.text);
}

/** The time between two questions whether the network is ready, in milliseconds. */
const READY = 250;

/** Whether the network of a session is still being built; throws the reason if there will be none. */
async function isBuilding(session, signal) {
  const { is_building: isBuilding, problem } = await session.engine();
  signal.throwIfAborted();
  if (problem) throw new Error(problem);
  return isBuilding;
}

/**
 * Follows the network of the game until it plays, or until something else is opened. A session that does one thing at a
 * time leaves it to another, which takes its place.
 */
async function prepare(signal) {
  const told = part("#engine");
  const wait = () => {
    if (store.state.isPrepared) store.send("prepared", { isPrepared: false });
    told.textContent = "Engine: interpreter; the network is being built.";
  };
  const next = Server.buildsBeside ? server : new Server();
  try {
    if (next !== server) {
      wait();
      await next.begin();
      await next.load(store.state.sheet.name, store.state.sheet.text);
    }
    while (await isBuilding(next, signal)) {
      wait();
      await new Promise((later) => setTimeout(later, READY));
    }
    if (store.state.isPrepared) return;
    if (next !== server) await replace(next, signal);
    store.send("prepared", { isPrepared: true });
    told.textContent = "Engine: propositional network.";
  } catch (error) {
    if (!signal.aborted) {
      told.textContent = `Engine: interpreter (${error.message})`;
      store.send("prepared", { isPrepared: false, noNetwork: error.message });
    }
    if (next !== server) await next.end().catch(() => {});
  }
}

/** Lets a session take the place of that of the page at the same position, while nothing is asked of that. */
async function replace(next, signal) {
  for (let place = null; place !== game.here || store.state.steps;) {
    if (place) await new Promise((later) => setTimeout(later, 50));
    signal.throwIfAborted();
    place = game.here;
    await next.lines("restart", ...place.way.map(({ moves }) => `do ${moves.join(" ")}`));
  }
  await server.take(next);
}

/** What is said while there is no game. */
const NO_GAME = "no game is loaded";

/**
 * Answers lines, and shows what they have led to: another game, another position, or no game. With `seats`, which gives
 * those of a position, what they have led to is a new match.
 */
export async function ask(lines, seats = null) {
  const answered = await server.lines(...lines);
  const view = await server.view().catch((problem) => (problem instanceof ServerError ? Promise.reject(problem) : null));
  const roles = view?.roles.map(({ role }) => role).join();
  part(".play").inert = !view;
  if (view && store.state.message.text === NO_GAME) tell("");
  if (!view) {
    tell(NO_GAME);
  } else if (!seats && view.game === store.state.view?.game && roles === game.roles.join()) {
    await show(view);
  } else {
    const signal = open();
    const isKnown = names().includes(view.game);
    const text = isKnown ? null : await server.sheet();
    store.send("loaded", { sheet: isKnown ? null : { name: `${view.game}.gdl`, text, packed: await pack(text) }, isPrepared: true });
    choose(view.game);
    await begin(seats ? { lines: seats(view) } : {}, signal);
  }
  return answered;
}

/** Repeats the position of an address, and says what is wrong with it; the page is never without a game. */
export async function follow(hash, first) {
  try {
    await restore(hash, first);
  } catch (error) {
    if (!store.state.view && error.name !== "AbortError") await load("tic_tac_toe");
    throw error;
  }
}

/** Repeats the position of an address, or begins with what the server was started with. */
async function restore(hash, first) {
  const address = router.read(hash);
  const { state } = store;
  if (!address) {
    // An anchor of the page is no place of a match.
    if (!state.view) return load(first?.game ?? "tic_tac_toe");
    return router.enter(router.write(state), state.match.id);
  }
  store.send("home", { isHome: address.isHome || (!first && address.isEmpty) });
  if (String(address.panes) !== String(state.panes)) {
    store.send("panes", { panes: address.panes });
    offer(address.panes);
  }
  // The match that is played goes on below the list; without one there is none before a person chooses a game.
  if (store.state.isHome) return router.enter(hash, state.match?.id);
  const before = last();
  const own = hash === location.hash ? history.state?.match : null;
  const match = own ?? (before?.address === hash ? before.match : null);
  const what = { moves: address.moves, seed: address.seed, match };
  if (address.sheet) return playText(address.name, await unpack(address.sheet), what);
  if (!address.game && first?.sheet) return playText(first.sheet.name, first.sheet.text, what);
  return load(address.game ?? first?.game ?? "tic_tac_toe", what);
}

/** How the file of a compiled game begins. */
const COMPILED = "ggp propnet ";

/** Repeats the match of a file with its game, which is the loaded one or one of the library. */
async function openMatch(name, text) {
  const { game: wanted, lines, error } = await server.match(text);
  if (error) throw new Error(`${name}: ${error}`);
  const { sheet } = store.state;
  const isLoaded = !wanted || (sheet && stem(sheet.name) === stem(wanted));
  if (isLoaded) await again();
  else if (names().includes(wanted)) await load(wanted);
  else throw new Error(`${name} is a match of ${wanted}: open its rule sheet first`);
  halt();
  const { view, failed } = await server.walk("restart", ...lines);
  if (failed) tell(`the moves of ${name} end here: ${failed}`, true);
  await show(view);
}

/** Makes a new sheet, and opens it in the editor: `{name, players, columns, rows}`. */
export async function create(wanted) {
  const text = await server.template(wanted);
  store.send("home", { isHome: false });
  await playText(`${wanted.name}.gdl`, text);
  select("rules");
}

/** Opens a file: a rule sheet, a tree, a layout, a match, or a page of the manager of Stanford's course, whose sheet is taken. */
export async function openFile(file) {
  const content = await file.text();
  if (content.startsWith(COMPILED)) throw new Error(`${file.name} is a compiled game: “ggp serve ${file.name}” opens it`);
  store.send("home", { isHome: false });
  if (content.trimStart().startsWith("{")) return openMatch(file.name, content);
  const sheet = sheetInPage(content);
  const [name, text] = sheet === null ? [file.name, content] : [`${stem(file.name)}.hrf`, sheet];
  const { loaded, diagnostics, error } = await loadText(name, text);
  if (loaded) return begin();
  select("rules");
  rules.show(name, text);
  rules.judge(diagnostics, error);
  tell(`${file.name} was not loaded; the game stays${error ? `: ${error}` : ""}`, true);
}

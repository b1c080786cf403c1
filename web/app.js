// The page: it keeps the parts, the session of the server and the address in step.

import "./home.js";
import "./board.js";
import "./match.js";
import "./analysis.js";
import "./values.js";
import "./facts.js";
import "./rules.js";
import "./prompt.js";
import "./lessons.js";
import "./course.js";
import { Companion } from "./companion.js";
import { headline } from "./headline.js";
import { pane, select, whenShown } from "./panes.js";
import { download, pack, sheetInPage, toPng, unpack } from "./files.js";
import { ServerError } from "./asking.js";
import { AWAY, Server } from "./server.js";
import { draft, gameKey, growTree, history as historyOf, keepDraft, keepHistory, keepLast, keepSeats, keepSheet, keepTree, last, seats, sheets } from "./storage.js";
import { asked as offered } from "./options.js";
import { element } from "./terms.js";

const server = new Server();
const part = (name) => document.querySelector(name);
const [board, game, facts, rules, analysis, values, prompt, lessons, course] = ["board", "match", "facts", "rules", "analysis", "values", "prompt", "lessons", "course"].map((name) => part(`ggp-${name}`));
const picker = part("#game");
const home = part("ggp-home");
game.seating = part("ggp-seats");
/** The sheet that is not of the library: `{name, text, packed}`; `packed` is its text as it stands in the address. */
let own = null;
/** The names of the games of the library. */
let games = [];
/** The key under which the match is kept. */
let kept = null;
/** Whether the session has its engine; a sheet of one's own begins with the interpreter. */
let isPrepared = true;
/** The name of the game that is shown. */
let shownGame = null;
/** The position that is shown. */
let latest = null;
/** The views that only follow the position, by their names; each is loaded when it is shown for the first time. */
const followers = new Map();
/** What a view of these is given when it has been loaded. */
const FOLLOWERS = {
  search: (search) => {
    search.run = (line, heard, signal) => analyst.run(game.here, line, heard, signal);
    search.glance = (line, heard, signal) => scout.run(game.here, line, heard, signal);
    search.start = () => game.here;
    search.addEventListener("line", asked(async ({ detail: { from, moves } }) => {
      await go(from);
      await server.lines(...moves.map((joint) => `do ${joint.join(" ")}`));
      await show();
    }));
  },
  network: (network) => {
    network.ask = (lines) => server.lines(...lines);
    network.isReady = () => isPrepared;
  },
  simulation: (simulation) => { simulation.beside = () => beside(game.here); },
  tournament: (tournament) => { tournament.beside = () => beside(game.root); },
};
/** Counts positions, so that an answer about an earlier one is not shown. */
let shown = 0;

function tell(text, isProblem = false) {
  const status = part("#status");
  status.textContent = text;
  status.classList.toggle("problem", isProblem);
}

/** The steps that are not done yet. */
let pending = 0;

/** Runs a step that a user has asked for; its error is told. */
const asked = (step) => async (event) => {
  pending += 1;
  part("main").setAttribute("aria-busy", "true");
  try {
    tell("");
    await step(event);
  } catch (error) {
    if (error.name !== "AbortError") tell(error.message, true);
  } finally {
    pending -= 1;
    part("main").setAttribute("aria-busy", String(pending > 0));
  }
};

/** The position and its line in the address, so that it can be shared. */
function remember(view) {
  const address = new URLSearchParams();
  if (!own) address.set("game", view.game);
  else if (own.packed) {
    address.set("name", own.name);
    address.set("sheet", own.packed);
  }
  const moves = view.plies.map((moves) => (moves ?? []).join(" "));
  if (moves.length) address.set("moves", moves.join(";"));
  if (pane !== "play") address.set("pane", pane);
  if (isHome()) return;
  keepLast({ address: `#${address}`, game: view.game, ply: view.ply });
  enter(address);
}

/** Whether the list of games is shown in place of the board. */
const isHome = () => document.body.classList.contains("home");

/** Shows the list of games, or the board. */
function atHome(wanted) {
  document.body.classList.toggle("home", wanted);
  home.hidden = !wanted;
  if (wanted) home.show(last());
  else home.replaceChildren();
}

/** Writes the address, of which a later change is a person's. */
function enter(address) {
  written = `#${address}`;
  history.replaceState(null, "", written);
}

whenShown((name) => {
  if (name === "rules") rules.open().catch(() => {});
  if (isHome()) return;
  const address = new URLSearchParams(location.hash.slice(1));
  if (pane === "play") address.delete("pane");
  else address.set("pane", pane);
  enter(address);
});

/** Work that can wait until the position has been painted; a later one takes its place. */
let waiting = null;
function later(work) {
  if (!waiting) requestAnimationFrame(() => setTimeout(finish));
  waiting = work;
}
function finish() {
  const work = waiting;
  waiting = null;
  work?.();
}
addEventListener("pagehide", finish);
document.addEventListener("visibilitychange", () => { if (document.hidden) finish(); });

/** Draws the position that the session is in. */
async function show(view) {
  const number = ++shown;
  view ??= await server.view();
  part(".choices").hidden = true;
  headline(view, () => select("explain"));
  game.follow(view.plies);
  shownGame = view.game;
  if (view.is_over) game.here.values = utilities(view.roles);
  game.show(view);
  analysis.show(game.here);
  facts.show(view);
  rules.follow(view);
  values.show(game);
  latest = view;
  for (const follower of followers.values()) follower.show(view);
  // A piece that slides asks where squares are, so that the page is laid out: after all else has changed.
  board.show(view);
  document.title = `${view.game} – ggp`;
  later(() => {
    keepTree(kept, game.root);
    remember(view);
  });
  const { targets } = await server.targets();
  if (number === shown && targets) {
    board.role = null;
    board.aim(targets.filter(({ role }) => !game.seats[role]));
    game.aim(targets);
  }
  document.body.classList.add("ready");
  return view;
}

/** Begins a match of what the session has loaded. The players of the server wait if moves of an address follow. */
async function begin(isRepeated = false) {
  finish();
  const view = await server.view();
  const text = own?.text ?? (await server.sheet());
  const name = own?.name ?? `${view.game}.gdl`;
  kept = gameKey(name, text);
  game.begin(view.roles.map(({ role }) => role), seats(kept));
  part("#engine").textContent = "";
  growTree(kept, game.root);
  rules.show(name, text, draft(name));
  await show(view);
  if (!isRepeated) await answer(view);
  if (!isPrepared) prepare();
}

async function load(name, isRepeated) {
  halt();
  own = null;
  isPrepared = true;
  await server.lines("engine auto");
  await server.line(`load ${name}`);
  choose(name);
  await begin(isRepeated);
}

/** Lists the games, and the sheets that were opened, and selects one. */
function choose(name) {
  const opened = sheets();
  const mine = opened.map((sheet) => element("option", { value: `own:${sheet.name}` }, sheet.name));
  const known = games.map((one) => element("option", { value: one }, one));
  picker.replaceChildren(...(mine.length ? [element("optgroup", { label: "Opened here" }, ...mine), element("optgroup", { label: "The library" }, ...known)] : known));
  picker.value = own ? `own:${own.name}` : name;
  // A sheet that is too long to be kept is named nevertheless.
  if (own && picker.value !== `own:${own.name}`) {
    picker.prepend(element("option", { value: `own:${own.name}` }, own.name));
    picker.value = `own:${own.name}`;
  }
}

/** Loads what the list of games names. */
async function pick() {
  atHome(false);
  const [, name] = /^own:(.*)$/.exec(picker.value) ?? [];
  if (name === undefined) return load(picker.value);
  const sheet = sheets().find((one) => one.name === name);
  if (!sheet) return;
  const { loaded, diagnostics, error } = await loadText(sheet.name, sheet.text);
  if (!loaded) throw new Error(`${sheet.name} does not load: ${error ?? diagnostics[0]?.message}`);
  await begin();
}

/** Parts of the notes of a session: that no network could be built, with the reason; that it is being built; that it plays. */
const INSTEAD = " instead of the propnet: ";
const BUILDING = " until its propnet is built";
const PLAYING = " from now on";

/** Sets up the network of a sheet in a session beside that of the page, which takes its place when it is ready. */
async function prepare() {
  const [sheet, root] = [own, game.root];
  const told = part("#engine");
  told.textContent = "Engine: interpreter; the network is being built.";
  const next = new Server();
  try {
    await next.begin();
    await next.load(sheet.name, sheet.text);
    await next.targets();
    // A server builds a large network beside its session, and a note of a later answer says when it plays.
    for (let isBuilding = false, notes = []; notes = (await next.lines(...isBuilding ? ["restart"] : [])).notes;) {
      const failed = notes.find((note) => note.includes(INSTEAD));
      if (failed) throw new Error(failed.slice(failed.indexOf(INSTEAD) + INSTEAD.length));
      isBuilding ||= notes.some((note) => note.endsWith(BUILDING));
      if (!isBuilding || notes.some((note) => note.endsWith(PLAYING))) break;
      if (own !== sheet || game.root !== root) return await next.end();
      await new Promise((later) => setTimeout(later, 250));
    }
    // It takes the place of the other at the same position, while nothing is asked of that.
    for (let place = null; place !== game.here || pending;) {
      if (place) await new Promise((later) => setTimeout(later, 50));
      if (own !== sheet || game.root !== root) return await next.end();
      place = game.here;
      await next.lines("restart", ...place.way.map(({ moves }) => `do ${moves.join(" ")}`));
    }
    await server.take(next);
    isPrepared = true;
    followers.get("network")?.begin();
    told.textContent = "Engine: propositional network.";
  } catch (error) {
    if (own === sheet) told.textContent = `Engine: interpreter (${error.message})`;
    await next.end().catch(() => {});
  }
}

/** Answers lines, and shows what they have led to: another game, another position, or no game. */
async function ask(lines) {
  const answered = await server.lines(...lines);
  const view = await server.view().catch((problem) => (problem instanceof ServerError ? Promise.reject(problem) : null));
  const roles = view?.roles.map(({ role }) => role).join();
  part(".play").inert = !view;
  if (!view) {
    tell("no game is loaded");
  } else if (view.game === shownGame && roles === game.roles.join()) {
    await show(view);
  } else {
    const isKnown = games.includes(view.game);
    const text = isKnown ? null : await server.sheet();
    own = isKnown ? null : { name: `${view.game}.gdl`, text, packed: await pack(text) };
    isPrepared = true;
    choose(view.game);
    await begin();
  }
  return answered;
}

/** Loads a view that follows the position, and shows the position in it. */
async function equip(name) {
  if (followers.has(name)) return;
  await import(`./${name}.js`);
  const view = part(`ggp-${name}`);
  FOLLOWERS[name](view);
  followers.set(name, view);
  if (latest) view.show(latest);
}

/** Shows one of the two ways to learn. */
async function learn(shown, hidden) {
  [shown.hidden, hidden.hidden] = [false, true];
  part("#lessons").setAttribute("aria-pressed", String(shown === lessons));
  part("#course").setAttribute("aria-pressed", String(shown === course));
  if (shown === lessons && !lessons.querySelector(".step").childElementCount) await lessons.list();
  if (shown === course && !course.querySelector("article").childElementCount) await course.open("slides");
}

/** Loads a text; the old game stays if it has errors. */
async function loadText(name, text) {
  halt();
  await server.lines("engine interpreter");
  const judged = await server.load(name, text, name.endsWith(".layout") ? sheets() : []);
  if (!judged.loaded) return judged;
  // What a tree or a layout stands for is the sheet that is played from here on.
  if (judged.text) [name, text] = [`${stem(name)}.gdl`, judged.text];
  own = { name, text, packed: await pack(text) };
  isPrepared = false;
  keepDraft(name, text, text);
  keepSheet(name, text);
  choose(name);
  return judged;
}

/** Goes to another place of the tree of moves. */
async function go(place) {
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

/** Makes a joint move; roles whose seat is not taken here choose by their player. */
async function play(moves) {
  halt();
  if (moves.some((move) => move === null)) {
    const chosen = await thinking(async (signal) => Promise.all(game.roles.map((role, index) => moves[index] ?? choice(role, signal))));
    if (!chosen) return;
    moves = chosen;
  }
  await answer(await make(moves), true);
}

/** Makes a joint move, and shows the position after it. */
async function make(moves) {
  const { view, failed } = await server.walk(`do ${moves.join(" ")}`);
  if (failed) throw new Error(failed);
  return show(view);
}

/** Stops the players of the server. */
let halt = () => {};

/** Lets players of the server think; returns what they found, or `null` if they were stopped. */
async function thinking(work) {
  halt();
  const stop = new AbortController();
  halt = () => stop.abort();
  try {
    return await work(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return null;
  } finally {
    game.think(null);
  }
}

/** The move of a player of the server, found in a session beside that of the page. */
async function choice(role, signal) {
  const line = game.seats[role];
  const place = game.here;
  const { records: [record] = [], error } = await player.run(place, `play ${line}`, () => {}, signal);
  if (!record || record.error) throw new Error(record?.error ?? error);
  return record.answer.joint_move.find((one) => one.role === role).move;
}

/** For how long a position is seen in which nobody has a choice, in milliseconds. */
const FORCED = 250;

/** Waits, unless it is stopped. */
const delay = (time, signal) => new Promise((resolve, reject) => {
  setTimeout(resolve, time);
  signal.addEventListener("abort", reject);
});

/**
 * Lets the players of the server move as long as only they have a choice. Moves without a choice are made after a move
 * of a person, and in matches with players of the server, unless a person wants to step through them.
 */
async function answer(view, isAfterMove = false) {
  while (view && !view.is_over) {
    const choosing = view.roles.filter(({ legal }) => legal.length > 1).map(({ role }) => role);
    const goesOn = !game.seating.isStepping && (isAfterMove || Object.values(game.seats).some(Boolean));
    if (!choosing.length && !goesOn) return;
    if (choosing.some((role) => !game.seats[role])) return;
    const moves = await thinking(async (signal) => {
      if (choosing.length) game.think(choosing[0]);
      else await delay(FORCED, signal);
      return Promise.all(view.roles.map(({ role, legal }) => (legal.length > 1 ? choice(role, signal) : legal[0])));
    });
    if (!moves) return;
    const before = view.ply;
    view = await make(moves);
    if (view.ply === before) return;
  }
}

/** Loads the game into a session that has none, and goes to a place of the match. */
async function repeat(session, place) {
  if (own) await session.load(own.name, own.text);
  else await session.line(`load ${shownGame ?? picker.value}`);
  if (place.moves) await session.lines(...place.way.map(({ moves }) => `do ${moves.join(" ")}`));
}

/** A session beside that of the page, at a place of the match. */
async function beside(place) {
  const session = new Server();
  await session.begin();
  await repeat(session, place);
  return session;
}

/** The sessions in which analyses run, in which the players of the server think, and in which small searches look ahead. */
const [analyst, player, scout] = [0, 1, 2].map(() => new Companion(() => beside(game.root)));

/** The values of a position in which the game is over. */
const utilities = (roles) => roles.map(({ utility }) => utility ?? undefined);

/** Searches every position of the match for a role, in a session beside that of the page. */
async function judge(role, seconds, found, signal) {
  const session = await beside(game.root);
  try {
    for (const place of [game.root, ...game.line]) {
      if (place.moves) await session.line(`do ${place.moves.join(" ")}`);
      const { is_over: isOver, roles } = await session.view();
      if (isOver) place.values = utilities(roles);
      else place.values[role] = await searched(session, `mcts ${game.roles[role]} --seconds ${seconds}`, signal);
      found(place);
    }
  } finally {
    await session.end();
  }
}

/** The mean that a search has found. */
async function searched(server, line, signal) {
  const { records: [record], error } = await server.run(line, () => {}, signal);
  if (!record || record.error) throw new Error(record?.error ?? error);
  return record.answer.mean;
}

/** The addresses that a page has written, so that one that a person enters is known. */
let written = null;

/** Repeats the position of the address, and says what is wrong with it; the page is never without a game. */
async function follow(first) {
  try {
    await restore(first);
  } catch (error) {
    if (!shownGame) await load("tic_tac_toe");
    throw error;
  }
}

/** Repeats the position of the address, or begins with what the server was started with. */
async function restore(first) {
  const address = new URLSearchParams(location.hash.slice(1));
  halt();
  atHome(address.has("games") || (!first && !address.size));
  if (isHome()) written = location.hash;
  // The match that is played goes on below the list.
  if (isHome() && shownGame) return;
  const moves = (address.get("moves") ?? "").split(";").filter(Boolean);
  const isRepeated = moves.length > 0;
  const sent = address.get("sheet");
  const sheet = sent ? { name: address.get("name") ?? "sheet.gdl", text: await unpack(sent) } : address.get("game") ? null : first?.sheet;
  if (sheet) {
    const { loaded, diagnostics, error } = await loadText(sheet.name, sheet.text);
    if (!loaded) throw new Error(`${sheet.name} does not load: ${error ?? diagnostics[0]?.message}`);
    await begin(isRepeated);
  } else {
    await load(address.get("game") ?? first?.game ?? "tic_tac_toe", isRepeated);
  }
  if (!isRepeated) return;
  halt();
  const { records } = await server.lines("restart", ...moves.map((joint) => `do ${joint}`));
  const failed = records.find(({ error }) => error);
  if (failed) tell(`the moves of the address end here: ${failed.error}`, true);
  await answer(await show());
}

/** How the file of a compiled game begins. */
const COMPILED = "ggp propnet ";

/** Repeats the match of a file with its game, which is the loaded one or one of the library. */
async function openMatch(name, text) {
  const { game: wanted, lines, error } = await server.match(text);
  if (error) throw new Error(`${name}: ${error}`);
  const isLoaded = !wanted || (own && stem(own.name) === stem(wanted));
  if (isLoaded) await go(game.root);
  else if (games.includes(wanted)) await load(wanted);
  else throw new Error(`${name} is a match of ${wanted}: open its rule sheet first`);
  const { records } = await server.lines(...lines);
  const failed = records.find(({ error: problem }) => problem);
  if (failed) tell(`the moves of ${name} end here: ${failed.error}`, true);
  await show();
}

/** The name of a file without its extension. */
const stem = (name) => name.replace(/\.[^.]*$/, "");

server.onLost = () => repeat(server, game.here);

server.onAway = (isAway) => {
  tell(isAway ? AWAY : "", isAway);
  // The session may be over; if it is, the answer is that of a new one at the same place.
  if (!isAway) asked(() => show())();
};

/** A tab that slept may have lost its session or its server: it asks before its user does. */
/** Arrow keys go through the match, unless something else uses them. */
document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: "back", ArrowRight: "forth", Home: "first", End: "last" }[event.key];
  const isUsed = event.target.closest("input, select, .editor, [role=tablist], [role=tree], svg, .said, .squares");
  if (!step || event.defaultPrevented || isUsed || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  game.step(step);
});

document.addEventListener("visibilitychange", () => { if (!document.hidden && picker.value) asked(() => server.view())(); });
addEventListener("storage", ({ key }) => { if (key === "token") asked(() => show())(); });

addEventListener("hashchange", () => { if (location.hash !== written) asked(async () => {
  const wanted = new URLSearchParams(location.hash.slice(1)).get("pane");
  await follow(null);
  select(wanted ?? pane);
})(); });
picker.addEventListener("change", asked(pick));
part("#restart").addEventListener("click", asked(() => go(game.root)));
part("#flip").addEventListener("click", () => board.flip());
part("#fill").addEventListener("click", asked(() => (document.fullscreenElement ? document.exitFullscreen() : part(".play").requestFullscreen())));
part("#share").addEventListener("click", asked(async () => {
  await navigator.clipboard.writeText(location.href);
  tell(own && !own.packed ? "The link is copied. The rule sheet is too long for it, so it has only the moves: send the sheet too." : "The link is copied.");
}));
part("#keep").addEventListener("click", asked(async () => {
  const { record, error } = await server.record(game.roles.map((role) => game.seats[role] ?? "a person"));
  if (error) throw new Error(error);
  download(`${record.gameName}.json`, `${JSON.stringify(record)}\n`);
}));
part("#paint").addEventListener("click", asked(async () => download("position.svg", await server.picture())));
part("#paint-png").addEventListener("click", asked(async () => download("position.png", await toPng(await server.picture()))));
/** Opens a file: a rule sheet, a tree, a layout, a match, or a page of the manager of Stanford's course, whose sheet is taken. */
async function openFile(file) {
  const content = await file.text();
  if (content.startsWith(COMPILED)) throw new Error(`${file.name} is a compiled game: “ggp serve ${file.name}” opens it`);
  atHome(false);
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

part("#file").addEventListener("change", asked(async (event) => {
  const [file] = event.target.files;
  if (!file) return;
  // The same file may be opened again.
  event.target.value = "";
  await openFile(file);
}));
/** Files are dropped anywhere on the page but on the editor, which takes texts. */
const isFile = (event) => event.dataTransfer?.types.includes("Files") && !event.target.closest?.(".editor");
document.addEventListener("dragover", (event) => { if (isFile(event)) event.preventDefault(); });
document.addEventListener("drop", asked(async (event) => {
  if (!isFile(event)) return;
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file) await openFile(file);
}));
board.addEventListener("move", asked(({ detail }) => game.choose(detail.role, detail.move)));
board.addEventListener("choices", ({ detail }) => {
  const box = part(".choices");
  const button = ({ role, move }) => element("button", { type: "button", onclick: asked(() => { box.hidden = true; return game.choose(role, move); }) }, move);
  box.replaceChildren(...detail.map(button), element("button", { type: "button", class: "quiet", onclick: () => { box.hidden = true; } }, "None of them"));
  box.hidden = false;
  box.querySelector("button").focus();
});
board.addEventListener("told", ({ detail }) => tell(detail));
board.addEventListener("stepped", ({ detail }) => game.step(detail));
game.addEventListener("jointmove", asked(({ detail }) => play(detail)));
game.addEventListener("go", asked(({ detail }) => go(detail)));
game.addEventListener("told", ({ detail }) => tell(detail));
game.seating.addEventListener("seated", asked(async () => {
  halt();
  keepSeats(kept, game.seats);
  await answer(await show());
}));
game.addEventListener("resume", asked(async () => answer(await server.view())));
game.addEventListener("halt", () => halt());
game.addEventListener("noted", () => keepTree(kept, game.root));
analysis.addEventListener("go", asked(({ detail }) => go(detail)));
analysis.addEventListener("hint", ({ detail }) => board.hint(detail));
analysis.addEventListener("line", asked(async ({ detail: { from, plies } }) => {
  // The line becomes a part of the tree, and is then shown move by move.
  await go(from);
  const { view, failed } = await server.walk(...plies.map((moves) => `do ${moves}`));
  if (failed) tell(failed, true);
  await show(view);
  const end = game.here;
  await go(from);
  from.children.sort((one, other) => Number(end.way.includes(other)) - Number(end.way.includes(one)));
  game.playLine();
}));
rules.addEventListener("edited", ({ detail: { name, history: kept } }) => keepHistory(name, kept));
rules.addEventListener("typed", ({ detail: { name, text, loaded } }) => keepDraft(name, text, loaded));
facts.ask = (line) => server.line(line);
facts.origin = (fact) => server.origin(fact);
facts.sheet = () => rules.played;
facts.addEventListener("rule", ({ detail: { line, column } }) => {
  select("rules");
  rules.reveal(line, column);
});
Object.assign(offered, { controls: (command) => server.controls(command), searches: () => server.searches() });
rules.format = (name, text, dialect) => server.format(name, text, dialect);
rules.check = (name, text) => server.check(name, text);
rules.language = (name, text, question) => server.language(name, text, question);
rules.origin = (fact) => server.origin(fact);
rules.history = historyOf;
rules.load = loadText;
rules.addEventListener("loaded", asked(begin));
home.card = (name) => server.card(name);
home.addEventListener("open", () => part("#file").click());
values.judge = judge;
analysis.run = (place, line, heard, signal) => analyst.run(place, line, heard, signal);
prompt.ask = lessons.ask = (line) => ask([line]);
course.run = async (name, lines) => {
  const { records } = await ask([`load ${name}`, ...lines]);
  return records[0].error ? records : records.slice(1);
};
server.onLesson = (said) => lessons.hear(said);
part("#lessons").addEventListener("click", asked(() => learn(lessons, course)));
part("#course").addEventListener("click", asked(() => learn(course, lessons)));
whenShown(asked(async (name) => {
  if (name === "learn" && !lessons.querySelector(".step").childElementCount) await learn(lessons, course);
  if (name in FOLLOWERS) await equip(name);
  if (name === "tournament") followers.get(name).open();
}));

asked(async () => {
  const first = await server.begin();
  const { answer: list } = await server.line("games");
  const wanted = new URLSearchParams(location.hash.slice(1)).get("pane");
  games = list.games.map(({ name }) => name);
  home.games = list.games;
  if (wanted !== "learn") select(wanted ?? pane);
  await follow(first);
  if (wanted === "learn") select(wanted);
})().finally(() => document.body.classList.add("ready"));

// @ts-check
// The page: what a person does with its parts, and what follows from that.

import "./home.js";
import "./board.js";
import "./match.js";
import "./rules.js";
import "./handle.js";
import { copy, download, toPng, unpack } from "./files.js";
import { views } from "./connections.js";
import { again, answer, go, halt, hint, play, remember, reopen, show, showEnd, sit } from "./moves.js";
import { isHidden } from "./hidden.js";
import { begin, create, follow, loadText, openFile, pick } from "./opening.js";
import { asked, board, cover, ending, game, home, later, part, picker, repeat, rules, scout, seating, server, store, tell, wanted } from "./page.js";
import { panes, select, whenShown } from "./panes.js";
import * as router from "./router.js";
import { swapped } from "./seats.js";
import { AWAY } from "./server.js";
import { hasSound, history as historyOf, keepDraft, keepHistory, keepSeats, keepSound, last, sheets } from "./storage.js";
import { persons } from "./store.js";
import { element } from "./terms.js";

[game.store, game.seating] = [store, seating];

/** The title of the tab: the game, and the pane beside the board. */
const titleOf = ({ isHome, view, pane }) => (isHome ? "Games – ggp" : view ? `${view.game}${pane === "play" ? "" : `: ${pane}`} – ggp` : "ggp");

/** The time for which a message that is no problem is shown, in milliseconds. */
const READ = 10_000;
let fading = null;

store.follow((state, before) => {
  const { message, steps, isHome } = state;
  document.title = titleOf(state);
  if (message !== before.message) {
    const status = part("#status");
    status.textContent = message.text;
    status.classList.toggle("problem", message.isProblem);
    clearTimeout(fading);
    if (message.text && !message.isProblem) fading = setTimeout(() => tell(""), READ);
  }
  part("main").setAttribute("aria-busy", String(steps > 0));
  if (isHome !== before.isHome) {
    document.body.classList.toggle("home", isHome);
    home.hidden = !isHome;
    if (isHome) home.show(last());
    else home.replaceChildren();
  }
});

// The session: one that was lost is begun anew at the same place.
server.onLost = () => repeat(server, game.here);
server.onAway = (isAway) => {
  tell(isAway ? AWAY : "", isAway);
  // The session may be over; if it is, the answer is that of a new one at the same place.
  if (!isAway) asked(() => show())();
};
/** A tab that slept may have lost its session or its server: it asks before its user does. */
document.addEventListener("visibilitychange", () => { if (!document.hidden && store.state.view) asked(() => server.view())(); });
addEventListener("storage", ({ key }) => { if (key === "token") asked(() => show())(); });

// The address and the panes.
addEventListener("hashchange", ({ newURL }) => {
  // The page may have written another address since.
  const { hash } = new URL(newURL);
  if (router.isEntered(hash)) wanted(async () => {
    const asks = router.read(hash);
    await follow(hash, null).finally(() => select(asks?.pane ?? store.state.pane));
    await openPackedTask(asks?.task);
  })();
});
whenShown((pane) => {
  store.send("pane", { pane });
  if (pane === "rules") rules.open().catch(() => {});
  const { state } = store;
  if (state.view && !state.isHome) router.enter(router.write(state), state.match.id);
});
whenShown(asked(async (pane) => {
  await views.open(pane);
  if (pane === "learn" && !wayShown) await learn("tasks");
  if (pane === "tournament") views.get(pane).open();
}));
part(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  (board.hidden ? cover.querySelector("button") : board.querySelector('[tabindex="0"]') ?? board).focus();
});

const WAYS = ["lessons", "course", "tasks"];
let wayShown = null;

/** Shows one of the ways to learn: a lesson, the course, or the list of lessons and tasks with the task that is done. */
async function learn(way) {
  wayShown = way;
  await views.open("learn");
  if (wayShown !== way) return;
  for (const name of WAYS) {
    views.get(name).hidden = name !== way;
  }
  part("#course").setAttribute("aria-pressed", String(way === "course"));
  part("#tasks").setAttribute("aria-pressed", String(way !== "course"));
  place();
  const view = views.get(way);
  if (way === "course" && !view.querySelector("article").childElementCount) await view.open("slides");
  if (way === "tasks" && !view.childElementCount) await view.resume();
}

/** Shows the board, unless a task is done that has no position. */
const place = () => document.body.classList.toggle("placeless", wayShown === "tasks" && views.get("tasks").isPlaceless);
part("ggp-tasks").addEventListener("placed", place);

// A task leads to its item of the course, and an item to its tasks.
part("ggp-tasks").addEventListener("item", wanted(async ({ detail }) => {
  await learn("course");
  await views.get("course").openItem(detail);
}));
part("ggp-tasks").addEventListener("lesson", wanted(async ({ detail }) => {
  await learn("lessons");
  await views.get("lessons").begin(detail);
}));
part("ggp-lessons").addEventListener("done", ({ detail }) => views.get("tasks").noteLesson(detail));
part("ggp-lessons").addEventListener("list", wanted(async () => {
  await learn("tasks");
  views.get("tasks").list();
}));
part("ggp-course").addEventListener("task", wanted(async ({ detail }) => {
  await learn("tasks");
  await views.get("tasks").open(detail);
}));

/** Opens the text of a task's file. */
async function openTask(name, text) {
  wayShown = "tasks";
  select("learn");
  await learn("tasks");
  await views.get("tasks").openText(name, text);
}

/** Opens the task of an address: its name on the first line, and its text. */
async function openPackedTask(packed) {
  if (!packed) return;
  const [name, ...lines] = (await unpack(packed)).split("\n");
  await openTask(name, lines.join("\n"));
}

const TASK = /\.task$/;
const openAny = async (file) => (TASK.test(file.name) ? openTask(file.name.replace(TASK, ""), await file.text()) : openFile(file));
for (const way of ["course", "tasks"]) part(`#${way}`).addEventListener("click", wanted(() => learn(way)));

// What is opened, shared and kept.
picker.addEventListener("change", wanted(pick));
part("#share").addEventListener("click", wanted(async () => {
  const { sheet } = store.state;
  const lacks = sheet && !sheet.packed ? " The rule sheet is too long for it, so it has only the moves: send the sheet too." : "";
  const isCopied = await copy(location.href);
  tell(`${isCopied ? "The link is copied." : "The browser does not let this page copy: copy the address of the page yourself."}${lacks}`, !isCopied);
}));
/** What is saved has all of a position. */
const savedWhole = (save) => wanted(async () => {
  if (isHidden(store.state)) throw new Error("A part of the position is hidden, and this would show it: press “Show all” first.");
  await save();
});
part("#keep").addEventListener("click", savedWhole(async () => {
  const { record, error } = await server.record(game.roles.map((role) => game.seats[role] ?? "a person"));
  if (error) throw new Error(error);
  download(`${record.gameName}.json`, `${JSON.stringify(record)}\n`);
}));
part("#embed").addEventListener("click", wanted(async () => {
  const { state } = store;
  const { showClassLink } = await import("./embed.js");
  await showClassLink(panes, state.panes ?? panes.map(([name]) => name), state.view.game, (names) => router.write({ ...state, panes: names.length === panes.length ? null : names }), AWAY !== "");
}));
part("#paint").addEventListener("click", savedWhole(async () => download("position.svg", await server.picture())));
part("#paint-png").addEventListener("click", savedWhole(async () => {
  const width = part("#width");
  if (!width.reportValidity()) return;
  download("position.png", await toPng(await server.picture(), Number(width.value)));
}));
for (const [id, option, name] of [["svg", "--svg", "svg"], ["page", "--html", "html"]]) {
  part(`#film-${id}`).addEventListener("click", savedWhole(async () => {
    const { records: [record], files: [file] = [] } = await scout.run(game.line.at(-1) ?? game.here, `replay ${option} ${store.state.view.game}.${name}`, () => {}, new AbortController().signal);
    if (!file) throw new Error(record?.error ?? "there is no film of this match");
    download(...file);
  }));
}
/** Asks for a new sheet. */
const newSheet = wanted(async () => {
  const { askForSheet } = await import("./template.js");
  await askForSheet(sheets().map(({ name }) => name), (one) => create(one));
});
home.addEventListener("newsheet", newSheet);
rules.addEventListener("newsheet", newSheet);
part("#file").addEventListener("change", wanted(async (event) => {
  const [file] = event.target.files;
  if (!file) return;
  // The same file may be opened again.
  event.target.value = "";
  await openAny(file);
}));
/** Files are dropped anywhere on the page but on the editor, which takes texts. */
const isFile = (event) => event.dataTransfer?.types.includes("Files") && !event.target.closest?.(".editor");
document.addEventListener("dragover", (event) => { if (isFile(event)) event.preventDefault(); });
document.addEventListener("drop", wanted(async (event) => {
  if (!isFile(event)) return;
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file) await openAny(file);
}));
/** The menu closes at Escape, and at a click elsewhere. */
const menu = part(".menu");
document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || !menu.open) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
document.addEventListener("click", ({ target }) => { if (!menu.contains(target) || target.closest("button")) menu.open = false; });
home.card = (name) => server.card(name);
home.addEventListener("open", () => part("#file").click());

// The board.
board.addEventListener("move", wanted(({ detail }) => game.choose(detail.role, detail.move)));
board.addEventListener("choices", ({ detail }) => {
  const box = part(".choices");
  const button = ({ role, move }) => element("button", { type: "button", onclick: wanted(() => { box.hidden = true; return game.choose(role, move); }) }, move);
  box.replaceChildren(...detail.map(button), element("button", { type: "button", class: "quiet", onclick: () => { box.hidden = true; } }, "None of them"));
  box.hidden = false;
  box.querySelector("button").focus();
});
board.addEventListener("told", ({ detail }) => tell(detail));
board.addEventListener("stepped", ({ detail }) => game.step(detail));
cover.addEventListener("open", wanted(async () => {
  store.send("opened");
  await show();
}));
part("#flip").addEventListener("click", () => board.flip());
part("#fill").addEventListener("click", wanted(() => (document.fullscreenElement ? document.exitFullscreen() : part(".play").requestFullscreen())));

// The match.
/** Arrow keys go through the match, unless something else uses them. */
document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: "back", ArrowRight: "forth", Home: "first", End: "last" }[event.key];
  const isUsed = event.target.closest("input, select, .editor, [role=tablist], [role=tree], svg, .said, .squares");
  if (!step || event.defaultPrevented || isUsed || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  game.step(step);
});
game.addEventListener("jointmove", wanted(({ detail }) => play(detail)));
game.addEventListener("go", wanted(({ detail }) => go(detail)));
game.addEventListener("told", ({ detail }) => tell(detail));
game.addEventListener("resume", wanted(async () => answer(await server.view(), halt())));
game.addEventListener("halt", () => halt());
game.addEventListener("edited", wanted(async ({ detail }) => {
  if (detail !== game.here) await go(detail);
  remember();
}));
part("#restart").addEventListener("click", wanted(() => again()));
part("#hint").addEventListener("click", wanted(() => hint()));
part("#takeback").addEventListener("click", wanted(() => go(game.here.lastChoice(persons(store.state)))));

// The seats, and the end.
seating.addEventListener("seated", wanted(({ detail: { role, line } }) => {
  const lines = { ...game.seats, [role]: line };
  keepSeats(store.state.key, lines);
  return sit(lines);
}));
seating.addEventListener("seeded", wanted(({ detail: seed }) => again({ seed })));
seating.addEventListener("clocked", wanted(async ({ detail: clock }) => {
  if (game.root.children.length) return again({ clock });
  store.send("clocked", { clock });
  seating.show(store.state);
}));
ending.addEventListener("unclocked", wanted(async () => {
  store.send("clocked", { clock: null });
  await answer(await show(), halt());
}));
/** The clocks beside the line above the board; a match that is lost on time ends what it does by itself. */
let clock = null;
store.follow(async ({ match }) => {
  if (!match?.clock) return;
  clock ??= import("./clock.js").then(({ Clock, shown }) => new Clock(store, (times, running) => {
    const box = part(".clocks");
    box.hidden = !times;
    box.replaceChildren(...Object.entries(times ?? {}).map(([role, left]) => element("span", { class: running.includes(role) ? "runs" : "" }, `${role} ${shown(left)}`)));
  }));
});
store.follow((state, before) => {
  if (!state.late || state.late === before.late) return;
  halt();
  game.think(null);
  showEnd(state);
  later(remember);
});
seating.addEventListener("reopen", wanted(({ detail }) => reopen(detail)));
/** At the end the sides are swapped for another match, before that in this one. */
const swap = () => {
  const lines = swapped(game.roles, game.seats);
  keepSeats(store.state.key, lines);
  return store.state.view.is_over ? again({ lines }) : sit(lines);
};
for (const one of [seating, ending]) {
  one.addEventListener("newmatch", wanted(() => again()));
  one.addEventListener("swapsides", wanted(swap));
}
ending.addEventListener("judge", wanted(async () => {
  select("analyse");
  await views.open("analyse");
  views.get("values").begin();
}));

// The sounds, which are off until a person wants them.
seating.addEventListener("sounded", ({ detail }) => keepSound(detail));
store.follow(async ({ view, isOpen }, before) => {
  if (!view || view === before.view || !hasSound()) return;
  const { sound, soundOf } = await import("./sounds.js");
  const name = soundOf(before.view, view, isHidden({ view, isOpen }));
  if (name) sound(name);
});

// The rules.
Object.assign(rules, {
  format: (name, text, dialect) => server.format(name, text, dialect),
  check: (name, text) => server.check(name, text),
  language: (name, text, question) => server.language(name, text, question),
  origin: (fact) => server.origin(fact),
  history: historyOf,
  load: loadText,
});
rules.addEventListener("edited", ({ detail: { name, history: kept } }) => keepHistory(name, kept));
rules.addEventListener("typed", ({ detail: { name, text, loaded } }) => keepDraft(name, text, loaded));
rules.addEventListener("loaded", wanted(() => begin()));

asked(async () => {
  const first = await server.begin();
  const { answer: list } = await server.line("games");
  const { pane, task } = router.read(location.hash) ?? {};
  home.games = list.games;
  if (pane !== "learn") select(pane ?? store.state.pane);
  await follow(location.hash, first);
  if (pane === "learn" && !task) select(pane);
  await openPackedTask(task);
})().finally(() => document.body.classList.add("ready"));

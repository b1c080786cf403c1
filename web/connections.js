// @ts-check
// How each view beside the board is connected with the page.

import { isHidden, moveWords, refuseHidden } from "./hidden.js";
import { go, playThrough, show } from "./moves.js";
import { ask, begin, loadText } from "./opening.js";
import { analyst, asked, beside, board, game, network, rules, scout, server, store, wanted } from "./page.js";
import { select } from "./panes.js";
import { choosing } from "./store.js";
import { isChance } from "./terms.js";
import { Views } from "./views.js";

/** Follows positions only where all of them is shown. */
const whole = (follow) => (state) => { if (!isHidden(state)) follow(state.view); };

export const views = new Views(store, {
  analysis: (analysis) => {
    analysis.run = async (place, line, heard, signal) => {
      refuseHidden(store.state, "The analysis");
      return analyst.run(place, limited(line), heard, signal);
    };
    analyst.onRenewed = () => analysis.again();
    store.follow((state, before) => { if (state.isPrepared && !before.isPrepared) analyst.renew(); });
    analysis.addEventListener("go", wanted(({ detail }) => go(detail)));
    analysis.addEventListener("hint", ({ detail }) => board.hint(detail));
    analysis.addEventListener("line", wanted(({ detail: { from, plies } }) => playThrough(from, plies)));
    return ({ here, roles }) => analysis.show(here, roles.filter((role) => !isChance(role)));
  },
  values: (values) => {
    values.judge = async (...what) => {
      refuseHidden(store.state, "The values");
      return (await import("./judging.js")).judge(...what);
    };
    return () => values.show(game);
  },
  facts: (facts) => {
    facts.ask = (line) => server.line(line);
    facts.origin = (fact) => server.origin(fact);
    facts.sheet = () => rules.played;
    facts.addEventListener("rule", ({ detail: { line, column } }) => {
      select("rules");
      rules.reveal(line, column);
    });
    facts.addEventListener("asking", ({ detail }) => { board.isAsking = detail; });
    facts.addEventListener("rests", asked(async ({ detail }) => board.mark(detail.length ? await server.squares(detail) : [])));
    const ask = asked(async ({ detail: place }) => {
      refuseHidden(store.state, "The answer");
      facts.about(board.nameOf(place), await server.square(place));
    });
    board.addEventListener("why", ask);
    store.follow(({ pane }) => { if (pane !== "explain" && board.isAsking) facts.stop(); });
    // Where nothing can be played, a click asks while the pane is shown.
    board.addEventListener("nomove", (event) => { if (store.state.pane === "explain") ask(event); });
    return ({ view }) => facts.show(view);
  },
  search: (search) => {
    search.run = (line, heard, signal) => analyst.run(game.here, line, heard, signal);
    search.glance = (line, heard, signal) => scout.run(game.here, line, heard, signal);
    search.start = () => game.here;
    search.addEventListener("line", wanted(async ({ detail: { from, moves } }) => {
      await go(from);
      await server.lines(...moves.map((joint) => `do ${joint.join(" ")}`));
      await show();
    }));
    return whole((view) => search.show(view));
  },
  network: (network) => {
    network.ask = (lines) => server.lines(...lines);
    network.isReady = () => store.state.isPrepared;
    store.follow((state, before) => { if (state.isPrepared && !before.isPrepared) network.begin(); });
    return whole((view) => network.show(view));
  },
  simulation: (simulation) => {
    simulation.beside = async (signal) => {
      refuseHidden(store.state, "The simulation");
      await network(signal);
      return beside(game.here);
    };
    return ({ view }) => simulation.show(view);
  },
  tournament: (tournament) => {
    tournament.beside = () => beside(game.root);
    return ({ view }) => tournament.show(view);
  },
  prompt: (prompt) => {
    prompt.ask = async (line) => {
      if (!OPENING.test(line)) refuseHidden(store.state, "The answer");
      return ask([line]);
    };
  },
  lessons: (lessons) => {
    lessons.ask = (line) => ask([line]);
    server.onLesson = (said) => lessons.hear(said);
  },
  course: (course) => {
    course.tasks = async () => (await server.object("tasks")).tasks;
    course.run = async (name, lines, heard, signal) => {
      const [records, files] = [[], []];
      try {
        for (const [index, line] of [`load ${name}`, "seed 0", ...lines].entries()) {
          const answered = await server.run(line, heard, signal);
          if (answered.error) throw new Error(answered.error);
          const [record] = answered.records;
          if (index > 1 || record.error) records.push(record);
          files.push(...answered.files);
          if (record.error) break;
        }
        return { records, files };
      } finally {
        // The page shows the position after the lines, and not before: it plays the moves of chance.
        await ask([]);
      }
    };
  },
  tasks: (tasks) => {
    tasks.ask = (task, body) => server.object(task, body);
    // A task ends the lesson that runs, which would hear of its lines.
    const leaveLesson = () => {
      const lesson = views.get("lessons");
      const lines = lesson.isRunning ? ["learn off"] : [];
      lesson.isRunning = false;
      return lines;
    };
    tasks.set = (lines) => ask([...leaveLesson(), ...lines], seatsOfTask);
    tasks.play = async (name, text) => {
      const before = leaveLesson();
      if (before.length) await server.lines(...before);
      const { loaded, diagnostics, error } = await loadText(name, text, false);
      const wrong = diagnostics?.find(({ severity }) => severity === "error") ?? diagnostics?.[0];
      if (!loaded) return error ?? `line ${wrong.line}: ${wrong.message}`;
      await begin({ lines: seatsOfTask(await server.view()) });
      return null;
    };
    tasks.played = () => game.here.way.map((place) => moveWords(place, store.state));
    return () => tasks.moved();
  },
});

/** The seats in a task: all roles are played at the page, and chance does not move before the position was seen. */
const seatsOfTask = (view) => {
  const isHeld = choosing(view).some(isChance);
  return Object.fromEntries(view.roles.map(({ role }) => [role, isChance(role) && !isHeld ? "random" : null]));
};

/** Lines of the prompt that show nothing of the position. */
const OPENING = /^\s*(load|help|games|learn|course)\b/;

/** The memory of a search without a time limit beside the board, and the searches that would take ever more. */
const MEMORY = "--memory 800M";
const GROWING = /^(analyse|best|mcts)\b/;

/** A line with a limit of memory, unless a person has set one. */
const limited = (line) => (GROWING.test(line) && !line.includes("--memory") ? `${line} ${MEMORY}` : line);

// Games for programs in JavaScript: the library as a WebAssembly module, one session for each game. What the methods accept
// and return is described in index.d.ts. They answer before they return, so long work belongs into a worker.

import { Library } from "./library.js";
import { module } from "./module.js";

export class GameError extends Error {
  name = "GameError";
  constructor(message, problems = []) {
    super(message);
    this.problems = problems;
  }
}

export async function load(game) {
  const session = await Library.of(await module());
  if (typeof game === "string") return new Game(session, change(session, `load ${game}`).roles);
  const { loaded, diagnostics, error } = request(session, "load", game);
  if (!loaded) throw new GameError(error ?? diagnostics.map(({ message }) => message).join("; "), diagnostics);
  return new Game(session, ask(session, "roles").roles);
}

function request(session, task, body) {
  try {
    return JSON.parse(session.ask(task, body));
  } catch (error) {
    // After a failure the module answers nothing more.
    throw new GameError(error.message);
  }
}

/** The answer to a line of the prompt, which may change the session. */
const change = (session, line) => lastAnswer(request(session, "lines", { lines: [line] }));

/** The answer to the last of some lines of the prompt, which leave the session as it is. */
const ask = (session, ...lines) => lastAnswer(request(session, "question", { lines }));

/** The last answer of a reply, with its text. */
function lastAnswer({ records }) {
  if (!records.length) throw new GameError("there is no line to answer");
  const { answer, error, text } = records.at(-1);
  if (error) throw new GameError(error);
  return { ...answer, text };
}

/** The values of entries by their roles; or that of one role. */
const byRole = (entries, value, role) => (role === undefined ? Object.fromEntries(entries.map((entry) => [entry.role, entry[value]])) : entries[0][value]);

class Game {
  #session;
  roles;

  constructor(session, roles) {
    this.#session = session;
    this.roles = roles;
  }

  run(...lines) {
    return ask(this.#session, ...lines);
  }

  facts() {
    return this.run("state").facts;
  }

  legal(role) {
    return byRole(this.run(`legal ${role ?? ""}`).roles, "moves", role);
  }

  next(...moves) {
    return this.#go(`do ${moves.join(" ")}`);
  }

  undo() {
    return this.#go("undo");
  }

  restart() {
    return this.#go("restart");
  }

  set(...facts) {
    return this.#go(`set ${facts.join(" ")}`);
  }

  /** Changes the position by a line of the prompt. Returns the facts after it. */
  #go(line) {
    change(this.#session, line);
    return this.facts();
  }

  get isTerminal() {
    return this.run("terminal").holds;
  }

  goal(role) {
    return byRole(this.run(`goal ${role ?? ""}`).goals, "value", role);
  }

  query(formula) {
    const { kind, holds, variables, rows } = this.run(`?- ${formula}`);
    if (kind === "truth") return holds ? [{}] : [];
    return rows.map((row) => Object.fromEntries(row.map((value, index) => [variables[index], value])));
  }

  why(atom) {
    return this.run(`why ${atom}`);
  }

  search(line) {
    return this.run(line);
  }

  simulate(playouts = 1000, seed = null) {
    return this.run(`simulate --playouts ${playouts}${seed === null ? "" : ` --seed ${seed}`}`);
  }
}

// In place of the server: a session in a worker of this page, in which lines of the prompt are answered. It is ended where
// it must stop or has failed, and another takes its place with the same game and moves.

import { Asking, ServerError } from "./asking.js";

/** The compiled library, for all workers of the page. */
const library = compile();

async function compile() {
  const file = await fetch("ggp.wasm");
  if (!file.ok) throw new ServerError(file.status, "the library of this page (ggp.wasm) is missing");
  // A server that does not know the type of the file is no obstacle.
  if (file.headers.get("Content-Type") !== "application/wasm") return WebAssembly.compile(await file.arrayBuffer());
  return WebAssembly.compileStreaming(file);
}
library.catch(() => {});

navigator.serviceWorker?.register("offline.js").catch(() => {});

/**
 * The page has no server that could be away.
 * @type {string}
 */
export const AWAY = "";

/** Lines that change the session for later ones, and so are repeated in one that takes its place. */
const LASTING = /^\s*(do|undo|redo|restart|set|rules|engine|seed|dialect|load|learn)\b/;
/** Of these, those that go through a match. */
const MOVES = /^\s*(do|undo|redo|set|restart)\b/;

/** A worker with the requests that wait for it. */
class Worked {
  #worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  #waiting = new Map();
  #next = 0;
  /** What leads a new session to where this one is: tasks with their bodies. */
  way = [];

  constructor() {
    this.#worker.addEventListener("message", ({ data: { number, progress, answer, failure } }) => {
      const { resolve, tell } = this.#waiting.get(number) ?? {};
      if (progress) return tell?.(progress);
      if (failure !== undefined) return this.end(failure);
      this.#waiting.delete(number);
      resolve?.(answer);
    });
    this.#worker.addEventListener("error", ({ message }) => this.end(message ?? "the worker has failed"));
  }

  /** Whether it was ended. */
  get isOver() {
    return this.#worker === null;
  }

  async ask(task, body, tell) {
    const module = await library;
    if (this.isOver) throw new Ended(null);
    const number = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject, tell });
      this.#worker.postMessage({ number, module, task, body });
    });
  }

  /** Ends the worker; the request that it works on fails, for this reason if there is one, and so do those behind it. */
  end(failure = null) {
    this.#worker?.terminate();
    this.#worker = null;
    const [first, ...others] = this.#waiting.values();
    first?.reject(new Ended(failure));
    for (const { reject } of others) reject(new Ended(null));
    this.#waiting.clear();
  }
}

/** A request was not answered, since its worker was ended: because it failed, or with another request. */
class Ended extends Error {
  constructor(failure) {
    super(failure ?? "the worker was ended");
    this.failure = failure;
  }
}

export class Server extends Asking {
  /** The longest time that a request may take, in milliseconds: that of `ggp serve` unless it is told another. */
  static patience = 600_000;
  /** A worker does one thing at a time. */
  static buildsBeside = false;
  #worked = null;
  /** A new worker that is being led to where the last one was. */
  #restoring = null;

  /** Begins a session. */
  async begin() {
    this.#worked = new Worked();
    await this.#worked.ask(null);
    return null;
  }

  /** Takes the session of another, and ends its own. */
  async take(other) {
    const old = this.#worked;
    this.#worked = other.#worked;
    old?.end();
  }

  /** Ends the session. */
  async end() {
    this.#worked?.end();
  }

  /** The worker, or one that takes its place. */
  async #working() {
    if (this.#restoring) return this.#restoring;
    if (!this.#worked?.isOver) return this.#worked;
    const way = this.#worked.way;
    this.#restoring = (async () => {
      const fresh = new Worked();
      for (const [task, body] of way) await fresh.ask(task, body);
      fresh.way = way;
      return fresh;
    })();
    try {
      this.#worked = await this.#restoring;
    } finally {
      this.#restoring = null;
    }
    return this.#worked;
  }

  async #ask(task, body, tell, signal) {
    for (;;) {
      signal?.throwIfAborted();
      const worked = await this.#working();
      const stop = () => worked.end();
      const { patience } = Server;
      const tired = setTimeout(() => worked.end(`it takes more than ${patience / 1_000} seconds`), patience);
      signal?.addEventListener("abort", stop);
      try {
        const answer = await worked.ask(task, body, tell);
        this.#note(worked, task, body, answer);
        return answer;
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof Ended)) throw error;
        if (error.failure) {
          await this.#working().catch(() => {});
          throw new ServerError(500, `this was not finished, and the match is restored: ${error.failure}`);
        }
        // Another request was stopped, and this one waited behind it.
      } finally {
        clearTimeout(tired);
        signal?.removeEventListener("abort", stop);
      }
    }
  }

  /** Notes what leads a new session to where this one is. */
  #note(worked, task, body, answer) {
    if (task === "load" && JSON.parse(answer).loaded) worked.way = [[task, body]];
    if (task !== "lines" && task !== "run") return;
    const lines = body.lines ?? [body.line];
    for (const [index, { error }] of (JSON.parse(answer).records ?? []).entries()) {
      const line = lines[index];
      if (error || !LASTING.test(line)) continue;
      if (/^\s*load\b/.test(line)) worked.way = worked.way.filter(([, { lines }]) => /^\s*(engine|seed|dialect)\b/.test(lines?.[0]));
      if (/^\s*restart\b/.test(line)) worked.way = worked.way.filter(([, { lines }]) => !MOVES.test(lines?.[0]));
      worked.way.push(["lines", { lines: [line] }]);
    }
  }

  async object(...request) {
    const answer = JSON.parse(await this.#ask(...request));
    if (answer.failed) throw new ServerError(400, answer.failed);
    return answer;
  }

  /** Answers a line and calls `tell` with the progress until then. The signal stops it, and with it the worker. */
  run(line, tell, signal, viewers = null) {
    return this.object("run", { line, viewers }, tell, signal);
  }

  /** The position as an SVG picture. */
  async picture() {
    const text = await this.#ask("picture");
    if (text.startsWith("{")) throw new ServerError(400, JSON.parse(text).failed);
    return text;
  }
}

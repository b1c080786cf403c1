// @ts-check
// A session beside that of the page, with the same game. Long work runs there, so that the board always answers.
//
// While the network of a sheet is not ready, or if there is none, such a session answers by the interpreter, as the page's
// own does. When the network is ready another session takes its place, and until that has it too the first one goes on.

export class Companion {
  #open;
  #engine;
  #session = null;
  #root = null;
  /** The engine of the session, and the session that will take its place. */
  #own = null;
  #next = null;
  /** The last run, which is over before its session is ended. */
  #running = Promise.resolve();
  /** Called when a session with another engine has taken the place of the last one. */
  onRenewed = () => {};

  /** Who is told what the runs answer, if it is not everybody. */
  viewers = () => null;

  /** `open` begins a session with the game of the page, at its initial state; `engine` says which engine it has then. */
  constructor(open, engine) {
    [this.#open, this.#engine] = [open, engine];
  }

  /** Answers a line at a place of the match, after `first`, and calls `heard` with the progress until then. The signal stops it. */
  async run(place, line, heard, signal, ...first) {
    const { root } = place;
    if (root !== this.#root) {
      this.end();
      [this.#root, this.#own, this.#session] = [root, this.#engine(), this.#open()];
    } else {
      this.renew();
    }
    const session = await this.#session;
    signal.throwIfAborted();
    await session.lines("restart", ...place.way.map(({ moves }) => `do ${moves.join(" ")}`), ...first);
    signal.throwIfAborted();
    const run = session.run(line, heard, signal, this.viewers());
    this.#running = run.then(() => {}, () => {});
    return run;
  }

  /** Opens a session with the network once the page has it, if this one has none; it takes the place of this one when it is ready. */
  renew() {
    const engine = this.#engine();
    if (!engine || !this.#session || this.#own === engine || this.#next) return;
    const next = this.#open().then(async (session) => {
      await session.targets();
      return session;
    });
    this.#next = next;
    next.then((session) => {
      if (this.#next !== next) return session.end();
      const [old, running] = [this.#session, this.#running];
      [this.#session, this.#own, this.#next] = [next, engine, null];
      this.onRenewed();
      return running.then(() => old).then((one) => one.end());
    }).catch(() => { if (this.#next === next) this.#next = null; });
  }

  /** Ends the session; the next line begins another. */
  end() {
    this.#session?.then((session) => session.end()).catch(() => {});
    [this.#root, this.#session, this.#next] = [null, null, null];
  }
}

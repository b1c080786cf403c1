// A session beside that of the page, with the same game. Long work runs there, so that the board always answers.

export class Companion {
  #open;
  #session = null;
  #root = null;

  /** `open` begins a session with the game of the page, at its initial state. */
  constructor(open) {
    this.#open = open;
  }

  /** Answers a line at a place of the match, after `first`, and calls `heard` with the progress until then. The signal stops it. */
  async run(place, line, heard, signal, ...first) {
    const root = place.way[0]?.parent ?? place;
    if (root !== this.#root) {
      this.end();
      [this.#root, this.#session] = [root, this.#open()];
    }
    const session = await this.#session;
    signal.throwIfAborted();
    await session.lines("restart", ...place.way.map(({ moves }) => `do ${moves.join(" ")}`), ...first);
    signal.throwIfAborted();
    return session.run(line, heard, signal);
  }

  /** Ends the session; the next line begins another. */
  end() {
    this.#session?.then((session) => session.end()).catch(() => {});
    [this.#root, this.#session] = [null, null];
  }
}

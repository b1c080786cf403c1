// The library as a WebAssembly module: one session, which answers the requests of a page.

export class Library {
  #instance;
  /** Called with a message about the progress of a request, several times a second. */
  onProgress = () => {};
  /** Why the module has failed, if it has. */
  failure = null;

  /** A session of a module that was compiled. */
  static async of(module) {
    const library = new Library();
    const ggp = {
      now: () => performance.timeOrigin + performance.now(),
      progress: (start, length) => library.onProgress(JSON.parse(library.text(start, length)).progress),
      failed: (start, length) => { library.failure = library.text(start, length); },
    };
    library.#instance = await WebAssembly.instantiate(module, { ggp });
    return library;
  }

  /** The answer to a request, as text: JSON, or an SVG picture. A module that has failed answers nothing more. */
  ask(task, body) {
    if (this.failure) throw new Error(this.failure);
    const request = new TextEncoder().encode(`${task}\n${body === undefined ? "" : JSON.stringify(body)}`);
    try {
      return this.#answer(request);
    } catch (error) {
      // A panic has said why. Without one the module ends where it gets no more memory.
      const megabytes = Math.round(this.#instance.exports.memory.buffer.byteLength / 2 ** 20);
      const isEnd = error instanceof WebAssembly.RuntimeError;
      this.failure ??= isEnd ? `there is not enough memory in the browser (${megabytes} MiB are used)` : error.message;
      throw new Error(this.failure);
    }
  }

  /** What the module exports. */
  get exports() {
    return this.#instance.exports;
  }

  #answer(request) {
    const { room, ask, reply, memory } = this.#instance.exports;
    const start = room(request.length);
    new Uint8Array(memory.buffer, start >>> 0, request.length).set(request);
    const length = ask();
    return this.text(reply(), length);
  }

  /** The text at an address, which a module hands out as a signed number. */
  text(start, length) {
    return new TextDecoder().decode(new Uint8Array(this.#instance.exports.memory.buffer, start >>> 0, length));
  }
}

// The worker with the seat of the page, and the one with its clock.

const now = () => performance.timeOrigin + performance.now();
const part = (id) => document.getElementById(id);

/** The compiled library. */
const library = compiled(SETTINGS.module ?? `data:application/octet-stream;base64,${part("library").textContent.trim()}`);
part("library").textContent = "";

const scriptOf = (id) => URL.createObjectURL(new Blob([part(id).textContent], { type: "text/javascript" }));
const scripts = { worker: scriptOf("worker"), clock: scriptOf("clock") };

/** A worker with the seat, and the requests that wait for it. */
class Seat {
  #worker = new Worker(scripts.worker);
  #waiting = new Map();
  #next = 0;

  constructor() {
    library.then((module) => this.#worker?.postMessage({ module }), (error) => this.#fail(error.message));
    this.#worker.addEventListener("message", ({ data }) => {
      if (data.failure !== undefined) return this.#fail(data.failure);
      this.#waiting.get(data.number)?.resolve(data);
      this.#waiting.delete(data.number);
    });
    this.#worker.addEventListener("error", ({ message }) => this.#fail(message ?? "the worker has failed"));
  }

  /** The answer or the error of a request; a failure of the worker is an exception, its end leaves it open. */
  ask(request, deadline) {
    const number = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      library.then(() => this.#worker?.postMessage({ number, request, deadline }), () => {});
    });
  }

  #fail(reason) {
    const waiting = [...this.#waiting.values()];
    this.end();
    waiting.forEach(({ reject }) => reject(new Error(reason)));
  }

  end() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#waiting.clear();
  }
}

/** Calls back at moments, in a tab in the background too. */
const clock = {
  worker: new Worker(scripts.clock),
  waiting: new Map(),
  next: 0,
  at(moment, act) {
    const number = this.next++;
    this.waiting.set(number, act);
    this.worker.postMessage({ at: moment, number });
  },
};
clock.worker.addEventListener("message", ({ data: number }) => {
  const act = clock.waiting.get(number);
  clock.waiting.delete(number);
  act?.();
});

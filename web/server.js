// The server as the page sees it: a session in which lines of the prompt are answered.

/** The time between two attempts to reach a server that does not answer, in milliseconds. */
const AGAIN = 1_000;

/**
 * The secret of the server: from the address that was opened, then from any tab of this server, so that a page that was
 * open before the server was started again learns the new one. It does not stay in the address.
 */
function takeToken() {
  const address = new URL(location.href);
  const given = address.searchParams.get("token");
  if (given) {
    localStorage.setItem("token", given);
    address.searchParams.delete("token");
    history.replaceState(null, "", address);
  }
  return localStorage.getItem("token") ?? "";
}

/** An answer that is an error; `status` is 0 where the server could not be reached. */
export class ServerError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** What a page says while its server is away. */
export const AWAY = "the server does not answer; start `ggp serve` again if it has ended: the page goes on when it is back";

export class Server {
  #token = takeToken();
  #session = null;
  #isAway = false;
  /** Called when a session had to be begun again; it repeats what the last one had. */
  onLost = async () => {};
  /** Called with what a lesson says of a line. */
  onLesson = () => {};
  /** Called with `true` when the server stops to answer, and with `false` when it is there again. */
  onAway = () => {};

  async #fetch(method, path, body, signal) {
    const headers = { Authorization: `Bearer ${this.#token}` };
    const sent = { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) };
    let response;
    try {
      response = await fetch(`/api/${path}`, sent);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      this.#wait();
      throw new ServerError(0, AWAY);
    }
    if (response.ok) return response;
    if (response.status === 401 && this.#token !== takeToken()) {
      this.#token = takeToken();
      return this.#fetch(method, path, body, signal);
    }
    const problem = await response.json().catch(() => ({}));
    throw new ServerError(response.status, problem.error ?? response.statusText);
  }

  /** Asks until the server answers again. */
  async #wait() {
    if (this.#isAway) return;
    this.#isAway = true;
    this.onAway(true);
    while (this.#isAway) {
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
      this.#isAway = await fetch("/icon.svg").then(() => false, () => true);
    }
    this.onAway(false);
  }

  /** Begins a session; returns what the server was started with, if anything: `{game}`, or `{sheet: {name, text}}`. */
  async begin() {
    const { session, first } = await (await this.#fetch("POST", "sessions")).json();
    this.#session = session;
    return first;
  }

  /** Takes the session of another, and ends its own. */
  async take(other) {
    const old = this.#session;
    this.#session = other.#session;
    await this.#delete(old);
  }

  /** Ends the session. */
  async end() {
    await this.#delete(this.#session);
  }

  /** Ends a session. An answer that is not read would keep its connection. */
  async #delete(session) {
    await (await this.#fetch("DELETE", `sessions/${session}`)).text();
  }

  async #inSession(method, task, body, signal) {
    try {
      return await this.#fetch(method, `sessions/${this.#session}/${task}`, body, signal);
    } catch (error) {
      // The server has ended the session, or was started again.
      if (error.status !== 410) throw error;
      await this.begin();
      await this.onLost();
      return this.#fetch(method, `sessions/${this.#session}/${task}`, body, signal);
    }
  }

  /** Answers lines one after another until one fails: `{records, notes}`. */
  async lines(...lines) {
    const answered = await (await this.#inSession("POST", "lines", { lines })).json();
    for (const { lesson } of answered.records) if (lesson) this.onLesson(lesson);
    return answered;
  }

  /** Answers lines as `lines` does, and returns the first error, if there is one, and the position after them. */
  async walk(...lines) {
    const { records, view, error } = await (await this.#inSession("POST", "lines", { lines, view: true })).json();
    for (const { lesson } of records) if (lesson) this.onLesson(lesson);
    if (!view) throw new Error(error);
    return { view, failed: records.find(({ error: problem }) => problem)?.error ?? null };
  }

  /** Answers one line; throws its error. */
  async line(line) {
    const { records: [record] } = await this.lines(line);
    if (record.error) throw new Error(record.error);
    return record;
  }

  /** Answers a line and calls `tell` with the progress until then. The signal stops it. */
  async run(line, tell, signal) {
    const response = await this.#inSession("POST", "run", { line }, signal);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "", last = null;
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return last;
      text += value;
      const lines = text.split("\n");
      text = lines.pop();
      for (const message of lines.map((one) => JSON.parse(one))) {
        if (message.progress) tell(message.progress);
        else last = message;
      }
    }
  }

  /** The position as it is drawn; throws if no game is loaded. */
  async view() {
    const { view, error } = await (await this.#inSession("GET", "view")).json();
    if (error) throw new Error(error);
    return view;
  }

  async targets() {
    return (await this.#inSession("GET", "targets")).json();
  }

  async sheet() {
    return (await (await this.#inSession("GET", "sheet")).json()).text;
  }

  /** Loads a text; if it has errors, the game stays: `{loaded, diagnostics, error}`. */
  async load(name, text) {
    return (await this.#inSession("POST", "sheet", { name, text })).json();
  }

  /** Formats a text, in this dialect if one is given: `{text}`, or the errors of its syntax: `{diagnostics}`. */
  async format(name, text, dialect) {
    return (await this.#fetch("POST", "format", { name, text, dialect })).json();
  }

  async check(name, text) {
    return (await this.#fetch("POST", "check", { name, text })).json();
  }

  /** The card of a game of the library: `{players, kind, size, board}`, or `null`. */
  async card(name) {
    return (await (await this.#fetch("POST", "card", { name })).json()).card;
  }

  /** Reads the file of a match that any tool has written: `{game, lines}` of the prompt, or `{error}`. */
  async match(text) {
    return (await this.#fetch("POST", "match", { text })).json();
  }

  /** The match as a record, with the names of its players. */
  async record(players) {
    return (await this.#inSession("POST", "record", { players })).json();
  }

  /** The position as an SVG picture. */
  async picture() {
    return (await this.#inSession("GET", "picture")).text();
  }
}

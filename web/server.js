// @ts-check
// The server as the page sees it: a session in which lines of the prompt are answered.

import { Asking, ServerError } from "./asking.js";

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

/**
 * What a page says while its server is away; empty where there is none.
 * @type {string}
 */
export const AWAY = "the server does not answer; if it has ended, start `ggp serve` again, and the page continues";

/** Tasks that need no session. */
const ALONE = ["check", "format", "language", "card", "match", "template"];
/** Tasks that need no body, and the tasks that the server has at another address. */
const READING = ["view", "targets", "text", "searches", "ruleset", "tasks", "engine"];
const ADDRESSES = { load: "sheet", text: "sheet" };

export class Server extends Asking {
  /** Whether a session answers while its network is being built. */
  static buildsBeside = true;
  #token = takeToken();
  #session = null;
  #isAway = false;

  async #fetch(method, path, body, signal) {
    const headers = { Authorization: `Bearer ${this.#token}` };
    const sent = { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) };
    let response;
    try {
      response = await fetch(`/api/${path}`, sent);
    } catch (error) {
      if (error.name === "AbortError" || signal?.aborted) throw error;
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

  async object(task, body) {
    const address = ADDRESSES[task] ?? task;
    if (ALONE.includes(task)) return (await this.#fetch("POST", address, body)).json();
    return (await this.#inSession(READING.includes(task) && !body ? "GET" : "POST", address, body)).json();
  }

  /** Answers a line and calls `tell` with the progress until then. The signal stops it. Viewers are told the moves, sealed. */
  async run(line, tell, signal, viewers = null) {
    const response = await this.#inSession("POST", "run", { line, viewers }, signal);
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

  /** The position as an SVG picture. */
  async picture() {
    return (await this.#inSession("GET", "picture")).text();
  }
}

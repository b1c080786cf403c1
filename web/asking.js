// @ts-check
// What the page asks, and the answers. `server.js` carries the questions to the server, and in the page without a server to
// a worker.

/** An answer that is an error; `status` is 0 where the server could not be reached. */
export class ServerError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** A session; what carries the questions has the method `object(task, body)`, which answers with an object. */
export class Asking {
  /** Called when a session had to be begun again; it repeats what the last one had. */
  onLost = async () => {};
  /**
   * Called with what a lesson says of a line.
   * @type {(lesson: any) => void}
   */
  onLesson = () => {};
  /**
   * Called with `true` when the server stops to answer, and with `false` when it is there again.
   * @type {(isAway: boolean) => void}
   */
  onAway = () => {};

  /**
   * Who looks at the positions, so that they are answered no more than they know: `{roles, seed, is_open}`; `null` for
   * all of a position.
   * @type {() => {roles: string[], seed: number, is_open: boolean} | null}
   */
  viewers = () => null;

  /**
   * Carries a question: a task with its body.
   * @param {string} _task
   * @param {object} [_body]
   * @returns {Promise<any>}
   */
  async object(_task, _body) {
    throw new Error("a session carries its questions");
  }

  /** Answers lines one after another until one fails: `{records, notes}`. */
  lines(...lines) {
    return this.#lines({ lines });
  }

  async #lines(body) {
    const answered = await this.object("lines", body);
    for (const { lesson } of answered.records) if (lesson) this.onLesson(lesson);
    return answered;
  }

  /** Answers lines as `lines` does, and returns the first error, if there is one, and the position after them. */
  async walk(...lines) {
    const { records, view, error } = await this.#lines({ lines, view: true, viewers: this.viewers() });
    if (!view) throw new Error(error);
    return { view, failed: records.find(({ error: problem }) => problem)?.error ?? null };
  }

  /** Answers a line in a fork of the session, so that it changes nothing and no lesson hears of it; throws its error. */
  async question(line) {
    const { records: [record] } = await this.object("question", { lines: [line] });
    if (record.error) throw new Error(record.error);
    return record;
  }

  /** Answers one line; throws its error. */
  async line(line) {
    const { records: [record] } = await this.lines(line);
    if (record.error) throw new Error(record.error);
    return record;
  }

  /**
   * The position as it is drawn; throws if no game is loaded.
   * @returns {Promise<import("./answers").PositionView>}
   */
  async view() {
    const { view, error } = await this.object("view", this.viewers() ?? undefined);
    if (error) throw new Error(error);
    return view;
  }

  /**
   * The legal moves, with the squares that they change.
   * @returns {Promise<{targets: import("./answers").MoveTarget[]}>}
   */
  targets() {
    return this.object("targets", this.viewers() ?? undefined);
  }

  /** The text of the loaded game. */
  async sheet() {
    return (await this.object("text")).text;
  }

  /** The rules from the position on, as players of Stanford's course read them; throws why there are none. */
  async ruleset() {
    const { text, diagnostics: [problem] = [], error } = await this.object("ruleset");
    if (text === undefined) throw new Error(`these rules cannot be sent to a page: ${error ?? problem?.message}`);
    return text;
  }

  /**
   * Loads a text; if it has errors, the game stays: `{loaded, text, diagnostics, error}`. Of a tree or a layout, `text` is
   * the rule sheet that was made of it; `opened` are sheets to one of which a layout may belong.
   */
  load(name, text, opened = []) {
    return this.object("load", { name, text, opened });
  }

  /** Formats a text, in this dialect if one is given: `{text}`, or the errors of its syntax: `{diagnostics}`. */
  format(name, text, dialect) {
    return this.object("format", { name, text, dialect });
  }

  /** A rule sheet to begin with, for `{name, players, columns, rows}`. */
  async template(wanted) {
    const { text, error } = await this.object("template", wanted);
    if (text === undefined) throw new Error(error);
    return text;
  }

  /**
   * The problems of a text.
   * @returns {Promise<import("./answers").TextVerdict>}
   */
  check(name, text) {
    return this.object("check", { name, text });
  }

  /** Asks the language service about a text: `words`, or `{completions}`, `{definitions}` or `{description}` at an offset. */
  language(name, text, question) {
    return this.object("language", { name, text, question });
  }

  /** Why a fact of the position holds, by the rules that made it: `{answer}`, or `{error}`. */
  origin(fact) {
    return this.object("origin", { fact });
  }

  /** The squares on which facts of the position are seen. */
  async squares(facts) {
    return (await this.object("squares", { facts })).squares ?? [];
  }

  /**
   * What can be asked about a square.
   * @returns {Promise<import("./answers").AboutSquare>}
   */
  async square(place) {
    const { square, error } = await this.object("square", { place });
    if (error) throw new Error(error);
    return square;
  }

  /**
   * The engine that plays; it is set up now, unless it is being built beside the session.
   * @returns {Promise<import("./answers").PlayingEngine>}
   */
  async engine() {
    const { engine, error } = await this.object("engine");
    if (error) throw new Error(error);
    return engine;
  }

  /** The searches that choose moves: `[{name, summary}]`. */
  async searches() {
    return (await this.object("searches")).searches;
  }

  /**
   * The options of a command as controls.
   * @returns {Promise<import("./answers").Control[]>}
   */
  async controls(command) {
    const { controls, error } = await this.object("controls", { command });
    if (error) throw new Error(error);
    return controls;
  }

  /**
   * The card of a game of the library, if there is one.
   * @returns {Promise<import("./answers").GameCard | null>}
   */
  async card(name) {
    return (await this.object("card", { name })).card;
  }

  /** Reads the file of a match that any tool has written: `{game, lines}` of the prompt, or `{error}`. */
  match(text) {
    return this.object("match", { text });
  }

  /** The match as a record, with the names of its players. */
  record(players) {
    return this.object("record", { players });
  }
}

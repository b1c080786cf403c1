// A match as the page takes part in it: its clocks, the question that is open, and what happens if the search fails.

/** The time that an answer may take to the manager: a share of the clock, in seconds. */
const transfer = (clock) => Math.min(0.5, clock / 6);
/** The time before the end of the clock at which a legal move is sent if the search has not answered. */
const reserve = (clock) => Math.min(0.3, clock / 12);

/** The match in progress, with what is needed to follow it again in another worker. */
class Match {
  seat = new Seat();
  role = null;
  roles = [];
  isOver = false;
  /** The `play` messages that the seat has followed. */
  messages = [];
  failures = 0;
  /** The question that is open: the id of its message, its legal moves and its end. */
  question = null;
  ply = 0;

  constructor(start) {
    this.start = start;
    this.clocks = clocksOf(start);
    this.player = chosenPlayer();
    this.seed = Math.floor(Math.random() * 2 ** 31);
  }

  /** Begins, and answers that the player is ready when it is, or when the clock ends. */
  async begin(id, arrived) {
    const end = arrived + 1000 * (this.clocks.start - transfer(this.clocks.start));
    let isReady = false;
    const ready = () => {
      if (isReady || this.isOver) return;
      isReady = true;
      answer(id, "ready");
    };
    clock.at(end, ready);
    this.until = end;
    show({ doing: "preparing", match: this });
    try {
      await this.#open(end);
    } catch (error) {
      if (this.isOver) return;
      note(`the player has failed: ${error.message}`, true);
      await this.#resume().catch(() => {});
    }
    if (this.isOver) return;
    show({ doing: this.role ? "waiting for the first move" : "no legal move is known: the rules cannot be read", match: this });
    ready();
  }

  /** Loads the sheet in the worker. */
  async #open(end) {
    const { answer: begun, error } = await this.seat.ask({ start: { message: this.start, player: this.player, seed: this.seed, seconds: 0 } }, end);
    if (this.isOver) return;
    if (error) {
      this.role = null;
      note(error, true);
      return;
    }
    [this.role, this.roles] = [begun.role, begun.roles];
    if (begun.fault) note(`${this.player} cannot play this game, random moves replace it: ${begun.fault}`, true);
    show({ engine: begun.engine, match: this });
  }

  /** Goes on in another worker, from the messages so far; with random moves after the second failure. */
  async #resume() {
    this.failures += 1;
    this.seat.end();
    this.seat = new Seat();
    if (this.failures > 1) this.player = "random";
    await this.#open(now() + 1000);
    let turn = null;
    for (const message of this.messages) turn = await this.seat.ask({ play: { message } });
    return turn;
  }

  async play(id, message, arrived) {
    const end = arrived + 1000 * (this.clocks.play - transfer(this.clocks.play));
    this.question = { id, end, legal: [] };
    const question = this.question;
    clock.at(arrived + 1000 * (this.clocks.play - reserve(this.clocks.play)), () => this.#answerAnything(question));
    let followed;
    try {
      followed = await this.seat.ask({ play: { message } });
      if (!followed.error) this.messages.push(message);
    } catch (error) {
      if (this.isOver) return;
      note(`the player has failed: ${error.message}`, true);
      this.messages.push(message);
      followed = await this.#resume().catch((again) => ({ error: again.message }));
    }
    if (this.isOver || this.question !== question) return;
    if (followed.error) {
      note(followed.error, true);
      return show({ doing: "waiting", match: this });
    }
    const turn = followed.answer;
    this.ply = this.messages.length - 1;
    if (!turn.is_own) return show({ doing: turn.control ? `waiting for ${turn.control}` : "the game is over", turn, match: this });
    question.legal = turn.legal;
    this.until = question.end;
    show({ doing: "thinking", turn, match: this });
    try {
      const { answer: choice, error } = await this.seat.ask({ choose: { seconds: 0 } }, question.end);
      if (error) return this.#answerAnything(question, error);
      if (choice.fault) note(choice.fault, true);
      this.#answer(question, choice.move, choice.thought);
    } catch (error) {
      if (this.isOver) return;
      this.#answerAnything(question, `the player has failed: ${error.message}`);
      await this.#resume().catch((again) => note(again.message, true));
    }
  }

  #answer(question, move, thought) {
    if (this.isOver || question !== this.question || question.isAnswered) return;
    question.isAnswered = true;
    answer(question.id, move);
    show({ doing: "waiting", chosen: { ply: this.ply, move, thought }, match: this });
  }

  /** A random one of the legal moves, if these are known. */
  #answerAnything(question, reason) {
    if (this.isOver || question !== this.question || question.isAnswered) return;
    if (reason) note(reason, true);
    const { legal } = question;
    if (!legal.length) return;
    if (!reason) note("the search has not answered in time: a random legal move replaces its own", true);
    this.#answer(question, legal[Math.floor(Math.random() * legal.length)], null);
  }

  async stop(message) {
    const { answer: turn, error } = await this.seat.ask({ stop: { message } }).catch((failure) => ({ error: failure.message }));
    if (error) note(error, true);
    this.end();
    show({ doing: "the match is over", scores: turn?.utilities, match: this });
  }

  end() {
    this.isOver = true;
    this.question = null;
    this.seat.end();
  }
}

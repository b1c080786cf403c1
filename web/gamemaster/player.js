// The page of a player: it takes part in the matches of a manager in another tab of the browser, by the local storage that
// both share. A worker follows the match and searches; this file keeps the protocol and the clocks, and shows both.

const now = () => performance.timeOrigin + performance.now();
const part = (id) => document.getElementById(id);

/** The time that an answer may take to the manager: a share of the clock, in seconds. */
const transfer = (clock) => Math.min(0.5, clock / 6);
/** The time before the end of the clock at which a legal move is sent if the search has not answered. */
const reserve = (clock) => Math.min(0.3, clock / 12);

const LINES = 300;
const LONGEST_LINE = 400;

/** The compiled library. */
const library = compiled();

async function compiled() {
  const text = part("library").textContent.trim();
  const file = await fetch(SETTINGS.module ?? `data:application/octet-stream;base64,${text}`);
  if (!file.ok) throw new Error(`${SETTINGS.module} cannot be loaded (${file.status})`);
  part("library").textContent = "";
  let bytes = await file.arrayBuffer();
  const [first, second] = new Uint8Array(bytes, 0, 2);
  if (first === 0x1f && second === 0x8b) bytes = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  return WebAssembly.compile(bytes);
}

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

/** The match in progress, with what is needed to follow it again in another worker. */
class Match {
  seat = new Seat();
  role = null;
  roles = [];
  isOver = false;
  /** The messages so far: `start`, and each `play`. */
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

let match = null;

function receive({ key, newValue }) {
  if (key !== player || newValue === null) return;
  const arrived = now();
  log(newValue, "in");
  const envelope = openEnvelope(newValue);
  if (!envelope) return note("this is no message", true);
  const { id, sender, receiver, message, kind } = envelope;
  if (sender !== manager) return note(`a message of ${sender}, who is not the manager`, true);
  if (receiver !== player) return note(`a message for ${receiver}`, true);
  if (kind === "ping") return answer(id, "ready");
  if (kind === "start") {
    match?.end();
    match = new Match(message);
    return void match.begin(id, arrived);
  }
  if (kind === "abort") {
    const isEnded = match && !match.isOver;
    match?.end();
    return show({ doing: isEnded ? "the match was abandoned" : "waiting for a match", match });
  }
  if (kind !== "play" && kind !== "stop") return note("there is no such message", true);
  if (!match || match.isOver) return note("no match has begun", true);
  if (kind === "play") match.play(id, message, arrived);
  else match.stop(message);
}

/** Sends an answer to the manager. */
function answer(id, text) {
  const sent = `message(${id},${player},${manager},${text})`;
  try {
    localStorage[manager] = sent;
    log(sent, "out");
  } catch (error) {
    note(`the answer cannot be sent: ${error.message}`, true);
  }
}

// What the page shows.

/** Adds a line to the transcript; long ones are cut. */
function log(text, kind) {
  const cut = text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}… (${text.length} characters)` : text;
  const line = document.createElement("li");
  line.className = kind;
  line.textContent = cut;
  const list = part("transcript");
  const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  list.append(line);
  while (list.children.length > LINES) list.firstChild.remove();
  if (isAtEnd) list.scrollTop = list.scrollHeight;
}

function note(text, isProblem = false) {
  log(text, isProblem ? "problem" : "note");
  if (isProblem) part("problem").textContent = text;
}

const number = (value, digits = 0) => value.toLocaleString("en", { maximumFractionDigits: digits, minimumFractionDigits: digits });

/** The value of a thought in words. */
function valueOf(thought) {
  if (thought?.value === null || thought?.value === undefined) return "–";
  return thought.is_proven ? `${number(thought.value)}, exact` : number(thought.value, 1);
}

/** The work of a thought in words. */
function workOf(thought) {
  if (!thought) return "–";
  if (thought.playouts) return number(thought.playouts);
  return thought.nodes ? `${number(thought.nodes)} states` : "–";
}

function show({ doing, match: shown, engine, turn, chosen, scores }) {
  if (doing) part("doing").textContent = doing;
  if (doing === "preparing") {
    part("problem").textContent = "";
    part("moves").replaceChildren();
    for (const id of ["move", "value", "work"]) part(id).textContent = "–";
    part("score").textContent = "";
  }
  part("role").textContent = shown?.role ? `plays ${shown.role}` : "";
  if (engine) part("engine").textContent = engine === "propnet" ? "network" : "rules";
  document.title = `${player}${shown?.role ? ` · ${shown.role}` : ""}`;
  if (chosen) {
    const { ply, move, thought } = chosen;
    part("move").textContent = move;
    part("value").textContent = valueOf(thought);
    part("work").textContent = workOf(thought);
    const row = part("moves").insertRow(0);
    for (const text of [ply + 1, move, valueOf(thought), workOf(thought)]) row.insertCell().textContent = text;
    while (part("moves").rows.length > LINES) part("moves").deleteRow(-1);
  }
  if (scores) part("score").textContent = shown.roles.map((role, index) => `${role} ${scores[index] ?? "?"}`).join(" · ");
  tick();
}

/** Shows the time that is left for the present question. */
function tick() {
  const isAsked = match && !match.isOver && (part("doing").textContent === "thinking" || part("doing").textContent === "preparing");
  const left = isAsked ? Math.max(0, match.until - now()) / 1000 : 0;
  part("left").textContent = isAsked ? `${left.toFixed(1)} s` : "–";
  const whole = isAsked ? match.clocks[part("doing").textContent === "thinking" ? "play" : "start"] : 1;
  part("time").value = isAsked ? left / whole : 0;
}
setInterval(tick, 200);

// Settings.

function chosenPlayer() {
  const options = part("options").value.trim();
  return part("kind").value + (options ? `:${options}` : "");
}

for (const { name, summary } of SETTINGS.players) {
  const option = document.createElement("option");
  option.value = name;
  option.textContent = name;
  option.title = summary;
  part("kind").append(option);
}
function describe() {
  part("summary").textContent = SETTINGS.players.find(({ name }) => name === part("kind").value)?.summary.replaceAll("`", "") ?? "";
}
const [kind, ...options] = SETTINGS.player.split(":");
part("kind").value = kind;
part("options").value = options.join(":");
part("kind").addEventListener("change", () => { part("options").value = ""; describe(); });
describe();

function showName() {
  part("name").textContent = player;
  document.title = player;
}

/** The identifiers of the manager and of this page. They are global variables, as on the course's pages, and shown. */
const given = new URLSearchParams(location.search);
const identifiers = { manager: given.get("manager") ?? "manager", player: given.get("player") ?? SETTINGS.name };
for (const which of Object.keys(identifiers)) {
  const field = part(`${which}-name`);
  const set = (text) => {
    identifiers[which] = String(text).trim();
    showName();
  };
  Object.defineProperty(window, which, {
    get: () => identifiers[which],
    set: (text) => { set(text); field.value = identifiers[which]; },
  });
  field.value = identifiers[which];
  field.addEventListener("input", () => set(field.value));
}

/** Takes another name than the players in other tabs that are open: two of the same name would both answer. */
function findName() {
  const channel = new BroadcastChannel("ggp-gamemaster");
  let isOpen = !given.has("player");
  channel.addEventListener("message", ({ data: { asked, taken } }) => {
    if (asked === player) channel.postMessage({ taken: player });
    if (taken === player && isOpen) {
      const [, base, count] = /^(.*?)(\d*)$/.exec(player);
      window.player = `${base}${Number(count || 1) + 1}`;
      channel.postMessage({ asked: player });
    }
  });
  channel.postMessage({ asked: player });
  setTimeout(() => { isOpen = false; }, 500);
}
findName();
showName();

addEventListener("storage", receive);
library.then(() => show({ doing: "waiting for a match" }), (error) => {
  note(`the library cannot be loaded: ${error.message}`, true);
  show({ doing: "not ready" });
});

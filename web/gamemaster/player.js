// The page of a player: it takes part in the matches of a manager in another tab of the browser, by the local storage that
// both share. This file receives and sends messages, and shows what the player does (seat.js and match.js do the rest).

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

const LINES = 300;
const LONGEST_LINE = 400;

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

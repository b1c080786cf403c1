// Matches of a page of `ggp gamemaster` against the players of Stanford's course, on the course's own pages (test data, not
// part of the project). Each finished match is kept as a line of JSON, so that a run can be stopped and goes on; `pages` of
// `ggp server --tournament` reads these lines:
//
//   node gamemaster_matches.mjs FOLDER PAGE [--games a,b] [--against mcts,pts] [--start 6] [--play 6] [--out FILE] [--throttled] [--plans GGP]
//
// FOLDER has match.mjs, games/ and players/; PAGE is the file of `ggp gamemaster`. Two roles are played from both seats. At the
// end, and with `--table` alone, it prints the points of each game and opponent. With `--plans` it prints beside the score in
// games of one role what the command `bestplan` of the program GGP finds in 15 seconds.

import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const given = process.argv.slice(2);
const flag = (name, otherwise) => {
  const at = given.indexOf(`--${name}`);
  return at < 0 ? otherwise : given[at + 1];
};
const [folder, page] = given;
const games = flag("games", "breakthrough,connectfour,knights,kono,nineboardtictactoe,alquerque").split(",");
const opponents = flag("against", "mcts,pts,minimaxid").split(",");
const [start, play] = [flag("start", "6"), flag("play", "6")];
const here = dirname(fileURLToPath(import.meta.url));
const kept = resolve(flag("out", join(here, "../../target/gamemaster/matches.jsonl")));
const throttled = given.includes("--throttled");

/** The course's program, where it finds what it needs. */
function program() {
  const copy = join(here, "node_modules/.gamemaster/match.mjs");
  mkdirSync(dirname(copy), { recursive: true });
  const listening = 'page.on("pageerror"';
  let text = readFileSync(join(folder, "match.mjs"), "utf8");
  if (!text.includes(listening)) throw new Error("match.mjs no longer listens to pageerror: failed requests cannot be told");
  text = text.replace(listening, `page.on("requestfailed", (request) => console.error(tag, "failed", request.url())); page.on("response", (response) => response.status() >= 400 && console.error(tag, response.status(), response.url())); ${listening}`);
  if (throttled) text = text.replace(/, "--disable-(background-timer-throttling|renderer-backgrounding)"/g, "");
  writeFileSync(copy, text);
  return copy;
}

/** The rule sheet of a game, from its page. */
function sheet(game) {
  const [, text] = /<textarea id='ruleset'[^>]*>([\s\S]*?)<\/textarea>/.exec(readFileSync(join(folder, `games/${game}.html`), "utf8"));
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

const roles = (game) => sheet(game).match(/^role\(/gm).length;

/** What `bestplan` finds in a game of one role, in words. */
function planned(game) {
  const file = join(here, `node_modules/.gamemaster/${game}.hrf`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, sheet(game));
  const { stdout } = spawnSync(flag("plans"), ["eval", file, "bestplan --seconds 15", "--json"], { encoding: "utf8", maxBuffer: 1 << 26 });
  const { answer } = JSON.parse(stdout);
  return `${answer.utility}${answer.exact ? ", exact" : ""}`;
}

const finished = () => (existsSync(kept) ? readFileSync(kept, "utf8").trim().split("\n").filter(Boolean).map((line) => JSON.parse(line)) : []);
const same = (one, other) => one.game === other.game && one.opponent === other.opponent && one.seat === other.seat && one.clocks === other.clocks && one.throttled === other.throttled;

/** All matches: against one opponent after the other, so that a run that is stopped early has some of each game. */
function* matches() {
  const clocks = `${start}/${play}`;
  for (const opponent of opponents) {
    for (const game of games.filter((game) => roles(game) > 1)) for (let seat = 0; seat < roles(game); seat += 1) yield { game, opponent, seat, clocks, throttled };
  }
  for (const game of games.filter((game) => roles(game) === 1)) yield { game, opponent: null, seat: 0, clocks, throttled };
}

function run(match) {
  const count = roles(match.game);
  const players = Array.from({ length: count }, (_, role) => (role === match.seat ? resolve(page) : match.opponent));
  const { stdout, stderr } = spawnSync("node", [program(), resolve(folder), match.game, ...players, "--start", start, "--play", play], { encoding: "utf8", env: process.env });
  const line = stdout.trim().split("\n").at(-1);
  const result = line.startsWith("{") ? JSON.parse(line) : { over: false };
  const { scores, over, errors, late, seconds, messages } = result;
  const role = result.roles?.[match.seat];
  // The manager counts late moves among those that are not legal.
  const timeouts = (result.roles ?? []).map((one) => late?.[one] ?? 0);
  const illegal = (result.roles ?? []).map((one, index) => (errors?.[one] ?? 0) - timeouts[index]);
  const names = players.map((player) => basename(player, ".html"));
  const problems = stderr.trim().split("\n").filter((text) => !/images|favicon|^$/.test(text)).slice(0, 5);
  return { ...match, role, score: scores?.[match.seat], scores, over, errors: errors?.[role] ?? 0, late: late?.[role] ?? 0, seconds, messages, problems, players: names, illegal, timeouts };
}

function table() {
  const rows = finished().filter(({ over }) => over);
  for (const game of new Set(rows.map((row) => row.game))) {
    const own = rows.filter((row) => row.game === game);
    const cell = (opponent) => own.filter((row) => row.opponent === opponent).map(({ score, errors, late }) => `${score}${errors || late ? ` (${errors} illegal or late)` : ""}`).join(" ");
    console.log(`${game.padEnd(24)}${[...new Set(own.map((row) => row.opponent))].map((opponent) => `${opponent ?? "alone"}: ${cell(opponent)}`).join("   ")}${flag("plans") && roles(game) === 1 ? `   bestplan: ${planned(game)}` : ""}`);
  }
  console.log(`${rows.length} matches, ${rows.reduce((sum, { errors }) => sum + errors, 0)} illegal or late moves`);
}

mkdirSync(dirname(kept), { recursive: true });
if (!given.includes("--table")) {
  for (const match of matches()) {
    if (finished().some((known) => same(known, match) && known.over)) continue;
    const result = run(match);
    appendFileSync(kept, `${JSON.stringify(result)}\n`);
    console.log(JSON.stringify(result));
  }
}
table();

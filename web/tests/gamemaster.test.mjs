// The page of `ggp gamemaster` and `ggp-general.js` at the table of Stanford's course, in a real browser: on the course's own
// pages, which are test data and may be missing.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { grind, readdata } from "../gamemaster/terms.js";
import { SHAPES, built, flaws, launch, root } from "./browser.mjs";
import { course, lay, make, missing as skip, play, sheetOf, sit, tell, until } from "./table.mjs";

let table, browser;
before(async () => {
  if (skip) return;
  table = await lay("--player", "growing");
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await table?.end();
});

const shown = (page, id) => page.$eval(`#${id}`, (part) => part.textContent);
const waitFor = (page, id, text) => until(page, (id, text) => document.getElementById(id).textContent.includes(text), { timeout: 20_000 }, id, text);
/** The rules of a game as the manager sends them. */
const rulesOf = (game) => `ruleset(${readdata(sheetOf(game)).map((clause) => grind(clause)).join(",")})`;
const RULES = skip ? "" : rulesOf("tictactoe");

test("two pages play against each other, and again on the same pages", { skip, timeout: 300_000 }, async () => {
  const first = await sit(browser, `${table.address}/players/ggp.html`);
  const second = await sit(browser, `${table.address}/players/ggp.html`);
  await waitFor(second, "name", "ggp2");
  assert.equal(await shown(first, "name"), "ggp");
  for (const names of [["ggp", "ggp2"], ["ggp2", "ggp"]]) {
    const { scores, errors } = await play(browser, table.address, "tictactoe", names);
    assert.deepEqual([scores, errors], [[50, 50], { x: 0, o: 0 }]);
  }
  assert.match(await shown(first, "score"), /x 50 · o 50/);
  assert.match(await shown(first, "value"), /50, exact/);
  assert.deepEqual([first.problems, second.problems, table.missed], [[], [], []]);
  await Promise.all([first.close(), second.close()]);
});

test("a page never loses against the course's player", { skip, timeout: 300_000 }, async () => {
  const own = await sit(browser, `${table.address}/players/ggp.html`);
  const other = await sit(browser, `${table.address}/players/greedy.html`, "greedy");
  const { scores, errors } = await play(browser, table.address, "tictactoe", ["greedy", "ggp"], { play: 4 });
  assert.ok(scores[1] >= 50, String(scores));
  assert.equal(errors.o, 0);
  assert.deepEqual(own.problems, []);
  await Promise.all([own.close(), other.close()]);
});

test("texts that are no messages, and moves that are not legal, leave the page alive", { skip, timeout: 120_000 }, async () => {
  const page = await sit(browser, `${table.address}/players/ggp.html`);
  const tab = await sit(browser, `${table.address}/players/legal.html`);
  const quiet = (message) => tell(tab, "ggp", message, 300);
  for (const text of ["raw:", "raw:ready", "raw:message(1,manager,ggp)", "raw:message(1,other,ggp,ping())", "raw:message(1,manager,ggp2,ping())", "bid(3)", "play([])", "stop([])", "play(", "start(x)"]) {
    const answer = await quiet(text);
    assert.ok(answer === null || answer === "ready", `${text}: ${answer}`);
  }
  assert.equal(await tell(tab, "ggp", "ping()"), "ready");
  assert.equal(await tell(tab, "ggp", `start(x,${RULES},3,3)`, 6000), "ready");
  await waitFor(page, "role", "plays x");
  assert.match(await tell(tab, "ggp", "play([])"), /^mark\(\d,\d\)$/);
  assert.equal(await quiet("play(mark(7,7))"), null, "there is no such move");
  await waitFor(page, "problem", "mark(7,7)");
  assert.equal(await quiet("play(mark(2,2))"), null, "the other role has control");
  assert.match(await tell(tab, "ggp", "play(mark(1,1))"), /^mark\(\d,\d\)$/);
  assert.equal(await quiet("abort()"), null);
  await waitFor(page, "doing", "abandoned");
  assert.equal(await quiet("play(mark(3,3))"), null);
  assert.equal(await tell(tab, "ggp", "ping()"), "ready");
  assert.deepEqual(page.problems, []);
  await Promise.all([page.close(), tab.close()]);
});

test("a match is abandoned while the page prepares or thinks, and the next one begins at once", { skip, timeout: 120_000 }, async () => {
  const page = await sit(browser, `${table.address}/players/ggp.html`);
  const tab = await sit(browser, `${table.address}/players/legal.html`);
  const begin = `start(red,${rulesOf("connectfour")},4,4)`;
  assert.equal(await tell(tab, "ggp", begin, 200), null, "it prepares");
  assert.equal(await tell(tab, "ggp", "abort()", 200), null);
  assert.equal(await tell(tab, "ggp", begin, 5000), "ready");
  assert.equal(await tell(tab, "ggp", "play([])", 500), null, "it thinks");
  await waitFor(page, "doing", "thinking");
  assert.equal(await tell(tab, "ggp", "ping()", 1000), "ready", "and is alive");
  assert.equal(await tell(tab, "ggp", begin, 5000), "ready", "another match takes the place of the first");
  assert.match(await tell(tab, "ggp", "play([])", 4000), /^drop\(\d\)$/);
  assert.deepEqual(page.problems, []);
  await Promise.all([page.close(), tab.close()]);
});

test("if the worker fails, another one follows the match and answers", { skip, timeout: 120_000 }, async () => {
  const page = await sit(browser, `${table.address}/players/ggp.html`);
  const tab = await sit(browser, `${table.address}/players/legal.html`);
  const breakIt = async () => {
    for (const worker of page.workers()) await worker.evaluate(() => { if (typeof library !== "undefined") library = { ask() { throw new Error("the library is lost"); } }; });
  };
  assert.equal(await tell(tab, "ggp", `start(x,${RULES},3,4)`, 6000), "ready");
  const first = await tell(tab, "ggp", "play([])");
  assert.match(first, /^mark\(\d,\d\)$/);
  assert.equal(await tell(tab, "ggp", `play(${first})`, 500), null);
  const reply = first === "mark(1,2)" ? "mark(3,3)" : "mark(1,2)";
  await breakIt();
  const second = await tell(tab, "ggp", `play(${reply})`, 5000);
  assert.match(second, /^mark\(\d,\d\)$/);
  assert.ok(![first, reply].includes(second), second);
  await waitFor(page, "problem", "the library is lost");
  await breakIt();
  assert.equal(await tell(tab, "ggp", "abort()", 200), null);
  assert.equal(await tell(tab, "ggp", `start(x,${RULES},3,4)`, 6000), "ready");
  assert.match(await tell(tab, "ggp", "play([])"), /^mark/);
  assert.deepEqual(page.problems, []);
  await Promise.all([page.close(), tab.close()]);
});

test("twenty matches leave no worker and no memory behind", { skip: skip || (process.env.GGP_THOROUGH ? false : "in thorough runs"), timeout: 600_000 }, async () => {
  const page = await sit(browser, `${table.address}/players/ggp.html`);
  const tab = await sit(browser, `${table.address}/players/legal.html`);
  const used = [];
  for (let count = 1; count <= 20; count += 1) {
    assert.equal(await tell(tab, "ggp", `start(red,${rulesOf("connectfour")},3,2)`, 5000), "ready");
    assert.match(await tell(tab, "ggp", "play([])", 4000), /^drop/);
    await tell(tab, "ggp", "abort()", 100);
    assert.equal(page.workers().length, 1, "the clock alone");
    used.push((await page.metrics()).JSHeapUsedSize);
  }
  assert.ok(Math.max(...used.slice(10)) < 1.5 * Math.max(...used.slice(0, 5)) + 2e6, String(used));
  await Promise.all([page.close(), tab.close()]);
});

test("sheets that cannot be read or are very long get no illegal answer", { skip, timeout: 120_000 }, async () => {
  const page = await sit(browser, `${table.address}/players/ggp.html`);
  const tab = await sit(browser, `${table.address}/players/legal.html`);
  const sheets = [
    "ruleset(role(x),legal(A) :- evaluate(A,B))",
    "ruleset(role(y),action(go),legal(go),go :: over,terminal :- over)",
    "ruleset()",
    `ruleset(role(x),${Array.from({ length: 60_000 }, (_, index) => `p(a${index},b)`).join(",")},action(go),legal(go),go :: over,goal(x,100) :- over,terminal :- over)`,
    `ruleset(${"(".repeat(1 << 20)})`,
  ];
  for (const sheet of sheets) {
    const begun = await tell(tab, "ggp", `start(x,${sheet},3,3)`, 5000);
    assert.ok(begun === "ready" || begun === null, String(begun));
    const move = await tell(tab, "ggp", "play([])", 3000);
    assert.ok(move === null || (move === "go" && sheet.includes("p(a1,b)")), `${sheet.slice(0, 40)}: ${move}`);
  }
  assert.equal(await tell(tab, "ggp", "ping()"), "ready");
  assert.equal(await tell(tab, "ggp", `start(o,${RULES},3,3)`, 6000), "ready");
  assert.equal(await tell(tab, "ggp", "play([])", 500), null);
  assert.match(await tell(tab, "ggp", "play(mark(2,2))"), /^mark\(\d,\d\)$/);
  assert.deepEqual(page.problems, []);
  await Promise.all([page.close(), tab.close()]);
});

test("a page looks as it should in three windows", { skip, timeout: 120_000 }, async () => {
  const page = await sit(browser, `${table.address}/players/ggp.html`);
  const tab = await sit(browser, `${table.address}/players/legal.html`);
  await tell(tab, "ggp", `start(x,${RULES},3,3)`, 6000);
  await tell(tab, "ggp", "play([])");
  for (const { width, height, dark } of SHAPES) {
    await page.setViewport({ width, height });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
    assert.deepEqual(await flaws(page), []);
  }
  await Promise.all([page.close(), tab.close()]);
});

test("small files load the library from an address, packed or not, and say if it is missing", { skip, timeout: 120_000 }, async () => {
  table.added.set("/ggp.wasm", readFileSync(built));
  table.added.set("/ggp.wasm.gz", gzipSync(readFileSync(built), { level: 1 }));
  for (const url of ["/ggp.wasm", "/ggp.wasm.gz"]) {
    const small = join(table.folder, "small.html");
    make("--out", small, "--module", url);
    table.added.set("/players/small.html", readFileSync(small));
    const page = await sit(browser, `${table.address}/players/small.html?player=me`);
    await waitFor(page, "doing", "waiting for a match");
    assert.equal(await shown(page, "name"), "me");
    assert.deepEqual(page.problems, []);
    await page.close();
  }
  table.added.delete("/ggp.wasm.gz");
  const page = await sit(browser, `${table.address}/players/small.html`);
  await waitFor(page, "problem", "/ggp.wasm.gz cannot be loaded (404)");
  table.missed.length = 0;
  await page.close();
});

/** A page of the course's player on our script: its two lines are replaced. */
function ours(name) {
  const page = readFileSync(join(course, `players/${name}.html`), "utf8");
  return page.replace("/vendor/epilog.js", "/ggp-general.js").replace(/.*\/vendor\/general\.js.*\n/, "");
}

/** Pairs of the course's players. `maximax` is missing: it shows each of the half million states in the browser's console. */
const PAIRS = [["mcts", "pts"], ["minimaxid", "mcs"], ["greedy", "minimaxdepth"], ["minimax", "legal"], ["onestep", "twostep"], ["random", "legal"]];

for (const pair of process.env.GGP_THOROUGH ? PAIRS : PAIRS.slice(0, 2)) {
  test(`the course's own ${pair.join(" and ")} run with ggp-general.js`, { skip, timeout: 600_000 }, async () => {
    for (const name of pair) table.added.set(`/players/our_${name}.html`, ours(name));
    const seats = await Promise.all(pair.map((name) => sit(browser, `${table.address}/players/our_${name}.html`, name)));
    const { errors } = await play(browser, table.address, "tictactoe", pair, { start: 5, play: 4 });
    assert.deepEqual(errors, { x: 0, o: 0 });
    for (const seat of seats) assert.deepEqual(seat.problems, []);
    await Promise.all(seats.map((seat) => seat.close()));
  });
}

for (const step of ["1_legal", "2_random_games", "3_many_games", "4_search"]) {
  test(`examples/gamemaster/${step}.js plays`, { skip, timeout: 120_000 }, async () => {
    table.added.set(`/vendor/${step}.js`, readFileSync(`${root}examples/gamemaster/${step}.js`, "utf8"));
    table.added.set("/players/own.html", ours("legal").replace("/vendor/legal.js", `/vendor/${step}.js`));
    const own = await sit(browser, `${table.address}/players/own.html`, "own");
    const other = await sit(browser, `${table.address}/players/legal.html`, "legal");
    const { scores, errors } = await play(browser, table.address, "tictactoe", ["own", "legal"], { play: 3 });
    assert.equal(errors.x, 0);
    if (step !== "1_legal") assert.ok(scores[0] >= 50, String(scores));
    assert.deepEqual(own.problems, []);
    await Promise.all([own.close(), other.close()]);
  });
}

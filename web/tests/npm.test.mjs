// The npm package: what its page of the documentation shows runs, and prints what it says.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { root, unbuilt as skip } from "./browser.mjs";

let folder, load, GameError;
before(async () => {
  if (skip) return;
  execFileSync(`${root}web/npm/pack`);
  // What npm would publish, unpacked as npm does it.
  folder = mkdtempSync(join(tmpdir(), "ggp-npm-"));
  const [{ filename }] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", folder, `${root}target/npm`], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  const installed = join(folder, "node_modules/ggp");
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["xf", join(folder, filename), "--strip-components=1", "-C", installed]);
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  ({ load, GameError } = await import(join(installed, "index.js")));
});
after(() => folder && rmSync(folder, { recursive: true }));

test("the lines of the documentation run, and print what it says", { skip }, () => {
  const page = readFileSync(`${root}docs/javascript.md`, "utf8");
  const programs = [...page.matchAll(/```js\n(.*?)```.*?```text\n(.*?)```/gs)];
  assert.equal(programs.length, 2);
  for (const [, lines, printed] of programs) {
    writeFileSync(join(folder, "page.js"), lines);
    const { stdout, stderr } = spawnSync("node", ["page.js"], { cwd: folder, encoding: "utf8" });
    assert.equal(stderr, "");
    assert.equal(stdout, printed);
  }
});

test("a match goes forth and back", { skip }, async () => {
  const game = await load("three_puzzle");
  assert.deepEqual(game.roles, ["robot"]);
  const start = game.facts();
  assert.deepEqual(game.legal(), { robot: ["down", "right"] });
  assert.notDeepEqual(game.next("down"), start);
  assert.deepEqual(game.undo(), start);
  const { moves, exact } = game.search("bestplan");
  assert.equal(exact, true);
  for (const move of moves) game.next(move);
  assert.deepEqual([game.isTerminal, game.goal("robot"), game.goal()], [true, 100, { robot: 100 }]);
  assert.deepEqual(game.set(...start), start);
  assert.deepEqual(game.restart(), start);
  assert.equal(game.isTerminal, false);
});

test("questions have solutions, and atoms reasons", { skip }, async () => {
  const game = await load("tic_tac_toe");
  assert.deepEqual(game.query("true(control(P))"), [{ P: "xplayer" }]);
  assert.deepEqual([game.query("true(control(xplayer))"), game.query("true(control(oplayer))")], [[{}], []]);
  assert.equal(game.why("legal(xplayer,mark(1,1))").holds, true);
  assert.match(game.why("legal(oplayer,mark(1,1))").text, /fails/);
});

test("the same seed gives the same games, and two games are apart", { skip }, async () => {
  const [one, other] = await Promise.all([load("connect_four"), load("connect_four")]);
  assert.deepEqual(one.simulate(500, 3).roles, other.simulate(500, 3).roles);
  one.next("drop(4)");
  assert.equal(other.query("true(square(4,1,red))").length, 0);
});

test("wrong games, moves and lines are errors with what is wrong", { skip }, async () => {
  await assert.rejects(load("no_such_game"), GameError);
  await assert.rejects(load({ name: "mine.gdl", text: "role(a)\nlegal(a,b" }), ({ problems: [problem] }) => problem.line === 2 && problem.code === "E001");
  const own = await load({ name: "mine.gdl", text: readFileSync(`${root}gdl/nim.gdl`, "utf8") });
  assert.equal(own.roles.length, 2);
  assert.throws(() => own.next("fly"), /is not legal/);
  assert.throws(() => own.search("minimaxx"), /there is no command/);
});

test("lines of the prompt change neither the game nor its position", { skip }, async () => {
  const game = await load("tic_tac_toe");
  game.next("mark(2,2)");
  const [facts, legal] = [game.facts(), game.legal("oplayer")];
  assert.equal(game.run("load nim").kind, "loaded");
  for (const line of ["do mark(1,1)", "undo", "restart", "set control(oplayer)", "engine interpreter", "learn 1"]) game.run(line);
  game.run("rules add goal(xplayer,1) :- true(control(oplayer))");
  assert.throws(() => game.run("load no_such_game"), GameError);
  game.search("load nim");
  assert.equal(game.run("load nim", "roles").roles.length, 2);
  assert.equal(game.run("do mark(1,1)", "legal xplayer").roles[0].moves.length, 7);
  assert.equal(game.run("seed 7", "playout").text, game.run("seed 7", "playout").text);
  assert.throws(() => game.run("do mark(1,1)", "do mark(1,1)", "roles"), /is not legal/);
  assert.throws(() => game.run(), /no line/);
  assert.deepEqual([game.facts(), game.legal("oplayer"), game.roles], [facts, legal, ["xplayer", "oplayer"]]);
  assert.equal(game.search("minimax").utility, 50);
  assert.deepEqual(game.run("engine").engine, "auto");
  assert.notDeepEqual(game.undo(), facts);
});

/** The names that an interface declares in a file of types. */
function declared(file, name) {
  const [, body] = new RegExp(`interface ${name} \\{(.*?)\\n\\}`, "s").exec(readFileSync(`${root}web/npm/${file}`, "utf8"));
  return [...new Set([...body.matchAll(/^ {2}(?:readonly )?(\w+)[(:]/gm)].map(([, name]) => name))].sort();
}

test("the types name what there is", { skip }, async () => {
  const game = await load("nim");
  const own = [...Object.keys(game), ...Object.getOwnPropertyNames(Object.getPrototypeOf(game))].filter((name) => name !== "constructor");
  assert.deepEqual(declared("index.d.ts", "Game"), own.sort());
  const { course } = await import(join(folder, "node_modules/ggp/course.js"));
  assert.deepEqual(declared("course.d.ts", "Course"), Object.keys(await course()).sort());
});

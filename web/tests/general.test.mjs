// `ggp-general.js` without a browser: the course's functions give what Epilog gives, and the course's own strategies choose moves
// that they value as high as those that they choose with Epilog. Epilog and the sheets are test data, and may be missing.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import vm from "node:vm";
import { connect } from "../gamemaster/general.js";
import * as terms from "../gamemaster/terms.js";
import { Library } from "../static/library.js";
import { built } from "./browser.mjs";
import { games as all, course, missing as skip, sheetOf } from "./table.mjs";

const isThorough = Boolean(process.env.GGP_THOROUGH);
const SAMPLE = ["tictactoe", "connectfour", "kono", "hamilton", "buttonsandlights"];
const games = skip ? [] : isThorough ? all() : SAMPLE;
const script = (name) => readFileSync(join(course, `vendor/${name}.js`), "utf8");

let library;
before(async () => { if (!skip) library = await Library.of(await WebAssembly.compile(readFileSync(built))); });

/** A world with Epilog, or with our functions, and scripts of the course in it. */
async function world(isOurs, ...scripts) {
  // The runner tells of tests, and unused games are freed, where no test is at work.
  await new Promise((later) => setImmediate(later));
  const quiet = { log() {}, error() {} };
  const context = vm.createContext({ console: quiet, performance, indexing: false, dataindexing: false });
  if (isOurs) Object.assign(context, terms, connect(() => library));
  else vm.runInContext(script("epilog"), context);
  for (const name of scripts) vm.runInContext(script(name), context);
  if (!isOurs) vm.runInContext(script("general"), context);
  // Draws are those of a fixed sequence, so that both worlds draw alike.
  vm.runInContext("var drawn = 7; Math.random = () => { drawn = (drawn * 48271) % 2147483647; return drawn / 2147483647; }", context);
  return { run: (code) => vm.runInContext(code, context), set: (name, value) => { context[name] = value; } };
}

const load = ({ run, set }, game) => {
  set("sheet", sheetOf(game));
  run("var library = definemorerules([], readdata(sheet)); var state = findinits(library);");
};

const sorted = (world, code) => JSON.parse(world.run(`JSON.stringify([...new Set(Array.from(${code}, (term) => grind(term)))].sort())`));

/** The states of a game: all plies of a random match, as lists of facts and as moves. */
for (const game of games) {
  test(`the functions answer as Epilog does in ${game}`, { skip, timeout: 600_000 }, async () => {
    const [theirs, ours] = [await world(false), await world(true)];
    for (const world of [theirs, ours]) load(world, game);
    assert.deepEqual(sorted(ours, "findroles(library)"), sorted(theirs, "findroles(library)"));
    assert.deepEqual(ours.run("findroles(library)"), JSON.parse(theirs.run("JSON.stringify(findroles(library))")));
    for (const name of ["findbases", "findactions"]) assert.deepEqual(sorted(ours, `${name}(library)`), sorted(theirs, `${name}(library)`), name);
    let seed = 1;
    for (let ply = 0; ply < (isThorough ? 60 : 12); ply += 1) {
      const at = `${game}, ply ${ply}`;
      assert.deepEqual(sorted(ours, "state"), sorted(theirs, "state"), at);
      const isOver = theirs.run("findterminalp(state, library)");
      assert.equal(ours.run("findterminalp(state, library)"), isOver, at);
      assert.equal(ours.run("findcontrol(state, library)"), theirs.run("findcontrol(state, library)"), at);
      for (const role of theirs.run("findroles(library)")) {
        assert.equal(Number(ours.run(`findreward("${role}", state, library)`)), Number(theirs.run(`findreward("${role}", state, library)`)), `${at}: ${role}`);
      }
      if (isOver) break;
      const legal = sorted(theirs, "findlegals(state, library)");
      assert.deepEqual(sorted(ours, "findlegals(state, library)"), legal, at);
      seed = (seed * 48271) % 2147483647;
      const move = legal[seed % legal.length];
      for (const { run } of [theirs, ours]) {
        assert.equal(run(`findlegalp(read("${move}"), state, library)`), true);
        run(`var next = simulate(read("${move}"), state, library); var copy = state; compexecute(read("${move}"), state, library);`);
      }
      assert.deepEqual(sorted(ours, "next"), sorted(ours, "state"), at);
    }
  });
}

/** The value that a strategy gives a move: how it compares moves, asked of the course's own script with Epilog. */
const STRATEGIES = {
  legal: { value: null },
  onestep: { value: "Number(findreward(role, after, library))" },
  twostep: { value: "minimaxdepth(role, after, depth)" },
  // The course's script makes the first move of a shuffled list unless one wins.
  maximax: { value: "maximax(after)[role] === 100", small: true },
  minimax: { value: "minimax(role, after)", small: true },
  minimaxdepth: { value: "minimaxdepth(role, after, depth)" },
};
/** Games whose whole tree Epilog can visit, from the state after some plies. */
const PLIES = { tictactoe: 4 };

for (const [name, { value, small }] of Object.entries(STRATEGIES)) {
  for (const game of small ? Object.keys(PLIES) : games) {
    test(`${name} chooses as high a value in ${game} as with Epilog`, { skip, timeout: 600_000 }, async () => {
      const [theirs, ours] = [await world(false, name), await world(true, name)];
      for (const one of [theirs, ours]) {
        one.set("sheet", sheetOf(game));
        const role = one.run("findroles(definemorerules([], readdata(sheet)))[0]");
        one.run(`start("${role}", ["ruleset", ...readdata(sheet)], "10", "10")`);
      }
      for (let ply = 0; ply < (PLIES[game] ?? 0) && small; ply += 1) {
        const legal = sorted(theirs, "findlegals(state, library)");
        const move = legal[(7 * ply) % legal.length];
        for (const { run } of [theirs, ours]) run(`compexecute(read("${move}"), state, library)`);
      }
      assert.equal(theirs.run("findterminalp(state, library)"), false);
      for (const { run } of [theirs, ours]) run("role = findcontrol(state, library)");
      const [their, our] = [theirs, ours].map(({ run }) => run("grind(play(nil))"));
      assert.ok(sorted(theirs, "findlegals(state, library)").includes(our), `${our} is legal`);
      if (!value) return;
      const worth = (move) => theirs.run(`var after = simulate(read("${move}"), state, library); ${value}`);
      assert.equal(worth(our), worth(their), `${our} and ${their}`);
    });
  }
}

/** Strategies with a clock or with lots, at a fixed number of nodes; what they find then does not depend on the order of lists. */
const COUNTED = {
  minimaxid: "var after = simulate(findlegals(state, library).map(grind).sort().map(read)[0], state, library); minimaxid(role, after, 2, Infinity)",
  // Every child of the root once.
  pts: "process(tree, 1 + findlegals(state, library).length); JSON.stringify([tree.utility, tree.children.map((node) => node.utility).sort()])",
  mcts: "process(tree, 1 + findlegals(state, library).length); JSON.stringify([tree.utility, tree.children.map((node) => node.utility).sort()])",
  greedy: "process(tree, 1); JSON.stringify([tree.utility, tree.children.map((node) => node.utility).sort()])",
};

for (const [name, code] of Object.entries(COUNTED)) {
  for (const game of games) {
    test(`${name} finds in ${game} at a fixed number of nodes what it finds with Epilog`, { skip, timeout: 600_000 }, async () => {
      const found = [];
      for (const isOurs of [false, true]) {
        const one = await world(isOurs, name);
        one.set("sheet", sheetOf(game));
        one.run("var role, library, state, roles, startclock, playclock;");
        one.run('start(findcontrol(findinits(definemorerules([], readdata(sheet))), definemorerules([], readdata(sheet))), ["ruleset", ...readdata(sheet)], "10", "10")');
        found.push(one.run(code));
      }
      assert.equal(found[1], found[0]);
    });
  }
}

test("random games of the course's strategies have the same means", { skip, timeout: 600_000 }, async () => {
  const means = [];
  for (const [isOurs, count] of [[false, 200], [true, 5000]]) {
    const one = await world(isOurs, "mcs");
    one.set("sheet", sheetOf("tictactoe"));
    one.run('start("x", ["ruleset", ...readdata(sheet)], "10", "10")');
    means.push(one.run(`var sum = 0; for (var i = 0; i < ${count}; i++) sum += depthcharge(state); sum / ${count}`));
  }
  // The standard deviation of a reward is at most 50, that of a mean of 200 at most 3.6.
  assert.ok(Math.abs(means[0] - means[1]) < 18 && means[1] > 60 && means[1] < 75, String(means));
});

test("states read as lists of facts, and lists of facts are states", { skip }, async () => {
  const ours = await world(true);
  load(ours, "tictactoe");
  const check = (code) => assert.equal(ours.run(code), true, code);
  check("state.length === 10 && grind(state[0]) === 'cell(1,1,b)'");
  check("state.map(grind).length === 10 && [...state].length === 10 && [].concat(state).length === 10");
  check("find(read('control(x)'), state) && !find(read('control(o)'), state)");
  check("equalp(state, findinits(library)) && !equalp(state, simulate(read('mark(1,1)'), state, library))");
  check("JSON.parse(JSON.stringify(state)).length === 10");
  check("findlegals(state.slice(), library).length === 9 && findcontrol(state.slice(), library) === 'x'");
  check("var list = state.slice(); compexecute(read('mark(1,1)'), list, library); find(read('cell(1,1,x)'), list) && list.length === 10");
  check("var kept = state; kept.visits = 3; kept.visits === 3");
  check("compfinds('M', read('cell(M,1,b)'), state, library).length === 3");
  check("compfindp(read('control(x)'), state, library) && compfindx('R', read('role(R)'), seq(), library) === 'o'");
  check("equalp(compfindx(read('pair(M,N)'), read('cell(M,N,b)'), state, library), read('pair(1,1)'))");
  assert.throws(() => ours.run("state[0] = read('cell(1,1,x)')"), /state\.slice/);
  assert.throws(() => ours.run("state.push(read('cell(1,1,x)'))"), /state\.slice/);
  assert.throws(() => ours.run("simulate(read('mark(9,9)'), state, library)"), /no action|not legal/);
  assert.throws(() => ours.run("findroles(definemorerules([], readdata('role(x) legal(A) :- evaluate(A,B)')))"), /\[E\d+\]/);
  check("findlegals(state, library).length === 9");
});

test("searches and many random games begin in any state", { skip }, async () => {
  const ours = await world(true);
  load(ours, "tictactoe");
  const { playouts, means } = ours.run("simulate_many(state, 5000)");
  assert.ok(playouts >= 5000 && means.x > 55 && means.x < 80 && Math.abs(means.x + means.o - 100) < 0.01, JSON.stringify(means));
  for (const move of ["mark(1,1)", "mark(2,2)", "mark(3,3)"]) ours.run(`state = simulate(read("${move}"), state, library)`);
  const solved = ours.run("solve(state)");
  assert.deepEqual([solved.exact, solved.value], [true, 50]);
  assert.match(terms.grind(solved.move), /^mark\((1,2|2,1|2,3|3,2)\)$/, "in a corner it loses");
  assert.equal(ours.run("search(state, 'alphabeta:depth=9').value"), 50);
  assert.equal(ours.run("search(state, 'mcts', { seconds: 0.2 }).move.length"), 3);
  assert.equal(ours.run("search(state, 'minimax', { role: 'x' }).value"), 50);
  assert.throws(() => ours.run("search(state, 'minmax')"), /minimax/);
});

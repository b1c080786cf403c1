// The seat of a page of `ggp gamemaster` without a browser: whole matches against random moves in which Epilog manages, as the
// course's pages do. Epilog and the sheets are test data, and may be missing.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import vm from "node:vm";
import { Library } from "../static/library.js";
import { built } from "./browser.mjs";
import { games as all, course, missing as skip, sheetOf } from "./table.mjs";

const isThorough = Boolean(process.env.GGP_THOROUGH);
const SAMPLE = ["tictactoe", "hamilton", "buttonsandlights", "knights"];
const games = skip ? [] : isThorough ? all() : SAMPLE;
/** The seconds for the start and for a move. */
const [START, PLAY] = [3, 0.15];

let module;
before(async () => { if (!skip) module = await WebAssembly.compile(readFileSync(built)); });

/** A manager: Epilog with the course's functions. */
function manager(game) {
  const context = vm.createContext({ console: { log() {} }, sheet: sheetOf(game) });
  for (const name of ["epilog", "general"]) vm.runInContext(readFileSync(join(course, `vendor/${name}.js`), "utf8"), context);
  const run = (code) => vm.runInContext(code, context);
  run("var rules = readdata(sheet), library = definemorerules([], rules), state = findinits(library), move = nil;");
  return run;
}

for (const game of games) {
  test(`${game}: each seat plays to the end`, { skip, timeout: 900_000 }, async (context) => {
    const roles = JSON.parse(manager(game)("JSON.stringify(findroles(library))"));
    for (const role of roles) {
      const run = manager(game);
      const library = await Library.of(module);
      const ask = (request) => JSON.parse(library.ask("seat", request));
      const began = performance.now();
      const begun = ask({ start: { message: run(`grind(seq("start", "${role}", seq("ruleset").concat(rules), "10", "10"))`), player: "auto", seed: 1, seconds: START } });
      const seconds = (performance.now() - began) / 1000;
      assert.equal(begun.answer?.role, role, begun.error);
      assert.equal(begun.answer.fault, null);
      let [ply, seed, latest] = [0, 7, 0];
      for (; !run("findterminalp(state, library)"); ply += 1) {
        const { answer: turn, error } = ask({ play: { message: run('grind(seq("play", move))') } });
        assert.equal(error, undefined, `ply ${ply}`);
        const control = run("findcontrol(state, library)");
        assert.deepEqual([turn.control, turn.is_own], [control, control === role], `ply ${ply}`);
        let move;
        if (turn.is_own) {
          const asked = performance.now();
          const { answer: choice, error } = ask({ choose: { seconds: PLAY } });
          latest = Math.max(latest, (performance.now() - asked) / 1000);
          assert.equal(error, undefined, `ply ${ply}`);
          move = choice.move;
        } else {
          const legal = JSON.parse(run("JSON.stringify(findlegals(state, library).map(grind))"));
          seed = (seed * 48271) % 2147483647;
          move = legal[seed % legal.length];
        }
        assert.equal(run(`move = read(${JSON.stringify(move)}); findlegalp(move, state, library)`), true, `ply ${ply}: ${move}`);
        run("state = simulate(move, state, library)");
      }
      const { answer: over, error } = ask({ stop: { message: run('grind(seq("stop", move))') } });
      assert.equal(error, undefined);
      const rewards = JSON.parse(run("JSON.stringify(findroles(library).map((role) => Number(findreward(role, state, library))))"));
      assert.deepEqual(over.utilities, rewards);
      context.diagnostic(`${role}: ${rewards.join(" ")} after ${ply} moves; ${begun.answer.engine}, ready in ${seconds.toFixed(1)} s, a move in ${latest.toFixed(2)} s at most`);
    }
  });
}

// How fast the own strategies of Stanford's course are in a tab of the browser, on Epilog and on `ggp-general.js`, by turns:
// the nodes a second of `minimaxid` in the initial state, random games of `mcts` from it, and those of `simulate_many`. A
// measurement, not a test: `GGP=target/release/ggp node course_speed.mjs [GAME…]`; SECONDS is the time for each figure.

import { launch } from "./browser.mjs";
import { lay, sheetOf, sit } from "./table.mjs";

const SECONDS = Number(process.env.SECONDS ?? 4);
const named = process.argv.slice(2);
const games = named.length ? named : ["connectfour", "breakthrough", "knights", "nineboardtictactoe"];

const page = (strategy, ...scripts) => `<!doctype html><body>${[...scripts, `/vendor/${strategy}.js`].map((script) => `<script src="${script}"></script>`).join("")}`;
const SCRIPTS = { epilog: ["/vendor/epilog.js", "/vendor/general.js"], ggp: ["/ggp-general.js"] };

/** Starts the strategy of a page on a game, and counts what `step` does until the time is over. */
const counted = (tab, sheet, step) => tab.evaluate(async (sheet, step, seconds) => {
  globalThis.indexing = globalThis.dataindexing = false;
  await globalThis.ggp_ready;
  const first = findroles(definemorerules([], readdata(sheet)))[0];
  start(first, ["ruleset", ...readdata(sheet)], "10", "10");
  role = findcontrol(state, library);
  findlegals(state, library);
  const work = new Function("deadline", "depth", `return ${step}`);
  const began = performance.now();
  const deadline = Date.now() + 1000 * seconds;
  let sum = 0;
  for (let depth = 1; Date.now() < deadline; depth += 1) sum += work(deadline, depth);
  return (1000 * sum) / (performance.now() - began);
}, sheet, step, SECONDS);

const table = await lay();
const browser = await launch();
for (const strategy of ["minimaxid", "mcts"]) for (const [name, scripts] of Object.entries(SCRIPTS)) table.added.set(`/${strategy}-${name}.html`, page(strategy, ...scripts));
try {
  for (const game of games) {
    const rates = {};
    for (const name of Object.keys(SCRIPTS)) {
      for (const [strategy, figure, step] of [
        ["minimaxid", "nodes", "(simpleminimaxid(role, state, depth, deadline), nodes)"],
        ["mcts", "games", "(depthcharge(state), 1)"],
        ["mcts", "lanes", "simulate_many(state, 1024).playouts"],
      ]) {
        if (figure === "lanes" && name === "epilog") continue;
        const tab = await sit(browser, `${table.address}/${strategy}-${name}.html`);
        rates[`${figure} ${name}`] = await counted(tab, sheetOf(game), step);
        await tab.close();
      }
    }
    const figures = Object.entries(rates).map(([name, rate]) => `${name} ${Math.round(rate).toLocaleString("en")}`);
    const ratio = (figure) => Math.round(rates[`${figure} ggp`] / rates[`${figure} epilog`]);
    console.log(`${game}: ${figures.join(", ")}; a second; ratios ${ratio("nodes")} and ${ratio("games")}`);
  }
} finally {
  await browser.close();
  await table.end();
}

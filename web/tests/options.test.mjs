// Options of searches as controls, made of the tables of the commands.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SHAPES, begin, drawn, end, flaws, option, picture, show, text, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

const withPage = (hash, use, options) => visit(browser, `${server.address}${hash}`, use, options);
const line = (page, within) => page.$eval(`${within} ggp-options`, (options) => options.line);

test("options are numbers, choices and checks, and sheets are those of the game", () => withPage("#game=connect_four&pane=analyse", async (page) => {
  await page.select("#search", "alphabeta");
  await option(page, "ggp-analysis", "--depth", "4");
  await option(page, "ggp-analysis", "--table", true);
  const sheets = await page.$$eval('ggp-analysis [data-option="--eval"] option', (all) => all.map((one) => one.textContent));
  assert.deepEqual(sheets, ["no", "connect_four_weights"]);
  await option(page, "ggp-analysis", "--eval", "--eval connect_four_weights");
  assert.equal(await line(page, "ggp-analysis"), "alphabeta --table --eval connect_four_weights --depth 4");
  assert.equal(await text(page, "ggp-analysis summary"), "Options: table, eval connect_four_weights, depth 4");
  await page.click("#analyse");
  await page.waitForFunction(() => document.querySelector("#analyse").textContent === "Start" && /drop/.test(document.querySelector(".found").textContent));
}));

test("what a search has by itself stands in its controls", () => withPage("#game=eight_puzzle&pane=analyse", async (page) => {
  await page.select("#search", "astar --heuristic hadd");
  await page.$eval("ggp-analysis ggp-options details", (details) => { details.open = true; });
  const field = await page.waitForSelector('ggp-analysis [data-option="--heuristic"]');
  assert.equal(await field.evaluate(({ value }) => value), "--heuristic hadd");
  const sheets = await field.evaluate(({ options }) => [...options].map(({ textContent }) => textContent));
  assert.deepEqual(sheets.slice(1), ["eight_puzzle_manhattan", "eight_puzzle_misplaced", "hmax", "hadd", "hff"]);
}));

test("a seat and a tournament have any search with its controls", () => withPage("#game=tic_tac_toe", async (page) => {
  const seat = "ggp-seats .bar:nth-of-type(2)";
  await page.select(`${seat} select`, "another search …");
  await page.waitForFunction((seat) => document.querySelectorAll(`${seat} ggp-player option`).length > 10, {}, seat);
  await page.select(`${seat} ggp-player select`, "alphabeta");
  await option(page, seat, "--depth", "2");
  await drawn(page);
  await page.click('[data-place="0,1,1"]');
  await page.waitForFunction(() => document.querySelector(".turn").dataset.ply === "2");
  await show(page, "tournament");
  await page.waitForFunction(() => document.querySelectorAll("ggp-tournament .player:last-child option").length > 10);
  await page.select("ggp-tournament .player:last-child select", "minimax");
  assert.deepEqual(await page.$$eval("ggp-tournament ggp-player", (all) => all.map((player) => player.line)), ["mcts --visits 200", "minimax"]);
}));

for (const shape of SHAPES) {
  test(`controls have no flaws at ${shape.width} by ${shape.height}${shape.dark ? ", dark" : ""}`, () => withPage("#game=connect_four&pane=analyse", async (page) => {
    await page.select("#search", "alphabeta");
    await option(page, "ggp-analysis", "--depth", "4");
    assert.deepEqual(await flaws(page), []);
    await picture(page, `options-${shape.width}${shape.dark ? "-dark" : ""}`);
  }, shape));
}

test("the options are said in plain words: no flags of the prompt, and no signs of its manual", () => visit(browser, `${server.address}#game=connect_four&pane=analyse`, async (page) => {
  await page.waitForSelector("#search");
  for (const line of await page.$$eval("#search option", (all) => all.map(({ value }) => value))) {
    await page.select("#search", line);
    await page.$eval("ggp-analysis ggp-options details", (details) => { details.open = true; });
    await page.waitForFunction(() => document.querySelectorAll("ggp-analysis .control").length > 2);
    const said = await page.$$eval("ggp-analysis .control", (all) => all.map(({ textContent }) => textContent));
    for (const words of said) {
      assert.doesNotMatch(words, /`|--[a-z]/, `${line}: ${words}`);
      assert.match(words, /^[A-Z]/);
      assert.doesNotMatch(words, /replace files/i);
    }
  }
  await page.click(".menu summary");
  assert.doesNotMatch(await page.$eval("header", ({ textContent }) => textContent), /Keep/);
}));

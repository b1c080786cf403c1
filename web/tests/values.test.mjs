// Values that do not mislead: what is proven and what is estimated, for whom, and in which order.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, click, end, flaws, option, picture, text, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

const withPage = (hash, use, options) => visit(browser, `${server.address}#game=${hash}`, use, options);
const stopped = (page) => page.waitForFunction(() => document.querySelector("#analyse").textContent === "Start" && document.querySelector(".candidate:not([hidden])"), { timeout: 60_000 });

/** Judges the match that is shown. */
async function judge(page, seconds) {
  await page.waitForSelector("ggp-values form button");
  await page.$eval("ggp-values .seconds", (field, seconds) => { field.value = seconds; }, seconds);
  await page.click("ggp-values form button");
  await page.waitForFunction(() => document.querySelector("ggp-values form button").textContent === "Judge the match" && document.querySelector("ggp-values svg"), { timeout: 60_000 });
}

test("a match that a search solves has proven values", () => withPage("nim&moves=take(1,2) noop;noop take(1,1);take(2,1) noop&pane=analyse", async (page) => {
  await judge(page, "1");
  // The first move wins, and the third gives the win away or keeps it: all values are utilities of the game.
  const said = await page.$eval("ggp-values svg", (chart) => chart.getAttribute("aria-label"));
  assert.match(said, /^The value for first by ply: 0: 100, 1: 100, 2: 100, 3: (0|100)$/);
  assert.equal((await page.$$("ggp-values circle.estimate")).length, 0);
  assert.match(await text(page, "ggp-values .chart"), /All of these values are proven/);
}));

test("values that no search proves are drawn as estimates", () => withPage("connect_four&moves=drop(4) noop;noop drop(4)&pane=analyse", async (page) => {
  await judge(page, "1");
  assert.equal((await page.$$("ggp-values circle.estimate")).length, 3);
  assert.match(await page.$eval("ggp-values svg", (chart) => chart.getAttribute("aria-label")), /0: about \d+, 1: about \d+/);
  assert.deepEqual(await flaws(page), []);
  await picture(page, "estimates");
}));

test("the bar has one side for each role, whoever moves", () => withPage("nim&moves=take(1,2) noop&pane=analyse", async (page) => {
  const side = async () => {
    await page.click("#analyse");
    await stopped(page);
    return [await page.$$eval(".evaluation > span", (all) => all.map(({ textContent }) => textContent)), await page.$eval(".share-of-first span", ({ style }) => style.width)];
  };
  // The first role wins after its move, though the other is to move.
  assert.deepEqual(await side(), [["first", "", "0 second"], "100%"]);
  await click(page, '[title="One ply back"]');
  assert.deepEqual(await side(), [["first 100", "", "second"], "100%"]);
}));

test("the lines of an analysis are in the order of their values", () => withPage("breakthrough_6x6&pane=analyse", async (page) => {
  await option(page, "ggp-analysis", "--algorithm", "--algorithm mcts");
  await option(page, "ggp-analysis", "--seconds", "1");
  await page.click("#analyse");
  await stopped(page);
  const values = await page.$$eval(".candidate:not([hidden]) .value", (all) => all.map(({ textContent }) => Number(textContent.replace("≈", ""))));
  assert.ok(values.length > 1);
  assert.deepEqual(values, [...values].sort((one, other) => other - one));
}));

test("an interval of utilities stays within them", () => withPage("nim&moves=take(1,2) noop;noop take(1,1);take(2,1) noop&pane=simulation", async (page) => {
  await page.waitForSelector("#playouts");
  await page.$eval("#playouts", (field) => { field.value = "3"; });
  await page.click("#simulate");
  await page.waitForFunction(() => document.querySelector("#simulate").textContent === "Simulate" && document.querySelector(".histogram"));
  for (const words of await page.$$eval(".histogram caption", (all) => all.map(({ textContent }) => textContent))) {
    const [, low, high] = /^Utility.* 95% from ([-\d.]+) to ([\d.]+)/.exec(words) ?? [];
    if (low !== undefined) assert.ok(Number(low) >= 0 && Number(high) <= 100, words);
  }
  assert.match(await text(page, ".histogram caption"), /Utility of first: mean/);
}));

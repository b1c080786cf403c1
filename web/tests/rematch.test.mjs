// A match that begins and ends: who plays what, how it ends, another one, and the matches before.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { begin, click, corpus, drawn, end, flaws, hasWorker, openSheet, picture, ply, SHAPES, text, turn, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

const withPage = (hash, use, options) => visit(browser, `${server.address}#game=${hash}`, use, options);
const atPly = (page, ply) => page.waitForFunction((ply) => document.querySelector(".turn").dataset.ply === String(ply), {}, ply);
const seats = (page) => page.$$eval("ggp-seats .bar > label:first-child select", (all) => all.map(({ value }) => value));
const seat = async (page, number, name) => {
  await page.select(`ggp-seats .bar:nth-of-type(${number}) select`, name);
  await drawn(page);
};
/** A match in which red has four in the first column. */
const FOUR = "connect_four&moves=drop(1) noop;noop drop(2);drop(1) noop;noop drop(2);drop(1) noop;noop drop(2)";

test("at the end the board says who has won and how, marks the four, and another match begins", () => withPage(FOUR, async (page) => {
  assert.equal(await page.$eval("ggp-ending", ({ hidden }) => hidden), true);
  await click(page, '[data-place="0,2,0"]');
  await page.waitForFunction(() => document.querySelector(".reasons").textContent !== "");
  assert.match(await text(page, "ggp-ending"), /^red won, 100 to 0\. The match ends because line\(red\)/);
  await page.waitForSelector(".reason");
  assert.deepEqual(await page.$$eval(".reason", (all) => all.map(({ dataset }) => dataset.place)), ["0,2,0", "0,3,0", "0,4,0", "0,5,0"]);
  await click(page, "ggp-ending [data-do=newmatch]");
  assert.deepEqual([await ply(page), await turn(page)], [0, "red to move"]);
  assert.equal(await page.$eval("ggp-ending", ({ hidden }) => hidden), true);
  assert.doesNotMatch(await text(page, ".tree"), /drop/, "the old match is not a line of the new one");
}));

test("a person is told of a win and of a loss, and swaps the sides for a rematch", () => withPage(FOUR, async (page) => {
  await seat(page, 2, "random moves");
  await click(page, '[data-place="0,2,0"]');
  assert.match(await text(page, "ggp-ending strong"), /^You win, 100 to 0\.$/);
  await page.click("ggp-ending [data-do=swapsides]");
  await atPly(page, 1);
  await drawn(page);
  assert.deepEqual([await seats(page), await turn(page)], [["random moves", "you"], "yellow to move"]);
  await page.evaluate(() => { location.hash = "#game=connect_four&moves=drop(1) noop;noop drop(2);drop(1) noop;noop drop(2);drop(1) noop;noop drop(2);drop(1) noop"; });
  await atPly(page, 7);
  await drawn(page);
  assert.match(await text(page, "ggp-ending strong"), /^You lose: red won, 100 to 0\.$/);
}));

test("sides are swapped in the middle of a match, and the computer goes on", () => withPage("breakthrough_6x6", async (page) => {
  await seat(page, 2, "beginner");
  await page.click("#swapsides");
  await atPly(page, 1);
  await drawn(page);
  assert.deepEqual(await seats(page), ["beginner", "you"]);
}));

test("take back goes to the last choice of the person who plays", () => withPage("connect_four", async (page) => {
  await seat(page, 2, "random moves");
  await click(page, '[data-place="0,5,3"]');
  await atPly(page, 2);
  await click(page, '[data-place="0,5,5"]');
  await atPly(page, 4);
  await click(page, "#takeback");
  assert.deepEqual([await ply(page), await turn(page)], [2, "red to move"]);
  await click(page, "#takeback");
  assert.equal(await ply(page), 0);
}));

test("a variation is made the main line, and moves are deleted for good", () => withPage("nim", async (page) => {
  const moves = () => page.$$eval(".moves [data-move]", (all) => all.map(({ dataset }) => dataset.move));
  const play = async (move) => {
    await page.$eval(".legal", (details) => { details.open = true; });
    await click(page, `.moves [data-move="${move}"]`);
  };
  const [first, second, third] = await moves();
  await play(first);
  await click(page, '[title="One ply back"]');
  await play(second);
  assert.equal(await page.$eval("#promote", ({ hidden }) => hidden), false);
  assert.match(await text(page, ".variation"), new RegExp(second.replace(/[()]/g, "\\$&")));
  await click(page, "#promote");
  assert.match(await text(page, ".variation"), new RegExp(first.replace(/[()]/g, "\\$&")), "the first is the variation now");
  assert.equal(await page.$eval("#promote", ({ hidden }) => hidden), true);
  await click(page, "#delete");
  assert.equal(await ply(page), 0);
  await play(third);
  await page.reload();
  await drawn(page);
  assert.doesNotMatch(await text(page, ".tree"), new RegExp(second.replace(/[()]/g, "\\$&")));
  assert.match(await text(page, ".tree"), new RegExp(first.replace(/[()]/g, "\\$&")));
}));

test("earlier matches are in a list, and go on where they were", () => withPage("breakthrough_6x6", async (page) => {
  assert.equal(await page.$eval(".matches", ({ hidden }) => hidden), true);
  for (const [from, to] of [["0,4,2", "0,3,2"], ["0,1,1", "0,2,1"]]) {
    await click(page, `[data-place="${from}"]`);
    await click(page, `[data-place="${to}"]`);
  }
  const first = await text(page, ".tree");
  await click(page, "#restart");
  assert.match(await text(page, ".matches summary"), /Earlier matches \(1\)/);
  await click(page, '[data-place="0,4,5"]');
  await click(page, '[data-place="0,3,5"]');
  await page.click(".matches summary");
  await click(page, ".matches li button");
  assert.deepEqual([await text(page, ".tree"), await ply(page)], [first, 2]);
  await page.reload();
  await drawn(page);
  assert.deepEqual([await text(page, ".tree"), await ply(page)], [first, 2]);
  assert.match(await text(page, ".matches summary"), /\(1\)/, "the other match, and not this one");
}));

test("a puzzle says that it is solved, and one that was not says what it is worth", async () => {
  await withPage("three_puzzle", async (page) => {
    for (let made = 0; made < 40 && !(await page.$eval(".turn", (turn) => turn.classList.contains("over"))); made += 1) {
      const open = await page.$$(".square.open");
      await open[made % open.length].click();
      await drawn(page);
    }
    assert.match(await text(page, "ggp-ending strong"), /^(Solved\.|The end: \d+ of 100\.)$/);
    assert.equal(await page.$("ggp-ending [data-do=swapsides]"), null);
  });
});

test("judge leads from the end to the values of the match", () => withPage(`${FOUR};drop(1) noop`, async (page) => {
  await page.click("ggp-ending [data-do=judge]");
  await page.waitForFunction(() => document.querySelectorAll("ggp-values circle").length > 1, { timeout: 60_000 });
  assert.equal(await page.$eval("#panel-analyse", ({ hidden }) => hidden), false);
}));

const chess = join(corpus, "chess.kif");
test("a match of chess ends with its reason", { skip: !existsSync(chess) }, () => withPage("chess", async (page) => {
  for (const [from, to] of [["0,6,5", "0,5,5"], ["0,1,4", "0,3,4"], ["0,6,6", "0,4,6"], ["0,0,3", "0,4,7"]]) {
    await click(page, `[data-place="${from}"]`);
    await click(page, `[data-place="${to}"]`);
  }
  await page.waitForSelector("ggp-ending:not([hidden]) strong");
  await page.waitForFunction(() => document.querySelector(".reasons").textContent !== "", { timeout: 60_000 });
  assert.match(await text(page, "ggp-ending"), /^black won, 100 to 0\. The match ends because/);
}));

for (const shape of SHAPES) {
  test(`the end looks right, ${shape.width} pixels wide${shape.dark ? " and dark" : ""}`, () => withPage(`${FOUR};drop(1) noop`, async (page) => {
    await page.waitForSelector(".reason");
    assert.deepEqual(await flaws(page), []);
    await picture(page, `ending-${shape.width}${shape.dark ? "-dark" : ""}`);
  }, shape));
}

test("a match has a clock, and is lost on time", () => withPage("breakthrough_6x6", async (page) => {
  const clocks = () => text(page, ".clocks");
  assert.equal(await page.$eval(".clocks", ({ hidden }) => hidden), true);
  await page.select("#clock", "60");
  await drawn(page);
  assert.equal(await clocks(), "white 1:00black 1:00");
  await new Promise((later) => setTimeout(later, 1_200));
  assert.equal(await clocks(), "white 1:00black 1:00", "nothing runs before the first move");
  await click(page, '[data-place="0,4,2"]');
  await click(page, '[data-place="0,3,2"]');
  await page.waitForFunction(() => /^white 1:00black 0:5\d$/.test(document.querySelector(".clocks").textContent));
  // Looking back does not stop the clock.
  await click(page, '[title="One ply back"]');
  const before = await clocks();
  await page.waitForFunction((before) => document.querySelector(".clocks").textContent !== before, {}, before);
  await click(page, '[title="One ply forth"]');
  // A page that is open for a minute would take too long here: the time of black is taken away.
  await page.evaluate(async () => { (await import("./page.js")).store.state.match.left.black = 0.3; });
  await page.waitForSelector("ggp-ending:not([hidden])");
  assert.equal(await text(page, "ggp-ending strong"), "black loses on time.");
  await click(page, '[data-place="0,1,2"]');
  await click(page, '[data-place="0,2,2"]');
  assert.equal(await ply(page), 1);
  assert.match(await text(page, "#status"), /over on time/);
  await click(page, "ggp-ending [data-do=unclocked]");
  await click(page, '[data-place="0,1,2"]');
  await click(page, '[data-place="0,2,2"]');
  assert.equal(await ply(page), 2);
  assert.equal(await page.$eval(".clocks", ({ hidden }) => hidden), true);
}));

test("a match ends and begins again by taps on a phone", () => withPage(FOUR, async (page) => {
  const tap = async (selector) => {
    await page.$eval(selector, (one) => one.scrollIntoView({ block: "nearest" }));
    const { left, top, width, height } = await page.$eval(selector, (one) => one.getBoundingClientRect().toJSON());
    assert.ok(left >= 0 && left + width <= 390 && top >= 0 && top + height <= 844, `${selector} is on the screen`);
    await page.touchscreen.tap(left + width / 2, top + height / 2);
    await drawn(page);
  };
  await tap('[data-place="0,0,0"]');
  assert.match(await text(page, "ggp-ending strong"), /^red won/);
  await tap("ggp-ending [data-do=newmatch]");
  assert.equal(await ply(page), 0);
  await tap('[data-place="0,3,4"]');
  assert.equal(await ply(page), 1);
}, { width: 390, height: 844 }));

test("a match ends and begins again by the keyboard", () => withPage(FOUR, async (page) => {
  const tabTo = async (selector) => {
    for (let presses = 0; presses < 80; presses += 1) {
      if (await page.evaluate((selector) => document.activeElement.matches(selector), selector)) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`Tab does not reach ${selector}`);
  };
  await tabTo(".square");
  for (let steps = 0; steps < 8; steps += 1) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await drawn(page);
  assert.match(await text(page, "ggp-ending strong"), /^red won/);
  await tabTo("ggp-ending [data-do=newmatch]");
  await page.keyboard.press("Enter");
  await drawn(page);
  assert.equal(await ply(page), 0);
  await tabTo(".square");
  await page.keyboard.press("Enter");
  await drawn(page);
  assert.equal(await ply(page), 1);
}));

const slow = join(corpus, "alexChess.kif");
test("the computer replies before the network of a large sheet is ready", { skip: !existsSync(slow) }, () => withPage("nim", async (page) => {
  await openSheet(page, slow);
  // Not by `seat`, which waits until nothing is asked: in a worker the network is one long question.
  await page.select('ggp-seats [data-role="black"] select', "Monte Carlo tree search");
  await page.$eval(".moves button.move", (button) => button.click());
  await page.waitForSelector('.turn[data-ply="2"]', { timeout: 60_000 });
  assert.equal(await text(page, "#engine"), "Engine: interpreter; the network is being built.");
}));

const large = join(corpus, "chess_200.kif");
test("an analysis begins by the interpreter, and again with the network; random games wait for that", { skip: hasWorker ? "needs the program: a worker builds the network of each session anew" : !existsSync(large) }, () => withPage("nim", async (page) => {
  await openSheet(page, large);
  await page.click("#tab-analyse");
  await page.waitForSelector("#analyse");
  await page.click("#analyse");
  await page.click("#tab-lab");
  await page.click('[data-lab="simulation"]');
  await page.waitForSelector("#simulate");
  await page.click("#simulate");
  await page.waitForFunction(() => document.querySelector("#engine").textContent === "Engine: propositional network.", { timeout: 60_000 });
  // By the interpreter a random game of chess takes a tenth of a second.
  await page.waitForFunction(() => Number(/^[\d,]+/.exec(document.querySelector("ggp-simulation .progress").textContent)?.[0].replaceAll(",", "")) > 1_000, { timeout: 60_000 });
  await page.waitForFunction(() => Number(document.querySelector("ggp-analysis .progress").textContent.split(" ")[0].replaceAll(",", "")) > 1_000, { timeout: 60_000 });
  assert.deepEqual([await text(page, "#analyse"), await text(page, "#simulate")], ["Stop", "Stop"], "they go on without a click");
}));

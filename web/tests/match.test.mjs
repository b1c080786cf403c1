// Whole matches by one means alone: the keyboard, dragging, the fingers on a phone.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { begin, click, corpus, drawn, end, flaws, openSheet, ply, program, text, turn, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

const isOver = (page) => page.$eval(".turn", (turn) => turn.classList.contains("over"));
const reversi = join(corpus, "reversi.kif");

/** Presses Tab until the focus is on an element of this kind. */
async function tabTo(page, selector) {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await page.evaluate((selector) => document.activeElement.matches(selector), selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not reach ${selector}`);
}

/** Goes to a square with the arrow keys, and presses Enter. */
async function pressAt(page, place) {
  await tabTo(page, ".square");
  for (let steps = 0; steps < 40; steps += 1) {
    const [, row, column] = await page.evaluate(() => document.activeElement.dataset.place.split(",").map(Number));
    const [, toRow, toColumn] = place.split(",").map(Number);
    if (row === toRow && column === toColumn) return page.keyboard.press("Enter");
    await page.keyboard.press(row === toRow ? (toColumn > column ? "ArrowRight" : "ArrowLeft") : toRow > row ? "ArrowDown" : "ArrowUp");
  }
  assert.fail(`arrow keys do not reach ${place}`);
}

/** Makes a move with the keys of the board, or of its buttons where no square stands for it. */
async function moveByKeys(page, number) {
  const ways = await page.$$eval(".square.open", (all) => all.map(({ dataset }) => dataset.place));
  if (ways.length) return pressAt(page, ways[number % ways.length]);
  await tabTo(page, ".moves button");
  return page.keyboard.press("Enter");
}

/** Plays a match of at least sixty moves by the keyboard; `move(number)` makes one. */
async function playByKeys(page, roles, move) {
  await page.evaluate(() => {
    window.announced = [];
    const turn = document.querySelector(".turn[role=status]");
    new MutationObserver(() => window.announced.push(turn.textContent)).observe(turn, { childList: true, subtree: true, characterData: true });
  });
  for (let made = 0; made < 64 && !(await isOver(page)); made = await ply(page)) {
    await page.evaluate(() => { window.announced = []; });
    // A square that several moves change is followed by another of them.
    for (let clicks = 0; clicks < 5 && (await ply(page)) === made; clicks += 1) {
      await move(made * 5 + 1 + clicks);
      await drawn(page);
    }
    const announced = await page.evaluate(() => window.announced);
    const now = await turn(page);
    assert.ok((await ply(page)) > made, `a move is made at ply ${made}`);
    assert.ok(announced.length > 0 && announced.at(-1).startsWith(now), "the turn is announced");
    assert.ok(roles.some((role) => now === `${role} to move`) || (await isOver(page)), now);
    if (made === 20) assert.deepEqual(await flaws(page), []);
  }
  assert.ok((await ply(page)) >= 60, `${await ply(page)} moves`);
  const [frame, here] = await page.$eval(".tree", (list) => [list, list.querySelector(".here")].map((one) => one.getBoundingClientRect().toJSON()));
  assert.ok(here.top >= frame.top && here.bottom <= Math.min(frame.bottom, 800), `the list of moves has come along: ${here.top} to ${here.bottom} in ${frame.top} to ${frame.bottom}`);
  const { top, bottom } = await page.$eval(".squares", (squares) => squares.getBoundingClientRect().toJSON());
  assert.ok(top >= 0 && bottom <= 800 && (await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)), "the board stays in the window");
  assert.deepEqual(await flaws(page), []);
}

test("a match of sixty moves is played by the keyboard, and each turn is announced", () => visit(browser, `${server.address}#game=pacman_ring`, async (page) => {
  // Both go on round the ring, away from each other.
  await playByKeys(page, ["pacman", "ghost"], async () => {
    const way = await page.evaluate(() => {
      const places = [...document.querySelectorAll("button.square")];
      const at = (one) => Number(/^\d+/.exec(one.getAttribute("aria-label")));
      const mover = document.querySelector(".turn strong").textContent.startsWith("pacman") ? "@" : "M";
      const from = at(places.find((one) => one.getAttribute("aria-label").endsWith(mover)));
      return places.find((one) => at(one) === (from % 12) + 1).dataset.place;
    });
    await pressAt(page, way);
  });
}));

test("a match of sixty moves that fills a board is played by the keyboard", { skip: !existsSync(reversi) || Boolean(process.env.BRIEF) }, () => visit(browser, `${server.address}#game=nim`, async (page) => {
  await openSheet(page, reversi);
  await page.waitForFunction(() => document.querySelector("#engine").textContent === "Engine: propositional network.", { timeout: 60_000 });
  await page.waitForSelector("main[aria-busy=false]");
  await playByKeys(page, ["red", "black"], (number) => moveByKeys(page, 3 * number));
}));

test("a match is played by dragging", () => visit(browser, `${server.address}#game=breakthrough_6x6`, async (page) => {
  const middle = (square) => square.evaluate((one) => { const { left, top, width, height } = one.getBoundingClientRect(); return [left + width / 2, top + height / 2]; });
  for (let made = 0; made < 40 && !(await isOver(page)); made += 1) {
    const upwards = (await turn(page)).startsWith("white");
    // The piece that is furthest ahead.
    const places = await page.$$eval(".square.open:has(.piece)", (all, role) => all.filter((one) => one.getAttribute("aria-label").endsWith(role)).map(({ dataset }) => dataset.place), upwards ? ": w" : ": b");
    const rows = (place) => Number(place.split(",")[1]) * (upwards ? 1 : -1);
    const [from] = places.sort((one, other) => rows(one) - rows(other));
    const square = await page.$(`[data-place="${from}"]`);
    const [x, y] = await middle(square);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y + (upwards ? -10 : 10), { steps: 2 });
    const to = await page.waitForSelector(".square.open:not(.moving)");
    await page.mouse.move(...(await middle(to)), { steps: 3 });
    await page.mouse.up();
    await page.waitForFunction((made) => Number(document.querySelector(".turn").dataset.ply) === made + 1, {}, made);
    await drawn(page);
  }
  assert.equal(await isOver(page), true);
  assert.match(await turn(page), /100/);
}));

test("a puzzle is solved by touch on a phone", () => visit(browser, `${server.address}#game=eight_puzzle`, async (page) => {
  const [plan] = execFileSync(program, ["eval", "eight_puzzle", "bestplan --shortest --json"], { encoding: "utf8" }).trim().split("\n");
  for (const move of JSON.parse(plan).moves) {
    const before = await ply(page);
    const place = await page.evaluate((move) => {
      document.querySelector("ggp-board").hint(move);
      const tile = document.querySelector(".square.target:has(.piece)");
      const { left, top, right, bottom } = tile.getBoundingClientRect();
      document.querySelector("ggp-board").hint(null);
      return { left, top, right, bottom };
    }, move);
    assert.ok(place.left >= 0 && place.top >= 0 && place.right <= 390 && place.bottom <= 844, "the tile is on the screen");
    await page.touchscreen.tap((place.left + place.right) / 2, (place.top + place.bottom) / 2);
    await page.waitForFunction((before) => Number(document.querySelector(".turn").dataset.ply) === before + 1, {}, before);
    await drawn(page);
  }
  assert.equal(await isOver(page), true);
  assert.match(await turn(page), /robot 100/);
  assert.deepEqual(await flaws(page), []);
}, { width: 390, height: 844 }));

const FORCED = `role(robot) init(at(1)) init(at(9)) base(at(X)) :- number(X)
number(1) number(2) number(3) number(4) number(9)
legal(robot,left) :- true(at(1))
legal(robot,right) :- true(at(1))
legal(robot,go) :- ~true(at(1))
next(at(2)) :- true(at(1))
next(at(3)) :- true(at(2))
next(at(4)) :- true(at(3))
next(at(9)) :- true(at(9))
terminal :- true(at(4))
goal(robot,100)
`;

test("moves without a choice are made after a move, one after the other, unless a person steps through them", () => visit(browser, `${server.address}#game=nim`, async (page) => {
  const path = join(mkdtempSync(join(tmpdir(), "ggp-forced-")), "forced.gdl");
  writeFileSync(path, FORCED);
  await openSheet(page, path);
  await page.evaluate(() => {
    window.seen = [];
    const turn = document.querySelector(".turn");
    new MutationObserver(() => window.seen.push([Number(turn.dataset.ply), performance.now()])).observe(turn, { attributes: true, attributeFilter: ["data-ply"] });
  });
  await click(page, ".moves [data-move=left]");
  assert.equal(await isOver(page), true);
  const seen = (await page.evaluate(() => window.seen)).filter(([ply], index, all) => !index || ply !== all[index - 1][0]);
  assert.deepEqual(seen.map(([ply]) => ply), [1, 2, 3]);
  assert.ok(seen[2][1] - seen[1][1] > 200, "each position is seen");
  await page.click(".stepping input");
  await click(page, "#restart");
  await click(page, ".moves [data-move=right]");
  assert.equal(await ply(page), 1);
  await click(page, ".moves button");
  assert.equal(await ply(page), 2);
  // A step back stops the moves that are made.
  await page.click(".stepping input");
  await click(page, "#restart");
  await page.click(".moves [data-move=right]");
  await page.waitForSelector('.turn[data-ply="1"]');
  await page.click('[title="One ply back"]');
  await new Promise((later) => setTimeout(later, 600));
  await drawn(page);
  assert.equal(await ply(page), 0);
}));

test("what chance has thrown is shown, unless the roles do not see all", async () => {
  await visit(browser, `${server.address}#game=pig_dice`, async (page) => {
    await click(page, ".moves [data-move=roll]");
    const thrown = await text(page, ".thrown");
    assert.match(thrown, /^random: throw\([1-6]\)$/);
    assert.equal(await page.$$eval(".tree button", (all, thrown) => all.some(({ textContent }) => textContent.includes(thrown)), thrown.slice(8)), true);
  });
  await visit(browser, `${server.address}#game=monty_hall`, async (page) => {
    await page.waitForFunction(() => document.querySelector(".turn").dataset.ply !== "0");
    assert.equal(await page.$(".thrown"), null);
  });
});

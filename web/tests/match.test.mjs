// Whole matches by one means alone: the keyboard, dragging, the fingers on a phone.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { begin, corpus, drawn, end, flaws, openSheet, ply, program, turn, visit } from "./browser.mjs";

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

/** Makes a move with the keys of the board: arrows to a square that can be chosen, and Enter. */
async function moveByKeys(page, number) {
  const ways = await page.evaluate(() => [...document.querySelectorAll(".square.open")].map(({ dataset }) => dataset.place.split(",").map(Number)));
  if (!ways.length) {
    await tabTo(page, ".moves button");
    return page.keyboard.press("Enter");
  }
  await tabTo(page, ".square");
  const [, row, column] = await page.evaluate(() => document.activeElement.dataset.place.split(",").map(Number));
  const [, toRow, toColumn] = ways[number % ways.length];
  for (let step = 0; step < Math.abs(toRow - row); step += 1) await page.keyboard.press(toRow > row ? "ArrowDown" : "ArrowUp");
  for (let step = 0; step < Math.abs(toColumn - column); step += 1) await page.keyboard.press(toColumn > column ? "ArrowRight" : "ArrowLeft");
  return page.keyboard.press("Enter");
}

test("a match of sixty moves is played by the keyboard, and each turn is announced", { skip: !existsSync(reversi) }, () => visit(browser, `${server.address}#game=nim`, async (page) => {
  await openSheet(page, reversi);
  await page.waitForFunction(() => document.querySelector("#engine").textContent === "The network plays.", { timeout: 60_000 });
  await page.waitForSelector("main[aria-busy=false]");
  await page.evaluate(() => {
    window.announced = [];
    const turn = document.querySelector(".turn[role=status]");
    new MutationObserver(() => window.announced.push(turn.textContent)).observe(turn, { childList: true, subtree: true, characterData: true });
  });
  let made = 0;
  for (; made < 60 && !(await isOver(page)); made += 1) {
    // A square that several moves change is followed by another of them.
    for (let clicks = 0; clicks < 5 && (await ply(page)) === made; clicks += 1) {
      await moveByKeys(page, made * 5 + 1 + clicks);
      await drawn(page);
    }
    assert.equal(await ply(page), made + 1);
    if (made === 20) assert.deepEqual(await flaws(page), []);
  }
  assert.ok(made === 60 || (await isOver(page)), `${made} moves`);
  assert.ok(made >= 50, `${made} moves`);
  const isSeen = await page.$eval(".tree", (list) => {
    const [frame, here] = [list, list.querySelector(".here")].map((one) => one.getBoundingClientRect());
    return here.top >= frame.top && here.bottom <= frame.bottom;
  });
  assert.ok(isSeen, "the list of moves has come along");
  const announced = await page.evaluate(() => window.announced);
  assert.ok(announced.length >= made, "each move changes the line that is announced");
  assert.ok(["red", "black"].every((role) => announced.some((line) => line.startsWith(`${role} to move`))), announced.slice(0, 4).join());
  assert.deepEqual(await flaws(page), []);
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

// How moves are made on the board: nothing is played that nobody meant.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, click, drawn, end, needsServer, ply, text, turn, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

const withGame = (hash, use, options) => visit(browser, `${server.address}#game=${hash}`, use, options);
const at = (place) => `[data-place="${place}"]`;
const middle = (page, place) => page.$eval(at(place), (square) => { const { left, top, width, height } = square.getBoundingClientRect(); return [left + width / 2, top + height / 2]; });
const picked = (page) => page.$$eval(".square.chosen", (all) => all.map(({ dataset }) => dataset.place));
const lastMove = (page) => text(page, ".tree .here");

/** Draws a piece to another square. */
async function drag(page, from, to) {
  await page.mouse.move(...(await middle(page, from)));
  await page.mouse.down();
  await page.mouse.move(...(await middle(page, to)), { steps: 4 });
  await page.mouse.up();
  await drawn(page);
}

test("a pawn goes only where it was picked up for: a click elsewhere lets go", () => withGame("breakthrough_6x6", async (page) => {
  // Only the pawn on the edge and its neighbour reach the corner; no pawn is picked up.
  await click(page, at("0,3,0"));
  assert.equal(await ply(page), 0, "an empty square moves no pawn");
  assert.match(await text(page, "#status"), /Click a piece first/);
  await click(page, at("0,4,5"));
  assert.deepEqual(await picked(page), ["0,4,5"]);
  await click(page, at("0,3,1"));
  assert.deepEqual([await ply(page), await picked(page)], [0, []], "the click that lets go plays no other pawn");
  await click(page, at("0,4,5"));
  await click(page, at("0,4,2"));
  assert.deepEqual(await picked(page), ["0,4,2"], "a click on another pawn picks that up");
  await click(page, at("0,4,2"));
  assert.deepEqual(await picked(page), [], "a second click puts it down");
  await click(page, at("0,4,2"));
  await click(page, at("0,3,2"));
  assert.equal(await ply(page), 1);
}));

test("while one pawn is picked up another is dragged, and a drop outside plays nothing", () => withGame("breakthrough_6x6", async (page) => {
  await click(page, at("0,4,1"));
  await drag(page, "0,4,4", "0,3,4");
  assert.equal(await ply(page), 1);
  await drag(page, "0,1,2", "0,4,0");
  assert.deepEqual([await ply(page), await picked(page)], [1, []]);
}));

test("a piece that can be captured is no way to capture it", () => withGame("breakthrough_6x6", async (page) => {
  for (const [from, to] of [["0,4,2", "0,3,2"], ["0,1,1", "0,2,1"]]) {
    await click(page, at(from));
    await click(page, at(to));
  }
  await click(page, at("0,2,1"));
  assert.equal(await ply(page), 2, "the only pawn that could capture it is not picked up");
  await click(page, at("0,3,2"));
  await click(page, at("0,2,1"));
  assert.equal(await ply(page), 3);
}));

test("the whole column takes a disc, unless it is full", () => withGame("connect_four", async (page) => {
  await click(page, at("0,0,3"));
  await click(page, at("0,1,3"));
  await click(page, at("0,5,3"));
  assert.equal(await ply(page), 3);
  assert.equal(await page.$$eval(".square:not([aria-label$=empty])", (all) => all.length), 3);
  for (let discs = 0; discs < 3; discs += 1) await click(page, at("0,0,3"));
  await click(page, at("0,0,3"));
  assert.equal(await ply(page), 6);
  assert.match(await text(page, "#status"), /No legal move/);
}));

test("the top disc of a pole is picked up by any of its discs, and put down anywhere on another pole", () => withGame("hanoi", async (page) => {
  await click(page, at("0,2,0"));
  assert.equal((await picked(page)).length, 1);
  await click(page, at("0,0,1"));
  assert.match(await lastMove(page), /move\(left,middle\)/);
  await drag(page, "0,1,0", "0,4,2");
  assert.match(await lastMove(page), /move\(left,right\)/);
}));

test("in a game of placing one click plays, also where pieces are turned over", () => withGame("othello", async (page) => {
  const disc = await page.$eval(".square .piece", (piece) => piece.closest(".square").dataset.place);
  await click(page, at(disc));
  assert.equal(await ply(page), 0, "a disc that a move would turn is not a move");
  await click(page, ".square.open");
  assert.equal(await ply(page), 1);
}));

test("pegs that jump are picked up, and a tile of a sliding puzzle needs one click", async () => {
  await withGame("checkers", async (page) => {
    await click(page, ".square.held");
    assert.equal(await ply(page), 0);
    await click(page, ".square.open");
    assert.equal(await ply(page), 1);
  });
  await withGame("peg_solitaire", async (page) => {
    await click(page, at("0,3,2"));
    assert.deepEqual([await ply(page), await picked(page)], [0, []], "the peg between is not the one that jumps");
    await click(page, at("0,3,1"));
    assert.deepEqual([await ply(page), await picked(page)], [0, ["0,3,1"]]);
    await click(page, at("0,3,3"));
    assert.equal(await ply(page), 1);
  });
  await withGame("eight_puzzle", async (page) => {
    await click(page, ".square.open");
    assert.equal(await ply(page), 1);
  });
  // The agent changes places with a block, and is the one that moves all the same.
  await withGame("blocksworld_tiles", async (page) => {
    for (const [number, place] of ["0,3,2", "0,3,3", "0,2,3", "0,2,2", "0,3,2"].entries()) {
      await click(page, at(place));
      assert.equal(await ply(page), number + 1, place);
    }
  });
});

test("a click on a hollow sows what is in it, and the rows of two players face each other", () => withGame("kalaha", async (page) => {
  const names = (row) => page.$$eval(`.row:nth-of-type(${row}) .square`, (all) => all.map((one) => one.getAttribute("aria-label").split(":")[0]));
  assert.deepEqual([await names(1), await names(2)], [[6, 5, 4, 3, 2, 1].map((one) => `north ${one}`), [1, 2, 3, 4, 5, 6].map((one) => `south ${one}`)]);
  await click(page, at("0,1,4"));
  assert.match(await lastMove(page), /sow\(5\)/);
  assert.equal(await turn(page), "north to move");
  await click(page, at("0,0,2"));
  assert.match(await lastMove(page), /sow\(4\)/);
}));

test("a click on a finished game says that it is over", () => withGame("connect_four_4x4&moves=drop(1) noop;noop drop(2);drop(1) noop;noop drop(2);drop(1) noop;noop drop(2);drop(1) noop", async (page) => {
  assert.match(await turn(page), /over/);
  await click(page, at("0,0,3"));
  assert.match(await text(page, "#status"), /The game is over/);
}));

test("a click waits for the legal moves, and says so", needsServer("its answers are held back"), () => withGame("breakthrough_6x6", async (page) => {
  await page.setRequestInterception(true);
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  page.on("request", async (request) => {
    if (request.url().endsWith("/targets")) await held;
    await request.continue();
  });
  await click(page, at("0,4,2"));
  await page.click(at("0,3,2"));
  await page.waitForSelector('.turn[data-ply="1"]');
  await page.click(at("0,1,3"));
  await page.waitForFunction(() => /click waits/.test(document.querySelector("#status").textContent));
  release();
  await page.waitForSelector(`.square.chosen${at("0,1,3")}`);
  assert.equal(await text(page, "#status"), "");
}));

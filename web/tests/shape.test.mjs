// The shape of the page: the room that the board has, what stands beside it, and what a narrow window shows.

import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { begin, click, corpus, drawn, end, flaws, openSheet, picture, ply, root, show, text, turn, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

/** Opens an address below that of the server, for the time of a test. */
const withPage = (hash, use, options) => visit(browser, `${server.address}${hash}`, use, options);

/** The share of the window that the boards cover, and the width and height of the first. */
const extent = (page) => page.evaluate(() => {
  const boxes = [...document.querySelectorAll(".squares")].map((squares) => squares.getBoundingClientRect());
  return { share: boxes.reduce((sum, { width, height }) => sum + width * height, 0) / (innerWidth * innerHeight), width: boxes[0]?.width, height: boxes[0]?.height };
});

/** The games of the library, and those of the corpus without declarations that are looked at. */
const library = readdirSync(join(root, "gdl")).filter((name) => name.endsWith(".gdl")).map((name) => name.replace(".gdl", "")).sort();
const sheets = ["chess", "reversi", "amazons_8x8", "nineBoardTicTacToe", "pancakes6", "kalaha6x2x4"].map((name) => join(corpus, `${name}.kif`)).filter(existsSync);
/** The shares of the window that a board has at least: of its width and height the one is at most so much greater. */
const [SHARE, SQUARE, LOW_SHARE] = [0.45, 1.26, 0.35];

test("each square board has 45 % of a window of 1280 by 800 pixels", async () => {
  const square = [];
  await visit(browser, `${server.address}#game=nim`, async (page) => {
    for (const game of [...library, ...sheets]) {
      if (game.includes("/")) await openSheet(page, game);
      else await page.evaluate((game) => { location.hash = `game=${game}`; }, game);
      await page.waitForFunction((name) => new RegExp(`^${name}[ .]`).test(document.title), { timeout: 20_000 }, basename(game, ".kif"));
      await drawn(page);
      const isBoard = await page.evaluate(() => !document.querySelector("ggp-board").hidden && document.querySelectorAll(".squares").length === 1 && !document.querySelector(".square:is(.card, .bare, .pole)"));
      const { share, width, height } = await extent(page);
      // Boards that are higher than wide end where the window does.
      if (!isBoard || height > width * 1.01 || width > height * SQUARE) continue;
      square.push(basename(game, ".kif"));
      // What a role knows stands below a board that it does not see whole.
      const isWhole = await page.$eval("ggp-hidden", ({ hidden }) => hidden);
      assert.ok(share >= (isWhole ? SHARE : LOW_SHARE), `${game}: ${share}`);
    }
  });
  assert.ok(square.length >= 18 + (sheets.length ? 4 : 0), square.join());
});
test("the board is inside the window, wherever the match is", async () => {
  for (const shape of [{ width: 1280, height: 800 }, { width: 1366, height: 768 }, { width: 1920, height: 1080 }, { width: 1024, height: 700 }]) {
    await withPage("#game=breakthrough_6x6", async (page) => {
      for (let moves = 0; moves < 8; moves += 1) {
        await page.$eval(".moves button", (button) => button.click());
        await drawn(page);
      }
      assert.equal(await ply(page), 8);
      const { top, bottom, left, right } = await page.$eval(".squares", (squares) => { const { top, bottom, left, right } = squares.getBoundingClientRect(); return { top, bottom, left, right }; });
      assert.ok(top >= 0 && left >= 0 && bottom <= shape.height && right <= shape.width, `${top} ${bottom} ${left} ${right}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), true, "the page does not scroll");
    }, shape);
  }
});

test("a phone shows the board first, across its width", async () => {
  await withPage("#game=connect_four", async (page) => {
    const { width, top, bottom } = await page.$eval(".squares", (squares) => { const { width, top, bottom } = squares.getBoundingClientRect(); return { width, top, bottom }; });
    assert.ok(width > 370 && top < 140 && bottom < 844, `${width} ${top} ${bottom}`);
    assert.deepEqual(await flaws(page), []);
  }, { width: 390, height: 844 });
});

test("the pane is in the address", async () => {
  await withPage("#game=nim&pane=explain", async (page) => {
    assert.equal(await page.$eval("#panel-explain", (panel) => panel.hidden), false);
    await show(page, "tournament");
    assert.equal(new URLSearchParams(new URL(page.url()).hash.slice(1)).get("pane"), "tournament");
    await page.reload();
    await drawn(page);
    assert.equal(await page.$eval("#lab-tournament", (tool) => tool.hidden), false);
    assert.equal(await page.$eval("#tab-lab", (tab) => tab.getAttribute("aria-selected")), "true");
  });
});

test("buttons of moves are folded where squares stand for them, and open where none do", async () => {
  const isOpen = (page) => page.$eval(".legal", ({ open }) => open);
  await withPage("#game=breakthrough_6x6", async (page) => {
    assert.equal(await isOpen(page), false);
    assert.equal(await page.$$eval(".square.open", (squares) => squares.length), 6, "each pawn of the front row");
  });
  await withPage("#game=pig_dice", async (page) => {
    assert.equal(await isOpen(page), true);
    await click(page, ".moves button");
    assert.ok((await ply(page)) > 0);
  });
});

test("the board turns round, and squares keep their meaning", async () => {
  await withPage("#game=connect_four", async (page) => {
    const corner = () => page.$eval(".squares .square", (square) => square.getAttribute("aria-label"));
    const before = await corner();
    await page.click("#flip");
    assert.notEqual(await corner(), before);
    await click(page, '[data-place="0,5,3"]');
    assert.match(await text(page, ".tree"), /drop\(4\)/);
    await picture(page, "flipped");
  });
});

test("a board that is far wider than high is above the tools, with room for them", { skip: sheets.length ? false : "there is no corpus" }, () => visit(browser, `${server.address}#game=pacman_corridor`, async (page) => {
  const below = () => page.evaluate(() => document.querySelector(".side").getBoundingClientRect().top >= document.querySelector(".squares").getBoundingClientRect().bottom);
  assert.ok(await below());
  assert.ok((await extent(page)).width > 1200);
  await openSheet(page, sheets.find((sheet) => sheet.includes("kalaha")));
  await page.waitForSelector(".pit");
  assert.ok((await extent(page)).share >= LOW_SHARE);
  // What a hollow holds is written above it.
  const isClear = () => page.$$eval(".pit", (all) => all.every((pit) => {
    const [{ top }, { bottom }] = [pit.getBoundingClientRect(), pit.querySelector(".name").getBoundingClientRect()];
    return bottom < top + parseFloat(getComputedStyle(pit, "::before").top);
  }));
  assert.ok(await isClear());
  for (const pane of ["analyse", "explain", "rules", "search"]) {
    await show(page, pane);
    assert.ok(await below());
    assert.ok((await page.$eval(`#panel-${pane}`, (panel) => panel.clientHeight)) > 250, pane);
  }
  await page.setViewport({ width: 390, height: 844 });
  await drawn(page);
  assert.ok(await isClear());
  assert.equal(await page.$eval(".pit .whose", (name) => getComputedStyle(name).display), "none");
  assert.deepEqual(await flaws(page), []);
}));

test("the steps through the match and the last move are on a phone's screen, whatever is above them", () => withPage("#game=peg_solitaire", async (page) => {
  for (let moves = 0; moves < 12; moves += 1) {
    await page.$eval(".moves button", (button) => button.click());
    await drawn(page);
  }
  for (const pane of ["play", "explain", "search"]) {
    await show(page, pane);
    await page.evaluate(() => scrollTo(0, 0));
    const { bottom } = await page.$eval(".steps", (steps) => steps.getBoundingClientRect().toJSON());
    assert.ok(bottom <= 844, `${pane}: ${bottom}`);
    if (pane !== "play") continue;
    const [here, steps] = await page.evaluate(() => [document.querySelector(".tree .here").getBoundingClientRect().bottom, document.querySelector(".steps").getBoundingClientRect().top]);
    assert.ok(here <= steps, `${here} ${steps}`);
  }
}, { width: 390, height: 844 }));

test("the moves of two roles stand in two columns, and the end says what it is worth to those who play", async () => {
  await withPage("#game=tic_tac_toe&moves=mark(1,1) noop;noop mark(2,2);mark(1,2) noop", async (page) => {
    const lefts = await page.$$eval(".tree button", (all) => all.map((one) => one.getBoundingClientRect().left));
    assert.equal(lefts[0], lefts[2]);
    assert.ok(lefts[1] > lefts[0] + 100);
  });
  await withPage("#game=monty_hall", async (page) => {
    while (!(await page.$(".turn.over"))) {
      await page.$eval(".moves button", (button) => button.click());
      await drawn(page);
    }
    assert.match(await turn(page), /^The game is over: candidate \d+$/);
  });
});

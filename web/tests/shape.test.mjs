// The shape of the page: the room that the board has, what stands beside it, and what a narrow window shows.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, click, drawn, end, flaws, open, picture, ply, show, text, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

/** Opens an address below that of the server, for the time of a test. */
const withPage = (hash, use, options) => visit(browser, `${server.address}${hash}`, use, options);

/** The share of the window that the boards cover. */
const share = (page) => page.evaluate(() => {
  const areas = [...document.querySelectorAll(".squares")].map((squares) => { const { width, height } = squares.getBoundingClientRect(); return width * height; });
  return areas.reduce((sum, area) => sum + area, 0) / (innerWidth * innerHeight);
});

for (const game of ["tic_tac_toe", "breakthrough_6x6", "eight_puzzle", "lights_out"]) {
  test(`the board of ${game} has 45 % of a window of 1280 by 800 pixels`, () => withPage(`#game=${game}`, async (page) => {
    assert.ok((await share(page)) >= 0.45, String(await share(page)));
  }));
}

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
    assert.equal(await page.$$eval(".square.open", (squares) => squares.length > 8), true);
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

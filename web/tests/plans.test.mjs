// Plans and lines that a search has found are played on the board.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, click, drawn, end, option, ply, text, turn, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

const withPage = (hash, use, options) => visit(browser, `${server.address}${hash}`, use, options);

test("a plan is played on the board, can be paused, and ends where it leads", async () => {
  await withPage("#game=eight_puzzle&pane=analyse", async (page) => {
    await page.select("#search", "bestplan --shortest");
    await page.click("#analyse");
    await page.waitForSelector(".candidate:not([hidden])", { timeout: 60_000 });
    await page.click(".candidate");
    await page.waitForSelector('#play[aria-pressed="true"]');
    await page.waitForSelector('.turn[data-ply="1"]');
    await page.click("#play");
    await page.waitForSelector('#play[aria-pressed="false"]');
    await drawn(page);
    const paused = await ply(page);
    await new Promise((later) => setTimeout(later, 900));
    assert.equal(await ply(page), paused, "it stands still");
    await page.select("#speed", "5");
    await click(page, "#play");
    await page.waitForFunction(() => document.querySelector(".turn").classList.contains("over"));
    assert.match(await turn(page), /100/);
    await page.waitForSelector('#play[aria-pressed="false"]');
    assert.equal(await ply(page), 4, "a shortest plan has four moves");
  });
});

test("the best lines of an analysis have values, and a click plays one", async () => {
  await withPage("#game=connect_four_4x4&pane=analyse", async (page) => {
    await option(page, "ggp-analysis", "--seconds", "1");
    await page.click("#analyse");
    await page.waitForSelector(".candidate:not([hidden])", { timeout: 60_000 });
    assert.match(await text(page, ".candidate .value"), /^≈?\d+$/);
    await page.hover(".candidate");
    await page.waitForSelector(".square.target");
    await page.click(".candidate");
    await page.waitForSelector('.turn[data-ply="2"]');
    await page.click("#play");
  });
});

test("the best lines grow while an analysis runs, and one can be played meanwhile", async () => {
  await withPage("#game=connect_four&pane=analyse", async (page) => {
    await page.click("#analyse");
    await page.waitForSelector(".candidate:not([hidden])");
    const row = await page.$(".candidate");
    const first = await row.evaluate(({ textContent }) => textContent);
    assert.equal(await text(page, "#analyse"), "Stop");
    await page.hover(".candidate");
    await page.waitForSelector(".square.target");
    await page.waitForFunction((first) => document.querySelector(".candidate").textContent !== first, { timeout: 60_000 }, first);
    assert.equal(await row.evaluate((one) => one.isConnected), true, "it is the same element");
    await row.click();
    await page.waitForSelector('.turn[data-ply="1"]');
    await page.click("#play");
    await page.click("#analyse");
    await page.waitForFunction(() => document.querySelector("#analyse").textContent === "Start");
  });
});

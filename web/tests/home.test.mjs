// The first page: the games as cards, and how to begin.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, click, drawn, end, flaws, needsServer, ply, picture, SHAPES, show, text, turn, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

const withPage = (hash, use, options) => visit(browser, `${server.address}${hash}`, use, options);
const isHome = (page) => page.$eval("ggp-home", ({ hidden }) => !hidden);

for (const shape of SHAPES) {
  test(`the first page has a card for each game, ${shape.width} pixels wide${shape.dark ? " and dark" : ""}`, () => withPage("", async (page) => {
    assert.equal(await isHome(page), true);
    assert.ok((await page.$$(".cards li")).length >= 33);
    await page.waitForSelector(".cards .piece");
    assert.match(await text(page, '[data-game="breakthrough_6x6"] .kind, .cards li .kind'), /puzzle|players/);
    assert.deepEqual(await flaws(page), []);
    await picture(page, `home-${shape.width}${shape.dark ? "-dark" : ""}`);
  }, shape));
}

test("the first page needs less than 250 kB, each picture of a game less than 1.5 kB, and no tool that is not shown", needsServer("the library comes with the page"), () => withPage("", async (page) => {
  for (const all of await page.$$(".group .all")) await all.click();
  for (const card of await page.$$(".cards li")) await card.scrollIntoView();
  await page.waitForFunction(() => [...document.querySelectorAll(".cards .picture")].every((picture) => picture.childElementCount));
  const files = await page.evaluate(() => performance.getEntries().map(({ name, transferSize = 0 }) => ({ name, transferSize })));
  const bytes = (some) => some.reduce((sum, { transferSize }) => sum + transferSize, 0);
  const cards = files.filter(({ name }) => /api\/card/.test(name));
  const own = bytes(files) - bytes(cards);
  assert.ok(own > 50_000 && own < 250_000, `${own} bytes`);
  assert.ok(cards.length > 30 && bytes(cards) < 1_500 * cards.length, `${bytes(cards)} bytes for ${cards.length} games`);
  assert.deepEqual(files.filter(({ name }) => /(search|network|simulation|tournament|codemirror)\.js/.test(name)), []);
}));

test("the first page says what it is, and has the games in groups, those for a newcomer first", () => withPage("", async (page) => {
  assert.match(await text(page, ".lead"), /rules of each game.*a text/);
  assert.equal(await page.title(), "Games – ggp");
  const groups = await page.$$eval(".group h3", (all) => all.map(({ firstChild }) => firstChild.textContent));
  assert.ok(groups.includes("For two") && groups.includes("Puzzles") && groups.some((title) => title.startsWith("Chance")));
  assert.ok(!groups.includes("Others"), "each game of the library is in a group");
  assert.match(await text(page, ".cards li"), /^tic tac toe/);
  assert.match(await page.$$eval(".ways a", (ways) => ways.map(({ textContent }) => textContent).join("\n")), /Learn.*course/);
  const shown = () => page.$$eval('[aria-label="Puzzles"] li', (all) => all.filter((one) => one.checkVisibility()).length);
  assert.equal(await shown(), 6);
  await page.click('[aria-label="Puzzles"] .all');
  assert.ok((await shown()) > 6);
}));

test("on a phone the first page is not long", () => withPage("", async (page) => {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  assert.ok(height < 4_500, `${height} pixels`);
}, { width: 390, height: 844 }));

test("Enter opens the only game that is found", () => withPage("", async (page) => {
  await page.type("#find", "peg solitaire");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.title.startsWith("peg_solitaire"));
  await drawn(page);
  assert.equal(await isHome(page), false);
  await show(page, "explain");
  assert.equal(await page.title(), "peg_solitaire: explain – ggp");
}));

test("a game is found and played, and one goes on where one was", () => withPage("", async (page) => {
  await page.type("#find", "connect 4x5");
  assert.deepEqual(await page.$$eval(".cards li:not([hidden])", (items) => items.map(({ dataset }) => dataset.game)), ["connect_four_4x5"]);
  await click(page, ".cards li:not([hidden]) a");
  await page.waitForFunction(() => document.title.startsWith("connect_four_4x5"));
  await drawn(page);
  assert.equal(await isHome(page), false);
  await click(page, ".square.open");
  assert.equal(await ply(page), 1);
  await click(page, "header h1 a");
  assert.equal(await isHome(page), true);
  assert.match(await text(page, ".ways"), /Continue where you were.*connect four 4x5, ply 1/);
  await click(page, ".ways a");
  await drawn(page);
  assert.equal(await isHome(page), false);
  assert.equal(await ply(page), 1);
}));

test("a newcomer plays, asks why and changes a rule", () => withPage("", async (page) => {
  for (const [step, pane] of [[1, "play"], [2, "explain"], [3, "rules"]]) {
    await page.$$eval(".ways a", (ways, step) => ways.find((one) => one.textContent.startsWith(`${step}.`)).click(), step);
    await page.waitForFunction((pane) => document.body.dataset.pane === pane && !document.body.classList.contains("home"), {}, pane);
    await drawn(page);
    assert.match(await turn(page), /to move/);
    await click(page, "header h1 a");
  }
}));

// Boards of sheets that declare nothing, and what the page says of their facts and rules.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { appears, begin, click, corpus, end, openSheet, picture, show, text, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

/** Waits for the position. */
const ready = (page) => page.waitForSelector("main[aria-busy=false]");

/** Uses a page that has opened a sheet. */
const withSheet = (path, use, options) => visit(browser, `${server.address}#game=nim`, async (page) => {
  await openSheet(page, path);
  await use(page);
}, options);

/** The rows and columns of each board that is drawn. */
const sizes = (page) => page.$$eval(".squares", (all) => all.map((squares) => [squares.children.length, squares.children[0].querySelectorAll(".square").length]));

// In kalaha a move is followed by forced ones.
for (const [name, size, most = 4] of [["reversi", [8, 8]], ["othelloHoles", [8, 8]], ["amazons_8x8", [8, 8]], ["nineBoardTicTacToe", [9, 9]], ["kalaha6x2x4", [2, 8], 1]]) {
  const path = join(corpus, `${name}.kif`);
  test(`${name} is one board of its size, whose squares can be clicked, in all positions`, { skip: !existsSync(path) }, () => withSheet(path, async (page) => {
    assert.deepEqual(await sizes(page), [size]);
    for (let moves = 0; moves < most; moves += 1) {
      await page.waitForSelector(".square.open", { timeout: 60_000 });
      await page.$eval(".moves button", (button) => button.click());
      await page.waitForSelector(`.turn[data-ply="${moves + 1}"]`);
      await ready(page);
      assert.deepEqual(await sizes(page), [size]);
    }
    await picture(page, `corpus-${name}`);
  }));
}

const kalaha = join(corpus, "kalaha6x2x4.kif");
test("a mancala board has two rows of hollows with their seeds, and a store at each end", { skip: !existsSync(kalaha) }, () => withSheet(kalaha, async (page) => {
  const boxes = await page.$$eval(".square:is(.pit, .store)", (all) => all.map((one) => { const { left, top, height } = one.getBoundingClientRect(); return [one.getAttribute("aria-label"), left, top, height, one.querySelectorAll(".shape").length]; }));
  const at = Object.fromEntries(boxes.map(([name, ...box]) => [name.split(":")[0], box]));
  assert.equal(boxes.length, 14);
  const [p1, p6, p7, p12, north, south] = ["p1", "p6", "p7", "p12", "pwinnorth", "pwinsouth"].map((name) => at[name]);
  assert.deepEqual([p1[3], p12[3], north[3], south[3]], [4, 4, 0, 0], "seeds");
  assert.deepEqual([p1[0], p6[0]], [p12[0], p7[0]], "opposite hollows are above each other");
  assert.ok(north[0] < p1[0] && south[0] > p6[0] && p12[1] < p1[1]);
  assert.equal(Math.round(north[2]), Math.round(2 * p1[2]), "a store is as high as both rows");
  await page.waitForSelector(".square.pit.open");
  await click(page, '.square.pit[aria-label^="p8"]');
  assert.match(await text(page, ".tree"), /pick\(p8\)/);
}));

for (const [game, selector, count] of [["pig_dice", ".square.card", 5], ["rock_paper_scissors", ".square.card .shape", 2], ["minimax_tree", ".square.bare", 13], ["expectimax_tree", ".square.bare", 4], ["three_player_tree", ".square.bare", 15]]) {
  test(`${game} is drawn, though it has no board`, () => visit(browser, `${server.address}#game=${game}`, async (page) => {
    assert.equal(await page.$$eval(selector, (all) => all.length), count);
    await page.$$eval(".moves button", ([button]) => button?.click());
    await ready(page);
    assert.equal(await page.$$eval(".play.boardless", (all) => all.length), 0);
  }));
}

test("a node of a game tree is clicked, and a card of a value", async () => {
  await visit(browser, `${server.address}#game=three_player_tree`, async (page) => {
    await click(page, '.square[aria-label="node2"]');
    assert.match(await text(page, ".tree"), /right/);
  });
  await visit(browser, `${server.address}#game=pig_dice`, async (page) => {
    await page.click(".moves button[data-move=roll]");
    await page.waitForFunction(() => Number(document.querySelector(".turn").dataset.ply) >= 2);
    await ready(page);
    assert.match(await page.$eval(".square.card", (card) => card.getAttribute("aria-label")), /^first score: 0$/);
  });
});

const FIXED = `role(robot) init(at(1)) init(step(1)) ${[1, 2, 3].flatMap((x) => [1, 2, 3].map((y) => `init(near(${x},${y}))`)).join(" ")}
succ(1,2) succ(2,3) succ(3,4)
legal(robot,go)
legal(robot,stay)
next(near(X,Y)) :- true(near(X,Y))
next(at(Y)) :- does(robot,go) &
  true(at(X)) & succ(X,Y)
next(at(X)) :- does(robot,stay) & true(at(X))
next(step(Y)) :- true(step(X)) & succ(X,Y)
terminal :- true(step(4))
goal(robot,100) :- true(at(4))
goal(robot,0) :- ~true(at(4))
`;

test("what never changes is folded away, and why shows and opens the rule", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "ggp-fixed-")), "fixed.gdl");
  writeFileSync(path, FIXED);
  await withSheet(path, async (page) => {
    await show(page, "explain");
    assert.doesNotMatch(await text(page, "ggp-facts > .facts"), /near/);
    assert.match(await text(page, ".constant summary"), /9 facts that never change/);
    assert.doesNotMatch(await text(page, ".values"), /near/);
    await page.$eval("#question", (field) => { field.value = "legal(robot,go)"; });
    await click(page, "#why");
    await page.waitForSelector(".proof .clause");
    assert.equal(await text(page, ".proof .clause"), "legal(robot,go)");
    await page.click(".proof .rule");
    await page.waitForFunction(() => !document.querySelector("#panel-rules").hidden);
    await appears(page, ".shown-rule");
    assert.match(await text(page, "ggp-rules >>> .shown-rule"), /^legal\(robot,go\)/);
  });
});

test("the first step of a lesson does not give its answer away", async () => {
  await visit(browser, `${server.address}#game=nim&pane=learn`, async (page) => {
    await page.waitForSelector(".lessons");
    await click(page, ".lessons li button");
    await page.waitForSelector(".step .line");
    assert.doesNotMatch(await text(page, "#panel-learn"), /load tic_tac_toe/);
  });
});

for (const [name, boards] of [["hex", 1], ["checkers", 1], ["disabled__rubiksCube", 2]]) {
  const path = join(corpus, `${name}.kif`);
  test(`${name} has its board, and no signs of another game`, { skip: !existsSync(path) }, () => withSheet(path, async (page) => {
    assert.equal(await page.$$eval("ggp-board figure", (all) => all.length), boards);
    const shapes = await page.$$eval("ggp-board .shape use", (all) => all.map((one) => one.getAttribute("href")));
    const chess = shapes.filter((shape) => /king|queen|rook|bishop|knight|pawn/.test(shape));
    assert.deepEqual(chess, [], "no pieces of chess");
    if (name === "checkers") assert.equal(shapes.filter((shape) => shape === "#piece-disc").length, 24);
  }));
}

// Sheets of squares with one name each, such as c4: rows of hexagons, and files and ranks.
for (const [name, squares, isHex] of [["chineseCheckers2", 37, true], ["crissrace", 20, false]]) {
  const path = join(corpus, `${name}.kif`);
  test(`${name} has a board, whose squares are clicked`, { skip: !existsSync(path) }, () => withSheet(path, async (page) => {
    assert.equal(await page.$$eval("ggp-board button.square", (all) => all.length), squares);
    assert.equal(await page.$eval(".squares", (one) => one.classList.contains("hex")), isHex);
    await page.waitForSelector(".square.open");
    const [from, to] = await page.evaluate(async () => {
      const { targets } = await (await import("./page.js")).server.targets();
      return targets.find(({ carried }) => carried.length).carried[0].map(String);
    });
    await click(page, `[data-place="${from}"]`);
    await click(page, `[data-place="${to}"]`);
    await page.waitForSelector('.turn[data-ply="1"]');
    await click(page, "#flip");
    const rows = await page.$$eval(".squares .row", (all) => all.map((row) => row.querySelector("button").getBoundingClientRect().left));
    if (isHex) assert.ok(rows.slice(1).every((left, index) => Math.abs(left - rows[index]) > 1), "turned round, rows lie between each other");
  }));
}

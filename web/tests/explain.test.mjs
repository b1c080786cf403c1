// Why something holds, and why not: proofs in sight of what was asked.

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { begin, click, end, openSheet, show, text, unfold, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

const withPage = (hash, use, options) => visit(browser, `${server.address}${hash}`, use, options);

/** Asks by the field of the pane. */
async function ask(page, question) {
  await page.$eval("#question", (field, question) => { field.value = question; }, question);
  await click(page, "#why");
}

const GATE = `role(guard)
init(door(shut))
init(lamp(off))
legal(guard,open) :- true(door(shut)) & (true(lamp(on)) | true(lamp(green)))
legal(guard,light) :- true(lamp(off))
legal(guard,wait)
next(door(shut)) :- true(door(shut)) & ~does(guard,open)
next(door(open)) :- does(guard,open)
next(lamp(on)) :- does(guard,light)
next(lamp(off)) :- true(lamp(off)) & ~does(guard,light)
next(lamp(on)) :- true(lamp(on))
terminal :- true(door(open))
goal(guard,100) :- true(door(open))
goal(guard,0) :- ~true(door(open))
`;

test("a disjunction that fails is explained by its alternatives, and one that holds by the one that does", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "ggp-gate-")), "gate.gdl");
  writeFileSync(path, GATE);
  await withPage("#game=nim&pane=explain", async (page) => {
    await openSheet(page, path);
    await show(page, "explain");
    await ask(page, "legal(guard,open)");
    const said = await text(page, ".proof");
    assert.doesNotMatch(said, /Cannot read/);
    assert.match(said, /no alternative holds/);
    assert.match(said, /alternative 1 fails after 0 of 1 conditions.*true\(lamp\(on\)\) does not hold: not a fact of the state/s);
    assert.match(said, /alternative 2 .*true\(lamp\(green\)\) does not hold/s);
    await show(page, "play");
    await click(page, ".moves [data-move=light]");
    await show(page, "explain");
    await ask(page, "legal(guard,open)");
    assert.match(await text(page, ".proof"), /holds: by alternative 1/);
  });
});

test("a fact is asked as the list shows it, whether it holds or not", () => withPage("#game=hanoi&pane=explain", async (page) => {
  await ask(page, "on(1,left)");
  assert.match(await text(page, ".proof"), /^init\(on\(1,left\)\) holds/);
  await ask(page, "on(1,middle)");
  const said = await text(page, ".proof");
  assert.match(said, /^init\(on\(1,middle\)\) does not hold/);
  await show(page, "play");
  await unfold(page);
  await click(page, '.moves [data-move="move(left,middle)"]');
  await show(page, "explain");
  await ask(page, "on(1,middle)");
  assert.match(await text(page, ".proof"), /^next\(on\(1,middle\)\) holds/);
  await ask(page, "on(1,left)");
  assert.match(await text(page, ".proof"), /does not hold: no rule gives it/);
  await ask(page, "no_such_thing(1)");
  assert.match(await text(page, ".proof"), /no_such_thing/);
}));

for (const shape of [{ width: 1280, height: 800 }, { width: 390, height: 844 }]) {
  test(`a proof is in sight of the fact that was clicked, ${shape.width} pixels wide`, () => withPage("#game=othello&pane=explain", async (page) => {
    const facts = await page.$$("ggp-facts > .facts button");
    await facts.at(-1).scrollIntoView();
    await facts.at(-1).click();
    await page.waitForSelector(".proof strong");
    const { top, bottom } = await page.$eval(".proof strong", (head) => head.getBoundingClientRect().toJSON());
    const clip = await page.$eval("#panel-explain", (panel) => panel.getBoundingClientRect().toJSON());
    assert.ok(top >= Math.max(clip.top, 0) && bottom <= Math.min(clip.bottom, shape.height), `${top} to ${bottom} in ${clip.top} to ${clip.bottom}`);
  }, shape));
}

/** Clicks a square, and waits for the answer. */
async function askAt(page, place) {
  await page.evaluate(() => document.querySelector(".here-box").replaceChildren());
  await page.click(`[data-place="${place}"]`);
  await page.waitForSelector(".here-box p");
  await page.waitForFunction(() => document.querySelector("main").getAttribute("aria-busy") === "false");
}

test("a click on a square asks why it cannot be played, and the answer marks the squares of its facts", () => withPage("#game=othello&pane=explain", async (page) => {
  await page.waitForSelector("#here");
  await page.click("#here");
  // A square in the corner, where nothing can be placed yet; no letter is typed.
  await askAt(page, "0,0,0");
  assert.match(await text(page, ".here-box .grey"), /why can black not play/);
  assert.match(await text(page, ".proof"), /^legal\(black,.*does not hold/);
  // A disc that stands there: the rule that made it, and the square is marked.
  const disc = await page.$eval(".square .piece", (piece) => piece.closest(".square").dataset.place);
  await askAt(page, disc);
  assert.match(await text(page, ".here-box"), /which rules made/);
  const open = await page.$eval(".square.open", ({ dataset }) => dataset.place);
  await askAt(page, open);
  const can = await page.$$(".here-box button:not(.grey)");
  await can[0].click();
  await page.waitForFunction(() => /^legal\(.* holds/.test(document.querySelector(".proof").textContent));
  await page.waitForSelector(".square.reason");
  assert.equal(await page.$eval(".turn", ({ dataset }) => dataset.ply), "0", "no move was made");
  await show(page, "rules");
  await click(page, `[data-place="${open}"]`);
  assert.equal(await page.$eval(".turn", ({ dataset }) => dataset.ply), "1", "beside another pane a click plays");
}));

test("while Explain is shown a click where nothing can be played asks by itself", () => withPage("#game=breakthrough_6x6&pane=explain", async (page) => {
  await askAt(page, "0,5,2");
  assert.match(await text(page, ".here-box"), /why can white not play move\(/);
  assert.match(await text(page, ".proof"), /does not hold/);
}));

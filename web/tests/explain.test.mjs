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

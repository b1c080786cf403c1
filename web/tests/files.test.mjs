// Files that the page opens: trees in brackets and layouts beside rule sheets and matches; of others it says what they are.

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { begin, click, end, ply, sheet, show, text, turn, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

const folder = mkdtempSync(join(tmpdir(), "ggp-files-"));

/** Opens a text as a file of this name. */
async function openFile(page, name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  await (await page.$("#file")).uploadFile(path);
  await page.waitForSelector("main[aria-busy=false]");
}

/** Waits until a game is shown. */
const shows = (page, name) => page.waitForFunction((name) => document.title.startsWith(name), {}, name);

/** A page with a game of the library. */
const withPage = (use) => visit(browser, `${server.address}#game=nim`, use);

test("a tree in brackets is a game, whose nodes are clicked, and survives a reload", () => withPage(async (page) => {
  await openFile(page, "two.tree", "[[3 12 8] [2 4 6] [14 5 2]]");
  await shows(page, "two");
  assert.equal(await turn(page), "max to move");
  assert.equal(await page.$$eval(".branches path", (all) => all.length), 12);
  await click(page, '.square[aria-label="a2"]');
  assert.deepEqual([await ply(page), await turn(page)], [1, "min to move"]);
  await page.waitForFunction(() => document.querySelector("ggp-rules .editor"));
  await page.reload();
  await shows(page, "two");
  assert.match(await sheet(page), /branch\(root,a2,a2\)/);
}));

/** A page as the manager of Stanford's course has it: the sheet stands in a hidden field. */
const MANAGER = `<html><head><title>Manager</title><script>var game = 'step';</script></head><body onload='doinitialize()'>
<textarea id='library' style='display:none'>role(robot)</textarea>
<textarea id='ruleset' style='display:none'>
role(robot)
action(go)
legal(go) :- ~over
go :: ~over ==> over
goal(robot,100) :- over
goal(robot,0) :- ~over &amp; role(robot)
terminal :- over
</textarea></body></html>`;

test("of a page of the course's manager the sheet is taken, also if it is dropped", () => withPage(async (page) => {
  await openFile(page, "one_step.html", MANAGER);
  await shows(page, "one_step");
  assert.match(await sheet(page), /^go :: ~over ==> over$/m);
  await page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "other_step.html"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, MANAGER);
  await shows(page, "other_step");
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["<html><p>nothing</p></html>"], "empty.html"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  });
  await page.waitForFunction(() => /empty.html was not loaded/.test(document.querySelector("#status").textContent));
}));

test("what is no tree is told, and the game stays", () => withPage(async (page) => {
  await openFile(page, "wrong.tree", "[[3 12 8] [2");
  await page.waitForFunction(() => /wrong.tree was not loaded/.test(document.querySelector("#status").textContent));
  assert.match(await page.title(), /^nim/);
}));

const ROOM = "role(robot) init(at(0,0)) base(at(X,Y)) :- drawn(X,Y,_) legal(robot,stay) next(at(X,Y)) :- true(at(X,Y)) terminal :- drawn(X,Y,wall) & true(at(X,Y)) goal(robot,0)\n%! board at(column,row) upwards\n";

test("a layout is opened after its rule sheet, and says so before", () => withPage(async (page) => {
  const layout = "sheet room.gdl\n..#\n...\n";
  await openFile(page, "small.layout", layout);
  await page.waitForFunction(() => /open that rule sheet first/.test(document.querySelector("#status").textContent));
  assert.match(await text(page, "#status"), /small\.layout draws a start for room\.gdl/);
  await openFile(page, "room.gdl", `${ROOM}drawn(0,0,free)`);
  await shows(page, "room");
  await openFile(page, "small.layout", layout);
  await shows(page, "small");
  assert.deepEqual(await page.$$eval(".squares .row", (rows) => rows.map((row) => row.querySelectorAll(".square").length)), [3, 3]);
}));

// Its own action `noop` is a move as any other: what roles without control do has another name, and is not shown.
const TURNS = `role(x)
role(o)
init(cell(1,b))
init(cell(2,b))
init(cell(3,b))
init(control(x))
legal(put(M)) :- cell(M,b)
legal(noop)
put(M) :: control(R) ==> cell(M,R) & ~cell(M,b)
put(_) :: turn
noop :: turn
turn :: control(x) ==> ~control(x) & control(o)
turn :: control(o) ==> ~control(o) & control(x)
goal(R,100) :- cell(1,R)
terminal :- ~open
open :- cell(_,b)
`;

test("of a sheet with operations only the moves of the role in control are shown, in its words", () => withPage(async (page) => {
  await openFile(page, "turns.hrf", TURNS);
  await shows(page, "turns");
  for (const move of ["put(2)", "noop", "put(1)"]) {
    await page.$eval(".legal", (details) => { details.open = true; });
    await click(page, `.move[data-move="${move}"]`);
  }
  const moves = await page.$$eval(".tree li > button", (all) => all.map((one) => one.textContent));
  assert.deepEqual(moves, ["1. put(2)", "2. noop", "3. put(1)"]);
  await show(page, "explain");
  const offered = await page.$$eval("ggp-facts .facts button", (all) => all.map((one) => one.textContent));
  assert.deepEqual(offered.filter((atom) => atom.startsWith("legal")), ["legal(noop)", "legal(put(3))"]);
  await page.type("#question", "cell(2,b)");
  await click(page, "#why");
  assert.match(await text(page, ".proof"), /^cell\(2,b\) does not hold/);
  await show(page, "rules");
  await page.waitForFunction(() => document.querySelector("ggp-rules").text.includes("::"));
  const translate = (name) => page.evaluate((name) => [...document.querySelectorAll("ggp-rules button")].find(({ textContent }) => textContent === name).click(), name);
  await translate("To prefix");
  await page.waitForFunction(() => /^\(role x\)/m.test(document.querySelector("ggp-rules").text));
  assert.match(await sheet(page), /\(legal \?R noop_2\)|\(legal \?r noop_2\)/);
  await translate("To operations");
  await page.waitForFunction(() => /^put\(M\) :: control\(R\) ==> cell\(M,R\)/m.test(document.querySelector("ggp-rules").text));
}));

test("a compiled game is named, with what opens it", () => withPage(async (page) => {
  await openFile(page, "nim.ggp", "ggp propnet 1 00000000 0\n");
  await page.waitForFunction(() => /ggp serve nim.ggp/.test(document.querySelector("#status").textContent));
}));

// The editor of rule sheets: what the language service says of a text, by mouse and by keyboard.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SHAPES, appears, begin, click, drawn, edit, end, flaws, picture, rewrite, sheet, show, text, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

/** Opens the rules of a game, for the time of a test. */
const withRules = (game, use, options) => visit(browser, `${server.address}#game=${game}&pane=rules`, async (page) => {
  await appears(page, ".gdl-keyword");
  await use(page);
}, options);

const inside = (selector) => `ggp-rules >>> ${selector}`;
const words = (page, kind) => page.$$eval(inside(`.gdl-${kind}`), (all) => all.map((one) => one.textContent));

async function press(page, ...keys) {
  for (const key of keys.slice(0, -1)) await page.keyboard.down(key);
  await page.keyboard.press(keys.at(-1));
  for (const key of keys.slice(0, -1)) await page.keyboard.up(key);
}

/** Selects the end of a text in the editor by searching for it. */
async function find(page, wanted) {
  await edit(page);
  await press(page, "Control", "f");
  await appears(page, ".cm-search [main-field]");
  await press(page, "Control", "a");
  await page.keyboard.type(wanted);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
}

test("the editor is loaded when its pane is opened", () => visit(browser, `${server.address}#game=tic_tac_toe`, async (page) => {
  const loaded = () => page.evaluate(() => performance.getEntriesByType("resource").some(({ name }) => name.endsWith("codemirror.js")));
  assert.equal(await loaded(), false);
  await show(page, "rules");
  await appears(page, ".cm-content");
  assert.equal(await loaded(), true);
}));

test("words of both dialects have the colours of their kinds", () => withRules("tic_tac_toe", async (page) => {
  assert.ok((await words(page, "keyword")).includes("role"));
  assert.ok((await words(page, "comment")).length > 0);
  await page.evaluate(() => [...document.querySelectorAll("ggp-rules button")].find(({ textContent }) => textContent === "To prefix").click());
  await page.waitForFunction(() => /^\(role/m.test(document.querySelector("ggp-rules").text));
  await rewrite(page, "(role x)\n(<= (legal ?r (go 1 ?n)) (role ?r) (not (true (at ?n))))\n; the end\n");
  await page.waitForFunction(() => [...document.querySelector("ggp-rules .editor").shadowRoot.querySelectorAll(".gdl-variable")].length === 4);
  assert.deepEqual(await words(page, "keyword"), ["role", "legal", "role", "true"]);
  assert.deepEqual(await words(page, "connective"), ["<=", "not"]);
  assert.deepEqual(await words(page, "number"), ["1"]);
  assert.deepEqual(await words(page, "comment"), ["; the end"]);
  await edit(page);
  await press(page, "Control", "Home");
  await press(page, "Control", "/");
  assert.match(await sheet(page), /^; \(role x\)/, "comments are those of the dialect");
}));

test("problems are underlined, and their fixes made", () => withRules("tic_tac_toe", async (page) => {
  const own = await sheet(page);
  await rewrite(page, `${own}\nsame(X,Y) :- role(X) & role(Y) & not(distinct(X,Y)\n`);
  // Only lines near those in view are drawn: a click on the message leads to its line.
  await (await page.waitForSelector(".problems .error button")).evaluate((button) => button.click());
  await appears(page, ".cm-lintRange, .cm-lintPoint");
  assert.match(await text(page, ".verdict"), /error/);
  await rewrite(page, own.replace("& ~marked(R,C)", "& ~markd(R,C)"));
  await (await page.waitForSelector(".problems .fix")).evaluate((button) => button.click());
  assert.equal(await sheet(page), own);
  await rewrite(page, own);
  assert.equal(await text(page, ".verdict"), "no problems");
}));

test("relations and the arguments of moves are completed", () => withRules("tic_tac_toe", async (page) => {
  await edit(page);
  await press(page, "Control", "End");
  await page.keyboard.type("\nlegal(xplayer,noop) :- ter");
  await appears(page, ".cm-tooltip-autocomplete li");
  assert.match(await text(page, inside(".cm-tooltip-autocomplete")), /terminal/);
  await new Promise((resolve) => setTimeout(resolve, 120));
  await page.keyboard.press("Enter");
  assert.match(await sheet(page), /:- terminal$/);
}));

test("a name leads to its definition, and a hover says what it is", () => withRules("tic_tac_toe", async (page) => {
  await find(page, "~marked");
  await page.keyboard.press("F12");
  await page.waitForFunction(() => /^marked\(R,C\) :- does/.test(document.querySelector("ggp-rules .editor").shadowRoot.querySelector(".cm-activeLine")?.textContent ?? ""));
  await drawn(page);
  const word = await page.$(inside(".cm-activeLine .gdl-relation"));
  await word.hover();
  await appears(page, ".description");
  assert.match(await text(page, inside(".description")), /marked/);
}));

test("clauses fold, brackets match, and a search marks what it finds", () => withRules("tic_tac_toe", async (page) => {
  await edit(page);
  await press(page, "Control", "Home");
  await press(page, "Control", "Alt", "[");
  await appears(page, ".cm-foldPlaceholder");
  await press(page, "Control", "Alt", "]");
  await find(page, "control(");
  await page.keyboard.press("ArrowRight");
  await appears(page, ".cm-matchingBracket");
  await press(page, "Control", "f");
  await appears(page, ".cm-searchMatch");
}));

test("what was typed is undone after a reload and after another game", () => withRules("tic_tac_toe", async (page) => {
  const own = await sheet(page);
  await edit(page);
  await press(page, "Control", "End");
  await page.keyboard.type("% first");
  await new Promise((resolve) => setTimeout(resolve, 700));
  await page.keyboard.type(" second");
  await page.reload();
  await drawn(page);
  await appears(page, ".gdl-keyword");
  assert.equal(await sheet(page), `${own}% first second`);
  await page.select("#game", "nim");
  await drawn(page);
  assert.match(await sheet(page), /nim/);
  await page.select("#game", "tic_tac_toe");
  await drawn(page);
  await edit(page);
  await press(page, "Control", "z");
  assert.equal(await sheet(page), `${own}% first`);
  await press(page, "Control", "z");
  assert.equal(await sheet(page), own);
  await press(page, "Control", "y");
  assert.equal(await sheet(page), `${own}% first`);
}));

test("Tab indents, and after Escape it leaves the editor", () => withRules("tic_tac_toe", async (page) => {
  const own = await sheet(page);
  await edit(page);
  await page.keyboard.press("Tab");
  assert.notEqual(await sheet(page), own);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.closest(".editor") === null), true);
}));

test("a fact shows the rules that made it, and a click goes there", () => withRules("tic_tac_toe", async (page) => {
  await click(page, '[data-place="0,1,1"]');
  await page.evaluate(() => [...document.querySelectorAll("ggp-rules .facts button")].find(({ textContent }) => textContent === "cell(2,2,x)").dispatchEvent(new PointerEvent("pointerenter")));
  await appears(page, ".shown-rule");
  assert.match(await text(page, inside(".shown-rule")), /^next\(cell\(R,C,M\)\) :- does/);
  assert.match(await text(page, ".made"), /next\(cell\(2,2,x\)\): by the rule of line \d+/);
  await page.evaluate(() => [...document.querySelectorAll("ggp-rules .facts button")].find(({ textContent }) => textContent === "control(oplayer)").click());
  await page.waitForFunction(() => /^next\(control/.test(document.querySelector("ggp-rules .editor").shadowRoot.querySelector(".cm-activeLine")?.textContent ?? ""));
}));

for (const shape of SHAPES) {
  test(`the editor has no flaws at ${shape.width} by ${shape.height}${shape.dark ? ", dark" : ""}`, () => withRules("tic_tac_toe", async (page) => {
    assert.deepEqual(await flaws(page), []);
    await picture(page, `editor-${shape.width}${shape.dark ? "-dark" : ""}`);
  }, shape));
}

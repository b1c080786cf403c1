// What a teacher and an author make with the page: a new sheet, films and pictures, and a link for a class.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { appears, begin, click, drawn, end, flaws, needsServer, picture, ply, sheet, show, text, turn, visit } from "./browser.mjs";

let server, browser, folder;
before(async () => {
  [server, browser] = await begin();
  folder = mkdtempSync(join(tmpdir(), "ggp-files-"));
});
after(async () => {
  rmSync(folder, { recursive: true });
  await end(server, browser);
});

const withPage = (hash, use, options) => visit(browser, `${server.address}${hash}`, use, options);

/** Does what saves a file, and returns the text of the file. */
async function saved(page, name, act) {
  const session = await page.createCDPSession();
  await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  await act();
  for (let tries = 0; tries < 200 && !readdirSync(folder).includes(name); tries += 1) await new Promise((later) => setTimeout(later, 50));
  const content = readFileSync(join(folder, name));
  rmSync(join(folder, name));
  return content;
}
const menu = async (page, button) => {
  await page.click(".menu summary");
  await page.click(button);
};

test("a new sheet has a name and a template, is checked and played, and its name is taken then", () => withPage("", async (page) => {
  await page.click("#newsheet");
  await page.waitForSelector("dialog[open]");
  assert.match(await text(page, "dialog .hint"), /2 players mark 3 by 3 cells/);
  const type = (name, value) => page.$eval(`dialog [name=${name}]`, (field, value) => { field.value = value; field.dispatchEvent(new Event("input", { bubbles: true })); }, value);
  await type("name", "own");
  await type("players", "3");
  await type("columns", "5");
  assert.match(await text(page, "dialog .hint"), /3 players mark 5 by 3 cells/);
  assert.deepEqual(await flaws(page), []);
  await picture(page, "new-sheet");
  await page.click("#send");
  await page.waitForFunction(() => document.title.startsWith("own"));
  await page.waitForFunction(() => document.body.dataset.pane === "rules");
  await drawn(page);
  assert.match(await turn(page), /white to move/);
  assert.equal((await page.$$(".square")).length, 15);
  await appears(page, ".cm-content");
  assert.match(await sheet(page), /^% own: 3 players mark the cells/);
  await click(page, '[data-place="0,0,0"]');
  assert.equal(await ply(page), 1);
  await page.$$eval("ggp-rules .bar button", (all) => all.find(({ textContent }) => textContent === "New sheet").click());
  await page.waitForSelector("dialog[open]");
  await type("name", "own");
  await page.click("#send");
  await page.waitForFunction(() => /already/.test(document.querySelector("dialog .problem").textContent));
  await type("columns", "100");
  await page.click("#send");
  assert.equal(await page.$eval("dialog", (dialog) => dialog.open), true, "there is no board of a hundred columns");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector("dialog"));
}));

test("a fix says what it will do, and does it", () => withPage("#game=nim&pane=rules", async (page) => {
  await appears(page, ".cm-content");
  await page.$eval("ggp-rules", (rules) => rules.replace(`${rules.text}\nnext(lost) :- treu(lost)\n`));
  await page.waitForSelector(".fix");
  assert.equal(await text(page, ".fix"), "Fix: replace “treu” by “true”");
  await page.click(".fix");
  await page.waitForFunction(() => document.querySelector("ggp-rules").text.includes("next(lost) :- true(lost)"));
}));

test("one button saves a film of the match, also as a page, and a picture with the last move in a width", () => withPage("#game=connect_four&moves=drop(4) noop;noop drop(3)", async (page) => {
  const film = String(await saved(page, "connect_four.svg", () => menu(page, "#film-svg")));
  assert.match(film, /^<svg/);
  assert.equal(film.match(/class="frame/g).length, 3, "a frame for each position");
  assert.equal(film.match(/cell last/g).length, 2, "the last move is marked in each");
  assert.match(String(await saved(page, "connect_four.html", () => menu(page, "#film-page"))), /<!doctype html>[^]*2: yellow drop\(3\)/);
  assert.equal(String(await saved(page, "position.svg", () => menu(page, "#paint"))).match(/cell last/g).length, 1);
  await page.$eval("#width", (field) => { field.value = "300"; });
  const png = await saved(page, "position.png", () => menu(page, "#paint-png"));
  assert.equal(png.readUInt32BE(16), 300);
}));

test("a search is saved as a film that ends with its tree", () => withPage("#game=nim&pane=search", async (page) => {
  await page.waitForSelector("#film");
  await page.waitForFunction(() => document.querySelector(".progress").textContent.startsWith("A small search") && document.querySelector(".node"));
  const film = String(await saved(page, "search.svg", () => page.click("#film")));
  assert.match(film, /<set attributeName="visibility" to="hidden"/);
  assert.ok(film.match(/<rect/g).length > 20);
  assert.match(film, /The search is over; the best line has 2 moves/);
  const root = await page.evaluate((film) => new DOMParser().parseFromString(film, "image/svg+xml").documentElement.localName, film);
  assert.equal(root, "svg");
}));

test("what is hidden is in no picture, no film and no saved match", () => withPage("#game=monty_hall", async (page) => {
  for (const button of ["#paint", "#film-svg", "#keep"]) {
    await page.$eval("#status", (status) => { status.textContent = ""; });
    await menu(page, button);
    await page.waitForFunction(() => /“Show all” first/.test(document.querySelector("#status").textContent));
  }
}));

test("a link for a class shows the panes that it names, and stays so while one plays", () => withPage("#game=breakthrough_6x6", async (page) => {
  await menu(page, "#embed");
  await page.waitForSelector("dialog[open]");
  for (const box of await page.$$("dialog [type=checkbox]")) if (!["play", "explain"].includes(await box.evaluate(({ value }) => value))) await box.click();
  assert.deepEqual(await flaws(page), []);
  await picture(page, "class-link");
  const link = await page.$eval("#class-link", ({ value }) => value);
  assert.match(await page.$eval("#class-code", ({ value }) => value), /^<iframe src="http.*panes=play\+explain.*title="breakthrough_6x6"/);
  await page.keyboard.press("Escape");
  await page.goto("about:blank");
  await page.goto(link);
  await drawn(page);
  const tabs = () => page.$$eval("[role=tab]", (all) => all.filter((tab) => tab.checkVisibility()).map(({ textContent }) => textContent));
  assert.deepEqual(await tabs(), ["Play", "Explain"]);
  await click(page, '[data-place="0,4,2"]');
  await click(page, '[data-place="0,3,2"]');
  assert.match(page.url(), /panes=play\+explain/);
  await show(page, "explain");
  await page.focus("#tab-explain");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.$eval('[aria-selected="true"]', ({ id }) => id), "tab-play", "the arrow keys skip what is not shown");
  await page.goto("about:blank");
  await page.goto(link.replace(/panes=[^&]*/, "panes="));
  await drawn(page);
  assert.deepEqual(await tabs(), []);
  assert.deepEqual(await flaws(page), []);
  await picture(page, "alone");
}));

test("a page of the same origin may embed the page, and others may not", needsServer("it says who may embed"), async () => {
  const { headers } = await fetch(server.address);
  assert.match(headers.get("content-security-policy"), /frame-ancestors 'self'/);
});

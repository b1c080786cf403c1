// The room of the tools: a handle that is drawn and kept, menus that close, and nothing that covers what one looks at.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, click, drawn, end, flaws, search, show, text, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

const withPage = (hash, use, options) => visit(browser, `${server.address}#game=${hash}`, use, options);
const widths = (page) => page.evaluate(() => [".play", ".side"].map((name) => document.querySelector(name).getBoundingClientRect().width));

test("the handle between board and tools is drawn, moved by keys, and kept", () => withPage("breakthrough_6x6&pane=rules", async (page) => {
  const [board, tools] = await widths(page);
  const { left, top, width, height } = await page.$eval(".handle", (handle) => handle.getBoundingClientRect().toJSON());
  await page.mouse.move(left + width / 2, top + height / 2);
  await page.mouse.down();
  await page.mouse.move(left - 400, top + height / 2, { steps: 5 });
  await page.mouse.up();
  await drawn(page);
  const [smaller, wider] = await widths(page);
  assert.ok(wider > tools + 350 && smaller < board - 350, `${tools} to ${wider}`);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  const squares = await page.$eval(".squares", (squares) => squares.getBoundingClientRect().width);
  assert.ok(squares <= smaller, "the board has become smaller");
  await page.reload();
  await drawn(page);
  assert.deepEqual(await widths(page), [smaller, wider]);
  await page.focus(".handle");
  await page.keyboard.press("ArrowRight");
  assert.ok((await widths(page))[1] < wider);
  await page.keyboard.press("Home");
  assert.deepEqual(await widths(page), [board, tools]);
  assert.deepEqual(await flaws(page), []);
}, { width: 1920, height: 1080 }));

test("the menu closes at Escape, and at a click elsewhere", () => withPage("nim", async (page) => {
  const isOpen = () => page.$eval(".menu", ({ open }) => open);
  await page.click(".menu summary");
  assert.equal(await isOpen(), true);
  await page.keyboard.press("Escape");
  assert.equal(await isOpen(), false);
  assert.equal(await page.evaluate(() => document.activeElement.matches(".menu summary")), true);
  await page.click(".menu summary");
  await page.click(".turn");
  assert.equal(await isOpen(), false);
}));

test("the labels of the steps are whole", () => withPage("nim", async (page) => {
  const cut = await page.$eval("#speed", (select) => {
    const text = document.createElement("span");
    text.style.cssText = `font: ${getComputedStyle(select).font}; position: absolute; visibility: hidden; white-space: nowrap`;
    text.textContent = [...select.options].map(({ textContent }) => textContent).sort((one, other) => other.length - one.length)[0];
    document.body.append(text);
    const { paddingLeft, paddingRight } = getComputedStyle(select);
    // The arrow of a choice has about the width of a letter.
    return text.getBoundingClientRect().width + 16 - (select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight));
  });
  assert.ok(cut <= 0, `${cut} pixels are missing`);
}));

test("a search begins with its position, and neither the map nor a button covers its nodes", () => withPage("connect_four_4x4&pane=search", async (page) => {
  await show(page, "search");
  await page.waitForSelector(".node");
  await search(page, 3, "alphabeta");
  assert.match(await text(page, "ggp-search .count"), /^0 of/);
  assert.match(await text(page, ".node"), /start/, "the box is not empty");
  await click(page, "[title='To the last step']");
  const covered = await page.evaluate(() => {
    const touches = (one, other) => one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    const box = (one) => one.getBoundingClientRect();
    const frame = box(document.querySelector(".explored"));
    const map = [...document.querySelectorAll("ggp-search :is(ggp-overview, .zoom)")].filter((one) => touches(box(one), frame)).map((one) => one.className || one.tagName);
    const folds = [...document.querySelectorAll(".node:has(.fold)")].filter((node) => {
      const mark = node.querySelector(".mark");
      const words = document.createRange();
      words.selectNodeContents(mark);
      return mark.textContent && touches(words.getBoundingClientRect(), box(node.querySelector(".fold")));
    });
    return [...map, ...folds.map(({ textContent }) => textContent)];
  });
  assert.deepEqual(covered, []);
}));

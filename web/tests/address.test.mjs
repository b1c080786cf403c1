// The address: anchors, pasted links, runs that overtake each other, two tabs, and links that are copied.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { begin, click, drawn, end, needsServer, open, ply, root, show, text, turn, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

const withPage = (hash, use, options) => visit(browser, `${server.address}${hash}`, use, options);

test("the skip link leads to the board, and keeps the game", () => withPage("#game=connect_four", async (page) => {
  await click(page, '[data-place="0,5,3"]');
  const before = page.url();
  await page.focus(".skip");
  await page.keyboard.press("Enter");
  await drawn(page);
  assert.deepEqual([page.url(), await ply(page)], [before, 1]);
  assert.match(await turn(page), /yellow/);
  assert.equal(await page.evaluate(() => document.activeElement.closest("ggp-board") !== null), true);
  await page.evaluate(() => { location.hash = "#board"; });
  await drawn(page);
  assert.deepEqual([page.url(), await ply(page)], [before, 1], "an anchor is no game");
}));

test("an illegal move of a link that is pasted into an open tab is named", () => withPage("#game=nim", async (page) => {
  await page.evaluate(() => { location.hash = "#game=connect_four&moves=drop(1) noop;noop drop(9)&pane=explain"; });
  await page.waitForFunction(() => document.title.startsWith("connect_four"));
  await drawn(page);
  assert.equal(await ply(page), 1);
  assert.match(await text(page, "#status"), /the moves of the address end here: `drop\(9\)` is not legal/);
  assert.equal(await page.$eval("#panel-explain", ({ hidden }) => hidden), false);
}));

test("a game that is loaded while another begins is not given the other's chance", async () => {
  await withPage("#game=nim", async (page) => {
    // The throw of pig_dice is under way, or its load, when connect_four is chosen.
    for (const wait of [0, 20, 60, 150, 300, 500]) {
      await page.evaluate(async (wait) => {
        location.hash = "#game=dice_race";
        await new Promise((later) => setTimeout(later, wait));
        location.hash = "#game=connect_four";
      }, wait);
      await page.waitForFunction(() => document.title.startsWith("connect_four"));
      await drawn(page);
      await new Promise((later) => setTimeout(later, 400));
      assert.deepEqual([await ply(page), await turn(page), await text(page, "#status")], [0, "red to move", ""], `after ${wait} ms`);
      assert.equal(await page.$eval("#game", ({ value }) => value), "connect_four");
    }
  });
});

test("two tabs on one game keep their own notes", () => withPage("#game=connect_four", async (first) => {
  await withPage("#game=connect_four", async (second) => {
    const note = async (page, square, words) => {
      await page.bringToFront();
      await click(page, `[data-place="${square}"]`);
      await page.$eval(".note", (note, words) => { note.value = words; note.dispatchEvent(new Event("change")); }, words);
      await drawn(page);
    };
    await note(first, "0,5,3", "the first tab");
    await note(second, "0,5,2", "the second tab");
    await note(first, "0,5,1", "the first tab again");
    for (const [page, words] of [[second, /the second tab/], [first, /the first tab.*the first tab again/s]]) {
      await page.bringToFront();
      await page.reload();
      await drawn(page);
      assert.match(await text(page, ".tree"), words);
    }
  });
}));

test("two tabs on one match add to each other", () => withPage("#game=connect_four", async (first) => {
  await click(first, '[data-place="0,5,3"]');
  const { match, hash } = await first.evaluate(() => ({ match: history.state.match, hash: location.hash }));
  const second = await open(browser, `${server.address}#game=nim`);
  await second.evaluate(({ match, hash }) => { history.replaceState({ match }, "", hash); }, { match, hash });
  await second.reload();
  await drawn(second);
  assert.equal(await ply(second), 1);
  await second.$eval(".note", (note) => { note.value = "by the second"; note.dispatchEvent(new Event("change")); });
  await drawn(second);
  await first.bringToFront();
  await click(first, '[data-place="0,5,2"]');
  await first.reload();
  await drawn(first);
  assert.match(await text(first, ".tree"), /drop\(4\)by the second.*drop\(3\)/s);
  await second.close();
}));

test("a link is copied where the browser lets pages copy, and without encryption too", needsServer("its page has another origin"), async () => {
  for (const isSecure of [true, false]) {
    await withPage("#game=nim", async (page) => {
      await page.evaluate((isSecure) => {
        window.copied = null;
        const clipboard = isSecure ? { writeText: async (text) => { window.copied = text; } } : undefined;
        Object.defineProperty(navigator, "clipboard", { value: clipboard, configurable: true });
        document.execCommand = () => { window.copied = document.activeElement.value; return true; };
      }, isSecure);
      await page.click(".menu summary");
      await click(page, "#share");
      assert.match(await page.evaluate(() => window.copied), /#game=nim/);
      assert.match(await text(page, "#status"), /^The link is copied/);
    });
  }
});

test("rules of one's own begin their own match while another is under way", () => withPage("#game=pig_dice", async (page) => {
  await show(page, "rules");
  const text = readFileSync(`${root}gdl/nim.gdl`, "utf8");
  await page.$eval("ggp-rules", (rules, text) => rules.replace(text), text);
  await click(page, "#run");
  await page.waitForFunction(() => /first to move/.test(document.querySelector(".turn").textContent));
  await new Promise((later) => setTimeout(later, 500));
  assert.equal(await ply(page), 0);
}));

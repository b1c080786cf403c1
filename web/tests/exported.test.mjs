// The page as files: `ggp serve --export`, behind a server that only sends files.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { launch, ply, serveFiles, text, unbuilt as skip } from "./browser.mjs";

/** Waits until a position is drawn. What workers load is never idle for the browser's driver, so the network is not asked. */
async function drawn(page) {
  await page.waitForSelector(".turn strong");
  await page.waitForSelector("main[aria-busy=false]");
}

/** Uses the page for the time of a test, in which it must have no problem. */
async function visit(browser, address, use) {
  const page = await browser.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  try {
    await page.goto(address);
    await drawn(page);
    await use(page);
    assert.deepEqual(problems, []);
  } finally {
    await page.evaluate(() => localStorage.clear()).catch(() => {});
    await page.close();
  }
}

let files, browser, address, folder;
before(async () => {
  if (skip) return;
  files = await serveFiles();
  ({ address, folder } = files);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await files?.end();
});

test("the files are small", { skip }, () => {
  const sizes = ["ggp.wasm", "index.html", "app.js", "style.css"].map((name) => gzipSync(readFileSync(join(folder, name))).length);
  assert.ok(sizes.reduce((sum, size) => sum + size) < 4 << 20, `${sizes} bytes`);
});

test("a match is played without a server", { skip }, () => visit(browser, `${address}#game=tic_tac_toe`, async (page) => {
  assert.equal(await ply(page), 0);
  await page.evaluate(() => document.querySelector(".legal button").click());
  await page.waitForFunction(() => document.querySelector(".turn").dataset.ply === "1");
}));

test("an address leads to a game and its match", { skip }, () => visit(browser, `${address}#game=tic_tac_toe&moves=mark(2,2) noop;noop mark(1,1)`, async (page) => {
  await page.waitForFunction(() => document.querySelector(".turn").dataset.ply === "2");
}));

test("a page of the course opens", { skip }, () => visit(browser, `${address}#game=tic_tac_toe`, async (page) => {
  await page.click("#tab-learn");
  await page.click("#course");
  await page.waitForFunction(() => document.querySelector("ggp-course article h1, ggp-course article h2"));
}));

test("a search is stopped at once, and the session is restored", { skip }, () => visit(browser, address, async (page) => {
  const found = await page.evaluate(async () => {
    const { Server } = await import("./server.js");
    const session = new Server();
    await session.begin();
    await session.line("load connect_four");
    await session.line("do drop(4) noop");
    const stop = new AbortController();
    const told = [];
    const running = session.run("alphabeta --nodes 100000000", (progress) => told.push(progress.nodes), stop.signal).then(() => "done", ({ name }) => name);
    await new Promise((later) => setTimeout(later, 1_500));
    const begun = performance.now();
    stop.abort();
    const end = await running;
    const stopped = performance.now() - begun;
    const { ply } = await session.view();
    await session.end();
    return { end, stopped, ply, told: told.length };
  });
  assert.equal(found.end, "AbortError");
  assert.ok(found.stopped < 300, `${found.stopped} ms`);
  assert.equal(found.ply, 1);
  assert.ok(found.told > 0, "progress was told");
}));

test("without a network the page opens again", { skip }, () => visit(browser, address, async (page) => {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.setOfflineMode(true);
  await page.reload();
  await drawn(page);
  assert.equal(await text(page, "h1"), "ggp");
  await page.setOfflineMode(false);
}));

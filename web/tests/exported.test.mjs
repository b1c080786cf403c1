// The page as files: `ggp serve --export`, behind a server that only sends files.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
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

test("a task of the course is judged without a server", { skip }, () => visit(browser, `${address}#game=tic_tac_toe`, async (page) => {
  await page.click("#tab-learn");
  await page.click("#tasks");
  await page.waitForSelector("ggp-tasks [data-task=beat_manhattan]");
  const answer = async (name, typed) => {
    await page.evaluate((name) => document.querySelector(`ggp-tasks [data-task=${name}]`).click(), name);
    await page.waitForSelector("ggp-tasks .question");
    await page.$eval("ggp-tasks .line, ggp-tasks textarea", (field, typed) => { if (typed) field.value = typed; }, typed);
    await page.evaluate(() => document.querySelector("ggp-tasks form button").click());
    await page.waitForFunction(() => document.querySelector("ggp-tasks .verdict").childElementCount);
    const said = await text(page, "ggp-tasks .verdict");
    await page.evaluate(() => [...document.querySelectorAll("ggp-tasks button")].find(({ textContent }) => textContent === "All tasks").click());
    return said;
  };
  assert.match(await answer("two_ply_value", "2"), /Not right\..*2 is too small/);
  assert.match(await answer("two_ply_value", "3"), /Right\./);
  assert.match(await answer("missing_frame_rule", ""), /Not right\..*they differ after/);
  assert.equal(await page.$$eval("ggp-tasks li[data-mark=right]", (items) => items.length), 1);
}));

test("a search is stopped at once, and the session is restored", { skip }, (context) => visit(browser, `${address}#game=tic_tac_toe`, async (page) => {
  const found = await page.evaluate(async () => {
    const { Server } = await import("./server.js");
    const session = new Server();
    await session.begin();
    await session.line("load connect_four");
    await session.line("do drop(4) noop");
    const [stopped, restored, ends, plies] = [[], [], [], []];
    let told = 0;
    for (let time = 0; time < 5; time += 1) {
      const stop = new AbortController();
      const running = session.run("alphabeta --nodes 100000000", () => { told += 1; }, stop.signal).then(() => "done", ({ name }) => name);
      await new Promise((later) => setTimeout(later, 800));
      const begun = performance.now();
      stop.abort();
      ends.push(await running);
      stopped.push(performance.now() - begun);
      plies.push((await session.view()).ply);
      restored.push(performance.now() - begun);
    }
    await session.end();
    const sorted = (times) => times.sort((one, other) => one - other);
    return { stopped: sorted(stopped), restored: sorted(restored), ends, plies, told };
  });
  const [stopped, restored] = [found.stopped, found.restored].map((times) => `${times[2].toFixed(1)} ms (median of 5), at most ${times[4].toFixed(1)} ms`);
  context.diagnostic(`a search is stopped after ${stopped}; its session has the position again after ${restored}`);
  assert.ok(found.stopped[2] < 300, `${found.stopped} ms`);
  assert.deepEqual(found.ends, Array(5).fill("AbortError"));
  assert.deepEqual(found.plies, Array(5).fill(1));
  assert.ok(found.told > 0, "progress was told");
}));

test("a request that takes too long ends, and one behind it is answered", { skip }, () => visit(browser, `${address}#game=tic_tac_toe`, async (page) => {
  const [long, behind] = await page.evaluate(async () => {
    const { Server } = await import("./server.js");
    const session = new Server();
    await session.begin();
    await session.line("load connect_four");
    await session.line("do drop(4) noop");
    Server.patience = 700;
    const long = session.line("alphabeta --nodes 100000000").then(() => "done", ({ message }) => message);
    await new Promise((later) => setTimeout(later, 100));
    Server.patience = 60_000;
    const answers = [await long, (await session.view()).ply];
    await session.end();
    return answers;
  });
  assert.match(long, /^this was not finished, and the match is restored: it takes more than 0\.7 seconds$/);
  assert.equal(behind, 1);
}));

/** Serves the page with a module to which only this many pages of memory (of 64 KiB) are left. */
async function withLittleMemory(left, use) {
  const poor = await serveFiles();
  const path = join(poor.folder, "library.js");
  const rich = "library.#instance = await WebAssembly.instantiate(module, { ggp });";
  const script = readFileSync(path, "utf8");
  assert.ok(script.includes(rich));
  // The bound of the module is 2 GiB. What is taken here is only reserved.
  writeFileSync(path, script.replace(rich, `${rich}
    const { memory } = library.#instance.exports;
    memory.grow(32_768 - memory.buffer.byteLength / 65_536 - ${left});`));
  try {
    await use(poor.address);
  } finally {
    await poor.end();
  }
}

test("out of memory, the page says so and goes on with the match", { skip }, () => withLittleMemory(400, (poor) => visit(browser, `${poor}#game=connect_four&moves=drop(4) noop`, async (page) => {
  assert.equal(await ply(page), 1);
  await page.click("#tab-lab");
  await page.click('[data-lab="prompt"]');
  await page.waitForSelector("#line");
  await page.type("#line", "solve --seconds 60");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /there is not enough memory in the browser/.test(document.body.innerText), { timeout: 60_000 });
  await page.waitForSelector("main[aria-busy=false]");
  assert.equal(await ply(page), 1);
  await page.evaluate(() => document.querySelector(".legal button").click());
  await page.waitForFunction(() => document.querySelector(".turn").dataset.ply === "2");
})));

test("without a network the page opens again, and a match is played", { skip }, () => visit(browser, `${address}#game=tic_tac_toe`, async (page) => {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await files.away();
  await page.setOfflineMode(true);
  await page.reload();
  await drawn(page);
  assert.equal(await text(page, "h1"), "ggp");
  await page.evaluate(() => document.querySelector(".legal button").click());
  await page.waitForFunction(() => document.querySelector(".turn").dataset.ply === "1");
  await page.click("#tab-learn");
  await page.click("#course");
  await page.waitForFunction(() => document.querySelector("ggp-course article h1, ggp-course article h2"));
  await page.setOfflineMode(false);
}));

// How fast the page is: its size, its first paint, and the time from a click to the board after it, in the games of the
// library and in the rule sheets that are named. A measurement, not a test: `node speed.mjs [SHEET…]`.

import { readdirSync, statSync } from "node:fs";
import { drawn, launch, open, root, serve } from "./browser.mjs";

const files = readdirSync(`${root}web`).filter((name) => /\.(js|css|html|svg)$/.test(name));
const bytes = files.reduce((sum, name) => sum + statSync(`${root}web/${name}`).size, 0);
console.log(`the page: ${bytes} bytes in ${files.length} files`);

const server = await serve();
const browser = await launch();
const paints = [];
for (let run = 0; run < 5; run += 1) {
  const page = await open(browser, `${server.address}#game=tic_tac_toe`);
  paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
  await page.close();
}
const median = (times) => times.sort((one, other) => one - other)[times.length >> 1].toFixed(0);
console.log(`first paint: ${median(paints)} ms (median of ${paints.length})`);

/** Makes moves, and returns the milliseconds from each click to the board and the legal moves after it. */
async function clicks(page, most) {
  const times = [];
  for (let number = 0; number < most; number += 1) {
    const time = await page.evaluate(() => new Promise((resolve) => {
      const buttons = [...document.querySelectorAll(".moves button")];
      if (!buttons.length) return resolve(null);
      const began = performance.now();
      const observer = new MutationObserver(() => {
        observer.disconnect();
        requestAnimationFrame(() => resolve(performance.now() - began));
      });
      observer.observe(document.querySelector(".tree"), { childList: true });
      buttons[Math.floor(buttons.length / 2)].click();
    }));
    if (time === null) break;
    times.push(time);
    await drawn(page);
  }
  return times;
}

const page = await open(browser, `${server.address}#game=tic_tac_toe`);
for (const game of ["tic_tac_toe", "connect_four", "breakthrough_6x6", "peg_solitaire"]) {
  await page.select("#game", game);
  await drawn(page);
  const times = await clicks(page, 7);
  console.log(`${game}: ${median(times)} ms a click (median of ${times.length}, at most ${Math.max(...times).toFixed(0)})`);
}
for (const sheet of process.argv.slice(2)) {
  const file = await page.$("#file");
  await file.uploadFile(sheet);
  await page.waitForFunction((name) => document.title.startsWith(name), { timeout: 120_000 }, sheet.split("/").at(-1));
  await drawn(page);
  const times = await clicks(page, 7);
  console.log(`${sheet.split("/").at(-1)}: ${median(times)} ms a click (median of ${times.length}, at most ${Math.max(...times).toFixed(0)})`);
}

// The tree of a search with more than 10,000 nodes, scrolled by 300 pixels in each frame.
await page.select("#game", "tic_tac_toe");
await drawn(page);
await page.click("#tab-search");
await page.select("#traced", "minimax");
await page.$eval("ggp-search ggp-options", (options) => options.show(`${document.querySelector("#traced").value} --depth 5`));
await page.click("#trace");
await page.waitForFunction(() => document.querySelector("#trace").textContent === "Search" && !document.querySelector(".traced").hidden);
await page.click("[title='To the last step']");
const { nodes, frames } = await page.evaluate(async () => {
  const view = document.querySelector(".explored");
  const frame = () => new Promise(requestAnimationFrame);
  const frames = [];
  for (let number = 0, before = await frame(); number < 300; number += 1) {
    view.scrollTop += 300;
    const now = await frame();
    frames.push(now - before);
    before = now;
  }
  const rows = Math.round(document.querySelector(".extent").clientHeight / 46);
  return { nodes: rows, frames };
});
frames.sort((one, other) => one - other);
const rate = (share) => (1000 / frames[Math.floor(share * (frames.length - 1))]).toFixed(0);
console.log(`a tree of ${nodes} leaves and their parents, scrolled: ${rate(0.5)} frames a second (median of ${frames.length}, the slowest ${rate(1)}, 19 of 20 at least ${rate(0.95)})`);
await browser.close();
await server.end();

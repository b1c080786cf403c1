// How fast the worker is beside the program: random games one state at a time, random games in lanes on one thread, and
// alpha-beta, in ten games, by turns; the size of the exported page, its first paint, and the time until the prompt has
// answered. A measurement, not a test: `GGP=target/release/ggp node worker_speed.mjs [SECONDS]`.

import { readFileSync, readdirSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { launch, root, serve, serveFiles } from "./browser.mjs";

const SECONDS = Number(process.argv[2] ?? 0.5);
const ROUNDS = 3;
const LIBRARY = ["tic_tac_toe", "nim", "connect_four", "connect_four_5x5", "breakthrough_6x6"];
const CORPUS = ["breakthrough", "reversi", "pentago", "dotsAndBoxes", "checkers"];
const corpus = join(process.env.GGP_CORPUS ?? `${root}../shared/corpus`, "kif");

const middle = (values) => values.sort((one, other) => one - other)[values.length >> 1];

const [server, files, browser] = [await serve(), await serveFiles(), await launch()];

// Size, first paint, and the first answer of the prompt. A new context has nothing in its cache.
const sizes = (folder) => readdirSync(folder, { withFileTypes: true }).map((entry) => (entry.isDirectory() ? sizes(join(folder, entry.name)) : gzipSync(readFileSync(join(folder, entry.name))).length)).reduce((sum, size) => sum + size);
console.log(`size: ${sizes(files.folder)} bytes compressed, ${gzipSync(readFileSync(join(files.folder, "ggp.wasm"))).length} of them the library`);
const [paints, answers] = [[], []];
for (let round = 0; round < 5; round += 1) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.goto(`${files.address}#game=tic_tac_toe&pane=prompt`);
  await page.waitForSelector("main[aria-busy=false]");
  await page.waitForSelector(".turn strong");
  answers.push(await page.evaluate(async () => {
    const { Server } = await import("./server.js");
    const session = new Server();
    const began = performance.now();
    await session.begin();
    await session.line("load tic_tac_toe");
    // The page itself has answered before: its first answer is the position that it shows.
    return { shown: began, own: performance.now() - began };
  }));
  paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
  await context.close();
}
console.log(`first paint: ${middle(paints).toFixed(0)} ms; a position is shown, by the first answers, within ${middle(answers.map(({ shown }) => shown)).toFixed(0)} ms; another session answers its first line after ${middle(answers.map(({ own }) => own)).toFixed(0)} ms (medians of 5)`);

// Both sides: a function from requests to answers with the milliseconds that they took.
const page = await browser.newPage();
await page.goto(`${files.address}#game=tic_tac_toe`);
await page.waitForSelector("main[aria-busy=false]");
await page.evaluate(async () => {
  const { Server } = await import("./server.js");
  globalThis.session = new Server();
  await globalThis.session.begin();
});
const worker = (task, body) => page.evaluate(async (task, body) => {
  const began = performance.now();
  const answer = await globalThis.session.object(task, body);
  return [answer, performance.now() - began];
}, task, body);
const address = `http://127.0.0.1:${server.port}/api/sessions`;
const sent = (body) => ({ method: "POST", headers: { Authorization: `Bearer ${server.token}` }, body: JSON.stringify(body) });
const { session } = await (await fetch(address, sent())).json();
const native = async (task, body) => {
  const began = performance.now();
  const answer = await (await fetch(`${address}/${session}/${task === "load" ? "sheet" : task}`, sent(body))).json();
  return [answer, performance.now() - began];
};

async function line(side, text) {
  const [{ records: [{ answer, error }] }, time] = await side("lines", { lines: [text] });
  if (error) throw new Error(`${text}: ${error}`);
  return [answer, time];
}

/** States a second of random games, one state at a time: as many games as take the time. */
async function single(side) {
  for (let games = 10; ; games *= 3) {
    const [{ plies }, time] = await line(side, `playout ${games}`);
    if (time > SECONDS * 700) return (plies / time) * 1_000;
  }
}
async function lanes(side) {
  const [{ states }, time] = await line(side, `simulate --seconds ${SECONDS} --threads 1`);
  return (states / time) * 1_000;
}
async function alphabeta(side) {
  const [{ cost: { nodes } }, time] = await line(side, `alphabeta --seconds ${SECONDS}`);
  return (nodes / time) * 1_000;
}

const short = (rate) => (rate >= 1e6 ? `${(rate / 1e6).toPrecision(3)} M` : `${(rate / 1e3).toPrecision(3)} k`);
console.log(`\n| game | one state | | lanes | | alpha-beta | |\n|---|---|---|---|---|---|---|`);
for (const name of [...LIBRARY, ...CORPUS]) {
  for (const side of [native, worker]) {
    if (LIBRARY.includes(name)) await line(side, `load ${name}`);
    else await side("load", { name: `${name}.kif`, text: readFileSync(join(corpus, `${name}.kif`), "utf8") });
  }
  const cells = [];
  for (const measure of [single, lanes, alphabeta]) {
    const [ratios, own] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      const [with_program, in_tab] = [await measure(native), await measure(worker)];
      ratios.push(in_tab / with_program);
      own.push(in_tab);
    }
    cells.push(`${short(middle(own))} | ${middle(ratios).toFixed(2)}`);
  }
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}
console.log(`load ${loadavg()[0].toFixed(1)}`);
await browser.close();
await server.end();
await files.end();

// How fast the worker is beside the program: random games one state at a time, random games in lanes on one thread, and
// alpha-beta, in ten games, by turns, per CPU second; the size of the exported page, its first paint, and the time until the prompt has
// answered. A measurement, not a test: `GGP=target/release/ggp node worker_speed.mjs [SECONDS]`, on Linux.

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

// Both sides: a function from requests to answers.
const page = await browser.newPage();
await page.goto(`${files.address}#game=tic_tac_toe`);
await page.waitForSelector("main[aria-busy=false]");
await page.evaluate(async () => {
  const { Server } = await import("./server.js");
  globalThis.session = new Server();
  await globalThis.session.begin();
});
const worker = (task, body) => page.evaluate((task, body) => globalThis.session.object(task, body), task, body);
const address = `http://127.0.0.1:${server.port}/api/sessions`;
const sent = (body) => ({ method: "POST", headers: { Authorization: `Bearer ${server.token}` }, body: JSON.stringify(body) });
const { session } = await (await fetch(address, sent())).json();
const native = async (task, body) => (await fetch(`${address}/${session}/${task === "load" ? "sheet" : task}`, sent(body))).json();

/** The answers to a line that is asked some times. */
async function answered(ask, line, times = 1) {
  const { records } = await ask("lines", { lines: Array(times).fill(line) });
  const error = records.at(-1).error;
  if (error) throw new Error(`${line}: ${error}`);
  return records.map(({ answer }) => answer);
}

/** The CPU seconds of a process and of those below it, as Linux counts them. Other work of the machine is not in them. */
function seconds(pid) {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((id) => {
    try {
      const fields = readFileSync(`/proc/${id}/stat`, "utf8").replace(/^.*\) /s, "").split(" ");
      return [{ id: Number(id), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }];
    } catch {
      return [];
    }
  });
  const family = new Set([pid]);
  for (let known = 0; known < family.size;) {
    known = family.size;
    for (const { id, parent } of processes) if (family.has(parent)) family.add(id);
  }
  return processes.filter(({ id }) => family.has(id)).reduce((sum, { ticks }) => sum + ticks, 0) / 100;
}

/** The kinds of work: a line with this much of it, and how much an answer has. */
const WORK = [
  { line: (games) => `playout ${games}`, done: ({ plies }) => plies, least: 1 },
  { line: (games) => `simulate --playouts ${games} --threads 1`, done: ({ states }) => states, least: 1 },
  { line: (nodes) => `alphabeta --nodes ${nodes}`, done: ({ cost: { nodes } }) => nodes, least: 5000 },
];

/** What a side does in a CPU second with this much work, some times, without the least work, which has the set-up. */
async function rate({ ask, pid }, { line, done }, { amount, times, fixed }) {
  const before = seconds(pid);
  const answers = await answered(ask, line(amount), times);
  const time = seconds(pid) - before - fixed.time;
  const all = answers.reduce((sum, answer) => sum + done(answer), -fixed.all);
  return { time, all, rate: all / time };
}

/** The work that takes a side as long as is wanted: more of it or, where there is no more, the same again. */
async function enough(side, work) {
  // What is set up first, and compiled, is not measured; the least work has what a call sets up.
  const least = [];
  for (let round = 0; round < ROUNDS + 1; round += 1) least.push(await rate(side, work, { amount: work.least, times: 1, fixed: { time: 0, all: 0 } }));
  const fixed = { all: least[0].all, time: middle(least.slice(1).map(({ time }) => time)) };
  for (let [size, last] = [{ amount: work.least * 30, times: 1, fixed }, 0]; ;) {
    const { time, all } = await rate(side, work, size);
    if (time > SECONDS) return size;
    const isAll = all < last * 1.5;
    size = isAll ? { ...size, times: size.times * 3 } : { ...size, amount: size.amount * 3 };
    last = all;
  }
}

const SIDES = [{ ask: native, pid: server.child.pid }, { ask: worker, pid: browser.process().pid }];
const short = (rate) => (rate >= 1e6 ? `${(rate / 1e6).toPrecision(3)} M` : `${(rate / 1e3).toPrecision(3)} k`);
console.log(`\n| game | one state | | lanes | | alpha-beta | |\n|---|---|---|---|---|---|---|`);
for (const name of [...LIBRARY, ...CORPUS]) {
  for (const { ask } of SIDES) {
    if (LIBRARY.includes(name)) await answered(ask, `load ${name}`);
    else await ask("load", { name: `${name}.kif`, text: readFileSync(join(corpus, `${name}.kif`), "utf8") });
  }
  const cells = [];
  for (const work of WORK) {
    const amounts = [];
    for (const side of SIDES) amounts.push(await enough(side, work));
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const speeds = [];
      for (const [index, side] of SIDES.entries()) speeds.push((await rate(side, work, amounts[index])).rate);
      rounds.push({ own: speeds[1], ratio: speeds[1] / speeds[0] });
    }
    cells.push(`${short(middle(rounds.map(({ own }) => own)))} | ${middle(rounds.map(({ ratio }) => ratio)).toFixed(2)}`);
  }
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}
console.log(`load ${loadavg()[0].toFixed(1)}`);
await browser.close();
await server.end();
await files.end();

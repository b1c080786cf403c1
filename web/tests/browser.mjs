// What the tests of the page share: a browser, and what answers the page in it. That is `ggp serve` on a free port or, if
// GGP_PAGE is `worker`, the exported page with its worker, behind a server that only sends files.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, join, normalize } from "node:path";
import puppeteer from "puppeteer-core";

const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const root = new URL("../..", import.meta.url).pathname;
export const program = process.env.GGP ?? `${root}target/debug/ggp`;
/** The library for browsers, and why tests that need it are skipped, if they are. */
export const built = process.env.GGP_WASM ?? `${root}target/wasm32-unknown-unknown/wasm/ggp_wasm.wasm`;
export const unbuilt = existsSync(built) ? false : "there is no WebAssembly module: web/wasm builds it";
const pictures = `${root}target/web`;

/** Whether the page has a worker in place of the server. */
export const hasWorker = process.env.GGP_PAGE === "worker";
/** The options of a test that needs the program, and so is skipped where there is a worker: for this reason. */
export const needsServer = (reason) => ({ skip: hasWorker && `needs the program: ${reason}` });

/** The path of a browser of this machine, if there is one. */
export const browserPath = () => BROWSERS.find((path) => path && existsSync(path));

/** Starts `ggp serve`; returns the address with its secret, and how to end it. */
export async function serve(...options) {
  const port = options.includes("--port") ? [] : ["--port", "0"];
  const child = spawn(program, ["serve", ...port, "--no-open", "--log", "off", ...options], { stdio: ["ignore", "pipe", "ignore"] });
  const address = await new Promise((resolve, reject) => {
    child.stdout.once("data", (line) => resolve(String(line).trim()));
    child.once("exit", (code) => reject(new Error(`ggp serve ended with ${code}`)));
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  return { address, port: new URL(address).port, token: new URL(address).searchParams.get("token"), child, end: () => { child.kill("SIGINT"); return ended; } };
}

const TYPES = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml", wasm: "application/wasm" };

/** Exports the page and sends its files; returns the address, the folder, and how to stop to answer (`away`) and to end. */
export async function serveFiles() {
  const folder = mkdtempSync(join(tmpdir(), "ggp-page-"));
  const exported = spawnSync(program, ["serve", "--export", folder, "--wasm", built]);
  assert.equal(exported.status, 0, String(exported.stderr));
  const files = createServer(({ url }, response) => {
    const path = normalize(new URL(url, "http://localhost").pathname).replace(/^\/page/, "").replace(/^\/?$/, "/index.html");
    const file = join(folder, path);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": TYPES[path.split(".").pop()] ?? "text/html" }).end(readFileSync(file));
  });
  await new Promise((listening) => files.listen(0, "127.0.0.1", listening));
  const away = async () => {
    files.closeAllConnections();
    await new Promise((closed) => files.close(closed));
  };
  const end = async () => {
    await away();
    rmSync(folder, { recursive: true });
    return 0;
  };
  // Below the root, as on pages of repositories.
  return { address: `http://127.0.0.1:${files.address().port}/page/`, folder, away, end };
}

/** What answers the page: with its address, and how to end it. */
export const answering = () => (hasWorker ? serveFiles() : serve());

export async function launch() {
  return puppeteer.launch({ executablePath: browserPath(), args: ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"], protocolTimeout: 120_000 });
}

/** What answers the page, and the browser, for a file of tests. */
export const begin = async () => [await answering(), await launch()];

/** Ends both after the tests of a file. */
export async function end(server, browser) {
  await browser.close();
  assert.equal(await server.end(), 0, "Ctrl-C ends the server");
}

/** Counts the requests to the server and to workers that are not answered, in the pages that are opened after this. */
const countRequests = (page) => page.evaluateOnNewDocument(() => {
  window.unanswered = 0;
  const ask = window.fetch;
  window.fetch = async (...given) => {
    window.unanswered += 1;
    const close = () => { window.unanswered -= 1; };
    try {
      const response = await ask(...given);
      // An answer has come when its body has.
      response.clone().arrayBuffer().then(close, close);
      return response;
    } catch (error) {
      close();
      throw error;
    }
  };
  window.Worker = class extends Worker {
    #open = new Set();
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data: { number, progress } }) => { if (!progress) this.#close(number); });
    }
    #close(number) {
      if (this.#open.delete(number)) window.unanswered -= 1;
    }
    postMessage(request) {
      this.#open.add(request.number);
      window.unanswered += 1;
      super.postMessage(request);
    }
    terminate() {
      this.#open.forEach((number) => this.#close(number));
      super.terminate();
    }
  };
});

/** Waits until the page has drawn a frame, if it is in front, and asks nothing: what follows an answer is asked at once. */
const idle = (page) => page.evaluate(async () => {
  const pause = (time) => new Promise((later) => setTimeout(later, time));
  await Promise.race([new Promise(requestAnimationFrame), pause(100)]);
  for (let quiet = 0; quiet < 6; quiet = window.unanswered ? 0 : quiet + 1) await pause(5);
});

/** The windows in which the page is looked at. */
export const SHAPES = process.env.BRIEF
  ? [{ width: 390, height: 844, dark: true }]
  : [{ width: 1280, height: 800 }, { width: 390, height: 844 }, { width: 1280, height: 800, dark: true }];

/** What is wrong with the page as it is: what axe finds, and whether something is wider than the window. */
export async function flaws(page) {
  await page.evaluate(readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8"));
  const { violations } = await page.evaluate("axe.run()");
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  return [...violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), ...(isWide ? ["something is wider than the window"] : [])];
}

/** A tab without a page. */
export async function tab(browser) {
  const page = await browser.newPage();
  await countRequests(page);
  return page;
}

/** A page on the server; errors in its scripts and refused files are errors of the test. */
export async function open(browser, address, { width = 1280, height = 800, dark = false } = {}) {
  const page = await tab(browser);
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }, { name: "prefers-reduced-motion", value: "reduce" }]);
  await page.goto(address);
  await drawn(page);
  return page;
}

/** Uses a page on the server for the time of a test, in which it must have no problem. */
export async function visit(browser, address, use, options) {
  const page = await open(browser, address, options);
  try {
    await use(page);
    assert.deepEqual(page.problems, []);
  } finally {
    await forget(page);
    await page.close();
  }
}

/** Removes what the page has kept in the browser, but for the secret of the server. */
export const forget = (page) => page.evaluate(() => Object.keys(localStorage).filter((key) => key !== "token").forEach((key) => localStorage.removeItem(key))).catch(() => {});

/** Waits until a position with its targets is drawn, or the list of games is. */
export async function drawn(page) {
  await page.waitForSelector(".turn strong, .home .cards");
  await idle(page);
  await page.waitForSelector("main[aria-busy=false]");
}

/** Where the corpus is, which may be missing. */
export const corpus = join(process.env.GGP_CORPUS ?? `${root}../shared/corpus`, "kif");

/** Opens a rule sheet in a page, and waits for its position; the network of a large sheet may be set up for longer. */
export async function openSheet(page, path) {
  await (await page.$("#file")).uploadFile(path);
  await page.waitForFunction((name) => document.title.startsWith(name), { timeout: 60_000 }, basename(path).replace(/\..*/, ""));
  await page.waitForSelector("main[aria-busy=false]");
}

/** The text of the element. */
export const text = (page, selector) => page.$eval(selector, (one) => one.textContent);

/** The ply of the position, and the line above the board. */
export const ply = (page) => page.$eval(".turn", (turn) => Number(turn.dataset.ply));
export const turn = (page) => text(page, ".turn strong");

/** Shows a pane, or a tool of the lab. */
export async function show(page, pane) {
  const isTool = await page.evaluate((pane) => Boolean(document.querySelector(`[data-lab="${pane}"]`)), pane);
  if (isTool) await page.click("#tab-lab");
  await click(page, isTool ? `[data-lab="${pane}"]` : `#tab-${pane}`);
}

/** The text in the editor of the rule sheet, and how to take another in its place. */
export const sheet = (page) => page.$eval("ggp-rules", (rules) => rules.text);
export const rewrite = (page, text) => page.$eval("ggp-rules", (rules, text) => rules.replace(text), text);

/** Waits until something appears in the editor, whose elements are in a tree of their own. */
export const appears = async (page, selector) => (await page.waitForFunction(
  (selector) => document.querySelector("ggp-rules .editor").shadowRoot?.querySelector(selector), {}, selector)).asElement();

/** Puts the focus into the editor. */
export const edit = async (page) => (await appears(page, ".cm-content")).focus();

/** Sets an option of a command by its control: a value, or `true` and `false` for one that is on or off. */
export async function option(page, within, name, value) {
  await page.$eval(`${within} ggp-options details`, (details) => { details.open = true; });
  await page.waitForSelector(`${within} [data-option="${name}"]`);
  await page.$eval(`${within} [data-option="${name}"]`, (field, value) => {
    if (typeof value === "boolean") field.checked = value;
    else field.value = value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }, value);
}

/** Shows the buttons of the legal moves. */
export const unfold = (page) => page.$eval(".legal", (details) => { details.open = true; });

/** Clicks and waits until the page has drawn what follows. */
export async function click(page, selector) {
  await page.click(selector);
  await drawn(page);
}

/** Keeps a picture of the page in `target/web`, to be looked at. */
export async function picture(page, name) {
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ path: `${pictures}/${name}.png` });
}

/** Runs a search of the search view. */
export async function search(page, depth, line = null, options = "") {
  if (line) await page.select("#traced", line);
  await page.$eval("ggp-search ggp-options", (field, given) => field.show(`${document.querySelector("#traced").value} ${given}`), [depth ? `--depth ${depth}` : "", options].join(" "));
  await page.click("#trace");
  await page.waitForFunction(() => document.querySelector("#trace").textContent === "Search");
}

/**
 * Steps back in a searched tree, drags, zooms and folds it, 16 times each. Resolves to what each time took: by the name of
 * the act, the milliseconds until the next frame, the nodes that were added to the page, and those that are in it then.
 */
export const actInTree = (page) => page.evaluate(async () => {
  const part = (selector) => document.querySelector(`ggp-search ${selector}`);
  const [view, frame] = [part(".explored"), () => new Promise(requestAnimationFrame)];
  const acts = {
    step: () => part("[title='One step back']").click(),
    drag: (turn) => { view.scrollTop = 700 * turn; },
    zoom: (turn) => part(turn < 8 ? "[title^='Zoom out']" : "[title^='Zoom in']").click(),
    far: (turn) => { view.scrollTop = view.scrollHeight * ((turn * 7 % 16) / 16); },
    fold: () => part("#fold").click(),
  };
  let added = 0;
  const nodesIn = (element) => (element.matches?.(".node") ? 1 : 0) + (element.querySelectorAll?.(".node").length ?? 0);
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const element of addedNodes) added += nodesIn(element);
  });
  observer.observe(part(".explored"), { childList: true, subtree: true });
  const done = {};
  for (const [name, act] of Object.entries(acts)) {
    done[name] = [];
    for (let turn = 0; turn < 16; turn += 1) {
      await frame();
      added = 0;
      const began = performance.now();
      act(turn);
      await frame();
      await new Promise((later) => setTimeout(later));
      done[name].push({ time: performance.now() - began, added, shown: document.querySelectorAll(".node").length });
    }
  }
  observer.disconnect();
  return done;
});

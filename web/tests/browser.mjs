// What the tests of the page share: `ggp serve` on a free port, and a browser.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import puppeteer from "puppeteer-core";

const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const root = new URL("../..", import.meta.url).pathname;
export const program = process.env.GGP ?? `${root}target/debug/ggp`;
const pictures = `${root}target/web`;

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

export async function launch() {
  return puppeteer.launch({ executablePath: browserPath(), args: ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"], protocolTimeout: 120_000 });
}

/** The server and the browser of a file of tests. */
export const begin = async () => [await serve(), await launch()];

/** Ends both after the tests of a file. */
export async function end(server, browser) {
  await browser.close();
  assert.equal(await server.end(), 0, "Ctrl-C ends the server");
}

/** The windows in which the page is looked at. */
export const SHAPES = [{ width: 1280, height: 800 }, { width: 390, height: 844 }, { width: 1280, height: 800, dark: true }];

/** What is wrong with the page as it is: what axe finds, and whether something is wider than the window. */
export async function flaws(page) {
  await page.evaluate(readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8"));
  const { violations } = await page.evaluate("axe.run()");
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  return [...violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), ...(isWide ? ["something is wider than the window"] : [])];
}

/** A page on the server; errors in its scripts and refused files are errors of the test. */
export async function open(browser, address, { width = 1280, height = 800, dark = false } = {}) {
  const page = await browser.newPage();
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

/** Waits until a position with its targets is drawn. */
export async function drawn(page) {
  await page.waitForSelector(".turn strong");
  await page.waitForNetworkIdle({ idleTime: 120, concurrency: 0 });
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

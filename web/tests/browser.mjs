// What the tests of the page share: `ggp serve` on a free port, and a browser.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
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

/** Waits until a position with its targets is drawn. */
export async function drawn(page) {
  await page.waitForSelector(".turn strong");
  await page.waitForNetworkIdle({ idleTime: 120, concurrency: 0 });
}

/** The text of the element. */
export const text = (page, selector) => page.$eval(selector, (one) => one.textContent);

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

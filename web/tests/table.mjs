// What tests share about the table of Stanford's course: its pages, which are test data and may be missing, and matches between
// pages in the tabs of one browser.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { built, program, root, unbuilt } from "./browser.mjs";

/** The course's pages. */
export const course = join(process.env.GGP_CORPUS ?? `${root}../shared/corpus`, "../stanford/gamemaster");
/** Why tests that need them are skipped, if they are. */
export const missing = unbuilt || (existsSync(course) ? false : "the pages of Stanford's course are missing");

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

/** The games of the course's pages, but for sheets on which Epilog itself takes minutes for a move. */
export const games = () => readdirSync(join(course, "games")).map((file) => file.replace(".html", "")).filter((game) => !/^bad/.test(game));

/** Runs `ggp gamemaster`; an error of the program is one of the test. */
export function make(...options) {
  const wasm = options.includes("--module") ? [] : ["--wasm", built];
  const { status, stderr } = spawnSync(program, ["gamemaster", ...wasm, "--force", ...options], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

/** The text of the rule sheet of a game's page. */
export function sheetOf(game) {
  const page = readFileSync(join(course, `games/${game}.html`), "utf8");
  const [, sheet] = /<textarea id='ruleset'[^>]*>([\s\S]*?)<\/textarea>/.exec(page);
  return sheet.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/**
 * Sends the course's pages, and files of ours: a page of the player, the script for players of one's own, and texts that a
 * test adds by their paths. The pages of players lie in `/players/`, where the course's find their scripts.
 */
export async function lay(...options) {
  const folder = mkdtempSync(join(tmpdir(), "ggp-table-"));
  make("--out", join(folder, "ggp.html"), ...options);
  make("--out", join(folder, "ggp-general.js"), "--script");
  const added = new Map();
  const missed = [];
  const server = createServer(({ url }, response) => {
    const path = normalize(decodeURIComponent(new URL(url, "http://localhost").pathname));
    const own = path === "/players/ggp.html" ? "ggp.html" : path === "/ggp-general.js" ? "ggp-general.js" : null;
    const file = own ? join(folder, own) : join(course, path);
    response.setHeader("Content-Type", TYPES[extname(path)] ?? "text/plain");
    if (added.has(path)) return response.end(added.get(path));
    if (existsSync(file)) return response.end(readFileSync(file));
    if (!/images|favicon/.test(path)) missed.push(path);
    response.writeHead(404).end();
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const end = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    rmSync(folder, { recursive: true });
  };
  return { address: `http://localhost:${server.address().port}`, folder, added, missed, end };
}

/** Opens a page; errors of its scripts are kept in `problems`. Pictures of the course's site are not fetched. */
export async function sit(browser, url, name = null) {
  const page = await browser.newPage();
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("dialog", (dialog) => dialog.accept().catch(() => {}));
  await page.setRequestInterception(true);
  page.on("request", (request) => (/gamemaster\.stanford\.edu/.test(request.url()) ? request.abort() : request.continue()));
  await page.goto(url, { waitUntil: "load" });
  if (name) await page.evaluate((name) => { player = name; }, name);
  return page;
}

/** Waits for a condition in a page, also in one that is behind others and so draws nothing. */
export const until = (page, condition, options = {}, ...given) => page.waitForFunction(condition, { polling: 100, ...options }, ...given);

/** Plays a match of a game between pages that sit already, by their names; resolves to how it ended. */
export async function play(browser, address, game, names, { start = 3, play = 3, seconds = 240 } = {}) {
  const manager = await sit(browser, `${address}/games/${game}.html`);
  try {
    await until(manager, () => Array.isArray(roles) && roles.length > 0);
    await manager.evaluate((names, start, play) => {
      [players, startclock, playclock] = [names, start, play];
      createscoreboard();
    }, names, start, play);
    await manager.click("#pinger");
    await until(manager, (count) => waiter === "load" && actives.length >= count, {}, names.length);
    await manager.click("#starter");
    await until(manager, () => findterminalp(state, library) && waiter === "load", { timeout: 1000 * seconds });
    return await manager.evaluate(() => ({ scores: roles.map((role) => Number(findreward(role, state, library))), errors, roles }));
  } finally {
    await manager.close();
  }
}

/** Sends a message to a player from another tab, as the manager does, and resolves to what it answers within a time. */
export const tell = (tab, to, message, milliseconds = 4000) => tab.evaluate((to, message, milliseconds) => new Promise((resolve) => {
  window.messages = (window.messages ?? 0) + 1;
  const id = `t${window.messages}`;
  const heard = ({ key, newValue }) => {
    const [, answered, answer] = key === "manager" ? /^message\(([^,]+),[^,]+,manager,(.*)\)$/s.exec(newValue) ?? [] : [];
    if (answered !== id) return;
    removeEventListener("storage", heard);
    resolve(answer);
  };
  addEventListener("storage", heard);
  setTimeout(() => { removeEventListener("storage", heard); resolve(null); }, milliseconds);
  localStorage[to] = message.startsWith("raw:") ? message.slice(4) : `message(${id},manager,${to},${message})`;
}), to, message, milliseconds);

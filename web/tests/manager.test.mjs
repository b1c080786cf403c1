// Matches on the page against players of Stanford's course, which are pages in other tabs: a page of ours, and the course's
// own, which are test data and may be missing.

import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { drawn, end, flaws, hasWorker, launch, openSheet, picture, serve, serveFiles, text, turn, unbuilt, visit } from "./browser.mjs";
import { course, make, missing, sit, until } from "./table.mjs";

const skip = unbuilt;
let server, browser, folder;
before(async () => {
  if (skip) return;
  if (hasWorker) {
    server = await serveFiles();
    folder = server.folder;
  } else {
    folder = mkdtempSync(join(tmpdir(), "ggp-pages-"));
  }
  mkdirSync(join(folder, "players"), { recursive: true });
  make("--out", join(folder, "players/ggp.html"), "--player", "growing");
  if (existsSync(course)) for (const part of ["players", "vendor"]) cpSync(join(course, part), join(folder, part), { recursive: true });
  server ??= await serve("--pages", folder);
  browser = await launch();
});
after(async () => {
  if (skip) return;
  await end(server, browser);
  rmSync(folder, { recursive: true, force: true });
});

/** The address of a page of a player. */
const playerAt = (name) => new URL(`players/${name}.html`, server.address.split("?")[0]).href;

/** Gives the seat of a role, by its number, to a player of the list; a page has a name and seconds. */
async function seat(page, number, player, name = null, seconds = 3) {
  await page.bringToFront();
  await page.evaluate((number, player, name, seconds) => {
    const bar = document.querySelectorAll("ggp-seats .bar")[number];
    const fill = (field, value) => {
      field.value = value;
      field.dispatchEvent(new Event("change", { bubbles: true }));
    };
    const list = bar.querySelector("select");
    list.selectedIndex = [...list.options].findIndex(({ textContent }) => textContent.startsWith(player));
    list.dispatchEvent(new Event("change", { bubbles: true }));
    if (!name) return;
    fill(bar.querySelector(".seconds"), seconds);
    fill(bar.querySelector(".identifier"), name);
  }, number, player, name, seconds);
}

const finished = (page) => until(page, () => /\d+$/.test(document.querySelector(".turn strong").textContent) || document.querySelector("#status").classList.contains("problem"), { timeout: 120_000 });

test("a page of ours plays a game of the library, and hears of its end", { skip, timeout: 300_000 }, () => visit(browser, `${server.address}#game=tic_tac_toe`, async (page) => {
  const player = await sit(browser, playerAt("ggp"));
  await seat(page, 1, "a page", "ggp", 2);
  await seat(page, 0, "random");
  await finished(page);
  assert.equal(await text(page, "#status"), "");
  assert.match(await turn(page), /oplayer (50|100)/);
  await until(player, () => document.getElementById("score").textContent.includes("oplayer"), { timeout: 10_000 });
  assert.match(await text(player, "#score"), /oplayer (50|100)/);
  assert.deepEqual(player.problems, []);
  await player.close();
}));

test("after a variation the page plays from the position that is shown", { skip, timeout: 300_000 }, () => visit(browser, `${server.address}#game=tic_tac_toe`, async (page) => {
  const player = await sit(browser, playerAt("ggp"));
  await seat(page, 1, "a page", "ggp", 2);
  const move = async (name, count) => {
    await page.evaluate((name) => document.querySelector("ggp-match").choose("xplayer", name), name);
    await until(page, (count) => document.querySelectorAll("ggp-match .tree > li").length >= count && document.querySelector("main").getAttribute("aria-busy") === "false", { timeout: 20_000 }, count);
  };
  await move("mark(1,1)", 2);
  await page.click("#restart");
  await drawn(page);
  await move("mark(2,2)", 2);
  assert.equal(await text(page, "#status"), "");
  const answers = await page.$$eval("ggp-match .tree button", (all) => all.map(({ textContent }) => textContent));
  assert.ok(answers.some((answer) => answer.includes("mark(2,2)")), answers.join());
  assert.equal(await page.$eval(".turn", ({ dataset }) => dataset.ply), "2");
  assert.deepEqual(await flaws(page), []);
  await picture(page, "page_of_the_course");
  await player.close();
}));

test("a page that is not open is named, and the seat can be given to another", { skip, timeout: 120_000 }, () => visit(browser, `${server.address}#game=tic_tac_toe`, async (page) => {
  await seat(page, 0, "a page", "nobody", 1);
  await until(page, () => document.querySelector("#status").classList.contains("problem"), { timeout: 20_000 });
  assert.match(await text(page, "#status"), /^no player nobody answers: its page has to be open in another tab of http/);
  await seat(page, 0, "random");
  await until(page, () => document.querySelector(".turn").dataset.ply === "1", { timeout: 20_000 });
}));

test("the course's player plays on a sheet of the course", { skip: missing, timeout: 300_000 }, () => visit(browser, server.address, async (page) => {
  await openSheet(page, join(course, "games/tictactoe.html"));
  const player = await sit(browser, playerAt("greedy"), "greedy");
  await seat(page, 1, "random");
  await seat(page, 0, "a page", "greedy", 4);
  await finished(page);
  assert.equal(await text(page, "#status"), "");
  assert.match(await turn(page), /x \d+/);
  assert.deepEqual(player.problems, []);
  await player.close();
}));

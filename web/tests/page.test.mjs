// The page in a real browser: what a user does with it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { SHAPES, answering, appears, begin, click, drawn, edit, end, flaws, needsServer, open, option, picture, ply, program, rewrite, root, serve, sheet, show, text, turn, unfold, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

/** Opens a game in a tab of its own, for the time of a test. */
const withGame = (name, use, options) => visit(browser, `${server.address}#game=tic_tac_toe`, async (page) => {
  if (name !== "tic_tac_toe") {
    await page.select("#game", name);
    await drawn(page);
  }
  await use(page);
}, options);

/** The joint moves in the address. */
const plies = async (page) => (new URLSearchParams(new URL(page.url()).hash.slice(1)).get("moves") ?? "").split(";").filter(Boolean);
const isOver = (page) => page.$eval(".turn", (turn) => turn.textContent.startsWith("The game is over"));

/** Makes a move by clicking squares, or by its button where the board shows none. */
async function move(page, number) {
  const before = await ply(page);
  for (let clicks = 0; clicks < 4 && (await ply(page)) === before; clicks += 1) {
    const open = await page.$$("ggp-board button.open");
    if (!open.length) break;
    await open[number % open.length].click();
    await drawn(page);
  }
  if ((await ply(page)) !== before) return "squares";
  await unfold(page);
  const buttons = await page.$$(".moves button:not([aria-pressed=true])");
  await buttons[number % buttons.length].click();
  await drawn(page);
  return "buttons";
}

const GAMES = { tic_tac_toe: "squares", connect_four_4x4: "squares", eight_puzzle: "squares", hanoi: "squares", pig_dice: "squares", rock_paper_scissors: "buttons" };
for (const [game, way] of Object.entries(GAMES)) {
  test(`a whole match of ${game} is played by clicks, and is that of ggp eval`, async () => {
    await withGame(game, async (page) => {
      const ways = new Set();
      for (let number = 0; number < 12 && !(await isOver(page)); number += 1) ways.add(await move(page, number));
      assert.ok(ways.has(way), [...ways].join());
      const played = await plies(page);
      assert.ok(played.length > 0);
      const lines = played.map((joint) => `do ${joint}`).join("; ");
      const told = execFileSync(program, ["eval", game, `${lines}; terminal; goal --json`], { encoding: "utf8" }).trim().split("\n");
      assert.equal(told.at(-2), String(await isOver(page)));
      if (!(await isOver(page))) return;
      const { answer: { goals } } = JSON.parse(`{"answer":${told.at(-1)}}`);
      // Chance has no utility, of which nothing is said.
      const results = goals.filter(({ value }) => value !== null).map(({ role, value }) => `${role} ${value ?? "–"}`).join(", ");
      assert.ok((await turn(page)).endsWith(results), results);
    });
  });
}

test("moves are taken back, and others become variations", async () => {
  await withGame("tic_tac_toe", async (page) => {
    await click(page, '[data-place="0,1,1"]');
    await click(page, '[data-place="0,0,0"]');
    await click(page, '[title="One ply back"]');
    await click(page, '[data-place="0,2,2"]');
    assert.deepEqual(await plies(page), ["mark(2,2) noop", "noop mark(3,3)"]);
    assert.equal(await text(page, ".variation"), "2. mark(3,3)");
    await click(page, ".tree li:nth-child(2) > button");
    assert.deepEqual(await plies(page), ["mark(2,2) noop", "noop mark(1,1)"]);
    assert.match(await page.$eval('[data-place="0,0,0"]', (square) => square.getAttribute("aria-label")), /: O$/);
    await click(page, "#restart");
    assert.deepEqual(await plies(page), []);
  });
});

test("the page asks why, and why not", async () => {
  await withGame("tic_tac_toe", async (page) => {
    await click(page, '[data-place="0,1,1"]');
    await show(page, "explain");
    await page.type("#question", "legal(oplayer,mark(2,2))");
    await click(page, "#why");
    const said = await text(page, ".proof");
    assert.match(said, /does not hold/);
    assert.match(said, /true\(cell\(2,2,b\)\) does not hold: not a fact of the state/);
    await page.$eval("#question", (input) => { input.value = "legal(oplayer,"; });
    await click(page, "#why");
    assert.match(await text(page, ".proof .problem"), /this `\(` is never closed/);
    await picture(page, "why");
  });
});

test("a rule sheet is edited: errors stand beside their lines, and the old game stays until they are gone", async () => {
  await withGame("tic_tac_toe", async (page) => {
    await show(page, "rules");
    const own = await sheet(page);
    const type = async (value) => {
      await rewrite(page, value);
      await new Promise((resolve) => setTimeout(resolve, 400));
      await drawn(page);
    };
    await type(`${own}\nlegal(xplayer,X) :- true(control(xplayer)`);
    assert.match(await text(page, ".verdict"), /1 error/);
    const line = own.split("\n").length + 1;
    assert.match(await text(page, ".problems .error"), new RegExp(`^(${line}|${line + 1}):`));
    await page.click(".problems .error button");
    await appears(page, ".cm-lintRange-error, .cm-lintPoint-error");
    await click(page, "#run");
    assert.deepEqual([await turn(page), await ply(page)], ["xplayer to move", 0], "the old game stays");
    await picture(page, "rules");
    await type(own.replaceAll("mark(", "put("));
    await click(page, "#run");
    assert.match(await text(page, ".moves"), /put\(1,1\)/);
    assert.match(await text(page, ".verdict"), /no problems/);
  });
});

test("a search tells its progress, and stops", async () => {
  await withGame("connect_four", async (page) => {
    await show(page, "analyse");
    await page.select("#search", "minimax");
    await page.click("#analyse");
    await page.waitForFunction(() => /[1-9][\d,]* nodes/.test(document.querySelector(".progress").textContent));
    await page.click("#analyse");
    await page.waitForFunction(() => document.querySelector("#analyse").textContent === "Start");
    // The session is free again.
    await click(page, '[data-place="0,5,3"]');
    assert.equal((await plies(page)).length, 1);
    await page.select("#search", "analyse");
    await option(page, "ggp-analysis", "--seconds", "0.5");
    await page.click("#analyse");
    await page.waitForFunction(() => document.querySelector("#analyse").textContent === "Start" && /drop\(\d\)/.test(document.querySelector(".found").textContent));
    await picture(page, "analysis");
  });
});

test("a match that the page has kept opens in the page, at the prompt and with ggp replay", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ggp-match-"));
  await withGame("connect_four_4x4", async (page) => {
    for (let number = 0; number < 3; number += 1) await move(page, number);
    const played = await plies(page);
    assert.equal(played.length, 3);
    const downloads = await page.createCDPSession();
    await downloads.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
    await page.$eval("#keep", (button) => button.click());
    const kept = () => readdirSync(folder).filter((name) => name.endsWith(".json"));
    for (let waits = 0; !kept().length && waits < 100; waits += 1) await new Promise((later) => setTimeout(later, 50));
    const file = join(folder, kept()[0]);
    assert.equal(execFileSync(program, ["eval", "connect_four_4x4", `restore ${file}; history`], { encoding: "utf8" }).match(/drop/g).length > 2, true);
    execFileSync(program, ["replay", file]);
    await page.select("#game", "tic_tac_toe");
    await drawn(page);
    await (await page.$("#file")).uploadFile(file);
    await page.waitForFunction(() => document.querySelector("#game").value === "connect_four_4x4");
    await drawn(page);
    assert.deepEqual(await plies(page), played);
    const broken = join(folder, "broken.json");
    writeFileSync(broken, "{\"matchId\": 1");
    await (await page.$("#file")).uploadFile(broken);
    await page.waitForFunction(() => document.body.textContent.includes("broken.json:"));
    assert.deepEqual(await plies(page), played, "the match stays");
  });
});

test("pictures are shown and kept, and no file is written on this machine", async () => {
  await withGame("tic_tac_toe", async (page) => {
    await show(page, "analyse");
    await page.select("#search", "alphabeta");
    await option(page, "ggp-analysis", "--depth", "2");
    await page.click("#draw");
    await page.click("#analyse");
    await page.waitForSelector(".files img");
    await page.waitForFunction(() => document.querySelector(".files img").naturalWidth > 100);
    assert.equal(await page.$eval(".files a", (link) => link.download), "tree.svg");
    await picture(page, "tree");
    await show(page, "prompt");
    await page.type("#line", "show --svg board.svg");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".said img");
    assert.ok(!existsSync(`${root}board.svg`));
  });
});

test("a seat is given to a player of the server", async () => {
  await withGame("tic_tac_toe", async (page) => {
    const seat = (role) => `ggp-seats .bar:nth-of-type(${role})`;
    const at = async (ply) => {
      await page.waitForFunction((ply) => document.querySelector(".turn").dataset.ply === String(ply - 1) && document.querySelector(".turn").textContent.startsWith("xplayer"), {}, ply);
      await drawn(page);
    };
    await page.select(`${seat(2)} select`, "random moves");
    await drawn(page);
    await page.click('[data-place="0,1,1"]');
    await at(3);
    await page.select(`${seat(2)} select`, "Monte Carlo tree search");
    await page.$eval(`${seat(2)} .seconds`, (field) => { field.value = "0.1"; field.dispatchEvent(new Event("change")); });
    await drawn(page);
    await page.click("ggp-board button.open");
    await at(5);
    // Any search of the prompt; a wrong one is named, and can be corrected.
    await page.select(`${seat(2)} select`, "another search …");
    const search = async (line) => {
      await page.$eval(`${seat(2)} .own`, (player, line) => { player.line = line; player.dispatchEvent(new Event("change", { bubbles: true })); }, line);
      await drawn(page);
    };
    await search("alphabeta --deep 2");
    await page.click("ggp-board button.open");
    await page.waitForFunction(() => /--deep/.test(document.querySelector("#status").textContent));
    await search("alphabeta --depth 2");
    await page.waitForFunction(() => document.querySelector(".turn").dataset.ply !== "5");
    await picture(page, "seats");
  });
});

test("the match is judged, and a point of the chart leads to its ply", async () => {
  await withGame("tic_tac_toe", async (page) => {
    for (const place of ["0,0,0", "0,2,2", "0,0,2", "0,0,1", "0,2,0", "0,1,0", "0,1,1"]) await click(page, `[data-place="${place}"]`);
    assert.ok(await isOver(page));
    await show(page, "analyse");
    await page.$eval("ggp-values .seconds", (field) => { field.value = "0.1"; });
    await page.click("ggp-values form button");
    await page.waitForFunction(() => document.querySelectorAll("ggp-values circle").length === 8);
    const said = await page.$eval("ggp-values svg", (chart) => chart.getAttribute("aria-label"));
    assert.match(said, /The value for xplayer by ply: 0: (about )?\d+, .* 6: 100, 7: 100$/);
    await page.waitForFunction(() => document.querySelector("ggp-values form button").textContent === "Judge the match");
    await picture(page, "values");
    await click(page, 'ggp-values circle[data-ply="2"]');
    assert.equal((await plies(page)).length, 2);
    assert.equal(await page.$$eval("ggp-values circle", (points) => points.length), 8, "the chart goes on to the end of the line");
  });
});

test("a rule sheet is formatted and translated, unless it has errors of syntax", async () => {
  await withGame("tic_tac_toe", async (page) => {
    await show(page, "rules");
    const press = async (name) => {
      await page.evaluate((name) => [...document.querySelectorAll("ggp-rules button")].find((button) => button.textContent === name).click(), name);
      await drawn(page);
    };
    await press("To prefix");
    const prefix = execFileSync(program, ["fmt", "--to", "prefix", "tic_tac_toe"], { encoding: "utf8" });
    assert.equal(await sheet(page), prefix);
    await press("To infix");
    assert.match(await sheet(page), /legal\(.*\) :- /);
    await edit(page);
    await page.keyboard.down("Control");
    await page.keyboard.press("z");
    await page.keyboard.up("Control");
    assert.equal(await sheet(page), prefix, "it can be taken back");
    const broken = "role(a\nlegal(a,b)";
    await rewrite(page, broken);
    await press("Format");
    assert.deepEqual([await sheet(page), /error/.test(await text(page, ".verdict"))], [broken, true]);
  });
});

test("a link has a sheet of one's own, and a damaged one is named", async () => {
  const other = await answering();
  await withGame("tic_tac_toe", async (page) => {
    await show(page, "rules");
    await rewrite(page, (await sheet(page)).replaceAll("mark(", "put("));
    await click(page, "#run");
    await click(page, '[data-place="0,1,1"]');
    const hash = new URL(page.url()).hash;
    assert.match(hash, /sheet=/);
    const opened = await open(browser, `${other.address}${hash}`);
    assert.deepEqual(await plies(opened), ["put(2,2) noop"]);
    await opened.close();
    const damaged = await browser.newPage();
    await damaged.goto(`${other.address}${hash.replace(/sheet=.{40}/, "sheet=")}`);
    await damaged.waitForFunction(() => /the link was cut or changed/.test(document.querySelector("#status").textContent));
    await damaged.close();
  });
  await other.end();
});

test("a lesson is played to its end, with a wrong line and a move on the board", async () => {
  await withGame("tic_tac_toe", async (page) => {
    await show(page, "learn");
    await page.waitForSelector(".lessons");
    await click(page, ".lessons li button");
    const heading = () => text(page, ".step h2").catch(() => "");
    const press = async (name) => {
      await page.evaluate((name) => [...document.querySelectorAll("ggp-lessons button")].find((button) => button.textContent === name).click(), name);
      await drawn(page);
    };
    assert.equal(await heading(), "look and play: step 1 of 8");
    // Another command is no try.
    for (const line of ["roles", "load nim"]) {
      await page.$eval("ggp-lessons .line", (field, line) => { field.value = line; }, line);
      await press("Enter");
      assert.match(await text(page, ".step .problem"), /load/);
    }
    await picture(page, "lesson");
    const seen = new Set();
    for (let step = 0; step < 12 && (await heading()); step += 1) {
      seen.add(await heading());
      // What is asked may be done on the board as well.
      const isMove = await page.evaluate(() => {
        [...document.querySelectorAll("ggp-lessons button")].find((button) => button.textContent === "Write it for me").click();
        return document.querySelector("ggp-lessons .line").value === "do mark(2,2)";
      });
      if (isMove) await click(page, '[data-place="0,1,1"]');
      else await press("Enter");
    }
    assert.equal(seen.size, 8, [...seen].join());
    assert.match(await text(page, ".step"), /the last step of “look and play”/);
    await press("All lessons and tasks");
    assert.equal(await page.$$eval("ggp-tasks .lessons:first-of-type li", (items) => items.length), 5);
    assert.match(await text(page, "ggp-tasks .lessons li"), /look and play load a game.*, right, 2 tries$/);
    await page.evaluate(() => document.querySelectorAll("ggp-tasks .lessons li button")[1].click());
    await page.waitForFunction(() => /step 1 of/.test(document.querySelector(".step h2")?.textContent ?? ""));
    await press("Leave this step out");
    await page.waitForFunction(() => /step 2 of/.test(document.querySelector(".step h2").textContent));
    // A task ends the lesson.
    await click(page, "#tasks");
    await page.evaluate(() => document.querySelector("[data-task=two_ply_value]").click());
    await page.waitForFunction(() => document.querySelector("ggp-tasks .question"));
    await drawn(page);
    assert.equal(await page.evaluate(() => document.querySelector("ggp-lessons").isRunning), false);
    assert.equal(await page.$eval(".step", ({ textContent }) => /Not yet|not yet/.test(textContent)), false);
  });
});

test("the pages of the course run their commands, and print what they say", async () => {
  await withGame("tic_tac_toe", async (page) => {
    await show(page, "learn");
    await click(page, "#course");
    await click(page, '[data-page="chapter"]');
    const block = await page.evaluateHandle(() => [...document.querySelectorAll(".page pre")].find((one) => one.textContent.includes("maxscore --values")));
    const [, ...printed] = (await block.evaluate((one) => one.textContent)).trim().split("\n");
    const button = await block.evaluateHandle((one) => one.nextElementSibling.querySelector("button"));
    await button.click();
    await page.waitForFunction((button, line) => button.parentElement.nextElementSibling.textContent.includes(line), {}, button, printed.at(-1));
    const said = (await button.evaluate((one) => one.parentElement.nextElementSibling.textContent)).trim().split("\n");
    assert.deepEqual(said, printed);
    assert.equal(await page.$eval("#game", (select) => select.value), "eight_puzzle");
    assert.equal(await page.$$eval(".page details", (answers) => answers.every(({ open }) => !open)), true);
    await click(page, '[data-page="README"]');
    await click(page, '.page a[href="chapter.md#s16-exercise-51-rewards-of-states"]');
    assert.match(await text(page, ".page h1"), /S1 Chapter/);
    await picture(page, "course");
    // Every page has commands that run, but for the conventions and the contents.
    for (const name of ["slides", "chapter", "video", "lecture", "coursework"]) {
      await click(page, `[data-page="${name}"]`);
      assert.ok((await page.$$(".page .bar button")).length > 0, name);
    }
  });
});

test("pictures are kept as PNG too", async () => {
  await withGame("connect_four", async (page) => {
    const [type, width, height] = await page.evaluate(async () => {
      const kept = [];
      const create = URL.createObjectURL;
      URL.createObjectURL = (blob) => { kept.push(blob); return create(blob); };
      document.querySelector("#paint-png").click();
      while (!kept.some(({ type }) => type === "image/png")) await new Promise((resolve) => setTimeout(resolve, 20));
      const png = kept.find(({ type }) => type === "image/png");
      const image = await createImageBitmap(png);
      return [png.type, image.width, image.height];
    });
    assert.equal(type, "image/png");
    assert.ok(width > 300 && height > 300, `${width} by ${height}`);
  });
});

test("two tabs are apart, and a reload keeps the position", async () => {
  await withGame("tic_tac_toe", async (first) => {
    await withGame("tic_tac_toe", async (second) => {
      // A tab that is not in front sleeps.
      await first.bringToFront();
      await click(first, '[data-place="0,1,1"]');
      await second.bringToFront();
      await click(second, '[data-place="0,0,0"]');
      assert.deepEqual([await plies(first), await plies(second)], [["mark(2,2) noop"], ["mark(1,1) noop"]]);
      await second.reload();
      await drawn(second);
      assert.deepEqual(await plies(second), ["mark(1,1) noop"]);
    });
  });
});

test("a move of the address that is not legal is named", async () => {
  const page = await open(browser, `${server.address}#game=tic_tac_toe&moves=${encodeURIComponent("mark(1,1) noop;noop mark(1,1)")}`);
  assert.match(await text(page, "#status"), /the moves of the address end here: `mark\(1,1\)` is not legal/);
  assert.deepEqual(await plies(page), ["mark(1,1) noop"]);
  // The worker of the page ends before its tab does.
  await page.goto("about:blank");
  await page.close();
});

test("a server that went away is named, and the page goes on when it is back", needsServer("it goes away"), async () => {
  const other = await serve();
  const page = await open(browser, `${other.address}#game=tic_tac_toe`);
  await click(page, '[data-place="0,1,1"]');
  await other.end();
  await page.click('[data-place="0,0,0"]');
  await page.waitForFunction(() => document.querySelector("#status").textContent.includes("does not answer"));
  // The new server has another secret: the page learns it from the tab that its address opens.
  const again = await serve("--port", other.port);
  const opened = await open(browser, again.address);
  await page.bringToFront();
  await page.waitForFunction(() => document.querySelector("#status").textContent === "");
  await drawn(page);
  assert.deepEqual(await plies(page), ["mark(2,2) noop"]);
  await click(page, '[data-place="0,0,0"]');
  assert.deepEqual(await plies(page), ["mark(2,2) noop", "noop mark(1,1)"]);
  await opened.close();
  await page.close();
  await again.end();
});

test("a rule sheet that the server was started with is played, also after a reload", needsServer("it is started with a sheet"), async () => {
  const other = await serve(`${root}gdl/eight_puzzle.gdl`);
  const page = await open(browser, other.address);
  await click(page, '[data-place="0,0,1"]');
  assert.equal((await plies(page)).length, 1);
  assert.equal(await sheet(page), readFileSync(`${root}gdl/eight_puzzle.gdl`, "utf8"));
  assert.equal(await page.$eval("#game", (select) => select.selectedOptions[0].textContent), "eight_puzzle.gdl");
  await page.reload();
  await drawn(page);
  assert.equal((await plies(page)).length, 1);
  assert.deepEqual(page.problems, []);
  await page.close();
  await other.end();
});

test("the keyboard alone plays", async () => {
  await withGame("tic_tac_toe", async (page) => {
    await page.focus('ggp-board [tabindex="0"]');
    for (const key of ["ArrowDown", "ArrowRight", "Enter"]) await page.keyboard.press(key);
    await drawn(page);
    assert.deepEqual(await plies(page), ["mark(2,2) noop"]);
  });
});

test("axe finds nothing, light and dark, wide and narrow", async () => {
  for (const options of SHAPES) {
    await withGame("connect_four", async (page) => {
      await click(page, '[data-place="0,5,3"]');
      for (const pane of ["play", "analyse", "explain", "rules", "prompt", "learn"]) {
        await show(page, pane);
        assert.deepEqual(await flaws(page), []);
        await picture(page, `${pane}-${options.width}${options.dark ? "-dark" : ""}`);
      }
    }, options);
  }
});

// Everyday gestures: the board answers while work is done, players stop, and nothing that a person did is lost.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { after, before, test } from "node:test";
import { begin, click, drawn, edit, end, hasWorker, open, option, ply, root, sheet, show, text, turn, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

/** Opens an address below that of the server, for the time of a test. */
const withPage = (hash, use, options) => visit(browser, `${server.address}${hash}`, use, options);

const parameter = (page, name) => new URLSearchParams(new URL(page.url()).hash.slice(1)).get(name);
const atPly = (page, ply) => page.waitForFunction((ply) => document.querySelector(".turn").dataset.ply === String(ply), {}, ply);

test("the board answers while an analysis runs, and the analysis follows", async () => {
  await withPage("#game=connect_four&pane=analyse", async (page) => {
    const runs = [];
    page.on("request", (request) => { if (request.url().endsWith("/run")) runs.push(request.postData()); });
    await page.click("#analyse");
    await page.waitForFunction(() => /[1-9]/.test(document.querySelector("ggp-analysis .progress").textContent));
    const time = await page.evaluate(() => new Promise((resolve) => {
      const began = performance.now();
      new MutationObserver(() => { if (document.querySelector(".turn").dataset.ply === "1") resolve(performance.now() - began); })
        .observe(document.querySelector(".turn"), { attributes: true });
      document.querySelector('[data-place="0,5,3"]').click();
    }));
    assert.ok(time < 3_000, `${time} ms`);
    assert.ok(hasWorker || runs.every((line) => line.includes("--memory 800M")), "a search without a time limit has one of memory");
    await page.waitForFunction(() => document.querySelector(".origin").hidden && /drop\(\d\)/.test(document.querySelector(".candidate:not([hidden])")?.textContent ?? ""));
    assert.equal(await text(page, "#analyse"), "Stop", "it goes on in the new position");
    await page.click("#analyse");
    await page.waitForFunction(() => document.querySelector("#analyse").textContent === "Start");
  });
});

test("a result says of which position it is, leads back, and goes with its game", async () => {
  await withPage("#game=eight_puzzle&pane=analyse", async (page) => {
    await page.select("#search", "bestplan --shortest");
    await option(page, "ggp-analysis", "--depth", "3");
    await page.click("#analyse");
    await page.waitForFunction(() => document.querySelector("#analyse").textContent === "Start" && document.querySelector(".found").textContent !== "");
    assert.equal(await page.$eval(".origin", ({ hidden }) => hidden), true);
    await page.$eval(".square.open", (square) => square.click());
    await atPly(page, 1);
    assert.match(await text(page, ".origin"), /at the start/);
    await click(page, ".origin");
    assert.equal(await ply(page), 0);
    await page.select("#game", "nim");
    await drawn(page);
    assert.equal(await text(page, ".found"), "");
  });
});

test("arrow keys go through the match, and the focus stays after a move", async () => {
  await withPage("#game=tic_tac_toe", async (page) => {
    await page.focus('ggp-board [tabindex="0"]');
    await page.keyboard.press("Enter");
    await drawn(page);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.place), "0,0,0");
    await page.click('[data-place="0,1,1"]');
    await drawn(page);
    await page.keyboard.press("ArrowLeft");
    await drawn(page);
    assert.equal(await ply(page), 1);
    await page.keyboard.press("ArrowRight");
    await drawn(page);
    assert.equal(await ply(page), 2);
    await page.$eval(".legal", (details) => { details.open = true; });
    await page.focus(".moves button");
    await page.keyboard.press("Enter");
    await drawn(page);
    assert.equal(await page.evaluate(() => document.activeElement.closest(".moves") !== null), true);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("Home");
    await drawn(page);
    assert.equal(await ply(page), 0);
  });
});

test("a sheet of one's own is in the list, is opened again after an edit, and stays after a reload", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "ggp-own-")), "mine.gdl");
  const tictactoe = readFileSync(`${root}gdl/tic_tac_toe.gdl`, "utf8");
  await withPage("#game=nim", async (page) => {
    for (const name of ["mark", "put"]) {
      writeFileSync(file, tictactoe.replaceAll("mark(", `${name}(`));
      await (await page.$("#file")).uploadFile(file);
      await page.waitForFunction((name) => document.querySelector(".moves").textContent.includes(name), {}, name);
      await drawn(page);
      assert.equal(await page.$eval("#game", (select) => select.selectedOptions[0].textContent), "mine.gdl");
    }
    await page.select("#game", "tic_tac_toe");
    await drawn(page);
    assert.match(await text(page, ".moves"), /mark/);
    await page.select("#game", "own:mine.gdl");
    await drawn(page);
    assert.match(await text(page, ".moves"), /put/);
    await page.waitForFunction(() => document.querySelector("#engine").textContent === "Engine: propositional network.");
    await page.reload();
    await drawn(page);
    assert.match(await text(page, ".moves"), /put/);
  });
});

test("a link that is pasted into the open tab is followed, and a bad one is named", async () => {
  await withPage("#game=nim", async (page) => {
    await page.evaluate(() => { location.hash = "#game=tic_tac_toe&moves=mark(2,2) noop&pane=rules"; });
    await page.waitForFunction(() => document.title.startsWith("tic_tac_toe"));
    await drawn(page);
    assert.equal(await ply(page), 1);
    assert.equal(await page.$eval("#panel-rules", ({ hidden }) => hidden), false);
  });
  await withPage("#game=no_such_game", async (page) => {
    assert.match(await text(page, "#status"), /no_such_game/);
    assert.equal(await turn(page), "xplayer to move", "another game is shown");
  });
});

test("typed rules, variations and notes stay after another game and a reload", async () => {
  await withPage("#game=tic_tac_toe", async (page) => {
    await click(page, '[data-place="0,1,1"]');
    await page.$eval(".note", (note) => { note.value = "the middle"; note.dispatchEvent(new Event("change")); });
    await click(page, '[title="One ply back"]');
    await click(page, '[data-place="0,0,0"]');
    await show(page, "rules");
    await edit(page);
    await page.keyboard.type("% mine");
    await show(page, "play");
    await page.select("#game", "nim");
    await drawn(page);
    await page.select("#game", "tic_tac_toe");
    await drawn(page);
    assert.doesNotMatch(await text(page, ".tree"), /mark/, "a new match is a new match");
    await page.click(".matches summary");
    await click(page, ".matches li button");
    await page.reload();
    await drawn(page);
    assert.match(await text(page, ".tree"), /mark\(2,2\)the middle/);
    assert.match(await text(page, ".tree"), /mark\(1,1\)/);
    assert.match(await sheet(page), /% mine/);
    await show(page, "rules");
    await click(page, "#revert");
    assert.doesNotMatch(await sheet(page), /% mine/);
  });
});

test("the players of a game stay after another game and a reload, and do not hold up the moves of an address", async () => {
  await withPage("#game=connect_four", async (page) => {
    const first = "ggp-seats .bar:nth-of-type(1)";
    await page.click('[data-place="0,5,3"]');
    await atPly(page, 1);
    // Red is not to move: it would think for ten minutes.
    await page.select(`${first} select`, "Monte Carlo tree search");
    await page.$eval(`${first} .seconds`, (field) => { field.value = "600"; field.dispatchEvent(new Event("change")); });
    await drawn(page);
    await page.select("#game", "nim");
    await drawn(page);
    await page.evaluate(() => { location.hash = "game=connect_four&moves=drop(4) noop"; });
    await page.waitForFunction(() => document.title.startsWith("connect_four"));
    for (const again of [() => {}, () => page.reload()]) {
      await again();
      await drawn(page);
      await atPly(page, 1);
      assert.deepEqual(await page.$$eval("ggp-seats .bar > label:first-child select", (all) => all.map(({ value }) => value)), ["Monte Carlo tree search", "you"]);
      assert.equal(await page.$eval(`${first} .seconds`, ({ value }) => value), "600");
    }
  });
});

test("the last ten sheets that were opened are in the list", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ggp-many-"));
  const rules = readFileSync(`${root}gdl/nim.gdl`, "utf8");
  await withPage("#game=nim", async (page) => {
    for (let number = 1; number <= 11; number += 1) {
      const file = join(folder, `sheet${number}.gdl`);
      writeFileSync(file, rules);
      await (await page.$("#file")).uploadFile(file);
      await page.waitForFunction((number) => new RegExp(`^sheet${number}\\b`).test(document.title), {}, number);
      await drawn(page);
    }
    const names = await page.$$eval("#game optgroup:first-child option", (all) => all.map(({ textContent }) => textContent));
    assert.deepEqual(names, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((number) => `sheet${number}.gdl`));
  });
});

/** A sheet whose grounding takes longer than it may, though its positions are simple. */
const EXPLOSIVE = `role(robot) init(at(1))
${Array.from({ length: 40 }, (_, index) => `succ(${index + 1},${index + 2})`).join(" ")}
number(X) :- succ(X,_)
legal(robot,go) :- true(at(X)) & number(X)
legal(robot,stay)
next(at(Y)) :- does(robot,go) & true(at(X)) & succ(X,Y)
next(at(X)) :- does(robot,stay) & true(at(X))
next(seen(A,B,C,D,E)) :- true(seen(A,B,C,D,E))
next(seen(A,B,C,D,E)) :- does(robot,go) & true(at(A)) & true(at(B)) & true(at(C)) & true(at(D)) & true(at(E))
terminal :- true(at(30))
goal(robot,100) :- true(at(30))
goal(robot,0) :- ~true(at(30))
`;

test("a sheet whose grounding explodes is played at once", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "ggp-explosive-")), "explosive.gdl");
  writeFileSync(file, EXPLOSIVE);
  await withPage("#game=nim", async (page) => {
    const began = Date.now();
    await (await page.$("#file")).uploadFile(file);
    await page.waitForFunction(() => document.title.startsWith("explosive"));
    await page.waitForSelector(".moves button[data-move=go]");
    await page.waitForFunction(() => document.querySelector("#engine").textContent === "Engine: interpreter; the network is being built.");
    await page.$eval(".moves button[data-move=go]", (button) => button.click());
    await atPly(page, 1);
    assert.ok(Date.now() - began < 5_000, `${Date.now() - began} ms`);
    // A server goes on trying for minutes, beside the match.
    const said = hasWorker ? "Engine: interpreter (" : "Engine: interpreter; the network is being built.";
    await page.waitForFunction((said) => document.querySelector("#engine").textContent.startsWith(said), { timeout: 60_000 }, said);
    await page.$eval(".moves button[data-move=go]", (button) => button.click());
    await atPly(page, 2);
  });
});

test("a player that thinks long is stopped, and steps back free the board", async () => {
  await withPage("#game=connect_four", async (page) => {
    const seat = "ggp-seats .bar:nth-of-type(2)";
    await page.select(`${seat} select`, "Monte Carlo tree search");
    await page.$eval(`${seat} .seconds`, (field) => { field.value = "600"; field.dispatchEvent(new Event("change")); });
    await drawn(page);
    await page.click('[data-place="0,5,3"]');
    await page.waitForFunction(() => document.querySelector("#player")?.textContent === "Stop yellow");
    assert.equal((await page.$$(".move")).length, 0, "no button plays for it");
    await page.click('[title="One ply back"]');
    await atPly(page, 0);
    await drawn(page);
    assert.equal(await turn(page), "red to move");
    await page.click('[data-place="0,5,3"]');
    await page.waitForFunction(() => document.querySelector("#player")?.textContent === "Stop yellow");
    await page.click("#player");
    await page.waitForFunction(() => document.querySelector("#player")?.textContent === "Play for yellow");
    await page.select(`${seat} select`, "you");
    await drawn(page);
    await page.click('[data-place="0,5,2"]');
    await atPly(page, 2);
  });
});

test("a player whose time is over before it has a move plays a random one, and the page says so", () => withPage("#game=breakthrough_6x6", async (page) => {
  await page.evaluate(() => document.querySelector("ggp-seats").dispatchEvent(new CustomEvent("seated", { detail: { role: "black", line: "minimax --seconds 0.000001" }, bubbles: true })));
  await drawn(page);
  await click(page, '[data-place="0,4,2"]');
  await page.click('[data-place="0,3,2"]');
  await atPly(page, 2);
  assert.match(await text(page, "#status"), /The time of black was over .* random/);
}));

test("chance moves by itself", async () => {
  await withPage("#game=monty_hall", async (page) => {
    await page.waitForFunction(() => document.querySelector(".turn").dataset.ply !== "0");
    assert.doesNotMatch(await turn(page), /random/);
  });
});

test("no step of a lesson says null", async () => {
  await withPage("#game=tic_tac_toe&pane=learn", async (page) => {
    await page.waitForSelector(".lessons");
    await click(page, ".lessons li button");
    assert.doesNotMatch(await text(page, ".step"), /null/);
  });
});

test("a large sheet answers at once, by the interpreter", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "ggp-large-")), "large.gdl");
  writeFileSync(file, readFileSync(`${root}gdl/breakthrough_6x6.gdl`, "utf8"));
  await withPage("#game=nim", async (page) => {
    await (await page.$("#file")).uploadFile(file);
    await page.waitForFunction(() => document.title.startsWith("large"));
    await page.waitForFunction(() => /^Engine: (interpreter|propositional network)/.test(document.querySelector("#engine").textContent));
    await page.waitForSelector(".square.open");
    await drawn(page);
    await page.waitForFunction(() => document.querySelector("#engine").textContent === "Engine: propositional network.", { timeout: 60_000 });
    assert.ok(parameter(page, "sheet"));
  });
});

test("a piece is dragged to its square, slides there otherwise, and is drawn as a shape", async () => {
  await withPage("#game=breakthrough_6x6", async (page) => {
    assert.equal(await page.$$eval('.shape use[href="#piece-disc"]', (all) => all.length), 24);
    assert.ok(await page.$eval("#piece-disc", (symbol) => symbol.childElementCount > 1), "the page has the shapes");
    const middle = (place) => page.$eval(`[data-place="${place}"]`, (square) => { const { left, top, width, height } = square.getBoundingClientRect(); return [left + width / 2, top + height / 2]; });
    const [from, to] = [await middle("0,4,2"), await middle("0,3,2")];
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 3 });
    await page.mouse.move(...to, { steps: 3 });
    await page.mouse.up();
    await drawn(page);
    assert.equal(await ply(page), 1);
    assert.match(await page.$eval('[data-place="0,3,2"]', (square) => square.getAttribute("aria-label")), /: w$/);
    await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "no-preference" }]);
    const slides = page.waitForFunction(() => document.getAnimations().some(({ effect }) => /translate/.test(effect?.getKeyframes?.()[0]?.transform ?? "")), { polling: 5 });
    await page.click('[data-place="0,1,2"]');
    await page.click('[data-place="0,2,2"]');
    await slides;
    await atPly(page, 2);
  });
});

test("a link that unpacks to far more than a sheet is refused at the limit", async () => {
  const packed = deflateRawSync(Buffer.alloc(200_000_000, " ")).toString("base64url");
  await withPage("#game=nim", async (page) => {
    await page.evaluate((packed) => { location.hash = `#name=bomb.gdl&sheet=${packed}`; }, packed);
    await page.waitForFunction(() => document.querySelector("#status").textContent.includes("too long"));
    assert.equal(await turn(page), "first to move", "the game stays");
  });
});

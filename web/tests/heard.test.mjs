// What is heard of the page, and long matches: names of squares, announced moves, and the list of moves at ply 400.

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { begin, click, drawn, end, openSheet, ply, text, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

const withPage = (hash, use, options) => visit(browser, `${server.address}#game=${hash}`, use, options);

test("a square is named as the moves name it", async () => {
  for (const [game, from] of [["lights_out", 0], ["breakthrough_6x6", 0], ["othello", 0], ["tic_tac_toe", 0]]) {
    await withPage(game, async (page) => {
      const square = await page.$(".square.open");
      const name = (await square.evaluate((one) => one.getAttribute("aria-label"))).split(":")[0].split(", ");
      const places = await page.evaluate(() => [...document.querySelectorAll(".moves [data-move]")].map(({ dataset }) => dataset.move.split(/[(), ]+/).slice(1, 3)));
      assert.ok(places.some((words) => words.join() === name.slice(from).join()), `${game}: ${name.join(", ")} is in ${places.slice(0, 5).join("; ")}`);
    });
  }
});

test("the move of the computer is announced", () => withPage("connect_four", async (page) => {
  await page.select("ggp-seats .bar:nth-of-type(2) select", "random moves");
  await drawn(page);
  await page.evaluate(() => {
    window.heard = [];
    const turn = document.querySelector(".turn[role=status]");
    new MutationObserver(() => window.heard.push(turn.textContent)).observe(turn, { childList: true, subtree: true });
  });
  await click(page, '[data-place="0,5,3"]');
  await page.waitForFunction(() => document.querySelector(".turn").dataset.ply === "2");
  const made = (await text(page, ".tree .here")).replace(/^2\. /, "");
  assert.match((await page.evaluate(() => window.heard)).at(-1), new RegExp(`^red to move.*${made.replace(/[()]/g, "\\$&")}`));
}));

/** A game of 600 plies with a choice at each. */
const LONG = `role(white) role(black) init(step(0)) init(control(white))
${Array.from({ length: 600 }, (_, index) => `succ(${index},${index + 1})`).join(" ")}
init(cell(1,a)) init(cell(2,b)) init(cell(3,b)) init(cell(4,b))
spot(1) spot(2) spot(3) spot(4)
other(white,black) other(black,white)
legal(R,go(X)) :- true(control(R)) & spot(X) & true(cell(X,b))
legal(R,noop) :- true(control(Q)) & other(Q,R)
next(cell(X,a)) :- does(R,go(X))
next(cell(Y,b)) :- does(R,go(X)) & spot(Y) & distinct(X,Y)
next(control(Q)) :- true(control(R)) & other(R,Q)
next(step(N)) :- true(step(M)) & succ(M,N)
terminal :- true(step(600))
goal(white,50) goal(black,50)
`;

test("a move at ply 400 takes no longer to lay out than one at the start", () => withPage("nim", async (page) => {
  const path = join(mkdtempSync(join(tmpdir(), "ggp-long-")), "long.gdl");
  writeFileSync(path, LONG);
  await openSheet(page, path);
  await drawn(page);
  const layout = async () => {
    const { LayoutDuration: before } = await page.metrics();
    for (let moves = 0; moves < 4; moves += 1) {
      await page.$eval(".moves button[data-move]", (button) => button.click());
      await drawn(page);
    }
    return (await page.metrics()).LayoutDuration - before;
  };
  const atStart = await layout();
  await page.evaluate(() => {
    const moves = Array.from({ length: 400 }, (_, index) => (index % 2 ? "noop go(1)" : "go(2) noop"));
    const address = new URLSearchParams(location.hash.slice(1));
    address.set("moves", moves.join(";"));
    location.hash = `#${address}`;
  });
  await page.waitForFunction(() => document.querySelector(".turn").dataset.ply === "400");
  await drawn(page);
  const late = await layout();
  assert.equal(await ply(page), 404);
  assert.ok(late < atStart * 4 + 0.05, `${late.toFixed(3)} s of layout, ${atStart.toFixed(3)} s at the start`);
}));

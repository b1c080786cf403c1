// Games with chance and hidden information: each match has its own seed, and a seat sees only what is its own.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, click, drawn, end, flaws, needsServer, picture, ply, SHAPES, show, text, turn, unfold, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

const withPage = (hash, use, options) => visit(browser, `${server.address}${hash}`, use, options);
const parameter = (page, name) => new URLSearchParams(new URL(page.url()).hash.slice(1)).get(name);
const atLeast = (page, ply) => page.waitForFunction((ply) => Number(document.querySelector(".turn").dataset.ply) >= ply, {}, ply);
const seed = (page) => page.$eval("#seed", ({ value }) => value);

/** Rolls for some turns, and returns what chance has thrown. */
async function throws(page, turns) {
  const thrown = [];
  for (let number = 0; number < turns; number += 1) {
    const before = await ply(page);
    await unfold(page);
    await page.click(".moves [data-move=roll]");
    await atLeast(page, before + 2);
    await drawn(page);
    thrown.push(await text(page, ".thrown"));
  }
  return thrown;
}

test("a fresh match has a fresh seed, which is shown and stands in the link; a seed repeats its match", async () => {
  const matches = [];
  for (let number = 0; number < 3; number += 1) {
    await withPage("#game=pig_dice", async (page) => {
      matches.push([await seed(page), (await throws(page, 4)).join(" ")]);
      assert.equal(parameter(page, "seed"), matches.at(-1)[0]);
    });
  }
  assert.equal(new Set(matches.map(([seed]) => seed)).size, 3);
  assert.ok(new Set(matches.map(([, thrown]) => thrown)).size > 1, matches.join("; "));
  await withPage(`#game=pig_dice&seed=${matches[0][0]}`, async (page) => {
    assert.equal((await throws(page, 4)).join(" "), matches[0][1], "the seed of a link repeats the match");
    await click(page, "#newmatch");
    assert.notEqual(await seed(page), matches[0][0]);
    await page.$eval("#seed", (field, seed) => { field.value = seed; field.dispatchEvent(new Event("change")); }, matches[0][0]);
    await drawn(page);
    assert.equal(await ply(page), 0);
    assert.equal((await throws(page, 4)).join(" "), matches[0][1], "the seed that is typed does so too");
  });
});

test("chance throws, and then waits for a person, though there is no choice yet", () => withPage("#game=dice_race", async (page) => {
  await atLeast(page, 1);
  await drawn(page);
  await new Promise((later) => setTimeout(later, 1_200));
  assert.equal(await ply(page), 1, "one throw, and no move of a person");
  await click(page, ".moves button");
  assert.ok((await ply(page)) >= 3);
}));

test("a throw is the same after a step back", () => withPage("#game=pig_dice", async (page) => {
  const [first] = await throws(page, 1);
  await click(page, '[title="To the start"]');
  assert.deepEqual(await throws(page, 1), [first]);
}));

/** What the server answers the page, without the text of the sheet, and what the page keeps in the browser. */
function overhear(page) {
  const answers = [];
  page.on("response", (response) => {
    if (/\/api\/(?!.*\/sheet$)/.test(response.url())) answers.push(response.text().catch(() => ""));
  });
  const kept = () => page.evaluate(() => Object.entries(localStorage).filter(([name]) => !name.startsWith("draft")).join("\n"));
  return async () => `${(await Promise.all(answers)).join("\n")}\n${await kept()}`;
}

test("what a page is answered, and what it keeps, has no hidden move and no hidden fact", needsServer("the answers of a worker are no requests"), () => withPage("#game=monty_hall", async (page) => {
  const heard = overhear(page);
  for (let match = 0; match < 3; match += 1) {
    await click(page, "#newmatch");
    await atLeast(page, 1);
    await drawn(page);
    await unfold(page);
    await page.click('.moves [data-move="choose(1)"]');
    await atLeast(page, 3);
    await drawn(page);
  }
  const text = await heard();
  assert.match(text, /choose\(1\)/);
  assert.doesNotMatch(text, /car\(\d|hide\(\d/, "where the car is");
  await click(page, "ggp-hidden .open");
  assert.match(await heard(), /car\(\d/, "who asks for all is answered all");
}));

/** The squares of a board that have faint pieces: the label, the opacity of the first, and what is read aloud. */
const faint = (page) => page.$$eval("ggp-board .square:has(.belief)", (squares) => squares.map((one) => ({
  place: one.dataset.place, label: one.getAttribute("aria-label"), title: one.title, opacity: Number(getComputedStyle(one.querySelector(".belief")).opacity), pieces: one.querySelectorAll(".belief").length,
})));

test("what may stand on a square is faint, by the share of the possible states", async () => {
  await withPage("#game=phantom_tic_tac_toe", async (page) => {
    assert.deepEqual(await faint(page), [], "all know the first position");
    for (const place of ["0,1,1", "0,1,1", "0,0,0"]) await click(page, `[data-place="${place}"]`);
    assert.match(await turn(page), /^xplayer/);
    const squares = await faint(page);
    assert.equal(squares.length, 8, "the mark may be on each square but the own one");
    const [{ label, title, opacity }] = squares;
    assert.equal(label, "1, 1: perhaps ring in 13% of the possible states");
    assert.equal(label, `1, 1: ${title}`);
    assert.ok(opacity > 0.1 && opacity < 0.4, `${opacity}`);
    assert.equal(await page.$eval('[data-place="0,1,1"] .piece', (piece) => getComputedStyle(piece).opacity), "1");
    assert.match(await text(page, "ggp-hidden .possible"), /^8 states are possible\. What is faint/);
    await click(page, "ggp-hidden .open");
    assert.deepEqual(await faint(page), [], "all is shown");
  });
  await withPage("#game=kuhn_poker", async (page) => {
    await atLeast(page, 2);
    await drawn(page);
    const [{ pieces, label }, ...others] = await faint(page);
    assert.equal(others.length, 0);
    assert.equal(pieces, 2, "each of the two other cards");
    assert.match(label, /^second card: perhaps \w+ in 50%, \w+ in 50% of the possible states$/);
  });
  await withPage("#game=battleship_small", async (page) => {
    await unfold(page);
    await page.click('.moves [data-role=north][data-move="lay(1,1,across)"]');
    await page.click('.moves [data-role=south][data-move="lay(1,1,across)"]');
    await atLeast(page, 1);
    await drawn(page);
    const squares = await faint(page);
    assert.equal(squares.length, 9, "the ship of the other may be anywhere");
    assert.ok(squares.every(({ place }) => place.startsWith("1,")));
    const middle = squares.find(({ place }) => place === "1,1,1").opacity;
    assert.ok(middle > squares.find(({ place }) => place === "1,0,0").opacity, "more ships lie on the middle");
  });
});

test("a seat sees its own moves and percepts only, until all is shown", () => withPage("#game=monty_hall", async (page) => {
  await atLeast(page, 1);
  await drawn(page);
  const all = () => page.evaluate(() => `${document.body.innerText} ${[...document.querySelectorAll("[aria-label]")].map((one) => one.getAttribute("aria-label")).join(" ")} ${location.hash} ${document.querySelector("ggp-rules .facts").textContent}`);
  assert.doesNotMatch(await all(), /car\(|hide\(\d|hide%28/, "where the car is");
  assert.equal((await page.$$("ggp-board .square")).length, 3);
  assert.equal(await text(page, ".tree"), "1. …");
  await unfold(page);
  await page.click('.moves [data-move="choose(1)"]');
  await atLeast(page, 3);
  await drawn(page);
  const known = await text(page, "ggp-hidden ul");
  assert.match(known, /candidate plays choose\(1\)/);
  assert.match(known, /candidate sees .*\d/, "the door that was opened");
  for (const pane of ["explain", "analyse", "search", "rules", "network"]) {
    await show(page, pane);
    assert.doesNotMatch(await all(), /car\(\d\)|hide\(\d|hide%28/, pane);
  }
  await show(page, "play");
  assert.deepEqual(await flaws(page), []);
  await page.reload();
  await drawn(page);
  assert.equal(await ply(page), 3, "the address has the moves all the same");
  assert.doesNotMatch(await all(), /hide\(\d/);
  await click(page, "ggp-hidden .open");
  assert.match(await text(page, ".tree"), /hide\(\d\)/);
  assert.equal(await page.$eval("ggp-board", ({ hidden }) => hidden), false);
  await show(page, "explain");
  assert.match(await text(page, "ggp-facts > .facts"), /car\(\d\)/);
  await show(page, "play");
  await click(page, "#newmatch");
  await atLeast(page, 1);
  await drawn(page);
  assert.doesNotMatch(await all(), /car\(\d|hide\(\d/, "another match is hidden again");
}));

/** What a page shows: its text, what is read aloud, and the address without the seed and the moves, which nobody sees by themselves. */
const shown = (page) => page.evaluate(() => {
  const aloud = [...document.querySelectorAll("[aria-label]")].filter((one) => one.checkVisibility()).map((one) => one.getAttribute("aria-label"));
  return `${document.body.innerText} ${aloud.join(" ")}`.replace(/\s+/g, " ");
});

test("who holds the same card is shown the same, whatever the other holds", () => withPage("#game=kuhn_poker", async (page) => {
  const pages = new Map();
  let repeated = 0;
  for (let number = 0; number < 10; number += 1) {
    if (number) await click(page, "#newmatch");
    await page.waitForFunction(() => Number(document.querySelector(".turn").dataset.ply) === 2);
    await drawn(page);
    const card = (await text(page, "ggp-hidden ul")).match(/own_card\((\w+)\)/)?.[1];
    assert.ok(card, "the card is known");
    // The seed and the number of earlier matches are those of the page.
    const now = (await shown(page)).replaceAll(await seed(page), "SEED").replace(/ Earlier matches \(\d+\)/, "");
    repeated += pages.has(card) ? 1 : 0;
    assert.equal(pages.get(card) ?? now, now, card);
    pages.set(card, now);
  }
  assert.ok(repeated >= 7);
  await click(page, "ggp-hidden .mixed");
  await page.waitForSelector("ggp-hidden .strategy");
  const moves = await page.$$eval("ggp-hidden .strategy li", (rows) => rows.map((row) => [row.innerText, row.querySelector("meter").value]));
  assert.equal(moves.length, 2);
  assert.ok(Math.abs(moves[0][1] + moves[1][1] - 1) < 1e-6, JSON.stringify(moves));
  assert.deepEqual(await flaws(page), []);
  await picture(page, "hidden-strategy");
}));

for (const shape of SHAPES) {
  test(`what is hidden looks right, ${shape.width} pixels wide${shape.dark ? " and dark" : ""}`, () => withPage("#game=monty_hall", async (page) => {
    await atLeast(page, 1);
    await drawn(page);
    await unfold(page);
    await page.click('.moves [data-move="choose(2)"]');
    await atLeast(page, 3);
    await drawn(page);
    assert.match(await turn(page), /candidate/);
    assert.deepEqual(await flaws(page), []);
    await picture(page, `hidden-${shape.width}${shape.dark ? "-dark" : ""}`);
  }, shape));
}

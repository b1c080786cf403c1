// The aids of a player: hints, arrows, moves planned ahead, sounds, and the blunders of a judged match.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, click, drawn, end, flaws, picture, ply, text, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

const withGame = (hash, use, options) => visit(browser, `${server.address}#game=${hash}`, use, options);
const at = (place) => `[data-place="${place}"]`;
const middle = (page, place) => page.$eval(at(place), (square) => { const { left, top, width, height } = square.getBoundingClientRect(); return [left + width / 2, top + height / 2]; });
const atPly = (page, ply) => page.waitForFunction((ply) => document.querySelector(".turn").dataset.ply === String(ply), {}, ply);
const shapes = (page) => page.$$eval(".shapes > *", (all) => all.map(({ localName, className }) => `${localName} ${className.baseVal}`));
const seat = async (page, number, name) => page.select(`ggp-seats .bar:nth-of-type(${number}) select`, name);

/** Draws from one square to another with the right button. */
async function sketch(page, from, to) {
  await page.mouse.move(...(await middle(page, from)));
  await page.mouse.down({ button: "right" });
  if (to !== from) await page.mouse.move(...(await middle(page, to)), { steps: 3 });
  await page.mouse.up({ button: "right" });
}

test("a hint shows the move that wins at once", () => withGame("connect_four&moves=drop(1) noop;noop drop(2);drop(1) noop;noop drop(2);drop(1) noop;noop drop(3)", async (page) => {
  await page.click("#hint");
  await page.waitForSelector(".shapes circle.hinted");
  assert.match(await text(page, "#status"), /^A hint for red: drop\(1\)$/);
  const [{ x, y }, [left, top]] = [await page.$eval(".shapes circle", (one) => { const { left, top, width, height } = one.getBoundingClientRect(); return { x: left + width / 2, y: top + height / 2 }; }), await middle(page, "0,2,0")];
  assert.ok(Math.hypot(x - left, y - top) < 3, "the circle is on the square where the disc falls");
  await picture(page, "hint");
  await click(page, at("0,2,0"));
  assert.deepEqual(await shapes(page), []);
  await page.click("#hint");
  assert.match(await text(page, "#status"), /The game is over/);
}));

test("arrows and circles are drawn by the right button, and cleared by a click", () => withGame("breakthrough_6x6", async (page) => {
  await sketch(page, "0,4,1", "0,2,2");
  await page.waitForSelector(".shapes path");
  await sketch(page, "0,1,4", "0,1,4");
  await page.waitForSelector(".shapes circle");
  assert.deepEqual(await shapes(page), ["path drawn", "circle drawn"]);
  assert.equal(await ply(page), 0);
  await picture(page, "arrows");
  await sketch(page, "0,4,1", "0,2,2");
  assert.deepEqual(await shapes(page), ["circle drawn"], "the same arrow again removes it");
  await page.setViewport({ width: 900, height: 700 });
  await page.waitForFunction(() => { const [square, circle] = ['[data-place="0,1,4"]', ".shapes circle"].map((one) => document.querySelector(one).getBoundingClientRect()); return Math.abs(square.left + square.width / 2 - circle.left - circle.width / 2) < 2; });
  await page.click("#flip");
  await page.waitForFunction(() => { const [square, circle] = ['[data-place="0,1,4"]', ".shapes circle"].map((one) => document.querySelector(one).getBoundingClientRect()); return Math.abs(square.top + square.height / 2 - circle.top - circle.height / 2) < 2; });
  await click(page, at("0,3,3"));
  assert.deepEqual(await shapes(page), []);
}));

test("a move that is planned while the computer thinks is played if it is legal then", () => withGame("breakthrough_6x6", async (page) => {
  await seat(page, 1, "what fits the game");
  await page.waitForSelector("#player");
  // The second role moves down; its pawn is picked up while the first thinks.
  await page.click(at("0,1,2"));
  await page.waitForSelector(".planned");
  assert.deepEqual(await page.$$eval(".planned", (all) => all.map(({ dataset }) => dataset.place)), ["0,1,2"]);
  await page.click(at("0,2,2"));
  assert.match(await text(page, "#status"), /^Planned: .*It is played if it is legal then/);
  assert.deepEqual(await flaws(page), []);
  await atPly(page, 2);
  assert.deepEqual(await page.$$eval(".planned", (all) => all.length), 0);
  await page.waitForFunction(() => document.querySelector("#player")?.textContent.startsWith("Stop"));
  // A square to which no pawn can go.
  await page.click(at("0,1,4"));
  await page.click(at("0,5,0"));
  await atPly(page, 3);
  await page.waitForFunction(() => /planned move is not legal/.test(document.querySelector("#status").textContent));
  await drawn(page);
  assert.equal(await ply(page), 3);
}));

test("where moves place pieces one click plans, and another drops the plan", () => withGame("connect_four", async (page) => {
  await seat(page, 1, "what fits the game");
  await page.waitForSelector("#player");
  await page.click(at("0,0,3"));
  await page.waitForFunction(() => document.querySelector("#status").textContent.startsWith("Planned: "));
  await page.click(at("0,0,3"));
  assert.equal((await page.$$(".planned")).length, 0);
  await page.click(at("0,0,6"));
  await atPly(page, 2);
  assert.match(await text(page, ".tree .here"), /drop\(7\)/);
}));

test("sounds are off until a person wants them, and moves and the end have their own", () => withGame("connect_four&moves=drop(1) noop;noop drop(2);drop(1) noop;noop drop(2)", async (page) => {
  await page.evaluate(() => {
    window.tones = 0;
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (...given) { window.tones += 1; return start.apply(this, given); };
  });
  const made = () => page.evaluate(() => { const { tones } = window; window.tones = 0; return tones; });
  await click(page, at("0,3,0"));
  assert.equal(await made(), 0);
  await page.click("#sounds");
  await click(page, at("0,3,1"));
  await page.waitForFunction(() => window.tones > 0);
  assert.equal(await made(), 1);
  await click(page, at("0,2,0"));
  await page.waitForFunction(() => window.tones > 2);
  await click(page, '[title="One ply back"]');
  await page.waitForFunction(() => document.querySelector("ggp-ending").hidden);
  assert.equal(await made(), 3, "a step back makes no sound");
}));

test("moves that give a proven value away are marked in the list of moves", () => withGame("nim&moves=take(1,2) noop;noop take(1,1);take(2,1) noop;noop take(2,3)&pane=analyse", async (page) => {
  await page.waitForSelector("ggp-values form button");
  await page.$eval("ggp-values .seconds", (field) => { field.value = "1"; });
  await page.click("ggp-values form button");
  await page.waitForFunction(() => document.querySelector("ggp-values form button").textContent === "Judge the match" && document.querySelector("ggp-values svg"), { timeout: 60_000 });
  const values = (await page.$eval("ggp-values svg", (chart) => chart.getAttribute("aria-label"))).match(/\d+: \d+/g).map((one) => Number(one.split(": ")[1]));
  const marks = await page.$$eval(".tree li", (all) => all.map((one) => one.querySelector(".mistake [aria-hidden]")?.textContent ?? ""));
  const wanted = values.slice(1).map((value, index) => ((index % 2 ? value > values[index] : value < values[index]) ? "??" : ""));
  assert.deepEqual(marks, wanted);
  assert.ok(marks.includes("??") && marks.includes(""), marks.join());
  assert.match(await text(page, ".mistake .hidden"), /gives away 100: (first|second) had 100 for certain, and has 0/);
  await picture(page, "mistakes");
}));

// What the page looks like in windows of four sizes: no words are cut, nothing is outside, and no control covers another.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { begin, click, corpus, drawn, end, openSheet, show, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

const SIZES = [{ width: 1024, height: 768 }, { width: 1280, height: 800 }, { width: 1920, height: 1080 }, { width: 390, height: 844 }];
const PANES = ["play", "analyse", "explain", "search", "rules", "learn", "simulation", "tournament", "network", "prompt"];
/** Boards, cards, a tree, stacks, and boards that are far wider than high. */
const GAMES = ["connect_four", "breakthrough_6x6", "pig_dice", "minimax_tree", "hanoi", "pacman_corridor", "rock_paper_scissors"];
const SHEETS = ["chess", "kalaha6x2x4"].map((name) => join(corpus, `${name}.kif`)).filter(existsSync);

/** What is cut, outside or covered in the page as it is, as lines of text. */
function misplaced() {
  const SLACK = 1.5;
  const found = new Set();
  const isSeen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !one.closest(".hidden, .skip, [inert]");
  const name = (one) => `${one.tagName.toLowerCase()}${one.id ? `#${one.id}` : ""}${one.className && typeof one.className === "string" ? `.${one.className.trim().replace(/\s+/g, ".")}` : ""}`;
  const isPage = (one) => one === document.body || one === document.documentElement;
  /** The ancestors that hide what is beyond their edges, up to one that scrolls in this direction; `null` if one does. */
  const frames = (one, axis) => {
    const hiding = [];
    for (let at = one; at && !isPage(at); at = at.parentElement) {
      const style = getComputedStyle(at);
      const overflow = style[`overflow${axis}`];
      // A whole pane does not scroll to the side.
      const isPane = axis === "X" && at.matches("[role=tabpanel], ggp-home, .page");
      if ((/auto|scroll/.test(overflow) && !isPane) || style.position === "fixed") return { hiding, scrolls: true };
      if (overflow !== "visible" && style.display !== "inline") hiding.push(at);
    }
    return { hiding, scrolls: axis === "Y" && document.documentElement.scrollHeight > innerHeight };
  };
  /** Whether a part that is hidden is told otherwise: three dots, and all words when the pointer rests there. */
  const isTold = (frame) => getComputedStyle(frame).textOverflow === "ellipsis" && Boolean(frame.title || frame.closest("[title]"));
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const one = node.parentElement;
    if (!node.textContent.trim() || one.closest("script, style, option, svg") || !isSeen(one)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const words = `“${node.textContent.trim().slice(0, 30)}” in ${name(one)}`;
    for (const box of range.getClientRects()) {
      if (box.width < 1) continue;
      for (const [axis, low, high, most] of [["X", "left", "right", innerWidth], ["Y", "top", "bottom", innerHeight]]) {
        const { hiding, scrolls } = frames(one, axis);
        for (const frame of hiding) {
          const edge = frame.getBoundingClientRect();
          // Lines are higher than their letters.
          const slack = axis === "Y" ? box.height * 0.25 : SLACK;
          if ((box[low] < edge[low] - slack || box[high] > edge[high] + slack) && !isTold(frame)) found.add(`cut: ${words}, by ${name(frame)}`);
        }
        const isHidden = hiding.some(isTold);
        if (!scrolls && !isHidden && (box[low] < -SLACK || box[high] > most + SLACK)) found.add(`outside: ${words}`);
      }
      const control = one.closest("button, a, label, summary");
      if (control && control.tagName !== "A" && !control.closest(".bare, .pit, .store")) {
        const edge = control.getBoundingClientRect();
        if (box.left < edge.left - SLACK || box.right > edge.right + SLACK) found.add(`sticks out: ${words}`);
      }
    }
  }
  const controls = [...document.querySelectorAll("button, a[href], input:not([type=file]), select, summary, textarea, ggp-overview")].filter((one) => isSeen(one) && !one.closest(".explored, .canvas"));
  /** The part of an element that the frames around it leave. */
  const visible = (one) => {
    const box = one.getBoundingClientRect();
    const part = { left: box.left, right: box.right, top: box.top, bottom: box.bottom };
    for (let at = one.parentElement; at && !isPage(at); at = at.parentElement) {
      if (getComputedStyle(at).overflow === "visible") continue;
      const edge = at.getBoundingClientRect();
      Object.assign(part, { left: Math.max(part.left, edge.left), right: Math.min(part.right, edge.right), top: Math.max(part.top, edge.top), bottom: Math.min(part.bottom, edge.bottom) });
    }
    return part;
  };
  const boxes = controls.map(visible);
  controls.forEach((one, index) => {
    const { left, right } = one.getBoundingClientRect();
    const { hiding, scrolls } = frames(one, "X");
    if (!scrolls && (left < -SLACK || right > innerWidth + SLACK)) found.add(`outside: ${name(one)}`);
    for (const frame of hiding) {
      const edge = frame.getBoundingClientRect();
      if (left < edge.left - SLACK || right > edge.right + SLACK) found.add(`cut: ${name(one)}, by ${name(frame)}`);
    }
    if (one.tagName === "SELECT") {
      // The words of the choice, as wide as they are beside the arrow.
      const { font, paddingLeft, paddingRight } = getComputedStyle(one);
      const pen = document.createElement("canvas").getContext("2d");
      pen.font = font;
      const wide = pen.measureText(one.selectedOptions[0]?.textContent ?? "").width + parseFloat(paddingLeft) + parseFloat(paddingRight);
      if (wide > one.clientWidth + SLACK) found.add(`cut: ${name(one)} “${one.selectedOptions[0].textContent}”`);
    }
    if (one.matches("input[placeholder]") && !one.value) {
      const pen = document.createElement("canvas").getContext("2d");
      pen.font = getComputedStyle(one).font;
      if (pen.measureText(one.placeholder).width > one.clientWidth) found.add(`cut: ${name(one)} “${one.placeholder}”`);
    }
  });
  // Squares of hexagons overlap as rectangles, and what scrolls goes below the steps of a phone; others must not.
  const floats = (one) => one.closest(".hex") || (one.closest(".steps") && getComputedStyle(one.closest(".steps")).position === "sticky");
  for (const [index, one] of controls.entries()) {
    if (floats(one)) continue;
    for (let next = index + 1; next < controls.length; next += 1) {
      const other = controls[next];
      if (one.contains(other) || other.contains(one) || floats(other)) continue;
      const [a, b] = [boxes[index], boxes[next]];
      const [wide, high] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
      if (wide > 2 && high > 2) found.add(`overlap: ${name(one)} and ${name(other)}`);
    }
  }
  // Each control is the topmost in its middle when it is on the screen.
  for (const one of controls) {
    one.scrollIntoView({ block: "center", inline: "nearest" });
    const { left, right, top, bottom, width } = one.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const above = document.elementFromPoint(x, y);
    if (width > 1 && !(above && (one.contains(above) || above.contains(one) || above.closest("label")?.contains(one)))) found.add(`covered: ${name(one)} “${one.textContent.trim().slice(0, 20)}” by ${above ? name(above) : "the edge of the window"}`);
  }
  scrollTo(0, 0);
  return [...found];
}

/** Looks at the page as it is in windows of all sizes. A page is loaded once for all of them, since loading takes longest. */
async function check(page, where) {
  for (const size of SIZES) {
    await page.setViewport(size);
    await drawn(page);
    const found = await page.evaluate(misplaced);
    if (process.env.LIST && found.length) console.log(where, size.width, found);
    else assert.deepEqual(found, [], `${where}, ${size.width} pixels wide`);
  }
}

/** Makes some moves, so that there are a list of moves and counters. */
async function moves(page, count) {
  for (let made = 0; made < count; made += 1) {
    const hasMoved = await page.$$eval(".moves button", (all) => { all.at(all.length >> 1)?.click(); return all.length > 0; });
    if (!hasMoved) return;
    await drawn(page);
  }
}

test("nothing of the first page is cut, outside or covered", () => visit(browser, server.address, async (page) => {
  await page.waitForSelector(".cards .piece");
  await check(page, "the first page");
}));

for (const game of [...GAMES, ...SHEETS]) {
  test(`nothing is cut, outside or covered in ${basename(game)}`, () => visit(browser, `${server.address}#game=${game.includes("/") ? "nim" : game}`, async (page) => {
    if (game.includes("/")) await openSheet(page, game);
    await drawn(page);
    await check(page, "the start");
    await moves(page, 3);
    for (const pane of game === GAMES[0] ? PANES : ["play", "analyse", "explain"]) {
      await show(page, pane);
      await drawn(page);
      await check(page, pane);
    }
    if (game !== GAMES[0]) return;
    await show(page, "learn");
    await click(page, ".lessons li button");
    await check(page, "a lesson");
    await click(page, "#course");
    await page.waitForSelector(".page h1");
    await check(page, "the course");
  }));
}

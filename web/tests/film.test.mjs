// The colours of the page, and pages with films, which `replay --html` writes: they need no server, and look like the page.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { SHAPES, flaws, launch, picture, program, root, text } from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/** Which colours of words stand on which colours. */
const WORDS = {
  ink: ["paper", "panel", "hover", "last"], pale: ["paper", "panel", "hover"], accent: ["paper", "panel", "hover"], "accent-ink": ["accent"],
  problem: ["paper", "panel"], open: ["paper", "panel"], label: ["field", "field-2"], "on-wall": ["wall"], sign: ["field", "field-2", "moved", "chosen"],
  "code-keyword": ["panel"], "code-relation": ["panel"], "code-function": ["panel"], "code-number": ["panel"], "code-variable": ["panel"],
};

/** The contrast of two colours, as WCAG defines it. */
function contrast(...colours) {
  const [high, low] = colours.map((colour) => {
    const parts = (colour.length === 4 ? [...colour.slice(1)].map((digit) => digit + digit) : colour.slice(1).match(/../g)).map((part) => parseInt(part, 16) / 255);
    const [red, green, blue] = parts.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  }).sort((one, other) => other - one);
  return high / low;
}

test("words have a contrast of 4.5, light and dark", () => {
  const [light, dark] = readFileSync(`${root}crates/draw/src/theme.css`, "utf8").split("@media").map((part) => Object.fromEntries([...part.matchAll(/--([\w-]+): (#[0-9a-f]{3,6});/g)].map(([, name, value]) => [name, value])));
  assert.ok(Object.keys(light).length > 20 && Object.keys(dark).length > 20);
  for (const theme of [light, { ...light, ...dark }]) {
    for (const [words, papers] of Object.entries(WORDS)) for (const paper of papers) assert.ok(contrast(theme[words], theme[paper]) >= 4.5, `${words} on ${paper}: ${contrast(theme[words], theme[paper])}`);
  }
});

/** A film of a plan. */
function film() {
  const folder = mkdtempSync(join(tmpdir(), "ggp-film-"));
  execFileSync(program, ["eval", "eight_puzzle", "replay right down right down --html plan.html"], { cwd: folder });
  return `file://${join(folder, "plan.html")}`;
}

for (const { width, height, dark } of SHAPES) {
  test(`a film is stepped through, ${width} pixels wide${dark ? " and dark" : ""}`, async () => {
    const page = await browser.newPage();
    await page.setViewport({ width, height });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
    await page.goto(film());
    assert.equal(await text(page, "h1"), "eight_puzzle, a plan");
    await page.click("#next");
    await page.keyboard.press("ArrowRight");
    assert.equal(await text(page, "#count"), "3 of 5");
    assert.match(await text(page, "svg.frame:not([hidden])"), /2: down/);
    assert.deepEqual(await flaws(page), []);
    const [paper, field] = await page.evaluate(() => [document.body, document.querySelector("svg.frame:not([hidden]) .cell")].map((one) => getComputedStyle(one)).map(({ backgroundColor, fill }) => [backgroundColor, fill]));
    assert.deepEqual([paper[0], field[1]], dark ? ["rgb(22, 24, 27)", "rgb(146, 154, 164)"] : ["rgb(243, 241, 236)", "rgb(238, 230, 214)"], "the colours of the page");
    const { bottom } = await page.$eval("svg.frame:not([hidden])", (frame) => frame.getBoundingClientRect().toJSON());
    assert.ok(bottom < height, `the frame ends at ${bottom}`);
    await picture(page, `film-${width}${dark ? "-dark" : ""}`);
    await page.close();
  });
}

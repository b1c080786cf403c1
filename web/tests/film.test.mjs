// Pages with films, which `replay --html` writes: they need no server, and look like the page.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { SHAPES, flaws, launch, picture, program, text } from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

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

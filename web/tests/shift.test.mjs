// What moves while the page is loaded, and how soon something is seen.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, drawn, end, tab } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

/** The greatest sum of layout shifts, and the time until the first paint, in milliseconds. */
const [SHIFT, PAINT] = [0.02, 500];

/** Loads the page, and returns the sum of its layout shifts and the time of its first paint. */
async function load(hash, shape) {
  const page = await tab(browser);
  await page.setViewport(shape);
  await page.evaluateOnNewDocument(() => {
    window.shift = 0;
    new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.shift += value; }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(`${server.address}${hash}`);
  await drawn(page);
  const measured = await page.evaluate(() => ({ shift: window.shift, paint: performance.getEntriesByName("first-contentful-paint")[0].startTime }));
  await page.close();
  return measured;
}

for (const shape of [{ width: 1280, height: 800 }, { width: 390, height: 844 }]) {
  test(`nothing moves while the page is loaded, ${shape.width} pixels wide, and it is painted soon`, async () => {
    const paints = [];
    for (const hash of ["#game=connect_four", "#game=breakthrough_6x6&pane=rules", "#game=pig_dice", "#game=hanoi&pane=analyse"]) {
      const { shift, paint } = await load(hash, shape);
      assert.ok(shift < SHIFT, `${hash}: ${shift}`);
      paints.push(paint);
    }
    assert.ok(Math.min(...paints) < PAINT, `first paints after ${paints.map(Math.round).join(", ")} ms`);
  });
}

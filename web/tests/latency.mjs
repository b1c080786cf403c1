// How soon the board answers while long work runs: clicks on the board while an analysis, a tournament and a seat's
// search run in the same page. A measurement: `node latency.mjs [CLICKS]`.

import { loadavg } from "node:os";
import { launch, open, serve } from "./browser.mjs";

const CLICKS = Number(process.argv[2] ?? 200);

const server = await serve();
const browser = await launch();
const page = await open(browser, `${server.address}#game=connect_four`);

/** Makes clicks on the board, and goes back to the start whenever there is nothing to click. */
const measure = () => page.evaluate(async (clicks) => {
  const frame = () => new Promise(requestAnimationFrame);
  const until = async (is) => { for (let frames = 0; frames < 2_000; frames += 1) { if (is()) return; await frame(); } throw new Error("nothing happens"); };
  const isIdle = () => document.querySelector("main").getAttribute("aria-busy") === "false";
  const ply = () => document.querySelector(".turn").dataset.ply;
  const times = [];
  while (times.length < clicks) {
    await until(isIdle);
    const squares = [...document.querySelectorAll(".square.open")];
    if (squares.length && Number(ply()) < 12) {
      const square = squares[(times.length * 7) % squares.length];
      const [began, before] = [performance.now(), ply()];
      square.click();
      await until(() => ply() !== before);
      times.push(performance.now() - began);
    } else {
      document.querySelector("#restart").click();
      await until(() => ply() === "0" && document.querySelector(".square.open"));
    }
  }
  return times;
}, CLICKS);

function tell(name, times) {
  times.sort((one, other) => one - other);
  const at = (share) => times[Math.min(Math.floor(share * times.length), times.length - 1)].toFixed(0);
  console.log(`${name}: ${times.length} clicks, median ${at(0.5)} ms, 95th percentile ${at(0.95)} ms, at most ${at(1)} ms; load ${loadavg()[0].toFixed(1)}`);
}

tell("alone", await measure());
await page.click("#tab-lab");
await page.click('[data-lab="tournament"]');
await page.waitForSelector("ggp-tournament form");
await page.$eval("ggp-tournament form", (form) => form.requestSubmit());
await page.click("#tab-analyse");
await page.click("#analyse");
// A seat's search: another page of the same browser, since a seat that thinks does not wait for clicks.
const other = await open(browser, `${server.address}#game=connect_four`);
await other.select("ggp-seats .bar:nth-of-type(1) select", "Monte Carlo tree search");
await other.$eval("ggp-seats .seconds", (field) => { field.value = "600"; field.dispatchEvent(new Event("change")); });
await page.bringToFront();
await new Promise((later) => setTimeout(later, 1_000));
tell("beside an analysis, a tournament and a seat's search", await measure());
await browser.close();
await server.end();

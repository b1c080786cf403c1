// How soon a large tree answers: steps back, drags, zooms, jumps and folds in a tree of 60,000 nodes. A measurement:
// `node tree_latency.mjs`.

import { loadavg } from "node:os";
import { actInTree, launch, open, search, serve, show } from "./browser.mjs";

const server = await serve();
const browser = await launch();
const page = await open(browser, `${server.address}#game=tic_tac_toe`);
await show(page, "search");
await search(page, "6", "minimax");
await page.click("[title='To the last step']");
for (const [name, acts] of Object.entries(await actInTree(page))) {
  const times = acts.map(({ time }) => time).sort((one, other) => one - other);
  console.log(`${name}: median ${times[times.length >> 1].toFixed(0)} ms, at most ${times.at(-1).toFixed(0)} ms; load ${loadavg()[0].toFixed(1)}`);
}
await browser.close();
await server.end();

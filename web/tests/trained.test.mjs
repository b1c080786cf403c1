// A person plays against a network of `ggp train` that the server has.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { click, drawn, end, hasWorker, launch, needsServer, ply, program, serve, visit } from "./browser.mjs";

let server, browser, folder;
before(async () => {
  if (hasWorker) return;
  folder = mkdtempSync(join(tmpdir(), "ggp-networks-"));
  execFileSync(program, ["train", "tic_tac_toe", "--games", "50", "--no-matches", "--out", join(folder, "own.net")]);
  server = await serve("--net", folder);
  browser = await launch();
});
after(async () => {
  if (hasWorker) return;
  await end(server, browser);
  rmSync(folder, { recursive: true, force: true });
});

const levels = (page) => page.$$eval("ggp-seats optgroup[label=Levels]", ([first]) => [...first.children].map(({ value }) => value));

test("a network is a level in the game that it has learned, and plays there", needsServer("networks are files"), async () => {
  await visit(browser, `${server.address}#game=connect_four`, async (page) => {
    assert.deepEqual(await levels(page), ["beginner", "casual player", "strong player", "full strength"]);
  });
  await visit(browser, `${server.address}#game=tic_tac_toe`, async (page) => {
    assert.equal((await levels(page)).at(-1), "trained network");
    await page.select("ggp-seats .bar:nth-of-type(2) select", "trained network");
    await drawn(page);
    await click(page, '[data-place="0,1,1"]');
    await page.waitForFunction(() => document.querySelector(".turn").dataset.ply === "2");
    assert.equal(await ply(page), 2);
  });
});

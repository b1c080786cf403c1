// The library in WebAssembly gives the answers of the program: all scripts of examples/scripts, line by line, and the short
// commands that the pages of the course show.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { Library } from "../static/library.js";
import { built, root, serve, unbuilt as skip } from "./browser.mjs";

const scripts = `${root}examples/scripts/`;

/** Answers that say how fast this machine is. */
const MEASURED = /^\s*(bench|recommend|analyse)\b|--times|--seconds|--time\b/;

/** A note that a busy machine alone has: the interpreter answers until the network is there. */
const WAITS = /until its propnet is built|plays .* from now on/;

/** What is measured in an answer, or depends on the speed of the machine, is left out. */
const unmeasured = (value) => JSON.parse(JSON.stringify(value, (key, one) => {
  if (/seconds|_time$|^time$|per_second|^playouts_a/.test(key)) return undefined;
  return key === "notes" ? one.filter((note) => !WAITS.test(note)) : one;
}));

let server, module;
before(async () => {
  if (skip) return;
  server = await serve();
  module = await WebAssembly.compile(readFileSync(built));
});
after(() => server?.end());

async function asked(path, body, method = "POST") {
  const headers = { Authorization: `Bearer ${server.token}` };
  return (await fetch(`http://127.0.0.1:${server.port}/api/${path}`, { method, headers, body: JSON.stringify(body) })).json();
}

for (const name of readdirSync(scripts).filter((file) => file.endsWith(".query"))) {
  test(`${name} has the same answers`, { skip, timeout: 600_000 }, async () => {
    const lines = readFileSync(scripts + name, "utf8").split("\n").filter((line) => line.trim() && !/^\s*[#%;]/.test(line));
    const library = await Library.of(module);
    const { session } = await asked("sessions");
    for (const line of lines.filter((line) => !MEASURED.test(line))) {
      const native = unmeasured(await asked(`sessions/${session}/lines`, { lines: [line] }));
      const own = unmeasured(JSON.parse(library.ask("lines", { lines: [line] })));
      assert.deepEqual(own, native, line);
    }
  });
}

const course = `${root}docs/course/`;

/** The commands `ggp eval GAME 'LINES'…` of the short blocks of a page, with what it shows below each of them. */
function* commands(page) {
  for (const [, block] of readFileSync(course + page, "utf8").matchAll(/^```console\n(.*?)^```/gms)) {
    for (const part of block.trimEnd().split(/^(?=\$ )/m)) {
      const [command, ...shown] = part.trimEnd().split("\n");
      const [, game, rest] = /^\$ ggp eval ('[^']*'|\S+) (.*)$/.exec(command) ?? [];
      if (!game) continue;
      const lines = [...rest.matchAll(/'([^']*)'|(\S+)/g)].flatMap(([, quoted, plain]) => (quoted ?? plain).split(";"));
      yield { command, game: game.replaceAll("'", ""), lines: lines.map((line) => line.trim()).filter(Boolean), shown: shown.join("\n") };
    }
  }
}

/** The request that loads a game: one of the library or of the course, or a tree. */
const loading = (game) => ["lines", { lines: [`load ${game}`] }];

for (const page of readdirSync(course).filter((file) => file.endsWith(".md"))) {
  const all = [...commands(page)];
  if (!all.length) continue;
  test(`the short commands of ${page} have the answers that it shows`, { skip, timeout: 600_000 }, async (context) => {
    const [counts, AS_SHOWN, AS_NATIVE] = [[0, 0], 0, 1];
    for (const { command, game, lines, shown } of all) {
      const library = await Library.of(module);
      const loaded = JSON.parse(library.ask(...loading(game)));
      const { records } = JSON.parse(library.ask("lines", { lines }));
      // The program prints what a page keeps as a file, and has a wrong tree from its command line, not from a line of its own.
      if (lines.some((line) => line.includes("/dev/stdout")) || loaded.records?.some(({ error }) => error)) {
        counts[AS_NATIVE] += 1;
        const { session } = await asked("sessions");
        const native = async (body) => unmeasured(await asked(`sessions/${session}/lines`, body));
        assert.deepEqual(unmeasured(loaded), await native(loading(game)[1]), command);
        assert.deepEqual(unmeasured(records), (await native({ lines })).records, command);
        continue;
      }
      counts[AS_SHOWN] += 1;
      const text = records.map((record) => record.text).join("");
      assert.equal(text.replace(/ +$/gm, "").trimEnd(), shown, command);
    }
    context.diagnostic(`${page}: ${counts[AS_SHOWN]} as shown, ${counts[AS_NATIVE]} as ggp serve answers`);
    assert.ok(counts[AS_SHOWN] > counts[AS_NATIVE], String(counts));
  });
}

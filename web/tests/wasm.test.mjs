// The library in WebAssembly gives the answers of the server: all scripts of examples/scripts, line by line.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { Library } from "../static/library.js";
import { built, root, serve, unbuilt as skip } from "./browser.mjs";

const scripts = `${root}examples/scripts/`;

/** Answers that say how fast this machine is. */
const MEASURED = /^\s*(bench|recommend|analyse)\b|--times|--seconds|--time\b/;

/** What is measured in an answer is left out. */
const unmeasured = (value) => JSON.parse(JSON.stringify(value, (key, one) => (/seconds|_time$|^time$|per_second|^playouts_a/.test(key) ? undefined : one)));

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

// The server behind the page: whom it answers.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { request } from "node:http";
import { after, before, test } from "node:test";
import { root, serve } from "./browser.mjs";

let server;
before(async () => { server = await serve("--sessions", "250"); });
after(() => server.end());

/** Sends a request as a program does; returns the status, the headers and the body. */
function ask(method, path, { token = server.token, headers = {}, body } = {}) {
  const sent = { ...(token ? { Authorization: `Bearer ${token}` } : {}), ...headers };
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port: server.port, method, path, headers: sent }, (response) => {
      let text = "";
      response.on("data", (chunk) => { text += chunk; });
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    asked.on("error", reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const begin = async () => JSON.parse((await ask("POST", "/api/sessions")).text).session;
const lines = async (session, ...all) => JSON.parse((await ask("POST", `/api/sessions/${session}/lines`, { body: { lines: all } })).text).records;

test("only those who know the secret are answered", async () => {
  assert.equal((await ask("GET", "/", { token: null })).status, 200, "the files of the page are no secret");
  for (const token of [null, "", "0".repeat(32), server.token.slice(1), `${server.token}0`]) {
    const { status, text } = await ask("POST", "/api/sessions", { token });
    assert.equal(status, 401);
    assert.match(text, /open the address that `ggp serve` has printed/);
  }
});

test("other pages and other names of this machine are refused", async () => {
  const origin = (Origin) => ask("POST", "/api/sessions", { headers: { Origin, Host: `127.0.0.1:${server.port}` } });
  assert.equal((await origin("http://evil.example")).status, 403);
  assert.equal((await origin("null")).status, 403);
  assert.equal((await origin(`http://127.0.0.1:${Number(server.port) + 1}`)).status, 403);
  assert.equal((await origin(`http://127.0.0.1:${server.port}`)).status, 200);
  assert.equal((await ask("GET", "/", { headers: { Host: "evil.example" } })).status, 421);
});

test("the page may load the files of this server only", async () => {
  const { headers } = await ask("GET", "/");
  assert.match(headers["content-security-policy"], /default-src 'none'; script-src 'self'/);
  assert.equal((await ask("GET", "/../Cargo.toml")).status, 404);
  assert.equal((await ask("GET", "/nothing.js")).status, 404);
});

test("the program has every file of the page", () => {
  const list = readFileSync(`${root}src/serve/page.rs`, "utf8");
  const files = readdirSync(`${root}web`).filter((name) => /\.(js|css|html|svg)$/.test(name));
  assert.deepEqual(files.filter((name) => !list.includes(`"${name}"`)), []);
});

test("what commands write is sent to the page", async () => {
  const session = await begin();
  const writing = [
    "save out.json", "show --svg out.svg", "rules save out.gdl", "solve --policy out.csv", "simulate --playouts 10 --svg out.svg",
    "minimax --depth 2 --tree svg out.svg", "do mark(1,1)", "replay --html out.html", "compare --algorithms minimax --depths 1 --csv out.csv",
  ];
  const sent = { lines: ["load tic_tac_toe", ...writing] };
  const { records, files } = JSON.parse((await ask("POST", `/api/sessions/${session}/lines`, { body: sent })).text);
  assert.deepEqual(records.filter(({ error }) => error), []);
  assert.deepEqual(files.map(([name]) => name.slice(4)), ["json", "svg", "gdl", "csv", "svg", "svg", "html", "csv"]);
  assert.ok(files.every(([name, text]) => text.length > 20 && !existsSync(name) && !existsSync(`${root}${name}`)));
});

test("no command reads files", async () => {
  const session = await begin();
  const refused = [
    "load Cargo.toml", "load ./gdl/nim.gdl", "load -", "load nim --from-db /tmp", "restore out.json",
    "alphabeta --depth 1 --eval ./weights.gdl", "expectimax --opponents weights:file=out.txt", "astar --heuristic ./Cargo.toml",
  ];
  for (const line of refused) {
    await lines(session, "load tic_tac_toe");
    const [{ error }] = await lines(session, line);
    assert.ok(error, line);
    assert.match(error, /files of this machine are not read|not in the library|in the library|is not|has no/, line);
  }
});

test("mistakes of a program are named", async () => {
  const session = await begin();
  const sent = (body) => ask("POST", `/api/sessions/${session}/lines`, { body });
  assert.equal((await sent({ line: "help" })).status, 400);
  assert.equal((await sent({ lines: ["x".repeat(5_000_000)] })).status, 413);
  assert.equal((await ask("POST", "/api/sessions/unknown/lines", { body: { lines: [] } })).status, 410);
  assert.equal((await ask("GET", "/api/nothing")).status, 404);
  const [{ error, column }] = await lines(session, "load tic_tac_toee");
  assert.match(error, /did you mean tic_tac_toe/);
  assert.ok(column === undefined || column > 0);
});

test("sessions of one game have the network that one of them has", async () => {
  const engine = async (session) => JSON.parse((await ask("GET", `/api/sessions/${session}/engine`)).text);
  assert.match((await engine(await begin())).error, /no game/);
  const [first, second] = [await begin(), await begin()];
  await lines(first, "load chess");
  while ((await engine(first)).engine.is_building) await new Promise((later) => setTimeout(later, 100));
  await lines(second, "load chess");
  assert.deepEqual(await engine(second), { engine: { is_building: false, problem: null } }, "it is there at once");
  const [, { answer }] = await lines(second, "restart", "info --states 0");
  assert.equal(answer.engine_in_use, "propnet");
});

test("two hundred sessions are apart", async () => {
  const sessions = await Promise.all(Array.from({ length: 200 }, begin));
  assert.equal(new Set(sessions).size, 200);
  const moves = await Promise.all(sessions.map(async (session, number) => {
    const move = `mark(${(number % 3) + 1},${(Math.floor(number / 3) % 3) + 1})`;
    const answers = await lines(session, "load tic_tac_toe", `do ${move}`, "history");
    return [move, answers[2].text];
  }));
  for (const [move, text] of moves) assert.ok(text.includes(move), text);
});

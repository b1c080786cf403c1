// The tasks of the course: a list with marks, answers that are typed, clicked and played, hints, and a file of marks that the
// program judges again.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { begin, click, drawn, end, flaws, ply, program, text, turn, unfold, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

const withPage = (use, options) => visit(browser, `${server.address}#game=tic_tac_toe&pane=learn`, async (page) => {
  await click(page, "#tasks");
  await page.waitForSelector("ggp-tasks [data-task]");
  await use(page);
}, options);

/** Presses the button with this text. */
const press = (page, name) => page.evaluate((name) => {
  [...document.querySelectorAll("ggp-tasks button")].find(({ textContent }) => textContent === name).click();
}, name);

/** Begins a task. */
async function open(page, name) {
  await click(page, `ggp-tasks [data-task=${name}]`);
  await page.waitForSelector("ggp-tasks .question");
}

/** Types an answer, and what is said of it. */
async function answer(page, typed) {
  if (typed !== null) await page.$eval("ggp-tasks .line, ggp-tasks textarea", (field, typed) => { field.value = typed; }, typed);
  await page.$eval("ggp-tasks .verdict", (verdict) => verdict.replaceChildren());
  await press(page, "Answer");
  await page.waitForFunction(() => document.querySelector("ggp-tasks .verdict").childElementCount);
  return text(page, "ggp-tasks .verdict");
}

test("a wrong answer, a hint, a right answer, and the marks as a file that is judged again", () => withPage(async (page) => {
  await open(page, "two_ply_value");
  assert.match(await text(page, "ggp-tasks .question"), /What is the tree worth/);
  assert.match(await answer(page, "14"), /Not right\..*14 is too large/s);
  await press(page, "Hint");
  assert.match(await text(page, "ggp-tasks .hints"), /least leaf/);
  assert.match(await answer(page, "three"), /`?three`? is no number/);
  assert.match(await answer(page, "3"), /Right\..*minimax computes it/s);
  await press(page, "All tasks");
  assert.match(await text(page, "ggp-tasks [role=status]"), /1 of 1?\d\d tasks are right/);
  assert.match(await text(page, "ggp-tasks li[data-mark=right]"), /number, right, 2 tries, 1 hint/);
  const saved = await page.evaluate(async () => {
    const made = URL.createObjectURL;
    let blob = null;
    URL.createObjectURL = (one) => { blob = one; return made.call(URL, one); };
    [...document.querySelectorAll("ggp-tasks button")].find(({ textContent }) => textContent === "Save marks").click();
    URL.createObjectURL = made;
    return blob.text();
  });
  const file = join(mkdtempSync(join(tmpdir(), "ggp-marks-")), "course.json");
  writeFileSync(file, saved);
  const { stdout, status } = spawnSync(program, ["course", "grade", file], { encoding: "utf8" });
  assert.equal(status, 0);
  assert.match(stdout, /two_ply_value,true,2,1,false,\s/);
}));

test("leaves that are cut and the order of nodes are clicked", () => withPage(async (page) => {
  await open(page, "alpha_beta_cut");
  for (const node of ["c2", "d1", "c3"]) await click(page, `ggp-tasks button[data-node=${node}]`);
  assert.match(await answer(page, null), /`?d1`? is not cut/);
  await click(page, "ggp-tasks button[data-node=d1]");
  assert.match(await answer(page, null), /Right\./);
  await press(page, "All tasks");
  await open(page, "two_ply_order");
  for (const node of ["root", "a1", "b1", "a2", "b2"]) await click(page, `ggp-tasks button[data-node=${node}]`);
  assert.match(await answer(page, null), /node 4, `?a2`?, is the first that is out of order/);
  for (const node of ["a2", "b2", "a2", "c1", "c2"]) await click(page, `ggp-tasks button[data-node=${node}]`);
  assert.match(await answer(page, null), /Right\./);
}));

test("values are filled in, and a statement is chosen", () => withPage(async (page) => {
  await open(page, "two_ply_values");
  const beside = await page.$$eval("ggp-tasks input[data-node]", (fields) => fields.every((field) => {
    const [own, node] = [field, field.previousElementSibling].map((one) => one.getBoundingClientRect());
    return own.left > node.left && Math.abs(own.top + own.height / 2 - node.top - node.height / 2) < 8;
  }));
  assert.ok(beside, "each field is beside its node");
  for (const [node, value] of [["root", "3"], ["a1", "3"], ["a2", "2"], ["a3", "14"]]) {
    await page.type(`ggp-tasks input[data-node=${node}]`, value);
  }
  assert.match(await answer(page, null), /`?a3`? is not worth 14/);
  await page.$eval("ggp-tasks input[data-node=a3]", (field) => { field.value = ""; });
  await page.type("ggp-tasks input[data-node=a3]", "2");
  assert.match(await answer(page, null), /Right\./);
  await press(page, "All tasks");
  await open(page, "narrated");
  await click(page, "ggp-tasks input[value=b]");
  assert.match(await answer(page, null), /Right\./);
}));

test("moves that are made on the board are the answer, and a sheet is written", () => withPage(async (page) => {
  await open(page, "three_puzzle_plan");
  await page.waitForFunction(() => document.title.startsWith("three_puzzle"));
  await drawn(page);
  await unfold(page);
  for (const [ply, move] of ["right", "down", "left", "up", "right", "down"].entries()) {
    await page.$eval(`.moves [data-move=${move}]`, (button) => button.click());
    await page.waitForFunction((ply) => Number(document.querySelector(".turn").dataset.ply) === ply + 1, {}, ply);
  }
  const typed = await page.$eval("ggp-tasks .line", ({ value }) => value);
  assert.equal(typed, "right down left up right down");
  assert.match(await answer(page, "right left right left right left"), /Not right\..*not optimal: 100 can be reached/s);
  assert.match(await answer(page, typed), /Right\./);
  await press(page, "All tasks");
  await open(page, "missing_frame_rule");
  assert.match(await answer(page, null), /Not right\..*they differ after/s);
  const draft = await page.$eval("ggp-tasks textarea", ({ value }) => value);
  assert.match(await answer(page, draft + "\nnext(lit(q)) :- does(robot,a) & true(lit(q))\n"), /Right\./);
  assert.match(await answer(page, "role(robot"), /Not right\..*error/s);
  await press(page, "Show it on the board");
  await page.waitForFunction(() => /^line \d+: expected/.test(document.querySelector("ggp-tasks .verdict").textContent));
  await page.$eval("ggp-tasks textarea", (field, text) => { field.value = text; }, draft);
  await press(page, "Show it on the board");
  await page.waitForFunction(() => document.querySelector("ggp-tasks .verdict").textContent === "It is on the board.");
}));

test("the board shows the position of a task before chance has moved, what is written, or nothing", () => withPage(async (page) => {
  const begin = async (name) => {
    await page.evaluate((name) => document.querySelector("ggp-tasks").open(name), name);
    await drawn(page);
  };
  const isShown = () => page.$eval("ggp-board", (board) => board.checkVisibility());
  const texts = (selector) => page.$$eval(`ggp-board ${selector}`, (all) => all.map(({ textContent }) => textContent).filter(Boolean));
  await begin("chance_tree");
  assert.deepEqual([await turn(page), await ply(page)], ["random to move", 0]);
  assert.deepEqual([await texts(".branches text"), await texts(".piece")], [["1/2", "1/3", "1/6"], ["root", "8", "24", "-12"]]);
  await begin("two_ply_values");
  assert.deepEqual(await texts(".piece"), ["root", "a1", "a2", "a3", ..."3 12 8 2 4 6 14 5 2".split(" ")]);
  await begin("tree_of_chess");
  assert.equal(await isShown(), false);
  assert.match(await answer(page, "10^123.53"), /Right\./);
  await press(page, "All tasks");
  assert.equal(await isShown(), true);
  await begin("fix_printed_sheet");
  assert.equal(await isShown(), false);
  await begin("costly_wall");
  assert.deepEqual([await isShown(), await turn(page), await texts(".piece")], [true, "agent to move", ["a", "b", "c"]]);
  await page.$eval("ggp-tasks textarea", (field) => { field.value = field.value.replace("....\nabc@", "..#.\nabc@"); });
  await press(page, "Show it on the board");
  await page.waitForSelector("ggp-board .square.wall");
}));

test("a right answer has the command that computes it, which is run when it is pressed", () => withPage(async (page) => {
  await open(page, "two_ply_value");
  assert.match(await answer(page, "three"), /digits, as 246/);
  assert.match(await answer(page, "3 points"), /Right\./);
  await click(page, "ggp-tasks .command");
  await page.waitForFunction(() => /^max: 3 by a1 b1/.test(document.querySelector("ggp-tasks .verdict .answer").textContent));
  await page.evaluate(() => document.querySelector("ggp-tasks").open("order_the_tree"));
  assert.match(await answer(page, "[[3 12 8] [2 x]]"), /is the name of a player.*1:14/s);
  await page.$eval("ggp-tasks .line", (field) => { field.value = "[[31 12 8] [2 14 5]]"; });
  await press(page, "Show it on the board");
  await page.waitForFunction(() => [...document.querySelectorAll("ggp-board .piece")].some(({ textContent }) => textContent === "31"));
}));

test("what a command of the course draws is shown below it", () => withPage(async (page) => {
  await click(page, "#course");
  await click(page, "ggp-course [data-page=lecture]");
  await page.waitForSelector("ggp-course article .drawn");
  const pressed = await page.evaluate(() => {
    const buttons = [...document.querySelectorAll("ggp-course article button")];
    const button = buttons.find(({ textContent }) => /minimax max; minimax max/.test(textContent)) ?? buttons.find((one) => /--tree text/.test(one.closest(".bar").previousElementSibling.textContent));
    button.click();
    return button.closest(".bar").previousElementSibling.textContent;
  });
  assert.match(pressed, /--tree text/);
  await page.waitForFunction(() => [...document.querySelectorAll("ggp-course pre.answer")].some(({ textContent }) => /^△ #0/m.test(textContent)));
}));

// Every button of a page; those of all pages in thorough runs.
const PAGES = process.env.GGP_THOROUGH ? ["slides", "chapter", "video", "lecture", "coursework", "conventions"] : ["video"];
for (const name of PAGES) test(`every command of the page ${name} prints what the page says`, { timeout: 300_000 }, () => withPage(async (page) => {
  await click(page, "#course");
  await page.evaluate((name) => document.querySelector("ggp-course").open(name), name);
  await page.waitForFunction(() => document.querySelector("ggp-course article .drawn"));
  const buttons = await page.$$("ggp-course article pre + .bar button");
  assert.ok(buttons.length > 1);
  for (const button of buttons) {
    // What takes long is run by the test of the documents.
    if (/\(about /.test(await button.evaluate(({ textContent }) => textContent))) continue;
    const [shown, printed] = await button.evaluate(async (button) => {
      const bar = button.closest(".bar");
      const [block, answer] = [bar.previousElementSibling, bar.nextElementSibling];
      button.click();
      do await new Promise((later) => setTimeout(later, 20)); while (button.textContent === "Stop");
      return [block.textContent, answer.textContent];
    });
    // Where a mistake is shown, the prompt names its place in another line than the shell.
    const lines = printed.split("\n").map((line) => line.trimEnd()).filter((line) => line && !/^( *-->|[ \d]*\||error| *= help)/.test(line));
    for (const line of lines) assert.ok(shown.includes(line), `${line}\n${shown}`);
  }
}));

test("a task leads to its item of the course, and back", () => withPage(async (page) => {
  await open(page, "quiz_1");
  await click(page, "ggp-tasks h2 .item");
  await page.waitForFunction(() => /^S3\.8 /m.test([...document.querySelectorAll("ggp-course h2")].find((one) => one.getBoundingClientRect().top > 0)?.textContent ?? ""));
  await page.evaluate(() => [...document.querySelectorAll("ggp-course .tasks button")].find(({ textContent }) => textContent === "Task: A false tie").click());
  await page.waitForFunction(() => /A false tie/.test(document.querySelector("ggp-tasks h2")?.textContent ?? ""));
}));

test("a long command says what it takes, shows its progress, and can be stopped", () => withPage(async (page) => {
  await click(page, "#course");
  await click(page, "ggp-course [data-page=coursework]");
  await page.waitForSelector("ggp-course article .drawn");
  const long = await page.evaluateHandle(() => [...document.querySelectorAll("ggp-course article button")].find(({ textContent }) => /about 16 s and 900 MB/.test(textContent)));
  const name = await long.evaluate(({ textContent }) => textContent);
  const answer = () => long.evaluate((button) => button.closest(".bar").nextElementSibling.textContent);
  await long.evaluate((button) => button.click());
  await page.waitForFunction((button) => button.textContent === "Stop" && / nodes, /.test(button.closest(".bar").nextElementSibling.textContent), {}, long);
  await long.evaluate((button) => button.click());
  await page.waitForFunction((button) => button.textContent !== "Stop", {}, long);
  assert.match(await answer(), /^stopped: [\d,]+ nodes, /);
  assert.equal(await long.evaluate(({ textContent }) => textContent), name);
  await page.waitForFunction(() => document.title.startsWith("tiles_6"));
}));

const OWN = "title = Two moves\nsection = S3.4\ngame = [[3 12] [2 4]]\nquestion = What is it worth?\nkind = number\ncommand = minimax\nwrong = 2\n";

test("a teacher's task is opened from its file, and from a link", () => withPage(async (page) => {
  const folder = mkdtempSync(join(tmpdir(), "ggp-task-"));
  const file = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const upload = async (path) => (await page.$("ggp-tasks input[type=file]")).uploadFile(path);
  await upload(file("bad.task", OWN.replace("kind = number", "kind = nunber")));
  await page.waitForFunction(() => /bad\.task:5:8/.test(document.querySelector("ggp-tasks [role=alert]").textContent));
  await upload(file("two_moves.task", OWN));
  await page.waitForSelector("ggp-tasks .question");
  assert.match(await answer(page, "4"), /Not right\..*4 is too large/s);
  assert.match(await answer(page, "3"), /Right\./);
  await page.evaluate(() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; });
  await press(page, "Link for a class");
  await page.waitForFunction(() => window.copied);
  const link = await page.evaluate(() => window.copied);
  await press(page, "Remove this task");
  await page.waitForFunction(() => document.querySelector("ggp-tasks ul.lessons") && !document.querySelector("[data-task=two_moves]"));
  await page.evaluate((link) => { location.href = link; }, link);
  await page.waitForFunction(() => /What is it worth/.test(document.querySelector("ggp-tasks .question")?.textContent ?? ""));
  assert.match(await answer(page, "3"), /Right\./);
}));

// All of them in thorough runs, otherwise each fourth one.
test("every task begins", { timeout: 300_000 }, () => withPage(async (page) => {
  const all = await page.$$eval("ggp-tasks [data-task]", (all) => all.map(({ dataset }) => dataset.task));
  assert.ok(all.length > 60);
  const names = all.filter((_, index) => process.env.GGP_THOROUGH || index % 4 === 0);
  for (const name of names) {
    const said = await page.evaluate(async (name) => {
      const view = document.querySelector("ggp-tasks");
      await view.open(name);
      return view.querySelector(".verdict").textContent;
    }, name);
    assert.equal(said, "", name);
    assert.deepEqual(page.problems, [], name);
  }
}));

test("who comes back finds the task", () => withPage(async (page) => {
  await open(page, "quiz_1");
  await page.reload();
  await page.waitForSelector("main[aria-busy=false]");
  await click(page, "#tab-learn");
  await click(page, "#tasks");
  await page.waitForSelector("ggp-tasks .question");
  assert.match(await text(page, "ggp-tasks h2"), /Quiz 1/);
  assert.deepEqual(await flaws(page), []);
}));

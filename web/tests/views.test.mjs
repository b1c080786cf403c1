// The views of a position: the tree of a search, step by step, the propositional network, and
// random games.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { SHAPES, actInTree, begin, click, drawn, end, flaws, open, picture, ply, program, search, show, text, turn, visit } from "./browser.mjs";

let server, browser;
before(async () => { [server, browser] = await begin(); });
after(() => end(server, browser));

/** Opens a game on a tab of the tools, for the time of a test. */
const withView = (game, tab, use, options) => visit(browser, `${server.address}#game=${game}`, async (page) => {
  await show(page, tab);
  await use(page);
}, options);

/** A view passes in every shape of the window: axe finds nothing in it, and nothing is wider than the window. */
async function passes(game, tab, use) {
  for (const options of SHAPES) {
    await withView(game, tab, async (page) => {
      await use(page);
      assert.deepEqual(await flaws(page), []);
      await picture(page, `${tab}-view-${options.width}${options.dark ? "-dark" : ""}`);
    }, options);
  }
}

/** Writes into a field as typing does. */
const fill = (page, selector, value) => page.$eval(selector, (field, value) => { field.value = value; field.dispatchEvent(new Event("input")); }, value);

test("a search is gone through step by step, by keys, buttons and the slider", async () => {
  await withView("tic_tac_toe", "search", async (page) => {
    await search(page, "2");
    assert.equal(await text(page, ".told"), "Nothing has happened yet.");
    await page.click("[title='One step forward']");
    assert.equal(await text(page, ".told"), "Generated: node 0, the position.");
    await page.focus("#step");
    await page.keyboard.press("ArrowRight");
    assert.equal(await text(page, ".told"), "Expanded: node 0, with alpha -∞ and beta ∞.");
    await page.focus("[title='One step forward']");
    await page.keyboard.press("ArrowRight");
    assert.equal(await text(page, ".told"), "Generated: node 1, mark(1,1), below node 0.");
    assert.equal(await page.$$eval(".node", (nodes) => nodes.length), 2, "what is generated later is not there yet");
    await page.click("[title='One step back']");
    assert.match(await text(page, ".count"), /^2 of /);
    await page.click("[title='To the last step']");
    assert.match(await text(page, ".told"), /^The search is over; the best line has 2 moves/);
    assert.match(await text(page, "#node-0 .hidden"), /start, maximising, value \?, alpha 50, beta ∞$/);
    assert.ok((await page.$$eval(".node.cut", (nodes) => nodes.length)) > 0);
  });
});

test("each node shows by a sign who decides there, which a legend and a title explain", async () => {
  await withView("pig_dice", "search", async (page) => {
    await search(page, "2", "expectimax");
    await page.click("[title='To the last step']");
    const nodes = await page.$$eval(".node .name", (names) => names.map((name) => [name.textContent[0], name.title, name.parentElement.querySelector(".hidden").textContent]));
    const signs = { "▲": "maximising", "▼": "minimising", "●": "chance" };
    for (const [sign, title, words] of nodes) {
      assert.equal(title, `${signs[sign]} node`);
      assert.match(words, new RegExp(`, ${signs[sign]}, `));
    }
    assert.ok(["▲", "●"].every((sign) => nodes.some(([own]) => own === sign)), JSON.stringify(nodes));
    const legend = await text(page, "ggp-search .keys");
    for (const [sign, words] of Object.entries(signs)) assert.match(legend, new RegExp(`${sign}\\s*${words}`));
  });
});

test("nodes are chosen by arrow keys, and their positions shown", async () => {
  await withView("tic_tac_toe", "search", async (page) => {
    await search(page, "2");
    await page.click("[title='To the last step']");
    await page.focus(".explored");
    for (const key of ["Home", "ArrowRight", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
    assert.match(await text(page, ".chosen-node"), /Line: mark\(1,2\); mark\(1,1\)/);
    assert.equal(await page.$eval(".explored", (tree) => document.querySelector(`#${tree.getAttribute("aria-activedescendant")}`).getAttribute("aria-selected")), "true");
    await click(page, "#visit");
    assert.deepEqual([await turn(page), await ply(page)], ["xplayer to move", 2]);
    assert.equal(await page.$eval(".traced", (view) => view.hidden), false, "the tree stays");
    await click(page, "#restart");
    await click(page, '[data-place="0,2,2"]');
    await click(page, "#visit");
    assert.match(page.url(), /mark%281%2C2%29\+noop%3Bnoop\+mark%281%2C1%29&pane=search$/, "a node is below the position of its search");
  });
});

test("pseudo-code shows the line at work, words say why moves are cut, and a queue or a stack what waits", async () => {
  await withView("minimax_tree", "search", async (page) => {
    const line = () => page.$eval("ggp-pseudocode [aria-current=step]", ({ textContent }) => textContent.trim());
    const stepTo = async (what) => {
      for (let steps = 0; steps < 60; steps += 1) {
        if (what.test(await text(page, ".told"))) return;
        await page.click("[title='One step forward']");
      }
      assert.fail(`no step is ${what}`);
    };
    await search(page, "3");
    assert.equal(await page.$$eval("ggp-pseudocode li", (lines) => lines.length), 13);
    await stepTo(/^Generated: node 0/);
    assert.match(await line(), /^alphabeta\(state, α, β\)/);
    await stepTo(/^Pruned/);
    assert.equal(await line(), "if β ≤ α: leave the other moves out");
    const isInSight = await page.$eval("ggp-pseudocode ol", (list) => {
      const [all, one] = [list, list.querySelector("[aria-current]")].map((part) => part.getBoundingClientRect());
      return one.top >= all.top - 1 && one.bottom <= all.bottom + 1;
    });
    assert.ok(isInSight, "the line at work is in sight");
    assert.match(await text(page, ".told"), /: 2 moves are left out, since the value here is at most 2, and max has 3 elsewhere, so max does not choose this\.$/);
    assert.match(await text(page, ".waiting"), /^Stack: 0 \d+$/);
    await page.select("#stepping", "60");
    await page.click("#pace");
    await page.waitForFunction(() => /^The search is over/.test(document.querySelector(".told").textContent));
    await page.waitForFunction(() => document.querySelector("#pace").textContent === "Play");
    await page.select("#game", "three_puzzle");
    await drawn(page);
    await search(page, "", "bfs");
    await stepTo(/^Generated: node 2/);
    await page.click("[title='One step forward']");
    assert.equal(await line(), "put child at the end of the queue");
    assert.equal(await text(page, ".waiting"), "Queue: 1 2");
  });
});

test("Monte Carlo tree search is a film too: the line of each visit, its random game, and the means", async () => {
  await withView("tic_tac_toe", "search", async (page) => {
    await page.select("#traced", "mcts");
    await page.click("#trace");
    await page.waitForFunction(() => /^Nothing/.test(document.querySelector(".told").textContent));
    const steps = [];
    for (let step = 0; step < 4; step += 1) {
      await page.click("[title='One step forward']");
      steps.push([await text(page, ".told"), await page.$eval("ggp-pseudocode [aria-current=step]", ({ textContent }) => textContent.trim())]);
    }
    assert.deepEqual(steps.map(([told]) => told.replace(/\(.*?\)/, "").replace(/\d+ \/ \d+/, "U").replace(/mean \d+/, "mean U")), [
      "Generated: node 0, the position.", "Generated: node 1, mark, below node 0.",
      "A random game from node 1, mark ends with U.", "Counted in node 1, mark: 1 game with the mean U.",
    ]);
    assert.deepEqual(steps.map(([, line]) => line.split(" ")[0]), ["tree", "add", "otherwise", "from"]);
    await page.click("[title='To the last step']");
    assert.match(await text(page, ".told"), /^The search is over/);
    assert.match(await text(page, "#node-0"), /60 games/);
    const film = await page.evaluate(async () => {
      const { filmOf } = await import("./film.js");
      const trace = new (await import("./trace.js")).Trace({ events: [{ event: "generated", node: 0, parent: null, moves: [], depth: 0, decides: "max" }, { event: "averaged", node: 0, visits: 1, mean: 50 }], left_out: 0, code: { lines: ["tree = [start]", "  count"], at: [0, 1] } });
      return filmOf(trace, 2);
    });
    assert.ok(film.includes("tree = [start]") && film.includes("1 game"), "the film has the pseudo-code");
  });
});

test("rounds, estimates and values of every role are shown", async () => {
  await withView("eight_puzzle", "search", async (page) => {
    await search(page, "", "ida --heuristic hadd");
    await page.click("[title='One step forward']");
    assert.equal(await text(page, ".told"), "A round begins, to cost 28.");
    await page.click("[title='To the last step']");
    await page.click("[title='One step back']");
    assert.match(await text(page, ".told"), /^The round to cost 28 is over: \d+ nodes\.$/);
    assert.match(await text(page, "#node-0 .window"), /^0\+28$/);
    await page.select("#game", "tic_tac_toe");
    await drawn(page);
    await page.waitForFunction(() => document.querySelector("#node-1 .name")?.textContent === "▼ mark(1,1)");
    assert.match(await text(page, "ggp-search .progress"), /^A small search of this position/, "the tree of another game is gone");
    await search(page, "1", "maxn");
    await page.click("[title='To the last step']");
    assert.equal(await text(page, "#node-0 b"), "? / ?");
    await search(page, "2", "iterative");
    await page.click("[title='To the last step']");
    assert.equal(await page.$$eval(".node[aria-level='1']", (roots) => roots.map(({ id }) => id).join()), "node-10", "the tree of the last round");
  });
});

test("a search that is stopped or wrong says so, and the view is free again", async () => {
  await withView("connect_four", "search", async (page) => {
    await search(page, "2", "minimax", "--evil");
    assert.match(await text(page, "ggp-search .progress"), /has no option `--evil`/);
    await page.$eval("ggp-search ggp-options", (field) => field.show("minimax"));
    await page.click("#trace");
    await page.waitForFunction(() => /[1-9][\d,]* nodes/.test(document.querySelector("ggp-search .progress").textContent));
    await page.click("#trace");
    await page.waitForFunction(() => document.querySelector("ggp-search .progress").textContent === "stopped");
    await search(page, "1", "minimax");
    assert.match(await text(page, ".count"), /^0 of \d+$/);
  });
});

test("only the nodes in view have elements, and the line to them stays in view", async () => {
  await withView("tic_tac_toe", "search", async (page) => {
    await search(page, "4", "minimax");
    await page.click("[title='To the last step']");
    const counts = () => page.$$eval(".node", (nodes) => [nodes.length, nodes.filter(({ id }) => id === "node-0").length]);
    const [few] = await counts();
    assert.ok(few < 200, `${few} elements`);
    await page.$eval(".explored", (view) => { view.scrollTop = view.scrollHeight / 2; });
    await page.waitForFunction(() => document.querySelectorAll(".node")[0].style.transform !== "translate(0px, 0px)");
    const [many, roots] = await counts();
    assert.ok(many < 200 && roots === 1, `${many} elements`);
  });
});

test("a small search of the position is shown at once, and follows the position until a person searches", async () => {
  await withView("tic_tac_toe", "search", async (page) => {
    await page.waitForSelector("#node-0");
    assert.match(await text(page, ".told"), /^The search is over/);
    assert.match(await text(page, ".legend"), /maximising.*pruned/);
    const count = () => text(page, "ggp-search .count");
    const before = await count();
    await click(page, '[data-place="0,1,1"]');
    await page.waitForFunction((before) => document.querySelector("ggp-search .count").textContent !== before, {}, before);
    await search(page, "1", "minimax");
    const own = await count();
    await click(page, '[data-place="0,0,0"]');
    await new Promise((later) => setTimeout(later, 600));
    assert.equal(await count(), own, "the tree of a person stays");
  });
  await withView("connect_four", "search", (page) => page.waitForSelector("#node-0"), { width: 390, height: 844 });
});

test("the tree is folded, zoomed and dragged, and its map leads to each part", async () => {
  await withView("tic_tac_toe", "search", async (page) => {
    await page.waitForSelector("#node-1");
    const extent = () => page.$eval(".extent", ({ style }) => [parseFloat(style.width), parseFloat(style.height)]);
    const [width, height] = await extent();
    await page.click("#node-1 .fold");
    assert.match(await text(page, "#node-1 .fold"), /^\+8$/);
    assert.equal(await page.$eval("#node-1", (node) => node.getAttribute("aria-expanded")), "false");
    assert.ok((await extent())[1] < height, "what is folded takes no room");
    await page.focus(".explored");
    await page.click("#node-1");
    await page.keyboard.press("+");
    assert.deepEqual(await extent(), [width, height]);
    await page.click("#fold");
    assert.equal((await extent())[1], 9 * 46, "all moves of the position are folded");
    await page.click("#fold");
    await page.click("ggp-search [title^='Zoom out']");
    assert.ok(Math.abs((await extent())[0] - width * 0.8) < 1);
    await page.click("ggp-search [title^='Zoom in']");
    const at = () => page.$eval(".explored", ({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]);
    const { x, y } = await page.$eval(".explored", (view) => { const { left, bottom } = view.getBoundingClientRect(); return { x: left + 40, y: bottom - 60 }; });
    const [, top] = await at();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 50, { steps: 4 });
    await page.mouse.up();
    assert.equal((await at())[1], top + 50, "the tree goes with the pointer");
    const map = await page.$eval("ggp-search ggp-overview canvas", (canvas) => { const { left, right, bottom } = canvas.getBoundingClientRect(); return [(left + right) / 2, bottom - 2]; });
    await page.mouse.click(...map);
    await page.waitForFunction(() => document.querySelector(".explored").scrollTop > 300);
    await page.click("ggp-search [title='Show all of it']");
    assert.ok((await extent())[1] <= height);
  });
});

/** The most nodes that one act in a large tree may draw: a few windows full. */
const MOST_DRAWN = 400;

test("a tree of tens of thousands of nodes is gone through, zoomed, dragged and folded by drawing what is in view", async () => {
  await withView("tic_tac_toe", "search", async (page) => {
    await search(page, "6", "minimax");
    assert.match(await text(page, ".count"), /^0 of 60,0/);
    await page.click("[title='To the last step']");
    for (const [name, acts] of Object.entries(await actInTree(page))) {
      assert.ok(acts.some(({ added }) => added > 0), `${name} draws nodes`);
      assert.ok(acts.every(({ added, shown }) => added < MOST_DRAWN && shown < MOST_DRAWN), `${name}: ${JSON.stringify(acts)}`);
    }
  });
});

test("the network begins with the end of the game, with a legend, and a map of what is not in view", async () => {
  await withView("tic_tac_toe", "network", async (page) => {
    await page.waitForSelector(".component.picked");
    assert.match(await text(page, ".chosen-component p"), /: view terminal, /);
    assert.match(await text(page, "ggp-network .legend"), /decided by the moves/);
    await around(page, "goal(xplayer,100)");
    const view = () => page.$eval(".canvas svg", (svg) => svg.viewBox.baseVal.x);
    const [before, map] = [await view(), await page.$eval("ggp-network ggp-overview canvas", (canvas) => { const { left, top } = canvas.getBoundingClientRect(); return [left + 2, top + 10]; })];
    await page.mouse.click(...map);
    assert.ok((await view()) < before, "the left of the map is to the left");
  });
});

test("the search view passes axe, light and dark, wide and narrow", async () => {
  await passes("tic_tac_toe", "search", async (page) => {
    await search(page, "2");
    await fill(page, "#step", "40");
    await page.focus(".explored");
    await page.keyboard.press("ArrowLeft");
  });
});

/** Shows the network around a proposition. */
async function around(page, proposition) {
  await fill(page, "#proposition", proposition);
  await click(page, "#network");
}

/** The component with this proposition and kind, in words. */
const component = (page, kind, proposition) => page.$$eval(`.component.${kind}`, (all, name) => all.map((one) => one.querySelector("title").textContent).find((words) => words.includes(` ${name},`)), proposition);

test("the network around a proposition has the values of the position, and unfolds", async () => {
  await withView("tic_tac_toe", "network", async (page) => {
    await around(page, "legal(oplayer,mark(1,1))");
    assert.equal(await component(page, "output", "legal(oplayer,mark(1,1))"), "output legal(oplayer,mark(1,1)), false, 1 input, read by 0");
    assert.match(await component(page, "base", "true(cell(1,1,b))"), /, true,/);
    await click(page, '[data-place="0,1,1"]');
    assert.match(await component(page, "output", "legal(oplayer,mark(1,1))"), /, true,/);
    const before = await page.$$eval(".component", (all) => all.length);
    await page.click("ggp-network [title='Show all of it']");
    await click(page, ".component:has(.more) rect");
    const after = await page.$$eval(".component", (all) => all.length);
    assert.ok(after > before, `${before} and ${after} components`);
    assert.match(await text(page, ".chosen-component"), /^Component \d+: .*Inputs: .*Read by: /);
    await click(page, '[data-place="0,0,0"]');
    assert.match(await component(page, "output", "legal(oplayer,mark(1,1))"), /, false,/, "values follow the position");
    await page.select("#game", "nim");
    await drawn(page);
    assert.match(await text(page, ".chosen-component p"), /: view terminal, /, "the network of another game is gone");
  });
});

test("what moves decide is open until one is chosen", async () => {
  await withView("tic_tac_toe", "network", async (page) => {
    await around(page, "next(cell(1,1,x))");
    assert.match(await component(page, "output", "next(cell(1,1,x))"), /, decided by the moves,/);
    await page.select("#after", "mark(1,1)");
    await drawn(page);
    assert.match(await component(page, "output", "next(cell(1,1,x))"), /, true,/);
    await page.select("#after", "mark(1,2)");
    await drawn(page);
    assert.match(await component(page, "output", "next(cell(1,1,x))"), /, false,/);
  });
});

test("arrow keys walk through the network, and the drawing zooms", async () => {
  await withView("tic_tac_toe", "network", async (page) => {
    await around(page, "goal(xplayer,100)");
    const chosen = () => text(page, ".chosen-component p");
    await page.$eval(".component.picked", (one) => one.focus());
    await page.keyboard.press("ArrowLeft");
    assert.match(await chosen(), /view line\(x\)/);
    await page.keyboard.press("ArrowRight");
    assert.match(await chosen(), /: view goal/);
    const count = await page.$$eval(".component", (all) => all.length);
    for (const key of ["ArrowLeft", "ArrowLeft", "ArrowLeft"]) await page.keyboard.press(key);
    assert.match(await chosen(), /: and, false/);
    await page.keyboard.press("Enter");
    await drawn(page);
    assert.ok((await page.$$eval(".component", (all) => all.length)) > count);
    const width = () => page.$eval(".canvas svg", (svg) => svg.viewBox.baseVal.width);
    const before = await width();
    await page.keyboard.press("+");
    assert.ok((await width()) < before);
    await page.click("ggp-network [title='Show all of it']");
    assert.ok((await width()) > before * 0.99);
  });
});

test("a proposition that the network does not have is named, with those that are near", async () => {
  await withView("tic_tac_toe", "network", async (page) => {
    await around(page, "cell(1,1,y)");
    assert.match(await text(page, "ggp-network .progress"), /the network has no proposition `cell\(1,1,y\)`/);
    await around(page, "cell(1,1");
    assert.match(await text(page, "ggp-network .progress"), /never closed/);
    await around(page, "terminal");
    assert.equal(await text(page, "ggp-network .progress"), "");
  });
});

test("the network view passes axe, light and dark, wide and narrow", async () => {
  await passes("tic_tac_toe", "network", async (page) => {
    await around(page, "goal(xplayer,100)");
    await page.$eval(".component.view.false:not(.picked)", (one) => one.dispatchEvent(new MouseEvent("click")));
    await drawn(page);
  });
});

/** Plays random games in the simulation view, until they are over. */
async function simulate(page, games, seed = 0) {
  await fill(page, "#playouts", String(games));
  await fill(page, "#simulation-seed", String(seed));
  await page.click("#simulate");
  await page.waitForFunction(() => document.querySelector("#simulate").textContent === "Simulate");
}

/** The counts of a histogram, by its labels. */
const counts = (page, number) => page.$$eval(".histogram", (all, number) => Object.fromEntries([...all[number].querySelectorAll("tbody tr")].map((row) => [row.cells[0].textContent, Number(row.cells[3].textContent.replaceAll(",", ""))])), number);

test("histograms of random games are those of the command, and their mean has its interval", async () => {
  await withView("tic_tac_toe", "simulation", async (page) => {
    await click(page, '[data-place="0,1,1"]');
    await simulate(page, 500, 7);
    const said = JSON.parse(execFileSync(program, ["eval", "tic_tac_toe", "do mark(2,2); simulate --playouts 500 --seed 7 --json"], { encoding: "utf8" }).trim().split("\n").at(-1));
    assert.deepEqual(await counts(page, 0), said.roles[0].utilities);
    assert.deepEqual(await counts(page, 2), said.lengths);
    const { mean, standard_error: error } = said.roles[0];
    const [low, high] = [mean - 1.959963985 * error, mean + 1.959963985 * error].map((bound) => Math.min(Math.max(bound, 0), 100).toFixed(2));
    assert.equal(await page.$eval(".histogram caption", (caption) => caption.textContent), `Utility of xplayer: mean ${mean.toFixed(2)}, 95% from ${low} to ${high}`);
    await simulate(page, 2_500);
    const all = Object.values(await counts(page, 0)).reduce((sum, count) => sum + count, 0);
    assert.equal(all, 2_500);
    assert.equal(await text(page, "ggp-simulation .progress"), "2,500 of 2,500 games");
    await simulate(page, 2_500);
    assert.equal(Object.values(await counts(page, 0)).reduce((sum, count) => sum + count, 0), 2_500, "another run begins from nothing");
  });
});

test("a simulation grows while the board stays free, stops, and goes with its position", async () => {
  await withView("connect_four", "simulation", async (page) => {
    await fill(page, "#playouts", "1000000000");
    await page.click("#simulate");
    const grown = (least) => page.waitForFunction((least) => Number(document.querySelector("ggp-simulation .progress").textContent.split(" ")[0].replaceAll(",", "")) > least, {}, least);
    await grown(0);
    await grown(1_000);
    await page.click("#simulate");
    await page.waitForFunction(() => /^stopped: [\d,]+ of 1,000,000,000 games$/.test(document.querySelector("ggp-simulation .progress").textContent));
    assert.ok((await page.$$(".histogram")).length === 3, "what was played stays");
    await page.click("#simulate");
    await grown(0);
    await page.$eval(".moves button", (button) => button.click());
    await page.waitForFunction(() => document.querySelector(".turn").dataset.ply === "1" && document.querySelector("#simulate").textContent === "Simulate");
  });
});

test("a simulation of a position without moves says why there is none", async () => {
  await withView("rock_paper_scissors", "simulation", async (page) => {
    while (!(await turn(page)).startsWith("The game is over")) {
      for (const role of await page.$$eval(".moves .move", (all) => [...new Set(all.map((one) => one.dataset.role))])) {
        await page.$eval(`.moves .move[data-role="${role}"]`, (button) => button.click());
      }
      await drawn(page);
    }
    await simulate(page, 100);
    assert.match(await text(page, "ggp-simulation .progress"), /over/);
  });
});

test("the simulation view passes axe, light and dark, wide and narrow", async () => {
  await passes("pig_dice", "simulation", (page) => simulate(page, 2_000));
});

/** Chooses the players of a tournament. */
const seat = (page, lines) => page.evaluate((lines) => {
  document.querySelectorAll(".player").forEach((row) => row.remove());
  for (const line of lines) {
    document.querySelector("#another").click();
    document.querySelector(".player:last-child ggp-player").line = line;
  }
}, lines);

/** Plays a tournament, until it is over. */
async function compete(page, players, games) {
  await seat(page, players);
  await fill(page, "#games", String(games));
  await page.click("#compete");
  await page.waitForFunction(() => document.querySelector("#compete").textContent === "Play");
}

/** The rows of the table of a tournament. */
const standings = (page) => page.$$eval(".standings tbody tr", (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));

test("a tournament fills its table, and players take all seats", async () => {
  await withView("tic_tac_toe", "tournament", async (page) => {
    await click(page, '[data-place="0,1,1"]');
    await compete(page, ["alphabeta", "random", "minimax --depth 2"], 6);
    assert.equal(await text(page, "ggp-tournament .progress"), "6 of 6 games");
    const rows = await standings(page);
    assert.deepEqual(rows.map(([player]) => player), ["alphabeta", "random", "minimax --depth 2"]);
    const games = rows.map(([, wins, draws, losses]) => Number(wins) + Number(draws) + Number(losses));
    assert.deepEqual(games, [4, 4, 4], "each plays the others from both seats");
    assert.equal(rows[0][3], "0", "perfect play does not lose");
    assert.equal(rows.reduce((sum, [, wins, , losses]) => sum + Number(wins) - Number(losses), 0), 0);
    assert.match(rows[0][4], /^\d+\.\d% \(\d+\.\d to \d+\.\d\)$/);
    assert.deepEqual([await turn(page), await ply(page)], ["oplayer to move", 1], "the match of the page is as it was");
    await compete(page, ["alphabeta", "random", "minimax --depth 2"], 6);
    assert.deepEqual(await standings(page), rows, "the same seed gives the same games");
  });
});

test("players who choose at once do not know each other's moves, and one role alone wins with 100", async () => {
  await withView("rock_paper_scissors", "tournament", async (page) => {
    await compete(page, ["random", "random"], 12);
    const [first, second] = await standings(page);
    assert.deepEqual([first[1], first[2], first[3]], [second[3], second[2], second[1]]);
    await page.select("#game", "eight_puzzle");
    await drawn(page);
    assert.equal(await page.$(".standings"), null, "the table of another game is gone");
    await compete(page, ["astar --heuristic hadd", "random"], 2);
    const rows = await standings(page);
    assert.deepEqual([rows[0][1], rows[1][1]], ["1", "0"]);
  });
});

test("a tournament stops, and says what is wrong with its players", async () => {
  await withView("connect_four", "tournament", async (page) => {
    await compete(page, ["random"], 3);
    assert.match(await text(page, "ggp-tournament .progress"), /^this game needs 2 players, one for each of /);
    await compete(page, ["random", "mctss --visits 9"], 3);
    assert.match(await text(page, "ggp-tournament .progress"), /^there is no command `mctss`/);
    await seat(page, ["random", "random"]);
    await fill(page, "#games", "100000");
    await page.click("#compete");
    await page.waitForFunction(() => /^[1-9]\d* of 100000 games$/.test(document.querySelector("ggp-tournament .progress").textContent));
    await page.click("#compete");
    await page.waitForFunction(() => /^stopped: [1-9]\d* of 100000 games$/.test(document.querySelector("ggp-tournament .progress").textContent));
    assert.equal((await standings(page)).length, 2);
  });
});

test("the tournament view passes axe, light and dark, wide and narrow", async () => {
  await passes("tic_tac_toe", "tournament", (page) => compete(page, ["alphabeta --depth 2", "random"], 2));
});

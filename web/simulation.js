// Many random games from the position: histograms of utilities and lengths that grow while they are played, with means
// and their confidence intervals.
//
// The games are played in batches, each with a seed of its own, in a session beside that of the page, so that the board
// stays free. The counts of batches are added, and everything that is shown is computed from the sums.

import { element, isChance } from "./terms.js";

/** The games of the first batch; a batch that was quick is followed by one twice as large, up to the greatest. */
const [FIRST, GREATEST, QUICK] = [500, 500_000, 150];
/** The greatest number of bars of a histogram; with more values, several share a bar. */
const BARS = 20;
/** The quantile of the normal distribution for 95%. */
const QUANTILE = 1.959963985;

class Simulation extends HTMLElement {
  /** Opens a session at the position: `{run(line, tell, signal), end()}`. */
  beside = null;
  #stop = null;

  connectedCallback() {
    this.replaceChildren(
      element("form", { class: "bar", onsubmit: (event) => { event.preventDefault(); this.#toggle(); } },
        element("label", {}, "Random games ", element("input", { id: "playouts", type: "number", min: "1", max: "1000000000", value: "100000" })),
        element("label", {}, "Seed ", element("input", { id: "simulation-seed", type: "number", min: "0", max: "1000000000", value: "0" })),
        element("button", { id: "simulate" }, "Simulate")),
      element("p", { class: "progress", role: "status" }),
      element("div", { class: "histograms" }),
    );
  }

  /** Stops what is running: the position has changed. */
  show() {
    this.#stop?.abort();
  }

  async #toggle() {
    if (this.#stop) return this.#stop.abort();
    const [games, seed] = ["#playouts", "#simulation-seed"].map((name) => Number(this.querySelector(name).value));
    const [progress, button] = [".progress", "#simulate"].map((name) => this.querySelector(name));
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    button.textContent = "Stop";
    this.querySelector(".histograms").replaceChildren();
    progress.textContent = "the game is set up…";
    let session = null;
    try {
      session = await this.beside();
      await this.#play(session, { games, seed, signal });
    } catch (error) {
      if (error.name !== "AbortError") progress.textContent = error.message;
      else progress.textContent = `stopped: ${progress.textContent}`;
    } finally {
      this.#stop = null;
      button.textContent = "Simulate";
      session?.end();
    }
  }

  /** Plays batches until there are as many games as asked for. */
  async #play(session, { games, seed, signal }) {
    const sums = new Sums();
    for (let [left, size, batch] = [games, FIRST, 0]; left > 0; batch += 1) {
      signal.throwIfAborted();
      const count = Math.min(left, size);
      const began = performance.now();
      const { records: [record] = [], error } = await session.run(`simulate --playouts ${count} --seed ${seed + batch}`, () => {}, signal);
      if (!record || record.error) throw new Error(record?.error ?? error);
      sums.add(record.answer);
      left -= count;
      if (performance.now() - began < QUICK) size = Math.min(size * 2, GREATEST);
      this.#draw(sums, games);
    }
  }

  #draw(sums, games) {
    const done = sums.playouts + sums.unfinished + sums.stuck;
    const odd = [[sums.unfinished, "too long to end"], [sums.stuck, "without a move for a role"]].filter(([count]) => count).map(([count, what]) => `, ${count.toLocaleString("en")} ${what}`);
    this.querySelector(".progress").textContent = `${done.toLocaleString("en")} of ${games.toLocaleString("en")} games${odd.join("")}`;
    const valued = [...sums.roles].filter(([role, { counts }]) => !isChance(role) || counts.size);
    const utilities = valued.map(([role, { counts, without }]) => {
      const { mean, half } = meanOf(counts);
      const interval = half === null ? "" : ` ± ${half.toFixed(2)} (95%)`;
      const none = without ? `; ${without.toLocaleString("en")} games without a utility` : "";
      return histogram(`Utility of ${role}: mean ${mean === null ? "–" : mean.toFixed(2)}${interval}${none}`, "Utility", counts);
    });
    const { mean } = meanOf(sums.lengths);
    this.querySelector(".histograms").replaceChildren(...utilities, histogram(`Plies of a game: mean ${mean === null ? "–" : mean.toFixed(2)}`, "Plies", sums.lengths));
  }
}

/** The sums of the answers of batches. */
class Sums {
  playouts = 0;
  unfinished = 0;
  stuck = 0;
  /** By role: how many games had each utility, and how many had none. */
  roles = new Map();
  lengths = new Map();

  add({ playouts, unfinished, stuck, roles, lengths }) {
    this.playouts += playouts;
    this.unfinished += unfinished;
    this.stuck += stuck?.playouts ?? 0;
    for (const { role, utilities, without } of roles) {
      const own = this.roles.get(role) ?? { counts: new Map(), without: 0 };
      addTo(own.counts, utilities);
      own.without += without;
      this.roles.set(role, own);
    }
    addTo(this.lengths, lengths);
  }
}

/** Adds counts by value, as answers have them, to those of a map. */
function addTo(counts, more) {
  for (const [value, count] of Object.entries(more)) counts.set(Number(value), (counts.get(Number(value)) ?? 0) + count);
}

/** The mean of counted values, and half the width of its confidence interval; `null` where there are too few. */
function meanOf(counts) {
  const pairs = [...counts];
  const all = pairs.reduce((sum, [, count]) => sum + count, 0);
  if (!all) return { mean: null, half: null };
  const mean = pairs.reduce((sum, [value, count]) => sum + value * count, 0) / all;
  if (all < 2) return { mean, half: null };
  const variance = pairs.reduce((sum, [value, count]) => sum + (value - mean) ** 2 * count, 0) / (all - 1);
  return { mean, half: QUANTILE * Math.sqrt(variance / all) };
}

/** The bars of counts: a value each or, if there are many, ranges of the same width. */
function bars(counts) {
  const pairs = [...counts].sort(([one], [other]) => one - other);
  if (pairs.length <= BARS) return pairs.map(([value, count]) => ({ label: String(value), count }));
  const [first, last] = [pairs[0][0], pairs.at(-1)[0]];
  const width = Math.floor((last - first) / BARS) + 1;
  const made = [];
  for (const [value, count] of pairs) {
    const index = Math.floor((value - first) / width);
    made[index] ??= { label: `${first + index * width}–${first + (index + 1) * width - 1}`, count: 0 };
    made[index].count += count;
  }
  return made.filter(Boolean);
}

/** A histogram as a table, with a bar in each row. */
function histogram(title, what, counts) {
  const rows = bars(counts);
  const all = rows.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(...rows.map(({ count }) => count));
  const row = ({ label, count }) => {
    const bar = element("span", { class: "share" });
    bar.style.width = `${(count / most) * 100}%`;
    return element("tr", {}, element("th", { scope: "row" }, label), element("td", { class: "bars" }, bar),
      element("td", {}, `${((count / all) * 100).toFixed(2)}%`), element("td", {}, count.toLocaleString("en")));
  };
  const head = element("tr", {}, ...[what, "Bar", "Share", "Games"].map((name) => element("th", { scope: "col" }, element("span", { class: name === "Bar" ? "hidden" : "" }, name))));
  return element("table", { class: "histogram" }, element("caption", {}, title), element("thead", {}, head), element("tbody", {}, ...rows.map(row)));
}

customElements.define("ggp-simulation", Simulation);

// @ts-check
// Many random games from the position: histograms of utilities and lengths that grow while they are played, with means
// and their confidence intervals.
//
// The command `simulate` plays the games, in a session beside that of the page, so that the board stays free, and tells
// its results while it plays.

import { element } from "./terms.js";

/** The utilities that there are: an interval of a mean does not go beyond them. */
const RANGE = [0, 100];

class Simulation extends HTMLElement {
  /** Opens a session at the position, once there is a network for it: `{run(line, tell, signal), end()}`. The signal ends the wait. */
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
      session = await this.beside(signal);
      await this.#play(session, { games, seed, signal });
    } catch (error) {
      if (!signal.aborted) progress.textContent = error.message;
      else progress.textContent = `stopped: ${progress.textContent}`;
    } finally {
      this.#stop = null;
      button.textContent = "Simulate";
      session?.end();
    }
  }

  async #play(session, { games, seed, signal }) {
    const tell = ({ shown }) => shown?.answer && this.#draw(shown.answer, games);
    const { records: [record] = [], error } = await session.run(`simulate --playouts ${games} --seed ${seed} --watch`, tell, signal);
    if (!record || record.error) throw new Error(record?.error ?? error);
    this.#draw(record.answer, games);
    const progress = this.querySelector(".progress");
    if (record.answer.stopped) progress.textContent = `stopped: ${progress.textContent}`;
  }

  #draw({ playouts, unfinished, stuck, roles, histograms }, games) {
    const broken = stuck?.playouts ?? 0;
    const odd = [[unfinished, "too long to end"], [broken, "without a move for a role"]].filter(([count]) => count).map(([count, what]) => `, ${count.toLocaleString("en")} ${what}`);
    this.querySelector(".progress").textContent = `${(playouts + unfinished + broken).toLocaleString("en")} of ${games.toLocaleString("en")} games${odd.join("")}`;
    const drawn = histograms.map(({ role, mean, interval, bins }) => {
      const without = roles.find((one) => one.role === role)?.without;
      const within = role === null ? [0, Infinity] : RANGE;
      const [low, high] = interval ? [Math.max(interval.low, within[0]), Math.min(interval.high, within[1])] : [];
      const half = interval ? `, 95% from ${low.toFixed(2)} to ${high.toFixed(2)}` : "";
      const none = without ? `; ${without.toLocaleString("en")} games without a utility` : "";
      const [what, unit] = role === null ? ["Plies of a game", "Plies"] : [`Utility of ${role}`, "Utility"];
      return histogram(`${what}: mean ${mean === null ? "–" : mean.toFixed(2)}${half}${none}`, unit, bins);
    });
    this.querySelector(".histograms").replaceChildren(...drawn);
  }
}

/** A histogram as a table, with a bar in each row. */
function histogram(title, what, bins) {
  const most = Math.max(...bins.map(({ count }) => count));
  const row = ({ label, count, share }) => {
    const bar = element("span", { class: "share" });
    bar.style.width = `${(count / most) * 100}%`;
    return element("tr", {}, element("th", { scope: "row" }, label), element("td", { class: "bars" }, bar),
      element("td", {}, `${(share * 100).toFixed(2)}%`), element("td", {}, count.toLocaleString("en")));
  };
  const head = element("tr", {}, ...[what, "Bar", "Share", "Games"].map((name) => element("th", { scope: "col" }, element("span", { class: name === "Bar" ? "hidden" : "" }, name))));
  return element("table", { class: "histogram" }, element("caption", {}, title), element("thead", {}, head), element("tbody", {}, ...bins.map(row)));
}

customElements.define("ggp-simulation", Simulation);

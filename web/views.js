// @ts-check
// The views beside the board that are loaded when their pane is shown for the first time; from then on they follow the
// state.

import { element } from "./terms.js";

/** The views of each pane, and of each tool of the lab. */
const PANES = {
  analyse: ["analysis", "values"], explain: ["facts"], search: ["search"], learn: ["lessons", "course", "tasks"],
  network: ["network"], simulation: ["simulation"], tournament: ["tournament"], prompt: ["prompt"],
};

/** The style sheets that have been asked for, by their names. */
const styles = new Map();

/** Loads a style sheet once; `put` puts its element into the page. */
function withSheet(name, put) {
  if (!styles.has(name)) {
    styles.set(name, new Promise((loaded) => put(element("link", { rel: "stylesheet", href: name, onload: loaded, onerror: loaded }))));
  }
  return styles.get(name);
}

/** Loads the look of the tools. */
export const withStyle = () => withSheet("tools.css", (link) => document.head.append(link));

/** Loads the look of a match. */
export const withMatchStyle = () => withSheet("match.css", (link) => document.querySelector('link[href="style.css"]').before(link));

export class Views {
  #store;
  #setups;
  /** What is being loaded or has been, and what has been: by the names of the views. */
  #loading = new Map();
  #loaded = new Map();

  /**
   * `setups` has a function for each view, by its name: it gets the element of the view, connects it with the page, and
   * returns how it follows the state: `follow(state)`, or nothing.
   */
  constructor(store, setups) {
    this.#store = store;
    this.#setups = setups;
    store.follow((state, before) => {
      if (!state.view || state.view === before.view) return;
      for (const { follow } of this.#loaded.values()) follow?.(state);
    });
  }

  /** Loads the views of a pane that are not there yet, and shows the position in them. */
  async open(pane) {
    await Promise.all((PANES[pane] ?? []).map((name) => this.#load(name)));
  }

  #load(name) {
    if (!this.#loading.has(name)) this.#loading.set(name, this.#equip(name));
    return this.#loading.get(name);
  }

  async #equip(name) {
    try {
      await Promise.all([import(`./${name}.js`), withStyle()]);
    } catch (error) {
      this.#loading.delete(name);
      throw error;
    }
    const view = document.querySelector(`ggp-${name}`);
    const follow = this.#setups[name](view);
    this.#loaded.set(name, { view, follow });
    if (this.#store.state.view) follow?.(this.#store.state);
  }

  /** A view, if it has been loaded. */
  get(name) {
    return this.#loaded.get(name)?.view;
  }
}

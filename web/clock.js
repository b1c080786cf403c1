// @ts-check
// The clocks of a match: the time of a role runs while it has a choice, from the first move on. Looking at earlier
// positions does not stop it.

import { isChance } from "./terms.js";

/** How often the clocks are shown, in milliseconds. */
const TICK = 200;
/** The time below which tenths of seconds are shown, in seconds. */
const SHORT = 10;

/** A time as a clock shows it. */
export function shown(seconds) {
  const left = Math.max(seconds, 0);
  if (left < SHORT) return left.toFixed(1);
  const whole = Math.ceil(left);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export class Clock {
  #store;
  #show;
  /** The roles whose time runs, and since when. */
  #running = { roles: [], since: 0 };

  /** `show(times, running)` is called with the times of the roles, or `null` without a clock. A role whose time is over is sent to the store. */
  constructor(store, show) {
    [this.#store, this.#show] = [store, show];
    store.follow((state, before) => this.#follow(state, before));
    setInterval(() => this.#tick(), TICK);
    this.#follow(store.state, {});
  }

  #follow(state, before) {
    const { match, view, here, roles } = state;
    if (match && (match.id !== before.match?.id || match.clock !== before.match?.clock)) {
      this.#running = { roles: [], since: 0 };
      if (match.clock) match.left ??= Object.fromEntries(roles.filter((role) => !isChance(role)).map((role) => [role, match.clock]));
      this.#tell();
    }
    const isFront = view && view !== before.view && here.ply > 0 && !here.children.length;
    if (!isFront || !match.clock) return;
    this.#settle();
    const movers = view.is_over || state.late ? [] : here.choosing.filter((role) => role in match.left);
    this.#running = { roles: movers, since: performance.now() };
    this.#tell();
  }

  /** Takes the time that has passed from the roles whose time runs. */
  #settle() {
    const { left } = this.#store.state.match;
    const now = performance.now();
    for (const role of this.#running.roles) left[role] -= (now - this.#running.since) / 1000;
    this.#running.since = now;
  }

  #tick() {
    if (!this.#running.roles.length) return;
    this.#settle();
    this.#tell();
    const { left } = this.#store.state.match;
    const late = this.#running.roles.find((role) => left[role] <= 0);
    if (!late) return;
    this.#running.roles = [];
    this.#store.send("late", { late });
  }

  #tell() {
    const { match } = this.#store.state;
    this.#show(match.clock ? match.left : null, this.#running.roles);
  }
}

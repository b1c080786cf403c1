// @ts-check
// The address of the page: what it asks for, and how the state is written into it.

import { isHidden } from "./hidden.js";
import { isChance } from "./terms.js";

/** The names that stand in addresses; one without any of them is an anchor of the page, such as that of the skip link. */
const NAMES = ["games", "game", "sheet", "name", "moves", "played", "seed", "pane", "panes", "task"];

/**
 * What an address asks for: `{isHome, game, sheet, name, moves, seed, pane, panes, task}`, where `sheet` and `task` are
 * packed, and `panes` are the only ones that are shown, or `null` for all; `null` for an anchor.
 */
export function read(hash) {
  const address = new URLSearchParams(hash.slice(1));
  if (address.size && !NAMES.some((name) => address.has(name))) return null;
  const played = address.get("played") ?? address.get("moves") ?? "";
  const seed = Number.parseInt(address.get("seed"), 10);
  return {
    isHome: address.has("games"),
    isEmpty: !address.size,
    game: address.get("game"),
    sheet: address.get("sheet"),
    name: address.get("name") ?? "sheet.gdl",
    moves: played.split(";").filter(Boolean),
    seed: Number.isFinite(seed) ? seed : null,
    pane: address.get("pane"),
    task: address.get("task"),
    panes: address.has("panes") ? address.get("panes").split(" ").filter(Boolean) : null,
  };
}

/** The address of a state, so that it can be shared. Moves that nobody may see stand there with their sealed names. */
export function write({ sheet, view, match, seats, roles, pane, panes, isHome, ...state }) {
  if (isHome) return "#games";
  const address = new URLSearchParams();
  if (!sheet) address.set("game", view.game);
  else if (sheet.packed) {
    address.set("name", sheet.name);
    address.set("sheet", sheet.packed);
  }
  const isSealed = isHidden({ view, isOpen: state.isOpen });
  const moves = (isSealed ? view.sealed ?? [] : view.plies).map((joint) => (joint ?? []).join(" ")).join(";");
  if (moves) address.set(isSealed ? "played" : "moves", moves);
  if (roles.some((role) => isChance(role) || seats[role])) address.set("seed", match.seed);
  if (pane !== "play") address.set("pane", pane);
  if (panes) address.set("panes", panes.join(" "));
  return `#${address}`;
}

/** The latest address, which the page has written or a person has entered. */
let latest = null;

/** Takes note of the address that the browser shows; says whether a person has entered it. */
export function isEntered(hash) {
  const isNew = hash !== latest;
  latest = hash;
  return isNew;
}

/** Writes an address; the match of this tab stays with it after a reload, and is not a part of a link. */
export function enter(address, match) {
  latest = address;
  history.replaceState({ match }, "", address);
}

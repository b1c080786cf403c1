// @ts-check
// What is true of the page, in one place: the sheet, the match with its tree and seats, the position, what is shown, and
// what the page says. It changes by events only, and those who show it follow it.

import { isChance } from "./terms.js";
import { Place } from "./tree.js";

/**
 * The state.
 * @typedef {object} State
 * @property {{name: string, text: string, packed: string | null} | null} sheet
 * @property {boolean} isPrepared
 * @property {string | null} noNetwork
 * @property {string | null} key
 * @property {{id: string, began: number, seed: number, clock: number | null, left?: Record<string, number>} | null} match
 * @property {string | null} late
 * @property {string[]} roles
 * @property {Record<string, string | null>} seats
 * @property {Place} root
 * @property {Place | null} here
 * @property {import("./answers").PositionView | null} view
 * @property {boolean} isOpen
 * @property {boolean} isHome
 * @property {string} pane
 * @property {string[] | null} panes
 * @property {{text: string, isProblem: boolean}} message
 * @property {number} steps
 */

/**
 * The state at the start.
 * @type {State}
 */
const EMPTY = {
  /** The sheet that is not of the library: `{name, text, packed}`; `packed` is its text as it stands in the address. */
  sheet: null,
  /** Whether the session has its engine; meanwhile the interpreter answers. */
  isPrepared: true,
  /** The reason for which there is no network, if it could not be built. */
  noNetwork: null,
  /** The key under which what belongs to the game is kept. */
  key: null,
  /** The match: `{id, began, seed, clock, left}`, with the seconds of each role at the start and now, if it has a clock. */
  match: null,
  /** The role whose time is over, if one's is. */
  late: null,
  roles: [],
  /** The line of each role's player; `null` for a person at this page. */
  seats: {},
  /** The start of the match, and the place that is shown. */
  root: new Place(null, null),
  here: null,
  /** The position that is shown. */
  view: null,
  /** Whether all of a game with hidden information is shown. */
  isOpen: false,
  /** Whether the list of games takes the place of the board, and the pane beside it. */
  isHome: false,
  pane: "play",
  /** The only panes that are shown, by a link for a class; `null` for all. */
  panes: null,
  /** What the page says, and how many steps are not done yet. */
  message: { text: "", isProblem: false },
  steps: 0,
};

/** The roles for which the end is worth something: chance has no utility, unless no role has one. */
export function judged(roles) {
  const valued = roles.filter(({ role, utility }) => utility !== null || !isChance(role));
  return valued.length ? valued : roles;
}

/**
 * The roles that have a choice in a position.
 * @param {import("./answers").PositionView} view
 */
export const choosing = ({ roles, is_over: isOver }) => (isOver ? [] : roles.filter(({ legal }) => legal.length > 1).map(({ role }) => role));

/** The values of a position in which the match is over, by the numbers of the roles. */
export const utilities = ({ roles }) => roles.map(({ utility }) => (utility === null ? null : { value: utility, isProven: true }));

/**
 * The roles that persons at this page play.
 * @param {Pick<State, "roles" | "seats">} state
 */
export const persons = ({ roles, seats }) => roles.filter((role) => !seats[role] && !isChance(role));

/**
 * What each event changes.
 * @type {Record<string, (state: State, event: any) => Partial<State>>}
 */
const CHANGES = {
  /** A sheet has been loaded; `sheet` is `null` for a game of the library. */
  loaded: (_, { sheet, isPrepared }) => ({ sheet, isPrepared, noNetwork: null }),
  prepared: (_, { isPrepared, noNetwork = null }) => ({ isPrepared, noNetwork }),
  /** A match begins, or one that was kept goes on. */
  begun: (_, { key, match, roles, seats, root }) => ({ key, match, roles, seats, root, here: root, view: null, isOpen: false, late: null }),
  /** A position of the match is shown; its line becomes a part of the tree. */
  arrived: ({ root }, { view }) => {
    const named = /** @type {(string[] | null)[]} */ (view.sealed ?? view.plies);
    const here = named.reduce((place, moves) => place.after(moves ?? ["(set)"]), root);
    here.choosing = choosing(view);
    here.way.forEach((place, ply) => {
      place.percepts = view.percepts?.[ply] ?? null;
      // What a role saw of a move is still known when another role looks.
      if (view.sealed) place.known = place.moves?.map((_, role) => view.plies[ply]?.[role] ?? place.known?.[role] ?? null) ?? null;
    });
    if (view.is_over) here.values = utilities(view);
    return { view, here };
  },
  /** The match has another clock, or none: all times begin anew. */
  clocked: ({ match }, { clock }) => ({ match: { ...match, clock, left: undefined }, late: null }),
  late: (_, { late }) => ({ late }),
  seated: (_, { seats }) => ({ seats }),
  opened: () => ({ isOpen: true }),
  home: (_, { isHome }) => ({ isHome }),
  pane: (_, { pane }) => ({ pane }),
  panes: (_, { panes }) => ({ panes }),
  told: (_, { text, isProblem = false }) => ({ message: { text, isProblem } }),
  stepBegun: ({ steps }) => ({ steps: steps + 1 }),
  stepEnded: ({ steps }) => ({ steps: steps - 1 }),
};

/** The state after an event. */
export const next = (state, event) => ({ ...state, ...CHANGES[event.type](state, event) });

export class Store {
  /** @type {State} */
  state = { ...EMPTY, here: EMPTY.root };
  #followers = [];

  /** Changes the state by an event: `{type}` with what the change needs. */
  send(type, what = {}) {
    const before = this.state;
    this.state = next(before, { type, ...what });
    for (const follow of this.#followers) follow(this.state, before);
  }

  /** Calls `follow(state, before)` after each event, until what this returns is called. */
  follow(follow) {
    this.#followers.push(follow);
    return () => { this.#followers = this.#followers.filter((one) => one !== follow); };
  }
}

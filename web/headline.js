// @ts-check
// The line above the board: whose move it is, the ply and the result, and beside it what the board does not show.

import { isHidden, moveWords } from "./hidden.js";
import { choosing, judged } from "./store.js";
import { element, isChance } from "./terms.js";

/** The lines beside the board that are shown at once; all of them are among the facts. */
const MOST = 3;
/** The width of a letter of these lines in pixels, and the letters that the turn and the ply take beside them. */
const [LETTER, TURN] = [7, 24];
const isNarrow = matchMedia("(max-width: 52rem)");

/** The lines that have room in the window: one at least. In a wide window the board has half of it. */
function fitting(lines) {
  let room = isNarrow.matches ? innerWidth / LETTER : innerWidth / 2 / LETTER - TURN;
  return lines.slice(0, MOST).filter((line, index) => {
    room -= line.length + 2;
    return !index || room >= 0;
  });
}

/** Shows a position; `open` is called when all facts are asked for. */
export function headline(state, open) {
  const { view } = state;
  const turn = document.querySelector(".turn");
  turn.dataset.ply = view.ply;
  turn.classList.toggle("over", view.is_over);
  turn.replaceChildren(element("strong", {}, words(view)), element("span", { class: "ply" }, `ply ${view.ply}`), thrown(state), made(state));
  const hasBoard = view.grids.length > 0 || isHidden(state);
  const lines = view.lines.flatMap((line) => line.split(", ")).filter((line) => !says(line, view));
  const shown = hasBoard ? fitting(lines) : lines;
  const rest = lines.length - shown.length;
  const more = rest ? [element("li", {}, element("button", { type: "button", onclick: open }, `${rest} more`))] : [];
  const values = document.querySelector(".values");
  values.replaceChildren(...shown.map((line) => element("li", { title: line }, line)), ...more);
  values.hidden = !lines.length;
  document.querySelector(".play").classList.toggle("boardless", !hasBoard);
}

/** Who moves, or how it has ended. */
function words(view) {
  const { roles, is_over: isOver } = view;
  if (isOver) return `The game is over: ${judged(roles).map(({ role, utility }) => `${role} ${utility ?? "–"}`).join(", ")}`;
  const movers = choosing(view);
  return movers.length ? `${movers.join(" and ")} to move` : "No role has a choice";
}

/** What chance has just done, unless the roles see only a part of the state. */
function thrown(state) {
  const { roles, plies } = state.view;
  const chance = roles.findIndex(({ role }) => isChance(role));
  const move = plies.at(-1)?.[chance];
  return isHidden(state) || !move || move === "noop" ? "" : element("span", { class: "thrown" }, `${roles[chance].role}: ${move}`);
}

/** The last move, for those who hear the page. */
function made(state) {
  const { here } = state;
  return here.moves ? element("span", { class: "hidden" }, `, after ${moveWords(here, state)}`) : "";
}

/** Whether a line beside the board only says what the line above says: whose turn it is, which at the end is nobody's. */
function says(line, view) {
  const told = view.is_over ? view.roles.map(({ role }) => role) : choosing(view);
  return told.some((role) => line === `to move: ${role}` || line === `control(${role})`);
}

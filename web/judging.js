// @ts-check
// The values of the positions of a match, which searches find in a session beside that of the page.

import { beside, game } from "./page.js";
import { choosing, utilities } from "./store.js";

/** Finds the value of every position of the match for a role, in a session beside that of the page. */
export async function judge(role, seconds, found, signal) {
  const session = await beside(game.root);
  try {
    for (const place of [game.root, ...game.line]) {
      if (place.moves) await session.line(`do ${place.moves.join(" ")}`);
      const view = await session.view();
      place.choosing ??= choosing(view);
      if (view.is_over) place.values = utilities(view);
      else Object.assign(place.values, await valuesOf(session, role, seconds, signal));
      found(place);
      game.relist();
    }
  } finally {
    await session.end();
  }
}

/** The answer of a search that is run in a session. */
async function searched(session, line, signal) {
  const { records: [record], error } = await session.run(line, () => {}, signal);
  if (!record || record.error) throw new Error(record?.error ?? error);
  return record.answer;
}

/** The random games of an estimate for which the time of a search was not enough. */
const FEW_GAMES = 100;

/**
 * The value of a position for a role, by the number of the role, and whether it is proven: `best` takes the search that
 * fits the game. A search of all states has the values of the other roles too.
 */
async function valuesOf(session, number, seconds, signal) {
  const role = game.roles[number];
  const { exact: isProven, answer } = await searched(session, `best ${role} --seconds ${seconds}`, signal);
  if (answer.value?.length) return Object.fromEntries(answer.value.map(([name, value]) => [game.roles.indexOf(name), { value, isProven }]));
  const share = [...(answer.shares ?? []), ...(answer.values ?? [])].find((one) => one.role === role);
  const value = share?.utility ?? share?.mean ?? answer.utility ?? answer.mean;
  if (Number.isFinite(value)) return { [number]: { value, isProven } };
  const { mean } = await searched(session, `mcts ${role} --visits ${FEW_GAMES}`, signal);
  return { [number]: { value: mean, isProven: false } };
}

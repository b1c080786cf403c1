/** A rule sheet in any dialect of GDL. */
export interface Sheet {
  /** Its name in messages, as `mine.gdl`. */
  name: string;
  text: string;
}

/** A problem of a rule sheet, with its position: lines and columns count from 1. */
export interface Problem {
  severity: "error" | "warning";
  code: string;
  message: string;
  file: string;
  line: number;
  column: number;
  help: string | null;
  /** The edits that do what the help says, if they are known. */
  fix?: { line: number; column: number; end_line: number; end_column: number; replacement: string }[];
  /** Whether the edits keep the meaning of the sheet (or it does not load without them), or are a guess. */
  fix_certainty?: "sound" | "guess";
}

/** A game or a line is wrong, or work has failed; `problems` are those of a rule sheet. */
export class GameError extends Error {
  readonly problems: Problem[];
}

/** The answer to a line of the prompt: as `--json` prints it, and as text. */
export interface Answer {
  kind: string;
  text: string;
  [field: string]: unknown;
}

/** What a search has found, and at what cost. */
export interface SearchAnswer extends Answer {
  /** Whether the answer is exact; otherwise a limit has cut the search off. */
  exact?: boolean;
  role?: string;
  /** What the role gets, the plan reaches, or an evaluation estimates. */
  utility?: number;
  estimate?: number;
  mean?: number;
  /** The best move, and the best line. */
  move?: string;
  line?: { ply: number; role: string; move: string }[];
  /** The moves of a plan; or in sampled searches the moves with their visits and means. */
  moves?: string[] | { move: string; visits: number; mean: number }[];
  cost: { nodes: number; expanded?: number; leaves?: number; states?: number; depth?: number };
}

/** The proof of an atom, or where each of its rules fails. */
export interface Explanation extends Answer {
  question: string;
  holds: boolean;
  claims: { number: number; claim: string; holds: boolean; reason: string; because?: number[] }[];
}

/** The outcomes of random games. */
export interface Simulation extends Answer {
  playouts: number;
  states: number;
  roles: { role: string; mean: number; standard_error: number; utilities: Record<string, number> }[];
  /** The number of games by their number of plies. */
  lengths: Record<string, number>;
}

/** A game and a position of it, which begins as the initial one. */
export interface Game {
  readonly roles: string[];
  /** The facts of the position, in canonical order. */
  facts(): string[];
  /** The legal moves of a role, or of all by their names. */
  legal(role: string): string[];
  legal(): Record<string, string[]>;
  /** Makes a joint move: a move for each role, or for those with more than one. Returns the facts after it. */
  next(...moves: string[]): string[];
  /** Takes the last joint move back. */
  undo(): string[];
  /** Goes back to the initial position. */
  restart(): string[];
  /** Makes the position of these facts, in which any match may go on. */
  set(...facts: string[]): string[];
  readonly isTerminal: boolean;
  /** The utility of a role in this position, or of all by their names; `null` where the rules give none. */
  goal(role: string): number | null;
  goal(): Record<string, number | null>;
  /** The solutions of a formula: its variables with their values. A formula without variables has one or none. */
  query(formula: string): Record<string, string>[];
  /** Why an atom holds, or why not. */
  why(atom: string): Explanation;
  /** A search from this position, as at the prompt: `minimax`, `alphabeta --depth 4`, `bestplan`, `montecarlo --nodes 10000`. */
  search(line: string): SearchAnswer;
  /** Random games from this position; the same seed gives the same games. */
  simulate(playouts?: number, seed?: number): Simulation;
  /**
   * Any line of the prompt, or several after one another of which the last is answered. Each call has a session of its
   * own, which begins with this game in its position. What the lines change ends with it: after `load nim`,
   * `rules add …` or `do …` the game and its position are what they were before.
   */
  run(...lines: string[]): Answer;
}

/** Loads a game of the library by its name, or a rule sheet. */
export function load(game: string | Sheet): Promise<Game>;

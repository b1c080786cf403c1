/** A term of the course: a symbol or a variable, or an array that begins with its name. */
export type Term = string | Term[];

/** A library of rules: its clauses. */
export type Rules = Term[];

/** A state: it reads as the list of its facts, and is not changed by them. `slice` makes a list of it. */
export interface State extends ReadonlyArray<Term> {
  /** The facts, in canonical order. */
  facts(): Term[];
}

/** A state, or a list of facts as one. */
export type StateOrFacts = State | Term[];

/** What a search has found. */
export interface Found {
  /** The best move; `false` if the game is over or the search knows a value alone. */
  move: Term | false;
  /** A utility, a mean of utilities or an estimate for the role; `null` if it is unknown. */
  value: number | null;
  /** Whether no further work would change the value. */
  exact: boolean;
  /** The moves that are expected. */
  line: Term[];
  /** The search that answered, with its options. */
  search: string;
  nodes: number;
  depth: number;
}

/** The functions of the course's starter pack, with the names, arguments and results that they have there. */
export interface Course {
  readonly nil: "nil";
  read(text: string): Term;
  readdata(text: string): Term[];
  grind(term: Term): string;
  grindem(terms: Term[]): string;
  grindall(terms: Term[]): string;
  grinddata(terms: Term[]): string;
  seq(...parts: Term[]): Term[];
  head(term: Term[]): Term;
  tail(term: Term[]): Term[];
  equalp(one: Term | State, other: Term | State): boolean;
  find(term: Term, terms: StateOrFacts): boolean;
  findp(term: Term, terms: StateOrFacts): boolean;
  findq(term: Term, terms: Term[]): boolean;
  adjoin(term: Term, terms: Term[]): Term[];
  subset(some: Term[], terms: Term[]): boolean;
  difference(terms: Term[], others: Term[]): Term[];
  negate(formula: Term): Term;
  uniquify(terms: Term[]): Term[];
  zniquify(terms: Term[]): Term[];
  symbolp(term: Term): boolean;
  varp(term: Term): boolean;
  constantp(term: Term): boolean;
  numberp(term: Term): boolean;
  stringp(term: Term): boolean;
  nullp(term: Term): boolean;
  numberize(symbol: string): number;
  stringize(number: number): string;
  listify(elements: Term[]): Term;
  delistify(list: Term): Term[] | false;

  /** Adds clauses to a library, and returns it. Its game is loaded when it is first asked about. */
  definemorerules(rules: Rules, clauses: Term[]): Rules;
  definerules(rules: Rules, clauses: Term[]): true;
  emptytheory(rules: Rules): true;
  findroles(rules: Rules): string[];
  findbases(rules: Rules): Term[];
  findactions(rules: Rules): Term[];
  findinits(rules: Rules): State;
  findcontrol(state: StateOrFacts, rules: Rules): string | false;
  findlegalp(move: Term, state: StateOrFacts, rules: Rules): boolean;
  findlegalx(state: StateOrFacts, rules: Rules): Term | false;
  findlegals(state: StateOrFacts, rules: Rules): Term[];
  findterminalp(state: StateOrFacts, rules: Rules): boolean;
  /** The reward as a symbol; `"0"` where the rules give none. */
  findreward(role: string, state: StateOrFacts, rules: Rules): string;
  /** The state after a legal move; other moves are an error. */
  simulate(move: Term, state: StateOrFacts, rules: Rules): State;
  /** Makes a move in a state, which becomes the state after it. */
  compexecute(move: Term, state: StateOrFacts, rules: Rules): Term[];
  /** What a move changes: facts that it adds, and negations of those that it takes away. */
  compexpand(move: Term, state: StateOrFacts, rules: Rules): Term[];
  compfindp(query: Term, facts: StateOrFacts, rules: Rules): boolean;
  compfindx(result: Term, query: Term, facts: StateOrFacts, rules: Rules): Term | false;
  compfinds(result: Term, query: Term, facts: StateOrFacts, rules: Rules): Term[];

  /** The mean rewards of the roles in at least `count` random games. */
  simulate_many(state: StateOrFacts, count?: number, rules?: Rules): { playouts: number; means: Record<string, number> };
  /** What a search finds for the role in control, or another: `mcts`, `alphabeta:depth=4`. Without options it has a second. */
  search(state: StateOrFacts, search?: string, options?: { seconds?: number | null; role?: string | null; rules?: Rules | null }): Found;
  /** The value of a state and a best move; `exact` says whether it was proven in this time. */
  solve(state: StateOrFacts, seconds?: number, rules?: Rules): Found;
}

/** The functions, on a session of their own. */
export function course(): Promise<Course>;

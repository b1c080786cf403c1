// The functions of the course's starter pack on the library of ggp: the same names, arguments and results. A library of
// rules is an array of clauses; a state is an object that reads as the list of its facts.

import { difference, grind, read, seq, symbolp, uniquify, varp } from "./terms.js";

/** The seconds in which the network of a game is built, at most. */
const SET_UP = 8;

/** False for clauses that Epilog reads and never uses: without an atom as their head, or with a variable as a condition. */
const isInUse = (clause) => !["not", "and", "or"].includes(clause[0]) && !(clause[0] === "rule" && clause.slice(2).some(varp));

/** The game of an array of rules, with the number of rules that it was loaded from. */
const GAME = Symbol("game");
/** The number of a move, and the game that has it. */
const NUMBER = Symbol("number");
const OWNER = Symbol("owner");

/**
 * The functions, on a library that `getLibrary` returns when it is needed.
 */
export function connect(getLibrary) {
  let library = null;
  let words = new Uint32Array(0);

  /** The memory of the module in words. */
  function memory() {
    const { buffer } = library.exports.memory;
    if (words.buffer !== buffer) words = new Uint32Array(buffer);
    return words;
  }

  /** The answer to a request about games. */
  function ask(request) {
    library ??= getLibrary();
    const { answer, error, failed } = JSON.parse(library.ask("step", request));
    if (answer === undefined) throw new Error(error ?? failed);
    return answer;
  }

  const unused = new FinalizationRegistry((game) => { if (!library.failure) ask({ drop: { game } }); });

  /** A game that is loaded in the module. */
  class Game {
    #terms = [];
    #numbers = new Map();

    constructor(text) {
      const { game, about } = ask({ load: { text, seconds: SET_UP } });
      this.number = game;
      this.roles = about.roles;
      this.engine = about.engine;
      this.initial = Uint32Array.of(about.initial.length, ...about.initial);
      unused.register(this, game);
    }

    ask(question) {
      return ask({ ask: { game: this.number, question } });
    }

    /** What a function of the module answers about a state. */
    seen(call, state, role, chosen) {
      const { exports } = library;
      const count = state[0];
      const at = exports.words(count) >>> 2;
      const before = memory();
      for (let index = 0; index < count; index += 1) before[at + index] = state[index + 1];
      let length;
      try {
        length = exports[call](this.number, role, chosen);
      } catch (error) {
        throw new Error(library.failure ?? error.message);
      }
      if (length < 0) throw new Error(library.text(exports.reply(), -length));
      const start = exports.seen() >>> 2;
      return memory().slice(start, start + length);
    }

    /** The terms of moves, whose numbers stand in an array from an index on. */
    terms(numbers, from) {
      const terms = [];
      for (let index = from; index < numbers.length; index += 1) {
        const term = this.#terms[numbers[index]];
        if (term === undefined) return this.#learnAll(numbers.subarray(from));
        terms.push(term);
      }
      return terms;
    }

    #learnAll(numbers) {
      const unknown = [...numbers].filter((number) => this.#terms[number] === undefined);
      this.ask({ terms: { moves: unknown } }).forEach((text, index) => this.#learn(unknown[index], read(text)));
      return Array.from(numbers, (number) => this.#terms[number]);
    }

    #learn(number, term) {
      if (typeof term !== "string") [term[NUMBER], term[OWNER]] = [number, this];
      this.#terms[number] = term;
      this.#numbers.set(grind(term), number);
    }

    /** The number of a move; undefined if the game has none of this term. */
    numberOf(term) {
      if (term[OWNER] === this) return term[NUMBER];
      const text = grind(term);
      let number = this.#numbers.get(text);
      if (number === undefined) {
        number = this.ask({ move: { term: text } }) ?? undefined;
        if (number !== undefined && this.#terms[number] === undefined) this.#learn(number, read(text));
      }
      return number;
    }
  }

  /** A property of an array that is an index. */
  const isIndex = (key) => typeof key === "string" && /^\d+$/.test(key);

  /** What a state has of an array: its elements are the facts, which are asked for when they are first read. */
  const listOfFacts = new Proxy(Array.prototype, {
    get: (target, key, state) => (key === "length" || isIndex(key) ? state.facts()[key] : key === Symbol.isConcatSpreadable ? true : Reflect.get(target, key, state)),
    has: (target, key) => key === "length" || isIndex(key) || Reflect.has(target, key),
    set(target, key, value, state) {
      if (key === "length" || isIndex(key)) throw new TypeError("a state is not changed by its facts: make a list of it by `state.slice()`");
      return Reflect.defineProperty(state, key, { value, writable: true, configurable: true, enumerable: true });
    },
  });

  /** A state. */
  class State {
    #game;
    /** The number of its words, the words, and, once they are known, what it shows: whether it is terminal, the role in control, its moves. */
    #data;
    #facts = null;

    constructor(game, data) {
      this.#game = game;
      this.#data = data;
    }

    static of(game, facts) {
      const state = game.ask({ state: { facts: Array.from(facts, (fact) => grind(fact)) } });
      return new State(game, Uint32Array.of(state.length, ...state));
    }

    get game() {
      return this.#game;
    }

    get bits() {
      return Array.from(this.#data.subarray(1, this.#data[0] + 1));
    }

    /** The facts, in canonical order. */
    facts() {
      this.#facts ??= this.#game.ask({ facts: { state: this.bits } }).map((fact) => read(fact));
      return this.#facts;
    }

    /** The data with what the state shows, and where that begins. */
    #shown() {
      const count = this.#data[0] + 1;
      if (this.#data.length === count) {
        const seen = this.#game.seen("look", this.#data);
        const data = new Uint32Array(count + seen.length);
        data.set(this.#data);
        data.set(seen, count);
        this.#data = data;
      }
      return count;
    }

    get isTerminal() {
      const at = this.#shown();
      return this.#data[at] === 1;
    }

    get control() {
      const at = this.#shown();
      return this.#data[at + 1] ? this.#game.roles[this.#data[at + 1] - 1] : false;
    }

    legals() {
      const at = this.#shown();
      return this.#game.terms(this.#data, at + 2);
    }

    isLegal(move) {
      const number = this.#game.numberOf(move);
      return number !== undefined && this.#data.indexOf(number, this.#shown() + 2) >= 0;
    }

    /** The state after a move of the role in control. */
    next(move) {
      const number = this.#game.numberOf(move);
      if (number === undefined) throw new Error(`the game has no action ${grind(move)}`);
      const at = this.#shown();
      if (this.#data.indexOf(number, at + 2) < 0) throw new Error(`${grind(move)} is not legal here`);
      return new State(this.#game, this.#game.seen("step", this.#data, this.#data[at + 1] - 1, number));
    }

    reward(role) {
      const index = this.#game.roles.indexOf(role);
      return index < 0 ? 0 : this.#game.seen("goals", this.#data)[index] | 0;
    }

    /** Becomes another state. */
    become(other) {
      [this.#game, this.#data, this.#facts] = [other.#game, other.#data, null];
    }

    toJSON() {
      return this.facts();
    }
  }
  Object.setPrototypeOf(State.prototype, listOfFacts);

  /** The game of an array of rules. */
  function gameOf(rules) {
    const known = rules[GAME];
    if (known?.count === rules.length) return known.game;
    const game = new Game(rules.filter(isInUse).map((rule) => grind(rule)).join("\n"));
    Object.defineProperty(rules, GAME, { value: { game, count: rules.length }, writable: true, configurable: true });
    return game;
  }

  /** A state, or a list of facts as one. */
  const stateOf = (facts, rules) => (facts instanceof State ? facts : State.of(gameOf(rules), facts));

  function definemorerules(rules, clauses) {
    for (const clause of clauses) rules.push(clause);
    return rules;
  }

  function emptytheory(rules) {
    rules.length = 0;
    return true;
  }

  function definerules(rules, clauses) {
    emptytheory(rules);
    definemorerules(rules, clauses);
    return true;
  }

  /** The values of a query's variables in its solutions, by their names. */
  function solutions(query, facts, rules) {
    const game = facts instanceof State ? facts.game : gameOf(rules);
    const state = facts.length || facts instanceof State ? stateOf(facts, rules).bits : null;
    const { variables, rows } = game.ask({ query: { formula: grind(query), state } });
    return rows.map((row) => new Map(row.map((value, index) => [variables[index], read(value)])));
  }

  const replaced = (term, values) => (varp(term) ? values.get(term) ?? term : symbolp(term) ? term : term.map((part) => replaced(part, values)));

  const compfinds = (result, query, facts, rules) => uniquify(solutions(query, facts, rules).map((values) => replaced(result, values)));
  const compfindx = (result, query, facts, rules) => compfinds(result, query, facts, rules)[0] ?? false;
  const compfindp = (query, facts, rules) => solutions(query, facts, rules).length > 0;

  const findroles = (rules) => [...gameOf(rules).roles];
  const findbases = (rules) => compfinds("P", seq("base", "P"), [], rules);
  const findactions = (rules) => compfinds("A", seq("action", "A"), [], rules);
  const findinits = (rules) => {
    const game = gameOf(rules);
    return new State(game, game.initial);
  };
  const findcontrol = (state, rules) => stateOf(state, rules).control;
  const findlegalp = (move, state, rules) => stateOf(state, rules).isLegal(move);
  const findlegals = (state, rules) => stateOf(state, rules).legals();
  const findlegalx = (state, rules) => findlegals(state, rules)[0] ?? false;
  const findreward = (role, state, rules) => String(stateOf(state, rules).reward(role));
  const findterminalp = (state, rules) => stateOf(state, rules).isTerminal;
  const simulate = (move, state, rules) => stateOf(state, rules).next(move);

  /** Makes a move in a state, which becomes the state after it. */
  function compexecute(move, state, rules) {
    const next = simulate(move, state, rules);
    if (state instanceof State) state.become(next);
    else state.splice(0, state.length, ...next.facts());
    return [];
  }

  /** What a move changes: the facts that it adds, and those that it takes away as negations. */
  function compexpand(move, state, rules) {
    const before = stateOf(state, rules);
    const after = before.next(move);
    return [...difference(after.facts(), before.facts()), ...difference(before.facts(), after.facts()).map((fact) => ["not", fact])];
  }

  /** The mean rewards of the roles in at least `count` random games, hundreds at a time. */
  function simulate_many(state, count = 256, rules = null) {
    const from = stateOf(state, rules);
    const seed = Math.floor(Math.random() * 2 ** 32);
    const { playouts, means } = ask({ playouts: { game: from.game.number, state: from.bits, count, seed } });
    return { playouts, means: Object.fromEntries(from.game.roles.map((role, index) => [role, means[index]])) };
  }

  /** What a search of ggp finds, `mcts:seconds=2` or `alphabeta:depth=4`, for the role in control or another. */
  function search(state, text = "mcts", { seconds = text.includes("=") ? null : 1, role = null, rules = null } = {}) {
    const from = stateOf(state, rules);
    const found = from.game.ask({ search: { search: text, state: from.bits, role, seconds } });
    return { ...found, move: found.move === null ? false : read(found.move), line: found.line.map((move) => read(move)) };
  }

  /** The value of a state and a best move; `exact` says whether that was proven in this time. */
  const solve = (state, seconds = 5, rules = null) => search(state, "best", { seconds, rules });

  return {
    compexecute, compexpand, compfindp, compfinds, compfindx, definemorerules, definerules, emptytheory,
    findactions, findbases, findcontrol, findinits, findlegalp, findlegals, findlegalx, findreward, findroles, findterminalp,
    search, simulate, simulate_many, solve,
  };
}

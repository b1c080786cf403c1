// The functions of the course's starter pack on the library of ggp: the same names, arguments and results. A library of
// rules is an array of clauses; a state is an object that reads as the list of its facts.

import { difference, grind, read, seq, symbolp, uniquify, varp } from "./terms.js";

/** The seconds in which the network of a game is built, at most. */
const SET_UP = 4;

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
  /** Where the last answer about a state begins and ends in them. */
  let start = 0;
  let end = 0;

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
      this.initial = Uint32Array.from(about.initial);
      /** Whether the program has asked for the utilities of states that are not terminal. */
      this.asksRewards = false;
      unused.register(this, game);
    }

    ask(question) {
      return ask({ ask: { game: this.number, question } });
    }

    /** Lets a function of the module answer about a state: where the answer begins and ends in its memory. */
    seen(call, bits, role, chosen) {
      const { exports } = library;
      const at = exports.words(bits.length) >>> 2;
      const before = memory();
      for (let index = 0; index < bits.length; index += 1) before[at + index] = bits[index];
      let length;
      try {
        length = exports[call](this.number, role, chosen);
      } catch (error) {
        throw new Error(library.failure ?? error.message);
      }
      if (length < 0) throw new Error(library.text(exports.reply(), -length));
      start = exports.seen() >>> 2;
      end = start + length;
    }

    /** The terms of moves by their numbers, in a list of its own. */
    terms(numbers) {
      const terms = [];
      for (let index = 0; index < numbers.length; index += 1) {
        const term = this.#terms[numbers[index]];
        if (term === undefined) return this.#learnAll(numbers);
        terms.push(term);
      }
      return terms;
    }

    #learnAll(numbers) {
      const unknown = numbers.filter((number) => this.#terms[number] === undefined);
      this.ask({ terms: { moves: unknown } }).forEach((text, index) => this.#learn(unknown[index], read(text)));
      return numbers.map((number) => this.#terms[number]);
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
    #bits;
    /** Whether it is terminal; null if that is not known yet. */
    #isTerminal = null;
    /** The utilities of the roles, if they are known. */
    #rewards = null;
    /** The index of the role in control, or -1. */
    #control = -1;
    /** The numbers of its moves; null until they are asked for. */
    #moves = null;
    #facts = null;
    /** The number of moves that were made here, and the words of all successors once it is more than one. */
    #made = 0;
    #successors = null;

    constructor(game, bits) {
      this.#game = game;
      this.#bits = bits;
    }

    static of(game, facts) {
      return new State(game, Uint32Array.from(game.ask({ state: { facts: Array.from(facts, (fact) => grind(fact)) } })));
    }

    get game() {
      return this.#game;
    }

    get bits() {
      return Array.from(this.#bits);
    }

    /** The facts, in canonical order. */
    facts() {
      this.#facts ??= this.#game.ask({ facts: { state: this.bits } }).map((fact) => read(fact));
      return this.#facts;
    }

    /** Reads what the state shows from the memory of the module, from an index on. */
    #take(from) {
      const seen = memory();
      this.#isTerminal = seen[from] === 1;
      this.#control = seen[from + 1] - 1;
      const moves = [];
      for (let index = from + 2; index < end; index += 1) moves.push(seen[index]);
      this.#moves = moves;
    }

    #look() {
      if (this.#moves !== null) return;
      this.#game.seen("look", this.#bits);
      this.#take(start);
    }

    get isTerminal() {
      if (this.#isTerminal === null) this.#look();
      return this.#isTerminal;
    }

    get control() {
      this.#look();
      return this.#control < 0 ? false : this.#game.roles[this.#control];
    }

    legals() {
      this.#look();
      return this.#game.terms(this.#moves);
    }

    isLegal(move) {
      this.#look();
      return this.#moves.includes(this.#game.numberOf(move));
    }

    /** The state after a move of the role in control. */
    next(move) {
      this.#look();
      const number = this.#game.numberOf(move);
      const place = this.#moves.indexOf(number);
      if (place < 0) throw new Error(`${grind(move)} is not legal here`);
      this.#made += 1;
      return this.#made > 1 && this.#moves.length > 1 ? this.#successor(place) : this.#step(number);
    }

    /** The state after one move alone: random games seldom make a second one in a state. */
    #step(number) {
      this.#game.seen("step", this.#bits, this.#control, number);
      const seen = memory();
      const bits = seen.slice(start + 1, start + 1 + seen[start]);
      const next = new State(this.#game, bits);
      next.#take(start + 1 + bits.length);
      return next;
    }

    /** A successor: all are computed together, which takes less time than one after the other. */
    #successor(place) {
      const game = this.#game;
      if (this.#successors === null) {
        game.seen("expand", this.#bits, this.#control, game.asksRewards ? 1 : 0);
        this.#successors = { words: memory().slice(start, end), haveRewards: game.asksRewards };
      }
      const { words, haveRewards } = this.#successors;
      const { length } = this.#bits;
      const at = place * (length + 1 + game.roles.length);
      const next = new State(game, words.subarray(at, at + length));
      next.#isTerminal = words[at + length] === 1;
      if (haveRewards || next.#isTerminal) next.#rewards = words.subarray(at + length + 1, at + length + 1 + game.roles.length);
      return next;
    }

    reward(role) {
      const index = this.#game.roles.indexOf(role);
      if (index < 0) return 0;
      if (this.#rewards === null) {
        if (this.#isTerminal === false) this.#game.asksRewards = true;
        this.#game.seen("goals", this.#bits);
        this.#rewards = memory().slice(start, end);
      }
      return this.#rewards[index] | 0;
    }

    /** Becomes another state. */
    become(other) {
      this.#game = other.#game;
      this.#bits = other.#bits;
      this.#isTerminal = other.#isTerminal;
      this.#rewards = other.#rewards;
      this.#control = other.#control;
      this.#moves = other.#moves;
      this.#facts = null;
      this.#made = 0;
      this.#successors = null;
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

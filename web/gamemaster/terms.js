// Terms and clauses as the players of Stanford's course hold them: a symbol or a variable is a string, everything else an
// array that begins with its name. They are read from the course's dialect and printed in it.

export const nil = "nil";

export const symbolp = (term) => typeof term === "string";
export const varp = (term) => typeof term === "string" && term !== "" && (term[0] === "_" || term[0] !== term[0].toLowerCase());
export const constantp = (term) => typeof term === "string" && term !== "" && term[0] === term[0].toLowerCase();
export const numberp = (term) => !Number.isNaN(Number(term));
export const stringp = (term) => typeof term === "string" && /^".*"$/s.test(term);
export const nullp = (term) => term === nil;

/** A term of a name and its arguments. */
export const seq = (...parts) => parts;
export const head = (term) => term[0];
export const tail = (term) => term.slice(1);

/** Whether two terms, or two lists of them, are the same. */
export function equalp(left, right) {
  if (left === right) return true;
  if (typeof left === "string" || typeof right === "string" || left.length !== right.length) return false;
  for (let index = 0; index < left.length; index += 1) if (!equalp(left[index], right[index])) return false;
  return true;
}

export function find(term, list) {
  for (let index = 0; index < list.length; index += 1) if (equalp(term, list[index])) return true;
  return false;
}
export const findp = find;
export const findq = (term, list) => list.includes(term);
export const adjoin = (term, list) => (find(term, list) ? list : [...list, term]);
export const subset = (some, list) => some.every((term) => find(term, list));
export const difference = (list, others) => list.filter((term) => !find(term, others));
export const negate = (formula) => (formula[0] === "not" ? formula[1] : ["not", formula]);

/** A list without repetitions, in the same order. */
export function uniquify(list) {
  const seen = new Set();
  return list.filter((term) => {
    const text = grind(term);
    return !seen.has(text) && seen.add(text);
  });
}
export const zniquify = uniquify;

const NUMBERS = { blank: 0, false: 0, true: 1, infinity: Infinity, neginfinity: -Infinity };
const SYMBOLS = new Map([[Infinity, "infinity"], [-Infinity, "neginfinity"]]);
export const numberize = (symbol) => (Object.hasOwn(NUMBERS, symbol) ? NUMBERS[symbol] : parseFloat(symbol));
export const stringize = (number) => SYMBOLS.get(number) ?? String(number);

/** The elements of a list term, `[a,b]`, as an array, and the other way round. */
export function delistify(list) {
  const elements = [];
  while (list !== nil) {
    if (list?.[0] !== "cons") return false;
    elements.push(list[1]);
    list = list[2];
  }
  return elements;
}
export const listify = (elements) => elements.reduceRight((list, element) => ["cons", element, list], nil);

/** The connectives, from the strongest to the weakest. */
const LEVELS = new Map(["!", "#", "~", "&", "|", "==>", ":=", ":-", "::"].map((sign, level) => [sign, level]));
const WEAKEST = LEVELS.size;
const level = (sign) => LEVELS.get(sign) ?? WEAKEST;

const TOKEN = /\s+|%[^\r\n]*|"[^"]*"?|==>|:-|::|:=|[!#&|~()[\],.]|_|[A-Za-z0-9*/+-][A-Za-z0-9_*/+.-]*/gy;

function tokens(text) {
  const found = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) throw new SyntaxError("this is no term");
    if (!/^[\s%]/.test(token)) found.push(token);
  }
  return found;
}

class Parser {
  #tokens;
  #at = 0;
  #variables = 0;

  constructor(text) {
    this.#tokens = tokens(text);
  }

  get isAtEnd() {
    return this.#at >= this.#tokens.length;
  }

  skip(token) {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }

  #expect(token) {
    if (!this.skip(token)) throw new SyntaxError(`${token} is expected`);
  }

  /** A formula whose connectives are at most as weak as `weakest`. */
  formula(weakest = WEAKEST) {
    let left = this.#first();
    for (;;) {
      const sign = this.#tokens[this.#at];
      if (sign === "(") left = this.#compound(left);
      else if (LEVELS.has(sign) && sign !== "~" && sign !== "#" && level(sign) <= weakest) {
        this.#at += 1;
        left = combine(sign, left, this.formula(level(sign)));
      } else return left;
    }
  }

  #first() {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new SyntaxError("a term is expected");
    if (token === "~") return ["not", this.formula(level("~"))];
    if (token === "(") {
      const inner = this.formula();
      this.#expect(")");
      return inner;
    }
    if (token === "[") return this.#list();
    if (token === "_") return `_${++this.#variables}`;
    if (!/^["A-Za-z0-9*/+-]/.test(token)) throw new SyntaxError(`${token} is not expected`);
    return token;
  }

  #compound(name) {
    this.#at += 1;
    const term = [name];
    if (this.skip(")")) return term;
    do term.push(this.formula()); while (this.skip(","));
    this.#expect(")");
    return term;
  }

  #list() {
    const elements = [];
    if (!this.skip("]")) {
      do elements.push(this.formula()); while (this.skip(","));
      this.#expect("]");
    }
    return listify(elements);
  }
}

/** The formulas of a conjunction or a disjunction of two. */
const joined = (name, left, right) => [name, ...(left[0] === name ? left.slice(1) : [left]), ...(right[0] === name ? right.slice(1) : [right])];

function combine(sign, left, right) {
  switch (sign) {
    case "&": return joined("and", left, right);
    case "|": return joined("or", left, right);
    case "!": return ["cons", left, right];
    case "==>": return ["transition", left, right];
    case ":-": return right[0] === "and" ? ["rule", left, ...right.slice(1)] : ["rule", left, right];
    case ":=": return right[0] === "and" ? ["definition", left, ...right.slice(1)] : ["definition", left, right];
    default: return ["handler", left, right];
  }
}

/** The first term or clause of a text; `error` if there is none. */
export function read(text) {
  try {
    return new Parser(text).formula();
  } catch {
    return "error";
  }
}

/** All clauses of a text; none if it has an error. */
export function readdata(text) {
  try {
    const parser = new Parser(text);
    const clauses = [];
    while (!parser.isAtEnd) if (!parser.skip(".")) clauses.push(parser.formula());
    return clauses;
  } catch {
    return [];
  }
}

/** The text of a term or a clause between two connectives. */
export function grind(term, left = "", right = "") {
  if (term === nil) return "[]";
  if (typeof term === "string") return term[0] === "_" ? "_" : term;
  const [name, ...parts] = term;
  switch (name) {
    case "cons": return grindlist(term, left, right);
    case "not": return `~${grind(parts[0], "~", right)}`;
    case "and": return grindinfix("&", parts, left, right);
    case "or": return grindinfix("|", parts, left, right);
    case "transition": return grindinfix("==>", parts, left, right);
    case "definition": return grindinfix(":=", parts, left, right);
    case "handler": return grindinfix("::", parts, left, right);
    case "rule": return grindrule(parts, left, right);
    default: return `${name}(${parts.map((part) => grind(part)).join(",")})`;
  }
}

function grindinfix(sign, parts, left, right) {
  if (!parts.length) return "false";
  if (parts.length === 1) return grind(parts[0], left, right);
  const isWrapped = level(left) < level(sign) || level(sign) >= level(right) && right !== "";
  const [first, last] = isWrapped ? ["", ""] : [left, right];
  const texts = parts.map((part, index) => grind(part, index ? sign : first, index < parts.length - 1 ? sign : last));
  const text = texts.join(` ${sign} `);
  return isWrapped ? `(${text})` : text;
}

function grindrule([conclusion, ...body], left, right) {
  const text = body.length ? grindinfix("&", body, body.length > 1 ? left : ":-", right) : "true";
  return `${grind(conclusion)} :- ${text}`;
}

function grindlist(term, left, right) {
  const elements = delistify(term);
  if (elements) return `[${elements.map((element) => grind(element)).join(",")}]`;
  return grindinfix("!", term.slice(1), left, right).replaceAll(" ! ", "!");
}

export const grindem = (list) => list.map((term) => `${grind(term)}\n`).join("");
export const grindall = (list) => list.map((term) => `${grind(term)} `).join("");
export const grinddata = (list) => list.map((term) => `${grind(term)}<br/>`).join("");

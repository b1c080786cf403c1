// Makes web/answers.d.ts, the types of what the page is answered, of the Rust types that are serialised for it: structs and
// enums without generics, with the attributes of serde that they use. `node types.mjs FILE` writes to another file.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = new URL("../..", import.meta.url).pathname;

/** The types of each file that a page meets. */
const WANTED = {
  "src/workbench/view.rs": ["PositionView", "KnownPosition", "SquareBelief", "PossibleSquare", "RoleView", "MoveTarget", "AboutSquare", "NamedMove", "GameCard", "PlayKind"],
  "src/workbench/gesture.rs": ["Gesture"],
  "src/workbench/sheets.rs": ["TextVerdict", "EditorCandidate"],
  "src/workbench.rs": ["PlayingEngine", "Control", "ControlKind"],
  "crates/draw/src/grid.rs": ["Grid", "GridLine", "Square", "Ground"],
  "crates/draw/src/pictogram.rs": ["Pictogram", "PieceShape"],
  "crates/gdl/src/diagnostic/render.rs": ["JsonDiagnostic", "JsonEdit", "JsonLabel"],
  "crates/gdl/src/diagnostic.rs": ["Severity", "Certainty"],
  "crates/gdl/src/syntax/dialect.rs": ["Dialect"],
  "crates/gdl/src/language/outline.rs": ["WordKind"],
};
const names = new Set(Object.values(WANTED).flat());
const PLAIN = { String: "string", f64: "number", str: "string", bool: "boolean", Answer: "any", Utility: "number", SquareIndex: "[number, number, number]" };

const snake = (name) => name.replace(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
const RENAMED = { snake_case: snake, lowercase: (name) => name.toLowerCase() };

/** The parts of a list, at commas that no bracket encloses. */
function parts(list) {
  const all = [""];
  let depth = 0;
  for (const sign of list) {
    depth += { "<": 1, "(": 1, "{": 1, "[": 1, ">": -1, ")": -1, "}": -1, "]": -1 }[sign] ?? 0;
    if (sign === "," && !depth) all.push("");
    else all[all.length - 1] += sign;
  }
  return all.map((one) => one.trim()).filter(Boolean);
}

/** The type in TypeScript; throws where it is not known. */
function typed(type) {
  const one = type.replace(/^&'?\w*\s*/, "").trim();
  const [, outer, inner] = /^(Option|Vec)<(.*)>$/s.exec(one) ?? [];
  if (outer === "Option") return `${typed(inner)} | null`;
  if (outer === "Vec") return `${/[ |]/.test(typed(inner)) && !/^\[/.test(typed(inner)) ? `(${typed(inner)})` : typed(inner)}[]`;
  if (/^\(.*\)$/s.test(one)) return `[${parts(one.slice(1, -1)).map(typed).join(", ")}]`;
  if (/^[uif](8|16|32|64|size)$/.test(one)) return "number";
  if (names.has(one)) return one;
  if (PLAIN[one]) return PLAIN[one];
  throw new Error(`no type is known for ${type}`);
}

/** The attributes of serde before an item, and its documentation. */
function attributes(text) {
  const serde = [...text.matchAll(/#\[serde\((.*?)\)\]/gs)].map(([, inside]) => inside).join(", ");
  const doc = [...text.matchAll(/^\s*\/\/\/ ?(.*)$/gm)].map(([, line]) => line);
  return { serde, doc, rest: text.replace(/#\[(?:[^[\]]|\[[^\]]*\])*\]/gs, "").replace(/^\s*\/\/.*$/gm, "").trim() };
}

const comment = (doc, indent = "") => (doc.length === 0 ? "" : doc.length === 1 ? `${indent}/** ${doc[0]} */\n` : `${indent}/**\n${doc.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`);

/** The fields of a struct, or of a variant, without those that are not serialised; flattened ones are named apart. */
function fields(body) {
  const [own, flattened] = [[], []];
  // Signs in the documentation are no brackets and no commas.
  const docs = [];
  const bare = body.replace(/\/\/\/ ?([^\n]*)/g, (_, line) => `#[doc${docs.push(line) - 1}]`);
  for (const part of parts(bare)) {
    const doc = [...part.matchAll(/#\[doc(\d+)\]/g)].map(([, number]) => docs[number]);
    const { serde, rest } = attributes(part);
    const [, name, type] = /^(?:pub(?:\([^)]*\))? )?(\w+):\s*(.*)$/s.exec(rest) ?? [];
    if (!name || /\bskip\b(?!_)/.test(serde)) continue;
    if (/\bflatten\b/.test(serde)) {
      flattened.push(typed(type));
      continue;
    }
    const called = /rename = "(\w+)"/.exec(serde)?.[1] ?? name;
    const optional = /skip_serializing_if/.test(serde);
    const is = typed(type);
    own.push({ doc, text: `${called}${optional ? "?" : ""}: ${optional ? is.replace(/ \| null$/, "") : is}` });
  }
  return { own, flattened };
}

const block = (own) => `{\n${own.map(({ doc, text }) => `${comment(doc, "  ")}  ${text};\n`).join("")}}`;

function struct(name, doc, body) {
  const { own, flattened } = fields(body);
  return flattened.length ? `${comment(doc)}export type ${name} = ${flattened.join(" & ")} & ${block(own)};\n` : `${comment(doc)}export interface ${name} ${block(own)}\n`;
}

function enumeration(name, { doc, serde }, body) {
  const rename = RENAMED[/rename_all = "(\w+)"/.exec(serde)?.[1]] ?? ((one) => one);
  const tag = /tag = "(\w+)"/.exec(serde)?.[1];
  const variants = parts(attributes(body.replace(/\/\/[^\n]*/g, "")).rest).map((variant) => {
    const [, own, inside] = /^(\w+)\s*(.*)$/s.exec(variant);
    const called = JSON.stringify(rename(own));
    if (tag) return `{ ${[`${tag}: ${called}`, ...fields(inside.replace(/^\{|\}$/gs, "")).own.map(({ text }) => text)].join("; ")} }`;
    return inside.startsWith("(") ? `{ ${rename(own)}: ${typed(inside.slice(1, -1))} }` : called;
  });
  return `${comment(doc)}export type ${name} =${variants.map((one) => `\n  | ${one}`).join("")};\n`;
}

const made = Object.entries(WANTED).flatMap(([path, types]) => {
  const text = readFileSync(join(root, path), "utf8");
  return types.map((name) => {
    const found = new RegExp(`((?:^(?:///[^\\n]*|#\\[[^\\n]*\\])\\n)*)^(?:pub(?:\\([^)]*\\))? )?(struct|enum) ${name} \\{\\n(.*?)^\\}`, "ms").exec(text);
    if (!found) throw new Error(`${path} has no type ${name}`);
    const about = attributes(found[1]);
    return found[2] === "struct" ? struct(name, about.doc, found[3]) : enumeration(name, about, found[3]);
  });
});
const head = "// The types of what the page is answered. `node web/tests/types.mjs` makes this file of the Rust types; web/test compares\n// the two.\n";
writeFileSync(process.argv[2] ?? join(root, "web/answers.d.ts"), [head, ...made].join("\n"));

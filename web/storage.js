// What a person has typed and played, kept in the storage of the browser: the tree of each game, its players, texts that
// were not loaded yet, and the last sheets that were opened. Where the browser keeps nothing, the page works without.

/** The sheets that are kept, and the length of a text that is kept. */
const [SHEETS, LONGEST] = [10, 300_000];

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

function write(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The storage is full, or there is none.
  }
}

/** A short name for a text: the same text has the same. */
function digest(text) {
  let sum = 5381;
  for (let index = 0; index < text.length; index += 1) sum = (sum * 33 + text.charCodeAt(index)) % 4294967291;
  return sum.toString(36);
}

/** The key of a game, by its name and its rules. */
export const gameKey = (name, text) => `${name}:${digest(text)}`;

/** The branches below a place, with their notes. */
const branch = ({ moves, note, children }) => [moves, note, children.map(branch)];

/** Keeps the tree of a match. */
export const keepTree = (key, root) => write(`tree ${key}`, root.children.length ? root.children.map(branch) : null);

/** Adds the branches that were kept to a tree. */
export function growTree(key, root) {
  const grow = (place, branches) => {
    for (const [moves, note, children] of branches) {
      const made = place.after(moves);
      made.note = note;
      grow(made, children);
    }
  };
  grow(root, read(`tree ${key}`) ?? []);
}

/** Keeps the lines of the players of a game, by their roles. */
export const keepSeats = (key, lines) => write(`seats ${key}`, lines);
export const seats = (key) => read(`seats ${key}`);

/** Keeps a text that is not loaded; the loaded text itself needs no keeping. */
export const keepDraft = (name, text, loaded) => write(`draft ${name}`, text === loaded || text.length > LONGEST ? null : text);
export const draft = (name) => read(`draft ${name}`);

/** Keeps the history of the editor of a sheet, so that it can be undone later. */
export const keepHistory = (name, history) => write(`edits ${name}`, JSON.stringify(history).length > LONGEST ? null : history);
export const history = (name) => read(`edits ${name}`);

/** Where a person was last: `{address, game, ply}`. */
export const keepLast = (last) => write("last", last);
export const last = () => read("last");

/** The sheets that were opened last, the latest first. */
export const sheets = () => read("sheets") ?? [];

/** Keeps a sheet among the last ones. */
export function keepSheet(name, text) {
  if (text.length > LONGEST) return;
  write("sheets", [{ name, text }, ...sheets().filter((sheet) => sheet.name !== name)].slice(0, SHEETS));
}

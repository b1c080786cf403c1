// @ts-check
// What a person has typed and played, kept in the storage of the browser: the matches of each game with their trees, its players, texts that
// were not loaded yet, and the last sheets that were opened. Where the browser keeps nothing, the page works without.

/** The sheets and the matches of a game that are kept, and the length of a text that is kept. */
const [SHEETS, MATCHES, LONGEST] = [10, 20, 300_000];

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

/** The matches of a game that are kept, the latest first: `{id, began, seed, seats, branches, plies, way, result, version}`. */
export const matches = (key) => read(`matches ${key}`) ?? [];

/**
 * Keeps a match, in the place of what was kept of it. If another tab has written it since, its branches are added to this
 * one's, so that neither takes the notes of the other away.
 */
export function keepMatch(key, { root, way, result, ...match }, versions) {
  const all = matches(key);
  const known = all.find(({ id }) => id === match.id);
  if (known && known.version !== versions.get(match.id)) root.grow(known.branches);
  const others = all.filter(({ id }) => id !== match.id);
  versions.set(match.id, (known?.version ?? 0) + 1);
  const plies = way.at(-1)?.ply ?? 0;
  const kept = { ...match, branches: root.branches, plies, way: way.map(({ moves }) => moves), result, version: versions.get(match.id) };
  write(`matches ${key}`, root.children.length ? [kept, ...others].slice(0, MATCHES) : others.length ? others : null);
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

/** Where a person was last: `{address, game, ply, match}`. */
export const keepLast = (last) => write("last", last);
export const last = () => read("last");

/** The sheets that were opened last, the latest first. */
export const sheets = () => read("sheets") ?? [];

/** Keeps a sheet among the last ones. */
export function keepSheet(name, text) {
  if (text.length > LONGEST) return;
  write("sheets", [{ name, text }, ...sheets().filter((sheet) => sheet.name !== name)].slice(0, SHEETS));
}

/** Keeps the width of the tools, in hundredths of the window's; `null` is the usual one. */
export const keepWidth = (share) => write("width", share);
export const width = () => read("width");

/** Keeps whether the page makes sounds. */
export const keepSound = (hasSound) => write("sound", hasSound || null);
export const hasSound = () => read("sound") === true;
/** Keeps the marks of the course, and the task that a student was at last. */
export const keepMarks = (marks) => write("course", marks);
export const marks = () => read("course");
export const keepTask = (name) => write("task", name);
export const task = () => read("task");
/** Keeps the tasks that were opened from files or links: `{section, name, title, kind, text}`. */
export const keepOwnTasks = (tasks) => write("tasks", tasks);
export const ownTasks = () => read("tasks") ?? [];

// @ts-check
// A search as a film: an SVG in which the nodes of its tree, their values and marks appear step by step, below the
// pseudo-code with the line at work and the nodes that wait. It plays once, and without scripts; a program without
// animations shows the tree as it is at the end.

import { waitingText } from "./pseudocode.js";
import { drawing } from "./terms.js";
import { COLUMN, edge, HEIGHT, ROW, SIDES, WIDTH } from "./trace.js";

/** The greatest number of nodes, the seconds of a step, and the greatest length of a film, in seconds. */
const [MOST, PACE, LONGEST] = [1_000, 0.35, 120];
/** The room for the words of a step, around the tree, and for a line of pseudo-code, in pixels; the width of a letter. */
const [CAPTION, MARGIN, CODE, LETTER] = [34, 10, 17, 7.2];
/** The most letters of the waiting nodes. */
const LETTERS = 90;

/** The colours of a film, as the page has them now. */
function colours() {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(["paper", "panel", "ink", "pale", "line", "accent", "problem", "open", "chosen", "hover"].map((name) => [name, style.getPropertyValue(`--${name}`)]));
}

/** The film of the tree that is built at a step; throws if the tree is too large. */
export function filmOf(trace, step) {
  const tree = trace.treeAt(step);
  const nodes = tree.columns.flat();
  const shown = new Set(nodes);
  if (nodes.length > MOST) throw new Error(`this tree has ${nodes.length.toLocaleString("en")} nodes, and a film at most ${MOST.toLocaleString("en")}: fold a part of it, or search less deep`);
  const first = tree.root.born;
  const last = (trace.trees[trace.trees.indexOf(tree) + 1]?.born ?? trace.steps + 1) - 1;
  const pace = Math.min(PACE, LONGEST / (last - first + 1));
  const colour = colours();
  const time = (at) => (at - first) * pace;
  /** A part that is shown, or hidden, for some time only: no style is set, since the policy of the page allows none. */
  const set = (made, visibility, from, length) => {
    made.append(drawing("set", { attributeName: "visibility", to: visibility, begin: `${from.toFixed(2)}s`, dur: `${length.toFixed(2)}s` }));
    return made;
  };
  /** What appears at a step and stays, and what is there from one step to another only. */
  const later = (at, made) => (at > first ? set(made, "hidden", 0, time(at)) : made);
  const during = (from, to, made) => {
    made.setAttribute("visibility", "hidden");
    return set(made, "visible", time(from), time(to) - time(from));
  };
  /** Entries `[step, …]`, each until the next one; the last one stays. */
  const changing = (entries, draw) => entries.filter(([at]) => at <= last).map((entry, index, all) => {
    const [at] = entry;
    const next = all[index + 1]?.[0];
    return next === undefined ? later(at, draw(entry)) : during(at, next, draw(entry));
  });
  const y = (node) => node.row * ROW;
  const text = (words, attributes) => drawing("text", { fill: colour.ink, ...attributes }, words);
  const side = { max: colour.accent, min: colour.problem, chance: colour.open };

  const below = nodes.filter(({ parent }) => parent);
  const line = (node, stroke, width) => drawing("path", { d: edge(node, y(node.parent), y(node)), fill: "none", stroke, "stroke-width": width });
  const lines = [
    ...below.map((node) => later(node.born, line(node, colour.line, 1.5))),
    ...below.filter(({ isBest }) => isBest).map((node) => later(last, line(node, colour.open, 3))),
  ];
  const drawn = (node) => {
    const [left, top] = [node.column * COLUMN, y(node)];
    const at = { x: left + 8, y: top + 16 };
    const box = drawing("rect", { x: left, y: top, width: WIDTH, height: HEIGHT, rx: 5, fill: colour.panel, stroke: side[node.decides] ?? colour.line });
    const [sign] = SIDES[node.decides];
    const label = `${sign} ${node.label}`;
    const name = label.length > 15 ? `${label.slice(0, 14)}…` : label;
    const cost = node.soFar === undefined ? [] : [text(`${node.soFar}+${node.toGo ?? "∞"}`, { x: left + 8, y: top + 31, "font-size": 10 })];
    return later(node.born, drawing("g", {},
      box, text(name, at), ...cost,
      ...changing(node.values, ([, value]) => text(value, { x: left + WIDTH - 8, y: top + 16, "text-anchor": "end", "font-weight": "700" })),
      ...changing(node.counts, ([, games]) => text(games, { x: left + 8, y: top + 31, "font-size": 10 })),
      ...changing(node.windows, ([, alpha, beta]) => text(`α ${alpha}  β ${beta}`, { x: left + 8, y: top + 31, "font-size": 10 })),
      ...node.marks.filter(([when]) => when <= last).map(([when, { sign: mark }], index) => later(when, text(mark, { x: left + WIDTH - 8 - 30 * index, y: top + 32, "text-anchor": "end", "font-size": 10 })))));
  };
  const code = trace.code?.lines ?? [];
  const above = code.length ? (code.length + 1) * CODE + 8 : 0;
  /** The line of the pseudo-code that is at work after a step. */
  const working = (now) => trace.code?.at[now - 1];
  const waits = (now) => { const words = waitingText(trace, now); return words.length > LETTERS ? `${words.slice(0, LETTERS - 1)}…` : words; };
  /** What is the same over several steps: drawn once for each such time. */
  const runs = (what, draw) => {
    const made = [];
    for (let from = first, now = first; now <= last; now += 1) {
      if (now < last && what(now + 1) === what(from)) continue;
      made.push(now === last ? later(from, draw(what(from))) : during(from, now + 1, draw(what(from))));
      from = now + 1;
    }
    return made;
  };
  const atWork = code.length ? runs(working, (line) => drawing("rect", { x: 0, y: line * CODE, width: 520, height: CODE, fill: colour.hover, stroke: colour.accent })) : [];
  const written = code.map((line, index) => text(line.trim(), { x: 8 + (line.length - line.trimStart().length) * LETTER, y: index * CODE + 13 }));
  const waiting = code.length ? runs(waits, (words) => text(words, { x: 8, y: code.length * CODE + 15, fill: colour.pale })) : [];
  const current = [];
  const told = [];
  for (let now = first; now <= last; now += 1) {
    const node = trace.nodeAt(now);
    const [isLast, to] = [now === last, Math.min(now + 1, last)];
    const put = (made) => (isLast ? later(now, made) : during(now, to, made));
    if (node?.born <= now && shown.has(node)) current.push(put(drawing("rect", { x: node.column * COLUMN - 2, y: y(node) - 2, width: WIDTH + 4, height: HEIGHT + 4, rx: 7, fill: "none", stroke: colour.chosen, "stroke-width": 4 })));
    told.push(put(text(trace.told(now), { x: 0, y: 0, "font-family": "sans-serif", "font-size": 14 })));
  }
  const width = Math.max(tree.columns.length * COLUMN, 520) + 2 * MARGIN;
  const height = tree.rows * ROW + CAPTION + above + 2 * MARGIN;
  const svg = drawing("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "font-family": "ui-monospace, monospace", "font-size": 12 },
    drawing("rect", { width, height, fill: colour.paper }),
    drawing("g", { transform: `translate(${MARGIN} ${MARGIN + 16})` }, ...told),
    drawing("g", { transform: `translate(${MARGIN} ${MARGIN + CAPTION})` }, ...atWork, ...written, ...waiting),
    drawing("g", { transform: `translate(${MARGIN} ${MARGIN + CAPTION + above})` }, ...lines, ...nodes.map(drawn), ...current));
  return new XMLSerializer().serializeToString(svg);
}

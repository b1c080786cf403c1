// @ts-check
// Elements of the page, and terms of the rules.

/** An element with attributes, listeners (`onclick`) and children; `null` children are left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** An element of a drawing in SVG, with attributes and children. */
export function drawing(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/**
 * A joint move in words: without the moves of roles that only wait, unless all do. In a game with operations that is the
 * move `idle`, which its sheet does not have; in others `noop` by custom.
 */
export function jointMove(moves, idle) {
  const chosen = moves.filter((move) => move !== (idle ?? "noop"));
  return (chosen.length ? chosen : moves).join(" ");
}

/** Whether a role is chance, the role `random` of GDL-II. */
export const isChance = (role) => role === "random";

/** The direction of an arrow key along a line: -1, 1, or 0 for other keys. */
export function keyStep({ key }) {
  return { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[key] ?? 0;
}

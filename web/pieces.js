// @ts-check
// The shapes of pieces, which the server has for all pictures: each is a symbol that squares use.

import { drawing } from "./terms.js";

/** Puts the symbols into the page, where squares find them by their names. */
async function bring() {
  const response = await fetch("pieces.svg");
  if (!response.ok) return;
  const set = new DOMParser().parseFromString(await response.text(), "image/svg+xml").documentElement;
  set.setAttribute("class", "hidden");
  set.setAttribute("aria-hidden", "true");
  document.body.append(document.adoptNode(set));
}
bring();

/** A drawn piece: `{shape, fill, ink}`. */
export function drawn({ shape, fill, ink }) {
  const svg = drawing("svg", { viewBox: "0 0 100 100", class: "shape", "aria-hidden": "true" }, drawing("use", { href: `#piece-${shape}` }));
  svg.style.setProperty("--body", fill);
  svg.style.setProperty("--outline", ink);
  return svg;
}

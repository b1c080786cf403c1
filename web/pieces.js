// The shapes of pieces, which the server has for all pictures: each is a symbol that squares use.

const SVG = "http://www.w3.org/2000/svg";

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
  const [svg, use] = ["svg", "use"].map((name) => document.createElementNS(SVG, name));
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("class", "shape");
  svg.setAttribute("aria-hidden", "true");
  svg.style.setProperty("--body", fill);
  svg.style.setProperty("--outline", ink);
  use.setAttribute("href", `#piece-${shape}`);
  svg.append(use);
  return svg;
}

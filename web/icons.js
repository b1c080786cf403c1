// The signs of buttons, drawn, since fonts differ in the signs that they have.

const SVG = "http://www.w3.org/2000/svg";

/** Each sign as the path of a line on 24 by 24 units. */
const PATHS = {
  first: "M6 5v14M19 5l-9 7 9 7z", back: "M16 5l-9 7 9 7z", forth: "M8 5l9 7-9 7z", last: "M18 5v14M5 5l9 7-9 7z",
  restart: "M5 5v5h5M5.5 10a7.5 7.5 0 1 1-.8 5", flip: "M8 20V5M4.500 8.500L8 5l3.500 3.500M16 4v15M12.500 15.500L16 19l3.500-3.500",
  fill: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5", play: "M7 4l13 8-13 8z", pause: "M8 5v14M16 5v14", stop: "M6 6h12v12H6z",
  takeback: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3", promote: "M12 20V5M6 11l6-6 6 6", delete: "M6 6l12 12M18 6L6 18",
};

/** A sign as an element. */
export function icon(name) {
  const [svg, path] = ["svg", "path"].map((kind) => document.createElementNS(SVG, kind));
  for (const [key, value] of [["viewBox", "0 0 24 24"], ["class", "icon"], ["aria-hidden", "true"]]) svg.setAttribute(key, value);
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

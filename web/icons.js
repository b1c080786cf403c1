// @ts-check
// The signs of buttons, drawn, since fonts differ in the signs that they have.

import { drawing } from "./terms.js";

/** Each sign as the path of a line on 24 by 24 units. */
const PATHS = {
  first: "M6 5v14M19 5l-9 7 9 7z", back: "M16 5l-9 7 9 7z", forth: "M8 5l9 7-9 7z", last: "M18 5v14M5 5l9 7-9 7z",
  restart: "M5 5v5h5M5.5 10a7.5 7.5 0 1 1-.8 5", flip: "M8 20V5M4.500 8.500L8 5l3.500 3.500M16 4v15M12.500 15.500L16 19l3.500-3.500",
  fill: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5", play: "M7 4l13 8-13 8z", pause: "M8 5v14M16 5v14", stop: "M6 6h12v12H6z",
  hint: "M9 17.500h6M10 20.500h4M12 3a6 6 0 0 0-3.500 10.900c.5.4.5 1 .5 1.600h6c0-.6 0-1.200.5-1.600A6 6 0 0 0 12 3z",
  takeback: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3", promote: "M12 20V5M6 11l6-6 6 6", delete: "M6 6l12 12M18 6L6 18",
};

/** A sign as an element. */
export function icon(name) {
  return drawing("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, drawing("path", { d: PATHS[name] }));
}

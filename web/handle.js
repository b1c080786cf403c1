// @ts-check
// The handle between the board and the tools: their width is drawn, or set by the arrow keys, and kept.

import { keepWidth, width as kept } from "./storage.js";

/** The width of the tools, the least and the greatest, in hundredths of the window's; and the step of a key. */
const [USUAL, LEAST, MOST, STEP] = [36, 22, 75, 2];

const handle = document.querySelector(".handle");
const main = document.querySelector("main");

/** Gives the tools a width, and keeps it; `null` is the usual one. */
function set(share) {
  const width = share === null ? null : Math.round(Math.min(Math.max(share, LEAST), MOST) * 10) / 10;
  if (width === null) main.style.removeProperty("--tools");
  else main.style.setProperty("--tools", `${width}vw`);
  for (const [name, value] of Object.entries({ now: width ?? USUAL, min: LEAST, max: MOST })) handle.setAttribute(`aria-value${name}`, String(Math.round(value)));
  keepWidth(width);
}

set(kept());
handle.addEventListener("pointerdown", (event) => {
  event.preventDefault();
  handle.setPointerCapture(event.pointerId);
  handle.classList.add("moving");
});
handle.addEventListener("pointermove", ({ clientX, pointerId }) => {
  if (handle.hasPointerCapture(pointerId)) set(((innerWidth - clientX) / innerWidth) * 100);
});
for (const name of ["pointerup", "pointercancel"]) handle.addEventListener(name, () => handle.classList.remove("moving"));
handle.addEventListener("dblclick", () => set(null));
handle.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
  if (!step && event.key !== "Home") return;
  event.preventDefault();
  set(step ? (kept() ?? USUAL) + step : null);
});

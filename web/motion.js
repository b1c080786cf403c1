// @ts-check
// Moves that are seen: a piece slides from the square that it left, and one that is new fades in.

/** How long a piece slides, in milliseconds. */
const TIME = 180;

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** What stands on each square, as texts by their places. */
export const standing = (grids) => new Map(grids.flatMap(({ squares }, board) => squares.flatMap((row, down) => row.map((square, across) => [`${board},${down},${across}`, square.text]))));

/** The square that each piece on a changed square has left: pairs of places, from and to; `null` for a new piece. */
export function ways(before, after) {
  const changed = [...after.keys()].filter((place) => before.get(place) !== after.get(place));
  const left = changed.filter((place) => before.get(place) && before.get(place) !== after.get(place));
  const pairs = [];
  for (const to of changed.filter((place) => after.get(place))) {
    const index = left.findIndex((from) => from !== to && before.get(from) === after.get(to));
    pairs.push([index < 0 ? null : left.splice(index, 1)[0], to]);
  }
  return pairs;
}

/** Lets the pieces of a board move there from where they were. */
export function animate(board, before, after) {
  if (isStill()) return;
  const square = (place) => board.querySelector(`[data-place="${place}"]`);
  for (const [from, to] of ways(before, after)) {
    const piece = square(to)?.querySelector(".piece");
    if (!piece) continue;
    const [start, goal] = [from && square(from)?.getBoundingClientRect(), square(to).getBoundingClientRect()];
    if (!start) {
      piece.animate([{ opacity: 0, transform: "scale(.7)" }, { opacity: 1, transform: "none" }], { duration: TIME, easing: "ease-out" });
      continue;
    }
    // A square hides what is beyond its edges, so it shows all of it meanwhile, above the others.
    square(to).classList.add("moving");
    const slide = piece.animate([{ transform: `translate(${start.left - goal.left}px, ${start.top - goal.top}px)` }, { transform: "none" }], { duration: TIME, easing: "ease-in-out" });
    slide.finished.catch(() => {}).then(() => square(to)?.classList.remove("moving"));
  }
}

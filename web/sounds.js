// @ts-check
// The sounds of a match: short tones that the browser makes itself.

/** The tones of each sound: frequency in hertz, beginning and length in seconds. */
const SOUNDS = {
  move: [[440, 0, 0.07]],
  capture: [[440, 0, 0.05], [294, 0.05, 0.1]],
  end: [[523, 0, 0.14], [659, 0.12, 0.14], [784, 0.24, 0.3]],
};
const LOUDNESS = 0.15;

let context = null;

/** Plays a sound. A browser lets a page make sounds after the first click on it. */
export function sound(name) {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  for (const [frequency, begin, length] of SOUNDS[name]) {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    const from = context.currentTime + begin;
    tone.type = "triangle";
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(LOUDNESS, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + length);
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + length);
  }
}

const pieces = ({ grids }) => grids.reduce((sum, { squares }) => sum + squares.flat().filter(({ text }) => text).length, 0);

/** The sound of a step from one position of a match to the next, `null` for other steps; where the board is hidden, captures are too. */
export function soundOf(before, view, isHidden) {
  if (!before || before.game !== view.game || view.ply !== before.ply + 1) return null;
  if (view.is_over) return "end";
  return !isHidden && pieces(view) < pieces(before) ? "capture" : "move";
}

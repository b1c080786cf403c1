// @ts-check
// A map of a drawing that is larger than its window: all of it in small, with a frame around what is in view. A click on
// the map, or a drag, brings that part into view.

import { element } from "./terms.js";

/** The greatest width and height of a map, in pixels. */
const [WIDTH, HEIGHT] = [150, 96];
/** The least side of a mark and of the frame, in pixels. */
const [DOT, FRAME] = [1.5, 6];

class Overview extends HTMLElement {
  #box = null;
  #scale = 1;

  connectedCallback() {
    this.replaceChildren(element("canvas", { "aria-hidden": "true" }), element("div", { class: "frame" }));
    this.setAttribute("aria-hidden", "true");
    const move = (event) => {
      const { left, top } = this.getBoundingClientRect();
      const at = { x: this.#box.left + (event.clientX - left) / this.#scale, y: this.#box.top + (event.clientY - top) / this.#scale };
      this.dispatchEvent(new CustomEvent("moved", { detail: at }));
    };
    this.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      event.stopPropagation();
      this.setPointerCapture(event.pointerId);
      move(event);
    });
    this.addEventListener("pointermove", (event) => { if (this.hasPointerCapture(event.pointerId)) move(event); });
  }

  /** Draws what there is within a box: `[x, y, width, height, colour]`, in units of the drawing. */
  draw(box, marks) {
    this.#box = box;
    this.#scale = Math.min(WIDTH / box.width, HEIGHT / box.height);
    const canvas = this.querySelector("canvas");
    [canvas.width, canvas.height] = [Math.max(Math.ceil(box.width * this.#scale), 1), Math.max(Math.ceil(box.height * this.#scale), 1)];
    const context = canvas.getContext("2d");
    // Of marks of one colour that begin at the same pixels one is enough: a tree may have tens of thousands.
    let last = null;
    for (const [x, y, width, height, colour] of marks) {
      const at = `${x} ${Math.floor((y - box.top) * this.#scale)} ${colour}`;
      if (at === last) continue;
      last = at;
      context.fillStyle = colour;
      context.fillRect((x - box.left) * this.#scale, (y - box.top) * this.#scale, Math.max(width * this.#scale, DOT), Math.max(height * this.#scale, DOT));
    }
  }

  /** Frames what is in view; there is no map of what is in view as a whole. */
  frame({ x, y, width, height }) {
    if (!this.#box) return;
    const { left, top, width: all, height: down } = this.#box;
    this.hidden = x <= left && y <= top && x + width >= left + all && y + height >= top + down;
    const at = (value, from, most) => Math.min(Math.max((value - from) * this.#scale, 0), Math.max(most * this.#scale - FRAME, 0));
    const [right, bottom] = [Math.min((x + width - left) * this.#scale, all * this.#scale), Math.min((y + height - top) * this.#scale, down * this.#scale)];
    const [frameLeft, frameTop] = [at(x, left, all), at(y, top, down)];
    Object.assign(this.querySelector(".frame").style, { left: `${frameLeft}px`, top: `${frameTop}px`, width: `${Math.max(right - frameLeft, FRAME)}px`, height: `${Math.max(bottom - frameTop, FRAME)}px` });
  }
}

customElements.define("ggp-overview", Overview);

/** What the signs and colours of a drawing mean: pairs of a class, whose colour it shows, and words. */
export const legend = (entries) => element("ul", { class: "legend", "aria-label": "What the signs mean" }, ...entries.map(([kind, sign, words]) => element("li", {}, element("span", { class: `key ${kind}`, "aria-hidden": "true" }, sign), words)));

// @ts-check
// A drawing of which only a part is in view: the buttons that zoom, the wheel, drags of the pointer, and a map of the whole.

import "./overview.js";
import { element } from "./terms.js";

/** The factor of a button and of a turn of the wheel, and the pixels that a pointer moves before a click becomes a drag. */
const [STEP, TURN, SLACK] = [1.25, 1.12, 5];

export class Port {
  #area;
  #drawing;
  /** The buttons that zoom, and the map. */
  buttons;
  map = element("ggp-overview", {});

  /**
   * `area` is the element in which the drawing is seen. `drawing` has the methods `view()`, which returns the left upper
   * corner in units of the drawing and the scale (`{x, y, scale}`), `look(view)`, which brings another part into view, and
   * `box()`, the box of all of it; and the scales that are possible, `least` and `most`. An area that `scrolls` by itself
   * has the wheel and touches for that.
   */
  constructor(area, drawing) {
    [this.#area, this.#drawing] = [area, drawing];
    const hint = drawing.scrolls ? " (Ctrl and the wheel)" : " (the wheel)";
    const button = (sign, title, act) => element("button", { type: "button", title, "aria-label": title, onclick: act }, sign);
    this.buttons = element("div", { class: "zoom", role: "group", "aria-label": "Zoom" },
      button("+", `Zoom in${hint}`, () => this.zoom(STEP)), button("−", `Zoom out${hint}`, () => this.zoom(1 / STEP)), button("All", "Show all of it", () => this.fit()));
    area.addEventListener("wheel", (event) => {
      if (drawing.scrolls && !event.ctrlKey) return;
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? TURN : 1 / TURN, event);
    }, { passive: false });
    this.map.addEventListener("moved", ({ detail: { x, y } }) => this.centre(x, y));
    this.#drag();
  }

  /** The width and height of the area, in pixels. */
  #size() {
    return [this.#area.clientWidth, this.#area.clientHeight];
  }

  /** The part that is in view, in units of the drawing. */
  get part() {
    const { x, y, scale } = this.#drawing.view();
    const [width, height] = this.#size();
    return { x, y, width: width / scale, height: height / scale };
  }

  /** Zooms around the pointer, or around the middle. */
  zoom(by, at = null) {
    const { x, y, scale } = this.#drawing.view();
    const { left, top } = this.#area.getBoundingClientRect();
    const [width, height] = this.#size();
    const [across, down] = at ? [at.clientX - left, at.clientY - top] : [width / 2, height / 2];
    const next = Math.min(Math.max(scale * by, this.#drawing.least), this.#drawing.most);
    this.#drawing.look({ x: x + across / scale - across / next, y: y + down / scale - down / next, scale: next });
  }

  /** Shows all of the drawing, as far as that can be seen. */
  fit() {
    const { left, top, width, height } = this.#drawing.box();
    const [across, down] = this.#size();
    const scale = Math.max(Math.min(across / width, down / height, 1), this.#drawing.least);
    this.#drawing.look({ x: left - (across / scale - width) / 2, y: top - (down / scale - height) / 2, scale });
  }

  /** Brings a point to the middle. */
  centre(x, y) {
    const { scale } = this.#drawing.view();
    const { width, height } = this.part;
    this.#drawing.look({ x: x - width / 2, y: y - height / 2, scale });
  }

  /** Drags the drawing with the pointer; the click that ends a drag is none. */
  #drag() {
    let from = null;
    this.#area.addEventListener("pointerdown", ({ button, pointerType, clientX, clientY }) => {
      if (button === 0 && (pointerType === "mouse" || !this.#drawing.scrolls)) from = { clientX, clientY, view: { ...this.#drawing.view() }, isDragged: false };
    });
    this.#area.addEventListener("pointermove", ({ buttons, clientX, clientY }) => {
      if (!from || !buttons) return;
      from.isDragged ||= Math.hypot(clientX - from.clientX, clientY - from.clientY) > SLACK;
      const { x, y, scale } = from.view;
      if (from.isDragged) this.#drawing.look({ x: x - (clientX - from.clientX) / scale, y: y - (clientY - from.clientY) / scale, scale });
    });
    this.#area.addEventListener("click", (event) => {
      if (from?.isDragged) event.stopPropagation();
      from = null;
    }, { capture: true });
  }
}

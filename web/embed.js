// @ts-check
// A link for a class: the game and the position, with the panes that a teacher chooses, and the code that puts the page into
// another one.

import { openDialog } from "./dialog.js";
import { copy } from "./files.js";
import { element } from "./terms.js";

/** The size of the page in another one, in pixels: with tools beside the board, and the board alone. */
const [WIDE, ALONE] = [[1_000, 640], [480, 560]];

/**
 * Shows the link. `panes` are those of the page, as pairs of name and title; `write(panes)` writes the address with some of
 * them; `isLocal` says that the page comes from a program on this machine.
 */
export function showClassLink(panes, shown, game, write, isLocal) {
  const boxes = panes.map(([name, title]) => element("label", {}, element("input", { type: "checkbox", value: name, checked: shown.includes(name), onchange: () => fill() }), ` ${title}`));
  const page = element("input", { type: "url", id: "class-page", value: location.origin + location.pathname, oninput: () => fill() });
  const [link, code] = [["input", "class-link"], ["textarea", "class-code"]].map(([kind, id]) => element(kind, { id, readonly: true, rows: "3" }));
  const fill = () => {
    const chosen = boxes.map((box) => box.firstChild).filter(({ checked }) => checked).map(({ value }) => value);
    const [width, height] = chosen.length ? WIDE : ALONE;
    link.value = page.value + write(chosen);
    const frame = element("iframe", { src: link.value, title: game, width, height });
    code.value = frame.outerHTML;
  };
  const copied = (field) => element("button", { type: "button", onclick: async ({ target }) => { target.textContent = (await copy(field.value)) ? "Copied" : "Copy it yourself"; } }, "Copy");
  fill();
  return openDialog("A link for a class", null, null,
    element("fieldset", {}, element("legend", {}, "What is beside the board"), ...boxes),
    element("label", {}, "Address of the page ", page),
    isLocal ? element("p", { class: "hint" }, "This page comes from a program on this machine, so others cannot open it. Export it (ggp serve --export FOLDER), put the folder on a web server, and type its address here.") : null,
    element("label", {}, "Link ", link), copied(link),
    element("label", {}, "Code to embed it ", code), copied(code));
}

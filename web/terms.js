// Small helpers for elements, files and terms.

/** An element with attributes, listeners (`onclick`) and children; `null` children are left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** A joint move in words: without those that only wait, unless all do. */
export function jointMove(moves) {
  const chosen = moves.filter((move) => move !== "noop");
  return (chosen.length ? chosen : moves).join(" ");
}

/** Offers a text as a file. */
export function download(name, text) {
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Files that a command has written: pictures are shown, and all can be kept. */
export function written(files) {
  return files.map(([name, text]) => {
    const isPicture = name.endsWith(".svg");
    const type = isPicture ? "image/svg+xml" : "text/plain";
    const address = URL.createObjectURL(new Blob([text], { type }));
    const shown = isPicture ? element("img", { src: address, alt: `the picture ${name}` }) : null;
    return element("figure", { class: "file" }, shown, element("figcaption", {}, element("a", { href: address, download: name }, `Keep ${name}`)));
  });
}

// @ts-check
// Files that the page keeps: texts, pictures as SVG and PNG, and rule sheets packed into addresses.

import { element } from "./terms.js";

/** How many pixels of a PNG a unit of an SVG becomes, unless its width is set. */
const SCALE = 2;
/** The greatest length of a packed text: browsers and mail programs cut longer addresses. */
const PACKED = 30_000;

/** Offers a text, or a blob, as a file. */
export function download(name, content) {
  const blob = content instanceof Blob ? content : new Blob([content], { type: "text/plain" });
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Copies a text; says whether the browser lets the page do so, which it does in secure pages only. */
export async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text).then(() => true, () => false);
  const field = element("textarea", { readonly: true });
  field.value = text;
  document.body.append(field);
  field.select();
  try {
    // The only way in pages without encryption, such as those in a local network.
    return document.execCommand("copy");
  } finally {
    field.remove();
  }
}

/** A picture in SVG as PNG, so many pixels wide. */
export async function toPng(svg, width = null) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    image.src = address;
    await image.decode();
    const scale = width ? width / image.naturalWidth : SCALE;
    const canvas = element("canvas", { width: Math.round(image.naturalWidth * scale), height: Math.round(image.naturalHeight * scale) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!blob) throw new Error("the picture is too large for a PNG; keep it as SVG");
    return blob;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Files that a command has written: pictures are shown, and all can be kept. */
export function written(files) {
  return files.map(([name, text]) => {
    const isPicture = name.endsWith(".svg");
    const type = isPicture ? "image/svg+xml" : "text/plain";
    const address = URL.createObjectURL(new Blob([text], { type }));
    const shown = isPicture ? element("img", { src: address, alt: `the picture ${name}` }) : null;
    const png = name.replace(/svg$/, "png");
    const asPng = isPicture ? element("button", { type: "button", onclick: async () => download(png, await toPng(text)) }, `Save ${png}`) : null;
    return element("figure", { class: "file" }, shown, element("figcaption", { class: "bar" }, element("a", { href: address, download: name }, `Save ${name}`), asPng));
  });
}

/** The rule sheet in a page of the manager of Stanford's course; `null` if a text is no such page. */
export function sheetInPage(text) {
  const [, sheet] = /<textarea\b[^>]*\bid=['"]?ruleset\b[^>]*>(.*?)<\/textarea>/is.exec(text) ?? [];
  if (sheet === undefined) return null;
  // A field that is never shown reads what HTML escapes.
  const field = element("textarea");
  field.innerHTML = sheet;
  return field.value;
}

/** The greatest length of a text that is unpacked, in bytes: the server takes no longer sheets. */
const UNPACKED = 4_000_000;

/** Bytes after a stream has changed them; `null` if there are more than `most`. */
async function through(bytes, stream, most = Infinity) {
  const [parts, reader] = [[], new Blob([bytes]).stream().pipeThrough(stream).getReader()];
  for (let length = 0; ;) {
    const { value, done } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    parts.push(value);
    length += value.length;
    if (length > most) {
      await reader.cancel();
      return null;
    }
  }
}

/** A text in the letters of addresses, compressed; `null` if it is too long for one. */
export async function pack(text) {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const packed = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  return packed.length > PACKED ? null : packed;
}

/** The text that was packed; throws if it was cut or changed. */
export async function unpack(packed) {
  let text;
  try {
    const bytes = Uint8Array.from(atob(packed.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
    const unpacked = await through(bytes, new DecompressionStream("deflate-raw"), UNPACKED);
    text = unpacked && new TextDecoder("utf-8", { fatal: true }).decode(unpacked);
  } catch {
    throw new Error("the text in the address is damaged: the link was cut or changed");
  }
  if (text === null) throw new Error("the text in the address is too long");
  return text;
}

// The WebAssembly module of the package, which is compiled once: beside this file on a disk, or at its address.

let compiled = null;

export function module() {
  const url = new URL("ggp.wasm", import.meta.url);
  compiled ??= url.protocol === "file:"
    ? import("node:fs/promises").then(({ readFile }) => readFile(url)).then((bytes) => WebAssembly.compile(bytes))
    : fetch(url).then((file) => file.arrayBuffer()).then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}

// ggp-general.js, of ggp VERSION: the functions of the starter pack of Stanford's General Game Playing course, on the
// library of ggp. It takes the place of epilog.js and general.js in the page of a player. docs/gamemaster.md says more.
(() => {
"use strict";
/*PARTS*/
let library = null;

/** The bytes of the library: in this file, or at an address. */
async function bytes() {
  const url = /*URL*/;
  const file = await fetch(url ?? "data:application/octet-stream;base64,/*MODULE*/");
  if (!file.ok) throw new Error(`${url} cannot be loaded (${file.status})`);
  const packed = await file.arrayBuffer();
  const [first, second] = new Uint8Array(packed, 0, 2);
  if (first !== 0x1f || second !== 0x8b) return packed;
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** Resolves when the library is there. Messages of the manager that come before wait for it. */
const ready = bytes().then((code) => WebAssembly.compile(code)).then((module) => Library.of(module)).then((made) => { library = made; });

const early = [];
function hold(event) {
  event.stopImmediatePropagation();
  early.push(event);
}
globalThis.addEventListener("storage", hold, true);
ready.catch((error) => console.error(`ggp-general.js: ${error.message}`)).finally(() => {
  globalThis.removeEventListener("storage", hold, true);
  for (const { key, newValue, oldValue, url, storageArea } of early) {
    globalThis.dispatchEvent(new StorageEvent("storage", { key, newValue, oldValue, url, storageArea }));
  }
});

function getLibrary() {
  if (!library) throw new Error("the library is still being loaded: wait for `ggp_ready`");
  return library;
}

Object.assign(globalThis, {
  nil, equalp, adjoin, symbolp, varp, constantp, numberp, stringp, nullp, seq, head, tail, find, findp, findq, subset, negate, uniquify, zniquify,
  numberize, stringize, listify, delistify, read, readdata, grind, grindem, grindall, grinddata, difference,
  ...connect(getLibrary),
  ggp_ready: ready,
  // The course's scripts switch the indexes of Epilog.
  indexing: true, dataindexing: true, ruleindexing: true,
});
})();

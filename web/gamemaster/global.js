// ggp-general.js, of ggp VERSION: the functions of the starter pack of Stanford's General Game Playing course, on the
// library of ggp. It takes the place of epilog.js and general.js in the page of a player. docs/gamemaster.md says more.
(() => {
"use strict";
/*PARTS*/
let library = null;

/** Resolves when the library is there. Messages of the manager that come before wait for it. */
const ready = compiled(/*URL*/ ?? "data:application/octet-stream;base64,/*MODULE*/").then((module) => Library.of(module)).then((made) => { library = made; });

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

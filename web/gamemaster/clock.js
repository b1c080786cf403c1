// Wakes the page at a moment. The timers of a page in the background fire once a second or once a minute, those of its
// workers in time.

addEventListener("message", ({ data: { at, number } }) => {
  setTimeout(() => postMessage(number), Math.max(0, at - (performance.timeOrigin + performance.now())));
});

// A session in a thread of its own: it answers the requests that it is sent, one after another.

import { Library } from "./library.js";

let library = null;

addEventListener("message", async ({ data: { number, module, task, body } }) => {
  try {
    library ??= Library.of(module);
    const session = await library;
    session.onProgress = (progress) => postMessage({ number, progress });
    postMessage({ number, answer: task ? session.ask(task, body) : "{}" });
  } catch (error) {
    postMessage({ number, failure: error.message });
  }
});

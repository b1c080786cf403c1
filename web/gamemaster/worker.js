// The seat of the page in a thread of its own: it answers requests one after another, each within its deadline.

const now = () => performance.timeOrigin + performance.now();

let library = null;
let work = Promise.resolve();

addEventListener("message", ({ data }) => { work = work.then(() => answer(data)); });

async function answer({ number, module, request, deadline }) {
  try {
    if (module) {
      library = await Library.of(module);
      return;
    }
    if (deadline !== undefined) Object.values(request)[0].seconds = Math.max(0, (deadline - now()) / 1000);
    const { answer, error, failed } = JSON.parse(library.ask("seat", request));
    postMessage({ number, answer, error: error ?? failed });
  } catch (error) {
    postMessage({ number, failure: error.message });
  }
}

// @ts-check
// A dialog over the page: a title, what it asks, and a button that closes it. It is gone when it is closed.

import { element } from "./terms.js";
import { withStyle } from "./views.js";

/** Opens a dialog with a form; `act` is called with the form's data when it is sent, and the dialog closes unless that throws. */
export async function openDialog(title, verb, act, ...children) {
  await withStyle();
  const problem = element("p", { class: "problem", role: "alert" });
  const form = element("form", {}, element("h2", {}, title), ...children.filter(Boolean), problem,
    element("div", { class: "bar" }, ...(verb ? [element("button", { id: "send" }, verb)] : []), element("button", { type: "button", onclick: () => dialog.close() }, verb ? "Cancel" : "Close")));
  const dialog = element("dialog", { "aria-label": title, onclose: () => dialog.remove() }, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.textContent = "";
    try {
      await act?.(new FormData(form));
      dialog.close();
    } catch (error) {
      problem.textContent = error.message;
    }
  });
  document.body.append(dialog);
  dialog.showModal();
}

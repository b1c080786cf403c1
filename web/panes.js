// @ts-check
// The panes beside the board: one is shown at a time, and its name stands in the address. The lab holds several tools.

const LAB = "lab";

const tabs = [...document.querySelectorAll("[role=tab]")];
const tools = [...document.querySelectorAll("[data-lab]")];

/** The name of the pane that is shown: that of its tab, or that of a tool of the lab. */
export let pane = "play";

/** Called with the name of a pane that is shown. */
const followers = [];

/** Calls `follow(name)` whenever another pane is shown. */
export const whenShown = (follow) => followers.push(follow);

const isTool = (name) => tools.some(({ dataset }) => dataset.lab === name);

/** Shows a pane, or a tool of the lab; an unknown name changes nothing. */
export function select(name) {
  if (name === LAB) name = tools.find((one) => one.getAttribute("aria-pressed") === "true").dataset.lab;
  const shown = isTool(name) ? LAB : name;
  if (!tabs.some(({ id, hidden }) => id === `tab-${shown}` && !hidden)) return;
  for (const tab of tabs) {
    const isThis = tab.id === `tab-${shown}`;
    tab.setAttribute("aria-selected", String(isThis));
    tab.tabIndex = isThis ? 0 : -1;
    document.querySelector(`#${tab.getAttribute("aria-controls")}`).hidden = !isThis;
    if (isThis) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  if (isTool(name)) press(name);
  pane = name;
  document.body.dataset.pane = shown;
  followers.forEach((follow) => follow(name));
}

/** The panes by their names and titles. */
export const panes = tabs.map(({ id, textContent }) => [id.slice(4), textContent]);

/** Offers these panes only, or all; without any the board is alone. */
export function offer(names) {
  for (const tab of tabs) tab.hidden = Boolean(names) && !names.includes(tab.id.slice(4));
  document.body.classList.toggle("few", Boolean(names));
  document.body.classList.toggle("alone", names?.length === 0);
  const shown = isTool(pane) ? LAB : pane;
  if (names?.length && !names.includes(shown)) select(names.find((name) => tabs.some(({ id }) => id === `tab-${name}`)));
}

/** Shows a tool of the lab. */
function press(name) {
  for (const button of tools) {
    const isThis = button.dataset.lab === name;
    button.setAttribute("aria-pressed", String(isThis));
    document.querySelector(`#lab-${button.dataset.lab}`).hidden = !isThis;
  }
}

press(tools[0].dataset.lab);
document.body.dataset.pane = pane;
for (const button of tools) button.addEventListener("click", () => select(button.dataset.lab));
tabs.forEach((tab) => {
  tab.addEventListener("click", () => select(tab.id.slice(4)));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.stopPropagation();
    const offered = tabs.filter(({ hidden }) => !hidden);
    const next = offered[(offered.indexOf(tab) + step + offered.length) % offered.length];
    select(next.id.slice(4));
    next.focus();
  });
});

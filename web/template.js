// @ts-check
// A new rule sheet: its name, the players and the board of its first rules, which a person then changes.

import { openDialog } from "./dialog.js";
import { element } from "./terms.js";

/** The greatest number of players, and of columns and rows. */
const [PLAYERS, SIDE] = [6, 99];

/** What the first rules of a sheet say. */
const words = (players, columns, rows) => (players === 1
  ? `A robot walks over ${columns} by ${rows} cells to the opposite corner.`
  : `${players} players mark ${columns} by ${rows} cells in turn; who has two opposite corners wins.`);

/**
 * Asks for a new sheet; `make({name, players, columns, rows})` makes it, and `names` are those of sheets that a person has
 * already.
 */
export function askForSheet(names, make) {
  const number = (name, value, most) => element("input", { name, type: "number", required: true, min: "1", max: String(most), value: String(value), class: "seconds" });
  const name = element("input", { name: "name", required: true, pattern: "[A-Za-z0-9_\\-]+", value: "my_game", title: "Letters, digits, _ and -" });
  const fields = [["players", 2, PLAYERS], ["columns", 3, SIDE], ["rows", 3, SIDE]].map((one) => number(...one));
  const about = element("p", { class: "hint", role: "status" });
  const tell = () => { about.textContent = `${words(...fields.map(({ value }) => Number(value)))} You change these rules into your own.`; };
  fields.forEach((field) => field.addEventListener("input", tell));
  tell();
  return openDialog("A new sheet", "Create it", async (data) => {
    const wanted = { name: data.get("name"), ...Object.fromEntries(["players", "columns", "rows"].map((key) => [key, Number(data.get(key))])) };
    if (names.includes(`${wanted.name}.gdl`)) throw new Error(`You have a sheet ${wanted.name}.gdl already: choose another name.`);
    await make(wanted);
  },
  element("label", {}, "Name ", name),
  element("div", { class: "bar" }, ...["Players", "Columns", "Rows"].map((label, index) => element("label", {}, `${label} `, fields[index]))),
  about);
}

// The functions of the starter pack of Stanford's course, for programs: what they accept and return is described in course.d.ts.

import { connect } from "./general.js";
import { Library } from "./library.js";
import { module } from "./module.js";
import * as terms from "./terms.js";

export async function course() {
  const library = await Library.of(await module());
  return { ...terms, ...connect(() => library) };
}

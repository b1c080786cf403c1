// Makes web/codemirror.js, or with a path that file, of the packages of package-lock.json.

import { build } from "esbuild";
import { readFileSync } from "node:fs";

const here = (path) => new URL(path, import.meta.url).pathname;
const [target = here("../codemirror.js")] = process.argv.slice(2);
const { packages } = JSON.parse(readFileSync(here("package-lock.json"), "utf8"));

const { metafile } = await build({ ...options(), write: false, metafile: true });
const used = new Set(Object.keys(metafile.inputs).map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]).filter(Boolean));
const names = [...used].sort().map((name) => `${name} ${packages[`node_modules/${name}`].version}`);
const license = readFileSync(here("node_modules/@codemirror/state/LICENSE"), "utf8").trim();
const banner = `/* Made by web/editor/build.mjs; do not edit. It contains ${names.join(", ")}.\n\n${license}\n*/`;
await build({ ...options(), outfile: target, banner: { js: banner } });

function options() {
  return {
    absWorkingDir: here("."), entryPoints: ["codemirror.js"], bundle: true, minify: true, format: "esm", target: "es2022",
    charset: "utf8", legalComments: "none", logLevel: "warning",
  };
}

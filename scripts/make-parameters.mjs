/** Writes src/power/parameters.ts: one interface a scenario, from what the scenarios ask for (src/power/specs.ts). Run it after a change there. */
import { writeFileSync } from "node:fs";
import { root, runTool } from "./project.mjs";

const { build } = await import("esbuild");
const file = `${root}node_modules/.cache/gosset/specs.mjs`;
await build({ absWorkingDir: root, entryPoints: ["src/power/specs.ts"], outfile: file, bundle: true, format: "esm" });
const { SCENARIO_SPECS } = await import(file);

const pascal = (name) => name.replace(/(^|-)(\w)/g, (_, __, letter) => letter.toUpperCase());
const camel = (name) => pascal(name).replace(/^\w/, (letter) => letter.toLowerCase());
const typeOf = ({ kind, choices }) => {
  if (kind === "choice") return choices.map((choice) => JSON.stringify(choice)).join(" | ");
  return kind === "text" ? "string" : kind === "switch" ? "boolean" : "number";
};
const property = (spec) => {
  const text = `${spec.meaning}${spec.hint === undefined ? "" : ` (${spec.hint})`}`;
  const usual = spec.default === undefined ? "" : `; default ${spec.default}`;
  return `  /** ${text.charAt(0).toUpperCase()}${text.slice(1)}${usual}. */\n  readonly ${spec.name}?: ${typeOf(spec)} | undefined;\n`;
};
const interfaces = SCENARIO_SPECS.map(
  ({ name, title, parameters }) =>
    `/** ${title.charAt(0).toUpperCase()}${title.slice(1)}. */\nexport interface ${pascal(name)}Parameters {\n${parameters.map(property).join("")}}\n`,
);
const names = SCENARIO_SPECS.map(({ name }) => `  readonly ${camel(name)}: ${pascal(name)}Parameters;`);
writeFileSync(
  `${root}src/power/parameters.ts`,
  `/** The parameters of every scenario, typed. Written by scripts/make-parameters.mjs from specs.ts; not edited by hand. What a question needs and
 *  does not get is refused when it is asked, since it depends on the question: \`mde\` solves for the effect, \`size\` for the size. */

${interfaces.join("\n")}
/** By the name of the scenario. */
export interface ParametersOf {
${names.join("\n")}
}
`,
);
runTool("biome", ["check", "--write", "src/power/parameters.ts"]);

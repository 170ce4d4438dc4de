/** src/power/parameters.ts, which git does not keep: one interface a scenario, made of what the scenarios ask for (src/power/specs.ts). The type
 *  check, the build and every test run write it first. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { root } from "./project.mjs";

const FILE = `${root}src/power/parameters.ts`;

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
const interfaceOf = ({ name, title, parameters }) =>
  `/** ${title.charAt(0).toUpperCase()}${title.slice(1)}. */\nexport interface ${pascal(name)}Parameters {\n${parameters.map(property).join("")}}\n`;

export async function writeParameters() {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    ...{ absWorkingDir: root, entryPoints: ["src/power/specs.ts"], bundle: true, format: "esm", write: false },
  });
  const { SCENARIO_SPECS } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`
  );
  const names = SCENARIO_SPECS.map(({ name }) => `  readonly ${camel(name)}: ${pascal(name)}Parameters;`);
  const text = `/** The parameters of every scenario, typed. Written by scripts/make-parameters.mjs from specs.ts; not edited by hand. What a question needs and
 *  does not get is refused when it is asked, since it depends on the question: \`mde\` solves for the effect, \`size\` for the size. */

${SCENARIO_SPECS.map(interfaceOf).join("\n")}
/** By the name of the scenario. */
export interface ParametersOf {
${names.join("\n")}
}
`;
  if (!existsSync(FILE) || readFileSync(FILE, "utf8") !== text) writeFileSync(FILE, text);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await writeParameters();

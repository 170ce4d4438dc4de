/** `--json` of every command against the JSON Schema of its kind, and the same print again from the JSON. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { makeProgram } from "../src/cli/program.ts";
import { KINDS_OF_COMMAND } from "../src/cli/schema/kinds.ts";
import { render, reviveResult } from "../src/index.ts";
import { PLOTTED_KINDS, plotJson, renderPdf, renderSvg, renderTikz } from "../src/plot.ts";
import { writePaper } from "../src/report.ts";
import { gosset, gossetJson, gossetRefuses, root } from "./support/cli.ts";
import { formatFaults } from "./support/format-faults.ts";
import { installed } from "./support/installed.ts";
import { JSON_CALLS } from "./support/json-calls.ts";
import { latexErrors } from "./support/latex.ts";
import { layoutFaults } from "./support/plot-layout.ts";

const folder = join(root, "dist/schema");
const kinds = readdirSync(folder).map((name) => name.replace(/\.json$/, ""));
const ajv = new Ajv.default({ allErrors: true, strict: true, strictTuples: false, allowUnionTypes: true });
const schemaOf = (kind: string) => JSON.parse(readFileSync(join(folder, `${kind}.json`), "utf8"));
const validators = new Map(kinds.map((kind) => [kind, ajv.compile(schemaOf(kind))]));

/** Where the object is not what its schema says. */
function faults(object: { readonly kind: string }): string[] {
  const validate = validators.get(object.kind);
  if (validate === undefined) return [`no schema of ${object.kind}`];
  validate(object);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

const found = new Map<string, string>();
const drawn = new Set<string>();
const printed: (readonly [line: string, json: string])[] = [];

/** Everything that a stored result draws, in every format and at the widths of a page and of a phone. */
function drawAll(object: { readonly kind: string }): void {
  const figures = plotJson(object);
  if (figures.length > 0) drawn.add(object.kind);
  expect(new Set(figures.map(({ name }) => name)).size).toBe(figures.length);
  for (const figure of figures) {
    expect([...layoutFaults(figure, 860), ...layoutFaults(figure, 358)]).toEqual([]);
    expect(renderSvg(figure)).toBe(renderSvg(structuredClone(figure)));
    expect(renderPdf(figure).length).toBeGreaterThan(1000);
    expect(renderTikz(figure)).toContain("\\end{tikzpicture}");
  }
}

/** Kinds that say nothing a paper would print. */
const WITHOUT_PAPER = new Set([
  ..."describe looks plan next verification survey replicate replications schemas seed-design".split(" "),
  ..."gate gate-check gate-aa audit runs".split(" "),
]);

/** Results that no command prints by themselves. */
const LIBRARY_KINDS = new Set(["ratings", "effect-sizes", "bradley-terry"]);

describe("--json is the documented object, and prints again as it was printed", () => {
  it.each(JSON_CALLS)("%s", (line, args) => {
    const { status, stdout } = gosset(...args, "--json", "--quiet");
    expect(status).toBe(0);
    const object = JSON.parse(stdout);
    found.set(object.kind, line);
    printed.push([line, stdout]);
    expect(faults(object)).toEqual([]);
    expect(object.command).toEqual(["gosset", ...args, "--json", "--quiet"]);
    expect(KINDS_OF_COMMAND[args[0]!]).toContain(object.kind);
    const revived = reviveResult(stdout);
    // a screen holds less than the whole answer
    const whole = object.display.screen === undefined ? [] : ["--details"];
    expect(`${revived}\n`).toBe(gosset(...args, ...whole, "--quiet").stdout);
    // what a terminal or a page might act on is escaped in what is printed
    expect(JSON.stringify(revived)).toBe(JSON.stringify(object));
    drawAll(object);
    expect(formatFaults(revived.display())).toEqual([]);
    // sentences, which a screen puts in a row
    for (const text of object.assumed) expect(text).toMatch(/^.*\.$/s);
  });

  it("every kind that has pictures was drawn", () => {
    expect([...drawn].sort()).toEqual(PLOTTED_KINDS.filter((kind) => !LIBRARY_KINDS.has(kind)).sort());
  });

  // one document of all: most of the time of a run of LaTeX goes into starting it
  it.skipIf(!installed("latex"))(
    "tables, pictures and papers of every command compile in LaTeX",
    { timeout: 240_000 },
    () => {
      const at = (line: string): string => `\\typeout{at ${line.replace(/[^\w ]/g, "")}}`;
      const parts = printed.flatMap(([line, json]) => [
        at(line),
        render(reviveResult(json).display(), "latex"),
        ...plotJson(json).map((figure) => `\\clearpage\n${renderTikz(figure)}`),
      ]);
      const papers = printed.flatMap(([line, json]) =>
        WITHOUT_PAPER.has(JSON.parse(json).kind) ? [] : [[at(line), writePaper(json)] as const],
      );
      expect(papers.length).toBeGreaterThan(100);
      // each writes the same file of literature
      const own = papers.map(([line, text], k) =>
        k === 0 ? text : `${line}${text.replace(/\\begin\{filecontents\}[\s\S]*?\\end\{filecontents\}/, "")}`,
      );
      expect(latexErrors(own)).toEqual([]);
      expect(latexErrors(parts)).toEqual([]);
    },
  );

  it("says what was taken for granted", () => {
    const { assumed } = gossetJson("compare", "examples/data/sums/base.json", "examples/data/sums/tuned.json");
    const { assumptions } = gossetJson("describe", "examples/data/sums/base.json");
    expect(assumptions.length).toBeGreaterThan(0);
    expect(assumed).toEqual(expect.arrayContaining(assumptions));
    expect(gossetJson("score", "examples/data/sums/base.json").assumed).toEqual(assumptions);
  });

  it("every kind that a command may print was among them", () => {
    const expected = [...new Set(Object.values(KINDS_OF_COMMAND).flat())].sort();
    expect([...found.keys()].sort()).toEqual(expected);
  });
});

describe("the schemas", () => {
  it("refuse what an object must not have, lack or hold", () => {
    const { stdout } = gosset(..."power accuracy --n 500 --delta 0.02 --agreement 0.9 --json --quiet".split(" "));
    const object = JSON.parse(stdout);
    const { power, ...lacks } = object;
    expect(faults(object)).toEqual([]);
    expect(faults({ ...object, power: "NaN" })).toEqual([]);
    expect(faults({ ...object, power: String(power) })).not.toEqual([]);
    expect(faults({ ...object, wrong: 1 })).toEqual([
      ' must NOT have additional properties {"additionalProperty":"wrong"}',
    ]);
    expect(faults(lacks as typeof object)).toEqual([
      ` must have required property 'power' {"missingProperty":"power"}`,
    ]);
    expect(faults({ ...object, analyses: [{ ...object.analyses[0], wrong: 1 }] })).not.toEqual([]);
    expect(faults({ ...object, warnings: [1] })).not.toEqual([]);
  });

  it("gosset schema lists kinds and commands, and prints one", () => {
    const list = gossetJson("schema");
    expect(list.kinds).toEqual([...kinds].sort());
    expect(list.commands).toContainEqual({ command: "compare", kinds: ["comparison", "totals", "judge-correction"] });
    expect(JSON.parse(gosset("schema", "compare").stdout).anyOf).toHaveLength(2);
    expect(JSON.parse(gosset("schema", "comparison").stdout)).toEqual(schemaOf("comparison"));
    expect(JSON.parse(gosset("schema", "lmm", "--json").stdout)).toEqual(schemaOf("lmm"));
    expect(gossetRefuses("schema", "comparisons")).toContain('Did you mean "comparison"?');
  });

  it("of a command is one schema for all of its kinds", () => {
    const validate = ajv.compile(JSON.parse(gosset("schema", "fit").stdout));
    const { stdout } = gosset("fit", "lm", "rating ~ system", "examples/data/summaries.csv", "--json", "--quiet");
    const object = JSON.parse(stdout);
    expect(validate(object)).toBe(true);
    expect(validate({ ...object, kind: "glm" })).toBe(false);
  });

  it("every command of the program has its kinds", () => {
    const commands = makeProgram().commands.map((command) => command.name());
    expect(commands.sort()).toEqual(Object.keys(KINDS_OF_COMMAND).sort());
  });
});

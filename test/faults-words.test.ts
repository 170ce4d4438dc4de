/** Words that a user must never read, and lists that stand in two places. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeProgram } from "../src/cli/program.ts";
import { PAIR_TESTS } from "../src/index.ts";
import { ADJUSTMENTS } from "../src/tests.ts";
import { root } from "./support/cli.ts";

const sources = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /(?<!\.test)\.tsx?$/.test(entry.name) ? [path] : [];
  });

it('no fix says "Nothing to do": what needs none has none', () => {
  const found = ["src", "web/doors"]
    .flatMap((folder) => sources(join(root, folder)))
    .filter((path) => /["'`]nothing to do/i.test(readFileSync(path, "utf8")));
  expect(found).toEqual([]);
});

it.each([
  ["--test", [...PAIR_TESTS, "model"]],
  ["--adjust", [...ADJUSTMENTS, "max-t"]],
])("compare %s offers what the library has", (flag, names) => {
  const compare = makeProgram().commands.find((command) => command.name() === "compare")!;
  const { argChoices = [] } = compare.options.find(({ long }) => long === flag)!;
  expect([...argChoices].map(String).sort()).toEqual([...names].sort());
});

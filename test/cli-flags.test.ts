/** Every command with its flags, in one table that is checked in, so that a lost one is seen. `UPDATE_FLAGS=1` writes it anew. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { makeProgram } from "../src/cli/program.ts";
import { gossetRefuses } from "./support/cli.ts";

const file = fileURLToPath(new URL("./cli-flags.txt", import.meta.url));

function linesOf(command: Command, path: readonly string[]): string[] {
  const words = command.registeredArguments.map((word) => (word.required ? `<${word.name()}>` : `[${word.name()}]`));
  const own = [
    [...path, ...words].join(" "),
    ...command.options.map(({ flags, defaultValue, argChoices, mandatory }) =>
      [
        `  ${flags}`,
        ...(mandatory ? ["required"] : []),
        ...(argChoices === undefined ? [] : [`of ${argChoices.join("|")}`]),
        ...(defaultValue === undefined || Array.isArray(defaultValue) ? [] : [`= ${defaultValue}`]),
      ].join("  "),
    ),
  ];
  return [...own, ...command.commands.flatMap((inner) => linesOf(inner, [...path, inner.name()]))];
}

const commandsOf = (command: Command, path: readonly string[]): (readonly [string, Command])[] => [
  [path.join(" "), command],
  ...command.commands.flatMap((inner) => commandsOf(inner, [...path, inner.name()])),
];

describe("commands and their flags", () => {
  it("are those of the table", () => {
    const now = `${linesOf(makeProgram(), ["gosset"]).join("\n")}\n`;
    if (process.env.UPDATE_FLAGS) writeFileSync(file, now);
    expect(now).toBe(readFileSync(file, "utf8"));
  });

  it("have a sentence each, and no flag twice", () => {
    for (const [path, command] of commandsOf(makeProgram(), ["gosset"])) {
      if (path !== "gosset") expect(command.summary(), path).not.toBe("");
      const names = command.options.map(({ long }) => long);
      expect(new Set(names).size, path).toBe(names.length);
      for (const { flags, description } of command.options) expect(description, `${path} ${flags}`).not.toBe("");
    }
  });

  it("choose rows by --where and --mutate wherever a table is read", () => {
    const reading = commandsOf(makeProgram(), ["gosset"]).filter(
      ([path, { options }]) =>
        options.some(({ long }) => long === "--bad-rows") &&
        !/^gosset (describe|(power|mde|size|curve|design) \S+)$/.test(path),
    );
    expect(reading.length).toBeGreaterThan(15);
    for (const [path, { options }] of reading) {
      const names = options.map(({ long }) => long);
      expect([names.includes("--where"), names.includes("--mutate")], path).toEqual([true, true]);
    }
  });
});

describe("a fault in --where or --mutate", () => {
  const file = "examples/data/summaries.csv";
  it.each([
    ["fit", "lm", "rating ~ system", file],
    ["fit", "clm", "rating ~ system", file, "--factor", "rating"],
    ["anova", "rating ~ 1", "rating ~ system", file],
    ["emmeans", "rating ~ system", file, "--by", "system"],
    ["compare", file],
    ["score", file],
    ["test", "t", file, "--score", "rating", "--by", "system"],
    ["agreement", file, "--item", "article", "--rater", "rater", "--label", "rating"],
    ["agreement", file],
    ["reliability", file, "--score", "rating", "--object", "article", "--facets", "rater"],
    ["importance", file, "--score", "rating", "--parameters", "system"],
    ["budget", file, "--score", "rating"],
    ["validity", "bias", file, "--label", "rating", "--domain", "system"],
    ["validity", "circularity", file, "--label", "rating"],
    ["validity", "audit", file],
    ["power", "from-dev", file],
    ["power", "from-history", file, "--baseline", "rating", "--new", "rating", "--at", "0.5"],
  ])("is told with the flag by %s %s", (...words) => {
    expect(gossetRefuses(...words, "--where", "sytem == 'a'")).toMatch(
      /^gosset: --where "sytem == 'a'": no column "sytem".*Did you mean "system"\?/,
    );
    expect(gossetRefuses(...words, "--mutate", "x = sytem")).toMatch(
      /^gosset: --mutate "x = sytem": no column "sytem"/,
    );
    expect(gossetRefuses(...words, "--where", "rating > 100")).toMatch(/no row satisfies --where rating > 100\./);
  });
});

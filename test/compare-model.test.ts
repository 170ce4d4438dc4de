/** Ratings by several raters against lme4 and emmeans (oracle/r/compare-model.R), also where a row stands twice. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CompareOptions, type Comparison, compare, importFiles } from "../src/index.ts";
import { root } from "./support/cli.ts";
import { expectClose } from "./support/oracle.ts";

const stored = JSON.parse(readFileSync(join(root, "oracle/r/compare-model.json"), "utf8"));
const lines = readFileSync(join(root, "oracle/reference/data/mt.csv"), "utf8").trimEnd().split("\n");
const twice = (row: number): string[] => lines.toSpliced(row, 0, lines[row]!);

async function compared(rows: readonly string[], options: CompareOptions = {}): Promise<Comparison> {
  const imported = await importFiles([{ name: "mt.csv", bytes: new TextEncoder().encode(rows.join("\n")) }]);
  return compare([{ path: "mt.csv", imported }], { test: "model", ddf: "none", run: "none", ...options });
}

/** emmeans has "A - B" where ours are later minus earlier. */
function expectPairs(
  own: readonly { estimate: number; se: number; p: number }[],
  theirs: { estimate: number[]; se: number[]; p: number[] },
): void {
  expect(own).toHaveLength(theirs.estimate.length);
  const order = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
  expectClose(order(own.map(({ estimate }) => -estimate)), order(theirs.estimate), { tolerance: 1e-6 });
  expectClose(order(own.map(({ se }) => se)), order(theirs.se), { tolerance: 1e-6 });
  expectClose(order(own.map(({ p }) => p)), order(theirs.p), { tolerance: 1e-5 });
}

describe("systems by a model", () => {
  it.each([
    ["as they are", lines],
    ["with the fourth row twice", twice(4)],
    ["with the last row twice", twice(lines.length - 1)],
  ])("ratings %s: lme4's χ² of the ratings, emmeans' pairs", async (name, rows) => {
    const { model, diagnostics } = await compared(rows);
    expect(model!.formula).toBe(stored.formula);
    expect(diagnostics.some(({ code }) => code === "DuplicateRows")).toBe(name !== "as they are");
    const { chisq, df, p } = stored.systems.lrt;
    expect(model!.systems!.df).toBe(df);
    expectClose([model!.systems!.chisq, model!.systems!.p], [chisq, p], { tolerance: 1e-8 });
    expectPairs(model!.means.contrasts, stored.systems);
  });

  it("pairs within classes of length", async () => {
    const { model } = await compared(lines, { by: "len", cut: [15, 25] });
    expectPairs(model!.within!.contrasts, stored.within);
  });

  it.each([
    ["all systems", {}],
    ["a property", { by: "len", cut: [15, 25] }],
    ["degrees of freedom", { ddf: "satterthwaite" }],
  ] as const)(
    "without details (%s): the same pairs, warnings and screen, and no model that only details tell of",
    async (_, options) => {
      const whole = await compared(lines, options);
      const brief = await compared(lines, { ...options, details: false });
      const { systems, naive, latent } = brief.model!;
      expect([systems, naive, latent]).toEqual([undefined, undefined, undefined]);
      expect(whole.model!.systems!.df).toBeGreaterThan(0);
      expect(brief.pairs).toEqual(whole.pairs);
      expect(brief.systems).toEqual(whole.systems);
      expect(brief.model!.interaction).toEqual(whole.model!.interaction);
      expect(brief.display().screen).toEqual(whole.display().screen);
      expect(brief.signature).toEqual(whole.signature);
      const warnings = ({ diagnostics }: Comparison) => diagnostics.filter(({ severity }) => severity === "warning");
      expect(warnings(brief)).toEqual(warnings(whole));
    },
  );
});

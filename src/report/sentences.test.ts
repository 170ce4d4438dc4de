import { expect, it } from "vitest";
import { compare, factorColumn, makeTable, numericColumn } from "../index.ts";
import type { ComparisonJson } from "../significance/compare/json.ts";
import { methodOf } from "./method.ts";
import { decidingTest } from "./sentences.ts";

it("does not name one pair's test as that of all pairs, nor degrees of freedom that p is not from", () => {
  const rows = Array.from({ length: 15 }, (_, i) =>
    ["A", "B", "C"].flatMap((system, s) =>
      ["r1", "r2", "r3"].map((rater, r) => ({
        system,
        rater,
        item: `i${i}`,
        score: ((i * 7 + s * 5 + r * 3) % 11) + s,
      })),
    ),
  ).flat();
  const text = (name: "system" | "item" | "rater") => factorColumn(rows.map((row) => row[name]));
  const table = makeTable([
    ["system", text("system")],
    ["item", text("item")],
    ["rater", text("rater")],
    ["score", numericColumn(rows.map(({ score }) => score))],
  ]);
  const json = compare(table, { higherIsBetter: true }).toJSON();
  expect(decidingTest(json as unknown as ComparisonJson)).toBe(
    "the largest of linear mixed model and t test over 3 raters (variance pooled over pairs)",
  );
  const told = methodOf(json as Parameters<typeof methodOf>[0])!.paragraphs.join(" ");
  expect(told).toContain("must also hold in the t test over 3 raters (variance pooled over pairs): p is the largest");
  expect(told).not.toContain("tested on");
});

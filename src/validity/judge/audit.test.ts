import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { auditJudge } from "./audit.ts";

/** Versions of a judge; `mild` passes more of what people fail. */
function draw(labels: number, mild: number, seed: string): Table {
  const rng = makeRng(seed);
  const rows = ["v1", "v2"].flatMap((version) =>
    Array.from({ length: labels }, () => {
      const human = rng.uniform() < 0.6 ? 1 : 0;
      const judge = rng.uniform() < (human === 1 ? 0.9 : version === "v1" ? 0.2 : mild) ? 1 : 0;
      return { version, human, judge };
    }),
  );
  return makeTable([
    ["version", factorColumn(rows.map(({ version }) => version))],
    ["human", numericColumn(rows.map(({ human }) => human))],
    ["judge", numericColumn(rows.map(({ judge }) => judge))],
  ]);
}

const OPTIONS = { by: "version", from: "v1", margin: 0.1, system: "none", item: "none" } as const;

describe("a calibration that is carried over", () => {
  it("passes where the judge errs alike, fails where it does not, and stays open with few labels", () => {
    expect(auditJudge(draw(2000, 0.2, "alike"), OPTIONS).verdict).toBe("PASS");
    expect(auditJudge(draw(2000, 0.9, "mild"), OPTIONS).verdict).toBe("FAIL");
    expect(auditJudge(draw(12, 0.2, "few"), OPTIONS).verdict).toBe("INCONCLUSIVE");
  });

  it("has people's mean minus the shares of the verdicts, for 0/1 judges", () => {
    const table = draw(200, 0.5, "shares");
    const [own] = auditJudge(table, OPTIONS).groups;
    const numbers = (name: string): Float64Array => (table.columns.get(name) as { values: Float64Array }).values;
    const [human, judge] = [numbers("human"), numbers("judge")];
    const share = (v: number): number => {
      const rows = Array.from({ length: 200 }, (_, i) => i).filter((i) => judge[i] === v);
      return rows.reduce((sum, i) => sum + human[i]!, 0) / rows.length;
    };
    const expected =
      Array.from({ length: 200 }, (_, i) => human[200 + i]! - share(judge[200 + i]!)).reduce((sum, r) => sum + r, 0) /
      200;
    expect(own!.residual.value).toBeCloseTo(expected, 12);
  });

  it("errs at most at its level where the residual is exactly the margin", () => {
    let passed = 0;
    const sets = 300;
    // E residual: people's share .6, predicted share by v1's calibration of v2's verdicts
    const margin = 0.4 * 0.3 * (0.54 / 0.62 - 0.06 / 0.38);
    for (let k = 0; k < sets; k++) {
      if (auditJudge(draw(150, 0.5, `margin ${k}`), { ...OPTIONS, margin }).verdict === "PASS") passed += 1;
    }
    expect(passed / sets).toBeLessThan(0.05 + 3 * Math.sqrt((0.05 * 0.95) / sets));
  });

  it("refuses groups that are not there", () => {
    expect(() => auditJudge(draw(50, 0.2, "x"), { ...OPTIONS, from: "v9" })).toThrow(/no group "v9"/);
    expect(() => auditJudge(draw(50, 0.2, "x"), { ...OPTIONS, margin: 0 })).toThrow(/not above 0/);
  });
});

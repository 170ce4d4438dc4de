import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { makeRng } from "../../numeric/rng.ts";
import { correctJudge } from "./judge.ts";
import { raterPart, withRaters } from "./raters.ts";
import { rectifiedMean } from "./rectified.ts";

/** Labels of n units by k raters of different leniency. */
function draw(n: number, k: number, spread: number, seed = "raters"): Float64Array[] {
  const rng = makeRng(seed);
  const lenient = Array.from({ length: k }, () => spread * rng.normal());
  const units = Array.from({ length: n }, () => rng.normal());
  return lenient.map((own) => Float64Array.from(units, (unit) => unit + own + 0.5 * rng.normal()));
}

describe("what the raters add", () => {
  it("are the mean squares of units and raters, by hand", () => {
    // MS_R = 10 [(1)² + (1)²]/1 = 20, residuals ±½ of ten units: MS_E = 20 · ¼/9
    const first = Float64Array.from({ length: 10 }, (_, i) => i + (i % 2));
    const second = Float64Array.from({ length: 10 }, (_, i) => i + 2 + ((i + 1) % 2));
    const part = raterPart([first, second])!;
    expect(part).toMatchObject({ raters: 2, units: 10 });
    expect(part.between).toBeCloseTo(20 / 20, 12);
    expect(part.within).toBeCloseTo((20 * 0.25) / 9 / 20, 12);
  });

  it("make the two-way variance of a mean: (MS_units + MS_raters - MS_rest)/(nk)", () => {
    const voices = draw(40, 3, 0.8);
    const mean = Float64Array.from({ length: 40 }, (_, u) => voices.reduce((sum, own) => sum + own[u]!, 0) / 3);
    const plain = rectifiedMean({ human: mean, judge: mean, labelsAlone: true });
    const part = raterPart(voices)!;
    const own = withRaters(plain, part, 0.95);
    const grand = mean.reduce((sum, y) => sum + y, 0) / 40;
    const units = (3 * mean.reduce((sum, y) => sum + (y - grand) ** 2, 0)) / 39;
    expect(own.se ** 2).toBeCloseTo(units / 120 + part.between - part.within, 12);
    expect(own.value).toBe(plain.value);
    expect(own.df).toBeLessThan(plain.df);
    expect(own.upper - own.value).toBeCloseTo(tQuantileUpper(0.025, own.df) * own.se, 12);
  });

  it("never narrow an interval, and leave it alone without raters in common", () => {
    const [one, two] = draw(40, 2, 0) as [Float64Array, Float64Array];
    const plain = rectifiedMean({ human: one, judge: one, labelsAlone: true });
    expect(withRaters(plain, { raters: 2, units: 40, between: 0.01, within: 0.02 }, 0.95)).toBe(plain);
    expect(raterPart([one])).toBeUndefined();
    const apart = two.map((y, u) => (u < 33 ? Number.NaN : y));
    expect(raterPart([one, apart])).toBeUndefined();
  });

  it("reorderings of units and raters change nothing", () => {
    const voices = draw(30, 3, 0.5);
    const other = [...voices].reverse().map((own) => own.slice().reverse());
    const [a, b] = [raterPart(voices)!, raterPart(other)!];
    expect(b.between).toBeCloseTo(a.between, 12);
    expect(b.within).toBeCloseTo(a.within, 12);
  });
});

describe("a corrected difference by several raters", () => {
  const table = (liking: number, common: number) => {
    const rng = makeRng("liking");
    const rows = Array.from({ length: 200 }, (_, i) =>
      ["a", "b"].map((system) => {
        const y = 3 + rng.normal();
        const of = (r: number): number =>
          i >= 60 || (r === 1 && i >= common)
            ? Number.NaN
            : y + 0.3 * rng.normal() + (system === "b" && r === 1 ? liking : 0);
        return { item: `q${i}`, system, judge: y + 0.5 * rng.normal(), one: of(0), two: of(1) };
      }),
    ).flat();
    return makeTable([
      ["item", factorColumn(rows.map(({ item }) => item))],
      ["system", factorColumn(rows.map(({ system }) => system))],
      ["judge", numericColumn(rows.map(({ judge }) => judge))],
      ["one", numericColumn(rows.map(({ one }) => one))],
      ["two", numericColumn(rows.map(({ two }) => two))],
    ]);
  };
  const ask = (liking: number, common = 60) => {
    const { differences, diagnostics } = correctJudge(table(liking, common), {
      human: ["one", "two"],
      drawn: "random",
    });
    return { own: differences[0]!, codes: diagnostics.map(({ code }) => code) };
  };
  it("is wider where they prefer different systems, and says how many they are", () => {
    const [alike, apart] = [ask(0).own, ask(1.5).own];
    expect(alike.raters).toBe(2);
    const width = ({ corrected }: typeof alike): number => corrected.upper - corrected.lower;
    expect(width(apart)).toBeGreaterThan(3 * width(alike));
    expect(apart.corrected.df).toBeLessThan(3);
    expect(ask(0).codes).not.toContain("RatersGiven");
  });
  it("is for these raters where they share too few items, with a warning", () => {
    const { own, codes } = ask(1.5, 5);
    expect(own.raters).toBeUndefined();
    expect(codes).toContain("RatersGiven");
  });
});

import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { importFiles } from "../../io/import.ts";
import { noncentralTSf } from "../../numeric/dist/noncentral-t.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { makeRng } from "../../numeric/rng.ts";
import { pairedTTest } from "../tests/t-test.ts";
import { compare } from "./compare.ts";
import type { FacetCheck } from "./pair/facets.ts";

/** Every rater scores every item of both systems; `taste` is each rater's own difference. */
function ratings(items: number, taste: readonly number[], seed = "ratings"): Table {
  const rng = makeRng(seed);
  const rows: { system: string; item: string; rater: string; score: number }[] = [];
  for (let i = 0; i < items; i++) {
    const base = 3 + rng.normal();
    taste.forEach((own, r) => {
      for (const system of ["A", "B"]) {
        const score = base + (system === "B" ? own : 0) + 0.3 * rng.normal();
        rows.push({ system, item: `i${i}`, rater: `r${r}`, score });
      }
    });
  }
  const text = (name: "system" | "item" | "rater") => factorColumn(rows.map((row) => row[name]));
  return makeTable([
    ["system", text("system")],
    ["item", text("item")],
    ["rater", text("rater")],
    ["score", numericColumn(rows.map(({ score }) => score))],
  ]);
}

describe("a claim about new raters", () => {
  it("is carried by no two, however sure the items are, and says what would carry it", () => {
    const { main, scope, repeated } = compare(ratings(40, [0.5, 0.6]), { higherIsBetter: true });
    expect(main.verdict).toBe("INCONCLUSIVE");
    expect(scope).toEqual(["items", "raters"]);
    expect(repeated).toEqual([
      { facet: "items", levels: 40 },
      { facet: "raters", levels: 2 },
    ]);
    expect(main.statement).toContain("Two raters leave 1 degree of freedom");
    expect(main.advice).toContain("Add raters, or for a verdict on these 2 raters alone");
  });

  it("does not promise the limit of the mixed model where three raters agree by chance", () => {
    const limits = Array.from({ length: 12 }, (_, k) => compare(ratings(40, [0, 0, 0], `limit ${k}`)).main);
    const narrow = limits.filter(({ facets }) => facets![0]!.se < 0.9 * facets![0]!.expectedSe!);
    expect(narrow.length).toBeGreaterThan(3);
    for (const { mde80, difference, test, facets, advice } of narrow) {
      const [check] = facets!;
      const { expectedSe, df } = check!;
      const se = Math.max(difference / test.statistic, expectedSe!);
      // T = D / S beyond the critical t of two degrees of freedom, D with the model's error
      const t = (tQuantileUpper(0.025, df) * expectedSe!) / se;
      expect([Math.round(df), expectedSe! >= check!.se]).toEqual([2, true]);
      // the model's own error has hundreds of df, whose correction is a thousandth
      expect(noncentralTSf(t, df, mde80 / se)).toBeCloseTo(0.8, 2);
      expect(advice).not.toMatch(/needs about \d+ items/);
    }
    const size = limits.map(({ mde80 }) => mde80).sort((x, y) => x - y)[5]!;
    const called = Array.from({ length: 30 }, (_, k) =>
      compare(ratings(40, [size, size, size], `found ${k}`), { higherIsBetter: true }),
    ).filter(({ main }) => main.verdict === "BETTER").length;
    // of 30 with 80 % power 17 or fewer are a thousandth's chance; the model's own limit had 10
    expect(called).toBeGreaterThan(17);
  });

  it("does not take the spread of three raters for the true one, below which it lies in two of three data sets", () => {
    const { main } = compare(ratings(40, [-0.9, 0.1, 0.8]), { higherIsBetter: true });
    const [{ se, expectedSe, df }] = main.facets as [FacetCheck];
    // s² is σ² χ²/2, whose median is ln 2
    expect(expectedSe! / se).toBeCloseTo(1 / Math.sqrt(Math.log(2)), 6);
    const t = tQuantileUpper(0.025, df);
    expect(noncentralTSf(t, df, main.mde80 / expectedSe!)).toBeCloseTo(0.8, 2);
  });

  it("has no limit by two raters, who carry no verdict at any size", () => {
    const { main } = compare(ratings(40, [0.5, 0.6]), { higherIsBetter: true });
    expect(main.mde80).toBe(Number.POSITIVE_INFINITY);
    expect(main.statement).not.toContain("80 % power");
  });

  it("is carried by no two who agree to the last digit", () => {
    const rows = Array.from({ length: 12 }, (_, i) => i);
    const both = (value: (i: number, s: number) => number): number[] =>
      rows.flatMap((i) => [0, 1].flatMap(() => [0, 1].map((s) => value(i, s))));
    const table = makeTable([
      ["system", factorColumn(both((_, s) => s).map((s) => (s === 0 ? "A" : "B")))],
      ["item", factorColumn(both((i) => i).map((i) => `i${i}`))],
      ["rater", factorColumn(rows.flatMap(() => ["r0", "r0", "r1", "r1"]))],
      ["score", numericColumn(both((i, s) => ((i * 7) % 5) + s * (1 + (i % 3))))],
    ]);
    const { main } = compare(table, { higherIsBetter: true });
    expect(main.facets!.map(({ se, df }) => [se < 1e-9, Math.round(df)])).toEqual([[true, 1]]);
    expect(["INCONCLUSIVE", "NONE"]).toContain(main.verdict);
  });

  it("is not EQUIVALENT by two raters either", () => {
    const { main } = compare(ratings(40, [0, 0.01]), { higherIsBetter: true, margin: 0.5 });
    expect([main.verdict, main.equivalence!.p > 0]).toEqual(["INCONCLUSIVE", true]);
  });

  it("can be left out: the claim is then about these two", () => {
    const narrow = compare(ratings(40, [0.5, 0.6]), { higherIsBetter: true, scope: ["items"] });
    expect([narrow.main.verdict, narrow.scope]).toEqual(["BETTER", ["items"]]);
    expect(narrow.display().title).toContain("for these two raters");
    expect(narrow.model!.formula).not.toContain("rater:system");
  });

  it("holds against the t test over the raters' differences, on raters - 1 df", () => {
    const table = ratings(25, [0.1, 0.9, 0.4, 0.6]);
    const { main } = compare(table, { higherIsBetter: true });
    const score = table.columns.get("score") as { values: Float64Array };
    const means = (system: number): Float64Array =>
      Float64Array.from({ length: 4 }, (_, r) => {
        let sum = 0;
        for (let i = 0; i < 25; i++) sum += score.values[(i * 4 + r) * 2 + system]! / 25;
        return sum;
      });
    const t = pairedTTest(means(1), means(0));
    expect(main.facets!.map(({ label }) => label)).toEqual(["t test over 4 raters"]);
    expect(main.facets![0]!.p).toBeCloseTo(t.p, 10);
    expect(main.p).toBeGreaterThanOrEqual(Math.max(t.p, main.test.p) - 1e-12);
    expect([main.ci.lower < 0, main.p > 0.05]).toEqual([main.p > 0.05, main.ci.lower < 0]);
  });
});

describe("votes that share prompts and raters", () => {
  /** All votes on a prompt go the prompt's way. */
  const battles = (prompts: number, votes: number, rater: (vote: number) => string) => {
    const lines = ["prompt,rater,model_a,model_b,winner"];
    for (let p = 0; p < prompts; p++)
      for (let v = 0; v < votes; v++) {
        const swap = (p + v) % 2 === 1;
        lines.push(`p${p},${rater(v)},${swap ? "Y,X" : "X,Y"},${(p % 3 === 0) !== swap ? "model_b" : "model_a"}`);
      }
    return importFiles([{ name: "votes.csv", bytes: new TextEncoder().encode(lines.join("\n")) }]);
  };

  it("count as many as there are prompts: the t test over prompts", async () => {
    const { main, scope } = compare(await battles(9, 30, (v) => `r${v}`));
    expect(scope).toEqual(["items", "raters", "prompts"]);
    const byPrompt = Float64Array.from({ length: 9 }, (_, p) => (p % 3 === 0 ? 1 : -1));
    const t = pairedTTest(byPrompt, new Float64Array(9));
    expect(main.test.p).toBeLessThan(1e-6);
    expect(main.p).toBeCloseTo(t.p, 10);
    expect([main.verdict, main.ci.upper]).toEqual(["INCONCLUSIVE", expect.closeTo(t.ci.upper, 8)]);
  });

  it("of four prompts that agree come about by chance too often to count", async () => {
    const agreed = (prompts: number) => {
      const lines = Array.from({ length: prompts * 30 }, (_, v) =>
        v % 2 === 0 ? `p${v % prompts},r${v},X,Y,model_a` : `p${v % prompts},r${v},Y,X,model_b`,
      );
      const text = ["prompt,rater,model_a,model_b,winner", ...lines].join("\n");
      return importFiles([{ name: "votes.csv", bytes: new TextEncoder().encode(text) }]);
    };
    const four = compare(await agreed(4));
    expect([four.main.p, four.main.verdict]).toEqual([1 / 8, "INCONCLUSIVE"]);
    expect([four.main.ci.lower, four.main.ci.upper]).toEqual([-1, 1]);
    expect(four.main.statement).toMatch(
      /exact test over 4 prompts.*By chance alone all 4 prompts agree 1 in 8 times, too often for a verdict about other prompts/,
    );
    expect(four.diagnostics.map(({ code }) => code)).not.toContain("AtTheBorder");
    const eight = compare(await agreed(8));
    expect([eight.main.p, eight.main.verdict]).toEqual([1 / 128, "WORSE"]);
  });

  it("stand for themselves where the claim is about these prompts", async () => {
    const { main, scope } = compare(await battles(9, 30, () => ""), { scope: ["items"] });
    expect([main.p, scope, main.facets]).toEqual([main.test.p, ["items"], undefined]);
    const unique = compare(await battles(60, 1, () => "r"));
    expect(unique.scope).toEqual(["items"]);
  });

  it("by two raters carry no verdict about other raters", async () => {
    const { main } = compare(await battles(40, 4, (v) => `r${v % 2}`));
    expect([main.verdict, main.statement]).toEqual([
      "INCONCLUSIVE",
      expect.stringContaining("Two raters leave 1 degree"),
    ]);
  });
});

it("names what there is where a facet is asked for that the data do not repeat", () => {
  const table = ratings(10, [0.5, 0.6]);
  expect(() => compare(table, { scope: ["runs"] })).toThrow("option `scope` runs");
  expect(() => compare(table, { scope: ["judges" as never] })).toThrow(
    "option `scope: judges`: there is no such choice",
  );
});

describe("raters who agree to the last digit", () => {
  const sheet = (shift: (rater: number) => number) =>
    importFiles([
      {
        name: "ratings.csv",
        bytes: new TextEncoder().encode(
          [
            "system,item,rater,rating",
            ...["A", "B"].flatMap((system, k) =>
              Array.from({ length: 80 }, (_, n) => {
                const [i, r] = [Math.floor(n / 4), n % 4];
                return `${system},i${i},r${r},${3 + ((i * 3 + r * 2) % 5) / 2 + k * shift(r)}`;
              }),
            ),
          ].join("\n"),
        ),
      },
    ]);

  it("that nothing differs have p = 1, not an undefined one", async () => {
    expect(compare(await sheet(() => 0)).main.p).toBe(1);
  });

  it("carry no smaller p than swapping four of them has", async () => {
    const { main } = compare(await sheet(() => 0.5));
    expect([main.p, main.verdict]).toEqual([1 / 8, "INCONCLUSIVE"]);
  });
});

import { describe, expect, it } from "vitest";
import { countValues } from "../../../data/counts.ts";
import { factorColumn, makeTable, numericColumn, type Table } from "../../../data/table.ts";
import { compare } from "../compare.ts";
import { unlikeScales as findUnlikeScales } from "./scales.ts";

const unlikeScales = (scores: readonly (readonly number[])[], systems: readonly string[], metric: string) =>
  findUnlikeScales(
    scores.map((own) => countValues(Float64Array.from(own))),
    systems,
    metric,
  );

const names = (n: number): string[] => Array.from({ length: n }, (_, i) => `s${i}`);
const shares = (i: number): number[] => Array.from({ length: 40 }, (_, k) => 0.3 + ((i + k * 7) % 40) / 100);

describe("scales of many systems", () => {
  it.each([3, 300])("one of %i in percent is found among shares", (n) => {
    const scores = names(n).map((_, i) => (i === n - 2 ? shares(i).map((v) => 100 * v) : shares(i)));
    expect(unlikeScales(scores, names(n), "accuracy")).toMatch(
      new RegExp(`, s${n - 2} from 30 to 69, as shares and percent do$`),
    );
    expect(
      unlikeScales(
        names(n).map((_, i) => shares(i)),
        names(n),
        "accuracy",
      ),
    ).toBeUndefined();
  });

  it("runs of a sweep, a system each, are not paired each with each, which took all memory", () => {
    const n = 20_000;
    expect(
      unlikeScales(
        names(n).map((_, i) => [0.2 + (i % 700) / 1000]),
        names(n),
        "accuracy",
      ),
    ).toBeUndefined();
  });
});

describe("ratings on two scales", () => {
  const of = (steps: number, from = 1, n = 80): number[] =>
    Array.from({ length: n }, (_, k) => from + ((k * 13) % steps));
  const told = (a: number[], b: number[], metric = "rating") => unlikeScales([a, b], ["A", "B"], metric);

  it("of 1 to 5 and 1 to 7 gave a verdict", () => {
    expect(told(of(5), of(7))).toMatch(/as ratings up to 5 and up to 7 do$/);
  });

  it("of 1 to 5 and 0 to 4, or -2 to 2, gave a verdict", () => {
    expect(told(of(5), of(5, 0))).toBe("B from 0 to 4, A from 1 to 5, as ratings from 0 and from 1 on do");
    expect(told(of(5, -2), of(5))).toBe("A from -2 to 2, B from 1 to 5, as ratings from -2 and from 1 on do");
  });

  it("of 0 to 10 and points of 0 to 100, or shares and 1 to 5, gave a verdict", () => {
    expect(told(of(11, 0, 110), of(101, 0, 110), "score")).toMatch(/as ratings and points out of 100 do$/);
    expect(told(shares(0), of(5))).toMatch(/as shares and ratings do$/);
    expect(told(shares(0), of(2, 3))).toMatch(/as shares and ratings do$/);
  });

  it("of 0 to 10 and 0 to 100 gave a verdict where a step is unused or few items are rated", () => {
    const some = (steps: readonly number[], n: number): number[] =>
      Array.from({ length: n }, (_, k) => steps[(k * 13) % steps.length]!);
    // 3 and 10 are nobody's
    expect(told(some([2, 4, 5, 6, 7, 8, 9], 20), some([20, 40, 50, 60, 70, 80, 90], 20))).toMatch(/out of 100 do$/);
    expect(told(some([2, 4, 6, 7, 8, 9], 12), some([5, 20, 45, 60, 75, 90, 95], 12))).toMatch(/out of 100 do$/);
    // a normal curve about 6 beside one about 60
    const about6 = some([3, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 8, 8, 9], 42);
    const about60 = some([8, 31, 44, 47, 52, 58, 61, 63, 66, 71, 77, 83, 88, 97], 42);
    expect(told(about6, about60)).toMatch(/out of 100 do$/);
    // next to nothing on the same scale
    expect(told(some([0, 0, 0, 1, 1, 2, 3, 8], 40), about60)).toBeUndefined();
    expect(told(some([0, 5, 5, 10, 10, 10], 20), some([5, 20, 45, 60, 75, 90, 95], 20))).toBeUndefined();
  });

  it("of which one stops where the other goes on gave a verdict, also in half steps and with steps unused", () => {
    const some = (steps: readonly number[]): number[] =>
      Array.from({ length: 80 }, (_, k) => steps[(k * 13) % steps.length]!);
    expect(told(some([2, 3, 4, 5]), some([5, 6, 7, 8, 9, 10]))).toMatch(/as ratings up to 5 and up to 10 do$/);
    expect(told(some([2, 2.5, 3, 4, 4.5, 5]), some([3, 5, 6, 7, 8, 9, 10]))).toMatch(/up to 5 and up to 10 do$/);
    expect(told(some([0, 1]), some([1, 2, 3, 4, 5]))).toMatch(/as ratings up to 1 and up to 5 do$/);
    expect(told(some([-2, -1, 0, 1, 2]), some([2, 3, 4, 5]))).toMatch(/as ratings from -2 and from 2 on do$/);
    expect(told(some([0, 2, 3, 5, 7, 8, 9, 10]), some([10, 5, 60, 70, 75, 80, 90, 100]), "score")).toMatch(
      /as ratings and points out of 100 do$/,
    );
    // nothing but the lowest steps is what a bad system gets
    expect(told(some([1, 2]), some([3, 4, 5]))).toBeUndefined();
  });

  it("right and wrong beside points, and penalties beside amounts, gave a verdict", () => {
    const points = Array.from({ length: 80 }, (_, k) => 20 + ((k * 13) % 71) + 0.3);
    expect(told(of(2, 0), points, "score")).toMatch(/as right or wrong and points out of 100 do$/);
    expect(told(of(9, -8), of(9, 0), "mqm")).toMatch(/as penalties and amounts do$/);
  });

  it("a system that is seldom at the top is on the same scale", () => {
    const thin = [...of(3, 2), 1, 1, 5, 5, 5];
    expect(told(thin, of(7))).toBeUndefined();
    // one step more is for the best alone
    expect(told(of(4), of(5))).toBeUndefined();
    expect(told(of(5), of(5))).toBeUndefined();
    // nobody gave the worst step to one, nor the best to the other, of which neither had many
    expect(told([...of(3, 1), 0, 4, 4], [...of(3, 2), 1, 1, 5])).toBeUndefined();
  });
});

describe("raters on scales of their own", () => {
  /** Three raters of 20 items; the last one has his own scale. */
  const rated = (scale: (step: number) => number): Table => {
    const rows = Array.from({ length: 20 }, (_, i) =>
      ["A", "B"].flatMap((system, s) =>
        ["r1", "r2", "r3"].map((rater, r) => {
          const step = 1 + ((i * 3 + r * 2 + s) % 5);
          return { system, item: `i${i}`, rater, score: r === 2 ? scale(step) : step };
        }),
      ),
    ).flat();
    const text = (name: "system" | "item" | "rater") => factorColumn(rows.map((row) => row[name]));
    return makeTable([
      ["system", text("system")],
      ["item", text("item")],
      ["rater", text("rater")],
      ["score", numericColumn(rows.map(({ score }) => score))],
    ]);
  };

  it("are not averaged where one gave points out of 100 and the others 1 to 5", () => {
    const { main } = compare(rated((step) => 20 * step));
    expect([main.verdict, main.reason]).toEqual(["NONE", expect.stringContaining("r3 from 20 to 100")]);
  });

  it("are not seen where a strict one never uses the upper steps", () => {
    expect(compare(rated((step) => Math.min(step, 3))).main.verdict).not.toBe("NONE");
    // 1, 1, 2, 2, 3 for 1 to 5: half of what the others give, of a scale that is the same
    expect(compare(rated((step) => Math.ceil(step / 2))).main.verdict).not.toBe("NONE");
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectClose } from "../../test/support/oracle.ts";
import { makeRng } from "../numeric/rng.ts";
import { bootstrapScores, bootstrapStatistic, bootstrapTogether } from "./bootstrap.ts";
import { intervalFromReplicates } from "./intervals.ts";
import { countDrawsInto, eachReplicate, OWN_STREAM } from "./replicates.ts";
import { shiftTest } from "./shift-test.ts";

const f1 = (sums: ArrayLike<number>, at = 0): number =>
  (2 * sums[at]!) / (2 * sums[at]! + sums[at + 1]! + sums[at + 2]!);
const difference = (sums: ArrayLike<number>): number => f1(sums, 3) - f1(sums);

describe("draws of boot (R), F1 of two systems", () => {
  const stored = JSON.parse(readFileSync(new URL("../../oracle/r/shift-test.json", import.meta.url), "utf8"));
  const rows: number[][] = stored.a.map((own: number[], i: number) => [...own, ...stored.b[i]]);
  const drawn = bootstrapStatistic(
    rows.length,
    (items) => difference(rows[0]!.map((_, c) => items.reduce((sum, i) => sum + rows[i]![c]!, 0))),
    { indices: stored.indices },
  );

  it("gives its replicates and intervals", () => {
    expectClose(drawn.values, stored.replicates, { tolerance: 1e-12, floor: 1e-3 });
    for (const type of ["percentile", "bca"] as const) {
      const { lower, upper } = intervalFromReplicates({ ...drawn, type, acceleration: drawn.jackknife.acceleration });
      expectClose([lower, upper], stored[type], { tolerance: 1e-10, label: type });
    }
  });

  it("centres at the mean of the replicates", () => {
    const { p, mean, sd } = shiftTest(drawn);
    expectClose([drawn.estimate, mean, sd], [stored.estimate, stored.mean, stored.sd], { tolerance: 1e-12 });
    expect(p).toBeCloseTo(stored.p, 12);
    expect(p).not.toBeCloseTo(stored.centredAtEstimate, 3);
    expect(shiftTest(drawn, "greater").p).toBeCloseTo(stored.greater, 12);
    expect(shiftTest(drawn, "less").p).toBeCloseTo(stored.less, 12);
  });
});

/** Rows of both systems (sum, count) of five items. */
const ROWS = Float64Array.from([3, 2, 1, 1, 0, 1, 4, 3, 2, 2, 5, 1, 1, 3, 2, 2, 6, 4, 3, 1]);
const ratio = (sums: ArrayLike<number>): number => sums[2]! / sums[3]! - sums[0]! / sums[1]!;

/** The statistic of each of the 5^5 equally likely draws. */
function allDraws(): Float64Array {
  return Float64Array.from({ length: 5 ** 5 }, (_, code) => {
    const sums = [0, 0, 0, 0];
    for (let k = 0, rest = code; k < 5; k++, rest = Math.floor(rest / 5)) {
      for (let c = 0; c < 4; c++) sums[c]! += ROWS[4 * (rest % 5) + c]!;
    }
    return ratio(sums);
  });
}

describe("the law of all draws of five items", () => {
  const law = allDraws();
  const rank = law.slice().sort();
  const estimate = ratio([0, 1, 2, 3].map((c) => [0, 1, 2, 3, 4].reduce((sum, i) => sum + ROWS[4 * i + c]!, 0)));
  const R = 20_000;
  const alone = bootstrapScores({ rows: ROWS, width: 4, scoreOf: ratio }, { replicates: R, rng: makeRng("law") });
  const side = (at: number) => ({
    rows: Float64Array.from({ length: 10 }, (_, i) => ROWS[4 * (i >> 1) + at + (i & 1)]!),
    width: 2,
    scoreOf: (sums: Float64Array): number => sums[0]! / sums[1]!,
  });
  const [a, b] = bootstrapTogether([side(0), side(2)], { replicates: R, rng: makeRng("law") });
  const together = b!.values.map((v, i) => v - a!.values[i]!);

  it.each([
    ["one statistic", alone.values],
    ["two systems from shared draws", together],
  ])("is what %s draws from", (_name, values) => {
    const mean = law.reduce((sum, v) => sum + v, 0) / law.length;
    const sd = Math.sqrt(law.reduce((sum, v) => sum + (v - mean) ** 2, 0) / law.length);
    const found = shiftTest({ estimate, values });
    expect(Math.abs(found.mean - mean)).toBeLessThan((4 * sd) / Math.sqrt(R));
    // shares below every tenth of the law; half of a tie's mass may fall on either side
    for (const q of [0.1, 0.25, 0.5, 0.75, 0.9]) {
      const cut = rank[Math.floor(q * law.length)]!;
      const share = (values: Float64Array): number =>
        values.reduce((sum, v) => sum + Number(v < cut - 1e-9), 0) / values.length;
      const want = share(law);
      expect(Math.abs(share(values) - want)).toBeLessThan(4 * Math.sqrt((want * (1 - want)) / R));
    }
    const exact =
      law.reduce((sum, v) => sum + Number(Math.abs(v - mean) >= Math.abs(estimate) - 1e-12), 0) / law.length;
    expect(Math.abs(found.p - exact)).toBeLessThan(4 * found.monteCarloSe + 2 / R);
  });

  it("has the statistic and the leave-one-out values in closed form", () => {
    expect(b!.estimate - a!.estimate).toBeCloseTo(estimate, 14);
    expect(a!.leftOut[0]).toBeCloseTo((0 + 2 + 1 + 6) / (1 + 2 + 3 + 4), 14);
    expect(b!.leftOut[4]).toBeCloseTo((1 + 4 + 5 + 2) / (1 + 3 + 1 + 2), 14);
  });
});

describe("shift test", () => {
  it("counts by hand", () => {
    // mean 3; moved: -2 -1 0 1 2, four of which lie 1 or more from 0
    expect(shiftTest({ estimate: 1, values: Float64Array.of(1, 2, 3, 4, 5) }).p).toBe(5 / 6);
    expect(shiftTest({ estimate: 1, values: Float64Array.of(1, 2, 3, 4, 5) }, "greater").p).toBe(3 / 6);
    expect(shiftTest({ estimate: 1, values: Float64Array.of(1, 2, 3, 4, 5) }, "less").p).toBe(5 / 6);
  });

  it("turns with the sign and stays with the scale", () => {
    const values = Float64Array.from({ length: 400 }, (_, i) => Math.sin(i) + 0.1 * Math.cos(3 * i));
    const own = shiftTest({ estimate: 0.4, values });
    expect(shiftTest({ estimate: -0.4, values: values.map((v) => -v) }).p).toBe(own.p);
    expect(shiftTest({ estimate: 400, values: values.map((v) => 1000 * v) }).p).toBe(own.p);
    expect(shiftTest({ estimate: -0.4, values: values.map((v) => -v) }, "less").p).toBe(
      shiftTest({ estimate: 0.4, values }, "greater").p,
    );
  });

  it("is undefined without spread, and 1 where all is 0", () => {
    expect(shiftTest({ estimate: 2, values: Float64Array.of(2, 2, 2) }).p).toBeNaN();
    expect(shiftTest({ estimate: 0, values: Float64Array.of(0, 0, 0) }).p).toBe(1);
  });
});

describe("the loop", () => {
  it("gives replicate i the stream i, or that of its group, and tells how far it is", () => {
    const rng = makeRng("loop");
    const seen: string[] = [];
    const told: number[] = [];
    eachReplicate({ replicates: 5, rng, onProgress: (done) => told.push(done) }, OWN_STREAM, (stream) => {
      seen.push(stream.seed);
    });
    expect(seen).toEqual([0, 1, 2, 3, 4].map((i) => `loop/${i}`));
    expect(told).toEqual([1, 2, 3, 4, 5]);
    const groups: string[] = [];
    eachReplicate({ replicates: 5, rng }, { start: (stream) => stream.seed, perStream: 2 }, (seed, i) => {
      groups[i] = seed;
    });
    expect(groups).toEqual([0, 0, 1, 1, 2].map((i) => `loop/${i}`));
  });

  it("draws every unit with the same chance, n times in all", () => {
    const times = new Float64Array(5);
    const total = new Float64Array(5);
    let squares = 0;
    const R = 8000;
    eachReplicate({ replicates: R, rng: makeRng("units") }, OWN_STREAM, (stream) => {
      countDrawsInto(times, stream);
      expect(times.reduce((sum, v) => sum + v, 0)).toBe(5);
      for (let k = 0; k < 5; k++) total[k]! += times[k]!;
      squares += times[0]! ** 2;
    });
    // multinomial: mean 1, variance 1 - 1/5, and E(x²) = 1.8 with Var(x²) below 10
    for (const sum of total) expect(Math.abs(sum / R - 1)).toBeLessThan(4 * Math.sqrt(0.8 / R));
    expect(Math.abs(squares / R - 1.8)).toBeLessThan(4 * Math.sqrt(10 / R));
  });
});

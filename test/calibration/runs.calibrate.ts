/** False findings of tests over splits, seeds and runs where the two systems do not differ. docs/methods/cross-validation.md and
 *  runs.md quote it; the standard error of a share of 5 % in 2,000 data sets is 0.5 points. */
import { describe, expect, it } from "vitest";
import { binomialSf } from "../../src/numeric/dist/binomial.ts";
import { makeRng, type Rng } from "../../src/numeric/rng.ts";
import { correctedResampledTest, fiveByTwoTest } from "../../src/significance/runs/cross-validation.ts";
import { runsPermutationTest } from "../../src/significance/runs/runs.ts";
import { stochasticOrderTest } from "../../src/significance/runs/stochastic-order.ts";
import { rankSumTest } from "../../src/significance/tests/rank-sum.ts";

const SETS = 2000;
const percent = (hits: number, of = SETS): string => `${((100 * hits) / of).toFixed(1)} %`;
/** More than the level at a level of 0.1 %. */
const isTooMany = (hits: number, level = 0.05): boolean => binomialSf(hits - 1, SETS, level) < 0.001;

const FEATURES = 4;
interface Data {
  readonly x: readonly Float64Array[];
  readonly y: readonly number[];
}

/** Two classes with the same shift in eight features: learners of the first four and of the last four are equally good. */
function drawData(n: number, rng: Rng): Data {
  const y = Array.from({ length: n }, () => (rng.uniform() < 0.5 ? 1 : -1));
  return { y, x: y.map((own) => Float64Array.from({ length: 2 * FEATURES }, () => rng.normal() + 0.35 * own)) };
}

/** Accuracy of a nearest-mean rule on the features from `at` on. */
function accuracy({ x, y }: Data, train: readonly number[], test: readonly number[], at: number): number {
  const slope = new Float64Array(FEATURES);
  let level = 0;
  const middle = new Float64Array(FEATURES);
  for (const i of train) {
    level += y[i]! / train.length;
    for (let k = 0; k < FEATURES; k++) middle[k]! += x[i]![at + k]! / train.length;
  }
  for (const i of train)
    for (let k = 0; k < FEATURES; k++) slope[k]! += (y[i]! - level) * (x[i]![at + k]! - middle[k]!);
  const right = test.filter((i) => {
    let score = 0;
    for (let k = 0; k < FEATURES; k++) score += slope[k]! * (x[i]![at + k]! - middle[k]!);
    return Math.sign(score) === y[i];
  });
  return right.length / test.length;
}

function shuffled(n: number, rng: Rng): number[] {
  const order = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = rng.int(i + 1);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

const difference = (data: Data, train: readonly number[], test: readonly number[]): number =>
  accuracy(data, train, test, 0) - accuracy(data, train, test, FEATURES);

function folds(data: Data, k: number, rng: Rng): number[] {
  const order = shuffled(data.y.length, rng);
  return Array.from({ length: k }, (_, f) => {
    const test = order.filter((_own, at) => at % k === f);
    return difference(
      data,
      order.filter((_own, at) => at % k !== f),
      test,
    );
  });
}

describe("cross-validation of two learners that are equally good", () => {
  it.each([60, 200])("%i items", (n) => {
    const hits: Record<string, number> = {};
    const count = (name: string, p: number): void => {
      hits[name] = (hits[name] ?? 0) + Number(p <= 0.05);
    };
    for (let i = 0; i < SETS; i++) {
      const rng = makeRng(`cv/${n}`).stream(i);
      const data = drawData(n, rng);
      const designs = {
        "15 splits, a fifth for testing": {
          differences: Array.from({ length: 15 }, () => {
            const order = shuffled(n, rng);
            return difference(data, order.slice(n / 5), order.slice(0, n / 5));
          }),
          testSize: n / 5,
        },
        "10 folds": { differences: folds(data, 10, rng), testSize: n / 10 },
        "5 times 10 folds": {
          differences: Array.from({ length: 5 }, () => folds(data, 10, rng)).flat(),
          testSize: n / 10,
        },
      };
      for (const [name, { differences, testSize }] of Object.entries(designs)) {
        const own = correctedResampledTest(differences, { testSize, trainSize: n - testSize });
        count(`${name}: corrected`, own.p);
        count(`${name}: plain t`, own.naive.p);
      }
      const five = fiveByTwoTest(Array.from({ length: 5 }, () => folds(data, 2, rng)));
      count("5x2cv t", five.t.p);
      count("5x2cv F", five.f.p);
    }
    for (const [name, own] of Object.entries(hits)) process.stdout.write(`${n} items, ${name}: ${percent(own)}\n`);
    expect(isTooMany(hits["15 splits, a fifth for testing: corrected"]!)).toBe(false);
    expect(isTooMany(hits["5 times 10 folds: corrected"]!)).toBe(false);
    expect(isTooMany(hits["5x2cv F"]!)).toBe(false);
    expect(isTooMany(hits["15 splits, a fifth for testing: plain t"]!)).toBe(true);
  });
});

describe("almost stochastic order", () => {
  const LAWS: Readonly<Record<string, readonly [(rng: Rng) => number, (rng: Rng) => number]>> = {
    "the same normal law": [(rng) => rng.normal(), (rng) => rng.normal()],
    "ε = 0.5: the second spreads twice as far": [(rng) => rng.normal(), (rng) => 2 * rng.normal()],
    "one standard deviation better": [(rng) => rng.normal() + 1, (rng) => rng.normal()],
  };
  it.each([5, 10, 20])("%i runs of each system", (runs) => {
    for (const [name, [first, second]] of Object.entries(LAWS)) {
      let [half, fifth, ranks] = [0, 0, 0];
      for (let i = 0; i < SETS; i++) {
        const rng = makeRng(`aso/${name}/${runs}`).stream(i);
        const a = Float64Array.from({ length: runs }, () => first(rng));
        const b = Float64Array.from({ length: runs }, () => second(rng));
        const own = stochasticOrderTest(a, b, { replicates: 200, rng: rng.stream(1) });
        half += Number(own.epsilonMin < 0.5);
        fifth += Number(own.epsilonMin < 0.2);
        ranks += Number(rankSumTest(a, b, { alternative: "greater" }).p <= 0.05);
      }
      process.stdout.write(
        `${runs} runs, ${name}: below 0.5 ${percent(half)}, below 0.2 ${percent(fifth)}, rank-sum ${percent(ranks)}\n`,
      );
    }
    expect(runs).toBeGreaterThan(0);
  });
});

describe("outputs shuffled between systems and runs", () => {
  it.each([0, 0.15, 0.4])("spread of runs %f logits", (spread) => {
    for (const [runs, items] of [
      [3, 100],
      [5, 100],
      [5, 500],
    ] as const) {
      let [shuffle, whole] = [0, 0];
      for (let i = 0; i < SETS; i++) {
        const rng = makeRng(`clark/${spread}/${runs}/${items}`).stream(i);
        const hardness = Float64Array.from({ length: items }, () => 1.5 * rng.normal() + 0.5);
        const system = () => {
          const scores = new Float64Array(runs * items);
          for (let s = 0; s < runs; s++) {
            const skill = spread * rng.normal();
            for (let k = 0; k < items; k++)
              scores[s * items + k] = Number(rng.uniform() < 1 / (1 + Math.exp(hardness[k]! - skill)));
          }
          return { runs, scores };
        };
        const own = runsPermutationTest(system(), system());
        shuffle += Number(own.p <= 0.05);
        whole += Number(own.pRuns <= 0.05);
      }
      process.stdout.write(
        `spread ${spread}, ${runs} runs of ${items} items: outputs shuffled ${percent(shuffle)}, whole runs ${percent(whole)}\n`,
      );
      if (spread === 0) expect(isTooMany(shuffle)).toBe(false);
      expect(isTooMany(whole)).toBe(false);
    }
  });
});

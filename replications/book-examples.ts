/** Riezler & Hagmann (2021): the worked examples of the text, which need no data. */

import { normalPdf, normalQuantile } from "../src/distributions.ts";
import { factorColumn, fitLmm, makeTable, measureAgreement, numericColumn, type Table } from "../src/index.ts";
import { zTest } from "../src/tests.ts";
import {
  compareWith,
  type Picture,
  type Reproduction,
  type ReproductionRow,
  resultsFrom,
  UNDEFINED,
} from "./reproduction.ts";

const exampleOf = resultsFrom({ paper: "riezler2021", data: [], reference: "closed forms in R 4.2.2" });

/** Labels of raters A and B, item by item; printed α and percent agreement; the same by the formulas of the text. */
type Example = readonly [
  a: string,
  b: string,
  alpha: string,
  percent: string,
  r: readonly [alpha: number, percent: number, chance: number],
];

const EXAMPLES: readonly Example[] = [
  ["1100000000", "0110010100", "0.095", "60", [1 - 4 / (84 / 19), 60, (100 * (182 / 19 + 30 / 19)) / 20]],
  ["00000010", "00000001", "-0.07", "75", [1 - 2 / (28 / 15), 75, (100 * (182 / 15 + 2 / 15)) / 16]],
  ["00000001", "00000001", "1", "100", [1, 100, (100 * (182 / 15 + 2 / 15)) / 16]],
  ["00000000", "00000001", "0", "88", [0, 87.5, (100 * 14) / 16]],
  ["00000000", "00000000", UNDEFINED, "100", [Number.NaN, 100, 100]],
];
/** Printed chance agreement of the first two. */
const CHANCE = ["56", "76.6"];

function labelTable(a: string, b: string): Table {
  const raters = [a, b].flatMap((labels, k) =>
    [...labels].map((label, i) => ({ item: `i${i}`, rater: "AB"[k]!, label })),
  );
  return makeTable([
    ["item", factorColumn(raters.map(({ item }) => item))],
    ["rater", factorColumn(raters.map(({ rater }) => rater))],
    ["label", factorColumn(raters.map(({ label }) => label))],
  ]);
}

function exampleRows([a, b, published, percent, [alpha, agreed, chance]]: Example, k: number): ReproductionRow[] {
  const own = measureAgreement(labelTable(a, b), { item: "item", rater: "rater", label: "label", replicates: 0 });
  const { alpha: found, percent: share } = own.coefficients;
  // α = (agreement - chance) / (1 - chance)
  const expected =
    found.value === 1 || Number.isNaN(found.value) ? undefined : (share.value - found.value) / (1 - found.value);
  const note = k === 1 ? "The text takes the rounded 12.13 and 0.13: it is 76.67." : undefined;
  return [
    compareWith(`α, example ${k + 1}`, { published, r: alpha, ours: found.value }),
    compareWith("  agreement in %", { published: percent, r: agreed, ours: 100 * share.value }),
    ...(expected === undefined
      ? []
      : [
          compareWith("  put down to chance in %", { published: CHANCE[k], r: chance, ours: 100 * expected }, { note }),
        ]),
  ];
}

const alphaExamples = exampleOf({
  id: "book-section-3.3.1",
  where: "Section 3.3.1",
  shows: "Krippendorff's α of five small tables",
  seconds: 1,
  lessons: [
    "One label changes α from 1 to 0 while the raters agree on 88%, and without any variation it is undefined: the warnings of gosset agreement are about such tables.",
  ],
  run: () => EXAMPLES.flatMap(exampleRows),
});

const COHEN = { mean: 15, n: 100, mu: 25, sd: 50 };
const TESTS_IN_BENCHMARK = 105;
const LEVEL = 0.05;

/** A hundred values with the mean that the example gives; their spread is known, so that no other feature of them counts. */
const cohenSample = (): Float64Array => new Float64Array(COHEN.n).fill(COHEN.mean);

const FARTHEST = 4;
const STEPS = 160;

/** The law of z under the null hypothesis with the tails that reject it (Figures 4.1 and 4.2). */
function criticalRegions(z: number, twoSided: number, leftTailed: number): Picture {
  const limits = [-twoSided, twoSided, leftTailed];
  const places = Array.from({ length: STEPS + 1 }, (_, k) => (2 * FARTHEST * k) / STEPS - FARTHEST);
  const density = [...places, ...limits].sort((a, b) => a - b).map((x) => [x, normalPdf(x)] as const);
  const panel = (label: string, filled: readonly (readonly [number, number])[], critical: readonly number[]) => ({
    ...{ label, x: "z", y: "density", density, filled },
    // what was seen is drawn last, so that its label stands before the other lines
    rules: [
      ...critical.map((at) => ({ at, label: at.toFixed(2).replace("-", "−") })),
      { at: z, label: `z ${z.toFixed(2).replace("-", "−")}`, observed: true },
    ],
  });
  return {
    kind: "distributions",
    name: "critical regions",
    about: "Standard normal law of z under the null hypothesis; filled: the 5 % that reject it; upright: what was seen",
    panels: [
      panel("two-tailed", [[-FARTHEST, -twoSided], [twoSided, FARTHEST]], [-twoSided, twoSided]), // biome-ignore format: one line
      panel("left-tailed", [[-FARTHEST, leftTailed]], [leftTailed]),
    ],
  };
}

const section41 = exampleOf({
  id: "book-section-4.1",
  where: "Sections 4.1 and 4.3.2, Figures 4.1 and 4.2",
  shows: "Cohen's z test, and the error of many tests",
  seconds: 1,
  run(lab) {
    const { mu, sd } = COHEN;
    const two = zTest(cohenSample(), undefined, { mu, sd });
    const less = zTest(cohenSample(), undefined, { mu, sd, alternative: "less" });
    const half = (two.ci!.upper - two.ci!.lower) / 2 / (sd / Math.sqrt(COHEN.n));
    const oneSided = normalQuantile(LEVEL);
    lab.show(criticalRegions(two.statistic, half, oneSided));
    const atLeastOne = (k: number): number => 1 - (1 - LEVEL) ** k;
    return [
      compareWith("z", { published: "-2", r: -2, ours: two.statistic }),
      compareWith("  two-sided p", { published: "<0.05", r: 0.0455002638963584, ours: two.p }),
      compareWith("  one-sided p", { published: "<0.05", r: 0.0227501319481792, ours: less.p }),
      compareWith("  critical value, two-sided", { published: "1.96", r: 1.95996398454005, ours: half }),
      compareWith("  critical value, left-tailed", { published: "-1.64", r: -1.64485362695147, ours: oneSided }),
      compareWith("tests among 15 systems", { published: "105", r: 105, ours: (15 * 14) / 2 }),
      compareWith("  at least one false", {
        published: "0.9954",
        r: 0.995418823509187,
        ours: atLeastOne(TESTS_IN_BENCHMARK),
      }),
      compareWith("level of each of 3 tests", { published: "0.0167", r: 0.05 / 3, ours: LEVEL / 3 }),
    ];
  },
});

/** Four subjects and four strings; times that no term of the model explains wholly. */
function lexicalDecision(): Table {
  const rows = Array.from({ length: 16 }, (_, k) => ({ s: Math.floor(k / 4), i: k % 4 }));
  const time = ({ s, i }: { s: number; i: number }): number =>
    500 + 30 * s - 12 * i + (i > 1 ? 40 + 15 * s : 0) + ((s * 7 + i * 5) % 11);
  return makeTable([
    ["subject", factorColumn(rows.map(({ s }) => `s${s}`))],
    ["string", factorColumn(rows.map(({ i }) => `i${i}`))],
    ["category", factorColumn(rows.map(({ i }) => (i < 2 ? "A" : "B")))],
    ["time", numericColumn(rows.map(time))],
  ]);
}

const sectionA22 = exampleOf({
  id: "book-section-a.2.2",
  where: "Section A.2.2",
  shows: "the parts of Barr et al.'s lexical decision model",
  reference: 'lme4 1.1-31 in R 4.2.2: getME(fit, "X"), "Z", "theta"',
  seconds: 1,
  run() {
    const fit = fitLmm("time ~ category + (1 + category | subject) + (1 | string)", lexicalDecision());
    const effects = fit.variances.reduce((sum, { levels, names }) => sum + levels * names.length, 0);
    return [
      compareWith("columns of X", { published: "2", r: 2, ours: fit.coefficients.length }),
      compareWith("columns of Z", { published: "12", r: 12, ours: effects }),
      compareWith(
        "variance parameters",
        { published: "4", r: 5, ours: fit.theta.length + 1 },
        { note: 'The text says "the four terms" and lists five: four variances and one covariance.' },
      ),
    ];
  },
});

export const BOOK_EXAMPLES: readonly Reproduction[] = [alphaExamples, section41, sectionA22];

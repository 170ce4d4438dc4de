/** Riezler & Hagmann (2021): figures of feature shapes (2.7, 2.8, 2.17) and of the smoothing parameter (A.1).
 *  R: oracle/papers/book-shapes.R. */

import { normalQuantile } from "../src/distributions.ts";
import { fitGam, type GamFit, makeTable, numericColumn, type Table } from "../src/index.ts";
import { filterRows, mutateTable } from "../src/models.ts";
import type { ReplicatedShapes } from "../src/plot.ts";
import { momentsOf, numbersOf, textsOf } from "./cells.ts";
import { compareWith, type Lab, type Reproduction, type ReproductionRow, resultsFrom } from "./reproduction.ts";

const PATENTS = "riezler2021/ir_testset.csv.gz";
const shapeOf = resultsFrom({ paper: "riezler2021", data: [PATENTS], reference: "mgcv 1.8-41 in R 4.2.2" });
/** As in the table of the same models: GCV leaves the smooths loose where the criterion is flat. Percentage points, share of a height. */
const D2_TOLERANCE = 0.001;
const HEIGHT_SHARE = 0.005;
const EDF_SHARE = 0.005;
const EDF_LEAST = 0.3;

/** The citation that a pair of patents has, at most one in these data, with the relevance it gives and the number of pairs. */
const CITATIONS: readonly (readonly [name: string, relevance: number, pairs: number])[] = [
  ["none", 0, 100000],
  ["inventor", 1, 1748],
  ["examiner", 2, 4243],
  ["family", 3, 699],
];

const figure27 = shapeOf({
  id: "book-figure-2.7",
  where: "Figure 2.7",
  shows: "citations alone make the relevance of a patent",
  reference: "R 4.2.2 (aggregate)",
  seconds: 2,
  lessons: [
    "No pair of the test set has two kinds of citation, so that the three features are four classes: the labels.",
  ],
  async run(lab) {
    const table = await lab.table(PATENTS);
    const relevance = numbersOf(table, "relevance");
    const cited = CITATIONS.slice(1).map(([name]) => [name, textsOf(table, `cited_${name}`)] as const);
    const groups = new Map<string, number[]>(CITATIONS.map(([name]) => [name, []]));
    for (let i = 0; i < table.rows; i++) {
      const kinds = cited.filter(([, flags]) => flags[i] === "yes").map(([name]) => name);
      const name = kinds.length === 0 ? "none" : kinds.join(" and ");
      const own = groups.get(name);
      if (own === undefined) groups.set(name, [relevance[i]!]);
      else own.push(relevance[i]!);
    }
    const found = [...groups].map(([level, values]) => ({ level, n: values.length, ...momentsOf(values) }));
    lab.show({
      kind: "means",
      name: "relevance",
      measure: "relevance",
      panels: [{ setting: "cited by", levels: found.map(({ level, mean, sd }) => ({ level, mean, sd })) }],
    });
    return CITATIONS.flatMap(([name, r, pairs]) => {
      const own = found.find(({ level }) => level === name)!;
      return [
        compareWith(`relevance, cited by ${name}`, { r, ours: own.mean }),
        compareWith("  standard deviation", { r: 0, ours: own.sd }),
        compareWith("  pairs", { r: pairs, ours: own.n }),
      ];
    });
  },
});

interface Model {
  readonly label: string;
  readonly citations: readonly string[];
  /** Which rows; default: all. */
  readonly where?: string;
  /** D² in percent and degrees of freedom in R. */
  readonly d2: number;
  readonly edf?: number;
  /** Heights of the two smooths in R, over a hundred places. */
  readonly heights?: readonly [tfIdf: number, neural: number];
  readonly published?: string;
  readonly note?: string;
}

const heightOf = ({ shapes }: GamFit, k: number): number =>
  Math.max(...shapes[k]!.effect) - Math.min(...shapes[k]!.effect);

const curvesOf = ({ shapes }: GamFit): ReplicatedShapes["models"][number]["curves"] =>
  shapes.map(({ at, effect, lower, upper, rug }) => ({
    feature: at[0]!.name,
    at: at[0]!.values as readonly number[],
    effect: Array.from(effect),
    lower: Array.from(lower),
    upper: Array.from(upper),
    ...(rug === undefined ? {} : { rug }),
  }));

/** Models of one label with more and more citations, drawn side by side. */
async function besides(
  lab: Lab,
  { label, family }: { readonly label: string; readonly family: "gaussian" | "binomial" },
  models: readonly Model[],
): Promise<ReproductionRow[]> {
  const table = mutateTable(await lab.table(PATENTS), "relevant = as.numeric(relevance > 0)");
  const fits = models.map(({ citations, where }, k) => {
    lab.progress(k, models.length);
    const more = citations.map((own) => ` + cited_${own}`).join("");
    const rows = where === undefined ? table : filterRows(table, where);
    return fitGam(`${label} ~ s(score_tfIdf) + s(score_neural)${more}`, rows, { family, method: "GCV.Cp" });
  });
  lab.show({
    kind: "shapes",
    name: "shapes",
    effect: family === "binomial" ? "the log odds of relevance" : "relevance",
    models: models.map((own, k) => ({ label: own.label, curves: curvesOf(fits[k]!) })),
  });
  return models.flatMap(({ label: name, d2, edf, heights = [], published, note }, k) => [
    compareWith(
      `D² in %, ${name}`,
      { published, r: d2, ours: 100 * fits[k]!.devianceExplained },
      { tolerance: D2_TOLERANCE, note },
    ),
    ...(edf === undefined
      ? []
      : [
          compareWith(
            "  degrees of freedom",
            { r: edf, ours: fits[k]!.edf },
            { tolerance: EDF_SHARE * edf + EDF_LEAST },
          ),
        ]),
    ...heights.map((r, s) =>
      compareWith(
        `  height of ${s === 0 ? "tf-idf" : "neural"}`,
        { r, ours: heightOf(fits[k]!, s) },
        // beside a perfect fit it is rounding
        { tolerance: Math.max(1e-6, HEIGHT_SHARE * r) },
      ),
    ),
  ]);
}

const TRAINING = "The book fitted the training set, which was not published; here the test set.";

const figure28 = shapeOf({
  id: "book-figure-2.8",
  where: "Figure 2.8",
  shows: "beside the citations nothing is left of the other features",
  seconds: 6,
  run: (lab) =>
    besides(lab, { label: "relevance", family: "gaussian" }, [
      {
        ...{ label: "without citations", citations: [], published: "62", note: TRAINING },
        ...{ d2: 64.8019086448906, edf: 18.9253043135213, heights: [2.15907402225597, 1.23394835436832] },
      },
      {
        ...{ label: "with citations", citations: ["inventor", "examiner", "family"], published: "100" },
        ...{ d2: 100, heights: [4.95188638375742e-14, 3.50406991660252e-14] },
      },
    ]),
});

const figure217 = shapeOf({
  id: "book-figure-2.17",
  where: "Figure 2.17",
  shows: "with some of the citations known, the other features tell what is left",
  seconds: 20,
  lessons: [
    "The book's students describe two teachers, whose predictions were not published; these describe the labels, relevant or not, which a teacher with all citations reproduced wholly.",
    "A pair with a citation is relevant, so that a model with that citation has no finite coefficient for it; its smooths are those of the pairs without the citation, which are fitted here.",
    "The book's shapes shrink with every citation that the teacher knows. Those of the labels do not: with the examiner's citations known too, tf-idf has a height of 15 log odds after 14, the neural score 47 after 44.",
  ],
  run: (lab) =>
    besides(lab, { label: "relevant", family: "binomial" }, [
      {
        ...{ label: "inventor known", citations: [], where: "cited_inventor == 'no'" },
        ...{ d2: 70.4093595668429, edf: 14.8755208715037 },
      },
      {
        ...{ label: "inventor and examiner known", citations: [] },
        where: "cited_inventor == 'no' & cited_examiner == 'no'",
        ...{ d2: 88.9572125821403, edf: 7.90199317611961 },
      },
    ]),
});

/** Park and Miller's generator: the same numbers in every language. */
function* parkMiller(): Generator<number, never> {
  for (let state = 1; ; ) {
    state = (16807 * state) % 2147483647;
    yield state / 2147483647;
  }
}

const TOY_ROWS = 200;
const TOY_WIDTH = 10;

function toyTable(): Table {
  const source = parkMiller();
  const draw = (): Float64Array => Float64Array.from({ length: TOY_ROWS }, () => source.next().value);
  const x = draw().map((u) => TOY_WIDTH * u);
  const noise = draw().map(normalQuantile);
  return makeTable([
    ["x", numericColumn(x)],
    ["y", numericColumn(x.map((value, i) => Math.cos(value) + noise[i]!))],
  ]);
}

/** Times the cross-validated parameter: degrees of freedom and distance from the truth in R. */
const TOY: readonly (readonly [name: string, times: number, edf: number, distance: number])[] = [
  ["λ by cross-validation", 1, 7.53081833227039, 0.196557761776183],
  ["1000 λ", 1000, 2.24029657561988, 0.666340041825672],
  ["λ / 1000", 0.001, 30.7212123559433, 0.340141190873226],
];
/** The criterion is flat around λ. */
const TOY_CLOSE = 1e-3;

const figureA1: Reproduction = shapeOf({
  id: "book-figure-a.1",
  where: "Figure A.1",
  shows: "what the smoothing parameter does to a curve",
  data: [],
  seconds: 2,
  lessons: [
    "The figure's 200 points were not published; these are drawn anew from the same law, Y = cos(X) + ε with X between 0 and 10.",
  ],
  run(lab) {
    const table = toyTable();
    const formula = 'y ~ s(x, bs = "cr", k = 40)';
    const best = fitGam(formula, table, { method: "GCV.Cp" });
    const lambda = best.smooths[0]!.sp[0]!;
    const x = numbersOf(table, "x");
    const fits = TOY.map(([name, times]) => ({
      name,
      fit: times === 1 ? best : fitGam(formula, table, { method: "GCV.Cp", sp: [times * lambda] }),
    }));
    const order = Array.from(x, (_, i) => i).sort((a, b) => x[a]! - x[b]!);
    const curve = (values: ArrayLike<number>) => order.map((i) => [x[i]!, values[i]!] as const);
    lab.show({
      kind: "scatter",
      name: "splines",
      x: "x",
      y: "y",
      panels: [
        {
          label: "Y = cos(X) + ε",
          points: Array.from(x, (value, i) => [value, numbersOf(table, "y")[i]!] as const),
          curves: [
            { name: "cos(x), the truth", points: curve(x.map(Math.cos)) },
            ...fits.map(({ name, fit }) => ({ name, points: curve(fit.fitted) })),
          ],
        },
      ],
    });
    const distance = (values: ArrayLike<number>): number =>
      Math.sqrt(x.reduce((sum, value, i) => sum + (values[i]! - Math.cos(value)) ** 2, 0) / x.length);
    return TOY.flatMap(([name, , edf, r], k) => [
      compareWith(`degrees of freedom, ${name}`, { r: edf, ours: fits[k]!.fit.edf }, { relative: TOY_CLOSE }),
      compareWith("  distance from cos(x)", { r, ours: distance(fits[k]!.fit.fitted) }, { relative: TOY_CLOSE }),
    ]);
  },
});

export const BOOK_SHAPES: readonly Reproduction[] = [figure27, figure28, figure217, figureA1];

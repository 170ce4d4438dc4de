/** Judged outputs with known truth, drawn again for every data set and handed to the functions behind `gosset judge`. */
import type { Column, Table } from "../../../src/data/table.ts";
import { normalQuantile } from "../../../src/numeric/dist/normal.ts";
import { makeRng, type Rng } from "../../../src/numeric/rng.ts";
import { nextJudge } from "../../../src/validity/judge/follow.ts";
import {
  type CorrectedSystem,
  type CorrectOptions,
  correctJudge,
  type JudgeEstimate,
} from "../../../src/validity/judge/judge.ts";
import { type JudgePlan, planJudge } from "../../../src/validity/judge/plan.ts";
import { predictionPowered } from "../../../src/validity/judge/prediction-powered.ts";

export const OUTPUTS = 2000;
export const SETS = 2000;

export interface Outcome {
  /** The interval holds the truth; of a difference: no verdict that is wrong. */
  readonly right: boolean;
  readonly none?: boolean;
  readonly width: number;
  readonly alone: number;
  /** Of PPI++ with its normal interval, and whether that holds the truth. */
  readonly ppi?: number;
  readonly ppiRight?: boolean;
  /** The judge alone claims a difference. */
  readonly naive?: boolean;
  readonly warned?: boolean;
  readonly leftOut?: boolean;
}

export interface Cell {
  readonly group: string;
  readonly name: string;
  /** What `right` is to reach, counted. */
  readonly least: number;
  /** Upper bounds of the mean widths against those of the labels alone and of PPI++. */
  readonly widest?: { readonly alone?: number; readonly ppi?: number };
  /** Warned in at least this share. */
  readonly warned?: number;
  draw(rng: Rng): Outcome;
}

export interface Row {
  readonly cell: Cell;
  readonly sets: number;
  readonly right: number;
  readonly none: number;
  readonly width: number;
  readonly ppi: number;
  readonly ppiRight: number;
  readonly naive: number;
  readonly warned: number;
  readonly leftOut: number;
}

export function runCell(cell: Cell, sets: number): Row {
  let [right, none, width, alone, ppi, ppiRight, naive, warned, leftOut] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let k = 0; k < sets; k++) {
    const own = cell.draw(makeRng(`judge ${cell.group} ${cell.name}`, k));
    if (own.none) none += 1;
    if (own.right) right += 1;
    if (!Number.isNaN(own.width)) {
      width += own.width;
      alone += own.alone;
      ppi += own.ppi ?? Number.NaN;
    }
    if (own.ppiRight) ppiRight += 1;
    if (own.naive) naive += 1;
    if (own.warned) warned += 1;
    if (own.leftOut) leftOut += 1;
  }
  const share = (count: number): number => count / sets;
  return {
    ...{ cell, sets, right: share(right), none: share(none), width: width / alone, ppi: width / ppi },
    ...{ ppiRight: share(ppiRight), naive: share(naive), warned: share(warned), leftOut: share(leftOut) },
  };
}

// ---- tables, whose columns of names are made once ----

const codes = (n: number, code: (i: number) => number): Int32Array => Int32Array.from({ length: n }, (_, i) => code(i));
const factor = (own: Int32Array, levels: readonly string[]): Column => ({
  kind: "factor",
  codes: own,
  levels,
  ordered: false,
});
const numeric = (values: Float64Array): Column => ({ kind: "numeric", values });

const NAMES = Array.from({ length: OUTPUTS }, (_, i) => `q${i}`);
const ITEM = factor(
  codes(OUTPUTS, (i) => i),
  NAMES,
);
const PAIRED_ITEM = factor(
  codes(2 * OUTPUTS, (i) => i >> 1),
  NAMES,
);
const SYSTEM = factor(
  codes(2 * OUTPUTS, (i) => i & 1),
  ["a", "b"],
);

const makeTable = (columns: readonly (readonly [string, Column])[]): Table => ({
  rows: columns[0]![1].kind === "numeric" ? columns[0]![1].values.length : columns[0]![1].codes.length,
  columns: new Map(columns),
});

/** n of the first N numbers, without replacement. */
export function drawRows(rng: Rng, n: number, of = OUTPUTS): Uint8Array {
  const chosen = new Uint8Array(of);
  let left = n;
  for (let i = 0; i < of && left > 0; i++) {
    if (rng.uniform() * (of - i) >= left) continue;
    chosen[i] = 1;
    left -= 1;
  }
  return chosen;
}

const holds = ({ lower, upper }: JudgeEstimate, truth: number): boolean => lower <= truth && truth <= upper;

// ---- 0/1 scores ----

type Rates = readonly [theta: number, sensitivity: number, specificity: number];

export const RATES: readonly Rates[] = [
  [0.7, 0.9, 0.7],
  [0.9, 0.95, 0.6],
  [0.5, 0.8, 0.8],
  [0.95, 0.97, 0.5],
  [0.3, 0.9, 0.9],
  [0.5, 0.7, 0.65],
  [0.8, 0.75, 0.6],
  [0.2, 0.65, 0.7],
  [0.6, 0.95, 0.4],
  [0.1, 0.7, 0.9],
  [0.05, 0.8, 0.95],
  [0.98, 0.98, 0.4],
  [0.4, 0.75, 0.95],
  [0.85, 0.85, 0.85],
  [0.95, 0.9, 0.9],
  [0.7, 0.6, 0.55],
];

const judgeOne = (rng: Rng, y: number, [se, sp]: readonly [number, number]): number =>
  rng.uniform() < (y === 1 ? se : 1 - sp) ? 1 : 0;

function passRate([theta, se, sp]: Rates, n: number): Cell {
  return {
    group: "0/1 scores",
    name: `pass rate ${theta}, Se ${se}, Sp ${sp}, ${n} labels`,
    least: se + sp >= 1.3 - 1e-9 ? 0.932 : 0,
    widest: { alone: 1.03, ...(n === 400 ? { ppi: 1.03 } : {}) },
    draw(rng) {
      const [human, judge] = [new Float64Array(OUTPUTS).fill(Number.NaN), new Float64Array(OUTPUTS)];
      const labeled = drawRows(rng, n);
      for (let i = 0; i < OUTPUTS; i++) {
        const y = rng.uniform() < theta ? 1 : 0;
        judge[i] = judgeOne(rng, y, [se, sp]);
        if (labeled[i] === 1) human[i] = y;
      }
      return answerOne({ human, judge, truth: theta }, n === 400);
    },
  };
}

interface Drawn {
  readonly human: Float64Array;
  readonly judge: Float64Array;
  readonly truth: number;
  readonly more?: readonly (readonly [string, Column])[];
  readonly options?: CorrectOptions;
}

function answerOne(
  { human, judge, truth, more = [], options = { drawn: "random" } }: Drawn,
  withPpi: boolean,
): Outcome {
  const table = makeTable([["item", ITEM], ["judge", numeric(judge)], ["human", numeric(human)], ...more]);
  const { systems, diagnostics } = correctJudge(table, { item: "item", system: "none", cluster: "none", ...options });
  const [{ corrected, labelsAlone, method }] = systems as [(typeof systems)[number]];
  return {
    right: method === "none" || holds(corrected, truth),
    none: method === "none",
    width: corrected.upper - corrected.lower,
    alone: labelsAlone.upper - labelsAlone.lower,
    ...(withPpi ? besidePpi(human, judge, truth) : {}),
    warned: diagnostics.some(
      ({ code }) => code === "FewOfAKind" || code === "LabelsNotRandom" || code === "SkewedLabels",
    ),
    leftOut: method === "labels alone",
  };
}

function besidePpi(human: Float64Array, judge: Float64Array, truth: number): Pick<Outcome, "ppi" | "ppiRight"> {
  const found = predictionPowered(human, judge);
  return { ppi: widthOf(found), ppiRight: holds(found, truth) };
}

const widthOf = ({ lower, upper }: { readonly lower: number; readonly upper: number }): number => upper - lower;

// ---- grades ----

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

const GRADES: Readonly<Record<string, (rng: Rng) => readonly [human: number, judge: number]>> = {
  "1-5, a judge that is mild": (rng) => {
    const u = rng.normal();
    return [
      within(Math.round(3.6 + u + 0.5 * rng.normal()), 1, 5),
      within(Math.round(4.2 + 0.8 * u + 0.6 * rng.normal()), 1, 5),
    ];
  },
  "1-5, mostly 5": (rng) => {
    const u = rng.normal();
    return [
      within(Math.round(4.6 + 0.9 * u + 0.4 * rng.normal()), 1, 5),
      within(Math.round(4.8 + 0.8 * u + 0.5 * rng.normal()), 1, 5),
    ];
  },
  "1-5, a judge that says little": (rng) => {
    const u = rng.normal();
    return [within(Math.round(3 + u), 1, 5), within(Math.round(3.5 + 0.3 * u + rng.normal()), 1, 5)];
  },
  "0-100": (rng) => {
    const u = rng.normal();
    return [
      within(Math.round(70 + 18 * u + 8 * rng.normal()), 0, 100),
      within(Math.round(80 + 12 * u + 8 * rng.normal()), 0, 100),
    ];
  },
  "0-100, a judge on a bent scale": (rng) => {
    const u = rng.uniform();
    return [
      within(Math.round(100 * u * u + 6 * rng.normal()), 0, 100),
      within(5 * Math.round(20 * Math.sqrt(u) + 0.8 * rng.normal()), 0, 100),
    ];
  },
  "0-100, long tail": (rng) => {
    const u = -Math.log(1 - rng.uniform());
    return [
      within(Math.round(100 - 12 * u * Math.exp(0.3 * rng.normal())), 0, 100),
      within(Math.round(100 - 14 * u * Math.exp(0.3 * rng.normal())), 0, 100),
    ];
  },
};

const TRUTH_DRAWS = 400_000;
const truths = new Map<string, number>();

function truthOf(name: string): number {
  const known = truths.get(name);
  if (known !== undefined) return known;
  const rng = makeRng(`judge truth ${name}`);
  let sum = 0;
  for (let i = 0; i < TRUTH_DRAWS; i++) sum += GRADES[name]!(rng)[0];
  truths.set(name, sum / TRUTH_DRAWS);
  return sum / TRUTH_DRAWS;
}

function grade(name: string, n: number): Cell {
  return {
    group: "grades",
    name: `${name}, ${n} labels`,
    least: 0.935,
    draw(rng) {
      const [human, judge] = [new Float64Array(OUTPUTS).fill(Number.NaN), new Float64Array(OUTPUTS)];
      const labeled = drawRows(rng, n);
      for (let i = 0; i < OUTPUTS; i++) {
        const [y, f] = GRADES[name]!(rng);
        judge[i] = f;
        if (labeled[i] === 1) human[i] = y;
      }
      return answerOne({ human, judge, truth: truthOf(name) }, false);
    },
  };
}

// ---- differences of two systems that people would pass alike ----

type Errors = readonly [se: number, sp: number];

export const DIFFERING: readonly (readonly [theta: number, a: Errors, b: Errors])[] = [
  [0.7, [0.9, 0.7], [0.9, 0.4]],
  [0.5, [0.8, 0.8], [0.7, 0.5]],
  [0.9, [0.95, 0.6], [0.9, 0.4]],
  [0.3, [0.9, 0.9], [0.7, 0.8]],
  [0.6, [0.95, 0.9], [0.85, 0.9]],
];

interface Design {
  /** Clusters that all items lie in, or of which these many are labeled whole. */
  readonly clusters?: number;
  readonly whole?: boolean;
  readonly raters?: number;
  /** Raters differ in which system they like. */
  readonly preferring?: boolean;
}

/** Clusters of ten items where whole clusters are labeled. */
const SMALL_CLUSTER = 10;

function difference([theta, a, b]: (typeof DIFFERING)[number], n: number, design: Design = {}): Cell {
  const { clusters = 0, whole = false, raters = 1, preferring = false } = design;
  const words = [
    ...(clusters > 0
      ? [whole ? `${clusters} of ${OUTPUTS / SMALL_CLUSTER} clusters labeled` : `all in ${clusters} clusters`]
      : []),
    ...(raters > 1 ? [`${raters} raters${preferring ? " with preferences" : ""}`] : []),
  ];
  const labels = whole ? clusters * SMALL_CLUSTER : n;
  const cut = normalQuantile(theta);
  const shared = 0.5;
  const all = whole ? OUTPUTS / SMALL_CLUSTER : clusters;
  return {
    group: "differences, none true",
    name: `pass rate ${theta}, Se ${a[0]} and ${b[0]}, Sp ${a[1]} and ${b[1]}, ${[...words, `${labels} labeled items`].join(", ")}`,
    least: 1 - 0.064,
    widest: { alone: 1.03 },
    draw(rng) {
      const [human, judge] = [new Float64Array(2 * OUTPUTS).fill(Number.NaN), new Float64Array(2 * OUTPUTS)];
      const voices = Array.from({ length: raters }, () => new Float64Array(2 * OUTPUTS).fill(Number.NaN));
      const likes = Array.from({ length: raters }, () => 0.06 * rng.normal());
      const labeledClusters = whole ? drawRows(rng, clusters, all) : undefined;
      const labeled = whole ? undefined : drawRows(rng, n);
      const effects = Array.from({ length: all }, () => [rng.normal(), rng.normal()] as const);
      const own = Math.sqrt(1 - shared ** 2 - (all > 0 ? 0.25 : 0));
      const cluster = codes(2 * OUTPUTS, (r) => (all > 0 ? Math.floor(((r >> 1) * all) / OUTPUTS) : 0));
      for (let i = 0; i < OUTPUTS; i++) {
        const c = cluster[2 * i]!;
        const isLabeled = whole ? labeledClusters![c] === 1 : labeled![i] === 1;
        const base = shared * rng.normal();
        for (const s of [0, 1] as const) {
          const u = base + (all > 0 ? 0.5 * effects[c]![s] : 0) + own * rng.normal();
          const y = u < cut ? 1 : 0;
          judge[2 * i + s] = judgeOne(rng, y, s === 0 ? a : b);
          if (!isLabeled) continue;
          human[2 * i + s] = y;
          for (let r = 0; r < raters && raters > 1; r++) {
            // a rater errs in one of ten; a preference moves that for one system
            const flip = rng.uniform() < 0.1;
            const liked = preferring && s === 1 && rng.uniform() < Math.abs(likes[r]!);
            voices[r]![2 * i + s] = liked ? (likes[r]! > 0 ? 1 : 0) : flip ? 1 - y : y;
          }
        }
      }
      const table = makeTable([
        ["item", PAIRED_ITEM],
        ["system", SYSTEM],
        ["judge", numeric(judge)],
        ...(raters > 1
          ? voices.map((values, r) => [`rater_${r + 1}`, numeric(values)] as const)
          : [["human", numeric(human)] as const]),
        ...(all > 0
          ? [
              [
                "cluster",
                factor(
                  cluster,
                  Array.from({ length: all }, (_, c) => `c${c}`),
                ),
              ] as const,
            ]
          : []),
      ]);
      const { differences, diagnostics } = correctJudge(table, {
        item: "item",
        system: "system",
        cluster: all > 0 ? "cluster" : "none",
        drawn: "random",
      });
      const { corrected, labelsAlone, judge: naive } = differences[0]!;
      return {
        right: corrected.verdict !== "BETTER" && corrected.verdict !== "WORSE",
        none: corrected.verdict === "NONE",
        width: widthOf(corrected),
        alone: widthOf(labelsAlone),
        naive: naive.verdict === "BETTER" || naive.verdict === "WORSE",
        warned: diagnostics.some(({ code }) => code === "FewLabeledItems" || code === "RatersGiven"),
      };
    },
  };
}

// ---- several judges, by regression on all ----

const PANEL: readonly (readonly [se: number, sp: number])[] = [
  [0.9, 0.6],
  [0.75, 0.8],
  [0.6, 0.7],
];

function panel(theta: number, n: number): Cell {
  return {
    group: "several judges",
    name: `pass rate ${theta}, three judges, ${n} labels`,
    least: 0.935,
    draw(rng) {
      const human = new Float64Array(OUTPUTS).fill(Number.NaN);
      const judges = PANEL.map(() => new Float64Array(OUTPUTS));
      const labeled = drawRows(rng, n);
      for (let i = 0; i < OUTPUTS; i++) {
        const y = rng.uniform() < theta ? 1 : 0;
        for (const [j, own] of judges.entries()) own[i] = judgeOne(rng, y, PANEL[j]!);
        if (labeled[i] === 1) human[i] = y;
      }
      const more = judges.slice(1).map((own, j) => [`judge_${j + 2}`, numeric(own)] as const);
      const judge = ["judge", ...more.map(([name]) => name)];
      return answerOne({ human, judge: judges[0]!, truth: theta, more, options: { judge, drawn: "random" } }, false);
    },
  };
}

// ---- labels that were not drawn at random ----

type Way = "by doubt" | "the most doubtful" | "the first rows" | "by doubt, with their weights";

function drawnBy(way: Way, n: number): Cell {
  const weighted = way === "by doubt, with their weights";
  return {
    group: "other draws",
    name: `${way}, ${n} labels`,
    least: weighted ? 0.935 : 0,
    ...(weighted ? {} : { warned: 0.9 }),
    draw(rng) {
      const [human, judge] = [new Float64Array(OUTPUTS).fill(Number.NaN), new Float64Array(OUTPUTS)];
      const truth = new Float64Array(OUTPUTS);
      const doubt = new Float64Array(OUTPUTS);
      let sum = 0;
      for (let i = 0; i < OUTPUTS; i++) {
        const u = 1.2 + 1.5 * rng.normal();
        truth[i] = rng.uniform() < 1 / (1 + Math.exp(-u)) ? 1 : 0;
        judge[i] = Math.round(100 / (1 + Math.exp(-u - 0.5 * rng.normal()))) / 100;
        doubt[i] = 0.05 + judge[i]! * (1 - judge[i]!);
        sum += doubt[i]!;
      }
      const chance = new Float64Array(OUTPUTS);
      const most = doubt.slice().sort()[OUTPUTS - n];
      for (let i = 0; i < OUTPUTS; i++) {
        chance[i] = Math.min(1, (n * doubt[i]!) / sum);
        const drawn =
          way === "the first rows"
            ? i < n
            : way === "the most doubtful"
              ? doubt[i]! >= most!
              : rng.uniform() < chance[i]!;
        if (drawn) human[i] = truth[i]!;
      }
      if (!weighted) return answerOne({ human, judge, truth: DOUBT_TRUTH, options: {} }, false);
      return answerOne(
        { human, judge, truth: DOUBT_TRUTH, more: [["chance", numeric(chance)]], options: { drawn: "weights:chance" } },
        false,
      );
    },
  };
}

/** E logistic(1.2 + 1.5 z), z normal: by quadrature. */
const DOUBT_TRUTH = meanLogistic(1.2, 1.5);

function meanLogistic(center: number, spread: number): number {
  const steps = 20_000;
  let sum = 0;
  for (let k = 0; k < steps; k++) sum += 1 / (1 + Math.exp(-center - spread * normalQuantile((k + 0.5) / steps)));
  return sum / steps;
}

// ---- labels bought one by one, and labels bought by a plan ----

/** As many labels as anybody would buy for two systems that people pass alike. */
const MOST_BOUGHT = 300;

function bought([theta, a, b]: (typeof DIFFERING)[number]): Cell {
  return {
    group: "looking after every label",
    name: `pass rate ${theta}, Se ${a[0]} and ${b[0]}, Sp ${a[1]} and ${b[1]}, up to ${MOST_BOUGHT} labels`,
    least: 0.95,
    draw(rng) {
      const [human, judge] = [new Float64Array(2 * OUTPUTS).fill(Number.NaN), new Float64Array(2 * OUTPUTS)];
      for (let i = 0; i < OUTPUTS; i++) {
        for (const s of [0, 1] as const) {
          const y = rng.uniform() < theta ? 1 : 0;
          judge[2 * i + s] = judgeOne(rng, y, s === 0 ? a : b);
          if (i < MOST_BOUGHT) human[2 * i + s] = y;
        }
      }
      const table = makeTable([
        ["item", PAIRED_ITEM],
        ["system", SYSTEM],
        ["judge", numeric(judge)],
        ["human", numeric(human)],
      ]);
      const { stoppedAt } = nextJudge(table, { item: "item", system: "system", cluster: "none" });
      return { right: stoppedAt === undefined, width: Number.NaN, alone: Number.NaN };
    },
  };
}

const plans = new Map<string, JudgePlan>();

function planned([theta, se, sp]: Rates, halfWidth: number): Cell {
  const name = `pass rate ${theta}, Se ${se}, Sp ${sp}, half-width ${halfWidth}`;
  return {
    group: "labels by a plan",
    name,
    least: 0.8,
    draw(rng) {
      const plan = plans.get(name) ?? planJudge({ passRate: theta, sensitivity: se, specificity: sp, halfWidth });
      plans.set(name, plan);
      const { labels, outputs } = plan.cheapest;
      const n = Math.max(labels, outputs);
      const [human, judge] = [new Float64Array(n).fill(Number.NaN), new Float64Array(n)];
      for (let i = 0; i < n; i++) {
        const y = rng.uniform() < theta ? 1 : 0;
        judge[i] = judgeOne(rng, y, [se, sp]);
        if (i < labels) human[i] = y;
      }
      const table = makeTable([
        ["judge", numeric(judge)],
        ["human", numeric(human)],
      ]);
      const [{ corrected, labelsAlone }] = correctJudge(table, { drawn: "random" }).systems as [CorrectedSystem];
      const width = widthOf(outputs === 0 ? labelsAlone : corrected);
      return { right: width <= 2 * halfWidth, width, alone: 2 * halfWidth };
    },
  };
}

const NUMBERS = [20, 50, 100, 400];

const PLANNED: readonly (readonly [Rates, number])[] = [
  [[0.7, 0.9, 0.7], 0.05],
  [[0.9, 0.95, 0.6], 0.04],
  [[0.5, 0.8, 0.8], 0.06],
  [[0.85, 0.85, 0.85], 0.05],
];

export const CELLS: readonly Cell[] = [
  ...DIFFERING.map(bought),
  ...PLANNED.map(([rates, halfWidth]) => planned(rates, halfWidth)),
  ...RATES.flatMap((rates) => NUMBERS.map((n) => passRate(rates, n))),
  ...Object.keys(GRADES).flatMap((name) => [30, 100, 400].map((n) => grade(name, n))),
  ...DIFFERING.flatMap((own) => NUMBERS.map((n) => difference(own, n))),
  ...DIFFERING.flatMap((own) => [8, 20].flatMap((clusters) => [50, 400].map((n) => difference(own, n, { clusters })))),
  ...DIFFERING.flatMap((own) => [8, 20].map((clusters) => difference(own, 0, { clusters, whole: true }))),
  ...DIFFERING.flatMap((own) => [2, 3].map((raters) => difference(own, 100, { raters }))),
  ...DIFFERING.slice(0, 2).flatMap((own) => [2, 3].map((raters) => difference(own, 100, { raters, preferring: true }))),
  ...[0.7, 0.9].flatMap((theta) => [30, 100, 400].map((n) => panel(theta, n))),
  ...(["by doubt", "the most doubtful", "the first rows", "by doubt, with their weights"] as const).flatMap((way) =>
    [50, 100, 400].map((n) => drawnBy(way, n)),
  ),
];

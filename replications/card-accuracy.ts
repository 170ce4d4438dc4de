/** Card et al. (2020): power to see a difference in accuracy, exactly where the paper simulated. */
import {
  accuracyFamily,
  type BenchmarkMde,
  benchmarkMde,
  computePower,
  OVERLAP_REGRESSIONS,
  preferenceFamily,
  simulatePower,
  tracePower,
} from "../src/power.ts";
import { powerRows } from "./power-rows.ts";
import { compareWith, explain, type Reproduction, type ReproductionRow, resultsFrom } from "./reproduction.ts";

const ENUMERATED = "full enumeration (Python 3.11, scipy)";
const cardResult = resultsFrom({ paper: "card2020", data: [], reference: ENUMERATED });

/** Task, items, best accuracy; printed in percent: binomial, regression, Lachenbruch's lower, middle, upper. */
type Task = readonly [task: string, n: number, best: number, printed: readonly string[]];

const TABLE_9: readonly Task[] = [
  ["WNLI", 147, 0.945, ["5.38", "5.26", "5.36", "5.42", "5.45"]],
  ["MRPC", 1725, 0.92, ["2.40", "1.62", "0.45", "1.91", "2.48"]],
  ["SST-2", 1821, 0.972, ["1.34", "1.02", "0.43", "1.10", "1.35"]],
  ["RTE", 3000, 0.917, ["1.89", "1.23", "0.26", "1.48", "1.96"]],
  ["QNLI", 5463, 0.975, ["0.77", "0.55", "0.14", "0.60", "0.78"]],
  ["MNLI-m", 9796, 0.916, ["1.08", "0.67", "0.08", "0.82", "1.12"]],
  ["MNLI-mm", 9847, 0.913, ["1.09", "0.68", "0.08", "0.84", "1.14"]],
  ["QQP", 390965, 0.91, ["0.18", "0.11", "8.45e-5", "0.13", "0.19"]],
  ["SQuAD 2.0", 8862, 0.90724, ["1.18", "0.556", "0.09", "0.91", "1.23"]],
];

/** The same five figures by R. */
const R_TABLE_9: Readonly<Record<string, readonly number[]>> = {
  WNLI: [5.37914724804548, 5.25930959104532, 5.33937396894496, 5.41909188233576, 5.44575152823],
  MRPC: [2.40064904727973, 1.6146791580155, 0.455007520831831, 1.90789417071667, 2.48024037341811],
  "SST-2": [1.34008842945023, 1.0202335744322, 0.431020303918127, 1.09857036687267, 1.35297903434058],
  RTE: [1.88800160082871, 1.22681353288407, 0.261629324478303, 1.47360896888215, 1.95728477557423],
  QNLI: [0.77110598636424, 0.546790261862945, 0.143673434639376, 0.599319269336835, 0.77876758971868],
  "MNLI-m": [1.07730274641856, 0.668457775873777, 0.0801233129272059, 0.820387608748649, 1.12083308187225],
  "MNLI-mm": [1.09257038433535, 0.67734197791818, 0.0797083348669553, 0.832743966260098, 1.13849780941699],
  QQP: [0.180516856043955, 0.106754907438902, 0.00200756582669781, 0.134417604651395, 0.189094066786755],
  "SQuAD 2.0": [1.18507347058624, 0.556199073509641, 0.0885678146507457, 0.906396739127142, 1.23831936798957],
};

/** Regression with the true exact test; NaN where no possible gain has the power, absent where R had not finished. */
const R_EXACT: Readonly<Record<string, number>> = {
  WNLI: Number.NaN,
  MRPC: 1.67006685042754,
  "SST-2": 1.07134701549859,
  RTE: 1.25912398051007,
  QNLI: 0.564363775185174,
  "MNLI-m": 0.678504935029886,
  "MNLI-mm": 0.687336585539923,
  "SQuAD 2.0": 0.568036200819503,
};

const LARGE = 100_000;
/** R's powers count significant results of both signs, and its roots are good to about this share. */
const ROOT = { relative: 3e-6 };
const UNIROOT =
  "R's uniroot stopped early (default tolerance 1.2e-4, for Lachenbruch on a step function); the equation itself gives ours.";
const TOLERANCE_PRINTED =
  "The print is uniroot's tolerance, and as a fraction: 0.00845% was meant; the formula gives 0.00201%.";

function taskRows([task, n, best, printed]: Task): ReproductionRow[] {
  const large = n > LARGE;
  const overlap = task === "SQuAD 2.0" ? OVERLAP_REGRESSIONS.squad : OVERLAP_REGRESSIONS.glue;
  const own = benchmarkMde({ n, baseline: best, overlap }, { tests: large ? [] : ["mcnemar-exact", "mcnemar-midp"] });
  const rows = figuresOf(own, large).map(([name, ours], k) => {
    const row = compareWith(
      `${task}, ${name}`,
      { published: printed[k], r: R_TABLE_9[task]![k]!, ours: 100 * ours },
      ROOT,
    );
    return explain(row, task === "QQP" && name === "lower" ? TOLERANCE_PRINTED : UNIROOT);
  });
  const exact = R_EXACT[task];
  if (exact === undefined) return rows;
  const note = Number.isNaN(exact) ? "No possible gain has a power of .8 with the exact test." : undefined;
  const ours = 100 * own.regression["mcnemar-exact"]!;
  rows.splice(2, 0, compareWith(`${task}, regression, exact`, { r: exact, ours }, { ...ROOT, note }));
  return rows;
}

const figuresOf = (
  { binomial, regression, lachenbruch }: BenchmarkMde,
  large: boolean,
): readonly (readonly [name: string, ours: number])[] => [
  ["binomial", binomial],
  large ? ["regression, normal", regression["normal"]!] : ["regression, mid-p", regression["mcnemar-midp"]!],
  ["lower", lachenbruch.lower],
  ["middle", lachenbruch.middle],
  ["upper", lachenbruch.upper],
];

const table9 = cardResult({
  id: "card-table-9",
  where: "Tables 2 and 9",
  shows: "minimum detectable effects of GLUE and SQuAD 2.0, in percent",
  reference: "power.prop.test and closed forms in R 4.2.2; regression by full enumeration",
  seconds: 3,
  lessons: [
    "The column printed as exact unconditional holds mid-p figures: the R function sums probabilities in order and can stop inside a symmetric pair. With the true exact test SST-2 is 1.07 instead of 1.02, MRPC 1.67 instead of 1.62, and WNLI has none. QQP is the normal approximation.",
    "Lower, middle and upper are Lachenbruch's bounds, which have closed forms: N = (z.975 + z.8)² d/Δ², with d = Δ, 1 - base, or 2(1 - base) - Δ.",
  ],
  run(lab) {
    return TABLE_9.flatMap((task, k) => {
      lab.progress(k, TABLE_9.length);
      return taskRows(task);
    });
  },
});

/** Items, difference, agreement; printed power, type M and type S, as far as they are; all three by enumeration. */
type ErrorCell = readonly [
  n: number,
  delta: number,
  agreement: number,
  printed: readonly string[],
  r: readonly [power: number, typeM: number, typeS: number],
  source?: "notebook",
];

const APPENDIX_C: readonly ErrorCell[] = [
  [500, 0.02, 0.9, ["0.25", "1.9"], [0.2493694268762507, 1.8916613973496965, 0.0009274099148632033]],
  [2000, 0.02, 0.9, ["0.80", "1.1"], [0.7914520955706973, 1.1274922870004631, 7.168186620939803e-7]],
  [500, 0.04, 0.9, [], [0.7854468985531974, 1.1284268571489997, 4.4675988751216236e-7]],
  [500, 0.02, 0.975, ["0.80", "1.118"], [0.7975770693932743, 1.115836164453335, 3.885497901447557e-8], "notebook"],
  [
    1000,
    0.02,
    0.42,
    ["0.119", "3.004", "0.022"],
    [0.12072967330301974, 2.997403922017924, 0.018809609821924467],
    "notebook",
  ],
  [1000, 0.02, 0.98, ["1.000", "0.995"], [0.9999359909331171, 1.000048912003558, 0], "notebook"],
];
const APPENDIX_C_NOTES: Readonly<Record<string, string>> = {
  "n = 2000, Δ = .02, 90%": 'The text says "nearly .80".',
  "n = 500, Δ = .04, 90%": "The text says that this would have the power: just below .8 with the exact test.",
  "n = 500, Δ = .02, 97.5%": "The text says that this would have the power and gives no number: just below .8.",
};

/** Of the paper's notebook. */
const TRIALS = 5000;
/** For a picture whose share has a standard error of .0015: with the paper's number it is off by a point or two. */
const DRAWN = 100_000;
/** Simulated type-M and type-S errors of the paper: four standard errors at that number of trials, rounded up. */
const TYPE_M_ERROR = 0.12;
const TYPE_S_ERROR = 0.025;
const ENUMERATION = 1e-9;

function errorRows([n, delta, agreement, printed, r, source]: ErrorCell): ReproductionRow[] {
  const name = `n = ${n}, Δ = ${String(delta).slice(1)}, ${100 * agreement}%`;
  const own = computePower(accuracyFamily, { n, delta, agreement, test: "mcnemar-exact" });
  const [power, typeM, typeS] = r.map((figure) => ({ tolerance: ENUMERATION * (Math.abs(figure) + 1) }));
  const how = [
    { ...power, trials: TRIALS, note: APPENDIX_C_NOTES[name], source },
    { ...typeM, publishedError: TYPE_M_ERROR, source },
    { ...typeS, publishedError: TYPE_S_ERROR, source },
  ];
  return powerRows(name, own, { r, printed, how });
}

const appendixC = cardResult({
  id: "card-appendix-c",
  where: "Appendix C",
  shows: "power, type-M and type-S errors of McNemar's exact test",
  seconds: 1,
  lessons: ["Appendix C and its notebook use the exact test, Table 2 the mid-p test: they are about different tests."],
  run: () => APPENDIX_C.flatMap(errorRows),
});

/** Agreement, items, difference; power, type M and type S by enumeration. */
const GRID: readonly (readonly [agreement: number, n: number, delta: number, ...r: number[]])[] = [
  [0.7, 5000, 0.01, 0.2436130089716623, 1.9955736082999262, 0.002151651303235436],
  [0.7, 5000, 0.02, 0.7249602302892564, 1.1781073409734448, 0.000003380952883269919],
  [0.7, 5000, 0.04, 0.999294332148747, 1.0004720288066684, 3.937381923990831e-13],
  [0.7, 1000, 0.01, 0.07494287453968557, 4.25172479821065, 0.059586890460347416],
  [0.7, 1000, 0.02, 0.19421092634738296, 2.223338308392654, 0.0038944549424244513],
  [0.7, 1000, 0.04, 0.6166930875070792, 1.267018402988785, 0.000012060967304185874],
  [0.7, 500, 0.01, 0.05125278666485225, 5.986155721026844, 0.12303557343413833],
  [0.7, 500, 0.02, 0.11029061358369854, 3.081323992547099, 0.019113349914671687],
  [0.7, 500, 0.04, 0.3423139315971597, 1.6537953828073435, 0.0003485421334338263],
  [0.95, 5000, 0.01, 0.8759584307899381, 1.0735637893837817, 1.1683431631259069e-7],
  [0.95, 5000, 0.02, 0.9999956032220401, 1.0000031702324532, 1.2109873139563975e-17],
  [0.95, 1000, 0.01, 0.2493246014296169, 1.8925997241305554, 0.000929879069867187],
  [0.95, 1000, 0.02, 0.7850075159953247, 1.128980004072204, 4.576504741940836e-7],
  [0.95, 1000, 0.04, 0.9999890007353939, 1.000007868282423, 3.678671317049762e-17],
  [0.95, 500, 0.01, 0.11873301286091295, 2.645974535879341, 0.0066288393375947725],
  [0.95, 500, 0.02, 0.4397598716958646, 1.437394499550063, 0.00003490914625074271],
  [0.95, 500, 0.04, 0.9892356724688659, 1.006514227783757, 3.66650829493272e-11],
];

/** As the paper's grid has them, agreement in the panels. */
const FIGURE_3_AXES = [
  { name: "delta", values: [0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04] },
  { name: "n", values: [500, 1000, 5000] },
  { name: "agreement", values: [0.7, 0.95] },
];

const figure3 = cardResult({
  id: "card-figures-3-7-8",
  where: "Figures 3, 7 and 8",
  shows: "power, type-M and type-S error by items, difference and agreement",
  seconds: 2,
  async run(lab) {
    lab.show({
      kind: "result",
      name: "accuracy",
      result: await tracePower(accuracyFamily, { test: "mcnemar-exact" }, { axes: FIGURE_3_AXES }),
    });
    return GRID.flatMap(([agreement, n, delta, ...r]) => {
      const own = computePower(accuracyFamily, { n, delta, agreement, test: "mcnemar-exact" });
      const how = r.map((figure) => ({ tolerance: ENUMERATION * Math.max(Math.abs(figure), 1e-6) }));
      return powerRows(`n = ${n}, Δ = ${delta}, ${100 * agreement}%`, own, { r, how });
    });
  },
});

/** Items; printed power; power and type M by enumeration. */
const FIGURE_1: readonly (readonly [n: number, printed: string, power: number, typeM: number])[] = [
  [100, "0.826", 0.8275849957487509, 1.0992604420256022],
  [25, "0.305", 0.30607823219610647, 1.7281093849020965],
];

const figure1 = cardResult({
  id: "card-figure-1",
  where: "Figure 1",
  shows: "power to see that 65% prefer one system",
  seconds: 1,
  lessons: ['The paper says "over 80%" and "≈ 30%", both of which hold; the three digits are those of its notebook.'],
  async run(lab) {
    const rows: ReproductionRow[] = [];
    for (const [n, printed, ...r] of FIGURE_1) {
      const params = { n, win: 0.65 };
      const drawn = await simulatePower(preferenceFamily, params, { rng: lab.rng.stream(n), replicates: DRAWN });
      lab.show({ kind: "result", name: `${n} judgements`, result: drawn });
      const own = computePower(preferenceFamily, params);
      rows.push(
        ...powerRows(`n = ${n}`, own, { r, printed: [printed], how: [{ trials: TRIALS, source: "notebook" }] }),
      );
    }
    return rows;
  },
});

export const CARD_ACCURACY: readonly Reproduction[] = [figure1, figure3, table9, appendixC];

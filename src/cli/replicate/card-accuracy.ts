/** Card et al. (2020): power to see a difference in accuracy, exactly where the paper simulated. */
import {
  accuracyFamily,
  type BenchmarkMde,
  benchmarkMde,
  computePower,
  OVERLAP_REGRESSIONS,
  preferenceFamily,
} from "../../index.ts";
import { compareWith, explain, near, type Reproduction, type ReproductionRow, simulated } from "./reproduction.ts";

interface Task {
  readonly task: string;
  readonly n: number;
  readonly best: number;
  /** Binomial, regression, Lachenbruch's lower, middle, upper; percent. */
  readonly printed: readonly [string, string, string, string, string];
  readonly r: readonly [number, number, number, number, number];
  /** With the true exact test; NaN where no possible gain has the power, undefined where R had not finished. */
  readonly exact: number | undefined;
}

const TASKS: readonly Task[] = [
  {
    task: "WNLI",
    n: 147,
    best: 0.945,
    printed: ["5.38", "5.26", "5.36", "5.42", "5.45"],
    r: [5.37914724804548, 5.25930959104532, 5.33937396894496, 5.41909188233576, 5.44575152823],
    exact: Number.NaN,
  },
  {
    task: "MRPC",
    n: 1725,
    best: 0.92,
    printed: ["2.40", "1.62", "0.45", "1.91", "2.48"],
    r: [2.40064904727973, 1.6146791580155, 0.455007520831831, 1.90789417071667, 2.48024037341811],
    exact: 1.67006685042754,
  },
  {
    task: "SST-2",
    n: 1821,
    best: 0.972,
    printed: ["1.34", "1.02", "0.43", "1.10", "1.35"],
    r: [1.34008842945023, 1.0202335744322, 0.431020303918127, 1.09857036687267, 1.35297903434058],
    exact: 1.07134701549859,
  },
  {
    task: "RTE",
    n: 3000,
    best: 0.917,
    printed: ["1.89", "1.23", "0.26", "1.48", "1.96"],
    r: [1.88800160082871, 1.22681353288407, 0.261629324478303, 1.47360896888215, 1.95728477557423],
    exact: 1.25912398051007,
  },
  {
    task: "QNLI",
    n: 5463,
    best: 0.975,
    printed: ["0.77", "0.55", "0.14", "0.60", "0.78"],
    r: [0.77110598636424, 0.546790261862945, 0.143673434639376, 0.599319269336835, 0.77876758971868],
    exact: 0.564363775185174,
  },
  {
    task: "MNLI-m",
    n: 9796,
    best: 0.916,
    printed: ["1.08", "0.67", "0.08", "0.82", "1.12"],
    r: [1.07730274641856, 0.668457775873777, 0.0801233129272059, 0.820387608748649, 1.12083308187225],
    exact: 0.678504935029886,
  },
  {
    task: "MNLI-mm",
    n: 9847,
    best: 0.913,
    printed: ["1.09", "0.68", "0.08", "0.84", "1.14"],
    r: [1.09257038433535, 0.67734197791818, 0.0797083348669553, 0.832743966260098, 1.13849780941699],
    exact: 0.687336585539923,
  },
  {
    task: "QQP",
    n: 390965,
    best: 0.91,
    printed: ["0.18", "0.11", "8.45e-5", "0.13", "0.19"],
    r: [0.180516856043955, 0.106754907438902, 0.00200756582669781, 0.134417604651395, 0.189094066786755],
    exact: undefined,
  },
  {
    task: "SQuAD 2.0",
    n: 8862,
    best: 0.90724,
    printed: ["1.18", "0.556", "0.09", "0.91", "1.23"],
    r: [1.18507347058624, 0.556199073509641, 0.0885678146507457, 0.906396739127142, 1.23831936798957],
    exact: 0.568036200819503,
  },
];

const LARGE = 100_000;
/** R's powers count significant results of both signs, and its roots are good to about this share. */
const ROOT = 3e-6;
const UNIROOT =
  "R's uniroot stopped early (default tolerance 1.2e-4, for Lachenbruch on a step function); the equation itself gives ours.";

function taskRows(row: Task): ReproductionRow[] {
  const { task, n, best, printed, r, exact } = row;
  const large = n > LARGE;
  const overlap = task === "SQuAD 2.0" ? OVERLAP_REGRESSIONS.squad : OVERLAP_REGRESSIONS.glue;
  const own = benchmarkMde({ n, baseline: best, overlap }, { tests: large ? [] : ["mcnemar-exact", "mcnemar-midp"] });
  const figures = columnsOf(own, large);
  const names = ["binomial", large ? "regression, normal" : "regression, mid-p", "lower", "middle", "upper"];
  const rows = names.map((name, k): ReproductionRow => {
    const compared = { published: printed[k]!, r: r[k]!, ours: 100 * figures[k]! };
    return explain(compareWith(`${task}, ${name}`, compared, { relative: ROOT }), largeNote(task, k));
  });
  if (exact === undefined) return rows;
  const ours = 100 * own.regression["mcnemar-exact"]!;
  const none = Number.isNaN(exact) ? { note: "No possible gain has a power of .8 with the exact test." } : {};
  rows.splice(2, 0, { name: `${task}, regression, exact`, r: exact, ours, tolerance: near(exact, ROOT), ...none });
  return rows;
}

const columnsOf = ({ binomial, regression, lachenbruch }: BenchmarkMde, large: boolean): readonly number[] => [
  binomial,
  regression[large ? "normal" : "mcnemar-midp"]!,
  lachenbruch.lower,
  lachenbruch.middle,
  lachenbruch.upper,
];

const LOWER = 2;

const largeNote = (task: string, k: number): string =>
  task === "QQP" && k === LOWER
    ? "The print is uniroot's tolerance, and as a fraction: 0.00845% was meant; the formula gives 0.00201%."
    : UNIROOT;

const table9: Reproduction = {
  id: "card-table-9",
  paper: "card2020",
  where: "Tables 2 and 9",
  shows: "minimum detectable effects of GLUE and SQuAD 2.0, in percent",
  data: [],
  reference: "power.prop.test and closed forms in R 4.2.2; regression by full enumeration",
  seconds: 3,
  lessons: [
    "The column printed as exact unconditional holds mid-p figures: the R function sums probabilities in order and can stop inside a symmetric pair. With the true exact test SST-2 is 1.07 instead of 1.02, MRPC 1.67 instead of 1.62, and WNLI has none. QQP is the normal approximation.",
    "Lower, middle and upper are Lachenbruch's bounds, which have closed forms: N = (z.975 + z.8)² d/Δ², with d = Δ, 1 - base, or 2(1 - base) - Δ.",
  ],
  run(lab) {
    return TASKS.flatMap((task, k) => {
      lab.progress(k, TASKS.length);
      return taskRows(task);
    });
  },
};

interface Case {
  readonly name: string;
  readonly n: number;
  readonly delta: number;
  readonly agreement: number;
  readonly printed: { readonly power?: string; readonly typeM?: string; readonly typeS?: string };
  readonly r: readonly [power: number, typeM: number, typeS: number];
  readonly note?: string;
}

const APPENDIX_C: readonly Case[] = [
  {
    name: "n = 500, Δ = .02, 90%",
    n: 500,
    delta: 0.02,
    agreement: 0.9,
    printed: { power: "0.25", typeM: "1.9" },
    r: [0.2493694268762507, 1.8916613973496965, 0.0009274099148632033],
  },
  {
    name: "n = 2000, Δ = .02, 90%",
    n: 2000,
    delta: 0.02,
    agreement: 0.9,
    printed: { power: "0.80", typeM: "1.1" },
    r: [0.7914520955706973, 1.1274922870004631, 7.168186620939803e-7],
    note: 'The text says "nearly .80".',
  },
  {
    name: "n = 500, Δ = .04, 90%",
    n: 500,
    delta: 0.04,
    agreement: 0.9,
    printed: {},
    r: [0.7854468985531974, 1.1284268571489997, 4.4675988751216236e-7],
    note: "The text says that this would have the power: just below .8 with the exact test.",
  },
  {
    name: "n = 500, Δ = .02, 97.5%",
    n: 500,
    delta: 0.02,
    agreement: 0.975,
    printed: { power: "0.80", typeM: "1.118" },
    r: [0.7975770693932743, 1.115836164453335, 3.885497901447557e-8],
  },
  {
    name: "n = 1000, Δ = .02, 42%",
    n: 1000,
    delta: 0.02,
    agreement: 0.42,
    printed: { power: "0.119", typeM: "3.004", typeS: "0.022" },
    r: [0.12072967330301974, 2.997403922017924, 0.018809609821924467],
  },
  {
    name: "n = 1000, Δ = .02, 98%",
    n: 1000,
    delta: 0.02,
    agreement: 0.98,
    printed: { power: "1.000", typeM: "0.995" },
    r: [0.9999359909331171, 1.000048912003558, 0],
  },
];

/** Of the paper's notebook. */
const TRIALS = 5000;
/** Simulated type-M and type-S errors of the paper: four standard errors at that number of trials, rounded up. */
const TYPE_M_ERROR = 0.12;
const TYPE_S_ERROR = 0.025;
const ENUMERATION = 1e-9;

const appendixC: Reproduction = {
  id: "card-appendix-c",
  paper: "card2020",
  where: "Appendix C",
  shows: "power, type-M and type-S errors of McNemar's exact test",
  data: [],
  reference: "full enumeration (Python 3.11, scipy)",
  seconds: 1,
  lessons: ["Appendix C and its notebook use the exact test, Table 2 the mid-p test: they are about different tests."],
  run: () =>
    APPENDIX_C.flatMap(({ name, n, delta, agreement, printed, r, note }) => {
      const own = computePower(accuracyFamily, { n, delta, agreement, test: "mcnemar-exact" });
      const row = (label: string, k: 0 | 1 | 2, ours: number, published?: string): ReproductionRow => ({
        ...compareWith(label, { r: r[k], ours, ...(published === undefined ? {} : { published }) }),
        tolerance: near(r[k], ENUMERATION) + ENUMERATION,
      });
      const power = row(`power, ${name}`, 0, own.power, printed.power);
      const powerRow = {
        ...(printed.power === undefined ? power : simulated(power, TRIALS)),
        ...(note === undefined ? {} : { note }),
      };
      return [
        powerRow,
        { ...row("  type M", 1, own.typeM, printed.typeM), publishedError: TYPE_M_ERROR },
        { ...row("  type S", 2, own.typeS, printed.typeS), publishedError: TYPE_S_ERROR },
      ];
    }),
};

/** Agreement, items, difference; power and type M by enumeration. */
const GRID: readonly (readonly [agreement: number, n: number, delta: number, power: number, typeM: number])[] = [
  [0.7, 5000, 0.01, 0.2436130089716623, 1.9955736082999262],
  [0.7, 5000, 0.02, 0.7249602302892564, 1.1781073409734448],
  [0.7, 5000, 0.04, 0.999294332148747, 1.0004720288066684],
  [0.7, 1000, 0.01, 0.07494287453968557, 4.25172479821065],
  [0.7, 1000, 0.02, 0.19421092634738296, 2.223338308392654],
  [0.7, 1000, 0.04, 0.6166930875070792, 1.267018402988785],
  [0.7, 500, 0.01, 0.05125278666485225, 5.986155721026844],
  [0.7, 500, 0.02, 0.11029061358369854, 3.081323992547099],
  [0.7, 500, 0.04, 0.3423139315971597, 1.6537953828073435],
  [0.95, 5000, 0.01, 0.8759584307899381, 1.0735637893837817],
  [0.95, 5000, 0.02, 0.9999956032220401, 1.0000031702324532],
  [0.95, 1000, 0.01, 0.2493246014296169, 1.8925997241305554],
  [0.95, 1000, 0.02, 0.7850075159953247, 1.128980004072204],
  [0.95, 1000, 0.04, 0.9999890007353939, 1.000007868282423],
  [0.95, 500, 0.01, 0.11873301286091295, 2.645974535879341],
  [0.95, 500, 0.02, 0.4397598716958646, 1.437394499550063],
  [0.95, 500, 0.04, 0.9892356724688659, 1.006514227783757],
];

const figure3: Reproduction = {
  id: "card-figures-3-7-8",
  paper: "card2020",
  where: "Figures 3, 7 and 8",
  shows: "power and type-M error by items, difference and agreement",
  data: [],
  reference: "full enumeration (Python 3.11, scipy)",
  seconds: 2,
  run: () =>
    GRID.flatMap(([agreement, n, delta, power, typeM]) => {
      const own = computePower(accuracyFamily, { n, delta, agreement, test: "mcnemar-exact" });
      return [
        compareWith(
          `power, n = ${n}, Δ = ${delta}, ${100 * agreement}%`,
          { r: power, ours: own.power },
          { relative: ENUMERATION },
        ),
        compareWith("  type M", { r: typeM, ours: own.typeM }, { relative: ENUMERATION }),
      ];
    }),
};

const figure1: Reproduction = {
  id: "card-figure-1",
  paper: "card2020",
  where: "Figure 1",
  shows: "power to see that 65% prefer one system",
  data: [],
  reference: "full enumeration (Python 3.11, scipy)",
  seconds: 1,
  run: () =>
    [
      { n: 100, published: "0.826", power: 0.8275849957487509, typeM: 1.0992604420256022 },
      { n: 25, published: "0.305", power: 0.30607823219610647, typeM: 1.7281093849020965 },
    ].flatMap(({ n, published, power, typeM }) => {
      const own = computePower(preferenceFamily, { n, win: 0.65 });
      return [
        simulated(compareWith(`power, n = ${n}`, { published, r: power, ours: own.power }), TRIALS),
        compareWith("  type M", { r: typeM, ours: own.typeM }),
      ];
    }),
};

export const CARD_ACCURACY: readonly Reproduction[] = [figure1, figure3, table9, appendixC];

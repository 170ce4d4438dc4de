/** Card et al. (2020): claimed improvements on GLUE, what they were to be expected to be, and whether they could be seen. */

import { aggregate, factorColumn, fitLm, makeTable, numericColumn, predict, selectRows, type Table } from "../src/index.ts";
import { filterRows, type LmFit, mutateTable } from "../src/models.ts";
import {
  type ClaimsInput,
  type ClaimsSummary,
  claimLimits,
  claimsReachingMde,
  fitEffectHistory,
  judgeClaims,
  OVERLAP_REGRESSIONS,
} from "../src/power.ts";
import { correlationTest } from "../src/tests.ts";
import { momentsOf, numbersOf, quantileOf, textsOf } from "./cells.ts";
import {
  compareWith,
  explain,
  type Lab,
  type Reproduction,
  type ReproductionRow,
  resultsFrom,
} from "./reproduction.ts";

const ANNOTATIONS = "card2020/glue_paper_annotations.csv";
const SIZES = "card2020/glue_test_set_sizes.csv";
const R = "R 4.2.2 (stats)";
const claimsResult = resultsFrom({ paper: "card2020", data: [ANNOTATIONS, SIZES], reference: R });
const COLUMNS = { baseline: "previous_best", candidate: "model_accuracy", task: "task" };

/** Rows that claim to improve on the best earlier result. */
function claimRows(table: Table): Int32Array {
  const [best, claimed] = [textsOf(table, "sota_comparison"), textsOf(table, "claimed_improvement")];
  return Int32Array.from(best.flatMap((text, i) => (text.trim() === "Y" && claimed[i]!.trim() === "Y" ? [i] : [])));
}

async function readClaims(lab: Lab): Promise<{ input: ClaimsInput; claims: Table }> {
  const sizes = await lab.table(SIZES);
  const [tasks, counts] = [textsOf(sizes, "task"), numbersOf(sizes, "size")];
  const table = await lab.table(ANNOTATIONS);
  const claims = claimRows(table);
  const input = {
    table,
    columns: COLUMNS,
    claims,
    sizes: new Map(tasks.map((task, i) => [task, counts[i]!])),
    overlap: OVERLAP_REGRESSIONS.glue,
  };
  const kept = selectRows(table, claims);
  const sorted = [...new Set(textsOf(kept, "task"))].sort();
  const task = factorColumn(textsOf(kept, "task"), { levels: sorted });
  const columns = ["previous_best", "model_accuracy"].map(
    (name) => [name, numericColumn(numbersOf(kept, name))] as const,
  );
  return { input, claims: makeTable([["task", task], ...columns]) };
}

/** Coefficient, printed estimate and standard error, R's estimate and standard error. */
const TABLE_7: readonly (readonly [name: string, printed: string, printedSe: string, r: number, se: number])[] = [
  ["(Intercept)", "24.342", "2.837", 24.3419838997212, 2.83729377853486],
  ["baseline", "-0.264", "0.032", -0.264478713361109, 0.0317635793679672],
  ["taskMNLI-mm", "0.150", "0.621", 0.150217213799095, 0.621117848443166],
  ["taskMRPC", "0.023", "0.622", 0.023286608355341, 0.622366545686753],
  ["taskQNLI", "2.139", "0.639", 2.13868476625544, 0.638906564630091],
  ["taskQQP", "-0.195", "0.719", -0.194768420023064, 0.718562388188834],
  ["taskRTE", "1.018", "0.628", 1.01839805093362, 0.628268114790566],
  ["taskSST-2", "1.536", "0.686", 1.53627927303176, 0.685541468070619],
  ["taskWNLI", "-0.520", "0.789", -0.519787398400551, 0.789256352237845],
];

/** Task, best accuracy so far, predicted improvement: printed and R's. */
const PREDICTED: readonly (readonly [task: string, best: number, printed: string, r: number])[] = [
  ["WNLI", 94.5, "-1.17", -1.17104191130414],
  ["MRPC", 92, "0.03", 0.0332288788545255],
  ["SST-2", 97.2, "0.18", 0.170932234053179],
  ["RTE", 91.7, "1.11", 1.10768393544114],
  ["QNLI", 97.5, "0.69", 0.693994113268526],
  ["MNLI-m", 91.6, "0.12", 0.115733755843628],
  ["MNLI-mm", 91.3, "0.34", 0.345294583651056],
  ["QQP", 91, "0.08", 0.079652563837228],
];

function predictImprovement(fit: LmFit, task: string, best: number): number {
  const learned = fit.design.schema.columns.get("task");
  const levels = learned?.kind === "factor" ? learned.levels : [];
  const row = makeTable([
    ["baseline", numericColumn([best])],
    ["task", factorColumn([task], { levels })],
  ]);
  return predict(fit, row).value[0]!;
}

const table7 = claimsResult({
  id: "card-table-7",
  where: "Table 7",
  shows: "improvement by baseline and GLUE task",
  seconds: 1,
  async run(lab) {
    const { claims } = await readClaims(lab);
    const fit = fitEffectHistory(claims, COLUMNS);
    const estimates = new Map(fit.coefficients.map((own) => [own.name, own]));
    const coefficients = TABLE_7.flatMap(([name, published, publishedSe, r, se]) => [
      compareWith(name, { published, r, ours: estimates.get(name)!.value }),
      compareWith("  standard error", { published: publishedSe, r: se, ours: estimates.get(name)!.se }),
    ]);
    const predicted = PREDICTED.map(([task, best, published, r]) =>
      explain(
        compareWith(`predicted, ${task}`, { published, r, ours: predictImprovement(fit, task, best) }),
        task === "SST-2"
          ? "The authors' notebook predicts at 97.2, where its regression gives .171 on their file; .18 would need an accuracy of 97.15 to 97.18, which it has nowhere."
          : "The notebook's regression gives .345 at 91.3, which is not cut elsewhere: RTE's 1.108 is printed 1.11.",
      ),
    );
    return [
      ...coefficients,
      compareWith("comparisons", { published: "61", r: 61, ours: fit.nobs }),
      compareWith("R²", { published: "0.690", r: 0.689807038510353, ours: fit.rSquared }),
      compareWith("residual SD", { published: "1.309", r: 1.30874622769348, ours: fit.residualSd }),
      compareWith("F", { published: "14.455", r: 14.4546985488804, ours: fit.fTest.statistic }),
      ...predicted,
    ];
  },
});

/** Task: claims, correlation of improvement and baseline, slope. */
const FIGURE_13: readonly (readonly [task: string, n: number, correlation: number, slope: number])[] = [
  ["MNLI-m", 10, -0.7780268854578929, -0.3608093742745077],
  ["MNLI-mm", 8, -0.8032651370649504, -0.3854373378110209],
  ["RTE", 10, -0.8753400309854023, -0.3430988114469305],
  ["QNLI", 9, -0.9254506618697914, -0.3792163456639155],
  ["QQP", 5, -0.3395538302728524, -0.1666666666666652],
  ["SST-2", 7, -0.7077395544349936, -0.2398594377510059],
  ["MRPC", 8, -0.6357064082575108, -0.150947720657332],
  ["WNLI", 4, -0.3757917382875329, -0.05596350445201743],
];

const figure13 = claimsResult({
  id: "card-figure-13",
  where: "Figure 13",
  shows: "improvement against baseline, by GLUE task",
  seconds: 1,
  async run(lab) {
    const { claims } = await readClaims(lab);
    const all = fitEffectHistory(claims, COLUMNS);
    const withEffect = mutateTable(claims, "effect = model_accuracy - previous_best");
    const ofTask = (task: string): Table => filterRows(withEffect, `task == "${task}"`);
    lab.show({
      kind: "scatter",
      name: "improvements",
      x: "accuracy of the baseline, %",
      y: "improvement, points",
      panels: FIGURE_13.map(([task]) => {
        const own = correlationTest(numbersOf(ofTask(task), "previous_best"), numbersOf(ofTask(task), "effect"));
        return { label: `${task}: r ${own.effect.value.toFixed(2).replace("-", "−")}`, ...own.series };
      }),
    });
    return [
      compareWith("R² of Table 7's regression", { published: "0.69", r: 0.689807038510353, ours: all.rSquared }),
      ...FIGURE_13.flatMap(([task, n, r, slope]) => {
        const own = fitLm("effect ~ previous_best", ofTask(task));
        const sign = Math.sign(own.coefficients[1]!.value);
        return [
          compareWith(`${task}: claims`, { r: n, ours: own.nobs }),
          compareWith("  correlation", { r, ours: sign * Math.sqrt(own.rSquared) }),
          compareWith("  slope", { r: slope, ours: own.coefficients[1]!.value }),
        ];
      }),
    ];
  },
});

/** Task, printed mean, standard error and number; R's mean and standard error. */
const MEANS: readonly (readonly [task: string, mean: string, se: string, n: string, rMean: number, rSe: number])[] = [
  ["WNLI", "1.72", "0.917", "4", 1.725, 0.916856041044613],
  ["MRPC", "0.625", "0.234", "8", 0.625, 0.234330352890347],
  ["SST-2", "0.571", "0.197", "7", 0.571428571428571, 0.197260144544838],
  ["RTE", "3.89", "1.23", "10", 3.89, 1.23012646143033],
  ["QNLI", "1.31", "0.552", "9", 1.31111111111111, 0.552379812076911],
  ["MNLI-m", "0.97", "0.442", "10", 0.97, 0.442229201508298],
  ["MNLI-mm", "1.29", "0.55", "8", 1.2875, 0.550466522921369],
  ["QQP", "0.36", "0.121", "5", 0.36, 0.120830459735946],
];

const meanEffects = claimsResult({
  id: "card-table-9-effects",
  where: "Table 9 (|Δ|), Figure 12",
  shows: "mean claimed improvement by task",
  seconds: 1,
  lessons: [
    "The column is said to hold positive effects; one of the four WNLI claims is not positive. QQP and MRPC rows mix accuracy with F1.",
  ],
  async run(lab) {
    const { claims, input } = await readClaims(lab);
    const withEffect = mutateTable(claims, "effect = model_accuracy - previous_best");
    const summary = aggregate(
      withEffect,
      ["task"],
      [
        { column: "effect", summary: "mean", as: "mean" },
        { column: "effect", summary: "sd", as: "sd" },
        { column: "effect", summary: "count", as: "n" },
      ],
    );
    const tasks = textsOf(summary, "task");
    const [mean, sd, n] = ["mean", "sd", "n"].map((name) => numbersOf(summary, name)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    const rows = MEANS.flatMap(([task, publishedMean, publishedSe, count, rMean, rSe]) => {
      const k = tasks.indexOf(task);
      return [
        compareWith(`mean, ${task}`, { published: publishedMean, r: rMean, ours: mean[k]! }),
        compareWith("  standard error", { published: publishedSe, r: rSe, ours: sd[k]! / Math.sqrt(n[k]!) }),
        compareWith("  claims", { published: count, r: Number(count), ours: n[k]! }),
      ];
    });
    return [...rows, ...allRows(input.table, claims)];
  },
});

/** Caption of Figure 12, over all comparisons. */
function allRows(table: Table, claims: Table): ReproductionRow[] {
  const [before, after] = [numbersOf(table, "previous_best"), numbersOf(table, "model_accuracy")];
  const effects = before.map((value, i) => after[i]! - value);
  const { mean, sd } = momentsOf(effects);
  return [
    explain(compareWith("comparisons", { published: "119", r: 118, ours: table.rows }), "The file has 118 rows."),
    explain(
      compareWith("claims", { published: "57", r: 61, ours: claims.rows }),
      "61 are claimed improvements over the state of the art; 57 is what Table 10 keeps of them.",
    ),
    compareWith("mean effect", { published: "0.959", r: 0.959322033898305, ours: mean }),
    compareWith("  standard error", {
      published: "0.23",
      r: 0.232762190692159,
      ours: sd / Math.sqrt(effects.length),
    }),
  ];
}

const table10 = claimsResult({
  id: "card-table-10",
  where: "Table 10, section 3.3",
  shows: "would the claimed improvements have been seen?",
  seconds: 1,
  lessons: [
    '"Approximately 80% of the experiments with enough power would also have been significant" is .368/.456, a share of the underpowered; of the powered it is 68%.',
    "The paper's leave-one-out drops another row than the claim: an index into the filtered table is applied to the full one. Done properly 56 claims stay; the last rows are theirs.",
  ],
  async run(lab) {
    const { input } = await readClaims(lab);
    const published = judgeClaims(input, "published");
    return [...asPublished(published), ...properly(judgeClaims(input, "claim"))];
  },
});

function asPublished({ claims, powered, significant, significantAndPowered }: ClaimsSummary): ReproductionRow[] {
  const power = claims.map((claim) => claim.power);
  const p = claims.map((claim) => claim.p);
  const inverted = "The printed .456 is the share with power BELOW .8: more than half had enough, not 46%.";
  return [
    compareWith("claims kept", { published: "57", r: 57, ours: claims.length }),
    compareWith("power, mean", { published: "0.698", r: 0.697774914399786, ours: momentsOf(power).mean }),
    compareWith("  sd", { published: "0.352", r: 0.352485524094878, ours: momentsOf(power).sd }),
    compareWith("  least", { published: "0.034", r: 0.0336671076251207, ours: Math.min(...power) }),
    compareWith("  first quartile", { published: "0.407", r: 0.406540545532009, ours: quantileOf(power, 0.25) }),
    compareWith("  third quartile", { published: "1.000", r: 0.999923977694725, ours: quantileOf(power, 0.75) }),
    compareWith("p, mean", { published: "0.220", r: 0.220426140244477, ours: momentsOf(p).mean }),
    compareWith("  sd", { published: "0.283", r: 0.28281903496378, ours: momentsOf(p).sd }),
    compareWith("  third quartile", { published: "0.348", r: 0.348496620481924, ours: quantileOf(p, 0.75) }),
    compareWith("powered", { published: "0.456", r: 0.543859649122807, ours: powered }, { note: inverted }),
    compareWith("significant", { published: "0.509", r: 0.508771929824561, ours: significant }),
    compareWith("both", { published: "0.368", r: 0.368421052631579, ours: significantAndPowered }),
    compareWith(
      "significant of the powered",
      { published: "0.80", r: 0.67741935483871, ours: significantAndPowered / powered },
      { note: "The printed 80% divides by the share of the underpowered." },
    ),
  ];
}

function properly({ claims, powered, significant, significantAndPowered }: ClaimsSummary): ReproductionRow[] {
  return [
    compareWith("properly: claims kept", { r: 56, ours: claims.length }),
    compareWith("  powered", { r: 0.535714285714286, ours: powered }),
    compareWith("  significant", { r: 0.517857142857143, ours: significant }),
    compareWith("  significant of the powered", { r: 0.666666666666667, ours: significantAndPowered / powered }),
  ];
}

/** Kind of minimum detectable effect, name among ours, printed share, R's. */
const FIGURE_14: readonly (readonly [name: string, own: string, printed: string, r: number])[] = [
  ["binomial", "binomial", "0.267", 0.266666666666667],
  ["Lachenbruch, middle", "middle", "0.300", 0.3],
  ["Lachenbruch, upper", "upper", "0.267", 0.266666666666667],
  ["Lachenbruch, lower", "lower", "0.783", 0.783333333333333],
  ["regression, mid-p", "mcnemar-midp", "0.367", 0.366666666666667],
];

const figure14 = claimsResult({
  id: "card-figure-14",
  where: "Figure 14",
  shows: "claims that reach the minimum detectable effect",
  seconds: 10,
  async run(lab) {
    const { input } = await readClaims(lab);
    const shares = claimsReachingMde(input, ["mcnemar-midp"]);
    const claims = claimLimits(input, ["mcnemar-midp"]);
    lab.show({
      kind: "scatter",
      name: "claims",
      x: "smallest difference that can be shown, points",
      y: "claimed improvement, points",
      identity: true,
      panels: FIGURE_14.map(([name, own]) => ({
        label: `${name}: ${Math.round(100 * shares[own]!)} % reach it`,
        points: claims.map(({ gain, limits }) => [100 * limits[own]!, 100 * gain] as const),
      })),
    });
    return FIGURE_14.map(([name, own, published, r]) => compareWith(name, { published, r, ours: shares[own]! }));
  },
});

export const CARD_CLAIMS: readonly Reproduction[] = [table7, meanEffects, figure13, table10, figure14];

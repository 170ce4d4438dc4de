/** Card et al. (2020): the SQuAD 2.0 leaderboard, record by record. */

import { fitLm, makeTable, numericColumn, predict } from "../src/index.ts";
import { followRecords, type Leaderboard, type Submission } from "../src/power.ts";
import { correlationTest } from "../src/tests.ts";
import { momentsOf, numbersOf } from "./cells.ts";
import { compareWith, type Lab, type Reproduction, resultsFrom } from "./reproduction.ts";

const MODELS = "card2020/squad2_models.csv";
const PAIRS = "card2020/squad2_pairs_dev.csv";
const DEV_ITEMS = 11_873;
const TEST_ITEMS = 8862;
const R = "R 4.2.2 (stats)";
const boardResult = resultsFrom({ paper: "card2020", data: [MODELS, PAIRS], reference: R });

async function readBoard(lab: Lab): Promise<Leaderboard> {
  const pairs = await lab.table(PAIRS);
  const [i, j, delta, disagree] = ["i", "j", "dev_delta", "dev_disagree"].map((name) => numbersOf(pairs, name)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const rows = new Map(Array.from(i, (first, row) => [`${first},${j[row]}`, row]));
  const models = await lab.table(MODELS);
  return {
    test: Array.from(numbersOf(models, "test_em"), (percent) => percent / 100),
    devItems: DEV_ITEMS,
    testItems: TEST_ITEMS,
    pair(first, second) {
      const row = rows.get(`${first},${second}`)!;
      return { difference: delta[row]!, disagreement: disagree[row]! };
    },
  };
}

const recordsOf = (board: Leaderboard): Submission[] =>
  followRecords(board, DEV_ITEMS).submissions.filter(({ isRecord }) => isRecord);

const APPROXIMATE =
  "Which items two submissions differ on was published for the development set only; the test set's are taken in proportion.";

const table8 = boardResult({
  id: "card-table-8",
  where: "Table 8",
  shows: "improvement by baseline on SQuAD 2.0",
  seconds: 2,
  lessons: [APPROXIMATE],
  async run(lab) {
    const records = recordsOf(await readBoard(lab));
    const improvement = records.map((record) => record.improvement);
    const table = makeTable([
      ["improvement", numericColumn(improvement)],
      ["baseline", numericColumn(records.map(({ baseline }) => baseline))],
    ]);
    const fit = fitLm("improvement ~ baseline", table);
    const line = correlationTest(
      records.map(({ baseline }) => baseline),
      improvement,
    );
    lab.show({ kind: "result", name: "improvement by baseline", result: line, samples: ["baseline", "improvement"] });
    const [constant, slope] = [fit.coefficients[0]!, fit.coefficients[1]!];
    const { mean, sd } = momentsOf(improvement);
    const at = predict(fit, makeTable([["baseline", numericColumn([0.90724])]])).value[0]!;
    return [
      compareWith("records", { published: "14", r: 14, ours: records.length }),
      compareWith("constant", { published: "0.1331", r: 0.13306411611404, ours: constant.value }),
      compareWith("  standard error", { published: "0.023", r: 0.0225148693763048, ours: constant.se }),
      compareWith("slope", { published: "-0.1408", r: -0.140845490730584, ours: slope.value }),
      compareWith("  standard error", { published: "0.028", r: 0.0284262909368852, ours: slope.se }),
      compareWith("R²", { published: "0.672", r: 0.671679582335839, ours: fit.rSquared }),
      compareWith("F", { published: "24.55", r: 24.5496611065925, ours: fit.fTest.statistic }),
      compareWith("  p", { published: "0.000334", r: 0.000333698773633715, ours: fit.fTest.p }),
      compareWith("log-likelihood", { published: "45.711", r: 45.7113020803424, ours: fit.logLik }),
      compareWith("predicted at .90724", { published: "0.00528", r: 0.00528345310362505, ours: at }),
      compareWith("mean improvement", { published: "0.0223", r: 0.0222942257471709, ours: mean }),
      compareWith(
        "  standard error",
        { published: "0.00431", r: 0.00447332371831716, ours: sd / Math.sqrt(records.length) },
        { note: "The printed one divides by n instead of n - 1." },
      ),
    ];
  },
});

const table6 = boardResult({
  id: "card-table-6",
  where: "Table 6, Figure 11 (top)",
  shows: "agreement of successive SQuAD 2.0 records, by their accuracy",
  seconds: 2,
  lessons: [APPROXIMATE],
  async run(lab) {
    const board = await readBoard(lab);
    const records = recordsOf(board);
    const agreement = records.map(({ record, index }) => {
      const inTest = Math.round((board.pair(record, index).disagreement * TEST_ITEMS) / DEV_ITEMS);
      return 1 - inTest / TEST_ITEMS;
    });
    const table = makeTable([
      ["agreement", numericColumn(agreement)],
      ["baseline", numericColumn(records.map(({ baseline }) => baseline))],
      ["improvement", numericColumn(records.map(({ improvement }) => improvement))],
    ]);
    const fit = fitLm("agreement ~ baseline + improvement", table);
    const [constant, accuracy, difference] = fit.coefficients.map(({ value }) => value) as [number, number, number];
    const cloud = correlationTest(
      records.map(({ baseline }) => baseline),
      agreement,
    );
    lab.show({ kind: "result", name: "agreement", result: cloud, samples: ["baseline", "agreement"] });
    const note = "Needs the pairwise differences on the test set, which were not published.";
    const alone = fitLm("agreement ~ baseline", table);
    return [
      compareWith("constant", { published: "0.4339", r: 0.465001323005365, ours: constant }, { note }),
      compareWith("lower accuracy", { published: "0.5932", r: 0.552737435300192, ours: accuracy }, { note }),
      compareWith("difference", { published: "-1.2849", r: -1.04994193494063, ours: difference }, { note }),
      compareWith("R²", { published: "0.944", r: 0.93067982798126, ours: fit.rSquared }, { note }),
      compareWith("correlation with the accuracy of the baseline", {
        r: 0.9543818380275302,
        ours: Math.sqrt(alone.rSquared),
      }),
      compareWith("  slope", { r: 0.700617022365523, ours: alone.coefficients[1]!.value }),
      compareWith("  least agreement", { r: 0.7408034303768901, ours: Math.min(...agreement) }),
      compareWith("  largest agreement", { r: 0.9693071541412773, ours: Math.max(...agreement) }),
    ];
  },
});

const appendixD = boardResult({
  id: "card-appendix-d",
  where: "Appendix D, Figure 10",
  shows: "which SQuAD submissions had the power to beat the record",
  seconds: 3,
  lessons: [APPROXIMATE],
  async run(lab) {
    const board = await readBoard(lab);
    const dev = followRecords(board, DEV_ITEMS);
    lab.show({
      kind: "timeline",
      name: "records",
      y: "exact match on the test set",
      steps: dev.submissions.map(({ index, isRecord, testBetter, p }) => ({
        index,
        score: board.test[index]!,
        record: isRecord,
        significant: testBetter && p <= 0.05,
      })),
    });
    const test = followRecords(board, TEST_ITEMS);
    const note =
      "The claim is about the test set of 8862 items; the code works out power for the 11873 of the development set. At 8862, 15 submissions have the power and 14 of them (93%, not 74%) are significant.";
    return [
      compareWith("submissions", { published: "143", r: 143, ours: dev.submissions.length }),
      compareWith("powered", { published: "19", r: 19, ours: dev.powered }),
      compareWith("  of these significant", { published: "14", r: 14, ours: dev.poweredSignificant }),
      compareWith("others significant", { published: "3", r: 3, ours: dev.othersSignificant }),
      compareWith("powered at 8862 items", { published: "19", r: 15, ours: test.powered }, { note }),
      compareWith("  of these significant", { published: "14", r: 14, ours: test.poweredSignificant }),
    ];
  },
});

const figure9 = boardResult({
  id: "card-figure-9",
  where: "Figure 9 (left)",
  shows: "differences of two SQuAD 2.0 submissions on development and test data",
  seconds: 1,
  lessons: ["The right half, agreement on the test set, needs pairs that were not published."],
  async run(lab) {
    const pairs = await lab.table(PAIRS);
    const test = numbersOf(await lab.table(MODELS), "test_em");
    const [i, j, delta] = ["i", "j", "dev_delta"].map((name) => numbersOf(pairs, name)) as Float64Array[];
    const onDev = delta!.map((items) => (100 * items) / DEV_ITEMS);
    const onTest = onDev.map((_, row) => test[j![row]!]! - test[i![row]!]!);
    const found = correlationTest(onDev, onTest);
    lab.show({
      kind: "scatter",
      name: "differences",
      x: "difference on development data, points",
      y: "difference on test data, points",
      identity: true,
      panels: [{ label: `r ${found.effect.value.toFixed(3)}`, ...withoutLine(found.series) }],
    });
    return [
      compareWith("pairs", { r: 10296, ours: onDev.length }),
      compareWith(
        "correlation",
        { r: 0.9923212206192269, ours: found.effect.value },
        { note: "The paper says that it is over .99." },
      ),
    ];
  },
});

/** The line of equality says more here. */
function withoutLine({ line: _, ...own }: NonNullable<ReturnType<typeof correlationTest>["series"]> = {}) {
  return own;
}

export const CARD_LEADERBOARD: readonly Reproduction[] = [figure9, table6, table8, appendixD];

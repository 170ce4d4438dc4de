/** Cells of layouts as people have them, and of the options that users give. */
import type { CompareOptions, Comparison } from "../../../src/significance/compare/comparison.ts";
import type { TestName } from "../../../src/significance/compare/pair/tests.ts";
import type { Cell } from "./cells.ts";
import { answers, discordant, pairedScores, ratings, samples, severalScores } from "./draw.ts";
import * as layouts from "./layouts.ts";

const cell = (id: string, group: string, words: string, draw: Cell["draw"], options?: CompareOptions): Cell => ({
  id,
  group,
  words,
  draw,
  asks: "null",
  ...(options === undefined ? {} : { options }),
});

const LAYOUTS = "Layouts";
const RATED = { items: 30, raters: 4, who: "crossed", raterSd: 0.4 } as const;

const read: readonly Cell[] = [
  cell("long-metrics", LAYOUTS, "a row for each of three metrics, 60 sentences: BLEU", (rng) =>
    layouts.longMetrics(rng, 60),
  ),
  cell("tasks-unequal", LAYOUTS, "tasks of 20, 60 and 300 items", (rng) => layouts.taskedAnswers(rng, [20, 60, 300])),
  ...[
    [6, 40],
    [10, 20],
    [20, 5],
  ].map(([prompts, tries]) =>
    cell(`tries-${prompts}-${tries}`, LAYOUTS, `${prompts} prompts, ${tries} tries each`, (rng) =>
      layouts.manyTries(rng, prompts!, tries!),
    ),
  ),
  cell("rater-columns", LAYOUTS, "a column for each of 4 raters, 30 segments", (rng) =>
    layouts.raterColumns(rng, RATED),
  ),
  cell("run-columns", LAYOUTS, "a column for each of 3 seeds, 150 items, spread of runs 0.3 logits", (rng) =>
    layouts.runColumns(rng, { items: 150, runs: 3, runSd: 0.3, interaction: 0.3 }),
  ),
  cell("wide-systems", LAYOUTS, "a column for each of two systems, 100 items", (rng) => layouts.wideAnswers(rng, 100), {
    systems: ["gpt_correct", "claude_correct"],
  }),
  cell("sided-20-5", LAYOUTS, "left, right or tie: 20 prompts x 5 raters", (rng) =>
    layouts.sidedVotes(rng, { prompts: 20, raters: 5, ties: 0.25 }),
  ),
  cell("sided-60-3", LAYOUTS, "left, right or tie: 60 prompts x 3 raters", (rng) =>
    layouts.sidedVotes(rng, { prompts: 60, raters: 3, ties: 0.25 }),
  ),
  cell("graded-30-4", LAYOUTS, "A much better … B much better: 30 prompts x 4 raters", (rng) =>
    layouts.gradedVotes(rng, 30, 4),
  ),
  cell("graded-30-1", LAYOUTS, "A much better … B much better: 30 prompts x 1 rater", (rng) =>
    layouts.gradedVotes(rng, 30, 1),
  ),
  cell("worded", LAYOUTS, "very bad … very good: 4 raters, 30 items", (rng) => layouts.wordedRatings(rng, RATED)),
  cell(
    "best-worst",
    LAYOUTS,
    "best and worst of 4 systems: 30 items x 4 raters: any pair",
    (rng) => layouts.bestWorst(rng, 30, 4),
    { best: "best", worst: "worst" },
  ),
  cell(
    "rankings",
    LAYOUTS,
    "ranks of 3 systems: 30 items x 4 raters: any pair",
    (rng) => layouts.rankings(rng, 30, 4),
    { ranks: ["rank_ant", "rank_bee", "rank_cat"] },
  ),
  cell(
    "set-columns",
    LAYOUTS,
    "one number for each of 10 data sets, a column for each system",
    (rng) => layouts.systemColumns(rng, 10),
    { systems: ["baseline", "ours"] },
  ),
  cell("file-annotator", LAYOUTS, "a file for each of 4 annotators, 30 items", (rng) =>
    layouts.filesOf(rng, "annotator"),
  ),
  cell("file-seed", LAYOUTS, "a file for each of 3 seeds and system, 150 items", (rng) => layouts.filesOf(rng, "seed")),
  cell("file-system", LAYOUTS, "a file for each system, 150 items", (rng) => layouts.filesOf(rng, "system")),
  cell("texts-bleu", LAYOUTS, "texts of 3 seeds and system, 60 segments: BLEU", (rng) =>
    layouts.seededTexts(rng, 60, 3),
  ),
  cell(
    "texts-chrf",
    LAYOUTS,
    "texts of 3 seeds and system, 60 segments: chrF",
    (rng) => layouts.seededTexts(rng, 60, 3),
    { metric: "chrf" },
  ),
  cell("texts-one", LAYOUTS, "one text a system, 60 segments: BLEU", (rng) => layouts.seededTexts(rng, 60, 1)),
  cell("pass-1", LAYOUTS, "10 tries of 60 problems: pass@1", (rng) => layouts.manyTries(rng, 60, 10), {
    metric: "pass@1",
  }),
  cell("pass-5", LAYOUTS, "10 tries of 60 problems: pass@5", (rng) => layouts.manyTries(rng, 60, 10), {
    metric: "pass@5",
  }),
];

const LAWS = "Hard laws";
const hard: readonly Cell[] = [
  ...[30, 100, 300].flatMap((n) =>
    [0.5, 1].map((spread) =>
      cell(
        `latency-${n}-${spread}`,
        LAWS,
        `seconds with long tails, ${n} items, log spread 0.5 against ${spread}`,
        (rng) => layouts.skewedCosts(rng, n, spread),
        { score: "latency_s" },
      ),
    ),
  ),
  ...[
    [100, 0.02],
    [300, 0.01],
    [1000, 0.01],
  ].map(([n, rate]) =>
    cell(
      `rare-${n}-${rate}`,
      LAWS,
      `${100 * rate!} % failures, ${n} requests`,
      (rng) => layouts.rareFailures(rng, n!, rate!),
      { item: "request_id" },
    ),
  ),
  cell(
    "uneven-8",
    LAWS,
    "scores of 8 documents, one with half of 120 sentences",
    (rng) => layouts.unevenDocuments(rng, 8, 120),
    { cluster: "doc_id" },
  ),
  cell("uneven-20", LAWS, "scores of 20 documents, one with half of 200 sentences", (rng) =>
    layouts.unevenDocuments(rng, 20, 200),
  ),
  cell(
    "penalties-10",
    LAWS,
    "penalties, mostly 0: 10 documents of 12 segments, 5 raters",
    (rng) => layouts.penalties(rng, 10, 12),
    { cluster: "doc" },
  ),
  cell("ceiling-1", LAWS, "ratings of which most are 5: 40 items, 1 rater", (rng) =>
    layouts.ceilingRatings(rng, 40, 1),
  ),
  cell("ceiling-4", LAWS, "ratings of which most are 5: 40 items, 4 raters", (rng) =>
    layouts.ceilingRatings(rng, 40, 4),
  ),
  cell("nearly-apart-4", LAWS, "raters who saw one system nine times of ten: 40 items, 4 raters", (rng) =>
    layouts.nearlyApart(rng, 40, 4),
  ),
  cell("nearly-apart-10", LAWS, "raters who saw one system nine times of ten: 60 items, 10 raters", (rng) =>
    layouts.nearlyApart(rng, 60, 10),
  ),
  cell("overlap-0.5", LAWS, "300 items, half of them seen by both systems", (rng) =>
    layouts.overlapping(rng, 300, 0.5),
  ),
  cell("runs-3-1", LAWS, "3 whole runs of 200 items, spread of runs 1 logit", (rng) =>
    answers(rng, { items: 200, runs: 3, runSd: 1, interaction: 0.3 }, 0),
  ),
  cell("lost-cells", LAWS, "a fifth of one system's failures without a score, 200 items", (rng) =>
    layouts.lostFailures(rng, 200, { share: 0.2, rows: true }),
  ),
  cell("lost-rows", LAWS, "a fifth of one system's failures without a row, 200 items", (rng) =>
    layouts.lostFailures(rng, 200, { share: 0.2, rows: false }),
  ),
  cell(
    "runs-clusters",
    LAWS,
    "3 runs of 100 items in 10 passages",
    (rng) => layouts.runsInDocuments(rng, { items: 100, runs: 3, runSd: 0.3, documents: 10, documentSd: 0.5 }),
    { cluster: "passage_id" },
  ),
  cell("runs-clusters-30", LAWS, "5 runs of 150 items in 30 passages", (rng) =>
    layouts.runsInDocuments(rng, { items: 150, runs: 5, runSd: 0.3, documents: 30, documentSd: 0.5 }),
  ),
];

const OPTIONS = "Options";
const anySlice = ({ slices }: Comparison): boolean =>
  slices.some((table) => table.slices.some(({ verdict }) => verdict !== "INCONCLUSIVE" && verdict !== "NONE"));
const macro = ({ slices }: Comparison): boolean =>
  slices.some(
    (table) => table.macro !== undefined && table.macro.verdict !== "INCONCLUSIVE" && table.macro.verdict !== "NONE",
  );
const depends = ({ model }: Comparison): boolean => (model?.dependence?.p ?? model?.interaction?.p ?? 1) < 0.05;
const counting = (own: Cell, counts: NonNullable<Cell["counts"]>): Cell => ({ ...own, counts });

const opted: readonly Cell[] = [
  ...[3, 6, 10].map((systems) =>
    cell(
      `baseline-${systems}`,
      OPTIONS,
      `${systems} systems against a baseline, 100 items: any pair`,
      (rng) => answers(rng, { items: 100, systems, interaction: 0.5 }, 0),
      { baseline: "A" },
    ),
  ),
  cell(
    "baseline-5-normal",
    OPTIONS,
    "5 systems against a baseline, 40 items, normal differences: any pair",
    (rng) => severalScores(rng, 40, { systems: 5, law: "normal" }),
    { baseline: "A" },
  ),
  ...[30, 100].flatMap((n) =>
    [false, true].map((binary) =>
      counting(
        cell(
          `by-topic-${n}${binary ? "-binary" : ""}`,
          OPTIONS,
          `by topic, ${n} items of 3 topics, ${binary ? "0/1" : "scores"}: depends on it`,
          (rng) => layouts.propertied(rng, n, { levels: 3, binary }),
          { by: "topic" },
        ),
        depends,
      ),
    ),
  ),
  counting(
    cell(
      "by-length-60",
      OPTIONS,
      "by length in thirds, 60 items: depends on it",
      (rng) => layouts.propertied(rng, 60, { levels: 3, binary: false }),
      { by: "length" },
    ),
    depends,
  ),
  counting(
    cell(
      "by-uneven",
      OPTIONS,
      "by topic, 20 items of spread 3 and 200 of spread 1: depends on it",
      (rng) => layouts.unevenTopics(rng, [20, 200], [3, 1]),
      { by: "topic" },
    ),
    depends,
  ),
  counting(
    cell(
      "by-uneven-within",
      OPTIONS,
      "by topic, 20 items of spread 3 and 200 of spread 1: p of the small topic",
      (rng) => layouts.unevenTopics(rng, [20, 200], [3, 1]),
      { by: "topic" },
    ),
    ({ model }) => (model?.within?.contrasts[0]?.p ?? 1) < 0.05,
  ),
  cell(
    "by-topic-main",
    OPTIONS,
    "by topic, 100 items of 3 topics: verdict",
    (rng) => layouts.propertied(rng, 100, { levels: 3, binary: false }),
    { by: "topic" },
  ),
  counting(
    cell(
      "slice-6",
      OPTIONS,
      "sliced by 6 topics, 200 items, 0/1: any slice",
      (rng) => layouts.propertied(rng, 200, { levels: 6, binary: true }),
      { slice: ["topic"] },
    ),
    anySlice,
  ),
  counting(
    cell(
      "slice-6-scores",
      OPTIONS,
      "sliced by 6 topics, 120 items, scores: any slice",
      (rng) => layouts.propertied(rng, 120, { levels: 6, binary: false }),
      { slice: ["topic"] },
    ),
    anySlice,
  ),
  counting(
    cell("tasks-macro", OPTIONS, "tasks of 20, 60 and 300 items: mean over tasks", (rng) =>
      layouts.taskedAnswers(rng, [20, 60, 300]),
    ),
    macro,
  ),
  counting(
    cell("tasks-macro-5", OPTIONS, "tasks of 8, 8, 8, 8 and 8 items: mean over tasks", (rng) =>
      layouts.taskedAnswers(rng, [8, 8, 8, 8, 8]),
    ),
    macro,
  ),
  counting(
    cell("tasks-any", OPTIONS, "tasks of 20, 60 and 300 items: any task", (rng) =>
      layouts.taskedAnswers(rng, [20, 60, 300]),
    ),
    anySlice,
  ),
  ...[3, 4].map((documents) =>
    cell(
      `cluster-named-${documents}`,
      OPTIONS,
      `${documents} documents of 20 items, named as clusters`,
      (rng) => layouts.layeredScores(rng, { items: 20 * documents, documents, documentSd: 0.4 }, 0),
      { cluster: "document" },
    ),
  ),
  cell(
    "scope-items",
    OPTIONS,
    "3 runs of 60 items that do not differ as wholes, claimed of these runs",
    (rng) => layouts.layeredScores(rng, { items: 60, runs: 3, runSd: 0 }, 0),
    { scope: ["items"] },
  ),
  cell(
    "metric-all",
    OPTIONS,
    "three metrics in rows, 60 sentences, all asked for: verdict of the first",
    (rng) => layouts.longMetrics(rng, 60),
    { metric: "all" },
  ),
  cell("unpaired-binary-60", OPTIONS, "other items for each system, 0/1, 60 each", (rng) => layouts.apart(rng, 60), {
    unpaired: true,
  }),
];

const SYMMETRIC: readonly TestName[] = ["permutation", "bootstrap", "sign", "wilcoxon", "t", "skewness-adjusted-t"];
const PAIRED: readonly TestName[] = [
  "mcnemar",
  "mcnemar-cc",
  "mcnemar-exact",
  "mcnemar-midp",
  "mcnemar-unconditional",
  "bootstrap",
  "t",
];
const TESTS = "Tests by name";
const tested: readonly Cell[] = [
  ...SYMMETRIC.flatMap((test) =>
    [20, 50].map((n) =>
      cell(
        `test-${test}-${n}`,
        TESTS,
        `${test}, ${n} items, normal differences`,
        (rng) => pairedScores(rng, n, "normal", 0),
        { test },
      ),
    ),
  ),
  ...PAIRED.flatMap((test) =>
    [50, 200].map((n) =>
      cell(
        `test-${test}-binary-${n}`,
        TESTS,
        `${test}, ${n} items, 0/1, 20 % discordant`,
        (rng) => discordant(rng, n, 0.2, 0),
        { test },
      ),
    ),
  ),
  cell("test-model-40", TESTS, "model, 40 items, normal differences", (rng) => pairedScores(rng, 40, "normal", 0), {
    test: "model",
  }),
  cell(
    "test-multi-bootstrap-5",
    TESTS,
    "multi-bootstrap, 5 runs of 60 items",
    (rng) => layouts.layeredScores(rng, { items: 60, runs: 5, runSd: 0.15 }, 0),
    { test: "multi-bootstrap" },
  ),
];

const MARGIN = "EQUIVALENT at the margin";
const margins: readonly Cell[] = [
  ...[100, 400].map(
    (n): Cell => ({
      ...cell(`margin-binary-${n}`, MARGIN, `right and wrong, ${n} items, margin 0.1`, (rng, effect) =>
        discordant(rng, n, 0.1, effect),
      ),
      asks: "margin",
      margin: 0.1,
    }),
  ),
  {
    ...cell(
      "margin-clusters",
      MARGIN,
      "10 documents of 10 items",
      (rng, effect) => layouts.layeredScores(rng, { items: 100, documents: 10, documentSd: 0.4 }, effect),
      { cluster: "document" },
    ),
    asks: "margin",
    margin: 0.5,
  },
  {
    ...cell("margin-runs", MARGIN, "5 runs of 60 items", (rng, effect) =>
      layouts.layeredScores(rng, { items: 60, runs: 5, runSd: 0.2 }, effect),
    ),
    asks: "margin",
    margin: 0.5,
  },
  {
    ...cell("margin-raters", MARGIN, "6 raters, 30 items", (rng, effect) =>
      ratings(rng, { items: 30, raters: 6, who: "crossed", raterSd: 0.3, likert: false }, effect),
    ),
    asks: "margin",
    margin: 0.5,
  },
  {
    ...cell(
      "margin-unpaired",
      MARGIN,
      "50 items of spread 1 against 50 others of 3",
      (rng, effect) => layouts.shifted(samples(rng, { sizes: [50, 50], spreads: [1, 3] }), effect),
      { unpaired: true },
    ),
    asks: "margin",
    margin: 1.5,
  },
];

const MDE = "Power at the stated mde80";
const powers: readonly Cell[] = [
  ...[10, 30].map(
    (documents): Cell => ({
      ...cell(
        `mde-clusters-${documents}`,
        MDE,
        `${documents} documents of 10 items`,
        (rng, effect) => layouts.layeredScores(rng, { items: 10 * documents, documents, documentSd: 0.4 }, effect),
        { cluster: "document" },
      ),
      asks: "mde",
    }),
  ),
  ...[3, 5, 10].map(
    (runs): Cell => ({
      ...cell(`mde-runs-${runs}`, MDE, `${runs} runs of 60 items`, (rng, effect) =>
        layouts.layeredScores(rng, { items: 60, runs, runSd: 0.2 }, effect),
      ),
      asks: "mde",
    }),
  ),
  ...[4, 10].map(
    (raters): Cell => ({
      ...cell(`mde-raters-${raters}`, MDE, `${raters} raters, 30 items`, (rng, effect) =>
        ratings(rng, { items: 30, raters, who: "crossed", raterSd: 0.3, likert: false }, effect),
      ),
      asks: "mde",
    }),
  ),
  {
    ...cell(
      "mde-unpaired",
      MDE,
      "50 items against 50 others",
      (rng, effect) => layouts.shifted(samples(rng, { sizes: [50, 50], spreads: [1, 1] }), effect),
      { unpaired: true },
    ),
    asks: "mde",
  },
];

export const LAYOUT_CELLS: readonly Cell[] = [...read, ...hard, ...opted, ...tested, ...margins, ...powers];

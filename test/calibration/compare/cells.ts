/** The bank: designs that users have, each with its null hypothesis true (or at the margin, or at the effect that `mde80` states). */
import type { Rng } from "../../../src/numeric/rng.ts";
import type { CompareInput } from "../../../src/significance/compare/compare.ts";
import type { CompareOptions, Comparison } from "../../../src/significance/compare/comparison.ts";
import { countOf } from "../../../src/significance/compare/written-numbers.ts";
import {
  answers,
  type BinaryDesign,
  bestWorst,
  crowdRatings,
  type DifferenceLaw,
  dataSets,
  discordant,
  otherMix,
  PREFERENCES,
  type PreferenceDesign,
  pairedScores,
  preferenceRatings,
  type RatedDesign,
  rareLosses,
  ratings,
  type SamplesDesign,
  samples,
  severalScores,
  templates,
  votes,
} from "./draw.ts";
import {
  answersWithin,
  ballots,
  benchmarkRuns,
  blankSheet,
  freshRatings,
  listedRatings,
  PEOPLE,
  ratedInBatches,
  ratersApart,
  restartedIds,
  seedColumns,
} from "./files.ts";
import { LAYOUT_CELLS } from "./layout-cells.ts";
import type { Tally } from "./measure.ts";
import { RANK_CELLS } from "./rank-cells.ts";

export interface Cell {
  readonly id: string;
  readonly group: string;
  readonly words: string;
  /** At effect 0 the two systems do not differ; in the units of the difference, or of its logit. */
  draw(rng: Rng, effect: number): CompareInput | Promise<CompareInput>;
  readonly options?: CompareOptions;
  /** What the cell counts: false verdicts and coverage; EQUIVALENT where the difference is the margin; power at the stated mde80. */
  readonly asks: "null" | "margin" | "mde" | "ranks";
  /** Of "margin". */
  readonly margin?: number;
  /** Of "null": another claim than a verdict on a pair. */
  readonly counts?: (result: Comparison) => boolean;
  /** Of "ranks": one data set through `rank`. */
  readonly measure?: (rng: Rng) => Tally | Promise<Tally>;
}

const paired = (law: DifferenceLaw, n: number): Cell => ({
  id: `paired-${law}-${n}`,
  group: "Paired scores",
  words: `${law} differences, ${n} items`,
  draw: (rng, effect) => pairedScores(rng, n, law, effect),
  asks: "null",
});

const binary = (id: string, group: string, words: string, design: BinaryDesign, options?: CompareOptions): Cell => ({
  id,
  group,
  words,
  draw: (rng, effect) => answers(rng, design, effect),
  asks: "null",
  ...(options === undefined ? {} : { options }),
});

const rated = (raters: number, who: RatedDesign["who"], raterSd: number, items = 30): Cell => ({
  id: `raters-${raters}-${who}-${items}-${raterSd}`,
  group: "Ratings",
  words: `${raters} raters, ${who === "crossed" || who === "nested" ? who : `${who} of them an item`}, ${items} items, spread of their preferences ${raterSd}`,
  draw: (rng, effect) => ratings(rng, { items, raters, who, raterSd }, effect),
  asks: "null",
});

const preferring = (id: string, words: string, design: PreferenceDesign, options?: CompareOptions): Cell => ({
  id: `preferring-${id}`,
  group: "Ratings",
  words,
  draw: (rng, effect) => preferenceRatings(rng, design, effect),
  asks: "null",
  ...(options === undefined ? {} : { options }),
});

const simple = (id: string, group: string, words: string, draw: Cell["draw"], options?: CompareOptions): Cell => ({
  ...{ id, group, words, draw, asks: "null" as const },
  ...(options === undefined ? {} : { options }),
});

const PREFERRING: readonly Cell[] = [
  preferring("card-low", "12 raters x 40 items, Card's low setting", { items: 40, raters: 12, ...PREFERENCES.cardLow }),
  preferring("card-high", "15 raters x 60 items, Card's high setting", {
    items: 60,
    raters: 15,
    ...PREFERENCES.cardHigh,
  }),
  preferring("side-by-side", "12 raters x 30 items, side by side", {
    items: 30,
    raters: 12,
    ...PREFERENCES.sideBySide,
  }),
  preferring("items", "12 raters x 40 items that favor one system", { items: 40, raters: 12, ...PREFERENCES.favoring }),
  preferring(
    "documents",
    "15 documents x 8 items x 3 raters",
    { items: 120, raters: 3, documents: 15, documentSd: 0.3, ...PREFERENCES.documents },
    { cluster: "document" },
  ),
  preferring("3-of-12", "3 of 12 raters an item, 60 items", {
    items: 60,
    raters: 12,
    each: 3,
    ...PREFERENCES.sideBySide,
  }),
  ...[3, 5, 9].map((raters) =>
    preferring(`few-${raters}`, `${raters} raters x 40 items, side by side`, {
      items: 40,
      raters,
      ...PREFERENCES.sideBySide,
    }),
  ),
  ...[3, 5].map((raters) =>
    preferring(`systems-3-${raters}`, `3 systems, ${raters} raters x 40 items: any pair`, {
      ...{ items: 40, raters, systems: 3 },
      ...PREFERENCES.several,
    }),
  ),
  ...(
    [
      [3, 3],
      [3, 5],
      [3, 12],
      [5, 12],
    ] as const
  ).map(([systems, raters]) =>
    preferring(
      `divides-${systems}-${raters}`,
      `${systems} systems, of which one divides ${raters} raters, 40 items: any pair`,
      {
        ...{ items: 40, raters, systems, divides: 3 },
        ...PREFERENCES.several,
      },
    ),
  ),
  preferring("systems-4-12", "4 systems, 12 raters x 40 items: any pair", {
    ...{ items: 40, raters: 12, systems: 4 },
    ...PREFERENCES.cardHigh,
  }),
  simple("crowd-fresh", "Ratings", "crowd work, a fresh worker for each of 60 items", (rng) =>
    crowdRatings(rng, 60, { each: 1 }),
  ),
  simple("crowd-fresh-3", "Ratings", "crowd work, three fresh workers for each of 60 items", (rng) =>
    crowdRatings(rng, 60, { each: 3 }),
  ),
  simple("crowd-pool", "Ratings", "crowd work, 3 workers an item from a pool of 300, 60 items", (rng) =>
    crowdRatings(rng, 60, { each: 3, pool: 300 }),
  ),
  ...[3, 4].map((systems) =>
    simple(
      `best-worst-${systems}`,
      "Best-worst scaling",
      `${systems} systems, 12 raters x 20 prompts: any pair`,
      (rng) => bestWorst(rng, { systems, shown: systems, raters: 12, prompts: 20 }),
    ),
  ),
  simple(
    "best-worst-4-of-6",
    "Best-worst scaling",
    "4 of 6 systems shown, 10 raters x 40 prompts, half of them: any pair",
    (rng) => bestWorst(rng, { systems: 6, shown: 4, raters: 10, prompts: 40, share: 0.5 }),
  ),
  ...(
    [
      ["named", "an item of each question and template", { item: "item,template" }],
      ["run", "templates as repeats of a question", { run: "template" }],
      ["ids", "an id for each row, questions found", {}],
    ] as const
  ).map(([id, words, options]) =>
    simple(
      `templates-${id}`,
      "Crossed conditions",
      `60 questions x 4 templates, equal over these: ${words}`,
      (rng) => templates(rng, 60, id === "ids"),
      { ...options, higherIsBetter: true },
    ),
  ),
  simple("other-mix", "Different items", "150 items each, another mix of difficulty", (rng) => otherMix(rng, 300), {
    ...{ unpaired: true, higherIsBetter: true },
  }),
  simple(
    "other-mix-by",
    "Different items",
    "150 items each, another mix of difficulty, compared within it",
    (rng) => otherMix(rng, 300),
    {
      ...{ unpaired: true, higherIsBetter: true, by: "difficulty" },
    },
  ),
];

/** So wide that 20 differences of the law can be equivalent at all. */
const MARGINS = { normal: 0.5, exponential: 0.5, likert: 1, lognormal: 2 } as const;

const margin = (law: keyof typeof MARGINS, n: number): Cell => ({
  ...paired(law, n),
  id: `margin-${law}-${n}`,
  group: "EQUIVALENT at the margin",
  asks: "margin",
  margin: MARGINS[law],
});

const unpaired = (
  sizes: SamplesDesign["sizes"],
  spreads: SamplesDesign["spreads"],
  law: DifferenceLaw = "normal",
): Cell => ({
  id: `unpaired-${[...sizes, ...spreads].join("-")}${law === "normal" ? "" : `-${law}`}`,
  group: "Different items",
  words: `${sizes[0]} ${law} items of spread ${spreads[0]} against ${sizes[1]} of ${spreads[1]}`,
  draw: (rng) => samples(rng, { sizes, spreads, law }),
  options: { unpaired: true },
  asks: "null",
});

/** A file as people have it, through the importer. */
const filed = (id: string, words: string, draw: Cell["draw"], options?: CompareOptions): Cell => ({
  id,
  group: "Files as people have them",
  words,
  draw,
  asks: "null",
  ...(options === undefined ? {} : { options }),
});

const VOTED = { prompts: 8, raters: 5, promptSd: 0.5, raterSd: 0.3 } as const;

const FILED: readonly Cell[] = [
  filed("listed-same", "lists of 3 ratings in a cell, the same raters by place, 30 items", (rng) =>
    listedRatings(rng, 30),
  ),
  filed("listed-fresh", "lists of 3 ratings in a cell, new raters in every cell, 30 items", (rng) =>
    freshRatings(rng, 30),
  ),
  ...[0.2, 0.5].map((blank) =>
    filed(
      `blanks-${blank}`,
      `a column for each of 3 raters, ${100 * blank} % of the cells empty, 30 items`,
      (rng) => blankSheet(rng, 30, blank),
      { raters: PEOPLE },
    ),
  ),
  filed("apart-3", "3 raters a system who never overlap, 30 items", (rng) => ratersApart(rng, 30, 3)),
  filed("batch", "a batch for each system, 40 items", (rng) => ratedInBatches(rng, 40)),
  ...["page", "template"].map((column) =>
    filed(`within-${column}`, `8 ${column}s of 10 items, spread 0.7 logits`, (rng) => answersWithin(rng, column, 8), {
      cluster: column,
    }),
  ),
  filed("restarted-ids", "4 suites of 30 items whose ids start at 1 again", (rng) => restartedIds(rng, 4, 30), {
    item: "suite,id",
  }),
  ...[1, 8].map((each) =>
    filed(
      `ballots-${each}`,
      `votes as 0/1 columns, 8 prompts x 5 raters x ${countOf(each, "votes")}`,
      (rng) => ballots(rng, { ...VOTED, each }),
      { systems: ["gpt", "llama"], ...(each > 1 ? { run: "rows" } : {}) },
    ),
  ),
  filed("benchmarks-6-3", "6 benchmarks x 3 runs, one number each", (rng) => benchmarkRuns(rng, 6, 3)),
  filed("seed-columns-8-3", "8 data sets x 3 seeds, a column for each seed", (rng) => seedColumns(rng, 8, 3)),
];

export const CELLS: readonly Cell[] = [
  ...[20, 50, 200, 2000].map((n) =>
    binary(`binary-${n}`, "Right and wrong answers", `${n} items`, { items: n, interaction: 0.5 }),
  ),
  ...(["normal", "likert", "lognormal", "exponential", "heavy", "zeros", "bursts"] as const).flatMap((law) =>
    [20, 50, 200].map((n) => paired(law, n)),
  ),
  ...[30, 60, 100, 200].map((n) =>
    simple(
      `rare-losses-${n}`,
      "Paired scores",
      `losses of the same mean, 90 % zeros against 50 %, ${n} items`,
      (rng) => rareLosses(rng, n),
      { higherIsBetter: false },
    ),
  ),
  binary("repeats-3", "Repeats and runs", "3 repeats of 60 items", { items: 60, repeats: 3, interaction: 0.7 }),
  ...[3, 5, 10].flatMap((runs) =>
    [0.1, 0.3].map((runSd) =>
      binary(
        `runs-${runs}-${runSd}`,
        "Repeats and runs",
        `${runs} whole runs of 200 items, spread of runs ${runSd} logits`,
        {
          items: 200,
          runs,
          runSd,
          interaction: 0.3,
        },
      ),
    ),
  ),
  binary(
    "runs-5-missing",
    "Repeats and runs",
    "5 whole runs of 200 items, spread 0.3 logits, a tenth of one system's answers missing",
    {
      items: 200,
      runs: 5,
      runSd: 0.3,
      interaction: 0.3,
      missing: { share: 0.1, hard: false },
    },
  ),
  ...[5, 8, 10, 20].map((documents) =>
    binary(
      `clusters-${documents}`,
      "Clusters",
      `${documents} documents of 10 items, spread 0.7 logits`,
      { items: 10 * documents, documents, documentSd: 0.7 },
      { cluster: "document" },
    ),
  ),
  binary(
    "clusters-8-uneven",
    "Clusters",
    "8 documents, the first with half of 80 items",
    { items: 80, documents: 8, documentSd: 0.7, uneven: true },
    { cluster: "document" },
  ),
  ...[2, 3, 4, 6, 10].flatMap((raters) => [0.3, 0.6].map((sd) => rated(raters, "crossed", sd))),
  rated(3, "crossed", 0.3, 100),
  rated(5, "nested", 0.4, 50),
  rated(4, 2, 0.4),
  rated(6, 2, 0.4),
  rated(10, 3, 0.3),
  ...PREFERRING,
  ...[
    { prompts: 8, raters: 5, promptSd: 0.5, raterSd: 0.3 },
    { prompts: 8, raters: 2, promptSd: 0.5, raterSd: 0.3 },
    { prompts: 30, raters: 3, promptSd: 0.5, raterSd: 0.5 },
    { prompts: 40, raters: 10, promptSd: 0.5, raterSd: 0 },
    { prompts: 3, raters: 6, promptSd: 4, raterSd: 0.3 },
    { prompts: 4, raters: 6, promptSd: 4, raterSd: 0.3 },
    { prompts: 6, raters: 6, promptSd: 4, raterSd: 0.3 },
    { prompts: 60, raters: 3, promptSd: 0.5, raterSd: 0.3, each: 1, ties: 0.3 },
    { prompts: 20, raters: 6, promptSd: 0.5, raterSd: 0.3, each: 1, ties: 0.3 },
    { prompts: 100, raters: 1, promptSd: 0.5, raterSd: 0, each: 1, ties: 0.3 },
  ].map(
    ({ each = 8, ties = 0, ...design }): Cell => ({
      id: `votes-${design.prompts}-${design.raters}-${design.raterSd}${ties > 0 ? "-ties" : ""}`,
      group: "Votes",
      words: `${design.prompts} prompts x ${countOf(design.raters, "raters")} x ${countOf(each, "votes")}${ties > 0 ? `, ${100 * ties} % ties` : ""}, prompts' leaning spread ${design.promptSd} logits`,
      draw: (rng) => votes(rng, { ...design, each, ties }),
      asks: "null",
    }),
  ),
  simple("votes-fixed-side", "Votes", "8 prompts x 5 raters x 8 votes, each system always on the same side", (rng) =>
    votes(rng, { prompts: 8, raters: 5, promptSd: 0.5, raterSd: 0.3, fixed: true }),
  ),
  ...[3, 5, 10].map((systems) =>
    binary(`systems-${systems}`, "Several systems", `${systems} systems, 100 items: any pair`, {
      items: 100,
      systems,
      interaction: 0.5,
    }),
  ),
  ...(["normal", "exponential"] as const).flatMap((law) =>
    [30, 100].map(
      (n): Cell => ({
        id: `systems-4-${law}-${n}`,
        group: "Several systems",
        words: `4 systems, ${n} items, ${law} differences: any pair`,
        draw: (rng) => severalScores(rng, n, { systems: 4, law }),
        asks: "null",
      }),
    ),
  ),
  binary("missing-random", "Missing answers", "a tenth at random, 200 items", {
    items: 200,
    missing: { share: 0.1, hard: false },
  }),
  binary("missing-hard", "Missing answers", "a tenth, of hard items, 200 items", {
    items: 200,
    missing: { share: 0.1, hard: true },
  }),
  ...[
    [20, 200, 3, 1],
    [200, 20, 3, 1],
    [50, 50, 1, 1],
    [50, 50, 3, 1],
    [10, 10, 3, 1],
  ].map(([n, m, s, t]) => unpaired([n!, m!], [s!, t!])),
  unpaired([20, 200], [1, 1], "lognormal"),
  unpaired([50, 50], [1, 1], "lognormal"),
  unpaired([50, 50], [3, 1], "exponential"),
  ...[
    [5, 3],
    [12, 3],
  ].map(
    ([sets, seeds]): Cell => ({
      id: `sets-${sets}-${seeds}`,
      group: "Data sets",
      words: `${sets} data sets x ${seeds} seeds, one number each`,
      draw: (rng) => dataSets(rng, sets!, seeds!),
      asks: "null",
    }),
  ),
  ...FILED,
  ...(["normal", "likert", "exponential", "lognormal"] as const).flatMap((law) =>
    [20, 50, 200].map((n) => margin(law, n)),
  ),
  ...[
    [50, 0.1],
    [200, 0.1],
    [200, 0.3],
  ].map(
    ([n, share]): Cell => ({
      id: `mde-binary-${n}-${share}`,
      group: "Power at the stated mde80",
      words: `right and wrong, ${n} items, ${100 * share!} % discordant`,
      draw: (rng, difference) => discordant(rng, n!, share!, difference),
      asks: "mde",
    }),
  ),
  ...(["normal", "exponential"] as const).flatMap((law) =>
    [20, 50].map(
      (n): Cell => ({
        ...paired(law, n),
        id: `mde-${law}-${n}`,
        group: "Power at the stated mde80",
        asks: "mde",
      }),
    ),
  ),
  ...LAYOUT_CELLS,
  ...RANK_CELLS,
];

/** Riezler & Hagmann (2021), chapter 4: significance of differences between translation systems. */
import {
  aggregate,
  asFactor,
  column,
  type EmmeansResult,
  factorColumn,
  fitLm,
  fitLmm,
  marginalMeans,
  type Table,
  testNestedFormulas,
  testNestedMixed,
  withColumn,
} from "../src/index.ts";
import { numbersOf } from "./cells.ts";
import {
  compareWith,
  type Lab,
  P_CLOSE,
  type Reproduction,
  type ReproductionRow,
  resultsFrom,
} from "./reproduction.ts";

const TER = "riezler2021/mt_ter.csv";
const LMERTEST = "lme4 1.1-31, lmerTest 3.1-3, emmeans 1.8.4-1 in R 4.2.2";
const terResult = resultsFrom({ paper: "riezler2021", data: [TER], reference: LMERTEST });
/** Sentences of at most 15 words are short, of at most 55 typical; the text says below 15, the authors' code this. */
const SHORT = 15;
const TYPICAL = 55;
const CLASSES = ["short", "typical", "very long"];

async function readTer(lab: Lab): Promise<Table> {
  const table = await lab.table(TER);
  const classes = Array.from(numbersOf(table, "src_length"), (n) => CLASSES[n <= SHORT ? 0 : n <= TYPICAL ? 1 : 2]!);
  const known = withColumn(table, "sentence_id", asFactor(column(table, "sentence_id")));
  return withColumn(known, "length_class", factorColumn(classes, { levels: CLASSES }));
}

const table41 = terResult({
  id: "book-table-4.1",
  where: "Table 4.1, Figure 4.3",
  shows: "a linear model misses what a mixed model sees",
  seconds: 1,
  lessons: [
    'What the table calls "residual" is the residual standard deviation.',
    "The text speaks of likelihood-ratio tests; its p-values are those of F tests. Models with different fixed effects must be compared by ML: the ratio of REML likelihoods is 12.3 instead of 34.1.",
  ],
  async run(lab) {
    const table = await readTer(lab);
    const means = aggregate(table, ["sentence_id", "system"], [{ column: "ter", summary: "mean", as: "ter" }]);
    const plain = fitLm("ter ~ system", means);
    const mixed = fitLmm("ter ~ system + (1 | sentence_id)", table, { ddf: "none" });
    const ratio = testNestedMixed(["ter ~ 1 + (1 | sentence_id)", "ter ~ system + (1 | sentence_id)"], table);
    const nested = testNestedFormulas(["ter ~ 1", "ter ~ system"], means);
    lab.show({ kind: "result", name: "mixed model", result: ratio });
    lab.show({ kind: "result", name: "linear model", result: nested });
    return [
      compareWith("lm: residual SD", { published: "0.2576", r: 0.257575977252752, ours: plain.residualSd }),
      compareWith("lm: p", { published: "0.517", r: 0.517036821132275, ours: plain.fTest.p }),
      compareWith("lm: p of the ratio test", { r: 0.516708983975369, ours: nested.p }),
      compareWith("lmm: residual SD", { published: "0.05905", r: 0.0590545377964406, ours: mixed.residualSd }),
      compareWith("lmm: W by ML", { r: 34.0895104777592, ours: ratio.chisq }),
      compareWith("lmm: p", { published: "<0.0001", r: 3.95873886089309e-8, ours: ratio.p }, { relative: P_CLOSE }),
    ];
  },
});

/** Pair, printed p, R's estimate and p, and p when repeats of a system on a sentence are held together. */
type PairReference = readonly [pair: string, printed: string, difference: number, p: number, held: number];

const PAIRS: readonly PairReference[] = [
  ["Baseline - Marking", "<0.0001", 0.0123424359877642, 1.5663264019139e-8, 8.31883552779855e-5],
  ["Baseline - PostEdit", "<0.0001", 0.0096203247964555, 1.58482630056023e-5, 0.00314228525670579],
  ["Marking - PostEdit", "0.1625", -0.00272211119130869, 0.162528723353528, 0.600549983414388],
];

const PAIRS_BY_LENGTH: Readonly<Record<string, readonly PairReference[]>> = {
  short: [
    ["Baseline - Marking", "<0.0001", 0.0161249310966547, 9.60059085453047e-7, 0.000715607052816036],
    ["Baseline - PostEdit", "0.0002", 0.012670318920831, 0.000175012174506994, 0.0110261204653674],
    ["Marking - PostEdit", "0.2683", -0.00345461217582368, 0.268345262894142, 0.691228819417976],
  ],
  typical: [
    ["Baseline - Marking", "0.0175", 0.00782106565401769, 0.0175348403803692, 0.122913170975534],
    ["Baseline - PostEdit", "0.2098", 0.00483967992833726, 0.209810346627051, 0.4464342469127],
    ["Marking - PostEdit", "0.3052", -0.00298138572568043, 0.30519233584564, 0.716732016201271],
  ],
  "very long": [
    ["Baseline - Marking", "0.0003", 0.0728556107572083, 0.000332343905773524, 0.0154368367711726],
    ["Baseline - PostEdit", "<0.0001", 0.107563078077497, 3.58441831771472e-8, 0.000127217408045999],
    ["Marking - PostEdit", "0.0252", 0.0347074673202883, 0.0251787772122921, 0.353643488227656],
  ],
};

/** The Tukey adjustment of R's ptukey is good to about eight digits of 1 - p. */
const TUKEY_ROUNDING = 1e-9;
const PSEUDO_REPLICATION =
  "The three seeds of a system on a sentence hang together; the printed tests take them for independent. With (1 | sentence:system) p is the one in the line below each.";

function pairRows(
  printed: EmmeansResult["contrasts"],
  held: EmmeansResult["contrasts"],
  { references, label }: { readonly references: readonly PairReference[]; readonly label: string },
): ReproductionRow[] {
  return references.flatMap(([pair, published, difference, p, heldP], k) => {
    const own = printed[k]!;
    const lost =
      p < 0.05 && heldP >= 0.05 ? "No longer significant once a system's seeds are held together." : undefined;
    return [
      compareWith(`${pair}${label}`, { r: difference, ours: own.estimate }),
      compareWith("  p", { published, r: p, ours: own.p }, { tolerance: Math.max(P_CLOSE * p, TUKEY_ROUNDING) }),
      compareWith(
        "  p, seeds held together",
        { r: heldP, ours: held[k]!.p },
        { note: lost, tolerance: P_CLOSE * heldP },
      ),
    ];
  });
}

const table42 = terResult({
  id: "book-table-4.2",
  where: "Table 4.2",
  shows: "pairwise differences of three systems",
  seconds: 2,
  lessons: [PSEUDO_REPLICATION],
  async run(lab) {
    const table = await readTer(lab);
    const compare = (random: string): EmmeansResult["contrasts"] =>
      marginalMeans(fitLmm(`ter ~ system + ${random}`, table, { ddf: "none" }), {
        by: ["system"],
        contrasts: "pairwise",
        adjust: "tukey",
      }).contrasts;
    const printed = compare("(1 | sentence_id)");
    const held = compare("(1 | sentence_id) + (1 | sentence_id:system)");
    return pairRows(printed, held, { references: PAIRS, label: "" });
  },
});

async function lengthMeans(lab: Lab): Promise<{ printed: EmmeansResult; held: EmmeansResult; table: Table }> {
  const table = await readTer(lab);
  const compare = (random: string): EmmeansResult =>
    marginalMeans(fitLmm(`ter ~ system * length_class + ${random}`, table, { ddf: "none" }), {
      by: ["system"],
      within: ["length_class"],
      contrasts: "pairwise",
      adjust: "tukey",
    });
  const held = compare("(1 | sentence_id) + (1 | sentence_id:system)");
  return { printed: compare("(1 | sentence_id)"), held, table };
}

const table43 = terResult({
  id: "book-table-4.3",
  where: "Table 4.3",
  shows: "the same differences by sentence length",
  seconds: 3,
  lessons: [PSEUDO_REPLICATION],
  async run(lab) {
    const { printed, held, table } = await lengthMeans(lab);
    const inClass = ({ contrasts }: EmmeansResult, name: string): EmmeansResult["contrasts"] =>
      contrasts.filter(({ within }) => within?.["length_class"] === name);
    const rows = Object.entries(PAIRS_BY_LENGTH).flatMap(([name, references]) =>
      pairRows(inClass(printed, name), inClass(held, name), { references, label: `, ${name}` }),
    );
    const ratio = testNestedMixed(
      ["ter ~ length_class + (1 | sentence_id)", "ter ~ system * length_class + (1 | sentence_id)"],
      table,
    );
    return [
      ...rows,
      compareWith("W of 4.12 against 4.13", { r: 66.5243058140222, ours: ratio.chisq }),
      compareWith("  p", { published: "<0.0001", r: 2.10571524428515e-12, ours: ratio.p }, { relative: P_CLOSE }),
    ];
  },
});

/** System, class, mean and standard error. */
const GROUP_MEANS: readonly (readonly [system: string, length: string, mean: number, se: number])[] = [
  ["Baseline", "short", 0.554096973400691, 0.0119038021720194],
  ["Marking", "short", 0.537972042304037, 0.0116928740156251],
  ["PostEdit", "short", 0.54142665447986, 0.0116928740156251],
  ["Baseline", "typical", 0.614020979771296, 0.0108182740733335],
  ["Marking", "typical", 0.606199914117278, 0.0106265808166138],
  ["PostEdit", "typical", 0.609181299842959, 0.0106265808166138],
  ["Baseline", "very long", 0.891049747271977, 0.0711935257213818],
  ["Marking", "very long", 0.818194136514769, 0.0699320196151019],
  ["PostEdit", "very long", 0.78348666919448, 0.0699320196151019],
];

const figure47 = terResult({
  id: "book-figure-4.7",
  where: "Figure 4.7",
  shows: "mean TER by system and sentence length",
  seconds: 3,
  lessons: ["The very long sentences are 13 of 1041; the figure does not say so."],
  async run(lab) {
    const { printed } = await lengthMeans(lab);
    const { means } = printed;
    lab.show({ kind: "result", name: "TER by length", result: printed });
    return GROUP_MEANS.flatMap(([system, length, mean, se]) => {
      const own = means.find(({ levels }) => levels["system"] === system && levels["length_class"] === length)!;
      return [
        compareWith(`${system}, ${length}`, { r: mean, ours: own.estimate }),
        compareWith("  standard error", { r: se, ours: own.se }),
      ];
    });
  },
});

export const BOOK_SIGNIFICANCE: readonly Reproduction[] = [table41, table42, table43, figure47];

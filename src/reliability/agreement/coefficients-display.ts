/** How agreement reads: the coefficients first, then labels, raters and what is taken for what. */
import type { FieldsOf } from "../../models/fit.ts";
import type { CellFormat, Display, DisplayTable, Screen } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { AgreementResult } from "./agreement.ts";

type Fields = FieldsOf<AgreementResult>;

/** Larger tables are in the JSON, not on the screen. */
const MOST_SHOWN = 12;

/** Krippendorff's bounds. */
const RELIABLE = 0.8;
const TENTATIVE = 0.667;

/** A claim about the raters is earned by the whole interval (Krippendorff 2019, chapter on reliability),
 *  not by where the estimate happens to lie; digits beyond the printed ones decide nothing. */
function alphaVerdict({ value, lower, upper }: { value: number; lower: number; upper: number }): string {
  if (Number.isNaN(value)) return "undefined: there is no variation to agree on";
  const [least, most] = Number.isNaN(lower) ? [value, value] : [lower, upper];
  const [low, high] = [least, most].map((end) => Number(end.toFixed(3)));
  if (low! >= RELIABLE) return "reliable (0.8 or more)";
  if (high! < TENTATIVE) return "not reliable (below 0.667)";
  if (low! >= TENTATIVE)
    return high! < RELIABLE
      ? "tentative conclusions only (0.667 to 0.8)"
      : "good enough for tentative conclusions (0.667 or more); reliable (0.8) is not shown";
  return high! < RELIABLE
    ? "tentative conclusions at most (0.667 is not shown, 0.8 is not reached)"
    : "undecided between not reliable (below 0.667) and reliable (0.8 or more)";
}

export function displayAgreement(fields: Fields): Display {
  const { items, sharedItems, raters, unnamed, labels, ratings, coefficients, scale } = fields;
  const { alpha } = coefficients;
  const { lower, upper, value } = alpha;
  const between = Number.isNaN(lower) ? "" : ` (${digits(lower)} to ${digits(upper)})`;
  // the verdict of an undefined α says that it is
  const found = Number.isNaN(value) ? "" : `${digits(value)}${between}: `;
  const different =
    labels.length === 1
      ? "all the same"
      : `${labels.length} ${scale === "interval" || scale === "ratio" ? "different values" : "categories"}`;
  const data = `${ratings} labels of ${items} items by ${unnamed ? `raters whom the file does not name, up to ${raters.length} an item` : `${raters.length} raters`}, ${different}; ${sharedItems} items have two or more labels.`;
  const verdict = `Krippendorff's α, ${scale}: ${found}${alphaVerdict(alpha)}.`;
  const all = coefficientTable(fields);
  return {
    title: "Agreement between raters",
    summary: [data, verdict],
    screen: {
      title: verdict,
      // of α the one that is judged
      tables: [{ ...all, rows: [...all.rows.filter(([, , lower]) => lower !== ""), ...agreementOfScores(fields)] }],
      summary: leastSentences(fields),
      facts: [
        { label: "Data", text: data },
        ...orderFact(fields),
        ...(fields.replicates > 0 ? [{ label: "Intervals", text: intervalsNote(fields) }] : []),
      ],
    },
    tables: [
      all,
      chanceTable(fields),
      ...intraclassTables(fields),
      categoryTable(fields),
      raterTable(fields),
      confusionTable(fields),
      ...coincidenceTables(fields),
    ].filter((table) => table.rows.length > 0),
    notes: fields.replicates > 0 ? [`Intervals: ${intervalsNote(fields)}`] : [],
  };
}

/** Measurements have correlations instead of κ: of one rater, absolute agreement and consistency. */
function agreementOfScores({ intraclass: table, categories }: Fields): (string | number)[][] {
  if (table === undefined || categories.length > 0) return [];
  return table.icc
    .filter(({ type }) => type === "ICC2" || type === "ICC3")
    .map((own) => [`${own.type}, ${own.name}`, own.value, own.lower, own.upper]);
}

/** Words that have an order are farther apart than others, which α on the nominal scale does not see. */
function orderFact({ scale, labels, alphas, coefficients: { alpha } }: Fields): Screen["facts"] {
  const unknown = scale === "nominal" && labels.length > 2 && Number.isNaN(alphas.ordinal);
  if (!unknown || Number.isNaN(alpha.value)) return [];
  const text =
    "the order of the labels is unknown, so they are treated as nominal. If they have an order, list them from the lowest to the highest with option `categories`.";
  return [{ label: "Scale", text }];
}

function intervalsNote({ replicates, signature }: Fields): string {
  const { cluster } = signature.options;
  return `${replicates} Bayesian bootstrap replicates over ${cluster === undefined ? "items" : `clusters of items (${cluster})`}.`;
}

/** Where to look first: the rater and the label with the least agreement. On a scale with an order a near miss is no miss, so the rater is the one
 *  without whom α rises most, if there is one. */
function leastSentences({ perRater, raters, unnamed, categories, scale, coefficients: { alpha } }: Fields): string[] {
  const rater = least(perRater, ({ agreement, alphaWithout }) => (scale === "nominal" ? agreement : -alphaWithout));
  const label = least(categories, ({ kappa }) => kappa);
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  return [
    ...(rater === undefined || unnamed || raters.length < 3
      ? []
      : scale !== "nominal"
        ? rater.alphaWithout > alpha.value
          ? [
              `Rater ${rater.rater} agrees least with the others: α without ${rater.rater} is ${digits(rater.alphaWithout)}.`,
            ]
          : []
        : [
            `Rater ${rater.rater} agrees least with the others (${percent(rater.agreement)})${Number.isNaN(rater.alphaWithout) ? "" : `; α without ${rater.rater} is ${digits(rater.alphaWithout)}`}.`,
          ]),
    ...(label === undefined || categories.length < 3
      ? []
      : [`Raters agree least on label ${label.label} (κ ${digits(label.kappa)}).`]),
  ];
}

/** undefined where two or more share the least value. */
function least<T>(all: readonly T[], of: (one: T) => number): T | undefined {
  const known = all.filter((one) => !Number.isNaN(of(one))).sort((a, b) => of(a) - of(b));
  return known.length > 1 && of(known[0]!) < of(known[1]!) ? known[0] : undefined;
}

const digits = (value: number): string => (Number.isNaN(value) ? "undefined" : value.toFixed(3));

function coefficientTable({
  categories,
  coefficients: all,
  raters,
  unnamed,
  scale,
  weighting,
  confidence,
  alphas,
}: Fields): DisplayTable {
  const two = raters.length === 2;
  const weights = weighting === "none" ? "" : `, ${weighting} weights`;
  const line = (name: string, { value, lower, upper }: { value: number; lower: number; upper: number }) => [
    name,
    value,
    lower,
    upper,
  ];
  const bare = (name: string, value: number) => [name, value, "", ""];
  const others = (["nominal", "ordinal", "interval", "ratio"] as const).filter(
    (own) => own !== scale && !Number.isNaN(alphas[own]),
  );
  const rows = [
    line("percent agreement", all.percent),
    line(`Krippendorff's α (${scale})`, all.alpha),
    ...others.map((own) => bare(`Krippendorff's α (${own})`, alphas[own])),
  ];
  const ofLabels = [
    ...(two && !unnamed ? [line(`Cohen's κ${weights}`, all.cohen)] : []),
    line(`${two ? "Scott's π" : "Fleiss' κ"}${weights}`, all.fleiss),
    ...(two || unnamed ? [] : [line(`Conger's κ${weights}`, all.conger)]),
    line("Gwet's AC1", all.ac1),
    ...(weighting === "none" ? [] : [line(`Gwet's AC2${weights}`, all.ac2)]),
    line(`Randolph's κ${weights}`, all.randolph),
  ];
  const level = `${formatNumber(100 * confidence)}%`;
  return {
    head: ["coefficient", "estimate", `${level} from`, "to"],
    formats: ["text", "statistic", "statistic", "statistic"],
    rows: categories.length === 0 ? rows : [...rows, ...ofLabels],
  };
}

/** What chance is taken to give: where it is high, high agreement counts for little. Squared distances of ranks or ratings, which α sets against each
 *  other, are told by their quotient: beside shares of agreements they would read like them. */
function chanceTable({ chance }: Fields): DisplayTable {
  return {
    caption: "Observed, and what chance would give",
    head: ["coefficient", "of", "observed", "by chance"],
    formats: ["text", "text", "statistic", "statistic"],
    rows: chance.map((own) =>
      own.of === "disagreement" && (own.expected > 1 || own.observed > 1)
        ? [own.coefficient, `${own.of}, chance = 1`, own.observed / own.expected, 1]
        : [own.coefficient, own.of, own.observed, own.expected],
    ),
  };
}

/** Of two raters the table above is another one; what chance would give is for all. */
function coincidenceTables({ coincidences: { observed, expected }, labels, raters }: Fields): DisplayTable[] {
  if (labels.length > MOST_LABELS || observed.length === 0) return [];
  const table = (caption: string, rows: readonly (readonly number[])[]): DisplayTable => ({
    caption,
    decimals: COUNT_DECIMALS,
    head: ["", ...labels],
    formats: ["text", ...labels.map(() => "number" as const)],
    rows: rows.map((row, i) => [labels[i]!, ...row]),
  });
  return [
    ...(raters.length === 2 ? [table("Which labels meet (coincidences)", observed)] : []),
    table("… if they met by chance", expected),
  ];
}

function intraclassTables({ intraclass: table, concordance: ccc, confidence }: Fields): DisplayTable[] {
  if (table === undefined) return [];
  const level = `${formatNumber(100 * confidence)}%`;
  const rows: (string | number)[][] = table.icc.map((own) => [
    `${own.type}, ${own.name}`,
    own.value,
    own.lower,
    own.upper,
    own.f,
    own.df1,
    own.df2,
    own.p,
  ]);
  if (ccc !== undefined) rows.push(["concordance (Lin)", ccc.value, ccc.lower, ccc.upper, "", "", "", ""]);
  const formats: CellFormat[] = ["text", "statistic", "statistic", "statistic", "statistic", "df", "df", "p"];
  return [
    {
      caption: `Intraclass correlations (${table.items} items with all ${table.raters} raters)`,
      head: ["type", "estimate", `${level} from`, "to", "F", "df1", "df2", "p"],
      formats,
      rows,
    },
  ];
}

function categoryTable({ categories }: Fields): DisplayTable {
  const rows = categories.length > MOST_SHOWN ? [] : categories.map((c) => [c.label, c.share, c.specific, c.kappa]);
  return {
    caption: "By label",
    head: ["label", "share", "other agrees", "κ"],
    formats: ["text", "percent", "percent", "statistic"],
    rows,
  };
}

function raterTable({ perRater, raters, labels, categories }: Fields): DisplayTable {
  const many = raters.length > MOST_SHOWN;
  const sorted = [...perRater].sort((a, b) => a.agreement - b.agreement);
  const shown = many ? sorted.slice(0, MOST_SHOWN) : perRater;
  const numeric = labels.length > 2 && perRater.some(({ bias }) => !Number.isNaN(bias));
  const more = raters.length > 2;
  const labeled = categories.length > 0;
  return {
    caption: many ? `By rater (the ${MOST_SHOWN} of ${raters.length} who agree least)` : "By rater",
    head: [
      "rater",
      "labels",
      "agreement",
      ...(labeled ? ["mean κ"] : []),
      ...(more ? ["α without"] : []),
      ...(numeric ? ["bias"] : []),
    ],
    formats: [
      "text",
      "integer",
      "percent",
      ...(labeled ? (["statistic"] as const) : []),
      ...(more ? (["statistic"] as const) : []),
      ...(numeric ? (["statistic"] as const) : []),
    ],
    rows: shown.map((own) => [
      own.rater,
      own.labels,
      own.agreement,
      ...(labeled ? [own.kappa] : []),
      ...(more ? [own.alphaWithout] : []),
      ...(numeric ? [own.bias] : []),
    ]),
  };
}

/** Of pairs of labels, which come in halves and thirds where an item has three or four labels. */
const COUNT_DECIMALS = 2;
/** Widest table of labels that 80 columns hold. */
const MOST_LABELS = 8;

function confusionTable({ confusion, labels, raters }: Fields): DisplayTable {
  const two = raters.length === 2;
  if (labels.length > MOST_LABELS) return { head: [], rows: [] };
  return {
    caption: two ? `${raters[0]} (rows) against ${raters[1]} (columns)` : "Which labels meet (coincidences)",
    decimals: COUNT_DECIMALS,
    head: ["", ...labels],
    formats: ["text", ...labels.map(() => (two ? ("integer" as const) : ("number" as const)))],
    rows: confusion.map((row, i) => [labels[i]!, ...row]),
  };
}

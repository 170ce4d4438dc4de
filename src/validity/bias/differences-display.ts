/** How a bias test reads: the verdict, the table of differences, a picture of in-domain against out-of-domain. */

import type { FieldsOf } from "../../models/fit.ts";
import { adjustmentName } from "../../result/adjustment.ts";
import type { Display, DisplaySection, DisplayTable } from "../../result/display.ts";
import { mostOf } from "../../result/extremes.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { BiasComparison, BiasResult } from "./bias.ts";

type Fields = FieldsOf<BiasResult>;

/** Larger tables are in the JSON, not on the screen. */
const MOST_ROWS = 26;
const MOST_NGRAM_ROWS = 20;
const MEASURES = { pearson: "r", eta: "η", cramer: "V", nmi: "NMI" } as const;

export function displayBias(fields: Fields): Display {
  const { label, predicted, positive, domains, features, predictions, settings, verdict } = fields;
  const one = positive === undefined ? "" : `, 1 = ${positive}`;
  const against = domains.outOfDomain.join(", ");
  const level = formatNumber(100 * settings.confidence);
  return {
    title: "Dataset bias test",
    summary: [
      `Label ${label}${one}${predicted === undefined ? "" : `; predictions ${predicted}`}. In-domain: ${domains.inDomain}. Out-of-domain: ${against}.`,
      verdict.text,
    ],
    tables: [
      ...performanceTables(fields),
      ...comparisonTables(features, "Gold labels", fields),
      ...comparisonTables(predictions, "Predictions", fields),
      ...inheritanceTable(fields),
      ...ngramTable(fields),
    ],
    notes: [
      ...(features.length === 0
        ? []
        : [
            `in, out: ${measureWords([...features, ...predictions])}. diff: in minus out, from … to its ${level}% interval. p is adjusted (${adjustmentName(settings.adjust)}).`,
          ]),
      `Biased: adjusted p below ${settings.alpha} and a difference of at least ${settings.threshold}, either way.`,
    ],
    sections: scatter(features),
  };
}

/** What an evaluation in-domain promises of the predictions, and what comes of it elsewhere. */
function performanceTables({ performance, settings }: Fields): DisplayTable[] {
  if (performance === undefined) return [];
  const { metric, inDomain, outOfDomain } = performance;
  const level = `${formatNumber(100 * settings.confidence)}%`;
  const right = metric === "accuracy";
  const format = right ? ("percent" as const) : ("number" as const);
  const ends = right ? [`${level} from`, "to"] : [];
  const row = (name: string, n: number | string, value: number, lower: number, upper: number): (string | number)[] => [
    name,
    n,
    value,
    ...(right ? [lower, upper] : []),
  ];
  return [
    {
      caption: `Predictions: ${right ? "accuracy" : "root mean square error"} as estimated in-domain, and as realised`,
      head: ["domain", "rows", right ? "accuracy" : "RMSE", ...ends],
      formats: ["text", "integer", format, ...(right ? [format, format] : [])],
      rows: [
        row(`${inDomain.domain} (in-domain)`, inDomain.n, inDomain.value, inDomain.lower, inDomain.upper),
        ...outOfDomain.flatMap((own) => [
          row(own.domain, own.n, own.value, own.lower, own.upper),
          row("… in-domain minus this", "", own.difference, own.differenceLower, own.differenceUpper),
        ]),
      ],
    },
  ];
}

function measureWords(compared: readonly BiasComparison[]): string {
  const used = new Set(compared.map(({ measure }) => measure));
  const words = [
    ...(used.has("pearson") ? ["Pearson's r"] : []),
    ...(used.has("eta") ? ["correlation ratio η"] : []),
    ...(used.has("cramer") ? ["Cramér's V"] : []),
    ...(used.has("nmi") ? ["normalised mutual information"] : []),
  ];
  return words.join(", ");
}

/** One table for every out-of-domain data set; letters as in the picture. */
function comparisonTables(compared: readonly BiasComparison[], labels: string, { domains }: Fields): DisplayTable[] {
  const mixed = new Set(compared.map(({ measure }) => measure)).size > 1;
  return domains.outOfDomain.flatMap((domain) => {
    const own = compared.map((row, i) => ({ row, i })).filter(({ row }) => row.outOfDomain.domain === domain);
    if (own.length === 0) return [];
    const more = own.length > MOST_ROWS ? `, the ${MOST_ROWS} of ${own.length} largest differences` : "";
    return [
      {
        caption: `${labels}: ${domains.inDomain} (in) against ${domain} (out)${more}`,
        head: ["", "feature", ...(mixed ? [""] : []), "in", "out", "diff", "from", "to", "p", ""],
        formats: ["text", "text", ...(mixed ? (["text"] as const) : []), ...FIGURES, "p", "text"],
        rows: own
          .slice(0, MOST_ROWS)
          .map(({ row, i }) => [
            letter(i),
            row.feature,
            ...(mixed ? [MEASURES[row.measure]] : []),
            row.inDomain.value,
            row.outOfDomain.value,
            row.difference,
            row.lower,
            row.upper,
            row.adjustedP,
            row.biased ? row.pattern : "",
          ]),
      } satisfies DisplayTable,
    ];
  });
}

const FIGURES = ["statistic", "statistic", "statistic", "statistic", "statistic"] as const;

const letter = (i: number): string => (i < MOST_ROWS ? String.fromCharCode(97 + i) : "");

function inheritanceTable({ inheritance, domains }: Fields): DisplayTable[] {
  if (inheritance.length === 0) return [];
  const several = domains.outOfDomain.length > 1;
  return [
    {
      caption: "Out of domain: do the predictions (model) keep what was learned in-domain?",
      head: ["feature", ...(several ? ["out of"] : []), "gold", "model", "learned", "kept", "p", ""],
      formats: [
        "text",
        ...(several ? (["text"] as const) : []),
        "statistic",
        "statistic",
        "statistic",
        "percent",
        "p",
        "text",
      ],
      rows: inheritance.map((own) => [
        own.feature,
        ...(several ? [own.domain] : []),
        own.gold,
        own.predicted,
        own.learned,
        own.share,
        own.adjustedP,
        own.inherited ? "inherited" : "",
      ]),
    },
  ];
}

function ngramTable({ ngrams, domains }: Fields): DisplayTable[] {
  if (ngrams.length === 0) return [];
  const several = domains.outOfDomain.length > 1;
  const most =
    ngrams.length > MOST_NGRAM_ROWS ? `, the ${MOST_NGRAM_ROWS} of ${ngrams.length} largest differences` : "";
  return [
    {
      caption: `N-grams: pointwise mutual information in bits, difference of φ (p adjusted by BH, * biased)${most}`,
      head: ["n-gram", "class", ...(several ? ["out of"] : []), "rows", "PMI in", "PMI out", "diff", "p", ""],
      formats: [
        "text",
        "text",
        ...(several ? (["text"] as const) : []),
        "integer",
        "statistic",
        "statistic",
        "statistic",
        "p",
        "text",
      ],
      rows: ngrams
        .slice(0, MOST_NGRAM_ROWS)
        .map((own) => [
          own.ngram,
          own.label,
          ...(several ? [own.domain] : []),
          own.inDomain.count,
          own.inDomain.pmi,
          own.outOfDomain.pmi,
          own.difference,
          own.adjustedP,
          own.biased ? "*" : "",
        ]),
    },
  ];
}

/** With the numbers at its side it fits a phone. */
const WIDTH = 37;
const HEIGHT = 13;
/** Fewer points need no picture. */
const FEWEST_POINTS = 3;

/** In-domain across, out-of-domain upwards; features on the dotted line are the same in both. */
function scatter(features: readonly BiasComparison[]): DisplaySection[] {
  const points = features
    .slice(0, MOST_ROWS)
    .map((own, i) => ({ x: own.inDomain.value, y: own.outOfDomain.value, mark: letter(i) }))
    .filter(({ x, y }) => !Number.isNaN(x) && !Number.isNaN(y));
  if (points.length < FEWEST_POINTS) return [];
  const reach = Math.max(0.1, mostOf(points.flatMap(({ x, y }) => [Math.abs(x), Math.abs(y)])));
  const high = Math.min(1, Math.ceil(reach * 10) / 10);
  const low = points.some(({ x, y }) => x < 0 || y < 0) ? -high : 0;
  const share = (value: number): number => (value - low) / (high - low);
  const column = (x: number): number => Math.round(share(x) * (WIDTH - 1));
  const row = (y: number): number => Math.round((1 - share(y)) * (HEIGHT - 1));
  const grid = Array.from({ length: HEIGHT }, () => new Array<string>(WIDTH).fill(" "));
  for (let c = 0; c < WIDTH; c++) grid[row(0)]![c] = "-";
  for (let r = 0; r < HEIGHT; r++) grid[r]![column(0)] = r === row(0) ? "+" : "|";
  for (let r = 0; r < HEIGHT; r++) grid[r]![Math.round((1 - r / (HEIGHT - 1)) * (WIDTH - 1))] = ".";
  // the largest difference comes first in the table and last here, so that it is never hidden
  for (const { x, y, mark } of [...points].reverse()) grid[row(y)]![column(x)] = mark;
  const side = (r: number): string => {
    const value = r === 0 ? high : r === HEIGHT - 1 ? low : r === row(0) ? 0 : undefined;
    return (value?.toFixed(1) ?? "").padStart(5);
  };
  const lines = grid.map((cells, r) => `${side(r)} ${cells.join("").trimEnd()}`);
  const middle = ((low + high) / 2).toFixed(low < 0 ? 1 : 2);
  lines.push(`     ${low.toFixed(1)}${middle.padStart((WIDTH - 1) / 2)}${high.toFixed(1).padStart((WIDTH - 1) / 2)}`);
  return [
    {
      heading: "In-domain (across) against out-of-domain (upwards)",
      items: [{ text: "on the dotted line an association is the same in both", code: lines }],
      drawn: true,
    },
  ];
}

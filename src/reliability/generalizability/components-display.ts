/** How reliability reads: the verdict first, then where the variance comes from, then what other designs would give. */
import type { FieldsOf } from "../../models/fit.ts";
import type { CellFormat, Display, DisplayTable } from "../../result/display.ts";
import { formatNumber, formatP } from "../../result/number-format.ts";
import type { OneWay } from "../../significance/tests/intraclass.ts";
import type { Consistency, SplitHalf } from "../consistency.ts";
import type { ReliabilityResult, VarianceShare } from "./generalizability.ts";

type Fields = FieldsOf<ReliabilityResult>;

const digits = (value: number): string => (Number.isNaN(value) ? "undefined" : value.toFixed(3));
const between = ({ lower, upper }: { lower: number; upper: number }): string =>
  Number.isNaN(lower) ? "" : ` (${digits(lower)} to ${digits(upper)})`;

const MODELS = {
  lmm: "linear mixed model, REML",
  glmm: "logistic mixed model, variances on the logit scale",
  clmm: "cumulative logit mixed model, variances on the latent scale",
} as const;

const METHODS = {
  generalised: "generalised intervals from the mean squares (balanced data)",
  bootstrap: "parametric bootstrap for coefficients and shares",
  none: "none",
} as const;

export function displayReliability(fields: Fields): Display {
  const { score, object, facets, nobs, phi, relative, verdict, intervals, replicates, model } = fields;
  const what = object === undefined ? "" : ` of ${object}`;
  return {
    title: `Reliability of ${score}${what} over ${facets.join(", ")}`,
    summary: [
      `${nobs} scores; ${MODELS[model]}.`,
      ...(object === undefined
        ? []
        : [
            `φ of a single score: ${digits(phi.value)}${between(phi)}, ${verdict}. Relative coefficient: ${digits(relative.value)}${between(relative)}.`,
            averaged(fields),
          ]),
      ...cheapestLine(fields),
    ],
    tables: [
      componentTable(fields.components, fields.confidence),
      ...(fields.raters.length > 0 ? [raterTable(fields)] : []),
      ...(fields.oneWay === undefined ? [] : [oneWayTable(fields.oneWay, fields)]),
      ...(fields.consistency === undefined ? [] : consistencyTables(fields.consistency, fields)),
      ...(fields.whatIf.length > 0 ? [whatIfTable(fields)] : []),
      ...(fields.conditional.length > 0 ? [conditionalTable(fields)] : []),
    ],
    notes: [
      ...(object === undefined || Number.isNaN(fields.check.share)
        ? []
        : [
            `Substantial variance check (nothing but ${object} in the model): ${formatNumber(fields.check.share, "percent")} of the variance.`,
          ]),
      ...(intervals === "none" ? [] : [`Intervals: ${METHODS[intervals]}, ${replicates} draws.`]),
      ...(object === undefined ? [] : ["Bands of Koo & Li: poor < 0.5, moderate < 0.75, good < 0.9, excellent."]),
    ],
  };
}

function averaged({ observed }: Fields): string {
  const over = Object.entries(observed.n).map(
    ([name, n]) => `${formatNumber(n)} ${n === 1 ? "level" : "levels"} of ${name}`,
  );
  return `Averaged over ${over.join(" × ")}, as in these data: φ = ${digits(observed.value)}${between(observed)}.`;
}

function cheapestLine({ cheapest }: Fields): string[] {
  if (cheapest === undefined) return [];
  const numbers = Object.entries(cheapest.n).map(([name, n]) => `${n} ${n === 1 ? "level" : "levels"} of ${name}`);
  return cheapest.reached
    ? [
        `Cheapest design whose estimated φ is at least ${cheapest.target}: ${numbers.join(" × ")}, φ = ${digits(cheapest.phi)}${between(cheapest)}, cost ${formatNumber(cheapest.cost)}.`,
      ]
    : [
        `By the estimates no design of up to ${numbers.join(" × ")} reaches φ = ${cheapest.target}: that many would give ${digits(cheapest.phi)}${between(cheapest)}${cheapest.upper >= cheapest.target ? "; these data do not rule it out" : ""}.`,
      ];
}

export function componentTable(components: readonly VarianceShare[], confidence: number): DisplayTable {
  const level = `${formatNumber(100 * confidence)}%`;
  const formats: CellFormat[] = ["text", "integer", "number", "percent", "percent", "percent"];
  return {
    caption: "Where the variance comes from",
    head: ["component", "levels", "variance", "share", `${level} from`, "to"],
    formats,
    rows: components.map((own) => [
      own.term,
      Number.isNaN(own.levels) ? "" : own.levels,
      own.variance,
      own.percent / 100,
      own.percentLower / 100,
      own.percentUpper / 100,
    ]),
  };
}

function raterTable({ raters }: Fields): DisplayTable {
  return {
    caption: "One facet at a time",
    head: ["facet", "same level again (intra)", "another level (inter)"],
    formats: ["text", "statistic", "statistic"],
    rows: raters.map(({ facet, intra, inter }) => [facet, intra, inter]),
  };
}

function oneWayTable(own: OneWay, { confidence, facets }: Fields): DisplayTable {
  const level = `${formatNumber(100 * confidence)}%`;
  const mean = formatNumber(own.k0);
  return {
    caption: `One-way analysis of variance: F(${own.df1}, ${own.df2}) = ${own.f.toFixed(3)}, ${formatP(own.p)}`,
    head: ["coefficient", "estimate", `${level} from`, "to"],
    formats: ["text", "statistic", "statistic", "statistic"],
    rows: [
      [`ICC(1), one ${facets[0]}`, own.icc1, own.icc1Lower, own.icc1Upper],
      [`ICC(k), mean of ${own.balanced ? "" : "k₀ = "}${mean}`, own.icc1k, own.icc1kLower, own.icc1kUpper],
    ],
  };
}

/** More are in JSON. */
const MOST_ITEMS = 20;

function consistencyTables(own: Consistency, { confidence, facets, object }: Fields): DisplayTable[] {
  const level = `${formatNumber(100 * confidence)}%`;
  const half = ({ guttman, spearmanBrown }: SplitHalf, name: string): (string | number)[] => [
    name,
    guttman,
    "",
    "",
    spearmanBrown,
  ];
  const { splits } = own;
  return [
    {
      caption: `Consistency of the mean of all ${own.k} levels of ${facets[0]} (${own.n} levels of ${object})`,
      head: ["coefficient", "estimate", `${level} from`, "to", "Spearman-Brown"],
      formats: ["text", "statistic", "statistic", "statistic", "statistic"],
      rows: [
        ["Cronbach's α", own.alpha, own.alphaLower, own.alphaUpper, ""],
        ["α, standardised", own.alphaStandardised, "", "", ""],
        ["Guttman's λ2", own.lambda2, "", "", ""],
        ["Guttman's λ6", own.lambda6, "", "", ""],
        half(own.oddEven, "split half, odd and even"),
        half(own.firstSecond, "split half, first and second"),
        ...(splits === undefined
          ? []
          : [
              [`worst of ${splits.count} splits`, splits.guttman.min, "", "", splits.spearmanBrown.min],
              [`best of ${splits.count} splits`, splits.guttman.max, "", "", splits.spearmanBrown.max],
            ]),
      ],
    },
    {
      caption: `One level of ${facets[0]} against the others`,
      head: [facets[0]!, "correlation with the rest", "α without it", "R² on the others"],
      formats: ["text", "statistic", "statistic", "statistic"],
      rows: own.items
        .slice(0, MOST_ITEMS)
        .map((item) => [item.name, item.itemRest, item.alphaIfDropped, item.squaredMultipleCorrelation]),
    },
  ];
}

function whatIfTable({ whatIf, confidence }: Fields): DisplayTable {
  const facets = Object.keys(whatIf[0]!.n);
  const level = `${formatNumber(100 * confidence)}%`;
  const crossed = facets.length === 2 ? surfaceTable(whatIf, facets[0]!, facets[1]!) : undefined;
  if (crossed !== undefined) return crossed;
  return {
    caption: "What if each score were averaged over",
    head: [...facets, "φ", `${level} from`, "to", "relative"],
    formats: [...facets.map(() => "integer" as const), "statistic", "statistic", "statistic", "statistic"],
    rows: whatIf.map(({ n, phi, lower, upper, relative }) => [
      ...facets.map((name) => n[name]!),
      phi,
      lower,
      upper,
      relative,
    ]),
  };
}

/** Columns of numbers that 80 characters hold beside the first. */
const WIDEST_SURFACE = 9;

/** φ of two facets as rows and columns. */
function surfaceTable(whatIf: Fields["whatIf"], rows: string, columns: string): DisplayTable | undefined {
  const across = [...new Set(whatIf.map(({ n }) => n[columns]!))];
  const down = [...new Set(whatIf.map(({ n }) => n[rows]!))];
  if (across.length < 2 || across.length > WIDEST_SURFACE) return undefined;
  return {
    caption: `φ if each score were averaged over so many ${rows} (rows) and ${columns} (columns)`,
    head: [rows, ...across.map(String)],
    formats: ["integer", ...across.map(() => "statistic" as const)],
    rows: down.map((r) => [r, ...across.map((c) => whatIf.find(({ n }) => n[rows] === r && n[columns] === c)!.phi)]),
  };
}

function conditionalTable({ conditional, confidence }: Fields): DisplayTable {
  const level = `${formatNumber(100 * confidence)}%`;
  return {
    caption: "By property",
    head: ["class", "scores", "φ", `${level} from`, "to", "verdict"],
    formats: ["text", "integer", "statistic", "statistic", "statistic", "text"],
    rows: conditional.map((own) => [
      own.level,
      own.nobs,
      own.phi.value,
      own.phi.lower,
      own.phi.upper,
      own.problem ?? own.verdict,
    ]),
  };
}

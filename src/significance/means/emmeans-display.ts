/** How marginal means and contrasts read: two tables, and notes that say what was averaged, held fixed and adjusted. */

import type { FieldsOf } from "../../models/fit.ts";
import type { CellFormat, Display, DisplayTable } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import { familyWiseSentence } from "../multiplicity.ts";
import type { EmmeansResult } from "./means.ts";
import type { OrdinalScale } from "./ordinal.ts";

type Fields = FieldsOf<EmmeansResult>;

export function displayEmmeans(result: Fields): Display {
  const what = result.slopes === undefined ? "Marginal means" : `Slopes of ${result.slopes}`;
  const of =
    result.by.length === 0
      ? ""
      : result.slopes === undefined
        ? ` of ${result.by.join(" × ")}`
        : ` by ${result.by.join(" × ")}`;
  const within = result.within.length === 0 ? "" : ` within ${result.within.join(" × ")}`;
  return {
    title: `${what}${of}${within}: ${result.formula}`,
    summary: [`${result.nobs} rows.`],
    tables: [meansTable(result), ...(result.contrasts.length === 0 ? [] : [contrastsTable(result)])],
    notes: [...gridNotes(result), ...scaleNotes(result), ...adjustmentNotes(result)],
  };
}

interface Head {
  readonly head: readonly string[];
  readonly formats: readonly CellFormat[];
}

function makeTable(columns: readonly (readonly [string, CellFormat])[]): Head {
  return { head: columns.map(([name]) => name), formats: columns.map(([, format]) => format) };
}

const level = ({ confidence }: Fields): string => `${formatNumber(100 * confidence)}%`;

/** Digits that are shown of a level that is a number with a fraction; more where levels would look alike. */
const LEVEL_DIGITS = 5;
/** A double has no more. */
const MOST_DIGITS = 17;

/** Writes levels, also within the names of contrasts, without the digits that nobody reads. The result keeps them all. */
function levelWriter({ means }: Fields): (text: string) => string {
  const levels = [...new Set(means.flatMap((mean) => Object.values(mean.levels)))];
  const long = levels.filter((level) => /^-?\d+\.\d+(e[+-]\d+)?$/.test(level) && level.length > LEVEL_DIGITS + 2);
  const rounded = (level: string, digits: number): string => {
    const whole = level.replace(/^-?(\d+).*/, "$1").length;
    return String(Number(Number(level).toPrecision(Math.max(digits, whole))));
  };
  let digits = LEVEL_DIGITS;
  const differ = (): boolean =>
    new Set(levels.map((level) => (long.includes(level) ? rounded(level, digits) : level))).size === levels.length;
  while (digits < MOST_DIGITS && !differ()) digits += 1;
  // the longest first: one level may be the beginning of another
  const order = [...long].sort((a, b) => b.length - a.length);
  return (text) => order.reduce((out, level) => out.replaceAll(level, rounded(level, digits)), text);
}

function meansTable(result: Fields): DisplayTable {
  const write = levelWriter(result);
  const factors = [...result.by, ...result.within];
  const withDf = result.means.some(({ df }) => Number.isFinite(df));
  const { head, formats } = makeTable([
    ...(factors.length === 0 ? ["average"] : factors).map((name) => [name, "text"] as const),
    [meanName(result), "number"],
    ["SE", "number"],
    ...(withDf ? [["df", "df"] as const] : []),
    [`${level(result)} from`, "number"],
    ["to", "number"],
  ]);
  const rows = result.means.map((m) => [
    ...(factors.length === 0 ? [m.name] : factors.map((name) => write(m.levels[name]!))),
    m.estimate,
    m.se,
    ...(withDf ? [m.df] : []),
    m.lower,
    m.upper,
  ]);
  return { head, formats, rows };
}

/** Links whose response is a probability. */
const PROBABILITY_LINKS: readonly string[] = ["logit", "probit", "cloglog"];

const ORDINAL_NAMES: Readonly<Record<OrdinalScale, string>> = {
  latent: "latent mean",
  "linear-predictor": "linear predictor",
  "cum-prob": "P(at most)",
  "exc-prob": "P(above)",
  prob: "probability",
  "mean-class": "mean class",
};

function meanName({ slopes, type, link }: Fields): string {
  if (slopes !== undefined) return "slope";
  if (type !== "link" && type !== "response") return ORDINAL_NAMES[type];
  if (type === "link") return link === "identity" ? "mean" : `mean (${link})`;
  return PROBABILITY_LINKS.includes(link) ? "probability" : "mean";
}

function contrastsTable(result: Fields): DisplayTable {
  const write = levelWriter(result);
  const withDf = result.contrasts.some(({ df }) => Number.isFinite(df));
  const { head, formats } = makeTable([
    ["contrast", "text"],
    ...result.within.map((name) => [name, "text"] as const),
    [result.contrastType === "difference" ? "estimate" : result.contrastType, "number"],
    ["SE", "number"],
    ...(withDf ? [["df", "df"] as const] : []),
    [withDf ? "t" : "z", "statistic"],
    ["p", "p"],
    [`${level(result)} from`, "number"],
    ["to", "number"],
  ]);
  const rows = result.contrasts.map((c) => [
    write(c.contrast),
    ...result.within.map((name) => write(c.within![name]!)),
    c.estimate,
    c.se,
    ...(withDf ? [c.df] : []),
    c.statistic,
    c.p,
    c.lower,
    c.upper,
  ]);
  return { head, formats, rows };
}

function gridNotes({ averagedOver, weights, covariates }: Fields): string[] {
  const how = weights === "equal" ? "each combination of levels with the same weight" : "weighted by their frequencies";
  return [
    ...(averagedOver.length === 0 ? [] : [`Averaged over ${averagedOver.join(", ")}, ${how}.`]),
    ...(covariates.length === 0
      ? []
      : [`Covariates at ${covariates.map(({ name, value }) => `${name} = ${formatNumber(value)}`).join(", ")}.`]),
  ];
}

function scaleNotes(result: Fields): string[] {
  const { type, link, contrastType, contrasts, slopes, randomAtZero } = result;
  const average =
    randomAtZero === undefined || type === "link" || type === "latent"
      ? []
      : [`For an average ${randomAtZero.join(" and ")}: random effects at 0, not averaged over.`];
  if (type !== "link" && type !== "response") return [ordinalNote(type, link), ...average];
  return [...linkNotes({ type, link, contrastType, contrasts, slopes }), ...average];
}

function ordinalNote(scale: OrdinalScale, link: string): string {
  switch (scale) {
    case "latent":
      return `Latent scale (${link} link), measured from the mean threshold; a positive difference moves ratings up.`;
    case "linear-predictor":
      return `Threshold minus latent mean, on the ${link} scale.`;
    case "mean-class":
      return "Categories count 1, 2, 3 … in their order.";
    case "cum-prob":
      return "Probability of a rating at or below the threshold; contrasts are differences of probabilities.";
    case "exc-prob":
      return "Probability of a rating above the threshold; contrasts are differences of probabilities.";
    default:
      return "Contrasts are differences of probabilities.";
  }
}

type ScaleFields = Pick<Fields, "type" | "link" | "contrastType" | "contrasts"> & { slopes: string | undefined };

function linkNotes({ type, link, contrastType, contrasts, slopes }: ScaleFields): string[] {
  if (link === "identity") return [];
  if (type === "link") return [`Results are on the ${link} scale.`];
  if (slopes !== undefined) return [`Slopes are on the ${link} scale.`];
  if (contrasts.length === 0) return [];
  return contrastType === "difference" ? [] : [`Tests are made on the ${link} scale; a ratio of 1 is no difference.`];
}

const ADJUSTMENT_NAMES: Readonly<Record<string, string>> = {
  tukey: "Tukey",
  holm: "Holm",
  bonferroni: "Bonferroni",
  sidak: "Sidak",
  hochberg: "Hochberg",
  "holm-sidak": "Holm-Sidak",
  hommel: "Hommel",
  BH: "Benjamini-Hochberg (false discovery rate)",
  BY: "Benjamini-Yekutieli (false discovery rate)",
};

function adjustmentNotes({ adjust, families, within, contrasts, confidence }: Fields): string[] {
  if (contrasts.length === 0 || families.every(({ tests }) => tests <= 1)) return [];
  if (adjust === "none") {
    const tests = families.reduce((sum, family) => sum + family.tests, 0);
    const alpha = Number((1 - confidence).toPrecision(12));
    return [
      `p values and intervals are not adjusted for the number of contrasts: ${familyWiseSentence(tests, alpha)}.`,
    ];
  }
  const size = (of: "tests" | "means"): string => [...new Set(families.map((family) => family[of]))].join(" or ");
  const family = adjust === "tukey" ? `${size("means")} means` : `${size("tests")} tests`;
  const each = within.length === 0 ? "" : `, within each ${within.join(" × ")} separately`;
  const own = ["tukey", "sidak", "bonferroni"].includes(adjust) ? "and intervals " : "";
  const others = own === "" ? "; intervals: Bonferroni" : "";
  return [`p values ${own}adjusted by ${ADJUSTMENT_NAMES[adjust]} for ${family}${each}${others}.`];
}

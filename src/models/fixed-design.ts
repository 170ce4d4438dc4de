/** From a formula and a table to the design of an lm or glm, and what the robust covariances need of the table. */
import { asFactor, column, isMissing, selectRows, type Table } from "../data/table.ts";
import { buildDesign, type Design, noteDropped } from "../formula/design.ts";
import { parseFormula } from "../formula/parse/parse.ts";
import { binomialResponse } from "../formula/response.ts";
import type { SchemaOptions } from "../formula/schema.ts";
import type { Formula } from "../formula/term.ts";
import { warning } from "../result/diagnostic.ts";
import { checkConfidence, StatError } from "../result/error.ts";
import { formatNumber } from "../result/number-format.ts";
import type { Diagnostic } from "../result/result.ts";
import type { RobustType } from "./sandwich.ts";

export interface RegressionOptions extends SchemaOptions {
  /** Confidence level of the intervals. */
  readonly confidence?: number | undefined;
  /** Covariance of the coefficients; the default is the classical one, or CR2 when `cluster` is given. */
  readonly robust?: RobustType | undefined;
  /** Column whose equal values mark rows that are not independent of each other. */
  readonly cluster?: string | undefined;
}

export interface ModelDesign {
  readonly table: Table;
  readonly design: Design;
  readonly diagnostics: readonly Diagnostic[];
}

export function designFor(
  kind: "lm" | "glm",
  text: string | Formula,
  table: Table,
  options: RegressionOptions,
): ModelDesign {
  const formula = typeof text === "string" ? parseFormula(text) : text;
  refuseOtherTerms(kind, formula);
  checkOptions(options);
  const rows = rowsWithCluster(table, options.cluster);
  const raw = buildDesign(formula, rows === undefined ? table : selectRows(table, rows), options);
  const whole = rows === undefined ? raw : inWholeTable(raw, { table, rows, cluster: options.cluster! });
  const design = kind === "lm" ? numericResponse(whole) : shareResponse(whole);
  return { table, design, diagnostics: [...raw.schema.diagnostics, ...noteDropped(whole)] };
}

/** Rows that have a cluster; undefined if all do. */
function rowsWithCluster(table: Table, cluster: string | undefined): Int32Array | undefined {
  if (cluster === undefined) return undefined;
  const cells = column(table, cluster);
  const rows = Int32Array.from({ length: table.rows }, (_, row) => row).filter((row) => !isMissing(cells, row));
  return rows.length === table.rows ? undefined : rows;
}

/** A design over some rows of a table, told in rows of the whole. */
function inWholeTable(
  design: Design,
  { table, rows, cluster }: { table: Table; rows: Int32Array; cluster: string },
): Design {
  const lost = table.rows - rows.length;
  const byVariable = new Map([...design.dropped.byVariable, [cluster, lost]]);
  const dropped = { ...design.dropped, rows: design.dropped.rows + lost, byVariable };
  return { ...design, rowsUsed: design.rowsUsed.map((row) => rows[row]!), dropped };
}

function refuseOtherTerms(kind: "lm" | "glm", formula: Formula): void {
  const other = formula.random[0] ?? formula.smooth[0];
  if (other !== undefined) {
    const shown = other.kind === "random" ? `(${other.label})` : other.label;
    const what = other.kind === "random" ? "a random effect" : "a smooth";
    throw new StatError(
      "UnsupportedTerm",
      `${shown} is ${what}; ${kind} has fixed effects only.`,
      other.kind === "random"
        ? "Fit a mixed model (`fitLmm`), or leave it out and give `cluster`."
        : "Leave it out, or fit a gam.",
    );
  }
  if (formula.response === undefined) {
    throw new StatError(
      "NoResponse",
      `the formula "${formula.text}" has no response.`,
      'Write it as "response ~ terms".',
    );
  }
}

function checkOptions({ confidence = 0.95, robust, cluster }: RegressionOptions): void {
  checkConfidence(confidence);
  if (robust?.startsWith("CR") && cluster === undefined) {
    throw new StatError(
      "NoCluster",
      `${robust} standard errors need clusters.`,
      "Name the column with cluster, or use HC3.",
    );
  }
  if (robust?.startsWith("HC") && cluster !== undefined) {
    throw new StatError("BadOption", `${robust} ignores the clusters of ${cluster}.`, "Use CR1 or CR2.");
  }
}

/** Words that people and programs write for right and wrong. */
const TRUTH = new Map([
  ["false", 0],
  ["true", 1],
]);

/** Numbers, or true and false as 1 and 0. */
function numericResponse(design: Design): Design {
  const learned = design.schema.response!;
  if (learned.kind === "numeric") return design;
  const truth = learned.kind === "factor" ? learned.levels.map((level) => TRUTH.get(level.toLowerCase())) : [];
  if (truth.length > 0 && truth.every((value) => value !== undefined)) {
    return { ...design, y: design.y.map((code) => truth[code]!) };
  }
  throw new StatError(
    "ResponseNotNumeric",
    `the response ${design.schema.formula.responseLabel} is not numeric.`,
    "Use a glm of the binomial family for two levels, a clm for levels in order, or give a numeric column.",
  );
}

/** A factor becomes 0 and 1, cbind(s, f) a share with s + f as its weight. */
function shareResponse(design: Design): Design {
  const learned = design.schema.response!;
  if (learned.kind === "numeric") return design;
  const { y, trials } = binomialResponse(design, learned);
  if (learned.kind === "factor") return { ...design, y };
  const weights = design.weights ? trials.map((t, i) => t * design.weights![i]!) : trials;
  return { ...design, y, weights };
}

/** Rows of positive weight. */
export function weightedRows(n: number, weights: Float64Array | undefined): Int32Array {
  const rows = new Int32Array(n);
  let count = 0;
  for (let i = 0; i < n; i++) if (weights === undefined || weights[i]! > 0) rows[count++] = i;
  return rows.slice(0, count);
}

export function pickRows(values: Float64Array, rows: Int32Array): Float64Array {
  const picked = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) picked[i] = values[rows[i]!]!;
  return picked;
}

/** Which cluster each used row belongs to. */
export function clusterCodes(table: Table, design: Design, cluster: string | undefined): Int32Array | undefined {
  if (cluster === undefined) return undefined;
  const { codes } = asFactor(column(table, cluster));
  const used = Int32Array.from(design.rowsUsed, (row) => codes[row]!);
  if (new Set(used).size < 2) {
    throw new StatError(
      "OneCluster",
      `all rows belong to one ${cluster}.`,
      "Cluster-robust errors need at least two clusters.",
    );
  }
  return used;
}

/** Below this the t approximation of a cluster-robust test is not to be trusted (Pustejovsky & Tipton 2018, section 5). */
const FEWEST_DF = 4;
const DF_ROUNDING = 1e-6;

export function robustDiagnostics(
  robust: RobustType | "none",
  {
    df,
    clusters,
    undetermined = [],
  }: { df: number | Float64Array; clusters: number; undetermined?: readonly number[] },
  names: readonly string[],
): Diagnostic[] {
  if (robust.startsWith("HC"))
    return leverageDiagnostics(
      robust,
      undetermined.map((j) => names[j]!),
    );
  if (robust === "none") return [];
  const exact = undetermined.map((j) => names[j]!).join(", ");
  const noVariance = warning(
    "NoClusterVariance",
    `the clusters fit ${exact} exactly: there is no variation between clusters from which a standard error could be estimated.`,
    "Cluster by a column that varies within the levels of these terms, or collect more clusters.",
  );
  const known = (typeof df === "number" ? [df] : [...df]).filter((v) => !Number.isNaN(v));
  const lowest = known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const few = warning(
    "FewClusters",
    `${clusters} clusters leave as little as ${formatNumber(lowest, "df")} degrees of freedom; the tests may reject too often.`,
    "Collect more clusters, or treat p-values near the limit as undecided.",
  );
  return [...(undetermined.length > 0 ? [noVariance] : []), ...(lowest < FEWEST_DF - DF_ROUNDING ? [few] : [])];
}

function leverageDiagnostics(robust: RobustType | "none", names: readonly string[]): Diagnostic[] {
  if (names.length === 0) return [];
  const divides = robust === "HC2" || robust === "HC3";
  const message = divides
    ? `some row alone determines a coefficient (leverage 1), and ${robust} divides by 0 there.`
    : `a single row determines ${names.join(", ")} alone (leverage 1): its residual is 0 whatever its error, and ${robust} would treat the estimate as certain.`;
  const fix = divides
    ? "Use HC1, or merge the level that has a single row."
    : "Merge the level that has a single row, or leave the row out.";
  return [warning("LeverageOne", message, fix)];
}

export function robustNote(robust: RobustType | "none", clusters: number): string {
  if (robust === "none") return "";
  if (robust.startsWith("HC")) return `Standard errors: ${robust}, which allow the variance to differ between rows.`;
  const df = robust === "CR2" ? "Satterthwaite df" : "df = clusters - 1";
  return `Standard errors: ${robust} with ${clusters} clusters, ${df}.`;
}

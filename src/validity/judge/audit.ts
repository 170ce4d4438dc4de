/** May a calibration of a judge be carried to another system, time or version of the judge? The labels of one group predict those of another.
 *      r_i = y_i - m(f_i) over the other group's labels, m fitted to the first group's (shares by verdict, else a line)
 *      var r̄ = Σ ψ_c²/(1 - w_c) + g'V g, g the mean design of the other group, V the covariance of m's coefficients (HC3)
 *      PASS: the 90 % interval of r̄ lies within ± margin; FAIL: it lies beyond; otherwise INCONCLUSIVE
 *  Reference: Schuirmann (1987), J. Pharmacokinetics and Biopharmaceutics 15 (two one-sided tests).
 *  Oracle:    closed form.
 *  Limits:    at least 10 labels in each group; the mean residual, not its shape. */
import { fingerprint } from "../../data/fingerprint.ts";
import { asFactor, column } from "../../data/table.ts";
import type { FieldsOf } from "../../models/fit.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import type { Display } from "../../result/display.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import { listNames } from "../../result/quote.ts";
import { type JsonOf, makeResult, type Result } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { type Judged, type JudgedData, readJudged } from "../../study/judged.ts";
import type { JudgeEstimate, JudgeOptions } from "./judge.ts";
import { labeledRows } from "./rectified.ts";

export interface AuditJudgeOptions extends Omit<JudgeOptions, "drawn" | "confidence"> {
  /** The column whose levels are the groups; default: the systems. */
  readonly by?: string | undefined;
  /** The group that the calibration is of. */
  readonly from: string;
  /** Mean residual that is small enough, in units of the labels. */
  readonly margin: number;
  /** Of each of the two one-sided tests. */
  readonly alpha?: number | undefined;
}

export type AuditVerdict = "PASS" | "FAIL" | "INCONCLUSIVE";

export interface JudgeAudited {
  readonly group: string;
  readonly labels: number;
  readonly outputs: number;
  readonly residual: JudgeEstimate;
  readonly verdict: AuditVerdict;
}

export interface JudgeAudit extends Result<"judge-audit"> {
  readonly by: string;
  readonly from: { readonly group: string; readonly labels: number };
  readonly margin: number;
  readonly alpha: number;
  readonly groups: readonly JudgeAudited[];
  /** The worst of all groups. */
  readonly verdict: AuditVerdict;
}

export type JudgeAuditJson = JsonOf<JudgeAudit>;

const FEWEST_LABELS = 10;
const ALPHA = 0.05;

export function checkAuditMargin(margin: number): void {
  if (!(margin > 0))
    throw new StatError("BadOption", `a margin of ${margin} is not above 0.`, "Say how large a mean residual may be.");
}

export function auditJudge(data: JudgedData, options: AuditJudgeOptions): JudgeAudit {
  const { by, from, margin, alpha = ALPHA } = options;
  checkAuditMargin(margin);
  const judged = readJudged(data, options, options.labels);
  const { of, names } = groupsOf(judged, by);
  const start = names.indexOf(from);
  if (start < 0)
    throw new StatError(
      "UnknownGroup",
      `option \`from\`: there is no group "${from}".`,
      `The groups are ${listNames(names, 8)}.`,
    );
  const rows = labeledRows(judged.human);
  const reference = rows.filter((u) => of[u] === start);
  if (reference.length < FEWEST_LABELS)
    throw new StatError(
      "TooFewLabels",
      `${from} has ${reference.length} labels; a calibration needs ${FEWEST_LABELS}.`,
      "Have people label more of its outputs.",
    );
  const line = fitLine(judged, reference);
  const groups = names.flatMap((group, g): JudgeAudited[] => {
    if (g === start) return [];
    const own = rows.filter((u) => of[u] === g);
    const outputs = of.reduce((sum, code) => sum + (code === g ? 1 : 0), 0);
    const residual = residualOf(judged, own, line, alpha);
    return [{ group, labels: own.length, outputs, residual, verdict: verdictOf(residual, margin) }];
  });
  if (groups.length === 0)
    throw new StatError(
      "OneGroup",
      `there is no group other than "${from}".`,
      "Name a column with several levels with option `by`.",
    );
  const words = groups.map((own) => own.verdict);
  const fields = {
    signature: {
      method: "judge audit",
      version: GOSSET_VERSION,
      options: { ...options, labels: undefined, alpha },
      data: fingerprint(judged.table),
    },
    diagnostics: [],
    by: by ?? judged.columns.system ?? "system",
    from: { group: from, labels: reference.length },
    ...{ margin, alpha, groups },
    verdict: (words.includes("FAIL")
      ? "FAIL"
      : words.includes("INCONCLUSIVE")
        ? "INCONCLUSIVE"
        : "PASS") as AuditVerdict,
  };
  return makeResult("judge-audit", fields, displayAudit);
}

function groupsOf(
  { table, row, system, systems, outputs }: Judged,
  by: string | undefined,
): { readonly of: Int32Array; readonly names: readonly string[] } {
  if (by === undefined) return { of: system, names: systems };
  const { codes, levels } = asFactor(column(table, by));
  return { of: Int32Array.from({ length: outputs }, (_, u) => codes[row[u]!]!), names: levels };
}

interface Line {
  readonly intercept: number;
  readonly slope: number;
  readonly center: number;
  /** Of the value at the center, of the slope, and of both. */
  readonly variance: readonly [number, number, number];
  readonly df: number;
}

/** Of two verdicts a line goes through both shares. */
function fitLine({ human, judge }: Judged, rows: Int32Array): Line {
  const n = rows.length;
  let [mf, my] = [0, 0];
  for (const u of rows) {
    mf += judge[u]! / n;
    my += human[u]! / n;
  }
  let [ff, fy] = [0, 0];
  for (const u of rows) {
    ff += (judge[u]! - mf) ** 2;
    fy += (judge[u]! - mf) * (human[u]! - my);
  }
  const slope = ff > 0 ? fy / ff : 0;
  let [a, ab, b] = [0, 0, 0];
  for (const u of rows) {
    const x = judge[u]! - mf;
    const leverage = 1 / n + (ff > 0 ? (x * x) / ff : 0);
    // one output that decides its own fit has no residual to learn from
    const residual = leverage < 1 ? (human[u]! - my - slope * x) / (1 - leverage) : 0;
    a += (residual / n) ** 2;
    if (ff === 0) continue;
    ab += (residual * residual * x) / (n * ff);
    b += ((residual * x) / ff) ** 2;
  }
  return { intercept: my, slope, center: mf, variance: [a, ab, b], df: n - (ff > 0 ? 2 : 1) };
}

function residualOf({ human, judge }: Judged, rows: Int32Array, line: Line, alpha: number): JudgeEstimate {
  const n = rows.length;
  if (n < FEWEST_LABELS) return { value: Number.NaN, lower: Number.NaN, upper: Number.NaN };
  let [mean, f] = [0, 0];
  const residual = Float64Array.from(rows, (u) => human[u]! - line.intercept - line.slope * (judge[u]! - line.center));
  for (const [k, u] of rows.entries()) {
    mean += residual[k]! / n;
    f += (judge[u]! - line.center) / n;
  }
  const own = residual.reduce((sum, r) => sum + (r - mean) ** 2, 0) / (n * (n - 1));
  const [a, ab, b] = line.variance;
  const carried = a + 2 * f * ab + f * f * b;
  const variance = own + carried;
  const df = variance > 0 ? variance ** 2 / (own ** 2 / (n - 1) + carried ** 2 / line.df) : Number.NaN;
  const half = variance > 0 ? tQuantileUpper(alpha, df) * Math.sqrt(variance) : Number.NaN;
  return { value: mean, lower: mean - half, upper: mean + half };
}

function verdictOf({ lower, upper }: JudgeEstimate, margin: number): AuditVerdict {
  if (lower > -margin && upper < margin) return "PASS";
  return lower >= margin || upper <= -margin ? "FAIL" : "INCONCLUSIVE";
}

/** Whether labels of one system predict those of another: `reason` says what an audit that fails has found. */
export function auditPair(
  judged: Judged,
  [a, b]: readonly [string, string],
  margin: number,
): { readonly verdict: AuditVerdict; readonly reason: string } {
  const rows = labeledRows(judged.human);
  const of = (name: string): Int32Array => rows.filter((u) => judged.systems[judged.system[u]!] === name);
  const reference = of(a);
  if (reference.length < FEWEST_LABELS) return { verdict: "INCONCLUSIVE", reason: "" };
  const residual = residualOf(judged, of(b), fitLine(judged, reference), ALPHA);
  const [value, lower, upper] = [residual.value, residual.lower, residual.upper].map((own) => formatNumber(own));
  return {
    verdict: verdictOf(residual, margin),
    reason: `the audit at ${formatNumber(margin)} fails, since labels of ${b} differ by ${value} (90 % CI ${lower} to ${upper}) from what labels of ${a} predict`,
  };
}

const MEANING: Readonly<Record<AuditVerdict, string>> = {
  PASS: "the calibration may be carried over",
  FAIL: "the calibration may not be carried over: label the others themselves",
  INCONCLUSIVE: "the labels are too few to tell whether the calibration may be carried over",
};

function displayAudit({ by, from, margin, alpha, groups, verdict }: FieldsOf<JudgeAudit>): Display {
  const level = `${formatNumber(100 * (1 - 2 * alpha))}%`;
  return {
    title: `${verdict}  ${MEANING[verdict]} from ${from.group} (margin ${formatNumber(margin)}).`,
    tables: [
      {
        caption: "People's mean label minus what the calibration predicts",
        head: [by, "labels", "residual", `${level} from`, "to", "verdict"],
        formats: ["text", "integer", "number", "number", "number", "text"],
        rows: groups.map((own) => [
          own.group,
          own.labels,
          own.residual.value,
          own.residual.lower,
          own.residual.upper,
          own.verdict,
        ]),
      },
    ],
    notes: [`Calibrated on ${from.labels} labels of ${from.group}; two one-sided tests at ${formatNumber(alpha)}.`],
  };
}

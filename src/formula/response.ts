/** The response: numbers as they are, a factor as codes from 0, cbind(successes, failures) as a proportion and its trials. */
import { StatError } from "../result/error.ts";
import { codeOnto } from "./coding.ts";
import { toFactor, toNumbers, type Value } from "./evaluate/value.ts";
import type { Frame } from "./frame.ts";
import type { LearnedResponse } from "./schema.ts";

export interface CodedResponse {
  readonly y: Float64Array;
  readonly trials?: Float64Array;
}

export function codeResponse(label: string, learned: LearnedResponse, frame: Frame): CodedResponse {
  const value = frame.values.get(label)!;
  if (learned.kind === "counts") return codeCounts(label, value, frame.rowsUsed);
  if (learned.kind === "factor") return { y: codeLevels(label, value, { learned, rows: frame.rowsUsed }) };
  const { data } = toNumbers(value, `the response ${label}`, { source: "", at: 0 });
  const y = new Float64Array(frame.rowsUsed.length);
  for (let i = 0; i < y.length; i += 1) {
    y[i] = data[frame.rowsUsed[i]!]!;
    if (Number.isFinite(y[i]!)) continue;
    throw new StatError(
      "NotFinite",
      `the response ${label} is ${y[i]!} in row ${frame.rowsUsed[i]! + 1}.`,
      "filter that row or transform the response otherwise.",
    );
  }
  return { y };
}

function codeLevels(
  label: string,
  value: Value,
  { learned, rows }: { learned: LearnedResponse & { kind: "factor" }; rows: Int32Array },
): Float64Array {
  const factor = codeOnto(toFactor(value, `the response ${label}`, { source: "", at: 0 }), learned.levels);
  const y = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i += 1) {
    y[i] = factor.codes[rows[i]!]!;
    if (y[i]! < learned.levels.length) continue;
    throw new StatError(
      "UnknownLevel",
      `the response ${label} is "${factor.levels[y[i]!]!}" in row ${rows[i]! + 1}, not one of ${learned.levels.join(", ")}.`,
      "correct the cell or refit with it.",
    );
  }
  return y;
}

/** Without trials the proportion is 0, with trials 0 (as in R's glm). */
function codeCounts(label: string, value: Value, rows: Int32Array): CodedResponse {
  const [successes, failures] = value.kind === "matrix" ? value.columns : [];
  const y = new Float64Array(rows.length);
  const trials = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i += 1) {
    const [s, f] = [successes?.[rows[i]!] ?? Number.NaN, failures?.[rows[i]!] ?? Number.NaN];
    if (!(s >= 0 && f >= 0 && Number.isFinite(s + f))) {
      throw new StatError(
        "BadCount",
        `${label} holds ${s} and ${f} in row ${rows[i]! + 1}.`,
        "successes and failures are counts, not negative.",
      );
    }
    trials[i] = s + f;
    y[i] = trials[i] === 0 ? 0 : s / trials[i]!;
  }
  return { y, trials };
}

/** The response of a binomial model: proportions of success and numbers of trials.
 *  A factor succeeds where it is not its first level; numbers must lie in [0, 1]. */
export function binomialResponse(
  { y, trials }: CodedResponse,
  learned: LearnedResponse,
): { y: Float64Array; trials: Float64Array } {
  if (trials !== undefined) return { y, trials };
  const ones = new Float64Array(y.length).fill(1);
  if (learned.kind === "factor") return { y: y.map((code) => Number(code > 0)), trials: ones };
  const bad = y.findIndex((value) => !(value >= 0 && value <= 1));
  if (bad < 0) return { y, trials: ones };
  throw new StatError(
    "NotAProportion",
    `a binomial response lies between 0 and 1, but one value is ${y[bad]!}.`,
    "use a column of 0 and 1, a factor with two levels, proportions with weights, or cbind(successes, failures).",
  );
}

/** Power, minimum detectable effect, size and curves as the documented JSON objects of `--json`; see docs/json.md. */
import type {
  CurveResult,
  DevResult,
  Diagnostic,
  HistoryResult,
  MdeResult,
  NoPriorResult,
  PowerResult,
  SizeResult,
} from "../index.ts";
import { contractHead } from "./contract.ts";

type Answer = PowerResult | MdeResult | SizeResult | CurveResult | DevResult | HistoryResult | NoPriorResult;

/** Every field of the result under the head that all objects open with; what a worker or a file needs is in its signature. */
export function powerContract(result: Answer, diagnostics: readonly Diagnostic[] = result.diagnostics): object {
  const { kind, signature, diagnostics: _, ...own } = result;
  return {
    ...contractHead(kind, diagnostics),
    ...(signature.seed === undefined ? {} : { seed: signature.seed }),
    ...plain(own),
    signature,
  };
}

/** Fits and results within an answer are cut down to what a reader of JSON wants. */
function plain(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (name === "effectFit" || name === "overlapFit") return [name, shortFit(value as HistoryResult["effectFit"])];
      if (name === "power" && typeof value === "object") return [name, powerContract(value as PowerResult)];
      return [name, value];
    }),
  );
}

function shortFit({ coefficients, rSquared, residualSd, residualDf }: HistoryResult["effectFit"]): object {
  return {
    coefficients: coefficients.map(({ name, value, se, p }) => ({ term: name, estimate: value, se, p })),
    rSquared,
    residualSd,
    residualDf,
  };
}

/** Development estimates of the difference and of agreement drawn towards what is known from elsewhere: history, middle-of-the-road assumptions or
 *  stated values. Validation results may be tuned to, and few items are noisy; "combining validation estimates with reasonable priors is recommended".
 *      estimate = (d/s² + m/τ²) / (1/s² + 1/τ²),   its variance 1/(1/s² + 1/τ²)      d ± s: dev;  m ± τ: prior;  weight of dev: τ²/(s² + τ²)
 *    s        Δ: √(((b + c) - (b - c)²/n)/n)/√n of the table with ½ added to the discordant cells b and c; agreement: that of a share, ½ likewise
 *    history  m and τ: the regression's prediction at the baseline's dev accuracy and the SD of a new comparison around it (history.ts)
 *    none     agreement: the middle of the bounds that the accuracies leave (no-prior.ts), τ their range as a uniform law, range/√12; Δ stays
 *  Reference: Card et al. (2020), EMNLP, App. D (caveats) and E.2-E.3; Efron & Morris (1975), JASA 70.
 *  Oracle:    posterior by quadrature (shrink.test.ts); the SDs of the borrowed regressions are those of the printed log-likelihoods.
 *  Limits:    normal on both sides, the two figures apart; what history predicts for Δ is itself optimistic. */
import type { Table } from "../../data/table.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { StatError } from "../../result/error.ts";
import { predictOverlap } from "../scenarios/accuracy-overlap.ts";
import { type HistoryColumns, planFromHistory } from "./history.ts";
import { boundDisagreement } from "./no-prior.ts";

/** A value and how sure it is. */
export interface PriorValue {
  readonly value: number;
  readonly sd: number;
}

/** What estimates are drawn towards. */
export type DevPrior =
  | { readonly kind: "stated"; readonly delta?: PriorValue | undefined; readonly agreement?: PriorValue | undefined }
  | { readonly kind: "no-prior" }
  | {
      readonly kind: "history";
      readonly table: Table;
      readonly columns: HistoryColumns;
      /** The task of the development data, where the table has several. */
      readonly task?: string | undefined;
      /** Where the table has no agreement: glue (default) or squad. */
      readonly overlap?: "glue" | "squad" | undefined;
    };

export interface ShrunkFigure {
  readonly name: "delta" | "agreement";
  readonly dev: PriorValue;
  readonly prior: PriorValue;
  /** Weight of the dev estimate, from 0 to 1. */
  readonly weight: number;
  readonly value: number;
  readonly sd: number;
}

/** Counts of items that both, only the new system, only the baseline, neither have right. */
export type PairedCounts = readonly [both: number, onlyNew: number, onlyOld: number, neither: number];

export function shrinkDev(counts: PairedCounts, prior: DevPrior): ShrunkFigure[] {
  const dev = devValues(counts);
  const known = priorValues(counts, prior);
  const found = (["delta", "agreement"] as const).flatMap((name) =>
    known[name] === undefined ? [] : [shrinkTowards(name, dev[name], checkValue(name, known[name]))],
  );
  if (found.length === 0)
    throw new StatError("BadOption", "the prior says nothing.", "give a value and an SD of `delta` or of `agreement`.");
  return found;
}

export function shrinkTowards(name: ShrunkFigure["name"], dev: PriorValue, prior: PriorValue): ShrunkFigure {
  const [own, other] = [dev.sd ** 2, prior.sd ** 2];
  const weight = other / (own + other);
  return {
    ...{ name, dev, prior, weight },
    value: weight * dev.value + (1 - weight) * prior.value,
    sd: Math.sqrt((own * other) / (own + other)),
  };
}

function devValues([both, onlyNew, onlyOld, neither]: PairedCounts): Record<"delta" | "agreement", PriorValue> {
  const n = both + onlyNew + onlyOld + neither;
  // half an item more in each discordant cell: no agreement is certain
  const [b, c] = [(onlyNew + 0.5) / (n + 1), (onlyOld + 0.5) / (n + 1)];
  return {
    delta: { value: (onlyNew - onlyOld) / n, sd: Math.sqrt((b + c - (b - c) ** 2) / n) },
    agreement: { value: (both + neither) / n, sd: Math.sqrt(((b + c) * (1 - b - c)) / n) },
  };
}

interface Known {
  readonly delta?: PriorValue | undefined;
  readonly agreement?: PriorValue | undefined;
}

/** SDs of the residuals of the published regressions of agreement: e^{-ll/n}/√(2πe) of the log-likelihoods and n of Tables 5 and 6. */
const OVERLAP_SD: Readonly<Record<"glue" | "squad", number>> = { glue: 0.0117, squad: 0.018 };

function priorValues([both, onlyNew, onlyOld, neither]: PairedCounts, prior: DevPrior): Known {
  if (prior.kind === "stated") return prior;
  const n = both + onlyNew + onlyOld + neither;
  const [baseline, delta] = [(both + onlyOld) / n, (onlyNew - onlyOld) / n];
  if (prior.kind === "no-prior") {
    const lower = Math.min(baseline, baseline + delta);
    const [least, most] = (["lower", "upper"] as const).map((bound) =>
      boundDisagreement(bound, lower, Math.abs(delta)),
    );
    return { agreement: { value: 1 - (least! + most!) / 2, sd: (most! - least!) / Math.sqrt(12) } };
  }
  const { table, columns, task, overlap } = prior;
  const found = planFromHistory(table, columns, { at: baseline, overlap, task });
  const df = found.effectFit.residualDf;
  return {
    delta: {
      value: found.delta.value,
      sd: (found.delta.upper - found.delta.lower) / (2 * tQuantileUpper(0.025, df)),
    },
    agreement: {
      value: Math.min(1, predictOverlap(found.overlap, baseline, delta)),
      sd: found.overlapFit?.residualSd ?? OVERLAP_SD[overlap ?? "glue"],
    },
  };
}

function checkValue(name: string, { value, sd }: PriorValue): PriorValue {
  const limit = name === "delta" ? 1 : 0;
  if (Number.isFinite(value) && value >= -limit && value <= 1 && sd > 0 && sd < Number.POSITIVE_INFINITY)
    return { value, sd };
  throw new StatError(
    "BadOption",
    `a prior of ${value} with an SD of ${sd} for ${name}.`,
    name === "delta"
      ? "give a difference between -1 and 1 and an SD above 0, such as 0.01 and 0.01."
      : "give a proportion between 0 and 1 and an SD above 0, such as 0.9 and 0.03.",
  );
}

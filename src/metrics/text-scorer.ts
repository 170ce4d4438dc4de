/** What BLEU, chrF and TER share: references are prepared once, then any number of systems are scored against them. */
import { StatError } from "../result/error.ts";
import { GOSSET_VERSION } from "../result/version.ts";
import type { ItemStatistics, Metric } from "./metric.ts";

/** references[r][i] is the r-th reference of segment i; null where a segment has fewer. */
export type References = readonly (readonly (string | null)[])[];

export interface TextScorer {
  readonly metric: Metric;
  readonly segments: number;
  /** How many references the segments have: a number, or "var". */
  readonly references: number | "var";
  statisticsOf(hypotheses: readonly string[]): ItemStatistics;
  /** Parts of the score that belong in a report, from sums of rows. */
  detailsOf(sums: Float64Array): Readonly<Record<string, number | readonly number[]>>;
}

/** The references of each segment, without those that are null. */
export function referencesBySegment(references: References): { lists: string[][]; count: number | "var" } {
  const segments = references[0]?.length ?? 0;
  if (segments === 0) {
    throw new StatError("NoReference", "there is no reference.", "Give at least one reference text per segment.");
  }
  const odd = references.findIndex((list) => list.length !== segments);
  if (odd >= 0) {
    throw new StatError(
      "UnequalLength",
      `reference 1 has ${segments} segments and reference ${odd + 1} has ${references[odd]!.length}.`,
      "Give references of the same segments, with null where one is missing.",
    );
  }
  const lists = Array.from({ length: segments }, (_, i) =>
    references.map((list) => list[i]!).filter((text): text is string => text !== null && text !== undefined),
  );
  const bare = lists.findIndex((list) => list.length === 0);
  if (bare >= 0) {
    throw new StatError("NoReference", `segment ${bare + 1} has no reference.`, "Give one, or leave the segment out.");
  }
  const counts = new Set(lists.map((list) => list.length));
  return { lists, count: counts.size === 1 ? lists[0]!.length : "var" };
}

export function requireSegments(hypotheses: readonly string[], segments: number): void {
  if (hypotheses.length === segments) return;
  throw new StatError(
    "UnequalLength",
    `${hypotheses.length} hypotheses for ${segments} segments with references.`,
    "Give one hypothesis per segment, in the same order.",
  );
}

/** The closing part tells whose numbers these are. */
export function joinSignature(parts: readonly (readonly [string, string | number])[]): string {
  return [...parts, ["version", `gosset-${GOSSET_VERSION}`] as const]
    .map(([key, value]) => `${key}:${value}`)
    .join("|");
}

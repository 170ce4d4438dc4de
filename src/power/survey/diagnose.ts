/** What may mislead in a survey. */
import { note, warning } from "../../result/diagnostic.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { ReadClaims } from "./claims.ts";
import type { SurveyClaim } from "./judge.ts";
import type { TaskRecords } from "./progress.ts";

export interface Surveyed {
  readonly read: ReadClaims;
  readonly claims: readonly SurveyClaim[];
  readonly records: readonly TaskRecords[];
  /** Claims that could be pooled. */
  readonly pooled: number;
}

/** Sterne et al. (2011) ask for as many before a funnel is tested. */
const ENOUGH_FOR_ASYMMETRY = 10;

export function surveyDiagnostics({ read, claims, records, pooled }: Surveyed): Diagnostic[] {
  const found: Diagnostic[] = [...toldScores(read)];
  const inexact = claims.length - pooled;
  if (inexact > 0) {
    found.push(
      note(
        "NotPooled",
        `${inexact} of ${claims.length} claims state too little to say how exact they are, and are not pooled.`,
        "fill in their size, standard error or p value.",
      ),
    );
  }
  const unjudged = claims.filter(({ power }) => Number.isNaN(power)).length;
  if (unjudged > 0) {
    found.push(
      note(
        "NotJudged",
        `${unjudged} of ${claims.length} claims ${unjudged === 1 ? "has" : "have"} no power: the other claims predict no gain for ${unjudged === 1 ? "it" : "them"}, or there are too few of these.`,
        "give more claims on the same tasks.",
      ),
    );
  }
  if (pooled < ENOUGH_FOR_ASYMMETRY) {
    found.push(
      note(
        "FewClaims",
        `with ${pooled} claim${pooled === 1 ? "" : "s"} the tests of asymmetry see little: that they find nothing says nothing.`,
        `collect ${ENOUGH_FOR_ASYMMETRY} or more.`,
      ),
    );
  }
  found.push(...sharedTestSets(read));
  const mixed = records.filter(({ task, n }) => read.rows.some((row) => row.task === task && row.n > 0 && row.n !== n));
  if (mixed.length > 0) {
    found.push(
      warning(
        "SizesDiffer",
        `submissions to ${mixed.map(({ task }) => task || "the leaderboard").join(", ")} state different sizes: records are judged with the largest.`,
        "correct the sizes, or give each test set a task of its own.",
      ),
    );
  }
  return found;
}

/** Headers that say so themselves. */
const ACCURACY_NAME = /acc|correct|exact.?match/i;

/** What the scores are taken for, where a header does not say it. */
function toldScores({ accuracy, columns, unit, entries, rows }: ReadClaims): Diagnostic[] {
  const named = [columns.score, columns.baseline].some((name) => name !== undefined && ACCURACY_NAME.test(name));
  return [
    ...(accuracy && !named
      ? [
          note(
            "TakenForAccuracy",
            `Gosset reads the scores as accuracies on n items${unit === 100 ? ", in percent" : ""}: p, power and standard errors depend on it.`,
            "Of mean ratings give their scale: option `scale: 1-5`.",
          ),
        ]
      : []),
    ...(entries === undefined
      ? []
      : [
          note(
            "OwnBaseline",
            `the baseline of an entry is the best earlier one of its task: ${rows.length} of ${entries.length} entries beat it and are the claims.`,
            "",
          ),
        ]),
  ];
}

function sharedTestSets({ rows, columns }: ReadClaims): Diagnostic[] {
  if (columns.task === undefined) return [];
  const counts = new Map<string, number>();
  for (const { task } of rows) counts.set(task, (counts.get(task) ?? 0) + 1);
  const shared = [...counts.values()].filter((count) => count > 1).length;
  if (shared === 0) return [];
  return [
    note(
      "SharedTestSets",
      `${shared === 1 ? "one task has" : `${shared} tasks have`} several claims, which share ${shared === 1 ? "its" : "their"} items: the pooled standard errors take them for independent and are too small.`,
      "read the pooled means as descriptions of this literature.",
    ),
  ];
}

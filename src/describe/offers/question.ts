/** What every rule of `describe` sees of a data set, and when its rows are too few or no observations. */

import type { Imported } from "../../data/imported.ts";
import type { ColumnProfile } from "../../study/facts.ts";
import type { Design } from "../../study/layout.ts";
import type { ScoreFacts } from "../../study/score-facts.ts";
import type { Source } from "./command.ts";
/** What every rule sees. */
export interface Question {
  readonly imported: Imported;
  /** The design of all rows; `facts` has that of the scored ones. */
  readonly design: Design;
  /** Absent without a score column; constant scores are absent too, since nothing varies. */
  readonly facts: ScoreFacts | undefined;
  readonly source: Source;
  /** What `--metric` takes for the main score. */
  readonly metric: string | undefined;
  /** Of the scored rows where there are facts, else of all rows. */
  profile(name: string): ColumnProfile;
}

/** Fewer scored rows than this estimate nothing. */
export const MIN_ROWS = 3;

/** Sums over items, written by a tool: rows that are no observations. */
export function isTotals(imported: Imported): boolean {
  return imported.kind === "totals";
}

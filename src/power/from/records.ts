/** A leaderboard read in order: which submissions are improvements that the test set could show?
 *  Each submission is compared with the present record on development items (difference and disagreement known) and on test items (difference
 *  known, disagreement taken in proportion). It becomes the record if it is better on both, with a planned power of at least .8 (exact
 *  McNemar, development figures) and p <= .05 on the test items.
 *  Reference: Card et al. (2020), EMNLP, App. D, Table 8 and Fig. 10.
 *  Oracle:    oracle/papers/card2020.json, appendix-d and table-8 (R, scipy) — powers to 1e-9, counts equal.
 *  Limits:    the pairwise disagreement on test items is approximated by that on development items. */

import { mcnemarP } from "../../significance/tests/mcnemar.ts";
import { enumerateDiscordant, makeCritical } from "../../significance/tests/mcnemar-power.ts";
import { USUAL_POWER } from "../result.ts";

export interface Leaderboard {
  /** Test accuracy of each submission, shares, in order of time. */
  readonly test: readonly number[];
  readonly devItems: number;
  readonly testItems: number;
  /** Of submissions i < j: right answers of j minus those of i on the development items, and items on which exactly one is right. */
  pair(i: number, j: number): { readonly difference: number; readonly disagreement: number };
}

export interface Submission {
  readonly index: number;
  /** The record that it was compared with. */
  readonly record: number;
  /** Share of test items won or lost against the record. */
  readonly baseline: number;
  readonly improvement: number;
  readonly devBetter: boolean;
  readonly testBetter: boolean;
  readonly power: number;
  readonly p: number;
  readonly isRecord: boolean;
}

export interface RecordsSummary {
  readonly submissions: readonly Submission[];
  /** Better on development items with enough power; of these significantly better on test items; of the others. */
  readonly powered: number;
  readonly poweredSignificant: number;
  readonly othersSignificant: number;
}

/** `powerItems`: for how many items the power is worked out; Card et al. used the development size. */
export function followRecords(board: Leaderboard, powerItems = board.testItems): RecordsSummary {
  const critical = makeCritical({ method: "exact", alpha: 0.05, twoSided: true, n: powerItems });
  const submissions: Submission[] = [];
  let record = 0;
  for (let index = 1; index < board.test.length; index++) {
    const { difference, disagreement } = board.pair(record, index);
    const law = {
      n: powerItems,
      win: (disagreement + difference) / 2 / board.devItems,
      lose: (disagreement - difference) / 2 / board.devItems,
    };
    const power = difference === 0 ? 0 : enumerateDiscordant(law, critical, false).power;
    const improvement = board.test[index]! - board.test[record]!;
    const p = impliedP(Math.round(improvement * board.testItems), (disagreement * board.testItems) / board.devItems);
    const devBetter = difference > 0;
    const isRecord = devBetter && power >= USUAL_POWER && improvement > 0 && p <= 0.05;
    submissions.push({
      index,
      record,
      baseline: board.test[record]!,
      improvement,
      devBetter,
      testBetter: improvement > 0,
      power,
      p,
      isRecord,
    });
    if (isRecord) record = index;
  }
  return summarizeRecords(submissions);
}

function summarizeRecords(submissions: readonly Submission[]): RecordsSummary {
  const isPowered = ({ devBetter, power }: Submission): boolean => devBetter && power >= USUAL_POWER;
  const isSignificant = ({ testBetter, p }: Submission): boolean => testBetter && p <= 0.05;
  const powered = submissions.filter(isPowered);
  const others = submissions.filter((submission) => !isPowered(submission));
  return {
    submissions,
    powered: powered.length,
    poweredSignificant: powered.filter(isSignificant).length,
    othersSignificant: others.filter(isSignificant).length,
  };
}

/** Exact p of a difference of right answers among about so many discordant items, as many as fit its parity. */
function impliedP(difference: number, discordant: number): number {
  const size = Math.abs(difference);
  const losses = Math.max(0, Math.round((discordant - size) / 2));
  return mcnemarP(losses + size, losses, { method: "exact" });
}

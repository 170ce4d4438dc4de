/** A leaderboard over time: which of the records that were claimed could the test set show?
 *  A submission is compared with the last record that was shown. With scores on development items it is a record if they let one plan for it (power
 *  of .8) and the test items then show it (from/records.ts); with test scores alone, if McNemar's exact p is at most α.
 *  Reference: Card et al. (2020), EMNLP, App. D, Table 8 and Fig. 10.
 *  Oracle:    from/records.ts, which the paper's leaderboard checks; a hand-made board (survey.test.ts).
 *  Limits:    how often two submissions agree is predicted from their scores. */
import { mcnemarP } from "../../significance/tests/mcnemar.ts";
import { followRecords } from "../from/records.ts";
import { type OverlapRegression, predictOverlap } from "../scenarios/accuracy-overlap.ts";
import { inOrder, type ReadClaim } from "./claims.ts";

export interface RecordStep {
  readonly id: string;
  readonly date: string;
  readonly score: number;
  /** Highest score so far, this one included. */
  readonly best: number;
  /** Higher than everything before. */
  readonly claimed: boolean;
  /** A record that the test set shows against the last one shown. */
  readonly shown: boolean;
  readonly improvement: number;
  readonly p: number;
  /** With development scores. */
  readonly power?: number;
}

export interface TaskRecords {
  readonly task: string;
  readonly n: number;
  readonly steps: readonly RecordStep[];
  readonly claimed: number;
  readonly shown: number;
}

export interface RecordOptions {
  readonly overlap: OverlapRegression;
  readonly alpha: number;
  /** Development items behind the development scores. */
  readonly devItems?: number | undefined;
}

/** Tasks with two dated submissions at least, each in the order of time. */
export function followTasks(rows: readonly ReadClaim[], options: RecordOptions): readonly TaskRecords[] {
  const dated = rows.filter(({ date, score, n }) => date !== "" && !Number.isNaN(score + n));
  const tasks = [...new Set(dated.map(({ task }) => task))];
  return tasks.flatMap((task) => {
    const own = inOrder(dated.filter((row) => row.task === task));
    return own.length < 2 ? [] : [followTask(task, own, options)];
  });
}

function followTask(task: string, rows: readonly ReadClaim[], options: RecordOptions): TaskRecords {
  const n = rows.reduce((most, row) => Math.max(most, row.n), 0);
  const dev = options.devItems !== undefined && rows.every((row) => !Number.isNaN(row.dev));
  const judged = dev ? byDevelopment(rows, { ...options, n }) : byTest(rows, { ...options, n });
  let best = Number.NEGATIVE_INFINITY;
  const steps = rows.map(({ id, date, score }, i): RecordStep => {
    const claimed = score > best;
    best = Math.max(best, score);
    return { id, date, score, best, claimed, ...judged[i]! };
  });
  const count = (is: (step: RecordStep) => boolean): number => steps.slice(1).filter(is).length;
  return { task, n, steps, claimed: count((step) => step.claimed), shown: count((step) => step.shown) };
}

type Judged = Pick<RecordStep, "shown" | "improvement" | "p" | "power">;
const FIRST: Judged = { shown: true, improvement: Number.NaN, p: Number.NaN };

type Board = RecordOptions & { readonly n: number };

function byTest(rows: readonly ReadClaim[], { overlap, alpha, n }: Board): readonly Judged[] {
  let record = 0;
  return rows.map((row, i) => {
    if (i === 0) return FIRST;
    const improvement = row.score - rows[record]!.score;
    const { wins, losses } = impliedTable(
      n,
      improvement,
      1 - predictOverlap(overlap, rows[record]!.score, improvement),
    );
    const p = mcnemarP(wins, losses, { method: "exact" });
    const shown = improvement > 0 && p <= alpha;
    if (shown) record = i;
    return { shown, improvement, p };
  });
}

/** Whole counts with the difference kept. */
function impliedTable(n: number, improvement: number, disagreement: number): { wins: number; losses: number } {
  const difference = Math.round(n * improvement);
  const fewer = Math.max(0, Math.round((n * disagreement - Math.abs(difference)) / 2));
  const more = fewer + Math.abs(difference);
  return difference >= 0 ? { wins: more, losses: fewer } : { wins: fewer, losses: more };
}

function byDevelopment(rows: readonly ReadClaim[], { overlap, devItems = 0, n }: Board): readonly Judged[] {
  const { submissions } = followRecords({
    test: rows.map(({ score }) => score),
    devItems,
    testItems: n,
    pair(i, j) {
      const [before, after] = [rows[i]!.dev, rows[j]!.dev];
      const disagreement = Math.max(Math.abs(after - before), 1 - predictOverlap(overlap, before, after - before));
      return { difference: devItems * (after - before), disagreement: devItems * disagreement };
    },
  });
  return [
    FIRST,
    ...submissions.map(({ isRecord, improvement, p, power }) => ({ shown: isRecord, improvement, p, power })),
  ];
}

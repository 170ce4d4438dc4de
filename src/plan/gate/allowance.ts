/** Refuses what a task may lose where no candidate could fail by it, or none pass. */

import { checkMargin, type ScoreBounds, SHARE_BOUNDS } from "../../metrics/range.ts";
import { StatError } from "../../result/error.ts";
import type { Evidence, TaskEvidence } from "./evidence.ts";
import type { Allowance } from "./policy.ts";

type Scores = Pick<Evidence, "bounds" | "higherIsBetter">;

export function checkAllowance(allowance: Allowance, about: Scores, own: Pick<TaskEvidence, "task" | "scores">): void {
  const bounds = boundsOfTask(about, own);
  if (allowance.kind === "absolute") checkMargin(allowance.value, bounds);
  else if (allowance.kind === "relative") checkRelative(allowance.share, about);
  else checkFloor(allowance.score, { bounds, higherIsBetter: about.higherIsBetter, task: own.task });
}

/** Beyond this a scale is none of ratings, whose low grades could be taken for wrong and right. */
const LARGEST_RATING = 10;

/** Of all scores of the metric, unless tasks are on scales of their own and this one's answers are right or wrong. */
function boundsOfTask({ bounds }: Scores, { scores }: Pick<TaskEvidence, "scores">): ScoreBounds | undefined {
  if (bounds !== undefined && bounds.range[1] <= LARGEST_RATING) return bounds;
  const seen = new Set(scores.filter((score) => !Number.isNaN(score)));
  return seen.size === 2 && seen.has(0) && seen.has(1) ? SHARE_BOUNDS : bounds;
}

function checkRelative(share: number, { bounds, higherIsBetter }: Scores): void {
  const bottom = bounds?.range[0] ?? Number.NEGATIVE_INFINITY;
  if (higherIsBetter === false || share < 1 || bottom < 0) return;
  throw new StatError(
    "BadMargin",
    `a margin of ${Math.round(share * 1e6) / 1e4}% of the baseline's score lets all of it be lost.`,
    "Give the largest share of it that does not matter, such as 5%.",
  );
}

function checkFloor(score: number, { bounds, higherIsBetter, task }: Scores & { readonly task: string }): void {
  if (bounds === undefined || higherIsBetter === null) return;
  const [low, high] = bounds.range;
  const idle = higherIsBetter ? score <= low : score >= high;
  const beyond = higherIsBetter ? score > high : score < low;
  if (!idle && !beyond) return;
  throw new StatError(
    "BadMargin",
    `${task}: no-worse-than ${score} ${idle ? "lets every" : "can be reached by no"} score between ${low} and ${high}${idle ? " through" : ""}.`,
    "Give it in the units of the score.",
  );
}

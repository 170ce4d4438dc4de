/** Scores that people gave and measures that a program computed, told by names of columns and files; what is known of people; what a platform of
 *  crowds wrote. */
import type { Table } from "../table.ts";
import type { Guess } from "./guess.ts";
import { splitWords } from "./names.ts";

/** Measures that programs compute of an output; other scores beside them are people's, or a judge's. */
const AUTOMATIC =
  /^(sacre|sp)?(bleu|chrf|ter|rouge|meteor|bert_?score|bleurt|x?comet|bart_?score|mover_?score|mauve|cider|spice|nist|ppl|perplexity|qags|feqa|factcc|summac|unieval|gpt ?score|metricx|yisi|prism|gemba|g_?eval|qafacteval|questeval|supert|blanc|wer|cer)/i;
const PEOPLE = /^(humans?|people|manual|annotators?|raters?|crowd|experts?|turkers?|mturk|likert|mos|da|mqm|esa)$/;
const PEOPLES_FILE =
  /(^|[\W_])(humans?|people|manual|annotat\w*|raters?|ratings?|crowd\w*|mturk|da|mqm|esa|likert|experts?)([\W_]|$)/i;

export const isAutomatic = (name: string): boolean => AUTOMATIC.test(name);

export const isPeoplesColumn = (name: string): boolean => splitWords(name).some((word) => PEOPLE.test(word));

/** By the last part of its path. */
export const isPeoplesFile = (file: string): boolean =>
  PEOPLES_FILE.test(file.replace(/^.*[\\/]/, "").replace(/\.[a-z0-9]+$/i, ""));

/** What Mechanical Turk writes beside the answers, and Turkle after it: about the task, its payment and its times, never about what was judged. */
const WRITTEN = new Set(
  (
    "HITTypeId Title Description Keywords Reward CreationTime MaxAssignments RequesterAnnotation AssignmentDurationInSeconds " +
    "AutoApprovalDelayInSeconds Expiration NumberOfSimilarHITs LifetimeInSeconds AssignmentId AssignmentStatus AcceptTime SubmitTime " +
    "AutoApprovalTime ApprovalTime RejectionTime RequesterFeedback LifetimeApprovalRate Last30DaysApprovalRate Last7DaysApprovalRate " +
    "Approve Reject"
  ).split(" "),
);

/** Whether the platform wrote a column, in a table that it exported. */
export const isHousekeeping = ({ columns }: Table, name: string): boolean =>
  WRITTEN.has(name) && columns.has("HITId") && columns.has("WorkerId");

export function claimHousekeeping(guess: Guess): void {
  const found = guess.free().filter(({ name }) => isHousekeeping(guess.table, name));
  guess.claimMany(
    "identifiers",
    found.map(({ name }) => name),
  );
}

/** The same for a rater wherever he is: his group, his country. */
export function isOfRaters(guess: Guess, name: string): boolean {
  const rater = guess.single.get("rater");
  return rater !== undefined && rater !== name && guess.groups(rater, name) === guess.groups(rater);
}

/** What is known of a rater, who has several rows, is no judgement of his: his age, his grades. */
export const isOfPeople = (guess: Guess, name: string): boolean =>
  isOfRaters(guess, name) && guess.groups(guess.single.get("rater")!) * 2 <= guess.table.rows;

/** Share of those who took part that must have met every condition before they are taken as paired. */
const MET_ALL = 0.9;

/** Everybody who judged or took part has one row for each system, and so nothing smaller is left to be an item. */
export function hasRowPerPerson(guess: Guess, system: string): boolean {
  const rater = guess.single.get("rater");
  const others = ["repeat", "task", "metric", "opponent"] as const;
  if (rater === undefined || others.some((role) => guess.single.has(role))) return false;
  return guess.groups(rater) > 2 && guess.groups(rater, system) === guess.table.rows;
}

/** Conditions that the same people met are paired by who met them. */
export function claimParticipants(guess: Guess, system: string): void {
  const rater = guess.single.get("rater")!;
  if (guess.table.rows < MET_ALL * guess.groups(rater) * guess.groups(system)) return;
  guess.release("rater");
  guess.claim("item", rater, `Each ${rater} has one row for each ${system}, so ${rater} is what is paired.`);
}

/** Scores that people gave and measures that a program computed, told by names of columns and files; and what a platform of crowds wrote. */
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

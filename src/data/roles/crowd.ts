/** What Mechanical Turk writes beside the answers, and Turkle after it: about the task, its payment and its times, never about what was judged. */
import type { Table } from "../table.ts";
import type { Guess } from "./guess.ts";

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

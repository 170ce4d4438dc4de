/** Tables that a known tool exports, told by columns that no other table has: what its columns mean is the tool's to say. */
import type { RoleName } from "../../data/imported.ts";

export interface ExportedTable {
  readonly tool: string;
  /** Columns that the tool always writes, as it spells them. */
  readonly columns: readonly string[];
  readonly roles: Readonly<Partial<Record<RoleName, string>>>;
}

/** Rows that a report by class ends with, as scikit-learn writes it: its rows are classes, and no items. */
export const CLASS_AVERAGES: ReadonlySet<string> = new Set(["macro avg", "micro avg", "weighted avg", "samples avg"]);

export const EXPORTS: readonly ExportedTable[] = [
  {
    tool: "Mechanical Turk",
    columns: ["HITId", "WorkerId", "AssignmentId"],
    roles: { item: "HITId", rater: "WorkerId" },
  },
  {
    tool: "CrowdFlower",
    columns: ["_unit_id", "_worker_id", "_trust"],
    roles: { item: "_unit_id", rater: "_worker_id" },
  },
  {
    tool: "Toloka",
    columns: ["ASSIGNMENT:worker_id", "ASSIGNMENT:assignment_id"],
    roles: { rater: "ASSIGNMENT:worker_id" },
  },
  {
    tool: "Langfuse",
    columns: ["traceId", "name", "value"],
    roles: { item: "traceId", metric: "name", score: "value" },
  },
  { tool: "Braintrust", columns: ["input", "metadata.model"], roles: { system: "metadata.model", item: "input" } },
  {
    tool: "webMUSHRA",
    columns: ["session_test_id", "trial_id", "rating_stimulus", "rating_score"],
    roles: { rater: "session_test_id", item: "trial_id", system: "rating_stimulus", score: "rating_score" },
  },
];

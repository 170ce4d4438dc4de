/** A Vitest matcher that is a gate: importing this module teaches `expect` to say toBeNoWorseThan.
 *    expect(scores).toBeNoWorseThan(baseline, { margin: 0.02 })
 *  It holds where the loss is shown to be within the margin; `.not` holds where a loss is shown. What the data leave open is neither, and
 *  fails both ways with the reason. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect } from "vitest";
import type { Cell } from "./data/rows.ts";
import type { Table } from "./data/table.ts";
import { importFiles } from "./io/import.ts";
import { table } from "./io/table.ts";
import type { GateColumns } from "./plan/gate/evidence.ts";
import { type GateResult, gate } from "./plan/gate/gate.ts";
import { type GatePolicy, simplePolicy } from "./plan/gate/policy.ts";
import { StatError } from "./result/error.ts";
import type { NamedImport } from "./study/merge.ts";
import { understandTable } from "./study/understand.ts";

/** Scores of the same items in the same order, rows with a score and an item, or the path of a log. */
export type JudgedScores = readonly number[] | readonly JudgedRow[] | Table | string;

export type JudgedRow = Readonly<Record<string, Cell>>;

export interface NoWorseOptions extends GateColumns {
  /** The largest loss that does not matter: 0.02, or "5%" of the baseline's score. */
  readonly margin?: number | string | undefined;
  /** Of the gate; default 0.05. */
  readonly alpha?: number | undefined;
  /** Instead of a margin: tasks, tiers, error rate, as `readPolicy` gives it. */
  readonly policy?: GatePolicy | undefined;
}

interface MatcherState {
  readonly isNot?: boolean;
}

interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The matcher itself, for `expect.extend` of another runner. Paths are read, which makes it a promise. */
export function toBeNoWorseThan(
  this: MatcherState,
  candidate: JudgedScores,
  baseline: JudgedScores,
  options: NoWorseOptions = {},
): Verdict | Promise<Verdict> {
  const isNot = this.isNot === true;
  checkPairs(candidate, baseline);
  if (typeof candidate !== "string" && typeof baseline !== "string")
    return judge(importOf(candidate, "candidate"), importOf(baseline, "baseline"), { ...options, isNot });
  const read = async (): Promise<Verdict> => {
    const [own, old] = [await readScores(candidate, "candidate"), await readScores(baseline, "baseline")];
    return judge(own, old, { ...options, isNot });
  };
  return read();
}

/** Lists of numbers have no items: the place in the list is all that pairs them. */
function checkPairs(candidate: JudgedScores, baseline: JudgedScores): void {
  const [own, old] = [candidate, baseline].map((scores) =>
    Array.isArray(scores) && scores.every((score) => typeof score === "number") ? scores.length : undefined,
  );
  if (!own || !old || own === old) return;
  throw new StatError(
    "BadRows",
    `the candidate has ${own} scores and the baseline ${old}, so a list of numbers cannot be paired by position.`,
    "Give both the scores of the same items in the same order, or rows with an item.",
  );
}

async function readScores(scores: JudgedScores, name: string): Promise<NamedImport> {
  if (typeof scores !== "string") return importOf(scores, name);
  const bytes = readFileSync(scores);
  return { path: scores, imported: await importFiles([{ name: basename(scores), bytes }]) };
}

function judge(
  candidate: NamedImport,
  baseline: NamedImport,
  { margin, alpha, policy, isNot, ...columns }: NoWorseOptions & { readonly isNot: boolean },
): Verdict {
  if ((margin === undefined) === (policy === undefined))
    throw new StatError(
      "NoMargin",
      "toBeNoWorseThan takes a margin or a policy.",
      "Write for example { margin: 0.02 }.",
    );
  if (policy !== undefined && alpha !== undefined)
    throw new StatError("BadOption", "a policy has its own alpha.", "Leave alpha out.");
  const result = gate(
    { candidate: [candidate], baseline: [baseline] },
    { ...columns, policy: policy ?? simplePolicy({ margin: margin!, alpha }) },
  );
  // what is open holds neither way
  const pass = result.outcome === "inconclusive" ? isNot : result.outcome === "pass";
  return { pass, message: () => explain(result) };
}

function explain({ summary, tasks }: GateResult): string {
  const rows = tasks.map(({ task, n, baseline, candidate, difference, lower, upper, margin, outcome, reason }) => {
    const [old, own, gain, from, to, most] = [baseline, candidate, difference, lower, upper, margin].map((value) =>
      Number(value.toPrecision(4)),
    );
    return `  ${task}: ${n} items, baseline ${old}, candidate ${own}, difference ${gain} (${from} to ${to}), margin ${most}: ${outcome}${reason === null ? "" : ` (${reason})`}`;
  });
  return [summary, ...rows].join("\n");
}

/** Numbers are scores of item 1, 2, …: higher is better unless the options say otherwise. */
function importOf(scores: Exclude<JudgedScores, string>, name: string): NamedImport {
  const own = isTable(scores) ? scores : tableOf(scores, name);
  return { path: `${name}.csv`, imported: { ...understandTable(own), format: "csv", files: [], summary: "" } };
}

const isTable = (scores: Exclude<JudgedScores, string>): scores is Table => !Array.isArray(scores);

function tableOf(rows: readonly number[] | readonly JudgedRow[], name: string): Table {
  if (rows.length === 0) throw new StatError("NoRows", `the ${name} has no scores.`, "Give at least one.");
  const numbers = rows.filter((row): row is number => typeof row === "number");
  if (numbers.length === rows.length) return table({ item: numbers.map((_, i) => String(i + 1)), accuracy: numbers });
  const records = rows.filter((row): row is JudgedRow => typeof row === "object" && row !== null);
  if (records.length < rows.length)
    throw new StatError("BadRows", `the ${name} is neither a list of numbers nor one of rows.`, "Give one kind.");
  return table(records);
}

expect.extend({ toBeNoWorseThan });

declare module "vitest" {
  // biome-ignore lint/suspicious/noExplicitAny: Vitest's own parameter
  interface Matchers<T = any> {
    /** The loss against the baseline is shown to be within the margin. */
    toBeNoWorseThan(baseline: JudgedScores, options?: NoWorseOptions): T extends string ? Promise<void> : void;
  }
}

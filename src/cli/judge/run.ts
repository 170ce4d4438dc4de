/** `gosset judge check|correct|sample|plan|next|audit` */
import { correctJudge, type Drawn, makeRng, type Table } from "../../index.ts";
import {
  allOptions,
  JUDGE_AUDIT,
  JUDGE_CHECK,
  JUDGE_CORRECT,
  JUDGE_NEXT,
  JUDGE_PLAN,
  JUDGE_SAMPLE,
  parseOptions,
  refuseAlone,
} from "../../questions.ts";
import {
  auditJudge,
  checkJudge,
  nextJudge,
  planJudge,
  readCarry,
  readSheet,
  sampleJudge,
  sampleSheets,
} from "../../tests.ts";
import type { Context } from "../context.ts";
import { writeOutput } from "../files.ts";
import type { DataOptions } from "../options.ts";

type Asking = Context<DataOptions>;

/** --labels: a table of its own, of which no row is left out and no column computed. */
async function labelsOf({ load, options }: Asking): Promise<Table | undefined> {
  const { labels, key } = parseOptions(JUDGE_CORRECT.command, options);
  refuseAlone(JUDGE_CORRECT.command, { labels, key });
  const whole = { where: [], mutate: [] };
  const said = labels === undefined ? undefined : await load(labels, whole);
  return said === undefined || key === undefined ? said : readSheet(said, await load(key, whole));
}

/** The key of a sheet has the probabilities. */
const drawnOf = ({ options }: Asking, { drawn }: { readonly drawn?: string | undefined }): Drawn | undefined =>
  (drawn ?? (parseOptions(JUDGE_CORRECT.command, options).key === undefined ? undefined : "weights:probability")) as
    | Drawn
    | undefined;

export async function check(context: Asking, data: string): Promise<void> {
  const given = parseOptions(JUDGE_CHECK.options, context.options);
  const labels = await labelsOf(context);
  const rng = makeRng(context.options.seed);
  context.print(checkJudge(await context.load(data), { ...given, drawn: drawnOf(context, given), labels, rng }));
}

export async function correct(context: Asking, data: string): Promise<void> {
  const given = parseOptions(JUDGE_CORRECT.options, context.options);
  const labels = await labelsOf(context);
  const carry = given.carry === undefined ? undefined : readCarry(given.carry);
  context.print(correctJudge(await context.load(data), { ...given, carry, drawn: drawnOf(context, given), labels }));
}

export async function sample(context: Asking, data: string): Promise<void> {
  const given = parseOptions(JUDGE_SAMPLE.options, context.options);
  const asked = parseOptions(JUDGE_SAMPLE.command, context.options);
  refuseAlone(allOptions(JUDGE_SAMPLE), { ...given, ...asked });
  const result = sampleJudge(await context.load(data), { ...given, rng: makeRng(context.options.seed) });
  const texts = sampleSheets(result);
  if (asked.sheet !== undefined) writeOutput(asked.sheet, texts.sheet);
  if (asked.key !== undefined) writeOutput(asked.key, texts.key);
  context.print(result);
}

export async function plan(context: Asking): Promise<void> {
  const given = parseOptions(JUDGE_PLAN.options, context.options);
  context.print(planJudge({ ...given, rng: makeRng(context.options.seed) }));
}

export async function next(context: Asking, data: string): Promise<void> {
  const { range, ...given } = parseOptions(JUDGE_NEXT.options, context.options);
  const labels = await labelsOf(context);
  const ends = range === undefined ? undefined : ([range[0]!, range[1]!] as const);
  context.print(nextJudge(await context.load(data), { ...given, range: ends, labels }));
}

export async function audit(context: Asking, data: string): Promise<void> {
  const given = parseOptions(JUDGE_AUDIT.options, context.options);
  const labels = await labelsOf(context);
  context.print(auditJudge(await context.load(data), { ...given, labels }));
}

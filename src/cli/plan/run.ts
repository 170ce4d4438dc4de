/** `gosset plan new | show | check | lock | schedule | looks`: plan files on disk, and what they say. */
import { existsSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { makeRng, StatError } from "../../index.ts";
import {
  checkPlan,
  type EvaluationPlan,
  lockPlan,
  type PlanLock,
  readLock,
  readPlan,
  scheduleRuns,
  showPlan,
} from "../../plan.ts";
import { LOOKS, type OptionsOf, PLAN, parseOptions, refuseAlone, splitList } from "../../questions.ts";
import { designLooks } from "../../tests.ts";
import type { Context } from "../context.ts";
import { readTextFile, writeOutput } from "../files.ts";
import type { GlobalOptions } from "../options.ts";

export interface PlanFile {
  readonly plan: EvaluationPlan;
  readonly lock?: PlanLock | undefined;
}

const lockOf = (path: string): string => `${path}.lock`;

function openPlan(path: string): PlanFile {
  const plan = readPlan(readTextFile(path), path);
  const lock = existsSync(lockOf(path)) ? readLock(readTextFile(lockOf(path)), lockOf(path)) : undefined;
  return { plan, lock };
}

type Given = OptionsOf<typeof PLAN>;

/** What a plan cannot do without, and how it is asked for. */
const ASKED = [
  ["systems", "Systems, the baseline first (a,b)", "--systems"],
  ["metric", "Primary metric", "--metric"],
  ["items", "How many items", "--items"],
  ["smallestEffect", "The smallest difference of interest", "--smallest-effect"],
] as const;

/** Puts questions one after the other; undefined where nobody can answer. */
export type Ask = ((questions: readonly string[]) => Promise<readonly string[]>) | undefined;

export async function runNew(
  { options, print }: Pick<Context<GlobalOptions>, "options" | "print">,
  path: string,
  ask: Ask = process.stdin.isTTY ? askOnTerminal : undefined,
): Promise<void> {
  if (existsSync(path))
    throw new StatError("FileExists", `${path} exists already.`, "Choose another name, or edit that file.");
  const flags = await askMissing(parseOptions(PLAN, options), ask);
  refuseAlone(PLAN, flags);
  const number = (text: string | undefined): number | string | undefined =>
    text === undefined || text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text);
  const expected = dropEmpty({
    baseline: number(flags.baselineScore),
    agreement: number(flags.agreement),
    sd: number(flags.sd),
  });
  const written = dropEmpty({
    version: 1,
    systems: splitList(flags.systems!) ?? [flags.systems],
    metric: flags.metric,
    items: number(flags.items),
    repeats: number(flags.repeats),
    cluster: flags.cluster,
    test: flags.test,
    alpha: number(flags.alpha),
    margin: number(flags.margin),
    "smallest-effect": number(flags.smallestEffect),
    power: number(flags.power),
    unscored: flags.unscored,
    looks:
      flags.looks === undefined
        ? undefined
        : dropEmpty({
            at: flags.looks.split(",").map(number),
            spending: flags.spending,
            futility: number(flags.futility),
          }),
    expected: Object.keys(expected).length === 0 ? undefined : expected,
  });
  const { stringify } = await import("yaml");
  const text = stringify(written);
  // whatever is wrong is said before anything is written
  const result = byFlags(path, () => checkPlan(readPlan(text, path)));
  writeOutput(path, text);
  print(result);
}

/** Places in a plan whose flag has another name. */
const FLAG_OF_PLACE: readonly (readonly [place: RegExp, flag: string])[] = [
  [/\bexpected\.agreement\b/g, "--agreement"],
  [/\bexpected\.baseline\b/g, "--baseline-score"],
  [/\bexpected\.sd\b/g, "--sd"],
  [/\blooks\.at\b/g, "--looks"],
  [/\blooks\.spending\b/g, "--spending"],
  [/\blooks\.futility\b/g, "--futility"],
];

/** There is no file yet in which these places could be found and changed. */
function byFlags<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof StatError)) throw error;
    const named = (text: string): string =>
      FLAG_OF_PLACE.reduce(
        (own, [place, flag]) => own.replace(place, flag),
        text
          .replace(path, "")
          .replace(/^(:\d+)*: /, "")
          .replace(/^[a-z-]+(?= should )/, "--$&"),
      );
    throw new StatError(error.code, named(error.message), named(error.fix));
  }
}

const dropEmpty = (own: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));

async function askMissing(flags: Given, ask: Ask): Promise<Given> {
  const missing = ASKED.filter(([name]) => flags[name] === undefined);
  if (missing.length === 0) return flags;
  if (ask === undefined)
    throw new StatError(
      "BadOption",
      `${missing.map(([, , flag]) => flag).join(", ")}: missing.`,
      "A plan needs all of these.",
    );
  const answers = await ask(missing.map(([, question]) => question));
  return { ...flags, ...Object.fromEntries(missing.map(([name], k) => [name, answers[k]!.trim()])) };
}

async function askOnTerminal(questions: readonly string[]): Promise<readonly string[]> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answers: string[] = [];
  try {
    for (const question of questions) answers.push(await terminal.question(`${question}: `));
  } finally {
    terminal.close();
  }
  return answers;
}

export async function runShow({ print }: Context<GlobalOptions>, path: string): Promise<void> {
  const { plan, lock } = openPlan(path);
  print(showPlan(plan, lock));
}

export async function runCheck({ print }: Context<GlobalOptions>, path: string): Promise<void> {
  const { plan, lock } = openPlan(path);
  print(checkPlan(plan, lock));
}

interface ItemFlags extends GlobalOptions {
  readonly items?: string;
  readonly to?: string;
}

const idsOf = (path: string): string[] =>
  readTextFile(path)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

export async function runLock({ options, print }: Context<ItemFlags>, path: string): Promise<void> {
  const { plan, lock: earlier } = openPlan(path);
  const lock = lockPlan(plan, options.items === undefined ? undefined : idsOf(options.items));
  if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(lock))
    throw new StatError(
      "AlreadyLocked",
      `${lockOf(path)} locks ${earlier.hash === lock.hash ? "other items" : "another plan"}.`,
      "A plan is locked once: remove the lock by hand if there are no results yet.",
    );
  const result = checkPlan(plan, lock);
  writeOutput(lockOf(path), `${JSON.stringify(lock, null, 2)}\n`);
  print(result);
}

export async function runSchedule({ options, print, note }: Context<ItemFlags>, path: string): Promise<void> {
  const { plan, lock } = openPlan(path);
  const items = options.items === undefined ? lock?.items : idsOf(options.items);
  // as many as planned, none twice: a table is no list of ids
  if (items !== undefined) lockPlan(plan, items);
  if (items === undefined)
    throw new StatError(
      "NoItems",
      "a schedule needs the ids of the items.",
      "Give --items, or lock them with the plan.",
    );
  const runs = scheduleRuns({ systems: plan.systems, items, repeats: plan.repeats }, makeRng(options.seed));
  const cell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = runs.map(({ order, item, system, repeat }) => [order, cell(item), cell(system), repeat].join(","));
  const result = checkPlan(plan, lock);
  writeOutput(options.to!, `order,item,system,repeat\n${rows.join("\n")}\n`);
  note([
    {
      code: "Scheduled",
      severity: "note",
      message: `${options.to} has ${runs.length} runs, from item "${runs[0]!.item}" under ${runs[0]!.system} on.`,
      fix: "Run them in this order.",
    },
  ]);
  print(result);
}

export async function runLooks({ options, print }: Context<GlobalOptions>): Promise<void> {
  print(designLooks(parseOptions(LOOKS, options)));
}

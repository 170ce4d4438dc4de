/** `gosset plan new | show | check | lock | schedule | looks`: plan files on disk, and what they say. */
import { existsSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { asFactor, column, type Diagnostic, makeRng, parametersFromPilot, StatError } from "../../index.ts";
import {
  checkPlan,
  type EvaluationPlan,
  type ListBalance,
  listRatings,
  lockPlan,
  type PlanLock,
  poolPilots,
  type RatingTask,
  readLock,
  readPlan,
  scheduleRuns,
  showPlan,
  USUAL_STUDIES,
} from "../../plan.ts";
import { LOOKS, type OptionsOf, PLAN, parseCount, parseOptions, refuseAlone, splitList } from "../../questions.ts";
import { designLooks } from "../../tests.ts";
import type { Context } from "../context.ts";
import { readTextFile, writeOutput } from "../files.ts";
import { importPaths } from "../load.ts";
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
    setting: flags.setting,
    ...(flags.pilot === undefined ? {} : await pilotSpread(flags)),
  });
  const ratings = dropEmpty({
    raters: number(flags.raters),
    "per-item": number(flags.ratings),
    design: flags.design,
    points: number(flags.points),
    checks: number(flags.checks),
    exclude: number(flags.exclude),
  });
  const written = dropEmpty({
    version: 1,
    systems: splitList(flags.systems!) ?? [flags.systems],
    metric: flags.metric,
    items: number(flags.items),
    repeats: number(flags.repeats),
    cluster: flags.cluster,
    ratings: Object.keys(ratings).length === 0 ? undefined : ratings,
    pairs: flags.pairs,
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

/** Standard deviations of pilots as a plan writes them; their columns have the names of the plan. */
async function pilotSpread({ pilot, metric, systems, pilotModel = "likert" }: Given): Promise<object> {
  const names = splitList(systems!) ?? [];
  if (names.length < 2) throw new StatError("BadOption", "--pilot needs two --systems.", "Name them: --systems a,b.");
  const pilots = [];
  for (const path of splitList(pilot!) ?? [pilot!]) {
    const { table } = await importPaths([path], { guessRoles: false });
    const columns = { score: metric!, system: "system", rater: "rater", item: "item" };
    const lost = Object.values(columns).find((name) => !table.columns.has(name));
    if (lost !== undefined)
      throw new StatError(
        "UnknownColumn",
        `${path} has no column "${lost}" (it has ${[...table.columns.keys()].join(", ")}).`,
        `A pilot has the columns ${Object.values(columns).join(", ")}.`,
      );
    pilots.push(parametersFromPilot(pilotModel, table, { ...columns, systems: [names[0]!, names.at(-1)!] }));
  }
  const write = (own: object): object =>
    Object.fromEntries(
      Object.entries(own).map(([name, value]) => [
        name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
        typeof value === "object" && !Array.isArray(value) ? write(value as object) : value,
      ]),
    );
  return write(poolPilots(pilots));
}

/** Places in a plan whose flag has another name. */
const FLAG_OF_PLACE: readonly (readonly [place: RegExp, flag: string])[] = [
  [/\bratings\.per-item\b/g, "--ratings"],
  [/\bratings\.(raters|design|points|checks|exclude)\b/g, "--$1"],
  [/\bexpected\.setting\b/g, "--setting"],
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

interface CheckFlags extends GlobalOptions {
  readonly replicates?: string;
}

export async function runCheck({ options, print, progress }: Context<CheckFlags>, path: string): Promise<void> {
  const { plan, lock } = openPlan(path);
  const { replicates } = options;
  if (plan.ratings === undefined) {
    if (replicates !== undefined)
      throw new StatError("BadOption", "--replicates: the power of this plan has a formula.", "Leave it out.");
    return print(checkPlan(plan, lock));
  }
  const studies = replicates === undefined ? USUAL_STUDIES : parseCount(replicates, "--replicates");
  const onProgress = (done: number, total: number): void => progress.update("Simulating studies", done, total);
  print(checkPlan(plan, lock, { studies, rng: makeRng(options.seed), onProgress }));
}

interface ItemFlags extends GlobalOptions {
  readonly items?: string;
  readonly to?: string;
  readonly blind?: string;
  readonly texts?: string;
}

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

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
  if (plan.ratings !== undefined) return scheduleLists({ options, print, note }, { plan, lock }, items);
  const idle = (["blind", "texts"] as const).find((name) => options[name] !== undefined);
  if (idle !== undefined)
    throw new StatError("BadOption", `--${idle} is for a plan with ratings, and ${path} has none.`, "Leave it out.");
  const runs = scheduleRuns({ systems: plan.systems, items, repeats: plan.repeats }, makeRng(options.seed));
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

/** The lists, as a table with what each text is, and as one that raters may see. */
async function scheduleLists(
  { options, print, note }: Pick<Context<ItemFlags>, "options" | "print" | "note">,
  { plan, lock }: PlanFile,
  items: readonly string[],
): Promise<void> {
  const { to, blind, texts: textFile } = options;
  const { tasks, balance } = listRatings(plan, items, makeRng(options.seed));
  if (textFile !== undefined && blind === undefined)
    throw new StatError(
      "BadOption",
      "--texts without --blind: the other table names each text.",
      "Add --blind tasks.csv.",
    );
  const said = textFile === undefined ? undefined : await readTexts(textFile, tasks);
  const result = checkPlan(plan, lock);
  const write = (path: string, head: readonly string[], rows: readonly (readonly (string | number)[])[]): void =>
    writeOutput(path, `${[head, ...rows].map((row) => row.map((own) => cell(String(own))).join(",")).join("\n")}\n`);
  const asked = (check: number): string | number => (Number.isNaN(check) ? "" : check);
  write(
    to!,
    ["id", plan.rater!, "position", "item", "system", "check", plan.metric],
    tasks.map((own) => [own.id, own.rater, own.position, own.item, own.system, asked(own.check), ""]),
  );
  if (blind !== undefined)
    write(
      blind,
      ["id", plan.rater!, "position", said === undefined ? "item" : "text", plan.metric],
      tasks.map((own) => [
        ...[own.id, own.rater, own.position],
        Number.isNaN(own.check)
          ? (said?.get(textKey(own)) ?? own.item)
          : `Attention check: please choose ${own.check}.`,
        "",
      ]),
    );
  note(tellBalance(balance, { to: to!, blind, raters: plan.ratings!.raters }));
  print(result);
}

const textKey = ({ item, system }: { readonly item: string; readonly system: string }): string => `${item}\n${system}`;

/** What the systems said: item, system, text. */
async function readTexts(path: string, tasks: readonly RatingTask[]): Promise<ReadonlyMap<string, string>> {
  const { table } = await importPaths([path], { guessRoles: false });
  const [items, systems, texts] = ["item", "system", "text"].map((name) => {
    const { codes, levels } = asFactor(column(table, name));
    return Array.from(codes, (code) => (code < 0 ? "" : levels[code]!));
  });
  const found = new Map(texts!.map((text, k) => [textKey({ item: items![k]!, system: systems![k]! }), text]));
  const lost = tasks.find((own) => own.item !== "" && !found.has(textKey(own)));
  if (lost === undefined) return found;
  throw new StatError(
    "NoText",
    `${path} has no text of item "${lost.item}" by ${lost.system}.`,
    "Give a row for every item and system: item, system, text.",
  );
}

function tellBalance(
  { texts, perRater, systems, positions, shared, apart }: ListBalance,
  { to, blind, raters }: { readonly to: string; readonly blind: string | undefined; readonly raters: number },
): Diagnostic[] {
  const [least, most] = perRater;
  const written = `${to} has ${texts} texts for ${raters} raters, ${least === most ? least : `${least} to ${most}`} each${blind === undefined ? "" : `; ${blind} has them without systems`}.`;
  const returns = Number.isFinite(apart)
    ? ` An item returns to a rater after ${apart} other texts at the earliest.`
    : "";
  const even = `Texts of a rater differ by at most ${systems} between systems, raters at one place of the lists by at most ${positions}; two raters share ${shared[0] === shared[1] ? shared[0] : `${shared[0]} to ${shared[1]}`} items.${returns}`;
  const diagnostics: Diagnostic[] = [
    { code: "Scheduled", severity: "note", message: `${written} ${even}`, fix: "Have each list rated in its order." },
  ];
  if (systems <= 1 && positions <= 1) return diagnostics;
  return [
    ...diagnostics,
    {
      code: "Uneven",
      severity: "warning",
      message: `the numbers of this plan leave the lists uneven (${systems > 1 ? "systems within raters" : "systems at the last places of the lists"}).`,
      fix: "Take numbers of texts and raters that the systems divide.",
    },
  ];
}

/** Files as other projects published them: what a reader must find in each, what must not be said, and the answers that are known; and files made to attack, each of which gets a line. The
 *  files are not part of the project (their licences differ); where they are absent the test says so and is skipped.
 *  The judge allows two things: a file of one system need not name it, and a judge that no column names is no rater. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  compare,
  type Description,
  describeImported,
  type Imported,
  type InputFile,
  importFiles,
  measureAgreement,
  measureBudget,
  measureImportance,
  score,
} from "../src/index.ts";
import { gosset } from "./support/cli.ts";
import { sharedPath } from "./support/oracle.ts";

const REAL = join(dirname(fileURLToPath(import.meta.url)), "../../shared/trials/real");
const present = existsSync(join(REAL, "expect.json"));
/** What the hostile ones may take of memory. */
const MOST_BYTES = 2 ** 30;
const say = (text: string): void => void process.stdout.write(`${text}\n`);
if (!present) say("real-files: ../shared/trials/real is absent, nothing to measure");

interface Expected {
  readonly path: string;
  readonly systems: number | null;
  readonly items: number | null;
  readonly score: readonly string[];
  readonly direction: string | null;
  readonly raters: number | string;
  readonly repeats?: number;
  readonly must_not?: readonly string[];
  readonly gold?: string;
  readonly pred?: string;
  readonly prob?: string;
  readonly answer?: Readonly<Record<string, unknown>>;
}

function readAll(path: string): InputFile[] {
  if (!statSync(path).isDirectory())
    return [{ name: path.slice(path.lastIndexOf("/") + 1), bytes: readFileSync(path) }];
  return (readdirSync(path, { recursive: true }) as string[])
    .map((name) => join(path, name))
    .filter((name) => statSync(name).isFile())
    .sort()
    .map((name) => ({ name: relative(dirname(path), name), bytes: readFileSync(name) }));
}

/** "Rouge 1" and "rouge_1" are one name; "quality1..quality5" is the family's stem; a column of each rater's own values is that question. */
const plain = (name: string): string =>
  name
    .replace(/\d+\.\..*$/, "")
    .replace(/_each$/, "")
    .toLowerCase()
    .replace(/[^a-z0-9*]+/g, "");

function matches(found: string, wanted: string): boolean {
  const [own, other] = [plain(found), plain(wanted)];
  return other.endsWith("*") ? own.startsWith(other.slice(0, -1)) : own === other;
}

/** What is wrong with the reading, in a few words each. */
function faults(expected: Expected, imported: Imported, found: Description): string[] {
  const { roles, table } = imported;
  const list: string[] = [];
  const count = systemsOf(imported, found);
  if (expected.systems === 1 ? count > 1 : count !== (expected.systems ?? 0))
    list.push(`systems ${count}, not ${expected.systems}`);
  if (expected.items !== null && found.items !== expected.items)
    list.push(`items ${found.items}, not ${expected.items}`);
  if (expected.items === null && expected.raters === 0 && found.items > 0) list.push(`items ${found.items}, not 0`);
  list.push(...scoreFaults(expected, imported, found), ...raterFaults(expected, imported));
  if (expected.repeats !== undefined && repeatsOf(imported, found) !== expected.repeats)
    list.push(`repeats ${repeatsOf(imported, found)}, not ${expected.repeats}`);
  for (const role of ["gold", "pred", "prob"] as const) {
    const name = { gold: roles.label, pred: roles.prediction, prob: roles.probability }[role];
    if (expected[role] !== undefined && name !== expected[role]) list.push(`${role} is ${name}`);
  }
  for (const rule of expected.must_not ?? []) if (breaks(rule, imported, found)) list.push(`says ${rule}`);
  if (table.rows === 0) list.push("no rows");
  return list;
}

/** Systems, in the task that has most rows where there are several: other tasks may have systems of their own. */
function systemsOf({ roles, table }: Imported, found: Description): number {
  const task = roles.task === undefined ? undefined : table.columns.get(roles.task);
  const system = roles.system === undefined ? undefined : table.columns.get(roles.system);
  if (task?.kind !== "factor" || system?.kind !== "factor") return found.systems.length;
  const rows = task.levels.map((_, code) => task.codes.filter((own) => own === code).length);
  const main = rows.indexOf(Math.max(...rows));
  return new Set(system.codes.filter((code, row) => code >= 0 && task.codes[row] === main)).size;
}

function raterFaults({ raters: expected }: Expected, imported: Imported): string[] {
  const { rater } = imported.roles;
  const found = rater === undefined ? 0 : new Set(levelsOf(imported, rater)).size;
  if (typeof expected === "string") {
    const [, fewest, most] = /^(\d+) to (\d+) unnamed$/.exec(expected)!.map(Number);
    const right = imported.unnamedRaters === true && found === most && fewestRaters(imported) === fewest;
    return right ? [] : [`raters ${found}, not ${expected}`];
  }
  const judged = expected === 1 && rater === undefined;
  return judged || found === expected ? [] : [`raters ${found}, not ${expected}`];
}

function fewestRaters(imported: Imported): number {
  const counts = new Map<string | number, number>();
  for (const item of levelsOf(imported, imported.roles.item!)) counts.set(item, (counts.get(item) ?? 0) + 1);
  return Math.min(...counts.values());
}

function levelsOf({ table }: Imported, name: string): (string | number)[] {
  const cells = table.columns.get(name)!;
  return cells.kind === "numeric"
    ? [...cells.values].filter((value) => !Number.isNaN(value))
    : [...cells.codes].filter((code) => code >= 0);
}

function repeatsOf(imported: Imported, found: Description): number {
  const { repeat } = imported.roles;
  return found.repeats > 0 || repeat === undefined ? found.repeats : new Set(levelsOf(imported, repeat)).size;
}

function scoreFaults(expected: Expected, imported: Imported, found: Description): string[] {
  const main = found.metrics[0];
  if (expected.score.length === 0) return main === undefined ? [] : [`score ${main}, where there is none`];
  if (main === undefined) return ["no score"];
  // votes become wins and losses; the reading says of which columns
  const said = imported.assumptions.join(" ");
  const voted = imported.roles.opponent !== undefined && expected.score.every((wanted) => said.includes(wanted));
  if (!voted && !expected.score.some((wanted) => matches(main, wanted))) return [`score ${main}`];
  const own = (name: string): boolean | undefined =>
    found.metricDetails.find((metric) => matches(metric.name, name))?.higherIsBetter;
  const wanted = expected.direction === null ? undefined : !expected.direction.startsWith("lower");
  const list = own(main) === wanted ? [] : [`direction ${own(main)}, not ${wanted}`];
  const [, others = ""] = /\((.+?)(?: lower|: not)\)/.exec(expected.direction ?? "") ?? [];
  const wrong = others.split(", ").filter((name) => name !== "" && own(name) === true);
  return [...list, ...wrong.map((name) => `direction of ${name}`)];
}

function breaks(rule: string, { roles, systems, table, format }: Imported, found: Description): boolean {
  const [, what, name] = /^(?:main )?(score|system|item|header)=([^ ]+)/.exec(rule) ?? [];
  const text = found.toString().replace(/\s+/g, " ");
  if (what === "score") return found.metrics[0] !== undefined && matches(found.metrics[0], name!);
  if (what === "system") return roles.system === name || systems.includes(name!);
  if (what === "item") return roles.item === name;
  if (what === "header") return format !== "trec" && table.columns.has(name!);
  if (rule.startsWith("plain text")) return format === "text";
  if (rule.startsWith("systems=")) return systems.length === Number(rule.slice("systems=".length));
  if (rule.includes("#incomplete")) return text.includes("different contents") || text.includes("#incomplete");
  if (rule.startsWith("direction of *_Errors"))
    return found.metricDetails.some(({ label, higherIsBetter }) => /_Errors$/.test(label) && higherIsBetter === false);
  if (rule.startsWith("agreement without"))
    return found.answers.some(({ command }) => / agreement /.test(command) && !command.includes("--item item,system"));
  if (rule.startsWith("raters=hate_speech"))
    return (
      roles.rater !== "rater" || !/add up to count in every row/.test(text) || !text.includes("does not say who gave")
    );
  return text.includes(rule);
}

const close = (found: number, wanted: number, digits: number): boolean =>
  Math.abs(found - wanted) < 0.5 * 10 ** -digits;
const numberIn = (answer: Expected["answer"], name: string): number => answer![name] as number;

/** The answers that expect.json knows, computed as a user would. */
const ANSWERS: Readonly<Record<string, (imported: Imported, answer: NonNullable<Expected["answer"]>) => boolean>> = {
  "alpaca_eval/cohere_annotations.json": (imported, answer) => {
    const { systems, n } = compare(imported);
    const cohere = systems.find(({ name }) => name === "cohere")!;
    return close(cohere.score, numberIn(answer, "win_rate_generator_2"), 9) && n === numberIn(answer, "n");
  },
  "mt_bench/gpt-4_pair.jsonl": (imported, answer) => {
    const said = imported.assumptions.join(" ");
    const flips = [numberIn(answer, "first_position_flips"), numberIn(answer, "second_position_flips")] as const;
    const [a, b] = compare(imported).systems.map((system) => system.score);
    const lead = (numberIn(answer, "consistent_model_1") - numberIn(answer, "consistent_model_2")) / 73;
    return (
      said.includes(`${flips[0] + flips[1]} votes turned`) &&
      said.includes(`in ${flips[0]} of them`) &&
      close(Math.abs(a! - b!), Math.abs(lead), 9)
    );
  },
  evalplus: (imported, answer) =>
    ["base", "plus"].every((metric) =>
      score(imported, { metric }).systems.every((own) =>
        close(own.score, (answer[own.name] as Record<string, number>)[metric]!, 9),
      ),
    ),
  terminal_bench: (imported, answer) => {
    const accuracy = answer["accuracy"] as Record<string, number[]>;
    const { systems } = score(imported);
    return systems.every(({ name, score: own }) =>
      close(own, accuracy[name]!.reduce((sum, value) => sum + value, 0) / accuracy[name]!.length, 9),
    );
  },
  "tau_bench/gpt-4o-airline.json": (imported, answer) =>
    (answer["pass^k"] as number[]).every((wanted, i) => {
      const [own] = score(imported, { metric: `pass^${i + 1}` }).systems;
      return close(own!.score, wanted, 3) && own!.ci !== undefined;
    }),
  "frank/human_annotations.json": (imported, answer) => {
    const ranked = [...compare(imported).systems].sort((a, b) => b.score - a.score).map(({ name }) => name);
    return ranked[0] === answer["best"] && ranked.at(-1) === answer["worst"];
  },
  "wmt_esa/esa_generalMT2024_wave3.csv": (imported, answer) => {
    const [low, high] = answer["CommandR-plus - IKUN-C"] as [number, number];
    const { main } = compare(imported, { systems: ["IKUN-C", "CommandR-plus"] });
    return main.difference > low && main.difference < high && main.verdict === "BETTER";
  },
  "hate_counts/labeled_data.csv": (imported, answer) => {
    const { coefficients } = measureAgreement(imported.table, {
      item: imported.roles.item!,
      rater: imported.roles.rater!,
      label: imported.roles.score!,
      unnamed: true,
    });
    // 0.528 has the shares of labels over all ratings, 0.533 as means over items; items have 3 to 9 ratings (docs/methods/agreement.md)
    return close(coefficients.fleiss.value, 0.5328, 4) && Math.abs(0.5328 - numberIn(answer, "fleiss_kappa")) < 0.005;
  },
  "ragas/ragas_results.csv": (imported, answer) =>
    close(score(imported).systems[0]!.score, numberIn(answer, "faithfulness"), 4),
  "wandb/wandb_export.csv": (imported, answer) =>
    measureImportance(imported, { intervals: "none" }).components[0]!.term === answer["most_important"],
  "optuna/gat_llm_optuna_trials.csv": (imported, answer) =>
    measureBudget(imported.table, { score: imported.roles.score! }).curves[0]!.best === answer["best"],
  "mathwell/evaluation_annotations.csv": (imported, answer) => {
    const good = answer["good"] as Record<string, number>;
    return score(imported, { metric: "good" }).systems.every(({ name, score: own }) => close(own, good[name]!, 3));
  },
  "two_annotators/annotations.csv": (imported, answer) => {
    const [item, rater, label] = [imported.roles.item!, imported.roles.rater!, imported.roles.score!];
    const { coefficients } = measureAgreement(imported.table, { item, rater, label });
    return close(coefficients.cohen.value, numberIn(answer, "cohen_kappa_has_claim"), 3);
  },
};

describe.skipIf(!present)("files that other projects published", () => {
  it("are understood, all of them", async () => {
    const cases = JSON.parse(readFileSync(join(REAL, "expect.json"), "utf8")) as Expected[];
    const lines: string[] = [];
    const failed: string[] = [];
    for (const one of cases) {
      const wrong = await judge(one);
      if (wrong.length > 0) failed.push(`${one.path}: ${wrong.join("; ")}`);
      lines.push(`${wrong.length === 0 ? "understood    " : "not understood"} ${one.path}`);
    }
    say([...lines, `${cases.length - failed.length} of ${cases.length} understood`].join("\n"));
    expect(failed).toEqual([]);
  }, 240_000);

  it("that attack get one line each, and none takes the machine", () => {
    const folder = sharedPath("trials/hostile");
    // tests before this one in the same process may have taken more already
    const peak = (): number => 1024 * process.resourceUsage().maxRSS;
    const sofar = peak();
    // for the processes that decode Parquet
    const before = process.env.NODE_OPTIONS;
    process.env.NODE_OPTIONS = "--max-old-space-size=512";
    const answers = readdirSync(folder).map(
      (name) => [name, gosset("describe", join(folder, name), "--quiet")] as const,
    );
    if (before === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = before;
    expect(answers.length).toBeGreaterThan(20);
    for (const [name, { status, stdout, stderr }] of answers) {
      if (status === 0) expect([stdout.split("\n")[0], stderr], name).toEqual([expect.stringMatching(/^\S+: /), ""]);
      else expect([status, stdout, stderr], name).toEqual([2, "", expect.stringMatching(/^gosset: [^\n]+\n$/)]);
      expect(stderr, name).not.toMatch(/internal error/i);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for
      expect(stdout + stderr, name).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    }
    const line = (name: string) => answers.find(([own]) => own === name)?.[1].stderr;
    expect(line("rle-run.parquet")).toMatch(/a run of 1073741824 values where 4/);
    expect(line("sparse10k.jsonl")).toMatch(/the limit on (columns|cells)/);
    expect(peak()).toBeLessThan(Math.max(MOST_BYTES, sofar + MOST_BYTES / 2));
  }, 120_000);
});

async function judge(one: Expected): Promise<string[]> {
  try {
    const imported = await importFiles(readAll(join(REAL, one.path)));
    const list = faults(one, imported, describeImported(imported, { target: one.path, available: new Set() }));
    const known = one.answer === undefined ? undefined : ANSWERS[one.path];
    if (one.answer !== undefined && known === undefined) list.push("an answer that nobody computes");
    if (known !== undefined && !known(imported, one.answer!)) list.push("another answer");
    return list;
  } catch (error) {
    return [String((error as Error).message).slice(0, 160)];
  }
}

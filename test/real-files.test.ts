/** Files as other projects published them: what a reader must find in each, what must not be said, and the answers that are known; and files made to attack, each of which gets a line. The
 *  files are not part of the project (their licences differ); where they are absent the test says so and is skipped.
 *  The judge allows two things: a file of one system need not name it, and a judge that no column names is no rater. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  answerComparison,
  type Description,
  describeImported,
  type Imported,
  type InputFile,
  importFiles,
} from "../src/index.ts";
import { gosset } from "./support/cli.ts";
import { sharedPath } from "./support/oracle.ts";

const TRIALS = join(dirname(fileURLToPath(import.meta.url)), "../../shared/trials");
const present = existsSync(join(TRIALS, "real", "expect.json"));
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

describe.skipIf(!present)("files that other projects published", () => {
  it.each(["real", "real3"])(
    "of %s are read rightly or asked about: no verdict rests on a wrong reading",
    async (set) => {
      const folder = join(TRIALS, set);
      if (!existsSync(join(folder, "expect.json"))) return say(`real-files: ../shared/trials/${set} is absent`);
      const cases = JSON.parse(readFileSync(join(folder, "expect.json"), "utf8")) as Expected[];
      const outcomes = new Map<string, Outcome>();
      for (const one of cases) outcomes.set(one.path, await judge(folder, one));
      const count = (kind: Outcome["kind"]): number => [...outcomes.values()].filter((own) => own.kind === kind).length;
      say([...outcomes].map(([path, { kind, told }]) => `${kind.padEnd(8)} ${path} ${told}`).join("\n"));
      say(
        `${set}: ${count("right")} right, ${count("asks")} asks, ${count("refuses")} refuses, ${count("wrong")} wrong`,
      );
      expect([...outcomes].filter(([, { kind }]) => kind === "wrong")).toEqual([]);
    },
    240_000,
  );

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

interface Outcome {
  readonly kind: "right" | "asks" | "refuses" | "wrong";
  readonly told: string;
}

/** A reading is wrong where an answer rests on other systems, items or scores than a careful reader finds. */
async function judge(folder: string, one: Expected): Promise<Outcome> {
  try {
    const imported = await importFiles(readAll(join(folder, one.path)));
    const found = describeImported(imported, { target: one.path });
    const list = faults(one, imported, found).filter((fault) => !fault.startsWith("direction undefined"));
    answerComparison(imported);
    return list.length === 0 ? { kind: "right", told: "" } : { kind: "wrong", told: list.join("; ") };
  } catch (error) {
    const { code = "", message } = error as { readonly code?: string; readonly message: string };
    return { kind: code.startsWith("Ask") ? "asks" : "refuses", told: message.slice(0, 120) };
  }
}

/** Files as other projects published them: what a reader must find in each, and what must not be said. The files are not part of the
 *  project (their licences differ); where they are absent the test says so and is skipped. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type Description, describeImported, type Imported, type InputFile, importFiles } from "../src/index.ts";

const REAL = join(dirname(fileURLToPath(import.meta.url)), "../../shared/trials/real");
const present = existsSync(join(REAL, "expect.json"));
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
}

const FEWEST_UNDERSTOOD = 26;

function readAll(path: string): InputFile[] {
  if (!statSync(path).isDirectory())
    return [{ name: path.slice(path.lastIndexOf("/") + 1), bytes: readFileSync(path) }];
  return (readdirSync(path, { recursive: true }) as string[])
    .map((name) => join(path, name))
    .filter((name) => statSync(name).isFile())
    .sort()
    .map((name) => ({ name: relative(dirname(path), name), bytes: readFileSync(name) }));
}

/** "Rouge 1" and "rouge_1" are one name; "quality1..quality5" is the family's stem. */
const plain = (name: string): string =>
  name
    .replace(/\d+\.\..*$/, "")
    .toLowerCase()
    .replace(/[^a-z0-9*]+/g, "");

function matches(found: string, wanted: string): boolean {
  const [own, other] = [plain(found), plain(wanted)];
  return other.endsWith("*") ? own.startsWith(other.slice(0, -1)) : own === other || own.startsWith(other);
}

/** What is wrong with the reading, in a few words each. */
function faults(expected: Expected, imported: Imported, found: Description): string[] {
  const { roles, table } = imported;
  const list: string[] = [];
  const count = systemsOf(imported, found);
  const few = (expected.systems ?? 0) <= 1;
  if (few ? count > 1 : count !== expected.systems) list.push(`systems ${count}, not ${expected.systems}`);
  if (expected.items !== null && found.items !== expected.items)
    list.push(`items ${found.items}, not ${expected.items}`);
  list.push(...scoreFaults(expected, imported, found));
  const raters = roles.rater === undefined ? 0 : new Set(levelsOf(imported, roles.rater)).size;
  if (typeof expected.raters === "string" ? raters < 3 || raters > 9 : !rightRaters(expected.raters, raters))
    list.push(`raters ${raters}, not ${expected.raters}`);
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

/** One judge is one rater or none. */
const rightRaters = (expected: number, found: number): boolean => (expected <= 1 ? found <= 1 : found === expected);

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
  const { roles, table } = imported;
  const names = roles.metric === undefined ? [main] : levelNames(table.columns.get(roles.metric)!);
  // votes become wins and losses; the reading says of which columns
  const said = imported.assumptions.join(" ");
  const voted = roles.opponent !== undefined && expected.score.some((wanted) => said.includes(wanted));
  const right = voted || expected.score.some((wanted) => names.some((name) => matches(name, wanted)));
  if (!right) return [`score ${main}`];
  const higher = found.metricDetails[0]?.higherIsBetter;
  const wanted = expected.direction === null ? undefined : !expected.direction.startsWith("lower");
  return higher === wanted ? [] : [`direction ${higher}, not ${wanted}`];
}

const levelNames = (cells: { kind: string; levels?: readonly string[] }): readonly string[] => cells.levels ?? [];

function breaks(rule: string, { roles, systems, table, format }: Imported, found: Description): boolean {
  const [, what, name] = /^(?:main )?(score|system|item|header)=([^ ]+)/.exec(rule) ?? [];
  if (what === "score") return found.metrics[0] !== undefined && matches(found.metrics[0], name!);
  if (what === "system") return roles.system === name || systems.includes(name!);
  if (what === "item") return roles.item === name;
  if (what === "header") return format !== "trec" && table.columns.has(name!);
  if (rule.startsWith("plain text")) return format === "text";
  if (rule.startsWith("systems=")) return systems.length === Number(rule.slice("systems=".length));
  if (rule.includes("#incomplete")) return found.diagnostics.some(({ message }) => message.includes("#incomplete"));
  if (rule.startsWith("direction of *_Errors"))
    return found.metricDetails.some(({ label, higherIsBetter }) => /_Errors$/.test(label) && higherIsBetter === false);
  if (rule.startsWith("agreement without"))
    return found.answers.some(({ command }) => / agreement /.test(command) && !command.includes("--item item,system"));
  return found.toString().includes(rule);
}

describe.skipIf(!present)("files that other projects published", () => {
  it(`are understood, ${FEWEST_UNDERSTOOD} of 29 at least`, async () => {
    const cases = JSON.parse(readFileSync(join(REAL, "expect.json"), "utf8")) as Expected[];
    const lines: string[] = [];
    let understood = 0;
    for (const one of cases) {
      const wrong = await judge(one);
      if (wrong.length === 0) understood += 1;
      lines.push(
        `${wrong.length === 0 ? "understood    " : "not understood"} ${one.path}${wrong.map((w) => `; ${w}`).join("")}`,
      );
    }
    say([...lines, `${understood} of ${cases.length} understood`].join("\n"));
    expect(understood).toBeGreaterThanOrEqual(FEWEST_UNDERSTOOD);
  }, 120_000);
});

async function judge(one: Expected): Promise<string[]> {
  try {
    const imported = await importFiles(readAll(join(REAL, one.path)));
    return faults(one, imported, describeImported(imported, { target: one.path, available: new Set() }));
  } catch (error) {
    return [String((error as Error).message).slice(0, 120)];
  }
}

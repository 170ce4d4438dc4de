/** Files as people keep them, each with what it means: right, asked about, refused, never wrong (README.md). */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { type Expected, judge, type Outcome } from "./judge.ts";
import { type Part, readCase, type StoredTold } from "./read-case.ts";

const here = dirname(fileURLToPath(import.meta.url));
const update = process.env["UPDATE_CORPUS"] !== undefined;
const SUFFIX = ".reading.json";
/** Of an area, in milliseconds: the largest takes 3 s of a core, and machines are shared. */
const PATIENCE = 300_000;

interface Case extends Expected {
  readonly parts: readonly Part[];
  readonly told?: StoredTold;
  readonly outcome?: Outcome;
}

const nameOf = (path: string): string => relative(here, path).slice(0, -SUFFIX.length);
const changed: string[] = [];
const counts: Record<Outcome, number> = { right: 0, asks: 0, refuses: 0, wrong: 0 };

/** A line for each field. */
const format = (own: Case): string =>
  `{\n${Object.entries(own)
    .map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    .join(",\n")}\n}\n`;

/** A new case is stored as it is read; of an old one the outcome alone changes. */
async function check(path: string): Promise<string[]> {
  const stored: Case = JSON.parse(readFileSync(path, "utf8"));
  const found = await readCase(dirname(path), stored.parts, stored.told);
  const isNew = stored.reading === undefined && stored.compare === undefined;
  const expected = isNew && update ? { ...stored, ...found } : stored;
  const { outcome, faults } = judge(expected, found);
  counts[outcome]++;
  if (stored.outcome !== undefined && outcome !== stored.outcome)
    changed.push(`${nameOf(path)}: ${stored.outcome} → ${outcome}`);
  if (update && outcome !== "wrong" && (isNew || outcome !== stored.outcome))
    writeFileSync(path, format({ ...expected, outcome }));
  if (isNew && !update) return ["has no reading yet: run with UPDATE_CORPUS=1"];
  return [...faults];
}

describe("the corpus", () => {
  const areas = readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  it.each(areas.map(({ name }) => name))(
    "%s",
    async (area) => {
      const cases = readdirSync(join(here, area)).filter((name) => name.endsWith(SUFFIX));
      const wrong: string[] = [];
      for (const name of cases) {
        const faults = await check(join(here, area, name)).catch((error: Error) => {
          counts.wrong++;
          return [`fails: ${error.message}`];
        });
        if (faults.length > 0) wrong.push(`${name.slice(0, -SUFFIX.length)}: ${faults.join("; ")}`);
      }
      expect(wrong).toEqual([]);
    },
    PATIENCE,
  );

  afterAll(() => {
    const { right, asks, refuses, wrong } = counts;
    const lines = [...changed, `corpus: ${right} right, ${asks} asks, ${refuses} refuses, ${wrong} wrong`];
    process.stdout.write(`\n${lines.join("\n")}\n`);
  });
});

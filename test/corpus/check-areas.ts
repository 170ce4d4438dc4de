/** Files as people keep them, each with what it means: right, asked about, refused, never wrong (README.md). Two test files share the areas,
 *  so that two cores do. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
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
interface Tally {
  readonly changed: string[];
  readonly counts: Record<Outcome, number>;
}

/** A line for each field. */
const format = (own: Case): string =>
  `{\n${Object.entries(own)
    .map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    .join(",\n")}\n}\n`;

/** A new case is stored as it is read; of an old one the outcome alone changes. */
async function check(path: string, { changed, counts }: Tally): Promise<string[]> {
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

/** Every second area, from `first` on. */
export function checkAreas(first: 0 | 1): void {
  const all = readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const areas = all.map(({ name }) => name).filter((_, k) => k % 2 === first);
  const tally: Tally = { changed: [], counts: { right: 0, asks: 0, refuses: 0, wrong: 0 } };
  it.each(areas)(
    "%s",
    async (area) => {
      const cases = readdirSync(join(here, area)).filter((name) => name.endsWith(SUFFIX));
      const wrong: string[] = [];
      for (const name of cases) {
        const faults = await check(join(here, area, name), tally).catch((error: Error) => {
          tally.counts.wrong++;
          return [`fails: ${error.message}`];
        });
        if (faults.length > 0) wrong.push(`${name.slice(0, -SUFFIX.length)}: ${faults.join("; ")}`);
      }
      expect(wrong).toEqual([]);
    },
    PATIENCE,
  );

  afterAll(() => {
    const { right, asks, refuses, wrong } = tally.counts;
    const half = `corpus, every second area: ${right} right, ${asks} asks, ${refuses} refuses, ${wrong} wrong`;
    const lines = [...tally.changed, half];
    process.stdout.write(`\n${lines.join("\n")}\n`);
  });
}

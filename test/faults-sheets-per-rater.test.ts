/** Sheets of one rater each, check rows and leaderboards, each test named after what went wrong. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compare, measureReliability } from "../src/index.ts";
import { checklistOf, checklistText } from "../src/report/checklist.ts";
import { gossetJson } from "./support/cli.ts";
import { lines, readText, times } from "./support/read-text.ts";

let folder = "";
const RATERS = ["anna", "ben", "cara"];
const rating = (i: number, s: number, r: number): number => 1 + ((i * 3 + s + ((i + r) % 4 === 0 ? 1 : 0)) % 5);
const cells = times(12, (i) => i).flatMap((i) => [0, 1].map((s) => ({ i, s })));

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gosset-sheets-"));
  for (const [r, name] of RATERS.entries())
    writeFileSync(
      join(folder, `${name}.csv`),
      lines(["item,system,rating", ...cells.map(({ i, s }) => `i${i},${["lynx", "orca"][s]},${rating(i, s, r)}`)]),
    );
  const long = RATERS.flatMap((name, r) =>
    cells.map(({ i, s }) => `i${i},${["lynx", "orca"][s]},${name},${rating(i, s, r)}`),
  );
  writeFileSync(join(folder, "long.csv"), lines(["item,system,rater,rating", ...long]));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a file for each rater", () => {
  const sheets = (): string[] => RATERS.map((name) => join(folder, `${name}.csv`));

  it("agreement and reliability took one file only", () => {
    const long = join(folder, "long.csv");
    const own = gossetJson("agreement", ...sheets(), "--replicates", "0") as { alpha: { value: number } };
    const whole = gossetJson("agreement", long, "--replicates", "0") as { alpha: { value: number } };
    expect(own.alpha).toEqual(whole.alpha);
    const phi = gossetJson("reliability", ...sheets(), "--intervals", "none") as { phi: number };
    const same = gossetJson("reliability", long, "--intervals", "none") as { phi: number };
    expect(phi.phi).toBeCloseTo(same.phi, 8);
  });
});

it("reliability pooled the systems that describe names as a facet", async () => {
  const rows = RATERS.flatMap((name, r) => cells.map(({ i, s }) => `i${i},${s},${name},${rating(i, s, r)}`));
  const { imported } = await readText("long.csv", lines(["item,system,rater,rating", ...rows]));
  expect(measureReliability(imported, { intervals: "none" }).facets).toEqual(["rater", "system"]);
});

it("attention checks counted as a system and as items", async () => {
  const rows = RATERS.flatMap((name, r) => cells.map(({ i, s }) => `i${i},s${s},${name},${rating(i, s, r)},no`));
  const checks = RATERS.map((name) => `chk,control,${name},5,yes`);
  const { imported } = await readText("gold.csv", lines(["item,system,rater,rating,is_gold", ...rows, ...checks]));
  expect(imported.table.rows).toBe(rows.length);
  expect(imported.assumptions.join(" ")).toContain("3 of the 75 rows are marked by is_gold");
  // who passed is no mark of an item
  const passed = await readText(
    "passed.csv",
    lines([
      "item,system,rater,rating,attention_check",
      ...rows.map((row) => row.replace(/no$/, /ben/.test(row) ? "1" : "0")),
    ]),
  );
  expect(passed.imported.table.rows).toBe(rows.length);
});

describe("what is no mark of a check", () => {
  it("right labels of 1 were left out with the rows that have them", async () => {
    const label = (i: number): number => Number(i % 3 === 0);
    const said = (i: number, miss: number): number => (i % miss === 1 ? 1 - label(i) : label(i));
    const wide = times(90, (i) => `q${i},${label(i)},${said(i, 3)},${said(i, 9)}`);
    const predictions = await readText("p.csv", lines(["id,gold,model_a,model_b", ...wide]));
    expect(predictions.imported.table.rows).toBe(90);
    expect(() => compare(predictions)).toThrow(/gold looks like the right labels/);
    const long = times(60, (i) => RATERS.map((name, r) => `q${i},${name},${label(i)},${said(i, 4 + r)}`)).flat();
    const labelled = await readText("l.csv", lines(["item,rater,gold,label", ...long]));
    expect(labelled.imported.table.rows).toBe(180);
  });

  it.each(["control", "is_control"])(
    "%s, where nobody rated, left items out that were to check raters",
    async (mark) => {
      const rows = times(80, (i) =>
        ["A", "B"].map((s) => `${s},q${i},${Number(i % 4 === 0)},${(i * 7 + s.length) % 10}`),
      );
      const { imported } = await readText("c.csv", lines([`system,item,${mark},score`, ...rows.flat()]));
      expect(imported.table.rows).toBe(160);
    },
  );
});

it("what stands behind a ± counted as a data set", async () => {
  const sets = ["sst2", "mnli", "qqp", "rte", "cola"];
  const row = (name: string, gain: number): string =>
    `| ${name} | ${sets.map((_, k) => `${70 + 3 * k + gain + k / 10} ± 0.${3 + k + gain}`).join(" | ")} |`;
  const text = lines([`| Model | ${sets.join(" | ")} |`, "|---|---|---|---|---|---|", row("base", 0), row("new", 1)]);
  const { imported } = await readText("board.md", text);
  expect(compare(imported).n).toBe(5);
});

it("the checklist said of seeds as rows that no variation between runs is in the intervals", async () => {
  const rows = times(10, (k) => `${k < 5 ? "base" : "new"},${k},${80 + (k < 5 ? 0 : 1.5) + ((k * 7) % 5) / 10}`);
  const { imported } = await readText("seeds.csv", lines(["system,seed,score", ...rows]));
  const answers = checklistText(checklistOf(compare(imported, { unpaired: true }).toJSON()));
  expect(answers).not.toContain("no variation between runs");
  expect(answers).toContain("only if each row is a training run");
});

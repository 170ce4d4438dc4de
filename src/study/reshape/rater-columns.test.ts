import { describe, expect, it } from "vitest";
import { importFiles } from "../../io/import.ts";
import { joinFiles } from "../files.ts";
import { RATER_STEMS } from "../lexicon/names.ts";
import { mergeImported } from "../merge.ts";
import { readRaterName } from "./rater-columns.ts";
import { cellText, rowsOf } from "./reshaped.ts";

const file = (name: string, text: string) => ({ name, bytes: new TextEncoder().encode(text) });
const csv = (...lines: string[]) => importFiles([file("d.csv", lines.join("\n"))]);

describe("names of columns of raters", () => {
  it.each([
    ["rater1", { rater: "1", criterion: "" }],
    ["Annotator 2", { rater: "2", criterion: "" }],
    ["annotator_anna", { rater: "anna", criterion: "" }],
    ["annotators.anna", { rater: "anna", criterion: "" }],
    ["grader1_fluency", { rater: "1", criterion: "fluency" }],
    ["fluency_rater_2", { rater: "2", criterion: "fluency" }],
  ])("%s", (name, found) => expect(readRaterName(name)).toEqual(found));

  it.each([
    "annotator_id",
    "annotator1_comment",
    "human3",
    "human_fluency",
    "expert_quality",
    "judge_score",
    "annotator_fluency",
    "rater",
    "score1",
  ])("%s is none", (name) => expect(readRaterName(name)).toBeUndefined());
});

describe("one column for each rater", () => {
  it("makes one row of each judgment, and none of a missing one", async () => {
    const { table, roles } = await csv("item,system,rater1,rater2", "q1,a,4,5", "q2,a,3,", "q1,b,1,2", "q2,b,2,2");
    expect(table.rows).toBe(7);
    expect(roles).toMatchObject({ system: "system", item: "item", rater: "rater", score: "score" });
  });

  it("takes numbers that no criterion or system names as labels, beside a gold label too", async () => {
    const { roles } = await csv("item,label,rater1,rater2", "q1,1,1,1", "q2,0,1,0", "q3,0,0,0");
    expect(roles).toMatchObject({ rater: "rater", label: "label_2", metrics: [] });
  });

  it("keeps criteria apart, and takes nothing where a rater lacks one", async () => {
    const { roles, table } = await csv(
      "id,rater1_fluency,rater1_adequacy,rater2_fluency,rater2_adequacy",
      "1,4,3,5,2",
      "2,3,3,4,4",
    );
    expect([roles.metrics, table.rows]).toEqual([["fluency", "adequacy"], 4]);
    expect((await csv("id,rater1_fluency,rater2_adequacy", "1,4,3", "2,3,3")).roles.rater).toBeUndefined();
  });
});

const ITEMS = ["q1", "q2", "q3"];
const SYSTEMS = ["x", "y"];
/** By item, system and rater: all different where they need not be equal. */
const judged = (item: number, system: number, rater: number): number => 1 + ((2 * item + system + 3 * rater) % 5);
const units = ITEMS.flatMap((item, i) => SYSTEMS.map((system, s) => ({ item, system, at: [i, s] as const })));

/** The same three raters' judgments in six layouts. */
const LAYOUTS: Record<string, (word: string) => readonly ReturnType<typeof file>[]> = {
  long: (word) => [
    file(
      "long.csv",
      [
        `item,system,${word},fluency`,
        ...units.flatMap(({ item, system, at }) =>
          [0, 1, 2].map((r) => `${item},${system},${word} ${r + 1},${judged(...at, r)}`),
        ),
      ].join("\n"),
    ),
  ],
  "a column for each rater": (word) => [
    file(
      "wide.csv",
      [
        `item,system,${["a", "b", "c"].map((key) => `fluency_${word}_${key}`)}`,
        ...units.map(({ item, system, at }) => `${item},${system},${[0, 1, 2].map((r) => judged(...at, r))}`),
      ].join("\n"),
    ),
  ],
  "numbered columns": (word) => [
    file(
      "numbered.csv",
      [
        `item,system,${[1, 2, 3].map((r) => `fluency_${word}${r}`)}`,
        ...units.map(({ item, system, at }) => `${item},${system},${[0, 1, 2].map((r) => judged(...at, r))}`),
      ].join("\n"),
    ),
  ],
  "keys of JSON": (word) => [
    file(
      "keys.json",
      JSON.stringify(
        units.map(({ item, system, at }) => ({
          item,
          system,
          fluency: Object.fromEntries([0, 1, 2].map((r) => [`${word}${r + 1}`, judged(...at, r)])),
        })),
      ),
    ),
  ],
  prefixes: (word) => [
    file(
      "prefixes.csv",
      [
        `item,system,${[1, 2, 3].map((r) => `${word}${r}_fluency`)}`,
        ...units.map(({ item, system, at }) => `${item},${system},${[0, 1, 2].map((r) => judged(...at, r))}`),
      ].join("\n"),
    ),
  ],
  "a file for each rater": (word) =>
    [0, 1, 2].map((r) =>
      file(
        `${word}${r + 1}.csv`,
        ["item,system,fluency", ...units.map(({ item, system, at }) => `${item},${system},${judged(...at, r)}`)].join(
          "\n",
        ),
      ),
    ),
};

describe("the plain words for raters read alike in six layouts", () => {
  const wanted = units
    .flatMap(({ item, system, at }) => [0, 1, 2].map((r) => `${item} ${system} ${judged(...at, r)}`))
    .sort();
  it.each(RATER_STEMS.filter((word) => word !== "ann" && word !== "annot"))("%s", async (word) => {
    for (const [layout, files] of Object.entries(LAYOUTS)) {
      const parts = await Promise.all(
        files(word).map(async (own) => ({ path: own.name, imported: await importFiles([own]) })),
      );
      const { table, roles, metrics } = mergeImported(joinFiles(parts, {}));
      const cells = [roles.item, roles.system, roles.score].map((name) => table.columns.get(name ?? ""));
      expect([layout, cells.every((own) => own !== undefined)]).toEqual([layout, true]);
      const rows = rowsOf(table).map((row) => cells.map((own) => cellText(own!, row)).join(" "));
      expect([layout, rows.sort()]).toEqual([layout, wanted]);
      const raters = new Set(rowsOf(table).map((row) => cellText(table.columns.get(roles.rater ?? "")!, row)));
      expect([layout, raters.size, metrics[0]]).toMatchObject([layout, 3, { name: "fluency", higherIsBetter: true }]);
    }
  });
});

import { describe, expect, it } from "vitest";
import type { Imported } from "../../data/imported.ts";
import { importFiles } from "../../io/import.ts";
import { type Description, describeImported } from "../describe.ts";
import type { Answer } from "./command.ts";

const read = (...rows: readonly string[]): Promise<Imported> =>
  importFiles([{ name: "d.csv", bytes: new TextEncoder().encode(rows.join("\n")) }]);
const show = async (...rows: readonly string[]): Promise<Description> =>
  describeImported(await read(...rows), { target: "d.csv" });
const commands = ({ answers }: Description): string[] => answers.map(({ command }) => command);
const asking = ({ answers }: Description, pattern: RegExp): Answer[] =>
  answers.filter(({ question }) => pattern.test(question));
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const text = (found: Description): string => found.toString().replace(/\s+/g, " ");

/** Each of 20 items is rated by `each` of the raters in turn, under both systems. */
function rated(raters: number, each: number, extra = ""): string[] {
  const rows = [`item,system,rater,rating${extra === "" ? "" : ",words"}`];
  for (let i = 0; i < 20; i += 1)
    for (const system of ["A", "B"])
      for (let k = 0; k < each; k += 1)
        rows.push(
          `i${i},${system},r${(i + k) % raters},${1 + ((i * 7 + k * 3 + (system === "B" ? i % 3 : 0)) % 5)}${extra === "" ? "" : `,${100 + i}`}`,
        );
  return rows;
}

describe("what is offered for scores by several raters", () => {
  it("are models with the terms of the comparison, and none that knows only the items", async () => {
    const all = commands(await show(...rated(5, 5, "words")));
    const terms = "(system | item) + (system | rater)";
    expect(all).toContain(`gosset fit lmm "rating ~ system + ${terms}" d.csv`);
    expect(all).toContain(`gosset fit clmm "rating ~ system + ${terms}" d.csv --factor rating`);
    expect(all).toContain(`gosset fit lmm "rating ~ system * words + ${terms}" d.csv`);
    expect(all.filter((command) => /fit lm |--cluster/.test(command))).toEqual([]);
  });

  it("says of z tests that they do not know how few raters there are", async () => {
    const found = await show(...rated(5, 5));
    expect(found.answers.find(({ command }) => / clmm /.test(command))?.note).toMatch(/only 5 raters/);
    expect(found.answers.find(({ command }) => / lmm /.test(command))?.note).toBeUndefined();
  });

  it("leaves out terms whose groups are single rows, or those of another term", async () => {
    // one rating of each text: item:system would be the residual; each rater saw one system only
    const rows = times(40, (i) => `i${i >> 1},${i % 2 ? "A" : "B"},r${i % 8},${1 + ((i * 7) % 5)}`);
    const all = commands(await show("item,system,rater,rating", ...rows));
    expect(all).toContain('gosset fit lmm "rating ~ system + (1 | item) + (1 | rater)" d.csv');
  });

  it("plans with as many ratings of a text as there are", async () => {
    const plan = async (raters: number, each: number) =>
      commands(await show(...rated(raters, each))).find((command) => /mde likert/.test(command));
    expect(await plan(9, 3)).toMatch(/--items 20 --raters 9 --ratings 3 --pilot d\.csv .* --method approx$/);
    expect(await plan(4, 4)).toMatch(/--items 20 --raters 4 --pilot d\.csv /);
  });

  it("takes no samples for independent that the same raters scored", async () => {
    const rows = times(60, (i) => `${i % 2 ? "A" : "B"},r${(i >> 1) % 6},${1 + ((i * 7) % 5)}`);
    const all = commands(await show("system,rater,rating", ...rows));
    expect(all).toContain('gosset fit lmm "rating ~ system + (system | rater)" d.csv');
    expect(all.filter((command) => /unpaired|fit lm /.test(command))).toEqual([]);
  });

  it("gives one system's mean by a model of items and raters", async () => {
    const rows = times(60, (i) => `i${i % 20},r${Math.floor(i / 20)},${1 + ((i * 7) % 5)}`);
    expect(commands(await show("item,rater,rating", ...rows))[0]).toBe(
      'gosset fit lmm "rating ~ 1 + (1 | item) + (1 | rater)" d.csv',
    );
  });
});

describe("the smallest difference", () => {
  it("takes the SD of the paired differences", async () => {
    // differences 0, 1, 0, 1, …: SD √(10·¼ / 9) = 0.527
    const rows = times(10, (i) => [`${i},A,${i}.5`, `${i},B,${i + (i % 2)}.5`]).flat();
    expect(commands(await show("item,system,score", ...rows))).toContain("gosset mde means --n 10 --sd 0.527");
  });

  it("takes the pooled SD of two samples where no item is shared", async () => {
    // 0.1 … 0.6 (variance 0.035) and 0.2, 0.4, 0.6, 0.8 (0.0667): pooled √((5·0.035 + 3·0.0667) / 8) = 0.217
    const rows = [
      ...times(6, (i) => `a${i},A,${((i + 1) / 10).toFixed(2)}`),
      ...times(4, (i) => `b${i},B,${((i + 1) / 5).toFixed(2)}`),
    ];
    expect(commands(await show("item,system,score", ...rows))).toContain(
      "gosset mde means --design two-sample --n 6 --n2 4 --sd 0.217",
    );
  });

  it.each([
    ["repeats", "item,system,run,correct", (i: number, s: string) => times(3, (k) => `${i},${s},${k},`)],
    ["clusters", "item,system,passage,correct", (i: number, s: string) => [`${i},${s},p${i % 12},`]],
  ])("is the comparison's to tell where there are %s", async (_, head, rowsOf) => {
    const rows = times(36, (i) => ["A", "B"].flatMap((s) => rowsOf(i, s))).flat();
    const found = await show(head, ...rows.map((row, j) => `${row}${(j * 5) % 3 === 0 ? 0 : 1}`));
    expect(commands(found).filter((command) => / mde /.test(command))).toEqual([]);
    expect(asking(found, /what is the minimum detectable effect/).map(({ command }) => command)).toEqual([
      "gosset compare d.csv --metric correct",
    ]);
  });

  it("of clustered answers: their mixed model has the clusters too", async () => {
    const rows = times(72, (i) => `${i >> 1},${i % 2 ? "A" : "B"},p${(i >> 1) % 12},${(i * 5) % 3 === 0 ? 0 : 1}`);
    expect(commands(await show("item,system,passage,correct", ...rows))).toContain(
      'gosset fit glmm "correct ~ system + (1 | item) + (system | passage)" d.csv --family binomial',
    );
  });
});

describe("tables without systems", () => {
  const grades = (n: number): string[] => times(n, (i) => `a${i},${i % 4},${10 + i},${((i * 37) % 100) / 100}`);

  it("are asked whether the grade is a function of the other columns", async () => {
    expect(commands(await show("answer,grade,words,overlap", ...grades(60)))).toEqual([
      "gosset validity circularity d.csv --label grade --features words,overlap",
    ]);
  });

  it("are not called too small where columns are what is missing", async () => {
    const found = text(await show("answer,grade,words,overlap", ...grades(20)));
    expect(found).toMatch(/nothing yet\. It depends on the questions below/);
    expect(found).not.toMatch(/too few/);
  });
});

describe("scores made of other columns", () => {
  it("are not asked to depend on them: weighted sums, and what follows from one column", async () => {
    const rows = times(40, (i) => {
      const [major, minor, words] = [(i * 7) % 4, (i * 5) % 3, 20 + ((i * 11) % 17)];
      return `${i},${-(5 * major + minor)},${major},${minor},${words},${major > 1 ? "bad" : "fine"}`;
    });
    const found = describeImported(await read("item,mqm,major,minor,words,grade", ...rows), { target: "d.csv" });
    const asked = commands(found).filter((command) => command.includes(" fit "));
    expect(asked.filter((command) => /major|minor/.test(command))).toEqual([]);
    expect(asked.join()).toContain("mqm ~ words");
  });
});

describe("preferences in a table", () => {
  it("without names of models: agreement, and a share to hold against one half", async () => {
    const rows = times(60, (i) => `i${i % 20},r${Math.floor(i / 20)},${(i * 7) % 3 === 0 ? "A" : "B"}`);
    expect(commands(await show("item,rater,winner", ...rows))).toEqual([
      `gosset fit lmm "winner_01 ~ 1 + (1 | item) + (1 | rater)" d.csv --mutate "winner_01 = winner == 'A'"`,
      "gosset agreement d.csv --item item --rater rater --label winner",
    ]);
  });

  const votes = times(
    60,
    (i) => `i${i % 20},r${Math.floor(i / 20)},X,Y,${["model_a", "Y", "tie"][(i * 7) % 3]},${i % 20}`,
  );

  it("with them are battles, whose votes on one prompt hang together", async () => {
    const log = await read("item,rater,model_a,model_b,winner,words", ...votes);
    expect([log.format, log.table.rows, log.items]).toEqual(["arena", 120, 20]);
    const scores = log.table.columns.get("score");
    expect(scores?.kind === "numeric" ? [...scores.values.slice(0, 6)] : []).toEqual([1, 0, 0, 1, 0.5, 0.5]);
    expect(log.table.columns.get("words")?.kind).toBe("numeric");
    const found = describeImported(log, { target: "d.csv" });
    expect(found.diagnostics).toEqual([]);
    expect(commands(found)).toContain(
      `gosset fit lmm "score ~ 1 + (1 | item) + (1 | rater)" d.csv --where "system == 'X'"`,
    );
    expect(commands(found).filter((command) => / fit /.test(command) && !command.includes("--where"))).toEqual([]);
    // X always stood on side a, and 60 votes are no 60 prompts
    expect(commands(found).filter((command) => /position|mde/.test(command))).toEqual([]);
  });

  it("are no battles where numbers stand under the models' names", async () => {
    const rows = times(20, (i) => `${i},${i / 10},${i / 20},${i % 2 ? "a" : "b"}`);
    expect((await read("item,model_a,model_b,winner", ...rows)).format).toBe("csv");
  });
});

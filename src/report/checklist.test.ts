import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { compare, fitLm, fitLmm, importFiles, type Table, table } from "../index.ts";
import { pairedTTest, partialConjunction } from "../tests.ts";
import { type ChecklistAnswer, checklistOf, checklistText } from "./checklist.ts";
import { writePaper } from "./paper.ts";
import { checklistResults, renderReport } from "./report.ts";

const sums = async () =>
  compare(
    await Promise.all(
      ["base", "tuned"].map(async (name) => {
        const bytes = new Uint8Array(readFileSync(`examples/data/sums/${name}.json`));
        return { path: `${name}.json`, imported: await importFiles([{ name: `${name}.json`, bytes }]) };
      }),
    ),
    { runKind: "trainings" },
  );

const item = (answers: readonly ChecklistAnswer[], name: string): ChecklistAnswer =>
  answers.find((own) => own.item.endsWith(name))!;

describe("answers for checklists", () => {
  let summaries: Table;
  beforeAll(async () => {
    const bytes = new Uint8Array(readFileSync("examples/data/summaries.csv"));
    summaries = (await importFiles([{ name: "s.csv", bytes }])).table;
  });

  it("say what varies in the interval, and that runs do where they do", async () => {
    const answers = checklistOf((await sums()).toJSON());
    const { answer, open } = item(answers, "item 7");
    expect(answer[0]).toContain("95 % confidence interval (t over 3 runs of each system)");
    expect(answer.join(" ")).toContain(
      "the drawing of 150 items and up to 3 runs of each system, each in a test of its own",
    );
    expect(open.join(" ")).not.toContain("no variation between runs");
    expect(item(answers, "C3").answer[0]).toContain("means over the 150 items, over up to 3 runs of each system");
  });

  it("say that runs do not vary where there is one", () => {
    const rows = Array.from({ length: 24 }, (_, i) => ({
      item: `q${i >> 1}`,
      system: i % 2 === 0 ? "base" : "tuned",
      score: ((i * 7) % 11) / 10,
    }));
    const answers = checklistOf(compare(table(rows)).toJSON());
    expect(item(answers, "item 7").open[0]).toContain("no variation between runs is in these intervals");
    expect(item(answers, "item 7").answer.join(" ")).toContain("the drawing of 12 items. The systems share the items.");
  });

  it("of models name the random effects, and Normal errors only where they are assumed", () => {
    const mixed = item(checklistOf(fitLmm("rating ~ system + (1 | article)", summaries).toJSON()), "item 7");
    expect(mixed.answer.join(" ")).toContain(
      "360 rows and 40 levels of article. Assumed: Normal errors, Normal random effects",
    );
    const robust = fitLm("rating ~ system", summaries, { cluster: "article" }).toJSON();
    expect(item(checklistOf(robust), "item 7").answer.at(-1)).toBe(
      "Assumed: clusters (article) that are independent of each other.",
    );
  });

  it("of a test leave open what its values are", () => {
    const { answer, open } = item(checklistOf(pairedTTest([1, 2, 4, 3], [2, 2, 5, 7]).toJSON()), "item 7");
    expect(answer[0]).toMatch(/^The mean difference has a 95 % confidence interval \(.*\) and a two-sided p-value/);
    expect(open[0]).toBe("What the values are: items, raters, runs, seeds or splits.");
  });

  it("of tests without an effect are none, and their report and paper stand", () => {
    const result = partialConjunction([0.01, 0.03, 0.2]).toJSON();
    expect(checklistOf(result)).toEqual([]);
    expect(renderReport([result])).toContain("<h2>Run it again</h2>");
    expect(writePaper(result)).toContain("\\begin{table}");
  });

  it("stand in the report, in what a paper takes and as text; a result without any says so", async () => {
    const result = pairedTTest([1, 2, 4, 3], [2, 2, 5, 7]).toJSON();
    expect(renderReport([result])).toContain("<h2>For a checklist</h2>");
    const comments = writePaper(result).split("% For the checklists of NeurIPS and ACL Rolling Review\n")[1]!;
    expect(
      comments
        .trim()
        .split("\n")
        .every((line) => line.startsWith("%")),
    ).toBe(true);
    expect(checklistResults([result])).toBe(`${checklistText(checklistOf(result))}\n`);
    const plan = { ...result, kind: "power" };
    expect(checklistOf(plan)).toEqual([]);
    expect(checklistResults([plan])).toBe("This result supports no item of these checklists.\n");
  });
});

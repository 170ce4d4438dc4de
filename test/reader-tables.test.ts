/** Tables that were made to be read, and reports: dressed numbers, repeated headers, shares out of counts, turned tables, matrices of labels. */
import { describe, expect, it } from "vitest";
import { importFiles, testTotals } from "../src/index.ts";
import { times } from "./support/shapes.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const csv = (...lines: readonly string[]) => importFiles([{ name: "t.csv", bytes: bytes(lines.join("\n")) }]);
const numbers = (cells: unknown): number[] => [...(cells as { values: Float64Array }).values];

describe("numbers in the dress of a table for readers", () => {
  it("are numbers where a dash stands for none, and the dash is no warning", async () => {
    const found = await csv("key,Model,MT (score),MMLU", "a,Ada,7.1,0.5", "b,Bob,-,0.6", "c,Cy,8.2,—", "d,Di,6.5,0.4");
    expect(numbers(found.table.columns.get("MT (score)"))).toEqual([7.1, Number.NaN, 8.2, 6.5]);
    expect(found.roles).toMatchObject({ system: "Model", score: "MT (score)" });
    // each system has one row: its key is no item
    expect(found.roles.item).toBeUndefined();
    expect(found.diagnostics.map(({ code }) => code)).not.toContain("NotNumeric");
    expect(found.assumptions.join(" ")).toContain("MT (score), MMLU: a dash or the like is no value.");
  });

  it("are percentages with and without the sign, but not beside 0.61", async () => {
    const both = await csv(
      "model,dataset,accuracy",
      ...times(12, (i) => `m${i % 2},d${i >> 1},${i % 3 ? 40 + i : `${50 + i}%`}`),
    );
    expect(numbers(both.table.columns.get("accuracy")).slice(0, 3)).toEqual([50, 41, 42]);
    const scales = await csv(
      "model,dataset,accuracy",
      ...times(12, (i) => `m${i % 2},d${i >> 1},${i % 3 ? 0.4 : `${50 + i}%`}`),
    );
    expect(scales.table.columns.get("accuracy")?.kind).toBe("factor");
  });

  it("have what follows ± beside them, which is no score and no error of known kind", async () => {
    const found = await csv(
      "Model,Accuracy,F1",
      "Ada,85.2 ± 0.4,84.1±0.5",
      "Bob,87.9 ± 0.3,87.0±0.4",
      "Cy,87.0 +/- 0.6,86.2±0.6",
    );
    expect(numbers(found.table.columns.get("Accuracy"))).toEqual([85.2, 87.9, 87]);
    expect(numbers(found.table.columns.get("Accuracy_pm"))).toEqual([0.4, 0.3, 0.6]);
    expect(found.metrics.map(({ name }) => name)).toEqual(["Accuracy", "F1"]);
    expect(() => testTotals(found)).toThrow(/nothing that says how far chance goes/);
  });

  it("have their limits beside them", async () => {
    const found = await csv("model,accuracy", "a,85.2 [84.1; 86.0]", "b,80.0 (78.5-81.9)", "c,70.1 [68 to 72]");
    expect(numbers(found.table.columns.get("accuracy_upper"))).toEqual([86, 81.9, 72]);
    expect(testTotals(found).spread.kind).toBe("interval");
  });

  it("stay names where nothing explains why the file wrote them as texts", async () => {
    const found = await csv("code,score", "007,1", "008,2", "009,3");
    expect(found.table.columns.get("code")?.kind).toBe("factor");
  });

  it("are read through headers that a program wrote again and again", async () => {
    const found = await csv("Model,Gender,F1", "a,f,0.5", "Model,Gender,F1", "b,f,0.7", "Model,Gender,F1", "a,m,0.6");
    expect([found.table.rows, found.summary]).toEqual([3, "A table of 5 rows and 3 columns, read as 3 rows."]);
    expect(numbers(found.table.columns.get("F1"))).toEqual([0.5, 0.7, 0.6]);
    expect(found.assumptions.join(" ")).toContain("2 rows of the file repeat the header and are left out.");
    const headings = await csv(
      "dataset,version,mode,x-7b,y-7b",
      "== exams ==,-,-,-,-",
      "d1,-,gen,41.5,40.1",
      "d2,-,gen,35.5,30.2",
      "d3,-,gen,61,70",
    );
    expect(headings.table.rows).toBe(3);
    expect(headings.assumptions.join(" ")).toContain("1 row of the file holds a heading among dashes and is left out.");
  });

  it("stand behind the words of a scale, and abstentions are missing", async () => {
    const words = ["Strongly disagree (1)", "Disagree (2)", "Neutral (3)", "Agree (4)", "Strongly agree (5)"];
    const found = await csv(
      "rater,system,item,Q1,done",
      ...times(
        30,
        (i) => `r${i % 3},s${i % 2},${i},${words[i % 5]},${i === 3 ? "Unsure" : i % 2 ? "Successful" : "Unsuccessful"}`,
      ),
    );
    expect(numbers(found.table.columns.get("Q1")).slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
    expect((found.table.columns.get("done") as { codes: Int32Array }).codes[3]).toBe(-1);
    expect(found.assumptions.join(" ")).toContain('done: "Unsure" is no verdict (1 of 30 rows, read as missing).');
  });
});

describe("counts of a total", () => {
  it("are shares: 50 of 100, not 50 of something", async () => {
    const found = await csv("model,n_correct,n_samples", "a,80,164", "b,120,164", "c,40,164");
    expect(found.roles.score).toBe("n_correct_share");
    const { systems, spread } = testTotals(found);
    expect(spread.kind).toBe("counts");
    expect(systems[0]).toMatchObject({ name: "b", n: 164 });
    expect(systems[0]!.score).toBeCloseTo(120 / 164, 12);
  });

  it("are never read as percent, whatever --metric names", async () => {
    const same = await csv("model,correct,total", "a,80,164", "b,90,164");
    // 80 of 164 has the standard error of 0.488, not of 0.8
    expect(testTotals(same, { metric: "correct" }).systems.map(({ se }) => se)[1]).toBeCloseTo(
      164 * Math.sqrt(((80 / 164) * (84 / 164)) / 164),
      10,
    );
    const other = await csv("model,correct,total", "a,80,164", "b,90,200");
    expect(() => testTotals(other, { metric: "correct" })).toThrow();
  });

  it("of wins, ties and losses are a share with its error, and no labels of raters", async () => {
    const found = await csv("model,win,tie,lose,total", "a,50,20,30,100", "b,20,40,40,100", "c,10,0,90,100");
    expect(found.roles.score).toBe("win_share");
    expect(numbers(found.table.columns.get("win_share"))).toEqual([0.6, 0.4, 0.1]);
    // variance of fifty 1, twenty 0.5 and thirty 0
    expect(numbers(found.table.columns.get("win_share_stderr"))[0]).toBeCloseTo(
      Math.sqrt((0.5 + 0.05 - 0.36) / 100),
      12,
    );
    expect(found.table.rows).toBe(3);
    const short = await csv("model,win,tie,lose,total", "a,50,20,20,100", "b,20,40,40,100");
    expect(short.table.columns.has("win_share")).toBe(false);
  });

  it("have the number of items beside them under the same heading", async () => {
    const found = await importFiles([
      {
        name: "b.json",
        bytes: bytes(
          JSON.stringify(
            times(4, (i) => ({
              model: `m${i}`,
              overall: { total_questions: 200, correct: 100 + 9 * i, accuracy: 50 + 4.5 * i },
            })),
          ),
        ),
      },
    ]);
    expect(found.roles.score).toBe("overall.accuracy");
    expect(testTotals(found).spread).toMatchObject({
      kind: "counts",
      columns: ["overall.correct", "overall.total_questions"],
    });
  });
});

describe("a table whose header is data", () => {
  it("has measures in its rows and is turned", async () => {
    const found = await csv("metric,gpt-4,claude-3", "BLEU,30.1,29.5", "ROUGE-L,0.41,0.40", "latency_s,2.1,1.7");
    expect(found).toMatchObject({
      systems: ["claude-3", "gpt-4"],
      items: 0,
      roles: { system: "system", score: "BLEU", wide: [] },
    });
    const unnamed = await csv(",Ada,Bob,Cy", "Accuracy,.81,.79,.75", "Precision,.8,.77,.7", "F1,.79,.78,.71");
    expect(unnamed).toMatchObject({ systems: ["Ada", "Bob", "Cy"], roles: { score: "Accuracy" } });
  });

  it("is a confusion matrix, whose rows are no systems", async () => {
    const found = await csv(",neg,neu,pos", "neg,39,9,1", "neu,13,24,7", "pos,4,20,28");
    expect(found).toMatchObject({ roles: { label: "true_label", prediction: "predicted_label" } });
    expect([found.table.rows, found.systems]).toEqual([145, []]);
    const right = found.table.columns.get("true_label") as { codes: Int32Array; levels: readonly string[] };
    expect(right.codes.filter((code) => right.levels[code] === "neg").length).toBe(49);
  });
});

describe("a report by class", () => {
  const lines = [
    ",precision,recall,f1-score,support",
    "neg,.9,.8,.85,100",
    "pos,.82,.91,.86,102",
    "macro avg,.86,.855,.855,202",
    "weighted avg,.86,.855,.855,202",
  ];

  it("has no items, systems or scores, and says what it is", async () => {
    const found = await csv(...lines);
    expect(found).toMatchObject({ items: 0, systems: [], metrics: [] });
    expect(found.diagnostics.find(({ code }) => code === "NoScoreFound")?.message).toContain("a report by class");
    const files = await importFiles(
      ["svm", "nb"].map((name) => ({ name: `r/${name}.csv`, bytes: bytes(lines.join("\n")) })),
    );
    expect([files.items, files.metrics]).toEqual([0, []]);
  });

  it("of several systems has classes for parts of the data, not for items", async () => {
    const found = await csv(
      "model,class,precision,recall,f1,support",
      ...times(12, (i) => `m${i % 3},c${Math.floor(i / 3)},.${5 + (i % 4)},.6,.${55 + i},${20 + i}`),
    );
    expect(found.roles).toMatchObject({ system: "model", task: "class" });
    expect(found.items).toBe(0);
  });
});

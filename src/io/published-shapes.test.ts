/** Shapes that public projects publish: records within cells, files of failures, shares, outcomes and costs. */
import { describe, expect, it } from "vitest";
import { means, times } from "../../test/support/shapes.ts";
import { importFiles } from "./import.ts";

describe("records within a cell", () => {
  const read = (name: string, rows: readonly unknown[]) =>
    importFiles([{ name, bytes: new TextEncoder().encode(rows.map((row) => JSON.stringify(row)).join("\n")) }]);

  it("are rows: judgements of unnamed raters in two groups", async () => {
    const rate = (k: number) => ({ coherence: 1 + (k % 5), relevance: 1 + ((k * 3) % 5), fluency: 1 + ((k * 2) % 4) });
    const found = await read(
      "s.jsonl",
      times(12, (i) => ({
        id: `d${i >> 1}`,
        model_id: i % 2 === 0 ? "M0" : "M1",
        expert_annotations: times(3, (k) => rate(i + k)),
        turker_annotations: times(2, (k) => rate(i * k)),
      })),
    );
    expect(found.table.rows).toBe(60);
    expect(found).toMatchObject({ systems: ["M0", "M1"], items: 6, unnamedRaters: true, roles: { rater: "rater" } });
    expect(found.metrics.map(({ name }) => name)).toEqual(["coherence", "relevance", "fluency"]);
    const raters = found.table.columns.get("rater") as { levels: readonly string[] };
    expect(raters.levels).toEqual(["expert 1", "expert 2", "expert 3", "turker 1", "turker 2"]);
  });

  it("are rows: systems under their names, and answers of named raters two levels down", async () => {
    const systems = await importFiles([
      {
        name: "r.json",
        bytes: new TextEncoder().encode(
          JSON.stringify(
            Object.fromEntries(
              times(9, (d) => [
                `k${d}`,
                {
                  doc_id: `k${d}`,
                  system_summaries: Object.fromEntries(
                    ["a", "b", "c"].map((s, k) => [s, { text: "t", scores: { rouge_1: ((d + k) % 7) / 7 } }]),
                  ),
                },
              ]),
            ),
          ),
        ),
      },
    ]);
    expect(systems).toMatchObject({ systems: ["a", "b", "c"], items: 9, roles: { system: "system", item: "doc_id" } });
    const answers = await read(
      "q.jsonl",
      times(10, (i) => ({
        article: `text ${i}`,
        summary_sentences: times(2, (j) => ({
          sentence: `s ${i} ${j}`,
          responses: times(3, (k) => ({
            worker_id: `w${(i + k) % 5}`,
            response: (i + j + k) % 3 === 0 ? "no" : "yes",
          })),
        })),
      })),
    );
    expect(answers.table.rows).toBe(60);
    expect(answers).toMatchObject({ items: 20, roles: { rater: "worker_id", score: "response" } });
  });

  it("stay as they are where the row has its score, or where they are messages and steps", async () => {
    const found = await read(
      "t.jsonl",
      times(8, (i) => ({
        task_id: i,
        score: i % 2,
        tests: [
          { name: "a", passed: true },
          { name: "b", passed: i % 2 === 0 },
        ],
        messages: [{ role: "user", tokens: 3 }],
      })),
    );
    expect([found.table.rows, found.roles.score]).toEqual([8, "score"]);
    const steps = await read(
      "p.jsonl",
      times(8, (i) => ({
        problem_id: i >> 1,
        sample_id: i % 2,
        step_scores: [0.1 * i, 0.5],
        final_correct: i % 3 === 0,
      })),
    );
    expect([steps.table.rows, steps.roles.score, steps.roles.item, steps.roles.repeat]).toEqual([
      8,
      "final_correct",
      "problem_id",
      "sample_id",
    ]);
  });
});

describe("what public files taught", () => {
  const csv = (text: string) => importFiles([{ name: "d.csv", bytes: new TextEncoder().encode(text) }]);

  it("only failed cases are listed: the others passed, and pairs are complete", async () => {
    const lines = (model: string, failed: readonly number[]) =>
      [
        { accuracy: 1 - failed.length / 20, correct_count: 20 - failed.length, total_count: 20 },
        ...failed.map((i) => ({ id: `simple_${i}`, model_name: model, valid: false, error: ["e"] })),
      ]
        .map((row) => JSON.stringify(row))
        .join("\n");
    const file = (model: string, failed: readonly number[]) => ({
      name: `${model}/simple_score.json`,
      bytes: new TextEncoder().encode(lines(model, failed)),
    });
    const found = await importFiles([file("a", [1, 2, 3, 7]), file("b", [2, 9])]);
    expect(found).toMatchObject({ systems: ["a", "b"], items: 20, roles: { score: "valid" } });
    expect(means(found)).toEqual({ a: 0.8, b: 0.9 });
    expect(found.assumptions.join(" ")).toContain("the 16 of 20 that are not listed passed");
  });

  it("shares of labels are no raters, and an empty list is nobody's answer", async () => {
    const shares = await csv(
      [
        "uid,label_dist,old_labels",
        ...times(
          12,
          (i) =>
            `${i},"[${[0.2 + i / 100, 0.8 - i / 100].map((v) => v.toFixed(2)).join(", ")}]","[""e"", ""n"", ""${i % 2 === 0 ? "n" : "e"}""]"`,
        ),
      ].join("\n"),
    );
    expect(shares.roles.score).toBe("old_labels");
    const empty = await csv(
      ["id,ratings", ...times(10, (i) => (i % 5 === 0 ? `${i},[]` : `${i},"[1, ${1 + (i % 4)}, 3]"`))].join("\n"),
    );
    expect([empty.table.rows, empty.assumptions.join(" ").includes("2 of 10 rows have an empty list")]).toEqual([
      24,
      true,
    ]);
  });

  it("outcomes are no systems, costs no main score, measures no systems, and arrows tell the direction", async () => {
    const outcomes = await csv(
      [
        "task_id,completion_id,result,passed",
        ...times(
          60,
          (i) =>
            `t${i % 10},${Math.floor(i / 10)},${["passed", "failed", "timed out"][(i * 7 + (i >> 2)) % 3]},${(i * 7 + (i >> 2)) % 3 === 0}`,
        ),
      ].join("\n"),
    );
    expect([outcomes.roles.system, outcomes.roles.repeat]).toEqual([undefined, "completion_id"]);
    const board = await csv(
      [
        "Model,Average ⬆️,IFEval,CO₂ cost (kg)",
        ...times(8, (i) => `m${i},${30 + ((i * 7) % 11)},${20 + i},${0.5 + i / 10}`),
      ].join("\n"),
    );
    expect(board.metrics[0]).toMatchObject({ name: "Average ⬆️", higherIsBetter: true });
    const dict = await csv(
      ["shots,score_dict.exact_match,score_dict.bleu", ...times(6, (i) => `${i},${i / 9},${i / 7}`)].join("\n"),
    );
    expect(dict.roles.wide).toEqual([]);
    const sheet = await csv(
      [
        "ResponseId,Q1_A,Q1_B,Duration (in seconds)",
        ...times(9, (i) => `R${i},${1 + (i % 5)},${1 + (i % 4)},${100 + 7 * i}`),
      ].join("\n"),
    );
    expect([sheet.roles.score, sheet.roles.wide]).toEqual([undefined, []]);
  });
});

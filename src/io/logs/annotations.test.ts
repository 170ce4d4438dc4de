import { describe, expect, it } from "vitest";
import type { Imported } from "../../data/imported.ts";
import type { FactorColumn, NumericColumn } from "../../data/table.ts";
import { importFiles } from "../import.ts";

const read = (value: unknown, name = "x.json"): Promise<Imported> =>
  importFiles([{ name, bytes: new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value)) }]);
const lines = (records: readonly object[]): string => records.map((record) => JSON.stringify(record)).join("\n");
const numbers = (imported: Imported, name: string): number[] => [
  ...(imported.table.columns.get(name) as NumericColumn).values,
];
const texts = (imported: Imported, name: string): (string | null)[] => {
  const { codes, levels } = imported.table.columns.get(name) as FactorColumn;
  return Array.from(codes, (code) => levels[code] ?? null);
};
const codes = (imported: Imported): string[] => imported.diagnostics.map((diagnostic) => diagnostic.code);

describe("Label Studio", () => {
  const answer = (name: string, type: string, value: object): object => ({
    from_name: name,
    to_name: "t",
    type,
    value,
  });
  const annotation = (by: unknown, result: readonly object[], change: object = {}): object => ({
    id: 1,
    completed_by: by,
    was_cancelled: false,
    ground_truth: false,
    lead_time: 3,
    result,
    ...change,
  });

  it("gives one row per task and annotator, a column per question", async () => {
    const log = await read([
      {
        id: 11,
        data: { text: "long ".repeat(50), model: "A" },
        annotations: [
          annotation(1, [
            answer("fluency", "rating", { rating: 4 }),
            answer("kind", "choices", { choices: ["b", "a"] }),
          ]),
          annotation({ id: 2, email: "x@y" }, [answer("fluency", "number", { number: 2 })]),
          annotation(3, [], { was_cancelled: true }),
        ],
        predictions: [{ model_version: "v", result: [] }],
      },
      {
        id: 12,
        data: { text: "t", model: "B" },
        annotations: [
          annotation(1, [answer("best", "pairwise", { selected: "left" }), answer("why", "textarea", { text: ["x"] })]),
        ],
      },
      { id: 13, data: { text: "t", model: "B" }, annotations: [] },
    ]);
    expect(log.format).toBe("label-studio");
    expect(log.systems).toEqual(["A", "B"]);
    expect(texts(log, "rater")).toEqual(["1", "x@y", "1"]);
    expect(numbers(log, "fluency")).toEqual([4, 2, Number.NaN]);
    expect(texts(log, "kind")).toEqual(["a+b", null, null]);
    expect(log.roles).toMatchObject({ item: "item", rater: "rater", score: "fluency", label: "kind" });
    expect(codes(log)).toEqual(expect.arrayContaining(["Cancelled", "Predictions", "OtherResults", "NotAnnotated"]));
  });

  it("reads the flat export as a table", async () => {
    const log = await read([
      { id: 1, annotator: 7, annotation_id: 1, lead_time: 2.5, rating: 4 },
      { id: 1, annotator: 8, annotation_id: 2, lead_time: 3.5, rating: 3 },
      { id: 2, annotator: 7, annotation_id: 3, lead_time: 1.5, rating: 5 },
    ]);
    expect(log.format).toBe("label-studio");
    expect(log.roles).toMatchObject({ item: "id", rater: "annotator", score: "rating" });
  });
});

describe("Prodigy", () => {
  it("counts accept as 1, reject as 0 and ignore as no answer", async () => {
    const task = (input: number, by: string, answer: string): object => ({
      text: "t",
      _input_hash: input,
      _task_hash: input,
      _annotator_id: by,
      answer,
      meta: { source: "web" },
    });
    const log = await read(lines([task(1, "a", "accept"), task(1, "b", "reject"), task(2, "a", "ignore")]), "p.jsonl");
    expect(log.format).toBe("prodigy");
    expect(numbers(log, "accepted")).toEqual([1, 0, Number.NaN]);
    expect([log.items, log.roles.rater]).toEqual([2, "rater"]);
    expect(codes(log)).toEqual(["Ignored"]);
  });

  it("keeps choices as labels, and as ratings where they are numbers", async () => {
    const task = (input: number, accept: readonly string[]): object => ({
      _input_hash: input,
      _task_hash: input,
      _session_id: "s",
      accept,
      answer: "accept",
    });
    const words = await read(lines([task(1, ["b", "a"]), task(2, [])]), "p.jsonl");
    expect(texts(words, "choice")).toEqual(["a+b", "none"]);
    expect(words.roles.label).toBe("choice");
    const steps = await read(lines([task(1, ["5"]), task(2, ["3"])]), "p.jsonl");
    expect(numbers(steps, "rating")).toEqual([5, 3]);
  });
});

describe("arena battles", () => {
  it("gives each battle two rows that sum to one", async () => {
    const battle = (a: string, b: string, winner: string, change: object = {}): object => ({
      question_id: `q${a}${b}`,
      model_a: a,
      model_b: b,
      winner,
      judge: "u1",
      language: "English",
      turn: 1,
      ...change,
    });
    const log = await read([
      battle("x", "y", "model_a", {
        conv_metadata: { sum_assistant_a_tokens: 5, bold_count_a: { "**": 2 }, bold_count_b: { "**": 1 } },
      }),
      battle("y", "z", "tie (bothbad)"),
      battle("x", "z", "model_b", { dedup_tag: { sampled: false } }),
      battle("x", "x", "model_a"),
      battle("x", "y", "nobody"),
    ]);
    expect(log.format).toBe("arena");
    expect(log.systems).toEqual(["x", "y", "z"]);
    expect(numbers(log, "score")).toEqual([1, 0, 0.5, 0.5, 0, 1]);
    expect(texts(log, "position")).toEqual(["a", "b", "a", "b", "a", "b"]);
    expect(numbers(log, "bold_count").slice(0, 2)).toEqual([2, 1]);
    expect(log.roles).toMatchObject({ system: "system", opponent: "opponent", cluster: "battle", rater: "rater" });
    expect(codes(log)).toEqual(expect.arrayContaining(["NoWinner", "SameModel", "Duplicates"]));
  });
});

describe("sacreBLEU output", () => {
  it("reads one system and several, with the signature as it is", async () => {
    const one = await read({ name: "BLEU", score: 26.5, signature: "nrefs:1|case:mixed", nrefs: "1" }, "kit.json");
    expect(numbers(one, "score")).toEqual([26.5]);
    expect(one.assumptions).toEqual(["The signature of the scores is BLEU nrefs:1|case:mixed."]);
    const many = await read([
      { system: "A", BLEU: { score: 20, p_value: null }, chrF: { score: 50 } },
      { system: "B", BLEU: { score: 21, p_value: 0.01 } },
    ]);
    expect(many.format).toBe("sacrebleu");
    expect(many.systems).toEqual(["A", "B"]);
    expect(numbers(many, "score")).toEqual([20, 50, 21]);
    expect(codes(many)).toEqual(["TotalsOnly"]);
  });
});

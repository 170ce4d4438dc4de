import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import type { InputFile } from "../data/imported.ts";
import { StatError } from "../result/error.ts";
import { detectFormat } from "./detect.ts";

const file = (name: string, text: string): InputFile => ({ name, bytes: new TextEncoder().encode(text) });
const formatOf = (text: string, name = "file.dat"): string => detectFormat([file(name, text)]);
const json = JSON.stringify;

describe("detection by content", () => {
  it("knows tables, whatever their name", () => {
    expect(formatOf("a,b\n1,2\n3,4\n", "x.json")).toBe("csv");
    expect(formatOf("a\tb\n1\t2\n", "x.csv")).toBe("tsv");
    expect(formatOf("a;b\n1,5;2\n")).toBe("csv");
    expect(formatOf('"a, b","c"\n"x ""y"" z",2\n')).toBe("csv");
    expect(formatOf(",score\n1,0.5\n2,0.25\n")).toBe("csv");
    expect(formatOf("score\n0.5\n0.25\n")).toBe("csv");
    expect(formatOf('[{"a":1},{"a":2}]', "x.csv")).toBe("json");
    expect(formatOf('{"a":1}\n{"a":2}\n', "x.csv")).toBe("jsonl");
    expect(formatOf('{"a":[1,2],"b":[3,4]}')).toBe("json");
    expect(formatOf("PAR1????????PAR1")).toBe("parquet");
  });

  it("does not take prose for a table or for JSON", () => {
    expect(formatOf("Hello, world.\nThis is a line, with, many commas.\nNone here.\n")).toBe("text");
    expect(formatOf("[Music] Good evening.\nThank you.\n")).toBe("text");
    expect(formatOf("Yes, we can.\nNo, we cannot.\n")).toBe("text");
    expect(formatOf("0.5\n0.25\n")).toBe("text");
  });

  it("knows JSON that Python wrote with NaN, and UTF-16", () => {
    expect(formatOf('[{"model_a":"x","model_b":"y","winner":"tie","score":NaN}]')).toBe("arena");
    const utf16 = Uint8Array.from([0xff, 0xfe, ...[..."a,b\n1,2\n"].flatMap((letter) => [letter.charCodeAt(0), 0])]);
    expect(detectFormat([{ name: "x", bytes: utf16 }])).toBe("csv");
  });

  it("knows each tool by the shape of its records", () => {
    expect(formatOf(json({ status: "success", eval: { task: "t" } }))).toBe("inspect");
    expect(formatOf(json({ results: { t: { "acc,none": 1 } }, "n-shot": {} }))).toBe("lm-eval");
    expect(formatOf(json({ doc_id: 0, resps: [] }))).toBe("lm-eval");
    expect(formatOf(`${json({ doc_id: 0, doc_hash: "h", metrics: [] })}\n{"doc_`)).toBe("lm-eval");
    expect(formatOf(json({ evalId: "e", results: { version: 3, results: [] } }))).toBe("promptfoo");
    expect(formatOf(json([{ instance_id: "1", train_trial_index: 0, stats: [] }]))).toBe("helm");
    expect(formatOf(json({ schema_version: "0.3", evaluation_results: [] }))).toBe("every-eval-ever");
    expect(formatOf(`${json({ spec: { eval_name: "e" } })}\n${json({ type: "x" })}`)).toBe("openai-evals");
    expect(formatOf(json({ run_id: "r", event_id: 1, type: "match", data: {} }))).toBe("openai-evals");
    expect(formatOf("system\tseg_id\trater\tcategory\tseverity\nA\t1\tr\tOther\tMinor\n")).toBe("wmt-mqm");
    expect(formatOf("UserID,SystemID,SegmentID,Score\nu,s,1,50\n")).toBe("wmt-da");
    expect(formatOf(json([{ id: 1, data: {}, annotations: [] }]))).toBe("label-studio");
    expect(formatOf(json({ text: "t", _task_hash: 1, answer: "accept" }))).toBe("prodigy");
    expect(formatOf(json([{ model_a: "x", model_b: "y", winner: "tie" }]))).toBe("arena");
    expect(formatOf(json({ name: "BLEU", score: 1, signature: "s" }))).toBe("sacrebleu");
    expect(detectFormat([{ name: "x.zip", bytes: zipSync({ "header.json": new Uint8Array(2) }) }])).toBe("inspect");
  });

  it("ignores prose beside logs and refuses two kinds of log", () => {
    expect(detectFormat([file("README.md", "About this run.\nMore.\n"), file("a.csv", "a,b\n1,2\n")])).toBe("csv");
    expect(() => detectFormat([file("a.csv", "a,b\n1,2\n"), file("b.jsonl", '{"a":1}\n{"a":2}\n')])).toThrow(
      /2 formats: csv \(a\.csv\); jsonl \(b\.jsonl\)/,
    );
    expect(() => detectFormat([])).toThrow(StatError);
    expect(() => detectFormat([file("empty", "\n")])).toThrow(/no known format/);
  });

  it("reports broken JSON with its place", () => {
    expect(() => formatOf('{"a": [1, 2', "log.json")).toThrow(/log\.json.*line 1/);
  });
});

import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import type { Imported, InputFile } from "../../data/imported.ts";
import type { NumericColumn } from "../../data/table.ts";
import { importFiles } from "../import.ts";
import { crc32 } from "../packed/zip.ts";

const encode = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const numbers = (imported: Imported, name: string): number[] => [
  ...(imported.table.columns.get(name) as NumericColumn).values,
];
const codes = (imported: Imported): string[] => imported.diagnostics.map((diagnostic) => diagnostic.code);

interface Sample {
  readonly id: number | string;
  readonly epoch: number;
  readonly scores?: object | null;
  readonly [key: string]: unknown;
}

const value = (score: unknown): object => ({ match: { value: score, answer: "x" } });

function header(
  change: { model?: string; task?: string; created?: string; accuracy?: number; args?: object; status?: string } = {},
): object {
  return {
    version: 2,
    status: change.status ?? "success",
    eval: {
      task: change.task ?? "arith",
      model: change.model ?? "org/model",
      created: change.created ?? "2025-01-01T00:00:00+00:00",
      task_args: change.args ?? {},
      dataset: { name: "arith", samples: 100 },
      config: { epochs: 2 },
    },
    plan: { name: "plan", steps: [] },
    ...(change.accuracy === undefined
      ? {}
      : {
          results: {
            total_samples: 4,
            scores: [
              { name: "match", scorer: "match", metrics: { accuracy: { name: "accuracy", value: change.accuracy } } },
            ],
          },
        }),
  };
}

const SAMPLES: Sample[] = [
  { id: 1, epoch: 1, input: "1+1", scores: value("C"), metadata: { subject: "add", size: 1 } },
  { id: 1, epoch: 2, input: "1+1", scores: value("I"), metadata: { subject: "add", size: 1 } },
  { id: "b", epoch: 1, input: "2*2", scores: value("P"), metadata: { subject: "mul", size: 2 } },
  { id: "b", epoch: 2, input: "2*2", scores: value("N"), metadata: { subject: "mul", size: 2 } },
];

const jsonLog = (name: string, head: object, samples: readonly Sample[]): InputFile => ({
  name,
  bytes: encode({ ...head, samples }),
});
const evalLog = (name: string, entries: Record<string, unknown>): InputFile => ({
  name,
  bytes: zipSync(Object.fromEntries(Object.entries(entries).map(([key, part]) => [key, encode(part)]))),
});

describe("Inspect logs", () => {
  it("reads a .json log: letters, epochs, metadata, and the header's accuracy", async () => {
    // mean over items of the mean over epochs: ((1 + 0)/2 + (0.5 + 0)/2) / 2
    const log = await importFiles([jsonLog("log.json", header({ accuracy: 0.375 }), SAMPLES)]);
    expect(log.format).toBe("inspect");
    expect(log.systems).toEqual(["org/model"]);
    expect([log.items, log.repeats, log.table.rows]).toEqual([2, 2, 4]);
    expect(numbers(log, "match")).toEqual([1, 0, 0.5, 0]);
    expect(numbers(log, "epoch")).toEqual([1, 2, 1, 2]);
    expect(log.roles).toMatchObject({
      system: "system",
      item: "item",
      score: "match",
      repeat: "epoch",
      cluster: "subject",
    });
    expect(log.roles.covariates).toEqual(["size"]);
    expect(log.metrics).toEqual([{ name: "match", label: "match", higherIsBetter: true }]);
    expect(log.diagnostics).toEqual([]);
    expect(log.assumptions.join(" ")).toMatch(/C = 1, P = 0.5, I = 0, N = 0/);
  });

  it("gives the same table from an .eval archive, from summaries, journal or samples", async () => {
    const plain = SAMPLES.map(({ metadata: _, ...sample }) => sample);
    const whole = await importFiles([jsonLog("log.json", header({ accuracy: 0.375 }), plain as Sample[])]);
    const asEntries = Object.fromEntries(
      plain.map((sample) => [`samples/${sample.id}_epoch_${sample.epoch}.json`, sample]),
    );
    const chunked = Object.fromEntries(
      plain.map((sample) => [`samples/${sample.id}_epoch_${sample.epoch}/sample.json`, sample]),
    );
    const head = header({ accuracy: 0.375 });
    for (const entries of [
      { "header.json": head, "summaries.json": plain },
      {
        "header.json": head,
        "_journal/summaries/1.json": plain.slice(0, 3),
        "_journal/summaries/2.json": plain.slice(3),
      },
      { "header.json": head, ...asEntries },
      { "header.json": head, ...chunked },
      { "header.json": head, "summaries.json": plain.slice(0, 1), ...asEntries },
    ]) {
      const log = await importFiles([evalLog("log.eval", entries)]);
      expect(log.diagnostics).toEqual([]);
      expect(log.table).toEqual(whole.table);
    }
  });

  it("opens the samples for metadata that summaries lack", async () => {
    const plain = SAMPLES.map(({ metadata: _, ...sample }) => sample);
    const entries = Object.fromEntries(
      SAMPLES.map((sample) => [`samples/${sample.id}_epoch_${sample.epoch}.json`, sample]),
    );
    const log = await importFiles([
      evalLog("log.eval", { "header.json": header(), "summaries.json": plain, ...entries }),
    ]);
    expect(numbers(log, "size")).toEqual([1, 1, 2, 2]);
  });

  it("takes a scorer called __proto__ for a scorer", async () => {
    const samples = [1, 0].map((value, i) => ({ sample_id: String(i + 1), value }));
    const reductions = ["__proto__", "acc"].map((scorer) => ({ scorer, samples }));
    const bytes = encode({ eval: { model: "m", task: "t" }, status: "success", reductions });
    const log = await importFiles([{ name: "r.json", bytes }]);
    expect(log.metrics.map((metric) => metric.label)).toEqual(["__proto__", "acc"]);
    expect(numbers(log, log.metrics[0]!.name)).toEqual([1, 0]);
  });

  it("reads a zstd entry (method 93)", async () => {
    const text = encode(SAMPLES);
    const size = text.length;
    const frame = [0x28, 0xb5, 0x2f, 0xfd, 0xa0, size & 255, size >> 8, 0, 0];
    const block = (size << 3) | 1;
    frame.push(block & 255, (block >> 8) & 255, block >> 16, ...text);
    const zip = zipSync({ "summaries.json": Uint8Array.from(frame), "header.json": encode(header()) }, { level: 0 });
    const log = await importFiles([{ name: "z.eval", bytes: markZstd(zip, "summaries.json", text) }]);
    expect(numbers(log, "match")).toEqual([1, 0, 0.5, 0]);
  });

  it("turns numbers, booleans, lists and dictionaries into metrics", async () => {
    const scores = {
      judge: { value: { style: 4, "on topic": true } },
      pair: { value: [0.25, 1] },
      flag: { value: false },
      word: { value: "yes" },
    };
    const log = await importFiles([jsonLog("l.json", header(), [{ id: 1, epoch: 1, scores }])]);
    expect(log.metrics.map((metric) => metric.name)).toEqual([
      "judge.style",
      "judge.on_topic",
      "pair.1",
      "pair.2",
      "flag",
      "word",
    ]);
    expect(log.metrics.map((metric) => numbers(log, metric.name)[0])).toEqual([4, 1, 0.25, 1, 0, 1]);
  });

  it("counts what has no score and never takes it for a pass or a fail", async () => {
    const log = await importFiles([
      jsonLog("l.json", { ...header(), eval: { task: "t", model: "m", scorers: [{ name: "match" }] } }, [
        { id: 1, epoch: 1, scores: value("C") },
        { id: 2, epoch: 1, scores: {}, error: { message: "boom" } },
        { id: 3, epoch: 1, scores: value(null) },
        { id: 4, epoch: 1, scores: value("maybe") },
      ]),
    ]);
    expect(numbers(log, "match")).toEqual([1, Number.NaN, Number.NaN, Number.NaN]);
    const texts = log.diagnostics.map((diagnostic) => diagnostic.message);
    expect(texts[0]).toMatch(/^1 sample ended in an error \(t, sample 2\)/);
    expect(texts[1]).toMatch(/^2 samples have no score/);
    expect(texts[2]).toMatch(/"maybe"/);
  });

  it("says when the run did not finish, samples are missing, or the header disagrees", async () => {
    const log = await importFiles([jsonLog("l.json", header({ status: "error", accuracy: 0.9 }), SAMPLES.slice(0, 3))]);
    expect(codes(log)).toEqual(["UnfinishedRun", "MissingSamples", "HeaderDiffers"]);
    const started = await importFiles([
      evalLog("l.eval", { "_journal/start.json": { ...header(), status: undefined }, "summaries.json": SAMPLES }),
    ]);
    expect(codes(started)).toEqual(["UnfinishedRun"]);
  });

  it("uses the reductions of a log without samples", async () => {
    const log = await importFiles([
      {
        name: "l.json",
        bytes: encode({
          ...header(),
          samples: null,
          reductions: [
            {
              scorer: "match",
              samples: [
                { value: 0.5, sample_id: 1 },
                { value: 1, sample_id: 2 },
              ],
            },
          ],
        }),
      },
    ]);
    expect(numbers(log, "match")).toEqual([0.5, 1]);
  });

  it("pairs two models on their shared items and names what one lacks", async () => {
    const a = jsonLog("a.json", header({ model: "A" }), SAMPLES);
    const b = jsonLog("b.json", header({ model: "B" }), SAMPLES.slice(0, 2));
    const log = await importFiles([a, b]);
    expect(log.systems).toEqual(["A", "B"]);
    expect(log.items).toBe(2);
    expect(log.diagnostics.map((diagnostic) => diagnostic.message)).toEqual([
      "arith: 1 of 2 items were run on every system (B lacks 1).",
    ]);
  });

  it("keeps items apart that share an id but not the question, or come from another task", async () => {
    const other = SAMPLES.map((sample) => ({ ...sample, input: `${sample["input"]}?` }));
    const log = await importFiles([
      jsonLog("a.json", header({ model: "A" }), SAMPLES),
      jsonLog("b.json", header({ model: "B" }), other),
    ]);
    expect(log.items).toBe(4);
    expect(codes(log)).toContain("SameIdOtherContent");
    const tasks = await importFiles([
      jsonLog("a.json", header({ task: "t1" }), SAMPLES),
      jsonLog("b.json", header({ task: "t2" }), other),
    ]);
    expect(tasks.items).toBe(4);
    expect(tasks.assumptions.join(" ")).toMatch(/task\/id/);
  });

  it("numbers the epochs of a second run on, and calls other settings another system", async () => {
    const log = await importFiles([
      jsonLog("2.json", header({ created: "2025-01-02" }), SAMPLES.slice(0, 1)),
      jsonLog("1.json", header({ created: "2025-01-01" }), SAMPLES.slice(0, 2)),
      jsonLog("3.json", header({ created: "2025-01-03", args: { shots: 5 } }), SAMPLES.slice(0, 1)),
    ]);
    expect(log.systems).toEqual(["org/model", "org/model (3)"]);
    expect(numbers(log, "epoch")).toEqual([1, 2, 3, 1]);
  });
});

/** Declares a stored entry of an archive to be zstd data of this content. */
function markZstd(zip: Uint8Array, name: string, content: Uint8Array): Uint8Array {
  const marked = zip.slice();
  const view = new DataView(marked.buffer);
  for (let at = 0; at + 46 < marked.length; at += 1) {
    const local = view.getUint32(at, true) === 0x04034b50;
    if (!local && view.getUint32(at, true) !== 0x02014b50) continue;
    const field = local ? at + 8 : at + 10;
    const start = local ? at + 30 : at + 46;
    if (new TextDecoder().decode(marked.subarray(start, start + name.length)) !== name) continue;
    view.setUint16(field, 93, true);
    view.setUint32(field + 6, crc32(content), true);
    view.setUint32(field + 14, content.length, true);
  }
  return marked;
}

/** One item under several ids, and several items under one. */
import { describe, expect, it } from "vitest";
import { compare } from "../src/index.ts";
import { lines, readText, times, warned } from "./support/read-text.ts";

const question = (i: number): string => `What is the capital of country number ${i}?`;
const records = (n: number, of: (i: number) => object): string => lines(times(n, (i) => JSON.stringify(of(i))));

describe("copies of an item under other ids counted as items without a word", () => {
  const part = (name: string, own: (i: number) => object) =>
    readText(
      name,
      records(90, (i) => ({ id: `x${i}`, correct: (i * 7) % 3 ? 1 : 0, ...own(i) })),
    );

  it("told by their texts", async () => {
    const copied = (i: number): object => ({ input: question(i % 30) });
    const told = warned(compare([await part("a.jsonl", copied), await part("b.jsonl", copied)]));
    expect(told).toContain("CopiedItems: 60 of 90 items are copies of another item under another id: input");
    const other = (i: number): object => ({ input: "What is the main idea here?", context: `${question(i)} Or not?` });
    expect(warned(compare([await part("a.jsonl", other), await part("b.jsonl", other)]))).not.toContain("CopiedItems");
  });

  it("told by measurements that no two share by chance", async () => {
    const timed = (i: number): object => ({
      correct: (i % 30) % 3 ? 1 : 0,
      took: 1.2347 + (((i % 30) * 377) % 1009) / 997,
    });
    expect(warned(compare([await part("a.jsonl", timed), await part("b.jsonl", timed)]))).toContain(
      "60 of 90 items are copies of another item under another id: took",
    );
    const own = (i: number): object => ({ took: 1.2347 + ((i * 377) % 1009) / 997 });
    expect(warned(compare([await part("a.jsonl", own), await part("b.jsonl", own)]))).not.toContain("CopiedItems");
  });

  const spread = (i: number, seed: number): number => (((i + 1) * 7919 * seed) % 9973) / 9973;

  it("not told by rounded scores of one system, which meet by chance", async () => {
    const scored = (name: string, seed: number) =>
      readText(
        name,
        records(300, (i) => ({ id: i, score: Number(spread(i * i, seed).toFixed(3)) })),
      );
    const [a, b] = [await scored("a.jsonl", 3), await scored("b.jsonl", 5)];
    expect(warned(compare([a, b]))).not.toContain("CopiedItems");
  });

  it("not told by one system where another tells them apart", async () => {
    const row = (i: number, model: string) =>
      JSON.stringify({ id: i, model, score: spread(model === "a" ? i % 60 : i, model === "a" ? 3 : 5) });
    const told = compare([await readText("x.jsonl", lines(times(90, (i) => `${row(i, "a")}\n${row(i, "b")}`)))]);
    expect(warned(told)).not.toContain("CopiedItems");
  });
});

describe("another right answer or fingerprint under the same id went unnoticed", () => {
  it.each(["truth", "gt", "ref", "correct_option", "right_answer", "label", "prompt_hash", "doc_hash"])(
    "%s",
    async (name) => {
      const part = (file: string, shift: number) =>
        readText(
          file,
          records(60, (i) => ({
            id: i,
            [name]: name.includes("hash")
              ? `f${(i + (i < 20 ? 100 * shift : 0)) * 7919}`
              : "ABCD"[(i + (i < 20 ? shift : 0)) % 4],
            pred: "ABCD"[(i * 3 + shift) % 4],
            correct: i % (3 + shift) ? 1 : 0,
          })),
        );
      const result = compare([await part("a.jsonl", 0), await part("b.jsonl", 1)]);
      expect([result.n, warned(result)]).toEqual([
        40,
        expect.stringContaining(`20 of 60 ids stand for another ${name}`),
      ]);
    },
  );

  it("beside questions that are the same", async () => {
    const part = (file: string, shift: number) =>
      readText(
        file,
        records(60, (i) => ({
          id: i,
          question: question(i),
          gold: (i + (i < 20 ? shift : 0)) % 4,
          correct: i % (3 + shift) ? 1 : 0,
        })),
      );
    const result = compare([await part("a.jsonl", 0), await part("b.jsonl", 1)]);
    expect(warned(result)).toContain("20 of 60 ids stand for another gold");
  });
});

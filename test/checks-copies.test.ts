/** One item under several ids, several items under one, and runs that are copies of others. */

import { describe, expect, it } from "vitest";
import { compare, makeRng } from "../src/index.ts";
import { lines, readText, times, warned } from "./support/read-text.ts";

const question = (i: number): string => `What is the capital of country number ${i}?`;
const records = (n: number, of: (i: number) => object): string => lines(times(n, (i) => JSON.stringify(of(i))));

describe("copies of an item under other ids", () => {
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

describe("another gold label or fingerprint under the same id", () => {
  it.each(["truth", "gt", "ref", "correct_option", "right_answer", "label", "prompt_hash", "doc_hash"])(
    "leaves ids out that stand for another %s",
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
});

describe("a run that is a copy of another", () => {
  const rng = makeRng("copies");
  const words = "the cat dog sat on mat runs fast big red house".split(" ");
  const references = times(40, () => times(9, () => words[rng.int(words.length)]!).join(" "));
  const noisy = (share: number): string[] =>
    references.map((line) =>
      line
        .split(" ")
        .map((word) => (rng.uniform() < share ? "zzz" : word))
        .join(" "),
    );
  const [base, better, other, best] = [noisy(0.3), noisy(0.25), noisy(0.3), noisy(0.25)];

  it("does not count as a second run of texts", () => {
    const hypotheses = { "base.seed1": base, "base.seed2": base, "new.seed1": better, "new.seed2": better };
    const result = compare({ hypotheses, references: [references] }, { details: false });
    expect(warned(result)).toContain(
      "CopiedRuns: base.seed2 repeats base.seed1, new.seed2 repeats new.seed1 on every item",
    );
    const alone = compare({ hypotheses: { base, new: better }, references: [references] }, { details: false });
    expect(result.main.p).toBe(alone.main.p);
  });

  it("is not seen in runs that differ, whose p is not called the floor of the permutations", () => {
    const hypotheses = { "base.seed1": base, "base.seed2": other, "new.seed1": better, "new.seed2": best };
    const result = compare({ hypotheses, references: [references] });
    expect(warned(result)).not.toContain("CopiedRuns");
    expect(result.main.p).toBeGreaterThan(result.main.test.p);
    expect(result.main.test.p).toBeCloseTo(1 / 10_001, 8);
    expect(result.toString()).not.toContain("floor");
  });

  const table = (digits: number) => {
    const draw = makeRng(`table ${digits}`);
    const rows = times(30, (k) =>
      ["A", "B"].flatMap((system) => {
        const score = draw.uniform().toFixed(digits);
        return [1, 2].map((seed) => `q${k},${system},${seed},${score}`);
      }),
    ).flat();
    return readText("data.csv", lines(["item,system,seed,score", ...rows]));
  };

  it("does not count as a second run in a table of scores, which 0 and 1 do not tell", async () => {
    const result = compare(await table(3));
    expect(warned(result)).toContain("CopiedRuns: A 2 repeats A 1, B 2 repeats B 1");
    expect(result.scope ?? []).not.toContain("runs");
    expect(warned(compare(await table(0)))).not.toContain("CopiedRuns");
  });
});

describe("prompts under other names", () => {
  const part = (name: string, text: string, changed: (i: number) => boolean) =>
    readText(
      name,
      lines([
        `id,${text},correct`,
        ...times(40, (i) => `${i},what is ${i} and ${changed(i) ? 1 : 2}?,${(i * 7) % 3 ? 1 : 0}`),
      ]),
    );
  const both = async (text: string, changed: (i: number) => boolean) =>
    compare([await part("a.csv", text, () => false), await part("b.csv", text, changed)]);

  it.each(["user_prompt", "task_description", "doc.question", "model input"])(
    "leaves ids out that stand for another %s",
    async (name) => {
      const result = await both(name, (i) => i % 4 === 0);
      expect([result.n, warned(result)]).toEqual([
        30,
        expect.stringContaining(`10 of 40 ids stand for another ${name}`),
      ]);
    },
  );

  it("says that a text of no known name differs, and leaves nothing out", async () => {
    const result = await both("content", (i) => i % 4 === 0);
    expect([result.n, warned(result)]).toEqual([
      40,
      expect.stringContaining("content differs between the runs on 10 of 40"),
    ]);
  });

  it("takes answers that differ for answers", async () => {
    for (const name of ["model_output", "content", "final_answer", "response"])
      expect(warned(await both(name, (i) => i % 4 > 0))).not.toContain("OtherPrompts");
  });
});

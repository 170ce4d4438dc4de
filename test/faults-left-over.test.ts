/** Runs, raters, keys and metrics that were taken for others, each test named after what went wrong. */
import { describe, expect, it } from "vitest";
import { compare, makeRng } from "../src/index.ts";
import { warnOfMixedMetrics } from "../src/models.ts";
import { lines, readText, times, warned } from "./support/read-text.ts";

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

  it("counted as a second run of texts", () => {
    const hypotheses = { "base.seed1": base, "base.seed2": base, "new.seed1": better, "new.seed2": better };
    const result = compare({ hypotheses, references: [references] }, { details: false });
    expect(warned(result)).toContain(
      "CopiedRuns: base.seed2 repeats base.seed1, new.seed2 repeats new.seed1 on every item",
    );
    const alone = compare({ hypotheses: { base, new: better }, references: [references] }, { details: false });
    expect(result.main.p).toBe(alone.main.p);
  });

  it("had the p of its runs called the floor of the permutations", () => {
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

  it("counted as a second run in a table of scores, which right and wrong do not tell", async () => {
    const result = compare(await table(3));
    expect(warned(result)).toContain("CopiedRuns: A 2 repeats A 1, B 2 repeats B 1");
    expect(result.scope ?? []).not.toContain("runs");
    expect(warned(compare(await table(0)))).not.toContain("CopiedRuns");
  });
});

describe("a rater of another kind beside numbered ones", () => {
  it.each(["adjudicator", "crowd1"])("was left out without a word: %s", async (name) => {
    const rng = makeRng("kinds");
    const rate = (): number => 1 + rng.int(5);
    const rows = times(20, (k) => ["A", "B"].map((system) => `q${k},${system},${rate()},${rate()},${rate()}`)).flat();
    const { imported } = await readText("data.csv", lines([`item,system,expert1,expert2,${name}`, ...rows]));
    expect(imported.assumptions.join(" ")).toContain(
      `${name} beside them is none of these raters and left out of rating`,
    );
  });
});

describe("a key of right answers", () => {
  const rng = makeRng("key");
  const answers = times(40, () => "ABCD"[rng.int(4)]!);
  const rows = (id: boolean): string[] =>
    answers.flatMap((key, k) =>
      ["m1", "m2"].map((system) => {
        const said = rng.uniform() < 0.6 ? key : "ABCD"[rng.int(4)]!;
        return `${id ? `q${k},` : ""}${key},${system},${said},${Number(said === key)}`;
      }),
    );

  it("was taken for the items, four of them", async () => {
    const bare = await readText("data.csv", lines(["key,system,answer,correct", ...rows(false)]));
    expect(bare.imported.roles.item).toBeUndefined();
    expect(() => compare(bare)).toThrow("no column could be recognised as the item");
    const named = await readText("data.csv", lines(["qid,key,system,answer,correct", ...rows(true)]));
    expect(compare(named).n).toBe(40);
  });
});

describe("a model of rows with several metrics", () => {
  const read = async (name: string) => {
    const rows = times(20, (k) =>
      ["A", "B"].flatMap((system) => [`${system},q${k},bleu,${30 + k}`, `${system},q${k},wer,${k / 40}`]),
    ).flat();
    return (await readText("data.csv", lines([`system,item,${name},value`, ...rows]))).imported.table;
  };

  it.each(["metric", "what"])("took them for one without a word: %s", async (name) => {
    const table = await read(name);
    expect(warnOfMixedMetrics(table, ["value ~ system"])[0]?.message).toContain(
      `2 metrics (column ${name}: bleu, wer)`,
    );
    expect(warnOfMixedMetrics(table, [`value ~ system * ${name}`])).toEqual([]);
  });

  it("but a kind of items is no metric", async () => {
    const rows = times(20, (k) =>
      ["A", "B"].map((system) => `${system},q${k},${k % 2 ? "depth" : "tone"},${k}`),
    ).flat();
    const { imported } = await readText("data.csv", lines(["system,item,dimension,value", ...rows]));
    expect(warnOfMixedMetrics(imported.table, ["value ~ system"])).toEqual([]);
  });
});

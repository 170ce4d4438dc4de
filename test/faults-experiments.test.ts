/** Experiments as people run them: conditions that participants met, folds of a cross-validation, seeds without items, measures below each other. */
import { describe, expect, it } from "vitest";
import { compare, describeImported, type NamedImport } from "../src/index.ts";
import { makeRng } from "../src/numeric/rng.ts";
import { lines, readText, times } from "./support/read-text.ts";

const plain = (result: object): string => String(result).replace(/\s+/g, " ");
const described = ({ imported }: NamedImport): string =>
  String(describeImported(imported, { target: "r.csv", available: new Set(["compare", "test"]) })).replace(
    /[\\\s]+/g,
    " ",
  );

describe("participants who met every condition", () => {
  const rng = makeRng("within");
  const people = times(24, (i) => {
    const base = rng.normal();
    return ["explain", "plain"].map(
      (condition) =>
        `P${i},${condition},${Math.min(7, Math.max(1, Math.round(4 + base + 0.7 * rng.normal())))},${(30 + 5 * base + 5 * rng.normal()).toFixed(1)}`,
    );
  });
  const text = lines(["participant,condition,trust,time_s", ...people.flat()]);

  it("were raters of items called by their ratings, and compare ended in a fault of its model", async () => {
    const file = await readText("r.csv", text);
    expect(file.imported.roles).toMatchObject({ item: "participant", system: "condition", score: "trust" });
    expect(described(file)).not.toContain("items (trust)");
    const named = await readText("r.csv", text.replace("participant,condition", "item,system"));
    expect(compare(file).main.p).toBe(compare(named, { metric: "trust" }).main.p);
    expect(plain(compare(file))).toMatch(/24 participants/);
  });

  it("who met one condition each are not paired by rows", async () => {
    const rows = times(40, (i) => `P${i},${["a", "b"][i % 2]},${1 + rng.int(5)},${1 + rng.int(5)}`);
    const file = await readText("r.csv", lines(["participant,condition,trust,enjoyment", ...rows]));
    expect(() => compare(file)).toThrow(/each participant met one condition only, so that nothing is paired/);
    expect(compare(file, { unpaired: true }).main.verdict).toBeDefined();
  });
});

describe("one number for each system and run", () => {
  const table = (column: string): string =>
    lines([
      `model,${column},accuracy`,
      ...times(10, (k) => [`svm,${k},0.${80 + ((k * 7) % 5)}`, `rf,${k},0.${80 + ((k * 3) % 7)}`]).flat(),
    ]);

  it("of folds were offered as independent rows, or as items: a plain test of folds finds too much", async () => {
    const file = await readText("r.csv", table("fold"));
    expect(() => compare(file)).toThrow(/share training data/);
    expect(described(file)).toContain(
      "gosset test cv r.csv --score accuracy --by model --item fold --n-train 9 --n-test 1",
    );
    expect(described(file)).not.toContain("--unpaired");
  });

  it("of folds with a column for each system were items", async () => {
    const rows = times(10, (k) => `${k},0.${80 + ((k * 7) % 5)},0.${80 + ((k * 3) % 7)}`);
    const file = await readText("r.csv", lines(["fold,baseline,ours", ...rows]));
    expect(() => compare(file)).toThrow(/share training data/);
    expect(compare(file, { item: "fold" }).n).toBe(10);
    expect(described(file)).toContain("gosset test cv r.csv --x ours --y baseline --n-train 9 --n-test 1");
    expect(described(file)).not.toContain("gosset compare");
  });

  it("of seeds were said to lack an item, without a word of what they are", async () => {
    const file = await readText("r.csv", table("seed"));
    expect(() => compare(file)).toThrow(/one accuracy for each model and seed/);
  });
});

describe("measures below each other, for every data set and seed", () => {
  it("were offered as independent rows that mix data sets", async () => {
    const rng = makeRng("grid");
    const rows = ["base", "ours"].flatMap((method) =>
      times(5, (d) =>
        times(4, (k) =>
          [
            `accuracy,${(0.7 + 0.05 * d + 0.01 * rng.normal()).toFixed(4)}`,
            `ece,${(0.1 + 0.01 * rng.normal()).toFixed(4)}`,
          ].map((cell) => `${method},d${d},${k},${cell}`),
        ).flat(),
      ).flat(),
    );
    const file = await readText("r.csv", lines(["method,dataset,seed,metric,value", ...rows]));
    expect(described(file)).not.toContain("--unpaired");
    const { n, scope } = compare(file);
    expect({ n, scope }).toEqual({ n: 5, scope: ["items", "runs"] });
    expect(compare(file, { metric: "ece" }).higherIsBetter).toBe(false);
  });
});

describe("a property of the output", () => {
  const rng = makeRng("tokens");
  const rows = times(60, (i) =>
    ["A", "B"].map(
      (m, s) => `${m},q${i},${rng.int(2)},${200 + 120 * s + rng.int(90)},t${i % 6},${s === 0 ? "AB" : "BA"}`,
    ),
  ).flat();
  const text = lines(["model,id,correct,output_tokens,topic,order", ...rows]);

  it("was taken by --by as one of the items, and the scores became those of lengths that only one system has", async () => {
    const file = await readText("r.csv", text);
    expect(() => compare(file, { by: "output_tokens" })).toThrow(/not the same for every model on one id/);
    expect(compare(file, { by: "topic" }).main.verdict).toBeDefined();
  });
});

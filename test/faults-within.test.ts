/** One id of one system in several rows: other items, other scores, or the same item again. */
import { describe, expect, it } from "vitest";
import { compare, describeImported } from "../src/index.ts";
import { lines, readText, times } from "./support/read-text.ts";

/** 60 + 40 items whose ids start anew; new is right on 5 more of the first and on 10 more of the second. */
const restarted = (first: string, second: string): string[] =>
  [
    [first, 60, 5],
    [second, 40, 10],
  ].flatMap(([part, items, gain]) =>
    times(Number(items), (i) => {
      const old = i % 2;
      const now = i % 2 === 0 && i < 2 * Number(gain) ? 1 : old;
      return [`${part},${i + 1},old,${old}`, `${part},${i + 1},new,${now}`];
    }).flat(),
  );

describe("ids that start anew", () => {
  it.each([
    ["suite", "math", "code"],
    ["category", "physics", "art"],
    ["language", "de", "sw"],
    ["lp", "en-de", "en-zh"],
    ["subset", "easy", "hard"],
    ["basket", "apples", "pears"],
  ])("under a column %s were merged into 60 items, right in some tries and wrong in others", async (name, ...parts) => {
    const text = lines([`${name},item,system,correct`, ...restarted(parts[0]!, parts[1]!)]);
    const own = await readText("r.csv", text);
    const result = compare(own);
    expect(result.n).toBe(100);
    expect(result.main.difference).toBeCloseTo(0.15, 12);
    expect(String(result)).not.toContain("in some tries");
    expect(String(describeImported(own.imported, { target: "r.csv", available: new Set(["compare"]) }))).toContain(
      "100 items",
    );
  });

  it.each(["noise", "prompt_style", "output_format", "condition"])(
    "under a column %s are the same items of a run that was cut short, not 100 of their own",
    async (name) => {
      const text = lines([`${name},item,system,correct`, ...restarted("plain", "other")]);
      expect(compare(await readText("r.csv", text)).n).toBe(60);
    },
  );

  it("with the same question under each value are the same items, whatever the column is called", async () => {
    const rows = restarted("apples", "pears").map((row) => `${row},What is ${row.split(",")[1]} times two?`);
    expect(compare(await readText("r.csv", lines(["basket,item,system,correct,question", ...rows]))).n).toBe(60);
  });

  it("in two files, and in one with a column for each system", async () => {
    const rows = restarted("math", "code");
    const of = (system: string): string =>
      lines(["suite,item,correct", ...rows.filter((r) => r.includes(system)).map((r) => r.replace(`,${system}`, ""))]);
    const files = [await readText("old.csv", of("old")), await readText("new.csv", of("new"))];
    expect(compare(files).n).toBe(100);
    const wide = times(rows.length / 2, (i) => `${rows[2 * i]!.replace(",old", "")},${rows[2 * i + 1]!.at(-1)}`);
    expect(compare(await readText("w.csv", lines(["suite,item,base,new", ...wide]))).n).toBe(100);
  });

  it("with another right answer or another question under each, whatever the column is called", async () => {
    const rows = (cell: (part: string, i: number) => string): string[] =>
      ["east", "west"].flatMap((part) =>
        times(40, (i) => ["a", "b"].map((s, k) => `${part},${i},${cell(part, i)},${s},${(i + k) % 2}`)).flat(),
      );
    const letters = rows((part, i) => "ABCD"[(part === "east" ? i : i * 3 + 1) % 4]!);
    expect(compare(await readText("r.csv", lines(["wing,id,gold,system,correct", ...letters]))).n).toBe(80);
    const same = rows((_, i) => "ABCD"[i % 4]!);
    expect(compare(await readText("r.csv", lines(["noise,id,gold,system,correct", ...same]))).n).toBe(40);
  });

  it("segments of documents were 12 items, and their documents no clusters", async () => {
    const rows = times(20, (d) =>
      times(6 + (d % 7), (i) => ["a", "b"].map((s, k) => `d${d},${i + 1},${s},${(i * 7 + d * 3 + k) % 11}`)).flat(),
    ).flat();
    const result = compare(await readText("r.csv", lines(["document,segment,system,score", ...rows])));
    expect([result.n, result.clusters]).toEqual([rows.length / 2, 20]);
  });

  it("translations of the same items stay the same items", async () => {
    const rows = ["de", "fr"].flatMap((l) =>
      times(40, (i) => ["a", "b"].map((s, k) => `${i},${l},${l} question ${i},${i % 5},${s},${(i + k) % 2}`)).flat(),
    );
    const result = compare(await readText("r.csv", lines(["item,language,question,gold,system,correct", ...rows])));
    expect(result.n).toBe(40);
  });
});

describe("scores one below the other", () => {
  const table = (name: string, levels: readonly string[]): string =>
    lines([
      `item,system,${name},score`,
      ...times(60, (i) =>
        ["a", "b"].flatMap((s, k) => levels.map((level, m) => `q${i},${s},${level},${(i * (m + 1) + k * m) % 2}`)),
      ).flat(),
    ]);

  it.each(["assertion", "what", "test_name"])("in a column %s were averaged over what they measure", async (name) => {
    const own = await readText("r.csv", table(name, ["valid_json", "polite", "short"]));
    const result = compare(own);
    expect(result.metric).toBe("valid_json");
    expect(String(result)).toContain("there are also polite, short");
    expect(compare(own, { metric: "polite" }).metric).toBe("polite");
    expect(String(describeImported(own.imported, { target: "r.csv", available: new Set(["compare"]) }))).toContain(
      "holds 3 metrics",
    );
  });

  it.each([
    ["noise", ["none", "typos"]],
    ["reasoning", ["brief", "deep"]],
    ["wording", ["v1", "v2"]],
  ])("but the same item again under %s is averaged as before", async (name, levels) => {
    const own = await readText("r.csv", table(name, levels));
    expect([own.imported.roles.metric, compare(own).n]).toEqual([undefined, 60]);
  });
});

describe("seeds side by side, a row for each data set and system", () => {
  const rows = times(8, (d) =>
    ["base", "ours"].map(
      (m, s) => `d${d},${m},${[0, 1, 2].map((k) => 60 + 3 * d + 5 * s + ((d * 7 + k * 5 + s * 3) % 4)).join(",")}`,
    ),
  ).flat();
  const read = (head: string) => readText("s.csv", lines([head, ...rows]));

  it.each([
    "dataset,system,seed_1,seed_2,seed_3",
    "benchmark,model,run 1,run 2,run 3",
    "question,system,run1,run2,run3",
  ])(
    "%s had a row of the file for an item, so that the systems had none in common, and a direction that nobody named",
    async (head) => {
      const own = await read(head);
      expect(own.imported.items).toBe(8);
      expect(own.imported.metrics.map(({ higherIsBetter }) => higherIsBetter)).toEqual([undefined]);
      const { n, main } = compare(own);
      expect([n, main.verdict]).toEqual([8, "HIGHER"]);
    },
  );

  it.each([
    ["acc", ["acc_seed1", "acc_seed2", "acc_seed3"], "BETTER"],
    ["wer", ["wer_seed1", "wer_seed2", "wer_seed3"], "WORSE"],
    ["wer", ["seed1_wer", "seed2_wer", "seed3_wer"], "WORSE"],
    ["loss", ["loss (seed 1)", "loss (seed 2)", "loss (seed 3)"], "WORSE"],
  ])(
    "%s in %j was called a rating, higher is better, or compared by its first seed only",
    async (metric, names, verdict) => {
      const own = await read(`dataset,system,${names.join(",")}`);
      expect(own.imported.roles).toMatchObject({ item: "dataset", score: metric });
      expect(compare(own).main.verdict).toBe(verdict);
      expect(own.imported.repeats).toBe(3);
    },
  );

  it("data sets were called items in the name of the test over them and their runs", async () => {
    const { facets = [] } = compare(await read("dataset,system,seed_1,seed_2,seed_3")).main;
    expect(facets.map(({ label }) => label)).toContain("t test over data sets and 3 runs of each system");
  });
});

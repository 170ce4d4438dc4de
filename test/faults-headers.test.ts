/** What stands in a header or a cell beside the number: a system, a unit, a place, a side. */
import { describe, expect, it } from "vitest";
import { compare } from "../src/index.ts";
import { makeRng } from "../src/numeric/rng.ts";
import { lines, readText, times } from "./support/read-text.ts";

const rng = makeRng("headers");
const rate = (mean: number): number => Math.min(5, Math.max(1, Math.round(mean + rng.normal())));

/** Ratings of 30 items by 4 raters: system, criterion, rating. */
const CELLS = times(30, (i) =>
  times(4, (r) => ({ item: `i${i}`, rater: `r${r}`, A: [rate(3), rate(3)], B: [rate(4), rate(3)] })),
).flat();
const LONG = lines([
  "item,rater,system,fluency,adequacy",
  ...CELLS.flatMap(({ item, rater, A, B }) => [`${item},${rater},A,${A}`, `${item},${rater},B,${B}`]),
]);

describe("criteria of several systems in the header", () => {
  it.each([
    ["fluency.A,fluency.B,adequacy.A,adequacy.B", true],
    ["fluency (A),fluency (B),adequacy (A),adequacy (B)", true],
    ["A_fluency,A_adequacy,B_fluency,B_adequacy", false],
    ["A: fluency,A: adequacy,B: fluency,B: adequacy", false],
    ["fluency_gpt4,fluency_llama,adequacy_gpt4,adequacy_llama", true],
  ])("%s: was one system with four scores", async (head, byCriterion) => {
    const rows = CELLS.map(({ item, rater, A, B }) =>
      [item, rater, ...(byCriterion ? [A[0], B[0], A[1], B[1]] : [...A, ...B])].join(","),
    );
    const wanted = compare(await readText("r.csv", LONG), { metric: "fluency" }).main;
    const { main, higherIsBetter } = compare(await readText("r.csv", lines([`item,rater,${head}`, ...rows])));
    expect(main.p).toBeCloseTo(wanted.p, 9);
    expect({ verdict: main.verdict, higherIsBetter }).toEqual({ verdict: "BETTER", higherIsBetter: true });
  });

  it.each([
    ["fluency_A,fluency_B,adequacy_A,adequacy_B", /whether A and B are systems or judges/],
    ["fluency_gpt4,fluency_llama,adequacy_gpt4,adequacy_llama", /whether gpt4 and llama are systems or judges/],
    ["m1_gpt4,m1_claude,m2_gpt4,m2_claude", /cross m1, m2 with gpt4, claude, and nothing says/],
  ])("%s without raters: were compared as four systems, or not at all", async (head, asked) => {
    const rows = CELLS.slice(0, 60).map(({ A, B }, i) => [`q${i}`, ...A, ...B].join(","));
    const file = await readText("r.csv", lines([`id,${head}`, ...rows]));
    expect(() => compare(file)).toThrow(asked);
    const [one, two] = head.split(",") as [string, string];
    expect(compare(file, { systems: [one, two] }).main.a).toBe(one);
  });

  it("sizes behind the names of models are still systems of their own", async () => {
    const head = "id,bert_base,bert_large,roberta_base,roberta_large";
    const rows = times(40, (i) => [`q${i}`, ...times(4, () => rng.int(2))].join(","));
    expect(compare(await readText("r.csv", lines([head, ...rows]))).pairs).toHaveLength(6);
  });
});

describe("numbers with their unit", () => {
  const file = (write: (x: number) => string, name = "latency"): string =>
    lines([
      `model,id,${name}`,
      ...times(40, (i) =>
        ["old", "new"].map((m, s) => `${m},q${i},${write(1000 + 37 * ((i * 7) % 11) - (46 + 2 * (i % 5)) * s)}`),
      ).flat(),
    ]);

  it.each([
    [(x: number) => `${x} ms`, 1],
    [(x: number) => `${x / 1000} s`, 1e-3],
    [(x: number) => (x % 2 === 0 ? `${x}ms` : `${x / 1000} s`), 1e-3],
  ])("were no score (%#)", async (write, size) => {
    const { main } = compare(await readText("r.csv", file(write)));
    expect(main.difference).toBeCloseTo(-50 * size, 9);
    expect(main.verdict).toBe("BETTER");
  });

  it("of money are read, and of two currencies they are not", async () => {
    const dollars = await readText(
      "r.csv",
      file((x) => `$${x / 1e5}`, "cost"),
    );
    expect(compare(dollars).main.difference).toBeCloseTo(-50 / 1e5, 12);
    const mixed = await readText(
      "r.csv",
      file((x) => (x % 2 === 0 ? `$${x}` : `€${x}`), "cost"),
    );
    expect(() => compare(mixed)).toThrow(/holds text/);
  });

  it("beside bare numbers stay what they are", async () => {
    const mixed = await readText(
      "r.csv",
      file((x) => (x % 2 === 0 ? `${x} ms` : `${x}`)),
    );
    expect(() => compare(mixed)).toThrow(/no score|score\?/);
  });
});

describe("places of systems", () => {
  const orders = times(60, () => {
    const drawn = ["A", "B", "C"].map((name) => ({ name, key: rng.normal() - (name === "C" ? 1 : 0) }));
    return drawn.sort((x, y) => x.key - y.key).map(({ name }) => name);
  });
  const places = orders.map((order) => ["A", "B", "C"].map((name) => order.indexOf(name) + 1));

  it("were no score, and as columns the best place was LOWER", async () => {
    const long = lines([
      "item,system,rank",
      ...places.flatMap((own, i) => own.map((place, s) => `i${i},${"ABC"[s]},${place}`)),
    ]);
    const wide = lines(["item,rank_A,rank_B,rank_C", ...places.map((own, i) => `i${i},${own.join(",")}`)]);
    for (const text of [long, wide]) {
      const { higherIsBetter, pairs } = compare(await readText("r.csv", text));
      expect(higherIsBetter).toBe(false);
      expect(pairs.find(({ a, b }) => a === "A" && b === "C")!.verdict).toBe("BETTER");
    }
  });

  it("that order no systems of an item are no score", async () => {
    const rows = times(40, (i) => ["A", "B"].map((m) => `q${i},${m},${1 + rng.int(90)},${rng.int(2)}`)).flat();
    const { imported } = await readText("r.csv", lines(["item,system,rank,correct", ...rows]));
    expect(imported.roles.score).toBe("correct");
    expect(imported.metrics.map(({ name }) => name)).not.toContain("rank");
  });
});

describe("preferences with a sign", () => {
  it("between two named sides: prompts became systems, and raters items", async () => {
    const rows = times(40, (i) => times(4, (r) => `p${i},w${r},${i % 2 ? "X,Y" : "Y,X"},${rng.int(5) - 2}`)).flat();
    const file = await readText("r.csv", lines(["prompt,annotator,model_a,model_b,preference", ...rows]));
    expect(() => compare(file)).toThrow(/nothing says whom more than 0 prefers/);
    expect(file.imported.roles).toMatchObject({ item: "prompt", rater: "annotator" });
  });

  it("without names were one system only", async () => {
    const rows = times(40, (i) => times(4, (r) => `p${i},w${r},${rng.int(5) - 2}`)).flat();
    const file = await readText("r.csv", lines(["item,rater,preference", ...rows]));
    expect(() => compare(file)).toThrow(/weighs two systems against each other/);
  });
});

describe("raters who have a column each, under names that nobody knows", () => {
  const rows = CELLS.map(({ item, rater, A, B }) => ({ item, rater, A: A[0]!, B: B[0]! }));
  const items = [...new Set(rows.map(({ item }) => item))];
  const wide = lines([
    "item,system,x0,x1,x2,x3",
    ...items.flatMap((item) =>
      (["A", "B"] as const).map((s) =>
        [item, s, ...rows.filter((own) => own.item === item).map((own) => own[s])].join(","),
      ),
    ),
  ]);

  it("could be named by no option: --rater x0,x1,x2,x3 was ignored", async () => {
    const wanted = compare(await readText("r.csv", LONG), { metric: "fluency" });
    const file = await readText("r.csv", wide);
    expect(() => compare(file)).toThrow(/is x0 the score\?/);
    const { main, scope } = compare(file, { rater: "x0,x1,x2,x3" });
    expect(scope).toContain("raters");
    expect(main.p).toBeCloseTo(wanted.main.p, 9);
  });
});

describe("relevance beside one other criterion", () => {
  it("was a label of documents, and nobody heard that it was left out", async () => {
    const rows = times(30, (i) => ["A", "B"].map((s) => `i${i},${s},${rate(3)},${rate(3)}`)).flat();
    const file = await readText("r.csv", lines(["id,system,naturalness,relevance", ...rows]));
    expect(String(compare(file))).toContain("there is also relevance");
  });
});

describe("raters on scales of their own", () => {
  it("were asked to write both in the same units", async () => {
    const rows = CELLS.flatMap(({ item, rater, A, B }) =>
      [A, B].map((own, s) => `${item},${"AB"[s]},${rater},${rater === "r3" ? own[0]! * 19 : own[0]!}`),
    );
    const result = compare(await readText("r.csv", lines(["item,system,rater,rating", ...rows])));
    expect(result.main.verdict).toBe("NONE");
    expect(String(result).replace(/\s+/g, " ")).toContain("Write the scores of all raters on one scale");
  });
});

describe("the scale in the name of a score", () => {
  const sheet = (name: string, write: (value: number, row: number) => number | string): string =>
    lines([
      `item,system,rater,${name}`,
      ...CELLS.flatMap(({ item, rater, A, B }, i) =>
        [A, B].map((own, s) => `${item},${"AB"[s]},${rater},${write(own[0]!, 2 * i + s)}`),
      ),
    ]);

  it.each([
    ["quality (1 = best)", "WORSE"],
    ["Qualität (1 = sehr gut; 5 = schlecht)", "WORSE"],
    ["quality (1=very bad; 5=very good)", "BETTER"],
    ["quality (5 = excellent)", "BETTER"],
  ])("%s: the end that is called good was not read, and 1 = best was higher-is-better", async (name, verdict) => {
    expect(
      compare(
        await readText(
          "r.csv",
          sheet(name, (value) => value),
        ),
      ).main.verdict,
    ).toBe(verdict);
  });

  it("quality (1-5) did not bound ratings that are missing: the ends that were seen did", async () => {
    const some = sheet("quality (1-5)", (value, row) => (row % 9 === 0 ? "" : Math.min(4, Math.max(2, value))));
    const told = String(compare(await readText("r.csv", some)));
    expect(told).toContain("rows without a score");
    expect(told).not.toContain("score seen");
  });

  it("quality (1-5) held zeros that were averaged", async () => {
    const file = await readText(
      "r.csv",
      sheet("quality (1-5)", (value, row) => (row % 40 === 7 ? 0 : value)),
    );
    expect(compare(file).main.verdict).toBe("NONE");
    expect(String(compare(file)).replace(/\s+/g, " ")).toContain(
      "6 of 240 values of quality (1-5) are not on its scale (0)",
    );
    expect(compare(file, { where: ["`quality (1-5)` >= 1"] }).main.verdict).toBe("BETTER");
  });
});

describe("what is said twice, or in other digits", () => {
  it("± in two columns took two sentences", async () => {
    const rows = times(10, (i) => `d${i},${60 + i} ± 0.4,${61.3 + i + 0.1 * (i % 3)} ± 0.6`);
    const told = String(compare(await readText("r.csv", lines(["dataset,baseline,ours", ...rows]))));
    expect(told.split("deviation").length).toBe(2);
  });

  it("rows with errors: the two differences had one and three decimals", async () => {
    const rows = times(150, (i) =>
      ["a", "b"].map((m, s) => {
        const broken = s === 1 && i % 8 === 0;
        return `${m},${i},${broken ? 0 : rng.int(10) < 6 ? 1 : 0},${broken ? "error" : "stop"}`;
      }),
    ).flat();
    const told = String(compare(await readText("r.csv", lines(["system,id,passed,finish_reason", ...rows]))));
    const warned = told.replace(/\s+/g, " ").match(/as failures the difference is (.*?)\. /)![1]!;
    expect([...warned.matchAll(/\d\.(\d+)/g)].every(([, decimals]) => decimals!.length === 1)).toBe(true);
  });
});

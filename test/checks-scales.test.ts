/** Scores on two scales, codes for no answer, and values off the scale: no verdict, and why. */

import { describe, expect, it } from "vitest";
import { compare, makeRng, testTotals } from "../src/index.ts";
import { gate } from "../src/plan/gate/gate.ts";
import { readPolicy } from "../src/plan/gate/policy.ts";
import { measureAgreement } from "../src/reliability/agreement/agreement.ts";
import { gosset, gossetJson } from "./support/cli.ts";
import { makeFolder, writesTo } from "./support/folder.ts";
import { codesOf, flat, lines, readText, times, warned } from "./support/read-text.ts";
import { csv, said } from "./support/shapes.ts";

const folder = makeFolder("checks-scales");
const file = writesTo(folder);

describe("shares and percent", () => {
  const scores = (factor: number, n = 50): string[] => [
    "id,accuracy",
    ...times(n, (i) => `${i},${(factor * (0.4 + ((i * 13) % 37) / 100)).toFixed(3)}`),
  ];
  it("gives no verdict where scales differ by 100", () => {
    const [a, b] = [file("share.csv", scores(1)), file("percent.csv", scores(100))];
    const { verdict, reason, difference } = gossetJson("compare", a, b);
    expect([verdict, difference]).toEqual(["NONE", "NaN"]);
    expect(reason).toMatch(/do not share a scale: share from 0\.4 to 0\.76, percent from 40 to 76/);
  });
});

describe("a code for no answer", () => {
  const rows = (code: string, values: (i: number) => number): string[] => [
    "model,id,rating",
    ...["A", "B"].flatMap((s, k) => times(60, (i) => `${s},q${i},${(i * 7 + k) % 19 === 3 ? code : values(i + k)}`)),
  ];
  it.each([
    ["999", (i: number) => 1 + (i % 5)],
    ["-1", (i: number) => i % 2],
    ["9", (i: number) => 1 + (i % 5)],
    ["-99", (i: number) => i % 7],
  ])("finds %s, and compares without it", (code, values) => {
    const path = file(`code${code}.csv`, rows(code, values));
    const { verdict, reason, advice } = gossetJson("compare", path);
    expect(verdict).toBe("NONE");
    expect(reason).toContain(`are ${code} among`);
    expect(advice).toBeDefined();
    const left = gossetJson("compare", path, `--missing=${code}`);
    expect(left.verdict).not.toBe("NONE");
    const kept = gossetJson("compare", path, "--where", `rating ${code.startsWith("-") ? ">=" : "<="} ${code}`);
    expect(kept.verdict).not.toBe("NONE");
  });
  it("does not take categories of a scale for codes", () => {
    for (const code of ["10", "0", "-1"]) {
      const odd = (i: number): number => (code === "-1" ? (i % 3) - 1 : 1 + (i % 9));
      expect(gossetJson("compare", file(`step${code}.csv`, rows(code, odd))).verdict).not.toBe("NONE");
    }
  });
});

describe("999 among ratings of 1 to 5, in other commands", () => {
  const rated = times(40, (i) =>
    ["old", "new"].flatMap((s, k) =>
      ["ann", "bea", "cyd"].map(
        (r, j) => `d${i},${s},${r},${(i * 3 + k + j) % 17 === 0 ? 999 : 1 + ((i * 7 + k + 2 * j) % 5)}`,
      ),
    ),
  ).flat();
  const coded = file("coded-ratings.csv", ["id,model,annotator,rating", ...rated]);
  const said =
    /values of rating are 999 among 1 to 5, which looks like a code for "no answer"\. --missing 999 leaves them out/;
  it.each([
    ["agreement"],
    ["agreement", "--model", "dawid-skene"],
    ["reliability"],
    ["score"],
    ["power", "from-dev"],
    ["next", "--range", "1,5"],
  ])("%s %s refuses it with the same sentence", (command, ...rest) => {
    const [first, ...more] = command === "power" ? ["power", ...rest] : [command!, ...rest];
    const { status, stderr } = gosset(first!, ...(command === "power" ? [more[0]!, coded] : [coded, ...more]));
    expect(status).not.toBe(0);
    expect(stderr).toMatch(said);
  });
  it("refuses it in a pilot", () => {
    const { stderr } = gosset("mde", "likert", "--pilot", coded, "--items", "50", "--raters", "5");
    expect(stderr).toMatch(said);
  });
  it("answers without it, and where the values were looked at", () => {
    expect(gosset("agreement", coded, "--missing", "999", "--replicates", "0").status).toBe(0);
    const scaled = gossetJson("agreement", coded, "--scale", "ordinal", "--replicates", "0");
    expect(codesOf(scaled)).toContain("BadScores");
    expect(gosset("score", coded, "--where", "rating <= 999").status).toBe(0);
  });
});

const rng = makeRng("values");

describe("scores on two scales", () => {
  const table = (metric: string, a: (i: number) => number, b: (i: number) => number) =>
    readText("s.csv", lines([`model,id,${metric}`, ...times(60, (i) => [`a,${i},${a(i)}`, `b,${i},${b(i)}`]).flat()]));
  const share = (): number => Number((0.5 + 0.3 * rng.uniform()).toFixed(3));

  it.each<[string, string, (i: number) => number, (i: number) => number]>([
    ["ratings up to 5 and up to 10", "rating", (i) => 1 + (i % 5), (i) => 1 + ((i * 3) % 10)],
    ["ratings and points out of 100", "rating", (i) => 1 + (i % 5), (i) => 50 + ((i * 7) % 30)],
    ["seconds and milliseconds", "latency", () => 3 * share(), () => 3000 * share()],
    ["two codings of right and wrong", "correct", (i) => i % 2, (i) => (i % 3 ? 2 : 1)],
    ["shares and percent", "score", (i) => (i % 3 ? share() : 100 * share()), (i) => (i % 3 ? share() : 100 * share())],
  ])("gives no verdict on %s", async (as, metric, a, b) => {
    const data = await table(metric, a, b);
    const { main } = compare(data, { metric });
    expect([main.verdict, main.reason]).toEqual(["NONE", expect.stringContaining(`as ${as} do`)]);
    // who has seen the values and says so is believed
    expect(compare(data, { metric, where: [`${metric} >= 0`] }).main.verdict).not.toBe("NONE");
  });

  it.each<[string, string, (i: number) => number, (i: number) => number]>([
    [
      "a poor system on a scale to 10",
      "rating",
      (i) => [1, 2, 2, 3, 3, 3, 4, 4, 5, 3, 2, 3][i % 12]!,
      (i) => 5 + (i % 6),
    ],
    ["few errors and many", "errors", (i) => i % 5, (i) => 40 + ((i * 7) % 30)],
    ["rare and usual counts", "violations", (i) => i % 2, (i) => 1 + (i % 2)],
    ["a fast and a slow one", "latency", () => 3 * share(), () => 60 * share()],
  ])("compares %s", async (_, metric, a, b) => {
    expect(compare(await table(metric, a, b), { metric }).main.verdict).not.toBe("NONE");
  });
});

describe("codes of a file's own for no answer", () => {
  const coded = (metric: string, code: number, value: (i: number) => number, every = 17) =>
    readText(
      "s.csv",
      lines([
        `model,id,${metric}`,
        ...times(120, (i) => `${i % 2 ? "a" : "b"},${i >> 1},${i % every ? value(i) : code}`),
      ]),
    );

  it.each<[string, number, (i: number) => number]>([
    ["rating", -2, (i) => 1 + (i % 5)],
    ["rating", 100, (i) => 1 + (i % 5)],
    ["latency_ms", -1, (i) => 110 + ((i * 37) % 400)],
    ["bleu", -100, (i) => 10 + ((i * 7) % 40)],
    ["tokens", -1, (i) => 110 + ((i * 37) % 400)],
    ["perplexity", 1000000000, (i) => 10 + ((i * 7) % 40) / 3],
    ["quality", -3, (i) => i % 5],
    ["quality", 7, (i) => i % 5],
    ["rating", 10, (i) => 1 + (i % 5)],
    ["f1", 9, (i) => ((i * 37) % 97) / 97],
    ["latency_s", 0, (i) => 1 + ((i * 37) % 97) / 10],
  ])("finds %s: %i", async (metric, code, value) => {
    const { main } = compare(await coded(metric, code, value), { metric });
    expect([main.verdict, main.reason]).toEqual(["NONE", expect.stringContaining(`are ${code} among`)]);
  });

  it.each<[string, number, (i: number) => number]>([
    ["latency_diff", -1, (i) => 110 + ((i * 37) % 400)],
    ["reward", -10, (i) => (i * 7) % 40],
    ["rating", 6, (i) => 1 + (i % 5)],
  ])("takes it that %s may be %i", async (metric, code, value) => {
    expect(compare(await coded(metric, code, value), { metric }).main.reason).toBeUndefined();
  });

  it("says of 0 below ratings of 1 to 5 what it counts as, and names the time at which runs were stopped", async () => {
    const zeros = compare(
      await coded("rating", 0, (i) => [3, 4, 2, 5, 3, 4, 3, 4, 1, 5, 3, 4, 5, 3, 4, 2][i % 16]!, 9),
    );
    expect(warned(zeros)).toContain('if 0 stands for "not rated", it is averaged as the lowest rating.');
    const capped = compare(await coded("latency_s", 600, (i) => 1 + ((i * 37) % 997) / 100), { metric: "latency_s" });
    expect(warned(capped)).toContain("are exactly 600, the next is");
    const even = compare(await coded("rating", 0, (i) => 1 + (i % 5), 9));
    expect(warned(even)).toContain("ZeroRatings");
    const ofTen = compare(await coded("rating", 0, (i) => i % 11, 1));
    expect(warned(ofTen)).not.toContain("ZeroRatings");
  });
});

const measured = (i: number, s: number): number => 40 + ((i * 37 + s * 11) % 551) / 10;
const codes = (rows: ReadonlyMap<number, number>, of = measured) =>
  readText(
    "c.csv",
    lines([
      "item,system,score",
      ...times(80, (k) => `q${k >> 1},${k % 2 ? "B" : "A"},${rows.get(k) ?? of(k >> 1, k % 2)}`),
    ]),
  );

describe("a code for no answer among measured scores", () => {
  it.each([
    [-999, 2],
    [-999, 1],
    [-99, 2],
    [9999, 2],
    [999, 1],
    [-1, 2],
  ])("finds %i, %i times, in a comparison and at a gate", async (code, count) => {
    const data = await codes(new Map(times(count, (k) => [7 + 20 * k, code] as const)));
    const { main } = compare(data);
    expect([main.verdict, main.reason]).toEqual([
      "NONE",
      expect.stringContaining(`${count} of 80 values of score are ${code} among`),
    ]);
    const files = { candidate: [{ path: "c.csv", imported: data.imported }], baseline: ["A"] };
    expect(() => gate(files, { policy: readPolicy("margin: 5"), higherIsBetter: true })).toThrow(`are ${code} among`);
  });

  it.each([
    ["99 among scores to 95", 99, measured],
    ["98 once among latencies", 98, (i: number) => 3 + (i % 17)],
    ["999 among scores to 900", 999, (i: number, s: number) => 10 * measured(i, s)],
    ["-1 among changes of either sign", -1, (i: number, s: number) => measured(i, s) - 60],
    ["-9 among log-likelihoods", -9, (i: number, s: number) => -measured(i, s) / 12],
  ])("takes %s for a score", async (_, code, of) => {
    expect(compare(await codes(new Map([[7, code]]), of)).main.verdict).not.toBe("NONE");
  });
});

const rate = (mean: number): number => Math.min(5, Math.max(1, Math.round(mean + rng.normal())));

/** Ratings of 30 items by 4 raters. */
const CELLS = times(30, (i) => times(4, (r) => ({ item: `i${i}`, rater: `r${r}`, scores: [rate(3), rate(4)] }))).flat();

it.each([
  ["score", () => Number(rng.uniform() < 0.5)],
  ["f1", () => rng.uniform()],
])("gives no verdict where one task has proportions of %s and another points out of 100", async (name, share) => {
  const rows = times(80, (i) =>
    ["old", "new"].map((s, k) => `${s},${i % 2 ? "qa" : "mt"},${i},${i % 2 ? share() : 40 + 3 * k + 8 * rng.normal()}`),
  );
  const data = await readText("r.csv", lines([`model,task,id,${name}`, ...rows.flat()]));
  const { main } = compare(data);
  expect([main.verdict, main.reason]).toEqual(["NONE", expect.stringContaining("do not share a scale")]);
  expect(compare(data, { where: ["task == 'mt'"] }).main.verdict).not.toBe("NONE");
});

describe("ratings", () => {
  const sheet = (name: string, write: (value: number, row: number, rater: string) => number) =>
    readText(
      "r.csv",
      lines([
        `item,system,rater,${name}`,
        ...CELLS.flatMap(({ item, rater, scores }, i) =>
          scores.map((own, s) => `${item},${"AB"[s]},${rater},${write(own, 2 * i + s, rater)}`),
        ),
      ]),
    );

  it("of raters on scales of their own have no verdict, and ask for one scale of all raters", async () => {
    const result = compare(await sheet("rating", (value, _, rater) => (rater === "r3" ? value * 19 : value)));
    expect(result.main.verdict).toBe("NONE");
    expect(flat(result)).toContain("Write the scores of all raters on one scale");
  });

  it("of quality (1-5) that hold zeros have no verdict", async () => {
    const data = await sheet("quality (1-5)", (value, row) => (row % 40 === 7 ? 0 : value));
    expect(compare(data).main.verdict).toBe("NONE");
    expect(flat(compare(data))).toContain("6 of 240 values of quality (1-5) are not on its scale (0)");
    expect(compare(data, { where: ["`quality (1-5)` >= 1"] }).main.verdict).toBe("BETTER");
  });
});

describe("words of raters", () => {
  it("are taken as nominal with a sentence on how to give their order", async () => {
    const words = ["trivial", "serious", "fatal"];
    const { table } = await csv(
      "item,rater,severity",
      ...times(32, (i) => `${i >> 1},r${i % 2},${words[((i >> 1) + (i % 2) * Number(i % 3 === 0)) % 3]}`),
    );
    const roles = { item: ["item"], rater: "rater", label: "severity", replicates: 0 };
    const screen = (found: ReturnType<typeof measureAgreement>): string => JSON.stringify(found.display().screen);
    expect(screen(measureAgreement(table, roles))).toMatch(/treated as nominal.*option `categories`/);
    expect(screen(measureAgreement(table, { ...roles, categories: words }))).not.toContain("treated as nominal");
  });
});

it("names the words of raters that nobody can put in order", async () => {
  const words = ["crimson", "teal", "ochre"];
  const rows = times(48, (i) => `s${i >> 2},${"PQ"[i % 2]},r${(i >> 1) % 2},${words[(i * 5) % 3]}`);
  const found = await csv("segment,system,annotator,quality", ...rows);
  expect(() => compare(found)).toThrow("the cells of quality are not numbers");
});

describe("rows that are not results", () => {
  const rows = times(24, (i) => `${i >> 1},${["old", "new"][i % 2]},${i % 3 === 0 ? 1 : 0}`);
  const sums = ["old", "new"].map((own) => rows.filter((row) => row.endsWith(`${own},1`)).length);

  it("leave the total of each system out", async () => {
    const found = await csv("id,system,correct", ...rows, `Total,old,${sums[0]}`, `Total,new,${sums[1]}`);
    expect([found.items, found.table.rows]).toEqual([12, 24]);
    expect(said(found)).toContain("The last 2 rows (id: Total) sum up those above and are left out.");
    // a word that sums nothing up stays
    const word = await csv("id,system,correct", ...rows, "Total,old,1", "Total,new,0");
    expect(word.items).toBe(13);
  });
});

const numbers = (cells: unknown): number[] => [...(cells as { values: Float64Array }).values];

describe("numbers in a table made for readers", () => {
  it("are percentages with and without the sign, but not next to 0.61", async () => {
    const both = await csv(
      "model,dataset,accuracy",
      ...times(12, (i) => `m${i % 2},d${i >> 1},${i % 3 ? 40 + i : `${50 + i}%`}`),
    );
    expect(numbers(both.table.columns.get("accuracy")).slice(0, 3)).toEqual([50, 41, 42]);
    const scales = await csv(
      "model,dataset,accuracy",
      ...times(12, (i) => `m${i % 2},d${i >> 1},${i % 3 ? 0.4 : `${50 + i}%`}`),
    );
    expect(scales.table.columns.get("accuracy")?.kind).toBe("factor");
  });
});

describe("counts of a total", () => {
  it("are never read as percent, whatever --metric names", async () => {
    const same = await csv("model,correct,total", "a,80,164", "b,90,164");
    // 80 of 164 has the standard error of 0.488, not of 0.8
    expect(testTotals(same, { metric: "correct" }).systems.map(({ se }) => se)[1]).toBeCloseTo(
      164 * Math.sqrt(((80 / 164) * (84 / 164)) / 164),
      10,
    );
    const other = await csv("model,correct,total", "a,80,164", "b,90,200");
    expect(() => testTotals(other, { metric: "correct" })).toThrow();
  });
});

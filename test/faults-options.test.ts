/** Options that were accepted and did nothing, each test named after what went wrong. */
import { describe, expect, it } from "vitest";
import { type CompareOptions, type ComparisonJson, compare, comparisonTable, makeRng } from "../src/index.ts";
import { lines, readText, times } from "./support/read-text.ts";

const SYSTEMS = ["m1", "m2", "m3"];

/** Three seeds of three systems on 24 questions of 8 documents. */
async function runs() {
  const rng = makeRng("runs");
  const ease = times(24, () => rng.normal());
  const rows = SYSTEMS.flatMap((model, k) =>
    times(3, (seed) =>
      times(
        24,
        (i) =>
          `${model},${seed},q${i},${0.3 * k + ease[i]! + rng.normal() > 0 ? 1 : 0},d${i % 8},${i % 2 ? "de" : "fr"},same`,
      ),
    ).flat(),
  );
  return readText("runs.csv", lines(["model,seed,question,accuracy,doc,lang,constant", ...rows]));
}

const screenOf = (result: ReturnType<typeof compare>): string => JSON.stringify(result.display().screen);

describe("independent samples", () => {
  const refused: readonly (readonly [CompareOptions, RegExp])[] = [
    [{ ddf: "none" }, /`ddf` does nothing without a mixed model/],
    [{ scope: ["raters"] }, /`scope` raters: the data, or the test, have no two of them/],
    [{ test: "permutation" }, /cannot be dealt out anew one by one/],
  ];
  it.each(refused)("took %j and ignored it", async (options, message) => {
    const data = await runs();
    expect(() => compare(data, { unpaired: true, ...options })).toThrow(message);
  });

  it("claimed clusters whatever the scope, and never said for which runs", async () => {
    const data = await runs();
    const [whole, own] = [undefined, ["items"] as const].map((scope) => compare(data, { unpaired: true, scope }));
    expect(whole!.scope).toEqual(["items", "clusters"]);
    expect(own!.scope).toEqual(["items"]);
    expect(own!.main.test.p).not.toBe(whole!.main.test.p);
    expect(screenOf(own!)).toContain("for these three runs; for these eight clusters");
  });
});

describe("a grouping that the data do not have", () => {
  const refused: readonly (readonly [CompareOptions, RegExp])[] = [
    [{ cluster: "seed" }, /seed is missing or differs between the rows of one item, so it cannot be a cluster/],
    [{ cluster: "constant" }, /all items that are compared lie in one constant/],
    [{ run: "doc" }, /every item has one doc only, so that nothing is repeated by it/],
    [{ slice: ["seed"] }, /items cannot be sliced by it/],
    [{ slice: ["constant"] }, /the same for all items that are compared/],
    [{ slice: ["lang"], where: ["lang == 'de'"] }, /the same for all items that are compared/],
    [{ item: "doc", cluster: "doc" }, /`item` and `cluster` both name doc/],
    [{ by: "model" }, /model names the systems/],
    [{ by: "question" }, /question names the items/],
    [{ baseline: "m1", systems: ["m2", "m3"] }, /`baseline` m1: it is not among option `systems` m2,m3/],
  ];
  it.each(refused)("%j was answered without it", async (options, message) => {
    const data = await runs();
    expect(() => compare(data, options)).toThrow(message);
  });

  it("clusters of single items, and few guessed groups, are still answered", async () => {
    const data = await runs();
    expect(compare(data, { cluster: "doc", slice: ["lang"] }).slices).toHaveLength(1);
    const alone = await readText(
      "own.csv",
      lines([
        "model,id,acc,doc",
        ...["a", "b"].flatMap((m, k) => times(20, (i) => `${m},${i},${(i + k) % 3 ? 1 : 0},own${i}`)),
      ]),
    );
    expect(compare(alone, { cluster: "doc" }).clusters).toBeUndefined();
  });

  it("levels that files call by two names were a fixed and a random effect of one model, which did not settle", async () => {
    const rng = makeRng("topics");
    const rows = times(60, (i) => [`q${i}`, `t${i % 6}`, `s${i % 6}`]);
    const text = lines([
      "model,id,acc,topic,source",
      ...["a", "b"].flatMap((model, k) =>
        rows.map((row) => [model, row[0], rng.uniform() < 0.5 + 0.2 * k ? 1 : 0, row[1], row[2]].join(",")),
      ),
    ]);
    const data = await readText("topics.csv", text);
    const result = compare(data, { by: "source" });
    expect(result.main.verdict).not.toBe("NONE");
    expect(result.diagnostics.map(({ code }) => code)).toContain("GroupsCompared");
    expect(() => compare(data, { by: "source", cluster: "topic" })).toThrow(/takes them for a sample of others/);
  });

  it("one rater with a number for a name made a mixed model of scores without raters", async () => {
    const data = await runs();
    expect(compare(data, { mutate: ["judge = 1"], rater: "judge", systems: ["m1", "m2"] }).model).toBeUndefined();
  });
});

describe("tries", () => {
  it("took errors and unscored where nothing is missing, without a word", async () => {
    const data = await runs();
    expect(() => compare(data, { metric: "pass@2", errors: "failures" })).toThrow(/no column says which rows/);
    const codes = compare(data, { metric: "pass@2", unscored: "wrong" }).diagnostics.map(({ code }) => code);
    expect(codes).toContain("Coverage");
  });
});

describe("replicates beside an exact test", () => {
  it("drew nothing and nobody said so", async () => {
    const data = await runs();
    const one: CompareOptions = { cluster: "none", scope: ["items"], systems: ["m1", "m2"], where: ["seed == 0"] };
    expect(screenOf(compare(data, { ...one, replicates: 333 }))).toContain(
      "The test is exact, so replicates 333 draws nothing.",
    );
    expect(screenOf(compare(data, one))).not.toContain("draws nothing");
  });
});

describe("the table of a spreadsheet", () => {
  it("had the p of one test and the name of another", async () => {
    const result = compare(await runs(), { systems: ["m1", "m3"] });
    const { head, rows } = comparisonTable(result);
    const cell = (name: string) => rows[0]![head.indexOf(name)];
    expect(result.main.p).not.toBe(result.main.test.p);
    expect([cell("p"), cell("adjusted p")]).toEqual([result.main.p, result.main.p]);
    expect(cell("test")).toBe("t test over 3 runs of each system");
  });

  it("left the margin out", async () => {
    const result = compare(await runs(), { systems: ["m1", "m3"], margin: 0.1 });
    const { head, rows } = comparisonTable(result);
    expect(head.slice(-2)).toEqual(["margin", "equivalence p"]);
    expect(rows[0]!.slice(-2)).toEqual([0.1, result.main.equivalence!.p]);
  });

  it("held one metric of all", async () => {
    const data = await readText(
      "two.csv",
      lines([
        "model,id,f1,latency",
        ...["a", "b"].flatMap((m, k) =>
          times(20, (i) => `${m},${i},${0.3 + ((i * 7 + k) % 11) / 20},${1 + ((i * 3 + k) % 7) / 5}`),
        ),
      ]),
    );
    const table = comparisonTable(compare(data, { metric: "all" }));
    expect(table.rows.map(([metric]) => metric)).toEqual(["f1", "latency"]);
  });
});

describe("texts", () => {
  it("took a tokeniser for chrF and TER, which have none", () => {
    const data = { hypotheses: { a: ["a b c", "d e"], b: ["a b d", "d e"] }, references: [["a b c", "d f"]] };
    for (const metric of ["chrf", "ter"])
      expect(() => compare(data, { metric, tokenise: "char" })).toThrow(/`tokenise` does nothing with/);
    expect(compare(data, { tokenise: "char" }).metric).toBe("BLEU");
  });
});

describe("a system whose name tells of its numbers", () => {
  it("was false positives, so that counts were systems and systems were scores", async () => {
    const rows = ["model,n,correct", "qwen-72b-fp8-a,500,400", "qwen-72b-fp8-b,500,430"];
    const { imported } = await readText("totals.csv", lines(rows));
    expect(imported.roles.system).toBe("model");
  });
});

describe("the test and the p of a pair in JSON", () => {
  it("were of two tests: permutation beside the p over runs", async () => {
    const { pairs } = compare(await runs(), { adjust: "none" }).toJSON() as unknown as ComparisonJson;
    const others = pairs.filter(({ p, testDetails }) => p !== testDetails.p);
    expect(others.length).toBeGreaterThan(0);
    for (const { p, test, facets } of others) expect(facets!.find(({ label }) => label === test)?.p).toBe(p);
    for (const { p, test, testDetails } of pairs) if (p === testDetails.p) expect(test).toBe(testDetails.name);
  });
});

describe("rows with an error, some of them scored", () => {
  /** Every tenth row has an error: without a score, wrong or right all the same. */
  const log = (system: string, every: number) =>
    times(60, (i) => {
      const error = i % 10 === every ? "timeout after 60s" : "";
      const score = error !== "" && i % 20 < 10 ? "" : i % 3 === 0 || i === 10 + every ? 1 : 0;
      return `${system},q${i},${score},${error}`;
    });
  const read = (name: string) =>
    readText("log.csv", lines([`model,question,correct,${name}`, ...log("old", 3), ...log("new", 7)]));

  it("were told of in no line", async () => {
    const told = compare(await read("error")).diagnostics.find(({ code }) => code === "Errored");
    expect(told?.message).toContain(
      "rows that ended in an error (error: 3 of old, 3 of new, without a score; 6 with one keep it)",
    );
  });

  it("a note on the side is no error", async () => {
    const codes = compare(await read("remark")).diagnostics.map(({ code }) => code);
    expect(codes).not.toContain("Errored");
  });
});

it("classes of raters, who are a sample of the same model, gave a model that did not settle", async () => {
  const rng = makeRng("classes");
  const rows = times(20, (i) =>
    ["A", "B"].flatMap((system) =>
      ["r1", "r2", "r3"].map(
        (rater) => `q${i},${system},${rater},${1 + rng.int(5)},${rater === "r1" ? "lay" : "expert"}`,
      ),
    ),
  );
  const data = [await readText("rated.csv", lines(["item,system,rater,rating,group", ...rows.flat()]))];
  expect(() => compare(data, { by: "rater" })).toThrow(/rater names the raters, who are a sample in the model/);
  expect(compare(data, { by: "group" }).pairs[0]!.verdict).toBe("INCONCLUSIVE");
});

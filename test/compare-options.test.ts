/** Options of compare that are refused, or do what they say. */

import { describe, expect, it } from "vitest";
import { type CompareOptions, type ComparisonJson, compare, comparisonTable, makeRng } from "../src/index.ts";
import { codesOf, lines, readText, times } from "./support/read-text.ts";

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
  return readText("runs.csv", lines(["model,seed,question,accuracy,page,lang,constant", ...rows]));
}

const screenOf = (result: ReturnType<typeof compare>): string => JSON.stringify(result.display().screen);

describe("independent samples", () => {
  const refused: readonly (readonly [CompareOptions, RegExp])[] = [
    [{ ddf: "none" }, /`ddf` has no effect with independent samples: it is for a mixed model/],
    [{ scope: ["raters"] }, /`scope` raters: the data, or the test, have no two of them/],
    [{ test: "permutation", cluster: "page" }, /are not exchangeable one by one/],
  ];
  it.each(refused)("refuse %j, which has no effect", async (options, message) => {
    const data = await runs();
    expect(() => compare(data, { unpaired: true, ...options })).toThrow(message);
  });

  it("claim what the scope says, and for which runs", async () => {
    const data = await runs();
    const [whole, own] = [undefined, ["items"] as const].map((scope) =>
      compare(data, { unpaired: true, scope, cluster: "page" }),
    );
    expect(whole!.scope).toEqual(["items", "clusters"]);
    expect(own!.scope).toEqual(["items"]);
    expect(own!.main.test.p).not.toBe(whole!.main.test.p);
    expect(screenOf(own!)).toContain("for these three runs only; for these eight clusters only");
  });
});

describe("names and choices", () => {
  const refused: readonly (readonly [object, RegExp])[] = [
    [{ marign: 1 }, /there is no option `marign` of compare/],
    [{ test: "permutaton" }, /option `test: permutaton`: there is no such choice/],
    [{ by: "lang", test: "t" }, /`by` has no effect with paired scores: it is for a mixed model/],
    [{ slice: ["lang"], test: "model" }, /`slice` has no effect with a mixed model: it is for paired scores/],
    [{ tokenise: "char" }, /`tokenise` has no effect with paired scores: it is for texts and references/],
    [{ cut: [1] }, /`cut` has no effect without option `by`/],
  ];
  it.each(refused)("refuse %j", async (options, message) => {
    const data = await runs();
    expect(() => compare(data, options)).toThrow(message);
  });

  it("say which option is meant", async () => {
    const data = await runs();
    const fixOf = (options: object): string => {
      try {
        compare(data, options);
      } catch (error) {
        return (error as { readonly fix: string }).fix;
      }
      return "";
    };
    expect(fixOf({ marign: 1 })).toBe("Did you mean `margin`?");
    expect(fixOf({ test: "permutaton" })).toMatch(/^Did you mean permutation\?/);
  });
});

describe("a grouping that the data do not have", () => {
  const refused: readonly (readonly [CompareOptions, RegExp])[] = [
    [{ cluster: "seed" }, /144 rows repeat others/],
    [{ cluster: "constant" }, /All compared items are in one constant/],
    [{ run: "page" }, /144 rows repeat others/],
    [{ slice: ["seed"] }, /so it cannot slice the items/],
    [{ slice: ["constant"] }, /the same for all compared items/],
    [{ slice: ["lang"], where: ["lang == 'de'"] }, /the same for all compared items/],
    [{ item: "page", cluster: "page" }, /`item` and `cluster` both name page/],
    [{ by: "model" }, /model names the systems/],
    [{ by: "question" }, /question names the items/],
    [{ baseline: "m1", systems: ["m2", "m3"] }, /`baseline` m1: it is not among option `systems` m2,m3/],
  ];
  it.each(refused)("is refused: %j", async (options, message) => {
    const data = await runs();
    expect(() => compare(data, options)).toThrow(message);
  });

  it("is answered of clusters of single items", async () => {
    const data = await runs();
    expect(compare(data, { cluster: "page", slice: ["lang"] }).slices).toHaveLength(1);
    const alone = await readText(
      "own.csv",
      lines([
        "model,id,acc,doc",
        ...["a", "b"].flatMap((m, k) => times(20, (i) => `${m},${i},${(i + k) % 3 ? 1 : 0},own${i}`)),
      ]),
    );
    expect(compare(alone, { cluster: "doc" }).clusters).toBeUndefined();
  });

  it("makes no mixed model of one rater with a number for a name", async () => {
    const data = await runs();
    expect(compare(data, { mutate: ["judge = 1"], rater: "judge", systems: ["m1", "m2"] }).model).toBeUndefined();
  });
});

describe("tries", () => {
  it("refuses errors and unscored where nothing is missing", async () => {
    const data = await runs();
    expect(() => compare(data, { metric: "pass@2", errors: "failures" })).toThrow(/no column says which rows/);
    const codes = codesOf(compare(data, { metric: "pass@2", unscored: "wrong" }));
    expect(codes).toContain("Coverage");
  });
});

describe("replicates next to an exact test", () => {
  it("draw nothing, and it is said", async () => {
    const data = await runs();
    const one: CompareOptions = { cluster: "none", scope: ["items"], systems: ["m1", "m2"], where: ["seed == 0"] };
    expect(screenOf(compare(data, { ...one, test: "permutation", replicates: 333 }))).toContain(
      "The test is exact, so option replicates has no effect.",
    );
    expect(screenOf(compare(data, { ...one, test: "permutation" }))).not.toContain("uses no random replicates");
  });
});

describe("the table of a spreadsheet", () => {
  it("has the p and the name of one test", async () => {
    const result = compare(await runs(), { systems: ["m1", "m3"] });
    const { head, rows } = comparisonTable(result);
    const cell = (name: string) => rows[0]![head.indexOf(name)];
    expect(result.main.p).not.toBe(result.main.test.p);
    expect([cell("p"), cell("adjusted p")]).toEqual([result.main.p, result.main.p]);
    expect(cell("test")).toBe("t test over 3 runs of each system");
  });

  it("has the margin", async () => {
    const result = compare(await runs(), { systems: ["m1", "m3"], margin: 0.1 });
    const { head, rows } = comparisonTable(result);
    expect(head.slice(-2)).toEqual(["margin", "equivalence p"]);
    expect(rows[0]!.slice(-2)).toEqual([0.1, result.main.equivalence!.p]);
  });
});

describe("texts", () => {
  it("refuse a tokenizer for chrF and TER, which have none", () => {
    const data = { hypotheses: { a: ["a b c", "d e"], b: ["a b d", "d e"] }, references: [["a b c", "d f"]] };
    for (const metric of ["chrf", "ter"])
      expect(() => compare(data, { metric, tokenise: "char" })).toThrow(/`tokenise` has no effect with/);
    expect(compare(data, { tokenise: "char" }).metric).toBe("BLEU");
  });
});

describe("the test and the p of a pair in JSON", () => {
  it("are of one test", async () => {
    const { pairs } = compare(await runs(), { adjust: "none" }).toJSON() as unknown as ComparisonJson;
    const others = pairs.filter(({ p, testDetails }) => p !== testDetails.p);
    expect(others.length).toBeGreaterThan(0);
    for (const { p, test, facets } of others) expect(facets!.find(({ label }) => label === test)?.p).toBe(p);
    for (const { p, test, testDetails } of pairs) if (p === testDetails.p) expect(test).toBe(testDetails.name);
  });
});

it("refuses classes of raters, who are a sample of the same model", async () => {
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

describe("columns beside the scores", () => {
  const file = (): ReturnType<typeof readText> => {
    const rng = makeRng("beside");
    const rows = ["a", "b"].flatMap((model) =>
      times(
        40,
        (i) => `${model},q${i},${rng.uniform() < 0.7 ? 1 : 0},${1 + (i % 3)},${(200 + 50 * rng.normal()).toFixed(1)}`,
      ),
    );
    return readText("beside.csv", lines(["model,question,correct,weight,latency_ms", ...rows]));
  };

  it("of weights are named as unused", async () => {
    expect(codesOf(compare(await file(), { metric: "correct" }))).toContain("WeightsUnused");
    expect(codesOf(compare(await file(), { metric: "correct", slice: ["weight"] }))).not.toContain("WeightsUnused");
  });

  it("of latency are compared with all metrics, less being better", async () => {
    const { grid } = JSON.parse(JSON.stringify(compare(await file(), { metric: "all" }))) as ComparisonJson;
    expect(grid!.map(({ metric }) => metric)).toEqual(["correct", "latency_ms"]);
    expect(compare(await file(), { metric: "latency_ms" }).higherIsBetter).toBe(false);
  });
});

/** What the rows are units of: clusters, prompts, tries, runs and data sets. What no column says is asked. */

import { describe, expect, it } from "vitest";
import { type CompareOptions, compare, makeRng } from "../src/index.ts";
import { friedmanTest, wilcoxonTest } from "../src/tests.ts";
import { gosset, gossetJson } from "./support/cli.ts";
import { codesOf, flat, lines, readText, times, warned } from "./support/read-text.ts";

const RATERS = ["r1", "r2", "r3", "r4"];
const rate = (mean: number): number => Math.min(5, Math.max(1, Math.round(mean)));

/** Ten sentences in each of eight documents, numbered again in each; which system is better depends on the document. */
function sentences(name: (doc: number) => string, low = false) {
  const rng = makeRng("sentences");
  const rows = times(8, (doc) => {
    const [ease, lean] = [rng.normal(), rng.normal()];
    return times(10, (k) =>
      ["A", "B"].flatMap((system) =>
        RATERS.map((rater) => {
          const score = rate(3 + ease + (system === "A" ? lean : -lean) / 2 + rng.normal());
          return `${name(doc)},${k + 1},${system},${rater},${low && doc === 7 ? 1 + ((k + rater.length + score) % 3) : score}`;
        }),
      ),
    ).flat();
  }).flat();
  return readText("data.csv", lines(["doc,sentence_id,system,rater,score", ...rows]));
}

describe("sentences numbered again in each document", () => {
  const layouts: readonly (readonly [string, (doc: number) => string, CompareOptions])[] = [
    ["documents have names", (doc) => `doc${doc}`, { cluster: "doc", item: "doc,sentence_id" }],
    ["documents have numbers", (doc) => String(doc), { cluster: "doc", item: "doc,sentence_id" }],
  ];
  it.each(layouts)("are asked about, and are 80 items in 8 clusters where %s", async (_, name, options) => {
    const data = await sentences(name);
    expect(() => compare(data)).toThrow("560 rows repeat others in system, sentence_id, rater");
    const result = compare(data, options);
    expect(result.n).toBe(80);
    expect(result.clusters).toBe(8);
    expect(result.scope).toEqual(["items", "raters", "clusters"]);
  });
});

/** Twelve prompts in each document, four raters: each document has its own favourite, and neither system is better. */
function votes(seed: string, { documents = 8, again = false } = {}) {
  const rng = makeRng(seed);
  const rows = times(documents, (doc) => {
    const share = 1 / (1 + Math.exp(-1.5 * rng.normal()));
    return times(12, (k) =>
      RATERS.map((rater) => {
        const sides = rng.uniform() < 0.5 ? "ada,bob" : "bob,ada";
        return `d${doc},${again ? k : `d${doc}_${k}`},${rater},${sides},${rng.uniform() < 0.1 ? "tie" : rng.uniform() < share ? "ada" : "bob"}`;
      }),
    ).flat();
  }).flat();
  return readText("data.csv", lines(["document,item,rater,system_a,system_b,winner", ...rows]));
}

describe("votes on prompts of documents", () => {
  it("generalize to new documents by the documents, not by the prompts", async () => {
    const results = await Promise.all(times(20, async (k) => compare(await votes(`null ${k}`))));
    const claims = results.filter(({ main }) => main.p < 0.05);
    // 1 of 20 is expected by chance
    expect(claims.length).toBeLessThanOrEqual(3);
    expect(results[0]!.scope).toEqual(["items", "raters", "clusters", "prompts"]);
    expect(results[0]!.main.facets?.map(({ label }) => label)).toContain("t test over 8 clusters");
    expect(flat(results[0]!)).toContain("Votes are clustered by document.");
  });

  it("take documents as clusters, or none", async () => {
    const data = await votes("null 1");
    expect(compare(data, { cluster: "document" }).main.p).toBe(compare(data).main.p);
    expect(compare(data, { cluster: "none" }).scope).toEqual(["items", "raters", "prompts"]);
    expect(() => compare(data, { cluster: "rater" })).toThrow("rater");
  });

  it("that are numbered again in each document are prompts of their own", async () => {
    const [own, again] = await Promise.all([votes("null 2"), votes("null 2", { again: true })]);
    expect(compare(again).main.p).toBe(compare(own).main.p);
    expect(compare(again).repeated.find(({ facet }) => facet === "prompts")?.levels).toBe(96);
  });

  it("of three documents are about these three", async () => {
    const result = compare(await votes("null 3", { documents: 3 }));
    expect(result.scope).toEqual(["items", "raters", "prompts"]);
    expect(flat(result)).toContain("the 3 levels of document are too few to be clusters");
  });
});

describe("tries that stop at the first success", () => {
  const tried = async (stops: boolean) => {
    const rng = makeRng("tries");
    const rows = times(40, (i) =>
      ["old", "new"].flatMap((system) => {
        const outcomes = times(1 + rng.int(3), () => (rng.uniform() < 0.5 ? 1 : 0));
        const first = outcomes.indexOf(1);
        const own = !stops ? outcomes : first < 0 ? [0, 0, 0] : outcomes.slice(0, first + 1);
        return own.map((correct, k) => `q${i},${system},${k + 1},${correct}`);
      }),
    );
    return [await readText("tries.csv", lines(["item,system,attempt,correct", ...rows.flat()]))];
  };

  it("have no verdict, and the first tries have one", async () => {
    const parts = await tried(true);
    const { verdict, reason } = compare(parts).pairs[0]!;
    expect([verdict, reason]).toEqual(["NONE", expect.stringContaining("stop at the first correct of 1")]);
    expect(compare(parts, { where: ["attempt == 1"] }).pairs[0]!.verdict).toBe("INCONCLUSIVE");
  });

  it("stay where their number has another reason", async () => {
    expect(compare(await tried(false)).pairs[0]!.verdict).toBe("INCONCLUSIVE");
  });
});

it("leaves rows of another task out, which are not rows without a score", async () => {
  const rows = ["old", "new"].flatMap((m, s) => [
    ...times(60, (i) => `${m},arc,${i},${(i * 7 + s) % 10 < 5 + s ? 1 : 0},`),
    ...times(20, (i) => `${m},squad,${i},,0.${10 + ((i * 7 + s * 13) % 80)}`),
  ]);
  const result = compare(await readText("t.csv", lines(["model,benchmark,id,acc,f1", ...rows])), { metric: "acc" });
  expect(result.n).toBe(60);
  expect(codesOf(result)).toContain("OtherTasks");
  expect(codesOf(result)).not.toContain("MissingScores");
});

const rng = makeRng("variants");

describe("votes that repeat few prompts", () => {
  /** Eight prompts, of which five lean one way: by votes p < 0.001, by prompts there is nothing to see. */
  const votes = times(160, (i) => {
    const prompt = i % 8;
    return { prompt: `p${prompt}`, judge: `j${i % 5}`, won: rng.uniform() < (prompt < 5 ? 0.85 : 0.2) };
  });
  const arena = (name: string): string =>
    lines([
      `${name},turker,model_a,model_b,winner`,
      ...votes.map((v, i) =>
        Math.floor(i / 8) % 2 === 0
          ? `${v.prompt},${v.judge},X,Y,${v.won ? "model_a" : "model_b"}`
          : `${v.prompt},${v.judge},Y,X,${v.won ? "model_b" : "model_a"}`,
      ),
    ]);

  it.each(["task_id", "Prompt ID", "stimulus", "task"])("counts prompts called %s", async (name) => {
    const result = compare(await readText("votes.csv", arena(name)));
    expect(result.repeated.find(({ facet }) => facet === "prompts")?.levels).toBe(8);
    expect(result.main.verdict).toBe("INCONCLUSIVE");
  });
});

describe("one number for each data set", () => {
  const rng = makeRng("sets");
  const sets = times(12, (i) => {
    const level = 50 + 40 * rng.uniform();
    return [`d${i}`, ...times(4, (s) => Number((level + s + 2 * rng.normal()).toFixed(1)))] as [string, ...number[]];
  });
  const column = (s: number): number[] => sets.map((row) => row[s + 1] as number);

  it("are data sets under the signed-rank test", async () => {
    const text = lines(["dataset,baseline,ours", ...sets.map(([name, a, , c]) => `${name},${a},${c}`)]);
    const { main, units, n, slices } = compare(await readText("agg.csv", text), {
      higherIsBetter: true,
      systems: ["baseline", "ours"],
    });
    expect([units, n, slices]).toEqual(["data sets", 12, []]);
    const oracle = wilcoxonTest(column(2), column(0));
    expect([main.test.name, main.p]).toEqual(["wilcoxon", oracle.p]);
    expect([main.ci.lower, main.ci.upper]).toEqual([oracle.effect.lower, oracle.effect.upper]);
    expect(
      Object.values(main.flips!)
        .flat()
        .map((flip) => (flip as { item: string }).item ?? flip)
        .join(),
    ).not.toContain("/");
  });

  it("have a critical difference where there are four systems", async () => {
    const text = lines(["Dataset;svm;nb;rf;knn", ...sets.map((row) => row.join(";"))]);
    const result = compare(await readText("four.csv", text), {
      higherIsBetter: true,
      systems: ["svm", "nb", "rf", "knn"],
    });
    expect(result.systems.map(({ name }) => name)).toEqual(["svm", "nb", "rf", "knn"]);
    const oracle = friedmanTest(sets.map(([, ...row]) => row));
    expect(result.omnibus!.criticalDifference).toBeCloseTo(oracle.criticalDifference, 12);
    // the best has the lowest rank
    expect(result.omnibus!.ranks).toEqual(oracle.meanRanks.map((rank) => 5 - rank));
    expect(flat(result)).toContain("(critical difference)");
  });
});

it("does not pair ids that differ in case or leading zeros", async () => {
  const part = (name: string, id: (i: number) => string) =>
    readText(name, lines(["id,correct", ...times(40, (i) => `${id(i)},${i % 2}`)]));
  for (const spell of [(i: number) => `q${i}`, (i: number) => `Q0${i}`]) {
    const files = [await part("a.csv", (i) => `Q${i}`), await part("b.csv", spell)];
    expect(() => compare(files)).toThrow("no item has a score from every system");
  }
});

it("pairs rows without ids by their order where the user says so", async () => {
  const bare = (name: string, rows: number) =>
    readText(name, lines(["correct,note", ...times(rows, (i) => `${(i * name.length) % 10 < 5 ? 1 : 0},x`)]));
  const files = [await bare("old.csv", 40), await bare("newer.csv", 40)];
  expect(() => compare(files)).toThrow("which column names the items?");
  expect(compare(files, { byRow: true }).n).toBe(40);
  const shorter = [files[0]!, await bare("newer.csv", 39)];
  expect(() => compare(shorter, { byRow: true })).toThrow(/different numbers of rows/);
});

describe("a property of the output", () => {
  const rng = makeRng("tokens");
  const rows = times(60, (i) =>
    ["A", "B"].map(
      (m, s) => `${m},q${i},${rng.int(2)},${200 + 120 * s + rng.int(90)},t${i % 6},${s === 0 ? "AB" : "BA"}`,
    ),
  ).flat();
  const text = lines(["model,id,correct,output_tokens,topic,order", ...rows]);

  it("is not a property of the items by which they are grouped", async () => {
    const file = await readText("r.csv", text);
    expect(() => compare(file, { by: "output_tokens" })).toThrow(/not the same for every model on one id/);
    expect(compare(file, { by: "topic" }).main.verdict).toBeDefined();
  });
});

describe("rows that depend on each other", () => {
  const long = times(10, (k) => [`svm,${k},0.${80 + ((k * 7) % 5)}`, `rf,${k},0.${80 + ((k * 3) % 7)}`]).flat();
  const wide = times(10, (k) => `${k},0.${80 + ((k * 7) % 5)},0.${80 + ((k * 3) % 7)}`);

  it.each(["fold", "step", "epoch"])("are not items by themselves: %s", async (name) => {
    const below = await readText("r.csv", lines([`model,${name},accuracy`, ...long]));
    expect(() => compare(below)).toThrow("which column names the items?");
    const sides = await readText("r.csv", lines([`${name},base,ours`, ...wide]));
    expect(() => compare(sides, { systems: ["base", "ours"] })).toThrow("which column names the items?");
    expect(compare(sides, { systems: ["base", "ours"], item: name }).n).toBe(10);
  });

  it("are not items where raters or runs are next to each system's column", async () => {
    const rows = times(60, (i) => `${i % 20},r${i % 3},${1 + ((i * 7) % 5)},${1 + ((i * 3) % 5)}`);
    for (const name of ["annotator", "seed"]) {
      const data = await readText("r.csv", lines([`nr,${name},A,B`, ...rows]));
      expect(() => compare(data, { systems: ["A", "B"] })).toThrow("which column names the items?");
      expect(compare(data, { systems: ["A", "B"], item: "nr" }).n).toBe(20);
    }
  });

  it("are asked about where no column tells them apart, and may be runs", async () => {
    const rows = times(80, (k) => `q${k >> 1},${"AB"[k % 2]},${(k * 7) % 10}`);
    const few = await readText("r.csv", lines(["item,system,score", ...rows, "q0,B,4", "q1,B,5"]));
    expect(() => compare(few)).toThrow(
      "2 rows repeat others in system, item (the first: B, q0): what distinguishes them?",
    );
    expect(warned(compare(few, { run: "rows" }))).toContain("2 on each would be 80: A has 40, B has 42.");
    const parts = await readText(
      "r.csv",
      lines(["part,item,system,score", ...["x", "y"].flatMap((p) => rows.map((row) => `${p},${row}`))]),
    );
    expect(() => compare(parts)).toThrow(expect.objectContaining({ fix: expect.stringContaining("item: item,part") }));
    expect([compare(parts, { item: "item,part" }).n, compare(parts, { run: "part" }).n]).toEqual([80, 40]);
  });

  // ids that come again under each language may be translations of one item or items of their own
  it("are asked about where every task has them", async () => {
    const rows = ["de", "fr"].flatMap((l) => times(80, (i) => `${i >> 1},${l},${"ab"[i % 2]},${i % 3 ? 1 : 0}`));
    const data = await readText("r.csv", lines(["item,lang_pair,system,correct", ...rows]));
    expect(() => compare(data)).toThrow("every lang_pair has the same values of item: are they the same items");
    const [same, apart] = [{ item: "item,lang_pair", cluster: "item" }, { cluster: "none" }].map((told) =>
      compare(data, told),
    );
    expect([same!.clusters, apart!.clusters, apart!.n]).toEqual([40, undefined, 80]);
    const uneven = await readText("r.csv", lines(["item,lang_pair,system,correct", ...rows.slice(0, -20)]));
    expect(compare(uneven).n).toBe(70);
  });

  it("are asked about where votes come again under a column of no known name", async () => {
    const votes = times(
      160,
      (i) => `p${i % 8},j${i % 5},X,Y,${(i * 7) % 20 < (i % 8 < 5 ? 17 : 4) ? "model_a" : "model_b"}`,
    );
    const data = await readText("v.csv", lines(["frage_nr,rater,model_a,model_b,winner", ...votes]));
    expect(() => compare(data)).toThrow("which column names the prompts of the votes?");
    expect(compare(data, { item: "frage_nr" }).scope).toContain("prompts");
  });
});

/** Right on all but every `miss`-th item. */
const guess = (i: number, miss: number): number => (i % miss === 0 ? 1 - (i % 2) : i % 2);

describe("predictions of 0 and 1 next to gold labels", () => {
  const rows = times(300, (i) => `${i},${i % 2},${guess(i, 4)},${guess(i, 9)}`);
  const read = (head: string) => readText("predictions.csv", lines([head, ...rows]));

  it("are not scores: gold labels are asked about", async () => {
    const found = await read("id,gold,base,ours");
    expect(() => compare(found)).toThrow(/gold looks like gold labels/);
    const { systems, main } = compare(found, { gold: "gold", pred: ["base", "ours"] });
    expect(systems.map(({ score }) => Math.round(1000 * score!))).toEqual([750, 887]);
    expect(main.verdict).toBe("BETTER");
  });
});

describe("labels of raters next to gold labels", () => {
  const found = readText(
    "raters.csv",
    lines([
      "item,rater,label,gold",
      ...times(160, (i) => {
        const [item, rater] = [i >> 2, i % 4];
        const right = item % 2 === 0;
        const said = (item + rater) % (rater === 3 ? 2 : 10) === 0 ? !right : right;
        return `${item},r${rater},${said ? "yes" : "no"},${right ? "yes" : "no"}`;
      }),
    ]),
  );

  it("are set against the gold label, by rater", async () => {
    const { roles } = (await found).imported;
    expect([roles.label, roles.metrics]).toEqual(["label", []]);
    const { systems } = compare(await found, { gold: "gold", pred: ["label"], system: "rater" });
    expect(systems.map(({ score }) => score)).toEqual([0.9, 0.9, 0.9, 0.5]);
  });
});

const rating = (i: number, s: number, r: number): number => 1 + ((i * 3 + s + ((i + r) % 4 === 0 ? 1 : 0)) % 5);
const cells = times(12, (i) => i).flatMap((i) => [0, 1].map((s) => ({ i, s })));

it("leaves attention checks out, and keeps who passed them", async () => {
  const rows = ["anna", "ben", "cara"].flatMap((name, r) =>
    cells.map(({ i, s }) => `i${i},s${s},${name},${rating(i, s, r)},no`),
  );
  const checks = ["anna", "ben", "cara"].map((name) => `chk,control,${name},5,yes`);
  const { imported } = await readText("gold.csv", lines(["item,system,rater,rating,is_gold", ...rows, ...checks]));
  expect(imported.table.rows).toBe(rows.length);
  expect(imported.assumptions.join(" ")).toContain("3 of the 75 rows are marked by is_gold");
  // who passed is no mark of an item
  const passed = await readText(
    "passed.csv",
    lines([
      "item,system,rater,rating,attention_check",
      ...rows.map((row) => row.replace(/no$/, /ben/.test(row) ? "1" : "0")),
    ]),
  );
  expect(passed.imported.table.rows).toBe(rows.length);
});

it.each(["control", "is_control"])("keeps items marked %s where nobody rated", async (mark) => {
  const rows = times(80, (i) => ["A", "B"].map((s) => `${s},q${i},${Number(i % 4 === 0)},${(i * 7 + s.length) % 10}`));
  const { imported } = await readText("c.csv", lines([`system,item,${mark},score`, ...rows.flat()]));
  expect(imported.table.rows).toBe(160);
});

describe("a model that ignores items and raters", () => {
  const data = "examples/data/summaries.csv";
  it.each([
    ["fit", "lm", "rating ~ system", data],
    ["fit", "gam", "rating ~ s(words)", data],
    ["anova", "rating ~ 1", "rating ~ system", data],
  ])("warns of rows that repeat: %s %s", (...words) => {
    expect(codesOf(gossetJson(...words))).toContain("RepeatsIgnored");
    expect(gosset(...words).stdout).toMatch(/rows repeat .*rater \(9 levels\)/s);
  });
  it("says nothing of a mixed model, which knows them", () => {
    expect(codesOf(gossetJson("anova", "rating ~ (1|rater)", "rating ~ system + (1|rater)", data))).not.toContain(
      "RepeatsIgnored",
    );
  });
});

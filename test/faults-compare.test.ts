/** What compare() once made of data that people have, each test named after the fault. */
import { describe, expect, it } from "vitest";
import { compare, makeRng, type StatError, scoreText } from "../src/index.ts";
import { groupRuns } from "../src/significance/compare/reading/text-runs.ts";
import { friedmanTest, signTest, wilcoxonTest } from "../src/tests.ts";
import { lines, readFiles, readText, times } from "./support/read-text.ts";

const codes = ({ diagnostics }: { diagnostics: readonly { code: string }[] }): string[] =>
  diagnostics.map(({ code }) => code);

describe("by a column that groups the items", () => {
  /** B is better by a third of a point on each of 400 items in 20 topics. */
  async function topics() {
    const rng = makeRng("topics");
    const rows = times(400, (i) => {
      const level = rng.normal();
      return ["A", "B"].map((model, s) => `${model},q${i},t${i % 20},${(level + s / 3 + rng.normal()).toFixed(3)}`);
    });
    return readText("topics.csv", lines(["model,id,topic,score", ...rows.flat()]));
  }

  it("the topics stood in the model twice, as classes and as a sample of others, and no difference was seen", async () => {
    const result = compare(await topics(), { by: "topic" });
    expect(result.model?.formula).toBe("score ~ model * topic + (1 | id)");
    expect(result.main.verdict).toBe("BETTER");
    expect(result.scope).toEqual(["items"]);
    expect(codes(result)).toContain("GroupsCompared");
  });

  it("both at once are refused", async () => {
    const data = await topics();
    expect(() => compare(data, { by: "topic", cluster: "topic" })).toThrow(/sample of others/);
    expect(compare(data).scope).toContain("clusters");
  });
});

describe("texts of several seeds", () => {
  const rng = makeRng("seeds");
  const WORDS = ["red", "green", "blue", "house", "tree", "river"];
  const references = times(60, () => times(12, () => WORDS[rng.int(6)]).join(" "));
  const spoil = (share: number): string[] =>
    references.map((text) => text.replaceAll(/\w+/g, (word) => (rng.uniform() < share ? "x" : word)));
  const hypotheses = {
    "base.seed1": spoil(0.3),
    "base.seed2": spoil(0.34),
    "base.seed3": spoil(0.26),
    "new.seed1": spoil(0.2),
    "new.seed2": spoil(0.24),
    "new.seed3": spoil(0.16),
  };
  const bleu = (name: keyof typeof hypotheses): number => scoreText(hypotheses[name], [references]).systems[0]!.score;

  it("base.seed1 and base.seed2 were two systems, six in all with fifteen pairs", () => {
    const result = compare({ hypotheses, references: [references] });
    expect(result.systems.map(({ name }) => name)).toEqual(["base", "new"]);
    const mean = (name: string) =>
      (bleu(`${name}.seed1` as "base.seed1") +
        bleu(`${name}.seed2` as "base.seed1") +
        bleu(`${name}.seed3` as "base.seed1")) /
      3;
    expect(result.systems[0]!.score).toBeCloseTo(mean("base"), 10);
    expect(result.main.difference).toBeCloseTo(mean("new") - mean("base"), 10);
    expect([result.n, result.scope]).toEqual([60, ["items", "runs"]]);
  });

  it("a claim about other seeds must hold in the t test over the seeds", () => {
    const { main } = compare({ hypotheses, references: [references] });
    const names = Object.keys(hypotheses) as (keyof typeof hypotheses)[];
    const [a, b] = [names.slice(0, 3).map(bleu), names.slice(3).map(bleu)];
    const mean = (v: number[]) => v.reduce((sum, x) => sum + x, 0) / 3;
    const variance = (v: number[]) => v.reduce((sum, x) => sum + (x - mean(v)) ** 2, 0) / 2;
    const runs = main.facets!.find(({ parts }) => parts.length === 1)!;
    expect([runs.label, runs.df]).toEqual(["t test over 3 runs of each system", 4]);
    // pseudo-values take out the bias of single scores, which moves the standard error by little
    expect(runs.se / Math.sqrt((variance(a) + variance(b)) / 3)).toBeCloseTo(1, 1);
    expect(main.p).toBeGreaterThanOrEqual(runs.p);
  });

  it("documents, other numbers of seeds, a named scope, and files that are to stay apart", () => {
    const { "new.seed3": _, ...five } = hypotheses;
    expect(compare({ hypotheses: five, references: [references] }).main.facets![0]!.label).toBe(
      "t test over 2 and 3 runs",
    );
    const documents = times(60, (i) => `d${i % 15}`);
    const byDocument = compare({ hypotheses, references: [references], documents });
    expect(byDocument.scope).toEqual(["items", "runs", "clusters"]);
    expect(compare({ hypotheses, references: [references] }, { scope: ["items"] }).main.facets).toBeUndefined();
    expect(compare({ hypotheses, references: [references] }, { run: "none" }).systems).toHaveLength(6);
    expect(compare({ hypotheses, references: [references] }, { baseline: "new" }).systems[0]!.name).toBe("new");
  });

  it("names say what is a seed, and what is not", () => {
    const names = (list: string[]) => [...(groupRuns(list)?.keys() ?? [])];
    expect(names(["a.seed1", "a.seed2", "b.seed1"])).toEqual(["a", "b"]);
    expect(names(["run-1_a", "run-2_a", "run-1_b", "run-2_b"])).toEqual(["a", "b"]);
    expect(names(["a_s1", "a_s2", "b_s1", "b_s2"])).toEqual(["a", "b"]);
    expect(names(["base.seed1.de", "base.seed2.de", "neu.seed1.de", "neu.seed2.de"])).toEqual(["base", "neu"]);
    expect(groupRuns(["gpt-3", "gpt-4", "llama-3", "llama-4"])).toBeUndefined();
    expect(groupRuns(["systems1", "systems2", "others1", "others2"])).toBeUndefined();
    // one system is no comparison
    expect(groupRuns(["a.seed1", "a.seed2"])).toBeUndefined();
    expect(groupRuns(["a.seed1", "b.seed1"])).toBeUndefined();
  });
});

describe("tables of several seeds", () => {
  const table = (gain: number, seed: number): string =>
    lines(["id,score", ...times(40, (i) => `q${i},${(i * 7 + seed * 3) % 10 < 4 + gain ? 1 : 0}`)]);
  const read = (names: readonly string[]) =>
    Promise.all(names.map((name, k) => readText(name, table(name.startsWith("new") ? 2 : 0, k % 3))));
  const names = ["old", "new"].flatMap((system) => times(3, (k) => `${system}.seed${k + 1}.csv`));

  it("in files old.seed1.csv … new.seed3.csv were six systems", async () => {
    const files = await read(names);
    const result = compare(files);
    expect([result.systems.map(({ name }) => name), result.n]).toEqual([["old", "new"], 40]);
    expect(String(result)).toContain("old.seed1, old.seed2, old.seed3 are runs of old");
    const long = files.flatMap(({ imported: { table: own } }, k) => {
      const score = own.columns.get("score") as { values: Float64Array };
      return times(40, (i) => `q${i},${k < 3 ? "old" : "new"},${k % 3},${score.values[i]}`);
    });
    const same = compare(await readText("l.csv", lines(["id,system,seed,score", ...long])), { baseline: "old" });
    expect([result.main.difference, result.main.p]).toEqual([same.main.difference, same.main.p]);
  });

  it("stay six where the files are named, or runs are not wanted", async () => {
    const files = await read(names);
    expect(compare(files, { run: "none" }).systems).toHaveLength(6);
    expect(compare(files, { systems: ["old.seed1", "new.seed1"] }).systems).toHaveLength(2);
  });
});

describe("a script without spaces", () => {
  const references = ["今天天气很好我们去公园", "他在家里看书学习中文"];
  const hypotheses = {
    a: ["今天天气好我们去公园", "他在家看书学习中文"],
    b: ["今天天气很好去公园", "他在家里学习中文"],
  };

  it("had each sentence for a word without a word about it", () => {
    const plain = compare({ hypotheses, references: [references] });
    expect(codes(plain)).toContain("NoSpaces");
    const chinese = compare({ hypotheses, references: [references] }, { tokenise: "zh" });
    expect(codes(chinese)).not.toContain("NoSpaces");
    expect(chinese.systems[0]!.score).toBeGreaterThan(10);
    expect(codes(compare({ hypotheses, references: [references] }, { metric: "chrf" }))).not.toContain("NoSpaces");
    expect(codes(scoreText(hypotheses, [references]))).toContain("NoSpaces");
  });
});

describe("one number for each data set", () => {
  const rng = makeRng("sets");
  const sets = times(12, (i) => {
    const level = 50 + 40 * rng.uniform();
    return [`d${i}`, ...times(4, (s) => Number((level + s + 2 * rng.normal()).toFixed(1)))] as [string, ...number[]];
  });
  const column = (s: number): number[] => sets.map((row) => row[s + 1] as number);

  it("twelve data sets were twelve slices of one item, called d11/12, under a t test", async () => {
    const text = lines(["dataset,baseline,ours", ...sets.map(([name, a, , c]) => `${name},${a},${c}`)]);
    const { main, units, n, slices } = compare(await readText("agg.csv", text), { higherIsBetter: true });
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

  it("columns of four systems under any names were nothing at all, and there was no critical difference", async () => {
    const text = lines(["Dataset;svm;nb;rf;knn", ...sets.map((row) => row.join(";"))]);
    const result = compare(await readText("four.csv", text), { higherIsBetter: true });
    expect(result.systems.map(({ name }) => name)).toEqual(["svm", "nb", "rf", "knn"]);
    const oracle = friedmanTest(sets.map(([, ...row]) => row));
    expect(result.omnibus!.criticalDifference).toBeCloseTo(oracle.criticalDifference, 12);
    // the best has the lowest rank
    expect(result.omnibus!.ranks).toEqual(oracle.meanRanks.map((rank) => 5 - rank));
    expect(result.toString().replaceAll(/\s+/g, " ")).toContain("(critical difference)");
  });

  it("the sign test stands beside it", async () => {
    const rows = sets.flatMap(([name, a, , c]) => [`baseline,${name},${a}`, `ours,${name},${c}`]);
    const result = compare(await readText("long.csv", lines(["system,dataset,accuracy", ...rows])));
    expect(result.testChoice).toContain(`p = ${signTest(column(2), column(0)).p.toFixed(4)}`);
  });
});

describe("small readings", () => {
  const a = times(40, (i) => +((i * 7) % 10 < 5));
  const b = times(40, (i) => +((i * 3) % 10 < 7));
  const file = (name: string, id: (i: number) => string, scores: readonly number[]) =>
    readText(name, lines(["id,correct", ...scores.map((v, i) => `${id(i)},${v}`)]));

  it("ids that differ by spaces or case were other items", async () => {
    const files = [await file("a.csv", (i) => `Q${i}`, a), await file("b.csv", (i) => `" q${i} "`, b)];
    const result = compare(files);
    expect([result.n, codes(result).includes("SpellingsMatched")]).toEqual([40, true]);
    const same = compare([await file("a.csv", (i) => `Q${i}`, a), await file("b.csv", (i) => `Q${i}`, b)]);
    expect(result.main.difference).toBe(same.main.difference);
    expect(codes(same)).not.toContain("SpellingsMatched");
  });

  it.each(["q", "", "de-"])("ids %s7 and %s007 were other items", async (stem) => {
    const padded = (i: number): string => `${stem}${String(i).padStart(3, "0")}`;
    const result = compare([await file("a.csv", (i) => `${stem}${i}`, a), await file("b.csv", padded, b)]);
    const same = compare([await file("a.csv", padded, a), await file("b.csv", padded, b)]);
    expect([result.n, result.main.difference]).toEqual([40, same.main.difference]);
    const said = result.diagnostics.find(({ code }) => code === "SpellingsMatched")!.message;
    expect(said).toContain("differ by leading zeros only");
    // 1.5 and 1.05 are two fractions, and one system that has 7 and 07 has two items
    const fractions = [await file("a.csv", (i) => `v${i}.5`, a), await file("b.csv", (i) => `v${i}.05`, b)];
    expect(() => compare(fractions)).toThrow(/item/);
    const both = ["A", "B"].flatMap((m, s) =>
      times(20, (i) => [`${m},x${i + 1},${(i + s) % 2}`, `${m},x0${i + 1},1`]).flat(),
    );
    expect(compare(await readText("z.csv", lines(["model,id,correct", ...both]))).n).toBe(40);
  });

  it("two spellings in one system are two items", async () => {
    const rows = ["A", "B"].flatMap((model, s) =>
      times(20, (i) => [`${model},q${i},${(i + s) % 2}`, `${model},Q${i},${(i * s) % 2}`]).flat(),
    );
    const result = compare(await readText("case.csv", lines(["model,id,correct", ...rows])));
    expect([result.n, codes(result).includes("SpellingsMatched")]).toEqual([40, false]);
  });

  it("rows without ids could not be paired", async () => {
    const bare = (name: string, scores: readonly number[]) =>
      readText(name, lines(["correct,note", ...scores.map((v) => `${v},x`)]));
    const files = [await bare("a.csv", a), await bare("b.csv", b)];
    const advice = (data: Parameters<typeof compare>[0]): string => {
      try {
        compare(data);
        return "";
      } catch (error) {
        return (error as StatError).fix;
      }
    };
    expect(advice(files)).toContain("byRow");
    const result = compare(files, { byRow: true });
    const named = compare([await file("a.csv", (i) => `q${i}`, a), await file("b.csv", (i) => `q${i}`, b)]);
    expect([result.n, result.main.p, result.main.difference]).toEqual([40, named.main.p, named.main.difference]);
    const shorter = [await bare("a.csv", a), await bare("b.csv", b.slice(1))];
    expect(() => compare(shorter, { byRow: true })).toThrow(/different numbers of rows/);
    expect(advice(shorter)).not.toContain("byRow");
    const withIds = await file("a.csv", (i) => `q${i}`, a);
    expect(() => compare([withIds, withIds], { byRow: true })).toThrow(/names the items already/);
  });

  it("a file without a header had columns called A, q0 and 0", async () => {
    const rows = [...a.map((v, i) => `A,q${i},${v}`), ...b.map((v, i) => `B,q${i},${v}`)];
    const data = await readText("bare.csv", lines(rows));
    expect(() => compare(data)).toThrow(/first line looks like data.* column1, column2, column3 here/);
    expect(data.imported.diagnostics.map(({ code }) => code)).toContain("NoHeader");
    const good = await readText("good.csv", lines(["model,id,2024", ...rows]));
    expect(good.imported.diagnostics.map(({ code }) => code)).not.toContain("NoHeader");
  });

  it("HELM runs were compared by a metric that is 0 everywhere", async () => {
    const stats = (k: number, i: number) => [
      { name: { name: "exact_match", split: "test" }, count: 1, mean: 0 },
      { name: { name: "f1_score", split: "test" }, count: 1, mean: ((i * 7 + k) % 10) / 10 },
    ];
    const run = (model: string, k: number) => ({
      [`${model}/run_spec.json`]: JSON.stringify({ name: `qa:model=${model}`, adapter_spec: { model } }),
      [`${model}/per_instance_stats.json`]: JSON.stringify(
        times(20, (i) => ({ instance_id: `id${i}`, train_trial_index: 0, stats: stats(k, i) })),
      ),
    });
    const { metric } = compare(await readFiles("runs", { ...run("m1", 0), ...run("m2", 3) }));
    expect(metric).toBe("f1_score");
  });

  it("items of several tasks were said to be matched by their number alone", async () => {
    const rows = ["A", "B"].flatMap((model, s) =>
      ["arc", "gsm"].flatMap((task) => times(20, (i) => `${model},${task},${i},${(i * 3 + s) % 2}`)),
    );
    const result = compare(await readText("tasks.csv", lines(["model,task,doc_id,acc", ...rows])));
    expect((result.toJSON() as { assumed: string[] }).assumed).toContain(
      "Items are matched by task and doc_id, 40 of 40.",
    );
  });
});

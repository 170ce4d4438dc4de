/** Files and columns as systems, runs and data sets, by their names. */

import { describe, expect, it } from "vitest";
import { compare, describeImported, type Imported, makeRng, scoreText } from "../src/index.ts";
import { readRuns } from "../src/study/run-names.ts";
import { gosset, gossetJson } from "./support/cli.ts";
import { makeFolder, writesTo } from "./support/folder.ts";
import { lines, readText, times } from "./support/read-text.ts";

const write = writesTo(makeFolder("files-as-runs"));
const file = (path: string, text: string): string => write(path, [text.trimEnd()]);
const right = (system: number, seed: number, i: number): number =>
  (i * 7 + seed * 3 + system * 11) % 10 < 4 + 2 * system ? 1 : 0;
const items = (system: number, seed: number): string =>
  lines(["id,correct", ...times(40, (i) => `q${i},${right(system, seed, i)}`)]);
const PAIR = ["plain", "tuned"];
const offersOf = (imported: Imported) => describeImported(imported, { target: "d.csv" }).answers;

describe("the names of several seeds", () => {
  const systems = (names: readonly string[]): string[] => [
    ...new Set(readRuns(names)?.map(({ system }) => system) ?? []),
  ];
  const grid = (name: (system: string, seed: number) => string, seeds = [1, 2, 3]): string[] =>
    ["base", "new"].flatMap((system) => seeds.map((seed) => name(system, seed)));

  it("say a system and a seed in any place", () => {
    for (const name of [
      (s: string, k: number) => `run${k}/${s}.txt`,
      (s: string, k: number) => `out/seed_${k}/${s}.hyp`,
      (s: string, k: number) => `${s}/seed-${k}/test.hyp`,
      (s: string, k: number) => `${s}/${k}.txt`,
      (s: string, k: number) => `${s}/${k}/generate.txt`,
      (s: string, k: number) => `${s}.${k}.txt`,
      (s: string, k: number) => `${k}_${s}.txt`,
      (s: string, k: number) => `${s}_try${k}.txt`,
      (s: string, k: number) => `${s}-attempt-${k}.txt`,
    ])
      expect(systems(grid(name)), name("base", 1)).toEqual(["base", "new"]);
    expect(systems(grid((s, k) => `${s}_seed${k}_pred.txt`))).toEqual(["base_pred", "new_pred"]);
    expect(systems(grid((s, k) => `${s}-${k}.hyp`, [42, 123, 2024]))).toEqual(["base", "new"]);
    // one run of one next to several of the other
    expect(systems(["base.txt", "new.seed1.txt", "new.seed2.txt"])).toEqual(["base", "new"]);
  });

  it("are not sizes, versions, steps, years or epochs of a training", () => {
    for (const names of [
      ["llama-7", "llama-13", "llama-70", "qwen-7", "qwen-14", "qwen-72"],
      ["gpt-3", "gpt-4", "llama-3", "llama-4"],
      ["a-1000", "a-2000", "b-1000", "b-2000"],
      ["2023/a.csv", "2024/a.csv", "2023/b.csv", "2024/b.csv"],
      ["a_epoch1", "a_epoch2", "b_epoch1", "b_epoch2"],
      ["a.seed1", "a.seed2"],
      ["a.seed1", "a.seed1b", "a"],
    ])
      expect(readRuns(names), names.join()).toBeUndefined();
  });
});

describe("files of items, one for each seed", () => {
  const files = (name: (system: string, seed: number) => string, text = items): string[] =>
    PAIR.flatMap((system, s) => times(4, (k) => file(name(system, k + 1), text(s, k + 1))));

  it("are runs to describe and to compare, in folders too", () => {
    for (const name of [
      (s: string, k: number) => `flat/${s}_seed${k}.csv`,
      (s: string, k: number) => `of/${s}/run_${k}.csv`,
      (s: string, k: number) => `by/seed${k}/${s}.csv`,
    ]) {
      const paths = files(name);
      const described = gossetJson("describe", ...paths);
      expect([described.systems, described.repeats], paths[0]).toEqual([PAIR, 4]);
      const compared = gossetJson("compare", ...paths);
      expect(compared.systems.map((own: { name: string }) => own.name)).toEqual(PAIR);
      expect([compared.n, compared.scope]).toEqual([40, ["items", "runs"]]);
    }
  });

  it("are runs where a column inside names the system", () => {
    const named = (s: number, seed: number): string =>
      lines(["model,id,correct", ...times(40, (i) => `${PAIR[s]},q${i},${right(s, seed, i)}`)]);
    const compared = gossetJson("compare", ...files((s, k) => `inside/${s}_seed${k}.csv`, named));
    expect(compared.systems.map((own: { name: string }) => own.name)).toEqual(PAIR);
  });
});

const SETS = ["cola", "mnli", "rte", "sst2", "qnli", "mrpc"];
const level = (d: number, s: number, k: number): number => 60 + 5 * d + s * 1.5 + ((d * 3 + k * 7 + s * 5) % 10) / 10;

describe("data sets and seeds", () => {
  const rows = PAIR.flatMap((system, s) =>
    SETS.flatMap((set, d) => times(5, (k) => ({ system, set, k, score: level(d, s, k).toFixed(2) }))),
  );

  it("are paired by the data sets that both systems have", async () => {
    const kept = rows.filter(({ system, set }) => !(system === "tuned" && set === "rte"));
    const file = await readText(
      "r.csv",
      lines(["system,dataset,seed,f1", ...kept.map(({ system, set, k, score }) => `${system},${set},${k},${score}`)]),
    );
    expect([file.imported.roles.item, file.imported.roles.repeat]).toEqual(["dataset", "seed"]);
    const offers = offersOf(file.imported)
      .map(({ command }) => command)
      .join("\n");
    expect(offers).not.toContain("--unpaired");
    expect(compare(file).n).toBe(5);
  });
});

const rows = (seed: number, more: (i: number) => object = () => ({})): string =>
  lines(times(60, (i) => JSON.stringify({ id: i, ...more(i), score: ((i + 1) * 7919 * seed) % 7 > 2 ? 1 : 0 })));

describe("files of one name", () => {
  const named = async (...paths: readonly string[]): Promise<readonly string[]> => {
    const parts = await Promise.all(
      paths.map(async (path, k) => ({ ...(await readText("results.jsonl", rows(k + 3))), path })),
    );
    return compare(parts).systems.map(({ name }) => name);
  };

  it("have the names of the folders that differ", async () => {
    expect(await named("runs/a/results.jsonl", "runs/b/results.jsonl")).toEqual(["a", "b"]);
    expect(await named("x/old/out/results.jsonl", "x/new/out/results.jsonl")).toEqual(["old", "new"]);
    expect(await named("a/results.jsonl", "b/deep/results.jsonl")).toEqual(["a", "b/deep"]);
  });

  it("have numbers only where nothing differs", async () => {
    expect(await named("a/results.jsonl", "a/results.jsonl")).toEqual(["results 1", "results 2"]);
  });
});

it("takes one model in two files with other prompts for two systems", () => {
  const asked = (more: string) => (i: number) => ({ prompt: `What is ${i} + ${i}?${more}`, model: "m1" });
  const paths = [file("plain.jsonl", rows(3, asked(""))), file("steps.jsonl", rows(5, asked(" Think step by step.")))];
  const told = gosset("describe", ...paths).stdout;
  expect(told).toContain("It has 2 systems (file), 60\n  items (id).");
  expect(told).toContain("Is the difference between plain and steps real?");
});

it.each([
  ["old/arc.csv", "old/gsm8k.csv", "new/arc.csv", "new/gsm8k.csv"],
  ["arc/old.csv", "gsm8k/old.csv", "arc/new.csv", "gsm8k/new.csv"],
])("asks whether %s, %s, %s and %s are systems or tasks", async (...paths) => {
  const part = (path: string, shift: number) =>
    readText(path, lines(["doc_id,acc", ...times(20, (i) => `${i},${(i * 7 + shift) % 3 ? 1 : 0}`)]));
  const parts = await Promise.all(paths.map(part));
  expect(() => compare(parts)).toThrow("folders and names of files cross");
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

  it("reads base.seed1 and base.seed2 as two runs of base", () => {
    const result = compare({ hypotheses, references: [references] });
    expect(result.systems.map(({ name }) => name)).toEqual(["base", "new"]);
    const mean = (name: "base" | "new") =>
      ([1, 2, 3] as const).reduce((sum, k) => sum + bleu(`${name}.seed${k}`) / 3, 0);
    expect(result.systems[0]!.score).toBeCloseTo(mean("base"), 10);
    expect(result.main.difference).toBeCloseTo(mean("new") - mean("base"), 10);
    expect([result.n, result.scope]).toEqual([60, ["items", "runs"]]);
  });

  it("generalizes to other seeds by the t test over the seeds", () => {
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

  it("takes documents, other numbers of seeds, a named scope, and files that are to stay apart", () => {
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
});

describe("tables of several seeds", () => {
  const table = (gain: number, seed: number): string =>
    lines(["id,score", ...times(40, (i) => `q${i},${(i * 7 + seed * 3) % 10 < 4 + gain ? 1 : 0}`)]);
  const read = (names: readonly string[]) =>
    Promise.all(names.map((name, k) => readText(name, table(name.startsWith("new") ? 2 : 0, k % 3))));
  const names = ["old", "new"].flatMap((system) => times(3, (k) => `${system}.seed${k + 1}.csv`));

  it("reads old.seed1.csv … new.seed3.csv as runs of two systems", async () => {
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

  it("are six systems where the files are named, or runs are not wanted", async () => {
    const files = await read(names);
    expect(compare(files, { run: "none" }).systems).toHaveLength(6);
    expect(compare(files, { systems: ["old.seed1", "new.seed1"] }).systems).toHaveLength(2);
  });
});

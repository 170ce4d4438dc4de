/** Seeds, folds, steps and data sets as people name and store them: what is a run, what is a data set, and what is neither. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { compare, describeImported, type Imported, importFiles, testTotals } from "../src/index.ts";
import { tSf } from "../src/numeric/dist/t.ts";
import { readRuns } from "../src/study/run-names.ts";
import { gosset, gossetJson } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";
import { lines, readText, times } from "./support/read-text.ts";

const right = (system: number, seed: number, i: number): number =>
  (i * 7 + seed * 3 + system * 11) % 10 < 4 + 2 * system ? 1 : 0;
const items = (system: number, seed: number): string =>
  lines(["id,correct", ...times(40, (i) => `q${i},${right(system, seed, i)}`)]);
const PAIR = ["plain", "tuned"];
const offersOf = (imported: Imported) =>
  describeImported(imported, { target: "d.csv", available: new Set(["compare", "test", "fit lm", "fit lmm", "mde"]) })
    .answers;

describe("the names of several seeds", () => {
  const systems = (names: readonly string[]): string[] => [
    ...new Set(readRuns(names)?.map(({ system }) => system) ?? []),
  ];
  const grid = (name: (system: string, seed: number) => string, seeds = [1, 2, 3]): string[] =>
    ["base", "new"].flatMap((system) => seeds.map((seed) => name(system, seed)));

  it("were read at the end of a name only, with a word before the number", () => {
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
    // one run of one beside several of the other
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
  const folder = makeFolder("faults-seeds");
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const files = (name: (system: string, seed: number) => string, text = items): string[] =>
    PAIR.flatMap((system, s) => times(4, (k) => write(name(system, k + 1), text(s, k + 1))));

  it("were systems to describe and runs to compare, and in folders numbered systems to both", () => {
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

  it("were as many systems as files where a column inside names the system", () => {
    const named = (s: number, seed: number): string =>
      lines(["model,id,correct", ...times(40, (i) => `${PAIR[s]},q${i},${right(s, seed, i)}`)]);
    const compared = gossetJson("compare", ...files((s, k) => `inside/${s}_seed${k}.csv`, named));
    expect(compared.systems.map((own: { name: string }) => own.name)).toEqual(PAIR);
  });

  it("without ids are paired by row within each run, and the rows of seeds are no items", async () => {
    const bare = (s: number, seed: number): string =>
      lines(["correct", ...times(40, (i) => String(right(s, seed, i)))]);
    const paths = files((s, k) => `bare/${s}_seed${k}.csv`, bare);
    const compared = gossetJson("compare", ...paths, "--by-row");
    expect([compared.n, compared.scope]).toEqual([40, ["items", "runs"]]);
    expect(gosset("compare", ...paths, "--by-row").stdout).toMatch(/row\s+i\s+of\s+each\s+run/);
    const [offer] = gossetJson("describe", ...paths).answers.filter(({ command }: { command: string }) =>
      command.includes(" compare "),
    );
    expect(offer.command).toContain("--by-row");
    const rows = PAIR.flatMap((system, s) =>
      times(3, (k) => times(20, (i) => `${system},${k},${right(s, k, i)}`)).flat(),
    );
    const long = await readText("long.csv", lines(["model,seed,correct", ...rows]));
    expect(compare(long, { byRow: true }).n).toBe(20);
  });
});

const SETS = ["cola", "mnli", "rte", "sst2", "qnli", "mrpc"];
const level = (d: number, s: number, k: number): number => 60 + 5 * d + s * 1.5 + ((d * 3 + k * 7 + s * 5) % 10) / 10;

describe("data sets and seeds", () => {
  const rows = PAIR.flatMap((system, s) =>
    SETS.flatMap((set, d) => times(5, (k) => ({ system, set, k, score: level(d, s, k).toFixed(2) }))),
  );

  it("were not paired where a system lacks a data set, and --unpaired was offered", async () => {
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

  it("were not paired where every run has an id of its own", async () => {
    const file = await readText(
      "r.csv",
      lines([
        "system,corpus,run_id,bleu",
        ...rows.map(({ system, set, k, score }) => `${system},${set},${system}-${set}-${k},${score}`),
      ]),
    );
    expect([file.imported.roles.item, file.imported.roles.repeat]).toEqual(["corpus", "run_id"]);
    expect(compare(file).n).toBe(6);
  });

  it("under a metric column were offered a comparison that refuses itself", async () => {
    const file = await readText(
      "r.csv",
      lines([
        "system,dataset,seed,metric,value",
        ...rows.flatMap(({ system, set, k, score }) => [
          `${system},${set},${k},accuracy,${score}`,
          `${system},${set},${k},latency_ms,${100 + k}`,
        ]),
      ]),
    );
    const offer = offersOf(file.imported).find(({ command }) => command.includes(" compare "));
    expect(offer?.command).toMatch(/ --metric accuracy$/);
  });
});

describe("cross-validation", () => {
  const split = (m: number, r: number, f: number): string =>
    (0.8 + 0.02 * m + ((r * 3 + f * 7 + m * 5) % 11) / 500).toFixed(4);
  const rows = times(5, (r) =>
    times(10, (f) => ["rf", "svm"].map((m, s) => `${r + 1},${f + 1},${m},${split(s, r, f)}`)),
  );

  it("repeated had the numbers of its folds for items, and BETTER for its verdict", async () => {
    const text = lines(["repeat,fold,model,auc", ...rows.flat(2)]);
    const file = await readText("cv.csv", text);
    expect(() => compare(file)).toThrow(/share training data/);
    const [offer, ...others] = offersOf(file.imported);
    expect([offer?.command.startsWith("gosset test cv "), others]).toEqual([true, []]);
    const path = join(makeFolder("faults-seeds-cv"), "cv.csv");
    writeFileSync(path, text);
    const cv = ["test", "cv", path, "--score", "auc", "--by", "model", "--n-train", "9", "--n-test", "1", "--item"];
    // the 50 splits are not 10 with their scores averaged
    expect(gosset(...cv, "fold").stderr).toContain("fold names several splits alike");
    const answer = gosset(...cv, "split", "--mutate", "split = 1000 * `repeat` + fold");
    expect(answer.stdout).toContain("n = 50");
  });

  it("on several data sets has the data sets for items", async () => {
    const file = await readText(
      "cv.csv",
      lines([
        "dataset,fold,clf,acc",
        ...SETS.flatMap((set, d) =>
          times(10, (f) => ["rf", "svm"].map((m, s) => `${set},${f},${m},${level(d, s, f)}`)).flat(),
        ),
      ]),
    );
    expect([file.imported.roles.system, file.imported.roles.item]).toEqual(["clf", "dataset"]);
  });
});

describe("the course of a training", () => {
  it.each(["step,base_loss,new_loss", "epoch,base,new"])(
    "had its states for items where systems are columns: %s",
    async (head) => {
      const rows = times(30, (k) => `${k + 1},${1 + 1 / (k + 2)},${0.98 + 1 / (k + 2) + (k % 3) / 500}`);
      const file = await readText("c.csv", lines([head, ...rows]));
      expect(() => compare(file)).toThrow(/states of one training/);
      // who says that they are items is taken at the word
      expect(compare(file, { item: head.split(",")[0]! }).n).toBe(30);
    },
  );

  it("had its steps for items", async () => {
    const rows = PAIR.flatMap((model, s) => times(8, (k) => `${1000 * (k + 1)},${model},${0.5 + k / 20 + s / 50}`));
    const file = await readText("c.csv", lines(["step,model,dev_acc", ...rows]));
    expect(file.imported.roles.item).toBeUndefined();
    expect(() => compare(file)).toThrow(/follow from each other/);
    expect(
      offersOf(file.imported)
        .map(({ command }) => command)
        .join(),
    ).not.toContain("compare");
  });

  it("had its epochs for runs", async () => {
    const rows = PAIR.flatMap((model, s) => times(8, (k) => `${k + 1},${model},${2 / (k + 1) - s / 50}`));
    const losses = await readText("c.csv", lines(["epoch,model,val_loss", ...rows]));
    expect(() => compare(losses)).toThrow(/follow from each other/);
    // epochs of an evaluation are runs
    const scores = await readText("c.csv", lines(["epoch,model,score", ...rows]));
    expect(() => compare(scores)).toThrow(/nothing that names items/);
  });
});

describe("means among the data sets", () => {
  const wide = (extra: readonly string[], first: readonly string[] = []): string =>
    lines([
      "dataset,base,ours",
      ...first,
      ...SETS.map((set, d) => `${set},${level(d, 0, 1)},${level(d, 1, 1)}`),
      ...extra,
    ]);
  const mean = (s: number, k = 1): string =>
    (SETS.reduce((sum, _, d) => sum + level(d, s, k), 0) / SETS.length).toFixed(2);
  const countOf = async (text: string): Promise<number> =>
    compare(await readText("d.csv", text), { higherIsBetter: true }).n;

  it("were data sets under other names, before the others, or within each system", async () => {
    const average = `Average,${mean(0)},${mean(1)}`;
    expect(await countOf(wide([average]))).toBe(6);
    expect(await countOf(wide([`Macro-Avg.,${mean(0)},${mean(1)}`, "#wins,0,6"]))).toBe(6);
    expect(await countOf(wide(["Avg. rank,2,1"]))).toBe(6);
    expect(await countOf(wide([], [average]))).toBe(6);
    const blocks = PAIR.flatMap((model, s) =>
      times(3, (k) => [
        ...SETS.map((set, d) => `${set},${model},${k},${level(d, s, k)}`),
        `avg,${model},${k},${mean(s, k)}`,
      ]),
    );
    const long = await readText("d.csv", lines(["dataset,model,seed,acc", ...blocks.flat()]));
    expect(long.imported.assumptions.join()).toContain(
      "6 rows (dataset: avg) are the means of others and are left out",
    );
    expect(compare(long).n).toBe(6);
    // a name that is no mean of the others stays
    expect(await countOf(wide([], ["mean,12,13"]))).toBe(7);
  });

  it("were rows of the models that describe offers, though it said that they are left out", async () => {
    const text = wide([`Average,${mean(0)},${mean(1)}`]);
    const file = await readText("d.csv", text);
    const fits = offersOf(file.imported).filter(({ command }) => command.includes(" fit "));
    expect(fits.length).toBeGreaterThan(0);
    for (const { command } of fits) expect(command).toContain("--shape long");
    const bytes = new TextEncoder().encode(text);
    const long = await importFiles([{ name: "d.csv", bytes }], { guessRoles: false, unroll: true });
    expect(long.table.rows).toBe(6);
    const asIs = await importFiles([{ name: "d.csv", bytes }], { guessRoles: false });
    expect([asIs.table.rows, asIs.diagnostics.map(({ code }) => code)]).toEqual([7, ["TotalRows"]]);
  });
});

describe("what was left of seeds and data sets", () => {
  it("6 prompts in words with 50 samples each were 50 items", async () => {
    const ASKED = ["Explain recursion", "Write a haiku", "Sum a list", "Define entropy", "Say hello", "Name a prime"];
    const rows = (prompts: readonly string[]): string[] =>
      PAIR.flatMap((model, s) =>
        prompts.flatMap((prompt, p) => times(50, (k) => `${model},${prompt},${k},${right(s, p, k)}`)),
      );
    const countOf = async (prompts: readonly string[]): Promise<number> =>
      compare(await readText("d.csv", lines(["model,prompt,sample,score", ...rows(prompts)]))).n;
    expect(await countOf(ASKED)).toBe(6);
    expect(await countOf(["p1", "p2", "p3", "p4"])).toBe(4);
    // ways to ask 50 samples
    expect(await countOf(["zero_shot", "few_shot", "cot"])).toBe(50);
    expect(await countOf(["v1", "v2", "v3"])).toBe(50);
  });

  it("n_test and n_seeds were said to be missing", async () => {
    const shares = testTotals(
      (await readText("d.csv", "model,accuracy,n_test\nbase,0.712,1319\nours,0.745,1319\n")).imported,
    );
    expect([shares.spread.kind, shares.systems[0]!.n]).toEqual(["share", 1319]);
    const text = "model,accuracy,accuracy_std,n_seeds\nbase,71.2,0.8,5\nours,74.5,0.6,5\n";
    const runs = testTotals((await readText("d.csv", text)).imported);
    expect(runs.spread).toEqual({ kind: "runs", columns: ["accuracy_std", "n_seeds"] });
    // Welch from the summaries: t = 3.3 / sqrt(0.2), df = 4 · 0.2² / (0.128² + 0.072²)
    expect(runs.pairs[0]!.p).toBeCloseTo(2 * tSf(3.3 / Math.sqrt(0.2), 0.16 / (0.128 ** 2 + 0.072 ** 2)), 12);
    expect(runs.diagnostics[0]!.message).toContain("standard deviations over runs");
  });

  it("numbers that start again in each data set were one item in the models offered", async () => {
    const rows = PAIR.flatMap((model, s) =>
      ["gsm8k", "arc", "boolq"].flatMap((set, d) => times(30, (i) => `${model},${set},${i},${right(s, d, i)}`)),
    );
    const file = await readText("d.csv", lines(["model,dataset,idx,correct", ...rows]));
    const commands = offersOf(file.imported)
      .map(({ command }) => command)
      .join("\n");
    expect(commands).not.toMatch(/--cluster idx|\(1 \| idx/);
    expect(commands).toContain("gosset mde accuracy --n 90 ");
    expect(commands).toContain("compare");
  });

  it("languages with one number each were items of a t test", async () => {
    const rows = ["en", "de", "fr", "es", "zh", "ja", "ru", "sw"].map(
      (lang, i) => `${lang},${60 + i},${61.5 + i * 1.1}`,
    );
    const text = compare(await readText("d.csv", lines(["lang,base,ours", ...rows]))).toString();
    expect(text).toContain("8 languages");
    expect(text).toContain("Wilcoxon");
  });

  it("means with their spread in LaTeX were no numbers", async () => {
    const rows = times(7, (i) => `set${i},$${60 + i}.2_{\\pm 0.${i + 1}}$,$${62 + i}.${i}_{\\pm 0.4}$`);
    const result = compare(await readText("d.csv", lines(["dataset,base,ours", ...rows])));
    expect([result.n, result.toString().includes("base_pm")]).toEqual([7, true]);
  });
});

/** Designs that other tests know, with marks for words, folders for file names, strokes for points and given names that no list has: none may change what
 *  is compared, by which units, or which way is better. */
import { describe, expect, it } from "vitest";
import { compare, makeRng } from "../src/index.ts";
import { metricDirection } from "../src/study/lexicon/metrics.ts";
import { lines, readText, times, warned } from "./support/read-text.ts";

const rng = makeRng("other names");
const read = (name: string, head: string, rows: readonly string[]) => readText(name, lines([head, ...rows]));

describe("which way is better", () => {
  it.each([
    ["✓", "✗"],
    ["✅", "❌"],
  ])("%s under hallucinated was praise, and more of it better", async (yes, no) => {
    const rows = ["A", "B"].flatMap((s, k) => times(60, (i) => `${s},q${i},${i % 10 < 3 + 4 * k ? yes : no}`));
    const result = compare(await read("h.csv", "model,id,hallucinated", rows));
    expect([result.higherIsBetter, result.main.verdict]).toEqual([false, "WORSE"]);
    const praised = compare(await read("h.csv", "model,id,outcome", rows));
    expect([praised.higherIsBetter, praised.main.verdict]).toEqual([true, "BETTER"]);
  });

  it("improved was the opposite of proved, and a rank by accuracy an accuracy", () => {
    expect(["improved", "rank_by_accuracy", "ranked_by_f1"].map(metricDirection)).toEqual([true, undefined, undefined]);
  });

  it("codes, kinds and weights of errors and losses were amounts of them", () => {
    const open =
      "error_code error_type failure_mode loss_weight error_message speed_limit distance_travelled time_of_day";
    for (const name of open.split(" ")) expect([name, metricDirection(name)]).toEqual([name, undefined]);
    for (const name of ["code_errors", "type_errors", "échec", "Verlust", "ошибки", "오류율", "MASE", "typos"])
      expect([name, metricDirection(name)]).toEqual([name, false]);
    for (const name of ["episodic_return", "ELBO", "mean_opinion_score", "качество", "정확도"])
      expect([name, metricDirection(name)]).toEqual([name, true]);
  });
});

it("gpt/acc and gpt/latency were two of four systems", async () => {
  const rows = times(60, (i) => `${i},${i % 3 ? 1 : 0},${i % 2},0.${1 + (i % 7)},0.${2 + (i % 5)}`);
  const heads = [
    "id,gpt/acc,claude/acc,gpt/latency,claude/latency",
    "id,correct_gpt,correct_claude,latency_gpt,latency_claude",
  ];
  for (const head of heads) {
    const result = compare(await read("w.csv", head, rows));
    expect(result.systems.map(({ name, score }) => [name, score]).sort()).toEqual([
      ["claude", 0.5],
      ["gpt", 2 / 3],
    ]);
  }
});

describe("folders of systems", () => {
  const part = (path: string, shift: number) => {
    const size = path.includes("gsm8k") ? 40 : 20;
    return read(
      path,
      "doc_id,acc",
      times(size, (i) => `${i},${(i * 7 + shift) % 3 ? 1 : 0}`),
    );
  };

  it.each([
    ["old/arc.csv", "old/gsm8k.csv", "new/arc.csv", "new/gsm8k.csv"],
    ["arc/old.csv", "gsm8k/old.csv", "arc/new.csv", "gsm8k/new.csv"],
  ])("%s, %s, %s, %s: benchmarks were compared as systems", async (...paths) => {
    const result = compare(await Promise.all(paths.map((path, k) => part(path, k >> 1))));
    expect([result.systems.map(({ name }) => name).sort(), result.n]).toEqual([["new", "old"], 60]);
    expect(result.slices[0]!.slices.map(({ name }) => name).sort()).toEqual(["arc", "gsm8k"]);
  });

  it("with the same two files in each were four systems, whatever the files are called", async () => {
    const paths = ["old/first.csv", "old/second.csv", "new/first.csv", "new/second.csv"];
    const result = compare(await Promise.all(paths.map((path, k) => part(path, k))));
    expect([result.systems.map(({ name }) => name).sort(), result.n]).toEqual([["new", "old"], 40]);
  });

  it("with a file of one name each are called by the folder, not results 1 and results 2", async () => {
    const result = compare([await part("old/results.csv", 0), await part("new/results.csv", 1)]);
    expect(result.systems.map(({ name }) => name)).toEqual(["old", "new"]);
  });
});

describe("votes as columns of 0 and 1", () => {
  const votes = times(160, (i) => {
    const prompt = i % 8;
    return { prompt, judge: `j${i % 5}`, won: rng.uniform() < (prompt < 5 ? 0.85 : 0.2) };
  });
  const words = votes.map((v) => `p${v.prompt},${v.judge},X,Y,${v.won ? "model_a" : "model_b"}`);

  it("winner_model_a, winner_model_b and winner_tie were scores of the two, and their units the votes", async () => {
    const same = compare(await read("v.csv", "prompt,judge,model_a,model_b,winner", words));
    const rows = votes.map((v) => `p${v.prompt},${v.judge},X,Y,${v.won ? "1,0" : "0,1"},0`);
    const head = "prompt,judge,model_a,model_b,winner_model_a,winner_model_b,winner_tie";
    const result = compare(await read("v.csv", head, rows));
    expect([result.main.p, result.main.difference, result.repeated]).toEqual([
      same.main.p,
      same.main.difference,
      same.repeated,
    ]);
  });

  it("A_better, B_better and tie were three systems", async () => {
    const rows = votes.map((v, i) => `p${v.prompt},${v.judge},${i % 4 === 0 ? "0,0,1" : v.won ? "1,0,0" : "0,1,0"}`);
    const result = compare(await read("v.csv", "prompt,judge,A_better,B_better,tie", rows));
    expect([result.systems.map(({ name }) => name).sort(), result.n]).toEqual([["A", "B"], 160]);
  });

  it("[[A]] and [[B]] named no side", async () => {
    const rows = words.map((row) => row.replace(/model_(.)$/, (_, side: string) => `[[${side.toUpperCase()}]]`));
    const result = compare(await read("v.csv", "prompt,judge,model_a,model_b,verdict", rows));
    expect(result.systems.map(({ name }) => name).sort()).toEqual(["X", "Y"]);
  });
});

describe("who rated", () => {
  const rated = times(40, (i) =>
    ["A", "B"].map((s, k) => ({ i, s, who: k ? "ben" : "anna", y: 1 + ((i * 7) % 4) + k })),
  ).flat();

  it.each(["email", "initials", "username"])(
    "in a column %s was nobody, and one rater a system gave a verdict",
    async (name) => {
      const rows = rated.map(({ i, s, who, y }) => `${i},${s},${who}@x.org,${y}`);
      const result = compare(await read("r.csv", `item,system,${name},rating`, rows));
      expect([result.main.verdict, result.main.reason]).toEqual(["NONE", expect.stringContaining("one system only")]);
    },
  );

  const steps = (i: number, k: number): string => times(4, (r) => 1 + ((i * (r + 2) + k + r) % 5)).join(",");
  const sheet = times(30, (i) => ["A", "B"].map((s, k) => `${i},${s},${steps(i, k)}`)).flat();

  it.each(["anna,ben,emilka,fritz", "rating_anna,rating_ben,rating_chloe,rating_fritz"])(
    "%s: a rater was left out without a word, or one of them was the score",
    async (names) => {
      const result = compare(await read("r.csv", `item,system,${names}`, sheet));
      expect(result.repeated.find(({ facet }) => facet === "raters")?.levels).toBe(4);
    },
  );

  it("documents that each system met once were no items beside columns of raters", async () => {
    const result = compare(await read("r.csv", "doc,model,Annotator0,Annotator1,Annotator2,Annotator3", sheet));
    expect([result.n, result.repeated.find(({ facet }) => facet === "raters")?.levels]).toEqual([30, 4]);
  });
});

describe("units", () => {
  it("sentences of a document_id were independent, those of a passage were not", async () => {
    const rows = ["A", "B"].flatMap((s, k) =>
      times(120, (i) => `${s},s${i},d${i % 12},${rng.uniform() < 0.4 + 0.2 * k ? 1 : 0}`),
    );
    const [one, other] = await Promise.all(
      ["document_id", "passage"].map((name) => read("c.csv", `model,sentence_id,${name},correct`, rows)),
    );
    expect(one!.imported.roles).toMatchObject({ item: "sentence_id", cluster: "document_id" });
    expect(compare(one!).main.p).toBe(compare(other!).main.p);
  });

  it("a dataset_name was an item like any other", async () => {
    const rows = times(12, (i) => `d${i},${50 + i},${51 + ((i * 5) % 12)}`);
    const result = compare(await read("a.csv", "dataset_name,old,new", rows));
    expect([result.units, result.n]).toEqual(["data sets", 12]);
  });
});

it("errors of one file went unnoticed where the other had none and its column was empty", async () => {
  const rows = (broke: (i: number) => boolean) => times(60, (i) => `q${i},${broke(i) ? "0,timeout" : `${i % 2},`}`);
  const result = compare([
    await read(
      "old.csv",
      "id,score,error",
      rows(() => false),
    ),
    await read(
      "new.csv",
      "id,score,error",
      rows((i) => i % 6 === 0),
    ),
  ]);
  expect(`${warned(result)} ${result.main.reason}`).toContain("ended in an error (error: 10 of new)");
});

describe("several measures of one row", () => {
  const rows = ["A", "B"].flatMap((model, s) =>
    times(40, (i) => ({ model, id: `q${i}`, em: (i * 7 + s) % 3 ? 1 : 0, f1: ((i * 3 + s) % 10) / 10 })),
  );

  it("em and f1 as records of their own were two items, and averaged", async () => {
    const records = rows.map(({ model, id, em, f1 }) => ({
      id,
      model,
      scores: { em: { value: em, explanation: "because" }, f1: { value: f1 } },
    }));
    const data = await readText("s.json", JSON.stringify(records));
    const result = compare(data);
    expect([result.metric, result.n, result.higherIsBetter]).toEqual(["em", 40, true]);
    expect(compare(data, { metric: "f1" }).systems[0]!.score).toBeCloseTo(
      rows.filter(({ model }) => model === "A").reduce((sum, { f1 }) => sum + f1, 0) / 40,
      12,
    );
  });

  it('"acc,none" two levels deep was a text', async () => {
    const records = rows.map(({ model, id, em }) => ({ id, model, eval: { results: { "acc,none": em } } }));
    const result = compare(await readText("s.json", JSON.stringify(records)), { metric: "acc" });
    expect(result.n).toBe(40);
  });

  it("85% was read in a CSV file and not in a JSON file", async () => {
    const records = rows.map(({ model, id, f1 }) => ({ id, model, accuracy: `${f1 * 100}%` }));
    expect(compare(await readText("s.json", JSON.stringify(records))).n).toBe(40);
    const wide = rows.map(({ model, id, f1 }) => `${model},${id},${Math.round(f1 * 100)}％`);
    expect(compare(await read("s.csv", "model,id,accuracy", wide)).n).toBe(40);
  });

  it.each([["Accepted", "Wrong Answer"]])("%s and %s were no verdicts", async (good, bad) => {
    const said = rows.map(({ model, id, em }) => `${model},${id},${em ? good : bad}`);
    const result = compare(await read("s.csv", "model,id,test_result", said));
    expect([result.higherIsBetter, result.systems[0]!.score]).toEqual([true, 26 / 40]);
  });
});

it("0 and 1 of two systems beside a label of 0 and 1 were averaged as scores", async () => {
  const rows = times(40, (i) => `${i},${i % 2},${i % 3 ? i % 2 : 1},${i % 4 ? i % 2 : 0}`);
  const classes = await read("p.csv", "id,label,model_a,model_b", rows);
  expect(() => compare(classes)).toThrow(/label looks like the right labels/);
  expect(compare(await read("p.csv", "id,label,gpt_correct,claude_correct", rows)).n).toBe(40);
});

it.each([
  ["doc", "rater", "category"],
  ["comment", "annotator_id", "annotation"],
  ["Text", "Kodierer", "Kategorie"],
])("%s, %s, %s: labels of raters answered nothing", async (item, rater, label) => {
  const rows = times(50, (i) => ["a", "b", "c"].map((who, k) => `${i},${who},${(i + k) % 3 ? "ok" : "toxic"}`)).flat();
  const { imported } = await read("l.csv", `${item},${rater},${label}`, rows);
  expect(imported.roles).toMatchObject({ item, rater, label });
});

describe("one number for each data set", () => {
  const sets = ["MMLU", "GSM8K", "ARC-C", "HellaSwag", "TruthfulQA", "WinoGrande", "BBH"];
  const value = (k: number, s: number): number => 50 + ((k * 11) % 30) + s * (1 + (k % 3));
  const long = sets.flatMap((set, k) => [0, 1].map((s) => `${s ? "ours" : "base"},${set},${value(k, s)}`));

  it("a row for each system, or a file for each: nothing was paired", async () => {
    const same = compare(await read("l.csv", "model,dataset,value", long));
    const wide = ["base", "ours"].map((name, s) => `${name},${sets.map((_, k) => value(k, s)).join(",")},60`);
    const turned = compare(await read("w.csv", `Model,${sets.join(",")},Average`, wide));
    const files = compare(
      await Promise.all(
        ["base", "ours"].map((name, s) =>
          read(
            `${name}.csv`,
            "dataset,value",
            sets.map((set, k) => `${set},${value(k, s)}`),
          ),
        ),
      ),
    );
    for (const result of [turned, files])
      expect([result.n, result.units, result.main.p, result.main.difference]).toEqual([
        7,
        "data sets",
        same.main.p,
        same.main.difference,
      ]);
  });

  it("with several seeds, a file for each: nothing was paired", async () => {
    const paths = ["base", "ours"].flatMap((name) => times(3, (seed) => ({ name, seed })));
    const parts = paths.map(({ name, seed }) => {
      const rows = sets.slice(0, 4).map((set, k) => `${set},${value(k, name === "ours" ? 1 : 0) + seed / 10}`);
      return read(`${name}_seed${seed}.csv`, "dataset,accuracy", rows);
    });
    const result = compare(await Promise.all(parts));
    expect([result.n, result.units, result.systems.map(({ name }) => name)]).toEqual([
      4,
      "data sets",
      ["base", "ours"],
    ]);
  });

  it("with standard errors beside them stays a leaderboard", async () => {
    const head = `Model,${sets.map((set) => `${set},${set}_stderr`).join(",")}`;
    const rows = ["base", "ours"].map((name, s) => `${name},${sets.map((_, k) => `${value(k, s)},1.5`).join(",")}`);
    expect((await read("w.csv", head, rows)).imported.roles.item).toBeUndefined();
  });
});

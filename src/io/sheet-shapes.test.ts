/** Rating sheets, labels, seeds and scores of shared tasks as people keep them: what is understood, and what must not be said. */
import { describe, expect, it } from "vitest";
import { csv, means, read, said, times } from "../../test/support/shapes.ts";
import { refuseUnsureScore } from "../data/roles/evidence.ts";
import { singleVotes } from "../data/shapes/single-votes.ts";
import { StatError } from "../result/error.ts";
import { compare } from "../significance/compare/compare.ts";

describe("names in the header and in the path", () => {
  it("Human 1 and Human 2 beside a column of systems are none, which were systems within systems", async () => {
    const list = (i: number, k: number) => `"[${times(6, (j) => 1 + ((i + j * k) % 5)).join(", ")}]"`;
    const found = await csv(
      "Model,Relevance,Human 1 RE,Human 2 RE,Human 1 CH,Human 2 CH",
      ...times(4, (i) => `m${i},${times(5, (k) => list(i, k + 1)).join(",")}`),
    );
    expect([found.systems, found.items, found.table.rows]).toEqual([["m0", "m1", "m2", "m3"], 6, 24]);
    expect(said(found)).not.toContain("one column for each system");
  });

  it("a system with one run and no folder for it is one beside those with several", async () => {
    const text = (k: number) =>
      ["task_id,is_resolved", ...times(8, (i) => `t${i},${(i + k) % 3 ? "true" : "false"}`)].join("\n");
    const paths = ["a-agent/run1/results.csv", "a-agent/run2/results.csv", "b-agent/results.csv"];
    const found = await read(Object.fromEntries(paths.map((path, k) => [`tb/${path}`, text(k)])));
    expect([found.systems, found.roles.repeat]).toEqual([["a", "b"], "run"]);
    // results beside the runs may be their total
    const both = await read(
      Object.fromEntries([...paths, "a-agent/results.csv"].map((path, k) => [`tb/${path}`, text(k)])),
    );
    expect(both.systems).toHaveLength(4);
  });
});

describe("whole rankings", () => {
  const orders = ["abc", "acb", "bac", "cab"];
  const place = (i: number, k: number) => `s${orders[i % 4]![k]}`;

  it("the system at each place, which was no score at all", async () => {
    const rows = times(24, (i) => `d${i % 8},w${i % 3},${place(i, 0)},${place(i, 1)},${place(i, 2)}`);
    const found = await csv("sample,workerId,m_rank1,m_rank2,m_rank3", ...rows);
    expect([found.systems, found.roles.score, found.roles.rater, found.table.rows]).toEqual([
      ["sa", "sb", "sc"],
      "rank",
      "workerId",
      72,
    ]);
    expect(found.metrics[0]?.higherIsBetter).toBe(false);
    // a: first in 2 of 4 orders, second in 2
    expect(means(found).sa).toBeCloseTo((1 + 1 + 2 + 2) / 4, 12);
  });

  it("ranks of a score that stands beside them leave it the score", async () => {
    const rows = times(24, (i) => `d${i >> 2},s${i % 4},0.${90 - 7 * (i % 4) - (i >> 2)},${1 + (i % 4)}`);
    const found = await csv("sample,method,score,rank", ...rows);
    expect([found.roles.score, found.metrics[0]?.higherIsBetter]).toEqual(["score", true]);
  });
});

describe("a sheet with raters and criteria in one header", () => {
  const rate = (i: number, k: number): number => 1 + ((i * 3 + k * 2 + (i >> 2)) % 5);
  const rows = (own: (i: number) => string): string[] => times(16, own);

  it("Anneke_fluency, Bram_fluency are raters beside systems and items, not the first column alone", async () => {
    const found = await csv(
      "item,system,Anneke_fluency,Anneke_adequacy,Bram_fluency,Bram_adequacy",
      ...rows((i) => `s${i >> 1},${"PQ"[i % 2]},${times(4, (k) => rate(i, k)).join(",")}`),
    );
    expect([found.roles.rater, found.items, found.systems.length]).toEqual(["rater", 8, 2]);
    expect(found.roles.metrics).toEqual(["fluency", "adequacy"]);
    const raters = found.table.columns.get("rater") as { levels: readonly string[] };
    expect(raters.levels).toEqual(["Anneke", "Bram"]);
    const turned = await csv(
      "item,system,fluency_Anneke,adequacy_Anneke,fluency_Bram,adequacy_Bram",
      ...rows((i) => `s${i >> 1},${"PQ"[i % 2]},${times(4, (k) => rate(i, k)).join(",")}`),
    );
    expect([...turned.roles.metrics].sort()).toEqual(["adequacy", "fluency"]);
  });

  it("question_fluency and answer_fluency are two things that were judged; so are numbers off a rating scale", async () => {
    const parts = await csv(
      "item,system,question_fluency,answer_fluency",
      ...rows((i) => `s${i >> 1},${"PQ"[i % 2]},${rate(i, 0)},${rate(i, 1)}`),
    );
    expect(parts.roles.rater).toBeUndefined();
    const shares = await csv(
      "item,system,Anneke_fluency,Bram_fluency",
      ...rows((i) => `s${i >> 1},${"PQ"[i % 2]},0.${31 + i},0.${77 - i}`),
    );
    expect(shares.roles.rater).toBeUndefined();
  });

  it("sliders that stop at tenths are ratings under names of their own", async () => {
    const found = await csv(
      "item,system,rater,wit,charm",
      ...times(
        24,
        (i) =>
          `s${i >> 2},${"PQ"[i % 2]},r${(i >> 1) % 2},${(10 + ((i * 7) % 41)) / 10},${(10 + ((i * 11) % 41)) / 10}`,
      ),
    );
    expect(found.roles.metrics).toEqual(["wit", "charm"]);
    expect(said(found)).toMatch(/wit, charm are numbers on a rating scale/);
  });
});

describe("labels in columns of 0 and 1", () => {
  it("have no direction, and approval among them is no score that is better when higher", async () => {
    const labels = ["admiration", "anger", "approval", "fear", "neutral"];
    const found = await csv(
      `text,id,rater_id,unclear,${labels.join(",")}`,
      ...times(30, (i) => {
        const set = (i * 2 + ((i >> 2) % 2)) % 5;
        return `what was said ${i % 10},c${i % 10},${i % 6},False,${labels.map((_, k) => (k === set ? 1 : 0)).join(",")}`;
      }),
    );
    expect(found.roles.metrics).toEqual(labels);
    expect(found.metrics.map(({ higherIsBetter }) => higherIsBetter)).toEqual(labels.map(() => undefined));
    expect(said(found)).toMatch(/none is better than another/);
  });

  it("several flags that are mostly set are verdicts, not a choice among labels", async () => {
    const found = await csv(
      "id,rater_id,passed,correct,helpful,safe",
      ...times(20, (i) => `c${i % 10},${i % 2},1,${i % 3 === 0 ? 0 : 1},1,${i % 5 === 0 ? 0 : 1}`),
    );
    expect(said(found)).not.toMatch(/none is better/);
  });
});

describe("rows that are runs", () => {
  const seeds = times(8, (i) => `${i},${0.8 + (i % 3) / 100},${0.82 + ((i * 2) % 5) / 100}`);

  it("a seed in every row of a wide table is a run, no item", async () => {
    const found = await csv("seed,baseline,ours", ...seeds);
    expect([found.systems, found.items]).toEqual([["baseline", "ours"], 0]);
    const result = compare([{ path: "d.csv", imported: found }]);
    expect([result.units, result.n]).toEqual(["runs", 8]);
    expect(result.toString()).not.toMatch(/8 items/);
  });

  it("rows without a seed stay items", async () => {
    const found = await csv("baseline,ours", ...seeds.map((row) => row.replace(/^\d+,/, "")));
    expect(found.items).toBe(8);
  });
});

describe("what holds several items", () => {
  const own = (page: (i: number) => string): Promise<Awaited<ReturnType<typeof csv>>> =>
    csv("item,page,system,score", ...times(120, (i) => `i${i >> 1},${page(i)},${"PQ"[i % 2]},${(i * 37) % 11}.5`));

  it("is a cluster where each item lies in one of them", async () => {
    const found = await own((i) => `p${Math.floor(i / 12)}`);
    expect(found.roles.cluster).toBe("page");
    expect(said(found)).toMatch(/Items with the same page are taken to belong together/);
  });

  it("is none where an item lies in several, or each in its own", async () => {
    expect((await own((i) => `p${(i * 7) % 10}`)).roles.cluster).toBeUndefined();
    expect((await own((i) => `p${i >> 1}`)).roles.cluster).toBeUndefined();
  });
});

describe("tables by language", () => {
  it("one row a language and a column for each system", async () => {
    const found = await csv(
      "lang,NLLB,Google,GPT-4",
      ...times(8, (i) => `l${i}_Latn,${20.1 + i},${22.3 + ((i * 3) % 7)},${21.7 + ((i * 2) % 9)}`),
    );
    expect([found.roles.item, found.items, found.roles.wide]).toEqual(["lang", 8, ["NLLB", "Google", "GPT-4"]]);
  });

  it("several outputs of one source without a system are neither repeats nor systems", async () => {
    const found = await csv(
      "lp,src,mt,ref,score",
      ...times(
        24,
        (i) => `en-de,source text ${i >> 1},translation ${i},human reference ${i >> 1},${((i * 13) % 40) / 10}`,
      ),
    );
    expect([found.roles.system, found.roles.item, found.repeats]).toEqual([undefined, undefined, 0]);
    expect(said(found)).toMatch(/same src hold several outputs \(mt\), and no column says whose/);
  });
});

describe("scores of shared tasks without a header", () => {
  const lines = (n: readonly number[]): string =>
    n
      .flatMap((count, s) => times(count, (i) => `sys-${"ABC"[s]}\t${i === 3 ? "None" : (((i + s) * 17) % 90) / 100}`))
      .join("\n");

  it("a system and a number in each line: segments are numbered within systems, and nothing says which way is better", async () => {
    const found = await read({ "BLUE.seg.score": lines([30, 30, 30]) });
    expect([found.systems.length, found.items, found.roles.score]).toEqual([3, 30, "BLUE"]);
    expect(found.metrics[0]!.higherIsBetter).toBeUndefined();
    expect(said(found)).toMatch(/no header: its fields are system, score/);
  });

  it("systems of different length are no blocks of segments", async () => {
    expect((await read({ "a.seg.score": lines([30, 30, 29]) })).format).not.toBe("wmt-metrics");
  });

  it("blanks between fields and at the end of every line", async () => {
    const found = await read({
      "seg.csv": [
        "SYS SID RAW.SCR Z.SCR N ",
        ...times(24, (i) => `${"PQR"[i % 3]}.1 s${Math.floor(i / 3)} ${40 + i} ${i / 10 - 1} 1 `),
      ].join("\n"),
    });
    expect([found.systems.length, found.items, found.roles.metrics]).toEqual([3, 8, ["RAW.SCR", "Z.SCR"]]);
  });

  it("lines of numbers are no sentences, and a header in tabs over broken rows no text", async () => {
    const stars = [" P.1 Q.2 R.3 S.4", "P.1 - 0.08* 0.10*** 0.2", "Q.2 -0.08 - 0.02 0.1", "R.3 -0.10 -0.02 - 0.1"].join(
      "\n",
    );
    await expect(read({ "wilcoxon.txt": stars })).rejects.toThrow(/lines of numbers.*not text/);
    await expect(read({ "ratings.txt": times(9, () => "3,2,5\t4,4,1\t2,3,3").join("\n") })).rejects.toThrow(/not text/);
    const broken = ["hit\tworker\tsystem\tscore", ...times(6, (i) => `NA\tw${i} P 3${i}`)].join("\n");
    await expect(read({ "raw.csv": broken })).rejects.toThrow(/2 fields where 4 are expected/);
    const prose = times(5, (i) => `In 19${i}0 they had 3 cows, 2 dogs and ${"very ".repeat(i)}old cats.`).join("\n");
    expect((await read({ "prose.txt": prose })).format).toBe("text");
  });

  it("a first line of text, label and id is data, and names that are data say nothing of scores", async () => {
    const found = await read({
      "dev.tsv": times(
        12,
        (i) => `Well, I never said that. Not once ${i}.\t${i % 3 === 0 ? "4,27" : 27}\ted${10 + i}qx`,
      ).join("\n"),
    });
    expect(found.diagnostics.map(({ code }) => code)).toContain("NoHeader");
    expect(found.diagnostics.map(({ code }) => code)).not.toContain("NoScoreFound");
  });
});

describe("a metric beside several raters", () => {
  it("counts once for each output, where two joined files repeat it", async () => {
    const metrics = [
      "seg_id,system,BLEU",
      ...times(40, (i) => `${i >> 1},${"PQ"[i % 2]},${20 + ((i * 13) % 31)}`),
    ].join("\n");
    const human = [
      "seg_id,system,rater,adequacy",
      ...times(80, (i) => `${i >> 2},${"PQ"[(i >> 1) % 2]},r${i % 2},${1 + ((i * 7) % 5)}`),
    ].join("\n");
    const joined = [{ path: "d.csv", imported: await read({ "metrics.csv": metrics, "human.csv": human }) }];
    const both = compare(joined, { metric: "BLEU" });
    const alone = compare([{ path: "metrics.csv", imported: await read({ "metrics.csv": metrics }) }]);
    const told = ({ main }: typeof both) => [main.p, main.ci.lower, main.ci.upper, main.verdict];
    expect(told(both)).toEqual(told(alone));
    expect(both.diagnostics.map(({ code }) => code)).toContain("IdleRaters");
    const judged = compare(joined, { metric: "adequacy" });
    expect(judged.diagnostics.map(({ code }) => code)).not.toContain("IdleRaters");
  });
});

describe("what is known of people", () => {
  it("their grades and their school are neither systems nor scores nor clusters, and the label is what they gave", async () => {
    const found = await csv(
      "user_id,text,grade_german,grade_math,career_path,label",
      ...times(40, (i) => {
        const who = i % 5;
        return `${who},sentence number ${Math.floor(i / 5)},${1 + who},${1 + ((who * 3) % 5)},school ${who % 3},${1 + ((i * 7) % 4)}`;
      }),
    );
    const { rater, item, label, metrics, wide, cluster } = found.roles;
    expect([rater, item, label]).toEqual(["user_id", "text", "label"]);
    expect([metrics, wide, cluster]).toEqual([[], [], undefined]);
    expect(found.diagnostics).toEqual([]);
  });
});

describe("predictions", () => {
  it("pred_label beside gold_label: a distance or a number beside them is no score", async () => {
    const found = await csv(
      "id,language,distance_level,text,gold_label,pred_label",
      ...times(20, (i) => `r${i},nl,${1 + (i % 3)},what they said ${i},${"xyz"[i % 3]},${"xyz"[(i * 2) % 3]}`),
    );
    expect([found.roles.label, found.roles.prediction]).toEqual(["gold_label", "pred_label"]);
    expect(found.roles.metrics).toEqual([]);
  });

  it("of several systems beside the gold label: how sure each was is no score", async () => {
    const found = await csv(
      "pair_id,text,expected_label,toxic_small_label,toxic_small_score,large_label,large_score",
      ...times(
        16,
        (i) =>
          `${i},said ${i},${["ok", "rude"][i % 2]},${["ok", "rude"][(i >> 1) % 2]},0.${10 + i},${["rude", "ok"][i % 2]},0.${70 - i}`,
      ),
    );
    expect([found.roles.label, found.roles.metrics]).toEqual(["expected_label", []]);
    expect(said(found)).toMatch(/toxic_small_label, large_label hold labels of expected_label/);
  });

  it("of two codings of the gold label that one counts whose labels were predicted", async () => {
    const found = await csv(
      "row_id,sentence,label,label_name,tuned_prediction,tuned_predicted_label",
      ...times(
        20,
        (i) => `${900 - i},said ${i},${i % 3},${["bad", "so", "good"][i % 3]},${1 + (i % 5)} stars,${(i * 2) % 3}`,
      ),
    );
    expect([found.roles.label, found.roles.prediction]).toEqual(["label", "tuned_predicted_label"]);
  });
});

describe("tables of runs and instances", () => {
  it("a chart of runs over steps has one number a run, the last, and steps are no sample", async () => {
    const line = (run: string): string =>
      ["_step", "gap"].flatMap((m) => ["", "__MIN", "__MAX"].map((end) => `"${run} - ${m}${end}"`)).join(",");
    const found = await csv(
      `"epoch",${line("calm-sea-1")},${line("old-hill-2")}`,
      ...times(
        6,
        (i) =>
          `${i * 10},${i},${i},${i},0.${9 - i},0.${9 - i},0.${9 - i},${i < 5 ? `${i},${i},${i},0.${8 - i},0.${8 - i},0.${8 - i}` : ",,,,,"}`,
      ),
    );
    expect([found.systems, found.items, found.roles.score]).toEqual([["calm-sea-1", "old-hill-2"], 0, "gap"]);
    expect([...(found.table.columns.get("gap") as { values: Float64Array }).values]).toEqual([0.4, 0.4]);
    expect(said(found)).toMatch(/chart of 2 runs over epoch: of each run the last value is kept/);
  });

  it("rows with totals on parts of the data are systems, not items", async () => {
    const found = await csv(
      "id,stage,train_rmse,val_rmse,val_r2",
      ...times(6, (i) => `A0${i}_net,ablation,${20 + i}.5,${30 + i}.5,0.8${i}`),
    );
    expect([found.roles.system, found.roles.item, found.roles.score]).toEqual(["id", undefined, "val_rmse"]);
  });

  it("instances numbered in their order are items, and a column called Complete beside its like is a system", async () => {
    const rows = times(
      9,
      (i) => `${String(i).padStart(4, "0")}_u${i * 7}x,1.${80 + i},1.${76 + ((i * 3) % 9)},1.${75 + ((i * 5) % 9)}`,
    );
    const found = await csv("name,Complete,KNN_5,FI", ...rows);
    expect([found.roles.item, found.roles.wide]).toEqual(["name", ["Complete", "KNN_5", "FI"]]);
    const board = await csv("name,Riddles,Chess", "gpt-x,41.5,62.1", "llama-y,44.5,60.1", "qwen-z,47.1,59.9");
    expect(board.roles.system).toBe("name");
  });

  it("three settings crossed with the models are no items", async () => {
    const found = await csv(
      "experiment,model,feature,accuracy",
      ...["svm", "nb", "lr"].flatMap((m, k) =>
        ["bow", "tfidf", "ngram"].map((f, j) => `${m}_${f},${m},${f},0.9${k + j}`),
      ),
    );
    expect([found.roles.system, found.roles.item]).toEqual(["model", undefined]);
  });
});

describe("decimal commas", () => {
  const cell = (i: number): string => `${60 + ((i * 7) % 23)},${(i * 3) % 10}`;

  it("60,4 beside #NV is one score, not the ratings 60 and 4 of two raters", async () => {
    const rows = times(40, (i) => `q${i >> 1};${"PQ"[i % 2]};${i === 11 ? "#NV" : cell(i)}`);
    const found = await csv("Item;System;Score", ...rows);
    expect([found.roles.rater, found.table.rows, found.table.columns.get("Score")!.kind]).toEqual([
      undefined,
      40,
      "numeric",
    ]);
    const word = times(40, (i) => `q${i >> 1};${"PQ"[i % 2]};${i === 11 ? "later" : cell(i)}`);
    const left = await csv("Item;System;Score", ...word);
    expect([left.roles.rater, left.table.rows]).toEqual([undefined, 40]);
  });

  it("lists that no decimal could be are still the ratings of several", async () => {
    const rows = times(40, (i) => `q${i >> 1};${"PQ"[i % 2]};${1 + (i % 5)}, ${1 + ((i * 3) % 5)}`);
    expect((await csv("Item;System;Rating", ...rows)).roles.rater).toBe("rater");
  });
});

describe("names in a sheet", () => {
  const rate = (i: number, k: number): number => 1 + ((i * 3 + k * 2 + (i >> 2)) % 5);

  it("Anna, Ben, Chris are raters also where the items stand under Doc, not three scores of which Anna is asked about", async () => {
    const found = await csv(
      "Doc,System,Domain,Anna,Ben,Chris",
      ...times(
        36,
        (i) => `D${(i / 3) | 0},${["Base", "Ours", "New"][i % 3]},law,${rate(i, 0)},${rate(i, 1)},${rate(i, 2)}`,
      ),
    );
    expect(found.roles).toMatchObject({ item: "Doc", system: "System", rater: "rater", score: "rating" });
    expect([found.items, found.systems.length, found.table.rows]).toEqual([12, 3, 108]);
  });

  it("rater_Qx, rater_Wv beside Doc leave Doc the item; of Qx, Wv, Zt it is asked whether they are raters", async () => {
    const sheet = (...names: readonly string[]) =>
      csv(
        `Doc,System,${names.join(",")}`,
        ...times(36, (i) => `D${i >> 1},${["Base", "Ours"][i % 2]},${names.map((_, k) => rate(i, k)).join(",")}`),
      );
    const found = await sheet("rater_Qx", "rater_Wv", "rater_Zt");
    expect([found.roles.item, found.roles.rater, found.items]).toEqual(["Doc", "rater", 18]);
    const guesses = ["Qx", "Wv", "Zt"].map((column) => ({
      role: "score",
      column,
      reason: "whole numbers on a rating scale",
      confidence: 0.6,
    }));
    const asked = (): void => refuseUnsureScore({ guesses }, "Qx");
    expect(asked).toThrow(StatError);
    expect(asked).toThrow(expect.objectContaining({ fix: expect.stringContaining("option `rater: Qx,Wv") }));
  });

  it("A, B or Tie of three raters are votes between A and B, which could only be asked about agreement", async () => {
    const vote = (i: number, k: number): string => ["B", "A", "B", "Tie", "B"][(i * 2 + k + (i >> 3)) % 5]!;
    const found = await csv(
      "Question,Rater 1,Rater 2,Rater 3",
      ...times(40, (i) => `${i + 1},${times(3, (k) => vote(i, k)).join(",")}`),
    );
    expect([...found.systems].sort()).toEqual(["A", "B"]);
    expect(found.roles).toMatchObject({ item: "Question", rater: "rater", opponent: "opponent", score: "score" });
    const shares = times(40, (i) => times(3, (k) => ({ A: 0, Tie: 0.5, B: 1 })[vote(i, k)]!)).flat();
    expect(means(found).B).toBeCloseTo(shares.reduce((sum, share) => sum + share, 0) / 120, 12);
    expect(found.table.columns.has("position")).toBe(false);
    expect(said(found)).toContain("if it was shuffled who was A, they are places");
    // each vote counts once where raters are asked whether they agree
    expect(singleVotes(found.table, found.roles)!.table.rows).toBe(120);
    const answers = await csv("Question,preference", ...times(40, (i) => `${i + 1},${"ABC"[i % 3]}`));
    expect(answers.systems).toEqual([]);
  });

  const long = (system: (i: number) => string, rater: (i: number) => string) =>
    csv("Text,System,Rater,Score", ...times(120, (i) => `T${(i / 6) | 0},${system(i)},${rater(i)},${rate(i, i % 5)}`));
  const [system, rater] = [(i: number) => `Model ${"AB"[i % 2]}`, (i: number) => ["Ann", "Zoë", "Joe"][(i >> 1) % 3]!];

  it("a few 'model a' and 'Ann ' are slips of the pen, not systems and raters of their own", async () => {
    const found = await long(
      (i) => (i % 19 === 3 ? system(i).toLowerCase() : system(i)),
      (i) => (i % 4 === 1 ? `${rater(i)} ` : rater(i)),
    );
    expect(found.systems).toEqual(["Model A", "Model B"]);
    expect((found.table.columns.get("Rater") as { levels: readonly string[] }).levels).toHaveLength(3);
    expect(said(found)).toMatch(
      /System: names that differ in capitals or blanks alone are read as one: "model a" \(3 rows\) as "Model A", "model b" \(4 rows\) as "Model B"\./,
    );
    expect(found.diagnostics.map(({ code }) => code)).not.toContain("PaddedLevels");
  });

  it("two systems that differ in capitals and are as frequent stay two", async () => {
    const found = await long((i) => ["nova", "Nova"][i % 2]!, rater);
    expect([...found.systems].sort()).toEqual(["Nova", "nova"]);
    expect(said(found)).toContain("kept as two");
  });

  it("rows that were pasted twice do not hide the item", async () => {
    const rows = times(120, (i) => `T${(i / 6) | 0},${system(i)},${rater(i)},${rate(i, i % 5)}`);
    const found = await csv("Text,System,Rater,Score", ...rows, ...rows.slice(0, 40));
    expect(found.roles).toMatchObject({ item: "Text", system: "System", rater: "Rater" });
    expect(said(found)).toContain("40 rows of 160 are exact copies of others");
  });
});

/** Files as their owners keep them: what repeats an item, who gave a label, which keys are what, and what is asked about instead of guessed. */
import { describe, expect, it } from "vitest";
import { times } from "../../test/support/shapes.ts";
import { explainNoScore, explainTextScore } from "../data/roles/hints.ts";
import { findHumanScore } from "../validity/metrics/columns.ts";
import { importFiles } from "./import.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const csv = (...lines: readonly string[]) => importFiles([{ name: "t.csv", bytes: bytes(lines.join("\n")) }]);
const json = (value: unknown) => importFiles([{ name: "t.json", bytes: bytes(JSON.stringify(value)) }]);

describe("an item that comes again", () => {
  it("was run under a condition of any name, which is no repeat", async () => {
    const rows = times(
      5 * 8 * 3,
      (i) => `q${i % 8},m${Math.floor(i / 8) % 5},${(Math.floor(i / 40) / 2).toFixed(1)},${(i % 3) / 2}`,
    );
    const found = await csv("question_id,model,noise_share,score", ...rows);
    expect(found).toMatchObject({ items: 8, repeats: 1, roles: { parameters: ["noise_share"] } });
    expect(found.assumptions.join(" ")).toContain("noise_share is a condition under which items come again.");
  });

  it("has an id in every row, but every experiment was given the same questions", async () => {
    const rows = times(40, (i) => `${i}f-${i},q ${i % 20},exp-${i < 20 ? "old" : "new"},${i % 3 ? 1 : 0}`);
    const found = await csv("id,inputs.question,experiment,correctness", ...rows);
    expect(found).toMatchObject({
      items: 20,
      systems: ["exp-new", "exp-old"],
      roles: { item: "inputs.question", system: "experiment" },
    });
  });

  it("has an id of the owner's own making in files of one system each", async () => {
    const file = (name: string, shift: number) => ({
      name: `r/${name}.csv`,
      bytes: bytes(["riddle_id,correct", ...times(9, (i) => `r${(i + shift) % 9},${i % 2}`)].join("\n")),
    });
    expect(await importFiles([file("v1", 0), file("v2", 4)])).toMatchObject({
      items: 9,
      roles: { item: "riddle_id", system: "file" },
    });
  });
});

describe("who gave a label", () => {
  it("are people whose files are named after them", async () => {
    const file = (name: string, k: number) => ({
      name: `ann/${name}.jsonl`,
      bytes: bytes(
        times(12, (i) => JSON.stringify({ id: i, text: `t ${i}`, label: [(i + k) % 3 ? "pos" : "neg"] })).join("\n"),
      ),
    });
    const found = await importFiles([file("admin", 0), file("alice", 0), file("bob", 1)]);
    expect(found).toMatchObject({ systems: [], items: 12, roles: { rater: "file", label: "label" } });
    expect((found.table.columns.get("label") as { levels: readonly string[] }).levels).toEqual(["neg", "pos"]);
  });

  it("are two people where two columns often agree, and one where they never do", async () => {
    const labels = ["joy", "fear", "anger"];
    const two = await csv(
      "id,text,label1,label2",
      ...times(30, (i) => `${i},t ${i},${labels[i % 3]},${labels[(i + (i % 5 ? 0 : 1)) % 3]}`),
    );
    expect(two).toMatchObject({ unnamedRaters: true, items: 30, roles: { rater: "rater", score: "label" } });
    // joy is not better than fear
    expect(two.metrics[0]?.higherIsBetter).toBeUndefined();
    const one = await csv(
      "id,text,label1,label2",
      ...times(30, (i) => `${i},t ${i},${labels[i % 3]},${i % 4 ? "" : labels[(i + 1) % 3]}`),
    );
    expect(one.roles.rater).toBeUndefined();
  });

  it("chose, and how long it took is no score", async () => {
    const found = await csv(
      "annotation_id,annotator,choice,id,lead_time",
      ...times(30, (i) => `${i},${i % 3},${i % 4 ? "Relevant" : "Off topic"},${Math.floor(i / 3)},${1 + i / 7}`),
    );
    expect(found).toMatchObject({ metrics: [], roles: { rater: "annotator", item: "id", label: "choice" } });
  });

  it("does not make groups of the items by the label of one medium", async () => {
    const labels = ["joy", "fear", "anger"];
    const found = await csv("ID,video,text_label", ...times(30, (i) => `${i},${labels[i % 3]},${labels[(i * 2) % 3]}`));
    expect(found.roles.cluster).toBeUndefined();
  });
});

describe("the keys of a document", () => {
  const scores = (i: number) => ({ accuracy: 0.5 + i / 50, f1: 0.4 + i / 50 });

  it("are neither systems nor items where nothing says which", async () => {
    const few = await json(Object.fromEntries(["alpha", "beta", "gamma"].map((name, i) => [name, scores(i)])));
    expect([few.roles.item, few.roles.system, few.items]).toEqual([undefined, undefined, 0]);
    const many = await json(Object.fromEntries(times(30, (i) => [`case${i}`, scores(i % 7)])));
    expect(many).toMatchObject({ items: 30, roles: { item: "key" } });
    const named = await json(Object.fromEntries(["gpt-4", "claude-3", "other"].map((name, i) => [name, scores(i)])));
    expect(named.roles.system).toBe("key");
  });

  it("have means of measures beneath them and are systems", async () => {
    const part = (k: number) => ({
      token_f1: { mean: 0.4 + k / 10, std: 0.2, n: 150 },
      latency_ms: { mean: 90 + k, std: 9, n: 150 },
    });
    const found = await json({ chain: part(0), index: part(1), prog: part(2) });
    expect(found).toMatchObject({
      roles: { system: "key", metric: "key_2", score: "mean" },
      systems: ["chain", "index", "prog"],
    });
  });

  it("are left out where they say how the run was set up, and tasks need not share measures", async () => {
    const code = await json({
      humaneval: { "pass@1": 0.3 },
      mbpp: { "pass@1": 0.4 },
      config: { model: "x", temperature: 0.2 },
    });
    expect([code.table.rows, code.roles.score]).toEqual([2, "pass@1"]);
    const mixed = await json({
      config_general: { model: "x" },
      results: { "a|gsm|5": { qem: 0.4, qem_stderr: 0.01 }, "a|arc|25": { acc: 0.5, acc_stderr: 0.01 } },
    });
    expect([mixed.table.rows, mixed.roles.task]).toEqual([2, "task"]);
  });

  it("are totals of one run beside their deviations, not items", async () => {
    const found = await json({ bn: 0.1, "bn:std": 0.3, de: 0.5, "de:std": 0.5, score: 0.3, "score:std": 0.4 });
    expect([found.table.rows, found.items]).toEqual([1, 0]);
  });

  it("are classes of a report, queries of judgements, or questions", async () => {
    const report = await json({
      a: { precision: 0.9, recall: 0.8, support: 9 },
      b: { precision: 0.7, recall: 0.6, support: 9 },
      accuracy: 0.7,
    });
    expect(report.diagnostics.find(({ code }) => code === "NoScoreFound")?.message).toContain("a report by class");
    const judged = await json({ q1: { d1: 3, d2: 0 }, q2: { d7: 2 }, q3: { d8: 1, d9: 2 } });
    expect(judged.roles).toMatchObject({ cluster: "query_id", item: "doc_id", label: "relevance" });
    const answers = await json(Object.fromEntries(times(12, (i) => [`56be${i}`, `answer ${i}`])));
    expect(answers.items).toBe(12);
  });
});

describe("lists in one document", () => {
  it("of one length stand side by side, and numbers are rows", async () => {
    const found = await json({
      preds: times(5, (i) => ({ id: `q${i}`, prediction_text: "x" })),
      refs: times(5, (i) => ({ id: `q${i}`, answer: "y" })),
    });
    expect([[...found.table.columns.keys()], found.items]).toEqual([["id", "prediction_text", "answer"], 5]);
    const numbers = await json({ runner: "x", kind: "attack", scores: [0.1, 0.4, 0.9] });
    expect(numbers.table.rows).toBe(3);
  });
});

describe("names and values that were taken for something else", () => {
  it("T and F under the names of systems are their verdicts", async () => {
    const found = await csv(
      "id,question,gpt-4,llama-2",
      ...times(20, (i) => `${i},q ${i},${i % 2 ? "T" : "F"},${i % 3 ? "T" : "F"}`),
    );
    expect(found.roles.wide).toEqual(["gpt-4", "llama-2"]);
    expect(found.table.columns.get("gpt-4")?.kind).toBe("numeric");
  });

  it("votes name what stands on a side, whatever the sides are called", async () => {
    const rows = times(
      20,
      (i) =>
        `q ${i},${i % 2 ? "chain" : "index"},${i % 2 ? "index" : "prog"},${i % 3 ? (i % 2 ? "chain" : "index") : "tie"}`,
    );
    const found = await csv("question,fw_a,fw_b,winner", ...rows);
    expect(found).toMatchObject({ systems: ["chain", "index", "prog"], roles: { opponent: "opponent" } });
  });

  it("moments and ids of a platform are no settings and no systems, prompts without results no conditions", async () => {
    const trials = await csv(
      "number,value,datetime_start,params_lr,params_depth",
      ...times(12, (i) => `${i},0.${5 + (i % 4)},2025-06-16 05:2${i % 10}:53,0.${1 + (i % 3)},${i % 2}`),
    );
    expect(trials.roles.parameters).toEqual(["params_lr", "params_depth"]);
    const hex = (i: number) => (0x5f3e12 + i).toString(16).repeat(4);
    const people = await csv(
      "Submission id,Participant id,Time taken,Age",
      ...times(12, (i) => `${hex(i)},${hex(i + 99)},${600 + i},${20 + i}`),
    );
    expect([people.roles.system, people.metrics]).toEqual([undefined, []]);
    const triplets = await csv(
      "uid,prompt,response1,response2",
      ...times(24, (i) => `u${i},p${i % 4},r${i % 5},r${(i + 1) % 5}`),
    );
    expect(triplets.roles.system).toBeUndefined();
  });

  it("the turn and the template that goes with it are one condition, no two metrics", async () => {
    const rows = times(
      60,
      (i) =>
        `${i % 10},m${Math.floor(i / 20)},${Math.floor(i / 10) % 2 ? "multi" : "single"},${(Math.floor(i / 10) % 2) + 1},${1 + (i % 9)}`,
    );
    expect((await csv("question_id,model,judge_template_name,turn,score", ...rows)).roles.metric).toBeUndefined();
  });

  it("how near a search took its first find to be is not how good it was", async () => {
    const rows = times(40, (i) => `q${i % 20},e${Math.floor(i / 20)},${i % 3 ? 1 : 0},${i % 3 ? 1 : 0.2},0.${30 + i}`);
    const found = await csv("question_id,embedding_model,hit_at_1,reciprocal_rank,top1_score", ...rows);
    expect([found.roles.system, found.roles.score]).toEqual(["embedding_model", "hit_at_1"]);
    expect(found.metrics[0]?.higherIsBetter).toBe(true);
  });

  it("the parts of a BERTScore are measures, which were three systems", async () => {
    const found = await csv(
      "id,query,bertscore_precision,bertscore_recall,bertscore_f1,rougeL_f1",
      ...times(20, (i) => `d${i},q ${i},0.${80 + (i % 9)},0.${81 + (i % 8)},0.${82 + (i % 7)},0.${20 + i}`),
    );
    expect([found.systems, found.roles.wide]).toEqual([[], []]);
    expect(found.metrics.map(({ name }) => name)).toContain("bertscore_f1");
  });

  it("what a system was chosen by comes after the same measure on the test", async () => {
    const found = await csv(
      "model,val_accuracy,val_ece,test_accuracy,test_ece",
      "a,0.9,0.1,0.8,0.2",
      "b,0.8,0.2,0.9,0.1",
    );
    expect(found.metrics.map(({ name }) => name)).toEqual(["test_accuracy", "test_ece", "val_accuracy", "val_ece"]);
    // without a test it is all that there is
    expect((await csv("model,val_accuracy,loss", "a,0.9,1", "b,0.8,2")).roles.score).toBe("val_accuracy");
  });

  it("the probability of a label is no score, and how hard a problem is no answer", async () => {
    const found = await csv(
      "example_id,model,is_correct,prob_entailment,prob_neutral",
      ...times(20, (i) => `${i >> 1},m${i % 2},${i % 3 ? "True" : "False"},0.${10 + i},0.${40 + i}`),
    );
    expect(found.metrics.map(({ name }) => name)).toEqual(["is_correct"]);
    const runs = await csv(
      "task_id,passed,time_ms,complexity",
      ...times(20, (i) => `t${i},${i % 3 ? "True" : "False"},${100 + i},${["Easy", "Medium", "Hard"][i % 3]}`),
    );
    expect([runs.roles.score, runs.metrics.length]).toEqual(["passed", 1]);
  });

  it("criteria under names of settings, on the scale of the others, are criteria", async () => {
    const step = (i: number, k: number) => [1, 3, 2, 2.5, 1.5][(i * k) % 5];
    const found = await csv(
      "Coherent,Depth,Likeable,Flexible,Consistent,Overall",
      ...times(30, (i) => [step(i, 1), step(i, 2), step(i, 3), step(i, 4), i % 2, 1 + (i % 5)].join(",")),
    );
    expect(found.roles.parameters).toEqual([]);
    expect(found.metrics.map(({ name }) => name)).toEqual(expect.arrayContaining(["Depth", "Flexible", "Overall"]));
    const record = { train_config: { multi_seed_values: [42, 43, 44], layers: [2, 4, 8] }, name: "x" };
    expect((await json([record])).metrics).toEqual([]);
  });

  it("verdicts on answers are named before flags, and answers beside their gold labels are none", async () => {
    const rows = times(
      20,
      (i) => `t${i},m${i % 2},${i % 4 ? "True" : "False"},${["correct", "wrong", "unknown"][i % 3]}`,
    );
    const flagged = await csv("target_id,model,usable,final_decision", ...rows);
    expect(explainTextScore(flagged.table, flagged.roles)?.why).toContain("final_decision holds verdicts");
    const answered = await csv(
      "id,ground_truth,generated_answer,other",
      ...times(20, (i) => `d${i},${["yes", "no", "maybe"][i % 3]},${["yes", "no", "maybe"][(i >> 1) % 3]},x${i}`),
    );
    expect(explainTextScore(answered.table, answered.roles)).toBeUndefined();
  });

  it("rates and sizes that a search drew are settings, which were the scores of its trials", async () => {
    const found = await csv(
      "hidden_units,dropout_rate,learning_rate,weight_decay,batch_size,optimizer,best_val_loss",
      ...times(
        60,
        (i) =>
          `${400 + i},0.2${100 + i},0.000${100 + i},0.00000${100 + i},${128 + i},AdamW,0.87${100 + ((i * 7) % 60)}`,
      ),
    );
    expect(found.metrics.map(({ name, higherIsBetter }) => [name, higherIsBetter])).toEqual([["best_val_loss", false]]);
    expect(found.roles.parameters).toEqual(
      expect.arrayContaining(["dropout_rate", "learning_rate", "weight_decay", "batch_size", "hidden_units"]),
    );
  });

  it("what a model judged is not what people said, who have a column of their own", async () => {
    const found = await csv(
      "model,bleu_score,rouge_l,llm_correctness,human_qe",
      ...times(24, (i) => `m${i % 3},0.${10 + i},0.${20 + i},${(i % 5) / 4},${((i >> 1) % 5) / 4}`),
    );
    expect(findHumanScore(found)?.human).toBe("human_qe");
    const alone = await csv(
      "model,bleu_score,rouge_l,llm_correctness",
      ...times(24, (i) => `m${i % 3},0.${10 + i},0.${20 + i},${(i % 5) / 4}`),
    );
    expect(findHumanScore(alone)).toBeUndefined();
  });

  it("files of judges that rate the same outputs are raters, which were repeats", async () => {
    const sheet = (k: number) =>
      ["Prompt_ID,Tested_Model,Language,Helpfulness,Explanation"]
        .concat(
          times(
            40,
            (i) =>
              `p${i >> 2},${i % 2 ? "Beta" : "Alpha"},${i & 2 ? "EN" : "UA"},${1 + ((i * 7 + k * 3) % 5)},because ${i} ${k}`,
          ),
        )
        .join("\n");
    const files = (names: readonly string[]) =>
      importFiles(names.map((name, k) => ({ name: `evals/${name}.csv`, bytes: bytes(sheet(k)) })));
    const judges = await files(["evaluation_claude", "evaluation_gpt-4o", "evaluation_mistral"]);
    expect([judges.roles.system, judges.roles.rater, judges.items]).toEqual(["Tested_Model", "file", 10]);
    expect(judges.assumptions.join(" ")).toContain("so the files are taken as raters");
  });

  it("parts of the data with their sizes are totals, which were three items", async () => {
    const rows = [
      "a,low,582,0.70",
      "a,mid,1774,0.76",
      "a,high,881,0.71",
      "b,low,582,0.85",
      "b,mid,1774,0.88",
      "b,high,881,0.86",
    ];
    const found = await csv("model,group,n,accuracy", ...rows);
    expect([found.roles.item, found.roles.task, found.roles.score]).toEqual([undefined, "group", "accuracy"]);
    expect(found.assumptions.join(" ")).toContain("n says over how many items: rows are totals");
  });

  it("what a search wrote down beside its settings is none of them", async () => {
    const found = await csv(
      "number,value,params_hidden_dim,user_attrs_hidden_dim,state",
      ...times(30, (i) => `${i},0.8${100 + i},${64 << (i % 4)},${64 << (i % 4)},COMPLETE`),
    );
    expect(found.roles.parameters).toEqual(["params_hidden_dim"]);
  });

  it("names of images are no output of a system", async () => {
    const found = await csv(
      "img_name,gold,pred,emotion",
      ...times(
        12,
        (i) =>
          `picture number ${i} of the whole album.jpg,the group of people number ${i} is running away,a man and his dog number ${i} walk along,fear`,
      ),
    );
    expect(explainNoScore(found.table, found.roles).fix).toContain('pred: ["pred"]');
  });

  it("what people rated comes before what a program computed", async () => {
    const found = await csv(
      "system,item,meteor,human_quality,bleu",
      ...times(20, (i) => `s${i % 2},${i >> 1},0.${10 + i},${1 + (i % 5)},0.${20 + i}`),
    );
    expect(found.roles.score).toBe("human_quality");
  });
});

import { describe, expect, it } from "vitest";
import { readCsv } from "../../io/csv/csv.ts";
import type { Roles } from "../imported.ts";
import { metricDirection } from "./direction.ts";
import { splitWords } from "./names.ts";
import { guessRoles } from "./roles.ts";
import { understandTable } from "./understand.ts";

const guess = (header: string, ...rows: readonly string[]): { roles: Roles; assumptions: readonly string[] } =>
  guessRoles(readCsv([header, ...rows].join("\n")).table);

/** Every combination of the values, one row each. */
function cross(...columns: readonly (readonly (string | number)[])[]): string[] {
  return columns.reduce<string[]>(
    (rows, values) => rows.flatMap((row) => values.map((value) => (row === "" ? String(value) : `${row},${value}`))),
    [""],
  );
}
const scored = (rows: readonly string[]): string[] => rows.map((row, i) => `${row},${((i * 37) % 100) / 100}`);

describe("roles by name", () => {
  it("reads names as words", () => {
    expect(splitWords("sentenceId")).toEqual(["sentence", "id"]);
    expect(splitWords("Ann.Per.Ex")).toEqual(["ann", "per", "ex"]);
  });

  it("finds system, item, rater, repeat, cluster, task and score under many names", () => {
    const { roles } = guess(
      "model,question_id,annotator,seed,topic,dataset,rating",
      ...cross(["A", "B"], ["q1", "q2"], ["x", "y"], [1, 2], ["t"], ["d"]).map((row, i) => `${row},${1 + (i % 5)}`),
    );
    expect(roles).toMatchObject({
      system: "model",
      item: "question_id",
      rater: "annotator",
      repeat: "seed",
      cluster: "topic",
      task: "dataset",
      score: "rating",
    });
    expect(guess("System,Item,Score", ...scored(cross(["A", "B"], [1, 2, 3]))).roles).toMatchObject({
      system: "System",
      item: "Item",
      score: "Score",
    });
  });

  it("prefers the id that repeats over a row number", () => {
    const { roles } = guess("id,doc_id,model,correct", "1,d1,A,1", "2,d2,A,0", "3,d1,B,1", "4,d2,B,1");
    expect(roles.item).toBe("doc_id");
  });

  it("takes several scores as metrics and knows their direction", () => {
    const { roles } = guess(
      "system,item,bleu,ter",
      ...cross(["A", "B"], [1, 2, 3]).map((row, i) => `${row},${i}.5,${9 - i}.5`),
    );
    expect(roles.metrics).toEqual(["bleu", "ter"]);
    expect([
      metricDirection("bleu"),
      metricDirection("TER"),
      metricDirection("dev_em"),
      metricDirection("score"),
    ]).toEqual([true, false, true, true]);
  });

  it("a column of errors that rises with the accuracy tells no direction", () => {
    const rows = cross(["A", "B"], [1, 2, 3, 4]).map((row, i) => `${row},0.${i + 1},0.${i + 1},${9 - i}`);
    const source = readCsv(["system,item,accuracy,frame_errors,loss", ...rows].join("\n")).table;
    const found = understandTable(source).metrics.map(({ name, higherIsBetter }) => [name, higherIsBetter]);
    expect(Object.fromEntries(found)).toEqual({ accuracy: true, frame_errors: undefined, loss: false });
  });

  it("runs that have names of their own were taken as repeats of one system", () => {
    const asked = (header: string, ...runs: readonly string[]) =>
      guess(header, ...scored(cross(runs, [1, 2, 3, 4, 5, 6]))).roles;
    expect(asked("run,qid,score", "bm25", "dense")).toMatchObject({ system: "run", item: "qid" });
    expect(asked("run,qid,score", "run1", "run2")).toMatchObject({ repeat: "run", item: "qid" });
    expect(asked("run,qid,score", "3f9a1c", "b07e22")).toMatchObject({ repeat: "run", item: "qid" });
    const both = scored(cross(["A", "B"], ["warm", "cold"], [1, 2, 3, 4, 5, 6]));
    expect(guess("model,run,qid,score", ...both).roles).toMatchObject({ system: "model", repeat: "run" });
  });

  it("a success for each agent and task, beside what it took, was a total that nothing says the error of", () => {
    const rows = cross(["x", "y"], ["t1", "t2", "t3", "t4", "t5", "t6", "t7"]);
    const tried = rows.map((row, i) => `${row},${i % 3 ? 1 : 0},${3 + (i % 5)}`);
    expect(guess("agent,task,success,tool_calls", ...tried).roles).toMatchObject({ system: "agent", item: "task" });
    const shares = rows.map((row, i) => `${row},0.${51 + i},${300 + i}`);
    expect(guess("agent,task,accuracy,latency_ms", ...shares).roles.item).toBe("task");
    expect(guess("agent,task,accuracy,n", ...shares).roles.item).toBeUndefined();
  });

  it("issues of one repository were taken as independent", () => {
    const issues = cross(["A", "B"], ["a-1", "a-2", "b-1", "b-2", "c-1", "c-2", "c-3"]);
    const rows = issues.map((row, i) => `${row},${row.split(",")[1]![0]}/${row.split(",")[1]![0]},${i % 3 ? 1 : 0}`);
    expect(guess("model,instance_id,repo,resolved", ...rows).roles).toMatchObject({
      item: "instance_id",
      cluster: "repo",
    });
  });

  it("systems on data sets with seeds: a data set is an item, a seed its repeat", () => {
    const rows = cross(["A", "B"], ["SST2", "MNLI", "QNLI"]).flatMap((row, i) =>
      [0, 1].map((k) => `${row},${k},${80 + i + k}.5`),
    );
    const { roles, assumptions } = guess("system,dataset,seed,accuracy", ...rows);
    expect([roles.item, roles.repeat, roles.task, roles.score]).toEqual(["dataset", "seed", undefined, "accuracy"]);
    expect(assumptions.join()).toMatch(/Each dataset is taken as one item/);
  });

  it("accepts yes and no as a score", () => {
    expect(guess("model,item,correct", "A,1,true", "A,2,false", "B,1,true", "B,2,true").roles.score).toBe("correct");
  });

  it("sorts out links, texts and settings", () => {
    const { roles } = guess(
      "learning_rate,dropout,accuracy,url",
      ...scored(cross([0.1, 0.01], [0, 0.5])).map((row, i) => `${row},http://x/${i}`),
    );
    expect(roles.parameters).toEqual(["learning_rate", "dropout"]);
    expect(roles.identifiers).toEqual(["url"]);
    expect(roles.score).toBe("accuracy");
  });
});

describe("roles by content", () => {
  it("takes a category that meets every item as what is compared", () => {
    const { roles, assumptions } = guess("sentence,flavour,score", ...scored(cross([1, 2, 3, 4], ["x", "y"])));
    expect(roles.system).toBe("flavour");
    expect(assumptions[0]).toMatch(/Every sentence occurs with every flavour/);
  });

  it("does not take a property of the item for a system", () => {
    const { roles } = guess("sentence,kind,score", "1,x,0.5", "2,y,0.25", "3,x,0.75", "4,y,1");
    expect(roles.system).toBeUndefined();
    expect(roles.covariates).toEqual(["kind"]);
  });

  it("knows systems by levels such as baseline and new", () => {
    expect(guess("Category,Value", "baseline1,3", "new1,4", "gold,5", "baseline2,3.5").roles.system).toBe("Category");
  });

  it("takes the column that meets every system as the item", () => {
    const { roles } = guess("model,headline,score", ...scored(cross(["A", "B"], ["h1", "h2", "h3", "h4"])));
    expect(roles.item).toBe("headline");
  });

  it("sees a full grid of settings", () => {
    const { roles } = guess("beta,num,power", ...scored(cross([0.1, 0.2, 0.3], [10, 50])));
    expect(roles).toMatchObject({ parameters: ["beta", "num"], score: "power" });
  });

  it("takes the only measured number as the score, but never a count", () => {
    expect(guess("model,item,xyz", ...scored(cross(["A", "B"], [1, 2, 3]))).roles.score).toBe("xyz");
    expect(guess("task,size", "a,100", "b,200", "c,150").roles.metrics).toEqual([]);
  });
});

describe("wide tables", () => {
  it("are seen by a shared score word, with outputs of the same systems beside it", () => {
    const { roles } = guess(
      "query_id,relevance,score_neural,score_tfidf,rank_neural,rank_tfidf",
      "1,2,0.5,0.25,1,2",
      "1,1,0.75,0.5,2,1",
      "2,0,0.1,0.3,1,3",
      "2,0,0.2,0.1,2,2",
    );
    expect(roles.wide).toEqual(["score_neural", "score_tfidf"]);
    expect(roles.metrics).toEqual(["score_neural", "score_tfidf", "rank_neural", "rank_tfidf"]);
    expect(roles).toMatchObject({ cluster: "query_id", label: "relevance" });
    expect(roles.score).toBeUndefined();
  });

  it("are seen by words for systems and by equal scales", () => {
    expect(guess("task,baseline,new", "a,0.5,0.6", "b,0.4,0.45", "c,0.7,0.6").roles.wide).toEqual(["baseline", "new"]);
    expect(guess("item,gpt,llama,qwen", "1,0,1,1", "2,1,1,0", "3,0,0,1").roles.wide).toEqual(["gpt", "llama", "qwen"]);
  });

  it("are not seen in parts of the data or in unlike columns", () => {
    expect(guess("model,dev_em,test_em", "A,50.5,51.5", "B,60.25,61.5", "C,70.5,69").roles.wide).toEqual([]);
    expect(guess("item,age,height", "1,30,1.8", "2,45,1.7", "3,50,1.6").roles.wide).toEqual([]);
  });
});

describe("one number for each system and data set", () => {
  const sets = ["a", "b", "c", "d", "e"];
  const seeded = cross(["A", "B"], sets).flatMap((row) => [`${row},1,70.5`, `${row},2,71.25`]);

  it("is paired by data set, with the seeds as repeats", () => {
    const { roles, assumptions } = guess("system,dataset,seed,accuracy", ...seeded);
    expect(roles).toMatchObject({ system: "system", item: "dataset", repeat: "seed", score: "accuracy" });
    expect(roles.task).toBeUndefined();
    expect(assumptions).toContain("Each dataset is taken as one item, with the values of seed as its repeats.");
  });

  it("is paired from five data sets on without seeds; fewer, or counts beside the score, are a leaderboard", () => {
    const plain = (names: readonly string[]) => cross(["A", "B"], names).map((row, i) => `${row},${60.5 + i}`);
    expect(guess("system,dataset,accuracy", ...plain(sets)).roles).toMatchObject({ item: "dataset" });
    expect(guess("system,dataset,accuracy", ...plain(["a", "b"])).roles.item).toBeUndefined();
    const counted = plain(sets).map((row) => `${row},100`);
    expect(guess("system,dataset,accuracy,n", ...counted).roles.item).toBeUndefined();
  });
});

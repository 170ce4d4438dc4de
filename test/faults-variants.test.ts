/** The designs of the other fault tests under other names and in other layouts, as people write them: none may lose its raters, prompts, seeds,
 *  metrics or errors because a column is called differently. */
import { describe, expect, it } from "vitest";
import { compare, describeImported, makeRng } from "../src/index.ts";
import { lines, readText, times, warned } from "./support/read-text.ts";

const rng = makeRng("variants");

describe("raters who each saw one system", () => {
  const rows = times(40, (i) =>
    ["A", "B"].map((system, s) => `${i},${system},${s ? "ben" : "anna"},${1 + ((i * 7 + s * 3) % 4) + s}`),
  ).flat();
  it.each([
    "turker",
    "judge_model",
    "grader",
    "grader_name",
    "coder_initials",
    "rated_by",
    "labeller",
    "subject_id",
    "Voter",
  ])("a column %s was no rater, and B was better", async (rater) => {
    const result = compare(await readText("r.csv", lines([`item,system,${rater},rating`, ...rows])));
    expect([result.main.verdict, result.main.reason]).toEqual(["NONE", expect.stringContaining("one system only")]);
  });

  it.each([
    ["anna", "ben"],
    ["annotator1", "annotator2"],
    ["ratings_anna", "ratings_ben"],
  ])("in files %s and %s of one system each carried a verdict", async (one, two) => {
    const part = (name: string, system: string, s: number) =>
      readText(
        `${name}.csv`,
        lines(["item,system,rating", ...times(40, (i) => `${i},${system},${1 + ((i * 7) % 4) + (i % 5 ? s : 0)}`)]),
      );
    const result = compare([await part(one, "A", 0), await part(two, "B", 1)]);
    expect([result.main.verdict, result.main.reason]).toEqual(["NONE", expect.stringContaining("one system only")]);
    // runs of programs are named after anything else
    const runs = compare([await part("first", "A", 0), await part("second", "B", 1)]);
    expect(runs.main.verdict).toBe("BETTER");
  });

  it("in columns rater_A and rater_B beside A and B were taken for the ratings", async () => {
    const wide = (who: (s: string, i: number) => string) =>
      times(40, (i) => `${i},${1 + ((i * 3) % 5)},${1 + ((i * 7 + 2) % 5)},${who("a", i)},${who("b", i)}`);
    const head = "item,A,B,rater_A,rater_B";
    const apart = compare(await readText("w.csv", lines([head, ...wide((s) => (s === "a" ? "anna" : "ben"))])));
    expect([apart.main.verdict, apart.main.reason]).toEqual(["NONE", expect.stringContaining("one system only")]);
    const names = ["anna", "ben", "chloe", "dora"];
    const met = wide((s, i) => names[(s === "a" ? i : i + 1 + (i % 3)) % 4]!);
    const result = compare(await readText("w.csv", lines([head, ...met])));
    expect([result.systems.map(({ name }) => name), result.n]).toEqual([["A", "B"], 40]);
    expect([result.main.verdict, result.main.reason]).toEqual(["INCONCLUSIVE", undefined]);
    const long = met.flatMap((row) => {
      const [item, a, b, one, two] = row.split(",");
      return [`${item},A,${one},${a}`, `${item},B,${two},${b}`];
    });
    const same = compare(await readText("l.csv", lines(["item,system,rater,score", ...long])));
    expect([result.main.difference, result.main.p]).toEqual([same.main.difference, same.main.p]);
  });

  it("nor were those of a condition, which no rater met beside another", async () => {
    const result = compare(await readText("r.csv", lines(["text,variant,turker,quality", ...rows])));
    expect([result.main.verdict, result.main.reason]).toEqual(["NONE", expect.stringContaining("one system only")]);
  });
});

describe("votes that repeat few prompts", () => {
  /** Eight prompts, of which five lean one way: by votes p < 0.001, by prompts there is nothing to see. */
  const votes = times(160, (i) => {
    const prompt = i % 8;
    return { prompt: `p${prompt}`, judge: `j${i % 5}`, won: rng.uniform() < (prompt < 5 ? 0.85 : 0.2) };
  });
  const arena = (name: string): string =>
    lines([
      `${name},turker,model_a,model_b,winner`,
      ...votes.map((v) => `${v.prompt},${v.judge},X,Y,${v.won ? "model_a" : "model_b"}`),
    ]);

  it.each(["task_id", "qid", "sample_id", "frage_nr", "Prompt ID", "stimulus", "sujet"])(
    "prompts called %s: each vote was one of its own",
    async (name) => {
      const result = compare(await readText("votes.csv", arena(name)));
      expect(result.repeated.find(({ facet }) => facet === "prompts")?.levels).toBe(8);
      expect(result.main.verdict).toBe("INCONCLUSIVE");
    },
  );

  it("a winner and a loser are votes, and none has a place", async () => {
    const rows = votes.map((v) => `${v.prompt},${v.judge},${v.won ? "X,Y" : "Y,X"}`);
    const data = await readText("votes.csv", lines(["prompt_id,worker,winner,loser", ...rows]));
    const result = compare(data);
    expect(result.repeated.find(({ facet }) => facet === "prompts")?.levels).toBe(8);
    const wins = votes.filter(({ won }) => won).length / votes.length;
    expect(result.systems.find(({ name }) => name === "X")!.score).toBeCloseTo(wins, 10);
    expect(warned(result)).not.toContain("first place");
  });

  it("where no column names prompts, none are counted", async () => {
    const rows = votes.map((v) => `${v.judge},X,Y,${v.won ? "model_a" : "model_b"}`);
    const { imported } = await readText("votes.csv", lines(["judge,model_a,model_b,winner", ...rows]));
    expect(imported.summary).toBe("Battles between two models: 160 votes.");
    expect(imported.assumptions.join(" ")).toContain("No column names the prompts");
  });

  it.each([
    ["ModelA,ModelB,Winner", "model_a", "model_b"],
    ["response_1_model,response_2_model,preference", "1", "2"],
    ["LeftSystem,RightSystem,Choice", "L", "R"],
    ["links,rechts,Wahl", "links", "rechts"],
    ["gauche,droite,choix", "gauche", "droite"],
    ["a.model,b.model,label", "a", "b"],
    ["left,right,answer", "left is better", "right is better"],
  ])("%s with %s and %s were no votes", async (head, a, b) => {
    const rows = votes.map((v) => `${v.prompt},${v.judge},X,Y,${v.won ? a : b}`);
    const result = compare(await readText("votes.csv", lines([`prompt_id,worker,${head}`, ...rows])));
    expect(result.repeated.find(({ facet }) => facet === "prompts")?.levels).toBe(8);
    expect(result.systems.find(({ name }) => name === "X")!.score).toBeCloseTo(
      votes.filter(({ won }) => won).length / votes.length,
      10,
    );
  });

  it.each(["Aufgabe", "task"])("%s that comes again was no prompt, and few prompts made a verdict", async (name) => {
    const result = compare(await readText("votes.csv", arena(name)));
    expect(result.repeated.find(({ facet }) => facet === "prompts")?.levels).toBe(8);
  });

  it("a vote for A between systems A and B on both sides was read as the system's", async () => {
    const sides = (i: number): string => (i % 2 ? "A,B" : "B,A");
    const rows = votes.map((v, i) => `${v.prompt},${v.judge},${sides(i)},${v.won ? "A" : "B"}`);
    const data = await readText("votes.csv", lines(["item,rater,system_A,system_B,preference", ...rows]));
    expect(() => compare(data)).toThrow(/preference says A or B, which may be the system or the side/);
    // where each stands on its own side both readings are one
    const fixed = votes.map((v) => `${v.prompt},${v.judge},A,B,${v.won ? "A" : "B"}`);
    const own = compare(await readText("votes.csv", lines(["item,rater,system_A,system_B,preference", ...fixed])));
    expect(own.n).toBe(160);
  });

  it("a kind of prompt is no prompt", async () => {
    const { imported } = await readText("votes.csv", arena("category"));
    expect(imported.assumptions.join(" ")).toContain("No column names the prompts");
  });

  it.each([
    ["A much better", "B slightly better", "about the same"],
    ["A", "B", "="],
  ])("preferences such as %s, %s and %s are votes", async (a, b, tie) => {
    const rows = votes.map((v, i) => `${v.prompt},${v.judge},X,Y,${i % 4 === 0 ? tie : v.won ? a : b}`);
    const { imported } = await readText("votes.csv", lines(["q,worker,system_A,system_B,pref", ...rows]));
    expect(imported.roles.opponent).toBeDefined();
    expect(imported.systems).toEqual(["X", "Y"]);
  });
});

describe("several metrics", () => {
  const values = times(30, (i) => ({ bleu: 30 + (i % 9), wer: ((i * 7) % 10) / 10, latency_ms: 300 + i }));
  const names = ["bleu", "wer", "latency_ms"] as const;
  const long = (name: string): string =>
    lines([
      `model,id,${name},score`,
      ...["old", "new"].flatMap((model, s) =>
        values.flatMap((own, i) => names.map((metric) => `${model},q${i},${metric},${own[metric] + s}`)),
      ),
    ]);

  it.each(["name", "kind", "rubric", "score_type", "kennzahl"])(
    "one below the other under %s: they became one number",
    async (name) => {
      const result = compare(await readText("m.csv", long(name)));
      expect([result.metric, result.n]).toEqual(["bleu", 30]);
      expect(compare(await readText("m.csv", long(name)), { metric: "wer" }).higherIsBetter).toBe(false);
    },
  );

  it("with a column for each system: --systems old,new averaged over them", async () => {
    const rows = values.flatMap((own, i) => names.map((metric) => `q${i},${metric},${own[metric]},${own[metric] + 1}`));
    const data = await readText("m.csv", lines(["id,metric,old,new", ...rows]));
    for (const options of [{}, { systems: ["old", "new"] }]) {
      const result = compare(data, options);
      expect([result.metric, result.n, result.main.difference]).toEqual(["bleu", 30, 1]);
    }
    expect(compare(data, { metric: "wer" }).higherIsBetter).toBe(false);
  });

  it("labels that sound like measures are none", async () => {
    const rows = times(40, (i) => `q${i % 20},${i < 20 ? "a" : "b"},${["correct", "error"][i % 2]},${i % 5}`);
    const { imported } = await readText("l.csv", lines(["id,model,name,score", ...rows]));
    expect(imported.roles.metric).toBeUndefined();
  });
});

it("data sets and seeds with a column for each system: each seed was an item", async () => {
  const rows = times(20, (i) => {
    const level = 60 + 10 * (i % 4) + rng.normal();
    return `d${i % 4},${Math.floor(i / 4)},${level.toFixed(2)},${(level + 1 + rng.normal()).toFixed(2)}`;
  });
  const { imported, path } = await readText("s.csv", lines(["dataset,seed,baseline,ours", ...rows]));
  expect(imported.roles).toMatchObject({ item: "dataset", repeat: "seed" });
  const result = compare({ imported, path });
  expect([result.n, result.units]).toEqual([4, "data sets"]);
  expect((await readText("s.csv", lines(["corpus,random_state,baseline,ours", ...rows]))).imported.roles.repeat).toBe(
    "random_state",
  );
});

it("R1, R2, R3 are raters, and R2 is no coefficient of determination", async () => {
  const rows = times(20, (i) =>
    ["A", "B"].map((s) => `${i},${s},${1 + (i % 5)},${1 + ((i * 3) % 5)},${1 + ((i * 7) % 5)}`),
  ).flat();
  const { imported } = await readText("r.csv", lines(["item,engine,R1,R2,R3", ...rows]));
  expect(imported.roles).toMatchObject({ rater: "rater", score: "rating", item: "item" });
});

it("questions beside a condition are no systems", async () => {
  const rows = times(60, (i) => `s${i % 10},${i % 2 ? "new" : "old"},p${i % 6},${1 + (i % 5)},${1 + ((i * 3) % 5)}`);
  const { imported } = await readText("q.csv", lines(["stimulus,condition,subject_id,Q1,Q2", ...rows]));
  expect(imported.roles).toMatchObject({ system: "condition", item: "stimulus", rater: "subject_id", wide: [] });
});

describe("codes for no answer", () => {
  const data = (values: readonly number[], code: number) =>
    readText(
      "c.csv",
      lines([
        "model,id,rating",
        ...["a", "b"].flatMap((m, s) =>
          times(40, (i) => `${m},q${i},${(i + s) % 9 === 0 ? code : values[(i * 3 + s) % values.length]}`),
        ),
      ]),
    );
  it.each([
    [[1, 2, 3, 4, 5], 88],
    [[1, 2, 3, 4, 5], 77],
    [[1, 2, 3, 4, 5], -8],
    [[0, 1], 9],
    [[0, 1], 8],
    [[12, 55.5, 78, 93.2], 999],
    [[12, 55.5, 78, 93.2], -1],
  ])("among %j %i was averaged", async (values, code) => {
    const { main } = compare(await data(values, code));
    expect([main.verdict, main.reason]).toEqual(["NONE", expect.stringContaining(`are ${code} among`)]);
  });
  it.each([
    [[1, 2, 3, 4, 5, 6, 7], 8],
    [[0, 1, 2, 3], 9],
    [[0.2, 0.7, 1.4, 3.8], 8],
  ])("%j and %i are one scale", async (values, code) => {
    if (code === 9) return expect(compare(await data(values, code)).main.verdict).toBe("NONE");
    expect(compare(await data(values, code)).main.verdict).not.toBe("NONE");
  });
});

describe("rows that ended in an error", () => {
  const rows = times(60, (i) => ({ id: i, right: rng.uniform() < 0.6, broke: i % 6 === 0 }));
  const data = (name: string, fine: string, broken: string) =>
    readText(
      "e.csv",
      lines([
        `system,task_id,reward,${name}`,
        ...rows.map(({ id, right }) => `old,${id},${right ? 1 : 0},${fine}`),
        ...rows.map(({ id, right, broke }) => `new,${id},${right && !broke ? 1 : 0},${broke ? broken : fine}`),
      ]),
    );
  it.each([
    ["status", "ok", "failed"],
    ["exit_code", "0", "137"],
    ["is_error", "False", "True"],
    ["response", "The answer is 4", "ERROR: rate limit exceeded"],
    ["finish_reason", "stop", "error"],
    ["ok", "true", "false"],
    ["parsed", "1", "0"],
    ["parse_error", "false", "true"],
    ["parse_error", "", "no JSON found"],
    ["json_error", "0", "1"],
    ["status_code", "200", "503"],
    ["Fehler", "", "Zeit abgelaufen"],
    ["erreur", "", "hors délai"],
  ])("%s = %s or %s went unnoticed", async (name, fine, broken) => {
    const result = compare(await data(name, fine, broken));
    expect(`${warned(result)} ${result.main.reason}`).toContain(`ended in an error (${name}: 10 of new)`);
  });

  it("rows without an answer and with a score of 0 went unnoticed", async () => {
    const result = compare(await data("output", "The answer is 4", ""));
    expect(`${warned(result)} ${result.main.reason}`).toContain("ended without an answer (output: 10 of new)");
  });

  it("a code, a flag or an empty answer of the run was said to be another score, or an error of a right answer", async () => {
    for (const [name, fine, broken] of [
      ["status_code", "200", "503"],
      ["ok", "true", "false"],
    ] as const)
      expect((await data(name, fine, broken)).imported.metrics.map((metric) => metric.name)).toEqual(["reward"]);
    // where some empty answers are right, to say nothing is an answer; and 412 is one, too
    const right = ["old", "new"].flatMap((s, k) =>
      rows.map(({ id }) => `${s},${id},${(id + k) % 2},${id % 3 ? 412 : ""}`),
    );
    expect(warned(compare(await readText("e.csv", lines(["system,task_id,reward,answer", ...right]))))).not.toContain(
      "ended",
    );
  });

  it("a status that only repeats the score is none", async () => {
    const scored = ["old", "new"].flatMap((s, k) =>
      rows.map(({ id }) => `${s},${id},${(id + k) % 3 ? "1,ok" : "0,failed"}`),
    );
    const result = compare(await readText("e.csv", lines(["system,task_id,reward,status", ...scored])));
    expect(warned(result)).not.toContain("ended in an error");
  });
});

it("other right answers under the same id are other items", async () => {
  const part = (name: string, shift: number) =>
    readText(
      name,
      lines([
        "id,gold,correct",
        ...times(40, (i) => `${i},${i + (i % 4 === 0 ? shift : 0)},${(i * 7 + shift) % 3 ? 1 : 0}`),
      ]),
    );
  const result = compare([await part("a.csv", 0), await part("b.csv", 1)]);
  expect([result.n, warned(result)]).toEqual([30, expect.stringContaining("10 of 40 ids stand for another gold")]);
});

it("an interval without ends is said to be unbounded", async () => {
  const rows = times(80, (i) =>
    ["A", "B"].map((s, k) => {
      const rating = Math.round(3 + k / 2 + rng.normal());
      return `${i},${s},${(i % 10 === 0) === (k === 0) ? "ben" : "anna"},${Math.max(1, Math.min(5, rating))}`;
    }),
  ).flat();
  const result = compare(await readText("r.csv", lines(["item,system,rater,rating", ...rows])));
  expect(result.main.ci.upper).toBe(Number.POSITIVE_INFINITY);
  const text = String(result).replace(/\s+/g, " ");
  expect(text).toContain("unbounded");
  expect(text).toContain("bounds no difference");
  expect(text).not.toMatch(/undefined to|\d\.\d{5}/);
});

it("tasks are pooled by items and averaged by task, and each is said", async () => {
  const rows = ["arc", "mmlu"].flatMap((task, t) =>
    times(t === 0 ? 60 : 20, (i) =>
      ["old", "new"].map((m, s) => `${m},${task},${i},${(i * 7 + s * (3 + t)) % (3 + s) ? 1 : 0}`),
    ).flat(),
  );
  const data = await readText("t.csv", lines(["model,task,doc_id,acc", ...rows]));
  const result = compare(data);
  const [table] = result.slices;
  const [arc, mmlu] = table!.slices;
  expect(table!.macro!.difference).toBeCloseTo((arc!.difference + mmlu!.difference) / 2, 12);
  expect(result.main.difference).toBeCloseTo((60 * arc!.difference + 20 * mmlu!.difference) / 80, 12);
  const text = result
    .display()
    .tables.map(({ rows: own }) => own.map(([name]) => name).join("\n"))
    .join("\n");
  expect(text).toMatch(/all items\nmean of 2/);
});

it("describe says what compare reads", async () => {
  const rows = times(30, (i) => `q${i},${30 + i},${31 + i}`);
  const { imported } = await readText("w.csv", lines(["id,old,new", ...rows]));
  const { diagnostics } = describeImported(imported, { target: "w.csv", available: new Set(["compare"]) });
  expect(diagnostics.map(({ code }) => code)).not.toContain("NoScoreFound");
});

describe("an answer and its score for each system, side by side", () => {
  const rows = times(
    40,
    (i) => `what is ${i}?,${i},${i + (i % 3 ? 0 : 1)},${i % 3 ? 1 : 0},${i + (i % 5 ? 0 : 1)},${i % 5 ? 1 : 0}`,
  );
  it.each([
    ["gptAnswer,gptCorrect,claudeAnswer,claudeCorrect", ["claude", "gpt"]],
    ["GPT-4 answer,GPT-4 correct?,Claude 3 answer,Claude 3 correct?", ["Claude 3", "GPT-4"]],
    ["foo_answer,foo_correct,bar_answer,bar_correct", ["bar", "foo"]],
    ["pred_foo,score_foo,pred_bar,score_bar", ["bar", "foo"]],
  ])("%s: the answers were systems, and averaged", async (head, systems) => {
    const result = compare(await readText("w.csv", lines([`question,reference,${head}`, ...rows])));
    expect(result.systems.map(({ name }) => name).sort()).toEqual(systems);
    expect(result.systems.map(({ score }) => score).sort()).toEqual([26 / 40, 32 / 40]);
  });

  it("the id was among the systems that one might name", async () => {
    const wide = times(30, (i) => `${i},${(0.5 + i / 100).toFixed(2)},${50 + i}`);
    const data = await readText("w.csv", lines(["id,old,new", ...wide]));
    const fix = (() => {
      try {
        return String(compare(data).main.reason);
      } catch (error) {
        return (error as { fix: string }).fix;
      }
    })();
    expect(fix).toContain("systems: old,new");
  });
});

describe("other prompts under the same id", () => {
  const part = (name: string, text: string, changed: (i: number) => boolean) =>
    readText(
      name,
      lines([
        `id,${text},correct`,
        ...times(40, (i) => `${i},what is ${i} and ${changed(i) ? 1 : 2}?,${(i * 7) % 3 ? 1 : 0}`),
      ]),
    );
  const both = async (text: string, changed: (i: number) => boolean) =>
    compare([await part("a.csv", text, () => false), await part("b.csv", text, changed)]);

  it.each(["user_prompt", "full_prompt", "task_description", "doc.question", "model input", "article"])(
    "%s was not looked at",
    async (name) => {
      const result = await both(name, (i) => i % 4 === 0);
      expect([result.n, warned(result)]).toEqual([
        30,
        expect.stringContaining(`10 of 40 ids stand for another ${name}`),
      ]);
    },
  );

  it("a text of no known name is said, and nothing is left out", async () => {
    const result = await both("content", (i) => i % 4 === 0);
    expect([result.n, warned(result)]).toEqual([
      40,
      expect.stringContaining("content differs between the runs on 10 of 40"),
    ]);
  });

  it("a dialogue that begins with another question was not looked at, its answers may differ", async () => {
    const run = (name: string, asked: (i: number) => string, answer: string) =>
      readText(
        `${name}.jsonl`,
        lines(
          times(40, (i) => {
            const messages = [
              { role: "user", content: asked(i) },
              { role: "assistant", content: `${answer} ${i}` },
            ];
            return JSON.stringify({ id: i, messages, correct: (i * 7) % 3 ? 1 : 0 });
          }),
        ),
      );
    const ask = (i: number): string => `what is ${i}?`;
    const first = await run("a", ask, "yes");
    const other = compare([first, await run("b", (i) => `where is ${i}?`, "yes")]);
    expect(warned(other)).toContain("messages differs between the runs on 40 of 40 items");
    expect(warned(compare([first, await run("b", ask, "no")]))).not.toContain("OtherPrompts");
  });

  it("answers that differ are no other prompts", async () => {
    for (const name of ["model_output", "content", "final_answer"])
      expect(warned(await both(name, (i) => i % 4 > 0))).not.toContain("OtherPrompts");
  });
});

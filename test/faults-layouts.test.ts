/** Sheets as people keep them: titles above the header, headers over two rows, judges by their names, votes by an order. */
import { describe, expect, it } from "vitest";
import { compare, describeImported, measureAgreement } from "../src/index.ts";
import { lines, readText, times } from "./support/read-text.ts";

const score = (i: number, s: number, r: number): number => 1 + ((i * 7 + s * (i % 3) + r * 2 + (i >> 2)) % 5);
const LONG = lines([
  "item,system,rater,rating",
  ...times(30, (i) =>
    ["A", "B"].flatMap((system, s) => times(3, (r) => `${i},${system},R${r + 1},${score(i, s, r)}`)),
  ).flat(),
]);
const wanted = async (): Promise<number> => compare(await readText("r.csv", LONG)).main.p;

describe("a sheet", () => {
  it("with its title above the header was read by the title", async () => {
    const text = `Human evaluation of March,,,\n,,,\n${LONG}`;
    const own = await readText("r.csv", text);
    expect(compare(own).main.p).toBe(await wanted());
    expect(own.imported.diagnostics.map(({ message }) => message).join()).toContain(
      '"Human evaluation of March" stands above',
    );
  });

  it("keeps a first line that names one column only", async () => {
    const own = await readText("r.csv", lines(["id,,", ...times(6, (i) => `${i},${i % 2},x`)]));
    expect(own.imported.table.columns.has("id")).toBe(true);
  });

  it("with systems over raters in two header rows had one system only", async () => {
    const head = [",System A,,,System B,,", "Item,R1,R2,R3,R1,R2,R3"];
    const rows = times(30, (i) => [i, ...[0, 1].flatMap((s) => times(3, (r) => score(i, s, r)))].join(","));
    const result = compare(await readText("r.csv", lines([...head, ...rows])));
    expect(result.systems.map(({ name }) => name)).toEqual(["System A", "System B"]);
    expect(result.main.p).toBeCloseTo(await wanted(), 9);
  });

  it("with a column for each judge, the name first, was asked which is the score", async () => {
    const rows = times(30, (i) =>
      ["A", "B"].map((system, s) => `${i},${system},${times(3, (r) => score(i, s, r)).join(",")}`),
    );
    const text = lines(["question,model,gpt4_judge,claude_judge,llama_judge", ...rows.flat()]);
    const result = compare(await readText("r.csv", text));
    expect(result.scope).toContain("raters");
    expect(result.main.p).toBeCloseTo(await wanted(), 9);
  });
});

describe("votes", () => {
  const votes = times(60, (i) => ({
    prompt: i % 20,
    rater: i % 3,
    order: i % 2 === 0 ? "AB" : "BA",
    vote: ["A", "B", "tie"][(i * i) % 3]!,
  }));

  it("by name, with the order in which the two were shown", async () => {
    const text = lines([
      "prompt,annotator,order,preference",
      ...votes.map((v) => `p${v.prompt},u${v.rater},${v.order},${v.vote}`),
    ]);
    const sides = votes.map(
      (v) =>
        `p${v.prompt},u${v.rater},${v.order[0]},${v.order[1]},${v.vote === "tie" ? "tie" : v.vote === v.order[0] ? "left" : "right"}`,
    );
    const [own, same] = [
      compare(await readText("r.csv", text)),
      compare(await readText("v.csv", lines(["prompt,annotator,left,right,choice", ...sides]))),
    ];
    const shares = ({ systems }: typeof own): Record<string, number> =>
      Object.fromEntries(systems.map(({ name, score: share }) => [name, share]));
    expect(shares(own)).toEqual(shares(same));
    expect(own.main.p).toBeCloseTo(same.main.p, 9);
  });

  it("by name without an order need a tie or names of systems", async () => {
    const named = lines([
      "prompt,annotator,preference",
      ...votes.map((v) => `p${v.prompt},u${v.rater},${{ A: "gpt-4", B: "llama", tie: "tie" }[v.vote]}`),
    ]);
    expect(
      compare(await readText("r.csv", named))
        .systems.map(({ name }) => name)
        .sort(),
    ).toEqual(["gpt-4", "llama"]);
    const letters = lines(["prompt,annotator,preference", ...votes.map((v) => `p${v.prompt},u${v.rater},${v.vote}`)]);
    const own = await readText("r.csv", letters);
    expect(() => compare(own)).toThrow(/no column could be recognised as a score/);
  });

  it("as numbers of sides are no score of which more is better", async () => {
    const text = lines([
      "prompt_id,rater_id,swapped,winner",
      ...votes.map((v) => `p${v.prompt},u${v.rater},${v.order === "BA"},${["A", "B"].indexOf(v.vote) + 1}`),
    ]);
    const own = await readText("r.csv", text);
    expect(own.imported.metrics).toEqual([]);
    expect(String(describeImported(own.imported, { target: "r.csv", available: new Set(["compare"]) }))).not.toContain(
      "higher is better",
    );
  });
});

describe("what α sets against chance", () => {
  it("is told by its quotient where it is no share: 12336 stood beside 0.300", async () => {
    const { imported } = await readText("r.csv", LONG);
    const own = measureAgreement(imported.table, { item: "item", rater: "rater", label: "rating", scale: "ordinal" });
    const row = String(own)
      .split("\n")
      .find((line) => line.includes("disagreement"))!;
    const [, observed, chance] = /chance = 1\s+([\d.]+)\s+([\d.]+)/.exec(row)!;
    expect(Number(chance)).toBe(1);
    expect(1 - Number(observed)).toBeCloseTo(own.alphas.ordinal, 2);
  });
});

describe("columns that cross systems with something else", () => {
  const cells = (n: number) => times(60, (i) => [`q${i}`, ...times(n, (k) => 1 + ((i * 7 + k * 3) % 5))].join(","));

  it.each([
    ["modelA_turn1,modelA_turn2,modelB_turn1,modelB_turn2", "modelA_turn1,modelB_turn1", "modelA_turn1,modelA_turn2"],
    ["gpt (turn 1),gpt (turn 2),yi (turn 1),yi (turn 2)", "gpt (turn 1),yi (turn 1)", "gpt (turn 1),gpt (turn 2)"],
    ["base_1,base_2,ours_1,ours_2", "base_1,ours_1", "base_1,base_2"],
    ["turn1_gpt,turn2_gpt,turn1_llama,turn2_llama", "turn1_gpt,turn2_gpt", "turn1_gpt,turn1_llama"],
    ["anna_A,anna_B,ben_A,ben_B", "anna_A,ben_A", "anna_A,anna_B"],
  ])("%s were systems of their own", async (head, one, two) => {
    const data = await readText("t.csv", lines([`question_id,${head}`, ...cells(4)]));
    const fix = `Option \`systems: ${one}\` compares`;
    const wanted = { message: expect.stringContaining(" cross "), fix: expect.stringContaining(fix) };
    expect(() => compare(data)).toThrow(expect.objectContaining(wanted));
    const other = `option \`systems: ${two}\` `;
    expect(() => compare(data)).toThrow(expect.objectContaining({ fix: expect.stringContaining(other) }));
  });

  it("four models and their sizes are four systems", async () => {
    const data = await readText("t.csv", lines(["question_id,bert_base,bert_large,gpt_base,gpt_large", ...cells(4)]));
    expect(compare(data).systems).toHaveLength(4);
  });

  it("gpt:fluency and gpt:adequacy are measures of one system", async () => {
    const head = "item,gpt:fluency,gpt:adequacy,llama:fluency,llama:adequacy";
    const result = compare(await readText("t.csv", lines([head, ...cells(4)])));
    expect([result.metric, result.systems.map(({ name }) => name).sort()]).toEqual(["fluency", ["gpt", "llama"]]);
    // where only one of two names is known, its measures were two systems
    const unknown = await readText("t.csv", lines([head.replaceAll("llama", "yi"), ...cells(4)]));
    expect(() => compare(unknown)).toThrow("one system only");
  });
});

describe("what names the items, beside a metric or a task", () => {
  const rows = (parts: readonly string[]) =>
    times(40, (i) =>
      ["old", "new"].flatMap((m) => parts.map((part, k) => `${m},${i},${part},0.${(i * 7 + k * 3) % 10}`)),
    );

  it.each(["example", "idx", "entry", "Beispiel"])("%s was not found, and rows were not paired", async (name) => {
    const metrics = await readText("m.csv", lines([`system,${name},metric,value`, ...rows(["bleu", "wer"]).flat()]));
    expect([compare(metrics).n, compare(metrics).metric]).toEqual([40, "bleu"]);
    const tasks = await readText("t.csv", lines([`system,${name},task,f1`, ...rows(["arc", "piqa"]).flat()]));
    expect(compare(tasks).n).toBe(80);
  });

  it("the few values of a setting under each task are no items", async () => {
    const shots = times(4, (k) =>
      rows(["arc", "piqa", "rte"])
        .slice(k, k + 1)
        .flat(),
    ).flat();
    const { imported } = await readText("t.csv", lines(["system,size,task,f1", ...shots]));
    expect(imported.roles.item).not.toBe("size");
  });
});

describe("a row for each system", () => {
  it("with its folds beside each other was an item", async () => {
    const fold = (s: number) => times(5, (k) => 0.7 + ((s * 3 + k) % 5) / 50).join(",");
    const head = `model,${times(5, (k) => `fold${k + 1}`).join(",")}`;
    const data = await readText("f.csv", lines([head, ...["svm", "bert", "lr"].map((m, s) => `${m},${fold(s)}`)]));
    expect(data.imported.roles.item).toBeUndefined();
    expect(() => compare(data)).toThrow(/one value for each model and fold: the models of different folds share/);
  });

  it("people beside judges were left out without a word", async () => {
    const data = times(40, (i) =>
      ["A", "B"].map((m, s) => `${i},${m},${times(3, (k) => 1 + ((i * 3 + s + k) % 5)).join(",")}`),
    );
    const head = "item,system,human,gpt4_judge,claude_judge";
    const own = await readText("j.csv", lines([head, ...data.flat()]));
    expect(own.imported.assumptions.join(" ")).toContain("human beside them is none of these raters");
  });

  it("the number of a segment among spans of errors was the score", async () => {
    const spans = times(60, (i) => `d${i >> 4},${i >> 1},${i % 2 ? "x" : "y"},r${i % 3},${i % 4 ? "minor" : "major"}`);
    const own = await readText("s.csv", lines(["doc,seg,system,rater,severity", ...spans]));
    expect(own.imported.roles.score).toBeUndefined();
  });
});

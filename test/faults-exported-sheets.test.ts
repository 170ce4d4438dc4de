/** Sheets as survey and annotation tools export them, each by what was said of it before. */
import { describe, expect, it } from "vitest";
import { describeImported } from "../src/describe/describe.ts";
import { measureAgreement } from "../src/reliability/agreement/agreement.ts";
import { compare } from "../src/significance/compare/compare.ts";
import { csv, json, means, read, said, times } from "./support/shapes.ts";

const rate = (i: number, k: number): number => 1 + ((i * 3 + k * 2 + (i >> 2)) % 5);
const right = (i: number, k: number): number => Number(rate(i, k) > 2);

describe("one measure of several systems, side by side", () => {
  const wide = (...names: readonly string[]) =>
    csv(`qid,${names.join(",")}`, ...times(24, (i) => `q${i},${names.map((_, k) => right(i, k)).join(",")}`));

  it("is_correct_gpt4 and is_correct_llama3 were two measures of one system", async () => {
    const found = await wide("is_correct_gpt4", "is_correct_llama3", "is_correct_kestrel");
    expect(found.systems).toEqual(["is_correct_gpt4", "is_correct_llama3", "is_correct_kestrel"]);
  });

  it("heron_correct and osprey_correct are asked for by name, not said to be one system", async () => {
    for (const names of [
      ["heron_correct", "osprey_correct"],
      ["is_correct_heron", "is_correct_osprey"],
    ]) {
      const found = await wide(...names);
      expect(() => compare(found)).toThrow(/of heron, osprey, and nothing says whether these are systems or parts/);
      expect(() => compare(found, { systems: names })).not.toThrow();
    }
  });

  it("two measures of one system stay two measures", async () => {
    const found = await wide("gpt4_correct", "gpt4_fluent");
    expect(found.roles.wide).toEqual([]);
  });
});

describe("lines before the data", () => {
  const rows = times(40, (i) => `${i >> 1},${["old", "new"][i % 2]},${right(i >> 1, i % 2)}`);

  it("a table that begins with comments was plain text", async () => {
    const found = await csv("# written by eval.py, seed 3", "# temperature 0", "id,system,correct", ...rows);
    expect([found.systems, found.items, found.table.rows]).toEqual([["new", "old"], 20, 40]);
    expect(said(found)).toContain("The first 2 lines begin with # and are left out as comments.");
  });

  it("a last comment that heads the columns is the header", async () => {
    const found = await csv("# run 7", "# id,system,correct", ...rows);
    expect([...found.table.columns.keys()]).toEqual(["id", "system", "correct"]);
    const single = await csv("#id,system,correct", ...rows);
    expect(single.table.rows).toBe(40);
  });

  it("text under a heading stays text", async () => {
    const found = await read({
      "d.txt": "# Title\nSome words, and more.\nOther words here.\nA last one, again, done.\n",
    });
    expect(found.format).toBe("text");
  });

  it("the questions and keys of Qualtrics were two responses", async () => {
    const key = (id: string): string => `"{""ImportId"":""${id}""}"`;
    const found = await csv(
      "ResponseId,Q1,Q2",
      'Response ID,"Rate the first,\nplease","Rate the second"',
      [key("_recordId"), key("QID1"), key("QID2")].join(","),
      ...times(20, (i) => `R_${i},${rate(i, 0)},${rate(i, 1)}`),
    );
    expect([found.table.rows, found.table.columns.get("Q1")!.kind]).toEqual([20, "numeric"]);
    expect(said(found)).toContain('Q1 is "Rate the first, please"');
  });
});

describe("exports of annotation tools", () => {
  it("an answer of Argilla within its value was a word", async () => {
    const found = await json(
      times(24, (i) => ({
        fields: { text: `sentence ${i >> 1}` },
        metadata: { model: "PQ"[i % 2] },
        responses: times(3, (r) => ({ user_id: `u${r}`, values: { quality: { value: rate(i, r) } } })),
      })),
    );
    expect([found.roles.score, found.roles.rater, found.table.rows]).toEqual(["values.quality", "user_id", 72]);
  });

  it("the system in Prodigy's meta was a property, and its rows were repeats", async () => {
    const records = times(48, (i) => ({
      ...{ text: `t${i >> 2}`, _input_hash: i >> 2, _task_hash: i >> 1, answer: "accept", options: [] },
      ...{ meta: { system: "PQ"[(i >> 1) % 2] }, accept: [rate(i >> 2, i % 4)], _annotator_id: `a${i % 2}` },
    }));
    const found = await read({ "d.jsonl": records.map((record) => JSON.stringify(record)).join("\n") });
    expect([found.systems, found.repeats]).toEqual([["P", "Q"], 1]);
  });

  it("the buttons of one question were verdicts as text", async () => {
    const buttons = (chosen: number): string => times(5, (k) => String(k + 1 === chosen)).join(",");
    const found = await csv(
      "item,model,WorkerId,Answer.q.1,Answer.q.2,Answer.q.3,Answer.q.4,Answer.q.5",
      ...times(48, (i) => `${i >> 2},${"PQ"[i % 2]},w${(i >> 1) % 2},${buttons(rate(i >> 2, i % 4))}`),
    );
    expect(found.roles.score).toBe("Answer.q");
    const sums = times(48, (i) => rate(i >> 2, i % 4));
    const mean = (s: number): number => sums.filter((_, i) => i % 2 === s).reduce((a, b) => a + b, 0) / 24;
    expect(means(found)).toEqual({ P: mean(0), Q: mean(1) });
  });

  it("answers of which several may be true stay apart", async () => {
    const found = await csv(
      "item,ok.1,ok.2,ok.3",
      ...times(20, (i) => `${i},${i % 2 === 0},${i % 3 === 0},${i % 5 === 0}`),
    );
    expect(found.table.columns.has("ok")).toBe(false);
  });
});

describe("small readings", () => {
  it("describe counted q1 and Q1 as two items, which compare pairs", async () => {
    for (const spell of [(i: number) => `Q${i} `, (i: number) => `q0${i}`]) {
      const found = await csv(
        "id,system,correct",
        ...times(40, (i) => `${i % 2 === 0 ? `q${i >> 1}` : spell(i >> 1)},${["old", "new"][i % 2]},${right(i, 0)}`),
      );
      const described = describeImported(found, { target: "d.csv", available: new Set(["compare"]) });
      expect(described.items).toBe(20);
      expect(described.toString()).toMatch(/20 items/);
      expect(described.diagnostics.map(({ code }) => code)).toContain("SpellingsMatched");
    }
  });

  it("agreement of words says that they are taken as nominal, and how to give their order", async () => {
    const words = ["trivial", "serious", "fatal"];
    const { table } = await csv(
      "item,rater,severity",
      ...times(32, (i) => `${i >> 1},r${i % 2},${words[((i >> 1) + (i % 2) * Number(i % 3 === 0)) % 3]}`),
    );
    const roles = { item: ["item"], rater: "rater", label: "severity", replicates: 0 };
    const screen = (found: ReturnType<typeof measureAgreement>): string => JSON.stringify(found.display().screen);
    expect(screen(measureAgreement(table, roles))).toMatch(/taken as nominal.*option `categories`/);
    expect(screen(measureAgreement(table, { ...roles, categories: words }))).not.toContain("taken as nominal");
  });

  it("--, -, 0, + and ++ were labels without an order", async () => {
    const signs = ["--", "-", "0", "+", "++"];
    const found = await csv(
      "item,system,rater,quality",
      ...times(48, (i) => `${i >> 2},${"PQ"[i % 2]},r${(i >> 1) % 2},${signs[rate(i >> 2, i % 4) - 1]}`),
    );
    expect(said(found)).toContain("-2 = --, -1 = -, 0 = 0, 1 = +, 2 = ++");
    expect(found.roles.score).toBe("quality");
  });
});

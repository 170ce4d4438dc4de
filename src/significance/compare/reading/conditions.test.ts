import { describe, expect, it } from "vitest";
import { table as makeRows } from "../../../io/table.ts";
import { makeRng } from "../../../numeric/rng.ts";
import { compare } from "../compare.ts";

const GAINS = [0.9, 0.3, 0.6, 0.2];
const rng = makeRng("templates");
const rows = Array.from({ length: 30 }, (_, i) => ({ i, base: rng.normal(), own: 0.5 * rng.normal() })).flatMap(
  ({ i, base, own }) =>
    GAINS.flatMap((gain, t) =>
      ["A", "B"].map((system) => ({
        question: `q${i}`,
        template: `t${t}`,
        system,
        score: base + (system === "B" ? own + gain : 0) + 0.3 * rng.normal(),
      })),
    ),
);
const sheet = makeRows(rows);
const options = { higherIsBetter: true } as const;
const ABOUT = "The verdict is about these 4 levels of template.";

describe("conditions that items are crossed with", () => {
  it("are what the headline is about, and rows of one question are a cluster", () => {
    const own = compare(sheet, { ...options, item: "question,template" });
    expect(own.main.verdict).toBe("BETTER");
    expect(own.toJSON()).toMatchObject({ conditions: [{ column: "template", levels: 4 }], clusters: 30 });
    expect((own.toJSON() as { headline: string }).headline).toContain(ABOUT);
    const named = compare(sheet, { ...options, item: "question,template", cluster: "question" });
    expect(own.main.p).toBe(named.main.p);
  });

  it("as repeats are averaged within each question: the answer is that of the means", () => {
    const own = compare(sheet, { ...options, item: "question", run: "template" });
    const mean = (question: string, system: string): number =>
      rows
        .filter((row) => row.question === question && row.system === system)
        .reduce((sum, { score }) => sum + score, 0) / 4;
    const means = [...new Set(rows.map(({ question }) => question))].flatMap((question) =>
      ["A", "B"].map((system) => ({ question, system, score: mean(question, system) })),
    );
    const plain = compare(makeRows(means), { ...options, item: "question" });
    expect(own.main.p).toBeCloseTo(plain.main.p, 12);
    expect(own.scope).toEqual(["items"]);
    expect((own.toJSON() as { headline: string }).headline).toContain(ABOUT);
  });

  it("are runs where the claim is about others of their kind", () => {
    const own = compare(sheet, { ...options, item: "question", run: "template", scope: ["items", "runs"] });
    expect(own.conditions).toBeUndefined();
    expect(own.scope).toEqual(["items", "runs"]);
  });

  it("are none where each item has one of them only, or the name says nothing", () => {
    const single = rows.filter(({ question, template }) => Number(question.slice(1)) % 4 === Number(template.slice(1)));
    expect(compare(makeRows(single), { ...options, item: "question" }).conditions).toBeUndefined();
    const unknown = makeRows(rows.map(({ template, ...row }) => ({ ...row, what: template })));
    expect(compare(unknown, { ...options, item: "question,what" }).conditions).toBeUndefined();
  });
});

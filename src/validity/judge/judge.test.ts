import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { reviveResult } from "../../result/result.ts";
import { wilsonInterval } from "../../significance/intervals/binomial.ts";
import { correctJudge } from "./judge.ts";
import { postStratify } from "./post-stratified.ts";
import { readCarry, roganGladen } from "./rogan-gladen.ts";

interface Drawn {
  readonly item: string;
  readonly system: string;
  readonly judge: number;
  readonly truth: number;
  readonly human: number | null;
}

/** Two systems that people pass alike; the judge is mild with b. */
function draw(items: number, labels: number, seed = "two systems"): Drawn[] {
  const rng = makeRng(seed);
  return Array.from({ length: items }, (_, i) => {
    const easy = rng.uniform() < 0.5;
    const isLabeled = i % Math.floor(items / labels) === 0;
    return ["a", "b"].map((system) => {
      const truth = rng.uniform() < (easy ? 0.9 : 0.5) ? 1 : 0;
      const judge = rng.uniform() < (truth === 1 ? 0.9 : system === "a" ? 0.2 : 0.6) ? 1 : 0;
      return { item: `q${i}`, system, judge, truth, human: isLabeled ? truth : null };
    });
  }).flat();
}

const tableOf = (rows: readonly Drawn[]): Table =>
  makeTable([
    ["item", factorColumn(rows.map(({ item }) => item))],
    ["system", factorColumn(rows.map(({ system }) => system))],
    ["judge", numericColumn(rows.map(({ judge }) => judge))],
    ["human", numericColumn(rows.map(({ human }) => human))],
  ]);

describe("pass rates of one judge", () => {
  const rows = draw(400, 80);
  const found = correctJudge(tableOf(rows), { drawn: "random" });
  it("are those of the post-stratified formula, system by system", () => {
    for (const own of found.systems) {
      const mine = rows.filter(({ system }) => system === own.system);
      const count = (test: (row: Drawn) => boolean): number => mine.filter(test).length;
      const verdicts = [0, 1].map((v) => ({
        n: count(({ judge, human }) => judge === v && human !== null),
        passed: count(({ judge, human }) => judge === v && human === 1),
      })) as [{ n: number; passed: number }, { n: number; passed: number }];
      const expected = postStratify(verdicts, { n: mine.length, passed: count(({ judge }) => judge === 1) });
      expect(own.method).toBe("post-stratified");
      expect(own.corrected.value).toBeCloseTo(expected.value, 12);
      expect(own.corrected.lower).toBeCloseTo(expected.lower, 12);
      expect(own.corrected.upper).toBeCloseTo(expected.upper, 12);
      const passed = count(({ human }) => human === 1);
      expect(own.labelsAlone.lower).toBeCloseTo(wilsonInterval(passed / 80, 80).lower, 12);
      expect(own.worth).toBeGreaterThan(80);
    }
  });

  it("say what the judge alone claims of the difference, and what people's labels leave of it", () => {
    const [pair] = found.differences;
    expect(pair!.judge.verdict).toBe("BETTER");
    expect(pair!.corrected.verdict).toBe("INCONCLUSIVE");
    expect(found.toString()).toContain("alone says BETTER");
  });

  it("do not depend on the order of rows", () => {
    const turned = correctJudge(tableOf([...rows].reverse()), { drawn: "random", systems: ["a", "b"] });
    expect(turned.systems.map(({ corrected }) => corrected.value)).toEqual(
      found.systems.map(({ corrected }) => corrected.value),
    );
    expect(turned.differences[0]!.corrected.lower).toBeCloseTo(found.differences[0]!.corrected.lower, 10);
  });

  it("are the same from labels in a table of their own", () => {
    const labeled = rows.filter(({ human }) => human !== null);
    const labels = makeTable([
      ["item", factorColumn([...labeled.map(({ item }) => item), "nowhere"])],
      ["system", factorColumn([...labeled.map(({ system }) => system), "a"])],
      ["label", numericColumn([...labeled.map(({ human }) => human), 1])],
    ]);
    const { columns, rows: count } = tableOf(rows);
    const judged: Table = { rows: count, columns: new Map([...columns].filter(([name]) => name !== "human")) };
    const apart = correctJudge(judged, { drawn: "random", labels });
    expect(apart.systems.map(({ corrected }) => corrected)).toEqual(found.systems.map(({ corrected }) => corrected));
    expect(apart.diagnostics.map(({ code }) => code)).toContain("UnmatchedLabels");
  });

  it("come back from their JSON with the same text", () => {
    expect(reviveResult(JSON.stringify(found)).toString()).toBe(found.toString());
  });

  it("read words: of two opposites the better counts, of others the one that is named", () => {
    const worded = (words: readonly [string, string]): Table =>
      makeTable([
        ["item", factorColumn(rows.map(({ item }) => item))],
        ["system", factorColumn(rows.map(({ system }) => system))],
        ["judge", factorColumn(rows.map(({ judge }) => words[judge]!))],
        ["human", factorColumn(rows.map(({ human }) => (human === null ? null : words[human]!)))],
      ]);
    const same = (table: Table, pass?: string): void =>
      expect(correctJudge(table, { drawn: "random", pass }).systems.map(({ corrected }) => corrected)).toEqual(
        found.systems.map(({ corrected }) => corrected),
      );
    same(worded(["fail", "pass"]));
    same(worded(["B", "A"]), "A");
    expect(() => correctJudge(worded(["B", "A"]))).toThrow(/which of them counts as 1/);
  });
});

describe("no correction", () => {
  it("of a system without labels, and of its differences", () => {
    const rows = draw(300, 60).map((row) => (row.system === "b" ? { ...row, human: null } : row));
    const { systems, differences } = correctJudge(tableOf(rows));
    expect(systems.map(({ method }) => method)).toEqual(["post-stratified", "none"]);
    expect(differences[0]!.corrected.verdict).toBe("NONE");
    expect(differences[0]!.reason).toContain("assumes that the judge errs alike");
  });

  it("from fewer than ten labels", () => {
    expect(correctJudge(tableOf(draw(300, 6))).systems[0]!.reason).toContain("too few");
  });

  it("by a judge that tells next to nothing: the labels answer alone", () => {
    const rng = makeRng("a coin");
    const rows = draw(400, 100).map((row) => ({ ...row, judge: rng.uniform() < 0.5 ? 1 : 0 }));
    const [own] = correctJudge(tableOf(rows), { drawn: "random" }).systems;
    expect(own!.method).toBe("labels alone");
    expect(own!.corrected).toEqual(own!.labelsAlone);
  });

  it("of grades beyond those that were labeled", () => {
    const rng = makeRng("grades");
    const judge = Array.from({ length: 300 }, () => Math.round(100 * rng.uniform()));
    const human = judge.map((f) => (f < 40 ? f + rng.int(9) : null));
    const table = makeTable([
      ["judge", numericColumn(judge)],
      ["human", numericColumn(human)],
    ]);
    const [own] = correctJudge(table).systems;
    expect(own!.method).toBe("none");
    expect(own!.reason).toContain("beyond those of the labeled");
  });
});

describe("how labels were drawn", () => {
  const rows = draw(400, 80);
  const codes = (table: Table): string[] => correctJudge(table).diagnostics.map(({ code }) => code);
  it("is noted where nobody says it and nothing speaks against a random draw", () => {
    const rng = makeRng("labels at random");
    const chosen = new Set(Array.from({ length: 400 }, (_, i) => i).filter(() => rng.uniform() < 0.2));
    const random = rows.map((row, k) => ({ ...row, human: chosen.has(k >> 1) ? row.truth : null }));
    expect(codes(tableOf(random))).toContain("DrawUnknown");
  });
  it("is doubted where the first rows are labeled", () => {
    const first = rows.map((row, k) => ({ ...row, human: k < 160 ? row.truth : null }));
    expect(codes(tableOf(first))).toContain("LabelsNotRandom");
  });
  it("weights each level of a stratum by its outputs", () => {
    const own = rows.map((row, k) => ({ ...row, part: (k >> 1) % 4 === 0 ? "x" : "y" }));
    const kept = own.map((row) => ({ ...row, human: row.part === "x" || row.item.endsWith("1") ? row.truth : null }));
    const table = makeTable([...tableOf(kept).columns, ["part", factorColumn(kept.map(({ part }) => part))]]);
    const [a] = correctJudge(table, { drawn: "strata:part" }).systems;
    // Hájek: each label stands for the outputs of its stratum over its labels
    const mine = kept.filter(({ system }) => system === "a");
    const weight = (part: string): number => {
      const all = kept.filter((row) => row.part === part);
      return all.length / all.filter(({ human }) => human !== null).length;
    };
    const labeled = mine.filter(({ human }) => human !== null);
    const total = labeled.reduce((sum, row) => sum + weight(row.part), 0);
    const mean = labeled.reduce((sum, row) => sum + weight(row.part) * row.human!, 0) / total;
    expect(a!.labelsAlone.value).toBeCloseTo(mean, 12);
    expect(() => correctJudge(table, { drawn: "strata:nothing" })).toThrow(/no column/);
  });
});

describe("a calibration that is carried over", () => {
  const judged = (n: number, passed: number): Table =>
    makeTable([
      ["item", factorColumn(Array.from({ length: n }, (_, i) => `q${i}`))],
      ["judge", numericColumn(Array.from({ length: n }, (_, i) => (i < passed ? 1 : 0)))],
    ]);
  const counts = { positives: 200, truePositives: 180, negatives: 200, trueNegatives: 140 };
  it("has Lee et al.'s example, and says what it assumes", () => {
    const { systems, diagnostics } = correctJudge(judged(1000, 400), { carry: counts });
    const [own] = systems;
    expect(own).toMatchObject({ method: "carried", labels: 0, sensitivity: 0.9, specificity: 0.7 });
    expect(own!.corrected.value).toBeCloseTo(1 / 6, 12);
    expect(own!.corrected.lower).toBeCloseTo(0.056351, 5);
    expect(own!.corrected.upper).toBeCloseTo(0.262733, 5);
    expect(diagnostics.map(({ code }) => code)).toContain("CarriedOver");
  });

  /** Labels of system a alone. */
  const half = (): Table => tableOf(draw(400, 80).map((row) => (row.system === "a" ? row : { ...row, human: null })));
  it("is that of a labeled system's counts, for a score and not for a difference", () => {
    const rows = draw(400, 80).filter(({ system, human }) => system === "a" && human !== null);
    const count = (y: number, f: number): number =>
      rows.filter(({ human, judge }) => human === y && judge === f).length;
    const found = correctJudge(half(), { carry: "a", drawn: "random" });
    const [a, b] = found.systems;
    expect(a!.method).toBe("post-stratified");
    const passed = draw(400, 80).filter(({ system, judge }) => system === "b" && judge === 1).length;
    const expected = roganGladen(
      { n: 400, passed },
      {
        ...{ positives: count(1, 0) + count(1, 1), truePositives: count(1, 1) },
        ...{ negatives: count(0, 0) + count(0, 1), trueNegatives: count(0, 0) },
      },
    );
    expect(b).toMatchObject({ method: "carried", corrected: { value: expected.value, lower: expected.lower } });
    expect(found.differences[0]).toMatchObject({ method: "none", corrected: { verdict: "NONE" } });
  });

  it("is refused in a line where it cannot be", () => {
    expect(() => correctJudge(half(), { carry: "c" })).toThrow(/there is no such system/);
    expect(() => correctJudge(half(), { carry: "b" })).toThrow(/b has 0 labels that pass/);
    expect(() => correctJudge(judged(100, 40), { carry: { ...counts, truePositives: 300 } })).toThrow(/300\/200/);
    expect(() => correctJudge(half(), { carry: "a", cluster: "item" })).toThrow(/for the 0\/1 scores of one judge/);
    const weak = correctJudge(judged(100, 40), { carry: { ...counts, truePositives: 100 } }).systems[0];
    expect(weak).toMatchObject({ method: "none" });
    expect(weak!.reason).toMatch(/too little to be carried over/);
  });
  it("reads counts, and leaves names alone", () => {
    expect(readCarry("180/200, 140/200")).toEqual(counts);
    expect(readCarry("base")).toBe("base");
  });
});

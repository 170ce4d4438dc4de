import { describe, expect, it } from "vitest";
import {
  inferenceCases,
  inferenceTable,
  type ReferenceModel,
  referenceModel,
} from "../../../test/support/lmm-inference.ts";
import { expectClose } from "../../../test/support/oracle.ts";
import { readReference, referenceTable } from "../../../test/support/reference.ts";
import { fitLm } from "../../models/lm/lm.ts";
import { kenwardRogerF, prepareKenwardRoger } from "../../models/lmm/kenward-roger.ts";
import { prepareSatterthwaite, satterthwaiteF } from "../../models/lmm/satterthwaite.ts";
import { testNestedFormulas } from "./nested.ts";
import { type3Contrasts, type3Lm, type3Tests } from "./type3.ts";

interface Expected {
  readonly terms?: readonly string[];
  readonly f: readonly (number | null)[];
  readonly df1: readonly (number | null)[];
  readonly df2: readonly (number | null)[];
  readonly p: readonly (number | null)[];
}

function check(model: ReferenceModel, method: "satterthwaite" | "kenward-roger", e: Expected): void {
  const { problem, at } = model;
  const sat = prepareSatterthwaite(problem, at);
  const test =
    method === "satterthwaite"
      ? (L: Parameters<typeof kenwardRogerF>[1]) => satterthwaiteF(sat, L)
      : (L: Parameters<typeof kenwardRogerF>[1]) => kenwardRogerF(prepareKenwardRoger(problem, at), L);
  const got = type3Tests(problem.design, problem.kept, test);
  const order = e.terms ?? got.map(({ term }) => term);
  order.forEach((term, i) => {
    const own = got.find((t) => t.term === term)!;
    if (e.f[i] === null) {
      expect([own.df1, own.statistic]).toEqual([0, Number.NaN]);
      return;
    }
    // lmerTest rounds its contrasts to seven digits (zapsmall), which moves F by up to 1e-7
    const want = [e.f[i]!, e.df1[i]!, e.df2[i]!, e.p[i]!];
    expectClose([own.statistic, own.df1, own.df2, own.p], want, { tolerance: 1e-6, label: `${method} ${term}` });
  });
}

describe("type III tests equal lmerTest's", () => {
  it.each(inferenceCases("inference"))("$id", (c) => {
    const model = referenceModel(c);
    check(model, "satterthwaite", c.expected.type3_satterthwaite);
    const { type3_kenward_roger: kr, type3_satterthwaite: sat } = c.expected;
    if (kr) check(model, "kenward-roger", { ...kr, terms: sat.terms });
  });
});

describe("type III tests of the reference models", () => {
  const reference = readReference("lmm.json");
  const cases = reference.cases.filter((c) => c.expected.anova_type3_satterthwaite);

  it.each(cases)("$id", (c) => {
    const model = referenceModel(c, referenceTable(reference, c.input["data"] as string));
    for (const method of ["satterthwaite", "kenward_roger"] as const) {
      const e = c.expected[`anova_type3_${method}`];
      if (!e) continue;
      const list = (name: string) => [e[name]].flat();
      check(model, method === "satterthwaite" ? method : "kenward-roger", {
        terms: list("terms"),
        f: list("f"),
        df1: list("num_df"),
        df2: list("den_df"),
        p: list("p"),
      });
    }
  });
});

describe("linear models", () => {
  it("without interactions it is the F test of leaving the term out", () => {
    const [system, length] = type3Lm(fitLm("score ~ system + length", inferenceTable));
    const noSystem = testNestedFormulas(["score ~ length", "score ~ system + length"], inferenceTable).fTest!;
    const noLength = testNestedFormulas(["score ~ system", "score ~ system + length"], inferenceTable).fTest!;
    expectClose([system!.statistic, system!.p], [noSystem.statistic, noSystem.p], { tolerance: 1e-9 });
    expectClose([length!.statistic, length!.p], [noLength.statistic, noLength.p], { tolerance: 1e-9 });
  });

  it.each(["sum", "helmert", "treatment"] as const)("the coding (%s) does not matter", (contrasts) => {
    const formula = "score ~ system * domain * length";
    const want = type3Lm(fitLm(formula, inferenceTable));
    const got = type3Lm(fitLm(formula, inferenceTable, { contrasts }));
    expectClose(got.map((t) => t.statistic), want.map((t) => t.statistic), { tolerance: 1e-8 }); // biome-ignore format: short
  });

  it("with sum contrasts each term is tested by its own coefficients", () => {
    const { design, kept } = fitLm("score ~ system * domain", inferenceTable, { contrasts: "sum" });
    for (const { L } of type3Contrasts(design, kept)) {
      for (let i = 0; i < L.rows; i++) {
        const used = [...kept.keys()].filter((j) => Math.abs(L.data[i + j * L.rows]!) > 1e-12);
        expect(new Set(used.map((j) => design.assign[j])).size).toBe(1);
      }
    }
  });

  it("terms without a common intercept, and nested terms, keep their df", () => {
    const df = (formula: string) => type3Lm(fitLm(formula, inferenceTable)).map((t) => t.df1);
    expect(df("score ~ 0 + system + length")).toEqual([3, 1]);
    expect(df("score ~ domain + domain:system")).toEqual([1, 4]);
  });
});

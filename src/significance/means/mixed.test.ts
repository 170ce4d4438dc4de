import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { expectClose, hasShared, sharedPath } from "../../../test/support/oracle.ts";
import { asFactor, column, factorColumn, makeTable, numericColumn, type Table, withColumn } from "../../data/table.ts";
import { mutateTable } from "../../formula/evaluate/evaluate.ts";
import { readCsv } from "../../io/csv/csv.ts";
import { fitLmm } from "../../models/lmm/lmm.ts";
import { type3Lmm } from "../nested/type3-mixed.ts";
import { estimateEffectSizes } from "./effect-size.ts";
import { estimateMeans } from "./means.ts";

interface MixedCase {
  readonly id: string;
  readonly input: { data: string; formula: string; reml: boolean; contrasts?: Record<string, "sum"> };
  /** emmeans' answers, by its own names. */
  readonly expected: {
    readonly emmeans?: {
      readonly of: string;
      readonly satterthwaite?: MeansAnswer;
      readonly kenward_roger?: MeansAnswer;
    };
  };
}
interface Reference {
  readonly datasets: Readonly<Record<string, { readonly file: string; readonly columns: Record<string, Levels> }>>;
  readonly cases: readonly MixedCase[];
}
interface Levels {
  readonly levels?: readonly string[];
}
/** R writes a list of one as its element. */
type Numbers = number | readonly number[];
interface MeansAnswer {
  readonly means: Readonly<Record<"emmean" | "se" | "df", Numbers>>;
  readonly pairs: Readonly<Record<"estimate" | "df" | "p_tukey", Numbers>>;
}

/** Complete blocks: differences of means, and the df of the ANOVA, in closed form. */
function blocks(): Table {
  const y = [1.2, 2.9, 3.1, 2.0, 3.8, 4.4, 0.4, 1.1, 2.9, 1.5, 2.2, 3.0];
  const system = y.map((_, i) => ["A", "B", "C"][i % 3]!);
  const item = y.map((_, i) => `i${Math.floor(i / 3)}`);
  return makeTable([
    ["y", numericColumn(y)],
    ["system", factorColumn(system)],
    ["item", factorColumn(item)],
  ]);
}

describe.each(["satterthwaite", "kenward-roger"] as const)("marginal means of complete blocks (%s)", (ddf) => {
  const fit = fitLmm("y ~ system + (1 | item)", blocks(), { ddf });
  const result = estimateMeans(fit, { by: ["system"] });

  it("are the means of the systems, their differences tested on (a-1)(b-1) df", () => {
    expectClose(
      result.means.map((m) => m.estimate),
      [1.275, 2.5, 3.35],
      { tolerance: 1e-9 },
    );
    expectClose(
      result.contrasts.map((c) => c.estimate),
      [-1.225, -2.075, -0.85],
      { tolerance: 1e-8 },
    );
    expectClose(
      result.contrasts.map((c) => c.df),
      [6, 6, 6],
      { tolerance: 1e-6 },
    );
  });

  it("agree with the F test of the term", () => {
    const [test] = type3Lmm(fit);
    expect([test!.df1, Math.round(test!.df2 * 1e6) / 1e6]).toEqual([2, 6]);
  });

  it("come in units of the residual or of the total SD", () => {
    const residual = estimateEffectSizes(fit, { by: ["system"], sd: "residual" });
    const total = estimateEffectSizes(fit, { by: ["system"], sd: "total" });
    const variance = fit.variances[0]!.cov.data[0]!;
    expect(total.effects[0]!.g / residual.effects[0]!.g).toBeCloseTo(
      fit.residualSd / Math.sqrt(variance + fit.residualSd ** 2),
      6,
    );
  });
});

describe.skipIf(!hasShared)("marginal means of fitted mixed models equal emmeans (needs ../shared)", () => {
  const reference: Reference = hasShared
    ? JSON.parse(readFileSync(sharedPath("reference/r/lmm.json"), "utf8"))
    : { datasets: {}, cases: [] };
  const cases = reference.cases.filter((c) => c.expected.emmeans !== undefined);

  const tableOf = (name: string): Table => {
    const { file, columns } = reference.datasets[name]!;
    const bytes = readFileSync(sharedPath(`reference/r/${file}`));
    let { table } = readCsv(file.endsWith(".gz") ? gunzipSync(bytes) : bytes, { name: file });
    for (const [own, { levels }] of Object.entries(columns)) {
      if (levels) table = withColumn(table, own, asFactor(column(table, own), { levels: levels.map(String) }));
    }
    return table;
  };

  it.each(cases)("$id", ({ input, expected }) => {
    const { of, satterthwaite, kenward_roger } = expected.emmeans!;
    for (const [ddf, e] of [
      ["satterthwaite", satterthwaite],
      ["kenward-roger", kenward_roger],
    ] as const) {
      if (!e) continue;
      const options = {
        criterion: input.reml ? "REML" : "ML",
        ddf,
        ...(input.contrasts ? { contrasts: input.contrasts } : {}),
      } as const;
      const fit = fitLmm(input.formula, tableOf(input.data), options);
      const { means, contrasts } = estimateMeans(fit, { by: [of] });
      const close = { tolerance: 1e-6, floor: 1e-6 };
      expectClose(
        means.map((m) => m.estimate),
        [e.means.emmean].flat(),
        { ...close, label: "mean" },
      );
      expectClose(
        means.map((m) => m.se),
        [e.means.se].flat(),
        { ...close, label: "se" },
      );
      expectClose(
        means.map((m) => m.df),
        [e.means.df].flat(),
        { tolerance: 1e-5, label: "df" },
      );
      expectClose(
        contrasts.map((c) => c.estimate),
        [e.pairs.estimate].flat(),
        { ...close, label: "difference" },
      );
      expectClose(
        contrasts.map((c) => c.df),
        [e.pairs.df].flat(),
        { tolerance: 1e-5, label: "df of differences" },
      );
      expectClose(
        contrasts.map((c) => c.p),
        [e.pairs.p_tukey].flat(),
        { tolerance: 1e-5, floor: 1e-10, label: "p" },
      );
    }
  });

  it("reproduces Tables 4.2 and 4.3 of Riezler & Hagmann (2021)", () => {
    const entries = JSON.parse(readFileSync(sharedPath("reference/riezler2021.json"), "utf8"));
    const of = (id: string) => entries.find((x: { id: string }) => x.id === id).r;
    const raw = readCsv(readFileSync(sharedPath("data/riezler2021/mt_ter.csv")), { name: "mt_ter.csv" }).table;
    const table = mutateTable(
      raw,
      "src_length_class = ifelse(src_length <= 15, 'short', ifelse(src_length <= 55, 'typical', 'very long'))",
    );
    const plain = estimateMeans(fitLmm("ter ~ system + (1 | sentence_id)", table, { ddf: "none" }), { by: ["system"] });
    const expected = of("table-4.2").contrasts as { estimate: number; SE: number; "p.value": number }[];
    expectClose(
      plain.contrasts.map((c) => c.estimate),
      expected.map((c) => c.estimate),
      { tolerance: 1e-6 },
    );
    expectClose(
      plain.contrasts.map((c) => c.se),
      expected.map((c) => c.SE),
      { tolerance: 1e-6 },
    );
    expectClose(
      plain.contrasts.map((c) => c.p),
      expected.map((c) => c["p.value"]),
      { tolerance: 1e-4 },
    );
    const within = fitLmm("ter ~ system * src_length_class + (1 | sentence_id)", table, { ddf: "none" });
    const nested = estimateMeans(within, { by: ["system"], within: ["src_length_class"] });
    const pairs = of("table-4.3").contrasts as { estimate: number; "p.value": number }[];
    expect(nested.contrasts).toHaveLength(pairs.length);
    expectClose(
      nested.contrasts.map((c) => c.estimate),
      pairs.map((c) => c.estimate),
      { tolerance: 1e-6 },
    );
    expectClose(
      nested.contrasts.map((c) => c.p),
      pairs.map((c) => c["p.value"]),
      { tolerance: 1e-4 },
    );
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectClose, readOracle } from "../../../test/support/oracle.ts";
import { type Column, factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { reviveResult } from "../../result/result.ts";
import { fitClm } from "./clm.ts";
import { fitOrdinal, type StructuredOptions } from "./structured.ts";
import type { OrdinalStructure } from "./structured-fit.ts";

interface Described {
  readonly columns: Readonly<Record<string, { readonly type: string; readonly levels?: readonly string[] }>>;
}
const oracle = readOracle("next/ordinal-families.json") as ReturnType<typeof readOracle> & {
  readonly datasets: Readonly<Record<string, Described>>;
};

function tableOf(name: string): Table {
  const text = readFileSync(new URL(`../../../oracle/next/data/${name}.csv`, import.meta.url), "utf8");
  const [header, ...rows] = text
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  return makeTable(
    header!.map((column, c): [string, Column] => {
      const { levels } = oracle.datasets[name]!.columns[column]!;
      const cells = rows.map((row) => row[c]!);
      return [column, levels === undefined ? numericColumn(cells.map(Number)) : factorColumn(cells, { levels })];
    }),
  );
}

const FAMILIES: Readonly<Record<string, OrdinalStructure>> = {
  acat: "adjacent",
  cratio: "continuation",
  sratio: "stopping",
};

/** VGAM's `parallel` as our `nominal`. */
function split(formula: string, parallel: unknown): { formula: string; nominal?: string } {
  const [left, right] = formula.split(" ~ ") as [string, string];
  if (parallel === true) return { formula };
  if (parallel === false) return { formula: `${left} ~ 1`, nominal: `~ ${right}` };
  const kept = String(parallel)
    .replace(/^TRUE ~ /, "")
    .replace(/ - 1$/, "")
    .split(" + ");
  const rest = right.split(" + ").filter((term) => !kept.includes(term));
  return { formula: `${left} ~ ${kept.join(" + ")}`, nominal: `~ ${rest.join(" + ")}` };
}

const flat = (rows: readonly (readonly number[])[]): number[] => rows.flat();

describe("against VGAM and ordinal (R)", () => {
  it.each(oracle.cases.map((own) => [own.id, own] as const))("%s", (_, { input, expected }) => {
    const family = input["family"] as string | undefined;
    const { formula, nominal } =
      family === undefined
        ? { formula: input["formula"] as string, nominal: input["nominal"] as string | undefined }
        : split(input["formula"] as string, input["parallel"]);
    const link = ["probit", "cloglog"].includes(input["link"] as string) ? (input["link"] as "probit") : undefined;
    const options: StructuredOptions = {
      structure: family === undefined ? undefined : FAMILIES[family],
      reverse: input["reverse"] === true,
      link,
      nominal,
      scale: input["scale"] as string | undefined,
      ...(input["weights"] === undefined ? {} : { weights: input["weights"] as string }),
    };
    const table = tableOf(input["data"] as string);
    const own = fitOrdinal(formula, table, options);
    expect(own.converged).toBe(true);
    expect(own.nobs).toBe(expected.nobs);
    expect(own.df).toBe(expected.n_params);
    expectClose([own.logLik, own.aic], [expected.loglik, expected.aic], { tolerance: 1e-9, label: "log-likelihood" });
    const all = [...own.thresholds, ...own.coefficients, ...own.scale];
    const { names, estimate, se_expected_information, se_observed_information, se, z, p } = expected.coefficients;
    expect(all.map(({ name }) => name)).toEqual(names);
    const near = { tolerance: 1e-6, floor: 1e-3 };
    expectClose(
      all.map(({ value }) => value),
      estimate,
      { ...near, label: "estimates" },
    );
    expectClose(
      all.map((e) => e.se),
      se ?? se_expected_information,
      { ...near, label: "SEs" },
    );
    if (se_observed_information !== undefined) {
      const { thresholds, coefficients } = fitOrdinal(formula, table, { ...options, information: "observed" });
      expectClose(
        [...thresholds, ...coefficients].map((e) => e.se),
        se_observed_information,
        { ...near, label: "SEs, observed information" },
      );
      expectClose(own.parameterVcov.data, flat(expected.vcov_expected_information), { ...near, label: "vcov" });
    } else {
      expectClose(
        all.map((e) => e.statistic),
        z,
        { ...near, label: "z" },
      );
      expectClose(
        all.map((e) => e.p),
        p,
        { tolerance: 1e-5, floor: 1e-3, label: "p" },
      );
      expectClose(own.parameterVcov.data, flat(expected.vcov), { ...near, label: "vcov" });
      const { chisq, df, p: lrP } = expected.lr_test_against_location_only;
      expect(own.locationOnly!.df).toBe(df);
      expectClose([own.locationOnly!.chisq, own.locationOnly!.p], [chisq, lrP], { ...near, label: "LR test" });
    }
    const { rows, cols, data } = own.probabilities;
    (expected.prob_head as number[][]).forEach((row, i) => {
      expectClose(
        Array.from({ length: cols }, (_, j) => data[i + j * rows]!),
        row,
        { ...near, label: `probabilities of row ${i + 1}` },
      );
    });
  });
});

describe("closed forms and invariance", () => {
  const table = tableOf("rate1");

  it("without nominal and scale effects the cumulative structure is fitClm's", () => {
    const own = fitOrdinal("rating ~ system + z", table, { link: "probit" });
    const plain = fitClm("rating ~ system + z", table, { link: "probit" });
    expect(own.logLik).toBeCloseTo(plain.logLik, 8);
    expectClose(
      own.coefficients.map(({ value }) => value),
      plain.coefficients.map(({ value }) => value),
      { tolerance: 1e-7 },
    );
  });

  it("with two levels all structures are one logistic regression, up to signs", () => {
    const binary = makeTable([
      ["y", factorColumn(["a", "b", "b", "a", "b", "b", "b", "a", "b", "a"], { levels: ["a", "b"] })],
      ["x", numericColumn([1, 2, 3, 2, 5, 4, 1, 0, 2, 3])],
    ]);
    const slope = (structure: OrdinalStructure, reverse = false) =>
      fitOrdinal("y ~ x", binary, { structure, reverse }).coefficients[0]!.value;
    const up = slope("cumulative");
    expectClose([slope("adjacent"), slope("continuation")], [up, up], { tolerance: 1e-9 });
    expectClose([slope("stopping"), slope("adjacent", true), slope("continuation", true)], [-up, -up, -up], {
      tolerance: 1e-9,
    });
    expectClose([slope("stopping", true)], [up], { tolerance: 1e-9 });
  });

  it("a saturated model repeats the shares", () => {
    const weights = "count";
    const counts = tableOf("rate3");
    for (const structure of ["adjacent", "continuation", "stopping", "cumulative"] as const) {
      const own = fitOrdinal("rating ~ 1", counts, { structure, weights, nominal: "~ system * domain" });
      const { rows, data } = own.probabilities;
      const n = counts.columns.get("count")! as { values: Float64Array };
      const cell = n.values.slice(0, 4);
      const total = cell.reduce((a, b) => a + b, 0);
      expectClose(
        Array.from({ length: 4 }, (_, j) => data[j * rows]!),
        Array.from(cell, (c) => c / total),
        { tolerance: 1e-7, label: structure },
      );
    }
  });

  it("a term both ordinary and nominal is nominal, with a note", () => {
    const own = fitOrdinal("rating ~ system + domain", table, { nominal: "~ domain" });
    expect(own.coefficients.map(({ name }) => name)).toEqual(["systemB", "systemC"]);
    expect(own.dropped).toEqual(["domainchat"]);
    expect(own.logLik).toBeCloseTo(fitOrdinal("rating ~ system", table, { nominal: "~ domain" }).logLik, 8);
  });

  it("rows that lack a scale variable are left out", () => {
    const z = (table.columns.get("z") as { values: Float64Array }).values.slice();
    z[3] = Number.NaN;
    const holed = makeTable([...table.columns].map(([name, own]) => [name, name === "z" ? numericColumn(z) : own]));
    expect(fitOrdinal("rating ~ system", holed, { scale: "~ z" }).nobs).toBe(259);
  });

  it("prints and revives", () => {
    const own = fitOrdinal("rating ~ system", table, { scale: "~ system", nominal: "~ domain" });
    expect(own.toString()).toContain("Nominal and scale effects: χ²");
    expect(reviveResult(own.toJSON()).toString()).toBe(own.toString());
    const json = own.toJSON() as { scale: { term: string }[]; kind: string };
    expect(json.kind).toBe("clm");
    expect(json.scale.map(({ term }) => term)).toEqual(["systemB", "systemC"]);
  });
});

describe("what is refused", () => {
  const table = tableOf("rate1");
  const WRONG: readonly (readonly [StructuredOptions, string])[] = [
    [{ structure: "adjacent", link: "probit" }, "no probit link"],
    [{ structure: "stopping", scale: "~ system" }, "no scale effects"],
    [{ structure: "continuation", threshold: "equidistant" }, "no equidistant thresholds"],
    [{ threshold: "symmetric", nominal: "~ domain" }, "nominal effects with symmetric"],
    [{ reverse: true }, "either end"],
    [{ information: "expected" }, "observed information"],
    [{ structure: "sequential" as "stopping" }, "structure = sequential"],
    [{ scale: "rating ~ system" }, "has a response"],
    [{ scale: "~ 1" }, "has no terms"],
    [{ nominal: "~ (1 | system)" }, "more than fixed terms"],
    [{ nominal: "~ sytem" }, "sytem"],
  ];
  it.each(WRONG)("%j", (options, message) => {
    expect(() => fitOrdinal("rating ~ system", table, options)).toThrow(message);
  });
});

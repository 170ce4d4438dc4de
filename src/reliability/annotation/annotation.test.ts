import { describe, expect, it } from "vitest";
import { expectClose } from "../../../test/support/oracle.ts";
import { readReference, referenceTable } from "../../../test/support/reference.ts";
import { factorColumn, makeTable, type Table } from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { reviveResult } from "../../result/result.ts";
import { modelLabels } from "./annotation.ts";
import { fitClassModel, type Labels, sampleClassModel } from "./em.ts";
import type { DawidSkeneJson } from "./label-model-display.ts";

const reference = readReference("dawid-skene.json");
const COLUMNS = { item: "item", rater: "annotator", label: "label" };

describe.each(reference.cases)("$id", ({ input, expected: e }) => {
  const table = referenceTable(reference, input["data"] as string);
  const own = modelLabels(table, { ...COLUMNS, categories: input["classes"] as string[], replicates: 0 });

  it("equals the reference", () => {
    expect(own.consensus.map(({ item }) => item)).toEqual(e.items);
    expect(own.raters.map(({ rater }) => rater)).toEqual(e.annotators);
    expect([own.ratings, own.converged]).toEqual([e.n_labels, true]);
    expectClose(
      own.prior.map(({ value }) => value),
      e.class_priors,
      { tolerance: 1e-9 },
    );
    expectClose([own.logLik], [e.loglik], { tolerance: 1e-11 });
    expect(own.consensus.map(({ label }) => label)).toEqual(e.map_label);
    const posterior = own.consensus.flatMap((item) => item.posterior);
    expectClose(posterior, e.posterior.flat(), { tolerance: 1e-8, floor: 1 });
    for (const { rater, confusion } of own.raters)
      expectClose(confusion.flat(), e.confusion[rater].flat(), { tolerance: 1e-8, floor: 1 });
  });
});

const packed = (rows: readonly (readonly (readonly [rater: number, label: number])[])[], classes: number): Labels => ({
  items: rows.length,
  raters: 1 + Math.max(...rows.flat().map(([r]) => r)),
  classes,
  start: Int32Array.from([0, ...rows.map((_, i) => rows.slice(0, i + 1).flat().length)]),
  rater: Int32Array.from(rows.flat(), ([r]) => r),
  label: Int32Array.from(rows.flat(), ([, l]) => l),
});

describe("the model of labels", () => {
  const rows = [
    [
      [0, 0],
      [1, 0],
      [2, 0],
    ],
    [
      [0, 0],
      [1, 0],
      [2, 1],
    ],
    [
      [0, 1],
      [1, 1],
      [2, 1],
    ],
    [
      [0, 1],
      [1, 1],
      [2, 0],
    ],
    [
      [0, 1],
      [1, 0],
      [2, 1],
    ],
    [
      [0, 0],
      [1, 0],
      [2, 0],
    ],
  ] as const;

  it("has the log-likelihood of the enumeration of all classes", () => {
    const labels = packed(rows, 2);
    const { prior, confusion, logLik } = fitClassModel(labels);
    const direct = rows.reduce(
      (sum, own) =>
        sum +
        Math.log(
          [0, 1].reduce(
            (total, k) => total + own.reduce((p, [r, l]) => p * confusion[(r * 2 + k) * 2 + l]!, prior[k]!),
            0,
          ),
        ),
      0,
    );
    expect(logLik).toBeCloseTo(direct, 12);
  });

  it("the likelihood rises with every step of EM (the M step is a maximum)", () => {
    const labels = packed(rows, 2);
    const fit = fitClassModel(labels);
    // any small move of the shares lowers the likelihood of the completed data's observed part
    const moved = fit.prior[0]! + 1e-4;
    const at = (p: number): number =>
      rows.reduce(
        (sum, own) =>
          sum +
          Math.log(
            [p, 1 - p].reduce(
              (total, share, k) => total + own.reduce((q, [r, l]) => q * fit.confusion[(r * 2 + k) * 2 + l]!, share),
              0,
            ),
          ),
        0,
      );
    expect(at(moved)).toBeLessThan(at(fit.prior[0]!));
    expect(at(fit.prior[0]! - 1e-4)).toBeLessThan(at(fit.prior[0]!));
  });

  it("the sampler has the moments of Jeffreys' posterior where every class is certain", () => {
    // one rater who is never wrong anchors the classes: 30 items of class 0, 10 of class 1; the other errs in 6 of 30
    const sure = Array.from(
      { length: 40 },
      (_, i) =>
        [
          [0, i < 30 ? 0 : 1],
          [1, i < 30 ? (i < 6 ? 1 : 0) : 1],
          [2, i < 30 ? 0 : 1],
          [3, i < 30 ? 0 : 1],
          [4, i < 30 ? 0 : 1],
        ] as const,
    );
    const labels = packed(sure, 2);
    const draws = 4000;
    const { prior, confusion } = sampleClassModel(labels, fitClassModel(labels), { draws, rng: makeRng(4) });
    const check = (values: readonly number[], a: number, b: number): void => {
      const mean = values.reduce((sum, v) => sum + v, 0) / draws;
      const sd = Math.sqrt((a * b) / ((a + b) ** 2 * (a + b + 1)));
      expect(Math.abs(mean - a / (a + b))).toBeLessThan((4 * sd) / Math.sqrt(draws));
    };
    check(
      prior.map((own) => own[0]!),
      30.5,
      10.5,
    );
    check(
      confusion.map((own) => own[(1 * 2 + 0) * 2 + 1]!),
      6.5,
      24.5,
    );
  });

  it("does not mind the order of rows and the names of classes", () => {
    const table = referenceTable(reference, "crowd2");
    const plain = modelLabels(table, { ...COLUMNS, replicates: 0 });
    const turned: Table = {
      rows: table.rows,
      columns: new Map(
        [...table.columns].map(([name, own]) => [
          name,
          own.kind === "factor" ? { ...own, codes: Int32Array.from(own.codes).reverse() } : own,
        ]),
      ),
    };
    expect(modelLabels(turned, { ...COLUMNS, replicates: 0 }).logLik).toBeCloseTo(plain.logLik, 9);
    const other = modelLabels(table, { ...COLUMNS, categories: ["c", "a", "b"], replicates: 0 });
    expectClose(
      [other.prior[1]!.value, other.prior[2]!.value, other.prior[0]!.value],
      plain.prior.map(({ value }) => value),
      { tolerance: 1e-9 },
    );
  });

  it("asks the rater whose label tells most among those who have not labelled the item", () => {
    const table = referenceTable(reference, "crowd2");
    const own = modelLabels(table, { ...COLUMNS, replicates: 0 });
    expect(own.askAgain.length).toBe(own.consensus.filter(({ probability }) => probability < 0.9).length);
    const first = own.askAgain[0]!;
    expect(first.gain).toBeGreaterThan(0);
    const [item, rater] = [table.columns.get("item")!, table.columns.get("annotator")!];
    if (item.kind !== "factor" || rater.kind !== "factor") throw new Error("factors");
    const asked = new Set(
      Array.from(item.codes, (code, row) => (item.levels[code] === first.item ? rater.levels[rater.codes[row]!]! : "")),
    );
    expect(asked.has(first.rater)).toBe(false);
  });

  it("intervals hold the estimate, come back with the seed, are written and read", () => {
    const table = referenceTable(reference, "crowd3");
    const run = (seed: number) => modelLabels(table, { ...COLUMNS, replicates: 200, rng: makeRng(seed) });
    const own = run(1);
    expect(run(1).raters).toEqual(own.raters);
    expect(run(2).raters).not.toEqual(own.raters);
    for (const { accuracy } of own.raters) {
      expect(accuracy.lower).toBeLessThanOrEqual(accuracy.value);
      expect(accuracy.upper).toBeGreaterThanOrEqual(accuracy.value);
    }
    const json = JSON.parse(JSON.stringify(own)) as DawidSkeneJson;
    expect(json.confusion["r1"]).toEqual(own.raters[0]!.confusion);
    expect(reviveResult(json).toString()).toBe(own.toString());
  });

  const crowd = (seed: string, items: number, right: readonly number[], classes = 2): Table => {
    const rng = makeRng(seed);
    const rows = Array.from({ length: items }, (_, i) => {
      const truth = rng.int(classes);
      return right.map((own, r) => {
        const wrong = (truth + 1 + rng.int(classes - 1)) % classes;
        return { item: `i${i}`, annotator: `r${r}`, label: `c${rng.uniform() < own ? truth : wrong}` };
      });
    }).flat();
    const text = (name: "item" | "annotator" | "label") => factorColumn(rows.map((row) => row[name]));
    return makeTable((["item", "annotator", "label"] as const).map((name) => [name, text(name)] as const));
  };

  it("draws in which classes changed places do not stretch an interval down to 1 %", () => {
    const right = [0.9, 0.8, 0.7];
    const own = Array.from({ length: 12 }, (_, k) => `places ${k}`).map((seed) => {
      const table = crowd(seed, 40, right);
      return modelLabels(table, { ...COLUMNS, replicates: 300, rng: makeRng(seed) }).raters.map((r) => r.accuracy);
    });
    // with names as drawn several of these lower ends lie at 0.02
    expect(own.flat().filter(({ lower }) => lower < 0.2)).toEqual([]);
    const held = own.flat().filter(({ lower, upper }, k) => lower <= right[k % 3]! && right[k % 3]! <= upper);
    expect(held.length).toBeGreaterThan(30);
  });

  it("says so where an estimate ends its own interval short of 1", () => {
    const found = Array.from({ length: 20 }, (_, k) =>
      modelLabels(crowd(`few ${k}`, 40, [0.8, 0.7, 0.65, 0.5], 3), { ...COLUMNS, replicates: 200, rng: makeRng(k) }),
    );
    const ends = ({ raters }: (typeof found)[number]) =>
      raters.filter(({ accuracy: { value, upper } }) => value === upper && value < 0.98).map(({ rater }) => rater);
    const told = (own: (typeof found)[number]) =>
      own.diagnostics.find(({ code }) => code === "BeyondDraws")?.message ?? "";
    expect(found.filter((own) => ends(own).length > 0).length).toBeGreaterThan(0);
    for (const own of found) {
      const names = ends(own);
      expect([told(own) !== "", names.every((name) => told(own).includes(name))]).toEqual([names.length > 0, true]);
    }
  });

  it("labels of chance are not given a consensus without a warning, and one label an item is refused", () => {
    const rng = makeRng("chance");
    const rows = Array.from({ length: 180 }, (_, i) => ({
      item: `i${i % 60}`,
      rater: `r${Math.floor(i / 60)}`,
      label: "abc"[rng.int(3)]!,
    }));
    const ask = (own: typeof rows) =>
      modelLabels(
        makeTable(
          (["item", "rater", "label"] as const).map(
            (name) => [name, factorColumn(own.map((row) => row[name]))] as const,
          ),
        ),
        { item: "item", rater: "rater", label: "label", replicates: 0 },
      );
    expect(ask(rows).diagnostics.map(({ code }) => code)).toContain("ChanceAgreement");
    const agreed = rows.map((row) => ({ ...row, label: "abc"[Number(row.item.slice(1)) % 3]! }));
    expect(ask(agreed).diagnostics.map(({ code }) => code)).not.toContain("ChanceAgreement");
    expect(() => ask(rows.map((row, i) => ({ ...row, item: `own ${i}` })))).toThrow(
      /none of the 180 items was labelled twice/,
    );
  });

  it("names raters who say nothing, few labels and what is refused", () => {
    const labels = (rater: string, say: (i: number) => string) =>
      Array.from({ length: 60 }, (_, i) => ({ item: `i${i}`, rater, label: say(i) }));
    const truth = (i: number): string => (i % 2 === 0 ? "a" : "b");
    const all = [
      ...labels("good", truth),
      ...labels("fair", (i) => (i % 7 === 0 ? "a" : truth(i))),
      ...labels("other", (i) => (i % 9 === 0 ? "b" : truth(i))),
      ...labels("bot", (i) => (i % 3 === 0 ? "b" : "a")),
    ];
    const of = (rows: typeof all) =>
      makeTable(
        (["item", "rater", "label"] as const).map(
          (name) => [name, factorColumn(rows.map((row) => row[name]))] as const,
        ),
      );
    const ask = (rows: typeof all, more = {}) =>
      modelLabels(of(rows), { item: "item", rater: "rater", label: "label", replicates: 0, ...more });
    const own = ask(all);
    expect(own.diagnostics.map(({ code }) => code)).toEqual(["UninformativeRater"]);
    expect(own.diagnostics[0]!.message).toMatch(/bot/);
    expect(ask(all.slice(0, 120)).diagnostics.map(({ code }) => code)).toContain("FewLabels");
    expect(() => ask(all.slice(0, 60))).toThrow(/one rater/);
    expect(() => ask(all.map((row) => ({ ...row, label: "a" })))).toThrow(/one label/);
    expect(() => ask(all, { categories: ["x", "y"] })).toThrow(/not a level/);
    expect(() => ask(all, { confidence: 1 })).toThrow(/confidence/);
    expect(() => ask(all, { certainty: 0 })).toThrow(/certainty/);
    expect(() => ask(all, { replicates: 5 })).toThrow(/replicates/);
  });
});

/** Models and tables, variance components (chapter 3) and searches for circular features (chapter 2) of Riezler & Hagmann (2021), Validity,
 *  Reliability, and Significance, from the authors' own data. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { column, factorColumn, makeTable, numericColumn, type Table, withColumn } from "../../src/data/table.ts";
import { filterRows, mutateTable } from "../../src/formula/evaluate/evaluate.ts";
import { readCsv } from "../../src/io/csv/csv.ts";
import { fitGam } from "../../src/models/gam/gam.ts";
import { fitLmm, type LmmFit } from "../../src/models/lmm/lmm.ts";

import {
  measureReliability,
  type ReliabilityOptions,
  type ReliabilityResult,
} from "../../src/reliability/generalizability/generalizability.ts";
import { measureImportance } from "../../src/reliability/importance.ts";
import { marginalMeans } from "../../src/significance/means/means.ts";

import { gossetJson } from "../support/cli.ts";
import { expectClose, hasShared, readPaper, sharedPath } from "../support/oracle.ts";
import { describeSearches } from "./book-searches.ts";

const read = (name: string): Buffer => {
  const bytes = readFileSync(sharedPath(name));
  return name.endsWith(".gz") ? gunzipSync(bytes) : bytes;
};
/** R's answers, by its own names. */
const readBook = () => readPaper("riezler2021");

/** Columns as text, by name. */
function readCells(name: string): Map<string, string[]> {
  const [head, ...lines] = read(name).toString().trim().split("\n");
  const rows = lines.map((line) => line.split(","));
  const plain = (text: string): string => text.replaceAll('"', "");
  return new Map(head!.split(",").map((column, j) => [plain(column), rows.map((row) => plain(row[j]!))]));
}

const variance = ({ components }: ReliabilityResult, term: string): number =>
  components.find((own) => own.term === term)!.variance;

describe.skipIf(!hasShared)("Riezler & Hagmann's data (needs ../shared)", () => {
  describe("tables of the book", () => {
    interface BookEntry {
      readonly id: string;
      readonly data_file: string;
      readonly model: string;
      /** R's answers, by its own names; each table has some of them. */
      readonly r: {
        readonly polished: {
          readonly criterion: number;
          readonly sigma: number;
          readonly variance: Readonly<Record<string, number>>;
        };
        readonly default_optimizer: { readonly criterion: number };
        readonly REML_polished: {
          readonly fixef: Readonly<Record<string, number>>;
          readonly se: Readonly<Record<string, number>>;
          readonly sigma: number;
          readonly criterion: number;
        };
      };
    }
    const book: readonly BookEntry[] = readBook();
    const loaded = new Map<string, Table>();
    /** "score ~ … [subset mode == 'Marking']" → formula and condition. */
    function fitEntry({ data_file, model }: BookEntry): LmmFit {
      const raw = loaded.get(data_file) ?? readCsv(read(data_file), { name: data_file }).table;
      loaded.set(data_file, raw);
      const [formula, condition] = model.split("[subset ");
      let table = raw.columns.has("occasion") ? withColumn(raw, "instantiation", column(raw, "occasion")) : raw;
      if (model.includes("src_length_class")) table = withColumn(table, "src_length_class", lengthClass(table));
      if (condition !== undefined) table = filterRows(table, condition.trim().replace(/\]$/, ""));
      return fitLmm(formula!.split(";")[0]!.trim(), table, { ddf: "none" });
    }
    /** The book's bins of sentence length. */
    function lengthClass(table: Table) {
      const cells = column(table, "src_length");
      const values = cells.kind === "numeric" ? Array.from(cells.values) : [];
      return factorColumn(values.map((v) => (v <= 15 ? "short" : v <= 55 ? "typical" : "very long")));
    }
    const entry = (id: string): BookEntry => book.find((e) => e.id === id)!;

    // the full grid (3.10, 3.11) has the same code path as the partial one and six times its rows
    it.each(["table-3.1", "table-3.2", "table-3.4", "table-3.8"])("%s: variance components", (id) => {
      const fit = fitEntry(entry(id));
      const { polished } = entry(id).r;
      expect(fit.deviance).toBeLessThanOrEqual(polished.criterion + 1e-6);
      for (const { group, cov } of fit.variances) {
        // the polished components carry the noise of the criterion, 1e-6 on the grid
        expectClose(cov.data, [polished.variance[group]!], { tolerance: 2e-6, floor: 1e-6, label: group });
      }
      expectClose([fit.residualSd], [polished.sigma], { tolerance: 1e-8, label: "sigma" });
    });

    it("table-3.9: says that two grouping factors are one, and finds their sum", () => {
      const fit = fitEntry(entry("table-3.9"));
      const told = fit.diagnostics.find(({ code }) => code === "SamePartition")!;
      expect(told.message).toContain("encoder_dropout");
      expect(told.message).toContain("decoder_dropout_hidden");
      const variance = (group: string): number => fit.variances.find((v) => v.group === group)!.cov.data[0]!;
      expect(variance("encoder_dropout") + variance("decoder_dropout_hidden")).toBeCloseTo(2.528e-4, 6);
      expect(fit.deviance).toBeLessThanOrEqual(entry("table-3.9").r.default_optimizer.criterion + 1e-6);
    });

    it.each(["table-4.1-row-2", "table-4.3"])("%s: REML fit", (id) => {
      const { r, model, data_file } = entry(id);
      const fit = fitEntry({ id, r, model, data_file });
      const { fixef, se, sigma, criterion } = r.REML_polished;
      expect(fit.deviance).toBeLessThanOrEqual(criterion + 1e-6);
      for (const { name, value, se: own } of fit.coefficients) {
        expectClose([value, own], [fixef[name]!, se[name]!], { tolerance: 1e-6, floor: 1e-3, label: name });
      }
      expectClose([fit.residualSd], [sigma], { tolerance: 1e-7, label: "sigma" });
    });
  });

  describe("additive models of the book", () => {
    interface BookEntry {
      readonly id: string;
      readonly data_file: string;
      readonly model: string;
      readonly options: { readonly family: string; readonly method: string };
      /** mgcv's answers, by its own names. */
      readonly r: {
        readonly dev_expl: number;
        readonly score: number;
        readonly smooth: Readonly<Record<string, { readonly edf: number }>>;
      };
    }
    /** The quick ones with bases that need no random knots; all of them: test/calibration/gam.calibrate.ts. */
    const BOOK = ["ir-nocite-cr-REML", "liver-annotation-nobili-cr-REML"];
    const entries: BookEntry[] = readBook();
    for (const { id, data_file, model, options, r } of entries.filter((entry) => BOOK.includes(entry.id))) {
      it(`${id}: ${model}`, () => {
        const cells = readCells(data_file);
        const used = [...cells.keys()].filter((name) => model.includes(name));
        const columns = used.map((name): [string, ReturnType<typeof numericColumn | typeof factorColumn>] => {
          const values = cells.get(name)!;
          return [name, Number.isNaN(Number(values[0])) ? factorColumn(values) : numericColumn(values.map(Number))];
        });
        const fit = fitGam(model, makeTable(columns), { family: "gaussian", method: options.method as "REML" });
        expect(Math.abs(fit.devianceExplained - r.dev_expl)).toBeLessThan(1e-7);
        // R stopped at its default tolerance; its criterion is a little above ours
        expect(fit.criterion.value).toBeLessThanOrEqual(r.score + 1e-8 * Math.abs(r.score));
        for (const { term, edf } of fit.smooths) expect(Math.abs(edf - r.smooth[term]!.edf)).toBeLessThan(3e-3);
      });
    }
  });

  describe("the book's tables", () => {
    const cases = readBook();
    const of = (id: string) => cases.find((entry: { id: string }) => entry.id === id).r;
    const data = sharedPath("data/riezler2021/mt_ter.csv");
    const classes: Readonly<Record<string, string>> = { "<= 15": "short", "15 - 55": "typical", "> 55": "very long" };

    const PAIRS_BY_LENGTH = [
      [-0.016124931098, 0.004832952439, 0.002444995],
      [-0.012670318921, 0.004743137531, 0.02064454],
      [0.003454612176, 0.003539051188, 0.5919762],
      [-0.007821065654, 0.004392227232, 0.1760682],
      [-0.004839679928, 0.004310602699, 0.4999981],
      [0.002981385726, 0.003216319051, 0.6232069],
      [-0.072855610757, 0.028904623816, 0.03144533],
      [-0.107563078077, 0.028367464355, 0.0004393072],
      [-0.03470746732, 0.021166139032, 0.2289413],
    ];

    interface Contrast {
      readonly contrast: string;
      readonly estimate: number;
      readonly se: number;
      readonly p: number;
      readonly within?: { readonly src_length: string };
    }
    interface Published {
      readonly contrast: string;
      readonly estimate: number;
      readonly SE: number;
      readonly "p.value": number;
      readonly src_length_class?: string;
    }
    /** Ours is second minus first. */
    function expectContrasts(ours: readonly Contrast[], theirs: readonly Published[]): void {
      expect(ours).toHaveLength(theirs.length);
      for (const { contrast, estimate, se, p, within } of ours) {
        const name = contrast.split(" - ").reverse().join(" - ");
        const own = within && classes[within.src_length];
        const other = theirs.find((row) => row.contrast === name && row.src_length_class === own)!;
        expect(estimate, contrast).toBeCloseTo(-other.estimate, 9);
        expect(se, contrast).toBeCloseTo(other.SE, 7);
        expect(Math.abs(p - other["p.value"]), contrast).toBeLessThan(2e-5);
      }
    }

    it("4.3 and Figure 4.7: systems by length of the source", () => {
      const result = gossetJson(
        "compare",
        data,
        "--by",
        "src_length",
        "--cut",
        "15,55",
        "--ddf",
        "none",
        "--scope",
        "items",
      );
      const book = of("table-4.3");
      expectContrasts(result.model.naive.contrasts, book.contrasts);
      expect(result.model.naive.systems.chisq).toBeCloseTo(book["GLRT_4.12_vs_4.13"].W, 4);
      expect(result.model.naive.interaction.chisq).toBeCloseTo(book.GLRT_interaction_only.W, 4);
      expect(result.model.classes.map(({ items }: { items: number }) => items)).toEqual([465, 563, 13]);
      // each pair by its own slopes: lmer(ter ~ system * class + (1 + d || sentence_id)) of lme4 1.1-31, and Tukey's law
      const within = result.model.within.map(({ estimate, se, p }: Contrast) => [estimate, se, p]);
      expect(within).toHaveLength(PAIRS_BY_LENGTH.length);
      for (const [k, row] of PAIRS_BY_LENGTH.entries()) expectClose(within[k], row, { tolerance: 1e-5 });
      for (const { system, src_length, estimate } of result.model.means) {
        const other = book.group_means.find(
          (row: { system: string; src_length_class: string }) =>
            row.system === system && row.src_length_class === classes[src_length],
        );
        expect(estimate).toBeCloseTo(other.emmean, 8);
      }
    }, 60_000);

    it("4.1 and 4.2: systems over all sentences", () => {
      const result = gossetJson("compare", data, "--test", "model", "--ddf", "none", "--scope", "items");
      expectContrasts(result.model.naive.contrasts, of("table-4.2").contrasts);
      expect(result.model.naive.systems.chisq).toBeCloseTo(of("table-4.1-row-2").GLRT.W, 4);
      expect(result.model.systems.chisq).toBeCloseTo(of("extra-4.2-system-by-sentence").GLRT.W, 4);
      // with finite df the conclusions are the same: thousands of rows
      const finite = gossetJson("compare", data, "--test", "model", "--scope", "items");
      for (const [k, pair] of finite.pairs.entries()) expect(Math.abs(pair.p - result.pairs[k].p)).toBeLessThan(1e-3);
    }, 60_000);
  });

  describe("marginal means", () => {
    it("reproduces Tables 4.2 and 4.3 of Riezler & Hagmann (2021)", () => {
      const entries = readBook();
      const of = (id: string) => entries.find((x: { id: string }) => x.id === id).r;
      const raw = readCsv(read("data/riezler2021/mt_ter.csv"), { name: "mt_ter.csv" }).table;
      const table = mutateTable(
        raw,
        "src_length_class = ifelse(src_length <= 15, 'short', ifelse(src_length <= 55, 'typical', 'very long'))",
      );
      const plain = marginalMeans(fitLmm("ter ~ system + (1 | sentence_id)", table, { ddf: "none" }), {
        by: ["system"],
      });
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
      const nested = marginalMeans(within, { by: ["system"], within: ["src_length_class"] });
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

  describe("Riezler & Hagmann's data annotation", () => {
    /** R's answers, by its own names. */
    interface AnnotationAnswer {
      readonly closed_form_reml: Readonly<Record<string, number>>;
      readonly closed_form_phi: number;
      readonly intra_rater_eq_3_18: number;
      readonly inter_rater_eq_3_19: number;
      readonly d_study: readonly Readonly<Record<"n_rater" | "n_instantiation" | "phi_eq_3_12" | "relative", number>>[];
    }
    let table: Table;
    let reference: readonly { readonly id: string; readonly r: AnnotationAnswer }[];
    beforeAll(() => {
      const bytes = readFileSync(sharedPath("data/riezler2021/mt_annotation.csv"));
      table = readCsv(bytes, { name: "mt", factors: ["sentence", "rater", "occasion"] }).table;
      reference = readPaper("riezler2021");
    });
    const options: ReliabilityOptions = {
      score: "score",
      object: "sentence",
      facets: ["rater", "occasion"],
      interactions: "all",
    };

    it.each([
      ["table-3.1", "Marking"],
      ["table-3.2", "Post Edit"],
    ])("%s: components, φ, intra- and inter-rater forms, Figure 3.3", (id, mode) => {
      const { r } = reference.find((entry) => entry.id === id)!;
      const numbers = { rater: Array.from({ length: 12 }, (_, n) => n + 1), occasion: [1, 2, 3, 4, 5] };
      const part = filterRows(table, `mode == '${mode}'`);
      const found = measureReliability(part, { ...options, intervals: "none", numbers });
      const names = {
        sentence: "sentence",
        rater: "rater",
        "sentence:rater": "rater:sentence",
        "rater:occasion": "instantiation:rater",
        residual: "Residual",
      };
      for (const [ours, theirs] of Object.entries(names)) {
        expectClose([variance(found, ours)], [r.closed_form_reml[theirs]!], { tolerance: 1e-8, label: ours });
      }
      expect(variance(found, "occasion")).toBe(0);
      expectClose([found.phi.value], [r.closed_form_phi], { tolerance: 1e-8 });
      // what follows was computed from estimates of a derivative-free search, good to about 1e-7
      const rater = found.raters.find(({ facet }) => facet === "rater")!;
      expectClose([rater.intra, rater.inter], [r.intra_rater_eq_3_18, r.inter_rater_eq_3_19], { tolerance: 2e-7 });
      for (const { n_rater, n_instantiation, phi_eq_3_12, relative } of r.d_study) {
        const own = found.whatIf.find(({ n }) => n["rater"] === n_rater && n["occasion"] === n_instantiation)!;
        expectClose([own.phi, own.relative], [phi_eq_3_12, relative], { tolerance: 3e-7 });
      }
    });
  });

  describe("Riezler & Hagmann's grids", () => {
    const read = (name: string): Table => {
      const factors = [
        "sentence_id",
        "learning_rate",
        "seed",
        "decoder_dropout",
        "decoder_dropout_hidden",
        "encoder_dropout",
      ];
      const bytes = gunzipSync(readFileSync(sharedPath(`data/riezler2021/${name}`)));
      return filterRows(readCsv(bytes, { name, factors }).table, "delta_scheme == '(-0.5:0.5)'");
    };
    const facets = ["learning_rate", "seed", "decoder_dropout", "decoder_dropout_hidden", "encoder_dropout"];
    const base = { score: "ter", object: "sentence_id", facets };
    const expected = (id: string) => readPaper("riezler2021").find((entry: { id: string }) => entry.id === id).r;

    it("Tables 3.8 and 3.9: the aliased dropouts are one component with the sum", () => {
      const found = measureReliability(read("mt_grid_partial.csv.gz"), { ...base, intervals: "none" });
      const want = expected("table-3.9").identifiable_model.closed_form_reml_balanced_anova.variance;
      const close = { tolerance: 1e-8 };
      expectClose([variance(found, "sentence_id")], [want.sentence_id], close);
      expectClose([variance(found, "learning_rate")], [want.learning_rate], close);
      expectClose([variance(found, "seed")], [want.seed], { tolerance: 1e-7 });
      expectClose([variance(found, "decoder_dropout_hidden = encoder_dropout")], [want.dropset], close);
      expectClose([variance(found, "residual")], [want.Residual], close);
      expect(found.diagnostics.map(({ code }) => code)).toContain("AliasedFacets");
      const { variance: check } = expected("table-3.8").closed_form;
      expectClose([found.check.object, found.check.residual], [check.sentence_id, check.Residual], close);
    });

    it("Tables 3.10 and 3.11: six components of 168,642 scores", () => {
      const found = measureReliability(read("mt_grid_full.csv.gz"), base);
      const want = expected("table-3.11").closed_form_reml_balanced_anova.variance;
      for (const name of ["sentence_id", ...facets, "Residual"]) {
        expectClose([variance(found, name === "Residual" ? "residual" : name)], [want[name]], {
          tolerance: 1e-8,
          label: name,
        });
      }
      const { variance: check, phi } = expected("table-3.10").closed_form;
      const { object, residual, share } = found.check;
      expectClose([object, residual, share], [check.sentence_id, check.Residual, phi], { tolerance: 1e-8 });
      expect(found.balanced).toBe(true);
      expect(found.verdict).toContain("good");
      expect(found.components.find(({ term }) => term === "sentence_id")!.percent).toBeCloseTo(85.9, 1);
    });
  });

  describe("importance in Riezler & Hagmann's grids", () => {
    /** R's answers, by its own names; each entry has some of them. */
    interface Reference {
      readonly closed_form_reml_balanced_anova: { readonly variance: Readonly<Record<string, number>> };
      readonly group_means: readonly {
        readonly delta_scheme: string;
        readonly src_length_class: string;
        readonly emmean: number;
        readonly SE: number;
      }[];
      readonly lmerTest_anova: readonly Readonly<Record<"F value" | "NumDF" | "DenDF" | "Pr(>F)", number>>[];
      readonly contrasts: readonly {
        readonly src_length_class: string;
        readonly estimate: number;
        readonly SE: number;
      }[];
    }
    const expected = (id: string): Reference =>
      readPaper("riezler2021").find((entry: { id: string }) => entry.id === id).r;
    it("Table 3.4: closed form to 1e-8, and epochs that did nothing", () => {
      const parameters = ["dropout", "hidden_size_max", "hidden_number", "learning_rate", "batch_size", "random_seed"];
      const bytes = readFileSync(sharedPath("data/riezler2021/liver_reliability_grid.csv"));
      const { table } = readCsv(bytes, { name: "liver" });
      const found = measureImportance(table, { score: "accuracy", parameters });
      const want = expected("table-3.4").closed_form_reml_balanced_anova.variance;
      for (const { term, variance } of found.components) {
        expectClose([variance], [want[term === "residual" ? "Residual" : term]!], { tolerance: 1e-8, label: term });
      }
      const order = [
        "residual",
        "hidden_number",
        "learning_rate",
        "batch_size",
        "hidden_size_max",
        "dropout",
        "random_seed",
      ];
      expect(found.components.map(({ term }) => term)).toEqual(order);
      const largest = found.components[1]!;
      expect(largest.percent).toBeCloseTo(31, 1);
      // an exact interval of σ_f² with 2 df would reach from about 0.27 to 39 times the mean square
      expect(largest.lower).toBeLessThan(0.35 * largest.variance);
      expect(largest.upper).toBeGreaterThan(25 * largest.variance);
      const said = found.diagnostics.find(({ code }) => code === "NoEffectAtAll")!;
      expect(said.message).toMatch(/^epochs changes nothing: 98\.6%/);
    });

    it("Figure 3.5: means by weighting scheme and sentence length", () => {
      const bytes = gunzipSync(readFileSync(sharedPath("data/riezler2021/mt_grid_partial.csv.gz")));
      const { table } = readCsv(bytes, { name: "grid", factors: ["sentence_id"] });
      const options = { score: "ter", object: "sentence_id", parameters: ["delta_scheme"], intervals: "none" } as const;
      const [found] = measureImportance(table, { ...options, by: "src_length_class" }).interactions;
      const { group_means, lmerTest_anova, contrasts } = expected("figure-3.5");
      for (const { delta_scheme, src_length_class, emmean, SE } of group_means) {
        const own = found!.means.find(
          (m) => m["delta_scheme"] === delta_scheme && m["src_length_class"] === src_length_class,
        )!;
        expectClose([own["estimate"] as number, own["se"] as number], [emmean, SE], { tolerance: 1e-7 });
      }
      const test = lmerTest_anova[2]!;
      expectClose([found!.f, found!.df1, found!.df2], [test["F value"], test.NumDF, test.DenDF], { tolerance: 1e-6 });
      expectClose([found!.p], [test["Pr(>F)"]], { tolerance: 1e-4 });
      for (const { src_length_class, estimate, SE } of contrasts) {
        const own = found!.contrasts.find((c) => c["src_length_class"] === src_length_class)!;
        expectClose([Math.abs(own["estimate"] as number), own["se"] as number], [Math.abs(estimate), SE], {
          tolerance: 1e-6,
        });
      }
    });
  });

  describeSearches();
});

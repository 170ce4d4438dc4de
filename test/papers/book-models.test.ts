/** Tables and additive models of Riezler & Hagmann (2021), Validity, Reliability, and Significance, from the authors' own data. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { column, factorColumn, makeTable, numericColumn, type Table, withColumn } from "../../src/data/table.ts";
import { filterRows, mutateTable } from "../../src/formula/evaluate/evaluate.ts";
import { readCsv } from "../../src/io/csv/csv.ts";
import { fitGam } from "../../src/models/gam/gam.ts";
import { fitLmm, type LmmFit } from "../../src/models/lmm/lmm.ts";
import { marginalMeans } from "../../src/significance/means/means.ts";
import { gossetJson } from "../support/cli.ts";
import { expectClose, hasShared, readPaper, sharedPath } from "../support/oracle.ts";

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

describe.skipIf(!hasShared)("models of Riezler & Hagmann's data (needs ../shared)", () => {
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
      const result = gossetJson("compare", data, "--by", "src_length", "--cut", "15,55", "--ddf", "none");
      const book = of("table-4.3");
      expectContrasts(result.model.naive.contrasts, book.contrasts);
      expect(result.model.naive.systems.chisq).toBeCloseTo(book["GLRT_4.12_vs_4.13"].W, 4);
      expect(result.model.naive.interaction.chisq).toBeCloseTo(book.GLRT_interaction_only.W, 4);
      expect(result.model.classes.map(({ items }: { items: number }) => items)).toEqual([465, 563, 13]);
      expectContrasts(result.model.within, of("extra-4.2-system-by-sentence").contrasts_by_length_class);
      for (const { system, src_length, estimate } of result.model.means) {
        const other = book.group_means.find(
          (row: { system: string; src_length_class: string }) =>
            row.system === system && row.src_length_class === classes[src_length],
        );
        expect(estimate).toBeCloseTo(other.emmean, 8);
      }
    }, 60_000);

    it("4.1 and 4.2: systems over all sentences", () => {
      const result = gossetJson("compare", data, "--test", "model", "--ddf", "none");
      expectContrasts(result.model.naive.contrasts, of("table-4.2").contrasts);
      expect(result.model.naive.systems.chisq).toBeCloseTo(of("table-4.1-row-2").GLRT.W, 4);
      expect(result.model.systems.chisq).toBeCloseTo(of("extra-4.2-system-by-sentence").GLRT.W, 4);
      // with finite df the conclusions are the same: thousands of rows
      const finite = gossetJson("compare", data, "--test", "model");
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
});

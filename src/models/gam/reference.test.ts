/** The reference cases of mgcv, and the additive models behind the liver, kidney and patent examples of Riezler & Hagmann. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  expectAsMgcv,
  expectLikelihoodDf,
  expectPredictions,
  fitCase,
  type GamCase,
  gamTable,
} from "../../../test/support/gam.ts";
import { hasShared, sharedPath } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { fitGam } from "./gam.ts";

interface Dataset {
  readonly file: string;
  readonly columns: Readonly<Record<string, { readonly type: string; readonly levels?: readonly string[] }>>;
}
interface Reference {
  readonly datasets: Readonly<Record<string, Dataset>>;
  readonly cases: readonly GamCase[];
}

const readText = (name: string): string => {
  const bytes = readFileSync(sharedPath(name));
  return (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
};

/** Columns as text, by name. */
function readCells(name: string): Map<string, string[]> {
  const [head, ...lines] = readText(name).trim().split("\n");
  const rows = lines.map((line) => line.split(","));
  const plain = (text: string): string => text.replaceAll('"', "");
  return new Map(head!.split(",").map((column, j) => [plain(column), rows.map((row) => plain(row[j]!))]));
}

/** The target is an exact function of the covariates: only D² and the fitted values mean anything. */
const EXACT = "circular-target-cr-REML";

describe.skipIf(!hasShared)("mgcv's reference cases (needs ../shared)", () => {
  const reference: Reference = hasShared ? JSON.parse(readText("reference/r/gam.json")) : { datasets: {}, cases: [] };
  const tables = new Map<string, Table>();
  const tableOf = (name: string): Table => {
    if (!tables.has(name)) {
      const { file, columns } = reference.datasets[name]!;
      tables.set(name, gamTable(Object.fromEntries(readCells(`reference/r/${file}`)), columns));
    }
    return tables.get(name)!;
  };
  for (const one of reference.cases) {
    it(one.id, () => {
      const fit = fitCase(tableOf(one.input.data), one);
      if (one.id === EXACT) {
        expect(fit.devianceExplained).toBeCloseTo(1, 12);
        return;
      }
      expectAsMgcv(fit, one);
      if (one.input["engine"] === "gam") expectLikelihoodDf(fit, one);
      const { newdata } = one.expected.predictions;
      const columns = reference.datasets[one.input.data]!.columns;
      const given = Object.fromEntries(Object.keys(newdata).map((name) => [name, columns[name]!]));
      expectPredictions(fit, gamTable(newdata, given), one);
    });
  }
});

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

describe.skipIf(!hasShared)("additive models of the book (needs ../shared)", () => {
  const entries: BookEntry[] = hasShared ? JSON.parse(readText("reference/riezler2021.json")) : [];
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

/** Searches for circular features of Riezler & Hagmann (2021), chapter 2, as mgcv has them. A part of book.test.ts, which calls it where the authors'
 *  data are there. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { factorColumn, numericColumn } from "../../src/data/table.ts";
import { makeRng } from "../../src/numeric/rng.ts";
import { circularityModelTask, type ModelFrame, modelInput } from "../../src/validity/circularity/powerset-model.ts";
import { findStepRule } from "../../src/validity/circularity/step-rule.ts";
import { readPaper, sharedPath } from "../support/oracle.ts";

export function describeSearches(): void {
  describe("published searches", () => {
    interface Entry {
      readonly id: string;
      readonly r: { readonly models: readonly { formula: string; dev_expl: number; edf_total: number }[] };
    }
    function readColumns(file: string, names: readonly string[]): ReadonlyMap<string, string[]> {
      const [head, ...lines] = gunzipSync(readFileSync(sharedPath(`data/riezler2021/${file}_testset.csv.gz`)))
        .toString()
        .trim()
        .split("\n");
      const places = names.map((name) => head!.split(",").indexOf(name));
      const rows = lines.map((line) => line.split(","));
      return new Map(names.map((name, j) => [name, rows.map((row) => row[places[j]!]!)]));
    }
    function frameOf(file: string, label: string, names: readonly string[]): ModelFrame {
      const columns = readColumns(file, [label, ...names]);
      const y = Float64Array.from(columns.get(label)!, Number);
      const features = names.map((name) => {
        const texts = columns.get(name)!;
        const column = Number.isNaN(Number(texts[0])) ? factorColumn(texts) : numericColumn(texts.map(Number));
        return { name, column, distinct: new Set(texts).size, k: 10 };
      });
      return { y, features, family: "gaussian", method: "GCV.Cp", basis: "tp" };
    }
    const searches = [
      {
        id: "liver-annotation-search",
        file: "liver",
        label: "target",
        sets: [["bili"], ["bili", "alat"], ["asat", "quinr"]],
      },
      {
        id: "kidney-annotation-search",
        file: "kidney",
        label: "target",
        sets: [
          ["urine24", "crea"],
          ["crea", "bun"],
        ],
      },
    ];
    const entries: Entry[] = readPaper("riezler2021");
    for (const { id, file, label, sets } of searches) {
      it(`${id}: D² and edf as mgcv has them`, { timeout: 60_000 }, () => {
        const names = [...new Set(sets.flat())];
        const frame = frameOf(file, label, names);
        const { models } = entries.find((entry) => entry.id === id)!.r;
        for (const set of sets) {
          const main = set.map((name) => names.indexOf(name));
          const { d2, edf, converged } = circularityModelTask.run(modelInput(frame, { main }), makeRng(1));
          const theirs = models.find(({ formula }) => {
            const terms = formula.split("~")[1]!.match(/\w+(?=\))/g)!;
            return terms.length === set.length && set.every((name) => terms.includes(name));
          })!;
          // mgcv draws the knots of covariates with more than 2000 values at random, and stops GCV early where it is flat
          expect(Math.abs(d2 - theirs.dev_expl)).toBeLessThan(5e-5);
          expect(Math.abs(edf - theirs.edf_total)).toBeLessThan(0.1);
          expect(converged).toBe(true);
        }
      });
    }

    it("patent relevance: three citations explain everything with four coefficients", () => {
      const frame = frameOf("ir", "relevance", ["cited_inventor", "cited_examiner", "cited_family"]);
      const { d2, edf } = circularityModelTask.run(modelInput(frame, { main: [0, 1, 2] }), makeRng(1));
      expect(d2).toBeCloseTo(1, 12);
      expect(edf).toBeCloseTo(4, 8);
      const rule = findStepRule("relevance", frame.y, frame.features)!;
      expect(rule.agreement).toBe(1);
    });

    it("the rules of both organ scores, to the threshold", () => {
      const liver = frameOf("liver", "target", ["bili"]);
      const kidney = frameOf("kidney", "target", ["crea", "urine24"]);
      const first = findStepRule("target", liver.y, liver.features)!;
      expect(first.steps[0]!.thresholds.map(({ value }) => value)).toEqual([1.2, 2, 6, 12]);
      const second = findStepRule("target", kidney.y, kidney.features)!;
      expect(second.form).toBe("largest");
      expect(second.steps.map(({ thresholds }) => thresholds.map(({ value }) => value))).toEqual([
        [1.2, 2, 3.5, 5],
        [200, 500],
      ]);
      expect([first.agreement, second.agreement]).toEqual([1, 1]);
    });
  });
}

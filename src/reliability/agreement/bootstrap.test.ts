import { describe, expect, it } from "vitest";
import { COLUMNS, longTable, measure } from "../../../test/support/rating-tables.ts";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { reviveResult } from "../../result/result.ts";
import { measureAgreement } from "./agreement.ts";
import { congerError } from "./cohen.ts";
import { makePatterns } from "./patterns.ts";
import { collectRatings } from "./ratings.ts";

describe("the bootstrap", () => {
  const rng = makeRng("many");
  const truth = Array.from({ length: 300 }, () => rng.int(4));
  const rows = [0, 1, 2].map(() => truth.map((t) => (rng.uniform() < 0.75 ? t : rng.int(4))));

  it("has the standard error of the large-sample formula, and of Conger's linearisation", () => {
    const two = measure(rows.slice(0, 2), { replicates: 2000 });
    expect(Math.abs(two.coefficients.cohen.se / two.cohen!.se - 1)).toBeLessThan(0.07);
    const ratings = collectRatings(longTable(rows), COLUMNS);
    const patterns = makePatterns(ratings, "none");
    const agreement = Float64Array.from(patterns.ofItem, (p) => patterns.weighted[p]!);
    const { conger } = measure(rows, { replicates: 2000 }).coefficients;
    expect(Math.abs(congerError(ratings, patterns.w, agreement) / conger.se - 1)).toBeLessThan(0.07);
  });

  it("of clusters is wider where items of a cluster agree alike", () => {
    const [item, rater, label, doc] = [[] as string[], [] as string[], [] as number[], [] as string[]];
    for (let d = 0; d < 30; d++) {
      const hard = rng.uniform() < 0.5;
      for (let i = 0; i < 10; i++) {
        const t = rng.int(3);
        for (const r of ["a", "b"]) {
          item.push(`${d}-${i}`);
          rater.push(r);
          label.push(hard ? rng.int(3) : t);
          doc.push(`d${d}`);
        }
      }
    }
    const table = makeTable([
      ["item", factorColumn(item)],
      ["rater", factorColumn(rater)],
      ["label", numericColumn(label)],
      ["doc", factorColumn(doc)],
    ]);
    const plain = measureAgreement(table, { ...COLUMNS, cluster: "none", replicates: 400 }).coefficients.alpha.se;
    const clustered = measureAgreement(table, { ...COLUMNS, cluster: "doc", replicates: 400 }).coefficients.alpha.se;
    expect(clustered).toBeGreaterThan(1.5 * plain);
  });

  it("covers the truth with rare labels, where quantiles of drawn items cover it half of the time", () => {
    // 20 items, two raters, one label in ten: κ = 0.6 where raters see the truth with probability √0.6 and else guess
    const dice = makeRng("rare");
    const guess = (): number => Number(dice.uniform() < 0.1);
    let [covered, sets] = [0, 0];
    for (let run = 0; run < 250; run++) {
      const items = Array.from({ length: 20 }, () => {
        const t = guess();
        return [0, 1].map(() => (dice.uniform() < Math.sqrt(0.6) ? t : guess()));
      });
      const { alpha } = measure(
        [0, 1].map((r) => items.map((own) => own[r]!)),
        { replicates: 99, rng: makeRng(run) },
      ).coefficients;
      if (Number.isNaN(alpha.value)) continue;
      sets += 1;
      covered += Number(alpha.lower <= 0.6 && 0.6 <= alpha.upper);
    }
    expect(sets).toBeGreaterThan(200);
    // four standard errors below 95 %
    expect(covered / sets).toBeGreaterThan(0.95 - 4 * Math.sqrt((0.95 * 0.05) / sets));
  });

  it("of perfect agreement ends at 1 and begins below it", () => {
    const same = Array.from({ length: 20 }, (_, i) => Number(i < 2));
    const { alpha, fleiss, percent } = measure([same, same], { replicates: 400 }).coefficients;
    for (const own of [alpha, fleiss, percent]) {
      expect([own.value, own.upper]).toEqual([1, 1]);
      expect(own.lower).toBeLessThan(0.95);
    }
    expect(alpha.lower).toBeLessThan(0.6);
  });

  it("repeats itself with its seed, and a stored result prints the same", () => {
    const once = measure(rows, { replicates: 50, rng: makeRng(7) });
    const again = measure(rows, { replicates: 50, rng: makeRng(7) });
    expect(again.coefficients).toEqual(once.coefficients);
    expect(reviveResult(JSON.stringify(once)).toString()).toBe(once.toString());
  });
});

/** Sentences that claim a level or a rank, with data at the border of what they claim: "reliable", "agrees better with people"; and the
 *  intervals that `score` prints. Figures: docs/methods/agreement.md, metric-validity.md, metrics.md. */
import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../src/data/table.ts";
import { score } from "../../src/metrics/score-found.ts";
import { makeRng, type Rng } from "../../src/numeric/rng.ts";
import { measureAgreement } from "../../src/reliability/agreement/agreement.ts";
import { validateMetrics } from "../../src/validity/metrics/metrics.ts";
import { logistic } from "./compare/draw.ts";
import { judgeAtLeast, judgeAtMost } from "./rate.ts";

const SETS = 300;
/** Of metrics, whose pairs are permuted one by one. */
const RANKED = 200;
/** A two-sided interval of 95 % errs as often on one side. */
const ONE_SIDE = 0.025;
/** Of logistic(1 + 1.5 z), z normal: by quadrature. */
const MEAN_SHARE = 0.6707;

function count(name: string, claims: (rng: Rng) => boolean, sets = SETS): readonly [number, number] {
  let found = 0;
  for (let k = 0; k < sets; k++) if (claims(makeRng(name, k))) found += 1;
  return [found, sets];
}

describe("agreement at Krippendorff's bounds", () => {
  /** A rater copies the item's own label with probability √α, and draws one by the labels' shares otherwise. */
  function say(
    rng: Rng,
    alpha: number,
    { items, raters, share }: { items: number; raters: number; share: number },
  ): string {
    const rows = Array.from({ length: items }, (_, i) => {
      const own = rng.uniform() < share;
      return Array.from({ length: raters }, (_r, r) => {
        const copied = rng.uniform() < Math.sqrt(alpha);
        return { item: `i${i}`, rater: `r${r}`, label: (copied ? own : rng.uniform() < share) ? "yes" : "no" };
      });
    }).flat();
    const names = ["item", "rater", "label"] as const;
    const table = makeTable(names.map((name) => [name, factorColumn(rows.map((row) => row[name]))]));
    return measureAgreement(table, { item: "item", rater: "rater", label: "label", rng: rng.stream(1) }).toString();
  }
  const CASES = [
    { items: 30, raters: 2, share: 0.5 },
    { items: 30, raters: 3, share: 0.2 },
  ];
  it.each(CASES)("$items items, $raters raters, a label with a proportion of $share", (design) => {
    const words = `${design.items} items, ${design.raters} raters, share ${design.share}`;
    const border = (alpha: number, claim: RegExp) =>
      count(`α = ${alpha}, ${words}`, (rng) => claim.test(say(rng, alpha, design).replace(/\s+/g, " ")));
    judgeAtMost(`"reliable" at α = 0.8, ${words}`, border(0.799, /: reliable \(0\.8 or more\)/), ONE_SIDE);
    judgeAtMost(`"not reliable" at α = 0.667, ${words}`, border(0.667, /: not reliable \(below 0\.667\)/), ONE_SIDE);
  });
});

describe("metrics that agree with people alike", () => {
  it.each([[3, 5, 40]])("%i metrics, %i systems, %i items", (metrics, systems, items) => {
    const counts = new Map<string, number>();
    for (let k = 0; k < RANKED; k++) {
      const rng = makeRng(`metrics ${metrics} ${systems}`, k);
      const skill = Array.from({ length: systems }, () => 0.5 * rng.normal());
      const rows = Array.from({ length: items }, (_, i) =>
        skill.map((own, s) => {
          const quality = own + rng.normal();
          return {
            ...{ item: `i${i}`, system: `s${s}`, human: quality + 0.5 * rng.normal() },
            values: Array.from({ length: metrics }, () => quality + rng.normal()),
          };
        }),
      ).flat();
      const names = Array.from({ length: metrics }, (_, m) => `m${m}`);
      const table = makeTable([
        ["item", factorColumn(rows.map(({ item }) => item))],
        ["system", factorColumn(rows.map(({ system }) => system))],
        ["human", numericColumn(rows.map(({ human }) => human))],
        ...names.map((name, m) => [name, numericColumn(rows.map(({ values }) => values[m]!))] as const),
      ]);
      const columns = {
        human: "human",
        metrics: names,
        item: "item",
        system: "system",
        higherIsBetter: ["human", ...names],
      };
      const { levels } = validateMetrics(table, { ...columns, replicates: 200, rng: rng.stream(1) });
      for (const { level, metrics: own } of levels)
        counts.set(level, (counts.get(level) ?? 0) + (own.some(({ adjusted }) => adjusted < 0.05) ? 1 : 0));
    }
    for (const [level, found] of counts)
      judgeAtMost(
        `the best of ${metrics} metrics is called better, level ${level}, ${systems} systems x ${items} items`,
        [found, RANKED],
      );
  });
});

describe("intervals of score", () => {
  const within = (data: Table, truth: number): boolean => {
    const { ci } = score(data).systems[0]!;
    return ci !== undefined && ci.lower <= truth && truth <= ci.upper;
  };
  const covers = (name: string, truth: number, draw: (rng: Rng) => ReturnType<typeof makeTable>) =>
    judgeAtLeast(
      name,
      count(name, (rng) => within(draw(rng), truth), 1000),
      0.95,
    );
  const table = (columns: Readonly<Record<string, readonly (number | string)[]>>) =>
    makeTable(
      Object.entries(columns).map(([name, cells]) => [
        name,
        typeof cells[0] === "number" ? numericColumn(cells as number[]) : factorColumn(cells as string[]),
      ]),
    );
  const list = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

  it.each([
    [10, 0.5],
    [10, 0.9],
    [30, 0.95],
    [100, 0.9],
  ])("%i right and wrong answers, %f right", (n, p) =>
    covers(`${n} answers, ${p} right`, p, (rng) =>
      table({ item: list(n, (i) => `i${i}`), accuracy: list(n, () => (rng.uniform() < p ? 1 : 0)) }),
    ),
  );

  it.each([
    [20, 5],
    [60, 3],
  ])("%i items of %i repeats", (n, repeats) => {
    covers(`${n} items of ${repeats} repeats, 0/1`, MEAN_SHARE, (rng) => {
      const rows = list(n, (i) => {
        const p = logistic(1 + 1.5 * rng.normal());
        return list(repeats, (k) => ({ item: `i${i}`, epoch: `e${k}`, accuracy: rng.uniform() < p ? 1 : 0 }));
      }).flat();
      return table({
        item: rows.map(({ item }) => item),
        epoch: rows.map(({ epoch }) => epoch),
        accuracy: rows.map(({ accuracy }) => accuracy),
      });
    });
  });

  it("answers in documents, of which it is said that the intervals do not know them", () => {
    const draw = (rng: Rng) => {
      const rows = list(20, (d) => {
        const p = logistic(1 + 1.5 * rng.normal());
        return list(10, (i) => ({ item: `d${d}i${i}`, document: `d${d}`, right: rng.uniform() < p ? 1 : 0 }));
      }).flat();
      return table({
        item: rows.map(({ item }) => item),
        document: rows.map(({ document }) => document),
        accuracy: rows.map(({ right }) => right),
      });
    };
    const told = score(draw(makeRng("told"))).diagnostics.map(({ code }) => code);
    expect(told).toContain("ClustersIgnored");
    const [found, sets] = count("score documents", (rng) => within(draw(rng), MEAN_SHARE), 1000);
    process.stdout.write(`20 documents of 10 answers: ${found} of ${sets} covered, with a warning\n`);
  });

  it.each([20, 100])("%i scores between 0 and 100", (n) =>
    covers(`${n} scores, uniform`, 50, (rng) =>
      table({ item: list(n, (i) => `i${i}`), score: list(n, () => 100 * rng.uniform()) }),
    ),
  );
});

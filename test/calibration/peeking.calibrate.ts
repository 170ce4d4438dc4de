/** Errors under continuous peeking: e-processes and confidence sequences looked at after every item, and planned looks. Figures:
 *  docs/methods/always-valid.md, docs/methods/looks.md. */
import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../src/data/table.ts";
import { binomialSf } from "../../src/numeric/dist/binomial.ts";
import { makeRng, type Rng } from "../../src/numeric/rng.ts";
import { followPlan, nextStep, readPlan } from "../../src/plan.ts";
import { anytimeBets, anytimePairs, designLooks } from "../../src/tests.ts";
import { judgeAtMost } from "./rate.ts";

const STREAMS = 10_000;
const LENGTH = 500;
const ALPHA = 0.05;

const stream = (rng: Rng, draw: (rng: Rng) => number): Float64Array =>
  Float64Array.from({ length: LENGTH }, () => draw(rng));

describe("looked at after every item", () => {
  it.each([
    ["pairs, 20 % of items differ", 0.2],
    ["pairs, all items differ", 1],
  ])("e-process: %s", (name, share) => {
    let wrong = 0;
    for (let k = 0; k < STREAMS; k++) {
      const own = stream(makeRng(`pairs ${share}`, k), (rng) =>
        rng.uniform() < share ? (rng.uniform() < 0.5 ? 1 : -1) : 0,
      );
      if (anytimePairs(own, ALPHA).p <= ALPHA) wrong += 1;
    }
    judgeAtMost(`e-process, ${name}`, [wrong, STREAMS], ALPHA);
  });

  const betas = (rng: Rng, mean: number): number =>
    rng.uniform() < mean ? 1 - 0.2 * rng.uniform() : 0.2 * rng.uniform();
  const LAWS: readonly (readonly [string, number, (rng: Rng) => number])[] = [
    ["differences of 0/1 answers, 80 % ties", 0.5, (rng) => (rng.uniform() < 0.8 ? 0.5 : rng.uniform() < 0.5 ? 0 : 1)],
    ["uniform", 0.5, (rng) => rng.uniform()],
    ["0/1 with mean 0.1", 0.1, (rng) => (rng.uniform() < 0.1 ? 1 : 0)],
    ["two humps, mean 0.7", 0.7 * 0.9 + 0.3 * 0.1, (rng) => betas(rng, 0.7)],
  ];
  it.each(LAWS)("confidence sequence: %s", (name, m, draw) => {
    let wrong = 0;
    for (let k = 0; k < STREAMS; k++)
      if (anytimeBets(stream(makeRng(`bets ${name}`, k), draw), { alpha: ALPHA, m }).p <= ALPHA) wrong += 1;
    judgeAtMost(`confidence sequence, ${name}`, [wrong, STREAMS], ALPHA);
  });

  it("clusters of 5 that hang together, each by its mean", () => {
    let [wrong, naive] = [0, 0];
    for (let k = 0; k < STREAMS; k++) {
      const rng = makeRng("clusters", k);
      const items: number[] = [];
      const means = Float64Array.from({ length: LENGTH / 5 }, () => {
        const lean = 0.5 + 0.4 * (2 * rng.uniform() - 1);
        const own = Array.from({ length: 5 }, (): number => (rng.uniform() < 0.5 ? 0 : rng.uniform() < lean ? 1 : -1));
        items.push(...own);
        return 0.5 + own.reduce((sum, value) => sum + value, 0) / 10;
      });
      if (anytimeBets(means, { alpha: ALPHA }).p <= ALPHA) wrong += 1;
      if (anytimePairs(items, ALPHA).p <= ALPHA) naive += 1;
    }
    judgeAtMost("clusters by their means", [wrong, STREAMS], ALPHA);
    process.stdout.write(`the same items as if independent: ${naive} of ${STREAMS} wrong\n`);
  });
});

/** Two systems alike on items of their own difficulty. */
/** Two systems alike; runs of each, where there are several, are a little better or worse as wholes. */
function alike(rng: Rng, items: number, runs = 1): Table {
  const shifts = Array.from({ length: 2 * runs }, () => (runs > 1 ? 0.04 * rng.normal() : 0));
  const rows = Array.from({ length: items }, (_, i) => {
    const p = rng.uniform();
    return { item: `q${i}`, scores: shifts.map((shift) => (rng.uniform() < p + shift ? 1 : 0)) };
  });
  const each = <T>(make: (k: number) => T): T[] => rows.flatMap(() => shifts.map((_, k) => make(k)));
  return makeTable([
    ["system", factorColumn(each((k) => (k % 2 === 0 ? "base" : "new")))],
    ["item", factorColumn(rows.flatMap(({ item }) => shifts.map(() => item)))],
    ...(runs > 1 ? [["run", factorColumn(each((k) => String(Math.floor(k / 2) + 1)))] as const] : []),
    ["accuracy", numericColumn(rows.flatMap(({ scores }) => scores))],
  ]);
}

const columns = { system: "system", item: "item", metric: "accuracy", higherIsBetter: true };

describe("through the functions that users call", () => {
  it("next without a plan: 500 runs of 200 items, by its p at any time", () => {
    let wrong = 0;
    for (let k = 0; k < 500; k++) if (nextStep(alike(makeRng("next", k), 200), columns).decision === "stop") wrong += 1;
    judgeAtMost("next, e-process, 200 items", [wrong, 500], ALPHA);
  });

  // what is remembered is the smallest 1/e of all items so far: looks after each of them include those after every tenth
  it.each([
    ["0/1", false],
    ["grades of 1 to 5", true],
  ])("next without a plan: 1,000 items, %s, stopped at any look", (name, graded) => {
    const RUNS = 300;
    let wrong = 0;
    for (let k = 0; k < RUNS; k++) {
      const rng = makeRng(`next ${name}`, k);
      const rows = Array.from({ length: 1000 }, (_, i) => {
        const p = rng.uniform();
        const draw = (): number =>
          graded ? Math.min(5, Math.max(1, Math.round(1 + 4 * p + rng.normal()))) : rng.uniform() < p ? 1 : 0;
        return ["base", "new"].map((system) => ({ system, item: `q${i}`, value: draw() }));
      }).flat();
      const table = makeTable([
        ["system", factorColumn(rows.map(({ system }) => system))],
        ["item", factorColumn(rows.map(({ item }) => item))],
        ["accuracy", numericColumn(rows.map(({ value }) => value))],
      ]);
      if (nextStep(table, { ...columns, ...(graded ? { range: [1, 5] } : {}) }).decision === "stop") wrong += 1;
    }
    judgeAtMost(`next, ${name}, 1,000 items`, [wrong, RUNS], ALPHA);
  });

  it.each([
    ["obrien-fleming", 1],
    ["pocock", 1],
    ["obrien-fleming", 3],
    ["pocock", 3],
  ] as const)("compare --plan --look, %s, %i runs of each system, 600 evaluations of 3 looks", (spending, repeats) => {
    const at = [0.33, 0.67, 1];
    const plan = readPlan(
      `systems: [base, new]\nmetric: accuracy\nitems: 300\nsmallest-effect: 0.1\n${repeats > 1 ? `repeats: ${repeats}\n` : ""}looks: { at: [${at}], spending: ${spending} }\n`,
    );
    const spent = designLooks({ information: at, spending, alpha: ALPHA }).spent;
    const until = [0, 0, 0];
    const RUNS = 600;
    for (let k = 0; k < RUNS; k++) {
      const whole = alike(makeRng(`looks ${spending}`, k), 300, repeats);
      for (let look = 1; look <= 3; look++) {
        const rows = 2 * repeats * Math.ceil(at[look - 1]! * 300 - 1e-9);
        const seen = makeTable(
          [...whole.columns].map(([name, cells]) => [
            name,
            cells.kind === "numeric"
              ? numericColumn(cells.values.slice(0, rows))
              : { ...cells, codes: cells.codes.slice(0, rows) },
          ]),
        );
        const { plan: found } = followPlan(seen, {
          ...columns,
          ...(repeats > 1 ? { run: "run" } : {}),
          plan,
          look,
        }).toJSON() as {
          plan: { look?: { rejected: boolean } };
        };
        if (found.look?.rejected) {
          for (let later = look; later <= 3; later++) until[later - 1]! += 1;
          break;
        }
      }
    }
    until.forEach((wrong, k) => {
      const allowed = spent[k]!;
      process.stdout.write(
        `${spending}, ${repeats} runs, until look ${k + 1}: ${wrong} of ${RUNS}, allowed ${(RUNS * allowed).toFixed(1)}\n`,
      );
      expect(binomialSf(wrong - 1, RUNS, allowed)).toBeGreaterThan(0.001);
    });
  });
});

describe("planned looks, normal scores", () => {
  it.each(["obrien-fleming", "pocock", "lan-demets-of", "hsd:-4"])("%s, 10,000 streams of 5 looks", (spending) => {
    const { information, z, spent } = designLooks({ looks: 5, spending, alpha: ALPHA });
    const until = information.map(() => 0);
    for (let k = 0; k < STREAMS; k++) {
      const rng = makeRng(`walk ${spending}`, k);
      let [sum, before] = [0, 0];
      for (const [look, t] of information.entries()) {
        sum += Math.sqrt(t - before) * rng.normal();
        before = t;
        if (Math.abs(sum / Math.sqrt(t)) >= z[look]!) {
          for (let later = look; later < until.length; later++) until[later]! += 1;
          break;
        }
      }
    }
    process.stdout.write(
      `${spending}: ${until.join(", ")}; allowed ${spent.map((own) => Math.round(own * STREAMS)).join(", ")}\n`,
    );
    until.forEach((wrong, k) => {
      const se = Math.sqrt(STREAMS * spent[k]! * (1 - spent[k]!));
      expect(Math.abs(wrong - STREAMS * spent[k]!)).toBeLessThan(4 * Math.max(se, 1));
    });
  });
});

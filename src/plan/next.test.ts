/** Stop or go on: evidence as in the oracle, planned looks and nothing between them, and what is said without a plan. */
import { describe, expect, it } from "vitest";
import { expectClose, readOracle } from "../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn, selectRows, type Table } from "../data/table.ts";
import { table as makeRows } from "../io/table.ts";
import { normalQuantileUpper } from "../numeric/dist/normal.ts";
import { makeRng } from "../numeric/rng.ts";
import type { ComparisonJson } from "../significance/compare/json.ts";
import { designLooks } from "../significance/sequential/looks.ts";
import { followPlan } from "./follow.ts";
import { nextStep } from "./next.ts";
import { lockPlan, readPlan } from "./plan.ts";

const tableOf = (base: readonly number[], other: readonly number[], docs?: readonly string[]): Table => {
  const both = <T>(own: (i: number) => readonly [T, T]): T[] => base.flatMap((_, i) => own(i));
  return makeTable([
    ["system", factorColumn(both(() => ["base", "new"]))],
    ["item", factorColumn(both((i) => [`q${i}`, `q${i}`]))],
    ["accuracy", numericColumn(both((i) => [base[i]!, other[i]!]))],
    ...(docs === undefined ? [] : [["doc", factorColumn(both((i) => [docs[i]!, docs[i]!]))] as const]),
  ]);
};
const columns = { system: "system", item: "item", metric: "accuracy", higherIsBetter: true };

interface Case {
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: as the oracle names them
  readonly input: any;
  // biome-ignore lint/suspicious/noExplicitAny: as the oracle names them
  readonly expected: any;
}
const cases = readOracle("next/always-valid.json").cases as unknown as Case[];

describe("without a plan", () => {
  it.each(
    cases.filter(({ id, input }) => id.startsWith("eprocess-pairs") && input.prior_a === 1 && input.prior_b === 1),
  )("$id: e-value, p at any time, proportion of wins", ({ input, expected }) => {
    const found = nextStep(tableOf(input.second_correct, input.first_correct), { ...columns, alpha: input.alpha });
    expect(found).toMatchObject({ method: "e-process", wins: expected.wins, losses: expected.losses });
    expectClose([found.eValue!, found.p], [expected.e_value.at(-1), expected.p_anytime.at(-1)], {
      tolerance: 1e-9,
      label: "e",
    });
    expect(found.decision).toBe(expected.p_anytime.at(-1) <= input.alpha ? "stop" : "continue");
    expect(found.deviations).toEqual(["looked at without a plan: only numbers that hold at any time are shown"]);
  });

  it("stops at a difference, within a margin, with all items, and otherwise goes on", () => {
    const zeros = Array.from({ length: 60 }, () => 0);
    const won = zeros.map((_, i) => (i < 20 ? 1 : 0));
    expect(nextStep(tableOf(zeros, won), columns)).toMatchObject({ decision: "stop", reason: "difference", n: 60 });
    const even = tableOf(zeros, zeros);
    expect(nextStep(even, { ...columns, margin: 0.3 })).toMatchObject({ decision: "stop", reason: "equivalent" });
    expect(nextStep(even, { ...columns, items: 60 })).toMatchObject({ decision: "stop", reason: "all-items" });
    const open = nextStep(even, columns);
    expect(open).toMatchObject({ decision: "continue", reason: "not-yet", p: 1 });
    expect(open.diagnostics.some(({ code }) => code === "Unplanned")).toBe(true);
    expect(String(open)).toMatch(/^GO ON {2}nothing is decided yet \(60 items\)/);
  });

  it("items that were not run yet are no failures, whatever the rule for missing outcomes", () => {
    const right = Array.from({ length: 400 }, (_, i) => (i % 3 ? 1 : 0));
    // a row of base and one of new for each item; new has answered 60
    const rows = Array.from({ length: 800 }, (_, row) => row).filter((row) => row % 2 === 0 || row < 120);
    const half = nextStep(selectRows(tableOf(right, right), Int32Array.from(rows)), { ...columns, unscored: "wrong" });
    expect(half).toMatchObject({ decision: "continue", reason: "not-yet", n: 60, difference: 0 });
  });

  it("rows with nothing in them were not run yet, and rows with an output and no score are failures", () => {
    const rows = (said: string | null) =>
      makeRows(
        Array.from({ length: 60 }, (_, i) => i).flatMap((i) =>
          ["base", "new"].map((system) => ({
            item: `q${i}`,
            system,
            correct: system === "new" && i >= 20 ? null : i % 3 ? 1 : 0,
            output: system === "new" && i >= 20 ? said : "text",
          })),
        ),
      );
    const options = { unscored: "wrong", higherIsBetter: true } as const;
    const early = nextStep(rows(null), options);
    expect(early).toMatchObject({ decision: "continue", n: 20, difference: 0 });
    expect(String(early)).toContain("40 rows with nothing in them were not run yet");
    expect(nextStep(rows("cut o"), options)).toMatchObject({ n: 60, difference: -27 / 60 });
  });

  it("clusters count once, by their means; the e-value is 1/α where the interval ends at 0", () => {
    const n = 120;
    const docs = Array.from({ length: n }, (_, i) => `d${Math.floor(i / 4)}`);
    const [base, other] = [0, 1].map((s) => Array.from({ length: n }, (_, i) => ((i * 7 + s * 3) % 5 < 2 + s ? 1 : 0)));
    const found = nextStep(tableOf(base!, other!, docs), { ...columns, cluster: "doc" });
    expect(found).toMatchObject({ method: "sequence", n: 30, units: "clusters" });
    expect(found.lower > 0).toBe(found.eValue! >= 20);
    expect(() => nextStep(tableOf(base!, other!, docs), { ...columns, cluster: "doc", method: "e-process" })).toThrow(
      /in clusters/,
    );
  });

  it("all items are there when the items are, however few clusters they make", () => {
    const docs = Array.from({ length: 40 }, (_, i) => `d${i % 8}`);
    const table = tableOf(
      [...docs.keys()].map((i) => i % 2),
      [...docs.keys()].map((i) => (i % 3 ? 1 : 0)),
      docs,
    );
    const reasonAt = (items: number) => nextStep(table, { ...columns, cluster: "doc", items }).reason;
    expect([reasonAt(41), reasonAt(40)]).toEqual(["not-yet", "all-items"]);
  });

  it("an error that the second system makes more often is no item that it won", () => {
    const table = tableOf(
      Array(60).fill(0),
      [...Array(60).keys()].map((i) => (i % 4 ? 1 : 0)),
    );
    const at = (higherIsBetter: boolean) => nextStep(table, { ...columns, higherIsBetter });
    expect(at(true)).toMatchObject({ wins: 45, losses: 0, higherIsBetter: true });
    expect(at(false)).toMatchObject({ wins: 0, losses: 45, higherIsBetter: false, difference: 0.75 });
    expect(at(false).winShare!.upper).toBeCloseTo(1 - at(true).winShare!.lower, 12);
    expect(at(false).eValue).toBeCloseTo(at(true).eValue!, 6);
    expect(at(false).toString()).toMatch(/new is worse than base.*won 0 items and lost 45/s);
  });

  it("graded scores need known ends", () => {
    const [base, other] = [
      [1, 5, 3, 2],
      [2, 5, 4, 4],
    ].map((own) => Array.from({ length: 40 }, (_, i) => own[i % 4]!));
    const rated = makeTable([
      ...[...tableOf(base!, other!).columns].map(
        ([name, cells]) => [name === "accuracy" ? "rating" : name, cells] as const,
      ),
    ]);
    const own = { ...columns, metric: "rating" };
    expect(() => nextStep(rated, own)).toThrow(/nothing says which scores of rating there can be/);
    expect(() => nextStep(rated, { ...own, range: [1, 4] })).toThrow(/rating is 5/);
    const found = nextStep(rated, { ...own, range: [1, 5] });
    expect(found).toMatchObject({ method: "sequence", difference: 1 });
    expect(found.lower).toBeLessThan(1);
    expect(found.upper).toBeGreaterThan(1);
    expect(() => nextStep(rated, { ...own, look: 1 })).toThrow(/`look` has no effect without option `plan`/);
  });
});

const TEXT = `systems: [base, new]
metric: accuracy
higher-is-better: true
items: 200
smallest-effect: 0.1
test: mcnemar-exact
expected: { agreement: 0.7 }
looks: { at: [0.5, 1], spending: obrien-fleming, futility: 0.2 }
`;
const PLAN = readPlan(TEXT);
const own = { ...columns, plan: PLAN, lock: lockPlan(PLAN) };
const drawn = (n: number, gained: number, lost: number): Table =>
  tableOf(
    Array.from({ length: n }, (_, i) => (i < gained ? 0 : 1)),
    Array.from({ length: n }, (_, i) => (i >= gained && i < gained + lost ? 0 : 1)),
  );

describe("with a plan", () => {
  it("shows nothing between looks", () => {
    const found = nextStep(drawn(99, 40, 5), own);
    expect(found).toMatchObject({ decision: "continue", reason: "between-looks", n: 99, deviations: [] });
    expect([found.difference, found.p, found.lower]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect(found.plan).toMatchObject({ locked: true, nextLook: 100 });
    expect(nextStep(drawn(101, 40, 5), own)).toMatchObject({ reason: "between-looks", plan: { nextLook: 200 } });
  });

  it("stops at a bound, for futility, and at the last look", () => {
    const stop = nextStep(drawn(100, 30, 5), own);
    expect(stop).toMatchObject({ decision: "stop", reason: "difference", plan: { look: 1 }, deviations: [] });
    // repeated confidence interval: the bound of the look times the standard error
    const [bound] = designLooks({ information: [0.5, 1], spending: "obrien-fleming" }).z;
    const se = Math.sqrt((35 / 100 - 0.25 ** 2) / 99);
    expect(stop.lower).toBeCloseTo(0.25 - bound! * se, 9);
    expect(nextStep(drawn(100, 20, 20), own)).toMatchObject({ decision: "stop", reason: "futility" });
    expect(nextStep(drawn(100, 22, 9), own)).toMatchObject({ decision: "continue", reason: "not-yet" });
    expect(nextStep(drawn(200, 20, 15), own)).toMatchObject({ decision: "stop", reason: "all-items" });
  });

  it("a look with other items is listed as a deviation", () => {
    const late = nextStep(drawn(104, 30, 5), { ...own, look: 1 });
    expect(late.deviations).toEqual(["104 items, planned were 100 at look 1"]);
    expect(() => nextStep(drawn(100, 1, 1), { ...own, method: "sequence" })).toThrow(
      /`method` has no effect next to option `plan`/,
    );
  });
});

/** Runs of two systems on the same items: each run has a level of its own. */
function repeated({ n, runs, gain, noise, seed }: Design): Table {
  const rng = makeRng(seed);
  const shifts = Array.from({ length: 2 * runs }, () => noise * (rng.uniform() - 0.5));
  const rows = Array.from({ length: n }, (_, i) => ({ i, hard: rng.uniform() })).flatMap(({ i, hard }) =>
    shifts.map((shift, k) => {
      const chance = hard + shift + (k < runs ? 0 : gain);
      return {
        system: k < runs ? "base" : "new",
        item: `q${i}`,
        run: `r${k % runs}`,
        right: rng.uniform() < chance ? 1 : 0,
      };
    }),
  );
  return makeTable([
    ["system", factorColumn(rows.map(({ system }) => system))],
    ["item", factorColumn(rows.map(({ item }) => item))],
    ["seed", factorColumn(rows.map(({ run }) => run))],
    ["accuracy", numericColumn(rows.map(({ right }) => right))],
  ]);
}
interface Design {
  readonly n: number;
  readonly runs: number;
  readonly gain: number;
  readonly noise: number;
  readonly seed: string;
}
const DESIGNS: readonly Design[] = [2, 3].flatMap((runs) =>
  [0, 0.05, 0.15].flatMap((gain) =>
    [0, 0.1].flatMap((noise) =>
      ["a", "b", "c"].map((seed) => ({ n: 100, runs, gain, noise, seed: `${seed}${runs}${gain}${noise}` })),
    ),
  ),
);
const REPEATED = `systems: [base, new]
metric: accuracy
higher-is-better: true
smallest-effect: 0.1
expected: { sd: 0.4 }
looks: { at: [0.5, 1] }
`;

describe("a look at repeated runs rests on one analysis", () => {
  const outcomes = DESIGNS.flatMap((design) =>
    [1, 2].map((look) => {
      const plan = readPlan(`${REPEATED}items: ${look === 1 ? 2 * design.n : design.n}\nrepeats: ${design.runs}\n`);
      const table = repeated(design);
      const given = { system: "system", item: "item", run: "seed", plan };
      const compared = followPlan(table, { ...given, look });
      const { plan: followed } = compared.toJSON() as Pick<ComparisonJson, "plan">;
      return { look, compared, at: followed!.look!, step: nextStep(table, given) };
    }),
  );

  it("the look, the verdict and the next step agree", () => {
    for (const { compared, at, step, look } of outcomes) {
      const { verdict, difference, facets, p } = compared.main;
      const decided = verdict === "BETTER" || verdict === "WORSE";
      expect(facets!.length).toBeGreaterThan(0);
      expect(at.rejected).toBe(decided);
      expect(step.plan).toMatchObject({ look });
      expect(step.reason === "difference").toBe(decided);
      expect(step.lower > 0 || step.upper < 0).toBe(decided);
      expect(at.lower > 0 || at.upper < 0).toBe(at.p < 1 - at.level);
      expect(Math.abs(at.z)).toBeCloseTo(normalQuantileUpper(p / 2), 9);
      // of a first look nothing is known but what it saw: the median-unbiased difference is the difference
      if (look === 1) expect(at.estimate).toBeCloseTo(difference, 6);
      else if (!at.rejected) expect(Math.abs(at.estimate - difference)).toBeLessThan(0.02 + 0.1 * Math.abs(difference));
      const codes = step.diagnostics.map(({ code }) => code);
      expect(codes).toContain("LookScope");
      expect(codes).not.toContain("TheseRuns");
    }
    const verdicts = new Set(outcomes.map(({ compared }) => compared.main.verdict));
    expect(verdicts).toContain("BETTER");
    expect(verdicts).toContain("INCONCLUSIVE");
    expect(outcomes.some(({ compared: { main } }) => main.p > main.test.p)).toBe(true);
    expect(outcomes.some(({ compared: { main } }) => main.p === main.test.p)).toBe(true);
  });

  it("without a plan, or about these items alone, the claim is said not to be of new runs", () => {
    const table = repeated(DESIGNS[0]!);
    const given = { system: "system", item: "item", run: "seed", metric: "accuracy", higherIsBetter: true };
    const codes = (options: object): string[] =>
      nextStep(table, { ...given, ...options }).diagnostics.map(({ code }) => code);
    expect(codes({})).toContain("TheseRuns");
    const plan = readPlan(`${REPEATED}items: 100\nrepeats: 2\n`);
    expect(codes({ plan, scope: ["items"] })).toContain("TheseRuns");
    const between = readPlan(`${REPEATED}items: 150\nrepeats: 2\n`);
    expect(codes({ plan: between })).not.toContain("TheseRuns");
    expect(nextStep(drawn(100, 30, 5), columns).diagnostics.map(({ code }) => code)).not.toContain("TheseRuns");
  });
});

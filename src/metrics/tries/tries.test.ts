import { describe, expect, it } from "vitest";
import { expectClose, readOracle } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { compare } from "../../significance/compare/compare.ts";
import { score } from "../score-found.ts";
import { measureFlakiness } from "./flaky.ts";
import { passVariance } from "./pass.ts";
import { findTries, reduceTries } from "./tries.ts";

interface Try {
  readonly system?: string;
  readonly item: string;
  readonly score: number;
  readonly answer?: string | null;
  readonly task?: string;
}
const tableOf = (rows: readonly Try[]): Table =>
  makeTable([
    ["system", factorColumn(rows.map(({ system }) => system ?? "a"))],
    ["item", factorColumn(rows.map(({ item }) => item))],
    ["correct", numericColumn(rows.map((own) => own.score))],
    ...(rows[0]!.answer === undefined ? [] : [["answer", factorColumn(rows.map(({ answer }) => answer!))] as const]),
    ...(rows[0]!.task === undefined ? [] : [["task", factorColumn(rows.map(({ task }) => task!))] as const]),
  ]);
/** c of n tries of each item are right. */
const triesOf = (n: readonly number[], c: readonly number[], system = "a"): Try[] =>
  n.flatMap((own, i) => Array.from({ length: own }, (_, t) => ({ system, item: `q${i}`, score: t < c[i]! ? 1 : 0 })));

interface Case {
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: as the oracle names them
  readonly input: any;
  // biome-ignore lint/suspicious/noExplicitAny: as the oracle names them
  readonly expected: any;
}
const cases = readOracle("next/pass-at-k.json").cases as unknown as Case[];

describe("tries by their names", () => {
  it.each([
    ["pass^3", { kind: "pass^", k: 3 }],
    ["Pass@10", { kind: "pass@", k: 10 }],
    ["maj@5 of solved", { kind: "maj@", k: 5, of: "solved" }],
    ["bayes@8", { kind: "bayes@", k: 8 }],
    ["bayes", { kind: "bayes@", k: Number.NaN }],
  ])("%s", (text, expected) => expect(findTries(text)).toEqual(expected));
  it.each(["passed", "pass", "pass@k", "majority", "bayesian"])("not %s", (text) =>
    expect(findTries(text)).toBeUndefined(),
  );
  it("k is at least 1", () => expect(() => findTries("pass^0")).toThrow("at least 1"));
});

describe("scores of tries", () => {
  it.each(cases.filter(({ id }) => ["pass-small", "pass-unequal", "pass-extreme"].includes(id)))(
    "$id: mean and error of pass@k and pass^k",
    ({ input, expected }) => {
      const table = tableOf(triesOf(input.n, input.c));
      for (const [mark, byK] of [
        ["pass@", expected.pass_at_k],
        ["pass^", expected.pass_hat_k],
      ] as const)
        for (const [k, { mean, se }] of Object.entries<{ mean: number; se: number }>(byK)) {
          const json = score(table, { metric: `${mark}${k}` }).toJSON() as unknown as Record<string, number>;
          expectClose([json.score!, json.se!], [mean, se], { tolerance: 1e-12, floor: 1e-3, label: `${mark}${k}` });
          expect([json.items, json.repeats]).toEqual([input.n.length, Math.max(...input.n)]);
        }
    },
  );

  it.each(cases.filter(({ id }) => id === "maj"))("$id: answers by their names", ({ input, expected }) => {
    const rows = (input.items as { counts: Record<string, number>; correct: string }[]).flatMap(
      ({ counts, correct }, i) =>
        Object.entries(counts).flatMap(([answer, count]) =>
          Array.from({ length: count }, () => ({ item: `q${i}`, answer, score: answer === correct ? 1 : 0 })),
        ),
    );
    for (const [k, { mean, se }] of Object.entries<{ mean: number; se: number }>(expected.maj_at_k)) {
      const json = score(tableOf(rows), { metric: `maj@${k}` }).toJSON() as unknown as Record<string, number>;
      expectClose([json.score!, json.se!], [mean, se], { tolerance: 1e-12, floor: 1e-3, label: `maj@${k}` });
    }
  });

  it.each(cases.filter(({ id }) => ["bayes-binary", "bayes-graded"].includes(id)))("$id", ({ input, expected }) => {
    const rows = (input.outcomes as number[][]).flatMap((own, i) =>
      own.map((outcome) => ({ item: `q${i}`, score: input.weights[outcome] as number })),
    );
    const json = score(tableOf(rows), { metric: "bayes" }).toJSON() as unknown as Record<string, number>;
    const [lower, upper] = expected.interval95_normal;
    expectClose([json.score!, json.se!, json.lower!, json.upper!], [expected.mean, expected.sd, lower, upper], {
      tolerance: 1e-12,
      label: "Bayes@N",
    });
    expect(() => score(tableOf(rows), { metric: "bayes@99" })).toThrow(/takes all of them/);
  });

  it("items of two tasks may share their ids", () => {
    const rows = ["x", "y"].flatMap((task) =>
      triesOf([3, 3], task === "x" ? [3, 1] : [0, 2]).map((own) => ({ ...own, task })),
    );
    const [own] = score(tableOf(rows), { metric: "pass@1" }).systems;
    expect([own!.n, own!.score]).toEqual([4, expect.closeTo(0.5, 12)]);
  });

  it("says in one line what is missing", () => {
    const few = tableOf(triesOf([5, 3, 2], [2, 1, 1]));
    expect(() => score(few, { metric: "pass@3" })).toThrow(
      "needs 3 scored tries of every item: 1 of 3 items has fewer (the fewest: 2, item q2)",
    );
    const graded = tableOf([...triesOf([2], [1]), { item: "q0", score: 0.5 }]);
    expect(() => score(graded, { metric: "pass@2", item: "item" })).toThrow("correct has other values, such as 0.5");
    expect(() => score(few, { metric: "maj@2" })).toThrow("no column was recognised as what was answered");
    const mute = tableOf(triesOf([2], [1]).map((own, t) => ({ ...own, answer: t === 0 ? "x" : null })));
    expect(() => score(mute, { metric: "maj@2", item: "item" })).toThrow("1 scored try has none in answer");
    const torn = tableOf(triesOf([2], [1]).map((own) => ({ ...own, answer: "x" })));
    expect(() => score(torn, { metric: "maj@2", item: "item" })).toThrow(
      'the answer "x" is right in one try and wrong in another',
    );
  });
});

describe("items that flip", () => {
  it("are counted and listed, the most even first", () => {
    const table = tableOf(triesOf([4, 4, 4, 4, 1], [4, 1, 2, 0, 1]));
    expect(measureFlakiness(table, { system: "system", item: "item", score: "correct" })).toEqual([
      {
        ...{ system: "a", items: 4, always: 1, never: 1, flips: 2 },
        flaky: [
          { item: "q2", right: 2, tries: 4 },
          { item: "q1", right: 1, tries: 4 },
        ],
      },
    ]);
    expect(String(score(table, { details: true }))).toMatch(/q2 +2 +4 +50/);
    expect(String(score(table))).not.toMatch(/q2/);
  });
});

describe("compared by tries", () => {
  it("pass-paired: the difference and its error are those of the oracle", () => {
    const { input, expected } = cases.find(({ id }) => id === "pass-paired")!;
    const n = (input.c_a as number[]).map(() => input.n[0] as number);
    const table = tableOf([...triesOf(n, input.c_b, "b"), ...triesOf(n, input.c_a, "a")]);
    const { main, n: items, systems } = compare(table, { metric: `pass@${input.k}` });
    expect(items).toBe(n.length);
    expectClose(
      [systems[0]!.score, systems[1]!.score, main.difference, main.se],
      [expected.mean_b, expected.mean_a, expected.difference, expected.se],
      { tolerance: 1e-12, label: "difference" },
    );
  });

  it("equals a comparison of the items' numbers, and says which items flip", () => {
    const [a, b] = [
      [5, 0, 3, 2, 4, 1],
      [5, 2, 3, 4, 4, 3],
    ];
    const n = [5, 5, 5, 5, 5, 5];
    const tries = tableOf([...triesOf(n, a!, "a"), ...triesOf(n, b!, "b")]);
    const own = compare(tries, { metric: "pass@2" });
    const { table, score: name } = reduceTries(
      tries,
      { system: "system", item: "item", score: "correct" },
      { kind: "pass@", k: 2 },
    );
    const byHand = compare(table, { metric: name, run: "none", higherIsBetter: true });
    expect([own.main.p, own.main.difference, own.main.ci.lower]).toEqual([
      byHand.main.p,
      byHand.main.difference,
      byHand.main.ci.lower,
    ]);
    expect(own.metric).toBe("pass@2 of correct");
    expect(own.diagnostics.find(({ code }) => code === "FlakyItems")!.message).toMatch(
      /^4 of 6 items of a and 5 of 6 items of b are right in some tries/,
    );
    expect(compare(tries, { run: "rows" }).diagnostics.some(({ code }) => code === "FlakyItems")).toBe(true);
    expect(() => compare(tries, { metric: "pass@6" })).toThrow("6 of 6 items have fewer");
    expect(() => compare(tries, { metric: "bayes@5" })).toThrow(/score of one system/);
  });

  it("tries without a score are none, unless they count as failures", () => {
    const rows = [...triesOf([3, 3, 3], [1, 2, 3], "a"), ...triesOf([3, 3, 3], [2, 3, 1], "b")];
    const table = tableOf(rows.map((own, i) => (i === 0 ? { ...own, score: Number.NaN } : own)));
    expect(compare(table, { metric: "pass@2" }).diagnostics.some(({ code }) => code === "Unscored")).toBe(true);
    expect(() => compare(table, { metric: "pass@3" })).toThrow("1 of 3 items has fewer");
    const [a] = compare(table, { metric: "pass^1", unscored: "wrong" }).systems;
    expect(a!.score).toBeCloseTo((0 + 2 / 3 + 1) / 3, 12);
  });
});

describe("fewer tries", () => {
  it("spread more by the variance of all choices of them", () => {
    const right = [1, 1, 1, 0, 0, 0, 0];
    const all: number[] = [];
    for (let i = 0; i < 7; i++)
      for (let j = i + 1; j < 7; j++)
        for (let k = j + 1; k < 7; k++) {
          const c = right[i]! + right[j]! + right[k]!;
          all.push(c === 0 ? 0 : c === 1 ? 2 / 3 : 1);
        }
    const mean = all.reduce((sum, own) => sum + own, 0) / all.length;
    const variance = all.reduce((sum, own) => sum + (own - mean) ** 2, 0) / all.length;
    expect(passVariance(7, 3, { kind: "@", k: 2, drawn: 3 })).toBeCloseTo(variance, 12);
    expect(passVariance(7, 3, { kind: "^", k: 2, drawn: 7 })).toBeCloseTo(0, 12);
  });
});

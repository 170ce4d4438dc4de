/** The gate: outcomes by hand, every reason, and error rates under a known law. */
import { describe, expect, it } from "vitest";
import type { Imported } from "../../data/imported.ts";
import { factorColumn, makeTable, numericColumn, withColumn } from "../../data/table.ts";
import { binomialPmf, binomialSf } from "../../numeric/dist/binomial.ts";
import { normalSf } from "../../numeric/dist/normal.ts";
import { makeRng, type Rng } from "../../numeric/rng.ts";
import { tangoScore } from "../../significance/intervals/paired-proportions.ts";
import type { NamedImport } from "../../study/merge.ts";
import { understandTable } from "../../study/understand.ts";
import { measureNoise } from "./aa.ts";
import { type GateOptions, gate } from "./gate.ts";
import { GATE_REASONS, judgeTasks, testTask } from "./judge.ts";
import { readPolicy, simplePolicy } from "./policy.ts";

interface Row {
  readonly task?: string;
  readonly item: string;
  readonly score: number;
  readonly doc?: string;
  readonly rater?: string;
}

function log(path: string, rows: readonly Row[], more: Partial<Imported> = {}): NamedImport {
  const table = makeTable([
    ["item", factorColumn(rows.map(({ item }) => item))],
    ["task", factorColumn(rows.map(({ task }) => task ?? "t"))],
    ...(rows[0]?.doc === undefined ? [] : [["doc", factorColumn(rows.map(({ doc }) => doc!))] as const]),
    ...(rows[0]?.rater === undefined ? [] : [["rater", factorColumn(rows.map(({ rater }) => rater!))] as const]),
    ["accuracy", numericColumn(rows.map(({ score }) => score))],
  ]);
  return { path, imported: { ...understandTable(table), format: "csv", files: [path], summary: "", ...more } };
}

/** Items that both, only the candidate, only the baseline and neither got right. */
function pair(both: number, gained: number, lost: number, neither: number, task = "t"): [Row[], Row[]] {
  const cells = [
    ...Array(both).fill([1, 1]),
    ...Array(gained).fill([0, 1]),
    ...Array(lost).fill([1, 0]),
    ...Array(neither).fill([0, 0]),
  ];
  const side = (s: number): Row[] => cells.map((cell: number[], i) => ({ task, item: `${task}${i}`, score: cell[s]! }));
  return [side(0), side(1)];
}

const run = (
  [a, b]: readonly [readonly Row[], readonly Row[]],
  policy = "margin: 0.05",
  more: Partial<GateOptions> = {},
) =>
  gate(
    { baseline: [log("old.csv", a)], candidate: [log("new.csv", b)] },
    { policy: readPolicy(policy), item: "item", task: "task", ...more },
  );

describe("one task of right and wrong answers", () => {
  it("passes where the loss is shown to be within the margin", () => {
    const result = run(pair(300, 10, 12, 78));
    expect(result).toMatchObject({ outcome: "pass", reason: null, exitCode: 0 });
    expect(result.toString()).toContain("PASS: the task is within the margin: -0.5 points (-2.6 to +1.5, margin 5.0).");
    const [task] = result.tasks;
    expect(task!.difference).toBeCloseTo(-2 / 400, 12);
    expect(task!.marginP).toBeCloseTo(normalSf(tangoScore(10, 12, 400, -0.05)), 12);
    expect(task!.lossP).toBeCloseTo(binomialSf(12, 22, 0.5) + binomialPmf(12, 22, 0.5) / 2, 12);
    // from and to agree with the decision
    expect(task!.lower).toBeGreaterThan(-0.05);
  });

  it("says of averaged repeats that they are these runs", () => {
    const [a, b] = pair(300, 10, 12, 78);
    const codes = (rows: readonly [readonly Row[], readonly Row[]]) =>
      run(rows, undefined, { run: "none" }).diagnostics.map(({ code }) => code);
    expect(codes([a, [...b, ...b]])).toContain("TheseRuns");
    expect(codes([a, b])).not.toContain("TheseRuns");
  });

  it("claims nothing of new raters or runs where it knows only these", () => {
    const [a, b] = pair(300, 10, 40, 50);
    const twice = run([a, [...b, ...b]], undefined, { run: "none" });
    expect(twice.summary).toBe(
      "FAIL: a loss is shown on t for these two runs only: -7.5 points (-10.5 to -4.6, margin 5.0).",
    );
    expect(twice.display().notes.join(" ")).toContain("These rates are for new items and these two runs.");
    const by = (rows: readonly Row[]) =>
      ["ann", "bob", "cem"].flatMap((rater) => rows.map((row) => ({ ...row, rater })));
    const rated = run([by(a), by(b)]);
    expect(rated.held).toEqual([{ facet: "raters", levels: 3 }]);
    expect(rated.summary).toBe(
      "FAIL: a loss is shown on t for these three raters only: -7.5 points (-10.5 to -4.6, margin 5.0).",
    );
    expect(rated.diagnostics.find(({ code }) => code === "TheseRaters")?.message).toContain("not to new raters");
    const once = run([a, b]);
    expect(once.held).toEqual([]);
    expect(once.toString()).not.toContain("these");
  });

  it("fails where a loss is shown and may exceed the margin", () => {
    const result = run(pair(300, 10, 40, 50));
    expect(result).toMatchObject({ outcome: "fail", exitCode: 1 });
    expect(result.summary).toBe("FAIL: a loss is shown on t: -7.5 points (-10.5 to -4.7, margin 5.0).");
  });

  it("passes a loss that is real and small", () => {
    const result = run(pair(9000, 20, 60, 920));
    expect(result.tasks[0]!.lossP).toBeLessThan(0.001);
    expect(result.outcome).toBe("pass");
  });

  it("is open where neither is shown, with the exit code that was asked for", () => {
    const data = pair(30, 6, 9, 15);
    expect(run(data)).toMatchObject({ outcome: "inconclusive", reason: "underpowered", exitCode: 3 });
    expect(run(data, undefined, { inconclusive: "fail" }).exitCode).toBe(1);
    expect(run(data, undefined, { inconclusive: "warn" })).toMatchObject({ outcome: "inconclusive", exitCode: 0 });
  });

  it("turns round where lower is better", () => {
    expect(run(pair(300, 40, 10, 50), undefined, { higherIsBetter: false }).outcome).toBe("fail");
    expect(run(pair(300, 10, 40, 50), undefined, { higherIsBetter: false }).outcome).toBe("pass");
  });
});

describe("differences with a long tail", () => {
  it("are warned of, and no gate promises more than about its rate", () => {
    const rows = (of: (i: number) => number): Row[] =>
      Array.from({ length: 40 }, (_, i) => ({ item: `q${i}`, score: of(i) }));
    const tailed = run(
      [rows((i) => 10 + (i % 7)), rows((i) => 10 + (i % 7) + 0.3 - 0.1 * (i % 3) - (i % 20 === 0 ? 3 : 0))],
      "margin: 1",
    );
    expect(tailed.outcome).toBe("pass");
    expect(tailed.diagnostics.find(({ code }) => code === "SkewedDifferences")?.message).toContain("skewed (-4.");
    expect(tailed.display().notes.join(" ")).toContain("no effect fails with probability about 0.05");
    const even = run([rows((i) => 10 + (i % 7)), rows((i) => 10 + (i % 7) - 0.1 * (i % 3))], "margin: 1");
    expect(even.outcome).toBe("pass");
    expect(even.display().notes.join(" ")).toContain("no effect fails with probability about 0.05");
  });
});

describe("other rules", () => {
  it("no-worse-than asks for the candidate's own score, by exact binomial tails", () => {
    const data = pair(340, 10, 12, 38);
    const [task] = run(data, "no-worse-than: 0.8").tasks;
    expect(task).toMatchObject({ outcome: "pass" });
    expect(task!.marginP).toBeCloseTo(binomialSf(349, 400, 0.8), 12);
    expect(run(data, "no-worse-than: 0.95").outcome).toBe("fail");
    expect(run(data, "no-worse-than: 0.87").reason).toBe("underpowered");
  });

  it.each([true, false])("a floor without a baseline errs as its exact rates say, higher is better: %s", (higher) => {
    const [n, floor] = [40, 0.7];
    const judge = (right: number) =>
      gate(
        {
          candidate: [
            log(
              "new.csv",
              Array.from({ length: n }, (_, i) => ({ item: `q${i}`, score: i < right ? 1 : 0 })),
            ),
          ],
          baseline: [],
        },
        { policy: simplePolicy({ floor }), item: "item", task: "task", higherIsBetter: higher },
      );
    const results = Array.from({ length: n + 1 }, (_, right) => judge(right));
    const chance = (outcome: string, at: number): number =>
      results.reduce((sum, own, right) => sum + (own.outcome === outcome ? binomialPmf(right, n, at) : 0), 0);
    const { rates } = results[0]!.tasks[0]!;
    expect(rates!.fail).toBeCloseTo(chance("fail", floor), 12);
    expect(rates!.pass).toBeCloseTo(chance("pass", floor), 12);
    expect(chance("pass", rates!.sure)).toBeCloseTo(0.8, 6);
    expect(Math.max(rates!.fail, rates!.pass)).toBeLessThan(0.05);
    expect(results[0]!.runs.baseline).toEqual([]);
    expect(results[0]!.display().notes.join(" ")).toContain(`fails with probability ${rates!.fail.toFixed(3)}`);
  });

  it("a margin needs a baseline", () => {
    const alone = { candidate: [log("new.csv", pair(10, 1, 1, 8)[1])], baseline: [] };
    expect(() => gate(alone, { policy: simplePolicy({ margin: 0.1 }) })).toThrow(/a candidate and a baseline/);
  });

  it("a relative margin is a proportion of the baseline's score", () => {
    const [task] = run(pair(300, 10, 12, 78), "margin: 10%").tasks;
    expect(task!.margin).toBeCloseTo(0.1 * (312 / 400), 12);
    expect(task!.outcome).toBe("pass");
  });

  it("scores without any change pass with enough items, and not with few", () => {
    const same = (n: number): [Row[], Row[]] => {
      const rows = Array.from({ length: n }, (_, i) => ({ item: `q${i}`, score: (i % 7) / 10 }));
      return [rows, rows];
    };
    expect(run(same(400), "margin: 0.05").outcome).toBe("pass");
    expect(run(same(20), "margin: 0.05").reason).toBe("underpowered");
  });

  it("clustered items are judged by their clusters", () => {
    const rng = makeRng("clusters");
    const rows = (loss: number): Row[] =>
      Array.from({ length: 200 }, (_, i) => ({
        item: `q${i}`,
        doc: `d${i % 10}`,
        score: ((i * 7) % 10) / 10 - loss * (i % 10 < 5 ? 1 : -0.6) * (0.5 + rng.uniform() / 10),
      }));
    const data: [Row[], Row[]] = [rows(0), rows(0.1)];
    const apart = run(data, "margin: 0.03", { cluster: "none" }).tasks[0]!;
    const together = run(data, "margin: 0.03", { cluster: "doc" }).tasks[0]!;
    expect(together.upper - together.lower).toBeGreaterThan(2 * (apart.upper - apart.lower));
  });
});

describe("several tasks", () => {
  it("a wholly missing critical task does not hide behind the others that are open", () => {
    const open = ["a", "b", "c", "d", "e"].map((task) => pair(60, 5, 5, 30, task));
    const [safety] = pair(60, 5, 5, 30, "safety");
    const rows = [[...open.flatMap(([own]) => own), ...safety], open.flatMap(([, own]) => own)] as const;
    const { summary, reason } = run(rows, "margin: 0.01");
    expect(reason).toBe("population-changed");
    expect(summary).toBe(
      "INCONCLUSIVE (population-changed): safety: no item of the candidate; also a (underpowered), b (underpowered), c (underpowered) and 2 more.",
    );
  });

  it("every task that fails is named", () => {
    const lost = ["a", "b", "c", "d", "e"].map((task) => pair(60, 0, 40, 0, task));
    const rows = [lost.flatMap(([own]) => own), lost.flatMap(([, own]) => own)] as const;
    expect(run(rows).summary).toMatch(/^FAIL: a loss is shown on a, b, c, d, e: a -40\.0 points .*; …\.$/);
  });

  const suite = (...tasks: [Row[], Row[]][]): [Row[], Row[]] => [
    tasks.flatMap(([a]) => a),
    tasks.flatMap(([, b]) => b),
  ];
  const good = (task: string) => pair(300, 10, 10, 80, task);
  const bad = (task: string) => pair(300, 5, 40, 55, task);
  const open = (task: string) => pair(30, 6, 8, 16, task);

  it("supporting tasks block when they fail, advisory ones never", () => {
    const data = suite(good("a"), bad("b"));
    expect(run(data).outcome).toBe("fail");
    expect(run(data, "margin: 0.05\ntasks: { b: { tier: supporting } }").outcome).toBe("fail");
    expect(run(data, "margin: 0.05\ntasks: { b: { tier: advisory } }").outcome).toBe("pass");
    const half = suite(good("a"), open("b"));
    expect(run(half).reason).toBe("underpowered");
    expect(run(half, "margin: 0.05\ntasks: { b: { tier: supporting } }").outcome).toBe("pass");
  });

  it("a required task that the logs or one side lack is an error, and a misspelt one is named", () => {
    const warned = { inconclusive: "warn" } as const;
    const policy = "margin: 0.05\ntasks: { mth: {} }";
    expect(() => run(suite(good("math"), good("code")), policy, warned)).toThrow(
      expect.objectContaining({
        code: "TasksMissing",
        message: "the policy requires mth, which the logs lack.",
        fix: expect.stringMatching(/^Did you mean "math"\? The tasks are code, math\./),
      }),
    );
    const [a, b] = suite(good("a"), good("mth"));
    expect(() => run([a, b.filter(({ task }) => task === "a")], policy, warned)).toThrow(
      "the policy requires mth, which the candidate lacks.",
    );
    expect(run(suite(good("a")), "margin: 0.05\ntasks: { mth: { required: false } }").outcome).toBe("pass");
  });

  it("a policy by which nothing in the logs decides is an error, not a pass", () => {
    for (const policy of [
      "tasks: { x: { margin: 0.05, required: false } }",
      "tasks: { x: { margin: 0.05, required: false }, a: { margin: 0.05, tier: advisory } }",
    ])
      expect(() => run(suite(good("a")), policy)).toThrow(
        "no critical or supporting task of the policy is in the logs",
      );
  });

  it("tasks without a rule are named and not judged", () => {
    const result = run(suite(good("a"), bad("b")), "tasks: { a: { margin: 0.05 } }");
    expect(result.outcome).toBe("pass");
    expect(result.diagnostics.find(({ code }) => code === "TasksWithoutRule")!.message).toMatch(/no rule for b/);
  });

  it("Holm and the fixed sequence keep the error of the whole", () => {
    const test = (lossP: number) => ({
      tier: "critical" as const,
      test: { ...run(good("a")).tasks[0]!, marginP: 1, lossP },
    });
    const tasks = [0.04, 0.01, 0.03].map(test);
    const outcomes = (correction: "holm" | "fixed-sequence") =>
      judgeTasks(tasks, { alpha: 0.05, correction }).map(({ outcome }) => outcome);
    // Holm: 0.01·3 rejects, then 0.03·2 does not
    expect(outcomes("holm")).toEqual(["inconclusive", "fail", "inconclusive"]);
    expect(outcomes("fixed-sequence")).toEqual(["fail", "fail", "fail"]);
    expect(
      judgeTasks([0.06, 0.01].map(test), { alpha: 0.05, correction: "fixed-sequence" }).map(({ outcome }) => outcome),
    ).toEqual(["inconclusive", "inconclusive"]);
  });
});

describe("items that changed", () => {
  it("are counted and named, worst first", () => {
    const { flips } = run(pair(10, 2, 3, 5)).tasks[0]!;
    expect(flips).toEqual({
      lost: { count: 3, items: ["t12", "t13", "t14"] },
      gained: { count: 2, items: ["t10", "t11"] },
      flaky: { count: 0, items: [] },
    });
  });
  it("where lower is better the other way round, and runs that disagree are flaky", () => {
    const [a, b] = pair(10, 2, 3, 5);
    const again = b.map((row, i) => (i === 4 ? { ...row, score: 0 } : row));
    const result = gate(
      { baseline: [log("old.csv", a)], candidate: [log("new.csv", b), log("again.csv", again)] },
      { policy: readPolicy("margin: 0.05"), item: "item", task: "task", higherIsBetter: false },
    );
    const { flips } = result.tasks[0]!;
    expect(flips.lost).toEqual({ count: 2, items: ["t10", "t11"] });
    expect(flips.gained).toEqual({ count: 4, items: ["t12", "t13", "t14", "t4"] });
    expect(flips.flaky).toEqual({ count: 1, items: ["t4"] });
  });
});

describe("reasons", () => {
  it("coverage: too few items, too few scores, or scores that could overturn it", () => {
    expect(run(pair(300, 10, 12, 78), "margin: 0.05\nitems: 1000").reason).toBe("coverage");
    const [a, b] = pair(300, 10, 12, 78);
    const missing = (n: number) => b.map((row, i) => (i < n ? { ...row, score: Number.NaN } : row));
    expect(run([a, missing(40)]).reason).toBe("coverage");
    // 18 rows of 400: the worst of them lose more than the margin allows
    expect(run([a, missing(18)]).reason).toBe("coverage");
    expect(run([a, missing(18)], "margin: 0.05\nunscored: complete").outcome).toBe("pass");
    expect(run([a, missing(2)]).outcome).toBe("pass");
    expect(run([a, missing(18)], "margin: 0.05\nunscored: wrong").tasks[0]!.difference).toBeCloseTo(-20 / 400, 12);
  });

  it("eight items that all have their scores are too few, not missing", () => {
    const result = run(pair(4, 1, 1, 2));
    expect(result).toMatchObject({ outcome: "inconclusive", reason: "coverage" });
    expect(result.summary).toMatch(
      /^INCONCLUSIVE \(coverage\): t: 8 items with scores of both sides \(at least 10 needed\)\.$/,
    );
    expect(result.toString()).toContain("Add items: there are fewer than a task needs");
    expect(result.toString()).not.toContain("missing");
    const [a, b] = pair(300, 10, 12, 78);
    const unscored = b.map((row, i) => (i < 40 ? { ...row, score: Number.NaN } : row));
    expect(run([a, unscored]).toString()).toContain("Run and score what is missing, or say");
    expect(run([a, unscored]).toString()).not.toContain("Add items");
  });

  it("order-confounded: the baseline ran first, and its scores drift", () => {
    const rng = makeRng("order");
    const side = (later: number, drift: number) =>
      Array.from({ length: 300 }, (_, i) => i)
        .flatMap((i) => [0, 1, 2].map((epoch) => ({ i, epoch })))
        .map(({ i, epoch }) => {
          const hour = 4 * later + epoch + rng.uniform();
          return { item: `q${i}`, task: "t", hour, score: rng.uniform() < 0.8 - drift * hour ? 1 : 0 };
        });
    const judged = (drift: number, more: Partial<GateOptions> = {}) => {
      const own = (path: string, later: number): NamedImport => {
        const rows = side(later, drift);
        const { imported } = log(path, rows);
        const hours = numericColumn(rows.map(({ hour }) => 1.7e9 + 3600 * hour));
        return { path, imported: { ...imported, table: withColumn(imported.table, "started_at", hours) } };
      };
      return gate(
        { baseline: [own("old.csv", 0)], candidate: [own("new.csv", 1)] },
        { policy: readPolicy("margin: 0.05"), item: "item", task: "task", run: "none", ...more },
      );
    };
    expect(judged(0.08)).toMatchObject({
      outcome: "inconclusive",
      reason: "order-confounded",
      order: { earlier: 1, confounded: true },
    });
    expect(judged(0.08, { time: "none" }).reason).not.toBe("order-confounded");
    const calm = judged(0);
    expect(calm.reason).not.toBe("order-confounded");
    expect(calm.diagnostics.find(({ code }) => code === "RunApart")!.message).toMatch(
      /^every row of baseline was run before any of candidate \(started_at\)/,
    );
  });

  it("population-changed: other items", () => {
    const [a, b] = pair(300, 10, 12, 78);
    expect(run([a, b.map((row, i) => (i < 50 ? { ...row, item: `x${i}` } : row))]).reason).toBe("population-changed");
  });

  it("settings-changed and judge-changed, unless the policy lists them", () => {
    const [a, b] = pair(300, 10, 12, 78);
    const set = (
      name: string,
      setting: string,
      models: readonly [string, string] = ["m1", "m2"],
      policy = "margin: 0.05",
      people?: GateOptions["people"],
    ) =>
      gate(
        {
          baseline: [log("old.csv", a, { settings: [{ system: "old", model: models[0], values: { [name]: "x" } }] })],
          candidate: [
            log("new.csv", b, { settings: [{ system: "new", model: models[1], values: { [name]: setting } }] }),
          ],
        },
        { policy: readPolicy(policy), item: "item", task: "task", people },
      ).reason;
    expect(set("temperature", "y")).toBe("settings-changed");
    expect(set("temperature", "x")).toBeNull();
    expect(set("temperature", "y", ["m", "m"])).toBeNull();
    expect(set("temperature", "y", undefined, "margin: 0.05\nchanges: [temperature]")).toBeNull();
    expect(set("judge_model", "y", ["m", "m"])).toBe("judge-changed");
    // people's labels of both sides correct each judge
    const both = [...a.map((row) => ({ ...row, system: "old" })), ...b.map((row) => ({ ...row, system: "new" }))];
    const said = makeTable([
      ["item", factorColumn(both.map(({ item }) => item))],
      ["system", factorColumn(both.map(({ system }) => system))],
      ["human", numericColumn(both.map(({ score }) => score))],
    ]);
    const labeled = { labels: said, drawn: "random" as const };
    expect(set("judge_model", "y", ["m", "m"], undefined, labeled)).toBeNull();
    expect(set("temperature", "y", undefined, undefined, labeled)).toBe("settings-changed");
  });

  it("baseline-unstable: runs of the baseline that differ by more than the margin", () => {
    const [a, b] = pair(300, 10, 12, 78);
    const low = a.map((row, i) => (i < 60 ? { ...row, score: 0 } : row));
    const pooled = (second: readonly Row[]) =>
      gate(
        { baseline: [log("old1.csv", a), log("old2.csv", second)], candidate: [log("new.csv", b)] },
        { policy: readPolicy("margin: 0.05"), item: "item", task: "task" },
      );
    expect(pooled(low).reason).toBe("baseline-unstable");
    const steady = pooled(a);
    expect(steady).toMatchObject({ outcome: "pass", runs: { baseline: ["old1", "old2"], candidate: ["new"] } });
  });

  it("come from a closed list", () => {
    expect(GATE_REASONS).toContain(run(pair(30, 6, 9, 15)).reason);
  });
});

describe("bad input", () => {
  it("a margin in points lets no known loss of a share through", () => {
    const loss = pair(200, 10, 70, 20);
    expect(run(loss, "margin: 0.02").outcome).toBe("fail");
    for (const margin of [1, 2, 5])
      expect(() => run(loss, `margin: ${margin}`)).toThrow(
        `a margin of ${margin} is not a margin for a proportion, which lies between 0 and 1.`,
      );
    expect(() => run(loss, "margin: 0.02\ntasks: {t: {margin: 2}}")).toThrow(
      "a margin of 2 is not a margin for a proportion",
    );
    expect(() => run(loss, "margin: 100%")).toThrow("a margin of 100% of the baseline's score lets all of it be lost.");
    expect(() => run(loss, "no-worse-than: 0")).toThrow("no-worse-than 0 lets every score between 0 and 1 through");
    expect(() => run(loss, "no-worse-than: 60")).toThrow("no-worse-than 60 can be reached by no score between 0 and 1");
  });

  it("a task of right and wrong answers beside one in percent has its own scale", () => {
    const [a, b] = pair(200, 10, 70, 20);
    const percent = (rows: Row[]): Row[] =>
      rows.map((row, i) => ({ ...row, task: "p", item: `p${i}`, score: 40 + (i % 31) }));
    const both = [
      [...a, ...percent(a)],
      [...b, ...percent(b)],
    ] as const;
    expect(() => run(both, "margin: 2")).toThrow("a margin of 2 is not a margin for a proportion");
    expect(run(both, "margin: 2\ntasks: {t: {margin: 0.02}}").tasks.map(({ outcome }) => outcome)).toEqual([
      "fail",
      "pass",
    ]);
  });

  it("an unknown direction is an error that no option turns green", () => {
    const unknown = (path: string, rows: readonly Row[]) => {
      const { imported } = log(path, rows);
      return { path, imported: { ...imported, metrics: [{ name: "accuracy", label: "accuracy" }] } };
    };
    const [a, b] = pair(300, 10, 12, 78);
    const judge = (higherIsBetter?: boolean) =>
      gate(
        { baseline: [unknown("old", a)], candidate: [unknown("new", b)] },
        {
          policy: readPolicy("margin: 0.05"),
          ...{ item: "item", task: "task", inconclusive: "warn", higherIsBetter },
        },
      );
    expect(() => judge()).toThrow("Gosset does not know whether a higher accuracy is better.");
    expect(judge(true).outcome).toBe("pass");
  });

  it("items that never meet, and a side without a score, are errors with examples", () => {
    const [a, b] = pair(300, 10, 12, 78);
    const other = b.map((row) => ({ ...row, item: `T${row.item.slice(1)}` }));
    expect(() => run([a, other], undefined, { inconclusive: "warn" })).toThrow(
      "baseline and candidate have no item in common on t (of 800: baseline has t0, t1; candidate has T0, T1).",
    );
    const empty = (rows: readonly Row[]) => rows.map((row, i) => (i > 0 ? { ...row, score: Number.NaN } : row));
    expect(() => run([a.slice(1), empty(b)], undefined, { inconclusive: "warn" })).toThrow(
      "no item has a score of both sides on t: 0 rows of the baseline and 399 of the candidate have none.",
    );
  });

  const titled = (path: string, title: string, values: readonly number[]): NamedImport => {
    const table = makeTable([
      ["id", factorColumn(values.map((_, i) => `q${i}`))],
      [title, numericColumn([...values])],
    ]);
    return { path, imported: { ...understandTable(table), format: "csv", files: [path], summary: "" } };
  };
  const binary = Array.from({ length: 150 }, (_, i) => (i % 3 === 0 ? 0 : 1));
  const ratings = Array.from({ length: 150 }, (_, i) => 1 + (i % 5));
  const policy = readPolicy("margin: 0.1\nhigher-is-better: true");

  it("scores of different names are not one score", () => {
    expect(() =>
      gate(
        { baseline: [titled("old.csv", "passed", binary)], candidate: [titled("new.csv", "correct", binary)] },
        { policy },
      ),
    ).toThrow("the baseline's score is passed and the candidate's correct: a gate compares one score.");
  });

  it("a condition on the score that keeps every row does not switch the check of scales off", () => {
    const judge = (where?: string[]) =>
      gate(
        { baseline: [titled("old.csv", "score", binary)], candidate: [titled("new.csv", "score", ratings)] },
        { policy, where },
      );
    for (const where of [undefined, ["score >= 0"]])
      expect(() => judge(where)).toThrow(
        expect.objectContaining({
          message: expect.stringMatching(/do not share a scale/),
          fix: "Write both in the same units.",
        }),
      );
  });

  it("several systems of one file are not runs of the candidate, named or not", () => {
    const table = (): NamedImport => {
      const rows = ["gpt", "claude", "llama"].flatMap((model) => binary.map((score, i) => ({ model, score, i })));
      const own = makeTable([
        ["model", factorColumn(rows.map(({ model }) => model))],
        ["id", factorColumn(rows.map(({ i }) => `q${i}`))],
        ["accuracy", numericColumn(rows.map(({ score }) => score))],
      ]);
      return { path: "all.csv", imported: { ...understandTable(own), format: "csv", files: [], summary: "" } };
    };
    const judge = (systems?: string[]) => gate({ baseline: ["gpt"], candidate: [table()] }, { policy, systems });
    for (const systems of [undefined, ["gpt", "claude", "llama"]])
      expect(() => judge(systems)).toThrow(
        expect.objectContaining({
          message: "all.csv holds several systems, claude, llama: which one is the candidate?",
          fix: "Say option `systems: gpt,claude` or option `systems: gpt,llama`.",
        }),
      );
    expect(judge(["gpt", "claude"]).runs).toEqual({ baseline: ["gpt"], candidate: ["claude"] });
  });

  it("files of a side that name different models are not runs of one", () => {
    const [a, b] = pair(300, 10, 12, 78);
    const of = (path: string, rows: readonly Row[], model: string) =>
      log(path, rows, { settings: [{ system: path.replace(".csv", ""), model, values: {} }] });
    const judge = (second: string) =>
      gate(
        { baseline: [of("old.csv", a, "m1")], candidate: [of("new1.csv", b, "m2"), of("new2.csv", b, second)] },
        { policy, item: "item", task: "task" },
      );
    expect(() => judge("m3")).toThrow("the candidate's files are of several systems, m2, m3");
    expect(judge("m2").outcome).toBe("pass");
  });

  it.each([
    [
      "no baseline",
      () => gate({ baseline: [], candidate: [log("a", pair(5, 1, 1, 3)[0])] }, { policy: readPolicy("margin: 0.1") }),
      /needs a candidate and a baseline/,
    ],
    [
      "an unknown system",
      () =>
        gate(
          { baseline: ["nobody"], candidate: [log("a", pair(5, 1, 1, 3)[0])] },
          { policy: readPolicy("margin: 0.1"), item: "item", task: "task" },
        ),
      /the baseline "nobody" is not a file/,
    ],
    ["a column that is not there", () => run(pair(5, 1, 1, 3), "margin: 0.1\nmetric: nope"), /nope/],
  ])("%s", (_, call, message) => {
    expect(call).toThrow(message);
  });
});

describe("two runs of one system", () => {
  it("flips and floor by hand", () => {
    const [a, b] = pair(50, 6, 4, 40);
    const result = measureNoise(
      { baseline: [log("r1.csv", a)], candidate: [log("r2.csv", b)] },
      { item: "item", task: "task" },
    );
    const variance = (10 - 100 * 0.02 ** 2) / 99;
    expect(result.flips).toBeCloseTo(0.1, 12);
    expect(result.floor).toBeCloseTo(1.959963984540054 * Math.sqrt(variance / 100), 12);
  });

  it("is warned of where the logs name different systems", () => {
    const sides = pair(50, 6, 4, 40);
    const named = (side: 0 | 1, model: string): NamedImport => {
      const rows = sides[side];
      const table = makeTable([
        ["model", factorColumn(rows.map(() => model))],
        ["item", factorColumn(rows.map(({ item }) => item))],
        ["accuracy", numericColumn(rows.map(({ score }) => score))],
      ]);
      return log(`${side}.csv`, rows, understandTable(table));
    };
    const codes = (second: string): string[] =>
      measureNoise({ baseline: [named(0, "m1")], candidate: [named(1, second)] }).diagnostics.map(({ code }) => code);
    expect(codes("m2")).toContain("DifferentSystems");
    expect(codes("m1")).not.toContain("DifferentSystems");
  });
});

describe("error rates", () => {
  /** Both sides right with probability .7, a tenth of the items redrawn; then a loss. */
  const draw = (rng: Rng, n: number, loss: number): [Float64Array, Float64Array] => {
    const a = Float64Array.from({ length: n }, () => (rng.uniform() < 0.7 ? 1 : 0));
    const b = a
      .map((v) => (rng.uniform() < 0.2 ? (rng.uniform() < 0.7 ? 1 : 0) : v))
      .map((v) => (v === 1 && rng.uniform() < loss / 0.7 ? 0 : v));
    return [a, b];
  };

  it("of nine unchanged tasks the suite fails at most 5 % of the time, and each passes at its margin at most 5 %", () => {
    const sets = 300;
    let [fails, passes] = [0, 0];
    for (let k = 0; k < sets; k++) {
      const rng = makeRng("nine tasks", k);
      const judge = (loss: number) => {
        const tasks = Array.from({ length: 9 }, () => {
          const [baseline, candidate] = draw(rng, 200, loss);
          const options = { allowance: { kind: "absolute" as const, value: 0.04 }, higherIsBetter: true, alpha: 0.05 };
          return {
            tier: "critical" as const,
            test: testTask({ baseline, candidate, binary: true, width: 1 }, options),
          };
        });
        return judgeTasks(tasks, { alpha: 0.05, correction: "holm" });
      };
      if (judge(0).some(({ outcome }) => outcome === "fail")) fails += 1;
      if (judge(0.04)[0]!.outcome === "pass") passes += 1;
    }
    const most = 0.05 + 4 * Math.sqrt((0.05 * 0.95) / sets);
    expect(fails / sets).toBeLessThan(most);
    expect(passes / sets).toBeLessThan(most);
    expect(passes).toBeGreaterThan(3);
  });
});

describe("a baseline of several logs", () => {
  const pooled = (logs: readonly (readonly Row[])[], own: readonly Row[]) =>
    gate(
      { baseline: logs.map((rows, i) => log(`old${i}.csv`, rows)), candidate: [log("new.csv", own)] },
      { policy: readPolicy("margin: 0.05"), item: "item", task: "task" },
    ).diagnostics.find(({ code }) => code === "BaselinePooled")?.message;
  const [first, own] = pair(150, 5, 5, 40, "qa");
  const [second, other] = pair(120, 5, 5, 70, "sums");

  it("is pooled where runs share a task, and not where each log is a task of its own", () => {
    expect(pooled([first, second], [...own, ...other])).toBeUndefined();
    expect(pooled([first, first], own)).toMatch(/^the baseline is pooled from 2 runs: /);
    expect(pooled([first, first, second], [...own, ...other])).toMatch(/^the baseline is pooled from 2 runs: /);
  });
});

import { describe, expect, it } from "vitest";
import { makeRng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";
import { reviveResult } from "../../result/result.ts";
import type { Outcome, Scenario, ScenarioFamily, ScenarioParameters } from "../scenario.ts";
import { accuracyFamily } from "../scenarios/accuracy.ts";
import { meansFamily } from "../scenarios/means.ts";
import { preferenceFamily } from "../scenarios/preference.ts";
import { findScenario, SCENARIOS } from "../scenarios/scenarios.ts";
import { unpairedFamily } from "../scenarios/unpaired.ts";
import { makeReplicateTask, simulatePower } from "../simulate.ts";
import { tracePower } from "./curve.ts";
import { findMde } from "./mde.ts";
import { findSize } from "./size.ts";
import { analysePower, computePower } from "./solve.ts";

const rng = makeRng("solvers");

/** Random problems with answers small enough to try every size. */
function randomProblem(k: number): { family: ScenarioFamily; params: ScenarioParameters; power: number } {
  const draw = rng.stream(k);
  const between = (a: number, b: number): number => a + (b - a) * draw.uniform();
  const power = between(0.5, 0.93);
  const kind = k % 4;
  if (kind === 0) {
    const delta = between(0.1, 0.35);
    const tests = ["mcnemar-exact", "mcnemar-midp", "mcnemar", "mcnemar-cc"];
    const agreement = 1 - Math.min(1, delta + between(0, 0.3));
    return { family: accuracyFamily, params: { delta, agreement, test: tests[draw.int(4)]! }, power };
  }
  if (kind === 1) {
    const tie = draw.int(2) * between(0, 0.4);
    return { family: preferenceFamily, params: { win: (1 - tie) * between(0.62, 0.9), tie }, power };
  }
  if (kind === 2) {
    const delta = between(0.2, 0.5);
    return { family: unpairedFamily, params: { baseline: between(0.05, 0.95 - delta), delta, test: "z" }, power };
  }
  const clusterSize = 1 + draw.int(3);
  return { family: meansFamily, params: { delta: between(0.35, 1.2), clusterSize, icc: between(0, 0.5) }, power };
}

const PROBLEMS = 200;

describe("size and mde against brute force", () => {
  it(`finds, in ${PROBLEMS} random problems, the smallest size from which on the power is held`, async () => {
    const wrong: string[] = [];
    for (let k = 0; k < PROBLEMS; k++) {
      const { family, params, power } = randomProblem(k);
      const { n } = await findSize(family, params, { power });
      const step = family.sizeStep?.(params) ?? 1;
      const at = (size: number): number => computePower(family, { ...params, n: size }).power;
      // every size from half of the answer to a quarter more
      let last = 0;
      const first = Math.max(family.smallestSize ?? 1, Math.floor(n / step / 2));
      for (let size = first * step; size <= 1.25 * n + 20 * step; size += step) {
        if (at(size) < power) last = size;
      }
      if (n > 2 * step && last + step !== n) wrong.push(`${k} ${family.name}: ${n}, brute force ${last + step}`);
    }
    expect(wrong.length, wrong.join("; ")).toBeLessThanOrEqual(0.05 * PROBLEMS);
  });

  it(`finds, in ${PROBLEMS} random problems, an effect that has the power while a slightly smaller one has not`, async () => {
    for (let k = 0; k < PROBLEMS; k++) {
      const { family, params, power } = randomProblem(k);
      const n = 60 * (family.sizeStep?.(params) ?? 1);
      const found = await findMde(family, { ...params, n, [family.effect]: undefined }, { power });
      const at = (effect: number): number => computePower(family, { ...params, n, [family.effect]: effect }).power;
      if (Number.isNaN(found.mde)) {
        expect(at(found.range.to), `${k}`).toBeLessThan(power);
        continue;
      }
      const room = found.mde - found.range.from;
      expect(at(found.mde), `${k} ${family.name}`).toBeCloseTo(power, 9);
      expect(at(found.range.from + room * (1 - 1e-4)), `${k} ${family.name}`).toBeLessThan(power);
      for (const share of [0.25, 0.5, 0.75, 0.9]) {
        expect(at(found.range.from + room * share), `${k} ${family.name} ${share}`).toBeLessThan(power);
      }
    }
  });

  it("says that no possible effect will do, with a warning", async () => {
    const found = await findMde(accuracyFamily, { n: 147, baseline: 0.945, test: "mcnemar-exact" });
    expect(found.mde).toBeNaN();
    expect(found.diagnostics.map(({ code }) => code)).toContain("NoDetectableEffect");
    expect(found.power).toBeLessThan(0.8);
  });

  it("refuses a power that is no power, and sizes beyond reach", async () => {
    await expect(findMde(accuracyFamily, { n: 100, agreement: 0.9 }, { power: 0.04 })).rejects.toThrow(/power of 0.04/);
    await expect(findSize(meansFamily, { delta: 1e-9 })).rejects.toThrow(/more than/);
  });
});

describe("solving by simulation", () => {
  it("agrees with the exact answers within four of its standard errors", async () => {
    const cases: [ScenarioFamily, ScenarioParameters, ScenarioParameters][] = [
      [accuracyFamily, { n: 400, agreement: 0.9 }, { delta: 0.05, agreement: 0.9 }],
      [meansFamily, { n: 40 }, { delta: 0.4 }],
    ];
    for (const [family, forMde, forSize] of cases) {
      const options = { method: "simulation" as const, rng: makeRng(9), relativePrecision: 0.02 };
      const [mde, exactMde] = [await findMde(family, forMde, options), await findMde(family, forMde)];
      expect(mde.se / mde.mde).toBeLessThanOrEqual(0.02);
      expect(Math.abs(mde.mde - exactMde.mde)).toBeLessThan(4 * mde.se);
      const [size, exactSize] = [await findSize(family, forSize, options), await findSize(family, forSize)];
      expect(Math.abs(size.n - exactSize.n)).toBeLessThan(4 * size.se + 1);
    }
  });
});

describe("simulation", () => {
  const params = { n: 200, delta: 0.04, agreement: 0.9 };

  it("draws until the standard error is as small as wanted, and no more than that takes", async () => {
    const result = await simulatePower(accuracyFamily, params, { rng: makeRng(4), precision: 0.01 });
    expect(result.se).toBeLessThanOrEqual(0.0101);
    expect(result.replicates).toBeLessThan(1.1 * (0.25 / 0.01 ** 2));
    await expect(simulatePower(accuracyFamily, params, { rng: makeRng(4), precision: 1e-9 })).rejects.toThrow(
      /standard error/,
    );
  });

  it("has a standard error above 0 when all experiments agree", async () => {
    const sure = await simulatePower(meansFamily, { n: 50, delta: 5 }, { rng: makeRng(1), replicates: 200 });
    expect(sure.power).toBe(1);
    expect(sure.se).toBeGreaterThan(0.001);
  });

  it("stops when told to", async () => {
    const stop = new AbortController();
    stop.abort();
    const run = simulatePower(accuracyFamily, params, { rng: makeRng(1), signal: stop.signal });
    await expect(run).rejects.toMatchObject({ code: "Cancelled" });
  });

  it("runs a user's own scenario, with several analyses and experiments that fail", async () => {
    const coin: ScenarioFamily = {
      name: "coin",
      title: "a coin",
      effect: "p",
      size: "n",
      parameters: [
        { name: "n", kind: "count", meaning: "tosses" },
        { name: "p", kind: "share", meaning: "chance of heads" },
      ],
      effectRange: () => ({ from: 0.5, to: 1 }),
      make: ({ n, p }): Scenario => ({
        name: "coin",
        title: "a coin",
        effect: (p as number) - 0.5,
        alpha: 0.05,
        parameters: [],
        assumptions: [],
        diagnostics: [],
        analyses: ["all heads", "never"],
        simulate(stream): readonly Outcome[] {
          const heads = stream.binomial(n as number, p as number);
          return [
            { estimate: heads / (n as number) - 0.5, significant: heads === n },
            { estimate: 0, significant: false, failed: heads === 0 },
          ];
        },
      }),
    };
    const result = await simulatePower(
      coin,
      { n: 3, p: 0.8 },
      { rng: makeRng(6), replicates: 4000, task: makeReplicateTask([coin]) },
    );
    expect(Math.abs(result.power - 0.8 ** 3)).toBeLessThan(4 * result.se);
    expect(result.typeM).toBeCloseTo(0.5 / 0.3, 12);
    expect(result.analyses[1]!.power).toBe(0);
    expect(Math.abs(result.analyses[1]!.failed / 4000 - 0.2 ** 3)).toBeLessThan(0.006);
    expect((await analysePower(coin, { n: 3, p: 0.8 }, { rng: makeRng(6), replicates: 100 })).method).toBe(
      "simulation",
    );
  });
});

describe("curves and results", () => {
  it("gives every combination, the first axis slowest", async () => {
    const curve = await tracePower(
      accuracyFamily,
      { agreement: 0.9, test: "mcnemar-exact" },
      {
        axes: [
          { name: "delta", values: [0.01, 0.02] },
          { name: "n", values: [500, 2000] },
        ],
      },
    );
    expect(curve.points.map(({ at }) => at)).toEqual([
      { delta: 0.01, n: 500 },
      { delta: 0.01, n: 2000 },
      { delta: 0.02, n: 500 },
      { delta: 0.02, n: 2000 },
    ]);
    expect(curve.points[2]!.power).toBeCloseTo(0.2493694268762507, 10);
    await expect(tracePower(accuracyFamily, {}, { axes: [] })).rejects.toThrow(/grid of no points/);
  });

  it("prints the same from its JSON", async () => {
    const answers = [
      computePower(accuracyFamily, { n: 500, delta: 0.02, agreement: 0.9 }),
      await findMde(preferenceFamily, { n: 100 }),
      await findSize(meansFamily, { delta: 0.5 }),
    ];
    for (const answer of answers) expect(reviveResult(JSON.stringify(answer)).toString()).toBe(answer.toString());
    expect(answers[0]!.toString()).toMatchInlineSnapshot(`
      "Power: accuracy of two systems on the same items (McNemar)

      A true effect of 0.02 is detected with power 0.2906 (exact; α = 0.05).

      test           power  Type-M  Type-S
      ------------------------------------
      mcnemar-midp  0.2906   1.826    0.1%

      Assumed
      parameter            value         meaning
      --------------------------------------------------------------------------------
      n                    500           items that both systems answer
      delta                0.02          true difference in accuracy
      agreement            0.9           share on which both are right or both wrong
      only new right       0.06          proportion of items, (disagreement + delta)/2
      only baseline right  0.04          proportion of items, (disagreement - delta)/2
      discordant           0.1           share on which exactly one is right
      odds ratio           1.5           only new right over only baseline right
      test                 mcnemar-midp  two-sided

      Power counts significant results of the right sign. Type-M: exaggeration ratio
        of significant results. Type-S: proportion of significant results with the
        wrong sign.
      Items are independent; items that share a text, a topic or a document carry less
        information.

      Note: power is below 0.8: effects of this size are often missed, and significant
        ones look 1.8 times too large on average.
        Fix: Collect more data (\`size\`), or accept the lower power."
    `);
  });

  it("knows its scenarios by name", () => {
    expect(SCENARIOS.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["accuracy", "unpaired", "preference", "means"]),
    );
    expect(() => findScenario("acuracy")).toThrow(StatError);
  });

  it("has no exact answer for a rank test, and says what there is", () => {
    expect(() => computePower(meansFamily, { n: 10, delta: 1, test: "wilcoxon" })).toThrow(/no exact answer/);
  });
});

describe("a given number of experiments", () => {
  it("is what a simulated answer takes, and more of them make it surer", async () => {
    const solve = (replicates: number) =>
      findMde(accuracyFamily, { n: 500, agreement: 0.9 }, { method: "simulation", rng: makeRng("budget"), replicates });
    const [few, many] = [await solve(400), await solve(6000)];
    expect(few.replicates!).toBeGreaterThanOrEqual(400);
    expect(few.replicates!).toBeLessThan(700);
    expect(many.replicates!).toBeGreaterThanOrEqual(6000);
    expect(many.replicates!).toBeLessThan(7500);
    expect(many.se).toBeLessThan(few.se);
    const exact = (await findMde(accuracyFamily, { n: 500, agreement: 0.9 })).mde;
    expect(Math.abs(many.mde - exact)).toBeLessThan(4 * many.se);
  });
});

describe("what says how much is drawn", () => {
  const params = { n: 500, delta: 0.02, agreement: 0.9 };
  const { delta: _, ...sought } = params;
  const axes = [{ name: "n", values: [100, 200] }];
  const asked = {
    power: params,
    mde: sought,
    curve: { delta: 0.02, agreement: 0.9 },
    size: { delta: 0.02, agreement: 0.9 },
  };
  const ask = (verb: keyof typeof asked, options: object): Promise<unknown> => {
    if (verb === "power") return analysePower(accuracyFamily, asked.power, options);
    if (verb === "mde") return findMde(accuracyFamily, asked.mde, options);
    if (verb === "size") return findSize(accuracyFamily, asked.size, options);
    return tracePower(accuracyFamily, asked.curve, { ...options, axes });
  };

  it.each([
    ["power", "replicates"],
    ["power", "precision"],
    ["mde", "replicates"],
    ["mde", "relativePrecision"],
    ["size", "replicates"],
    ["size", "relativePrecision"],
    ["curve", "replicates"],
    ["curve", "precision"],
  ] as const)("%s: %s is refused where the answer is worked out", async (verb, option) => {
    await expect(ask(verb, { [option]: 100 })).rejects.toThrow(
      `option \`${option}\` has no effect here: the answer is exact`,
    );
    await expect(ask(verb, { [option]: 100, method: "approx" })).rejects.toThrow("by an approximation");
    await expect(ask(verb, { rng: makeRng(1) })).resolves.toBeDefined();
  });

  it("is one of a count and a precision, and that of what is looked for", async () => {
    const drawn = { method: "simulation", rng: makeRng(1) };
    await expect(ask("power", { ...drawn, replicates: 100, precision: 0.1 })).rejects.toThrow("together");
    await expect(ask("mde", { ...drawn, replicates: 100, relativePrecision: 0.1 })).rejects.toThrow("together");
    await expect(ask("size", { ...drawn, precision: 0.1 })).rejects.toThrow("option `precision` is of a power");
  });

  it("a parameter is either given or varied", async () => {
    await expect(tracePower(accuracyFamily, { n: 5, delta: 0.02, agreement: 0.9 }, { axes })).rejects.toThrow(
      "`n` 5 has no effect where n is varied",
    );
  });

  it("counts in a curve of which one point is drawn", async () => {
    const mixed = [{ name: "shape", values: ["normal", "laplace"] }];
    const options = { axes: mixed, replicates: 50, rng: makeRng(1) };
    const curve = await tracePower(meansFamily, { n: 20, delta: 0.5 }, options);
    expect(curve.points.map(({ method }) => method)).toEqual(["exact", "simulation"]);
  });
});

describe("a parameter beside others that leave it nothing to do", () => {
  it.each([
    [
      "accuracy",
      { n: 500, delta: 0.02, agreement: 0.9, overlap: "squad" },
      "`overlap` has no effect where the agreement",
    ],
    [
      "f1",
      { n: 90, positive: 0.2, recall: 0.8, positiveTable: "0.7,0.1,0.1,0.1", negativeTable: "0,0.1,0.1,0.8" },
      "`recall` has no effect beside `positiveTable`",
    ],
    ["means", { n: 50, delta: 0.5, icc: 0.2 }, "`icc` has no effect without `clusterSize`"],
    [
      "non-inferiority",
      { n: 500, margin: 0.1, design: "proportions", baseline: 0.8, sd: 1 },
      "in the design proportions",
    ],
    ["non-inferiority", { n: 500, margin: 0.1, baseline: 0.8 }, "`baseline` has no effect in the design paired"],
    ["non-inferiority", { n: 500, margin: 0.1, discordance: 0.2 }, "it is of paired-accuracy"],
  ])("%s %j is refused", (name, params, message) => {
    expect(() => findScenario(name).make(params as ScenarioParameters)).toThrow(message);
  });

  it("is left out where it stands for nothing, and solvers go on", async () => {
    const margin = { margin: 0.1, design: "proportions", baseline: 0.8 };
    const { n } = await findSize(findScenario("non-inferiority"), margin, { method: "approx" });
    expect(computePower(findScenario("non-inferiority"), { ...margin, n }, "approx").power).toBeGreaterThanOrEqual(0.8);
    const means = computePower(meansFamily, { n: 60, delta: 0.5 });
    expect(means.power).toBe(computePower(meansFamily, { n: 60, delta: 0.5, clusterSize: 1, icc: 0.3 }).power);
  });
});

describe("a search by simulation", () => {
  it("does not print ± 0 where the least possible size already has more than the power asked for", async () => {
    const found = await findSize(
      findScenario("likert"),
      { raters: 5, effect: 0.9, setting: "card-high" },
      { rng: makeRng(1), replicates: 60, method: "simulation" },
    );
    expect(found.smallestHas).toBe(true);
    expect(String(found)).toMatch(/the least possible, already give a power of (0\.9|1)/);
    expect(String(found)).not.toMatch(/±\s*0 /);
  });

  it("says that it drew more experiments than it was asked for", async () => {
    const params = {
      n: 200,
      positive: 0.4,
      recall: 0.7,
      fpr: 0.1,
      positiveDisagreement: 0.2,
      negativeDisagreement: 0.1,
    };
    const found = await findMde(findScenario("f1"), params, { rng: makeRng(1), replicates: 40 });
    expect(found.replicates).toBeGreaterThan(40);
    const told = found.diagnostics.find(({ code }) => code === "MoreDrawn")?.message;
    expect(told).toContain(`${found.replicates} experiments were drawn where 40 were asked for`);
    expect(String(found)).toMatch(/smallest recall gain/);
  });
});

it("does not print a power that misses the one wanted as if it had it", async () => {
  const found = await findSize(accuracyFamily, { delta: 0.02, agreement: 0.9 });
  expect([found.powerBelow < 0.8, found.power >= 0.8]).toEqual([true, true]);
  const [, printed] = /^ *1948 +(\S+) +no$/m.exec(String(found))!;
  expect(Number(printed)).toBeLessThan(0.8);
});

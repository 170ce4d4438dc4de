/** Plans: read, hashed, checked, locked, scheduled, followed; every deviation is listed. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../data/table.ts";
import { makeRng } from "../numeric/rng.ts";
import { accuracyFamily } from "../power/scenarios/accuracy.ts";
import { computePower } from "../power/solve/solve.ts";
import { compare } from "../significance/compare/compare.ts";
import { designLooks } from "../significance/sequential/looks.ts";
import { checkPlan, showPlan } from "./check.ts";
import { followPlan } from "./follow.ts";
import { hashPlan, lockPlan, planSchema, readLock, readPlan } from "./plan.ts";
import { scheduleRuns } from "./schedule.ts";

const TEXT = `# what we mean to show
systems: [base, new]
metric: accuracy
higher-is-better: true
items: 200
smallest-effect: 0.1
test: mcnemar-exact
unscored: bounds
expected: { agreement: 0.7 }
`;
const PLAN = readPlan(TEXT, "plan.yaml");
const LOOKS = readPlan(`${TEXT}looks: { at: [0.5, 1] }\n`);

/** b gains and loses so many of n items. */
function data(n: number, gained: number, lost: number, from = 0): Table {
  const rows = Array.from(
    { length: n },
    (_, i) => [i < gained ? 0 : 1, i >= gained && i < gained + lost ? 0 : 1] as const,
  );
  return makeTable([
    ["system", factorColumn(rows.flatMap(() => ["base", "new"]))],
    ["item", factorColumn(rows.flatMap((_, i) => [`q${from + i}`, `q${from + i}`]))],
    ["accuracy", numericColumn(rows.flat())],
    ["f1", numericColumn(rows.flatMap(([a, b]) => [b, a]))],
  ]);
}
const ids = Array.from({ length: 200 }, (_, i) => `q${i}`);
const LOCK = lockPlan(PLAN, ids);
const columns = { system: "system", item: "item" };
const followed = (result: object) =>
  (
    result as {
      toJSON(): {
        plan: {
          deviations: string[];
          locked: boolean;
          look?: { p: number; estimate: number; decision: string; rejected: boolean };
        };
      };
    }
  ).toJSON().plan;

describe("a plan in words", () => {
  it("says what was planned, and what it can see", () => {
    const plan = readPlan(`${TEXT}looks: { at: [0.25, 1], futility: 0.1 }\n`);
    const text = String(showPlan(plan)).replace(/\s+/g, " ");
    for (const part of [
      /new is compared with base by accuracy, of which higher is better, on 200 items, each run once/,
      /The mcnemar-exact test decides, at an error rate of 0\.05/,
      /smallest difference of interest is 0\.1/,
      /looked at 2 times, at 50, 200 items/,
      /conditional power for the smallest effect at the last look is below 10 %/,
      /Power for a true difference of/,
    ])
      expect(text).toMatch(part);
    expect(String(showPlan(PLAN))).toMatch(/looked at once/);
  });

  it("giving up early costs power, and a little of it", () => {
    const { looks } = checkPlan(readPlan(`${TEXT}looks: { at: [0.5, 1], futility: 0.2 }\n`));
    const lost = looks!.power.at(-1)! - looks!.futility!.power.at(-1)!;
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThan(0.05);
    expect(looks!.futility!.stoppedNone[0]).toBeGreaterThan(0.3);
  });

  it("an early look that no plan allows is listed", () => {
    expect(followed(followPlan(data(80, 20, 4), { ...columns, plan: PLAN, lock: lockPlan(PLAN) })).deviations).toEqual([
      "80 items, planned were 200",
      "a look before all items are there, and no looks were planned",
    ]);
  });
});

describe("a plan file", () => {
  it("has a hash of its values alone", () => {
    const same = readPlan(
      TEXT.replace("# what we mean to show\n", "").replace("items: 200", "items:   200\nalpha: 0.05"),
    );
    expect(hashPlan(same)).toBe(hashPlan(PLAN));
    expect(hashPlan(readPlan(TEXT.replace("0.1", "0.11")))).not.toBe(hashPlan(PLAN));
    expect(hashPlan(PLAN)).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    ["systems: [a]", /two or more different names/],
    ["systems: [a, a]", /two or more different names/],
    ["items: many", /plan\.yaml:5:8: items should be a whole number from 2, not "many"/],
    ["test: magic", /plan\.yaml:7:7: test should be/],
    ["looks: { at: [0.5, 0.9] }", /looks\.at should rise to 1/],
    ["lookz: 3", /lookz is unknown/],
  ])("%s is refused with its place", (line, message) => {
    const [name] = line.split(":");
    const text = TEXT.includes(`\n${name}:`) ? TEXT.replace(new RegExp(`^${name}:.*$`, "m"), line) : `${TEXT}${line}\n`;
    expect(() => readPlan(text, "plan.yaml")).toThrow(message);
  });

  it("needs its four fields, and names all that are missing", () => {
    expect(() => readPlan("systems: [a, b]\nmetric: x\nitems: 10\n")).toThrow(/missing is smallest-effect \(/);
    expect(() => readPlan("systems: [a, b]\n")).toThrow(/missing are metric \(.*\), items \(.*\), smallest-effect \(/);
  });

  it("has a JSON Schema", () => {
    const check = new Ajv2020({ strict: false }).compile(planSchema());
    expect(check({ systems: ["a", "b"], metric: "x", items: 10, "smallest-effect": 0.1 })).toBe(true);
    expect(check({ systems: ["a", "b"], metric: "x", items: 10 })).toBe(false);
  });
});

describe("plan check", () => {
  it("has the power of the test that it names", () => {
    const { power, mde, needed } = checkPlan(PLAN);
    const exact = (delta: number, n: number) =>
      computePower(accuracyFamily, { n, delta, agreement: 0.7, test: "mcnemar-exact" }).power;
    expect(power).toBeCloseTo(exact(0.1, 200), 12);
    expect(exact(mde, 200)).toBeCloseTo(0.8, 4);
    expect(exact(0.1, needed)).toBeGreaterThanOrEqual(0.8);
  });

  it("counts looks, and is silent where nothing is expected", () => {
    const { looks, power } = checkPlan(LOOKS);
    expect(power).toBe(looks!.power[1]);
    expect(power).toBeLessThan(checkPlan(PLAN).power);
    expect(looks!.p).toEqual(designLooks({ information: [0.5, 1] }).p);
    const blind = checkPlan(readPlan(TEXT.replace("expected: { agreement: 0.7 }\n", "")));
    expect(blind.power).toBeNaN();
    expect(blind.diagnostics.map(({ code }) => code)).toContain("PowerUnknown");
  });
});

describe("plan lock", () => {
  it("knows its plan, its items and nothing else", () => {
    expect(readLock(JSON.stringify(LOCK))).toEqual(LOCK);
    expect(checkPlan(PLAN, LOCK).locked).toBe(true);
    const changed = checkPlan({ ...PLAN, alpha: 0.1 }, LOCK);
    expect(changed.locked).toBe(false);
    expect(changed.diagnostics.map(({ code }) => code)).toContain("PlanChanged");
    expect(() => lockPlan(PLAN, ids.slice(1))).toThrow(/200 items, the list has 199/);
    expect(() => readLock('{"hash": "x"}')).toThrow(/64 hexadecimal digits/);
  });
});

describe("plan schedule", () => {
  it("has every run once, systems of an item side by side in both orders", () => {
    const runs = scheduleRuns({ systems: ["a", "b"], items: ids, repeats: 2 }, makeRng(1));
    expect(runs).toHaveLength(800);
    expect(new Set(runs.map(({ item, system, repeat }) => `${item}/${system}/${repeat}`)).size).toBe(800);
    expect(runs.every(({ item }, k) => k % 2 === 0 || item === runs[k - 1]!.item)).toBe(true);
    const first = runs.filter((_, k) => k % 2 === 0 && runs[k]!.system === "a").length;
    expect(Math.abs(first - 200)).toBeLessThan(4 * 10);
    expect(runs).toEqual(scheduleRuns({ systems: ["a", "b"], items: ids, repeats: 2 }, makeRng(1)));
  });
});

describe("compare with a plan", () => {
  it("does what was planned and says so", () => {
    const result = followPlan(data(200, 30, 10), { ...columns, plan: PLAN, lock: LOCK });
    expect(followed(result)).toMatchObject({ locked: true, deviations: [] });
    expect(result.main.test.name).toBe("mcnemar-exact");
    expect(result.main.p).toBe(
      compare(data(200, 30, 10), { ...columns, metric: "accuracy", test: "mcnemar-exact" }).main.p,
    );
    expect(result.diagnostics.map(({ code }) => code)).toContain("AsPlanned");
  });

  it.each([
    [
      "a plan changed after its lock",
      { plan: { ...PLAN, power: 0.9 } },
      data(200, 30, 10),
      /changed after it was locked/,
    ],
    ["another metric", { metric: "f1" }, data(200, 30, 10), /^metric f1, planned was accuracy/],
    ["another test", { test: "sign" as const }, data(200, 30, 10), /^test sign, planned was mcnemar-exact/],
    ["another error rate", { alpha: 0.1 }, data(200, 30, 10), /^alpha 0.1, planned was 0.05/],
    ["a margin", { margin: 0.2 }, data(200, 30, 10), /^margin 0.2, none was planned/],
    ["extra items", {}, data(203, 30, 10), /3 items are not in the locked list/],
    ["items missing", {}, data(190, 30, 10), /10 items of the locked list are missing/],
    ["a look that was not planned", { look: 2 }, data(200, 30, 10), /look 2, and no looks were planned/],
  ])("lists %s", (_name, change, table, message) => {
    const { deviations } = followed(followPlan(table, { ...columns, plan: PLAN, lock: LOCK, ...change }));
    expect(deviations.some((text) => message.test(text))).toBe(true);
  });

  it("lists a look beyond the planned ones, and one that is not named", () => {
    const lock = lockPlan(LOOKS);
    expect(
      followed(followPlan(data(200, 30, 10), { ...columns, plan: LOOKS, lock, look: 3 })).deviations.join(),
    ).toMatch(/look 3, and 2 were planned/);
    expect(followed(followPlan(data(100, 15, 5), { ...columns, plan: LOOKS, lock })).deviations.join()).toMatch(
      /not named/,
    );
  });

  it("holds the verdict of a look against its bound, with stagewise p and a smaller estimate", () => {
    const lock = lockPlan(LOOKS);
    // p = .014 at half of the items: below .05, above the first bound of .0031
    const open = followPlan(data(100, 20, 7), { ...columns, plan: LOOKS, lock, look: 1 });
    expect(open.main.p).toBeLessThan(0.05);
    expect(open.main.verdict).toBe("INCONCLUSIVE");
    expect(followed(open)).toMatchObject({ deviations: [], look: { decision: "continue", rejected: false } });
    const early = followPlan(data(100, 30, 3), { ...columns, plan: LOOKS, lock, look: 1 });
    expect(early.main.verdict).toBe("BETTER");
    const { look } = followed(early);
    expect(look).toMatchObject({ decision: "stop", rejected: true });
    expect(look!.estimate).toBeLessThanOrEqual(early.main.difference + 1e-9);
    const final = followPlan(data(200, 35, 22), { ...columns, plan: LOOKS, lock, look: 2 });
    expect(followed(final)).toMatchObject({ look: { decision: "stop", rejected: false } });
  });
});

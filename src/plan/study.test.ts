/** Plans of human evaluations from the file to the verdict: power that is promised and power that studies have, lists that raters fill. */
import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, selectRows, type Table, withColumn } from "../data/table.ts";
import { makeRng } from "../numeric/rng.ts";
import { likertFamily } from "../power/scenarios/likert.ts";
import { ordinalFamily } from "../power/scenarios/ordinal.ts";
import { simulatePower } from "../power/simulate.ts";
import { checkPlan, showPlan } from "./check.ts";
import { followPlan } from "./follow.ts";
import { listRatings, type RatingTask } from "./lists.ts";
import { type EvaluationPlan, lockPlan, readPlan } from "./plan.ts";
import { drawStudy, levelOfPair, simulateStudies } from "./study.ts";

const HEAD = "systems: [base, new]\nmetric: rating\nhigher-is-better: true\n";
const plan = (text: string, head = HEAD): EvaluationPlan => readPlan(`${head}${text}`, "plan.yaml");
const CARD = plan("items: 40\nsmallest-effect: 0.2\nratings: { raters: 8 }\nexpected: { setting: card-high }\n");

describe("power of a plan with raters", () => {
  it.each([
    ["crossed", { items: 40, raters: 8 }, "items: 40\nsmallest-effect: 0.25\nratings: { raters: 8 }\n"],
    [
      "3 of 9",
      { items: 45, raters: 9, ratings: 3 },
      "items: 45\nsmallest-effect: 0.25\nratings: { raters: 9, per-item: 3 }\n",
    ],
  ] as const)("likert, %s: that of `power likert`", async (_name, design, text) => {
    const own = plan(`${text}expected: { setting: card-high }\n`);
    const params = { ...design, effect: 0.25, setting: "card-high" };
    const scenario = await simulatePower(likertFamily, params, { rng: makeRng(2), replicates: 400 });
    const studies = simulateStudies(own, { studies: 80, rng: makeRng(3) });
    expect(studies.failed).toBe(0);
    expect(Math.abs(studies.power - scenario.power)).toBeLessThan(4 * Math.hypot(studies.se, scenario.se));
  });

  it("ordinal: that of the linear model of `power ordinal`, which decides", async () => {
    const own = plan(
      "items: 40\nsmallest-effect: 0.9\nratings: { raters: 8 }\nexpected: { setting: howcroft-general }\n",
    );
    const params = { items: 40, raters: 8, effect: 0.9, setting: "howcroft-general", analysis: "lmm" };
    const scenario = await simulatePower(ordinalFamily, params, { rng: makeRng(2), replicates: 200 });
    const studies = simulateStudies(own, { studies: 80, rng: makeRng(3) });
    expect(Math.abs(studies.power - scenario.power)).toBeLessThan(4 * Math.hypot(studies.se, scenario.se));
  });

  it("is reported with its standard error, low, middle and high, and what more raters would do", () => {
    const spread = "{ rater-intercept: 0, rater-slope: 0.1, item-intercept: 0, item-slope: 0.1, residual: 0.2 }";
    const low = spread.replace("0.1, item-i", "0.02, item-i");
    const own = plan(
      `items: 30\nsmallest-effect: 0.2\nratings: { raters: 5 }\nexpected: { ${spread.slice(1, -1)}, low: ${low} }\n`,
    );
    const { study, power, needed } = checkPlan(own, undefined, { studies: 60, rng: makeRng(4) });
    expect(study!.settings!.map(({ name }) => name)).toEqual(["low", "middle"]);
    expect(study!.settings![0]!.power).toBeGreaterThan(power);
    expect(study!.settings![1]!.se).toBeCloseTo(Math.sqrt((power * (1 - power)) / 60), 12);
    // the raters' own differences stay, however many items there are
    expect(needed).toBe(Number.POSITIVE_INFINITY);
    expect(study!.raters).toBeGreaterThan(5);
    expect(study!.total).toBe(300);
  });

  it("of three systems counts all pairs, at the level that one of them has", () => {
    const three = HEAD.replace("new]", "new, other]");
    const text = "items: 20\nsmallest-effect: 0.3\nratings: { raters: 5 }\nexpected: { setting: card-low }\n";
    // Dunnett's for two systems against one, many df (mvtnorm): 2.21218, two-sided level .026954
    expect(levelOfPair(plan(text, three), Number.POSITIVE_INFINITY) / 0.026954).toBeCloseTo(1, 2);
    expect(levelOfPair(plan(`${text}correction: holm\n`, three), Number.POSITIVE_INFINITY)).toBeCloseTo(0.025, 12);
    // Tukey's for three means and many df: q(.95; 3, ∞)/√2 = 2.3437, two-sided level .0191
    expect(levelOfPair(plan(`${text}pairs: all\n`, three), Number.POSITIVE_INFINITY)).toBeCloseTo(0.0191, 4);
    const shown = String(checkPlan(plan(text, three), undefined, { studies: 20, rng: makeRng(1) }));
    expect(shown.replace(/\s+/g, " ")).toMatch(/2 pairs \(each system against base\), p adjusted by max-T/);
  });

  it("is unknown where standard deviations are missing, all of which are named", () => {
    const { power, diagnostics } = checkPlan(plan("items: 30\nsmallest-effect: 0.2\nratings: { raters: 5 }\n"));
    expect(power).toBeNaN();
    const told = diagnostics.map(({ message }) => message).join(" ");
    for (const name of ["rater-intercept", "rater-slope", "item-intercept", "item-slope", "residual"])
      expect(told).toContain(`expected.${name}`);
  });

  it("is unknown where raters are named and not counted", () => {
    const own = plan("items: 50\nsmallest-effect: 0.2\nrater: worker\nexpected: { sd: 0.4 }\n");
    const { power, diagnostics } = checkPlan(own);
    expect(power).toBeNaN();
    expect(diagnostics.map(({ message }) => message).join()).toMatch(
      /names raters \(worker\) and does not say how many/,
    );
  });

  it.each([
    ["test: t", /test t with ratings: raters are compared by a mixed model/],
    ["cluster: doc", /cluster with ratings/],
    ["repeats: 2", /repeats with ratings/],
    ["looks: { at: [0.5, 1] }", /looks with ratings/],
  ])("%s is refused", (line, message) => {
    const text = "items: 30\nsmallest-effect: 0.2\nratings: { raters: 5 }\n";
    expect(() => plan(`${text}${line}\n`)).toThrow(message);
  });

  it.each([
    ["ratings: { raters: 5 }\nexpected: { sd: 0.2 }", /expected\.sd with ratings: it knows nothing of rater/],
    ["expected: { rater-slope: 0.2 }", /expected\.raterSlope without ratings/],
    ["ratings: { raters: 5, checks: 1 }", /ratings\.checks without ratings\.points/],
    ["ratings: { raters: 5, points: 5, checks: 1, exclude: 2 }", /ratings\.exclude 2 with 1 attention checks/],
    [
      "ratings: { raters: 5, per-item: 3, design: crossed }",
      /3 ratings of an item by 5 raters who all rate everything/,
    ],
    ["ratings: { per-item: 3 }", /missing is raters/],
  ])("%s is refused", (line, message) => {
    expect(() => plan(`items: 30\nsmallest-effect: 0.2\n${line}\n`)).toThrow(message);
  });
});

/** The lists as a table, filled: ratings of a study, checks answered right but by those who fail. */
function fill(own: EvaluationPlan, tasks: readonly RatingTask[], failing: readonly string[] = []): Table {
  const drawn = drawStudy(own, tasks, { rng: makeRng(9) }).columns.get("rating")!;
  let next = 0;
  const ratings = tasks.map(({ system, check, rater }) =>
    system === "" ? (failing.includes(rater) ? -1 : check) : (drawn as { values: Float64Array }).values[next++]!,
  );
  return makeTable([
    ["id", factorColumn(tasks.map(({ id }) => id))],
    ["rater", factorColumn(tasks.map(({ rater }) => rater))],
    ["item", factorColumn(tasks.map(({ item }) => item))],
    ["system", factorColumn(tasks.map(({ system }) => system))],
    ["check", numericColumn(Float64Array.from(tasks, ({ check }) => check))],
    ["rating", numericColumn(Float64Array.from(ratings))],
  ]);
}

const deviationsOf = (result: object): string[] =>
  (result as { toJSON(): { plan: { deviations: string[] } } }).toJSON().plan.deviations;

describe("lists that raters filled", () => {
  const own = plan(
    "items: 24\nsmallest-effect: 0.4\nratings: { raters: 6, points: 5, checks: 2, exclude: 1 }\nexpected: { setting: card-low }\n",
  );
  const ids = Array.from({ length: 24 }, (_, i) => `q${i}`);
  const { tasks } = listRatings(own, ids, makeRng(5));
  const lock = lockPlan(own, ids);

  it("are compared as planned, without deviation", () => {
    const result = followPlan(fill(own, tasks), { plan: own, lock });
    expect(deviationsOf(result)).toEqual([]);
    expect(result.main.verdict).toBe("BETTER");
    expect(result.n).toBe(24);
    expect(result.repeated.find(({ facet }) => facet === "raters")!.levels).toBe(6);
  });

  it("without the systems are joined with the key", () => {
    const filled = fill(own, tasks);
    const blind = makeTable([...filled.columns].filter(([name]) => ["id", "rating"].includes(name)));
    const joined = followPlan(blind, { plan: own, lock, key: filled });
    expect(joined.main.p).toBe(followPlan(filled, { plan: own, lock }).main.p);
    expect(deviationsOf(joined)).toEqual([]);
    expect(() => followPlan(blind, { plan: own, lock })).toThrow(/the lists have no column "item"/);
  });

  it("leave out who failed a check, and say so; without the rule it is a deviation", () => {
    const filled = fill(own, tasks, ["rater-2"]);
    const result = followPlan(filled, { plan: own, lock });
    expect(result.repeated.find(({ facet }) => facet === "raters")!.levels).toBe(5);
    expect(deviationsOf(result)).toEqual([]);
    expect(result.diagnostics.map(({ message }) => message).join(" ")).toMatch(
      /rater-2 failed an attention check and is left out, as planned/,
    );
    const lenient = { ...own, ratings: { ...own.ratings!, exclude: undefined } };
    expect(deviationsOf(followPlan(filled, { plan: lenient })).join()).toMatch(
      /rater-2 failed attention checks, and the plan leaves nobody out/,
    );
  });

  it("that are not all filled, or have other rows, deviate", () => {
    const filled = fill(own, tasks);
    const some = (filled.columns.get("rating") as { values: Float64Array }).values.map((v, k) =>
      k % 53 === 7 ? Number.NaN : v,
    );
    const open = followPlan(withColumn(filled, "rating", numericColumn(some)), { plan: own, lock });
    expect(deviationsOf(open).join()).toMatch(/of 288 texts have no rating \(rater-/);
    const five = selectRows(filled, (row) => tasks[row]!.rater !== "rater-6");
    expect(deviationsOf(followPlan(five, { plan: own, lock })).join()).toMatch(/5 raters, planned were 6/);
    const strange = withColumn(filled, "id", factorColumn(tasks.map(({ id }, k) => (k === 0 ? "x1" : id))));
    expect(deviationsOf(followPlan(strange, { plan: own, lock, key: filled })).join()).toMatch(
      /1 rows are not of the lists \(x1\)/,
    );
  });
});

it("a preregistration says who is left out, the model, the adjustment and when collecting ends", () => {
  const { preregistration } = showPlan(CARD);
  const text = preregistration.join(" ");
  for (const part of [
    /8 raters \(rater\) give 8 ratings of each item under each system, 640 in all/,
    /linear mixed model decides/,
    /No rater, item or rating is left out\./,
    /Collecting ends when all lists are filled, whatever the results are\./,
  ])
    expect(text).toMatch(part);
  const own = plan(
    "items: 30\nsmallest-effect: 0.2\nexclusions: Raters who are not fluent are left out\nstopping: Collecting ends in May\n",
  );
  expect(showPlan(own).preregistration.join(" ")).toMatch(/not fluent are left out\. Collecting ends in May\.$/);
});

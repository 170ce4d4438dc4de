/** A name that a function of the library does not know changes nothing, so it is refused and the nearest option is named. */
import { expect, it } from "vitest";
import {
  auditValidity,
  bootstrapIntervals,
  correctJudge,
  effectSizes,
  factorColumn,
  fitLm,
  fitLmm,
  makeRng,
  makeTable,
  marginalMeans,
  measureAgreement,
  measureBudget,
  measureImportance,
  measureReliability,
  modelLabels,
  numericColumn,
  planWithoutPrior,
  predict,
  profile,
  score,
  surveyClaims,
  testCircularity,
  testInvariance,
  testNestedFormulas,
  testTotals,
  validateMetrics,
} from "../src/index.ts";

const table = makeTable([
  ["y", numericColumn([1, 2, 4, 3, 5, 4, 6, 8])],
  ["item", factorColumn([..."aabbccdd"])],
  ["system", factorColumn([..."xyxyxyxy"])],
]);
const fit = fitLm("y ~ system", table);
const mixed = fitLmm("y ~ system + (1 | item)", table);
type Call = (options: object) => unknown;
/** As a script without types calls it. */
const untyped = (call: unknown) => call as (...args: readonly unknown[]) => unknown;

const calls: readonly (readonly [string, Call])[] = [
  ["fitLmm", (own) => untyped(fitLmm)("y ~ system + (1 | item)", table, own)],
  ["marginalMeans", (own) => untyped(marginalMeans)(fit, own)],
  ["effectSizes", (own) => untyped(effectSizes)(fit, own)],
  ["measureAgreement", (own) => untyped(measureAgreement)(table, own)],
  ["modelLabels", (own) => untyped(modelLabels)(table, own)],
  ["measureReliability", (own) => untyped(measureReliability)(table, own)],
  ["measureImportance", (own) => untyped(measureImportance)(table, own)],
  ["measureBudget", (own) => untyped(measureBudget)(table, own)],
  ["score", (own) => untyped(score)(table, own)],
  ["testTotals", (own) => untyped(testTotals)(table, own)],
  ["validateMetrics", (own) => untyped(validateMetrics)(table, own)],
  ["correctJudge", (own) => untyped(correctJudge)(table, own)],
  ["surveyClaims", (own) => untyped(surveyClaims)(table, own)],
  ["testCircularity", (own) => untyped(testCircularity)(table, own)],
  ["testInvariance", (own) => untyped(testInvariance)(table, table, own)],
  ["auditValidity", (own) => untyped(auditValidity)(table, own)],
  ["planWithoutPrior", (own) => untyped(planWithoutPrior)(own)],
  ["bootstrapIntervals", (own) => untyped(bootstrapIntervals)(mixed, makeRng("1"), own)],
  ["profile", (own) => untyped(profile)(mixed, own)],
  ["predict", (own) => untyped(predict)(fit, table, own)],
  ["testNestedFormulas", (own) => untyped(testNestedFormulas)(["y ~ 1", "y ~ system"], table, own)],
];

it.each(calls)("%s refuses an option that it does not have", async (name, call) => {
  const run = async (): Promise<unknown> => call({ confidenec: 0.9 });
  await expect(run()).rejects.toMatchObject({ code: "UnknownOption" });
  await expect(run()).rejects.toThrow(`there is no option \`confidenec\` of `);
  expect(name).not.toBe("");
});

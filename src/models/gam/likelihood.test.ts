import { describe, expect, it } from "vitest";
import { FAMILIES, type PlainFamilyName } from "../family.ts";
import { LINKS, type LinkName } from "../link.ts";
import { evaluateRows, makeRowState } from "./likelihood.ts";

const CASES: readonly (readonly [PlainFamilyName, LinkName, readonly number[], readonly number[]])[] = [
  ["gaussian", "log", [0.4, 2.5], [-1, 0.3, 2]],
  ["binomial", "logit", [0, 1, 0.3], [-6, -2, 0.1, 3, 6]],
  ["binomial", "probit", [0, 1, 0.3], [-3.5, -2, 0.1, 3, 3.5]],
  ["binomial", "cloglog", [0, 1, 0.3], [-8, -2, 0.1, 1.5]],
  ["poisson", "log", [0, 1, 7], [-3, 0.2, 2]],
  ["poisson", "identity", [0, 1, 7], [0.3, 2, 9]],
];
const STEP = 1e-5;

describe("derivatives of the log-likelihood by the linear predictor", () => {
  for (const [family, link, responses, predictors] of CASES) {
    it(`${family}, ${link}`, () => {
      for (const y of responses) {
        for (const eta of predictors) {
          const response = {
            family: FAMILIES[family],
            link: LINKS[link],
            y: Float64Array.of(y),
            weights: Float64Array.of(1),
          };
          const at = (place: number) => {
            const state = makeRowState(response);
            state.eta[0] = place;
            return { deviance: evaluateRows(state, response), state };
          };
          const [up, down, here] = [at(eta + STEP), at(eta - STEP), at(eta)];
          const change = (pick: (row: typeof up) => number): number => (pick(up) - pick(down)) / (2 * STEP);
          const near = (ours: number, theirs: number): void => {
            const scale = Math.max(Math.abs(ours), Math.abs(theirs), 1e-4);
            expect(Math.abs(ours - theirs) / scale, `y ${y}, eta ${eta}: ${ours} for ${theirs}`).toBeLessThan(1e-5);
          };
          near(here.state.score[0]!, -0.5 * change(({ deviance }) => deviance));
          near(here.state.weight[0]!, -change(({ state }) => state.score[0]!));
          near(
            here.state.slope[0]!,
            change(({ state }) => state.weight[0]!),
          );
          near(
            here.state.curve[0]!,
            change(({ state }) => state.slope[0]!),
          );
          near(
            here.state.fisherSlope[0]!,
            change(({ state }) => state.fisher[0]!),
          );
          near(
            here.state.fisherCurve[0]!,
            change(({ state }) => state.fisherSlope[0]!),
          );
          const slope = LINKS[link].slope(eta);
          const variance = FAMILIES[family].variance(LINKS[link].mu(eta), LINKS[link].complement(eta));
          near(here.state.fisher[0]!, (slope * slope) / variance);
        }
      }
    });
  }
});

/** Bradley-Terry abilities from pairwise wins:  P(i beats j) = 1/(1 + e^(λ_j - λ_i)),  λ = 0 for the reference.
 *  Maximum likelihood by Newton's method; standard errors from the information. A tie counts as half a win for each side.
 *  Reference: Bradley & Terry (1952), Biometrika 39; Hunter (2004), Ann. Stat. 32 (when the estimate exists).
 *  Oracle:    BradleyTerry2 (R), oracle/reference/classical.json — 1e-8.
 *  Limits:    players that won, or lost, everything against the others have no finite ability: an error names them. Battles are taken as
 *             independent; repeated raters or prompts call for a mixed model. */

import type { FieldsOf } from "../models/fit.ts";
import { chiSquareSf } from "../numeric/dist/chi-square.ts";
import { normalQuantileUpper, normalSf } from "../numeric/dist/normal.ts";
import { cholesky, cholInverse, cholSolve } from "../numeric/linalg/cholesky.ts";
import type { Matrix } from "../numeric/linalg/matrix.ts";
import { logFactorial } from "../numeric/special/gamma.ts";
import type { Display } from "../result/display.ts";
import { StatError } from "../result/error.ts";
import { Fingerprint } from "../result/fingerprint.ts";
import { type Estimate, type JsonOf, makeResult, type Result } from "../result/result.ts";
import { GOSSET_VERSION } from "../result/version.ts";

/** Two players' battles. */
export interface Battles {
  readonly first: string;
  readonly second: string;
  readonly winsFirst: number;
  readonly winsSecond: number;
}

export interface BradleyTerryFit extends Result<"bradley-terry"> {
  /** In order of name; the reference has ability 0. */
  readonly abilities: readonly Estimate[];
  readonly reference: string;
  /** Covariance of all abilities, the reference's row 0. */
  readonly vcov: Matrix;
  readonly logLik: number;
  readonly deviance: number;
  readonly residualDf: number;
  /** All abilities equal? */
  readonly test: { readonly chisq: number; readonly df: number; readonly p: number };
  readonly iterations: number;
}

const MOST_ITERATIONS = 100;
const CONVERGED = 1e-12;

export function fitBradleyTerry(
  battles: readonly Battles[],
  options: { readonly reference?: string; readonly confidence?: number } = {},
): BradleyTerryFit {
  const { confidence = 0.95 } = options;
  const players = [...new Set(battles.flatMap(({ first, second }) => [first, second]))].sort();
  const reference = options.reference ?? players[0] ?? "";
  const index = new Map(players.map((player, i) => [player, i]));
  if (players.length < 2) throw new StatError("TooFew", "battles of fewer than two players.", "give at least two.");
  if (!index.has(reference))
    throw new StatError("UnknownPlayer", `no player "${reference}".`, `choose one of ${players.join(", ")}.`);
  checkConnected(battles, players);
  const free = players.map((_, i) => i).filter((i) => players[i] !== reference);
  const { lambda, covariance, iterations } = newton(battles, index, free);
  const k = players.length;
  const vcov: Matrix = { rows: k, cols: k, data: new Float64Array(k * k) };
  for (const [a, i] of free.entries()) {
    for (const [b, j] of free.entries()) vcov.data[i + j * k] = covariance.data[a + b * free.length]!;
  }
  const { logLik, deviance, nullDeviance } = likelihood(battles, index, lambda);
  const chisq = nullDeviance - deviance;
  const z = normalQuantileUpper((1 - confidence) / 2);
  const hash = new Fingerprint();
  for (const { first, second, winsFirst, winsSecond } of battles)
    hash.update(first).update(second).update(Float64Array.of(winsFirst, winsSecond));
  const fields: FieldsOf<BradleyTerryFit> = {
    signature: {
      method: "bradley-terry",
      version: GOSSET_VERSION,
      options: { reference, confidence },
      data: hash.digest(),
    },
    diagnostics: [],
    abilities: players.map((name, i) => {
      const se = Math.sqrt(vcov.data[i + i * k]!);
      const value = lambda[i]!;
      const statistic = value / se;
      const p = Math.min(1, 2 * normalSf(Math.abs(statistic)));
      return {
        name,
        value,
        se,
        df: Number.POSITIVE_INFINITY,
        statistic,
        p,
        lower: value - z * se,
        upper: value + z * se,
      };
    }),
    reference,
    vcov,
    logLik,
    deviance,
    residualDf: battles.length - free.length,
    test: { chisq, df: free.length, p: chiSquareSf(Math.max(0, chisq), free.length) },
    iterations,
  };
  return makeResult("bradley-terry", fields, displayAbilities);
}

/** The estimate exists if from every player a chain of wins leads to every other. */
function checkConnected(battles: readonly Battles[], players: readonly string[]): void {
  for (const { first, second, winsFirst, winsSecond } of battles) {
    if (first === second || !(winsFirst >= 0) || !(winsSecond >= 0)) {
      throw new StatError(
        "BadBattle",
        `${first} against ${second}: ${winsFirst} and ${winsSecond} wins.`,
        "give two players and counts of wins.",
      );
    }
  }
  for (const forwards of [true, false]) {
    const seen = new Set([players[0]!]);
    for (let grown = true; grown; ) {
      grown = false;
      for (const { first, second, winsFirst, winsSecond } of battles) {
        const [a, b] = forwards ? [winsFirst, winsSecond] : [winsSecond, winsFirst];
        if (a > 0 && seen.has(first) && !seen.has(second)) grown = seen.add(second).size > 0;
        if (b > 0 && seen.has(second) && !seen.has(first)) grown = seen.add(first).size > 0;
      }
    }
    const missing = players.filter((player) => !seen.has(player));
    if (missing.length === 0) continue;
    const [winners, losers] = forwards ? [missing, [...seen]] : [[...seen], missing];
    throw new StatError(
      "NoFiniteAbility",
      `${losers.join(", ")} never won against ${winners.join(", ")}: abilities are not finite.`,
      "leave these players out or collect more battles between them.",
    );
  }
}

function newton(battles: readonly Battles[], index: ReadonlyMap<string, number>, free: readonly number[]) {
  const lambda = new Float64Array(index.size);
  const place = new Map(free.map((player, a) => [player, a]));
  const m = free.length;
  for (let iterations = 1; ; iterations++) {
    const gradient = new Float64Array(m);
    const information: Matrix = { rows: m, cols: m, data: new Float64Array(m * m) };
    for (const { first, second, winsFirst, winsSecond } of battles) {
      const [i, j] = [index.get(first)!, index.get(second)!];
      const n = winsFirst + winsSecond;
      const p = 1 / (1 + Math.exp(lambda[j]! - lambda[i]!));
      const [a, b] = [place.get(i), place.get(j)];
      const weight = n * p * (1 - p);
      if (a !== undefined) {
        gradient[a]! += winsFirst - n * p;
        information.data[a + a * m]! += weight;
      }
      if (b !== undefined) {
        gradient[b]! -= winsFirst - n * p;
        information.data[b + b * m]! += weight;
      }
      if (a !== undefined && b !== undefined) {
        information.data[a + b * m]! -= weight;
        information.data[b + a * m]! -= weight;
      }
    }
    const L = cholesky(information);
    if (!L || iterations > MOST_ITERATIONS) {
      throw new StatError(
        "NotConverged",
        "the abilities did not settle.",
        "check that wins are spread over all players.",
      );
    }
    const step = cholSolve(L, gradient);
    let size = 0;
    for (const s of step) size = Math.max(size, Math.abs(s));
    if (size < CONVERGED) return { lambda, covariance: cholInverse(L), iterations };
    // a long first step of a lopsided table overshoots
    const damp = Math.min(1, LONGEST_STEP / size);
    free.forEach((player, a) => {
      lambda[player]! += damp * step[a]!;
    });
  }
}

/** On the logit scale. */
const LONGEST_STEP = 3;

function likelihood(battles: readonly Battles[], index: ReadonlyMap<string, number>, lambda: Float64Array) {
  let logLik = 0;
  let deviance = 0;
  let nullDeviance = 0;
  for (const { first, second, winsFirst: a, winsSecond: b } of battles) {
    const gap = lambda[index.get(first)!]! - lambda[index.get(second)!]!;
    const n = a + b;
    const own = -a * Math.log1p(Math.exp(-gap)) - b * Math.log1p(Math.exp(gap));
    const saturated = (a > 0 ? a * Math.log(a / n) : 0) + (b > 0 ? b * Math.log(b / n) : 0);
    logLik += own + logFactorial(n) - logFactorial(a) - logFactorial(b);
    deviance += 2 * (saturated - own);
    nullDeviance += 2 * (saturated + n * Math.LN2);
  }
  return { logLik, deviance, nullDeviance };
}

function displayAbilities({ abilities, reference, test, deviance, residualDf }: FieldsOf<BradleyTerryFit>): Display {
  return {
    title: "Bradley-Terry abilities",
    summary: [`On the logit scale; ${reference} = 0.`],
    tables: [
      {
        head: ["player", "ability", "SE", "from", "to"],
        rows: [...abilities].sort((a, b) => b.value - a.value).map((a) => [a.name, a.value, a.se, a.lower, a.upper]),
      },
      {
        head: ["all equal?", "chi-square", "df", "p"],
        formats: ["text", "statistic", "df", "p"],
        rows: [
          ["likelihood ratio", test.chisq, test.df, test.p],
          ["fit of the model", deviance, residualDf, residualDf > 0 ? chiSquareSf(deviance, residualDf) : Number.NaN],
        ],
      },
    ],
    notes: [],
  };
}

export type BradleyTerryJson = JsonOf<BradleyTerryFit>;

/** Bradley-Terry abilities from pairwise wins, with d = λ_1 - λ_2 + δ, side 1 shown first, λ = 0 for the reference:
 *      half         P(1) = 1/(1 + e^-d);  a tie counts as half a win for each side
 *      davidson     P(1), P(2), P(tie) in proportion to e^(d/2), e^(-d/2), ν
 *      rao-kupper   P(1) = 1/(1 + θ e^-d),  P(2) = 1/(1 + θ e^d),  P(tie) the rest
 *  Maximum likelihood by Newton's method; standard errors from the observed information, or clustered by what the votes share:
 *      V = H⁻¹ (Σ_g s_g s_g') H⁻¹ G/(G-1),   s_g the scores of group g summed;   two groupings: V_1 + V_2 - V_12
 *  Reference: Bradley & Terry (1952), Biometrika 39; Davidson (1970), J. Am. Stat. Assoc. 65; Rao & Kupper (1967), J. Am. Stat. Assoc. 62;
 *             Hunter (2004), Ann. Stat. 32 (when the estimate exists); Cameron, Gelbach & Miller (2011), J. Bus. Econ. Stat. 29 (two groupings).
 *  Oracle:    BradleyTerry2 (R), oracle/reference/classical.json; oracle/next/bradley-terry.json (ties, order, robust errors) — 1e-7.
 *  Limits:    players that won, or lost, everything against the others have no finite ability: an error names them. */

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
  readonly ties?: number | undefined;
}

export const TIE_MODELS = ["half", "davidson", "rao-kupper"] as const;
export type TieModel = (typeof TIE_MODELS)[number];

export interface BradleyTerryOptions {
  readonly reference?: string | undefined;
  readonly confidence?: number | undefined;
  /** Default: half a win for each side. */
  readonly ties?: TieModel | undefined;
  /** Whether the side that is shown first has an advantage δ of its own; default false. */
  readonly order?: boolean | undefined;
}

export interface BradleyTerryFit extends Result<"bradley-terry"> {
  /** In order of name; the reference has ability 0. */
  readonly abilities: readonly Estimate[];
  readonly reference: string;
  /** log ν, or log θ, of a model of ties; and the advantage δ of the first side. */
  readonly parameters: readonly Estimate[];
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

export function fitBradleyTerry(battles: readonly Battles[], options: BradleyTerryOptions = {}): BradleyTerryFit {
  const { confidence = 0.95, ties = "half", order = false } = options;
  const players = [...new Set(battles.flatMap(({ first, second }) => [first, second]))].sort();
  const reference = options.reference ?? players[0] ?? "";
  const index = new Map(players.map((player, i) => [player, i]));
  if (players.length < 2) throw new StatError("TooFew", "battles of fewer than two players.", "give at least two.");
  if (!index.has(reference))
    throw new StatError("UnknownPlayer", `no player "${reference}".`, `choose one of ${players.join(", ")}.`);
  checkConnected(battles, players);
  const cells = battles.map(({ first, second, winsFirst, winsSecond, ties: drawn = 0 }) => ({
    first: index.get(first)!,
    second: index.get(second)!,
    counts: [winsFirst, winsSecond, drawn] as const,
  }));
  const model = { players: players.length, reference: index.get(reference)!, ties, order };
  const own = solveVotes(cells, model);
  const none = solveVotes(cells, { ...model, equal: true });
  const k = players.length;
  const vcov: Matrix = { rows: k, cols: k, data: new Float64Array(k * k) };
  for (let i = 0; i < k; i++) for (let j = 0; j < k; j++) vcov.data[i + j * k] = covarianceAt(own, i, j);
  const z = normalQuantileUpper((1 - confidence) / 2);
  const estimate = (name: string, value: number, variance: number): Estimate => {
    const se = Math.sqrt(variance);
    const p = Math.min(1, 2 * normalSf(Math.abs(value / se)));
    return {
      ...{ name, value, se, df: Number.POSITIVE_INFINITY, statistic: value / se, p },
      ...{ lower: value - z * se, upper: value + z * se },
    };
  };
  const hash = new Fingerprint();
  for (const { first, second, winsFirst, winsSecond, ties: drawn = 0 } of battles)
    hash
      .update(first)
      .update(second)
      .update(drawn === 0 ? Float64Array.of(winsFirst, winsSecond) : Float64Array.of(winsFirst, winsSecond, drawn));
  const chisq = 2 * (own.logLik - none.logLik);
  const { deviance, constant } = saturated(cells, own, model);
  const df = k - 1;
  const fields: FieldsOf<BradleyTerryFit> = {
    signature: {
      method: "bradley-terry",
      version: GOSSET_VERSION,
      options: { reference, confidence, ...(ties === "half" ? {} : { ties }), ...(order ? { order } : {}) },
      data: hash.digest(),
    },
    diagnostics: [],
    abilities: players.map((name, i) => estimate(name, own.abilities[i]!, vcov.data[i + i * k]!)),
    reference,
    parameters: [
      ...(own.tieAt < 0
        ? []
        : [estimate(ties === "davidson" ? "log nu" : "log theta", own.tie, covarianceAt(own, own.tieAt, own.tieAt))]),
      ...(own.orderAt < 0 ? [] : [estimate("order", own.order, covarianceAt(own, own.orderAt, own.orderAt))]),
    ],
    vcov,
    logLik: own.logLik + constant,
    deviance,
    residualDf: battles.length * (ties === "half" ? 1 : 2) - own.free,
    test: { chisq, df, p: chiSquareSf(Math.max(0, chisq), df) },
    iterations: own.iterations,
  };
  return makeResult("bradley-terry", fields, displayAbilities);
}

/** Votes of two players by their numbers: wins of the first, of the second, ties. */
export interface VoteCell {
  readonly first: number;
  readonly second: number;
  readonly counts: readonly [winsFirst: number, winsSecond: number, ties: number];
}

export interface VoteModel {
  readonly players: number;
  readonly reference: number;
  readonly ties: TieModel;
  readonly order: boolean;
  /** All abilities are 0. */
  readonly equal?: boolean;
}

export interface SolvedVotes {
  readonly abilities: Float64Array;
  readonly tie: number;
  readonly order: number;
  /** Place of each player among the free parameters, -1 of the reference; then those of the tie and of the order. */
  readonly places: Int32Array;
  /** As numbers behind those of the players; -1 where there is none. */
  readonly tieAt: number;
  readonly orderAt: number;
  /** Inverse of the observed information of the free parameters. */
  readonly covariance: Matrix;
  readonly free: number;
  readonly logLik: number;
  readonly iterations: number;
}

const covarianceAt = ({ places, covariance, free }: SolvedVotes, i: number, j: number): number =>
  places[i]! < 0 || places[j]! < 0 ? 0 : covariance.data[places[i]! + places[j]! * free]!;

/** log P of an outcome (0 the first wins, 1 the second, 2 a tie), its derivatives by d and τ, and the second ones. */
interface Outcome {
  readonly log: number;
  readonly d: number;
  readonly t: number;
  readonly dd: number;
  readonly dt: number;
  readonly tt: number;
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
const logSigmoid = (x: number): number => (x < 0 ? x - Math.log1p(Math.exp(x)) : -Math.log1p(Math.exp(-x)));

export function outcomesOf(ties: TieModel, d: number, tau: number): readonly [Outcome, Outcome, Outcome] {
  if (ties === "half") {
    const p = sigmoid(d);
    const [own, other] = [logSigmoid(d), logSigmoid(-d)];
    const none = { t: 0, dd: -p * (1 - p), dt: 0, tt: 0 };
    return [
      { log: own, d: 1 - p, ...none },
      { log: other, d: -p, ...none },
      { log: (own + other) / 2, d: 0.5 - p, ...none },
    ];
  }
  if (ties === "davidson") {
    const most = Math.max(Math.abs(d) / 2, tau);
    const parts = [d / 2, -d / 2, tau].map((u) => Math.exp(u - most));
    const sum = parts[0]! + parts[1]! + parts[2]!;
    const [p, q, r] = parts.map((part) => part / sum) as [number, number, number];
    const norm = most + Math.log(sum);
    const mean = (p - q) / 2;
    const second = { dd: -((p + q) / 4 - mean * mean), dt: mean * r, tt: -r * (1 - r) };
    return [
      { log: d / 2 - norm, d: 0.5 - mean, t: -r, ...second },
      { log: -d / 2 - norm, d: -0.5 - mean, t: -r, ...second },
      { log: tau - norm, d: -mean, t: 1 - r, ...second },
    ];
  }
  const [B, C] = [sigmoid(d - tau), sigmoid(-d - tau)];
  const [b, c] = [B * (1 - B), C * (1 - C)];
  const A = 1 - C;
  // P(tie) = A - B, whose derivatives by d + τ and d - τ are those of the two
  const tie = Math.max(Number.MIN_VALUE, A - B);
  const [gd, gt] = [(c - b) / tie, (c + b) / tie];
  const [a2, b2] = [c * (1 - 2 * A), b * (1 - 2 * B)];
  return [
    { log: logSigmoid(d - tau), d: 1 - B, t: -(1 - B), dd: -b, dt: b, tt: -b },
    { log: logSigmoid(-d - tau), d: -(1 - C), t: -(1 - C), dd: -c, dt: -c, tt: -c },
    {
      log: Math.log(tie),
      ...{ d: gd, t: gt },
      dd: (a2 - b2) / tie - gd * gd,
      dt: (a2 + b2) / tie - gd * gt,
      tt: (a2 - b2) / tie - gt * gt,
    },
  ];
}

export function solveVotes(cells: readonly VoteCell[], model: VoteModel): SolvedVotes {
  const { players, reference, ties, order, equal = false } = model;
  const places = new Int32Array(players + 2).fill(-1);
  let free = 0;
  for (let i = 0; i < players; i++) if (!equal && i !== reference) places[i] = free++;
  const [tieAt, orderAt] = [ties === "half" ? -1 : players, order ? players + 1 : -1];
  if (tieAt >= 0) places[tieAt] = free++;
  if (orderAt >= 0) places[orderAt] = free++;
  const abilities = new Float64Array(players);
  // θ = 1 has no ties at all
  let [tau, delta] = [ties === "rao-kupper" ? 0.5 : 0, 0];
  for (let iterations = 1; ; iterations++) {
    const gradient = new Float64Array(free);
    const information: Matrix = { rows: free, cols: free, data: new Float64Array(free * free) };
    let logLik = 0;
    for (const { first, second, counts } of cells) {
      const sides = [
        [places[first]!, 1, 0],
        [places[second]!, -1, 0],
        [places[players + 1]!, 1, 0],
        [places[players]!, 0, 1],
      ] as const;
      const d = abilities[first]! - abilities[second]! + delta;
      outcomesOf(ties, d, tau).forEach((own, outcome) => {
        const n = counts[outcome]!;
        if (n === 0) return;
        logLik += n * own.log;
        for (const [i, di, ti] of sides) {
          if (i < 0) continue;
          gradient[i]! += n * (own.d * di + own.t * ti);
          for (const [j, dj, tj] of sides)
            if (j >= 0)
              information.data[i + j * free]! -=
                n * (own.dd * di * dj + own.dt * (di * tj + ti * dj) + own.tt * ti * tj);
        }
      });
    }
    if (free === 0)
      return {
        abilities,
        tie: tau,
        order: delta,
        places,
        tieAt,
        orderAt,
        covariance: information,
        free,
        logLik,
        iterations,
      };
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
    if (size < CONVERGED)
      return {
        abilities,
        tie: tau,
        order: delta,
        places,
        tieAt,
        orderAt,
        covariance: cholInverse(L),
        free,
        logLik,
        iterations,
      };
    // a long first step of a lopsided table overshoots
    const damp = Math.min(1, LONGEST_STEP / size);
    for (let i = 0; i < players; i++) if (places[i]! >= 0) abilities[i]! += damp * step[places[i]!]!;
    if (tieAt >= 0) tau += damp * step[places[tieAt]!]!;
    if (orderAt >= 0) delta += damp * step[places[orderAt]!]!;
    // the threshold of Rao and Kupper is at least 1
    if (ties === "rao-kupper") tau = Math.max(tau, SMALLEST_THRESHOLD);
  }
}

const SMALLEST_THRESHOLD = 1e-4;

/** Of a table with a proportion of its own for each outcome of each pair; and what the orders of the votes add to the log likelihood. */
function saturated(cells: readonly VoteCell[], { logLik }: SolvedVotes, { ties }: VoteModel) {
  let [most, constant] = [0, 0];
  for (const { counts } of cells) {
    const [a, b, t] = ties === "half" ? [counts[0] + counts[2] / 2, counts[1] + counts[2] / 2, 0] : counts;
    const n = a + b + t;
    for (const own of [a, b, t]) if (own > 0) most += own * Math.log(own / n);
    constant += logFactorial(n) - logFactorial(a) - logFactorial(b) - logFactorial(t);
  }
  return { deviance: 2 * (most - logLik), constant };
}

/** The estimate exists if from every player a chain of wins leads to every other. */
function checkConnected(battles: readonly Battles[], players: readonly string[]): void {
  for (const { first, second, winsFirst, winsSecond, ties = 0 } of battles) {
    if (first === second || !(winsFirst >= 0) || !(winsSecond >= 0) || !(ties >= 0)) {
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
      for (const { first, second, winsFirst, winsSecond, ties = 0 } of battles) {
        const [a, b] = forwards ? [winsFirst + ties, winsSecond + ties] : [winsSecond + ties, winsFirst + ties];
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

/** On the logit scale. */
const LONGEST_STEP = 3;

function displayAbilities(fields: FieldsOf<BradleyTerryFit>): Display {
  const { abilities, reference, parameters, test, deviance, residualDf } = fields;
  return {
    title: "Bradley-Terry abilities",
    summary: [`On the logit scale; ${reference} = 0.`],
    tables: [
      {
        head: ["player", "ability", "SE", "from", "to"],
        rows: [...abilities].sort((a, b) => b.value - a.value).map((a) => [a.name, a.value, a.se, a.lower, a.upper]),
      },
      ...(parameters.length === 0
        ? []
        : [
            {
              head: ["parameter", "estimate", "SE", "from", "to"],
              rows: parameters.map((a) => [a.name, a.value, a.se, a.lower, a.upper]),
            },
          ]),
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

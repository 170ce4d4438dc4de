/** Dawid and Skene's model of labels: each item has one true class, each rater confuses classes in a way of their own.
 *      P(class k) = p_k,   P(rater r says l | class k) = π^r_kl,   labels independent given the class
 *      E   T_ik ∝ p_k Π_r Π_l (π^r_kl)^{n_irl}          n_irl: how often rater r gave item i the label l
 *      M   p_k = Σ_i T_ik / I,   π^r_kl = Σ_i T_ik n_irl / Σ_i T_ik n_ir·
 *  Starts from each item's label proportions and alternates until nothing changes; nothing is smoothed. The sampler draws class, shares and
 *  confusions in turn, with Jeffreys' prior Dirichlet(½, …, ½) on every distribution, from the maximum on. The likelihood does not know the
 *  classes' names, and where data are few a sampler wanders from one naming to another: each draw is named as it agrees best with the maximum.
 *  Reference: Dawid & Skene (1979), Appl. Stat. 28; Paun et al. (2018), Trans. ACL 6 (Gibbs sampling of the model); Marin, Mengersen & Robert
 *             (2005), Handb. Stat. 25 (naming by a pivot).
 *  Oracle:    oracle/reference/dawid-skene.json: the 1979 data and three others, posteriors to 1e-8; enumeration of all classes.
 *  Limits:    a local maximum near the majority vote; labels of one item are taken as independent given its class. */

import { gammaVariate } from "../../numeric/rng/gamma.ts";
import type { Rng } from "../../numeric/rng.ts";

/** Labels packed item by item: those of item i stand at start[i] … start[i + 1] - 1; repeats of a rater count. */
export interface Labels {
  readonly items: number;
  readonly raters: number;
  readonly classes: number;
  readonly start: Int32Array;
  readonly rater: Int32Array;
  readonly label: Int32Array;
}

export interface ClassModel {
  /** p_k */
  readonly prior: Float64Array;
  /** π^r_kl at (r K + k) K + l; NaN where no item of class k was seen by the rater. */
  readonly confusion: Float64Array;
  /** T_ik at i K + k. */
  readonly posterior: Float64Array;
  readonly logLik: number;
  readonly iterations: number;
  readonly converged: boolean;
}

/** Changes of a posterior below this are rounding. */
const STILL = 1e-15;
const MOST_ITERATIONS = 20_000;

export function fitClassModel(labels: Labels): ClassModel {
  const { items, classes: K, raters } = labels;
  let posterior = labelShares(labels);
  const prior = new Float64Array(K);
  const confusion = new Float64Array(raters * K * K);
  let [iterations, logLik, converged] = [0, Number.NEGATIVE_INFINITY, false];
  while (!converged && iterations < MOST_ITERATIONS) {
    maximiseInto(prior, confusion, labels, posterior);
    const next = new Float64Array(items * K);
    logLik = classProbabilitiesInto(next, labels, prior, confusion);
    let change = 0;
    for (let i = 0; i < next.length; i++) change = Math.max(change, Math.abs(next[i]! - posterior[i]!));
    posterior = next;
    iterations++;
    converged = change < STILL;
  }
  return { prior, confusion, posterior, logLik, iterations, converged };
}

function labelShares({ items, classes: K, start, label }: Labels): Float64Array {
  const shares = new Float64Array(items * K);
  for (let i = 0; i < items; i++) {
    const n = start[i + 1]! - start[i]!;
    for (let at = start[i]!; at < start[i + 1]!; at++) shares[i * K + label[at]!]! += 1 / n;
  }
  return shares;
}

/** Expected numbers of labels by rater, class and label. */
function countInto(
  counts: Float64Array,
  { items, classes: K, start, rater, label }: Labels,
  posterior: Float64Array,
): void {
  counts.fill(0);
  for (let i = 0; i < items; i++)
    for (let at = start[i]!; at < start[i + 1]!; at++)
      for (let k = 0; k < K; k++) counts[(rater[at]! * K + k) * K + label[at]!]! += posterior[i * K + k]!;
}

function maximiseInto(prior: Float64Array, confusion: Float64Array, labels: Labels, posterior: Float64Array): void {
  const { items, classes: K } = labels;
  prior.fill(0);
  for (let i = 0; i < items; i++) for (let k = 0; k < K; k++) prior[k]! += posterior[i * K + k]! / items;
  countInto(confusion, labels, posterior);
  for (let row = 0; row < confusion.length; row += K) {
    let sum = 0;
    for (let l = 0; l < K; l++) sum += confusion[row + l]!;
    for (let l = 0; l < K; l++) confusion[row + l] = confusion[row + l]! / sum;
  }
}

/** The E step; returns the log-likelihood of the parameters. */
function classProbabilitiesInto(
  posterior: Float64Array,
  labels: Labels,
  prior: Float64Array,
  confusion: Float64Array,
): number {
  const { items, classes: K, start, rater, label } = labels;
  const logs = new Float64Array(K);
  let logLik = 0;
  for (let i = 0; i < items; i++) {
    let most = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < K; k++) {
      // a class without mass has no confusion, and needs none
      let log = prior[k]! > 0 ? Math.log(prior[k]!) : Number.NEGATIVE_INFINITY;
      for (let at = start[i]!; log > Number.NEGATIVE_INFINITY && at < start[i + 1]!; at++)
        log += Math.log(confusion[(rater[at]! * K + k) * K + label[at]!]!);
      logs[k] = Number.isNaN(log) ? Number.NEGATIVE_INFINITY : log;
      most = Math.max(most, logs[k]!);
    }
    let sum = 0;
    for (let k = 0; k < K; k++) sum += Math.exp(logs[k]! - most);
    for (let k = 0; k < K; k++) posterior[i * K + k] = Math.exp(logs[k]! - most) / sum;
    logLik += most + Math.log(sum);
  }
  return logLik;
}

/** Draws of shares and confusions, one after the other; and how often each item was of each class. */
export interface ClassDraws {
  readonly prior: readonly Float64Array[];
  readonly confusion: readonly Float64Array[];
  /** Shares at i K + k. */
  readonly sampled: Float64Array;
}

const JEFFREYS = 0.5;
/** Sweeps until the sampler has left the maximum. */
const BURN_IN = 100;

/** Gibbs sampler from the maximum on: classes given parameters, parameters given classes. */
export function sampleClassModel(
  labels: Labels,
  { posterior }: Pick<ClassModel, "posterior">,
  {
    draws,
    rng,
    onProgress,
  }: {
    readonly draws: number;
    readonly rng: Rng;
    readonly onProgress?: ((done: number, of: number) => void) | undefined;
  },
): ClassDraws {
  const { items, classes: K, raters } = labels;
  const own = new Float64Array(posterior);
  const hard = new Float64Array(items * K);
  const sampled = new Float64Array(items * K);
  const out = { prior: [] as Float64Array[], confusion: [] as Float64Array[] };
  for (let sweep = 0; sweep < BURN_IN + draws; sweep++) {
    const stream = rng.stream(sweep);
    drawClassesInto(hard, own, K, stream);
    const prior = new Float64Array(K);
    for (let at = 0; at < hard.length; at++) prior[at % K]! += hard[at]!;
    const confusion = new Float64Array(raters * K * K);
    countInto(confusion, labels, hard);
    drawDirichletInto(prior, 0, K, stream);
    for (let row = 0; row < confusion.length; row += K) drawDirichletInto(confusion, row, K, stream);
    classProbabilitiesInto(own, labels, prior, confusion);
    if (sweep < BURN_IN) continue;
    const named = nameClasses(own, posterior, K);
    out.prior.push(prior.map((_, k) => prior[named[k]!]!));
    out.confusion.push(confusion.map((_, at) => confusion[renamed(at, K, named)]!));
    for (let at = 0; at < own.length; at++) sampled[at]! += own[at - (at % K) + named[at % K]!]! / draws;
    onProgress?.(sweep - BURN_IN + 1, draws);
  }
  return { ...out, sampled };
}

/** (r K + k) K + l with another k. */
const renamed = (at: number, K: number, named: Int32Array): number => {
  const row = Math.floor(at / K);
  return (row - (row % K) + named[row % K]!) * K + (at % K);
};

/** Which class of a draw each class of the maximum is: two change places as long as more items then agree. */
function nameClasses(drawn: Float64Array, posterior: Float64Array, K: number): Int32Array {
  const shared = new Float64Array(K * K);
  for (let i = 0; i < drawn.length; i += K)
    for (let k = 0; k < K; k++) for (let j = 0; j < K; j++) shared[k * K + j]! += posterior[i + k]! * drawn[i + j]!;
  const named = Int32Array.from({ length: K }, (_, k) => k);
  const at = (k: number, j: number): number => shared[k * K + named[j]!]!;
  for (let moved = true; moved; ) {
    moved = false;
    for (let k = 0; k < K; k++)
      for (let j = k + 1; j < K; j++) {
        if (!(at(k, j) + at(j, k) > at(k, k) + at(j, j) + ROUNDING)) continue;
        [named[k], named[j]] = [named[j]!, named[k]!];
        moved = true;
      }
  }
  return named;
}
/** Items, so that sums that are equal do not change places for ever. */
const ROUNDING = 1e-9;

function drawClassesInto(hard: Float64Array, posterior: Float64Array, K: number, rng: Rng): void {
  hard.fill(0);
  for (let i = 0; i < posterior.length; i += K) {
    let left = rng.uniform();
    let k = 0;
    while (k < K - 1 && left >= posterior[i + k]!) left -= posterior[i + k++]!;
    hard[i + k] = 1;
  }
}

/** Counts become a draw of their Dirichlet distribution. */
function drawDirichletInto(target: Float64Array, at: number, K: number, rng: Rng): void {
  let sum = 0;
  for (let l = at; l < at + K; l++) {
    target[l] = gammaVariate(rng, target[l]! + JEFFREYS);
    sum += target[l]!;
  }
  for (let l = at; l < at + K; l++) target[l] = target[l]! / sum;
}

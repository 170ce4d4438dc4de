/** Bounds of a test that is looked at several times and keeps its error.
 *      obrien-fleming  c_k = c/√t_k       pocock  c_k = c        c makes the total error α, whatever the times of the looks
 *      spending        the error spent up to t is α*(t):
 *        lan-demets-of      2s(1 - Φ(z_{1-α/(2s)}/√t)), s sides      lan-demets-pocock  α log(1 + (e - 1)t)
 *        hsd:γ              α(1 - e^{-γt})/(1 - e^{-γ})             (Hwang, Shih & DeCani)
 *  Reference: O'Brien & Fleming (1979), Biometrics 35; Pocock (1977), Biometrika 64; Lan & DeMets (1983), Biometrika 70;
 *             Hwang, Shih & De Cani (1990), Statistics in Medicine 9.
 *  Oracle:    oracle/next/group-sequential.json. */
import { normalQuantileUpper, normalSf } from "../../numeric/dist/normal.ts";
import { findRoot } from "../../numeric/optim/brent.ts";
import { StatError } from "../../result/error.ts";
import { exitsOf, type LookBounds, Walk } from "./walk.ts";

export type Sides = 1 | 2;

/** "hsd:-4" has γ = -4. */
export type Spending = "obrien-fleming" | "pocock" | "lan-demets-of" | "lan-demets-pocock" | `hsd:${number}`;

export const SPENDING_NAMES = ["obrien-fleming", "pocock", "lan-demets-of", "lan-demets-pocock", "hsd:-4"] as const;

export interface BoundaryOptions {
  readonly information: readonly number[];
  readonly alpha: number;
  readonly sides: Sides;
  readonly spending: Spending;
}

/** No bound lies further out: normalSf is 0 there. */
const FURTHEST = 38;

export function findBoundaries(options: BoundaryOptions): LookBounds {
  const { spending, information } = options;
  const own = spending === "obrien-fleming" || spending === "pocock" ? scaled(options) : spent(options);
  return boundsOf(information, own, options.sides);
}

export const boundsOf = (information: readonly number[], upper: readonly number[], sides: Sides): LookBounds => ({
  information,
  upper,
  lower: upper.map((bound) => (sides === 2 ? -bound : Number.NEGATIVE_INFINITY)),
});

/** One constant for all looks. */
function scaled({ information, alpha, sides, spending }: BoundaryOptions): number[] {
  const shape = information.map((t) => (spending === "pocock" ? 1 : 1 / Math.sqrt(t)));
  const upperAt = (c: number): number[] => shape.map((own) => Math.min(c * own, FURTHEST));
  const excess = (c: number): number =>
    exitsOf(boundsOf(information, upperAt(c), sides), 0).upper.reduce((sum, own) => sum + own, 0) - alpha / sides;
  const least = normalQuantileUpper(alpha / sides);
  const most = normalQuantileUpper(alpha / sides / information.length);
  return upperAt(findRoot(excess, least, Math.max(most, least) + 1e-9).root);
}

/** Look by look: each bound spends what the function allows. */
function spent(options: BoundaryOptions): number[] {
  const { information, sides } = options;
  const walk = new Walk(information, 0);
  const upper: number[] = [];
  let before = 0;
  information.forEach((t, k) => {
    const until = spendingAt(options, t) / sides;
    const share = until - before;
    const bound = share > 0 ? boundFor(walk, share) : FURTHEST;
    upper.push(bound);
    before = until;
    if (k + 1 < information.length) walk.advance(sides === 2 ? -bound : Number.NEGATIVE_INFINITY, bound);
  });
  return upper;
}

function boundFor(walk: Walk, share: number): number {
  if (walk.above(FURTHEST) >= share) return FURTHEST;
  return findRoot((z) => walk.above(z) - share, -FURTHEST, FURTHEST).root;
}

/** Error spent up to t, of all sides together. */
export function spendingAt({ alpha, sides, spending }: Omit<BoundaryOptions, "information">, t: number): number {
  if (t >= 1) return alpha;
  if (spending === "lan-demets-of")
    return 2 * sides * normalSf(normalQuantileUpper(alpha / (2 * sides)) / Math.sqrt(t));
  if (spending === "lan-demets-pocock") return alpha * Math.log1p((Math.E - 1) * t);
  const gamma = gammaOf(spending);
  return gamma === 0 ? alpha * t : (alpha * Math.expm1(-gamma * t)) / Math.expm1(-gamma);
}

export function parseSpending(text: string): Spending {
  const found = (SPENDING_NAMES as readonly string[]).includes(text) || /^hsd:[-+]?(\d+(\.\d*)?|\.\d+)$/.test(text);
  if (found) return text as Spending;
  throw new StatError(
    "UnknownSpending",
    `there is no spending "${text}".`,
    "choose obrien-fleming, pocock, lan-demets-of, lan-demets-pocock, or hsd: with its γ (hsd:-4).",
  );
}

const gammaOf = (spending: Spending): number => Number(spending.slice("hsd:".length));

/** A score process that is looked at K times, S(t) ~ N(drift·t, t) with independent increments, and where it leaves the bounds.
 *      g_k(s') = ∫ g_{k-1}(s) φ(s' - s; drift·Δ, Δ) ds over the continuation region, exit above = ∫ g_{k-1}(s) Φ̄((b_k - s - drift·Δ)/√Δ) ds
 *  Composite Gauss-Legendre; panels are 2.5 standard deviations of the shorter neighbouring step wide.
 *  Reference: Armitage, McPherson & Rowe (1969), JRSS A 132; Jennison & Turnbull (2000), chapter 19.
 *  Oracle:    oracle/next/group-sequential.json (another integration; rpact and mvtnorm beside it).
 *  Limits:    bounds beyond 9.5 standard deviations of where the process can be are as good as none. */
import { normalSf } from "../../numeric/dist/normal.ts";
import { gaussLegendre } from "../../numeric/gauss.ts";

/** Bounds of Z_k = S(t_k)/√t_k at each look; -Infinity where a side has none. */
export interface LookBounds {
  readonly information: readonly number[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
}

export interface Exits {
  readonly upper: readonly number[];
  readonly lower: readonly number[];
}

const RULE = gaussLegendre(20);
const PANEL_SDS = 2.5;
const REACH_SDS = 9.5;
const SQRT_2PI = Math.sqrt(2 * Math.PI);

/** Where the process may be after a look, with the density times the weight of each node. */
interface Spread {
  readonly at: Float64Array;
  readonly mass: Float64Array;
}

const START: Spread = { at: Float64Array.of(0), mass: Float64Array.of(1) };

/** Advances look by look: each step gives the tails beyond two values of Z and the spread between them. */
export class Walk {
  readonly #information: readonly number[];
  readonly #drift: number;
  #spread: Spread = START;
  #k = 0;

  constructor(information: readonly number[], drift: number) {
    this.#information = information;
    this.#drift = drift;
  }

  /** P(go on until this look, Z ≥ z). */
  above(z: number): number {
    return this.#tail(z, 1);
  }

  /** P(go on until this look, Z ≤ z). */
  below(z: number): number {
    return z === Number.NEGATIVE_INFINITY ? 0 : this.#tail(z, -1);
  }

  #tail(z: number, side: 1 | -1): number {
    const { step, sd } = this.#step();
    const bound = z * Math.sqrt(this.#information[this.#k]!);
    const { at, mass } = this.#spread;
    let sum = 0;
    for (let i = 0; i < at.length; i++) sum += mass[i]! * normalSf((side * (bound - at[i]! - this.#drift * step)) / sd);
    return sum;
  }

  #step(): { step: number; sd: number } {
    const step = this.#information[this.#k]! - (this.#information[this.#k - 1] ?? 0);
    return { step, sd: Math.sqrt(step) };
  }

  /** Goes on between the bounds to the next look. */
  advance(lower: number, upper: number): void {
    const { step, sd } = this.#step();
    const t = this.#information[this.#k]!;
    const next = (this.#information[this.#k + 1] ?? t + step) - t;
    const root = Math.sqrt(t);
    const from = Math.max(lower * root, this.#drift * t - REACH_SDS * root);
    const to = Math.min(upper * root, this.#drift * t + REACH_SDS * root);
    const { at, mass } = this.#spread;
    const nodes = layNodes(from, to, PANEL_SDS * Math.sqrt(Math.min(step, next)));
    for (let j = 0; j < nodes.at.length; j++) {
      let density = 0;
      for (let i = 0; i < at.length; i++) {
        const x = (nodes.at[j]! - at[i]! - this.#drift * step) / sd;
        density += mass[i]! * Math.exp(-0.5 * x * x);
      }
      nodes.mass[j]! *= density / (SQRT_2PI * sd);
    }
    this.#spread = nodes;
    this.#k += 1;
  }
}

/** Nodes with their weights; none where the region is empty. */
function layNodes(from: number, to: number, panel: number): Spread {
  const panels = to > from ? Math.ceil((to - from) / panel) : 0;
  const size = RULE.nodes.length;
  const at = new Float64Array(panels * size);
  const mass = new Float64Array(panels * size);
  const half = (to - from) / panels / 2;
  for (let p = 0; p < panels; p++) {
    const middle = from + (2 * p + 1) * half;
    for (let i = 0; i < size; i++) {
      at[p * size + i] = middle + half * RULE.nodes[i]!;
      mass[p * size + i] = half * RULE.weights[i]!;
    }
  }
  return { at, mass };
}

/** Where the process leaves the bounds, look by look; at the last one every crossing of a bound is an exit. */
export function exitsOf({ information, lower, upper }: LookBounds, drift: number): Exits {
  const walk = new Walk(information, drift);
  const exits = { upper: [] as number[], lower: [] as number[] };
  information.forEach((_, k) => {
    exits.upper.push(walk.above(upper[k]!));
    exits.lower.push(walk.below(lower[k]!));
    if (k + 1 < information.length) walk.advance(lower[k]!, upper[k]!);
  });
  return exits;
}

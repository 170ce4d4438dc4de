/** Buffers of a mixed model's evaluations: what one value of θ makes of the cross products. Names as in objective.ts. */
import type { CrossProducts } from "./cross-products.ts";
import type { LmmFactor } from "./problem.ts";

export interface LmmWork {
  /** θ that the buffers belong to; NaN at first. */
  readonly theta: Float64Array;
  /** T(θ) and its transpose, by factor. */
  readonly T: readonly Float64Array[];
  readonly Tt: readonly Float64Array[];
  /** The same without factor 0. */
  readonly others: { readonly T: readonly Float64Array[]; readonly Tt: readonly Float64Array[] };
  /** G = L⁻¹T' and K = L⁻ᵀG by pattern, q × q. */
  readonly G: Float64Array;
  readonly K: Float64Array;
  /** V = G A12 and Vx = G A1x. */
  readonly V: Float64Array;
  readonly Vx: Float64Array;
  /** R22, Λ2'R22, S22 and what stands for its inverse (inverse.ts), in the layout of the Schur complement. */
  readonly R: Float64Array;
  readonly Y: Float64Array;
  readonly S: Float64Array;
  readonly Z: Float64Array;
  /** θ that Z belongs to; NaN at first. */
  readonly inverseTheta: Float64Array;
  /** q columns of length m. */
  readonly columns: Float64Array;
  /** Columns x and y of R2·, and L⁻¹Λ2' of them: m × (p + 1). */
  readonly R2: Float64Array;
  readonly W: Float64Array;
  /** Like W, after back-substitution; J = Λ2 times it; GX = R2x - R22 J. */
  readonly Wt: Float64Array;
  readonly J: Float64Array;
  readonly GX: Float64Array;
  /** C = X'V⁻¹X, p × p, then its Cholesky factor; its inverse; GX C⁻¹. */
  readonly C: Float64Array;
  readonly inverseC: Float64Array;
  readonly GXC: Float64Array;
  /** Rxy, then the solution γ. */
  readonly gamma: Float64Array;
  /** Scratch of a few q × q or q × p blocks. */
  readonly blocks: readonly Float64Array[];
  /** Random effects of one factor, for simulation. */
  readonly draws: Float64Array;
  /** log |M|, log |C|, r², and 1 when Z has the form of roots; filled by evaluations. */
  readonly scalars: Float64Array;
}

export function makeWork(
  factors: readonly LmmFactor[],
  { first, m, p, schur }: CrossProducts,
  thetas: number,
): LmmWork {
  const room = (k: number) => new Float64Array(k);
  const q = first.size;
  const square = () => factors.map(({ size }) => room(size * size));
  const T = square();
  const Tt = square();
  const largest = Math.max(...factors.map(({ size }) => size));
  return {
    theta: room(thetas).fill(Number.NaN),
    T,
    Tt,
    others: { T: T.slice(1), Tt: Tt.slice(1) },
    G: room(first.patterns * q * q),
    K: room(first.patterns * q * q),
    V: room(first.A12.length),
    Vx: room(first.A1x.length),
    R: room(schur.size),
    Y: room(schur.size),
    S: room(schur.size),
    Z: room(schur.size),
    inverseTheta: room(thetas).fill(Number.NaN),
    columns: room(q * m),
    R2: room(m * (p + 1)),
    W: room(m * (p + 1)),
    Wt: room(m * (p + 1)),
    J: room(m * (p + 1)),
    GX: room(m * (p + 1)),
    C: room(p * p),
    inverseC: room(p * p),
    GXC: room(m * p),
    gamma: room(p),
    blocks: Array.from({ length: 6 }, () => room(largest * Math.max(largest, p, 1))),
    draws: room(Math.max(...factors.map(({ levels, size }) => levels * size))),
    scalars: room(4),
  };
}

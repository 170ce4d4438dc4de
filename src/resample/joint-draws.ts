/** Joint normal draws of several estimates of which only the variances of the differences matter:
 *      d ~ N(0, G),   G = -½ J V J,   V_jk = Var(θ̂_j - θ̂_k),   J = I - 11'/S      (so that Var(d_j - d_k) = V_jk)
 *  Reference: Gower (1966), Biometrika 53 (G from V).
 *  Limits:    V of no joint distribution (two-way clustered errors can be such) loses the directions of negative variance. */
import { eigenSymmetric } from "../numeric/linalg/eigen.ts";
import { type Matrix, zeros } from "../numeric/linalg/matrix.ts";
import type { Rng } from "../numeric/rng.ts";

/** Draws of S estimates, one after the other: estimate s of draw r at [s + r · S]. */
export function drawJointly(
  variances: Matrix,
  { replicates, rng }: { readonly replicates: number; readonly rng: Rng },
): Float64Array {
  const S = variances.rows;
  const { values, vectors } = eigenSymmetric(centered(variances));
  const scale = values.map((value) => Math.sqrt(Math.max(0, value)));
  const rank = scale.findLastIndex((value) => value > 0) + 1;
  const draws = new Float64Array(replicates * S);
  const normals = new Float64Array(rank);
  for (let r = 0; r < replicates; r++) {
    rng.fillNormal(normals);
    const at = r * S;
    for (let k = 0; k < rank; k++) {
      const own = normals[k]! * scale[k]!;
      for (let s = 0; s < S; s++) draws[at + s]! += vectors.data[s + k * S]! * own;
    }
  }
  return draws;
}

function centered({ rows: S, data }: Matrix): Matrix {
  const means = new Float64Array(S);
  for (let j = 0; j < S; j++) for (let k = 0; k < S; k++) means[j]! += data[j + k * S]! / S;
  const mean = means.reduce((sum, own) => sum + own / S, 0);
  const G = zeros(S, S);
  for (let j = 0; j < S; j++)
    for (let k = 0; k < S; k++) G.data[j + k * S] = (means[j]! + means[k]! - mean - data[j + k * S]!) / 2;
  return G;
}

/** The part of η that columns of X make, and its adjoint: what the rows of all ordinal models share. */
import type { Matrix } from "../../numeric/linalg/matrix.ts";

/** eta0 ← offset + Xβ, β from phi[at]. */
export function fixedPartInto(
  eta0: Float64Array,
  { X, offset }: { readonly X: Matrix; readonly offset: Float64Array | undefined },
  phi: Float64Array,
  at: number,
): void {
  if (offset) eta0.set(offset);
  else eta0.fill(0);
  for (let k = 0; k < X.cols; k++) {
    const b = phi[at + k]!;
    for (let i = 0, t = k * X.rows; i < X.rows; i++, t++) eta0[i]! += b * X.data[t]!;
  }
}

/** g[at …] += X'e */
export function addColumnsTo(g: Float64Array, at: number, X: Matrix, e: Float64Array): void {
  for (let k = 0; k < X.cols; k++) {
    let sum = 0;
    for (let i = 0, t = k * X.rows; i < X.rows; i++, t++) sum += X.data[t]! * e[i]!;
    g[at + k]! += sum;
  }
}

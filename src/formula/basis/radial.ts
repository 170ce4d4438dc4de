/** The functions of a thin plate spline: η(r) = c r^(2m-d), times log r for even d, around every center, and the polynomials
 *  of degree below m; and products with the matrix of η between centers.
 *  Reference: Wood (2003), J. R. Stat. Soc. B 65(1), eq. 2; Duchon (1977).
 *  Oracle:    mgcv (R), oracle/r/basis.json, through thin-plate.ts. */
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { multiplyInto, zeros } from "../../numeric/linalg/matrix.ts";
import { gamma } from "../../numeric/special/gamma.ts";
import type { SymmetricOperator } from "./eigen.ts";
import type { RadialFunctions } from "./margin.ts";

/** Exponents of all monomials below degree m; the first covariate's vary fastest. */
export function polynomialPowers(d: number, m: number): Matrix {
  const all: number[][] = [];
  const walk = (powers: number[], left: number): void => {
    if (powers.length === d) all.push(powers);
    else for (let power = 0; power <= left; power++) walk([power, ...powers], left - power);
  };
  walk([], m - 1);
  const P = zeros(all.length, d);
  for (let j = 0; j < d; j++) for (let i = 0; i < all.length; i++) P.data[i + j * P.rows] = all[i]![j]!;
  return P;
}

/** Monomial j at the point whose coordinates `x` gives. */
export function polynomialValue(powers: Matrix, j: number, x: (covariate: number) => number): number {
  let value = 1;
  for (let c = 0; c < powers.cols; c++) value *= x(c) ** powers.data[j + c * powers.rows]!;
  return value;
}

/** c of η(r) = c r^(2m-d), or c r^(2m-d) log r for even d. */
function radialConstant(m: number, d: number): number {
  if (d % 2 === 1) return gamma(d / 2 - m) / (4 ** m * Math.PI ** (d / 2) * gamma(m));
  const sign = (m + 1 + d / 2) % 2 === 0 ? 1 : -1;
  return sign / (2 ** (2 * m - 1) * Math.PI ** (d / 2) * gamma(m) * gamma(m - d / 2 + 1));
}

function radialValue(squaredDistance: number, exponent: number, even: boolean): number {
  if (squaredDistance === 0) return 0;
  const power = exponent === 1 ? squaredDistance : squaredDistance ** exponent;
  return even ? (power * Math.log(squaredDistance)) / 2 : power;
}

/** All functions at a point, from `at` on. */
export function radialRowInto(
  values: Float64Array,
  at: number,
  { order, centers, shift, powers }: RadialFunctions,
  covariates: readonly Float64Array[],
  row: number,
): void {
  const { rows: n, cols: d, data } = centers;
  const exponent = order - d / 2;
  const constant = radialConstant(order, d);
  values.fill(0, at, at + n);
  for (let c = 0; c < d; c++) {
    const x = covariates[c]![row]! - shift[c]!;
    for (let i = 0; i < n; i++) {
      const gap = x - data[i + c * n]!;
      values[at + i]! += gap * gap;
    }
  }
  for (let i = 0; i < n; i++) values[at + i] = constant * radialValue(values[at + i]!, exponent, d % 2 === 0);
  for (let j = 0; j < powers.rows; j++) {
    values[at + n + j] = polynomialValue(powers, j, (c) => covariates[c]![row]! - shift[c]!);
  }
}

/** Products with E: in linear time for one covariate, from the full matrix otherwise. */
export function kernelOperator({ order, centers }: RadialFunctions): SymmetricOperator {
  const { rows: n, cols: d } = centers;
  const constant = radialConstant(order, d);
  if (d === 1)
    return { n, applyInto: (Y, V) => oddPowerInto(Y, V, { x: centers.data, power: 2 * order - 1, constant }) };
  const E = zeros(n, n);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < j; i++) {
      let squared = 0;
      for (let c = 0; c < d; c++) squared += (centers.data[i + c * n]! - centers.data[j + c * n]!) ** 2;
      E.data[i + j * n] = E.data[j + i * n] = constant * radialValue(squared, order - d / 2, d % 2 === 0);
    }
  }
  return { n, applyInto: (Y, V) => multiplyInto(Y, E, V) };
}

/** Y_i = c Σ_j |x_i - x_j|^p V_j for ascending x: the moments Σ (x_i - x_j)^q V_j, q ≤ p, of the points to the left, and
 *  likewise to the right, are carried from one point to the next by the binomial theorem, all terms of one sign. */
function oddPowerInto(
  Y: Matrix,
  V: Matrix,
  { x, power, constant }: { x: Float64Array; power: number; constant: number },
): void {
  const n = x.length;
  const moments = new Float64Array(power + 1);
  Y.data.fill(0);
  for (let column = 0; column < V.cols; column++) {
    const at = column * n;
    for (const direction of [1, -1]) {
      moments.fill(0);
      for (let step = 0; step < n; step++) {
        const i = direction === 1 ? step : n - 1 - step;
        if (step > 0) shiftMoments(moments, Math.abs(x[i]! - x[i - direction]!));
        Y.data[at + i]! += constant * moments[power]!;
        moments[0]! += V.data[at + i]!;
      }
    }
  }
}

/** Moments about a point h further away: Pascal's rule, applied as repeated synthetic shifts. */
function shiftMoments(moments: Float64Array, h: number): void {
  const p = moments.length - 1;
  for (let pass = 0; pass < p; pass++) for (let q = p; q > pass; q--) moments[q]! += h * moments[q - 1]!;
}

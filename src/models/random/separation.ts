/** Covariance of estimates of which some combinations run off to infinity (separated data).
 *
 *  Directions in which the information of the fixed parameters, per row and in units of the columns, has vanished get a variance
 *  that no test can miss; all other directions keep theirs. A contrast within the finite part thus has its SE, and one that
 *  involves the infinite part is seen to.
 *  Reference: Albert & Anderson (1984), Biometrika 71(1), on directions of recession. */
import { eigenSymmetric } from "../../numeric/linalg/eigen.ts";
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";

/** Rows at a predictor of 17 or more, where a separated fit ends, have weights below this. */
const VANISHED = 1e-7;
/** Variance of a direction without information, in squared units of its columns: an SE of ten thousand. */
const ENDLESS = 1e8;

/** The directions' own part, to be added to a covariance that leaves them out or has them as large. `information` is symmetric;
 *  `scale` has the root mean square of each parameter's column. */
export function endlessCovariance(information: Float64Array, scale: Float64Array, rows: number): Matrix {
  return spectral(information, scale, rows).endless;
}

/** Inverse information on the finite part, plus the endless one. */
export function separatedCovariance(information: Float64Array, scale: Float64Array, rows: number): Matrix {
  const { finite, endless } = spectral(information, scale, rows);
  return plus(finite, endless);
}

export const plus = (A: Matrix, B: Matrix): Matrix => ({ ...A, data: A.data.map((value, k) => value + B.data[k]!) });

function spectral(information: Float64Array, scale: Float64Array, rows: number) {
  const p = scale.length;
  const unit = scale.map((s) => (s > 0 ? s : 1));
  const S = zeros(p, p);
  for (let j = 0; j < p; j++) {
    for (let i = 0; i < p; i++) S.data[i + j * p] = information[i + j * p]! / (rows * unit[i]! * unit[j]!);
  }
  const finite = zeros(p, p);
  const endless = zeros(p, p);
  const { values, vectors } = eigenSymmetric(S);
  values.forEach((value, k) => {
    const [target, variance] = value > VANISHED ? [finite, 1 / (rows * value)] : [endless, ENDLESS];
    for (let j = 0; j < p; j++) {
      for (let i = 0; i < p; i++) {
        const share = (vectors.data[i + k * p]! / unit[i]!) * (vectors.data[j + k * p]! / unit[j]!);
        target.data[i + j * p]! += variance * share;
      }
    }
  });
  return { finite, endless };
}

/** Root mean square of each column. */
export function columnScale({ rows, cols, data }: Matrix): Float64Array {
  return Float64Array.from({ length: cols }, (_, j) => {
    let sum = 0;
    for (let i = 0; i < rows; i++) sum += data[i + j * rows]! ** 2;
    return Math.sqrt(sum / rows);
  });
}

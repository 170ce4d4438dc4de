/** Products of dense matrices of some hundred rows and more: in WebAssembly where it can be had, with the kernels of matrix.ts otherwise. */
import { crossprodInto, gramInto, type Matrix, multiplyInto, zeros } from "./matrix.ts";
import { wasmGramInto, wasmMultiplyInto } from "./wasm.ts";

/** A·B */
export function multiplyLarge(A: Matrix, B: Matrix): Matrix {
  const C = zeros(A.rows, B.cols);
  if (wasmMultiplyInto(C, A, B) === undefined) multiplyInto(C, A, B);
  return C;
}

/** A'·B */
export function crossprodLarge(A: Matrix, B: Matrix): Matrix {
  const C = zeros(A.cols, B.cols);
  if (wasmMultiplyInto(C, A, B, true) === undefined) crossprodInto(C, A, B);
  return C;
}

/** X'X, or X'WX with the diagonal weights `w`. */
export function gramLarge(X: Matrix, w?: Float64Array): Matrix {
  const C = zeros(X.cols, X.cols);
  if (wasmGramInto(C, X, w) === undefined) gramInto(C, X, w);
  return C;
}

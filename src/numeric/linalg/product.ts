/** Products of dense matrices of some hundred rows: in WebAssembly where it can be had, with the kernels of matrix.ts otherwise. */
import { crossprodInto, type Matrix, multiplyInto, zeros } from "./matrix.ts";
import { wasmMultiplyInto } from "./wasm.ts";

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

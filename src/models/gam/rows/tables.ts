/** From functions to columns: the linear map T of a smooth, with columns of the design = T · φ(x), applied from the left.
 *
 *  T is the table of a basis, or for a tensor product the Kronecker product of its margins' tables followed by the centring
 *  reflection; the product is never written out, each margin is applied along its own index (the first varies slowest). */
import type { Centring } from "../../../formula/basis/margin.ts";
import { reflectAt } from "../../../numeric/linalg/householder.ts";
import { addNN } from "../../../numeric/linalg/kernel.ts";
import { type Matrix, transpose, zeros } from "../../../numeric/linalg/matrix.ts";
import { crossprodLarge, multiplyLarge } from "../../../numeric/linalg/product.ts";

export interface Tables {
  readonly functions: number;
  readonly columns: number;
  /** T·Φ, columns × m, of Φ, functions × m. */
  toColumns(Phi: Matrix): Matrix;
  /** T'·B, functions × m, of B, columns × m. */
  toFunctions(B: Matrix): Matrix;
}

export function identityTables(size: number): Tables {
  return { functions: size, columns: size, toColumns: (Phi) => Phi, toFunctions: (B) => B };
}

export function plainTables(table: Matrix): Tables {
  return {
    functions: table.cols,
    columns: table.rows,
    toColumns: (Phi) => multiplyLarge(table, Phi),
    toFunctions: (B) => crossprodLarge(table, B),
  };
}

export function tensorTables(margins: readonly Tables[], centring: Centring | undefined): Tables {
  const functions = margins.reduce((product, margin) => product * margin.functions, 1);
  const whole = margins.reduce((product, margin) => product * margin.columns, 1);
  const skip = centring === undefined ? 0 : 1;
  return {
    functions,
    columns: whole - skip,
    toColumns: (Phi) => {
      const X = alongMargins(Phi, margins, "toColumns");
      if (centring === undefined) return X;
      const kept = zeros(whole - 1, X.cols);
      for (let j = 0; j < X.cols; j++) {
        reflectAt(X.data, j * whole, centring.v, 0, whole, centring.tau);
        kept.data.set(X.data.subarray(j * whole + 1, (j + 1) * whole), j * (whole - 1));
      }
      return kept;
    },
    toFunctions: (B) => {
      if (centring === undefined) return alongMargins(B, margins, "toFunctions");
      const full = zeros(whole, B.cols);
      for (let j = 0; j < B.cols; j++) {
        full.data.set(B.data.subarray(j * (whole - 1), (j + 1) * (whole - 1)), j * whole + 1);
        reflectAt(full.data, j * whole, centring.v, 0, whole, centring.tau);
      }
      return alongMargins(full, margins, "toFunctions");
    },
  };
}

/** Maps the index of every margin in turn, last one first; a fresh matrix even where all margins are identities. */
function alongMargins(A: Matrix, margins: readonly Tables[], way: "toColumns" | "toFunctions"): Matrix {
  const from = (margin: Tables): number => (way === "toColumns" ? margin.functions : margin.columns);
  let data: Float64Array = A.data.slice();
  let inner = 1;
  for (let i = margins.length - 1; i >= 0; i--) {
    const margin = margins[i]!;
    const size = from(margin);
    const outer = data.length / (inner * size);
    if (inner === 1) {
      data = margin[way]({ rows: size, cols: outer, data }).data;
    } else {
      // each slice is inner × size; its rows are mapped, so it is multiplied from the right by the transposed map
      const map = transpose(margin[way](unit(size)));
      const next = new Float64Array(outer * inner * map.cols);
      for (let o = 0; o < outer; o++) {
        const to = o * inner * map.cols;
        addNN(next, to, inner, data, o * inner * size, inner, map.data, 0, size, inner, map.cols, size, 1);
      }
      data = next;
    }
    inner *= way === "toColumns" ? margin.columns : margin.functions;
  }
  return { rows: inner, cols: A.cols, data };
}

function unit(size: number): Matrix {
  const I = zeros(size, size);
  for (let i = 0; i < size; i++) I.data[i * (size + 1)] = 1;
  return I;
}

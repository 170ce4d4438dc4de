/** The entries of A⁻¹ on the pattern of its sparse Cholesky factor, without forming the rest.
 *
 *  From the last panel to the first, with S its columns, J its rows below and Y = L_JS L_SS⁻¹:
 *    Z_JS = -Z_JJ Y,   Z_SS = (L_SS L_SS')⁻¹ + Y' Z_JJ Y,
 *  and Z_JJ is already known because J's rows are pairwise in the pattern. These are the entries that the derivative of a
 *  log-determinant needs: d log det A = tr(A⁻¹ dA).
 *  Reference: Takahashi, Fagan & Chen (1973); Erisman & Tinney (1975).
 *  Oracle:    the dense inverse; numerical derivatives of the log-determinant.
 *  Limits:    entries outside the pattern are not available (NaN). Scratch grows with the square of the most rows below a
 *             panel; a nearly dense matrix belongs to cholInverse. */
import { addGramUpper, addNN, dotAt } from "./kernel.ts";
import type { SparseFactor } from "./sparse-cholesky.ts";
import type { Symbolic } from "./symbolic.ts";
import { panelPosition } from "./symbolic.ts";
import { solveUpperAt, solveUpperTAt } from "./triangular.ts";
import { wasmAddInverseUpperAt } from "./wasm.ts";

export interface SelectedInverse {
  readonly symbolic: Symbolic;
  /** In the layout of the factor's panels. */
  readonly values: Float64Array;
  readonly scratch: InverseScratch;
}

export interface InverseScratch {
  readonly Y: Float64Array;
  readonly ZJJ: Float64Array;
  readonly root: Float64Array;
  readonly place: Int32Array;
}

/** Room for the inverse entries of factors with this structure. */
export function makeSelectedInverse(symbolic: Symbolic): SelectedInverse {
  const { first, rowStart } = symbolic;
  let Y = 0;
  let ZJJ = 0;
  let root = 0;
  for (let s = 0; s + 1 < first.length; s++) {
    const width = first[s + 1]! - first[s]!;
    const below = rowStart[s + 1]! - rowStart[s]! - width;
    Y = Math.max(Y, width * below);
    ZJJ = Math.max(ZJJ, below * below);
    root = Math.max(root, width * width);
  }
  const room = (k: number) => new Float64Array(k);
  const scratch = { Y: room(Y), ZJJ: room(ZJJ), root: room(root), place: new Int32Array(symbolic.n) };
  return { symbolic, values: room(symbolic.size), scratch };
}

export function selectedInverse(F: SparseFactor): SelectedInverse {
  const Z = makeSelectedInverse(F.symbolic);
  selectedInverseInto(Z, F);
  return Z;
}

export function selectedInverseInto(Z: SelectedInverse, F: SparseFactor): void {
  const S = F.symbolic;
  const { Y, ZJJ, root } = Z.scratch;
  const out = Z.values;
  out.fill(0);
  for (let s = S.first.length - 2; s >= 0; s--) {
    const width = S.first[s + 1]! - S.first[s]!;
    const panel = S.panel[s]!;
    const below = S.rowStart[s + 1]! - S.rowStart[s]! - width;
    const tail = panel + width * width;
    addOwnInverse(out, F.values, panel, root, width);
    if (below === 0) continue;
    for (let t = 0; t < width * below; t++) Y[t] = F.values[tail + t]!;
    solveUpperAt(F.values, panel, width, width, Y, 0, width, below); // Y', width × below
    gatherInto(ZJJ, Z, s, below);
    if (width === 1) for (let b = 0; b < below; b++) out[tail + b] = -dotAt(ZJJ, b * below, Y, 0, below);
    else addNN(out, tail, width, Y, 0, width, ZJJ, 0, below, width, below, below, -1);
    subtractTransposedProduct(out, panel, tail, Y, width, below);
  }
}

/** Z_SS += (L_SS L_SS')⁻¹ = W'W with W = L_SS⁻¹; both triangles. */
function addOwnInverse(out: Float64Array, L: Float64Array, panel: number, W: Float64Array, width: number): void {
  if (width === 1) {
    out[panel]! += 1 / L[panel]! ** 2;
    return;
  }
  if (wasmAddInverseUpperAt(out, panel, L, { u: panel, ld: width, n: width }) !== undefined) return;
  W.fill(0, 0, width * width);
  for (let c = 0; c < width; c++) W[c * (width + 1)] = 1;
  solveUpperTAt(L, panel, width, width, W, 0, width, width);
  addGramUpper(out, panel, width, W, 0, width, width, width, 1);
  for (let j = 0; j < width; j++) for (let i = 0; i < j; i++) out[panel + j + i * width] = out[panel + i + j * width]!;
}

/** Z_SS -= Z_SJ·Y, both width-row factors being stored transposed. */
function subtractTransposedProduct(
  out: Float64Array,
  panel: number,
  tail: number,
  Y: Float64Array,
  width: number,
  below: number,
): void {
  for (let r = 0; r < below; r++) {
    for (let j = 0; j < width; j++) {
      const y = Y[j + r * width]!;
      for (let i = 0; i < width; i++) out[panel + i + j * width]! -= out[tail + i + r * width]! * y;
    }
  }
}

/** Z_JJ in full for the rows J below supernode s: each column of J is looked up in the panel that owns it. */
function gatherInto(ZJJ: Float64Array, Z: SelectedInverse, s: number, below: number): void {
  const S = Z.symbolic;
  const place = Z.scratch.place;
  const J = S.rowStart[s + 1]! - below;
  let owner = -1;
  for (let b = 0; b < below; b++) {
    const col = S.rows[J + b]!;
    const t = S.nodeOf[col]!;
    if (t !== owner) {
      // where the rows from here on stand in the owner's panel
      owner = t;
      const own = S.first[t + 1]! - S.first[t]!;
      let at = S.rowStart[t]! + own;
      for (let a = b; a < below; a++) {
        const row = S.rows[J + a]!;
        if (row < S.first[t + 1]!) place[a] = row - S.first[t]!;
        else {
          while (S.rows[at]! < row) at++;
          place[a] = at - S.rowStart[t]!;
        }
      }
    }
    const width = S.first[t + 1]! - S.first[t]!;
    const base = S.panel[t]! + col - S.first[t]!;
    for (let a = b; a < below; a++) {
      const z = Z.values[base + place[a]! * width]!;
      ZJJ[a + b * below] = z;
      ZJJ[b + a * below] = z;
    }
  }
}

/** Entry (i, j) of A⁻¹; NaN when it is not on the pattern of L. */
export function inverseEntry(Z: SelectedInverse, i: number, j: number): number {
  const at = panelPosition(Z.symbolic, i, j);
  return at < 0 ? Number.NaN : Z.values[at]!;
}

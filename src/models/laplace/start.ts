/** A Hessian to begin the search for the maximum of a Laplace approximation with.
 *
 *  For the fixed parameters φ: their information at the modes, the random effects eliminated,
 *      I_φφ - I_φu H⁻¹ I_uφ;
 *  for θ: the diagonal of what normal effects, seen with the precision of each level's rows, would tell about it.
 *  Reference: Breslow & Clayton (1993), J. Am. Stat. Assoc. 88, on the first; it only has to be near, BFGS mends it. */
import { findModes, type LaplaceState } from "./laplace.ts";
import { transposedInto } from "./system.ts";

/** A first Hessian of -L at ψ, row-major; undefined where the modes cannot be found. `fixedInformation` adds -∂²Σℓ/∂φ² at fixed
 *  random effects, `crossInto` fills -∂²ℓ_i/∂η∂φ_k. */
export function startingHessian(
  state: LaplaceState,
  psi: Float64Array,
  fixedInformation: (H: Float64Array) => void,
  crossInto: (v: Float64Array, k: number) => void,
): Float64Array | undefined {
  const { system, model } = state;
  if (Number.isNaN(findModes(state, psi))) return undefined;
  const count = system.structure.term.length;
  const q = model.fixedCount;
  const p = count + q;
  const H = new Float64Array(p * p);
  const own = new Float64Array(q * q);
  fixedInformation(own);
  const v = new Float64Array(system.rows);
  const columns = Array.from({ length: q }, () => new Float64Array(system.size));
  const solved = Array.from({ length: q }, () => new Float64Array(system.size));
  for (let k = 0; k < q; k++) {
    crossInto(v, k);
    transposedInto(columns[k]!, system, v);
    solved[k]!.set(columns[k]!);
    system.factor.solveInto(solved[k]!);
  }
  for (let k = 0; k < q; k++) {
    for (let l = 0; l <= k; l++) {
      let s = own[k * q + l]!;
      for (let j = 0; j < system.size; j++) s -= columns[k]![j]! * solved[l]![j]!;
      H[(count + k) * p + count + l] = H[(count + l) * p + count + k] = s;
    }
  }
  thetaInformation(state, psi, H);
  return H;
}

/** Information of a standard deviation θ of normal effects seen with precision I per level: 2θ²I²/(1 + θ²I)². */
function thetaInformation({ system, model }: LaplaceState, psi: Float64Array, H: Float64Array): void {
  const { structure, rows, width, column, z, size: effects } = system;
  const precision = new Float64Array(effects);
  for (let i = 0, at = 0; i < rows; i++) {
    for (let k = 0; k < width; k++, at++) precision[column[at]!]! += model.weight[i]! * z[at]! * z[at]!;
  }
  const p = structure.term.length + model.fixedCount;
  for (let k = 0; k < structure.term.length; k++) {
    const t = structure.term[k]!;
    const { levels, size: q } = structure.terms[t]!;
    const from = system.start[t]!;
    const spread = (c: number): number => {
      const d = structure.term.findIndex((own, j) => own === t && structure.row[j] === c && structure.col[j] === c);
      return psi[d]! ** 2;
    };
    const [r, c] = [structure.row[k]!, structure.col[k]!];
    const [vr, vc] = [spread(r), spread(c)];
    let sum = 0;
    for (let l = 0; l < levels; l++) {
      const Ir = precision[from + l * q + r]!;
      const Ic = precision[from + l * q + c]!;
      sum += (((r === c ? 2 : 1) * vc * Ir) / (1 + vr * Ir)) * (Ic / (1 + vc * Ic));
    }
    H[k * p + k] = Math.max(sum, 1);
  }
}

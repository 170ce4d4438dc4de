/** The random effects of a generalised mixed model as a sparse system, analysed once for any number of responses.
 *
 *  η = η0 + ZΛ(θ)u,  u ~ N(0, I). A row of Z has the columns of its level in each term, so that H = Λ'Z'WZΛ + I keeps one
 *  pattern for all θ and W: blocks.ts and factor.ts analyse it here and factor it for each of them.
 *  Reference: Bates, Mächler, Bolker & Walker (2015), J. Stat. Softw. 67(1), section 2. */
import type { RandomBlock } from "../../formula/term.ts";
import { DEFAULT_MAX_MEMORY, mostNumbers, refuseStep, type StepCost } from "../random/cost.ts";
import { type RandomStructure, randomStructure } from "../random/random.ts";
import { makeBlockFactors } from "./blocks.ts";
import { makeSparseFactors, type RandomFactor, type RandomRows } from "./factor.ts";

/** `zl` holds ZΛ at the θ set last. */
export interface LaplaceSystem extends RandomRows {
  readonly structure: RandomStructure;
  /** First random effect of each term; level l, column c of term t is start[t] + l·q + c. */
  readonly start: Int32Array;
  /** Place of each term's columns within a row. */
  readonly place: Int32Array;
  /** Covariates: z[i·width + k] belongs to random effect column[i·width + k]. */
  readonly z: Float64Array;
  readonly factor: RandomFactor;
  /** A second factor, for the expected information. */
  readonly other: RandomFactor;
}

export function makeLaplaceSystem(
  blocks: readonly RandomBlock[],
  rows: number,
  maxMemory = DEFAULT_MAX_MEMORY,
): LaplaceSystem {
  const structure = randomStructure(blocks);
  const { terms } = structure;
  const start = new Int32Array(terms.length);
  const place = new Int32Array(terms.length);
  let size = 0;
  let width = 0;
  terms.forEach((term, t) => {
    start[t] = size;
    place[t] = width;
    size += term.levels * term.size;
    width += term.size;
  });
  const column = new Int32Array(rows * width);
  const z = new Float64Array(rows * width);
  terms.forEach(({ block, size: q }, t) => {
    const { index, Z } = blocks[block]!;
    for (let i = 0; i < rows; i++) {
      for (let c = 0; c < q; c++) {
        const at = i * width + place[t]! + c;
        column[at] = start[t]! + index[i]! * q + c;
        z[at] = Z.data[i + c * Z.rows]!;
      }
    }
  });
  const Z: RandomRows = { rows, width, size, column, zl: new Float64Array(rows * width) };
  const names = terms.map(({ group }) => group);
  const refuse = (cost: StepCost): void => refuseStep(cost, { eliminated: names[0]!, left: names.slice(1), maxMemory });
  const limits = { refuse, most: mostNumbers(maxMemory) };
  const [factor, other] = makeBlockFactors(Z, terms[0]!, limits) ?? makeSparseFactors(Z, limits);
  return { ...Z, structure, start, place, z, factor, other };
}

/** ZΛ(θ). */
export function setTheta(system: LaplaceSystem, theta: ArrayLike<number>): void {
  const { rows, width, structure, place, z, zl } = system;
  const { term, row, col } = structure;
  zl.fill(0);
  for (let k = 0; k < term.length; k++) {
    const from = place[term[k]!]! + row[k]!;
    const to = place[term[k]!]! + col[k]!;
    const value = theta[k]!;
    for (let i = 0, at = 0; i < rows; i++, at += width) zl[at + to]! += value * z[at + from]!;
  }
}

/** η = η0 + ZΛu. */
export function predictorInto(eta: Float64Array, system: LaplaceSystem, eta0: Float64Array, u: Float64Array): void {
  const { rows, width, column, zl } = system;
  for (let i = 0, at = 0; i < rows; i++) {
    let s = eta0[i]!;
    for (let k = 0; k < width; k++, at++) s += zl[at]! * u[column[at]!]!;
    eta[i] = s;
  }
}

/** x = Λ'Z'v. */
export function transposedInto(x: Float64Array, system: LaplaceSystem, v: Float64Array): void {
  const { rows, width, column, zl } = system;
  x.fill(0);
  for (let i = 0, at = 0; i < rows; i++) for (let k = 0; k < width; k++, at++) x[column[at]!]! += zl[at]! * v[i]!;
}

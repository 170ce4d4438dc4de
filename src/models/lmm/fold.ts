/** A mixed model in which levels of one factor are copies of each other, folded: the same criterion from one level of each kind.
 *
 *  R levels of a factor g whose rows agree in X and in all that is random but g itself (raters of panels who rate the same texts)
 *  can be rotated into their normalised sum and R - 1 contrasts: independent, each with the covariance of g. In the contrasts X and
 *  the other factor cancel. With y* = √R ȳ, X* = √R X, Zh* = √R Zh and Zg* = Zg of one level instead of R levels
 *
 *      log|M| = log|M*| + Σ (R - 1) log|T'AT + I|,     r² = r²* + Σ d'd - Σ tr(T'QT (T'AT + I)⁻¹)
 *
 *  with A = Zg'Zg of a level, d = y - ȳ row by row and Q = Σ (Zg'd)(Zg'd)' over the R levels; X'V⁻¹X and β̂ are those of the starred
 *  model. Derivatives of the added terms in T: 2 (R - 1) AN and -2 (I - ANT')QN with N = T (T'AT + I)⁻¹.
 *  Reference: Searle, Casella & McCulloch (1992), Variance Components, ch. 4: sums and contrasts of balanced data.
 *  Oracle:    the criterion, gradient and covariance without folding, to rounding (fold.test.ts).
 *  Limits:    two grouping factors, neither weights nor offset; only for the search: inference takes the whole problem. */
import type { Design } from "../../formula/design.ts";
import type { RandomBlock } from "../../formula/term.ts";
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import { factorBlock, multiplyBlock, solveBlock, solveBlockT } from "../../numeric/linalg/small.ts";
import type { RandomStructure } from "../random/random.ts";
import { derivativesInto, fixedInverse } from "./gradient.ts";
import { criterionOf, factorAt, fixedCovariance, projectResponse } from "./objective.ts";
import { assembleLmm, type LmmProblem } from "./problem.ts";
import { type LmmResponse, summarizeResponse } from "./response.ts";

export interface LmmFold {
  /** The starred model, with the number of rows of the whole one for its degrees of freedom. */
  readonly problem: LmmProblem;
  /** By class of copies: its rows in the starred model, from … to, and for each of these the rows that it stands for. */
  readonly classes: readonly FoldedClass[];
  /** Place of g among the factors of the starred model. */
  readonly factor: number;
  /** Place of each θ of the whole model in the starred one, whose factors may have another order. */
  readonly place: Int32Array;
  /** By kind of class, of equal A: A, and the number of contrasts. */
  readonly A: Float64Array;
  readonly contrasts: Float64Array;
}

export interface FoldedClass {
  readonly from: number;
  readonly to: number;
  readonly copies: number;
  /** Copy r of row i: members[(i - from) · copies + r]. */
  readonly members: Int32Array;
  readonly kind: number;
}

export interface FoldedResponse {
  readonly response: LmmResponse;
  /** Σ d'd, and Q by kind. */
  readonly within: number;
  readonly Q: Float64Array;
}

/** Copies of a level, on average, from which folding pays. */
const LEAST_COPIES = 2;

/** A folded problem is solved many times: an analysis pays from small orders on, where panels share few items. */
const FOLDED_DENSE_ORDER = 16;

/** undefined where the design has no copies to fold. */
export function foldLmm({ design, criterion, nobs, kept, structure }: LmmProblem): LmmFold | undefined {
  const groups = [...new Set(design.random.map(({ group }) => group))];
  const plain = design.weights === undefined && design.offset === undefined && kept.length === design.X.cols;
  if (!plain || groups.length !== 2) return undefined;
  const found = groups
    .map((group) => ({ group, copies: findCopies(design, group) }))
    .filter((one): one is Copies => one.copies !== undefined)
    .sort((a, b) => a.copies.length - b.copies.length)[0];
  if (found === undefined) return undefined;
  const folded = assembleLmm(foldDesign(design, found), { criterion, denseOrder: FOLDED_DENSE_ORDER });
  const factor = folded.factors.findIndex(({ group }) => group === found.group);
  const place = placesOf(structure, folded.structure);
  return { problem: { ...folded, nobs }, factor, place, ...kindsOf(folded.factors[factor]!.Z, found) };
}

/** Classes of levels with equal rows: of each class the levels, of each level its rows. */
interface Copies {
  readonly group: string;
  readonly copies: readonly (readonly number[][])[];
}

function placesOf(whole: RandomStructure, folded: RandomStructure): Int32Array {
  const names = ({ term, terms, row, col }: RandomStructure): string[] =>
    Array.from(term, (t, k) => `${terms[t]!.block} ${row[k]} ${col[k]}`);
  const found = names(folded);
  return Int32Array.from(names(whole), (name) => found.indexOf(name));
}

function foldTheta({ place }: LmmFold, theta: ArrayLike<number>): Float64Array {
  const out = new Float64Array(place.length);
  for (let k = 0; k < place.length; k++) out[place[k]!] = theta[k]!;
  return out;
}

/** (X'V⁻¹X)⁻¹ at θ of the whole model. */
export function foldedCovariance(fold: LmmFold, theta: ArrayLike<number>): Matrix {
  return fixedCovariance(fold.problem, foldTheta(fold, theta));
}

/** Rows are compared in their order; undefined where too few levels are alike. */
function findCopies({ X, random }: Design, group: string): Copies["copies"] | undefined {
  const own = random.find((block) => block.group === group)!;
  const rows: number[][] = own.levels.map(() => []);
  own.index.forEach((level, i) => {
    rows[level]!.push(i);
  });
  const classes = new Map<string, number[][]>();
  for (const level of rows) {
    const key = level.map((i) => rowKey(X, random, group, i)).join(";");
    const found = classes.get(key);
    if (found === undefined) classes.set(key, [level]);
    else found.push(level);
  }
  return classes.size < 2 || LEAST_COPIES * classes.size > rows.length ? undefined : [...classes.values()];
}

function rowKey(X: Matrix, random: readonly RandomBlock[], group: string, i: number): string {
  const numbers = [...rowOf(X, i)];
  for (const block of random) {
    if (block.group !== group) numbers.push(block.index[i]!);
    numbers.push(...rowOf(block.Z, i));
  }
  return numbers.join();
}

const rowOf = ({ rows, cols, data }: Matrix, i: number): number[] =>
  Array.from({ length: cols }, (_, j) => data[i + j * rows]!);

function foldDesign(design: Design, { group, copies: classes }: Copies): Design {
  const scale: number[] = [];
  const source: number[] = [];
  const level: number[] = [];
  classes.forEach((copies, c) => {
    for (const i of copies[0]!) {
      source.push(i);
      scale.push(Math.sqrt(copies.length));
      level.push(c);
    }
  });
  const take = (A: Matrix, isScaled: boolean): Matrix => {
    const out = zeros(source.length, A.cols);
    for (let j = 0; j < A.cols; j++)
      for (let i = 0; i < source.length; i++)
        out.data[i + j * source.length] = A.data[source[i]! + j * A.rows]! * (isScaled ? scale[i]! : 1);
    return out;
  };
  return {
    ...design,
    rowsUsed: Int32Array.from(source, (i) => design.rowsUsed[i]!),
    y: new Float64Array(source.length),
    X: take(design.X, true),
    random: design.random.map((block) =>
      block.group === group
        ? { ...block, levels: classes.map((_, c) => String(c)), index: Int32Array.from(level), Z: take(block.Z, false) }
        : { ...block, index: Int32Array.from(source, (i) => block.index[i]!), Z: take(block.Z, true) },
    ),
  };
}

function kindsOf(Z: Matrix, { copies: classes }: Copies): Pick<LmmFold, "classes" | "A" | "contrasts"> {
  const known = new Map<string, number>();
  const A: number[] = [];
  const contrasts: number[] = [];
  let from = 0;
  const folded = classes.map((copies) => {
    const to = from + copies[0]!.length;
    const own = gramOf(Z, from, to);
    const key = own.join();
    const kind = known.get(key) ?? known.size;
    if (!known.has(key)) {
      known.set(key, kind);
      A.push(...own);
      contrasts.push(0);
    }
    contrasts[kind]! += copies.length - 1;
    const members = Int32Array.from(copies[0]!.flatMap((_, i) => copies.map((rows) => rows[i]!)));
    const entry = { from, to, copies: copies.length, members, kind };
    from = to;
    return entry;
  });
  return { classes: folded, A: Float64Array.from(A), contrasts: Float64Array.from(contrasts) };
}

function gramOf(Z: Matrix, from: number, to: number): Float64Array {
  const q = Z.cols;
  const A = new Float64Array(q * q);
  for (let b = 0; b < q; b++)
    for (let a = 0; a < q; a++)
      for (let i = from; i < to; i++) A[a + b * q]! += Z.data[i + a * Z.rows]! * Z.data[i + b * Z.rows]!;
  return A;
}

/** y has one value for each row of the whole design. */
export function foldResponse({ problem, classes, factor, A }: LmmFold, y: Float64Array): FoldedResponse {
  const { Z } = problem.factors[factor]!;
  const { rows: n, cols: q } = Z;
  const folded = new Float64Array(n);
  const Q = new Float64Array(A.length);
  const sums = new Float64Array(q);
  let within = 0;
  for (const { from, to, copies, members, kind } of classes) {
    for (let i = from; i < to; i++) {
      let sum = 0;
      for (let r = 0; r < copies; r++) sum += y[members[(i - from) * copies + r]!]!;
      folded[i] = sum / Math.sqrt(copies);
    }
    const share = 1 / Math.sqrt(copies);
    for (let r = 0; r < copies; r++) {
      sums.fill(0);
      for (let i = from; i < to; i++) {
        const d = y[members[(i - from) * copies + r]!]! - folded[i]! * share;
        within += d * d;
        for (let k = 0; k < q; k++) sums[k]! += Z.data[i + k * n]! * d;
      }
      for (let b = 0; b < q; b++) for (let a = 0; a < q; a++) Q[kind * q * q + a + b * q]! += sums[a]! * sums[b]!;
    }
  }
  return { response: summarizeResponse(problem, folded), within, Q };
}

/** r² of the whole model at θ, NaN when a factorisation breaks down; with it log|T'AT + I| summed over the contrasts. */
export function foldedResidual(fold: LmmFold, theta: ArrayLike<number>, folded: FoldedResponse): FoldedSums {
  const none = { r2: Number.NaN, logDet: Number.NaN };
  if (!factorAt(fold.problem, foldTheta(fold, theta))) return none;
  const own = contrastSums(fold, folded.Q, undefined);
  return { r2: projectResponse(fold.problem, folded.response) + folded.within - own.explained, logDet: own.logDet };
}

export interface FoldedSums {
  readonly r2: number;
  readonly logDet: number;
}

/** The criterion of the whole model. */
export function foldedObjective(fold: LmmFold, theta: ArrayLike<number>, folded: FoldedResponse): number {
  const { r2, logDet } = foldedResidual(fold, theta, folded);
  return criterionOf(fold.problem, r2) + logDet;
}

/** Fills the gradient and returns the criterion; NaN when a factorisation breaks down. */
export function foldedObjectiveAndGradientInto(
  gradient: Float64Array,
  fold: LmmFold,
  theta: ArrayLike<number>,
  folded: FoldedResponse,
): number {
  gradient.fill(Number.NaN);
  const { r2, logDet } = foldedResidual(fold, theta, folded);
  if (!(r2 > 0)) return Number.NaN;
  const { problem } = fold;
  const { cross, nobs, criterion, factors, work } = problem;
  const weight = (criterion === "REML" ? nobs - cross.p : nobs) / r2;
  if (criterion === "REML") work.inverseC.set(fixedInverse(problem).data);
  const own = new Float64Array(gradient.length);
  derivativesInto(own, problem, folded.response, { weight, entries: factors });
  contrastSums(fold, folded.Q, { gradient: own, weight });
  for (let k = 0; k < gradient.length; k++) gradient[k] = own[fold.place[k]!]!;
  return criterionOf(problem, r2) + logDet;
}

interface Slope {
  readonly gradient: Float64Array;
  readonly weight: number;
}

/** Σ log|T'AT + I| and Σ tr(T'QT (T'AT + I)⁻¹) over the contrasts at the θ that was factored last; their derivatives on demand. */
function contrastSums(fold: LmmFold, Q: Float64Array, slope: Slope | undefined): { logDet: number; explained: number } {
  const { problem, factor, A, contrasts } = fold;
  const { size: q, theta, row, col } = problem.factors[factor]!;
  const T = problem.work.T[factor]!;
  const [M, N, QN, B, AN] = Array.from({ length: 5 }, () => new Float64Array(q * q)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let logDet = 0;
  let explained = 0;
  for (let kind = 0; kind < contrasts.length; kind++) {
    const at = kind * q * q;
    multiplyBlock(B, 0, A, at, T, 0, q);
    transposedTimes(M, T, B, q);
    if (!factorBlock(M, 0, q, 1)) return { logDet: Number.NaN, explained: Number.NaN };
    for (let j = 0; j < q; j++) logDet += 2 * contrasts[kind]! * Math.log(M[j * (q + 1)]!);
    solveRows(N, T, M, q);
    multiplyBlock(QN, 0, Q, at, N, 0, q);
    for (let t = 0; t < q * q; t++) explained += T[t]! * QN[t]!;
    if (slope === undefined) continue;
    multiplyBlock(AN, 0, A, at, N, 0, q);
    transposedTimes(B, T, QN, q);
    multiplyBlock(M, 0, AN, 0, B, 0, q);
    for (let e = 0; e < theta.length; e++) {
      const t = row[e]! + col[e]! * q;
      slope.gradient[theta[e]!]! += 2 * (contrasts[kind]! * AN[t]! - slope.weight * (QN[t]! - M[t]!));
    }
  }
  return { logDet, explained };
}

/** C ← A'B. */
function transposedTimes(C: Float64Array, A: Float64Array, B: Float64Array, q: number): void {
  for (let j = 0; j < q; j++) {
    for (let i = 0; i < q; i++) {
      let s = 0;
      for (let k = 0; k < q; k++) s += A[k + i * q]! * B[k + j * q]!;
      C[i + j * q] = s;
    }
  }
}

/** N ← T (LL')⁻¹, row by row. */
function solveRows(N: Float64Array, T: Float64Array, L: Float64Array, q: number): void {
  const x = new Float64Array(q);
  for (let r = 0; r < q; r++) {
    for (let j = 0; j < q; j++) x[j] = T[r + j * q]!;
    solveBlock(x, 0, L, 0, q);
    solveBlockT(x, 0, L, 0, q);
    for (let j = 0; j < q; j++) N[r + j * q] = x[j]!;
  }
}

/** What mixed models share: the check of the random part, conditional modes and their standard deviations, diagnostics of the
 *  optimum, and the table of the random effects.
 *  Reference: Bates, Mächler, Bolker & Walker (2015), J. Stat. Softw. 67(1): Var(b | y) ≈ ΛH⁻¹Λ'.
 *  Oracle:    ranef() of ordinal and lme4 (R). */
import type { RandomBlock } from "../formula/term.ts";
import { type Matrix, zeros } from "../numeric/linalg/matrix.ts";
import { note, warning } from "../result/diagnostic.ts";
import type { CellFormat, DisplayTable } from "../result/display.ts";
import { StatError } from "../result/error.ts";
import { formatNumber } from "../result/number-format.ts";
import type { Diagnostic } from "../result/result.ts";
import type { LaplaceState } from "./laplace.ts";
import type { LaplaceSolution } from "./laplace-solve.ts";
import {
  type RandomStructure,
  relativeFactor,
  SINGULAR_TOLERANCE,
  singularTerms,
  type VarianceComponent,
  varianceComponents,
} from "./random.ts";

export function checkRandomPart(blocks: readonly RandomBlock[]): void {
  for (const { group, levels, index, names, Z } of blocks) {
    if (new Set(index).size < 2) {
      throw new StatError(
        "OneLevel",
        `the grouping factor ${group} has only one level (${levels[index[0]!] ?? "none"}) in the rows used.`,
        `The variance between levels needs at least two: leave the random term of ${group} out.`,
      );
    }
    for (let j = 0; j < Z.cols; j++) {
      if (Z.data.subarray(j * Z.rows, (j + 1) * Z.rows).some((v) => v !== 0)) continue;
      throw new StatError(
        "EmptyColumn",
        `${names[j]!} is 0 in every row of the random term of ${group}.`,
        "Leave it out, or drop the empty level of the factor.",
      );
    }
  }
}

/** The rows of the blocks that take part. */
export function blocksOfRows(blocks: readonly RandomBlock[], rows: Int32Array, all: number): readonly RandomBlock[] {
  if (rows.length === all) return blocks;
  return blocks.map((block) => {
    const Z = zeros(rows.length, block.Z.cols);
    for (let j = 0; j < Z.cols; j++) {
      for (let i = 0; i < rows.length; i++) Z.data[i + j * Z.rows] = block.Z.data[rows[i]! + j * block.Z.rows]!;
    }
    return { ...block, index: Int32Array.from(rows, (i) => block.index[i]!), Z };
  });
}

/** b = Λu and its conditional SDs: one matrix, levels × columns, per block of the design; at the state's last evaluation
 *  with a gradient. */
export function modesOf(
  { system, u }: LaplaceState,
  theta: Float64Array,
): { readonly modes: readonly Matrix[]; readonly modeSds: readonly Matrix[] } {
  const { structure, start, factor: inverse } = system;
  const modes: Matrix[] = [];
  const modeSds: Matrix[] = [];
  structure.terms.forEach(({ block, levels, size: q }, t) => {
    const T = relativeFactor(structure, theta, t).data;
    const b = zeros(levels, q);
    const sd = zeros(levels, q);
    for (let l = 0; l < levels; l++) {
      const at = start[t]! + l * q;
      for (let r = 0; r < q; r++) {
        let variance = 0;
        for (let c = 0; c <= r; c++) {
          b.data[l + r * levels]! += T[r + c * q]! * u[at + c]!;
          for (let d = 0; d <= r; d++) variance += T[r + c * q]! * T[r + d * q]! * inverse.inverseEntry(at + c, at + d);
        }
        sd.data[l + r * levels] = Math.sqrt(Math.max(0, variance));
      }
    }
    modes[block] = b;
    modeSds[block] = sd;
  });
  return { modes, modeSds };
}

/** Beyond this the Hessian's inverse has lost half of its digits. */
const ILL_CONDITIONED = 1e8;

/** `separated`: estimates run off to infinity, which has been said and explains whatever the optimum looks like. */
export function optimumDiagnostics(
  structure: RandomStructure,
  solution: LaplaceSolution,
  separated: boolean,
): Diagnostic[] {
  if (separated) {
    const theta = knownTheta(structure, solution);
    return [...unknownDiagnostics(structure, theta), ...singularDiagnostics(structure, theta, 1)];
  }
  const out = singularDiagnostics(structure, solution.theta, 1);
  if (!solution.converged) {
    out.push(
      warning(
        "NotConverged",
        `the search stopped at a point that is not surely a maximum (relative gradient ${formatNumber(solution.gradient)}).`,
        "Rescale covariates with large values, or leave random slopes out; do not report these estimates.",
      ),
    );
  } else if (!solution.definite && !Number.isNaN(solution.condition)) {
    out.push(
      note(
        "FlatLikelihood",
        "some combination of the parameters hardly changes the likelihood; their single values are uncertain.",
        "Look at likelihood-ratio tests rather than standard errors, or simplify the random part.",
      ),
    );
  } else if (solution.condition > ILL_CONDITIONED) {
    out.push(
      note(
        "IllConditioned",
        `the Hessian has the condition number ${formatNumber(solution.condition)}.`,
        "Rescale covariates with large values: standard errors may have few correct digits.",
      ),
    );
  }
  return out;
}

/** An element of θ whose SE would be this many latent units, were all others known, cannot be estimated. */
const UNBOUNDED = 1000;

/** θ of separated data, with NaN where the likelihood is the same whatever its value: the search then left it where it began. */
export function knownTheta({ lower }: RandomStructure, { theta, hessian }: LaplaceSolution): Float64Array {
  return theta.map((value, k) => {
    const onBoundary = lower[k] === 0 && value === 0;
    return onBoundary || Math.abs(hessian.data[k * (hessian.rows + 1)]!) * UNBOUNDED ** 2 > 1 ? value : Number.NaN;
  });
}

function unknownDiagnostics(structure: RandomStructure, theta: Float64Array): Diagnostic[] {
  const unknown = varianceComponents(structure, theta, 1).flatMap(({ group, names, sd }) =>
    names.filter((_, i) => Number.isNaN(sd[i]!)).map((name) => `${name} between levels of ${group}`),
  );
  if (unknown.length === 0) return [];
  return [
    warning(
      "NoInformation",
      `the variance of ${unknown.join(", ")} is undefined: the fixed effects predict all responses that it could show in, so that the likelihood is the same whatever its value.`,
      "Mend the separation first; until then leave the random term out.",
    ),
  ];
}

/** Variances of 0 and correlations of ±1; `sigma` is the residual SD that θ is relative to. */
export function singularDiagnostics(structure: RandomStructure, theta: Float64Array, sigma: number): Diagnostic[] {
  const singular = singularTerms(structure, theta);
  if (singular.length === 0) return [];
  const variances = varianceComponents(structure, theta, sigma);
  return [
    warning(
      "SingularFit",
      `singular fit: ${singular.map((t) => describeSingular(variances[t]!, sigma)).join("; ")}.`,
      "The estimates stand, but the data do not support all random effects: a simpler random part gives the same fit.",
    ),
  ];
}

function describeSingular({ group, names, sd }: VarianceComponent, sigma: number): string {
  const zero = names.filter((_, i) => sd[i]! < SINGULAR_TOLERANCE * sigma);
  if (zero.length > 0) return `the variance of ${zero.join(", ")} between levels of ${group} is estimated as 0`;
  return `the random effects of ${group} (${names.join(", ")}) are linearly dependent (a correlation of 1 or -1)`;
}

/** More correlations than this do not fit on a line; the result has them all. */
const MOST_CORRELATIONS = 4;

/** With a last line for the residual, where the model has one. */
export function randomTable(variances: readonly VarianceComponent[], residualSd?: number): DisplayTable {
  const most = Math.max(...variances.map(({ names }) => names.length - 1));
  const shown = Math.min(most, MOST_CORRELATIONS);
  const rows = variances.flatMap(({ group, names, sd, cov, corr }) =>
    names.map((name, i): (string | number)[] => [
      i === 0 ? group : "",
      name,
      sd[i]!,
      cov.data[i * (cov.rows + 1)]!,
      ...Array.from({ length: shown }, (_, j) => (j < i ? corr.data[i + j * corr.rows]! : "")),
    ]),
  );
  if (residualSd !== undefined) {
    rows.push(["residual", "", residualSd, residualSd * residualSd, ...Array<string>(shown).fill("")]);
  }
  const head = ["group", "term", "SD", "variance", ...Array.from({ length: shown }, (_, j) => (j === 0 ? "corr" : ""))];
  const formats: CellFormat[] = ["text", "text", "number", "number"];
  return { caption: "Random effects", head, formats: [...formats, ...Array<CellFormat>(shown).fill("number")], rows };
}

/** How factors become columns: contrasts, their names, and where full indicators are needed instead.
 *    treatment: one 0/1 column per level but the first     sum: the last level is -1 in every column
 *    helmert: level j+1 against the mean of those before   poly: orthonormal polynomials of the ranks (ordered factors)
 *  Defaults are R's: treatment for factors, poly for ordered factors.
 *  A factor in a term is coded by contrasts if an earlier term holds all other variables of the term, else by indicators.
 *  Reference: Chambers & Hastie (1992), Statistical Models in S, §2.3 and §2.4.1.
 *  Oracle:    R's contr.*() and model.matrix(), oracle/r/design.json. */
import type { FactorColumn } from "../data/table.ts";
import { type Matrix, zeros } from "../numeric/linalg/matrix.ts";
import { learnOrthogonal, orthogonalColumns } from "./orthogonal.ts";
import type { Contrast } from "./term.ts";

export interface Coding {
  /** levels × (levels - 1). */
  readonly matrix: Matrix;
  /** What R appends to the variable's name, one per column. */
  readonly names: readonly string[];
}

/** The coding of a factor with at least two levels. */
export function contrastCoding(contrast: Contrast, levels: readonly string[]): Coding {
  const n = levels.length;
  const matrix = zeros(n, n - 1);
  const numbered = Array.from({ length: n - 1 }, (_, j) => String(j + 1));
  switch (contrast) {
    case "treatment":
      for (let j = 0; j < n - 1; j += 1) matrix.data[j + 1 + j * n] = 1;
      return { matrix, names: levels.slice(1) };
    case "sum":
      for (let j = 0; j < n - 1; j += 1) {
        matrix.data[j + j * n] = 1;
        matrix.data[n - 1 + j * n] = -1;
      }
      return { matrix, names: numbered };
    case "helmert":
      for (let j = 0; j < n - 1; j += 1) {
        matrix.data.fill(-1, j * n, j * n + j + 1);
        matrix.data[j + 1 + j * n] = j + 1;
      }
      return { matrix, names: numbered };
    case "poly": {
      const ranks = Float64Array.from({ length: n }, (_, i) => i + 1);
      orthogonalColumns(ranks, learnOrthogonal(ranks, n - 1)!).forEach((column, j) => {
        matrix.data.set(column, j * n);
      });
      const short = [".L", ".Q", ".C"];
      return { matrix, names: numbered.map((_, j) => short[j] ?? `^${j + 1}`) };
    }
  }
}

/** One column per level. */
export function indicatorCoding(levels: readonly string[]): Coding {
  const matrix = zeros(levels.length, levels.length);
  for (let j = 0; j < levels.length; j += 1) matrix.data[j + j * levels.length] = 1;
  return { matrix, names: levels };
}

/** For each term and each variable in it: true where a factor needs one column per level.
 *  Terms are lists of variable labels in R's order; `isFactor` tells factors from numbers. */
export function findIndicators(
  terms: readonly (readonly string[])[],
  intercept: boolean,
  isFactor: (variable: string) => boolean,
): boolean[][] {
  const earlier: ReadonlySet<string>[] = [];
  const mentioned = new Set<string>();
  const full = terms.map((term) => {
    const indicators = term.map((variable) => {
      const others = term.filter((other) => other !== variable);
      if (!isFactor(variable) || others.length === 0) return false;
      if (others.length === 1) return !mentioned.has(others[0]!);
      return !earlier.some((set) => others.every((other) => set.has(other)));
    });
    earlier.push(new Set(term));
    for (const variable of term) mentioned.add(variable);
    return indicators;
  });
  if (intercept) return full;
  // Without an intercept the first factor of the first term that has one spans the constant.
  for (const [t, term] of terms.entries()) {
    const first = term.findIndex(isFactor);
    if (first < 0) continue;
    full[t]![first] = true;
    break;
  }
  return full;
}

/** The factor on the given levels, in their order; levels it has besides are appended, so that none is lost. */
export function codeOnto(factor: FactorColumn, levels: readonly string[]): FactorColumn {
  const { codes, ordered } = factor;
  if (levels.length === factor.levels.length && levels.every((level, i) => level === factor.levels[i])) return factor;
  const place = new Map(levels.map((level, code) => [level, code]));
  const used = findUsed(factor);
  const all = [...levels];
  const map = factor.levels.map((level, code) => {
    const known = place.get(level);
    if (known !== undefined || used[code] === 0) return known ?? -1;
    all.push(level);
    return all.length - 1;
  });
  const recoded = new Int32Array(codes.length);
  for (let i = 0; i < codes.length; i += 1) recoded[i] = codes[i]! < 0 ? -1 : map[codes[i]!]!;
  return { kind: "factor", codes: recoded, levels: all, ordered };
}

/** For each level, 1 if a row has it; of the given rows, or of all. */
export function findUsed({ codes, levels }: FactorColumn, rows?: Int32Array): Uint8Array {
  const used = new Uint8Array(levels.length);
  if (rows === undefined) for (let i = 0; i < codes.length; i += 1) used[codes[i]!] = 1;
  else for (let i = 0; i < rows.length; i += 1) used[codes[rows[i]!]!] = 1;
  return used;
}

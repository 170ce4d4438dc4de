/** Random effects as a smooth (re): one column per level, or per combination of levels, times the numeric covariates; S = I.
 *  Reference: Wood (2017), Generalized Additive Models, 2nd ed., §5.8 and 7.7.1.
 *  Oracle:    mgcv (R), oracle/r/basis.json: X and S to 1e-10.
 *  Limits:    a level unknown to the basis has a row of zeros, i.e. the population's value. S is dense. */
import { identity } from "../../numeric/linalg/matrix.ts";
import type { LevelFunctions, RawBasis } from "./margin.ts";
import { functionCount } from "./margin.ts";

/** `sizes`: the number of levels of each covariate, 0 for a numeric one. */
export function learnRandom(sizes: Int32Array): RawBasis {
  const functions: LevelFunctions = { kind: "levels", sizes };
  const k = functionCount(functions);
  return {
    margin: { functions, columns: k, covariates: sizes.length },
    S: [identity(k)],
    ranks: [k],
    nullDim: 0,
    centred: false,
    reparametrise: false,
  };
}

/** The one value of a row, at `at`; returns the function's number. */
export function levelRowInto(
  values: Float64Array,
  at: number,
  { sizes }: LevelFunctions,
  covariates: readonly Float64Array[],
  row: number,
): number {
  let value = 1;
  let number = 0;
  let stride = 1;
  for (let c = 0; c < sizes.length; c++) {
    const size = sizes[c]!;
    const x = covariates[c]![row]!;
    if (size === 0) value *= x;
    else if (x >= 0 && x < size) {
      number += stride * x;
      stride *= size;
    } else {
      values[at] = 0;
      return 0;
    }
  }
  values[at] = value;
  return number;
}

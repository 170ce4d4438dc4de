/** What mixed models share: the check of the random part, its rows, singular terms, and the table of the random effects. */

import type { RandomBlock } from "../../formula/term.ts";
import { zeros } from "../../numeric/linalg/matrix.ts";
import { warning } from "../../result/diagnostic.ts";
import type { CellFormat, DisplayTable } from "../../result/display.ts";
import { StatError } from "../../result/error.ts";
import { mostOf } from "../../result/extremes.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { RandomJson } from "../fit-json.ts";

import {
  type RandomStructure,
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

/** Variances of 0 and correlations of ±1; `sigma` is the residual SD that θ is relative to. */
export function singularDiagnostics(structure: RandomStructure, theta: Float64Array, sigma: number): Diagnostic[] {
  const singular = singularTerms(structure, theta);
  if (singular.length === 0) return [];
  const variances = varianceComponents(structure, theta, sigma);
  return [
    warning(
      "SingularFit",
      `singular fit: ${singular.map((t) => describeSingular(variances[t]!, sigma)).join("; ")}.`,
      "The estimates lie on the boundary of the parameter space: the data may not support all random effects. Compare with a simpler random part.",
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
  const most = mostOf(variances.map(({ names }) => names.length - 1));
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

export function randomJson(variances: readonly VarianceComponent[]): RandomJson[] {
  return variances.map(({ group, levels, names, sd, corr }) => ({
    group,
    levels,
    terms: names,
    sd: Array.from(sd),
    corr: Array.from({ length: corr.rows }, (_, i) =>
      Array.from({ length: corr.cols }, (__, j) => corr.data[i + j * corr.rows]!),
    ),
  }));
}

/** Refuses designs and responses from which a mixed model cannot be estimated; the rules are lme4's.
 *  Oracle: the errors of lme4's lmer(). */
import type { RandomBlock } from "../../formula/term.ts";
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import { qr } from "../../numeric/linalg/qr.ts";
import { StatError } from "../../result/error.ts";

export function checkRandomBlocks(blocks: readonly RandomBlock[], rows: number): void {
  if (blocks.length === 0) {
    throw new StatError(
      "NoRandomTerm",
      "the formula has no random term.",
      "Add one, such as (1 | item), or fit a linear model (lm).",
    );
  }
  for (const block of blocks) checkBlock(block, rows);
  checkRank(blocks, rows);
}

function checkBlock({ group, levels, index, names, Z }: RandomBlock, rows: number): void {
  const seen = new Uint8Array(levels.length);
  for (const level of index) seen[level] = 1;
  const used = seen.reduce((a, b) => a + b, 0);
  if (used < 2) {
    throw new StatError(
      "OneLevel",
      `the grouping factor ${group} has only one level (${levels[index[0]!] ?? "none"}) in the rows used.`,
      `The variance between levels needs at least two: leave the random term of ${group} out.`,
    );
  }
  if (used >= rows) {
    throw new StatError(
      "LevelPerRow",
      `the grouping factor ${group} has ${used} levels in ${rows} rows: one for each row.`,
      "Its variance is confounded with the residual variance: leave the term out, or group by a coarser factor.",
    );
  }
  if (used * names.length >= rows) {
    throw new StatError(
      "TooManyRandomEffects",
      `the term (${names.join(" + ")} | ${group}) has ${used * names.length} random effects for ${rows} rows.`,
      "They are confounded with the residuals: leave slopes out, or collect more rows per level.",
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

/** Up to this many numbers in Z its rank is computed, as lme4 does. */
const RANK_LIMIT = 1e6;

/** All terms together must leave something to the residuals. */
function checkRank(blocks: readonly RandomBlock[], rows: number): void {
  const total = blocks.reduce((sum, { levels, names }) => sum + levels.length * names.length, 0);
  if (total < rows || total * rows > RANK_LIMIT || qr(denseZ(blocks, rows, total)).rank < rows) return;
  throw new StatError(
    "TooManyRandomEffects",
    `the ${total} random effects can reproduce all ${rows} rows exactly.`,
    "Nothing is left for the residual variance: leave the term with the most levels out.",
  );
}

function denseZ(blocks: readonly RandomBlock[], rows: number, total: number): Matrix {
  const out = zeros(rows, total);
  let column = 0;
  for (const { levels, index, Z } of blocks) {
    for (let j = 0; j < Z.cols; j++) {
      for (let i = 0; i < rows; i++) out.data[i + (column + index[i]! * Z.cols + j) * rows] = Z.data[i + j * rows]!;
    }
    column += levels.length * Z.cols;
  }
  return out;
}

/** A response that a residual variance can be estimated from. */
export function checkResponse(y: Float64Array, label: string, rowsUsed: Int32Array): void {
  const bad = y.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) {
    throw new StatError(
      "NotFinite",
      `the response ${label} is ${y[bad]!} in row ${rowsUsed[bad]! + 1}.`,
      "Correct the value, or leave it empty to drop the row.",
    );
  }
  if (y.every((value) => value === y[0])) {
    throw new StatError(
      "ConstantResponse",
      `the response ${label} is ${y[0]!} in every row.`,
      "There is no variance to explain: choose another response.",
    );
  }
}

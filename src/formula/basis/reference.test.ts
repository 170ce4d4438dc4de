import { describe, expect, it } from "vitest";
import { readReference, referenceTable } from "../../../test/support/reference.ts";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { eigenSymmetric } from "../../numeric/linalg/eigen.ts";
import { type Matrix, matVec, zeros } from "../../numeric/linalg/matrix.ts";
import { qr, qrCoefficients } from "../../numeric/linalg/qr.ts";
import { buildDesign, makeDesign } from "../design.ts";
import { type LearnedSmooth, learnSmooth, smoothRows } from "./basis.ts";

interface GamCase {
  id: string;
  input: { data: string; formula: string; family: string; select: boolean; weights?: string };
  expected: {
    smooths: { label: string; sp: number[]; penalty_scale: number[]; knots?: number[] | null }[];
    predictions: { newdata: Record<string, (number | string)[]>; link: number[] };
    fitted_head: number[];
  };
}
const reference = readReference<GamCase>("gam.json");

const tableOf = (name: string, cells: Record<string, (string | number)[]>): Table => {
  const { columns } = reference.datasets[name]!;
  const entries = Object.entries(cells).map(([column, values]) => {
    const { type, levels } = columns[column]!;
    const made =
      type === "numeric"
        ? numericColumn(values.map(Number))
        : factorColumn(values.map(String), {
            ...(levels === undefined ? {} : { levels }),
            ordered: type === "ordered",
          });
    return [column, made] as const;
  });
  return makeTable(entries);
};
const bind = (parts: Matrix[]): Matrix => {
  const X = zeros(
    parts[0]!.rows,
    parts.reduce((sum, { cols }) => sum + cols, 0),
  );
  let at = 0;
  for (const { data } of parts) {
    X.data.set(data, at);
    at += data.length;
  }
  return X;
};

/** Weighted least squares with √λ·root(S) below √w·X: smoothing parameters of 1e12 leave the null space of S untouched. */
const fitPenalised = (
  X: Matrix,
  y: Float64Array,
  { smooths, sp, weights }: { smooths: LearnedSmooth[]; sp: number[][]; weights: Float64Array | undefined },
): Float64Array => {
  const roots: Float64Array[] = [];
  let from = X.cols - smooths.reduce((sum, { columns }) => sum + columns, 0);
  smooths.forEach((smooth, s) => {
    smooth.S.forEach((S, i) => {
      const { values, vectors } = eigenSymmetric(S);
      for (let r = 0; r < smooth.ranks[i]!; r++) {
        const row = new Float64Array(X.cols);
        const size = Math.sqrt(sp[s]![i]! * values[r]!);
        for (let j = 0; j < S.rows; j++) row[from + j] = size * vectors.data[j + r * S.rows]!;
        roots.push(row);
      }
    });
    from += smooth.columns;
  });
  const A = zeros(X.rows + roots.length, X.cols);
  const z = new Float64Array(A.rows);
  for (let i = 0; i < A.rows; i++) {
    const w = Math.sqrt(i < X.rows ? (weights?.[i] ?? 1) : 1);
    for (let j = 0; j < X.cols; j++) {
      A.data[i + j * A.rows] = i < X.rows ? w * X.data[i + j * X.rows]! : roots[i - X.rows]![j]!;
    }
    if (i < X.rows) z[i] = w * y[i]!;
  }
  return qrCoefficients(qr(A, { pivoting: "none" }), z);
};
const difference = (actual: ArrayLike<number>, expected: number[]): number =>
  Math.max(...expected.map((value, i) => Math.abs(actual[i]! - value))) / Math.max(...expected.map(Math.abs));

describe("as mgcv's gam() on the reference data", () => {
  it.each(reference.cases.map((item) => [item.id, item] as const))("%s", (_, { id, input, expected }) => {
    const design = buildDesign(
      input.formula,
      referenceTable(reference, input.data),
      input.weights ? { weights: input.weights } : {},
    );
    const learned = design.smooth.map((columns) => learnSmooth(columns, { select: input.select }));
    const smooths = learned.flat();
    expect(smooths.map(({ label }) => label)).toEqual(expected.smooths.map(({ label }) => label));
    // k = 100 thin plates: the eigenvalues kept reach down to 1e-8 of the first, and their vectors lose as many digits
    const bound = id === "step-k100-tp-REML" ? 1e-6 : 1e-9;
    smooths.forEach((smooth, s) => {
      expect(difference(smooth.penaltyScale, expected.smooths[s]!.penalty_scale)).toBeLessThan(bound);
      const { functions } = smooth.margins[0]!;
      const { knots } = expected.smooths[s]!;
      if (knots && functions.kind === "cubic") expect(difference(functions.knots, knots)).toBeLessThan(1e-14);
    });
    if (input.family !== "gaussian") return;
    const newTable = tableOf(input.data, expected.predictions.newdata);
    const fresh = makeDesign(design.schema, newTable, { response: false });
    const rows = (from: typeof design): Matrix => {
      const parts = from.smooth.flatMap(({ covariates, by }, t) =>
        learned[t]!.map((smooth) => smoothRows(smooth, covariates, by)),
      );
      return bind([from.X, ...parts]);
    };
    const X = rows(design);
    const sp = expected.smooths.map((smooth) => smooth.sp);
    const beta = fitPenalised(X, design.y, { smooths, sp, weights: design.weights });
    expect(difference(matVec(X, beta), expected.fitted_head)).toBeLessThan(bound);
    expect(difference(matVec(rows(fresh), beta), expected.predictions.link)).toBeLessThan(bound);
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectClose } from "../../../test/support/oracle.ts";
import { type Column, numericColumn } from "../../data/table.ts";
import { cholesky, cholSolve } from "../../numeric/linalg/cholesky.ts";
import { crossprod, type Matrix, matVec, tMatVec, zeros } from "../../numeric/linalg/matrix.ts";
import { parseFormula } from "../parse/parse.ts";
import { learnSmooth, smoothRows } from "./basis.ts";
import { orderAsR, textAsR } from "./number.ts";

interface Centers {
  readonly fits: readonly {
    readonly text: string;
    readonly data: "spread" | "grid";
    readonly rows: number;
    readonly penaltyScale: number;
    readonly at: readonly number[];
    readonly predicted: readonly number[];
  }[];
  readonly numbers: readonly string[];
  readonly texts: readonly string[];
}
const oracle: Centers = JSON.parse(
  readFileSync(new URL("../../../oracle/r/basis-centers.json", import.meta.url), "utf8"),
);

/** As oracle/r/basis-centers.R makes them. */
const DATA: Readonly<Record<"spread" | "grid", (n: number) => Record<"x" | "z" | "w", number[]>>> = {
  spread: (n) => {
    const golden = (step: number): number[] => Array.from({ length: n }, (_, i) => ((i + 1) * step) % 1);
    return {
      x: golden(0.6180339887498949),
      z: golden(0.7548776662466927).map((v) => 100 * v - 50),
      w: golden(0.5698402909980532).map((v) => v / 1e4),
    };
  },
  grid: (n) => {
    const rows = Array.from({ length: n }, (_, i) => i);
    return { x: rows.map((i) => i % 60), z: rows.map((i) => Math.floor(i / 60) / 10), w: rows.map((i) => i % 7) };
  },
};

/** y ~ 1 + smooth with a smoothing parameter of 1, at some of the rows. */
function predict(X: Matrix, S: Matrix, y: number[], at: readonly number[]): number[] {
  const whole = zeros(X.rows, X.cols + 1);
  whole.data.fill(1, 0, X.rows);
  whole.data.set(X.data, X.rows);
  const A = crossprod(whole);
  for (let j = 0; j < X.cols; j++) {
    for (let i = 0; i < X.cols; i++) A.data[i + 1 + (j + 1) * A.rows]! += S.data[i + j * X.cols]!;
  }
  const fitted = matVec(whole, cholSolve(cholesky(A)!, tMatVec(whole, Float64Array.from(y))));
  return at.map((i) => fitted[i]!);
}

describe("surfaces over more than 2000 distinct points have mgcv's centers", () => {
  it.each(oracle.fits)("$text, $rows rows ($data)", ({ text, data, rows, penaltyScale, at, predicted }) => {
    const values = DATA[data](rows);
    const y = values.x.map((x, i) => Math.sin(3 * x) + values.z[i]! / 40 + (((i + 1) * 7919) % 101) / 100);
    const term = parseFormula(`y ~ ${text}`).smooth[0]!;
    const covariates = term.of.map((name): Column => numericColumn(values[name as "x"]));
    const [smooth] = learnSmooth({ term, covariates }, {});
    expectClose(smooth!.penaltyScale, [penaltyScale], { tolerance: 1e-8, label: "scale of the penalty" });
    const X = smoothRows(smooth!, covariates);
    expectClose(predict(X, smooth!.S[0]!, y, at), predicted, { tolerance: 1e-8, floor: 1, label: "fit" });
  });
});

describe("numbers as R writes them", () => {
  it.each(oracle.numbers.map((number, i) => [number, oracle.texts[i]!] as const))("%s is %s", (number, text) => {
    expect(textAsR(Number(number))).toBe(text);
  });

  it("are ordered as text, and equal texts are one point", () => {
    const x = [10, 9, -1, 0.1 + 0.2, 0.3, 100000];
    expect(Array.from(orderAsR([x]), (i) => x[i])).toEqual([-1, 0.1 + 0.2, 10, 100000, 9]);
  });
});

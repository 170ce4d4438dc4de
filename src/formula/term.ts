import type { Matrix } from "../numeric/linalg/matrix.ts";

/** An arithmetic or logical expression over columns, as in `log(x + 1)` or `I(x^2)`; evaluated by evaluate/evaluate.ts, never by eval.
 *  `at` is the offset in the source text, for error messages; parentheses are kept, because R's labels show them. */
export type Expression =
  | { readonly kind: "number"; readonly value: number; readonly at: number }
  | { readonly kind: "string"; readonly value: string; readonly at: number }
  | { readonly kind: "logical"; readonly value: boolean; readonly at: number }
  | { readonly kind: "variable"; readonly name: string; readonly at: number }
  | { readonly kind: "paren"; readonly arg: Expression; readonly at: number }
  | { readonly kind: "unary"; readonly op: "-" | "+" | "!"; readonly arg: Expression; readonly at: number }
  | BinaryExpression
  | CallExpression;

export interface BinaryExpression {
  readonly kind: "binary";
  readonly op: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
  readonly at: number;
}

export interface CallExpression {
  readonly kind: "call";
  readonly fn: string;
  readonly args: readonly Expression[];
  readonly named: ReadonlyMap<string, Expression>;
  readonly at: number;
}

export type BinaryOperator =
  | "||"
  | "|"
  | "&&"
  | "&"
  | "=="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "+"
  | "-"
  | "*"
  | "/"
  | "%in%"
  | "%%"
  | "%/%"
  | ":"
  | "^";

/** A smooth as written: s(x, k = 20, bs = "cr"), s(x, by = g), te(x, z), ti(x, z). */
export interface SmoothTerm {
  readonly kind: "smooth";
  readonly fn: "s" | "te" | "ti" | "t2";
  /** Names of the covariates: a column's own name, or an expression as printed, e.g. "log(x)". */
  readonly of: readonly string[];
  readonly covariates: readonly Expression[];
  /** One per margin for te/ti/t2, otherwise one. */
  readonly basis: readonly string[];
  /** One per margin for te/ti/t2, otherwise one; NaN means the default of the basis. */
  readonly k: readonly number[];
  /** Covariates per margin: all ones unless `d` was given; for s, the number of covariates. */
  readonly d: readonly number[];
  readonly by?: string;
  readonly byExpression?: Expression;
  /** Order of the penalty; one number per margin for te/ti/t2, NaN for the default. */
  readonly m?: readonly number[];
  readonly fx: boolean;
  readonly sp?: readonly number[];
  readonly id?: string;
  /** R's label: s(x), s(x):gA is made from it. */
  readonly label: string;
}

/** (1 + x | g), (x || g) already split as lme4 does, (1 | a/b) already expanded to b:a and a, diag(x | g). */
export interface RandomTerm {
  readonly kind: "random";
  /** Terms left of the bar; an intercept is { kind: "intercept" } and comes first. */
  readonly of: readonly FixedTerm[];
  /** Names of the columns (or expressions) whose interaction is the grouping factor: ["b", "a"] for b:a. */
  readonly group: readonly string[];
  readonly grouping: readonly Expression[];
  /** As lme4 names it: "g", "b:a", "c:(b:a)". */
  readonly groupLabel: string;
  /** false for diag(): every column independent. */
  readonly correlated: boolean;
  /** Came from `||`: a factor in it stays correlated, which is worth a note. */
  readonly split: boolean;
  /** As R prints it, e.g. "1 + Days | Subject". */
  readonly label: string;
}

/** What a model column is made of: a column of the table, or an expression over columns. */
export type VariableTerm =
  | { readonly kind: "variable"; readonly name: string; readonly at: number; readonly label: string }
  | { readonly kind: "expression"; readonly expression: Expression; readonly label: string };

export type FixedTerm =
  | { readonly kind: "intercept" }
  | VariableTerm
  | { readonly kind: "interaction"; readonly of: readonly VariableTerm[]; readonly label: string };

export interface Formula {
  readonly text: string;
  /** Absent for a one-sided formula. cbind(successes, failures) is a call expression. */
  readonly response?: Expression;
  readonly responseLabel: string;
  /** Fixed terms in R's order (by degree, then as written), without the intercept. */
  readonly fixed: readonly FixedTerm[];
  readonly intercept: boolean;
  readonly random: readonly RandomTerm[];
  readonly smooth: readonly SmoothTerm[];
  readonly offsets: readonly Expression[];
  /** A `.` waits for the columns of a table: see resolveDot. */
  readonly hasDot: boolean;
}

export type Contrast = "treatment" | "sum" | "helmert" | "poly";

/** What the data taught us about a model variable: enough to code new data in the same way. */
export type Learned =
  | { readonly kind: "numeric" }
  /** Several columns at once: poly(x, 2), cbind(a, b). */
  | { readonly kind: "matrix"; readonly names: readonly string[] }
  | {
      readonly kind: "factor";
      readonly levels: readonly string[];
      readonly ordered: boolean;
      readonly contrast: Contrast;
      /** levels × (levels - 1). */
      readonly coding: Matrix;
      readonly codingNames: readonly string[];
    };

/** One random-effects term over the rows used: row i belongs to level index[i] and has design row Z[i, ]. */
export interface RandomBlock {
  readonly group: string;
  readonly levels: readonly string[];
  /** -1 marks a level that the schema has not seen (only where new levels are allowed). */
  readonly index: Int32Array;
  readonly Z: Matrix;
  readonly names: readonly string[];
  readonly correlated: boolean;
}

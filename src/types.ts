/** Types that several entry points speak of: tables, formulas and designs, and what every result is made of. */
export type { Column, FactorColumn, NumericColumn, Table } from "./data/table.ts";
export type { LearnedSmooth, SmoothBy } from "./formula/basis/basis.ts";
export type {
  BasisFunctions,
  BsplineFunctions,
  Centring,
  CubicFunctions,
  LevelFunctions,
  LocalFunctions,
  Margin,
  RadialFunctions,
} from "./formula/basis/margin.ts";
export type { Design, SmoothColumns } from "./formula/design.ts";
export type { FunctionState } from "./formula/evaluate/call.ts";
export type { Dropped, Extras, LearnedColumn } from "./formula/frame.ts";
export type { Group } from "./formula/group.ts";
export type { OrthogonalBasis } from "./formula/orthogonal.ts";
export type { ByColumn, CodedTerm, LearnedResponse, Schema } from "./formula/schema.ts";
export type {
  BinaryExpression,
  BinaryOperator,
  CallExpression,
  Contrast,
  Expression,
  FixedTerm,
  Formula,
  Learned,
  RandomBlock,
  RandomTerm,
  SmoothTerm,
  VariableTerm,
} from "./formula/term.ts";
export type { Fit } from "./models/fit.ts";
export type { Matrix } from "./numeric/linalg/matrix.ts";
export type { Rng, RngState } from "./numeric/rng.ts";
export type {
  CellFormat,
  Display,
  DisplayChart,
  DisplayItem,
  DisplaySection,
  DisplayTable,
  Screen,
} from "./result/display.ts";
export type { Diagnostic, Estimate, Result, Signature } from "./result/result.ts";

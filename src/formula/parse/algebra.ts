/** The algebra of model formulas: + - * : / ^ %in% over sets of variables, an intercept, and R's order and labels of terms.
 *    a * b = a + b + a:b      a / b = a + a:b      (a + b)^2 = a + b + a:b      a %in% b = a:b      t - u removes u from t
 *  A term is a set of variables; terms are sorted by their number of variables and otherwise stay in order of appearance;
 *  the variables within a term stand in the order in which the formula first names them.
 *  Reference: Wilkinson & Rogers (1973), Appl. Stat. 22:392; Chambers & Hastie (1992), Statistical Models in S, ch. 2.
 *  Oracle:    R's terms(), oracle/r/design.json.
 *  Limits:    a number as the operand of : * / %in% is an error (R drops the term without a word), and so is removing an offset. */

import type { BinaryExpression, Expression, FixedTerm, VariableTerm } from "../term.ts";
import { checkCalls } from "./arguments.ts";
import { type Fault, faultAt } from "./fault.ts";
import { printExpression, unrollChain } from "./print.ts";

/** Terms in one formula; more cannot be estimated and only a misplaced ^ produces them. */
const MAX_TERMS = 20_000;
/** Variables in one term, likewise. */
const MAX_DEGREE = 100;
/** Pairs of terms combined while expanding; bounds the time that a product of sums can take. */
const MAX_PAIRS = 2_000_000;
/** Operators that combine terms; any other operator makes an expression, which is one variable. */
const ALGEBRA: ReadonlySet<string> = new Set(["+", "-", "*", ":", "/", "^", "%in%"]);

export interface Expansion {
  readonly terms: readonly FixedTerm[];
  readonly intercept: boolean;
  readonly offsets: readonly Expression[];
  readonly hasDot: boolean;
}

export interface ExpandOptions {
  readonly source: string;
  /** What `.` stands for; unknown until there is a table. */
  readonly dot?: readonly string[] | undefined;
}

/** A term as indices into `variables`, ascending. */
type VariableSet = readonly number[];

interface State extends ExpandOptions {
  readonly variables: Map<string, { readonly expression: Expression; readonly place: number }>;
  intercept: boolean;
  /** false under an odd number of minus signs. */
  adding: boolean;
  pairs: number;
  hasDot: boolean;
}

/** Expands the right side of a formula, or the left side of a random term. */
export function expandTerms(right: Expression, options: ExpandOptions): Expansion {
  const state: State = { ...options, variables: new Map(), intercept: true, adding: true, pairs: 0, hasDot: false };
  const sets = expand(state, right);
  const variables = [...state.variables.values()].map(({ expression }) => expression);
  const isOffset = variables.map((variable) => variable.kind === "call" && variable.fn === "offset");
  const terms = sets
    .filter((set) => !set.some((variable) => isOffset[variable]))
    .sort((a, b) => a.length - b.length)
    .map((set) => makeTerm(set.map((variable) => variables[variable]!)));
  const offsets = variables.filter((_, i) => isOffset[i]).map((call) => (call.kind === "call" ? call.args[0]! : call));
  return { terms, intercept: state.intercept, offsets, hasDot: state.hasDot };
}

export function makeTerm(variables: readonly Expression[]): FixedTerm {
  const of = variables.map(makeVariable);
  return of.length === 1 ? of[0]! : { kind: "interaction", of, label: of.map(({ label }) => label).join(":") };
}

export function makeVariable(expression: Expression): VariableTerm {
  const label = printExpression(expression);
  return expression.kind === "variable"
    ? { kind: "variable", name: expression.name, at: expression.at, label }
    : { kind: "expression", expression, label };
}

/** The variables of a term; none for the intercept. */
export function variablesOf(term: FixedTerm): readonly VariableTerm[] {
  if (term.kind === "intercept") return [];
  return term.kind === "interaction" ? term.of : [term];
}

export function labelOf(term: FixedTerm): string {
  return term.kind === "intercept" ? "1" : term.label;
}

/** As a term of a formula: the label, with parentheses around a condition such as a > b, which binds less than `:` and `+`. */
export function sourceOf(term: FixedTerm): string {
  if (term.kind === "intercept") return "1";
  const factors = variablesOf(term).map((variable) => {
    const bare = variable.kind === "variable" || variable.expression.kind === "call";
    return bare ? variable.label : `(${variable.label})`;
  });
  return factors.join(":");
}

export function expressionOf(variable: VariableTerm): Expression {
  if (variable.kind === "expression") return variable.expression;
  return { kind: "variable", name: variable.name, at: variable.at };
}

function fail(state: State, expression: Expression, fault: Omit<Fault, "code"> & { code?: string }): Error {
  return faultAt({ source: state.source, at: expression.at }, { code: "FormulaTerm", ...fault });
}

function expand(state: State, expression: Expression): VariableSet[] {
  switch (expression.kind) {
    case "number":
      return expandNumber(state, expression);
    case "variable":
      return expression.name === "." ? expandDot(state, expression) : [[intern(state, expression)]];
    case "paren":
      return expand(state, expression.arg);
    case "unary":
      if (expression.op === "!") return [[intern(state, expression)]];
      if (expression.op === "+") return expand(state, expression.arg);
      expandRemoved(state, expression.arg);
      return [];
    case "binary":
      return expandChain(state, expression);
    case "call":
      return [[intern(state, expression)]];
    default: {
      const fix = "name a column; texts and TRUE/FALSE belong inside functions such as I(x == 'a').";
      throw fail(state, expression, { message: `${printExpression(expression)} is not a term.`, fix });
    }
  }
}

function expandNumber(state: State, number: Expression & { kind: "number" }): VariableSet[] {
  if (number.value !== 0 && number.value !== 1) {
    throw fail(state, number, {
      message: `the number ${printExpression(number)} is not a term: only 1 and 0 are, to add or remove an intercept.`,
      fix: "put arithmetic into I(), e.g. I(2 * x).",
    });
  }
  state.intercept = (number.value === 1) === state.adding;
  return [];
}

/** The place of a variable in order of first mention; equal text is the same variable. */
function intern(state: State, expression: Expression): number {
  const label = printExpression(expression);
  const known = state.variables.get(label);
  if (known !== undefined) return known.place;
  if (expression.kind !== "variable") checkCalls(state.source, expression);
  const place = state.variables.size;
  state.variables.set(label, { expression, place });
  return place;
}

function expandDot(state: State, dot: Expression): VariableSet[] {
  state.hasDot = true;
  if (state.dot === undefined) return [[intern(state, dot)]];
  return state.dot.map((name) => [intern(state, { kind: "variable", name, at: dot.at })]);
}

function expandChain(state: State, chain: BinaryExpression): VariableSet[] {
  const { first, steps } = unrollAlgebra(state, chain);
  let sets = first.kind === "binary" ? [[intern(state, first)]] : expand(state, first);
  // A sum of many terms is gathered in one map, not re-sifted at every +.
  let seen: Map<string, VariableSet> | undefined;
  for (const step of steps) {
    if (step.op === "+") {
      seen ??= keyed(sets);
      addTo(seen, expand(state, step.right));
      checkSize(state, step, seen.size);
    } else {
      if (seen !== undefined) sets = [...seen.values()];
      seen = undefined;
      sets = combine(state, step, sets);
      checkSize(state, step, sets.length);
    }
  }
  return seen === undefined ? sets : [...seen.values()];
}

/** As unrollChain, but an expression such as a > b or a %% b ends the chain: it is a variable. */
function unrollAlgebra(state: State, chain: BinaryExpression): { first: Expression; steps: BinaryExpression[] } {
  const { first, steps } = unrollChain(chain);
  const last = steps.findLastIndex(({ op }) => !ALGEBRA.has(op));
  if (last < 0) return { first, steps };
  const variable = steps[last]!;
  if (variable.op === "|" || variable.op === "||") {
    throw fail(state, variable, {
      message: `"${variable.op}" stands outside of parentheses.`,
      fix: "write a random effect as (1 | group), or a condition as I(a | b).",
    });
  }
  return { first: variable, steps: steps.slice(last + 1) };
}

function combine(state: State, step: BinaryExpression, left: readonly VariableSet[]): VariableSet[] {
  if (step.op === "-") {
    const removed = keyed(expandRemoved(state, step.right));
    return left.filter((set) => !removed.has(String(set)));
  }
  if (step.op === "^") return raise(state, step, left);
  const right = expand(state, step.right);
  if (left.length === 0 || right.length === 0) throw emptyOperand(state, step);
  switch (step.op) {
    case ":":
      return [...cross(state, step, left, right).values()];
    case "*": {
      const sum = keyed(left);
      addTo(sum, right);
      addTo(sum, cross(state, step, left, right).values());
      return [...sum.values()];
    }
    case "/": {
      const sum = keyed(left);
      addTo(sum, cross(state, step, [unite(left.flat(), [])], right).values());
      return [...sum.values()];
    }
    default: // %in%
      return [...cross(state, step, left, [unite(right.flat(), [])]).values()];
  }
}

function emptyOperand(state: State, step: BinaryExpression): Error {
  const text = printExpression(step);
  return fail(state, step, {
    message: `one side of "${step.op}" holds no variable.`,
    fix: text.length < 60 ? `for arithmetic write I(${text}).` : "put arithmetic into I().",
  });
}

function raise(state: State, step: BinaryExpression, left: readonly VariableSet[]): VariableSet[] {
  let exponent: Expression = step.right;
  while (exponent.kind === "paren") exponent = exponent.arg;
  if (exponent.kind !== "number" || !Number.isInteger(exponent.value) || exponent.value < 1) {
    throw fail(state, step.right, {
      message: `a power in a formula is a whole number from 1, not ${printExpression(step.right)}.`,
      fix: "(a + b)^2 gives all pairs of interactions; for arithmetic write I(x^2).",
    });
  }
  if (left.length === 0) throw emptyOperand(state, step);
  let power = keyed(left);
  for (let i = 1; i < exponent.value; i += 1) {
    const before = power.size;
    power = cross(state, step, [...power.values()], left);
    checkSize(state, step, power.size);
    // Every term already holds its products with `left`: higher powers add nothing.
    if (power.size === before) break;
  }
  return [...power.values()];
}

function expandRemoved(state: State, expression: Expression): VariableSet[] {
  state.adding = !state.adding;
  const sets = expand(state, expression);
  state.adding = !state.adding;
  const variables = [...state.variables.values()];
  const isOffset = (place: number): boolean => {
    const variable = variables[place]!.expression;
    return variable.kind === "call" && variable.fn === "offset";
  };
  if (sets.some((set) => set.some(isOffset))) {
    const fix = "leave the offset out instead.";
    throw fail(state, expression, { message: "an offset cannot be removed with -.", fix });
  }
  return sets;
}

function keyed(sets: Iterable<VariableSet>): Map<string, VariableSet> {
  const map = new Map<string, VariableSet>();
  addTo(map, sets);
  return map;
}

function addTo(map: Map<string, VariableSet>, sets: Iterable<VariableSet>): void {
  for (const set of sets) {
    const key = String(set);
    if (!map.has(key)) map.set(key, set);
  }
}

function cross(
  state: State,
  step: BinaryExpression,
  left: readonly VariableSet[],
  right: readonly VariableSet[],
): Map<string, VariableSet> {
  state.pairs += left.length * right.length;
  if (state.pairs > MAX_PAIRS) checkSize(state, step, Number.POSITIVE_INFINITY);
  const product = new Map<string, VariableSet>();
  for (const a of left) {
    for (const b of right) {
      const set = unite(a, b);
      if (set.length > MAX_DEGREE) {
        throw fail(state, step, {
          code: "FormulaTooLarge",
          message: `an interaction of more than ${MAX_DEGREE} variables.`,
          fix: "interact fewer variables.",
        });
      }
      const key = String(set);
      if (!product.has(key)) product.set(key, set);
    }
    checkSize(state, step, product.size);
  }
  return product;
}

function unite(a: VariableSet, b: VariableSet): VariableSet {
  return [...new Set([...a, ...b])].sort((x, y) => x - y);
}

function checkSize(state: State, step: Expression, terms: number): void {
  if (terms <= MAX_TERMS) return;
  throw fail(state, step, {
    code: "FormulaTooLarge",
    message: `the formula expands to more than ${MAX_TERMS} terms.`,
    fix: "lower the power or list the interactions that you want.",
  });
}

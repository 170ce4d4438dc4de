/** Formula text → Formula: response, fixed terms, random terms, smooth terms, offsets, in R's, lme4's and mgcv's notation.
 *  Steps: words (tokens.ts) → expression (syntax.ts) → random and smooth terms taken out of the sum → algebra of the rest.
 *  Oracle: R's terms(), lme4's findbars, mgcv's interpret.gam: oracle/r/design.json.
 *  Limits: random and smooth terms are added with +, never multiplied or removed; nothing is ever evaluated as code. */

import type { Expression, Formula, RandomTerm, SmoothTerm } from "../term.ts";
import { expandTerms, labelOf, sourceOf, variablesOf } from "./algebra.ts";
import { checkCalls, valuesIn } from "./arguments.ts";
import { faultAt } from "./fault.ts";
import { printExpression, unrollChain } from "./print.ts";
import { findBar, isBar, makeRandomTerms } from "./random-term.ts";
import { isSmoothCall, makeSmoothTerm, printSmoothTerm } from "./smooth-term.ts";
import { readSides } from "./syntax.ts";

export function parseFormula(text: string): Formula {
  return parseWith(text);
}

/** The formula with `.` replaced by the columns that its response does not use. */
export function resolveDot(formula: Formula, columns: Iterable<string>): Formula {
  if (!formula.hasDot) return formula;
  const used = formula.response === undefined ? [] : columnsIn(formula.response);
  return parseWith(
    formula.text,
    [...columns].filter((name) => !used.includes(name)),
  );
}

/** The names of all columns in an expression, in order of first mention. */
export function columnsIn(expression: Expression): string[] {
  const found = new Set<string>();
  const visit = (node: Expression): void => {
    if (node.kind === "variable") found.add(node.name);
    else if (node.kind === "paren" || node.kind === "unary") visit(node.arg);
    else if (node.kind === "binary") {
      const { first, steps } = unrollChain(node);
      visit(first);
      for (const { right } of steps) visit(right);
    } else if (node.kind === "call") valuesIn(node).forEach(visit);
  };
  visit(expression);
  return [...found];
}

/** Text that parses to the same formula; `||`, nesting and `.` appear as what they stand for. */
export function printFormula(formula: Formula): string {
  const parts = formula.fixed.map(sourceOf);
  for (const term of formula.random) parts.push(term.correlated ? `(${term.label})` : `diag(${term.label})`);
  for (const term of formula.smooth) parts.push(printSmoothTerm(term));
  for (const offset of formula.offsets) parts.push(`offset(${printExpression(offset)})`);
  if (!formula.intercept) parts.unshift("0");
  else if (formula.fixed.length === 0) parts.unshift("1");
  const left = formula.response === undefined ? "" : `${formula.responseLabel} `;
  return `${left}~ ${parts.join(" + ")}`;
}

interface Gathered {
  readonly source: string;
  readonly random: RandomTerm[];
  readonly smooth: SmoothTerm[];
}

function parseWith(text: string, dot?: readonly string[]): Formula {
  const { left, right } = readSides(text);
  if (left !== undefined) checkResponse(text, left);
  const gathered: Gathered = { source: text, random: [], smooth: [] };
  const rest = takeSpecials(gathered, right);
  const expansion =
    rest === undefined
      ? { terms: [], intercept: true, offsets: [], hasDot: false }
      : expandTerms(rest, dot === undefined ? { source: text } : { source: text, dot });
  const responseLabel = left === undefined ? "" : printExpression(left);
  const clash = expansion.terms.find((term) => variablesOf(term).some(({ label }) => label === responseLabel));
  if (left !== undefined && clash !== undefined) {
    throw faultAt(
      { source: text, at: right.at },
      {
        code: "FormulaTerm",
        message: `the response ${responseLabel} also stands on the right, in ${labelOf(clash)}.`,
        fix: "remove it from the right side.",
      },
    );
  }
  return {
    text,
    ...(left === undefined ? {} : { response: left }),
    responseLabel,
    fixed: expansion.terms,
    intercept: expansion.intercept,
    random: gathered.random,
    smooth: gathered.smooth,
    offsets: expansion.offsets,
    hasDot: expansion.hasDot,
  };
}

function checkResponse(source: string, response: Expression): void {
  checkCalls(source, response);
  if (columnsIn(response).length > 0) return;
  const message = `the response "${printExpression(response)}" does not name a column.`;
  throw faultAt(
    { source, at: response.at },
    { code: "FormulaResponse", message, fix: "put the measured column left of ~." },
  );
}

/** Moves the random and smooth terms of a sum into `gathered`; what is left of the sum, or undefined if nothing is. */
function takeSpecials(gathered: Gathered, expression: Expression): Expression | undefined {
  const { source } = gathered;
  const found = findBar(expression);
  if (found !== undefined) {
    gathered.random.push(...makeRandomTerms(source, found.bar, found.diagonal));
    return undefined;
  }
  if (isSmoothCall(expression)) {
    gathered.smooth.push(makeSmoothTerm(source, expression));
    return undefined;
  }
  if (!hasSpecial(expression)) return expression;
  if (expression.kind === "paren" || (expression.kind === "unary" && expression.op === "+")) {
    const arg = takeSpecials(gathered, expression.arg);
    return arg === undefined ? undefined : { ...expression, arg };
  }
  if (expression.kind !== "binary") throw misplaced(source, expression);
  const { first, steps } = unrollChain(expression);
  let left = takeSpecials(gathered, first);
  for (const step of steps) {
    if (step.op !== "+" && (hasSpecial(step.right) || left === undefined)) {
      // `(1 | g) - 1` removes the intercept of the fixed part.
      if (step.op !== "-" || hasSpecial(step.right)) throw misplaced(source, step);
      left = { kind: "unary", op: "-", arg: step.right, at: step.at };
    } else {
      const right = takeSpecials(gathered, step.right);
      if (left === undefined) left = right;
      else if (right !== undefined) left = { ...step, left, right };
    }
  }
  return left;
}

/** Whether a random or smooth term occurs among the terms (not inside functions such as I()). */
function hasSpecial(expression: Expression): boolean {
  if (expression.kind === "call") return isSmoothCall(expression) || findBar(expression) !== undefined;
  if (expression.kind === "paren") return isBar(expression.arg) || hasSpecial(expression.arg);
  if (expression.kind === "unary") return hasSpecial(expression.arg);
  if (expression.kind !== "binary") return false;
  const { first, steps } = unrollChain(expression);
  return hasSpecial(first) || steps.some(({ right }) => hasSpecial(right));
}

function misplaced(source: string, expression: Expression): Error {
  return faultAt(
    { source, at: expression.at },
    {
      code: "FormulaTerm",
      message: "random and smooth terms can only be added with +.",
      fix: "write y ~ x + (1 | g), y ~ x + s(z); for a slope by group (x | g), for a smooth by factor s(z, by = f).",
    },
  );
}

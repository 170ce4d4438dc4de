/** Random terms in lme4's notation: (x | g), (x || g), us(x | g), and our diag(x | g).
 *    (x || g)     = (1 | g) + (0 + x | g): the terms of x are independent, but the columns of one factor are not
 *    (x | a/b)    = (x | b:a) + (x | a), and one level deeper (x | c:(b:a)), named as lme4 names them
 *    diag(x | g)  = every column of x independent, also those of a factor
 *  Reference: Bates, Mächler, Bolker & Walker (2015), J. Stat. Softw. 67(1), table 2.
 *  Oracle:    lme4's findbars, expandDoubleVerts and lFormula, oracle/r/design.json. */

import type { BinaryExpression, Expression, FixedTerm, RandomTerm } from "../term.ts";
import { expandTerms, sourceOf } from "./algebra.ts";
import { checkCalls } from "./arguments.ts";
import { faultAt } from "./fault.ts";
import { plainName, printExpression, unrollChain } from "./print.ts";

interface Grouping {
  readonly grouping: readonly Expression[];
  /** With backticks where the text of a formula needs them. */
  readonly text: string;
}

/** The bar of (x | g), us(x | g) or diag(x | g), or undefined if this is no random term. */
export function findBar(
  expression: Expression,
): { readonly bar: BinaryExpression; readonly diagonal: boolean } | undefined {
  if (expression.kind === "paren" && isBar(expression.arg)) return { bar: expression.arg, diagonal: false };
  if (expression.kind !== "call" || (expression.fn !== "us" && expression.fn !== "diag")) return undefined;
  const only = expression.args[0];
  if (expression.args.length !== 1 || expression.named.size > 0 || only === undefined || !isBar(only)) return undefined;
  return { bar: only, diagonal: expression.fn === "diag" };
}

export function isBar(expression: Expression): expression is BinaryExpression {
  return expression.kind === "binary" && (expression.op === "|" || expression.op === "||");
}

export function makeRandomTerms(source: string, bar: BinaryExpression, diagonal: boolean): RandomTerm[] {
  if (isBar(bar.left)) {
    throw faultAt(
      { source, at: bar.at },
      {
        code: "FormulaRandom",
        message: "a random term has one bar.",
        fix: "write (1 | a) + (1 | b), or (1 | a:b) for combinations.",
      },
    );
  }
  const groupings = expandGrouping(source, bar.right);
  const { terms, intercept, offsets, hasDot } = expandTerms(bar.left, { source });
  if (hasDot || offsets.length > 0 || (terms.length === 0 && !intercept)) {
    throw faultAt(
      { source, at: bar.left.at },
      {
        code: "FormulaRandom",
        message: `"${printExpression(bar.left)}" gives no random effects.`,
        fix: "name what varies by group: 1 for the intercept, or columns, as in (1 + x | g).",
      },
    );
  }
  const one: FixedTerm = { kind: "intercept" };
  const all = intercept ? [one, ...terms] : terms;
  const parts =
    bar.op === "||" && !diagonal
      ? all.map((term) => ({ of: [term], text: term.kind === "intercept" ? "1" : `0 + ${sourceOf(term)}` }))
      : [{ of: all, text: printExpression(bar.left) }];
  return parts.flatMap(({ of, text }) =>
    groupings.map(
      ({ grouping, text: group }): RandomTerm => ({
        kind: "random",
        of,
        group: grouping.map(plainName),
        grouping,
        groupLabel: grouping.length === 1 ? plainName(grouping[0]!) : group,
        correlated: !diagonal,
        split: bar.op === "||" && !diagonal,
        label: `${text} | ${group}`,
      }),
    ),
  );
}

/** a/b/c becomes c:(b:a), b:a and a. */
function expandGrouping(source: string, expression: Expression): Grouping[] {
  const nested: Grouping[] = [];
  for (const item of slashItems(expression)) {
    const grouping = interactionOf(source, item);
    const outer = nested[0];
    const text = printExpression(item);
    if (outer === undefined) nested.push({ grouping, text });
    else {
      const within = outer.grouping.length === 1 ? outer.text : `(${outer.text})`;
      nested.unshift({ grouping: [...grouping, ...outer.grouping], text: `${text}:${within}` });
    }
  }
  return nested;
}

function slashItems(expression: Expression): Expression[] {
  let bare = expression;
  while (bare.kind === "paren") bare = bare.arg;
  if (bare.kind !== "binary" || bare.op !== "/") return [bare];
  const { first, steps } = unrollChain(bare);
  const last = steps.findLastIndex(({ op }) => op !== "/");
  const head = last < 0 ? first : steps[last]!;
  const rest = steps.slice(last + 1).map(({ right }) => right);
  return head.kind === "paren" ? [...slashItems(head), ...rest] : [head, ...rest];
}

/** The factors of a:b:c, in order and without repeats. */
function interactionOf(source: string, expression: Expression): Expression[] {
  const parts = new Map<string, Expression>();
  for (const part of colonItems(source, expression)) {
    const label = printExpression(part);
    if (!parts.has(label)) parts.set(label, part);
  }
  return [...parts.values()];
}

function colonItems(source: string, expression: Expression): Expression[] {
  switch (expression.kind) {
    case "variable":
      if (expression.name !== ".") return [expression];
      break;
    case "paren":
      return colonItems(source, expression.arg);
    case "call":
      checkCalls(source, expression);
      return [expression];
    case "binary": {
      const { first, steps } = unrollChain(expression);
      if (steps.some(({ op }) => op !== ":")) break;
      return [first, ...steps.map(({ right }) => right)].flatMap((item) => colonItems(source, item));
    }
    default:
  }
  let fix = "name a column, a:b for the combinations of two, or a/b for b within a.";
  if (expression.kind === "binary" && (expression.op === "+" || expression.op === "*")) {
    const [a, b] = [printExpression(expression.left), printExpression(expression.right)];
    fix = `write (1 | ${a}) + (1 | ${b})${expression.op === "*" ? ` + (1 | ${a}:${b})` : ""}.`;
  }
  const message = `"${printExpression(expression)}" is not a grouping factor.`;
  throw faultAt({ source, at: expression.at }, { code: "FormulaRandom", message, fix });
}

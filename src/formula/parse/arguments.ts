/** The functions that formulas and expressions may call, and how their arguments are named.
 *  Everything else is refused when the text is read, at its place in the text. */
import { nearest } from "../../result/suggest.ts";
import type { CallExpression, Expression } from "../term.ts";
import { faultAt } from "./fault.ts";
import { printExpression, unrollChain } from "./print.ts";

interface Signature {
  /** In R's order; arguments without a name fill them from the left. */
  readonly parameters: readonly string[];
  readonly required: number;
  /** Takes any number of unnamed arguments, as pmin(a, b, c) does. */
  readonly variadic?: boolean;
}

const ONE: Signature = { parameters: ["x"], required: 1 };
const MANY: Signature = { parameters: [], required: 1, variadic: true };
const FACTOR: Signature = { parameters: ["x", "levels", "labels", "ordered"], required: 1 };

const ONE_ARGUMENT =
  "I log2 log10 log1p exp expm1 sqrt abs sign sin cos tan floor ceiling trunc center as.factor as.ordered as.numeric " +
  "is.na mean median sd min max offset";

const SIGNATURES: ReadonlyMap<string, Signature> = new Map<string, Signature>([
  ...ONE_ARGUMENT.split(" ").map((name) => [name, ONE] as const),
  ["log", { parameters: ["x", "base"], required: 1 }],
  ["round", { parameters: ["x", "digits"], required: 1 }],
  ["scale", { parameters: ["x", "center", "scale"], required: 1 }],
  ["factor", FACTOR],
  ["ordered", FACTOR],
  ["relevel", { parameters: ["x", "ref"], required: 2 }],
  ["C", { parameters: ["object", "contr"], required: 2 }],
  ["poly", { parameters: ["x", "degree", "raw"], required: 1 }],
  ["ifelse", { parameters: ["test", "yes", "no"], required: 3 }],
  ["pmin", MANY],
  ["pmax", MANY],
  ["c", MANY],
  ["cbind", MANY],
]);

/** Known to R users but not offered here, with what to do instead. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["bs", "write a smooth term instead: s(x, bs = 'ps')."],
  ["ns", "write a smooth term instead: s(x, bs = 'cr')."],
  ["s", "add smooth terms with + at the top of the formula."],
  ["te", "add smooth terms with + at the top of the formula."],
  ["ti", "add smooth terms with + at the top of the formula."],
  ["t2", "add smooth terms with + at the top of the formula."],
  ["us", "write it as a term of its own, with a bar: us(x | g)."],
  ["diag", "write it as a term of its own, with a bar: diag(x | g)."],
]);

/** Throws at the first call, anywhere in the expression, that is unknown or has the wrong arguments. */
export function checkCalls(source: string, expression: Expression): void {
  switch (expression.kind) {
    case "paren":
    case "unary":
      checkCalls(source, expression.arg);
      break;
    case "binary": {
      const { first, steps } = unrollChain(expression);
      checkCalls(source, first);
      for (const { right } of steps) checkCalls(source, right);
      break;
    }
    case "call":
      checkCall(source, expression);
      break;
    case "variable":
      if (expression.name === ".") {
        const fix = "name the columns; `.` for all other columns stands alone, as in y ~ . + log(x).";
        throw faultAt(
          { source, at: expression.at },
          { code: "FormulaTerm", message: '"." inside an expression.', fix },
        );
      }
      break;
    default:
  }
}

function checkCall(source: string, call: CallExpression): void {
  matchArguments(source, call);
  for (const value of valuesIn(call)) checkCalls(source, value);
}

/** The arguments that are values: in C(x, sum) the second one names a contrast, not a column. */
export function valuesIn(call: CallExpression): readonly Expression[] {
  const all = [...call.args, ...call.named.values()];
  return call.fn === "C" ? all.filter((value) => value !== matchArguments("", call)[1]) : all;
}

/** The arguments in the order of the parameters, undefined where left out; all of them for a variadic function. */
export function matchArguments(source: string, call: CallExpression): readonly (Expression | undefined)[] {
  const signature = SIGNATURES.get(call.fn);
  if (signature === undefined) throw unknownFunction(source, call);
  const { parameters, required, variadic } = signature;
  const place = { source, at: call.at };
  if (variadic === true) {
    // Names inside c() and cbind() carry no meaning here.
    const all = [...call.args, ...call.named.values()];
    if (all.length > 0) return all;
    throw faultAt(place, { code: "FormulaCall", message: `${call.fn}() is empty.`, fix: `write ${call.fn}(a, b).` });
  }
  const matched: (Expression | undefined)[] = parameters.map((name) => call.named.get(name));
  const unknown = [...call.named.keys()].find((name) => !parameters.includes(name));
  const free = parameters.flatMap((name, i) => (call.named.has(name) ? [] : [i]));
  if (unknown !== undefined || call.args.length > free.length) {
    const what = unknown === undefined ? `${call.args.length + call.named.size} arguments` : `an argument "${unknown}"`;
    throw faultAt(place, {
      code: "FormulaCall",
      message: `${call.fn}() is given ${what}; it takes ${parameters.join(", ")}.`,
      fix: `write ${call.fn}(${parameters.slice(0, required).join(", ")}).`,
    });
  }
  call.args.forEach((value, i) => {
    matched[free[i]!] = value;
  });
  const missing = parameters.slice(0, required).find((_, i) => matched[i] === undefined);
  if (missing === undefined) return matched;
  throw faultAt(place, {
    code: "FormulaCall",
    message: `${printExpression(call)} lacks its argument "${missing}".`,
    fix: `write ${call.fn}(${parameters.slice(0, required).join(", ")}).`,
  });
}

function unknownFunction(source: string, { fn, at }: CallExpression): Error {
  const near = nearest(fn, [...SIGNATURES.keys()]);
  const elsewhere = ELSEWHERE.get(fn);
  return faultAt(
    { source, at },
    {
      code: "UnknownFunction",
      message: `no function "${fn}" can be used here.`,
      fix:
        elsewhere ??
        (near === undefined
          ? "use log, exp, sqrt, scale, factor, relevel, poly, I(…), or compute the column first."
          : `did you mean ${near}()? Otherwise compute the column first.`),
    },
  );
}

/** Expressions as R's deparse writes them: the text in term labels and coefficient names. */
import type { BinaryExpression, BinaryOperator, Expression } from "../term.ts";

/** Operators that R prints without blanks. */
const TIGHT: ReadonlySet<BinaryOperator> = new Set(["/", ":", "^", "%%", "%/%"]);

/** Words that R reserves; as names they need backticks. */
const RESERVED: ReadonlySet<string> = new Set(
  "if else repeat while function for next break TRUE FALSE NULL Inf NaN NA NA_integer_ NA_real_ NA_character_ in".split(
    " ",
  ),
);

const SYNTACTIC = /^(?:\p{L}|\.(?![\p{N}]))[\p{L}\p{M}\p{N}._]*$/u;

/** Significant digits that R prints. */
const DIGITS = 15;

export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case "number":
      return printNumber(expression.value);
    case "string":
      return quote(expression.value, '"');
    case "logical":
      return expression.value ? "TRUE" : "FALSE";
    case "variable":
      return printName(expression.name);
    case "paren":
      return `(${printExpression(expression.arg)})`;
    case "unary":
      return expression.op + printExpression(expression.arg);
    case "binary":
      return printChain(expression);
    case "call": {
      const args = expression.args.map(printExpression);
      for (const [name, value] of expression.named) args.push(`${printName(name)} = ${printExpression(value)}`);
      return `${printName(expression.fn)}(${args.join(", ")})`;
    }
  }
}

/** The operators of a left-leaning chain a + b - c, first to last, and its first operand.
 *  Walking a chain by a loop keeps a formula of ten thousand terms off the stack. */
export function unrollChain(chain: BinaryExpression): { first: Expression; steps: BinaryExpression[] } {
  const steps: BinaryExpression[] = [];
  let first: Expression = chain;
  while (first.kind === "binary") {
    steps.push(first);
    first = first.left;
  }
  return { first, steps: steps.reverse() };
}

function printChain(chain: BinaryExpression): string {
  const { first, steps } = unrollChain(chain);
  const parts = [printExpression(first)];
  for (const { op, right } of steps) {
    parts.push(TIGHT.has(op) ? op : ` ${op} `, printExpression(right));
  }
  return parts.join("");
}

/** A name, in backticks where R needs them. */
export function printName(name: string): string {
  return SYNTACTIC.test(name) && !RESERVED.has(name) ? name : quote(name, "`");
}

/** The name of a column as people know it: without backticks; other expressions as printed. */
export function plainName(expression: Expression): string {
  return expression.kind === "variable" ? expression.name : printExpression(expression);
}

function quote(text: string, mark: string): string {
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll(mark, `\\${mark}`)
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t")
    .replaceAll("\r", "\\r");
  return mark + escaped + mark;
}

/** Fifteen significant digits, in fixed notation unless the exponent is shorter: 0.001, 1e-04, 123456, 1e+05. */
export function printNumber(value: number): string {
  if (Number.isNaN(value)) return "NA";
  if (!Number.isFinite(value)) return value > 0 ? "Inf" : "-Inf";
  if (value === 0) return "0";
  const [mantissa, exponent] = value.toExponential(DIGITS - 1).split("e") as [string, string];
  const shortest = mantissa.includes(".") ? mantissa.replace(/(?<!0)0+$/, "").replace(/\.$/, "") : mantissa;
  const power = Number(exponent);
  const magnitude = String(Math.abs(power)).padStart(2, "0");
  const scientific = `${shortest}e${power < 0 ? "-" : "+"}${magnitude}`;
  const decimals = Math.max(0, shortest.replace(/[-.]/g, "").length - 1 - power);
  // toFixed stops at 100 decimals, far beyond the point where the exponent is shorter.
  if (decimals > 100 || power > 20) return scientific;
  const fixed = value.toFixed(decimals);
  return fixed.length <= scientific.length ? fixed : scientific;
}

/** One function call under evaluation, and its arguments as values. */

import type { OrthogonalBasis } from "../orthogonal.ts";
import { faultAt, type Place } from "../parse/fault.ts";
import { printExpression } from "../parse/print.ts";
import type { CallExpression, Expression } from "../term.ts";
import { type Constant, spread, toNumbers, type Value } from "./value.ts";

/** What a function has learned from the data. */
export type FunctionState =
  | { readonly kind: "scale"; readonly center: number; readonly scale: number }
  | { readonly kind: "poly"; readonly basis: OrthogonalBasis }
  | { readonly kind: "levels"; readonly levels: readonly string[]; readonly ordered: boolean }
  | { readonly kind: "scalar"; readonly value: number };

/** One call under evaluation. */
export interface Call {
  readonly call: CallExpression;
  readonly args: readonly (Expression | undefined)[];
  readonly place: Place;
  readonly rows: number;
  readonly states: Map<string, FunctionState>;
  evaluate(expression: Expression): Value;
}

export function fail({ place }: Call, message: string, fix: string): Error {
  return faultAt(place, { code: "FormulaCall", message, fix });
}

/** What the call learned before, or learns now. */
export function remember<K extends FunctionState["kind"]>(
  { call, states }: Call,
  kind: K,
  learn: () => FunctionState & { kind: K },
): FunctionState & { kind: K } {
  const key = printExpression(call);
  const known = states.get(key);
  if (known?.kind === kind) return known as FunctionState & { kind: K };
  const learned = learn();
  states.set(key, learned);
  return learned;
}

export function argumentNumbers(running: Call, i: number): { data: Float64Array; step: 0 | 1 } {
  return toNumbers(running.evaluate(running.args[i]!), `${running.call.fn}()`, running.place);
}

/** A column of numbers, one per row. */
export function argumentColumn(running: Call): Float64Array {
  const value = spread(running.evaluate(running.args[0]!), running.rows);
  return toNumbers(value, `${running.call.fn}()`, running.place).data;
}

export function argumentConstant(running: Call, i: number): Constant | undefined {
  const argument = running.args[i];
  if (argument === undefined) return undefined;
  const value = running.evaluate(argument);
  if (value.kind === "constant") return value.value;
  throw fail(
    running,
    `${printExpression(argument)} must be a constant.`,
    "write a number, a quoted text, TRUE or FALSE.",
  );
}

export function constantsIn(running: Call, i: number): readonly Constant[] | undefined {
  const argument = running.args[i];
  if (argument === undefined) return undefined;
  const value = running.evaluate(argument);
  if (value.kind === "list") return value.values;
  if (value.kind === "constant") return [value.value];
  throw fail(running, `${printExpression(argument)} must be a list of constants.`, 'write c("a", "b").');
}

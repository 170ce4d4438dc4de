/** What a reader of marginal means must know: means that the data cannot determine, averages over an interaction, scales that
 *  cannot be undone. */
import { expressionOf, variablesOf } from "../../formula/parse/algebra.ts";
import { columnsIn } from "../../formula/parse/parse.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { MarginalFunctions } from "./marginal-functions.ts";
import type { MarginalModel } from "./marginal-model.ts";

export interface CheckOptions {
  readonly type: "link" | "response";
  readonly slopes: string | undefined;
}

export function marginalDiagnostics(
  model: MarginalModel,
  functions: MarginalFunctions,
  { type, slopes }: CheckOptions,
): Diagnostic[] {
  return [
    ...nested(functions),
    ...notEstimable(functions),
    ...averagedInteractions(model, functions, slopes),
    ...zeroByDesign(functions),
    ...(type === "response" ? unknownTransformation(model) : []),
  ];
}

/** Only where it changes what is shown or averaged. */
function nested({ grid, by, within }: MarginalFunctions): Diagnostic[] {
  if (grid.nesting.size === 0) return [];
  const shown = [...by, ...within];
  const each = [...grid.nesting].map(([name, outer]) => `${name} is nested in ${outer.join(" and ")}`);
  const averaged = [...grid.nesting.keys()].some((name) => !shown.includes(name));
  return [
    note(
      "Nested",
      `${each.join("; ")}: only combinations that occur have a mean${averaged ? " or enter an average" : ""}.`,
      "To compare levels within an outer factor, name it in within.",
    ),
  ];
}

const SHOWN = 6;

function notEstimable({ means, names, groups, isEstimable }: MarginalFunctions): Diagnostic[] {
  const lost = names.filter((_, i) => !isEstimable(means.L, i));
  const contrasts = groups.flatMap(({ contrasts, functions }) =>
    contrasts.names.filter((_, i) => !isEstimable(functions.L, i)),
  );
  if (lost.length + contrasts.length === 0) return [];
  const list = (all: readonly string[]): string =>
    all.slice(0, SHOWN).join(", ") + (all.length > SHOWN ? `, … ${all.length - SHOWN} more` : "");
  const parts = [
    ...(lost.length === 0 ? [] : [`the mean${lost.length === 1 ? "" : "s"} of ${list(lost)}`]),
    ...(contrasts.length === 0 ? [] : [`the contrast${contrasts.length === 1 ? "" : "s"} ${list(contrasts)}`]),
  ];
  return [
    warning(
      "NotEstimable",
      `the data cannot determine ${parts.join(" and ")}: combinations of levels without rows stand in the average.`,
      "Restrict the other factors with at, ask for means within them, or leave the interaction out.",
    ),
  ];
}

/** Terms in which a wanted variable interacts with one that is averaged or held fixed. */
function averagedInteractions(
  { design }: MarginalModel,
  { grid, by, within }: MarginalFunctions,
  slopes: string | undefined,
): Diagnostic[] {
  const wanted = new Set([...by, ...(slopes === undefined ? [] : [slopes])]);
  const shown = new Set([...wanted, ...within]);
  const hidden = new Set<string>();
  const involved = new Set<string>();
  for (const term of design.schema.formula.fixed) {
    const columns = variablesOf(term).flatMap((variable) => columnsIn(expressionOf(variable)));
    const own = columns.filter((name) => wanted.has(name));
    const others = columns.filter((name) => !shown.has(name));
    if (own.length === 0 || others.length === 0) continue;
    for (const name of own) involved.add(name);
    for (const name of others) hidden.add(name);
  }
  if (hidden.size === 0) return [];
  const described = [...hidden].map((name) => {
    const variable = grid.variables.find((v) => v.name === name)!;
    if (variable.levels.length > 1) return `${name}, over which they are averaged`;
    return `${name}, which stands at ${variable.values ? formatNumber(variable.values[0]!) : variable.levels[0]}`;
  });
  return [
    note(
      "AveragedInteraction",
      `in the model ${[...involved].join(", ")} interact${involved.size === 1 ? "s" : ""} with ${described.join(", and with ")}: one average may hide opposite effects.`,
      `Look at the contrasts within ${[...hidden].join(", ")}.`,
    ),
  ];
}

/** A difference whose weights all cancel says nothing about the data. */
function zeroByDesign({ groups }: MarginalFunctions): Diagnostic[] {
  const zero = groups.flatMap(({ contrasts, functions: { L } }) =>
    contrasts.names.filter((_, i) => {
      for (let j = 0; j < L.cols; j++) if (L.data[i + j * L.rows] !== 0) return false;
      return true;
    }),
  );
  if (zero.length === 0) return [];
  const many = zero.length > 1;
  return [
    note(
      "ZeroByDesign",
      `${zero.slice(0, SHOWN).join(", ")}${zero.length > SHOWN ? ", …" : ""} ${many ? "are" : "is"} 0 in this model whatever the data, so there is no test.`,
      "Add the interaction to the formula.",
    ),
  ];
}

function unknownTransformation({ design, scale }: MarginalModel): Diagnostic[] {
  const { response, responseLabel } = design.schema.formula;
  const transformed = response !== undefined && !["variable", "call"].includes(response.kind);
  const call = response?.kind === "call" && response.fn !== "cbind";
  if (scale.name !== "identity" || !(transformed || call)) return [];
  return [
    note(
      "ScaleKept",
      `the means are on the scale of ${responseLabel}, which cannot be undone here.`,
      "Transform with log, log2, log10, log1p or sqrt of a single column.",
    ),
  ];
}

/** Factors nested in others: sub-domains that occur in one domain only, or whose labels start again in every domain.
 *
 *  A factor is nested in another where each of its levels occurs with one level of the other; or where the formula has it only
 *  together with the other (dom/sub) and some combinations do not occur. Combinations without rows are then no cells of the
 *  design but none at all: they have no mean and enter no average. A mean over a nested factor is the mean of the levels that
 *  occur at that level of the outer one.
 *  Reference: Lenth (2016), J. Stat. Softw. 69(1); emmeans (R), ".find_nests" and its vignette on messy data.
 *  Oracle:    emmeans (R), oracle/r/emmeans.json, the cases "nested-…".
 *  Limits:    a formula that nests factors which are crossed in the data leaves them crossed (emmeans lists all cells). */
import { expressionOf, variablesOf } from "../../formula/parse/algebra.ts";
import { columnsIn } from "../../formula/parse/parse.ts";
import type { MarginalModel } from "./marginal-model.ts";

/** For every nested factor those that it is nested in. */
export type Nesting = ReadonlyMap<string, readonly string[]>;

/** Levels of the grid's factors, by name, in the cells that have rows. */
export type OccupiedCell = Readonly<Record<string, string>>;

export function findNesting(
  { design }: MarginalModel,
  factors: readonly string[],
  occupied: readonly OccupiedCell[],
): Nesting {
  const found = new Map<string, readonly string[]>();
  for (const name of factors) {
    // of two factors that determine each other only the first is nested
    const outer = factors.filter((other) => other !== name && !found.get(other)?.includes(name));
    const nests = outer.filter((other) => determines(name, other, occupied));
    if (nests.length > 0) found.set(name, nests);
  }
  for (const [name, outer] of nestedByFormula(design.schema.formula.fixed, factors)) {
    const empty = hasEmptyCells([name, ...outer], occupied);
    if (empty && !outer.some((other) => found.get(other)?.includes(name))) {
      found.set(name, [...new Set([...(found.get(name) ?? []), ...outer])]);
    }
  }
  return closure(found);
}

/** Each level of `name` occurs with one level of `other`, and some level of `other` with several of `name` or not. */
function determines(name: string, other: string, occupied: readonly OccupiedCell[]): boolean {
  const partner = new Map<string, string>();
  return occupied.every((cell) => {
    const known = partner.get(cell[name]!);
    partner.set(cell[name]!, cell[other]!);
    return known === undefined || known === cell[other];
  });
}

/** Factors without a main effect, with those that stand in all of their terms. */
function nestedByFormula(
  fixed: MarginalModel["design"]["schema"]["formula"]["fixed"],
  factors: readonly string[],
): Map<string, readonly string[]> {
  const terms = fixed
    .map((term) => variablesOf(term).flatMap((variable) => columnsIn(expressionOf(variable))))
    .map((columns) => factors.filter((name) => columns.includes(name)));
  const out = new Map<string, readonly string[]>();
  for (const name of factors) {
    const own = terms.filter((term) => term.includes(name));
    const outer = factors.filter((other) => other !== name && own.every((term) => term.includes(other)));
    if (own.length > 0 && outer.length > 0) out.set(name, outer);
  }
  for (const [name, outer] of out) if (outer.some((other) => out.get(other)?.includes(name))) out.delete(name);
  return out;
}

function hasEmptyCells(names: readonly string[], occupied: readonly OccupiedCell[]): boolean {
  const count = (of: readonly string[]): number => new Set(occupied.map((cell) => cellKey(cell, of))).size;
  return count(names) < names.reduce((product, name) => product * count([name]), 1);
}

/** What is nested in a nested factor is nested in its outer factors too. */
function closure(found: ReadonlyMap<string, readonly string[]>): Nesting {
  const all = (name: string, seen: readonly string[] = []): string[] =>
    (found.get(name) ?? []).flatMap((outer) => (seen.includes(outer) ? [] : [...all(outer, [...seen, name]), outer]));
  return new Map([...found.keys()].map((name) => [name, [...new Set(all(name))].filter((outer) => outer !== name)]));
}

export const cellKey = (cell: OccupiedCell, names: readonly string[]): string =>
  JSON.stringify(names.map((name) => cell[name]));

/** Variables whose means can be distinguished: a nested factor brings those that it is nested in, right after itself. */
export function withOuterFactors(nesting: Nesting, names: readonly string[], elsewhere: readonly string[]): string[] {
  const nested = names.filter((name) => nesting.has(name));
  const outer = nested.flatMap((name) => nesting.get(name)!).filter((name) => !elsewhere.includes(name));
  return [...new Set([...nested, ...outer, ...names])];
}

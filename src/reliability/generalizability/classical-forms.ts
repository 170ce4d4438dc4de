/** The coefficients of classical test theory, under their names, where they are what a design gives: Cronbach's α and its kin where every object
 *  has one score of each level of one facet; ICC(1) of the one-way layout. See reliability/consistency.ts and significance/tests/intraclass.ts. */
import { asFactor, column } from "../../data/table.ts";
import { type OneWay, oneWayIntraclass } from "../../significance/tests/intraclass.ts";
import { type Consistency, measureConsistency } from "../consistency.ts";
import type { FacetDesign } from "./facet-terms.ts";

export interface ClassicalForms {
  readonly oneWay?: OneWay;
  readonly consistency?: Consistency;
}

/** Fewer objects have no covariances worth the name. */
const LEAST_OBJECTS = 3;

export function classicalForms(design: FacetDesign, scores: Float64Array, confidence: number): ClassicalForms {
  const object = design.terms.find((term) => term.object && term.order === 1);
  if (object === undefined) return {};
  if (design.within !== undefined) return { oneWay: oneWayIntraclass(scores, object.index, { confidence }) };
  const mains = design.terms.filter((term) => !term.object && term.order === 1);
  const [facet] = mains;
  if (facet === undefined || mains.length > 1 || object.levels < LEAST_OBJECTS) return {};
  if (design.table.rows !== object.levels * facet.levels) return {};
  const cells = new Float64Array(design.table.rows).fill(Number.NaN);
  for (let row = 0; row < scores.length; row++) {
    cells[facet.index[row]! * object.levels + object.index[row]!] = scores[row]!;
  }
  if (cells.some(Number.isNaN)) return {};
  const columns = Array.from({ length: facet.levels }, (_, f) =>
    cells.subarray(f * object.levels, (f + 1) * object.levels),
  );
  return { consistency: measureConsistency(columns, { names: levelNames(design, facet), confidence }) };
}

/** Names of a facet's levels, which the classes number in order of first appearance. */
function levelNames({ table }: FacetDesign, facet: FacetDesign["terms"][number]): string[] {
  const factors = facet.facets.map((name) => asFactor(column(table, name)));
  const names = new Array<string>(facet.levels).fill("");
  for (let row = 0; row < facet.index.length; row++) {
    names[facet.index[row]!] ||= factors.map(({ codes, levels }) => levels[codes[row]!]!).join(" = ");
  }
  return names;
}

/** Which facets a claim is about: every one that the data repeat and the test can hold against, unless fewer were asked for. */

import { FACETS } from "../../question/choices.ts";
import { StatError } from "../../result/error.ts";
import type { ComparisonData } from "./comparison.ts";
import type { Facet, RepeatedFacet } from "./pair/facets.ts";

/** Items, and what else has two levels or more. */
export function repeatedIn({ data, clusters, repeated = [] }: ComparisonData): RepeatedFacet[] {
  const found = [
    { facet: "items" as const, levels: data.items.length },
    ...(clusters === undefined ? [] : [{ facet: "clusters" as const, levels: clusters.names.length }]),
    ...repeated,
  ];
  return FACETS.flatMap((facet) => found.filter((one) => one.facet === facet).slice(0, 1));
}

export function chooseScope(possible: readonly Facet[], wanted: readonly Facet[] | undefined): Facet[] {
  if (wanted === undefined) return [...possible];
  const missing = wanted.find((facet) => !possible.includes(facet));
  if (missing !== undefined) {
    const fix = `Leave it out, or name what there is: ${possible.join(",")}.`;
    throw new StatError("BadOption", `option \`scope\` ${missing}: the data, or the test, have no two of them.`, fix);
  }
  return FACETS.filter((facet) => facet === "items" || wanted.includes(facet));
}

const NUMBERS = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** "generalizes to new items and raters", "for these two raters only". */
export function tellScope(scope: readonly Facet[], repeated: readonly RepeatedFacet[], units: string): string[] {
  const names = scope.map((facet) => (facet === "items" ? units : facet));
  const all = names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0]!;
  return [`generalizes to new ${all}`, ...tellHeld(repeated.filter(({ facet }) => !scope.includes(facet)))];
}

export const tellHeld = (held: readonly RepeatedFacet[]): string[] =>
  held.map(({ facet, levels }) => `for these ${NUMBERS[levels] ?? levels} ${facet} only`);

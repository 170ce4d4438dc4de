/** Which variance components a data set can tell apart: the object of measurement, the facets, and their interactions.
 *
 *  Every term divides the rows into classes. Two terms with the same classes are one component (their variances are only
 *  determined as a sum) and get one line under both names. A term with one class per row is the residual and is left to it:
 *  raters who gave one score each, or scores of raters whom nobody named, make the one-way layout, whose scores differ within an object by error.
 *  A facet that is the same division as the object says nothing that the object does not say, and is refused.
 *  Reference: Riezler & Hagmann (2021), section 3.3.3, eq. 3.6, 3.13, 3.16; Brennan (2001), Generalizability Theory, ch. 3. */
import { groupKeys } from "../../data/keys.ts";
import { asFactor, type Column, column, isMissing, selectRows, type Table } from "../../data/table.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { suggest } from "../../result/suggest.ts";

/** "all" two-way interactions, "none", or a list such as ["item:rater"]. */
export type Interactions = "all" | "none" | readonly string[];

export interface FacetColumns {
  readonly score: string;
  /** What is measured: items, sentences, systems. Without it there are components but no coefficient. */
  readonly object?: string | undefined;
  readonly facets: readonly string[];
  readonly interactions?: Interactions | undefined;
}

/** One variance component. */
export interface FacetTerm {
  /** "rater", "sentence:rater", or "a = b" where two facets are one. */
  readonly name: string;
  /** The facets in it, without the object. */
  readonly facets: readonly string[];
  readonly object: boolean;
  /** 1 for the object and the facets, 2 for their interactions. */
  readonly order: number;
  readonly levels: number;
  /** Class of each row. */
  readonly index: Int32Array;
}

export interface FacetDesign {
  /** Rows with a score and all facets. */
  readonly table: Table;
  readonly terms: readonly FacetTerm[];
  readonly object: string | undefined;
  /** Facets that are components of their own, with merged names. */
  readonly facets: readonly string[];
  /** In the one-way layout: what an object's scores come from, each a level of its own. */
  readonly within?: string;
  readonly diagnostics: readonly Diagnostic[];
}

export function designFacets(all: Table, columns: FacetColumns): FacetDesign {
  const { score, object, facets, interactions = "none" } = columns;
  checkNames(all, columns);
  const names = [...(object === undefined ? [] : [object]), ...facets];
  const diagnostics: Diagnostic[] = [];
  const table = completeRows(all, [score, ...names], diagnostics);
  const factors = new Map(names.map((name) => [name, asFactor(column(table, name))]));
  const every = names.map((name) => makeTerm([name], factors, { table, object }));
  for (const term of every) refuseOneLevel(term, table.rows);
  const { main, within } = leaveToResidual(every, table.rows, diagnostics);
  const kept = mergeFacets(main, diagnostics);
  const object0 = kept.find((term) => term.object);
  for (const term of kept) if (object0 !== undefined && !term.object) noteNesting(term, object0, diagnostics);
  const wanted = listInteractions(interactions, kept, names);
  const terms = [...kept];
  for (const parts of wanted) addInteraction(terms, parts, { table, object, factors, diagnostics });
  const own = kept.filter((term) => !term.object).map(({ name }) => name);
  return { table, terms, object, facets: own, ...(within === undefined ? {} : { within }), diagnostics };
}

/** What an object's scores are called where nothing is named that varies. */
const UNNAMED = "repeat";

/** A facet with one score a level has no variance of its own: it is indistinguishable from the residual. */
function leaveToResidual(
  every: readonly FacetTerm[],
  rows: number,
  diagnostics: Diagnostic[],
): { main: FacetTerm[]; within?: string } {
  const object = every.find((term) => term.object);
  if (object !== undefined && object.levels === rows) {
    throw new StatError(
      "NothingRepeated",
      `every ${object.name} has one score: its variance is confounded with error.`,
      `Measure each ${object.name} twice or more, or name another object.`,
    );
  }
  const alone = every.filter((term) => !term.object && term.levels === rows);
  const main = every.filter((term) => !alone.includes(term));
  if (alone.length > 0 && object === undefined) {
    const { name } = alone[0]!;
    const message = `every ${name} has one score: its variance is confounded with the residual, and no object is named.`;
    throw new StatError("NothingRepeated", message, "Name what was measured with `object`.");
  }
  for (const { name } of alone) {
    const message = `every ${name} gave one score, on one ${object!.name}: what ${name}s differ by is part of the residual.`;
    diagnostics.push(
      note("OneScoreEach", message, `Let each ${name} score several ${object!.name}s to separate them.`),
    );
  }
  const crossed = main.some((term) => !term.object);
  if (!crossed && alone.length === 0) {
    const message = `nothing is named or found that varies beside ${object!.name}: its scores count as repeats of one another.`;
    diagnostics.push(
      note("OneWay", message, "Name raters, seeds, prompts or settings with `facets` if there are any."),
    );
  }
  return crossed ? { main } : { main, within: alone.map(({ name }) => name).join(" = ") || UNNAMED };
}

function checkNames(table: Table, { score, object, facets }: FacetColumns): void {
  if (facets.length === 0 && object === undefined) {
    const message = "neither an object nor anything that varies was named or found.";
    throw new StatError("NoFacets", message, "Name them with `object` and `facets`.");
  }
  const names = [score, ...(object === undefined ? [] : [object]), ...facets];
  for (const name of names) column(table, name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) {
    throw new StatError(
      "SameColumn",
      `the column ${twice} is named twice among score, object and facets.`,
      "Each column has one role.",
    );
  }
}

function completeRows(table: Table, names: readonly string[], diagnostics: Diagnostic[]): Table {
  const cells = names.map((name) => column(table, name));
  const isComplete = (row: number): boolean => cells.every((own: Column) => !isMissing(own, row));
  const used = selectRows(table, isComplete);
  if (used.rows === 0) {
    throw new StatError("NoRows", `no row has a value in all of ${names.join(", ")}.`, "Check the columns named.");
  }
  if (used.rows < table.rows) {
    diagnostics.push(
      note("MissingCells", `${table.rows - used.rows} rows lack a value in ${names.join(", ")} and are left out.`, ""),
    );
  }
  return used;
}

interface TermContext {
  readonly table: Table;
  readonly object: string | undefined;
}

function makeTerm(
  parts: readonly string[],
  factors: ReadonlyMap<string, ReturnType<typeof asFactor>>,
  { table, object }: TermContext,
): FacetTerm {
  const { group, count } = groupKeys(
    parts.map((name) => factors.get(name)!),
    table.rows,
  );
  return {
    name: parts.join(":"),
    facets: parts.filter((name) => name !== object),
    object: object !== undefined && parts.includes(object),
    order: parts.length,
    levels: count,
    index: group,
  };
}

function refuseOneLevel({ name, levels, object }: FacetTerm, rows: number): void {
  if (levels < 2) {
    throw new StatError(
      object ? "OneObject" : "OneLevel",
      `${object ? "the object of measurement" : "the facet"} ${name} has one level in the ${rows} rows used: it has no variance.`,
      object ? "Measure at least two of them." : `Leave ${name} out, or collect scores from a second one.`,
    );
  }
}

/** Terms with the same classes, the first of each kind kept under all their names. */
function mergeFacets(main: readonly FacetTerm[], diagnostics: Diagnostic[]): FacetTerm[] {
  const kept: FacetTerm[] = [];
  for (const term of main) {
    const at = kept.findIndex((known) => isSame(known, term));
    if (at < 0) {
      kept.push(term);
      continue;
    }
    const known = kept[at]!;
    if (known.object) {
      throw new StatError(
        "FacetIsObject",
        `the facet ${term.name} is confounded with the object ${known.name}: each ${known.name} has its own ${term.name} and no other.`,
        `Leave ${term.name} out, or measure each ${known.name} under several levels of it.`,
      );
    }
    kept[at] = { ...known, name: `${known.name} = ${term.name}`, facets: [...known.facets, ...term.facets] };
    diagnostics.push(
      warning(
        "AliasedFacets",
        `${known.name} and ${term.name} change together in every row: only the sum of their variances is determined, and it is given once.`,
        "Vary them separately if you need to know which of them matters.",
      ),
    );
  }
  return kept;
}

function isSame(a: FacetTerm, b: FacetTerm): boolean {
  if (a.levels !== b.levels) return false;
  // classes are numbered in order of first appearance, so that the same division has the same numbers
  for (let i = 0; i < a.index.length; i++) if (a.index[i] !== b.index[i]) return false;
  return true;
}

/** Whether every class of `inner` lies in one class of `outer`. */
function isNested(inner: FacetTerm, outer: FacetTerm): boolean {
  const seen = new Int32Array(inner.levels).fill(-1);
  for (let i = 0; i < inner.index.length; i++) {
    const own = inner.index[i]!;
    if (seen[own] === -1) seen[own] = outer.index[i]!;
    else if (seen[own] !== outer.index[i]) return false;
  }
  return true;
}

function noteNesting(facet: FacetTerm, object: FacetTerm, diagnostics: Diagnostic[]): void {
  if (isNested(object, facet)) {
    diagnostics.push(
      warning(
        "ObjectWithinFacet",
        `every ${object.name} was measured under one level of ${facet.name} only: differences between levels of ${facet.name} are separated from differences between ${object.name}s only under random assignment.`,
        `Measure some of the ${object.name}s under two levels of ${facet.name}.`,
      ),
    );
  } else if (isNested(facet, object)) {
    diagnostics.push(
      note(
        "FacetWithinObject",
        `every level of ${facet.name} belongs to one ${object.name}: its variance includes how ${facet.name} and ${object.name} go together.`,
        "",
      ),
    );
  }
}

function listInteractions(
  interactions: Interactions,
  kept: readonly FacetTerm[],
  names: readonly string[],
): (readonly string[])[] {
  if (interactions === "none") return [];
  const first = kept.map((term) => (term.object ? term.name : term.facets[0]!));
  if (interactions === "all") return first.flatMap((a, i) => first.slice(i + 1).map((b) => [a, b]));
  const representative = (part: string): string => kept.find((term) => term.facets.includes(part))?.facets[0] ?? part;
  return interactions.map((text) => {
    const parts = text.split(":").map((part) => part.trim());
    for (const part of parts) {
      if (names.includes(part)) continue;
      const fix = suggest(part, [...names], `Use ${names.join(", ")}.`);
      throw new StatError(
        "UnknownFacet",
        `the interaction ${text} names ${part}, which is neither object nor facet.`,
        fix,
      );
    }
    const own = [...new Set(parts.map(representative))];
    if (own.length < 2) {
      throw new StatError("NoInteraction", `the interaction ${text} names one facet.`, "Write two, as in item:rater.");
    }
    return [...own].sort((a, b) => names.indexOf(a) - names.indexOf(b));
  });
}

function addInteraction(
  terms: FacetTerm[],
  parts: readonly string[],
  {
    diagnostics,
    factors,
    ...context
  }: TermContext & { factors: ReadonlyMap<string, ReturnType<typeof asFactor>>; diagnostics: Diagnostic[] },
): void {
  const term = makeTerm(parts, factors, context);
  if (term.levels === term.index.length) {
    const message = `${term.name} has one row per combination: its variance is part of the residual.`;
    diagnostics.push(note("InResidual", message, "Repeat measurements to separate them."));
    return;
  }
  const same = terms.find((known) => isSame(known, term));
  if (same === undefined) terms.push(term);
  else if (same.name !== term.name) {
    const message = `${term.name} divides the rows as ${same.name} does and is part of it.`;
    diagnostics.push(note("SamePartition", message, ""));
  }
}

/** Interactions with the object that the rows could tell apart and that the model leaves out. */
export function missedInteractions({ terms, table, object, facets }: FacetDesign): string[] {
  if (object === undefined) return [];
  const factors = new Map(
    [object, ...terms.flatMap((term) => term.facets)].map((name) => [name, asFactor(column(table, name))]),
  );
  return terms
    .filter((term) => !term.object && facets.includes(term.name))
    .map((term) => makeTerm([object, term.facets[0]!], factors, { table, object }))
    .filter((term) => term.levels < table.rows && !terms.some((known) => isSame(known, term)))
    .map(({ name }) => name);
}

/** Parameters of the human-evaluation scenarios from pilot ratings: the mixed model that will be used is fitted to them, and its
 *  standard deviations are handed to the simulator. The pilot's difference between the systems is shown, not handed over: power at the
 *  observed effect says nothing that its p value does not.
 *    likert    y ~ x + (1 + x || rater) + (1 + x || item), x = -1/+1, REML
 *    ordinal   the same terms, x = 0/1, probit, with its thresholds
 *    head-to-head   win ~ 1 + (1 | rater) + (1 | item), logit, votes without ties; the share of ties beside it
 *  Reference: Card et al. (2020), EMNLP, App. H.3 and Tables 13-15; Hoenig & Heisey (2001), Am. Stat. 55 (observed power).
 *  Oracle:    parameters of data that were drawn from them; the fits are those of models/lmm/lmm.ts, models/ordinal/clmm.ts and models/glmm/glmm.ts.
 *  Limits:    two systems. Variances from few raters or items are uncertain; plan for larger ones too. */
import { finiteCounts } from "../../data/counts.ts";
import {
  asFactor,
  asNumeric,
  column,
  type FactorColumn,
  makeTable,
  numericColumn,
  selectRows,
  type Table,
} from "../../data/table.ts";
import { findBadValues, tellFix } from "../../metrics/codes.ts";
import { fitGlmm } from "../../models/glmm/glmm.ts";
import { fitLmm } from "../../models/lmm/lmm.ts";
import { fitClmm } from "../../models/ordinal/clmm.ts";
import type { VarianceComponent } from "../../models/random/random.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { Diagnostic } from "../../result/result.ts";
import { tellRatersApart } from "../../significance/compare/reading/checks.ts";
import type { RandomSds } from "../published-settings.ts";
import type { ScenarioParameters } from "../scenario.ts";
import { CORRELATED, UNCORRELATED } from "../scenarios/likert-model.ts";

export interface PilotColumns {
  readonly score: string;
  readonly system: string;
  readonly rater: string;
  readonly item: string;
  /** Baseline and new system, where there are more than two or the first by name is not the baseline. */
  readonly systems?: readonly [baseline: string, system: string];
}

export interface PilotParameters {
  readonly scenario: "likert" | "ordinal" | "head-to-head";
  /** For the scenario: standard deviations, thresholds of an ordinal one, the share of ties among votes. */
  readonly parameters: ScenarioParameters;
  /** The pilot's own difference, new minus baseline, and its standard error; of votes the log odds of a win. */
  readonly difference: number;
  readonly se: number;
  readonly systems: readonly [string, string];
  readonly ratings: number;
  readonly raters: number;
  readonly items: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Fewer levels than this leave a variance that may be off by a factor of two. */
const FEW_LEVELS = 10;

export function parametersFromPilot(
  scenario: "likert" | "ordinal",
  table: Table,
  columns: PilotColumns,
): PilotParameters {
  const { systems, rows } = twoSystems(table, columns);
  const rater = asFactor(column(rows, columns.rater));
  const item = asFactor(column(rows, columns.item));
  const system = asFactor(column(rows, columns.system));
  const baseline = system.levels.indexOf(systems[0]);
  const x = (codes: readonly [number, number]) =>
    numericColumn(Float64Array.from(system.codes, (code) => codes[code === baseline ? 0 : 1]!));
  const odd = [...checkPilotScores(rows, columns.score), ...tellRatersApart({ table: rows, columns, systems })];
  const score = column(rows, columns.score);
  const own = [
    ["rater", rater],
    ["item", item],
  ] as const;
  const counts = { ratings: rows.rows, raters: used(rater), items: used(item) };
  requireSpread(counts);
  const size = checkCounts(counts);
  const observed = (difference: number) =>
    note(
      "ObservedEffect",
      `the pilot's own difference is ${formatNumber(difference)}; it is not used as the effect: power at an observed effect only repeats its p value.`,
      "plan for the smallest difference that matters, or for several.",
    );
  if (scenario === "likert") {
    const fit = fitLmm(UNCORRELATED, makeTable([["y", asNumeric(score, columns.score)], ["x", x([-1, 1])], ...own]));
    const { value, se } = fit.coefficients[1]!;
    const parameters = { ...sdsOf(fit.variances), residual: fit.residualSd };
    const diagnostics = [...odd, ...fit.diagnostics, ...size, observed(2 * value)];
    return { scenario, parameters, difference: 2 * value, se: 2 * se, systems, ...counts, diagnostics };
  }
  const ordered: FactorColumn = { ...asFactor(score), ordered: true };
  const fit = fitClmm(CORRELATED, makeTable([["y", ordered], ["x", x([0, 1])], ...own]), { link: "probit" });
  const { value, se } = fit.coefficients[0]!;
  const parameters = { ...sdsOf(fit.variances), thresholds: Array.from(fit.cuts).join(",") };
  return {
    scenario,
    parameters,
    difference: value,
    se,
    systems,
    ...counts,
    diagnostics: [...odd, ...fit.diagnostics, ...size, observed(value)],
  };
}

/** Votes as an importer has them: two rows each, one from either side. */
export interface VotePilotColumns extends PilotColumns {
  readonly opponent: string;
  readonly cluster: string;
}

/** Of votes between two systems; a vote counts once, a tie only as one. */
export function preferencesFromPilot(table: Table, columns: VotePilotColumns): PilotParameters {
  const { systems, rows } = twoSystems(table, columns);
  const met = asFactor(column(rows, columns.opponent));
  const own = selectRows(rows, (row) => systems.includes(met.levels[met.codes[row]!] ?? ""));
  const side = asFactor(column(own, columns.system));
  const share = asNumeric(column(own, columns.score), columns.score).values;
  const fromNew = selectRows(own, (row) => side.levels[side.codes[row]!] === systems[1] && !Number.isNaN(share[row]!));
  const won = asNumeric(column(fromNew, columns.score), columns.score).values;
  const decided = selectRows(fromNew, (row) => won[row] !== 0.5);
  const rater = asFactor(column(decided, columns.rater));
  const item = asFactor(column(decided, columns.item));
  const counts = { ratings: fromNew.rows, raters: used(rater), items: used(item) };
  requireSpread(counts);
  const win = asNumeric(column(decided, columns.score), columns.score);
  const fit = fitGlmm(
    "win ~ 1 + (1 | rater) + (1 | item)",
    makeTable([
      ["win", numericColumn(win.values.map((v) => (v > 0.5 ? 1 : 0)))],
      ["rater", rater],
      ["item", item],
    ]),
  );
  const { value, se } = fit.coefficients[0]!;
  const { raterIntercept: raterSd, itemIntercept: itemSd } = sdsOf(fit.variances);
  const observed = note(
    "ObservedEffect",
    `${systems[1]} won ${formatNumber(won.filter((v) => v > 0.5).length)} of the pilot's ${won.length} votes; that is not used as the effect: power at an observed effect only repeats its p value.`,
    "plan for the smallest proportion of wins that matters, or for several.",
  );
  const tie = (fromNew.rows - decided.rows) / fromNew.rows;
  return {
    scenario: "head-to-head",
    parameters: { raterSd, itemSd, tie },
    difference: value,
    se,
    systems,
    ...counts,
    diagnostics: [
      ...fit.diagnostics,
      ...checkCounts(counts),
      ...tellTies(fromNew.rows - decided.rows, fromNew.rows),
      observed,
    ],
  };
}

/** 0.6 of all votes are 0.86 of those that decide where 0.3 are ties. */
function tellTies(ties: number, votes: number): Diagnostic[] {
  if (ties === 0) return [];
  const decided = formatNumber(Number((1 - ties / votes).toPrecision(4)));
  return [
    warning(
      "PilotTies",
      `${ties} of the pilot's ${votes} votes are ties, and the plan has the same proportion unless you give \`tie\`: \`win\` is a proportion of all votes, ties included.`,
      `A proportion of the votes that decide times ${decided} is one of all; \`tie: 0\` plans without ties.`,
    ),
  ];
}

/** A spread of ratings that takes 999 for one means nothing; what would be the next step of their scale may be one. */
export function checkPilotScores(table: Table, name: string): Diagnostic[] {
  const cells = column(table, name);
  if (cells.kind !== "numeric") return [];
  const bad = findBadValues(name, finiteCounts(cells.values));
  if (bad === undefined) return [];
  if (!bad.isNextStep) throw new StatError("BadScores", bad.reason, tellFix(bad, undefined));
  return [warning("BadScores", bad.reason, tellFix(bad, undefined))];
}

const used = ({ codes }: FactorColumn): number => new Set(codes.filter((code) => code >= 0)).size;

export function twoSystems(table: Table, { system, systems }: Pick<PilotColumns, "system" | "systems">) {
  const factor = asFactor(column(table, system));
  const seen = factor.levels.filter((_, code) => factor.codes.includes(code));
  if (systems === undefined) {
    if (seen.length === 2) return { systems: [seen[0]!, seen[1]!] as const, rows: table };
    throw new StatError(
      "NotTwoSystems",
      `the column ${system} holds ${seen.length} systems (${seen.slice(0, 8).join(", ")}).`,
      "name two of them: `systems: baseline,new`.",
    );
  }
  for (const name of systems) {
    if (seen.includes(name)) continue;
    throw new StatError(
      "UnknownLevel",
      `no system "${name}" in the column ${system}.`,
      `It holds ${seen.slice(0, 8).join(", ")}.`,
    );
  }
  const wanted = systems.map((name) => factor.levels.indexOf(name));
  return { systems, rows: selectRows(table, (row) => wanted.includes(factor.codes[row]!)) };
}

function sdsOf(variances: readonly VarianceComponent[]): RandomSds {
  const sd = (group: string, name: string): number => {
    for (const part of variances) {
      const at = part.group === group ? part.names.indexOf(name) : -1;
      if (at >= 0) return finite(part.sd[at]!);
    }
    return 0;
  };
  return {
    raterIntercept: sd("rater", "(Intercept)"),
    raterSlope: sd("rater", "x"),
    itemIntercept: sd("item", "(Intercept)"),
    itemSlope: sd("item", "x"),
  };
}

/** Where one system has the lowest or the highest rating throughout, nothing shows how raters and items spread. */
function finite(sd: number): number {
  if (Number.isFinite(sd)) return sd;
  throw new StatError(
    "SeparatedPilot",
    "the pilot's ratings separate the systems completely, so the variances of raters and items cannot be estimated.",
    "give the standard deviations yourself, or a setting by name.",
  );
}

function requireSpread({ raters, items }: { readonly raters: number; readonly items: number }): void {
  if (raters >= 2 && items >= 2) return;
  const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
  throw new StatError(
    "SmallPilot",
    `the pilot has ${counted(raters, "rater")} and ${counted(items, "item")}, which show no spread between them.`,
    "give ratings of at least 2 items by at least 2 raters, better 10 of each.",
  );
}

function checkCounts({ raters, items }: { readonly raters: number; readonly items: number }): Diagnostic[] {
  const few = [raters < FEW_LEVELS && `${raters} raters`, items < FEW_LEVELS && `${items} items`].filter(Boolean);
  if (few.length === 0) return [];
  return [
    warning(
      "SmallPilot",
      `${few.join(" and ")} leave the variances between them uncertain.`,
      "plan with larger standard deviations too, and see how the power changes.",
    ),
  ];
}

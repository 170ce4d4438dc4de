/** Which metric agrees with people? Correlations of every metric with the human score, as a ranking of systems, item by item and over all outputs,
 *  with intervals that know that outputs of one item are correlated, and which metrics are behind the best one beyond chance.
 *  Reference: Deutsch, Dror & Roth (2021), TACL 9; Kocmi et al. (2021), WMT; Graham & Baldwin (2014), EMNLP.
 *  Oracle:    R, oracle/r/metric-validity.json.
 *  Limits:    the human score is taken as the truth: where raters disagree, no metric can reach 1. Levels: levels.ts. */

import { fingerprint } from "../../data/fingerprint.ts";
import type { Imported } from "../../data/imported.ts";
import { withKeyColumn } from "../../data/reshape.ts";
import { column, selectColumns, type Table } from "../../data/table.ts";
import type { FieldsOf } from "../../models/fit.ts";
import { makeRng, type Rng } from "../../numeric/rng.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import { checkReplicates } from "../../resample/replicates.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { listNames } from "../../result/quote.ts";
import {
  addToResult,
  assumedLine,
  type Diagnostic,
  makeResult,
  type Published,
  type Result,
  type ResultJson,
} from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { chooseClusters } from "../../study/clusters.ts";
import type { Coefficient } from "./association.ts";
import { type CellOptions, type Cells, gatherCells } from "./cells.ts";
import { chooseHumanColumns } from "./columns.ts";
import { type LevelOptions, type LevelResult, measureItems, measureOutputs, measureSystems } from "./levels.ts";
import { displayMetricValidity } from "./ranking-display.ts";

export interface MetricValidityOptions {
  /** The column of people's scores. */
  readonly human?: string | undefined;
  /** The columns to hold against it. */
  readonly metrics?: readonly string[] | undefined;
  readonly item?: string | undefined;
  readonly system?: string | undefined;
  /** Items that are correlated. */
  readonly cluster?: string | undefined;
  /** Columns, the human one among them, of which less, or more, is better; default: as their names say. */
  readonly lowerIsBetter?: readonly string[] | undefined;
  readonly higherIsBetter?: readonly string[] | undefined;
  /** By which metrics are ranked and compared; default: "kendall". */
  readonly coefficient?: Coefficient | undefined;
  readonly alpha?: number | undefined;
  readonly confidence?: number | undefined;
  /** Draws of items for the intervals of the system level. */
  readonly replicates?: number | undefined;
  readonly rng?: Rng | undefined;
}

export interface MetricValidity extends Result<"metric-validity"> {
  readonly human: { readonly metric: string; readonly direction: "higher" | "lower" | "unknown" };
  readonly metrics: readonly { readonly metric: string; readonly direction: "higher" | "lower" | "unknown" }[];
  readonly coefficient: Coefficient;
  readonly systems: number;
  readonly items: number;
  readonly outputs: number;
  readonly levels: readonly LevelResult[];
  readonly alpha: number;
  readonly confidence: number;
  readonly replicates: number;
}

export interface MetricValidityJson
  extends ResultJson<"metric-validity">,
    Omit<MetricValidity, keyof Result<"metric-validity"> | "confidence" | "replicates"> {
  readonly ci: { readonly level: number; readonly replicates: number };
}

const REPLICATES = 1000;
/** Below this many items or clusters their errors are rough. */
const FEW_UNITS = 20;

const VALIDATE_METRICS_OPTIONS = {
  human: true,
  metrics: true,
  item: true,
  system: true,
  cluster: true,
  lowerIsBetter: true,
  higherIsBetter: true,
  coefficient: true,
  alpha: true,
  confidence: true,
  replicates: true,
  rng: true,
} as const satisfies Record<keyof MetricValidityOptions, true>;

/** `human` and `metrics` may be left out of what was imported, where names or files tell which columns they are. */
export function validateMetrics(data: Table | Imported, options: MetricValidityOptions = {}): MetricValidity {
  refuseUnknownNames("validateMetrics", options, VALIDATE_METRICS_OPTIONS);
  if (!("table" in data)) return measureMetrics(data, requireColumns(options));
  const columns = chooseHumanColumns(data, options);
  const { lowerIsBetter: lower = [], higherIsBetter: higher = [] } = options;
  const told = (better: boolean, not: readonly string[]): string[] =>
    data.metrics.filter((own) => own.higherIsBetter === better && !not.includes(own.name)).map(({ name }) => name);
  const result = measureMetrics(data.table, {
    ...options,
    ...{ human: columns.human, metrics: columns.metrics },
    item: options.item ?? data.roles.item,
    system: options.system ?? data.roles.system,
    lowerIsBetter: [...lower, ...told(false, higher)],
    higherIsBetter: [...higher, ...told(true, lower)],
  });
  const assumed = [
    ...data.assumptions,
    ...(columns.reason === undefined ? [] : [`${columns.human} is the human score: ${columns.reason}.`]),
    ...(columns.others.length === 0 ? [] : [`Other judgments are not used: ${columns.others.join(", ")}.`]),
  ];
  return addToResult(result, { assumed, notes: assumedLine(assumed) });
}

function requireColumns(options: MetricValidityOptions): MetricValidityOptions & CellOptions {
  const { human, metrics } = options;
  if (human !== undefined && metrics !== undefined && metrics.length > 0) return { ...options, human, metrics };
  throw new StatError(
    "MissingOption",
    "a plain table does not show which column is the human score.",
    "name it with `human`, and the others with `metrics`.",
  );
}

function measureMetrics(given: Table, asked: MetricValidityOptions & CellOptions): MetricValidity {
  const table = withKeyColumn(given, asked.item);
  const taken = [asked.human, ...asked.metrics, asked.item, asked.system];
  const units = asked.item === undefined ? [] : [asked.item];
  const found = chooseClusters(table, { told: asked.cluster, units, taken });
  const options = { ...asked, cluster: found.cluster };
  const { coefficient = "kendall", alpha = 0.05, confidence = 0.95, replicates = REPLICATES } = options;
  const { rng = makeRng(1), human, item, system, cluster } = options;
  checkReplicates(replicates);
  if (options.metrics.includes(human))
    throw new StatError("BadOption", `${human} is the human score and among the metrics.`, "name it once.");
  for (const direction of ["lowerIsBetter", "higherIsBetter"] as const) {
    for (const name of options[direction] ?? []) column(table, name);
  }
  const cells = gatherCells(table, options);
  const how: LevelOptions = { coefficient, confidence, replicates, rng };
  const levels = measureLevels(cells, how);
  const used = [human, ...options.metrics, item, system, cluster].filter((name) => name !== undefined);
  const fields = {
    signature: {
      method: "metric-validity",
      version: GOSSET_VERSION,
      options: { ...options, rng: undefined, coefficient, alpha, confidence, replicates },
      data: fingerprint(selectColumns(table, [...new Set(used)])),
      seed: rng.seed,
    },
    diagnostics: [
      ...found.diagnostics,
      ...cells.diagnostics,
      ...directionNotes(cells, human, levels, coefficient),
      ...fewUnits(levels),
    ],
    human: { metric: human, direction: cells.humanDirection },
    metrics: cells.metrics.map(({ name, direction }) => ({ metric: name, direction })),
    coefficient,
    systems: system === undefined ? 0 : cells.systems.length,
    items: item === undefined ? 0 : cells.items,
    outputs: cells.rows,
    levels,
    alpha,
    confidence,
    replicates,
  };
  return makeResult("metric-validity", fields, { display: displayMetricValidity, json: metricValidityJson });
}

/** A level is there where it says something of its own: with one row for each system that of the systems alone. */
function measureLevels(cells: Cells, how: LevelOptions): LevelResult[] {
  const systems = measureSystems(cells, how);
  if (systems?.units === 0) return [systems];
  const flat = isOfSystems(cells);
  const items = flat ? undefined : measureItems(cells, how);
  const outputs = flat && systems !== undefined ? undefined : measureOutputs(cells, how);
  return [items, systems, outputs].filter((level) => level !== undefined);
}

/** People scored systems, not outputs: every output of a system has the same score. */
function isOfSystems({ human, system, systems }: Cells): boolean {
  if (systems.length < 2) return false;
  const first = new Map<number, number>();
  return human.every((value, i) => {
    const known = first.get(system[i]!);
    if (known === undefined) first.set(system[i]!, value);
    return known === undefined || known === value;
  });
}

/** A metric that runs against people may simply be one of which less is better. */
function directionNotes(
  cells: Cells,
  human: string,
  levels: readonly LevelResult[],
  coefficient: Coefficient,
): Diagnostic[] {
  const [level] = levels;
  const open = cells.metrics.filter(({ direction }) => direction === "unknown").map(({ name }) => name);
  const against = (level?.metrics ?? []).filter((own) => own[coefficient].upper < 0).map(({ metric }) => metric);
  const turned = against.filter((name) => open.includes(name));
  return [
    ...(cells.humanDirection === "unknown"
      ? [note("DirectionUnknown", `Gosset assumes that higher ${human} is better.`, "set option `lowerIsBetter`.")]
      : []),
    ...(turned.length === 0
      ? []
      : [
          warning(
            "DirectionUnknown",
            `nothing says whether more of ${listNames(turned, 5)} is better, and ${turned.length === 1 ? "it runs" : "they run"} against ${human}.`,
            "where less is better, set option `lowerIsBetter`.",
          ),
        ]),
  ];
}

function fewUnits(levels: readonly LevelResult[]): Diagnostic[] {
  const few = levels.find(({ units }) => units > 0 && units < FEW_UNITS);
  if (few === undefined) return [];
  const message = `${few.units} items (or clusters) are few: intervals and p are rough.`;
  return [warning("FewItems", message, "judge more items.")];
}

function metricValidityJson(result: FieldsOf<MetricValidity>): Published<MetricValidityJson> {
  const { signature: _, diagnostics: __, confidence, replicates, ...own } = result;
  return { ...own, ci: { level: confidence, replicates } };
}

/** Rows → outputs: what people and each metric say of one system's answer to one item, averaged over raters and repeats, every column turned so
 *  that more is better and standardised, since metrics on different scales are swapped for each other. */
import { groupKeys } from "../../data/keys.ts";
import { asFactor, column, type Table } from "../../data/table.ts";
import { settleTies } from "../../numeric/ties.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { listNames } from "../../result/quote.ts";
import type { Diagnostic } from "../../result/result.ts";
import { isConstant, meanOf } from "../../significance/samples.ts";
import { metricDirection } from "../../study/lexicon/metrics.ts";
import { scoreNumbers } from "../../study/score-facts.ts";

export interface CellOptions {
  readonly human: string;
  readonly metrics: readonly string[];
  readonly item?: string | undefined;
  readonly system?: string | undefined;
  readonly cluster?: string | undefined;
  /** Columns, the human one among them, of which less, or more, is better; default: as their names say. */
  readonly lowerIsBetter?: readonly string[] | undefined;
  readonly higherIsBetter?: readonly string[] | undefined;
}

export interface OrientedMetric {
  readonly name: string;
  readonly direction: "higher" | "lower" | "unknown";
  readonly values: Float64Array;
}

export interface Cells {
  readonly rows: number;
  readonly human: Float64Array;
  readonly humanDirection: OrientedMetric["direction"];
  readonly metrics: readonly OrientedMetric[];
  /** Codes of each output; items are numbered rows where no column names them. */
  readonly item: Int32Array;
  readonly items: number;
  readonly system: Int32Array;
  readonly systems: readonly string[];
  /** What is drawn together: clusters of items, or the items. */
  readonly unit: Int32Array;
  readonly units: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** A metric that more outputs than this lack is left out, rather than the outputs. */
const MOST_MISSING = 0.5;

export function gatherCells(table: Table, options: CellOptions): Cells {
  const { human, item, system, cluster } = options;
  const keys = [item, system].filter((name) => name !== undefined);
  const own = item === undefined ? rowNumbers(table.rows) : undefined;
  const grouped = groupKeys(own === undefined ? keys.map((name) => column(table, name)) : [own], table.rows);
  const count = grouped.count;
  const averaged = (name: string): Float64Array => averageBy(scoreNumbers(table, name), grouped.group, count);
  const judged = averaged(human);
  const all = options.metrics.map((name) => ({ name, values: averaged(name) }));
  const told = keep(all, judged, human);
  const codesOf = (name: string | undefined): { codes: Int32Array; levels: readonly string[] } => {
    if (name === undefined) return { codes: new Int32Array(told.rows.length), levels: [""] };
    const cells = asFactor(column(table, name));
    return renumber(
      told.rows.map((cell) => cells.codes[grouped.first[cell]!]!),
      cells.levels,
    );
  };
  const items =
    item === undefined
      ? { codes: Int32Array.from(told.rows.keys()), levels: [...told.rows].map(String) }
      : codesOf(item);
  const systems = codesOf(system);
  const units = cluster === undefined ? items : codesOf(cluster);
  return {
    rows: told.rows.length,
    human: turned(pick(judged, told.rows), directionOf(human, options)),
    humanDirection: directionOf(human, options),
    metrics: told.metrics.map(({ name, values }) => {
      const direction = directionOf(name, options);
      return { name, direction, values: turned(pick(values, told.rows), direction) };
    }),
    item: items.codes,
    items: items.levels.length,
    system: systems.codes,
    systems: systems.levels,
    unit: units.codes,
    units: units.levels.length,
    diagnostics: [...told.diagnostics, ...sayAveraged(table.rows, count)],
  };
}

const rowNumbers = (rows: number) => ({
  kind: "numeric" as const,
  values: Float64Array.from({ length: rows }, (_, i) => i),
});

function averageBy(values: ArrayLike<number>, group: Int32Array, count: number): Float64Array {
  const [sums, seen] = [new Float64Array(count), new Float64Array(count)];
  for (let i = 0; i < group.length; i++) {
    if (Number.isNaN(values[i]!)) continue;
    sums[group[i]!]! += values[i]!;
    seen[group[i]!]! += 1;
  }
  return sums.map((sum, k) => sum / seen[k]!);
}

interface Kept {
  readonly rows: Int32Array;
  readonly metrics: readonly { readonly name: string; readonly values: Float64Array }[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Outputs that people and every metric speak of: two correlations are compared on the same outputs. */
function keep(all: Kept["metrics"], judged: Float64Array, human: string): Kept {
  const told = [...judged.keys()].filter((cell) => !Number.isNaN(judged[cell]!));
  if (told.length === 0) throw new StatError("NoRows", `${human} has no value.`, "name the column of people's scores.");
  const lacks = ({ values }: Kept["metrics"][number]): number =>
    told.filter((cell) => Number.isNaN(values[cell]!)).length / told.length;
  const rare = all.filter((metric) => lacks(metric) > MOST_MISSING);
  const usual = all.filter((metric) => !rare.includes(metric));
  const rows = Int32Array.from(told.filter((cell) => usual.every(({ values }) => !Number.isNaN(values[cell]!))));
  const flat = usual.filter(({ values }) => rows.length > 0 && isConstant(pick(values, rows)));
  const metrics = usual.filter((metric) => !flat.includes(metric));
  const names = (list: Kept["metrics"]): string =>
    listNames(
      list.map(({ name }) => name),
      5,
    );
  if (metrics.length === 0 || rows.length < 3) {
    const why = metrics.length === 0 ? "no metric that varies" : `${rows.length} outputs with every score`;
    throw new StatError("TooFew", `there is ${why} beside ${human}.`, "name the metrics to compare with it.");
  }
  if (isConstant(pick(judged, rows)))
    throw new StatError("NoSpread", `${human} is the same for every output.`, "name the column of people's scores.");
  const diagnostics = [
    ...(rare.length === 0
      ? []
      : [
          warning(
            "MetricLeftOut",
            `left out, since most outputs lack ${rare.length === 1 ? "it" : "them"}: ${names(rare)}.`,
            "name the metrics to compare.",
          ),
        ]),
    ...(flat.length === 0
      ? []
      : [note("ConstantColumn", `left out, since nothing varies: ${names(flat)}.`, "name the metrics to compare.")]),
    ...(rows.length === judged.length
      ? []
      : [
          note(
            "OutputsLeftOut",
            `${judged.length - rows.length} of ${judged.length} outputs lack ${human} or a metric and are left out.`,
            "name fewer metrics to keep more outputs.",
          ),
        ]),
  ];
  return { rows, metrics, diagnostics };
}

const pick = (values: Float64Array, rows: Int32Array): Float64Array => Float64Array.from(rows, (row) => values[row]!);

/** Codes without gaps. */
function renumber(codes: Int32Array, levels: readonly string[]): { codes: Int32Array; levels: readonly string[] } {
  const used = [...new Set(codes)].sort((a, b) => a - b);
  const at = new Map(used.map((code, k) => [code, k]));
  return { codes: codes.map((code) => at.get(code)!), levels: used.map((code) => levels[code] ?? "(missing)") };
}

function directionOf(
  name: string,
  { lowerIsBetter = [], higherIsBetter = [] }: CellOptions,
): OrientedMetric["direction"] {
  if (lowerIsBetter.includes(name)) return "lower";
  if (higherIsBetter.includes(name)) return "higher";
  const told = metricDirection(name);
  return told === undefined ? "unknown" : told ? "higher" : "lower";
}

function turned(values: Float64Array, direction: OrientedMetric["direction"]): Float64Array {
  const sign = direction === "lower" ? -1 : 1;
  const [own] = settleTies(values) as [Float64Array];
  const mean = meanOf(own);
  const sd = Math.sqrt(meanOf(own.map((v) => (v - mean) ** 2)));
  return own.map((v) => (sign * (v - mean)) / sd);
}

function sayAveraged(rows: number, cells: number): Diagnostic[] {
  if (rows === cells) return [];
  const message = `${rows} rows are of ${cells} outputs: scores of one output (several raters, repeats) are averaged.`;
  return [note("Averaged", message, "name the item and system where this is not meant.")];
}

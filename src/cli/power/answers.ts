/** `gosset power from-history` and `no-prior`: where the parameters come from; for `from-dev` see dev.ts. */
import { planFromHistory, planWithoutPrior, StatError, type Table } from "../../index.ts";
import { findScenario } from "../../power.ts";
import { parseCount, parseProbability } from "../../questions.ts";
import { suggest } from "../../text.ts";
import type { Context } from "../context.ts";
import type { DataOptions, GlobalOptions } from "../options.ts";
import { sayingFlags } from "../scenario-parameters.ts";
import { commandsOf } from "./next.ts";

function needColumn(table: Table, name: string, flag: string): string {
  const names = [...table.columns.keys()];
  if (table.columns.has(name)) return name;
  throw new StatError(
    "UnknownColumn",
    `--${flag} ${name}: no such column.`,
    suggest(name, names, `The columns are ${names.join(", ")}.`),
  );
}

interface HistoryCommandOptions extends DataOptions {
  readonly baseline: string;
  readonly new: string;
  readonly agreement?: string | undefined;
  readonly task?: string | undefined;
  readonly at: string;
  readonly for?: string | undefined;
  readonly n?: string | undefined;
  readonly overlap?: string | undefined;
  readonly test?: string | undefined;
  readonly alpha: string;
}

export async function runHistory(context: Context<HistoryCommandOptions>, path: string): Promise<void> {
  const { options } = context;
  const table = await context.load(path);
  const { agreement, task, overlap, test, n } = options;
  const columns = {
    baseline: needColumn(table, options.baseline, "baseline"),
    candidate: needColumn(table, options.new, "new"),
    ...(agreement === undefined ? {} : { agreement: needColumn(table, agreement, "agreement") }),
    ...(task === undefined ? {} : { task: needColumn(table, task, "task") }),
  };
  if (task === undefined) context.refuse(["--for"], "without --task, the column of its name");
  const at = Number(options.at);
  if (options.at.trim() === "" || !Number.isFinite(at)) {
    throw new StatError(
      "BadOption",
      `--at ${options.at}: not a number.`,
      "Write the accuracy to be beaten, such as --at 0.915.",
    );
  }
  const result = await sayingFlags(findScenario("accuracy"), async () =>
    planFromHistory(table, columns, {
      at,
      alpha: parseProbability(options.alpha, "--alpha"),
      ...(options.for === undefined ? {} : { task: options.for }),
      ...(n === undefined ? {} : { n: parseCount(n, "--n") }),
      ...(overlap === undefined ? {} : { overlap }),
      ...(test === undefined ? {} : { test }),
    }),
  );
  context.print(result, { commands: commandsOf(result.next) });
}

/** The library says what it may be. */
function parseNumber(text: string, flag: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw new StatError("BadOption", `${flag} ${text}: not a number.`, `Write for example ${flag} 0.02.`);
}

interface NoPriorCommandOptions extends GlobalOptions {
  readonly n: string;
  readonly baseline: string;
  readonly delta?: string | undefined;
  readonly power: string;
  readonly test?: string | undefined;
  readonly alpha: string;
}

export async function runNoPrior(context: Context<NoPriorCommandOptions>): Promise<void> {
  const { n, baseline, delta, power, alpha, test } = context.options;
  const result = planWithoutPrior({
    n: parseCount(n, "--n"),
    baseline: parseProbability(baseline, "--baseline"),
    power: parseProbability(power, "--power"),
    alpha: parseProbability(alpha, "--alpha"),
    ...(delta === undefined ? {} : { delta: parseNumber(delta, "--delta") }),
    ...(test === undefined ? {} : { test }),
  });
  context.print(result);
}

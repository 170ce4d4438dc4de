/** `gosset validity audit <data>` */
import { auditValidity, makeRng, parseScales } from "../../index.ts";
import { printResult } from "../output.ts";
import { makeProgress } from "../progress.ts";
import { splitNames } from "../rating-data.ts";
import { loadRows, makeRunner, type RowOptions } from "./circularity.ts";

interface AuditCommandOptions extends RowOptions {
  readonly label?: string;
  readonly predictions: readonly string[];
  readonly domain?: string;
  readonly features: readonly string[];
  readonly exclude: readonly string[];
  readonly scales?: string;
}

export async function auditCommand(data: string, options: AuditCommandOptions): Promise<void> {
  const scales = options.scales === undefined ? undefined : parseScales(options.scales);
  const predictions = splitNames(options.predictions, "--predictions");
  const features = splitNames(options.features, "--features");
  const progress = makeProgress(options.quiet === true);
  const { table, diagnostics } = await loadRows(data, options, progress);
  const runner = makeRunner(options, table);
  try {
    const result = await auditValidity(table, {
      ...(options.label === undefined ? {} : { label: options.label }),
      ...(predictions.length === 0 ? {} : { predictions }),
      ...(options.domain === undefined ? {} : { domain: options.domain }),
      ...(features.length === 0 ? {} : { features }),
      exclude: splitNames(options.exclude, "--exclude"),
      ...(scales === undefined ? {} : { scales }),
      rng: makeRng(options.seed),
      runner,
      onProgress: (stage, done, total) => progress.update(stage, done, total),
    });
    progress.end();
    printResult(result, options, { reading: diagnostics });
  } finally {
    progress.end();
    await runner.close();
  }
}

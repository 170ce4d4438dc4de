/** `assay describe <file or folder>` */
import { describeImported, importFiles } from "../../index.ts";
import { contractHead } from "../contract.ts";
import { readWithCompanions } from "../files.ts";
import { parseFormat } from "../load.ts";
import type { GlobalOptions } from "../options.ts";
import { printAnswer } from "../output.ts";

/** Commands of this version; the questions behind others are marked as not available yet. */
const AVAILABLE: ReadonlySet<string> = new Set(["describe", "fit lm", "fit glm", "fit lmm", "anova", "emmeans"]);

export async function describeCommand(
  path: string,
  options: GlobalOptions & { readonly inputFormat?: string },
): Promise<void> {
  const format = parseFormat(options.inputFormat);
  const imported = await importFiles(readWithCompanions(path), format === undefined ? {} : { format });
  const description = describeImported(imported, { target: path, available: AVAILABLE });
  const { signature, diagnostics, kind, ...facts } = description;
  printAnswer(
    {
      display: description.display(),
      contract: { ...contractHead(kind, diagnostics), ...facts, signature },
      diagnostics,
    },
    options,
  );
}

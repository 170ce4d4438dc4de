/** The one entry: files of any known format → long table, roles, and what was assumed or lost. */
import { StatError } from "../result/error.ts";
import type { Diagnostic } from "../result/result.ts";
import { importArena } from "./arena.ts";
import { decideFormat, listNames, type Recognised, recognise, type Unrecognised } from "./detect.ts";
import { importEveryEvalEver } from "./every-eval-ever.ts";
import { importHelm } from "./helm.ts";
import type { Format, Imported, ImportOptions, InputFile } from "./imported.ts";
import { importInspect } from "./inspect.ts";
import { importLabelStudio } from "./label-studio.ts";
import { importLmEval } from "./lm-eval.ts";
import { type Opened, openFile } from "./open-file.ts";
import { importOpenaiEvals } from "./openai-evals.ts";
import { importPlainText } from "./plain-text.ts";
import { importProdigy } from "./prodigy.ts";
import { importPromptfoo } from "./promptfoo.ts";
import { importSacrebleu } from "./sacrebleu.ts";
import { importTables } from "./tabular.ts";
import { importWmtDa } from "./wmt-da.ts";
import { importWmtMqm } from "./wmt-mqm.ts";
import { MAX_ENTRY_BYTES, readZipEntry } from "./zip.ts";

const IMPORTERS: Partial<Record<Format, (opened: readonly Opened[]) => Imported>> = {
  inspect: importInspect,
  "lm-eval": importLmEval,
  promptfoo: importPromptfoo,
  helm: importHelm,
  "every-eval-ever": importEveryEvalEver,
  "openai-evals": importOpenaiEvals,
  "wmt-mqm": importWmtMqm,
  "wmt-da": importWmtDa,
  "label-studio": importLabelStudio,
  prodigy: importProdigy,
  arena: importArena,
  sacrebleu: importSacrebleu,
  text: importPlainText,
};

export async function importFiles(files: readonly InputFile[], options: ImportOptions = {}): Promise<Imported> {
  const opened = files.flatMap((file) => openAll(file));
  const found = opened.map((file) => ({ file, name: file.file.name, found: recognise(file) }));
  const format = options.format ?? decideFormat(found);
  const wanted = found.filter((entry) => options.format !== undefined || entry.found.format === format);
  const skipped = found.filter((entry) => !wanted.includes(entry));
  const importer = isFlatLabelStudio(wanted) ? undefined : IMPORTERS[format];
  const own = wanted.map((entry) => entry.file);
  const imported = importer === undefined ? await importTables(own, format, options.badRows) : importer(own);
  if (skipped.length === 0) return imported;
  const note: Diagnostic = {
    code: "FilesSkipped",
    severity: "note",
    message: `${skipped.length} other files were not read (${listNames(skipped.map((entry) => entry.name))}).`,
    fix: `They are not part of the ${format} data; give them apart if they matter.`,
  };
  return { ...imported, diagnostics: [...imported.diagnostics, note] };
}

/** An archive that is no log is a folder in one file. */
function openAll(file: InputFile): Opened[] {
  const opened = openFile(file);
  if (opened.kind !== "zip" || recognise(opened).format !== undefined) return [opened];
  const entries = opened.entries.filter((entry) => !entry.name.endsWith("/"));
  const total = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (total > MAX_ENTRY_BYTES) {
    throw new StatError(
      "ZipTooLarge",
      `${file.name}: unpacked, its ${entries.length} files have ${total} bytes.`,
      "Unpack it and give the files that matter.",
    );
  }
  return entries.map((entry) =>
    openFile({ name: entry.name, bytes: readZipEntry(opened.file.bytes, entry, file.name) }),
  );
}

function isFlatLabelStudio(wanted: readonly { file: Opened; found: Recognised | Unrecognised }[]): boolean {
  return wanted.some(({ file, found }) => {
    const first =
      file.kind === "json"
        ? Array.isArray(file.value)
          ? file.value[0]
          : file.value
        : file.kind === "jsonl"
          ? file.head[0]
          : undefined;
    return found.format === "label-studio" && typeof first === "object" && first !== null && !("annotations" in first);
  });
}

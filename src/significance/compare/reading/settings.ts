/** Runs that differ in more than the system: told once, in one block. */
import type { Imported } from "../../../data/imported.ts";
import { type DifferingSetting, differingSettings, shareModel, tellDiffering } from "../../../data/settings.ts";
import { note, warning } from "../../../result/diagnostic.ts";
import { listNames } from "../../../result/quote.ts";
import type { Diagnostic } from "../../../result/result.ts";

export interface ComparedSettings {
  readonly notes: readonly Diagnostic[];
  /** For the JSON; nothing where the runs are alike. */
  readonly published: { readonly settings?: readonly DifferingSetting[] };
}

export function compareSettings(
  { settings: runs = [] }: Pick<Imported, "settings">,
  { systems }: { readonly systems: readonly { readonly name: string }[] },
): ComparedSettings {
  const names = systems.map(({ name }) => name);
  const settings = differingSettings(runs, names);
  if (settings.length === 0) return { notes: [], published: {} };
  const message = `the runs differ in ${listNames(tellDiffering(settings), MOST_SETTINGS)}.`;
  const told = shareModel(runs, names)
    ? note("SettingsDiffer", message, "They run one model: the difference is that of these settings together.")
    : warning(
        "SettingsDiffer",
        message,
        "The difference between the systems is that of these settings too: run them alike, or say it beside the result.",
      );
  return { notes: [told], published: { settings } };
}

/** Settings that the text names; the JSON has all. */
const MOST_SETTINGS = 6;

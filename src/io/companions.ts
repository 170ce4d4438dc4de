/** Files of one run: the logs of some tools are spread over several. */

const HELM_FILES = ["run_spec.json", "scenario.json", "stats.json", "per_instance_stats.json"];

/** Which files of a folder, by their names, are parts of one run with one of them. The names are asked for once, and only where a
 *  file is named like a part of a log: a folder may hold very many. */
export function companionsIn(list: () => readonly string[]): (own: string) => string[] {
  let names: readonly string[] | undefined;
  let logs: ReadonlyMap<string, readonly string[]> | undefined;
  return (own) => {
    if (!HELM_FILES.includes(own) && !isLog(own)) return [];
    names ??= list();
    if (HELM_FILES.includes(own)) return names.filter((name) => name !== own && HELM_FILES.includes(name)).sort();
    logs ??= byStem(names.filter(isLog));
    // one results file serves many samples files, but the samples of another task are another table
    const fits = (name: string): boolean =>
      name !== own && !(own.startsWith("samples_") && name.startsWith("samples_"));
    return (logs.get(stemOf(own)) ?? []).filter(fits).sort();
  };
}

function byStem(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const stem = stemOf(name);
    const group = groups.get(stem);
    if (group === undefined) groups.set(stem, [name]);
    else group.push(name);
  }
  return groups;
}

const isLog = (name: string): boolean =>
  /^(samples_|results_).*\.jsonl?$/.test(name) || /^[0-9a-f-]{36}(_samples\.jsonl|\.json)$/.test(name);

const stemOf = (name: string): string =>
  name.replace(/^(samples_.*_|results_)(?=\d{4}-)/, "").replace(/(_samples)?\.jsonl?$/, "");

/** Files of one run: the logs of some tools are spread over several. */

const HELM_FILES = ["run_spec.json", "scenario.json", "stats.json", "per_instance_stats.json"];

/** Whether two files of one folder, by their names, are parts of one run. */
export function belongsTogether(own: string, other: string): boolean {
  if (HELM_FILES.includes(own)) return HELM_FILES.includes(other);
  const stem = (name: string): string =>
    name.replace(/^(samples_.*_|results_)(?=\d{4}-)/, "").replace(/(_samples)?\.jsonl?$/, "");
  const isLog = (name: string): boolean =>
    /^(samples_|results_).*\.jsonl?$/.test(name) || /^[0-9a-f-]{36}(_samples\.jsonl|\.json)$/.test(name);
  // one results file serves many samples files, but the samples of another task are another table
  const bothSamples = own.startsWith("samples_") && other.startsWith("samples_");
  return isLog(own) && isLog(other) && !bothSamples && stem(own) === stem(other);
}

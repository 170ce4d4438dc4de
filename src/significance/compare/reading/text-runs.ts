/** Files of several seeds by their names: base.seed1, base.seed2, new.seed1, … are runs of base and of new. */

const MARK = "seed|run|rep|repeat|trial|replicate|init";
const PATTERNS = [
  new RegExp(`^(?<system>.*?)[._-]?(?:${MARK})[._=-]?(?<run>\\d+)$`, "i"),
  new RegExp(`^(?:${MARK})[._=-]?(?<run>\\d+)[._-](?<system>.+)$`, "i"),
  // a letter alone needs its separator
  /^(?<system>.*?)[._-](?:s|r)(?<run>\d+)$/i,
];

/** Names of runs by system, in their order; undefined where the names do not say so, or only one system would be left. */
export function groupRuns(names: readonly string[]): ReadonlyMap<string, readonly string[]> | undefined {
  for (const pattern of PATTERNS) {
    const found = names.map((name) => pattern.exec(name)?.groups);
    if (found.some((groups) => groups === undefined || groups["system"] === "")) continue;
    const runs = new Map<string, string[]>();
    found.forEach((groups, k) => {
      const system = groups!["system"]!.replace(/[._-]+$/, "");
      runs.set(system, [...(runs.get(system) ?? []), names[k]!]);
    });
    const several = [...runs.values()].some((own) => own.length > 1);
    return runs.size > 1 && several ? runs : undefined;
  }
  return undefined;
}

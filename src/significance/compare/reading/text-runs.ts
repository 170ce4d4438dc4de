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
  const stems = withoutEnding(names);
  for (const pattern of PATTERNS) {
    const found = stems.map((name) => pattern.exec(name)?.groups);
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

/** Without the language or format that all of them end with: base.seed1.de, new.seed1.de. */
function withoutEnding(names: readonly string[]): readonly string[] {
  const endings = new Set(names.map((name) => /\.[A-Za-z]{2,8}$/.exec(name)?.[0]));
  const [ending] = endings;
  return endings.size === 1 && ending !== undefined ? names.map((name) => name.slice(0, -ending.length)) : names;
}

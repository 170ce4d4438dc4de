/** Files of several seeds by their names: base.seed1, base.seed2, new.seed1, … are runs of base and of new; so are seed1/base and base/1. */

export interface RunName {
  readonly system: string;
  readonly run: string;
}

const MARK = "seed|run|rep|repeat|trial|replicate|init|try|attempt|rng|fold";
/** What separates the words of a name. */
const CUT = "[/._ -]";
/** Words that say so, anywhere; the same at the end of a word; a letter alone, which needs its separators. */
const PATTERNS = [
  new RegExp(`(?:^|${CUT})(?:${MARK})[/._= -]?(\\d+)(?=$|${CUT})`, "gi"),
  new RegExp(`(?:${MARK})[._=-]?(\\d+)$`, "gi"),
  new RegExp(`${CUT}[sr](\\d+)(?=$|${CUT})`, "gi"),
];

/** The system and the run of each path; undefined where the names do not say so, or only one system would be left. */
export function readRuns(paths: readonly string[]): readonly RunName[] | undefined {
  const names = withoutShared(paths);
  for (const pattern of PATTERNS) {
    const found = names.map((name) => cutOut(name, pattern));
    if (found.every(({ run }) => run === "")) continue;
    return areRuns(found) ? found : undefined;
  }
  const numbered = names.map(cutNumber);
  return numbered.every(({ run }) => run !== "") && areRuns(numbered) && areSeeds(names, numbered)
    ? numbered
    : undefined;
}

/** Folders that all are in, the file name that all of them have, and the language or format that all end with: base.seed1.de, new.seed1.de. */
function withoutShared(paths: readonly string[]): readonly string[] {
  let parts = paths.map((path) => path.replace(/(?<![\\/])[\\/]+$/, "").split(/[\\/]+/));
  const shares = (at: number): boolean => new Set(parts.map((path) => path.at(at))).size === 1;
  const cut = (from: number, to: number): void => {
    parts = parts.map((path) => path.slice(from, to < 0 ? path.length + to : path.length));
  };
  while (parts.every((path) => path.length > 1) && shares(0)) cut(1, 0);
  if (parts.every((path) => path.length > 1) && shares(-1)) cut(0, -1);
  let names = parts.map((path) => path.join("/"));
  for (;;) {
    const endings = new Set(names.map((name) => /[^/]\.([A-Za-z][A-Za-z0-9]{0,7})$/.exec(name)?.[1]));
    const [ending] = endings;
    if (endings.size > 1 || ending === undefined || /\d$/.test(ending)) return names;
    names = names.map((name) => name.slice(0, -ending.length - 1));
  }
}

function cutOut(name: string, pattern: RegExp): RunName {
  const runs = [...name.matchAll(pattern)].map(([, run]) => run!);
  return { system: tidy(name.replace(pattern, "")), run: runs.join(".") };
}

const tidy = (name: string): string => name.replace(/^[/._ -]+|(?<![/._ -])[/._ -]+$/g, "");

/** base-42, 42_base, base/42, 42/base. */
function cutNumber(name: string): RunName {
  const found = /^(?<system>.+)[/._ -](?<run>\d+)$|^(?<run2>\d+)[/._ -](?<system2>.+)$/.exec(name)?.groups;
  if (found === undefined) return { system: name, run: "" };
  return { system: tidy(found["system"] ?? found["system2"]!), run: found["run"] ?? found["run2"]! };
}

/** Several systems, each named, each run of each once, and two runs of one at least. A file without a run beside others that have one is the one run of
 *  its system. */
function areRuns(found: readonly RunName[]): boolean {
  if (found.some(({ system }) => system === "")) return false;
  const systems = new Map<string, string[]>();
  for (const { system, run } of found) systems.set(system, [...(systems.get(system) ?? []), run]);
  const lists = [...systems.values()];
  if (lists.some((runs) => new Set(runs).size < runs.length || (runs.length > 1 && runs.includes("")))) return false;
  return systems.size > 1 && lists.some((runs) => runs.length > 1);
}

/** Numbers alone may be sizes, versions or steps: as seeds every system has the same ones, and they are a folder or file of their own, count from 0 or
 *  1 on, or have 42 among them. */
function areSeeds(names: readonly string[], found: readonly RunName[]): boolean {
  const systems = new Map<string, number[]>();
  for (const { system, run } of found) systems.set(system, [...(systems.get(system) ?? []), Number(run)]);
  const lists = [...systems.values()].map((runs) => [...runs].sort((x, y) => x - y));
  const [first] = lists as [number[]];
  if (new Set(lists.map(String)).size > 1 || first.length < 2 || first.every(isYear)) return false;
  const own = names.every((name) => /(^|\/)\d+(\/|$)/.test(name));
  const counted = first.length >= FEWEST_COUNTED && first.every((run, k) => run === first[0]! + k) && first[0]! <= 1;
  return own || counted || first.includes(USUAL_SEED);
}
const isYear = (run: number): boolean => run >= 1900 && run <= 2100;
/** gpt-1, gpt-2 and llama-1, llama-2 are versions. */
const FEWEST_COUNTED = 3;
const USUAL_SEED = 42;

/** Without the words that all of them begin and end with: test_predictions_kNN and test_predictions_XGBoost are kNN and XGBoost. */
export function differing(labels: readonly string[]): string[] {
  if (new Set(labels).size < 2) return [...labels];
  // the point of "6.7b" is no end of a word
  const split = labels.map((label) => label.split(/(?<=[_ -]|\.(?!\d)|(?<!\d)\.)|(?=[_ -]|\.(?!\d)|(?<!\d)\.)/));
  const distinct = [...new Map(labels.map((label, i) => [label, split[i]!])).values()];
  const same = (at: (parts: readonly string[]) => string | undefined): boolean =>
    distinct.every((parts) => parts.length > 1 && at(parts) === at(distinct[0]!));
  let head = 0;
  while (same((parts) => (parts.length > head + 1 ? parts[head] : undefined)) && distinct[0]!.length > head + 1)
    head += 1;
  let tail = 0;
  while (
    same((parts) => (parts.length > head + tail + 1 ? parts.at(-1 - tail) : undefined)) &&
    distinct[0]!.length > head + tail + 1
  )
    tail += 1;
  const short = split.map((parts) =>
    parts
      .slice(head, parts.length - tail)
      .join("")
      .replace(/^[_. -]+|(?<![_. -])[_. -]+$/g, ""),
  );
  const good =
    new Set(short).size === new Set(labels).size && short.every((label) => label !== "" && /\p{L}/u.test(label));
  return good ? short : [...labels];
}

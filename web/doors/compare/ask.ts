/** Compare: the settings of the form as options of `compare`, as the command line has them. */
import { answerComparison, type CompareOptions, compare, comparisonTable, makeRng } from "../../../src/index.ts";
import { COMPARE, commandWords, formOptions } from "../../../src/questions.ts";
import type { Asked, Asking, EngineDoor } from "../../engine/door.ts";
import type { Settings, Told } from "../../engine/protocol.ts";
import { flagValue } from "../../engine/reading.ts";
import { rowSettings, rowsOf } from "../../engine/rows.ts";
import { namedReference, pairTexts, type TextFile } from "../../engine/texts.ts";
import { toldOptions } from "../../engine/told.ts";
import { Code, optionsText } from "../../engine/words.ts";

export const compareDoor: EngineDoor = {
  name: "compare",
  ask,
  offer(words) {
    if (words[1] !== "compare") return undefined;
    return {
      ...{ metric: flagValue(words, "--metric"), by: flagValue(words, "--by"), test: flagValue(words, "--test") },
      ...rowSettings(words),
      ...{ gold: flagValue(words, "--gold"), pred: flagValue(words, "--pred")?.split(",") },
    };
  },
};

/** Texts are scored against their reference. */
function askTexts(
  texts: readonly TextFile[],
  { settings, seed, tell }: Pick<Asking, "settings" | "seed" | "tell">,
): Asked {
  const { metric = "bleu", ...rest } = settings;
  const { item: _item, ...options } = optionsOf({ ...rest, metric }, {});
  const reference = namedReference(texts);
  const chosen = (settings["ref"] as readonly string[] | undefined) ?? (reference === undefined ? [] : [reference]);
  const { paths, references, data } = pairTexts(texts, chosen);
  const result = compare(data, {
    ...options,
    rng: makeRng(seed),
    onProgress: (done, total) => tell({ done, total }),
  });
  const [pair] = result.pairs;
  const [, name, ...words] = commandOf([], options, seed);
  const list = (names: readonly string[]): string => names.map((own) => JSON.stringify(own)).join(", ");
  return {
    result,
    readsFiles: true,
    carriesReading: true,
    command: ["gosset", name!, ...paths, ...references.flatMap((path) => ["--ref", path]), ...words],
    call: [
      'import { readFile } from "node:fs/promises";',
      'import { compare, makeRng } from "gosset";',
      "",
      'const lines = async (path) => (await readFile(path, "utf8")).replace(/\\n$/, "").split("\\n");',
      `const [references, files] = await Promise.all([[${list(references)}], [${list(paths)}]].map((paths) => Promise.all(paths.map(lines))));`,
      `const names = [${list(Object.keys(data.hypotheses))}];`,
      "const hypotheses = Object.fromEntries(names.map((name, i) => [name, files[i]]));",
      `console.log(String(compare({ hypotheses, references }, ${optionsText({ ...options, rng: new Code(`makeRng(${JSON.stringify(seed)})`) })})));`,
    ].join("\n"),
    own: { a: pair?.a, b: pair?.b, pairs: result.pairs.length, metric: result.metric, percent: false },
  };
}

function ask({ settings, told: said, seed, data, tell }: Asking): Asked {
  const { parts, texts } = data();
  const options = optionsOf(settings, said);
  if (texts !== undefined) return askTexts(texts, { settings, seed, tell });
  const rng = makeRng(seed);
  const onProgress = (done: number, total: number): void => tell({ done, total });
  const files = parts.map(({ path }) => path);
  const told = {
    command: commandOf(files, options, seed),
    call: callOf(files, options, seed),
    readsFiles: true,
    addition: { ...rowsOf(settings) },
  };
  const result = answerComparison(parts, { ...options, rng, onProgress });
  if (result.kind === "totals") return { ...told, result, carriesReading: true };
  const [pair] = result.pairs;
  const flips = (() => {
    try {
      return comparisonTable(result, "flips").rows.length;
    } catch {
      return undefined; // systems that share no items have none that differ
    }
  })();
  const grid = (result as { readonly grid?: unknown }).grid !== undefined;
  return {
    ...told,
    result,
    carriesReading: true,
    own: {
      flips: grid ? undefined : flips,
      a: pair?.a,
      b: pair?.b,
      pairs: result.pairs.length,
      metric: result.metric,
      percent: (result.toJSON() as { series?: { percent?: boolean } }).series?.percent ?? false,
      higherIsBetter: result.higherIsBetter,
    },
  };
}

function optionsOf(settings: Settings, told: Told): CompareOptions {
  return { ...toldOptions(told), ...formOptions(COMPARE.options, settings) };
}

const commandOf = (files: readonly string[], options: CompareOptions, seed: string): string[] => [
  "gosset",
  "compare",
  ...files,
  ...commandWords(COMPARE.options, options),
  ...(seed === "1" ? [] : ["--seed", seed]),
];

function callOf(files: readonly string[], options: CompareOptions, seed: string): string {
  const list = files.map((name) => JSON.stringify(name)).join(", ");
  return [
    'import { readFile } from "node:fs/promises";',
    'import { answerComparison, importFiles, makeRng } from "gosset";',
    "",
    `const parts = await Promise.all([${list}].map(async (path) =>`,
    "  ({ path, imported: await importFiles([{ name: path, bytes: await readFile(path) }]) })));",
    `console.log(String(answerComparison(parts, ${optionsText({ ...options, rng: new Code(`makeRng(${JSON.stringify(seed)})`) })})));`,
  ].join("\n");
}

/** A reading: what the columns of a file are, as YAML whose keys are the flags of every command that reads rows (`item: hash`). `describe
 *  --save` writes one, `--reading` takes it, and one called gosset.yaml beside the data is taken without being named. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command, Option } from "commander";
import { type Imported, StatError, type Told } from "../index.ts";
import { SHAPE_OPTIONS } from "../io.ts";
import { suggest } from "../text.ts";
import { isFolder, readTextFile, whyNotTaken, writeOutput } from "./files.ts";
import { flagOf } from "./option-names.ts";
import { optionsOf, withFlags } from "./words.ts";

const FILE = "gosset.yaml";

/** Flags of which a reading consists, and the column that names metrics, for which there is no flag. */
const KEYS = [
  ..."system item score rater run cluster task metric metric-column gold pred".split(" "),
  ...SHAPE_OPTIONS.map((name) => flagOf(name).slice(2)),
  ..."direction files by-row shape a b winner".split(" "),
];

type Reading = Readonly<Record<string, string>>;

const keyOf = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The reading beside the data, or the one that --reading names; undefined where there is none. */
function placeOf(given: string | undefined, [first]: readonly string[]): string | undefined {
  if (given !== undefined) return given;
  const beside = placeBeside(first);
  if (beside === undefined || !existsSync(beside)) return undefined;
  const link = whyNotTaken(beside);
  if (link === undefined) return beside;
  throw new StatError("BadReading", `${beside} is ${link}.`, "Name it with `reading` if you trust it, or remove it.");
}

/** Of standard input there is no folder. */
function placeBeside(path: string | undefined): string | undefined {
  if (path === undefined || path === "-" || !existsSync(path)) return undefined;
  return join(isFolder(path) ? path : dirname(path), FILE);
}

/** What was taken from where. */
export interface Applied {
  readonly path: string;
  readonly told: string;
}

/** Gives the options of a command that reads rows what the reading says where no flag does. The words of the command say it too, so that an
 *  answer carries all that it rests on. */
export async function applyReading(command: Command, given: readonly unknown[]): Promise<Applied | undefined> {
  const { reading, ref = [] } = command.optsWithGlobals() as { reading?: string; ref?: readonly string[] };
  const paths = given.flat().filter((word) => typeof word === "string");
  const path = ref.length > 0 ? undefined : placeOf(reading, paths);
  if (path === undefined) return undefined;
  const options = new Map(optionsOf(command).map((option) => [option.long?.slice(2), option]));
  const isFree = (key: string): boolean =>
    command.getOptionValueSourceWithGlobals(keyOf(key)) !== "cli" && (key !== "files" || paths.length > 1);
  const used = Object.entries(await readReading(path)).filter(
    ([key]) => (isTaken(key, options.get(key)) || key === "metric-column") && isFree(key),
  );
  for (const [key, value] of used) {
    const owner = [command, command.parent!].find((own) => own.options.includes(options.get(key)!)) ?? command;
    owner.setOptionValueWithSource(keyOf(key), valueFor(options.get(key), value), "reading");
  }
  const flags = used.flatMap(([key, value]) => {
    // for this there is no flag
    if (key === "metric-column") return ["--reading", path];
    return [`--${key}`, ...(value === "true" ? [] : [value])];
  });
  process.argv = withFlags(process.argv, flags);
  return { path, told: used.map(([key, value]) => `${key} ${value}`).join(", ") };
}

/** A column that the reading names and the file does not have. */
export function blameReading(error: unknown, { path }: Applied): unknown {
  if (!(error instanceof StatError) || error.code !== "UnknownColumn") return error;
  return new StatError(error.code, `${path} does not match the file: ${error.message}`, error.fix);
}

/** --items of columns is a list; elsewhere the flag is a number. */
const isTaken = (key: string, option: Option | undefined): boolean =>
  option !== undefined && (key !== "items" || Array.isArray(option.defaultValue));

/** As the flag itself would give it: a list, true, or the text. */
function valueFor(option: Option | undefined, value: string): unknown {
  if (option !== undefined && !option.required && !option.optional) return value === "true";
  return Array.isArray(option?.defaultValue) ? [value] : value;
}

/** A reading is a few lines; the parser compares every name with every other. */
const MOST_CHARACTERS = 20_000;

async function readReading(path: string): Promise<Reading> {
  const fault = (message: string, fix: string): StatError => new StatError("BadReading", `${path}: ${message}`, fix);
  const text = readTextFile(path);
  if (text.length > MOST_CHARACTERS)
    throw fault(
      `${text.length} characters, where a reading has at most ${MOST_CHARACTERS}.`,
      "Write what the columns are, or remove it.",
    );
  const { isMap, isScalar, parseDocument } = await import("yaml");
  const document = parseDocument(text, { logLevel: "error", prettyErrors: false });
  const [broken] = document.errors;
  if (broken !== undefined) throw fault(`not YAML (${broken.message}).`, "Correct it, or remove it.");
  if (document.contents === null) return {};
  if (!isMap(document.contents)) throw fault("no list of columns by role.", 'Write lines such as "item: hash".');
  const entries = document.contents.items.map(({ key, value }): [string, string] => {
    const name = isScalar(key) ? String(key.value) : String(key);
    if (!KEYS.includes(name)) {
      throw fault(`there is no role "${name}".`, suggest(name, KEYS, `There is ${KEYS.join(", ")}.`));
    }
    const plain = value === null ? "" : (value as { toJSON(): unknown }).toJSON();
    const text = Array.isArray(plain) ? plain.join(",") : String(plain);
    if (text === "" || (typeof plain === "object" && !Array.isArray(plain)))
      throw fault(`${name} names no column.`, `Write for example "${name}: column".`);
    return [name, text];
  });
  return Object.fromEntries(entries);
}

/** YAML's parser is loaded for a reading alone. */
export async function writeReading(path: string, reading: Reading): Promise<void> {
  const { stringify } = await import("yaml");
  writeOutput(path, stringify(reading, { lineWidth: 0 }));
}

/** Answers put into the reading that the next command will take. */
export async function keepReading(path: string, answers: Reading): Promise<void> {
  const old = existsSync(path) ? await readReading(path) : {};
  await writeReading(path, { ...old, ...answers });
}

/** Where answers can be kept. */
export const keptAt = (given: string | undefined, words: readonly string[]): string | undefined =>
  given ?? placeBeside(words[0]);

/** "--item", "hash" → item: hash. */
export function readingOf(flags: readonly string[]): Reading {
  return Object.fromEntries(
    flags.flatMap((flag, i) => {
      if (!flag.startsWith("--")) return [];
      const next = flags[i + 1];
      return [[flag.slice(2), next === undefined || next.startsWith("--") ? "true" : next] as const];
    }),
  );
}

/** The study as a reading: what was told of shapes, and the columns of roles that nothing leaves open; what a shape makes of the columns of the
 *  file is made again by it. */
export function describeReading(
  { roles, metrics, asks = [] }: Imported,
  { table }: Imported,
  { told, shape }: { readonly told: Told; readonly shape: Reading },
): Reading {
  const { system, item, rater, repeat, cluster, task, metric, label, score } = roles;
  const isOpen = (id: string): boolean => asks.some((ask) => ask.id === id);
  const { run, files, item: given, cluster: clusters } = told;
  const inFile = (name: string | undefined): string | undefined =>
    name !== undefined && table.columns.has(name) ? name : undefined;
  const direction = metrics.find(({ name }) => name === score)?.higherIsBetter;
  const columns: Readonly<Record<string, string | undefined>> = {
    system: inFile(system),
    item: given ?? inFile(item),
    score: inFile(score),
    rater: inFile(rater),
    run: run === "rows" ? run : inFile(repeat),
    cluster: clusters === "none" ? "none" : isOpen("cluster") ? undefined : inFile(cluster),
    task: inFile(task),
    "metric-column": inFile(metric),
    gold: inFile(label),
    ...Object.fromEntries(SHAPE_OPTIONS.map((name) => [flagOf(name).slice(2), told[name] && String(told[name])])),
    direction: direction === undefined ? undefined : direction ? "higher" : "lower",
    files,
    ...shape,
  };
  return Object.fromEntries(
    Object.entries(columns).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

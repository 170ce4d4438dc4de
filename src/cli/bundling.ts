/** A result with the data behind it, in one zip that `gosset verify` computes again; a certificate is one with its page. */
import { randomInt } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { type InputFile, importFiles, StatError, verifyResult } from "../index.ts";
import { makePseudonyms, type Pseudonyms, renameRaters, writeZip } from "../io.ts";
import { DATA, hashOf, MANIFEST, type Manifest, PAGE, RESULT } from "./bundle-manifest.ts";
import { certificatePage } from "./certificate.ts";
import { isFolder, readFileBytes, readInputs, writeOutput } from "./files.ts";
import type { Progress } from "./progress.ts";
import { flagValue, inputsOf, type Recomputing, recompute } from "./stored-command.ts";

/** A file of the bundle under the name that its command reads. */
interface Bundled extends InputFile {
  readonly path: string;
}

interface Naming {
  readonly rater?: string | undefined;
  readonly keepNames?: boolean | undefined;
}

interface BundleSetting extends Omit<Recomputing, "folder">, Naming {
  readonly places: ReadonlyMap<string, string>;
}

interface Made {
  /** Computed on the files of the bundle. */
  readonly json: object;
  readonly manifest: Manifest;
  readonly bundled: readonly Bundled[];
  /** Also those that are not read. */
  readonly found: readonly Bundled[];
}

/** The data of a command under the names that they have in a bundle, and its answer to them. */
export async function makeBundle(
  words: readonly string[],
  data: readonly string[],
  setting: BundleSetting,
): Promise<Made> {
  const { places, seconds, progress } = setting;
  const found = data.flatMap((path) => collect(path, places.get(path)!));
  const files = found.filter(({ unread }) => unread === undefined);
  const { bundled, renamed } = await withPseudonyms(files, words, setting);
  const inner = words.map((word) => replaceInput(word, places));
  const json = await answerOf(bundled, inner, { seconds, progress });
  return { json, manifest: makeManifest(json, inner, bundled, renamed), bundled, found };
}

/** What a recomputation may take. */
const SECONDS = 600;

export interface Certified {
  readonly result: object;
  readonly words: readonly string[];
  readonly data: readonly string[];
  readonly progress: Progress;
}

/** A bundle with its page, of a result that was just computed. */
export async function certify(out: string, { result, words, data, progress }: Certified): Promise<string> {
  const places = placesOf(words, data);
  const made = await makeBundle(words, data, { places, seconds: SECONDS, progress });
  const { json, manifest, bundled, found } = made;
  const again = verifyResult(answerAlone(result), answerAlone(json), { tolerance: ROUNDING });
  if (!again.identical) throw notAgain(again);
  const page = certificatePage(json, manifest);
  writeOutput(out, pack(json, manifest, bundled, new Map([[PAGE, new TextEncoder().encode(page)]])));
  writeOutput(pageBeside(out), page);
  progress.end();
  return `${pageBeside(out)}: the certificate as a page.\n${tell(out, manifest, found)}`;
}

/** Renamed raters come in another order. */
const ROUNDING = 1e-9;

export const pageBeside = (out: string): string => out.replace(/\.zip$/i, ".html");

/** What no name of a rater, no path and no sentence is part of. */
const SAME = ["kind", "of", "metric", "n", "systems", "groups", "neighbors", "critical", "fragility", "missing"];

const answerAlone = (json: object): object =>
  Object.fromEntries(Object.entries(json).filter(([name]) => SAME.includes(name)));

/** Where each input stands in the bundle; refuses a bundle that lacks one, and a file that the command does not read. */
export function placesOf(words: readonly string[], data: readonly string[]): Map<string, string> {
  const read = inputsOf(words);
  const lacking = read.find((path) => !data.includes(path));
  if (lacking !== undefined)
    throw new StatError(
      "MissingInput",
      `the stored command also reads "${lacking}".`,
      "List it after the result file.",
    );
  const other = data.find((path) => !read.includes(path));
  if (other !== undefined)
    throw new StatError(
      "UnusedInput",
      `the stored command does not read "${other}".`,
      read.length === 0 ? "Run bundle in the folder where the command ran." : `It reads ${read.join(", ")}.`,
    );
  const places = new Map<string, string>();
  for (const path of data) {
    const names = [...places.values()];
    let place = `${DATA}/${basename(path)}`;
    for (let k = 2; names.includes(place); k++) place = `${DATA}/${k}/${basename(path)}`;
    places.set(path, place);
  }
  return places;
}

function collect(path: string, place: string): Bundled[] {
  if (!isFolder(path)) return [{ ...readFileBytes(path), path: place }];
  const own = basename(path);
  return readInputs([path]).map((file) => ({ ...file, path: `${place}/${file.name.slice(own.length + 1)}` }));
}

function replaceInput(word: string, places: ReadonlyMap<string, string>): string {
  const flagged = /^(--[\w-]+=)(.*)$/s.exec(word);
  if (flagged !== null) return flagged[1]! + (places.get(flagged[2]!) ?? flagged[2]!);
  return places.get(word) ?? word;
}

interface Renaming {
  readonly bundled: readonly Bundled[];
  readonly renamed: Manifest["renamed"];
}

/** One list of names for all files, so that a rater of two files stays one. */
async function withPseudonyms(files: readonly Bundled[], words: readonly string[], options: Naming): Promise<Renaming> {
  if (options.keepNames) return { bundled: files, renamed: [] };
  const wanted = options.rater ?? flagValue(words, "--rater");
  const raters = await Promise.all(files.map((file) => ratersOf(file, wanted)));
  if (options.rater !== undefined && raters.every((own) => own === undefined))
    throw new StatError(
      "UnknownColumn",
      `--rater ${options.rater}: no file has such a column.`,
      "Name the column of raters.",
    );
  const names = makePseudonyms(shuffled([...new Set(raters.flatMap((own) => own?.levels ?? []))]));
  const bundled = files.map((file, i) => renamedFile(file, raters[i], names));
  const renamed = files.flatMap(({ path }, i) => {
    const own = raters[i];
    return own === undefined ? [] : [{ path, column: own.column, raters: own.levels.length }];
  });
  return { bundled, renamed };
}

function renamedFile(file: Bundled, raters: Raters | undefined, names: Pseudonyms): Bundled {
  return raters === undefined ? file : { ...file, bytes: renameRaters(file, raters.column, names) };
}

interface Raters {
  readonly column: string;
  readonly levels: readonly string[];
}

async function ratersOf(file: Bundled, wanted: string | undefined): Promise<Raters | undefined> {
  const imported = await importFiles([file], wanted === undefined ? {} : { keep: [wanted] }).catch(() => undefined);
  const name = wanted ?? imported?.roles.rater;
  const found = name === undefined ? undefined : imported?.table.columns.get(name);
  if (name === undefined || found === undefined) return undefined;
  const cells =
    found.kind === "factor" ? found.levels : [...new Set(found.values)].filter((own) => !Number.isNaN(own)).map(String);
  return { column: name, levels: cells };
}

/** By the system's source of randomness: a seed could be tried out. */
function shuffled(names: readonly string[]): string[] {
  const list = [...names];
  for (let i = list.length - 1; i > 0; i--) {
    const j = randomInt(i + 1);
    [list[i], list[j]] = [list[j]!, list[i]!];
  }
  return list;
}

async function answerOf(
  files: readonly Bundled[],
  words: readonly string[],
  setting: Omit<Recomputing, "folder">,
): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), "gosset-bundle-"));
  try {
    for (const { path, bytes } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes, { flag: "wx" });
    }
    return { ...(await recompute(words, { folder, ...setting })), command: ["gosset", ...words] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeManifest(
  json: object,
  words: readonly string[],
  files: readonly Bundled[],
  renamed: Manifest["renamed"],
): Manifest {
  const { version, seed } = json as { readonly version: string; readonly seed?: string };
  return {
    gosset: version,
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    ...(seed === undefined ? {} : { seed }),
    command: ["gosset", ...words],
    files: files.map(({ path, bytes }) => ({ path, bytes: bytes.length, sha256: hashOf(bytes) })),
    renamed,
  };
}

export function pack(
  json: object,
  manifest: Manifest,
  files: readonly Bundled[],
  more: ReadonlyMap<string, Uint8Array> = new Map(),
): Uint8Array {
  const text = (value: object): Uint8Array => new TextEncoder().encode(`${JSON.stringify(value, null, 1)}\n`);
  const data = files.map(({ path, bytes }) => [path, bytes] as const);
  return writeZip(new Map([[MANIFEST, text(manifest)], [RESULT, text(json)], ...more, ...data]));
}

export function notAgain({ differing, values, differences }: ReturnType<typeof verifyResult>): StatError {
  const first = differences[0];
  const where = first === undefined ? "" : ` (${first.field}: ${first.stored} stored, ${first.computed} now)`;
  return new StatError(
    "NotReproduced",
    `${differing} of ${values} values of the stored result are not reproduced${where}.`,
    "Run its command again, or set --tolerance.",
  );
}

export function tell(out: string, { command, files, renamed }: Manifest, found: readonly Bundled[]): string {
  const names = renamed.map(
    ({ path, column, raters }) => `${raters} raters of ${path} (column ${column}) have other names.`,
  );
  const none = renamed.length === 0 ? ["No raters were renamed."] : names;
  return [
    `${out}: ${files.length} data file${files.length === 1 ? "" : "s"}, the result, its command and versions.`,
    ...found.flatMap(({ name, unread }) => (unread === undefined ? [] : [`Not included: ${name}, ${unread}.`])),
    ...none,
    "All other columns and texts are unchanged. Check them before you publish.",
    `It holds the answer of: ${command.join(" ")}`,
    `Check it with: gosset verify ${out}`,
    "",
  ].join("\n");
}

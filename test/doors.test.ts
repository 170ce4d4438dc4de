/** Every case of the corpus through the command line, the library and the engine of the page: one JSON, or one question or refusal. A part of the cases is
 *  enough for every run; `ALL_DOORS=1` takes all of them. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { nameFlags } from "../src/cli/option-names.ts";
import { answerComparison, importFiles, makeRng, type NamedImport, StatError } from "../src/index.ts";
import type { Told } from "../src/io.ts";
import { commandWords, TOLD } from "../src/questions.ts";
import { Session } from "../web/engine/session.ts";
import { toldOptions } from "../web/engine/told.ts";
import type { Part } from "./corpus/read-case.ts";
import { gosset } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";
import { differences } from "./support/page.ts";

const here = join(dirname(fileURLToPath(import.meta.url)), "corpus");
const SUFFIX = ".reading.json";
const EVERY = process.env["ALL_DOORS"] === undefined ? 12 : 1;
const PATIENCE = 900_000;
const folder = makeFolder("doors");

interface Case {
  readonly parts: readonly Part[];
  readonly told?: Readonly<Record<string, unknown>>;
}

interface File {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What the page can be told. */
const SAID = new Set(["system", "item", "rater", "repeat", "cluster", "task", "systems", "byRow", "gold", "pred"]);

function toldOf({ told = {} }: Case): Told | undefined {
  if (!Object.keys(told).every((name) => SAID.has(name))) return undefined;
  const { repeat, ...others } = told;
  return (repeat === undefined ? others : { ...others, run: repeat }) as Told;
}

/** Written where the command line finds them; undefined of folders, which the library is given as one part. */
function filesOf(area: string, { parts }: Case, at: string): File[] | undefined {
  const files = parts.flatMap(({ path, files: own }) =>
    Object.entries(own).map(([name, stored]) => ({ name, path, bytes: readFileSync(join(here, area, stored)) })),
  );
  if (files.length !== parts.length || files.some(({ name, path }) => basename(name) !== basename(path)))
    return undefined;
  return files.map(({ path, bytes }) => {
    const own = join(at, path);
    mkdirSync(dirname(own), { recursive: true });
    writeFileSync(own, bytes);
    return { path: own, bytes: new Uint8Array(bytes) };
  });
}

/** What stands on the command line's only line. */
const refusal = (error: unknown): unknown => {
  if (!(error instanceof StatError)) throw error;
  return { refused: nameFlags(error.message.replace(/\s+/g, " ").trim()).slice(0, 200) };
};

function byCommand(files: readonly File[], told: Told): unknown {
  const words = ["compare", ...files.map(({ path }) => path), ...commandWords(TOLD, toldOptions(told))];
  const { status, stdout, stderr } = gosset(...words, "--json", "--quiet");
  return status === 0 ? JSON.parse(stdout) : { refused: stderr.replace(/^gosset: /, "").trim() };
}

async function byLibrary(files: readonly File[], told: Told): Promise<unknown> {
  try {
    const parts: NamedImport[] = [];
    for (const { path, bytes } of files)
      parts.push({ path, imported: await importFiles([{ name: basename(path), bytes }]) });
    const data = parts.length === 1 ? { path: parts[0]!.path, imported: parts[0]!.imported } : parts;
    const result = answerComparison(data, { ...toldOptions(told), rng: makeRng("1") });
    return JSON.parse(JSON.stringify(result));
  } catch (error) {
    return refusal(error);
  }
}

async function byPage(files: readonly File[], told: Told): Promise<unknown> {
  const session = new Session();
  const around = { signal: new AbortController().signal, tell: () => {} };
  try {
    await session.open({ files: files.map(({ path, bytes }) => ({ path, file: new File([bytes], basename(path)) })) });
    await session.ask({ door: "compare", settings: {}, told, seed: "1" }, around);
    return JSON.parse(session.write({ door: "compare", as: "json" }));
  } catch (error) {
    return refusal(error);
  }
}

/** Where no door answers, what each says first may differ: a tab has less memory, and asks for the reference of texts. */
function differing(own: unknown, other: unknown): string[] {
  const [a, b] = [own, other].map((answer) => (answer as { readonly refused?: string }).refused);
  if (a === undefined && b === undefined) return differences(own, other, 0);
  return a !== undefined && b !== undefined ? [] : [`${a ?? "answers"} / ${b ?? "answers"}`];
}

describe("one answer through every door", () => {
  const areas = readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  it.each(areas.map(({ name }) => name))(
    "%s",
    async (area) => {
      const cases = readdirSync(join(here, area)).filter((name) => name.endsWith(SUFFIX));
      const faults: string[] = [];
      for (const [k, name] of cases.entries()) {
        if (k % EVERY !== 0) continue;
        const own: Case = JSON.parse(readFileSync(join(here, area, name), "utf8"));
        const told = toldOf(own);
        const files = filesOf(area, own, join(folder, area, String(k)));
        if (told === undefined || files === undefined) continue;
        const command = byCommand(files, told);
        for (const [door, answer] of [
          ["library", await byLibrary(files, told)],
          ["page", await byPage(files, told)],
        ] as const)
          faults.push(
            ...differing(command, answer)
              .map((fault) => `${name.slice(0, -SUFFIX.length)}, ${door}: ${fault}`)
              .slice(0, 3),
          );
      }
      expect(faults).toEqual([]);
    },
    PATIENCE,
  );
});

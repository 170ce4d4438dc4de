/** Ranks: the settings of the form as options of `rank`, as the command line has them. */
import { makeRng, type RankOptions, rankSystems } from "../../../src/index.ts";
import { commandWords, formOptions, RANK } from "../../../src/questions.ts";
import type { Asked, Asking, EngineDoor } from "../../engine/door.ts";
import { flagValue } from "../../engine/reading.ts";
import { rowSettings, rowsOf } from "../../engine/rows.ts";
import { toldOptions } from "../../engine/told.ts";
import { Code, optionsText } from "../../engine/words.ts";

export const ranksDoor: EngineDoor = {
  name: "ranks",
  ask,
  offer(words) {
    if (words[1] !== "rank") return undefined;
    return { metric: flagValue(words, "--metric"), ...rowSettings(words) };
  },
};

function ask({ settings, told, seed, data }: Asking): Asked {
  const { parts } = data();
  const options: RankOptions = { ...toldOptions(told), ...formOptions(RANK.options, settings) };
  const files = parts.map(({ path }) => path);
  return {
    result: rankSystems(parts, { ...options, rng: makeRng(seed) }),
    readsFiles: true,
    carriesReading: true,
    addition: { ...rowsOf(settings) },
    command: [
      ...["gosset", "rank", ...files, ...commandWords(RANK.options, options)],
      ...(seed === "1" ? [] : ["--seed", seed]),
    ],
    call: callOf(files, options, seed),
  };
}

function callOf(files: readonly string[], options: RankOptions, seed: string): string {
  const list = files.map((name) => JSON.stringify(name)).join(", ");
  return [
    'import { readFile } from "node:fs/promises";',
    'import { importFiles, makeRng, rankSystems } from "gosset";',
    "",
    `const parts = await Promise.all([${list}].map(async (path) =>`,
    "  ({ path, imported: await importFiles([{ name: path, bytes: await readFile(path) }]) })));",
    `console.log(String(rankSystems(parts, ${optionsText({ ...options, rng: new Code(`makeRng(${JSON.stringify(seed)})`) })})));`,
  ].join("\n");
}

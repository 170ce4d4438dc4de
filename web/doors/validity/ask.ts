/** Validity: does a feature give the label away in one domain only, or define it? */
import { makeRng, StatError, testBias, testCircularity } from "../../../src/index.ts";
import type { Asked, Asking, EngineDoor } from "../../engine/door.ts";
import { flagValue } from "../../engine/reading.ts";
import { Code, flagWords, optionsText, readLines } from "../../engine/words.ts";

export const validityDoor: EngineDoor = {
  name: "validity",
  ask: (asking) => (asking.settings["ask"] === "bias" ? bias(asking) : circularity(asking)),
  offer(words) {
    if (words[1] !== "validity" || (words[2] !== "bias" && words[2] !== "circularity")) return undefined;
    const features = flagValue(words, "--features")?.split(",");
    const columns = {
      label: flagValue(words, "--label"),
      domain: flagValue(words, "--domain"),
      pred: flagValue(words, "--pred"),
    };
    return { ask: words[2], ...columns, features };
  },
};

const CONFIDENCE = 0.95;
const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function need(column: string | undefined, what: string): string {
  if (column !== undefined) return column;
  throw new StatError("NoColumn", `which column is the ${what}?`, "Choose it beside this answer.");
}

async function bias({ settings, seed, data, tell }: Asking): Promise<Asked> {
  const { whole, parts, raw } = data();
  const features = settings["features"] as readonly string[] | undefined;
  const columns = {
    label: need(text(settings["label"]) ?? whole.roles.label, "label"),
    domain: need(text(settings["domain"]), "domain"),
  };
  const pred = text(settings["pred"]);
  const [premise, hypothesis] = [text(settings["premise"]), text(settings["hypothesis"])];
  const pair = premise === undefined || hypothesis === undefined ? {} : { premise, hypothesis };
  const options = {
    ...columns,
    ...({ measure: "auto", interval: "robust", constant: "undefined", adjust: "holm" } as const),
    ...{ threshold: 0.1, alpha: 0.05, confidence: CONFIDENCE, replicates: 1000 },
    ...(features === undefined || features.length === 0 ? {} : { features }),
    ...(pred === undefined ? {} : { predicted: pred }),
    ...pair,
  };
  const result = testBias(await raw(), {
    ...options,
    rng: makeRng(seed),
    onProgress: (done, total) => tell({ done, total }),
  });
  const path = parts[0]!.path;
  const flags = {
    "--label": columns.label,
    "--domain": columns.domain,
    "--pred": pred,
    "--features": features?.join(","),
    ...{ "--premise": pair.premise, "--hypothesis": pair.hypothesis },
  };
  return {
    result,
    readsFiles: false,
    command: [
      "gosset",
      "validity",
      "bias",
      path,
      ...flagWords({ ...flags, "--seed": seed === "1" ? undefined : seed }),
    ],
    call: call("testBias", path, { ...options, rng: new Code(`makeRng(${JSON.stringify(seed)})`) }),
  };
}

async function circularity({ settings, data, runner, tell }: Asking): Promise<Asked> {
  const { whole, parts, raw } = data();
  const features = settings["features"] as readonly string[] | undefined;
  const options = {
    label: need(text(settings["label"]) ?? whole.roles.label, "label"),
    ...{ predictions: [], ablated: [], exclude: [] },
    ...(features === undefined || features.length === 0 ? { candidates: 12 } : { features }),
    ...{ k: 10, knots: {}, method: "GCV.Cp" as const, closeness: 0.9, confidence: CONFIDENCE },
  };
  const result = await testCircularity(await raw(), {
    ...options,
    runner,
    onProgress: (_, done, total) => tell({ done, total }),
  });
  const path = parts[0]!.path;
  return {
    result,
    readsFiles: false,
    command: [
      "gosset",
      "validity",
      "circularity",
      path,
      ...flagWords({ "--label": options.label, "--features": features?.join(",") }),
    ],
    call: call("testCircularity", path, options),
  };
}

const call = (name: string, path: string, options: Readonly<Record<string, unknown>>): string =>
  `import { readFile } from "node:fs/promises";\nimport { importFiles, makeRng, ${name} } from "gosset";\n\n${readLines(path)}\nconsole.log(String(await ${name}(imported.table, ${optionsText(options)})));`;

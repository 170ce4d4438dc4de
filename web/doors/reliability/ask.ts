/** Reliability: do raters agree, and would the scores come back? */
import { type AgreementOptions, makeRng, measureAgreement, measureReliability } from "../../../src/index.ts";
import type { Asked, Asking, EngineDoor } from "../../engine/door.ts";
import type { Settings } from "../../engine/protocol.ts";
import { flagValue } from "../../engine/reading.ts";
import { Code, flagWords, optionsText, readLines } from "../../engine/words.ts";

export const reliabilityDoor: EngineDoor = {
  name: "reliability",
  ask: (asking) => (asking.settings["ask"] === "components" ? components(asking) : agreement(asking)),
  offer(words) {
    if (words[1] === "agreement") {
      const item = flagValue(words, "--item")?.split(",");
      return {
        ask: "agreement",
        item,
        ...{
          rater: flagValue(words, "--rater"),
          label: flagValue(words, "--label"),
          scale: flagValue(words, "--scale"),
        },
      };
    }
    if (words[1] !== "reliability") return undefined;
    const facets = flagValue(words, "--facets")?.split(",");
    return { ask: "components", score: flagValue(words, "--score"), object: flagValue(words, "--object"), facets };
  },
};

const REPLICATES = 1000;
const CONFIDENCE = 0.95;

const words = (settings: Settings, name: string): string | undefined => settings[name] as string | undefined;
const list = (settings: Settings, name: string): readonly string[] | undefined =>
  settings[name] as readonly string[] | undefined;

function agreement({ settings, seed, data, tell }: Asking): Asked {
  const { whole, parts } = data();
  const [item, rater, label] = [list(settings, "item"), words(settings, "rater"), words(settings, "label")];
  const scale = words(settings, "scale") as AgreementOptions["scale"];
  const cluster = words(settings, "cluster");
  const options = {
    ...{ item, rater, label },
    cluster,
    scale,
    weighting: (words(settings, "weighting") ?? "none") as "none" | "linear" | "quadratic",
    replicates: REPLICATES,
    confidence: CONFIDENCE,
  };
  const result = measureAgreement(whole, {
    ...options,
    rng: makeRng(seed),
    onProgress: (done, total) => tell({ done, total }),
  });
  const path = parts[0]!.path;
  return {
    result,
    readsFiles: true,
    command: [
      ...["gosset", "agreement", ...parts.map((part) => part.path)],
      ...flagWords({
        ...{ "--item": item?.join(","), "--rater": rater, "--label": label, "--scale": scale, "--cluster": cluster },
        "--weighting": options.weighting === "none" ? undefined : options.weighting,
        "--seed": seed === "1" ? undefined : seed,
      }),
    ],
    call: `import { readFile } from "node:fs/promises";\nimport { importFiles, makeRng, measureAgreement } from "gosset";\n\n${readLines(path)}\nconsole.log(String(measureAgreement(imported, ${optionsText({ ...options, rng: new Code(`makeRng(${JSON.stringify(seed)})`) })})));`,
  };
}

function components({ settings, told, seed, data, tell }: Asking): Asked {
  const { whole, parts } = data();
  const [score, object, facets] = [words(settings, "score"), words(settings, "object"), list(settings, "facets")];
  const target = settings["target"] as number | undefined;
  const prices = Object.entries(settings).flatMap(([name, value]) =>
    name.startsWith("price:") && typeof value === "number" ? [[name.slice(6), value] as const] : [],
  );
  const costs = target === undefined || prices.length === 0 ? undefined : costsOf(prices);
  const options = {
    score,
    object,
    ...(facets === undefined || facets.length === 0 ? {} : { facets }),
    ...(settings["interactions"] === true ? { interactions: "all" as const } : {}),
    confidence: CONFIDENCE,
    target,
    costs,
  };
  const { table, roles } = whole;
  const result = measureReliability(
    { table, roles },
    {
      ...options,
      rng: makeRng(seed),
      onProgress: (done, total) => tell({ done, total }),
    },
  );
  const path = parts[0]!.path;
  // the command line is told the columns that follow from what the user said
  const said = Object.keys(told).length === 0 ? { score, object, facets } : result;
  return {
    result,
    readsFiles: true,
    own: { facets: result.facets, object: result.object, score: result.score },
    command: [
      ...["gosset", "reliability", ...parts.map((part) => part.path)],
      ...flagWords({
        ...{ "--score": said.score, "--object": said.object, "--facets": said.facets?.join(",") },
        "--target": target,
        "--interactions": settings["interactions"] === true ? "all" : undefined,
        "--cost": costs === undefined ? undefined : prices.map(([name, price]) => `${name}=${price}`).join(","),
        "--seed": seed === "1" ? undefined : seed,
      }),
    ],
    call: `import { readFile } from "node:fs/promises";\nimport { importFiles, makeRng, measureReliability } from "gosset";\n\n${readLines(path)}\nconsole.log(String(measureReliability(imported, ${optionsText({ ...options, rng: new Code(`makeRng(${JSON.stringify(seed)})`) })})));`,
  };
}

/** A price of "score" is that of one rating; the others are of levels of facets. */
function costsOf(prices: readonly (readonly [string, number])[]) {
  const facets = Object.fromEntries(prices.filter(([name]) => name !== "score"));
  return { facets, score: prices.find(([name]) => name === "score")?.[1] ?? 0 };
}

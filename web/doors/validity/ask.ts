/** Validity: does a feature give the label away in one domain only, or define it? */
import {
  auditValidity,
  type LearnerName,
  makeRng,
  parseScales,
  StatError,
  testBias,
  testCircularity,
  testInvariance,
} from "../../../src/index.ts";
import type { Asked, Asking, EngineDoor } from "../../engine/door.ts";
import { flagValue } from "../../engine/reading.ts";
import { Code, callOnTable, flagWords, optionsText, textOf } from "../../engine/words.ts";

export const validityDoor: EngineDoor = {
  name: "validity",
  ask: (asking) => (ASKS[String(asking.settings["ask"])] ?? circularity)(asking),
  offer(words) {
    if (words[1] !== "validity" || !["bias", "circularity", "audit"].includes(words[2]!)) return undefined;
    const features = flagValue(words, "--features")?.split(",");
    const columns = {
      label: flagValue(words, "--label"),
      domain: flagValue(words, "--domain"),
      pred: flagValue(words, "--pred") ?? flagValue(words, "--predictions"),
    };
    return { ask: words[2], ...columns, features };
  },
};

const ASKS: Readonly<Record<string, (asking: Asking) => Promise<Asked>>> = { bias, invariance, audit };
const CONFIDENCE = 0.95;

function need(column: string | undefined, what: string): string {
  if (column !== undefined) return column;
  throw new StatError("NoColumn", `which column is the ${what}?`, "Choose it beside this answer.");
}

async function bias({ settings, seed, data, tell }: Asking): Promise<Asked> {
  const { whole, parts, raw } = data();
  const features = settings["features"] as readonly string[] | undefined;
  const columns = {
    label: need(textOf(settings["label"]) ?? whole.roles.label, "label"),
    domain: need(textOf(settings["domain"]), "domain"),
  };
  const pred = textOf(settings["pred"]);
  const [premise, hypothesis] = [textOf(settings["premise"]), textOf(settings["hypothesis"])];
  const pair = premise === undefined || hypothesis === undefined ? {} : { premise, hypothesis };
  const options = {
    ...columns,
    ...({ measure: "auto", interval: "robust", constant: "undefined", adjust: "holm" } as const),
    ...{ threshold: 0.1, alpha: 0.05, confidence: CONFIDENCE, replicates: 1000 },
    ...(features === undefined || features.length === 0 ? {} : { features }),
    predicted: pred,
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
    call: callOnTable("testBias", path, { options: { ...options, rng: new Code(`makeRng(${JSON.stringify(seed)})`) } }),
  };
}

async function circularity({ settings, data, runner, tell }: Asking): Promise<Asked> {
  const { whole, parts, raw } = data();
  const features = settings["features"] as readonly string[] | undefined;
  const options = {
    label: need(textOf(settings["label"]) ?? whole.roles.label, "label"),
    ...(features === undefined || features.length === 0 ? { candidates: 12 } : { features }),
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
    call: callOnTable("testCircularity", path, { options: options }),
  };
}

/** Every test that the file has the columns for. */
async function audit({ settings, seed, data, runner, tell }: Asking): Promise<Asked> {
  const { parts, raw } = data();
  const features = settings["features"] as readonly string[] | undefined;
  const [label, domain, pred, scales] = ["label", "domain", "pred", "scales"].map((name) => textOf(settings[name]));
  const options = {
    label,
    ...(pred === undefined ? {} : { predictions: [pred] }),
    domain,
    ...(features === undefined || features.length === 0 ? {} : { features }),
    ...(scales === undefined ? {} : { scales: parseScales(scales) }),
  };
  const result = await auditValidity(await raw(), {
    ...options,
    rng: makeRng(seed),
    runner,
    onProgress: (_, done, total) => tell({ done, total }),
  });
  const path = parts[0]!.path;
  const { summary = [], title } = result.display();
  const [first = title, ...others] = summary;
  const flags = { "--label": label, "--predictions": pred, "--domain": domain, "--features": features?.join(",") };
  const more = { "--scales": scales, "--seed": seed === "1" ? undefined : seed };
  return {
    result,
    readsFiles: false,
    headline: { label: "VALIDITY AUDIT", sentence: first!, lead: others },
    command: ["gosset", "validity", "audit", path, ...flagWords({ ...flags, ...more })],
    call: callOnTable("auditValidity", path, {
      options: { ...options, rng: new Code(`makeRng(${JSON.stringify(seed)})`) },
    }),
  };
}

/** Features are recoded as their scale permits, and the learner is fitted again. */
async function invariance({ settings, seed, data, tell }: Asking): Promise<Asked> {
  const { whole, parts, raw } = data();
  const paths = parts.map(({ path }) => path);
  const test = textOf(settings["test"]);
  const train = paths.find((path) => path !== test);
  if (test === undefined || train === undefined)
    throw new StatError(
      "NoTestFile",
      paths.length < 2 ? "invariance needs training rows and test rows." : "which file holds the test rows?",
      paths.length < 2 ? "Open two files with the same columns." : "Choose it beside this answer.",
    );
  const features = settings["features"] as readonly string[] | undefined;
  const scales = need(textOf(settings["scales"]), "list of scales, such as id=nominal");
  const learner = (textOf(settings["learner"]) ?? "gam") as LearnerName;
  const options = {
    label: need(textOf(settings["label"]) ?? whole.roles.label, "label"),
    scales: parseScales(scales),
    ...{ adjust: "holm" as const, alpha: 0.05, confidence: CONFIDENCE },
    ...(features === undefined || features.length === 0 ? {} : { features }),
  };
  const result = await testInvariance(await raw(train), await raw(test), {
    ...{ ...options, learner, learnerName: learner },
    rng: makeRng(seed),
    onProgress: (done, total) => tell({ done, total }),
  });
  const flags = { "--test": test, "--label": options.label, "--scales": scales, "--features": features?.join(",") };
  const more = { "--learner": textOf(settings["learner"]), "--seed": seed === "1" ? undefined : seed };
  const own = { ...options, learner, rng: new Code(`makeRng(${JSON.stringify(seed)})`) };
  return {
    result,
    readsFiles: false,
    command: ["gosset", "validity", "invariance", train, ...flagWords({ ...flags, ...more })],
    call: [
      'import { readFile } from "node:fs/promises";',
      'import { importFiles, makeRng, testInvariance } from "gosset";',
      "",
      "const load = async (name) =>",
      "  (await importFiles([{ name, bytes: await readFile(name) }], { guessRoles: false })).table;",
      `const [train, test] = [await load(${JSON.stringify(train)}), await load(${JSON.stringify(test)})];`,
      `console.log(String(await testInvariance(train, test, ${optionsText(own)})));`,
    ].join("\n"),
  };
}

/** Models: a formula and its fit, or marginal means and contrasts of it. */
import {
  type Addition,
  describeRatings,
  fitClm,
  fitClmm,
  fitGam,
  fitGlm,
  fitGlmm,
  fitLm,
  fitLmm,
  marginalMeans,
  prepareTable,
  type Result,
  StatError,
  type Table,
  warnOfRepeats,
} from "../../../src/index.ts";
import type { Asked, Asking, EngineDoor } from "../../engine/door.ts";
import { flagValue, MAX_MEMORY } from "../../engine/reading.ts";
import { rowSettings, rowsOf } from "../../engine/rows.ts";
import { flagWords, optionsText, readLines } from "../../engine/words.ts";

const KINDS = ["lm", "glm", "lmm", "glmm", "clm", "clmm", "gam"] as const;
type Kind = (typeof KINDS)[number];

export const modelsDoor: EngineDoor = {
  name: "models",
  ask,
  offer(words) {
    const [, command, kind, formula] = words;
    // categories that are put in order, and clusters, are for the command line
    if (command !== "fit" || words.some((word) => /^--(levels|ordered|cluster)$/.test(word))) return undefined;
    const factors = words.flatMap((word, i) => (word === "--factor" ? [words[i + 1]!] : []));
    return {
      model: kind!,
      formula: formula!,
      family: flagValue(words, "--family"),
      ...rowSettings(words),
      ...(factors.length === 0 ? {} : { factors }),
    };
  },
};

const FITTED: Readonly<Record<Kind, string>> = {
  ...{ lm: "fitLm", glm: "fitGlm", lmm: "fitLmm", glmm: "fitGlmm" },
  ...{ clm: "fitClm", clmm: "fitClmm", gam: "fitGam" },
};

interface Fitted {
  readonly fit: Result<string>;
  readonly addition: Addition;
}

async function ask({ settings, data }: Asking): Promise<Asked> {
  const formula = String(settings["formula"] ?? "").trim();
  if (formula === "")
    throw new StatError("NoFormula", "there is no formula yet.", "Write one, such as score ~ system + (1 | item).");
  const kind = (settings["model"] as Kind | undefined) ?? "lm";
  const family = settings["family"] as "binomial" | "poisson" | undefined;
  const factors = settings["factors"] as readonly string[] | undefined;
  const options = {
    ...(factors === undefined || factors.length === 0 ? {} : { factors }),
    ...(family === undefined ? {} : { family }),
  };
  const { parts, raw } = data();
  const rows = rowsOf(settings);
  const table = prepareTable(await raw(), rows);
  const { fit, addition } = fitModel(kind, [formula, table], { ...options, maxMemory: MAX_MEMORY });
  const by = settings["by"] as readonly string[] | undefined;
  const path = parts[0]!.path;
  const shared = {
    ...{ "--family": family, "--factor": factors },
    ...{ "--where": rows.where, "--mutate": rows.mutate },
  };
  const chosen =
    Object.keys(rows).length === 0 ? "imported.table" : `prepareTable(imported.table, ${optionsText({ ...rows })})`;
  const names = Object.keys(rows).length === 0 ? "importFiles" : "importFiles, prepareTable";
  if (by === undefined || by.length === 0) {
    return {
      result: fit,
      addition: { ...addition, ...rows },
      readsFiles: false,
      command: ["gosset", "fit", kind, formula, path, ...flagWords(shared)],
      call: `import { readFile } from "node:fs/promises";\nimport { ${FITTED[kind]}, ${names} } from "gosset";\n\n${readLines(path)}\nconsole.log(String(${FITTED[kind]}(${JSON.stringify(formula)}, ${chosen}, ${optionsText(options)})));`,
    };
  }
  if (kind === "gam")
    throw new StatError("NoMeans", "a GAM has no marginal means here.", "Choose another model, or no means.");
  const result = marginalMeans(fit as Parameters<typeof marginalMeans>[0], {
    ...{ by, within: [], contrasts: "pairwise" as const },
    data: table,
  });
  const model = kind === "clm" || kind === "clmm" || kind === "glmm" ? kind : undefined;
  return {
    result,
    addition: { ...rows },
    readsFiles: false,
    command: ["gosset", "emmeans", formula, path, ...flagWords({ "--by": by.join(","), "--model": model, ...shared })],
    call: `import { readFile } from "node:fs/promises";\nimport { ${FITTED[kind]}, ${names}, marginalMeans } from "gosset";\n\n${readLines(path)}\nconst fit = ${FITTED[kind]}(${JSON.stringify(formula)}, ${chosen}, ${optionsText(options)});\nconsole.log(String(marginalMeans(fit, ${optionsText({ by })})));`,
  };
}

function fitModel(
  kind: Kind,
  [formula, table]: readonly [string, Table],
  options: {
    readonly factors?: readonly string[];
    readonly family?: "binomial" | "poisson";
    readonly maxMemory: number;
  },
): Fitted {
  const { family, ...plain } = options;
  switch (kind) {
    case "lm":
      return { fit: fitLm(formula, table, plain), addition: { reading: warnOfRepeats(table, [formula], undefined) } };
    case "glm":
      return {
        fit: fitGlm(formula, table, options),
        addition: { reading: warnOfRepeats(table, [formula], undefined) },
      };
    case "lmm":
      return { fit: fitLmm(formula, table, { ...plain, criterion: "REML" }), addition: {} };
    case "glmm":
      return { fit: fitGlmm(formula, table, options), addition: {} };
    case "clm":
      return withRatings(fitClm(formula, table, plain));
    case "clmm":
      return withRatings(fitClmm(formula, table, plain));
    case "gam":
      return {
        fit: fitGam(formula, table, options),
        addition: { reading: warnOfRepeats(table, [formula], false) },
      };
  }
}

/** What an ordinal model says about ratings, beside its coefficients. */
function withRatings(fit: ReturnType<typeof fitClm> | ReturnType<typeof fitClmm>): Fitted {
  if (fit.coefficients.length === 0 || !fit.design.assign.includes(0)) return { fit, addition: {} };
  const summary = describeRatings(fit);
  const { factors, proportionalOdds } = summary;
  return {
    fit,
    addition: {
      tables: summary.display().tables,
      diagnostics: summary.diagnostics,
      published: { ratings: factors, proportionalOdds },
    },
  };
}

/** A plan as the file that `gosset plan check`, `plan lock` and `compare --plan` take. Reading and checking are the library's. */
import { checkPlan, readPlan } from "../../../src/plan.ts";
import type { Asked, DoorDocument } from "../../engine/door.ts";
import type { Settings } from "../../engine/protocol.ts";
import { yamlText } from "../../engine/yaml-text.ts";

export const planDocument: DoorDocument = {
  isMeant: (text) => /^[ \t]*"?(smallest-effect|systems)"?[ \t]*:/m.test(text),
  read(text, name) {
    readPlan(text, name);
    return { document: text };
  },
};

/** As it is saved, and as the command names it. */
const FILE = "plan.yaml";

/** The numbers of the form as a plan; undefined where plans have no such evaluation. */
export function planText(settings: Settings): string | undefined {
  const { scenario = "accuracy", n, delta, alpha, power } = settings;
  if ((scenario !== "accuracy" && scenario !== "means") || n === undefined || delta === undefined) return undefined;
  const { agreement, baseline, sd, clusterSize, icc } = settings;
  return yamlText({
    systems: ["baseline", "new"],
    metric: scenario === "accuracy" ? "accuracy" : "score",
    items: n,
    "smallest-effect": delta,
    ...{ alpha, power },
    expected:
      scenario === "accuracy"
        ? agreement === undefined
          ? { baseline }
          : { agreement }
        : { sd, "cluster-size": clusterSize, icc },
  });
}

/** What a plan file can see. */
export function askDocument(text: string): Asked {
  const result = checkPlan(readPlan(text, FILE));
  const { plan, power, mde, needed } = result;
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const short = (value: number): string => String(Number(value.toPrecision(3)));
  const known = Number.isFinite(power);
  return {
    result,
    readsFiles: false,
    command: ["gosset", "plan", "check", FILE],
    call: `import { readFile } from "node:fs/promises";\nimport { checkPlan, readPlan } from "gosset/plan";\n\nconsole.log(String(checkPlan(readPlan(await readFile("${FILE}", "utf8")))));`,
    headline: {
      label: "PLAN",
      sentence: known
        ? `${plan.items.toLocaleString("en")} items find a true difference of ${short(plan.smallestEffect)} in ${percent(power)} of evaluations.`
        : "The plan does not say what to expect, so that its power is unknown.",
      ...(known
        ? {
            number: {
              text: percent(power),
              unit: "power",
              facts: [
                `wanted ${percent(plan.power)}`,
                ...(Number.isFinite(needed) ? [`${needed.toLocaleString("en")} items would have it`] : []),
                ...(Number.isFinite(mde) ? [`smallest difference seen ${short(mde)}`] : []),
              ],
            },
          }
        : {}),
    },
    own: { method: "exact" },
  };
}

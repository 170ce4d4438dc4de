/** The plan in one sentence with its one number. */
import type {
  CurveResult,
  DesignResult,
  MdeResult,
  PowerResult,
  ScenarioFamily,
  SizeResult,
} from "../../../src/power.ts";
import type { Headline } from "../../engine/door.ts";
import type { Verb } from "./ask.ts";

export type PlanResult = PowerResult | MdeResult | SizeResult | CurveResult | DesignResult;

const inHundred = (share: number): string => String(Math.round(100 * share));
const short = (value: number, digits = 3): string => String(Number(value.toPrecision(digits))).replace("-", "\u2212");
const count = (value: unknown): string => Number(value).toLocaleString("en");
const many = (value: unknown, noun: string): string =>
  `${count(value)} ${Number(value) === 1 ? noun.replace(/s$/, "") : noun}`;

/** "true difference in accuracy, new minus baseline" without what follows the comma. */
const meaningOf = (family: ScenarioFamily): string =>
  (family.parameters.find(({ name }) => name === family.effect)?.meaning ?? "effect").split(/[,:;(]/)[0]!.trim();

const sizeNoun = (family: ScenarioFamily, name: string): string =>
  family.parameters.find((own) => own.name === name)?.unit ?? (name === "n" ? "items" : name);

/** "50 items and 6 raters" */
function sizesOf(
  family: ScenarioFamily,
  parameters: readonly { readonly name: string; readonly value: unknown }[],
): string {
  const names = [family.size, ...(family.otherSizes ?? [])];
  const given = names.flatMap((name) => {
    const found = parameters.find((own) => own.name === name);
    return found === undefined || !Number.isFinite(Number(found.value))
      ? []
      : [many(found.value, sizeNoun(family, name))];
  });
  return given.length === 0 ? "This evaluation" : given.join(" and ");
}

export function headlineOf(verb: Verb, family: ScenarioFamily, result: PlanResult): Headline {
  const what = meaningOf(family);
  if (verb === "power") return ofPower(family, what, result as PowerResult);
  if (verb === "mde") {
    const own = result as MdeResult;
    return {
      label: `SMALLEST DIFFERENCE WITH ${inHundred(own.target)} % POWER`,
      sentence: `${sizesOf(family, own.parameters)} find a ${what} of ${short(own.mde)} in ${inHundred(own.target)} of 100 evaluations.`,
      number: { text: short(own.mde, 4), unit: own.parameter, facts: facts(own, short(own.mde, 4)) },
    };
  }
  if (verb === "size") {
    const own = result as SizeResult;
    const effect = own.parameters.find(({ name }) => name === family.effect)?.value;
    const others = sizesOf(family, own.parameters);
    return {
      label: `SIZE FOR ${inHundred(own.target)} % POWER`,
      sentence: `${others} find a ${what} of ${short(Number(effect))} in ${inHundred(own.power)} of 100 evaluations.`,
      number: {
        text: count(own.n),
        unit: sizeNoun(family, own.parameter),
        facts: facts(own, count(own.n)),
      },
    };
  }
  return verb === "design"
    ? ofDesign(what, result as DesignResult)
    : { label: "POWER BY SIZE", sentence: result.display().title };
}

function ofPower(family: ScenarioFamily, what: string, own: PowerResult): Headline {
  const typeM = Number.isFinite(own.typeM)
    ? [`a significant result looks ${short(own.typeM)} times as large as it is`]
    : [];
  return {
    label: "POWER",
    sentence: `${sizesOf(family, own.parameters)} find a ${what} of ${short(own.effect)} in ${inHundred(own.power)} of 100 evaluations.`,
    number: {
      text: own.power.toFixed(2),
      unit: "power",
      facts: [own.method === "simulation" ? `± ${(2 * own.se).toFixed(2)} by simulation` : own.method, ...typeM],
    },
  };
}

function ofDesign(what: string, own: DesignResult): Headline {
  const { best } = own;
  const effect = (
    own as unknown as { readonly parameters?: readonly { name: string; value: unknown }[] }
  ).parameters?.find(({ name }) => name === "effect" || name === "win")?.value;
  const power = best.simulatedPower ?? best.power;
  return {
    label: "BEST DESIGN",
    sentence: `${many(best.items, "items")} and ${many(best.raters, "raters")}, ${count(best.ratings)} on each item, find a ${what}${effect === undefined ? "" : ` of ${short(Number(effect))}`} in ${inHundred(power)} of 100 evaluations.`,
    number: {
      text: best.cost.toFixed(2),
      unit: "cost",
      facts: [
        `${count(best.totalRatings)} ratings`,
        `power ${power.toFixed(2)}${best.se === undefined ? "" : ` ± ${(2 * best.se).toFixed(2)}`}`,
      ],
    },
  };
}

/** The simulation's error is that of what was searched for, not of its power. */
const facts = ({ method, se, power }: MdeResult | SizeResult, found: string): string[] => [
  ...(se > 0 ? [`${found} ± ${short(2 * se, 2)} by simulation`] : []),
  `power ${power.toFixed(3)}`,
  ...(se > 0 ? [] : [method]),
];

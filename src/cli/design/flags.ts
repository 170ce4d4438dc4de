/** Flags of `gosset design`: one command for each scenario with raters, made of its parameters. */
import type { CommandSpec } from "../command.ts";
import { type Flag, flag, SHARED_OUT } from "../flags.ts";
import { PILOT_FLAGS, scenarioFlag, specOf } from "../scenario-flags.ts";

interface Planned {
  readonly kinds: readonly string[];
  readonly price: string;
  /** The first one answers within seconds. */
  readonly examples: readonly string[];
}

const SCENARIOS: Readonly<Record<"likert" | "ordinal" | "head-to-head", Planned>> = {
  likert: {
    kinds: ["k-of-m", "lists"],
    price: "price of one rating of one text",
    examples: [
      "gosset design likert --effect 0.2 --setting card-low --power 0.8 --cost-item 1 --cost-rater 5 --cost-rating 0.2",
      "gosset design likert --effect 0.1 --setting card-high --budget 500 --cost-item 1 --cost-rater 5 --cost-rating 0.2 --replicates 500",
      "gosset design likert --effect 0.1 --pilot ratings.csv --power 0.8 --cost-rating 0.2 --cost-rater 5",
    ],
  },
  ordinal: {
    kinds: ["k-of-m", "lists"],
    price: "price of one rating of one text",
    examples: [
      "gosset design ordinal --effect 0.31 --setting howcroft-general --power 0.8 --cost-rating 0.2 --cost-rater 5 --design lists --per-rater 25",
    ],
  },
  "head-to-head": {
    kinds: ["k-of-m"],
    price: "price of one judgment of two texts",
    examples: [
      "gosset design head-to-head --win 0.6 --rater-sd 0.3 --item-sd 0.8 --budget 300 --cost-item 1 --cost-rater 5 --cost-rating 0.2",
      "gosset design head-to-head --win 0.6 --pilot votes.csv --power 0.8 --cost-rater 5 --cost-rating 0.2",
    ],
  },
};

const DETAILS = flag(
  "--details",
  "also every design by cost, the meaning of each parameter, the plot, and a sentence for a paper",
);

/** Found by the search, so that a range or nothing is given. */
const SEARCHED = new Set(["items", "raters", "ratings", "design", "listLength"]);

function flagsOf(scenario: keyof typeof SCENARIOS): Flag[] {
  const { kinds, price } = SCENARIOS[scenario];
  const spec = specOf(scenario);
  return [
    flag("--budget <money>", "budget: find the design with the most power"),
    flag("--power <share>", "target power instead: find the cheapest design"),
    flag("--cost-item <money>", "price of an item", { default: "0" }),
    flag("--cost-rater <money>", "price of recruiting or training a rater", { default: "0" }),
    flag("--cost-rating <money>", price, { default: "0" }),
    flag("--cost-judge-call <money>", "price of the model call for each rating", { default: "0" }),
    flag("--design <name>", "who rates what", { choices: kinds, default: "k-of-m" }),
    flag("--raters <least,most>", "how many raters are available: least,most (default: 5,200)"),
    flag("--ratings <least,most>", "ratings of each text to consider: least,most (default: 2,20)"),
    flag("--items <least,most>", "how many items to consider: least,most (default: 10,5000)"),
    ...spec.parameters.filter(({ name }) => !SEARCHED.has(name)).map(scenarioFlag),
    ...PILOT_FLAGS,
    DETAILS,
    flag("--replicates <n>", "simulated experiments that check a design (default: 200 or 1000, by scenario)"),
    ...SHARED_OUT,
  ];
}

const SEEDS_EXAMPLE =
  "gosset design seeds --delta 0.03 --seed-sd 0.01 --item-sd 0.3 --run-item-sd 0.2 --power 0.8 --cost-run 20 --cost-item 1";

const seeds: CommandSpec = {
  name: "seeds",
  summary: specOf("seeds").summary!,
  description:
    "How many training runs and items: the cheapest plan with the target power, or the most power for a budget.",
  flags: [
    flag("--budget <money>", "budget: find the plan with the most power"),
    flag("--power <share>", "target power instead: find the cheapest plan"),
    flag("--cost-run <money>", "price of one training run", { default: "0" }),
    flag("--cost-item <money>", "price of an item", { default: "0" }),
    flag("--cost-scoring <money>", "price of scoring one run on one item", { default: "0" }),
    flag("--seeds <least,most>", "runs of each procedure to consider: least,most (default: 2,30)"),
    flag("--items <least,most>", "how many items to consider: least,most (default: 10,100000)"),
    ...specOf("seeds")
      .parameters.filter(({ name }) => name !== "items" && name !== "seeds")
      .map(scenarioFlag),
    DETAILS,
    ...PILOT_FLAGS,
  ],
  examples: [SEEDS_EXAMPLE],
  load: async () => (await import("./run.ts")).runSeeds,
};

export const design: CommandSpec = {
  name: "design",
  question: "Is the evaluation big enough?",
  summary: "which human evaluation gives the most power for the money?",
  description:
    "How many items, raters and ratings: the design with the most power for a budget, or the cheapest one with the target power, and the power of cheaper designs.",
  commands: () => [
    ...(Object.keys(SCENARIOS) as (keyof typeof SCENARIOS)[]).map((scenario): CommandSpec => {
      const { title, summary = title } = specOf(scenario);
      return {
        name: scenario,
        summary,
        description: `${title}.`,
        flags: flagsOf(scenario),
        examples: SCENARIOS[scenario].examples,
        load: async () => {
          const { runDesign } = await import("./run.ts");
          return (context) => runDesign(context, scenario);
        },
      };
    }),
    seeds,
  ],
  examples: [...Object.values(SCENARIOS).flatMap(({ examples }) => examples), SEEDS_EXAMPLE],
};

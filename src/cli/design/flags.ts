/** Flags of `gosset design`: one subcommand per scenario. */
import { type Command, Option } from "commander";
import { wrapCommand } from "../command-lines.ts";
import { addReadOptions } from "../flags.ts";
import { LIKERT_FLAGS, ORDINAL_FLAGS, PREFERENCE_FLAGS } from "../power/scenario-flags-ratings.ts";

const SUMMARY = {
  likert: "ratings by several raters (linear mixed model)",
  ordinal: "ratings on a scale of few points (ordinal probit mixed model)",
  "head-to-head": "preferences by repeated raters (logistic mixed model)",
};

const FLAGS = { likert: LIKERT_FLAGS, ordinal: ORDINAL_FLAGS, "head-to-head": PREFERENCE_FLAGS };
const RATED = "price of one rating of one text";
const PRICE_OF = { likert: RATED, ordinal: RATED, "head-to-head": "price of one judgement of two texts" };
const KINDS = { likert: ["k-of-m", "lists"], ordinal: ["k-of-m", "lists"], "head-to-head": ["k-of-m"] };
const REPLICATES = { likert: "2000", ordinal: "200", "head-to-head": "1000" };

/** The first one answers within seconds. */
const EXAMPLES = {
  likert: [
    "gosset design likert --effect 0.2 --setting card-low --power 0.8 --cost-item 1 --cost-rater 5 --cost-rating 0.2",
    "gosset design likert --effect 0.1 --setting card-high --budget 500 --cost-item 1 --cost-rater 5 --cost-rating 0.2 --replicates 500",
    "gosset design likert --effect 0.1 --pilot ratings.csv --power 0.8 --cost-rating 0.2 --cost-rater 5",
  ],
  ordinal: [
    "gosset design ordinal --effect 0.31 --setting howcroft-general --power 0.8 --cost-rating 0.2 --cost-rater 5 --design lists --per-worker 25",
  ],
  "head-to-head": [
    "gosset design head-to-head --win 0.6 --worker-sd 0.3 --item-sd 0.8 --budget 300 --cost-item 1 --cost-rater 5 --cost-rating 0.2",
  ],
};

const examplesOf = (lines: readonly string[]): string => `\nExamples:\n${lines.map(wrapCommand).join("\n")}`;

export function addDesign(program: Command): void {
  const design = program
    .command("design")
    .summary("which human evaluation gives the most power for the money?")
    .description(
      "How many items, raters and ratings: the design with the most power for a budget,\nor the cheapest one with the wanted power, and what less money would buy.",
    );
  for (const scenario of ["likert", "ordinal", "head-to-head"] as const) {
    const command = design.command(scenario).summary(SUMMARY[scenario]).description(`${SUMMARY[scenario]}.`);
    command
      .option("--budget <money>", "what may be spent: gives the design with the most power")
      .option("--power <share>", "instead, wanted power: gives the cheapest design")
      .option("--cost-item <money>", "price of an item", "0")
      .option("--cost-rater <money>", "price of recruiting or training a rater", "0")
      .option("--cost-rating <money>", PRICE_OF[scenario], "0")
      .option("--cost-judge-call <money>", "price of the model call that each rating needs", "0")
      .addOption(new Option("--design <name>", "who rates what").choices(KINDS[scenario]).default("k-of-m"))
      .option("--raters <least,most>", "how many raters may be had", "5,200")
      .option("--ratings <least,most>", "ratings of each text that are considered", "2,20")
      .option("--items <least,most>", "how many items may be used", "10,5000")
      .option("--per-worker <n>", "most texts that one rater rates");
    for (const [flag, description] of FLAGS[scenario]) command.option(flag, description);
    if (scenario !== "head-to-head") addPilotFlags(command);
    command.option("--replicates <n>", "experiments by which the best design is checked", REPLICATES[scenario]);
    addReadOptions(command)
      .addHelpText("after", examplesOf(EXAMPLES[scenario]))
      .action(async (_, self: Command) => {
        await (await import("./run.ts")).designCommand(scenario, self.optsWithGlobals());
      });
  }
  design.addHelpText("after", examplesOf(Object.values(EXAMPLES).flat()));
}

/** Standard deviations from ratings that are already there. */
export function addPilotFlags(command: Command): Command {
  return command
    .option("--pilot <file>", "take the SDs (ordinal: and thresholds) from a fit to these ratings")
    .option("--columns <role=col,…>", "of the pilot, if the guess is wrong: score=,system=,rater=,item=")
    .option("--systems <a,b>", "of the pilot: the baseline, then the new system");
}

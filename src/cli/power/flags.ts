/** Flags of `gosset power`, `mde`, `size` and `curve`: one subcommand per scenario. */
import { type Command, Option } from "commander";
import { wrapCommand } from "../command-lines.ts";
import { addPilotFlags } from "../design/flags.ts";
import { addReadOptions, collect } from "../flags.ts";
import { addFromOutputs } from "./outputs-flags.ts";
import { SCENARIO_FLAGS, type ScenarioFlags } from "./scenario-flags.ts";

type Verb = "power" | "mde" | "size" | "curve";

const VERBS: Readonly<Record<Verb, { summary: string; description: string }>> = {
  power: {
    summary: "can this evaluation see the difference I care about?",
    description:
      "How probable is it that an evaluation of this size finds a true difference\nof this size, and how misleading would a significant result be?",
  },
  mde: {
    summary: "the smallest difference that an evaluation can see",
    description: "Minimum detectable effect: the smallest true difference that will be found with the wanted power.",
  },
  size: {
    summary: "how many items, pairs or judgements are needed",
    description: "The smallest size from which on the wanted power is held.",
  },
  curve: {
    summary: "power over a grid of sizes, differences or other parameters",
    description: "Power at every combination of the values given with --over.",
  },
};

export function addPower(program: Command): void {
  for (const verb of Object.keys(VERBS) as Verb[]) {
    const { summary, description } = VERBS[verb];
    const parent = program
      .command(verb)
      .summary(summary)
      .description(description)
      .argument("[scenario]")
      .allowUnknownOption()
      .allowExcessArguments()
      .action(async (scenario: string | undefined, _, self: Command) => {
        if (scenario === undefined) self.outputHelp();
        else (await import("../../index.ts")).findScenario(scenario);
      });
    for (const scenario of SCENARIO_FLAGS) addScenario(parent, verb, scenario);
    addModule(parent, verb);
    if (verb === "power") {
      addHelpers(parent);
      addFromOutputs(parent);
    }
    parent.addHelpText("after", overviewExamples(verb));
  }
}

function overviewExamples(verb: Verb): string {
  const index = (Object.keys(VERBS) as Verb[]).indexOf(verb);
  const lines = SCENARIO_FLAGS.map(({ name, examples }) => wrapCommand(`gosset ${verb} ${name} ${examples[index]}`));
  return `\nExamples:\n${lines.join("\n")}`;
}

function addScenario(parent: Command, verb: Verb, scenario: ScenarioFlags): void {
  const { name, summary, flags, effect, size, examples } = scenario;
  const command = parent.command(name).summary(summary).description(`${VERBS[verb].description}\nHere: ${summary}.`);
  // with raters, `size` finds either, so that each of them may be given
  const solved = verb === "mde" ? effect : verb === "size" && !scenario.raters ? size : undefined;
  for (const [flag, description] of flags) {
    const option = new Option(flag, description);
    // what is looked for is not offered; given all the same, it is refused with a reason
    const sought = option.attributeName() === solved || (solved === "effect" && option.attributeName() === "beta");
    command.addOption(sought ? option.hideHelp() : option);
  }
  if (scenario.raters) explainWorkers(command);
  if (scenario.raters && verb === "size") {
    command.option("--for <what>", "what to find: items (default), raters being given, or raters, items being given");
  }
  if (scenario.pilot) addReadOptions(addPilotFlags(command));
  addVerbFlags(command, verb);
  const example = examples[(Object.keys(VERBS) as Verb[]).indexOf(verb)];
  command
    .addHelpText("after", `\nExample:\n${wrapCommand(`gosset ${verb} ${name} ${example}`)}`)
    .action(async (_, self: Command) => {
      await (await import("./run.ts")).powerCommand(verb, name, self.optsWithGlobals());
    });
}

/** Papers call raters workers, and so does `--workers` here unless --raters is there. */
function explainWorkers(command: Command): void {
  const inherited = command.configureHelp();
  command.configureHelp({
    ...inherited,
    optionDescription: (option) =>
      option.long === "--workers"
        ? "with --raters: threads for simulations (the digits do not depend on it); without: the same as --raters"
        : inherited.optionDescription!(option),
  });
}

function addModule(parent: Command, verb: Verb): void {
  const command = parent
    .command("module")
    .summary("a scenario of your own, from a JavaScript module")
    .description("A scenario of your own: the default export of a module; see docs/methods/power.md.")
    .argument("<file>", "the module: ./scenario.mjs")
    .option("--set <name=value>", "a parameter of the scenario (repeat for more)", collect, []);
  addVerbFlags(command, verb);
  command.action(async (file, _, self: Command) => {
    await (await import("./run.ts")).moduleCommand(verb, file, self.optsWithGlobals());
  });
}

function addVerbFlags(command: Command, verb: Verb): void {
  if (verb === "mde" || verb === "size") {
    command
      .option("--power <share>", "wanted power", "0.8")
      .option(
        "--relative-precision <x>",
        "simulation: wanted standard error of the answer, relative to it (default: 0.02)",
      );
  }
  if (verb === "curve") {
    command.option(
      "--over <name=values>",
      "vary a parameter: n=100:1000:100 or delta=0.01,0.02 (repeat for a grid)",
      collect,
      [],
    );
  }
  addSimulationFlags(command, verb);
}

function addSimulationFlags(command: Command, verb: Verb): void {
  command
    .addOption(
      new Option("--method <name>", "default: exact where there is an exact answer").choices([
        "exact",
        "approx",
        "simulation",
      ]),
    )
    .option("--replicates <n>", "simulation: experiments to draw (default: 10000; fewer where each takes a fit)");
  if (verb === "power" || verb === "curve") {
    command.option("--precision <se>", "simulation: draw until the standard error of the power is this small");
  }
  if (verb === "power") {
    command.option("--checkpoint <file>", "simulation: keep what is drawn in this file, and go on from it");
  }
}

function addHelpers(power: Command): void {
  addReadOptions(
    power
      .command("from-dev")
      .summary("take the parameters from two systems' development results")
      .description("Difference and agreement of two systems on development items, and the commands to plan with them.")
      .argument(
        "<files...>",
        "evaluation logs or tables of the baseline and the new system; one file with both will do",
      ),
  )
    .option("--n <items>", "items of the test set to come: gives its power")
    .option("--metric <name>", "the score column")
    .option("--gold <col>", "column with the right labels (with --pred)")
    .option("--pred <cols>", "column with the predicted labels, or one for each system: a,b")
    .option("--systems <a,b>", "which systems, the baseline first (default: the first in the files)")
    .option("--system <col>", "column that names the systems, if the guess is wrong")
    .option("--item <col>", "column that identifies an item")
    .option("--rater <col>", "column that names the raters; none: they do not matter")
    .option("--cluster <col>", "column of items that hang together; none: they do not")
    .option("--test <name>", "the test that will be run")
    .option("--alpha <x>", "error rate of the test", "0.05")
    .option("--where <condition>", "keep the rows for which it holds", collect, [])
    .option("--mutate <name=expr>", "add a column", collect, [])
    .option("--post-hoc", "give the power of these very items, which says what their p value says")
    .action(async (files, _, self: Command) => {
      await (await import("./dev.ts")).fromDevCommand(files, self.optsWithGlobals());
    });
  addReadOptions(
    power
      .command("from-history")
      .summary("take the parameters from a table of earlier comparisons")
      .description("Regressions of the difference on baseline (and task), and of agreement on accuracy and difference.")
      .argument("<table>", "one row per comparison: accuracy of the baseline, of the new system, agreement, task"),
  )
    .requiredOption("--baseline <col>", "column with the accuracy of the baseline")
    .requiredOption("--new <col>", "column with the accuracy of the new system")
    .option("--agreement <col>", "column with the share of items on which both agree")
    .option("--task <col>", "column with the task")
    .requiredOption("--at <accuracy>", "the baseline to be beaten next")
    .option("--for <task>", "its task")
    .option("--n <items>", "items of the test set: gives its power")
    .option("--overlap <which>", "without --agreement: glue (default), squad, or a,b,c")
    .option("--test <name>", "the test that will be run")
    .option("--alpha <x>", "error rate of the test", "0.05")
    .option("--where <condition>", "keep the rows for which it holds", collect, [])
    .action(async (table, _, self: Command) => {
      await (await import("./answers.ts")).fromHistoryCommand(table, self.optsWithGlobals());
    });
  power
    .command("no-prior")
    .summary("nothing is known about agreement: lower, middle and upper bound")
    .description(
      "What a test set of this size can see when nothing is known about how often the systems agree (Lachenbruch).",
    )
    .requiredOption("--n <items>", "items that both systems answer")
    .requiredOption("--baseline <accuracy>", "accuracy of the baseline")
    .option("--delta <x>", "a difference: gives its power and the size it needs")
    .option("--power <share>", "wanted power", "0.8")
    .option("--test <name>", "the test that will be run (default: mcnemar-exact)")
    .option("--alpha <x>", "error rate of the test", "0.05")
    .action(async (_, self: Command) => {
      await (await import("./answers.ts")).noPriorCommand(self.optsWithGlobals());
    });
}

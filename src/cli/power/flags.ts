/** Flags of `gosset power`, `mde`, `size` and `curve`: one command for each scenario, made of its parameters. */
import { SCENARIO_SPECS, type ScenarioSpec } from "../../scenarios.ts";
import type { CommandSpec } from "../command.ts";
import { ALPHA, DATA_FLAGS, type Flag, flag, JOURNAL, nameOf, SHARED_OUT } from "../flags.ts";
import { flagOf } from "../option-names.ts";
import { hasPilot, otherSizeOf, PILOT_FLAGS, scenarioFlag } from "../scenario-flags.ts";
import { EXAMPLES } from "./examples.ts";

type Verb = "power" | "mde" | "size" | "curve";
const VERBS = ["power", "mde", "size", "curve"] as const;

const WORDS: Readonly<Record<Verb, { readonly summary: string; readonly description: string }>> = {
  power: {
    summary: "can this evaluation detect the difference I care about?",
    description:
      "Power of an evaluation of this size for a true difference of this size, and the sign and exaggeration errors of its significant results.",
  },
  mde: {
    summary: "the smallest difference that an evaluation can detect",
    description: "Minimum detectable effect: the smallest true difference with the target power.",
  },
  size: {
    summary: "how many items, pairs or judgments are needed",
    description: "The smallest sample size from which on the target power is reached.",
  },
  curve: {
    summary: "power over a grid of sizes, differences or other parameters",
    description: "Power at every combination of the values given with --over.",
  },
};

const WANTED_POWER = flag("--power <share>", "target power", { default: "0.8" });
const SOLVING: readonly Flag[] = [
  WANTED_POWER,
  flag("--relative-precision <x>", "simulation: target relative standard error of the answer (default: 0.02)"),
];
const OVER = flag("--over <name=values>", "vary a parameter: n=100:1000:100 or delta=0.01,0.02 (repeat for a grid)", {
  many: true,
});
const SIMULATION: readonly Flag[] = [
  flag("--method <name>", "default: exact where an exact answer exists", {
    choices: ["exact", "approx", "simulation"],
  }),
  flag("--replicates <n>", "simulation: number of experiments (default: 10000; fewer where each needs a model fit)"),
];
const PRECISION = flag("--precision <se>", "simulation: continue until the standard error of the power is this small");
const CREDIBILITY: readonly Flag[] = [
  flag(
    "--prior <share>",
    "proportion of tried ideas that are true gains: adds the positive predictive value of a significant result",
  ),
  flag("--bias <share>", "with --prior: proportion of null results that are reported as findings"),
  flag("--teams <n>", "with --prior: teams that try the same idea"),
];

const DETAILS = flag("--details", "also what each parameter means, and every note");

const VERB_FLAGS: Readonly<Record<Verb, readonly Flag[]>> = {
  power: [DETAILS, ...SIMULATION, PRECISION, ...SHARED_OUT, ...CREDIBILITY],
  mde: [DETAILS, ...SOLVING, ...SIMULATION, ...SHARED_OUT],
  size: [DETAILS, ...SOLVING, ...SIMULATION, ...SHARED_OUT],
  curve: [OVER, ...SIMULATION, PRECISION, ...SHARED_OUT],
};

const forFlag = (other: string): Flag =>
  flag("--for <what>", `what to solve for: items (default), ${other} being given, or ${other}, items being given`);

/** What is looked for is not offered; given all the same, it is refused with a reason. */
function soughtBy(verb: Verb, spec: ScenarioSpec): readonly string[] {
  // half of an effect is an effect; with raters or seeds, `size` finds either, so that each of them may be given
  if (verb === "mde") return [flagOf(spec.effect), ...(spec.effect === "effect" ? ["--beta"] : [])];
  return verb === "size" && otherSizeOf(spec) === undefined ? [flagOf(spec.size)] : [];
}

function scenarioCommand(verb: Verb, spec: ScenarioSpec): CommandSpec {
  const { name, title, summary = title } = spec;
  const sought = soughtBy(verb, spec);
  const other = otherSizeOf(spec);
  const own = spec.parameters.map((parameter): Flag => {
    const made = scenarioFlag(parameter);
    const { help } = made;
    const said = parameter.name === "raters" ? `${help}; auto: as many as --ratings and --per-rater take` : help;
    return { ...made, help: said, hidden: sought.includes(nameOf(made)) };
  });
  return {
    name,
    summary,
    description: `${WORDS[verb].description}\nHere: ${summary}.`,
    flags: [
      ...own,
      ...(verb === "size" && other !== undefined ? [forFlag(other)] : []),
      ...(hasPilot(spec) ? PILOT_FLAGS : []),
      ...VERB_FLAGS[verb],
    ],
    examples: [exampleOf(verb, name)],
    load: async () => {
      const { runScenario } = await import("./run.ts");
      return (context) => runScenario(context, verb, name);
    },
  };
}

const exampleOf = (verb: Verb, scenario: string): string =>
  `gosset ${verb} ${scenario} ${EXAMPLES[scenario]![VERBS.indexOf(verb)]}`;

const moduleCommand = (verb: Verb): CommandSpec => ({
  name: "module",
  summary: "a scenario of your own, from a JavaScript module",
  description: "A scenario of your own: the default export of a module; see docs/methods/power.md.",
  words: [["<file>", "the module: ./scenario.mjs"]],
  flags: [
    flag("--set <name=value>", "a parameter of the scenario (repeat for more)", { many: true }),
    flag("--timeout <seconds>", "for one replicate, and for each call of the module's functions", { default: "60" }),
    ...VERB_FLAGS[verb],
  ],
  load: async () => {
    const { runModule } = await import("./run.ts");
    return (context, file) => runModule(context, verb, file);
  },
});

const TEST = flag("--test <name>", "the planned test");

const fromDev: CommandSpec = {
  name: "from-dev",
  summary: "take the parameters from two systems' development results",
  description: "Difference and agreement of two systems on development items, and the commands to plan with them.",
  words: [["<files...>", "evaluation logs or tables of the baseline and the new system; or one file with both"]],
  flags: [
    flag("--n <items>", "size of the future test set: gives its power"),
    flag(
      "--metric <name>",
      "the score column, or pass@5, pass^3, maj@5 of repeated attempts; macro-f1, micro-f1 or mcc with --gold, --pred a,b and --n",
    ),
    flag("--gold <col>", "column of the gold labels (with --pred)"),
    flag("--pred <cols>", "column with the predicted labels, or one for each system: a,b"),
    flag("--systems <a,b>", "which systems, the baseline first (default: the first in the files)"),
    flag("--system <col>", "column of the systems, if not recognized"),
    flag("--item <cols>", "column that identifies an item; several if together: doc,nr"),
    flag("--rater <col>", "column of the raters; none: ignore raters"),
    flag(
      "--cluster <col>",
      "column of clusters (items of one document, topic … are correlated); none: independent items",
    ),
    TEST,
    ALPHA,
    flag(
      "--prior <what>",
      "shrink difference and agreement towards a prior: no-prior, a file of earlier comparisons, or delta=0.01/0.01,agreement=0.9/0.03 (value/SD)",
    ),
    flag("--prior-columns <a=b,…>", "of that file: baseline=old,new=ours,agreement=agree,task=task"),
    flag("--prior-for <task>", "of that file: the task of these results"),
    flag("--replicates <n>", "with --metric macro-f1, micro-f1 or mcc: simulated experiments (default: 10000)"),
    flag("--precision <se>", "the same: until the standard error of the power is this small"),
    flag("--post-hoc", "post-hoc power of these very items, which restates their p value"),
    ...DATA_FLAGS,
  ],
  load: async () => (await import("./dev.ts")).run,
};

const fromHistory: CommandSpec = {
  name: "from-history",
  summary: "take the parameters from a table of earlier comparisons",
  description: "Regressions of the difference on baseline (and task), and of agreement on accuracy and difference.",
  words: [["<table>", "one row per comparison: accuracy of the baseline, of the new system, agreement, task"]],
  flags: [
    flag("--baseline <col>", "column with the accuracy of the baseline", { required: true }),
    flag("--new <col>", "column with the accuracy of the new system", { required: true }),
    flag("--agreement <col>", "column of the proportion of items on which both agree"),
    flag("--task <col>", "column with the task"),
    flag("--at <accuracy>", "accuracy of the baseline to beat", { required: true }),
    flag("--for <task>", "its task"),
    flag("--n <items>", "items of the test set: gives its power"),
    flag("--overlap <which>", "without --agreement: glue (default), squad, or a,b,c"),
    TEST,
    ALPHA,
    ...DATA_FLAGS,
  ],
  load: async () => (await import("./answers.ts")).runHistory,
};

const noPrior: CommandSpec = {
  name: "no-prior",
  summary: "unknown agreement: lower, middle and upper bound",
  description: "Minimum detectable effect of a test set when the agreement of the systems is unknown (Lachenbruch).",
  flags: [
    flag("--n <items>", "items that both systems answer", { required: true }),
    flag("--baseline <accuracy>", "accuracy of the baseline", { required: true }),
    flag("--delta <x>", "a difference: gives its power and the sample size for it"),
    WANTED_POWER,
    flag("--test <name>", "the planned test (default: mcnemar-midp)"),
    ALPHA,
  ],
  load: async () => (await import("./answers.ts")).runNoPrior,
};

const fromOutputs: CommandSpec = {
  name: "from-outputs",
  summary: "take the parameters of a corpus score from two systems' texts",
  description:
    "How swaps of single sentences change BLEU, chrF or TER, and the power of similar test sets: by that model, and by resampling the real sentences.",
  words: [
    ["<baseline>", "texts of the baseline, one a line"],
    ["<system>", "texts of the new system"],
  ],
  flags: [
    flag("--ref <file>", "reference, one a line (repeat for more)", { many: true }),
    flag("--metric <name>", "bleu, chrf, chrf++, ter, wer or cer", { default: "bleu" }),
    flag("--n <sizes>", "sizes of the future test sets: 1000,2000,3000 (default: that of the files)"),
    flag("--replicates <n>", "test sets drawn again", { default: "500" }),
    ALPHA,
    flag("--encoding <name>", "of the files: utf-8 (default), windows-1252, utf-16le …"),
    JOURNAL,
  ],
  examples: ["gosset power from-outputs base.txt ours.txt --ref ref.txt --n 1000,2000,3000"],
  load: async () => (await import("./outputs.ts")).run,
};

const verbCommand = (verb: Verb, more: readonly CommandSpec[] = []): CommandSpec => ({
  name: verb,
  question: "Is the evaluation big enough?",
  ...WORDS[verb],
  noun: "scenario",
  commands: () => [...SCENARIO_SPECS.map((spec) => scenarioCommand(verb, spec)), moduleCommand(verb), ...more],
  examples: SCENARIO_SPECS.map(({ name }) => exampleOf(verb, name)),
});

export const power = verbCommand("power", [fromDev, fromHistory, noPrior, fromOutputs]);
export const mde = verbCommand("mde");
export const size = verbCommand("size");
export const curve = verbCommand("curve");

/** The `gosset` program as data: its commands in the order of the questions they answer. Nothing of the library is loaded. */
import { Command, Help } from "commander";
import { agreement } from "./agreement/flags.ts";
import { anova } from "./anova/flags.ts";
import { budget } from "./budget/flags.ts";
import { bundle, verify } from "./bundle/flags.ts";
import { addCommand, type CommandSpec, HELP, makeOptions, nameCommand } from "./command.ts";
import { compare } from "./compare/flags.ts";
import { describe } from "./describe/flags.ts";
import { design } from "./design/flags.ts";
import { emmeans } from "./emmeans/flags.ts";
import { fit } from "./fit/flags.ts";
import { GLOBAL_FLAGS } from "./flags.ts";
import { gate } from "./gate/flags.ts";
import { HELP_FOOTER, VERSION } from "./help.ts";
import { importance } from "./importance/flags.ts";
import { judge } from "./judge/flags.ts";
import { next } from "./next/flags.ts";
import { plan } from "./plan/flags.ts";
import { plot } from "./plot/flags.ts";
import { curve, mde, power, size } from "./power/flags.ts";
import { rank } from "./rank/flags.ts";
import { reliability } from "./reliability/flags.ts";
import { replicate } from "./replicate/flags.ts";
import { cite, paper, report } from "./report/flags.ts";
import { runs } from "./runs/flags.ts";
import { schema } from "./schema/flags.ts";
import { score } from "./score/flags.ts";
import { serve } from "./serve/flags.ts";
import { show } from "./show/flags.ts";
import { survey } from "./survey/flags.ts";
import { test } from "./test/flags.ts";
import { validity } from "./validity/flags.ts";
import { worker } from "./worker/flags.ts";

const COMMANDS: readonly CommandSpec[] = [
  ...[describe, score, serve],
  ...[compare, rank, next, gate, test, fit, anova, emmeans],
  ...[power, mde, size, curve, design, plan, survey, worker, runs],
  ...[agreement, reliability, importance, budget],
  ...[validity, judge, replicate, bundle, verify, show, plot, report, paper, cite, schema],
];

/** With the command that the line begins with alone, where it begins with one, and with all by name for one flag alone (--help, --version):
 *  making all of them takes a tenth of the time in which a small file is answered. */
export function makeProgram(words: readonly string[] = []): Command {
  HELP.all = words.includes("--help-all");
  const called = COMMANDS.filter(({ name }) => name === words[0]);
  const program = new Command("gosset")
    .description("Can your evaluation results be trusted? Power, significance, reliability, validity.")
    .version(VERSION, "-V, --version", "print the version")
    .showSuggestionAfterError(true)
    .showHelpAfterError(false)
    .configureHelp({
      showGlobalOptions: false,
      subcommandTerm: (command) => command.name(),
      // a list that is empty unless given needs no mention
      optionDescription: (option) => new Help().optionDescription(option).replace(" (default: [])", ""),
      helpWidth: Math.min(process.stdout.columns || 80, 80),
    })
    .configureOutput({ writeErr: () => {} })
    .exitOverride()
    .addHelpText("after", HELP_FOOTER);
  for (const option of makeOptions(GLOBAL_FLAGS)) program.addOption(option);
  const add = words.length === 1 && words[0]!.startsWith("-") ? nameCommand : addCommand;
  for (const command of called.length > 0 ? called : COMMANDS) add(program, command);
  return program;
}

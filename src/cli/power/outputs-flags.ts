/** Flags of `gosset power from-outputs`. */
import type { Command } from "commander";
import { wrapCommand } from "../command-lines.ts";
import { collect } from "../flags.ts";

export function addFromOutputs(power: Command): void {
  power
    .command("from-outputs")
    .summary("take the parameters of a corpus score from two systems' texts")
    .description(
      "How swaps of single sentences change BLEU, chrF or TER, and the power of test sets like\nthis one: by that model, and by drawing the real sentences again.",
    )
    .argument("<baseline>", "texts of the baseline, one a line")
    .argument("<system>", "texts of the new system")
    .requiredOption("--ref <file>", "reference, one a line (repeat for more)", collect, [])
    .option("--metric <name>", "bleu, chrf, chrf++ or ter", "bleu")
    .option("--n <sizes>", "sizes of the test sets to come: 1000,2000,3000 (default: that of the files)")
    .option("--replicates <n>", "test sets drawn again", "500")
    .option("--alpha <x>", "error rate of the test", "0.05")
    .option("--encoding <name>", "of the files: utf-8 (default), windows-1252, utf-16le …")
    .addHelpText(
      "after",
      `\nExample:\n${wrapCommand("gosset power from-outputs base.txt ours.txt --ref ref.txt --n 1000,2000,3000")}`,
    )
    .action(async (baseline, system, _, self: Command) => {
      const { fromOutputsCommand } = await import("./outputs.ts");
      await fromOutputsCommand([baseline, system], self.optsWithGlobals());
    });
}

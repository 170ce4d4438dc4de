/** Flags of `gosset score`. */
import { type Command, Option } from "commander";
import { addReadOptions, collect } from "../flags.ts";

export function addScore(program: Command): void {
  const score = program
    .command("score")
    .summary("score systems: BLEU, chrF, TER, accuracy, F1, MCC, exact match, …")
    .description(
      "Scores of systems from their outputs or item results. Text metrics give the\n" + "digits of sacreBLEU 2.6.",
    )
    .argument("<files...>", "text, one segment a line (with --ref), or results: CSV, JSONL, Parquet, evaluation logs")
    .option("--ref <file>", "references, one a line; repeat for several references", collect, [])
    .option("--metric <name>", "bleu, chrf, chrf++, ter, accuracy, exact-match, f1, mcc, … or a score column")
    .option("--sentence", "print the score of every segment or item")
    .option("--tokenize <name>", "BLEU: 13a (default), intl, zh, char or none")
    .option("--smooth-method <name>", "BLEU: exp (default), floor, add-k or none")
    .option("--smooth-value <number>", "BLEU: of floor (default 0.1) or add-k (default 1)")
    .option("--max-order <n>", "BLEU: longest n-grams (default 4)")
    .option("--effective-order", "BLEU: leave out orders that a text is too short for")
    .option("--force", "BLEU: the text is not tokenised, even if it looks so")
    .option("--lowercase", "BLEU, chrF: ignore case")
    .option("--char-order <n>", "chrF: longest character n-grams (default 6)")
    .option("--word-order <n>", "chrF: longest word n-grams (default 0; chrF++: 2)")
    .option("--beta <number>", "chrF: weight of recall (default 2)")
    .option("--whitespace", "chrF: white space counts")
    .option("--eps-smoothing", "chrF: average F over all orders, as chrF++.py does")
    .option("--normalized", "TER: separate punctuation first")
    .option("--no-punct", "TER: without punctuation")
    .option("--asian-support", "TER: ideographs and Asian punctuation, with the two flags above")
    .option("--case-sensitive", "TER: case matters")
    .option("--gold <col>", "column of the right labels or answers")
    .option("--pred <col>", "column of the predicted ones")
    .option("--positive <label>", "precision, recall, F1: the label that counts")
    .addOption(new Option("--average <how>", "precision, recall, F1").choices(["binary", "micro", "macro"]))
    .option("--ignore <list>", "exact-match: squad, or some of case,punctuation,articles,spaces")
    .option("--score <col>", "column of item scores")
    .option("--system <col>", "column that names the systems")
    .option("--item <col>", "column that names the items")
    .option("--where <condition>", "keep the rows for which it holds: \"split == 'test'\"", collect, [])
    .option("--lower-is-better", "of a score column, where its name does not tell")
    .option("--higher-is-better", "likewise")
    .option("--confidence <level>", "confidence level of the intervals", "0.95");
  addReadOptions(score)
    .addHelpText(
      "after",
      `
Examples:
  $ gosset score system.txt --ref reference.txt --metric bleu
  $ gosset score a.txt b.txt c.txt.gz --ref ref1.txt --ref ref2.txt --metric ter
  $ gosset score predictions.csv --metric f1 --gold label --pred predicted \\
      --positive spam
  $ gosset score samples.jsonl
  $ gosset score system.txt --ref reference.txt --sentence --format csv`,
    )
    .action(async (files, _, command) => {
      await (await import("./run.ts")).scoreCommand(files, command.optsWithGlobals());
    });
}

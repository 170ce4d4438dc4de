/** Texts that --help needs before the library is loaded. */
export const VERSION = "0.1.0";

export const HELP_FOOTER = `
What is in this file, and what can it tell me?
  $ assay describe results.csv
Does the score differ between systems, whatever the length?
  $ assay fit lm "score ~ system + length" results.csv --cluster item
… with items and raters as random effects?
  $ assay fit lmm "score ~ system + (1 | item) + (1 | rater)" ratings.csv
Which systems differ, after adjustment for all pairs?
  $ assay emmeans "score ~ system + (1 | item)" ratings.csv --by system
The same for right and wrong answers
  $ assay fit glm "correct ~ system" items.jsonl --family binomial
Does the larger model explain more?
  $ assay anova "score ~ length" "score ~ length + system" results.csv

Answers go to stdout, progress and warnings to stderr. Exit code 0: done,
1: a computation failed, 2: bad input or usage. Nothing leaves this machine.`;

/** "npx assay" where npx started the program, so that commands can be pasted as they are printed. */
export function programName(): string {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script } = process.env;
  return event === "npx" && /^["']?assay\b/.test(script ?? "") ? "npx assay" : "assay";
}

/** Texts that --help needs before the library is loaded. */
export const VERSION = "0.1.0";

export const HELP_FOOTER = `
Questions and the commands that answer them:
  What is in this file, and what can it tell me?     assay describe results.csv
  Does the score differ between systems, given …?    assay fit lm "score ~ system + length" results.csv --cluster item
  … for right/wrong items?                           assay fit glm "correct ~ system" items.jsonl --family binomial
  Does the larger model explain more?                assay anova "score ~ 1" "score ~ system" results.csv

Answers go to stdout, progress and warnings to stderr. Exit code 0: done; 1: a computation failed; 2: bad input or usage.
Nothing leaves this machine.`;

/** Texts that --help needs before the library is loaded. */
export const VERSION = "0.1.0";

export const HELP_FOOTER = `
What is in this file, and which questions can it answer?
  $ gosset describe results.csv
Is the difference between two systems significant?
  $ gosset compare baseline.eval candidate.eval
Can 500 items detect a difference of two points?
  $ gosset power accuracy --n 500 --delta 0.02 --agreement 0.9
Do the raters agree?
  $ gosset agreement ratings.csv --item item --rater rater --label score
Is the label defined by a feature?
  $ gosset validity circularity data.csv --label target
A model with items and raters as random effects
  $ gosset fit lmm "score ~ system + (1 | item) + (system | rater)" ratings.csv

Answers go to stdout, progress to stderr. Warnings about the data are part of
the answer; with --json, --paper and CSV they also go to stderr. Exit codes: 0
done or pass, 1 a check fails, 2 bad input or usage, 3 a gate is inconclusive,
70 no answer (no convergence, a bug). Only --on sends data to other machines.`;

/** With npx where npx started the program, so that commands can be pasted as they are printed; outside of the checkout npx would otherwise
 *  fetch whatever package has the name. */
export function programName(): string {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script } = process.env;
  return event === "npx" && /^["']?gosset\b/.test(script ?? "") ? "npx --no-install gosset" : "gosset";
}

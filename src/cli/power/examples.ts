/** Further words after each scenario, in the order power, mde, size, curve. */
type Examples = readonly [power: string, mde: string, size: string, curve: string];

export const EXAMPLES: Readonly<Record<string, Examples>> = {
  correlation: ["--n 100 --rho 0.3", "--n 100", "--rho 0.3", "--over n=50,100,200 --rho 0.3"],
  anova: [
    "--n 30 --groups 4 --f 0.25",
    "--n 30 --groups 4",
    "--groups 4 --f 0.25",
    "--over n=20:60:20 --groups 4 --f 0.25",
  ],
  "chi-square": ["--n 200 --w 0.2 --df 2", "--n 200 --df 2", "--w 0.2 --df 2", "--over n=100,200,400 --w 0.2 --df 2"],
  "cohens-h": ["--n 100 --h 0.3", "--n 100", "--h 0.3", "--over n=50,100,200 --h 0.3"],
  "non-inferiority": [
    "--n 500 --margin 0.02 --design paired-accuracy --discordance 0.1",
    "--n 500 --design paired-accuracy --discordance 0.1",
    "--margin 0.02 --design paired-accuracy --discordance 0.1",
    "--over n=500:2000:500 --margin 0.02 --design paired-accuracy --discordance 0.1",
  ],
  seeds: [
    "--items 1000 --seeds 5 --delta 0.01 --seed-sd 0.005 --item-sd 0.3 --run-item-sd 0.2",
    "--items 1000 --seeds 5 --seed-sd 0.005 --item-sd 0.3 --run-item-sd 0.2",
    "--seeds 10 --delta 0.02 --seed-sd 0.005 --item-sd 0.3 --run-item-sd 0.2",
    "--over seeds=3,5,10 --over items=500,2000 --delta 0.02 --seed-sd 0.005 --item-sd 0.3 --run-item-sd 0.2",
  ],
  accuracy: [
    "--n 500 --delta 0.02 --agreement 0.9",
    "--n 1821 --baseline 0.972",
    "--delta 0.02 --agreement 0.9",
    "--over n=500:4000:500 --over delta=0.01,0.02 --agreement 0.9",
  ],
  unpaired: [
    "--n 500 --baseline 0.8 --delta 0.05",
    "--n 500 --baseline 0.8",
    "--baseline 0.8 --delta 0.05",
    "--over n=200:1000:200 --baseline 0.8 --delta 0.05",
  ],
  preference: ["--n 100 --win 0.65", "--n 100 --tie 0.2", "--win 0.55 --tie 0.2", "--over n=25,50,100,200 --win 0.65"],
  means: [
    "--n 200 --delta 0.1 --sd 0.6",
    "--n 200 --sd 0.6 --cluster-size 5 --icc 0.1",
    "--delta 0.3 --design two-sample",
    "--over n=50:400:50 --delta 0.2 --sd 1",
  ],
  bleu: [
    "--n 2000 --delta 1",
    "--n 2000 --method approx",
    "--delta 1 --method approx",
    "--over n=500:3000:500 --delta 1 --method approx",
  ],
  f1: [
    "--n 2000 --positive 0.2 --positive-table 0.75,0.05,0.1,0.1 --negative-table 0.03,0.02,0.02,0.93",
    "--n 2000 --positive 0.2 --recall 0.8 --fpr 0.05 --positive-disagreement 0.15 --negative-disagreement 0.04",
    "--positive 0.2 --recall 0.8 --fpr 0.05 --recall-gain 0.05 --positive-disagreement 0.15 --negative-disagreement 0.04",
    "--over n=1000,2000,4000 --positive 0.2 --positive-table 0.75,0.05,0.1,0.1 --negative-table 0.03,0.02,0.02,0.93",
  ],
  likert: [
    "--items 100 --raters 3 --effect 0.2 --setting card-high",
    "--items 100 --raters 10 --setting card-high --method approx",
    "--raters 60 --effect 0.2 --setting card-high --method approx",
    "--over raters=3,5,10,20 --items 100 --effect 0.2 --setting card-high --method approx",
  ],
  ordinal: [
    "--items 50 --ratings 3 --per-rater 20 --effect 0.31 --setting howcroft-general --replicates 200",
    "--items 50 --ratings 3 --per-rater 20 --setting howcroft-general --method approx",
    "--ratings 3 --per-rater 20 --effect 0.31 --setting howcroft-general --method approx",
    "--over ratings=3,10 --items 50 --per-rater 20 --effect 0.31 --setting howcroft-general --method approx",
  ],
  "head-to-head": [
    "--items 50 --raters 5 --win 0.6 --rater-sd 0.3 --item-sd 0.8",
    "--items 50 --raters 5 --rater-sd 0.3 --item-sd 0.8 --method approx",
    "--raters 5 --win 0.6 --rater-sd 0.3 --item-sd 0.8 --method approx",
    "--over items=25,50,100 --raters 5 --win 0.6 --rater-sd 0.3 --item-sd 0.8 --method approx",
  ],
};

/** No option is accepted and ignored, beside `compare` (cli-options.test.ts): one call of each kind of command, every option of it with a value
 *  that must change the answer or be refused. A new option fails here until it has a value, and until that does something.
 *  scripts/option-matrix.mjs tries all commands, which takes minutes. Flags on reading are those of `compare` and tried there. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { READ_FLAGS } from "../src/cli/flags.ts";
import { makeProgram } from "../src/cli/program.ts";
import { gosset } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("others");
const SUMMARIES = "examples/data/summaries.csv";
const rows = Array.from({ length: 60 }, (_, i) => {
  const noise = (i * 37) % 17;
  return `${i % 2 ? "A" : "B"},i${i % 15},r${i % 4},d${i % 5},${1 + (noise % 5)},${20 + ((i * 13) % 31)},${i % 3 ? "yes" : "no"},${(i * 11) % 7}`;
});
const data = join(folder, "rows.csv");
writeFileSync(data, `system,item,rater,doc,y,words,flag,extra\n${rows.join("\n")}\n`);
const words = (text: string): string[] => text.split(" ");

/** Values that change an answer where the option has something to do. */
const VALUES: Readonly<Record<string, string>> = {
  "--n": "77",
  "--n2": "60",
  "--delta": "0.02",
  "--odds-ratio": "2",
  "--agreement": "0.95",
  "--discordant": "0.2",
  "--baseline": "0.95",
  "--overlap": "squad",
  "--alpha": "0.2",
  "--method": "simulation",
  "--replicates": "60",
  "--precision": "0.05",
  "--relative-precision": "0.1",
  "--journal": join(folder, "journal"),
  "--shard": "0/2",
  "--on": "slurm",
  "--shards": "2",
  "--max-time": "1h",
  "--print-job": "slurm",
  "--prior": "0.2",
  "--bias": "0.1",
  "--teams": "3",
  "--sd": "0.4",
  "--correlation": "0.3",
  "--design": "two-sample",
  "--test": "z",
  "--cluster-size": "4",
  "--icc": "0.2",
  "--shape": "laplace",
  "--power": "0.9",
  "--margin": "0.2",
  "--discordance": "0.3",
  "--over": "alpha=0.01,0.2",
  "--looks": "3",
  "--information": "0.5,1",
  "--sides": "1",
  "--spending": "pocock",
  "--drift": "3",
  "--look": "2",
  "--z": "2.9",
  "--cluster": "doc",
  "--robust": "HC3",
  "--predict": data,
  "--confidence": "0.5",
  "--levels": "system=B,A",
  "--factor": "words",
  "--ordered": "system=B,A",
  "--contrasts": "sum",
  "--weights": "words",
  "--offset": "extra",
  "--where": "words > 30",
  "--mutate": "y = y * 2",
  "--family": "poisson",
  "--link": "log",
  "--model": "clm",
  "--threshold": "symmetric",
  "--nagq": "3",
  "--raters": "y,words",
  "--counts": "no,such",
  "--stubs": "no",
  "--lists": "runs",
  "--certainty": "0.99",
  "--scale": "interval",
  "--weighting": "quadratic",
  "--categories": "1,2,3,4,5,6",
  "--by": "system",
};
const BARE = new Set(["--details", "--one-sided", "--partial", "--loo", "--reml"]);

interface Call {
  readonly words: readonly string[];
  readonly values?: Readonly<Record<string, string>>;
  /** What cannot be seen here, and why. */
  readonly unseen?: Readonly<Record<string, string>>;
}

const CALLS: Readonly<Record<string, Call>> = {
  "power accuracy": {
    words: words("power accuracy --n 500 --delta 0.03 --agreement 0.9"),
    values: { "--test": "mcnemar" },
  },
  "mde means": { words: words("mde means --n 60") },
  "size non-inferiority": { words: words("size non-inferiority --margin 0.1") },
  "curve unpaired": {
    words: words("curve unpaired --baseline 0.8 --delta 0.05 --over n=200,400"),
    values: { "--test": "fisher" },
  },
  "plan looks": { words: words("plan looks --looks 4") },
  "fit lm": { words: ["fit", "lm", "y ~ system + words", data] },
  anova: {
    words: ["anova", "y ~ words", "y ~ words + system", data],
  },
  agreement: {
    words: ["agreement", SUMMARIES, ...words("--item article,system --rater rater --label rating --replicates 20")],
    values: {
      "--model": "dawid-skene",
      "--cluster": "none",
      "--where": "system == 'baseline'",
      "--mutate": "rating = 6 - rating",
      "--ordered": "rating=5,4,3,2,1",
      "--raters": "rating,words",
      "--system": "system",
      "--score": "words",
      "--metric": "words",
      "--gold": "words",
      "--files": "runs",
      "--reading": "no-such-reading.yaml",
    },
  },
};

const reading = new Set(READ_FLAGS.map(({ flags }) => flags.split(" ")[0]));

describe.each(Object.entries(CALLS))("%s", (_, { words: call, values = {}, unseen = {} }) => {
  let command = makeProgram();
  const everywhere = new Set(command.options.map(({ long }) => long));
  for (const word of call) command = command.commands.find((one) => one.name() === word) ?? command;
  const options = command.options
    .map(({ long }) => long!)
    .filter((name) => !everywhere.has(name) && !reading.has(name) && !call.includes(name) && !(name in unseen));
  it(`every option is used or refused (${options.length})`, () => {
    const plain = gosset(...call).stdout;
    const idle = options.filter((option) => {
      const value = values[option] ?? VALUES[option];
      if (value === undefined && !BARE.has(option)) throw new Error(`${option} is new: say here what it changes`);
      const { status, stdout } = gosset(...call, option, ...(value === undefined ? [] : [value]));
      return status === 0 && stdout === plain;
    });
    expect(idle).toEqual([]);
  });
});

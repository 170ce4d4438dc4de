import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { factorColumn, makeRng, makeTable, numericColumn } from "../src/index.ts";
import { writeCsv } from "../src/io.ts";
import { gosset, gossetJson, gossetRefuses, root } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("validity");
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

/** The model follows the overlap of the two texts; in ANLI the gold labels go against it. */
function inference(): string {
  const rng = makeRng(21);
  const rows = Array.from({ length: 600 }, (_, i) => {
    const source = i < 400 ? "mnli" : "anli";
    const gold = rng.int(2);
    const overlap = rng.uniform() < 0.85 === (source === "mnli" ? gold === 1 : gold === 0);
    const hypothesis = overlap ? "the actor paid the judge" : "a lawyer never slept";
    return {
      source,
      gold: gold === 1 ? "entailment" : "neutral",
      predicted: overlap ? "entailment" : "neutral",
      hypothesis,
    };
  });
  const text = (read: (row: (typeof rows)[number]) => string) => factorColumn(rows.map(read));
  return writeCsv(
    makeTable([
      ["source", text((row) => row.source)],
      ["premise", text(() => "Yesterday the actor paid the judge.")],
      ["hypothesis", text((row) => row.hypothesis)],
      ["gold", text((row) => row.gold)],
      ["predicted", text((row) => row.predicted)],
      ["noise", numericColumn(rows.map(() => rng.normal()))],
    ]),
  );
}
const nli = file("nli.csv", inference());
const bias = [
  "validity",
  "bias",
  nli,
  "--label",
  "gold",
  "--domain",
  "source",
  "--in",
  "mnli",
  "--positive",
  "entailment",
];

describe("gosset validity bias", () => {
  it("finds overlap and negation in raw text, and that the predictions inherit them", () => {
    const result = gossetJson(...bias, "--pred", "predicted", "--premise", "premise", "--hypothesis", "hypothesis");
    expect(result.kind).toBe("bias");
    expect(result.verdict.biased.slice(0, 2)).toEqual(["hyp-is-subseq", "all-in-pre"]);
    expect(result.verdict.inherited).toContain("hyp-has-neg");
    const [first] = result.features;
    // 85 % against 15 %: correlations of ±0.7
    expect(Math.abs(first.inDomain.value - 0.7)).toBeLessThan(0.1);
    expect(first.pattern).toBe("reverses");
    expect(result.plot.points[0]).toEqual({
      feature: "hyp-is-subseq",
      labels: "gold",
      domain: "anli",
      x: first.inDomain.value,
      y: first.outOfDomain.value,
      biased: true,
    });
    const row = result.inheritance.find((own: { feature: string }) => own.feature === "hyp-is-subseq");
    expect(row.predicted).toBeCloseTo(1, 10);
  });

  it("n-grams of a text, and other columns", () => {
    const { ngrams, features } = gossetJson(...bias, "--features", "noise", "--text", "hypothesis", "--ngrams", "2");
    expect(ngrams[0].biased).toBe(true);
    expect(ngrams.map((own: { ngram: string }) => own.ngram)).toContain("never slept");
    expect(features.map((own: { biased: boolean }) => own.biased)).toEqual([false]);
  });

  it("fits 80 columns", () => {
    const { stdout } = gosset(...bias, "--pred", "predicted", "--premise", "premise", "--hypothesis", "hypothesis");
    expect(stdout).toContain("The predictions inherit it for");
    expect(Math.max(...stdout.split("\n").map((line) => [...line].length))).toBeLessThanOrEqual(80);
  });

  it("a mistake in the flags points to the help of bias, not of all validity tests", () => {
    const missing = gossetRefuses("validity", "bias", "examples/data/grades.csv");
    expect(missing).toBe("gosset: required option '--label <col>' not specified. See gosset validity bias --help\n");
    expect(gossetRefuses("validity", "bias", "x.csv", "--label", "y", "--nope")).toMatch(
      /See gosset validity bias --help/,
    );
    expect(gossetRefuses("validity")).toMatch(/See gosset validity --help/);
  });

  it("refuses what makes no sense in one line", () => {
    const start = ["validity", "bias", nli, "--label", "gold", "--domain", "source"];
    expect(gossetRefuses(...start, "--premise", "premise")).toContain("--premise has no effect without --hypothesis");
    expect(gossetRefuses(...start, "--in", "hans")).toContain('no row has "hans" in the column "source"');
    expect(gossetRefuses(...start, "--features", "premise")).toContain(
      'the feature "premise" has the same value in every row.',
    );
    expect(gossetRefuses(...start, "--features", "nois")).toContain('Did you mean "noise"?');
    expect(gossetRefuses(...start, "--threshold", "x")).toContain("--threshold x: not a number.");
    expect(gossetRefuses("validity", "bias", nli, "--label", "gold")).toContain("--domain");
    expect(gossetRefuses("validity", "bia", nli)).toContain("unknown command 'bia'");
  });
});

function patients(n: number, seed: number): string {
  const rng = makeRng(seed);
  const lines = Array.from({ length: n }, () => {
    const hospital = rng.int(5);
    const y = rng.uniform() < [0.9, 0.1, 0.1, 0.9, 0.1][hospital]! ? 1 : 0;
    return `${1000 * hospital + rng.int(1000)},${(20 + 60 * rng.uniform()).toFixed(1)},${y}`;
  });
  return `id,age,malignant\n${lines.join("\n")}\n`;
}
const train = file("train.csv", patients(200, 31));
const test = file("test.csv", patients(100, 32));
const invariance = [
  "validity",
  "invariance",
  train,
  "--test",
  test,
  "--label",
  "malignant",
  "--scales",
  "id=nominal,age=ratio",
];

describe("gosset validity invariance", () => {
  it("catches the patient id with a built-in learner", () => {
    const result = gossetJson(...invariance, "--learner", "stumps");
    expect(result.verdict.violated).toEqual(["id"]);
    expect(result.features.map((own: { status: string }) => own.status)).toEqual(["violated", "invariant"]);
    expect(result.features[0].transforms).toBe(40);
    expect(result.loss).toEqual({ name: "brier", baseline: result.features[0].original });
  });

  it("refuses wrong flags before anything is run", () => {
    const but = (...words: string[]) => gossetRefuses(...invariance.slice(0, -2), ...words);
    expect(but("--scales", "id=nominl")).toContain('"nominl" is not a scale');
    expect(but("--scales", "idd=nominal")).toContain('Did you mean "id"?');
    expect(gossetRefuses(...invariance, "--learner", "stump")).toContain('Did you mean "stumps"?');
    expect(gossetRefuses(...invariance, "--learner", "python x.py {train}")).toContain("a command needs {test}");
    expect(gossetRefuses(...invariance, "--learner", 'python "x {train} {test} {out}')).toContain("is not closed");
  });
});

/** A learner in JavaScript; `body` may use train, test (paths), out, and rows of the test file. */
let count = 0;
function learner(body: string): string {
  const path = file(
    `learner-${count++}.mjs`,
    `import { readFileSync, writeFileSync, mkdirSync, symlinkSync } from "node:fs";
const [train, test, out] = process.argv.slice(2);
const read = (path) => readFileSync(path, "utf8").trim().split("\\n").map((line) => line.split(","));
const write = (values) => writeFileSync(out, ["prediction", ...values].join("\\n") + "\\n");
const [head, ...rows] = read(test);
${body}`,
  );
  return `${process.execPath} '${path}' {train} {test} {out}`;
}
/** Everything that a learner leaves must be in this folder, and go. */
const temporary = join(folder, "tmp");
mkdirSync(temporary);
const withTemp = <T>(run: () => T): T => {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = temporary;
  try {
    return run();
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
};
const external = [...invariance.slice(0, -1), "id=nominal"];

describe("an outside learner", () => {
  it("gets training rows with labels and test rows without, and its predictions are scored", () => {
    const means = learner(`
if (head.join() !== "id,age") throw new Error("head " + head);
const known = read(train).slice(1);
write(rows.map(([id]) => {
  const near = known.map((row) => [Math.abs(row[0] - id), Number(row[2])]).sort((a, b) => a[0] - b[0]).slice(0, 15);
  return near.reduce((sum, own) => sum + own[1], 0) / 15;
}));`);
    const result = withTemp(() => gossetJson(...external, "--learner", means, "--transforms", "20"));
    expect(result.verdict.violated).toEqual(["id"]);
    expect(result.randomLearner).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
  });

  const faults: [string, string, string][] = [
    ["crashes", 'console.error("no module\\u001b[31m torch"); process.exit(3);', "ended with exit code 3: no module"],
    ["writes too few rows", "write(rows.slice(1).map(() => 1));", "it wrote 99 predictions for 100 test rows"],
    ["writes NaN", 'write(rows.map((_, i) => (i === 6 ? "NaN" : 1)));', "its prediction in row 7 is missing or NaN"],
    ["writes no probability", "write(rows.map(() => 1.5));", "its prediction in row 1 is 1.5, and the label is 0 or 1"],
    ["writes text", 'write(rows.map(() => "maybe"));', 'its prediction in row 1, "maybe", is none of the classes'],
    ["writes nothing", "", "wrote no file to {out}"],
    ["writes an empty file", 'writeFileSync(out, "");', "wrote an empty file"],
    ["writes far too much", 'write(rows.map(() => "9".repeat(5000)));', "bytes for 100 predictions"],
    ["writes other columns", 'writeFileSync(out, "a,b\\n1,2\\n");', 'none is called "prediction"'],
    ["makes a folder", "mkdirSync(out);", "that is not a plain file"],
    ["makes a link", 'symlinkSync("/etc/passwd", out);', "that is not a plain file"],
  ];
  for (const [name, body, message] of faults) {
    it(`that ${name}: one line, exit code 70, nothing left behind`, () => {
      const { status, stdout, stderr } = withTemp(() => gosset(...external, "--learner", learner(body)));
      expect([status, stdout]).toEqual([70, ""]);
      expect(stderr).toContain(message);
      expect(stderr.trimEnd().split("\n").length).toBe(1);
      expect(stderr).not.toContain("\u001b");
      expect(readdirSync(temporary)).toEqual([]);
    });
  }

  it("that hangs is stopped, and so is what it started", () => {
    const mark = join(folder, "alive");
    const body = `import("node:child_process").then(({ spawn }) => {
  spawn(process.execPath, ["-e", "setTimeout(() => require('fs').writeFileSync(process.argv[1], ''), 2000)", ${JSON.stringify(mark)}]);
  setInterval(() => {}, 1000);
});`;
    const hangs = learner(body);
    const { status, stderr } = withTemp(() => gosset(...external, "--learner", hangs, "--timeout", "1"));
    expect(status).toBe(70);
    expect(stderr).toContain("did not finish within 1 s and was stopped");
    expect(readdirSync(temporary)).toEqual([]);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1800);
    expect(readdirSync(folder)).not.toContain("alive");
  });

  it("that does not exist", () => {
    const { status, stderr } = withTemp(() => gosset(...external, "--learner", "no-such-program {train} {test} {out}"));
    expect([status, stderr]).toEqual([
      70,
      'gosset: the learner cannot be started: "no-such-program" (ENOENT). Is the program installed and its name right?\n',
    ]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("never meets a shell", () => {
    const echo = learner("write(rows.map(() => 0.5));");
    const injected = `${echo} ; touch ${join(folder, "pwned")} $(touch ${join(folder, "pwned")})`;
    const { status } = withTemp(() => gosset(...external, "--learner", injected, "--transforms", "1"));
    expect(status).toBe(0);
    expect(readdirSync(folder)).not.toContain("pwned");
  });

  it("is cleaned up after on Ctrl-C", async () => {
    const program = process.env["GOSSET_BIN"] ?? join(root, "dist/bin/gosset.js");
    const hangs = learner("setInterval(() => {}, 1000);");
    const child = withTemp(() => spawn(process.execPath, [program, ...external, "--learner", hangs], { cwd: root }));
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    while (readdirSync(temporary).length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

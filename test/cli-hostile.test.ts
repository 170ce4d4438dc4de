/** Files of strangers on the command line: refused in one line, and never the end of the program. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { program, runProcess, runShared } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("hostile");

const run = (args: readonly string[]) => runShared(args, { cwd: folder });

/** One column of 20,000,000 equal numbers in one run: more than a heap of 60 MB can hold. */
const RUNS =
  "UEFSMRUEFRAVEEwVAhUAAAAAAAAAAAD4PxUAFQwVDCwVgLSJExUQFQYVBgAAAYC0iRMAFQIZLEgEcm9vdBUCABUKJQAYAXgAFoC0iRMZHBkcJgAcFQoZNQAGEBkYAXgVABaAtIkTFl4WXiYyJggAABbQDxaAtIkTAABHAAAAUEFSMQ==";

describe("hostile files", () => {
  it("survives the death of the process that decodes Parquet", () => {
    writeFileSync(join(folder, "runs.parquet"), Buffer.from(RUNS, "base64"));
    const { status, stderr } = spawnSync(
      process.execPath,
      [program, "describe", "runs.parquet", "--max-memory", "4G"],
      { cwd: folder, encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "--max-old-space-size=60" } },
    );
    expect(status).toBe(2);
    expect(stderr).toMatch(/gosset: runs\.parquet: the process that read it crashed \(SIG[A-Z]+\)\. .*\n$/);
  });

  it("refuses what unpacks beyond --max-memory, and takes what does not", () => {
    const text = `system,item,score\n${"a,1,1\nb,1,0\n".repeat(50_000)}`;
    writeFileSync(join(folder, "a.csv.gz"), gzipSync(text));
    const refused = run(["describe", "a.csv.gz", "--max-memory", "1M"]);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toBe(
      "gosset: a.csv.gz: unpacked it has more than 0.3 MB (the limit on unpacked data). If the file is honest, raise --max-memory, or give the part that matters.\n",
    );
    expect(run(["describe", "a.csv.gz", "--max-memory", "64M"]).status).toBe(0);
    expect(run(["describe", "a.csv.gz", "--max-memory", "much"]).stderr).toMatch(/--max-memory/);
  });

  it.skipIf(!existsSync("/dev/zero"))("stops reading what never ends", () => {
    const { status, stderr } = run(["describe", "/dev/zero"]);
    expect([status, stderr]).toEqual([
      2,
      'gosset: "/dev/zero" has more than 512 MB (the limit on the size of files on disk). If you trust the data, raise --max-memory, or give only the part that you need.\n',
    ]);
    const text = "system,item,score\nA,1,1\nB,1,0\n";
    const piped = runProcess(["describe", "-"], { cwd: folder, input: text });
    expect([piped.status, piped.stdout]).toEqual([0, expect.stringContaining("-: table (CSV)")]);
  });

  it("looks at the size of a file before it is read", () => {
    const large = join(folder, "large.csv");
    writeFileSync(large, "a,b\n1,2\n");
    truncateSync(large, 600 * 2 ** 20);
    const limit =
      "(the limit on the size of files on disk). If you trust the data, raise --max-memory, or give only the part that you need.";
    expect(run(["describe", "large.csv"]).stderr).toBe(
      `gosset: "large.csv" has 600 MB, where 512 MB are allowed ${limit}\n`,
    );
    for (const command of ["plot", "report", "cite", "verify"])
      expect(run([command, "large.csv"]).stderr).toMatch(
        /^gosset: "large\.csv" has 600 MB, where (16|512) MB are allowed/,
      );
    expect(run(["plan", "show", "large.csv"]).stderr).toMatch(/^gosset: "large\.csv" has 600 MB, where 64 MB/);
    rmSync(large);
  });

  it("describes 130,000 systems, whose means were spread over the arguments of a call", () => {
    const rows = Array.from({ length: 130_000 }, (_, i) => `s${i},q${i % 3},${i % 2}`);
    writeFileSync(join(folder, "many.csv"), `system,item,score\n${rows.join("\n")}\n`);
    const { status, stderr } = run(["describe", "many.csv"]);
    expect([status, stderr]).toEqual([0, ""]);
  });

  it("neutralises names in error messages", () => {
    writeFileSync(join(folder, "esc.csv"), "a\u001b[31m\u009bx\u202e,b\n1,2\n2,3\n");
    const { stderr, status } = run(["fit", "lm", "nothing ~ b", "esc.csv"]);
    expect(status).toBe(2);
    expect(run(["describe", "no\nsuch\u001b.csv"]).stderr).toMatch(/^gosset: no file "no such␛\.csv"\. [^\n]+\n$/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  it("compares no 30,000 systems with each other, which took all memory, and says what to name", () => {
    const rows = Array.from({ length: 30_000 }, (_, s) =>
      [0, 1, 2].map((i) => `s${s},q${i},${(s * 7 + i) % 2}`).join("\n"),
    );
    writeFileSync(join(folder, "legion.csv"), `system,item,score\n${rows.join("\n")}\n`);
    const { status, stderr } = run(["compare", "legion.csv"]);
    expect([status, stderr]).toEqual([
      2,
      "gosset: 30000 systems make 449985000 pairs; at most 12500 are compared at once. Name the systems, --systems, or the one that the others are compared with, --baseline; or is the column of the systems another one?\n",
    ]);
    expect(run(["compare", "legion.csv", "--baseline", "s1"]).stderr).toMatch(/make 29999 pairs with the baseline;/);
    expect(run(["compare", "legion.csv", "--systems", "s1,s2"]).status).toBe(0);
  });

  it("says in a line of two thousand characters what is wrong with an option of a hundred thousand", () => {
    writeFileSync(join(folder, "ab.csv"), "system,item,score\nA,1,1\nB,1,0\n");
    const { stderr, status } = run(["compare", "ab.csv", "--where", `${"(".repeat(50_000)}item > 3`]);
    expect([status, stderr.split("\n").length]).toEqual([2, 2]);
    expect(stderr.length).toBeLessThan(2000);
    expect(stderr).toMatch(/^gosset: --where "\(+ … .*nested more than 200 levels deep/);
  });

  it("draws a picture of one page where a system is called by a book, which took all memory", () => {
    const rows = ["A", "b".repeat(300_000)].flatMap((name) =>
      Array.from({ length: 12 }, (_, i) => `${name},${i},${(i * 7 + name.length) % 3}`),
    );
    writeFileSync(join(folder, "book.csv"), `system,item,score\n${rows.join("\n")}\n`);
    expect(run(["compare", "book.csv", "--plot", "book.svg"]).status).toBe(0);
    const [, height] = /^<svg[^>]* height="(\d+)/.exec(readFileSync(join(folder, "book.svg"), "utf8"))!;
    expect(Number(height)).toBeLessThan(1000);
  });

  it("draws no number of replicates that no memory holds", () => {
    const power = ["power", "accuracy", "--n", "500", "--delta", "0.02", "--agreement", "0.9"];
    for (const args of [
      ["compare", "ab.csv", "--test", "bootstrap", "--replicates", "1e15"],
      [...power, "--method", "simulation", "--replicates", "1e12"],
      [...power.with(3, "1000000000"), "--test", "mcnemar-unconditional"],
      [...power, "--method", "simulation", "--workers", "1000000"],
      ["power", "means", "--n", "1000000000", "--delta", "0.1", "--sd", "1", "--test", "wilcoxon"],
      ["power", "bleu", "--n", "1000000000", "--delta", "1"],
      [
        "power",
        "f1",
        "--n",
        "1000000000",
        "--positive",
        "0.3",
        "--recall",
        "0.8",
        "--fpr",
        "0.1",
        "--recall-gain",
        "0.02",
      ].concat("--positive-disagreement 0.1 --negative-disagreement 0.1".split(" ")),
    ]) {
      const { stderr, status } = run(args);
      expect([status, stderr]).toEqual([2, expect.stringMatching(/^gosset: [^\n]+\n$/)]);
      expect(stderr).not.toMatch(/internal error/);
    }
  });

  it("does not compute a stored result for minutes that names a hundred thousand files", () => {
    writeFileSync(join(folder, "d.csv"), "system,item,score\nA,1,1\nB,1,0\nA,2,1\nB,2,1\n");
    const stored = JSON.parse(run(["compare", "d.csv", "--json"]).stdout) as { command: string[] };
    const command = ["gosset", "compare", ...new Array<string>(100_000).fill("d.csv")];
    writeFileSync(join(folder, "many.json"), JSON.stringify({ ...stored, command }));
    const { status, stderr } = run(["verify", "many.json"]);
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /^gosset: the stored command fails here: 100000 files named one by one, where 5000 are allowed/,
    );
    expect(stderr.length).toBeLessThan(3000);
  });

  it("ranks no two thousand systems of votes, whose covariance took gigabytes", () => {
    const votes = Array.from({ length: 2000 }, (_, i) => `m${i},m${(i * 7 + 1) % 2000},model_${"ab"[i % 2]}`);
    writeFileSync(join(folder, "votes.csv"), `model_a,model_b,winner\n${votes.join("\n")}\n`);
    expect(run(["compare", "votes.csv"])).toMatchObject({
      status: 2,
      stderr:
        "gosset: votes between 2000 systems; at most 1000 are ranked together. Name the systems, --systems; or are the columns of the two systems other ones?\n",
    });
    expect(run(["compare", "votes.csv", "--systems", "m0,m1"]).stdout).toContain("INCONCLUSIVE");
  });

  it("compares very many items by several raters, with degrees of freedom where they are asked for", () => {
    const rows = Array.from({ length: 60_000 }, (_, i) => {
      const item = (i >> 1) % 10_000;
      return `${"AB"[i % 2]},${item},r${Math.floor(i / 20_000)},${(Math.imul(i, 2654435761) >>> 8) % 101}`;
    });
    writeFileSync(join(folder, "raters.csv"), `system,item,rater,score\n${rows.join("\n")}\n`);
    for (const ddf of [[], ["--ddf", "satterthwaite"]]) {
      const { status, stdout } = run(["compare", "raters.csv", ...ddf]);
      expect([status, stdout]).toEqual([0, expect.stringContaining("10000 items and 3 raters")]);
    }
  });
});

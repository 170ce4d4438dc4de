import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { program, root, runAsPrinted, runProcess, runShared } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";
import { expectClose } from "./support/oracle.ts";

const SUMMARIES = "examples/data/summaries.csv";

const gosset = (args: readonly string[], input?: string) =>
  input === undefined ? runShared(args) : runProcess(args, { input });

/** One JSON object on stdout, nothing else. */
function gossetJson(args: readonly string[], input?: string) {
  const { status, stdout, stderr } = gosset([...args, "--json"], input);
  expect(stderr === "" || stderr.startsWith("gosset: Warning"), stderr).toBe(true);
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

const folder = makeFolder("cli");
const scratch = (name: string, text: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe("gosset without work", () => {
  it("prints help with examples, on 80 columns", () => {
    const { status, stdout, stderr } = gosset(["--help"]);
    expect([status, stderr]).toEqual([0, ""]);
    for (const word of ["describe", "fit", "anova", "--json", "--seed", "gosset describe results.csv"])
      expect(stdout).toContain(word);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("prints the same help without arguments, and help of one command", () => {
    expect(gosset([]).stdout).toBe(gosset(["--help"]).stdout);
    expect(gosset(["fit", "--help"]).stdout).toMatch(/gosset fit lm/);
  });

  it("prints the version of package.json", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(gosset(["--version"]).stdout).toBe(`${version}\n`);
  });
});

describe("bad input gives one line and exit code 2", () => {
  const binary = scratch(
    "binary.csv",
    Uint8Array.from({ length: 500 }, (_, i) => (i * 7) % 256),
  );
  const broken = scratch("broken.csv", "a,b\n1,2\n3\n");
  const brokenJson = scratch("broken.jsonl", '{"a": 1}\n{"a": \n');
  const header = scratch("header.csv", "a,b\n");
  const empty = scratch("empty.csv", "");
  it.each([
    [["fti"], /unknown command/],
    [["fit", "lm", "y ~ x"], /missing required argument 'data'/],
    [["fit", "lm", "y ~ x", "nowhere.csv"], /nowhere\.csv/],
    [["fit", "lmx", "y ~ x", SUMMARIES], /lmx/],
    [["fit", "lm", "rating ~ sytem", SUMMARIES], /Did you mean "system"/],
    [["fit", "lm", "rating ~ (system", SUMMARIES], /position/],
    [["fit", "lm", "rating ~ system", SUMMARIES, "--family", "binomial"], /lm does not take --family/],
    [["fit", "glm", "rating ~ system", SUMMARIES, "--family", "gamma"], /gamma/],
    [["fit", "lm", "rating ~ system", SUMMARIES, "--confidence", "95"], /between 0 and 1/],
    [["fit", "lm", "rating ~ system", SUMMARIES, "--levels", "system"], /--levels/],
    [["fit", "lm", "rating ~ system", SUMMARIES, "--levels", "system=baseline,retrieval"], /rank-loss/],
    [["fit", "lm", "rating ~ system", SUMMARIES, "--cluster", "artcle"], /Did you mean "article"/],
    [["fit", "lm", "rating ~ system", SUMMARIES, "--where", "rating >"], /position|expected/],
    [["fit", "lm", "rating ~ system", SUMMARIES, "--where", "rating > 9"], /no row/],
    [["fit", "lm", "rating ~ system", SUMMARIES, "--mutate", "x"], /=/],
    [["fit", "lm", "rating ~ system", SUMMARIES, "--out", "/nowhere/at/all.txt"], /there is no folder "\/nowhere\/at"/],
    [["fit", "lm", "rating ~ system", SUMMARIES, "--format", "xml"], /xml/],
    [["fit", "lm", "rating ~ system", SUMMARIES, "--input-format", "spss"], /spss/],
    [["fit", "lm", "system ~ rating", SUMMARIES], /not numeric/],
    [["anova", "rating ~ system", "rating ~ 1", SUMMARIES], /not larger/],
    [["fit", "lm", "a ~ b", binary], /binary\.csv/],
    [["fit", "lm", "a ~ b", broken], /broken\.csv.*line 3/],
    [["fit", "lm", "a ~ b", brokenJson], /broken\.jsonl.*line 2/],
    [["fit", "lm", "a ~ b", header], /row/],
    [["describe", empty], /empty\.csv is empty\./],
    [["describe", "examples/data/sumaries.csv"], /Did you mean "examples\/data\/summaries\.csv"/],
    [["describe", SUMMARIES, "--input-format", "parquet"], /separated by ",", not Parquet/],
    [["compair", "--help"], /unknown command 'compair'.*gosset --help$/m],
    [["help", "compair"], /unknown command 'compair'/],
    [["fit", "--nope"], /^gosset: unknown option '--nope'\. See gosset fit --help$/m],
    [["describe", SUMMARIES, "--format", "xml"], /Choose one of text, json, markdown, tex, csv, html\.$/m],
    [["describe", SUMMARIES, "--workers", "0"], /--workers.*from 1 to 9999\. See/],
    [["describe", SUMMARIES, "--workers", "two"], /--workers/],
    [
      ["fit", "lm", "rating ~ system", SUMMARIES, "--where", "sytem == 'a'"],
      /--where "sytem == 'a'": no column "sytem"/,
    ],
    [["fit", "lm", "rating ~ system", SUMMARIES, "--mutate", "x = wrds"], /--mutate "x = wrds": no column "wrds"/],
    [["fit", "lm", "rating ~ system", SUMMARIES, "--weights", "wrds"], /--weights wrds: .*Did you mean "words"/],
    [["fit", "lm", "rating ~ system", SUMMARIES, "--offset", "domain"], /--offset domain: the column is not numeric/],
    [["fit", "lm", "rating ~ system", SUMMARIES, "--levels", "system"], /--levels system: no "="/],
    [["fit", "lm", "rating ~ system", SUMMARIES, "--levels", 'system="a,b'], /quotation mark/],
    [["fit", "lm", "rating ~ system", SUMMARIES, "--delimiter", "::"], /--delimiter ::/],
    [["fit", "lm", "rating ~ system", SUMMARIES, "--encoding", "klingon"], /klingon/],
    [["describe", folder + "/none"], /none/],
  ] as const)("%j", (args, message) => {
    const { status, stdout, stderr } = gosset(args);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).not.toMatch(/internal error/);
    expect(stdout).toBe("");
    expect(status).toBe(2);
  });
});

describe("gosset fit", () => {
  it("gives the documented JSON object", () => {
    const fit = gossetJson(["fit", "lm", "rating ~ system", SUMMARIES]);
    expect(fit).toMatchObject({
      kind: "lm",
      formula: "rating ~ system",
      nobs: 360,
      warnings: [expect.stringContaining("repeat article (40 levels) and rater (9 levels)")],
      theta: [],
      random: [],
      singular: false,
      converged: true,
    });
    expect(fit.fixed.map((row: { term: string }) => row.term)).toEqual([
      "(Intercept)",
      "systemrank-loss",
      "systemretrieval",
    ]);
    // the systems' means, straight from the file
    const means = systemMeans();
    expectClose(
      fit.fixed.map((row: { estimate: number }) => row.estimate),
      [means.baseline!, means["rank-loss"]! - means.baseline!, means.retrieval! - means.baseline!],
      { tolerance: 1e-12 },
    );
  });

  it("reads standard input, gzip, TSV, JSON and JSONL alike", () => {
    const csv = readFileSync(join(root, SUMMARIES), "utf8");
    const rows = csv
      .trimEnd()
      .split("\n")
      .map((line) => line.split(","));
    const records = rows
      .slice(1)
      .map((row) =>
        Object.fromEntries(row.map((cell, j) => [rows[0]![j], Number.isNaN(Number(cell)) ? cell : Number(cell)])),
      );
    const want = gossetJson(["fit", "lm", "rating ~ system + words", SUMMARIES]).fixed;
    const files = [
      scratch("s.csv.gz", gzipSync(csv)),
      scratch("s.tsv", csv.replaceAll(",", "\t")),
      scratch("s.json", JSON.stringify(records)),
      scratch("s.jsonl", records.map((r) => JSON.stringify(r)).join("\n")),
    ];
    for (const file of files) expect(gossetJson(["fit", "lm", "rating ~ system + words", file]).fixed).toEqual(want);
    expect(gossetJson(["fit", "lm", "rating ~ system + words", "-"], csv).fixed).toEqual(want);
  });

  it("orders levels, filters and computes columns", () => {
    const fit = gossetJson([
      "fit",
      "lm",
      "half ~ system",
      SUMMARIES,
      "--levels",
      "system=retrieval,baseline,rank-loss",
      "--mutate",
      "half = rating / 2",
      "--where",
      "domain == 'news' & words > 300",
    ]);
    expect(fit.fixed.map((row: { term: string }) => row.term)).toEqual([
      "(Intercept)",
      "systembaseline",
      "systemrank-loss",
    ]);
    const means = systemMeans((r) => r["domain"] === "news" && Number(r["words"]) > 300);
    expect(fit.fixed[0].estimate).toBeCloseTo(means.retrieval! / 2, 12);
  });

  it("predicts and leaves one out", () => {
    const news = scratch("new.csv", "system,words\nbaseline,500\nretrieval,500\n");
    const fit = gossetJson(["fit", "lm", "rating ~ system + words", SUMMARIES, "--predict", news, "--loo"]);
    expect(fit.predictions).toHaveLength(2);
    const [a, b] = fit.predictions;
    expect(b.estimate - a.estimate).toBeCloseTo(fit.fixed[2].estimate, 12);
    expect(fit.leaveOneOut.predicted).toHaveLength(360);
    expect(fit.leaveOneOut.rmse).toBeGreaterThan(fit.sigma * 0.99);
  });

  it.each(["text", "md", "latex", "csv", "html"])("prints %s, and the same into a file", (format) => {
    const args = ["fit", "lm", "rating ~ system", SUMMARIES, "--format", format];
    const { stdout, status } = gosset(args);
    expect(status).toBe(0);
    expect(stdout).toContain("rank-loss");
    const out = join(folder, `out.${format}`);
    expect(gosset([...args, "--out", out]).stdout).toBe("");
    expect(readFileSync(out, "utf8")).toBe(stdout);
  });

  it("leaves the old file whole when a run fails, and no temporary file", () => {
    const out = scratch("kept.json", "old");
    expect(gosset(["fit", "lm", "rating ~ nothing", SUMMARIES, "--json", "--out", out]).status).toBe(2);
    expect(readFileSync(out, "utf8")).toBe("old");
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("warns on stderr with --json, unless quiet, and writes infinities as strings", () => {
    const separated = scratch("sep.csv", "y,x\n0,1\n0,2\n0,3\n1,4\n1,5\n1,6\n");
    const loud = gosset(["fit", "glm", "y ~ x", separated, "--family", "binomial", "--json"]);
    expect(loud.stderr).toMatch(/no maximum/);
    const { converged, fixed, warnings } = JSON.parse(loud.stdout);
    expect(converged).toBe(false);
    expect(fixed[1]).toMatchObject({ estimate: "Infinity", se: "NaN" });
    expect(warnings[0]).toMatch(/no maximum/);
    expect(gosset(["fit", "glm", "y ~ x", separated, "--family", "binomial", "--json", "--quiet"]).stderr).toBe("");
  });

  it("leaves faulty rows out when told to, and says so", () => {
    const faulty = scratch("faulty.csv", "y,x\n1,2\n2,3\n9\n3,5\n4,4\n");
    const { status, stderr, stdout } = gosset(["fit", "lm", "y ~ x", faulty, "--bad-rows", "skip", "--json"]);
    expect(status).toBe(0);
    expect(stderr).toMatch(/line 4/);
    expect(JSON.parse(stdout)).toMatchObject({ nobs: 4, warnings: [expect.stringMatching(/line 4/)] });
  });

  it("takes columns called __proto__ and constructor as columns", () => {
    const odd = scratch("odd.csv", "__proto__,constructor,toString\n1,2,a\n2,4.1,b\n3,5.9,a\n4,8.2,b\n");
    const fit = gossetJson(["fit", "lm", "`constructor` ~ `__proto__` + toString", odd]);
    expect(fit.fixed.map((row: { term: string }) => row.term)).toHaveLength(3);
    expect(gossetJson(["describe", odd]).columns.map((c: { name: string }) => c.name)).toEqual([
      "__proto__",
      "constructor",
      "toString",
    ]);
  });
});

describe("what --out writes to", () => {
  const args = ["fit", "lm", "rating ~ 1", SUMMARIES, "--out"];

  it("is the file behind a link, which stays a link", () => {
    const real = scratch("real.txt", "old");
    for (const [name, target] of [
      ["link.txt", real],
      ["new-link.txt", join(folder, "new.txt")],
    ] as const) {
      const link = join(folder, name);
      symlinkSync(target, link);
      expect(gosset([...args, link])).toMatchObject({ status: 0, stderr: "" });
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
      expect(readFileSync(target, "utf8")).toMatch(/Linear model/);
    }
  });

  it.skipIf(!existsSync("/dev/stdout"))("may be a device, which stays a device", () => {
    const command = `"${process.execPath}" "${program}" fit lm "rating ~ 1" ${SUMMARIES} --out /dev/stdout | cat`;
    expect(spawnSync("sh", ["-c", command], { cwd: root, encoding: "utf8" }).stdout).toMatch(/Linear model/);
    expect(gosset([...args, "/dev/null"]).status).toBe(0);
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });
});

describe("standard output", () => {
  const full = "/dev/full";
  it.skipIf(!existsSync(full)).each([["fit", "lm", "rating ~ 1", SUMMARIES], ["--help"], []])(
    "that is full gives one line and exit code 70 (%s)",
    (...args) => {
      const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
        cwd: root,
        encoding: "utf8",
        stdio: ["ignore", openSync(full, "w"), "pipe"],
      });
      expect(stderr).toBe("gosset: cannot write the answer (ENOSPC).\n");
      expect(status).toBe(70);
    },
  );

  it("that is closed early is no error", () => {
    const command = `"${process.execPath}" "${program}" fit lm "rating ~ 1" ${SUMMARIES} --json --quiet; echo $? >&2`;
    const { stderr } = spawnSync("sh", ["-c", `( ${command} ) | true`], { cwd: root, encoding: "utf8" });
    expect(stderr).toBe("0\n");
  });
});

describe("what is read", () => {
  it("may be a pipe", () => {
    const command = `"${process.execPath}" "${program}" fit lm "rating ~ 1" <(cat ${SUMMARIES}) --json --quiet`;
    const { stdout, stderr } = spawnSync("bash", ["-c", command], { cwd: root, encoding: "utf8" });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout).nobs).toBe(360);
  });

  it("leaves links to nothing out, and says so", () => {
    const inner = join(folder, "linked");
    mkdirSync(inner);
    writeFileSync(join(inner, "a.csv"), "y,x\n1,2\n2,4\n3,5\n");
    symlinkSync("nowhere.csv", join(inner, "dead.csv"));
    symlinkSync("loop.csv", join(inner, "loop.csv"));
    const { status, stdout } = gosset(["fit", "lm", "y ~ x", inner]);
    expect(status).toBe(0);
    expect(stdout.replace(/\s+/g, " ")).toMatch(
      /2 files could not be read \(linked\/dead\.csv: a broken link, linked\/loop\.csv/,
    );
  });

  it("follows --delimiter, --missing, --decimal and --no-quote", () => {
    const odd = scratch("odd.txt", 'y:x\n1,5:"2\n-9:3\n2,5:"4\n3:"5\n');
    const flags = ["--delimiter", ":", "--missing", "-9", "--decimal", ",", "--no-quote"];
    const fit = gossetJson(["fit", "lm", "y ~ 1", odd, ...flags]);
    expect([fit.nobs, fit.rowsDropped]).toEqual([3, 1]);
    expect(fit.fixed[0].estimate).toBeCloseTo(7 / 3, 12);
  });

  it("takes levels with commas in quotes or with a backslash", () => {
    const labs = scratch("labs.csv", 'y,lab\n1,x\n2,"a,b"\n3,x\n5,"a,b"\n');
    for (const levels of ['lab=x,"a,b"', "lab=x,a\\,b"]) {
      const fit = gossetJson(["fit", "lm", "y ~ lab", labs, "--levels", levels]);
      expect(fit.fixed.map((row: { term: string }) => row.term)).toEqual(["(Intercept)", "laba,b"]);
    }
  });
});

describe("formats for other programs", () => {
  it("HTML is a whole page", () => {
    const { stdout } = gosset(["fit", "lm", "rating ~ system", SUMMARIES, "--format", "html"]);
    expect(stdout).toMatch(/^<!doctype html>[\s\S]*<style>[\s\S]*<\/html>\n$/);
  });

  it("CSV has plain line feeds", () => {
    const { stdout } = gosset(["fit", "lm", "rating ~ system", SUMMARIES, "--format", "csv"]);
    expect(stdout).not.toContain("\r");
    expect(stdout.trimEnd().split("\n")).toHaveLength(4);
  });

  it("help of every command fits 80 columns", () => {
    for (const command of ["describe", "fit", "anova", "emmeans"]) {
      const lines = gosset([command, "--help"]).stdout.split("\n");
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
    }
  });
});

describe("gosset anova", () => {
  it("gives the documented JSON object", () => {
    const result = gossetJson(["anova", "rating ~ 1", "rating ~ system", SUMMARIES]);
    expect(result).toMatchObject({
      kind: "lrt",
      df: 2,
      warnings: [expect.stringContaining("repeat article (40 levels) and rater (9 levels)")],
    });
    expect(result.models).toHaveLength(2);
    expect(result.chisq).toBeCloseTo(2 * (result.models[1].logLik - result.models[0].logLik), 9);
    const fit = gossetJson(["fit", "lm", "rating ~ system", SUMMARIES]);
    expect(result.fTest.statistic).toBeCloseTo(fit.fTest.statistic, 9);
  });
});

describe("gosset describe", () => {
  it("names the roles in the example ratings and offers commands that run", () => {
    const facts = gossetJson(["describe", SUMMARIES]);
    expect(facts).toMatchObject({
      kind: "describe",
      format: "csv",
      rows: 360,
      items: 40,
      systems: ["baseline", "rank-loss", "retrieval"],
    });
    const roles = Object.fromEntries(facts.columns.map((c: { name: string; role: string }) => [c.name, c.role]));
    expect(roles).toMatchObject({
      system: "system",
      article: "item",
      rater: "rater",
      rating: "score",
      words: "covariate",
    });
    const ready = facts.answers;
    expect(ready.length).toBeGreaterThan(0);
    for (const { command } of ready) expect(runAsPrinted(command), command).toBe(0);
  });
});

function systemMeans(keep: (record: Record<string, string>) => boolean = () => true): Record<string, number> {
  const [head, ...rows] = readFileSync(join(root, SUMMARIES), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
  const sums = new Map<string, { sum: number; n: number }>();
  for (const row of rows) {
    const record = Object.fromEntries(row.map((cell, j) => [head![j]!, cell]));
    if (!keep(record)) continue;
    const own = sums.get(record["system"]!) ?? { sum: 0, n: 0 };
    sums.set(record["system"]!, { sum: own.sum + Number(record["rating"]), n: own.n + 1 });
  }
  return Object.fromEntries([...sums].map(([system, { sum, n }]) => [system, sum / n]));
}

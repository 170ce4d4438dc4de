/** Simulations over a journal, as a user ends them and goes on. */
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gosset, gossetJson, gossetRefuses, program, root } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("cli-journal");
const words = "power means --n 60 --delta 0.35 --test wilcoxon --seed 5".split(" ");
const short = [...words, "--replicates", "600"];
const at = (name: string): string => join(folder, name);
const pieces = (name: string): number =>
  !existsSync(at(name))
    ? 0
    : readdirSync(at(name)).reduce(
        (sum, file) =>
          sum +
          readFileSync(join(at(name), file), "utf8")
            .split("\n")
            .filter((line) => /^[0-9a-f]{8} /.test(line)).length,
        0,
      );
/** Starts a long run, ends it by signals when its first pieces are kept. */
async function endRun(name: string, args: readonly string[], signals: readonly NodeJS.Signals[]) {
  const before = pieces(name);
  const child = spawn(process.execPath, [program, ...args, "--journal", at(name)], { cwd: root });
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const ended = new Promise<[number | null, string | null]>((resolve) =>
    child.on("close", (code, signal) => resolve([code, signal])),
  );
  while (pieces(name) === before) {
    expect(child.exitCode, stderr).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const signal of signals) child.kill(signal);
  return { end: await ended, stderr };
}

describe("a bootstrap that fits models again", () => {
  const writeScores = (name: string, shift: number): string => {
    const rows = Array.from({ length: 110 }, (_, k) => {
      const [item, rater] = [k % 11, Math.floor(k / 11) % 5];
      const noise = ((k * 7919) % 101) / 50 - 1;
      return `${k % 2 === 0 ? "a" : "b"},r${rater},i${item},${(3 + 0.3 * (item % 4) + 0.2 * rater + noise + shift).toFixed(3)}`;
    });
    writeFileSync(at(name), `system,rater,item,score\n${rows.slice(3).join("\n")}\n`);
    return at(name);
  };
  const fit = (data: string, replicates = 3000): string[] => [
    ..."fit lmm --intervals bootstrap --seed 4".split(" "),
    ...["--replicates", `${replicates}`, "score ~ system + (1 | item) + (1 | rater)", data],
  ];

  it("goes on after kill -9 to the same JSON, and answers shorter runs", async () => {
    const data = writeScores("scores.csv", 0);
    expect((await endRun("refits", [...fit(data), "--quiet"], ["SIGKILL"])).end).toEqual([null, "SIGKILL"]);
    expect(pieces("refits")).toBeLessThan(60);
    const journal = ["--journal", at("refits")];
    expect(gossetJson(...fit(data), ...journal)).toEqual(gossetJson(...fit(data)));
    expect(pieces("refits")).toBe(60);
    expect(gossetJson(...fit(data, 100), ...journal)).toEqual(gossetJson(...fit(data, 100)));
    expect(pieces("refits")).toBe(60);
  });

  it("believes no line that was changed, nor one of other data", () => {
    const data = writeScores("edited.csv", 0);
    const journal = ["--journal", at("edited")];
    const direct = gossetJson(...fit(data, 100));
    expect(gossetJson(...fit(data, 100), ...journal)).toEqual(direct);
    const [file] = readdirSync(at("edited"));
    const path = join(at("edited"), file!);
    writeFileSync(path, readFileSync(path, "utf8").replace('"out":[[1,0,', '"out":[[1,0,9'));
    const { stdout, stderr } = gosset(...fit(data, 100), ...journal, "--json");
    expect(stderr).toMatch(/a line of the journal .* is damaged and not believed/);
    const { command: _, ...answer } = JSON.parse(stdout);
    expect(answer).toEqual(direct);
    writeScores("edited.csv", 0.5);
    expect(gossetJson(...fit(data, 100), ...journal)).toEqual(gossetJson(...fit(data, 100)));
  });

  it("of reliability is kept too, and nothing else is said to be", () => {
    const data = writeScores("ratings.csv", 0);
    const args = `reliability ${data} --score score --object item --facets rater --replicates 100`.split(" ");
    const journal = ["--journal", at("components")];
    const bootstrap = [...args, "--intervals", "bootstrap"];
    expect(gossetJson(...bootstrap, ...journal)).toEqual(gossetJson(...bootstrap));
    expect(pieces("components")).toBe(2);
    expect(gossetJson(...bootstrap, ...journal)).toEqual(gossetJson(...bootstrap));
    expect(pieces("components")).toBe(2);
    expect(gossetRefuses(...args, "--intervals", "none", ...journal)).toMatch(/--journal has no effect here/);
    expect(gossetRefuses("fit", "lmm", "score ~ 1 + (1 | item)", data, ...journal)).toMatch(
      /--journal has no effect without --intervals bootstrap/,
    );
  });
});

it("importance keeps what it draws, and uses no random replicates twice", () => {
  const rows = Array.from({ length: 36 }, (_, k) => {
    const [rate, layers, set] = [k % 3, Math.floor(k / 3) % 2, Math.floor(k / 6) % 3];
    const noise = ((k * 7919) % 101) / 1000;
    return `r${rate},l${layers},d${set},${(0.5 + 0.05 * rate + 0.1 * (set % 2) + noise).toFixed(4)}`;
  });
  writeFileSync(at("sweep.csv"), `rate,layers,dataset,acc\n${rows.slice(2).join("\n")}\n`);
  const args = ["importance", at("sweep.csv"), "--score", "acc", "--intervals", "bootstrap", "--replicates", "100"];
  const journal = ["--journal", at("importance")];
  const direct = gossetJson(...args);
  expect(gossetJson(...args, ...journal)).toEqual(direct);
  const drawn = pieces("importance");
  expect(drawn).toBe(2);
  expect(gossetJson(...args, ...journal)).toEqual(direct);
  expect(pieces("importance")).toBe(drawn);
});

it("a replication that is killed goes on where it was", { timeout: 120_000 }, async () => {
  const args = ["replicate", "howcroft-figure-2", "--quiet", "--workers", "1"];
  const first = await endRun("replication", args, ["SIGKILL"]);
  expect(first.end).toEqual([null, "SIGKILL"]);
  const before = pieces("replication");
  await endRun("replication", args, ["SIGKILL"]);
  expect(pieces("replication")).toBeGreaterThan(before);
  const lines = readdirSync(at("replication")).flatMap((file) =>
    readFileSync(join(at("replication"), file), "utf8")
      .split("\n")
      .filter((line) => /^[0-9a-f]{8} .*\}$/.test(line)),
  );
  const named = lines.map((line) => {
    const { set, from } = JSON.parse(line.slice(9)) as { set: string; from: number };
    return `${set} ${from}`;
  });
  expect(new Set(named).size).toBe(named.length);
});

describe("a simulation that is ended", () => {
  const long = [...words, "--replicates", "100000"];

  it("by kill -9, then by SIGTERM, goes on to the same JSON", async () => {
    expect((await endRun("killed", long, ["SIGKILL"])).end).toEqual([null, "SIGKILL"]);
    const before = pieces("killed");
    const { end, stderr } = await endRun("killed", long, ["SIGTERM"]);
    expect(end).toEqual([143, null]);
    expect(stderr).toContain(
      `ended by SIGTERM; the replicates so far are in ${at("killed")}. To resume: gosset power means`,
    );
    expect(pieces("killed")).toBeGreaterThanOrEqual(before);
    expect(gossetJson(...long, "--journal", at("killed"))).toEqual(gossetJson(...long));
  });

  it("by Ctrl-C on threads keeps what was under way", async () => {
    const args = "power likert --items 60 --raters 6 --effect 0.1 --setting card-high --replicates 100000 --workers 2";
    const { end, stderr } = await endRun("threads", args.split(" "), ["SIGINT"]);
    expect(end).toEqual([130, null]);
    expect(stderr).toMatch(/ended by SIGINT; the replicates so far are in/);
  });
});

it("a second Ctrl-C ends at once, without waiting for the piece under way", async () => {
  const begun = at("begun");
  writeFileSync(
    at("slow.mjs"),
    `import { writeFileSync } from "node:fs";
export default {
  name: "slow", title: "slow", effect: "p", size: "n", replicates: 100,
  parameters: [{ name: "n", kind: "count", meaning: "n" }, { name: "p", kind: "share", meaning: "p" }],
  effectRange: () => ({ from: 0, to: 1 }),
  make: ({ p }) => ({ name: "slow", title: "slow", effect: p, alpha: 0.05, parameters: [], assumptions: [], diagnostics: [], analyses: ["none"],
    simulate() { writeFileSync(${JSON.stringify(begun)}, ""); for (const end = Date.now() + 40_000; Date.now() < end;); return [{ estimate: 1, significant: true }]; } }),
};
`,
  );
  const args = ["power", "module", at("slow.mjs"), "--set", "n=1", "--set", "p=0.5", "--journal", at("slow")];
  const child = spawn(process.execPath, [program, ...args], { cwd: root });
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const ended = new Promise((resolve) => child.on("close", (code, signal) => resolve([code, signal])));
  while (!existsSync(begun)) {
    expect(child.exitCode, stderr).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill("SIGINT");
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(child.exitCode).toBeNull();
  child.kill("SIGINT");
  // the first signal alone would wait, then say what was kept
  expect([await ended, stderr]).toEqual([[130, null], ""]);
});

describe("what else is kept", () => {
  const linesOf = (name: string): string[] =>
    readdirSync(at(name)).flatMap((file) =>
      readFileSync(join(at(name), file), "utf8")
        .trimEnd()
        .split("\n"),
    );

  it("sentences drawn again by from-outputs, and never those of other texts", () => {
    const texts = (bend: number) =>
      Array.from(
        { length: 40 },
        (_, i) => `the cat ${i % bend === 0 ? "sat" : "lay"} on ${i} mats near ${(i * i) % bend} old dogs of the town`,
      ).join("\n");
    for (const [name, bend] of [
      ["ref", 1],
      ["a", 2],
      ["b", 3],
      ["c", 4],
    ] as const)
      writeFileSync(at(`${name}.txt`), texts(bend));
    const args = (second: string) => [
      "power",
      "from-outputs",
      at("a.txt"),
      at(second),
      "--ref",
      at("ref.txt"),
      "--n",
      "20,30",
      "--replicates",
      "60",
    ];
    const journal = ["--journal", at("outputs")];
    const direct = gossetJson(...args("b.txt"));
    expect(gossetJson(...args("b.txt"), ...journal)).toEqual(direct);
    expect(pieces("outputs")).toBe(4);
    expect(gossetJson(...args("b.txt"), ...journal)).toEqual(direct);
    expect(pieces("outputs")).toBe(4);
    expect(gossetJson(...args("c.txt"), ...journal)).toEqual(gossetJson(...args("c.txt")));
    expect(pieces("outputs")).toBe(8);
  });

  it("models of a search for circularity", () => {
    const rows = Array.from({ length: 60 }, (_, i) => [
      i % 7,
      (i * 5) % 11,
      (i * 3) % 13,
      (i % 7) * 2 + 0.01 * (i % 3),
    ]);
    writeFileSync(at("circular.csv"), `a,b,c,target\n${rows.map((row) => row.join(",")).join("\n")}\n`);
    const args = ["validity", "circularity", at("circular.csv"), "--label", "target", "--k", "4"];
    const direct = gossetJson(...args);
    const journal = ["--journal", at("circular")];
    expect(gossetJson(...args, ...journal)).toEqual(direct);
    const kept = linesOf("circular");
    expect(kept.filter((line) => /^[0-9a-f]{8} /.test(line)).length).toBeGreaterThan(5);
    expect(gossetJson(...args, ...journal)).toEqual(direct);
    expect(linesOf("circular")).toEqual(kept);
  });

  it("nothing of other commands, which say so", () => {
    expect(gossetRefuses("compare", "x.csv", "--journal", "x")).toBe(
      "gosset: compare keeps no journal and runs in one process: the same command with the same --seed gives the same answer. See gosset compare --help\n",
    );
  });
});

describe("shards", () => {
  const whole = gossetJson(...short);

  it("are merged by the same command; part of them is a shorter run, with exit code 4", () => {
    const journal = ["--journal", at("shards")];
    expect(gosset(...short, ...journal, "--shard", "0/3").stdout).toBe(
      `shard 0 of 3: 4 pieces computed, 0 were in ${at("shards")} already\n`,
    );
    process.env["JOB_COMPLETION_INDEX"] = "1";
    const one = gosset(...short, ...journal, "--shard", "/3", "--json");
    delete process.env["JOB_COMPLETION_INDEX"];
    expect(JSON.parse(one.stdout)).toMatchObject({ kind: "shard", shard: 1, shards: 3, pieces: 4, drawn: 4, found: 0 });
    const { status, stdout } = gosset(...short, ...journal, "--partial", "--json");
    expect(status).toBe(4);
    const { partial, warnings, diagnostics, command: _, display: __, ...part } = JSON.parse(stdout);
    expect(partial).toEqual({ wanted: 600, drawn: 100, missingShards: [2] });
    expect(warnings.at(-1)).toContain("the first 100 of 600");
    expect(diagnostics.at(-1).code).toBe("Partial");
    const { warnings: _w, diagnostics: _d, display: _p, ...hundred } = gossetJson(...words, "--replicates", "100");
    expect(part).toEqual(hundred);
    expect(gossetJson(...short, ...journal)).toEqual(whole);
    expect(gossetJson(...short, ...journal, "--partial")).toEqual(whole);
  });

  it("of a grid", () => {
    const args = "curve means --test wilcoxon --over n=20,40 --delta 0.5 --replicates 100".split(" ");
    const journal = ["--journal", at("grid")];
    for (const shard of ["0/2", "1/2"]) expect(gosset(...args, ...journal, "--shard", shard).status).toBe(0);
    expect(gossetJson(...args, ...journal, "--partial")).toEqual(gossetJson(...args));
  });

  it("of the best design for a budget, not of the cheapest for a power, which is searched for", () => {
    const args =
      "design likert --effect 0.3 --setting card-low --budget 100 --cost-item 1 --cost-rater 5 --cost-rating 0.2 --raters 5,6 --ratings 3,3 --items 20,80 --replicates 100".split(
        " ",
      );
    const journal = ["--journal", at("design")];
    for (const shard of ["0/2", "1/2"]) expect(gosset(...args, ...journal, "--shard", shard).status).toBe(0);
    const drawn = pieces("design");
    expect(gossetJson(...args, ...journal, "--partial")).toEqual(gossetJson(...args));
    expect([drawn, pieces("design")]).toEqual([2, 2]);
    const searched = args.join(" ").replace("--budget 100", "--power 0.8").split(" ");
    expect(gossetRefuses(...searched, ...journal, "--shard", "0/2")).toContain(
      "--shard is not possible while searching for the cheapest design",
    );
  });

  it.each([
    [["--shard", "3/3", "--journal", "x"], /no shard 3 of 3/],
    [["--shard", "1", "--journal", "x"], /not a shard of a number of shards/],
    [["--shard", "-1/3", "--journal", "x"], /not a shard of a number of shards/],
    [["--shard", "1/0", "--journal", "x"], /not a shard of a number of shards/],
    [["--shard", "/3", "--journal", "x"], /no scheduler variable/],
    [["--shard", "0/3"], /--shard without --journal/],
    [["--partial"], /--partial without --journal/],
    [["--partial", "--shard", "0/3", "--journal", "x"], /together/],
    [["--partial", "--journal", at("nowhere")], /does not have the first experiments/],
    [["--journal", "package.json"], /is a file/],
    [["--journal", "-"], /Name a folder, such as --journal runs\/a/],
    [["--method", "approx", "--journal", "x"], /--journal has no effect: this answer is computed without simulation/],
  ] as const)("%j is refused", (args, message) => {
    expect(gossetRefuses(...short, ...args)).toMatch(message);
  });

  it("are refused where the next step depends on the last", () => {
    const shard = ["--journal", "x", "--shard", "0/2"];
    expect(gossetRefuses("mde", "means", "--n", "50", ...shard)).toMatch(/--shard is not possible in mde.*--journal/);
    expect(gossetRefuses(...words, "--precision", "0.01", ...shard)).toMatch(/not possible with --precision/);
    expect(gossetRefuses(..."power accuracy --n 99 --delta 0.1 --agreement 0.8".split(" "), ...shard)).toMatch(
      /--shard has no effect: this answer is computed without simulation/,
    );
    expect(() => readdirSync("x")).toThrow();
  });
});

it("a changed module never goes on from its old tallies, nor does one whose imports changed", () => {
  const write = (bias: number, helper: number): void => {
    writeFileSync(at("helper.mjs"), `export const extra = ${helper};\n`);
    writeFileSync(
      at("coin.mjs"),
      `import { extra } from "./helper.mjs";
export default {
  name: "coin", title: "heads", effect: "p", size: "n",
  parameters: [{ name: "n", kind: "count", meaning: "tosses" }, { name: "p", kind: "share", meaning: "chance" }],
  effectRange: () => ({ from: 0.5, to: 1 }),
  make: ({ n, p }) => ({
    name: "coin", title: "heads", effect: p - 0.5, alpha: 0.05, parameters: [], assumptions: [], diagnostics: [],
    analyses: ["z"],
    simulate(rng) {
      const share = rng.binomial(n, p + ${bias} + extra) / n;
      return [{ estimate: share - 0.5, significant: Math.abs(share - 0.5) >= 1.96 * Math.sqrt(0.25 / n) }];
    },
  }),
};
`,
    );
  };
  // a process of its own each time, since a module is loaded once
  const answer = (...more: string[]): { power: number } => {
    const set = (one: string[]): string[] => one.flatMap((text) => ["--set", text]);
    const args = ["power", "module", at("coin.mjs"), ...set(more), "--replicates", "400", "--json"];
    const { stdout } = gossetInFolder(...args, "--journal", at("coins"));
    return JSON.parse(stdout);
  };
  write(0, 0);
  const first = answer("n=100", "p=0.6");
  expect(answer("p=0.6", "n=100").power).toBe(first.power);
  expect(pieces("coins")).toBe(8);
  write(0.2, 0);
  expect(answer("n=100", "p=0.6").power).toBeGreaterThan(first.power + 0.2);
  write(0, 0.2);
  expect(answer("n=100", "p=0.6").power).toBeGreaterThan(first.power + 0.2);
  expect(pieces("coins")).toBe(24);
});

const gossetInFolder = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  return { stdout };
};

it("damaged lines are told on stderr, and not with --quiet", () => {
  gossetJson(...short, "--journal", at("damaged"));
  appendFileSync(join(at("damaged"), readdirSync(at("damaged"))[0]!), "00000000 {}\n");
  const { stdout, stderr } = gosset(...short, "--journal", at("damaged"), "--json");
  expect(stderr).toMatch(/^gosset: a line of the journal .* is damaged and not believed/);
  expect(JSON.parse(stdout).power).toBe(gossetJson(...short, "--journal", at("damaged")).power);
});

it("gosset runs lists the simulations of a journal with how far and how fast they went", () => {
  gossetJson(...short, "--journal", at("listed"));
  gosset(...words, "--replicates", "900", "--journal", at("listed"), "--shard", "1/3");
  const { runs } = gossetJson("runs", at("listed"));
  expect(runs).toHaveLength(1);
  // 12 pieces, and of the six more those of shard 1
  expect(runs[0]).toMatchObject({ scenario: "means", seed: "5", drawn: 700, unbroken: 600, writers: 2 });
  expect(runs[0].perSecond).toBeGreaterThan(0);
  expect(gossetRefuses("runs", at("none"))).toContain("no folder");
  expect(gossetRefuses("runs", "package.json")).toContain("is a file");
});

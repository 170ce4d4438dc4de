/** `gosset power`, `mde`, `size`, `curve` and the helpers that find parameters, as a user runs them. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SCENARIOS } from "../src/power/scenarios/scenarios.ts";
import { gosset, gossetJson, gossetRefuses, root } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("power");

const program = process.env.GOSSET_BIN ?? join(root, "dist/bin/gosset.js");
const hasWorker = existsSync(join(program, "..", "worker.js"));

describe("gosset power", () => {
  it("gives the known answers of Card et al.", () => {
    const small = gossetJson(..."power accuracy --n 500 --delta 0.02 --agreement 0.9 --test mcnemar-exact".split(" "));
    expect(small).toMatchObject({ kind: "power", scenario: "accuracy", method: "exact", se: 0, warnings: [] });
    expect(small.power).toBeCloseTo(0.2493694268762507, 10);
    expect(small.typeM).toBeCloseTo(1.8916613973496965, 9);
    expect(small.seed).toBeUndefined();
    const large = gossetJson(..."power accuracy --n 2000 --delta 0.02 --agreement 0.9 --test mcnemar-exact".split(" "));
    expect(large.power).toBeCloseTo(0.7914520955706973, 10);
    const votes = gossetJson("power", "preference", "--n", "100", "--win", "0.65");
    expect(votes.power).toBeCloseTo(0.8275849957487509, 10);
  });

  it("answers at 390,965 items with the unconditional test, as brute force in R does", () => {
    const oracle = JSON.parse(readFileSync(join(root, "oracle/r/mcnemar-unconditional.json"), "utf8"));
    const { power } = gossetJson(
      ..."power accuracy --n 390965 --delta 0.001 --agreement 0.94 --test mcnemar-unconditional".split(" "),
    );
    expect(power).toBeCloseTo(oracle.power, 9);
  });

  it("prints what each parameter assumes, within 80 columns", () => {
    const { stdout, status } = gosset(..."power accuracy --n 500 --delta 0.02 --agreement 0.9 --details".split(" "));
    expect(status).toBe(0);
    expect(stdout).toContain("share on which both are right or both wrong");
    expect(stdout).toContain("Type-M");
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("has a flag and its help for every parameter of every scenario", () => {
    const kebab = (name: string): string => `--${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`;
    const bare = (text: string): string => text.replace(/`([a-z0-9]+)`/gi, (_, name) => kebab(name));
    for (const { name, parameters } of SCENARIOS) {
      const help = gosset("power", name, "--help").stdout.replace(/\s+/g, " ");
      for (const { name: parameter, meaning, choices = [], default: usual } of parameters) {
        expect(help, `${name} ${parameter}`).toMatch(new RegExp(`${kebab(parameter)} (<[^>]+> )?`));
        expect(help).toContain(bare(meaning).replace('`method: "approx"`', "--method approx"));
        for (const choice of choices) expect(help).toContain(choice);
        if (typeof usual === "number") expect(help).toContain(`(default: ${usual})`);
      }
    }
  });

  it("refuses impossible input in one line with the admissible range", () => {
    const refuses = (words: string): string => gossetRefuses(...words.split(" "));
    expect(refuses("power accuracy --n 100 --delta 0.3 --agreement 0.9")).toContain(
      "Agreement can lie between 0 and 0.7.",
    );
    expect(refuses("power accuracy --n 100 --delta 0.1 --agreement 0.5 --baseline 0.85")).toContain(
      "between 0.8 and 0.9",
    );
    expect(refuses("power accuracy --n 0 --delta 0.1 --agreement 0.5")).toContain("--n 0: not a whole number");
    expect(refuses("power accuracy --n 9 --delta 0 --agreement 0.5")).toContain("--delta 0");
    expect(refuses("power accuracy --n 9 --delta 0.1")).toContain("--agreement");
    expect(refuses("power preference --n 9 --win 0.8 --tie 0.4")).toContain("win can lie between 0 and 0.6");
    expect(refuses("power unpaired --n 9 --baseline 0.9 --delta 0.2")).toContain("between -0.9 and 0.1");
    expect(refuses("power means --n 9 --delta 1 --sd -1")).toContain("--sd -1: not a number above 0");
    expect(refuses("power acuracy --n 9")).toContain('Did you mean "accuracy"?');
    expect(refuses("power means --n 9 --delta 1 --method simulation --replicates 10 --precision 0.1")).toContain(
      "--replicates and --precision",
    );
    expect(refuses("size means --delta 1 --power 1.5")).toContain("--power 1.5");
    expect(refuses("curve accuracy --over x=1,2")).toContain('no parameter "x"');
  });

  it("shows its scenarios when none is named", () => {
    const { status, stdout } = gosset("power");
    expect(status).toBe(0);
    expect(stdout).toContain("from-history");
  });
});

describe("gosset mde, size and curve", () => {
  it("finds Card et al.'s minimum detectable differences", () => {
    const { mde } = gossetJson(..."mde accuracy --n 1821 --baseline 0.972 --test mcnemar-midp".split(" "));
    expect(100 * mde).toBeCloseTo(1.02023, 4);
    const none = JSON.parse(
      gosset(..."mde accuracy --n 147 --baseline 0.945 --test mcnemar-exact --json --quiet".split(" ")).stdout,
    );
    expect(none.mde).toBe("NaN");
    expect(none.warnings.join(" ")).toContain("No possible delta");
  });

  it("finds the sizes of power.t.test", () => {
    expect(gossetJson(..."size means --delta 0.3 --design two-sample".split(" ")).n).toBe(176);
    expect(gossetJson(..."size means --delta 1 --sd 3 --power 0.9".split(" ")).n).toBe(97);
  });

  it("traces a grid", () => {
    const { points } = gossetJson(
      ..."curve accuracy --over n=500:2000:500 --over delta=0.01,0.02 --agreement 0.9".split(" "),
    );
    expect(points).toHaveLength(8);
    expect(points[1]).toMatchObject({ at: { n: 500, delta: 0.02 } });
  });
});

describe("simulation", () => {
  const words = "power means --n 60 --delta 0.35 --test wilcoxon --replicates 3000 --seed 5".split(" ");

  it.skipIf(!hasWorker)("gives the same JSON on 1, 2 and 4 workers (needs the built worker)", () => {
    const one = gossetJson(...words, "--workers", "1");
    expect(one).toMatchObject({ method: "simulation", replicates: 3000, seed: "5" });
    expect(gossetJson(...words, "--workers", "2")).toEqual(one);
    expect(gossetJson(...words, "--workers", "4")).toEqual(one);
  });
});

describe("a scenario of the user's own", () => {
  const module = join(folder, "coin.mjs");
  writeFileSync(
    module,
    `export default {
  name: "coin", title: "heads of a coin", effect: "p", size: "n",
  parameters: [{ name: "n", kind: "count", meaning: "tosses" }, { name: "p", kind: "share", meaning: "chance of heads" }],
  effectRange: () => ({ from: 0.5, to: 1 }),
  make: ({ n, p }) => ({
    name: "coin", title: "heads of a coin", effect: p - 0.5, alpha: 0.05,
    parameters: [], assumptions: [], diagnostics: [], analyses: ["three sd"],
    simulate(rng) {
      const share = rng.binomial(n, p) / n;
      return [{ estimate: share - 0.5, significant: Math.abs(share - 0.5) >= 1.96 * Math.sqrt(0.25 / n) }];
    },
  }),
};
`,
  );

  it("is simulated, and solved for its effect", () => {
    const words = ["module", module, "--set", "n=100"];
    const own = gossetJson("power", ...words, "--set", "p=0.65", "--replicates", "4000");
    const exact = gossetJson(..."power preference --n 100 --win 0.65 --test sign-normal".split(" "));
    expect(own).toMatchObject({ scenario: "coin", method: "simulation", replicates: 4000 });
    expect(Math.abs(own.power - exact.power)).toBeLessThan(4 * own.se);
    const mde = gossetJson("mde", ...words);
    const exactMde = gossetJson(..."mde preference --n 100 --test sign-normal".split(" "));
    expect(Math.abs(mde.mde - exactMde.mde)).toBeLessThan(4 * mde.se);
  });

  it("is refused where it is none", () => {
    const other = join(folder, "empty.mjs");
    writeFileSync(other, "export default { name: 'x' };");
    expect(gossetRefuses("power", "module", other)).toContain("lacks title, parameters");
    expect(gossetRefuses("power", "module", join(folder, "none.mjs"))).toContain("no file");
    expect(gossetRefuses("power", "module", module, "--set", "n=0", "--set", "p=0.6")).toContain("not a whole number");
  });
});

describe("where parameters come from", () => {
  function write(name: string, text: string): string {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  }
  const answers = (system: string, right: (i: number) => boolean): string =>
    write(
      `${system}.csv`,
      `item,system,correct\n${Array.from({ length: 200 }, (_, i) => `q${i},${system},${right(i) ? 1 : 0}`).join("\n")}\n`,
    );

  it("from-dev: difference and agreement, and no post-hoc power unless asked for", () => {
    const old = answers("old", (i) => i % 5 !== 0);
    const new_ = answers("new", (i) => i % 5 !== 0 || i % 20 === 0);
    const dev = gossetJson("power", "from-dev", old, new_);
    expect(dev.params).toMatchObject({ delta: 0.05, agreement: 0.95 });
    expect(dev.power).toBeUndefined();
    expect(dev.notes.join(" ")).toContain("post-hoc");
    expect(dev.commands[0]).toBe("gosset mde accuracy --n 200 --agreement 0.95");
    const planned = gossetJson("power", "from-dev", old, new_, "--n", "500");
    const direct = gossetJson(..."power accuracy --n 500 --delta 0.05 --agreement 0.95".split(" "));
    expect(planned.power.power).toBeCloseTo(direct.power, 9);
    const asked = JSON.parse(gosset("power", "from-dev", old, new_, "--post-hoc", "--json", "--quiet").stdout);
    expect(asked.postHoc).toBe(true);
    expect(asked.warnings.join(" ")).toContain("what the p value says");
  });

  it("from-history: the regressions of a user's table", () => {
    const rows = [
      [80, 83, 86],
      [82, 84.5, 87],
      [85, 86.9, 89],
      [88, 89, 91],
      [90, 90.8, 93],
      [84, 86.6, 88],
    ];
    const table = write("history.csv", `old,new,agree\n${rows.map((row) => row.join(",")).join("\n")}\n`);
    const plan = gossetJson(
      ..."power from-history".split(" "),
      table,
      ..."--baseline old --new new --agreement agree --at 89 --n 3000".split(" "),
    );
    expect(plan).toMatchObject({ kind: "history", comparisons: 6, percent: true });
    expect(plan.effectFit.coefficients).toHaveLength(2);
    expect(plan.delta.value).toBeGreaterThan(0.005);
    expect(plan.power.power).toBeGreaterThan(0);
    expect(gossetRefuses("power", "from-history", table, ..."--baseline old --new nwe --at 89".split(" "))).toContain(
      'Did you mean "new"?',
    );
  });

  it("no-prior: Lachenbruch's bounds", () => {
    const { rows } = gossetJson(..."power no-prior --n 1821 --baseline 0.972".split(" "));
    expect(rows.map((row: { mde: number }) => Number((100 * row.mde).toFixed(2)))).toEqual([0.43, 1.1, 1.35]);
  });
});

describe("gosset mde non-inferiority of shares", () => {
  it("was refused: the search began at a margin of 1, which is none", () => {
    const words = "mde non-inferiority --n 500 --design paired-accuracy --discordance 0.1";
    const { mde: margin } = gossetJson(...words.split(" "));
    // (z_0.95 + z_0.8) times the standard error of the difference
    expect(margin).toBeCloseTo((1.644854 + 0.841621) * Math.sqrt(0.1 / 500), 2);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gosset, gossetJson, gossetRefuses } from "./support/cli.ts";

let folder = "";
const PRICES = ["--cost-item", "1", "--cost-rater", "5", "--cost-rating", "0.2"];
const SETTING = ["--setting", "card-high"];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gosset-design-"));
  const wave = (k: number): number => Math.sin(12.9898 * (k + 1)) + Math.cos(78.233 * (k + 1));
  const lines = ["score,system,rater,item"];
  for (let k = 0; k < 12 * 20 * 2; k++) {
    const [i, r, s] = [Math.floor(k / 24), Math.floor(k / 2) % 12, k % 2];
    const slope = 0.1 * wave(i) + 0.08 * wave(100 + r);
    lines.push(
      `${(0.5 + (s - 0.5) * (0.1 + slope) + 0.15 * wave(1000 + k)).toFixed(5)},${s === 0 ? "base" : "ours"},r${r},i${i}`,
    );
  }
  writeFileSync(join(folder, "pilot.csv"), `${lines.join("\n")}\n`);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("gosset design", () => {
  it("does not take a setting beside a pilot and leave it out", () => {
    for (const command of [
      ["design", "likert", ...PRICES, "--power", "0.8"],
      ["power", "likert", "--items", "20", "--raters", "5"],
    ])
      expect(gossetRefuses(...command, "--effect", "0.3", "--pilot", join(folder, "pilot.csv"), ...SETTING)).toMatch(
        /--setting has no effect with --pilot/,
      );
  });

  it("does not call a design below the power asked for the best one: it goes on until the simulation has it, or says that it has not", () => {
    const asked = ["design", "likert", "--effect", "0.2", "--setting", "card-low", ...PRICES, "--power", "0.8"];
    // by the approximation 28 items and 6 raters have 0.801, and in the simulation less
    const found = gossetJson(...asked, "--replicates", "1000");
    expect(found.best.simulatedPower).toBeGreaterThanOrEqual(0.8);
    expect(found.missed.length).toBeGreaterThan(0);
    for (const { cost, simulatedPower } of found.missed) {
      expect(cost).toBeLessThan(found.best.cost);
      expect(simulatedPower).toBeLessThan(0.8);
    }
    const few = gosset(...asked, "--replicates", "1000", "--raters", "6,6", "--ratings", "2,2", "--items", "27,28");
    expect(few.stdout).toMatch(/less\s+than\s+the\s+0\.8\s+asked\s+for/);
    expect(few.stdout).toMatch(/Warning +the design does not have the power of 0\.8/);
    expect(few.stdout).not.toMatch(/cheapest found/);
    expect(gossetRefuses(...asked, "--shard", "0/4", "--journal", join(folder, "j"))).toMatch(
      /--shard is not possible while searching for the cheapest design/,
    );
  });

  it("spends a budget as well as it can: the documented JSON object", () => {
    const found = gossetJson(
      "design",
      "likert",
      "--effect",
      "0.3",
      ...SETTING,
      ...PRICES,
      "--budget",
      "150",
      "--replicates",
      "100",
    );
    expect(found).toMatchObject({
      kind: "design",
      seed: "1",
      scenario: "likert",
      budget: 150,
      design: "k-of-m",
      effect: 0.3,
      replicates: 100,
    });
    const { best, frontier } = found;
    expect(best.cost).toBeLessThanOrEqual(150);
    expect(best.cost).toBeCloseTo(best.items + 5 * best.raters + 0.2 * best.totalRatings, 9);
    expect(best.totalRatings).toBe(2 * best.items * best.ratings);
    expect(Math.abs(best.simulatedPower - best.power)).toBeLessThan(4 * best.se + 0.02);
    expect(frontier.at(-1).power).toBeCloseTo(best.power, 3);
  });

  it("prints the frontier and the sentence for the paper, within 80 columns", () => {
    const { stdout, status } = gosset(
      "design",
      "likert",
      "--effect",
      "0.3",
      ...SETTING,
      ...PRICES,
      "--power",
      "0.8",
      "--replicates",
      "100",
      "--details",
    );
    expect(status).toBe(0);
    expect(stdout).toContain("Best design by cost");
    expect(stdout).toContain("For the paper: We compare the systems on");
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("takes the standard deviations from a pilot", () => {
    const found = gossetJson(
      "design",
      "likert",
      "--effect",
      "0.2",
      "--pilot",
      join(folder, "pilot.csv"),
      ...PRICES,
      "--budget",
      "200",
      "--replicates",
      "100",
    );
    const of = (name: string) => found.parameters.find((parameter: { name: string }) => parameter.name === name).value;
    expect(of("raterSlope")).toBeGreaterThan(0.005);
    expect(of("residual")).toBeGreaterThan(0.1);
    expect(found.notes.join(" ")).toContain("not used as the effect");
  });

  it("gives the same digits again", () => {
    const args = [
      "design",
      "likert",
      "--effect",
      "0.3",
      ...SETTING,
      ...PRICES,
      "--budget",
      "150",
      "--replicates",
      "120",
      "--seed",
      "x",
    ];
    expect(gossetJson(...args)).toEqual(gossetJson(...args, "--workers", "1"));
  });

  it.each([
    [["--budget", "20"], "cheapest within the limits costs"],
    [["--budget", "100", "--power", "0.8"], "one of them"],
    [[], "one of them"],
    [["--budget", "100", "--cost-item", "-1"], "not a price"],
    [["--budget", "100", "--item-slope", "-0.1"], "cannot be below 0"],
    [["--budget", "100", "--raters", "5"], "least,most"],
    [["--power", "0.99", "--raters", "5,6"], "no design within the limits"],
    [["--budget", "100", "--pilot", "nowhere.csv"], "nowhere.csv"],
  ])("refuses %j in one line", (args, words) => {
    expect(gossetRefuses("design", "likert", "--effect", "0.2", ...SETTING, ...PRICES, ...args)).toContain(words);
  });
});

describe("gosset power with raters, corpus scores and F1", () => {
  it("knows the scenarios of Card et al. and Howcroft & Rieser", () => {
    const bleu = gossetJson(
      "power",
      "bleu",
      "--n",
      "2000",
      "--delta",
      "1",
      "--p0",
      "0.13",
      "--b0",
      "25.8",
      "--method",
      "approx",
    );
    expect(bleu).toMatchObject({ kind: "power", scenario: "bleu", method: "approx" });
    expect(bleu.power).toBeCloseTo(0.7467, 4);
    const likert = ["power", "likert", "--items", "100", "--raters", "3", ...SETTING, "--method", "approx"];
    expect(gossetJson(...likert, "--effect", "0.2").power).toBe(gossetJson(...likert, "--beta", "0.1").power);
    const ordinal = [
      "power",
      "ordinal",
      "--items",
      "50",
      "--ratings",
      "3",
      "--per-rater",
      "20",
      "--setting",
      "howcroft-general",
      "--method",
      "approx",
    ];
    const weak = gossetJson(...ordinal, "--effect", "0.155").power;
    expect(gossetJson(...ordinal, "--effect", "0.62").power).toBeGreaterThan(weak + 0.3);
  });

  it("says which effect is meant, and flags the z test of three raters", () => {
    const { stdout } = gosset(
      "power",
      "likert",
      "--items",
      "100",
      "--raters",
      "3",
      "--beta",
      "0.1",
      ...SETTING,
      "--method",
      "approx",
      "--test",
      "z",
      "--details",
    );
    expect(stdout).toContain("half of it");
    expect(stdout).toMatch(/Warning: the false-positive rate of the test is 2\d\.\d %/);
  });

  it.each([
    [["likert", "--items", "100", "--raters", "3", "--ratings", "5", "--effect", "0.2", ...SETTING], "1 to 3"],
    [
      ["likert", "--items", "100", "--raters", "3", "--effect", "0.2", ...SETTING, "--residual", "-1"],
      "cannot be below 0",
    ],
    [["bleu", "--n", "2000", "--delta", "1", "--p0", "1"], "below 1"],
    [
      [
        "head-to-head",
        "--items",
        "9",
        "--raters",
        "3",
        "--win",
        "0.7",
        "--tie",
        "0.4",
        "--rater-sd",
        "0",
        "--item-sd",
        "0",
      ],
      "between 0 and 0.6",
    ],
  ])("refuses %j in one line", (args, words) => {
    expect(gossetRefuses("power", ...args)).toContain(words);
  });
});

describe("parameters from data", () => {
  it("of a pilot go to power, mde and size alike; what is given by hand wins", () => {
    const pilot = ["likert", "--raters", "8", "--method", "approx", "--pilot", join(folder, "pilot.csv")];
    const { power, notes } = gossetJson("power", ...pilot, "--items", "60", "--effect", "0.2");
    expect(notes.join(" ")).toContain("not used as the effect");
    const { mde } = gossetJson("mde", ...pilot, "--items", "60", "--power", String(power));
    expect(mde).toBeCloseTo(0.2, 4);
    const noisy = gossetJson("power", ...pilot, "--items", "60", "--effect", "0.2", "--residual", "2");
    expect(noisy.power).toBeLessThan(power);
  });

  it("of a pilot need columns that exist", () => {
    const args = [
      "power",
      "likert",
      "--items",
      "9",
      "--raters",
      "3",
      "--effect",
      "1",
      "--pilot",
      join(folder, "pilot.csv"),
    ];
    expect(gossetRefuses(...args, "--columns", "score=grade")).toContain('no column "grade"');
    expect(gossetRefuses(...args, "--systems", "base,other")).toContain('no system "other"');
  });

  it("of two systems' texts: P0 and b0, and the power of the sentences drawn again", () => {
    const words = "the a cat dog sat ran on under mat house red blue big small today now".split(" ");
    const pick = (k: number): string => words[Math.floor(Math.abs(Math.sin(k * 7.13) * 1e4)) % words.length]!;
    const reference = Array.from({ length: 150 }, (_, i) => Array.from({ length: 12 }, (__, j) => pick(100 * i + j)));
    const noisy = (every: number, shift: number): string =>
      reference
        .map((line, i) => line.map((word, j) => ((i * 12 + j + shift) % every === 0 ? "zzz" : word)).join(" "))
        .join("\n");
    writeFileSync(join(folder, "ref.txt"), `${reference.map((line) => line.join(" ")).join("\n")}\n`);
    writeFileSync(join(folder, "base.txt"), `${noisy(11, 3)}\n`);
    writeFileSync(join(folder, "ours.txt"), `${noisy(17, 0)}\n`);
    const files = [join(folder, "base.txt"), join(folder, "ours.txt"), "--ref", join(folder, "ref.txt")];
    const found = gossetJson("power", "from-outputs", ...files, "--n", "150,600", "--replicates", "60");
    expect(found).toMatchObject({ kind: "from-outputs", n: 150, metric: "BLEU", systems: ["base", "ours"] });
    expect(found.delta).toBeGreaterThan(5);
    expect(found.additivity.correlation).toBeGreaterThan(0.98);
    expect(found.plans.map(({ n }: { n: number }) => n)).toEqual([150, 600]);
    expect(found.plans[1].resampledPower).toBeGreaterThan(0.9);
    expect(gossetRefuses("power", "from-outputs", files[1]!, files[1]!, ...files.slice(2))).toContain(
      "no sentence changes the score",
    );
  });
});

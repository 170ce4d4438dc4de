/** `gosset power|mde|size|curve|design seeds`, odds ratios and priors: what is answered, and what is said about wrong calls. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRng } from "../src/numeric/rng.ts";
import { gossetJson, gossetRefuses } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("seeds");

const rng = makeRng(3);
const PILOT = join(folder, "runs.csv");
const rows = ["old", "new"].flatMap((system) =>
  Array.from({ length: 5 }, (_, seed) => {
    const run = 0.05 * rng.normal();
    return Array.from(
      { length: 40 },
      (_, i) => `${system},${seed},i${i},${(Math.sin(i) + run + 0.3 * rng.normal()).toFixed(4)}`,
    );
  }).flat(),
);
writeFileSync(PILOT, `${["system,seed,item,score", ...rows].join("\n")}\n`);

const SDS = ["--seed-sd", "0.01", "--item-sd", "0.3", "--run-item-sd", "0.2"];

describe("seeds and items", () => {
  it("power, mde, size and curve agree with each other", () => {
    const size = gossetJson("size", "seeds", "--seeds", "8", "--delta", "0.03", ...SDS);
    const at = gossetJson("power", "seeds", "--seeds", "8", "--items", String(size.n), "--delta", "0.03", ...SDS);
    expect(at.power).toBe(size.power);
    const { n: seeds } = gossetJson(
      "size",
      "seeds",
      "--for",
      "seeds",
      "--items",
      String(size.n),
      "--delta",
      "0.03",
      ...SDS,
    );
    expect(seeds).toBe(8);
    const { mde } = gossetJson("mde", "seeds", "--seeds", "8", "--items", String(size.n), ...SDS);
    expect(mde).toBeCloseTo(0.03, 4);
    const design = gossetJson(
      "design",
      "seeds",
      "--delta",
      "0.03",
      ...SDS,
      "--power",
      "0.8",
      "--cost-run",
      "1",
      "--seeds",
      "8,8",
    );
    expect(design).toMatchObject({ kind: "seed-design", best: { seeds: 8, items: size.n } });
  });

  it("variances from a pilot, without its difference", () => {
    const own = gossetJson("power", "seeds", "--pilot", PILOT, "--items", "100", "--seeds", "5", "--delta", "0.1");
    const value = (name: string) => own.parameters.find((p: { name: string }) => p.name === name).value;
    expect(value("runItemSd")).toBeGreaterThan(0.25);
    expect(value("runItemSd")).toBeLessThan(0.35);
    expect(own.effect).toBe(0.1);
    expect(own.notes.join(" ")).toContain("pilot's own difference");
  });
});

describe("classes and scales", () => {
  it("from-dev with macro F1, and scales compared in one call", () => {
    const args = ["examples/data/labels.csv", "--gold", "label", "--pred", "model_a,model_b", "--n", "60"];
    const own = gossetJson("power", "from-dev", ...args, "--metric", "macro-f1");
    expect(own).toMatchObject({ kind: "power", scenario: "f1", method: "simulation" });
    const rated = [
      "--items",
      "20",
      "--raters",
      "5",
      "--effect",
      "0.5",
      "--setting",
      "howcroft-low",
      "--method",
      "approx",
    ];
    const { kind, points } = gossetJson("power", "ordinal", ...rated, "--effect-unit", "steps", "--points", "2,3,5,7");
    expect([kind, points.length]).toEqual(["curve", 4]);
    expect(points[3].power).toBeGreaterThan(points[0].power);
  });
});

describe("odds ratio and prior", () => {
  it("are taken and given", () => {
    const own = gossetJson(
      "power",
      "accuracy",
      "--n",
      "500",
      "--odds-ratio",
      "1.5",
      "--discordant",
      "0.1",
      "--prior",
      "0.2",
    );
    expect(own.power).toBeCloseTo(
      gossetJson("power", "accuracy", "--n", "500", "--delta", "0.02", "--agreement", "0.9").power,
      12,
    );
    expect(own.ppv.ppv).toBeCloseTo((own.power * 0.25) / (own.power * 0.25 + 0.05), 12);
  });
});

describe("twenty wrong calls", () => {
  const BASE = ["seeds", "--items", "100", "--seeds", "5", "--delta", "0.1"];
  const ODDS = ["accuracy", "--n", "100"];
  const WRONG: readonly (readonly [string, readonly string[], string])[] = [
    ["power", [...BASE, "--item-sd", "0.3"], "needs --seed-sd"],
    ["power", [...BASE, "--seed-sd", "0.1"], "needs --item-sd"],
    ["power", [...BASE, ...SDS, "--seeds", "1"], "--seeds 1"],
    ["power", [...BASE, ...SDS, "--items", "1"], "--items 1"],
    ["power", [...BASE, ...SDS, "--seeds", "2.5"], "--seeds 2.5"],
    ["power", [...BASE, ...SDS, "--delta", "0"], "--delta 0"],
    ["power", [...BASE, "--seed-sd", "-1", "--item-sd", "1"], "cannot be below 0"],
    ["power", [...BASE, ...SDS, "--test-set", "mine"], "--test-set mine"],
    ["power", [...BASE, ...SDS, "--prior", "0"], "--prior 0"],
    ["power", [...BASE, ...SDS, "--bias", "0.1"], "--bias without --prior"],
    ["power", [...BASE, ...SDS, "--prior", "0.1", "--bias", "-1"], "bias = -1"],
    ["power", [...BASE, ...SDS, "--prior", "0.1", "--teams", "0"], "--teams 0"],
    ["size", ["seeds", "--for", "runs", "--delta", "0.1", ...SDS], "--for runs"],
    ["size", ["seeds", "--items", "10", "--seeds", "5", "--delta", "0.1", ...SDS], "--items 10 is given"],
    ["size", ["seeds", "--seeds", "2", "--delta", "0.005", ...SDS], "seeds"],
    ["mde", [...BASE, ...SDS], "--delta 0.1 is given"],
    ["design", ["seeds", "--delta", "0.1", ...SDS, "--power", "0.8"], "nothing has a price"],
    ["design", ["seeds", "--delta", "0.1", ...SDS, "--cost-run", "1"], "neither"],
    ["design", ["seeds", "--delta", "0.1", ...SDS, "--cost-run", "x", "--power", "0.8"], "--cost-run x"],
    [
      "design",
      ["seeds", "--delta", "0.1", ...SDS, "--cost-run", "1", "--power", "0.8", "--seeds", "9,3"],
      "seeds from 9 to 3",
    ],
    ["design", ["seeds", "--delta", "0.1", ...SDS, "--cost-run", "9", "--budget", "1"], "buys no plan"],
    ["power", [...BASE, "--pilot", "/nowhere.csv"], "nowhere.csv"],
    ["power", [...BASE, "--pilot", PILOT, "--columns", "seed=run"], 'no column "run"'],
    ["power", [...ODDS, "--odds-ratio", "1.5"], "--discordant"],
    ["power", [...ODDS, "--odds-ratio", "1.5", "--discordant", "0.1", "--delta", "0.1"], "both given"],
    ["power", [...ODDS, "--delta", "0.02", "--agreement", "0.9", "--discordant", "0.1"], "both given"],
    ["power", [...ODDS, "--odds-ratio", "0", "--discordant", "0.1"], "--odds-ratio 0"],
    ["power", [...ODDS, "--odds-ratio", "1", "--discordant", "0.1"], "--delta 0"],
    ["power", [...ODDS, "--odds-ratio", "2", "--discordant", "1.5"], "--discordant 1.5"],
    ["power", ["f1", "--n", "100", "--metric", "macro-f1"], "joint table"],
    ["power", ["f1", "--n", "100", "--metric", "macro-f1", "--cells", "a>b:1"], "is none"],
    ["power", ["f1", "--n", "100", "--metric", "recall", "--cells", "a>a>b:1;b>b>b:1"], "recall with cells"],
    ["power", ["from-dev", PILOT, "--metric", "macro-f1"], "--gold"],
    ["power", ["from-dev", PILOT, "--metric", "macro-f1", "--gold", "x", "--pred", "a,b", "--n", "9"], 'no column "x"'],
    [
      "power",
      ["ordinal", "--items", "20", "--raters", "5", "--effect", "0.5", "--setting", "howcroft-low", "--points", "2,x"],
      "points=x",
    ],
    [
      "power",
      [
        "ordinal",
        "--items",
        "20",
        "--raters",
        "5",
        "--effect",
        "0.5",
        "--setting",
        "howcroft-low",
        "--effect-unit",
        "cm",
      ],
      "cm",
    ],
    ["mde", [...ODDS, "--odds-ratio", "2", "--discordant", "0.1"], "both given"],
  ];
  it.each(WRONG)("%s %j", (verb, args, message) => {
    const told = gossetRefuses(verb, ...args);
    expect(told.trim().split("\n")).toHaveLength(1);
    expect(told).toContain(message);
  });
});

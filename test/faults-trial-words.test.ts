/** Raters in words, and votes of two by their names: what the sheets said and the answers did not. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gosset, gossetJson } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("trial-words");

function file(name: string, rows: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${rows.join("\n")}\n`);
  return path;
}

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
/** A step of five for each item and rater: the raters differ by a step now and then. */
const stepAt = (i: number, r: number): number =>
  Math.min(4, Math.max(0, ((i * 7) % 5) + ((i + r) % 3 === 0 ? 1 : 0) - ((i + 2 * r) % 7 === 0 ? 2 : 0)));
const AGREEMENT = ["Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree"];
const NUMBERED = ["1 - Very poor", "2 - Poor", "3 - Fair", "4 - Good", "5 - Excellent"];

const sheet = (name: string, raters: readonly string[], words: readonly (string | number)[]): string =>
  file(name, [
    `doc_id,system,${raters.join(",")}`,
    ...times(80, (i) =>
      [`doc${i >> 1}`, i % 2 === 0 ? "SysA" : "SysB", ...raters.map((_, r) => words[stepAt(i, r)])].join(","),
    ),
  ]);

interface Agreement {
  readonly labels: readonly string[];
  readonly alpha: { readonly value: number; readonly scale: string };
}
const few = ["--replicates", "0"];
const alphaOf = (...args: string[]): Agreement => gossetJson("agreement", ...args, ...few) as unknown as Agreement;

describe("--raters forgot the order of words, which were nominal or in that of the alphabet", () => {
  const initials = ["R1", "R2", "R3", "R4"];
  const truth = alphaOf(sheet("numbers.csv", initials, [1, 2, 3, 4, 5]), "--raters", initials.join(","));

  it.each([
    ["agreement", AGREEMENT],
    ["numbered", NUMBERED],
  ])("%s: α is that of the numbers on every path", (name, words) => {
    const path = sheet(`${name}.csv`, initials, words);
    const paths = [[], ["--raters", initials.join(",")], ["--raters", initials.join(","), "--scale", "ordinal"]];
    for (const flags of paths) {
      const { alpha } = alphaOf(path, ...flags);
      expect(alpha.scale).toBe("ordinal");
      expect(alpha.value).toBeCloseTo(truth.alpha.value, 12);
    }
    expect(gosset("agreement", path, "--raters", initials.join(","), ...few).stdout).toMatch(/read in their\s+order/);
    expect(alphaOf(path, "--raters", initials.join(","), "--scale", "nominal").alpha.scale).toBe("nominal");
  });

  it("labels in three spellings are one level, also where every column is named", () => {
    const spell = (word: string, i: number): string =>
      i % 3 === 0 ? word : i % 3 === 1 ? word.toLowerCase() : word.toUpperCase();
    const path = file("spellings.csv", [
      "item,rater,response",
      ...times(80, (i) => initials.map((rater, r) => `${i},${rater},${spell(AGREEMENT[stepAt(i, r)]!, i + r)}`)).flat(),
    ]);
    for (const flags of [[], ["--item", "item", "--rater", "rater", "--label", "response"]]) {
      const { labels, alpha } = alphaOf(path, ...flags);
      expect([alpha.scale, labels.length]).toEqual(["ordinal", 5]);
      expect(alpha.value).toBeCloseTo(truth.alpha.value, 12);
    }
  });

  it("letters and words without an order stay nominal", () => {
    for (const words of [
      ["A", "B", "C", "D", "F"],
      ["cat", "dog", "bird", "fish", "cow"],
    ]) {
      const path = sheet(`${words[0]}.csv`, ["ann", "bob"], words);
      expect(alphaOf(path, "--raters", "ann,bob").alpha.scale).toBe("nominal");
    }
  });
});

describe("R1 … R4 with words were metrics, of which the first was compared", () => {
  it("they are raters as with numbers", () => {
    const words = gossetJson("compare", sheet("raters.csv", ["J1", "J2", "J3"], NUMBERED)) as { diagnostics: unknown };
    expect(JSON.stringify(words)).toContain("one column for each rater");
    const { stdout: out } = gosset("compare", sheet("raters.csv", ["J1", "J2", "J3"], NUMBERED));
    expect(out).toContain("by rating");
    expect(out).not.toMatch(/by J1|higher J1/);
  });
  it("agreement with a statement is not called better by a name that the file does not have", () => {
    const { stdout: out } = gosset("compare", sheet("statements.csv", ["R1", "R2", "R3"], AGREEMENT));
    expect(out).toContain("nothing says whether a higher response is better");
    expect(out).toContain("one column for each rater");
  });
  it("a pilot of such a sheet is taken", () => {
    const raters = ["R1", "R2", "R3"];
    const step = (i: number, r: number): number => Math.floor(5 * Math.abs(Math.sin(12.9 * i + 78.2 * r + 3)));
    const path = file("pilot.csv", [
      `doc_id,system,${raters.join(",")}`,
      ...times(80, (i) => `doc${i >> 1},${"AB"[i % 2]},${raters.map((_, r) => AGREEMENT[step(i, r)]).join(",")}`),
    ]);
    const flags = ["--items", "40", "--raters", "3", "--method", "approx"];
    const { stdout, stderr } = gosset("mde", "likert", "--pilot", path, ...flags);
    expect(stderr).not.toContain("which column is the rater");
    expect(stdout).toContain("smallest true difference");
  });
});

describe("votes by the names of two systems", () => {
  it("a sheet of Ours, Baseline and Tie was a score that is not numeric", () => {
    const vote = (i: number, r: number): string => ["Ours", "Tie", "Ours", "Baseline"][(i * 3 + r + (i >> 2)) % 4]!;
    const path = file("sheet.csv", [
      "Question,Rater 1,Rater 2,Rater 3",
      ...times(40, (i) => `${i},${vote(i, 0)},${vote(i, 1)},${vote(i, 2)}`),
    ]);
    const { stdout: out } = gosset("compare", path, "--baseline", "Baseline");
    const votes = times(40, (i) => [0, 1, 2].map((r) => vote(i, r))).flat();
    const won = votes.reduce((sum, one) => sum + (one === "Ours" ? 1 : one === "Tie" ? 0.5 : 0), 0);
    expect(out).toMatch(new RegExp(`Ours +${((100 * won) / votes.length).toFixed(1).replace(".", "\\.")}`));
    expect(out).not.toContain("does not say whose");
  });
  it.each([
    ["win, tie, loss", ["win", "tie", "loss"]],
    ["entailment, neutral, contradiction", ["entailment", "neutral", "contradiction"]],
  ])("%s are no names of systems", (name, words) => {
    const path = file(`${name}.csv`, [
      "Question,Rater 1,Rater 2,Rater 3",
      ...times(40, (i) => `${i},${[0, 1, 2].map((r) => words[(i * 5 + r * (i % 2)) % 3]).join(",")}`),
    ]);
    expect(gosset("compare", path).stdout).not.toMatch(/win share/);
  });

  const battles = (name: string, systems: readonly string[], winner: (a: string, b: string, i: number) => string) =>
    file(name, [
      "item,rater,system_a,system_b,winner",
      ...times(120, (i) => {
        const a = systems[i % systems.length]!;
        const b = systems[(i + 1 + ((i >> 3) % (systems.length - 1))) % systems.length]!;
        return `${i >> 1},r${i % 2},${a},${b},${winner(a, b, i)}`;
      }),
    ]);
  it("systems A and B in columns of their own: that the file does not say whose is false; it is asked which was meant", () => {
    const path = battles("ab.csv", ["A", "B"], (_a, _b, i) => (i % 9 === 0 ? "tie" : i % 3 === 0 ? "B" : "A"));
    const { stdout: out, stderr: err } = gosset("compare", path);
    expect(out).toBe("");
    expect(err).toContain("winner says A or B, which may be the system or the side");
  });
  it("four systems A to D and votes for side A or B: in some rows no system is called so", () => {
    // the first side wins in two of three votes, whoever stands there
    const path = battles("sides.csv", ["A", "B", "C", "D"], (_a, _b, i) => (i % 3 === 0 ? "B" : "A"));
    const { stdout: out, stderr: err } = gosset("compare", path, "--details");
    expect((out + err).replace(/\s+/g, " ")).toContain("winner says the side, not the system of that name");
  });
  it("a rating from -2 to 2 between two systems was called one system only", () => {
    const path = file("graded.csv", [
      "item,rater,model_a,model_b,rating",
      ...times(90, (i) => `${i},r${i % 3},ours,base,${((i * 7) % 5) - 2}`),
    ]);
    const { stderr: err } = gosset("compare", path);
    expect(err).toContain("nothing says whom more than 0 prefers");
    expect(err).not.toContain("one system only");
  });
});

/** `gosset fit clm --structure | --nominal | --scale`: VGAM's and ordinal's numbers from a file, and what is said about wrong calls. */
import { describe, expect, it } from "vitest";
import { gosset, gossetJson, gossetRefuses } from "./support/cli.ts";
import { expectClose, readOracle } from "./support/oracle.ts";

const { cases } = readOracle("next/ordinal-families.json");
const expectedOf = (id: string) => cases.find((own) => own.id === id)!.expected;
const data = (name: string): string => `oracle/next/data/${name}.csv`;
const LEVELS: Readonly<Record<string, readonly string[]>> = {
  rate1: ["--ordered", "rating=1,2,3,4,5", "--levels", "system=A,B,C", "--levels", "domain=news,chat"],
  rate2: ["--ordered", "rating=1,2,3,4", "--levels", "system=base,new", "--levels", "domain=news,chat"],
  rate3: [
    "--ordered",
    "rating=1,2,3,4",
    "--levels",
    "system=A,B",
    "--levels",
    "domain=news,chat",
    "--weights",
    "count",
  ],
};

interface Row {
  readonly term?: string;
  readonly name?: string;
  readonly estimate: number;
  readonly se: number;
}

describe("structures, nominal and scale effects", () => {
  const CALLS: readonly (readonly [id: string, data: string, formula: string, flags: readonly string[]])[] = [
    ["acat-rate1", "rate1", "rating ~ system + z", ["--structure", "adjacent"]],
    ["acat-nonparallel-rate2", "rate2", "rating ~ 1", ["--structure", "adjacent", "--nominal", "~ system + z"]],
    ["cratio-probit-rate1", "rate1", "rating ~ system + z", ["--structure", "continuation", "--link", "probit"]],
    ["cratio-reverse-rate2", "rate2", "rating ~ system + z", ["--structure", "continuation", "--reverse"]],
    ["sratio-weights-rate3", "rate3", "rating ~ system + domain", ["--structure", "stopping"]],
    ["clm-scale-logit-rate2", "rate2", "rating ~ system + z", ["--scale", "~ system"]],
    ["clm-scale-nominal-rate1", "rate1", "rating ~ system", ["--scale", "~ system", "--nominal", "~ domain"]],
    ["clm-nominal-weights-rate3", "rate3", "rating ~ system", ["--nominal", "~ domain"]],
  ];
  it.each(CALLS)("%s", (id, name, formula, flags) => {
    const { coefficients, loglik, nobs } = expectedOf(id);
    const own = gossetJson("fit", "clm", formula, data(name), ...LEVELS[name]!, ...flags);
    const rows = [...own.thresholds, ...own.fixed, ...own.scale] as Row[];
    expect(own.kind).toBe("clm");
    expect(own.nobs).toBe(nobs);
    expectClose([own.logLik], [loglik], { tolerance: 1e-9 });
    expect(rows.map((row) => row.term ?? row.name)).toEqual(coefficients.names);
    expectClose(
      rows.map((row) => row.estimate),
      coefficients.estimate,
      { tolerance: 1e-6, floor: 1e-3 },
    );
    expectClose(
      rows.map((row) => row.se),
      coefficients.se ?? coefficients.se_expected_information,
      { tolerance: 1e-6 },
    );
  });

  it("--structure cumulative alone is the plain clm", () => {
    const args = ["fit", "clm", "rating ~ system", data("rate1"), ...LEVELS["rate1"]!] as const;
    const plain = gossetJson(...args);
    expect(gossetJson(...args, "--structure", "cumulative").fixed).toEqual(plain.fixed);
  });

  it("says which way an effect goes", () => {
    const text = (...flags: string[]) =>
      gosset("fit", "clm", "rating ~ system", data("rate1"), ...LEVELS["rate1"]!, ...flags).stdout;
    expect(text("--structure", "stopping")).toContain("A positive effect moves ratings down.");
    expect(text("--structure", "stopping", "--reverse")).toContain("A positive effect moves ratings up.");
    expect(text("--structure", "continuation")).toContain("A positive effect moves ratings up.");
  });
});

describe("twenty wrong calls", () => {
  const F = "rating ~ system";
  const WRONG: readonly (readonly [readonly string[], string])[] = [
    [[F, "--structure", "sequential"], "sequential"],
    [[F, "--structure", "adjacent", "--link", "probit"], "no probit link"],
    [[F, "--structure", "adjacent", "--link", "log"], "'--link <link>' argument 'log' is invalid"],
    [[F, "--structure", "stopping", "--scale", "~ system"], "no scale effects"],
    [[F, "--structure", "continuation", "--scale", "~ z"], "--scale"],
    [[F, "--structure", "stopping", "--threshold", "equidistant"], "no equidistant thresholds"],
    [[F, "--nominal", "~ domain", "--threshold", "symmetric"], "nominal effects with symmetric"],
    [[F, "--reverse"], "--reverse"],
    [[F, "--information", "expected"], "--information"],
    [[F, "--structure", "stopping", "--information", "both"], "both"],
    [[F, "--scale", "rating ~ system"], "has a response"],
    [[F, "--scale", "~ 1"], "has no terms"],
    [[F, "--nominal", "~ (1 | domain)"], "more than fixed terms"],
    [[F, "--nominal", "~ sytem"], "sytem"],
    [[F, "--scale", "~ sytem"], "sytem"],
    [[F, "--scale", "~ system +"], "found the end of the text"],
    [[F, "--scale", "~ system", "--intervals", "profile"], "--intervals profile"],
    [["rating ~ system + (1 | domain)", "--structure", "stopping"], "random effect"],
    [["rating ~ s(z)", "--structure", "stopping"], "smooth"],
    [["z ~ system", "--structure", "adjacent"], "different values"],
    [[F, "--structure", "stopping", "--weights", "nothing"], "nothing"],
  ];
  it.each(WRONG)("fit clm %j", ([formula, ...flags], message) => {
    const told = gossetRefuses("fit", "clm", formula!, data("rate1"), ...flags);
    expect(told.trim().split("\n")).toHaveLength(1);
    expect(told).toContain(message);
  });
});

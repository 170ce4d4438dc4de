/** `gosset validity circularity` and `gosset validity audit` as a user runs them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeRng } from "../src/numeric/rng.ts";
import { gosset, gossetJson, gossetRefuses } from "./support/cli.ts";

let folder = "";
const path = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gosset-circularity-"));
  const rng = makeRng(3);
  const lines = ["patient_id,bili,asat,ward,target,pred_rule,pred_free,flat,empty"];
  for (let i = 0; i < 400; i++) {
    const bili = Number((15 * rng.uniform() ** 2).toFixed(1));
    const asat = Number((8 * bili + 100 * rng.uniform()).toFixed(0));
    const target = Number(bili > 1.2) + Number(bili > 2) + Number(bili > 6);
    const rule = (target + 0.05 * rng.normal()).toFixed(4);
    const free = rng.normal().toFixed(4);
    lines.push([i, bili, asat, i % 2 === 0 ? "north" : "south", target, rule, free, 7, ""].join());
  }
  writeFileSync(path("sofa.csv"), `${lines.join("\n")}\n`);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("gosset validity circularity", () => {
  it("runs the ablation through a learner, built in or a command", () => {
    const call = ["validity", "circularity", path("sofa.csv"), "--label", "target", "--features", "bili,asat"];
    const excluded = ["--exclude", "patient_id,pred_rule,pred_free,flat,empty,ward"];
    const own = gossetJson(...call, ...excluded, "--learner", "stumps", "--ablate", "zero,permute");
    expect(own.ablation.map(({ way }: { way: string }) => way)).toEqual(["zero", "permute"]);
    for (const { before, after, n } of own.ablation) {
      expect([before > 0.9, after < 0.5, n]).toEqual([true, true, 80]);
    }
    // reads the rule from bili alone; an empty cell counts as 0
    writeFileSync(
      path("rule.mjs"),
      `import { readFileSync, writeFileSync } from "node:fs";
const [head, ...rows] = readFileSync(process.argv[3], "utf8").trimEnd().split("\\n").map((line) => line.split(","));
const at = head.indexOf("bili");
const grade = (v) => Number(v > 1.2) + Number(v > 2) + Number(v > 6);
writeFileSync(process.argv[4], ["prediction", ...rows.map((row) => grade(Number(row[at])))].join("\\n"));
`,
    );
    const command = `node ${path("rule.mjs")} {train} {test} {out}`;
    const run = gossetJson(
      ...call,
      ...excluded,
      "--learner",
      command,
      "--ablate",
      "zero,leave-out",
      "--test",
      path("sofa.csv"),
    );
    expect(run.ablation.map(({ before, n }: { before: number; n: number }) => [before, n])).toEqual([
      [1, 400],
      [1, 400],
    ]);
    // grade 0 everywhere, whichever way
    expect(run.ablation[0].after).toBeLessThan(0);
    expect(run.ablation[1].after).toBe(run.ablation[0].after);
  });

  it("names the set, the rule and what is left of the other features", () => {
    const found = gossetJson(
      ...["validity", "circularity", path("sofa.csv"), "--label", "target"],
      ...["--predictions", "pred_rule,pred_free", "--exclude", "patient_id"],
    );
    expect(found).toMatchObject({ kind: "circularity", verdict: "circular", circular: ["bili"], role: "annotation" });
    expect(found.rule.steps[0].thresholds.map((t: { value: number }) => t.value)).toEqual([1.2, 2, 6]);
    expect(found.predictions.map((p: { verdict: string }) => p.verdict)).toEqual(["circular", "not circular"]);
    const asat = found.features.find((f: { feature: string }) => f.feature === "asat");
    expect(asat).toMatchObject({ candidate: true, inSet: false, state: "nullified" });
    expect(asat.after.value).toBeLessThan(0.1 * asat.before.value);
    expect(found.leftOut.map((l: { name: string; reason: string }) => `${l.name} ${l.reason}`)).toEqual([
      "flat constant",
      "empty missing",
    ]);
  });

  it("gives the same digits on one thread and on two", () => {
    const run = (workers: string) => {
      const args = ["validity", "circularity", path("sofa.csv"), "--label", "target", "--features", "bili,asat"];
      return gossetJson(...args, "--workers", workers);
    };
    expect(run("2")).toEqual(run("1"));
  });

  it("prints a verdict that fits a terminal", () => {
    const { stdout, status } = gosset(
      "validity",
      "circularity",
      path("sofa.csv"),
      "--label",
      "target",
      "--features",
      "bili,asat",
    );
    expect(status).toBe(0);
    expect(stdout).toContain("target: CIRCULAR in {bili}");
    expect(stdout).toContain("0 for bili ≤ 1.2, 1 for > 1.2");
    expect(stdout.split("\n").every((line) => line.length <= 80)).toBe(true);
  });

  it.each([
    [["--label", "target", "--test", "x.csv"], /--test has no effect without --learner/],
    [["--label", "target", "--ablate", "zero"], /--ablate has no effect without --learner/],
    [["--label", "target", "--learner", "gam", "--ablate", "nothing"], /--ablate.* nothing/],
    [["--label", "target", "--learner", "gamm"], /Did you mean "gam"/],
    [["--label", "target", "--learner", "python x {train}"], /needs \{test\}/],
    [["--predictions", "pred_rule", "--learner", "gam"], /--learner has no effect without --label/],
    [["--label", "target", "--learner", "gam", "--timeout", "soon"], /--timeout/],
    [["--label", "target", "--learner", "gam", "--test", "nofile.csv"], /nofile.csv/],
    [["--label", "tarket"], /target/],
    [["--label", "target", "--features", "bili", "--family", "binomial"], /two values; target has 4/],
    [["--label", "flat"], /flat is 7 in every row/],
    [["--label", "empty"], /empty/],
    [["--label", "target", "--features", "flat"], /flat has the same value in every row/],
    [["--label", "target", "--knots", "bili"], /no name=number/],
    [["--label", "target", "--where", "patient_id < 30"], /only 30 rows/],
    [[], /no label column is named/],
  ])("refuses %j in one line", (flags, message) => {
    expect(gossetRefuses("validity", "circularity", path("sofa.csv"), ...flags)).toMatch(message);
  });
});

describe("gosset validity audit", () => {
  it("runs what the columns allow and says what the rest lacks", () => {
    const found = gossetJson("validity", "audit", path("sofa.csv"), "--domain", "ward");
    expect(found.columns).toMatchObject({
      label: "target",
      predictions: ["pred_rule", "pred_free"],
      domain: "ward",
      scales: { patient_id: "nominal" },
    });
    expect(found.circularity).toMatchObject({ kind: "circularity", verdict: "circular", circular: ["bili"] });
    expect(found.bias.kind).toBe("bias");
    expect(found.verdict[0]).toContain("target is circular in bili");
  });

  it("refuses a file that allows no test with exit code 2, in one line that says what it needs", () => {
    writeFileSync(path("bare.csv"), "height,weight\n1,2\n2,3\n");
    const told = gossetRefuses("validity", "audit", path("bare.csv"));
    expect(told).toMatch(/no column is named as a label or as predictions \(columns: height, weight\)/);
    expect(told).toMatch(/--label <col>, --predictions <col>/);
  });

  it("writes one page of HTML", () => {
    const file = path("audit.html");
    const features = ["--features", "bili,asat", "--predictions", "pred_free"];
    expect(gosset("validity", "audit", path("sofa.csv"), ...features, "--format", "html", "--out", file).status).toBe(
      0,
    );
    const page = readFileSync(file, "utf8");
    expect(page).toContain("Validity audit");
    expect(page).toContain("Not run");
    expect(page).toContain("no column names two or more domains");
  });
});

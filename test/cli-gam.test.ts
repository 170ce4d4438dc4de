import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gosset, gossetJson, gossetRefuses } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";
import { expectClose } from "./support/oracle.ts";

const folder = makeFolder("gam");
/** mgcv's answers, by its own names. */
interface GamOracle {
  readonly datasets: { readonly d1: { readonly values: Readonly<Record<string, readonly (string | number)[]>> } };
  readonly cases: readonly {
    readonly id: string;
    readonly input: { readonly formula: string };
    readonly expected: {
      readonly smooths: readonly { readonly edf: number; readonly sp: readonly number[] }[];
      readonly criterion: { readonly value: number };
    } & Readonly<Record<"deviance_explained" | "scale" | "aic", number>>;
  }[];
}
const oracle: GamOracle = JSON.parse(readFileSync(new URL("../oracle/r/gam.json", import.meta.url), "utf8"));
const { values } = oracle.datasets.d1;
const names = Object.keys(values);
const DATA = join(folder, "d1.csv");
writeFileSync(
  DATA,
  [names, ...values["x"]!.map((_, i) => names.map((name) => values[name]![i]))].map((row) => row.join(",")).join("\n"),
);
const find = (id: string) => oracle.cases.find((one) => one.id === id)!;

describe("gosset fit gam", () => {
  it("gives the documented JSON object, with mgcv's numbers", () => {
    const { input, expected } = find("by-factor-main");
    const fit = gossetJson("fit", "gam", input.formula, DATA, "--family", "gaussian");
    expect(fit).toMatchObject({
      kind: "gam",
      method: "REML",
      family: "gaussian",
      nobs: 240,
      converged: true,
      theta: [],
      random: [],
    });
    expect(fit.smooths.map((s: { term: string }) => s.term)).toEqual(["s(x):fa", "s(x):fb", "s(x):fc", "s(z)"]);
    expectClose(
      fit.smooths.map((s: { edf: number }) => s.edf),
      expected.smooths.map((s) => s.edf),
      { tolerance: 1e-5 },
    );
    expectClose(
      fit.smooths.map((s: { sp: number }) => s.sp),
      expected.smooths.map((s) => s.sp[0]!),
      { tolerance: 1e-4 },
    );
    expectClose(
      [fit.devianceExplained, fit.scale, fit.aic],
      [expected.deviance_explained, expected.scale, expected.aic],
      { tolerance: 1e-6 },
    );
    expect(fit.fixed.map((f: { term: string }) => f.term)).toEqual(["(Intercept)", "fb", "fc"]);
    expect(fit.shapes[3]).toMatchObject({ term: "s(z)", kind: "curve" });
    expect(fit.shapes[3].at.z).toHaveLength(fit.shapes[3].effect.length);
  });

  it("takes the criterion, shrinkage and several penalties per term", () => {
    const ubre = gossetJson(
      "fit",
      "gam",
      find("poisson-UBRE").input.formula,
      DATA,
      "--family",
      "poisson",
      "--method",
      "GCV.Cp",
    );
    expect(ubre.criterion.name).toBe("UBRE");
    expectClose([ubre.criterion.value], [find("poisson-UBRE").expected.criterion.value], { tolerance: 1e-6 });
    const select = gossetJson("fit", "gam", find("select").input.formula, DATA, "--select", "--family", "gaussian");
    expect(select.smooths[0].sp).toHaveLength(2);
    expect(select.smooths[2].edf).toBeLessThan(1e-6);
  });

  it("prints curves, writes shapes and predicts", () => {
    const shapes = join(folder, "shapes.csv");
    const { status, stdout } = gosset(
      "fit",
      "gam",
      "y ~ s(x) + te(x, z, k = 3)",
      DATA,
      "--shapes",
      shapes,
      "--predict",
      DATA,
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/Smooth terms[\s\S]*s\(x\) .*[▁▂▃▄▅▆▇█]{20}/);
    expect(stdout).toMatch(/Predictions for/);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(Math.max(80, DATA.length + 20));
    const lines = readFileSync(shapes, "utf8").trim().split("\n");
    expect(lines[0]!.trim()).toBe("term,x,z,effect,se,lower,upper");
    expect(lines).toHaveLength(1 + 100 + 900);
  });

  it("refuses what it cannot fit, in one line", () => {
    expect(gossetRefuses("fit", "gam", "y ~ s(nothing)", DATA)).toMatch(/no column "nothing"/);
    expect(gossetRefuses("fit", "gam", "y ~ s(m, k = 30)", DATA)).toMatch(/distinct values.*k = 30/);
    expect(gossetRefuses("fit", "gam", "y ~ s(x)", DATA, "--family", "poisson")).toMatch(/must be a count/);
    expect(gossetRefuses("fit", "gam", "y ~ s(x)", DATA, "--cluster", "g")).toMatch(/gam does not take --cluster/);
    expect(gossetRefuses("fit", "lm", "y ~ x", DATA, "--select")).toMatch(/lm does not take --select/);
    expect(gossetRefuses("fit", "gam", "y ~ s(x)", DATA, "--gamma", "-1")).toMatch(/--gamma -1/);
  });
});

/** Sentences that simulated data sets without any difference found to be false. */
import { describe, expect, it } from "vitest";
import { compare } from "../src/index.ts";
import { makeRng } from "../src/numeric/rng.ts";
import { readText } from "./support/read-text.ts";

function triesCalled(name: string): string {
  const rng = makeRng("tries");
  const rows = Array.from({ length: 10 }, (_, i) =>
    ["base", "ours"].flatMap((model) =>
      Array.from({ length: 20 }, (__, k) => `i${i},${model},e${k},${rng.uniform() < 0.5 ? 1 : 0}`),
    ),
  ).flat();
  return `prompt_id,model,${name},passed\n${rows.join("\n")}\n`;
}

describe("tries that are numbered were taken for raters", () => {
  it.each(["try", "draw", "attempt_no", "attempt_idx", "run_number", "trial_nr"])("%s", async (name) => {
    const result = compare(await readText("tries.csv", triesCalled(name)));
    expect(result.repeated.map(({ facet }) => facet)).not.toContain("raters");
    expect(result.toString()).not.toMatch(/\braters?\b/);
  });
});

describe("one rater's ratings were told as if they were anybody's", () => {
  const ratings = (raters: readonly string[]): string =>
    `item,system,rater,rating\n${Array.from({ length: 30 }, (_, i) =>
      raters.map((rater) => `i${i},a,${rater},${1 + (i % 4)}\ni${i},b,${rater},${1 + ((i * 3 + 1) % 5)}`).join("\n"),
    ).join("\n")}\n`;

  it("a column of raters with one name in it", async () => {
    const text = compare(await readText("one.csv", ratings(["Kim"])))
      .toString()
      .replace(/\s+/g, " ");
    expect(text).toContain("All rows are by one rater (Kim): the verdict is for this one alone.");
  });

  it("votes", async () => {
    const rows = Array.from({ length: 30 }, (_, i) => `p${i},Kim,a,b,${i % 3 === 0 ? "model_a" : "model_b"}`);
    const text = compare(
      await readText("votes.csv", `prompt,rater,model_a,model_b,winner\n${rows.join("\n")}\n`),
    ).toString();
    expect(text.replace(/\s+/g, " ")).toContain("All rows are by one rater (Kim)");
  });

  it("not said of several", async () => {
    const text = compare(await readText("three.csv", ratings(["Kim", "Lee", "Max"]))).toString();
    expect(text).not.toContain("All rows are by one");
  });
});

describe("equal means of a mixed model were planned for", () => {
  it("no number of items shows a difference of rounding", async () => {
    const rows = Array.from({ length: 12 }, (_, i) =>
      ["r1", "r2", "r3", "r4"].flatMap((rater, r) => {
        const score = 1 + ((i * 7 + r * 3) % 5);
        const other = 1 + (((11 - i) * 7 + r * 3) % 5);
        return [`i${i},a,${rater},${score}`, `i${i},b,${rater},${other}`];
      }),
    ).flat();
    const result = compare(await readText("equal.csv", `item,system,rater,rating\n${rows.join("\n")}\n`));
    expect(Math.abs(result.main.difference)).toBeLessThan(1e-12);
    expect(result.main.nextStep).toBeUndefined();
    expect(result.toString()).not.toMatch(/as seen|e\+\d/);
  });
});

describe("a verdict that hung on items without a row did not say so", () => {
  const answers = (lost: (i: number) => boolean): string =>
    `id,model,correct\n${Array.from({ length: 100 }, (_, i) => {
      const base = i % 2;
      const ours = i % 10 < 6 || base === 1 ? 1 : 0;
      return [`q${i},base,${base}`, ...(lost(i) ? [] : [`q${i},ours,${ours}`])].join("\n");
    }).join("\n")}\n`;

  it("where failures among them could overturn it", async () => {
    const result = compare(
      await readText(
        "lost.csv",
        answers((i) => i % 10 > 6),
      ),
    );
    expect(result.main.verdict).toBe("BETTER");
    const said = result.diagnostics.find(({ code }) => code === "Absent");
    expect(said?.severity).toBe("warning");
    expect(said?.message).toMatch(/^items without a row \(30 of ours\): BETTER holds if they were left out whatever/);
  });

  it("not where nothing that they could be would", async () => {
    const result = compare(
      await readText(
        "few.csv",
        answers((i) => i === 99),
      ),
    );
    expect(result.main.verdict).toBe("BETTER");
    expect(result.diagnostics.map(({ code }) => code)).not.toContain("Absent");
  });
});

/** The comment and the JUnit file: hostile names, the limit of GitHub, and counts. */
import { describe, expect, it } from "vitest";
import type { GateTask } from "./gate.ts";
import { gateComment, gateJunit, MOST_CHARACTERS } from "./publish.ts";

const task = (name: string, outcome: GateTask["outcome"], more: Partial<GateTask> = {}): GateTask => ({
  ...{
    task: name,
    tier: "critical",
    n: 200,
    baseline: 0.7,
    candidate: 0.65,
    difference: -0.05,
    lower: -0.09,
    upper: -0.01,
    margin: 0.02,
  },
  ...{
    lossP: 0.01,
    adjustedP: 0.02,
    marginP: 0.8,
    outcome,
    reason: outcome === "inconclusive" ? "underpowered" : null,
  },
  least: { items: 10, coverage: 0.95 },
  coverage: { items: 200, shared: 200, own: [200, 200], rows: [200, 200], unscored: [0, 0], scored: 1 },
  flips: { lost: { count: 0, items: [] }, gained: { count: 0, items: [] }, flaky: { count: 0, items: [] } },
  ...more,
});
const result = (tasks: readonly GateTask[], outcome: GateTask["outcome"] = "fail") => ({
  ...{
    outcome,
    reason: outcome === "inconclusive" ? ("underpowered" as const) : null,
    tasks,
    metric: "accuracy",
    percent: false,
    alpha: 0.05,
  },
  ...{
    correction: "holm" as const,
    summary: "FAIL: a loss is shown on a.",
    runs: { baseline: ["old"], candidate: ["new"] },
    exitCode: 1,
    held: [],
    inconclusive: "code" as const,
    diagnostics: [],
  },
});

describe("the comment", () => {
  it("opens with the outcome, folds what passed, says what to do", () => {
    const text = gateComment(result([task("a", "fail"), task("b", "pass"), task("c", "inconclusive")]));
    expect(text).toMatch(
      /^<!-- gosset gate -->\n\n## The gate fails\n\n> \[!CAUTION\]\n> FAIL: a loss is shown on a\./,
    );
    expect(text).toContain("| `a` | 200 | 0.700 | 0.650 | -0.050 | -0.090 to -0.010 | 0.020 | 0.0200 | **fail** |");
    expect(text).toMatch(/<details><summary>1 more task<\/summary>\n\n\| task/);
    expect(text).toContain("- `underpowered`: Add items or runs");
  });

  it("writes right-or-wrong scores in percent, as compare does", () => {
    const text = gateComment({ ...result([task("a", "fail")]), percent: true });
    expect(text).toContain("| baseline (%) | candidate (%) | difference (%) |");
    expect(text).toContain("| `a` | 200 | 70.0 | 65.0 | -5.0 | -9.0 to -1.0 | 2.0 | 0.0200 | **fail** |");
  });

  it("has a column for a floor, and says of a task that it misses it", () => {
    const missed = task("safety", "fail", { floor: 0.98, candidate: 0.675, difference: -0.305 });
    const text = gateComment({ ...result([task("a", "fail"), missed]), percent: true });
    expect(text).toContain("| margin or floor (%) |");
    expect(text).toContain("| `safety` | 200 | 70.0 | 67.5 | -30.5 | -9.0 to -1.0 | floor 98.0 |");
  });

  it("says warnings, what an option made of the exit code, and which loss only the correction hides", () => {
    const hidden = task("a", "inconclusive", { lossP: 0.03, adjustedP: 0.06 });
    const text = gateComment(
      {
        ...result([hidden, task("b", "pass")], "inconclusive"),
        ...{ inconclusive: "warn", exitCode: 0, held: [{ facet: "runs", levels: 3 }] },
        diagnostics: [
          { code: "X", severity: "warning", message: "18 rows have no score.", fix: "Say option `unscored`." },
        ],
      },
      { words: (own) => own.replace("option `unscored`", "--unscored") },
    );
    expect(text).toContain("- Warning: 18 rows have no score. Say --unscored.");
    expect(text).toMatch(/Exit code 0 by option .*warn/);
    expect(text).toContain(
      "> Alone a would show a loss (p = 0.0300); after Holm's correction over 2 tasks it does not (p = 0.0600).",
    );
    expect(text).toContain("the rates are for these three runs only");
  });

  it("leaves prompts out that serve as ids, unless they are wanted", () => {
    const flips = { ...task("a", "fail").flips, lost: { count: 1, items: ["a/What is the capital of France?"] } };
    const own = result([task("a", "fail", { flips })]);
    expect(gateComment(own)).not.toContain("France");
    expect(gateComment(own, { texts: true })).toContain("- `a`: `What is the capital of France?`");
  });

  it("neutralises names", () => {
    const text = gateComment({ ...result([task("x|`y`<img src=x>", "fail")]), summary: "@all <b>[x](y)" });
    expect(text).toContain("| `` x\\|`y`<img src=x> `` |");
    expect(text).not.toMatch(/@all|^> .*<b>/m);
  });

  it("stays below GitHub's limit with thousands of tasks of long names", () => {
    const tasks = Array.from({ length: 3000 }, (_, i) => task(`${"long".repeat(200)}${i}`, "fail"));
    expect(gateComment(result(tasks)).length).toBeLessThan(MOST_CHARACTERS);
  });
});

describe("JUnit", () => {
  it("counts failures and skips, advisory tasks never fail", () => {
    const text = gateJunit(
      result([
        task("a", "fail"),
        task("b", "pass"),
        task("c", "inconclusive"),
        task("d", "fail", { tier: "advisory" }),
      ]),
    );
    expect(text).toContain('tests="4" failures="1" skipped="2" errors="0"');
    expect(text).toContain('<skipped message="inconclusive: underpowered"/>');
  });

  it("is well-formed whatever names hold", () => {
    const text = gateJunit(result([task('<&>"\u0001\n', "fail")]));
    expect(text).toContain('name="&#60;&#38;&#62;&#34;\ufffd&#10;"');
    // every tag that opens closes
    const stack: string[] = [];
    for (const [, close, name, rest] of text.matchAll(/<(\/?)([a-z-]+)([^>]*)>/g)) {
      if (close === "/") expect(stack.pop()).toBe(name);
      else if (!rest!.endsWith("/")) stack.push(name!);
    }
    expect(stack).toEqual([]);
  });
});

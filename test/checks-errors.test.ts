/** Rows that ended in an error, at a limit or without an answer, scores that are missing, and what a verdict owes to them. */

import { describe, expect, it } from "vitest";
import { compare, makeRng } from "../src/index.ts";
import { gossetJson } from "./support/cli.ts";
import { makeFolder, writesTo } from "./support/folder.ts";
import { codesOf, lines, readText, times, warned } from "./support/read-text.ts";

const folder = makeFolder("checks-errors");
const file = writesTo(folder);

const rng = makeRng("errors");
const items = times(60, (i) => ({ id: i, old: rng.uniform() < 0.6, new: rng.uniform() < 0.6, broke: i % 6 === 0 }));
const told = async (name: string, fine: string, broken: string): Promise<string> => {
  const rows = items.flatMap((own) => [
    `old,${own.id},${own.old ? 1 : 0},${fine}`,
    `new,${own.id},${own.new && !own.broke ? 1 : 0},${own.broke ? broken : fine}`,
  ]);
  const result = compare(await readText("e.csv", lines([`system,task_id,reward,${name}`, ...rows])));
  return `${warned(result)} ${result.main.reason}`;
};

describe("a score of 0 next to a breakdown", () => {
  it.each([
    ["http_status", "200", "429"],
    ["exit_status", "0", "1"],
    ["meta.status", "ok", "error"],
    ["finish_reason", "stop", "content_filter"],
    ["sandbox", "ok", "killed"],
    ["notes", "", "API error"],
    ["eval_error", "", "KeyError"],
    ["error_code", "", "E42"],
    ["extraction_failed", "0", "1"],
    ["api_ok", "1", "0"],
    ["no_response", "0", "1"],
  ])("is said to be an error: %s = %s or %s", async (name, fine, broken) => {
    expect(await told(name, fine, broken)).toContain(`rows that ended in an error (${name}: 10 of new)`);
  });

  it.each([
    ["finish_reason", "stop", "length"],
    ["stop_reason", "end_turn", "max_tokens"],
    ["termination_reason", "submitted", "step limit"],
    ["truncated", "false", "true"],
  ])("is said to be a limit: %s = %s or %s", async (name, fine, broken) => {
    expect(await told(name, fine, broken)).toContain(`rows that ended at a limit (${name}: 10 of new)`);
  });

  it.each([
    ["valid", "1", "0"],
    ["valid_json", "true", "false"],
    ["format_ok", "1", "0"],
  ])("is said to be no valid answer: %s = %s or %s", async (name, fine, broken) => {
    expect(await told(name, fine, broken)).toContain(`rows that ended without a valid answer (${name}: 10 of new)`);
  });

  it.each([
    ["extracted_answer", "B", "[invalid]"],
    ["reply", "B", ""],
  ])("is said to be no answer: %s = %s or %s", async (name, fine, broken) => {
    expect(await told(name, fine, broken)).toContain(`rows that ended without an answer (${name}: 10 of new)`);
  });

  it("is said of a rating from 1 on, too", async () => {
    const rows = times(60, (i) => [
      `${i},a,${1 + ((i * 7) % 5)},ok`,
      `${i},b,${i % 6 ? 1 + ((i * 3) % 5) : 0},${i % 6 ? "ok" : "failed"}`,
    ]).flat();
    const result = compare(await readText("e.csv", lines(["id,system,rating,status", ...rows])));
    expect(`${warned(result)} ${result.main.reason}`).toContain("rows that ended in an error (status: 10 of b)");
  });

  it("is the best there is, of costs", async () => {
    const rows = times(60, (i) => [
      `${i},a,${2 + ((i * 7) % 50) / 10},ok`,
      `${i},b,${i % 6 ? 2.5 + ((i * 3) % 50) / 10 : 0},${i % 6 ? "ok" : "timeout"}`,
    ]).flat();
    const result = compare(await readText("e.csv", lines(["id,system,cost_usd,status", ...rows])), {
      metric: "cost_usd",
      higherIsBetter: false,
    });
    const all = `${warned(result)} ${result.main.reason}`;
    expect(all).toContain("as 0, the best score there is, the difference is");
    expect(all).not.toContain("as failures");
  });
});

describe("no breakdown", () => {
  it("is seen in questions without an answer, kinds of questions or kinds of mistakes", async () => {
    const part = (name: string, value: (i: number, right: boolean) => string) =>
      readText(
        "e.csv",
        lines([
          `system,task_id,reward,${name}`,
          ...items.flatMap((own) =>
            (["old", "new"] as const).map(
              (s) => `${s},${own.id},${own[s] && !own.broke ? 1 : 0},${value(own.id, own[s] && !own.broke)}`,
            ),
          ),
        ]),
      );
    for (const data of [
      await part("has_answer", (i) => (i % 6 ? "1" : "0")),
      await part("topic", (i) => (i % 6 ? "arithmetic" : "error handling")),
      await part("error_type", (_, right) => (right ? "" : "arithmetic error")),
      await part("outcome", (_, right) => (right ? "pass" : "fail")),
    ])
      expect(warned(compare(data))).not.toContain("rows that ended");
  });

  it("is seen in tries that never differ", async () => {
    const rows = times(40, (i) => ["a", "b"].map((s, k) => times(2, () => `${i},${s},${(i + k) % 3 ? 1 : 0}`))).flat(2);
    const result = compare(await readText("t.csv", lines(["id,model,correct", ...rows])), { run: "rows" });
    expect(warned(result)).not.toContain("FlakyItems");
  });
});

describe("rows that ended in an error", () => {
  const rows = (failed: number, score: string): string[] => [
    "model,id,score,error",
    ...times(100, (i) => `old,q${i},${i % 2},`),
    ...times(100, (i) => (i < failed ? `new,q${i},${score},Timeout` : `new,q${i},${i % 10 < 8 ? 1 : 0},`)),
  ];
  it("carry no verdict where it depends on them, until the user says how they count", () => {
    const path = file("errors.csv", rows(40, "0"));
    const { verdict, reason, bounds } = gossetJson("compare", path);
    expect(verdict).toBe("NONE");
    expect(reason).toMatch(/error: 40 of new\): as failures the difference is -2\.0 .*, \w+; left out, /);
    expect(bounds.lower).toBeLessThan(bounds.upper);
    const counted = ["failures", "missing"].map((how) => gossetJson("compare", path, "--errors", how));
    expect(counted[0]!.n).toBe(100);
    expect(counted[1]!.n).toBe(60);
  });
  it("are told where the verdict does not depend on them", () => {
    const result = gossetJson("compare", file("few.csv", rows(2, "0")));
    expect(codesOf(result)).toContain("Errored");
    expect(result.verdict).not.toBe("NONE");
  });
});

describe("rows with an error, some of them scored", () => {
  /** Every tenth row has an error: without a score, wrong or right all the same. */
  const log = (system: string, every: number) =>
    times(60, (i) => {
      const error = i % 10 === every ? "timeout after 60s" : "";
      const score = error !== "" && i % 20 < 10 ? "" : i % 3 === 0 || i === 10 + every ? 1 : 0;
      return `${system},q${i},${score},${error}`;
    });
  const read = (name: string) =>
    readText("log.csv", lines([`model,question,correct,${name}`, ...log("old", 3), ...log("new", 7)]));

  it("are told, with how many keep their score", async () => {
    const told = compare(await read("error")).diagnostics.find(({ code }) => code === "Errored");
    expect(told?.message).toContain(
      "rows that ended in an error (error: 3 of old, 3 of new, without a score; 6 with one keep it)",
    );
  });

  it("are not seen in a note on the side", async () => {
    expect(codesOf(compare(await read("remark")))).not.toContain("Errored");
  });
});

it("notices errors of one file where the column of the other is empty", async () => {
  const part = (name: string, every: number) =>
    readText(
      name,
      lines(["id,score,error", ...times(60, (i) => `q${i},${i % every === 0 ? "0,timeout" : `${i % 2},`}`)]),
    );
  const result = compare([await part("old.csv", Number.NaN), await part("new.csv", 6)]);
  expect(`${warned(result)} ${result.main.reason}`).toContain("ended in an error (error: 10 of new)");
});

/** 3 raters x 30 items; `blank` says which ratings are not there. */
function sheet(seed: string, blank: (rater: number, system: number, u: number) => boolean, strict = 0) {
  const rng = makeRng(seed);
  const rows = times(30, (i) => {
    const base = 3 + 0.6 * rng.normal();
    return [0, 1, 2].flatMap((r) =>
      [0, 1].flatMap((s) => {
        const score = base + 0.5 * s + r * strict + 0.2 * s * r + 0.8 * rng.normal();
        return blank(r, s, rng.uniform()) ? [] : [`${i},${"AB"[s]},ann${r},${score.toFixed(4)}`];
      }),
    );
  }).flat();
  return readText("r.csv", lines(["item,system,rater,rating", ...rows]));
}

describe("ratings that raters left out", () => {
  it("do not count against the system that a strict rater rated more often", async () => {
    const blank = (r: number, s: number, u: number): boolean => r === 2 && s === 1 && u < 0.8;
    const [plain, strict] = await Promise.all([0, -1.5].map(async (own) => compare(await sheet("strict", blank, own))));
    const [check, other] = [plain, strict].map((own) => own!.main.facets![0]!);
    expect(other!.p).toBeCloseTo(check!.p, 6);
    expect(other!.difference).toBeCloseTo(check!.difference, 6);
  });

  it("are told, with what is done about them, and p and interval agree", async () => {
    const result = compare(await sheet("told", (_, __, u) => u < 0.2));
    expect(result.testChoice).toMatch(
      /Of 180 possible ratings.*\d+ are missing\..*estimates the difference from the others/,
    );
    const { ci, p } = result.main;
    expect(ci.lower > 0 || ci.upper < 0).toBe(p < 0.05);
    expect(compare(await sheet("whole", () => false)).testChoice).not.toContain("missing");
  });
});

describe("several systems of which some outcomes are missing", () => {
  /** b gains 20 and loses 4 of 100; c is as a, but lacks outcomes. */
  const rows = (missing: number): string =>
    lines([
      "item,system,correct",
      ...times(100, (i) => {
        const a = i < 54 ? 1 : 0;
        const b = i < 50 || (i >= 54 && i < 74) ? 1 : 0;
        return [`${i},a,${a}`, `${i},b,${b}`, `${i},c,${i >= 100 - missing ? "" : a}`];
      }).flat(),
    ]);

  it("are judged pair by pair as two systems are: those that lack none keep their verdict", async () => {
    const { pairs } = compare(await readText("r.csv", rows(20)));
    const of = (a: string, b: string) => pairs.find((own) => own.a === a && own.b === b)!;
    expect(of("a", "b").verdict).toBe("BETTER");
    expect(of("b", "c").verdict).toBe("INCONCLUSIVE");
  });

  it("keep their verdicts where a few are missing", async () => {
    const { pairs } = compare(await readText("r.csv", rows(2)));
    expect(pairs.map(({ verdict }) => verdict)).toEqual(["BETTER", "INCONCLUSIVE", "WORSE"]);
    const held = pairs.find(({ a, b }) => a === "b" && b === "c")!;
    expect(held.bounds?.holds).toBe(true);
  });
});

describe("a metric of repeated tries", () => {
  it.each(["pass@k", "pass^k", "maj@k", "pass@"])("%s without a number asks for one", async (metric) => {
    const text = lines(["id,system,seed,correct", ...times(10, (i) => [`${i},a,1,1`, `${i},b,1,0`]).flat()]);
    const own = await readText("r.csv", text);
    expect(() => compare(own, { metric })).toThrow(/needs a number of tries/);
  });
});

describe("a verdict that depends on items without a row", () => {
  const answers = (lost: (i: number) => boolean) => {
    const rows = times(100, (i) => {
      const ours = i % 10 < 6 || i % 2 === 1 ? 1 : 0;
      return [`q${i},base,${i % 2}`, ...(lost(i) ? [] : [`q${i},ours,${ours}`])];
    });
    return readText("r.csv", lines(["id,model,correct", ...rows.flat()]));
  };

  it("warns where failures among them could overturn it", async () => {
    const result = compare(await answers((i) => i % 10 > 6));
    expect(result.main.verdict).toBe("BETTER");
    const said = result.diagnostics.find(({ code }) => code === "Absent");
    expect(said?.severity).toBe("warning");
    expect(said?.message).toMatch(
      /^Items without a row \(30 of ours\): BETTER assumes that they are missing at random\. If they are failures/,
    );
  });

  it("says nothing where nothing that they could be would", async () => {
    const result = compare(await answers((i) => i === 99));
    expect(result.main.verdict).toBe("BETTER");
    expect(codesOf(result)).not.toContain("Absent");
  });
});

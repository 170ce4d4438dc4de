/** Rows that ended in an error, at a limit or without a valid answer, and that the file scores 0: noticed by what they say, whatever the column is called. */
import { describe, expect, it } from "vitest";
import { compare, makeRng } from "../src/index.ts";

import { lines, readText, times, warned } from "./support/read-text.ts";

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

describe("a score of 0 beside a breakdown was a wrong answer without a word", () => {
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
  ])("%s = %s or %s: an error", async (name, fine, broken) => {
    expect(await told(name, fine, broken)).toContain(`rows that ended in an error (${name}: 10 of new)`);
  });

  it.each([
    ["finish_reason", "stop", "length"],
    ["stop_reason", "end_turn", "max_tokens"],
    ["termination_reason", "submitted", "step limit"],
    ["truncated", "false", "true"],
  ])("%s = %s or %s: a limit", async (name, fine, broken) => {
    expect(await told(name, fine, broken)).toContain(`rows that ended at a limit (${name}: 10 of new)`);
  });

  it.each([
    ["valid", "1", "0"],
    ["valid_json", "true", "false"],
    ["format_ok", "1", "0"],
  ])("%s = %s or %s: no valid answer", async (name, fine, broken) => {
    expect(await told(name, fine, broken)).toContain(`rows that ended without a valid answer (${name}: 10 of new)`);
  });

  it.each([
    ["extracted_answer", "B", "[invalid]"],
    ["reply", "B", ""],
  ])("%s = %s or %s: no answer", async (name, fine, broken) => {
    expect(await told(name, fine, broken)).toContain(`rows that ended without an answer (${name}: 10 of new)`);
  });

  it("of a rating from 1 on, too", async () => {
    const rows = times(60, (i) => [
      `${i},a,${1 + ((i * 7) % 5)},ok`,
      `${i},b,${i % 6 ? 1 + ((i * 3) % 5) : 0},${i % 6 ? "ok" : "failed"}`,
    ]).flat();
    const result = compare(await readText("e.csv", lines(["id,system,rating,status", ...rows])));
    expect(`${warned(result)} ${result.main.reason}`).toContain("rows that ended in an error (status: 10 of b)");
  });

  it("of costs, of which 0 is no failure but the best there is", async () => {
    const rows = times(60, (i) => [
      `${i},a,${2 + ((i * 7) % 50) / 10},ok`,
      `${i},b,${i % 6 ? 2.5 + ((i * 3) % 50) / 10 : 0},${i % 6 ? "ok" : "timeout"}`,
    ]).flat();
    const result = compare(await readText("e.csv", lines(["id,system,cost_usd,status", ...rows])));
    const all = `${warned(result)} ${result.main.reason}`;
    expect(all).toContain("as 0, the best score there is, the difference is");
    expect(all).not.toContain("as failures");
  });
});

describe("no breakdown", () => {
  it("questions without an answer, kinds of questions and kinds of mistakes", async () => {
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

  it("tries that never differ are not said to go either way", async () => {
    const rows = times(40, (i) => ["a", "b"].map((s, k) => times(2, () => `${i},${s},${(i + k) % 3 ? 1 : 0}`))).flat(2);
    const result = compare(await readText("t.csv", lines(["id,model,correct", ...rows])));
    expect(warned(result)).not.toContain("FlakyItems");
  });
});

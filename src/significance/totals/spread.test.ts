import { describe, expect, it } from "vitest";
import type { Table } from "../../data/table.ts";
import { readCsv } from "../../io/csv/csv.ts";
import { findSpread } from "./spread.ts";

const board = (...lines: readonly string[]): Table => readCsv(lines.join("\n")).table;
const found = (table: Table, score: string, scores?: readonly string[]) => {
  const spread = findSpread(table, score, scores);
  return spread === undefined ? undefined : [spread.kind, ...spread.columns];
};
const seOf = (table: Table, score: string): number[] => {
  const spread = findSpread(table, score);
  if (spread === undefined || spread.kind === "ask") throw new Error("no spread");
  return [...spread.se];
};

describe("columns that say how sure a total is", () => {
  it("limits are those of the score that they are named after", () => {
    const table = board(
      "method,mean_score,pooled_score,pooled_low_ci,pooled_high_ci",
      "a,0.35,0.33,0.30,0.37",
      "b,0.17,0.16,0.13,0.19",
    );
    expect(found(table, "pooled_score")).toEqual(["interval", "pooled_low_ci", "pooled_high_ci"]);
    expect(found(table, "mean_score")).toBeUndefined();
  });

  it("a column CI is half a width, signed distances, or both ends", () => {
    const half = board("model,elo,95% CI", "a,1200,3.92", "b,1100,1.96");
    expect(found(half, "elo")).toEqual(["interval", "95% CI"]);
    expect(seOf(half, "elo")[0]).toBeCloseTo(2, 3);
    const signed = board("model,score,CI", 'a,82.6,"(-1.96, +1.96)"', 'b,79.4,"(-2.1, +1.82)"');
    expect(seOf(signed, "score").map((se) => Number(se.toFixed(3)))).toEqual([1, 1]);
    const slashed = board("model,elo,ci", "a,1200,+5/-4", "b,1100,+3/-6");
    expect(seOf(slashed, "elo")[0]).toBeCloseTo(9 / (2 * 1.959964), 5);
    const ends = board("model,acc,acc_ci", 'a,0.62,"[0.58, 0.66]"', 'b,0.5,"[0.46, 0.54]"');
    expect(seOf(ends, "acc")[0]).toBeCloseTo(0.08 / (2 * 1.959964), 6);
    const sign = board("model,acc,ci", "a,0.62,±0.04", "b,0.5,±0.03");
    expect(seOf(sign, "acc")[1]).toBeCloseTo(0.03 / 1.959964, 6);
    // ends of something else
    expect(found(board("model,acc,ci", 'a,0.9,"[0.58, 0.66]"', 'b,0.5,"[0.46, 0.54]"'), "acc")).toBeUndefined();
    // a level in the name
    const ninety = board("model,acc,acc_ci90", "a,0.62,0.01645", "b,0.5,0.01645");
    expect(seOf(ninety, "acc")[0]).toBeCloseTo(0.01, 5);
  });

  it("asks what follows a ±", () => {
    const table = board("model,acc,acc_pm", "a,61.5,0.4", "b,63.1,0.5");
    expect(findSpread(table, "acc")).toMatchObject({
      kind: "ask",
      columns: ["acc_pm"],
      fix: "Name it acc_stderr, acc_std or acc_ci.",
    });
  });

  it("takes passes and what they must be divided by to give the rate, not another number of items", () => {
    const table = board(
      "model,items,decided,passes,fails,pass_rate",
      "a,191,189,145,44,0.7672",
      "b,191,180,117,63,0.65",
    );
    expect(found(table, "pass_rate")).toEqual(["counts", "passes", "decided"]);
    const percent = board("model,accuracy,n_correct,n", "a,36.4,82,225", "b,56.4,127,225");
    expect(found(percent, "accuracy")).toEqual(["counts", "n_correct", "n"]);
    // printed with two digits of 5,000 items
    const rounded = board("model,accuracy,correct,n", "a,0.88,4391,5000", "b,0.61,3067,5000");
    expect(found(rounded, "accuracy")).toEqual(["counts", "correct", "n"]);
    const ties = board("model,win_rate,n_wins,n_draws,n_total", "a,61.25,48,2,80", "b,50,38,4,80");
    expect(findSpread(ties, "win_rate")).toMatchObject({ kind: "counts", columns: ["n_wins", "n_draws", "n_total"] });
    expect(findSpread(ties, "win_rate")).not.toHaveProperty("successes");
  });

  it("takes the number of items or votes for a share alone, and the smaller of two", () => {
    expect(found(board("model,win_rate,votes", "a,0.55,300", "b,0.45,280"), "win_rate")).toEqual(["share", "votes"]);
    expect(found(board("model,rating,votes", "a,1200,300", "b,1100,280"), "rating")).toBeUndefined();
    const two = board("model,pass_rate,test_cases,total_tests", "a,61.7,224,225", "b,50.2,225,225");
    const spread = findSpread(two, "pass_rate");
    expect(spread).toMatchObject({ kind: "share", columns: ["test_cases"] });
    const swapped = board("model,total_tests,test_cases,pass_rate", "a,225,224,61.7", "b,225,225,50.2");
    expect(found(swapped, "pass_rate")).toEqual(["share", "test_cases"]);
  });

  it("takes a deviation over seeds with their number, before an interval of it", () => {
    const table = board(
      "strategy,mean_accuracy,std,ci_lower,ci_upper,n_seeds,n_examples",
      "a,0.982,0.0196,0.9577,1.0063,5,1000",
      "b,0.727,0.1053,0.5963,0.8577,5,1000",
    );
    expect(found(table, "mean_accuracy")).toEqual(["runs", "std", "n_seeds"]);
    expect(seOf(table, "mean_accuracy")[0]).toBeCloseTo(0.0196 / Math.sqrt(5), 12);
    expect(found(board("model,mean_f2,std_f2,n", "a,0.5,0.1,20", "b,0.6,0.1,20"), "mean_f2")).toEqual([
      "sd",
      "std_f2",
      "n",
    ]);
  });

  it("an error without a score's name is the only score's, or that of the one without another; else it asks", () => {
    const header = "model,win_rate,standard_error,length_controlled_winrate,lc_standard_error";
    const rows = ["a,76.9,0.9,86.4,0.1", "b,57.5,1.5,50.1,0.4"];
    const scores = ["win_rate", "length_controlled_winrate"];
    const table = board(header, ...rows);
    expect(found(table, "win_rate", scores)).toEqual(["se", "standard_error"]);
    expect(found(table, "length_controlled_winrate", scores)).toEqual(["se", "lc_standard_error"]);
    const unsure = board("model,f1,bleu,stderr", "a,0.7,30,0.01", "b,0.6,28,0.02");
    expect(found(unsure, "f1", ["f1", "bleu"])).toEqual(["ask", "stderr"]);
    expect(found(unsure, "f1", ["f1"])).toEqual(["se", "stderr"]);
    const twice = board("model,acc,acc_stderr,acc_sem", "a,0.7,0.01,0.02", "b,0.6,0.01,0.02");
    expect(found(twice, "acc")).toEqual(["ask", "acc_stderr", "acc_sem"]);
  });
});

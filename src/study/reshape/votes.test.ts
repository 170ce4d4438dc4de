import { describe, expect, it } from "vitest";
import { readCsv } from "../../io/csv/csv.ts";
import { tellDone } from "../tell.ts";
import { cellText, rowsOf } from "./reshaped.ts";
import { findVotes } from "./votes.ts";

const table = (...lines: string[]) => readCsv(new TextEncoder().encode(lines.join("\n"))).table;
/** Scores of the first side of each vote. */
const scores = (...lines: string[]): (number | null)[] | undefined => {
  const found = findVotes(table(...lines));
  const cells = found?.table.columns.get("score");
  if (found === undefined || cells === undefined) return undefined;
  const texts = rowsOf(found.table).map((row) => cellText(cells, row));
  return texts.filter((_, row) => row % 2 === 0).map((text) => (text === null ? null : Number(text)));
};

describe("two sides and a winner", () => {
  it.each([
    ["model_a,model_b,winner", "model_a", "model_b", "tie"],
    ["model_a,model_b,winner", "[[A]]", "[[B]]", "[[C]]"],
    ["model_a,model_b,verdict", "A>B", "B>>A", "A=B"],
    ["system1,system2,preference", "1", "2", "no preference"],
    ["system_1,system_2,choice", "System 1 is slightly better", "system 2", "both bad"],
    ["LeftModel,RightModel,vote", "left", "right", "neither"],
    ["first,second,preferred", "first", "second", "equal"],
    ["generator_1,generator_2,better", "x", "y", "tie"],
  ])("reads %s with cells such as %s", (header, first, second, tie) => {
    expect(scores(header, `x,y,${first}`, `x,y,${second}`, `x,y,${tie}`)).toEqual([1, 0, 0.5]);
  });

  it("makes two rows of a vote, with the opponent, the battle and the side", () => {
    const found = findVotes(table("id,model_a,model_b,winner", "1,x,y,model_a", "2,y,x,model_a"))!;
    expect([...found.table.columns.keys()]).toEqual([
      ...["id", "winner", "battle", "system", "opponent", "score", "position"],
    ]);
    expect(found.table.rows).toBe(4);
    expect(found.hints.map(({ role, column }) => `${role}: ${column}`)).toEqual([
      ...["system: system", "opponent: opponent", "score: score", "cluster: battle", "identifier: winner"],
    ]);
    expect(found.higherIsBetter!.get("score")).toBe(true);
  });

  it("takes numbers from 1 to 2 as the fraction of the second side, and 0 as a tie", () => {
    const header = "generator_1,generator_2,preference";
    expect(scores(header, "x,y,1", "x,y,2", "x,y,1.25")).toEqual([1, 0, 0.75]);
    expect(scores(header, "x,y,1", "x,y,2", "x,y,0")).toEqual([1, 0, 0.5]);
    expect(scores(header, "x,y,1", "x,y,5", "x,y,3")).toBeUndefined();
  });

  it("counts a win in both orders as a win, everything else as a tie", () => {
    const lines = [
      "model_1,model_2,g1_winner,g2_winner",
      "x,y,model_1,model_1",
      "x,y,model_1,model_2",
      "x,y,tie,model_2",
    ];
    expect(scores(...lines)).toEqual([1, 0.5, 0.5]);
    expect(findVotes(table(...lines))!.done[1]).toMatchObject({ id: "orders", count: 1, of: 1 });
    expect(scores("model_a,model_b,winner,winner_reversed", "x,y,a,a", "x,y,b,b")).toEqual([1, 0]);
  });

  it("reads winner1 to winner3, and annotator1 to annotator3, as three raters", () => {
    for (const word of ["winner", "annotator"]) {
      const found = findVotes(table(`model_a,model_b,${word}1,${word}2,${word}3`, "x,y,a,b,tie", "y,x,a,a,b"))!;
      expect(found.table.rows).toBe(12);
      expect(found.hints.at(-1)).toEqual({ role: "rater", column: "rater", by: "shape" });
      const cells = found.table.columns.get("rater")!;
      expect(rowsOf(found.table).map((row) => cellText(cells, row))).toEqual([..."112233112233"]);
    }
  });

  it("says how many votes name no side or have one system on both", () => {
    const rows = Array.from({ length: 10 }, () => "x,y,a");
    const found = findVotes(table("model_a,model_b,winner", ...rows, "x,y,error", "x,x,a"))!;
    expect(found.done.slice(1).map(tellDone)).toEqual([
      "1 of 12 votes have the same system on both sides and are left out.",
      "1 of 11 votes name no side: they have no score and are not counted.",
    ]);
  });

  it("reads a name as the system where it cannot be the side, and leaves what may be both to the user", () => {
    // systems A and B on sides a and b, in either order
    expect(scores("model_a,model_b,winner", "A,B,A", "B,A,A", "B,D,D")).toEqual([1, 0, 0]);
    expect(scores("model_a,model_b,winner", "A,B,A", "B,A,A")).toBeUndefined();
  });

  it.each([
    ["a label is gold", "model_a,model_b,label", "x,y,A", "y,x,B"],
    ["a rating is none", "model_a,model_b,rating", "x,y,A", "y,x,B"],
    ["one side has no name", "model_a,text,winner", "x,y,a", "y,x,b"],
    ["the sides hold answers", "model_a,model_b,winner", `${"x".repeat(120)},y,a`, `y,${"z".repeat(120)},b`],
    ["what two systems predicted", "model_a,model_b,result", "yes,yes,yes", "no,no,no", "yes,no,yes"],
    ["three sides", "model_1,model_2,model_3,winner", "x,y,z,1", "y,z,x,2"],
    ["winners of two criteria", "model_a,model_b,fluency_winner,style_winner", "x,y,a,b", "y,x,b,a"],
    ["a rater beside numbered winners", "rater,model_a,model_b,winner1,winner2", "r,x,y,a,b", "s,y,x,b,a"],
  ])("%s: no votes", (_, ...lines) => {
    expect(findVotes(table(...lines))).toBeUndefined();
  });

  it("does not depend on the order of rows and columns", () => {
    const plain = findVotes(table("id,model_a,model_b,winner", "1,x,y,a", "2,y,z,tie"))!;
    const turned = findVotes(table("winner,model_b,model_a,id", "tie,z,y,2", "a,y,x,1"))!;
    const rows = (found: typeof plain): string[] => {
      const cells = ["id", "system", "opponent", "score"].map((name) => found.table.columns.get(name)!);
      return rowsOf(found.table)
        .map((row) => cells.map((own) => cellText(own, row)).join())
        .sort();
    };
    expect(rows(turned)).toEqual(rows(plain));
  });
});

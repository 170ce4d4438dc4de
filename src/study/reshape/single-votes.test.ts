import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { measureAgreement } from "../../reliability/agreement/agreement.ts";
import { measureReliability } from "../../reliability/generalizability/generalizability.ts";
import { singleVotes, votesOf } from "./single-votes.ts";
import { findVotes } from "./votes.ts";

/** Three raters on four prompts; the sides change places, so that "left" names no system. */
const VOTES = [
  ["p1", "r1", "A", "B", "left"],
  ["p1", "r2", "B", "A", "right"],
  ["p1", "r3", "A", "B", "left"],
  ["p2", "r1", "B", "A", "left"],
  ["p2", "r2", "A", "B", "right"],
  ["p2", "r3", "A", "B", "tie"],
  ["p3", "r1", "A", "B", "tie"],
  ["p3", "r2", "B", "A", "tie"],
  ["p3", "r3", "B", "A", "right"],
  ["p4", "r1", "B", "A", "right"],
  ["p4", "r2", "A", "B", "left"],
  ["p4", "r3", "A", "B", "left"],
] as const;

const sheet = (rows: readonly (readonly string[])[] = VOTES): Table =>
  makeTable(
    ["item", "rater", "left", "right", "choice"].map((name, k) => [name, factorColumn(rows.map((row) => row[k]!))]),
    rows.length,
  );

const ROLES = { system: "system", opponent: "opponent", cluster: "battle", score: "score" };
const textOf = (table: Table, name: string): (string | null)[] => {
  const cells = table.columns.get(name)!;
  return cells.kind === "factor" ? Array.from(cells.codes, (code) => cells.levels[code] ?? null) : [];
};

describe("each vote of a pairwise sheet counts once in agreement and reliability", () => {
  const long = findVotes(sheet())!.table;
  const votes = singleVotes(long, ROLES)!;

  it("keeps one row a vote, with the system preferred", () => {
    expect(long.rows).toBe(24);
    expect(votes.table.rows).toBe(12);
    expect(textOf(votes.table, votes.label)).toEqual("A A A B B tie tie tie A A A A".split(" "));
    expect(votes.pair).toBeUndefined();
    expect(votes.counted.message).toBe("each of the 12 votes counts once, as a preference for A or B, or as a tie.");
  });

  it("gives Krippendorff's α of the votes", () => {
    // coincidences by hand: (A,A) 6, (B,B) 1, (tie,tie) 1, (B,tie) 1 + 1, (A,tie) 1 + 1; n_A = 7, n_B = 2, n_tie = 3
    const observed = 4 / 12;
    const expected = 1 - (7 * 6 + 2 * 1 + 3 * 2) / (12 * 11);
    const agreed = measureAgreement(votes.table, { item: "item", rater: "rater", label: votes.label, replicates: 0 });
    expect(agreed).toMatchObject({ ratings: 12, items: 4, scale: "nominal" });
    expect(agreed.coefficients.alpha.value).toBeCloseTo(1 - observed / expected, 12);
  });

  it("reads the column of sides as systems too, where it is named", () => {
    const named = votesOf(sheet(), "choice")!;
    expect(textOf(named.table, named.label)).toEqual(textOf(votes.table, votes.label));
    expect(votesOf(sheet(), "rater")).toBeUndefined();
  });

  it("reads one rater's column of several as that rater's votes", () => {
    const rows = VOTES.map(([item, , left, right, choice]) => [item, left, right, choice, "left", "tie"]);
    const several = makeTable(
      ["item", "left", "right", "choice1", "choice2", "choice3"].map((name, k) => [
        name,
        factorColumn(rows.map((row) => row[k]!)),
      ]),
    );
    const named = votesOf(several, "choice1")!;
    expect(textOf(named.table, named.label)).toEqual(textOf(votes.table, votes.label));
  });

  it("does not depend on which side stood left, nor on the order of rows", () => {
    const swapped = VOTES.map(([item, rater, left, right, choice]) => {
      const other = { left: "right", right: "left", tie: "tie" }[choice];
      return [item, rater, right, left, other];
    });
    const turned = singleVotes(findVotes(sheet(swapped.toReversed()))!.table, ROLES)!;
    expect(textOf(turned.table, turned.label).toReversed()).toEqual(textOf(votes.table, votes.label));
  });

  it("names the pair where several were shown, and measures prompts of pairs", () => {
    const three = [...VOTES, ["p1", "r1", "C", "A", "left"], ["p1", "r2", "A", "C", "right"]];
    const found = singleVotes(findVotes(sheet(three))!.table, ROLES)!;
    expect(textOf(found.table, found.pair!).slice(-2)).toEqual(["A / C", "A / C"]);
    const roles = { ...ROLES, item: "item", rater: "rater", metrics: ["score"], parameters: [], covariates: [] };
    const data = { table: findVotes(sheet(three))!.table, roles: { ...roles, identifiers: ["choice"] } };
    const measured = measureReliability(data, { intervals: "none" });
    expect(measured).toMatchObject({ nobs: 14, object: "item of pair", facets: ["rater"] });
    expect(measured.diagnostics.map(({ code }) => code)).toContain("VotesCounted");
  });

  it("is not for rows that are no votes", () => {
    const plain = makeTable([["score", numericColumn([1, 2])]], 2);
    expect(singleVotes(plain, { score: "score" })).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";
import { NO_ROLES } from "../../data/imported.ts";
import { readCsv } from "../../io/csv/csv.ts";
import { readRoles } from "../roles.ts";
import { propose, reshapeTable, reshapeTold } from "./reshape.ts";

const table = (...lines: string[]) => readCsv(new TextEncoder().encode(lines.join("\n"))).table;
const LONG = table("item,system,rater,score", "q1,a,r1,3", "q1,b,r1,4", "q2,a,r1,2", "q2,b,r1,5");

describe("shapes", () => {
  it("a long table stays as it is, and nothing is proposed for it", () => {
    expect(reshapeTable(LONG)).toBeUndefined();
    const { roles } = readRoles(LONG);
    expect([
      propose("systems", LONG, roles),
      propose("raters", LONG, roles),
      reshapeTold(LONG, { item: "item" }),
    ]).toEqual([...[[], [], undefined]]);
  });

  it("a constant column changes nothing", () => {
    const [plain, more] = [
      reshapeTable(table("id,rater1,rater2", "1,a,b", "2,a,a"))!,
      reshapeTable(table("id,split,rater1,rater2", "1,test,a,b", "2,test,a,a"))!,
    ];
    expect(more.hints).toEqual(plain.hints);
    expect([...more.table.columns.keys()]).toEqual(["id", "split", ...[...plain.table.columns.keys()].slice(1)]);
  });

  it("rows are the items where nothing else names them, once a row becomes several", () => {
    const found = reshapeTable(table("rater1,rater2", "a,b", "a,a"))!;
    expect(found.hints.at(-1)).toEqual({ role: "item", column: "row", by: "shape" });
    expect(found.table.rows).toBe(4);
    expect(reshapeTable(table("acc", "85 ± 1", "60 ± 2"))!.table.columns.has("row")).toBe(false);
  });

  it("a shape that would take a named column away is not applied", () => {
    const wide = table("id,rater1,rater2", "1,a,b", "2,a,a");
    expect(reshapeTable(wide, ["rater1"])).toBeUndefined();
  });

  it("votes of raters are not unrolled again by the lists beside them", () => {
    const votes = table("id,model_a,model_b,winner,judge", '1,x,y,a,"gpt,v2"', '2,y,x,b,"gpt,v1"');
    expect(reshapeTable(votes)!.table.rows).toBe(4);
  });

  it("the narrowest shape is the one proposed", () => {
    const ballots = table("id,ada,bob,cob", "q1,1,2,3", "q2,3,1,2");
    const { roles } = readRoles(ballots);
    expect(propose("systems", ballots, roles)).toEqual([{ ranks: ["ada", "bob", "cob"] }]);
    expect(propose("systems", table("text", "one", "two"), NO_ROLES)).toEqual([]);
  });

  it("two shapes at once, or the worst without the best, are refused", () => {
    const wide = table("ada,bob", "1,2", "2,1");
    expect(() => reshapeTold(wide, { ranks: ["ada", "bob"], raters: ["ada", "bob"] })).toThrow("are two shapes");
    expect(() => reshapeTold(wide, { worst: "ada" })).toThrow("option `worst` without the column of the best");
  });

  it("a shape that the user names decides the roles of its columns", () => {
    const found = reshapeTold(table("ada,bob", "3,4", "5,1"), { systems: ["ada", "bob"] })!;
    expect(found.hints.map(({ role, by }) => `${role} ${by}`)).toEqual(["system user", "score user", "item shape"]);
  });
});

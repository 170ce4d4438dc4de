import { describe, expect, it } from "vitest";
import { importFiles } from "../../io/import.ts";
import { withTold } from "../understand.ts";
import { cellText, rowsOf } from "./reshaped.ts";

const csv = (...lines: string[]) => importFiles([{ name: "d.csv", bytes: new TextEncoder().encode(lines.join("\n")) }]);

describe("columns with the same numbers", () => {
  const sheet = () =>
    csv("unit_id,worker_id,quality1,quality2,ref1,ref2,sys1,sys2", "1,w,80,60,r,s,a,b", "2,v,50,90,t,u,c,a");

  it("are proposed where one of them names systems and another scores them", async () => {
    expect((await sheet()).asks![0]!.answers[0]).toEqual({ stubs: ["sys", "quality"] });
  });

  it("become one row for each number", async () => {
    const { table, roles, systems, asks } = withTold(await sheet(), { stubs: ["sys", "quality"] });
    const cells = ["unit_id", "sys", "quality"].map((name) => table.columns.get(name)!);
    expect(rowsOf(table).map((row) => cells.map((own) => cellText(own, row)).join(" "))).toEqual([
      ...["1 a 80", "1 b 60", "2 c 50", "2 a 90"],
    ]);
    expect(roles).toMatchObject({ system: "sys", item: "unit_id", rater: "worker_id", score: "quality" });
    expect([systems, asks]).toEqual([["a", "b", "c"], []]);
  });

  it("have the number as the system where no stub names one", async () => {
    const given = await csv("id,grade1,grade2", "q1,3,4", "q2,5,1");
    expect(withTold(given, { stubs: ["grade"] }).systems).toEqual(["1", "2"]);
  });

  it("need the same numbers", async () => {
    const given = await csv("id,sys1,sys2,quality1,quality3", "q1,a,b,3,4", "q2,b,a,5,1");
    expect(() => withTold(given, { stubs: ["sys", "quality"] })).toThrow(
      "quality has no numbered columns, or not the same",
    );
    expect(() => withTold(given, { stubs: ["sis"] })).toThrow("sis has no numbered columns");
  });
});

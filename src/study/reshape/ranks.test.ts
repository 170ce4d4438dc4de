import { describe, expect, it } from "vitest";
import { importFiles } from "../../io/import.ts";
import { withTold } from "../understand.ts";
import { ranks } from "./ranks.ts";
import { cellText, rowsOf } from "./reshaped.ts";

const csv = (...lines: string[]) => importFiles([{ name: "d.csv", bytes: new TextEncoder().encode(lines.join("\n")) }]);
const triples = ({ table }: Awaited<ReturnType<typeof csv>>): string[] => {
  const cells = ["id", "system", "rank"].map((name) => table.columns.get(name)!);
  return rowsOf(table)
    .map((row) => cells.map((own) => cellText(own, row)).join(" "))
    .sort();
};

describe("ranks of systems", () => {
  const wide = () => csv("id,ada,bob,cob", "q1,1,2,3", "q2,3,1,2", "q3,1,2,2", "q4,1,2.5,2.5");
  const places = () => csv("id,rank1,rank2,rank3", "q1,ada,bob,cob", "q2,bob,cob,ada");

  it("are proposed where every row orders its columns, and where numbered ranks name systems", async () => {
    const [one, two] = [await wide(), await places()];
    expect(one.asks![0]!.answers[0]).toEqual({ ranks: ["ada", "bob", "cob"] });
    expect(two.asks![0]!.answers[0]).toEqual({ ranks: ["rank1", "rank2", "rank3"] });
    const scores = await csv("id,ada,bob,cob", "q1,1,2,3", "q2,3,3,2");
    expect(ranks.find(scores.table, scores.roles)).toBeUndefined();
  });

  it("read alike as a column for each system, as names at each rank, and long", async () => {
    const one = withTold(await csv("id,ada,bob,cob", "q1,1,2,3", "q2,3,1,2"), { ranks: ["ada", "bob", "cob"] });
    const two = withTold(await places(), { ranks: ["rank1", "rank2", "rank3"] });
    const long = ["q1,ada,1", "q1,bob,2", "q1,cob,3", "q2,ada,3", "q2,bob,1", "q2,cob,2"];
    const given = await csv("id,system,rank", ...long);
    expect(given.asks![0]).toMatchObject({ id: "score", answers: [{ ranks: ["rank"] }, {}] });
    const three = withTold(given, { ranks: ["rank"] });
    for (const found of [one, two, three]) {
      expect(triples(found)).toEqual(long.map((line) => line.replaceAll(",", " ")));
      expect(found).toMatchObject({ roles: { system: "system", item: "id", score: "rank" }, asks: [] });
      expect(found.metrics[0]).toMatchObject({ name: "rank", higherIsBetter: false });
    }
  });

  it("are missing where a ballot is short", async () => {
    const found = withTold(await csv("id,rank1,rank2,rank3", "q1,ada,bob,", "q2,bob,cob,ada"), {
      ranks: ["rank1", "rank2", "rank3"],
    });
    expect(found.table.rows).toBe(5);
  });

  it("are numbers, or all names", async () => {
    const given = await csv("id,ada,bob", "q1,1,x", "q2,2,y");
    expect(() => withTold(given, { ranks: ["ada", "bob"] })).toThrow("option `ranks` bob: not numbers.");
  });
});

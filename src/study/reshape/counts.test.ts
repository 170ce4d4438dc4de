import { describe, expect, it } from "vitest";
import { importFiles } from "../../io/import.ts";
import { measureAgreement } from "../../reliability/agreement/agreement.ts";
import { withTold } from "../understand.ts";
import { counts } from "./counts.ts";

const csv = (...lines: string[]) => importFiles([{ name: "d.csv", bytes: new TextEncoder().encode(lines.join("\n")) }]);
const sheet = () =>
  csv("tweet,count,hate,offensive,neither,class", "s,3,3,0,0,0", "t,3,0,2,1,1", "u,2,0,0,2,2", "v,2,1,1,0,0");

describe("counts of raters for each label", () => {
  it("are proposed where neighboring columns add up to the number of raters", async () => {
    const { table, roles } = await sheet();
    expect(counts.find(table, roles)).toEqual({ counts: ["hate", "offensive", "neither"] });
    expect(counts.find((await csv("id,a,b", "1,3,0", "2,1,1")).table, roles)).toBeUndefined();
  });

  it("become one row for each choice, of raters whom nobody named", async () => {
    const found = withTold(await sheet(), { counts: ["hate", "offensive", "neither"] });
    expect(found).toMatchObject({ unnamedRaters: true, roles: { item: "tweet", rater: "rater", label: "label" } });
    expect(found.table.rows).toBe(10);
  });

  it("give the agreement of the counts", async () => {
    const { table } = withTold(await sheet(), { counts: ["hate", "offensive", "neither"] });
    const agreed = measureAgreement(table, {
      item: "tweet",
      rater: "rater",
      label: "label",
      unnamed: true,
      replicates: 0,
    });
    // pairs that agree: 3 of 3, 1 of 3, 1 of 1, 0 of 1
    expect(agreed.coefficients.percent!.value).toBeCloseTo((1 + 1 / 3 + 1 + 0) / 4, 12);
    // Krippendorff: n_hate = 4, n_offensive = 3, n_neither = 3 of 10; pairs of t and v disagree in 4/2 and 2/1
    const [observed, expected] = [(2 + 2) / 10, 1 - (4 * 3 + 3 * 2 + 3 * 2) / 90];
    expect(agreed.coefficients.alpha.value).toBeCloseTo(1 - observed / expected, 12);
  });

  it("are whole numbers from 0 on", async () => {
    const given = await csv("id,a,b", "1,3,0.5", "2,1,1");
    expect(() => withTold(given, { counts: ["a", "b"] })).toThrow("0.5 is not a number of raters");
  });
});

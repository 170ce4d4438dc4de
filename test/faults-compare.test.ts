/** What compare() once made of data that people have, each test named after the fault. */
import { describe, expect, it } from "vitest";
import { compare, makeRng } from "../src/index.ts";
import { lines, readText, times } from "./support/read-text.ts";

const codes = ({ diagnostics }: { diagnostics: readonly { code: string }[] }): string[] =>
  diagnostics.map(({ code }) => code);

describe("by a column that groups the items", () => {
  /** B is better by a third of a point on each of 400 items in 20 topics. */
  async function topics() {
    const rng = makeRng("topics");
    const rows = times(400, (i) => {
      const level = rng.normal();
      return ["A", "B"].map((model, s) => `${model},q${i},t${i % 20},${(level + s / 3 + rng.normal()).toFixed(3)}`);
    });
    return readText("topics.csv", lines(["model,id,topic,score", ...rows.flat()]));
  }

  it("the topics stood in the model twice, as classes and as a sample of others, and no difference was seen", async () => {
    const result = compare(await topics(), { by: "topic" });
    expect(result.model?.formula).toBe("score ~ model * topic + (1 | id)");
    expect(result.main.verdict).toBe("BETTER");
    expect(result.scope).toEqual(["items"]);
    expect(codes(result)).toContain("GroupsCompared");
  });

  it("both at once are refused", async () => {
    const data = await topics();
    expect(() => compare(data, { by: "topic", cluster: "topic" })).toThrow(/sample of others/);
    expect(compare(data).scope).toContain("clusters");
  });
});

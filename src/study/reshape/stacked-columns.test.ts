import { describe, expect, it } from "vitest";
import { NO_ROLES } from "../../data/imported.ts";
import { importFiles } from "../../io/import.ts";
import { withTold } from "../understand.ts";
import { cellText, rowsOf } from "./reshaped.ts";
import { raters, systems } from "./stacked-columns.ts";

const csv = (...lines: string[]) => importFiles([{ name: "d.csv", bytes: new TextEncoder().encode(lines.join("\n")) }]);
const column = ({ table }: Awaited<ReturnType<typeof csv>>, name: string): (string | null)[] =>
  rowsOf(table).map((row) => cellText(table.columns.get(name)!, row));

describe("one column for each system", () => {
  const wide = () => csv("id,alpha,beta,gamma", "q1,3,4,2", "q2,5,1,2", "q3,2,2,4");

  it("is proposed, and stacked once the user says so", async () => {
    const given = await wide();
    expect(given.asks![0]).toMatchObject({ id: "system", answers: [{ systems: ["alpha", "beta", "gamma"] }] });
    const found = withTold(given, given.asks![0]!.answers[0]!);
    expect(found.roles).toMatchObject({ system: "system", item: "id", score: "score" });
    expect([found.systems, found.items, found.asks]).toEqual([["alpha", "beta", "gamma"], 3, []]);
    expect(column(found, "score")).toEqual(["3", "4", "2", "5", "1", "2", "2", "2", "4"]);
  });

  it("has rows as items where no column names them, or the seeds of the rows", async () => {
    const rows = withTold(await csv("alpha,beta", "3,4", "5,1"), { systems: ["alpha", "beta"] });
    expect([rows.roles.item, rows.items]).toEqual(["row", 2]);
    const seeds = withTold(await csv("seed,alpha,beta", "11,3,4", "12,5,1"), { systems: ["alpha", "beta"] });
    expect([seeds.roles.item, seeds.roles.repeat]).toEqual(["seed", undefined]);
  });

  it("has the direction that all names tell, and none otherwise", async () => {
    const told = async (header: string) => {
      const given = await csv(`id,${header}`, "q1,0.3,0.4", "q2,0.5,0.1");
      return withTold(given, { systems: header.split(",") }).metrics[0];
    };
    expect(await told("gpt_wer,llama_wer")).toEqual({ name: "score", label: "score" });
    expect(await told("wer1,wer2")).toMatchObject({ name: "score", higherIsBetter: false });
  });

  it("is all columns of one scale or none", async () => {
    const find = async (...lines: string[]) => {
      const { table, roles } = await csv(...lines);
      return systems.find(table, roles);
    };
    expect(await find("id,alpha,beta,tokens_in", "q1,1,0,812", "q2,0,1,977")).toBeUndefined();
    expect(await find("id,gpt_score,llama_score", "q1,3,4", "q2,5,1")).toEqual({
      systems: ["gpt_score", "llama_score"],
    });
    const verdicts = ["q1,true,false", "q2,false,true", "q3,true,true"];
    expect(await find("id,gpt_correct,llama_correct", ...verdicts)).toEqual({
      systems: ["gpt_correct", "llama_correct"],
    });
    expect(await find("id,caught,missed", ...verdicts)).toBeUndefined();
    expect(await find("id,test_score,train_score", "q1,3,4", "q2,5,1")).toBeUndefined();
    expect(await find("id,rating,normalized_rating", "q1,3,4", "q2,5,1")).toBeUndefined();
    // criteria of one system
    expect(await find("id,fluency,adequacy", "q1,3,4", "q2,5,1")).toBeUndefined();
  });

  it("is a choice among systems where a column names them", async () => {
    const given = await csv("id,system,score", "q1,a,1", "q1,b,0");
    expect(withTold(given, { systems: ["a", "b"] })).toBe(given);
  });
});

describe("one row for each system, one column for each item", () => {
  it("is proposed, and stacked once the user says so", async () => {
    const given = await csv("Model,1,2,3", "a,0.1,0.2,0", "b,0,0.1,0.3");
    expect(given.asks![0]!.answers[0]).toEqual({ items: ["1", "2", "3"] });
    const found = withTold(given, { items: ["1", "2", "3"] });
    expect(found).toMatchObject({
      systems: ["a", "b"],
      items: 3,
      roles: { system: "Model", item: "item", score: "score" },
    });
    expect(found.metrics[0]!.higherIsBetter).toBeUndefined();
  });
});

describe("one column for each rater, by whatever name", () => {
  it("is proposed for names that differ in the last word, for columns of the same words and for all numbers", async () => {
    const find = async (...lines: string[]) => raters.find((await csv(...lines)).table, NO_ROLES);
    expect(await find("claim,claim_e,claim_w", "1,1,0", "0,0,0", "1,1,1")).toEqual({ raters: ["claim_e", "claim_w"] });
    expect(await find("gold,mia,tom", "A,A,B", "B,B,B", "A,B,A")).toEqual({ raters: ["mia", "tom"] });
    const numbers = await csv("id,mia,tom", "q1,3,4", "q2,5,3", "q3,4,5");
    expect(raters.find(numbers.table, numbers.roles)).toEqual({ raters: ["mia", "tom"] });
    const mixed = await csv("id,P,R,Con", "q1,3,4,-0.5", "q2,5,3,0", "q3,4,5,0");
    expect(raters.find(mixed.table, mixed.roles)).toBeUndefined();
  });

  it("is stacked with what was said as the label, not the gold label beside it", async () => {
    const given = await csv("id,label,mia,tom", "q1,A,0,1", "q2,B,1,1");
    const { roles, table } = withTold(given, { raters: ["mia", "tom"] });
    expect([roles.rater, roles.label, table.rows]).toEqual(["rater", "label_2", 4]);
  });

  it("is refused by a name that is not there, or twice", async () => {
    const given = await csv("id,mia,tom", "q1,3,4", "q2,5,3");
    expect(() => withTold(given, { raters: ["mia", "tim"] })).toThrow("option `raters` tim: no such column.");
    expect(() => withTold(given, { raters: ["mia", "mia"] })).toThrow("option `raters`: mia twice.");
  });
});

/** What the screens say of files of other people's projects, as their owners would read it. */
import { describe, expect, it } from "vitest";
import { describeImported, type Imported, importFiles } from "../src/index.ts";
import { times } from "./support/shapes.ts";

const file = (name: string, text: string) => ({ name, bytes: new TextEncoder().encode(text) });
const csv = (...lines: readonly string[]) => importFiles([file("t.csv", lines.join("\n"))]);
const screen = (imported: Imported): string =>
  String(describeImported(imported, { target: "t.csv", available: new Set(["compare", "score", "fit lm"]) })).replace(
    /\s+/g,
    " ",
  );

describe("the description of a file", () => {
  it("warns of no scales where a weak system's total is below 1 % and another's above 20", async () => {
    const found = await csv(
      "model,test_cases,pass_rate,pass_num",
      "ada-mini,225,0.9,2",
      "bob-large,225,22.7,51",
      "cy-large,225,52.0,117",
    );
    expect(screen(found)).toContain("Which systems differ in pass_rate");
    expect(screen(found)).not.toMatch(/no verdict|share a scale/);
  });

  it("does not call each file a system where folders are systems and files their runs", async () => {
    const records = (shift: number): string =>
      JSON.stringify({ results: times(6, (i) => ({ task_id: `t${i}`, is_resolved: (i + shift) % 3 === 0 })) });
    const found = await importFiles(
      ["ada/run_1", "ada/run_2", "bob/run_1", "bob/run_2"].map((path, i) => file(`x/${path}/results.json`, records(i))),
    );
    expect(found.systems).toEqual(["ada", "bob"]);
    expect(found.roles.repeat).toBe("run");
    expect(screen(found)).not.toMatch(/[Ee]ach file is taken as one system/);
    expect(screen(found)).toContain("Each level of file is taken as one system");
  });

  it("shows the ends of ids and counts as they are, not rounded", async () => {
    const found = await csv("unit_id,score", ...times(9, (i) => `${1468391946 + 650 * i},${i % 4}`));
    expect(screen(found)).toContain("1468391946 to 1468397146");
  });

  it("calls one level constant", async () => {
    const found = await csv("system,item,tainted,score", ...times(8, (i) => `s${i % 2},${i >> 1},False,${i}`));
    expect(screen(found)).toMatch(/tainted constant/);
  });

  it("takes no column that few rows fill, and no measure is called, for a score beside ratings", async () => {
    const found = await csv(
      "unit,worker,sys1,quality1,copy_of1,sys2,quality2,copy_of2",
      ...times(24, (i) => `u${i % 8},w${i >> 3},A,${50 + i},${i === 3 ? 2 : ""},B,${40 + i},${i === 5 ? 7 : ""}`),
    );
    expect(found.metrics.map(({ name }) => name)).toEqual(["quality"]);
  });
});

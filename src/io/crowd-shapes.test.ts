/** Exports of crowd platforms, criteria beside criteria, and tables of submissions: what is understood, and what must not be said. */
import { describe, expect, it } from "vitest";
import { csv, read, said, times } from "../../test/support/shapes.ts";
import { compare } from "../significance/compare/compare.ts";

describe("exports of Mechanical Turk", () => {
  const HEAD =
    "HITId,Keywords,CreationTime,RequesterAnnotation,AssignmentId,WorkerId,WorkTimeInSeconds,Input.engine,Input.dialogue,Answer.Fluency,Answer.Tone,Approve,Reject";
  const shown = (d: number, s: number, w: number): string =>
    `H${d}x${s},"talk, rate",May ${d} 0${s}:00,BatchId:${d % 3};OriginalHitTemplateId:9;,A${d}${s}${w},W${(d + w) % 7},${20 + ((d * 7 + w) % 40)},${"PQR"[s]},what was said on day ${d},${1 + ((d + s + w) % 5)},${1 + ((d * s + w) % 5)}`;
  const rows = times(8, (d) => times(3, (s) => times(2, (w) => shown(d, s, w)))).flat(2);

  it("leave two columns for the requester to fill in, for which the rows have no fields", async () => {
    const found = await csv(HEAD, ...rows);
    expect(found.table.rows).toBe(48);
    expect(found.diagnostics.filter(({ severity }) => severity === "warning")).toEqual([]);
    await expect(csv("a,b,c", "1,2")).rejects.toThrow(/2 fields where 3 are expected/);
  });

  it("a task that shows one system one text is no item: the text is", async () => {
    const { roles, items, systems } = await csv(HEAD, ...rows);
    expect([roles.item, items, roles.system, systems.length]).toEqual(["Input.dialogue", 8, "Input.engine", 3]);
    expect(roles.rater).toBe("WorkerId");
  });

  it("what the platform wrote is neither metric nor score nor list", async () => {
    const found = await csv(HEAD, ...rows);
    expect(found.roles.metric).toBeUndefined();
    expect(found.roles.metrics).toEqual(["Answer.Fluency", "Answer.Tone"]);
    expect(said(found)).not.toMatch(/Keywords|CreationTime/);
    const times_only = await csv(
      "HITId,WorkerId,WorkTimeInSeconds,Answer.spans",
      ...times(12, (i) => `H${i % 4},W${i % 3},${30 + i},"[{""from"": ${i}}]"`),
    );
    expect(times_only.roles.metrics).toEqual([]);
  });

  it("of sys1 and sysid1 the id names the system", async () => {
    const found = await csv(
      "hit,sys1,sys2,sysid1,sysid2,score1,score2",
      ...times(6, (i) => `h${i},hi,well ${i % 2},alpha,beta,${1 + (i % 5)},${1 + ((i * 2) % 5)}`),
    );
    expect(found.systems).toEqual(["alpha", "beta"]);
  });
});

describe("criteria", () => {
  it("on the scale of their neighbours are scores under any name, and relevance between them is no label", async () => {
    const found = await csv(
      "team,sample_id,words,Correctness,Coverage,Fluency,Relevance,Layout",
      ...times(20, (i) =>
        [
          "ab"[i % 2],
          i >> 1,
          5 + i,
          ...times(5, (k) => (i === 0 ? 0 : i === 19 ? 100 : ((i * 13 + k * 7) % 99) + 0.5)),
        ].join(","),
      ),
    );
    expect([...found.roles.metrics].sort()).toEqual(["Correctness", "Coverage", "Fluency", "Layout", "Relevance"]);
    expect(found.roles.label).toBeUndefined();
    expect(found.roles.covariates).toContain("words");
  });
});

describe("tables of totals", () => {
  it("one name for several columns of scores is no column of metrics; best minus worst is better when higher", async () => {
    const found = await csv(
      "System,Measure,Wins,Losses,Best-Worst Score",
      "alpha,Clarity,31,12,19",
      "beta,Clarity,20,21,-1",
      "gamma,Clarity,11,29,-18",
    );
    expect(found.roles.metric).toBeUndefined();
    expect(found.metrics.find(({ name }) => name === "Best-Worst Score")?.higherIsBetter).toBe(true);
    expect(found.metrics.find(({ name }) => name === "Losses")?.higherIsBetter).toBe(false);
  });

  it("the id of what was handed in is no item, and whether it was constrained no result", async () => {
    const pairs = ["cs-en", "en-de", "en-ja"];
    const found = await read({
      "auto.tsv": [
        "pair\tsystem\tid\tis_constrained\tmetric\tscore",
        ...pairs.flatMap((pair, p) =>
          ["P", "Q", "R", "S"].flatMap((system, s) =>
            ["bleu-A", "chrf-A"].map(
              (metric, m) =>
                `${pair}\t${system}\t${100 + p * 10 + s}\t${(s + p) % 2 === 0 ? "TRUE" : "FALSE"}\t${metric}\t${20 + p + s * 2 + m * 30}`,
            ),
          ),
        ),
      ].join("\n"),
    });
    expect([found.roles.item, found.items, found.roles.task, found.systems.length]).toEqual([undefined, 0, "pair", 4]);
    expect(found.roles.score).toBe("score");
    expect(found.diagnostics.map(({ code }) => code)).toContain("TotalsOnly");
    expect(() => compare([{ path: "auto.tsv", imported: found }], { metric: "bleu-A" })).toThrow(
      /recognised as the item/,
    );
  });

  it("a submission is a system without being asked, where each met the same samples", async () => {
    const found = await csv(
      "submission_id,sample_id,Fluency",
      ...times(24, (i) => `team ${i % 3},${Math.floor(i / 3)},${50 + ((i * 13) % 49)}.5`),
    );
    expect([found.roles.system, found.roles.item]).toEqual(["submission_id", "sample_id"]);
    expect(compare([{ path: "d.csv", imported: found }]).systems.length).toBe(3);
  });

  it("how well it fits its training data is not the main score", async () => {
    const found = await csv(
      "name,train_loss,train_acc,test_acc",
      ...times(5, (i) => `run_${i},0.${30 + i},0.9${i},0.6${i}`),
    );
    expect(found.roles.score).toBe("test_acc");
  });
});

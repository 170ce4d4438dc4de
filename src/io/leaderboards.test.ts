/** Tables of totals and their neighbours as projects publish them: which column is the system, which number is the result, and what is neither. */
import { describe, expect, it } from "vitest";
import { times } from "../../test/support/shapes.ts";
import { importFiles } from "./import.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const csv = (...lines: readonly string[]) => importFiles([{ name: "board.csv", bytes: bytes(lines.join("\n")) }]);
const json = (value: unknown, name = "board.json") => importFiles([{ name, bytes: bytes(JSON.stringify(value)) }]);

describe("a leaderboard", () => {
  it("has its average for the main score, wherever it stands", async () => {
    const wer = await csv(
      "Model,Radio WER,Radio CER,Street WER,Average WER,Average CER",
      "ada,31,12,44,37.5,15",
      "bob,28,11,40,34,13",
    );
    expect([wer.metrics[0]?.name, wer.metrics[0]?.higherIsBetter]).toEqual(["Average WER", false]);
    const wins = await csv("model,win_rate_talk,win_rate_avg", "ada,0.3,0.4", "bob,0.5,0.6");
    expect(wins.metrics[0]?.name).toBe("win_rate_avg");
    // the average of something else is not the average of this
    const other = await csv("model,pass_rate,average_reward", "ada,0.3,0.4", "bob,0.5,0.6");
    expect(other.metrics[0]?.name).toBe("pass_rate");
  });

  it("does not take the size, the licence or the price of a model for a result", async () => {
    const { metrics, assumptions } = await csv(
      "model,Model size (B),Latency Mean (s),de_news,fr_news,Avg",
      ...times(8, (i) => `m${i},${1 + i * 1.5},${0.2 + i / 10},${5.1 + i},${6.3 + i},${5.7 + i}`),
    );
    expect(metrics.map(({ name }) => name)).toEqual(["Avg", "de_news", "fr_news", "Latency Mean (s)"]);
    expect(assumptions.join(" ")).not.toMatch(/Model size|Latency/);
  });

  it("is no sweep: a number of parameters does not make settings of its results", async () => {
    const { roles } = await csv(
      "rank,model,family,params_b,lawfulness,openness,safety,overall_pass_rate,n_tasks",
      ...times(
        6,
        (i) => `${i + 1},m${i},f${i % 5},${7 * (i + 1)},${80.5 - i},${70.25 - i},${60.5 + i},${90.6 - i},139`,
      ),
    );
    expect(roles).toMatchObject({ system: "model", parameters: [] });
  });

  it("is named by its first column also where links stand beside few numbers", async () => {
    const { roles, systems } = await csv(
      "name,win_rate,avg_length,link,samples,filter",
      ...times(6, (i) => `sys ${i},${70.5 - i},${1000 + 7 * i},,https://example.org/${i}.json,minimal`),
    );
    expect([roles.system, roles.score, systems.length]).toEqual(["name", "win_rate", 6]);
  });

  it("keyed by system has them for systems, not what they all were run on", async () => {
    const one = (i: number) => ({
      provider: "cloud",
      model_key: `tiny-${i}`,
      overall_pct: 70.5 + i,
      n_tasks: 139,
      params_b: i,
    });
    const keyed = await json(Object.fromEntries(times(5, (i) => [`tiny-${i}`, one(i)])));
    expect([keyed.roles.system, keyed.systems.length]).toEqual(["model_key", 5]);
    const scores = (i: number) => ({
      size: "128k",
      scores: Object.fromEntries(
        ["all", "cpp", "java", "rust"].map((lang, k) => [
          lang,
          { "0.5": { "pass@1": (i + k) / 20 }, "0.8": { "pass@1": (i + k) / 25 } },
        ]),
      ),
    });
    const nested = await json(Object.fromEntries(times(6, (i) => [`gpt-${i}`, scores(i)])));
    expect([nested.roles.system, nested.systems.length, nested.items]).toEqual(["key", 6, 3]);
    expect(nested.assumptions.join(" ")).toMatch(/scores\.all sums up the others and is left out/);
  });

  it("under several variants has no items: how a system was run is none", async () => {
    const rows = ["all", "hard", "easy"].flatMap((variant) => times(5, (i) => `m${i},${0.5 + i / 20},${variant}`));
    const { roles } = await csv("model_id,score,variant", ...rows);
    expect([roles.system, roles.item]).toEqual(["model_id", undefined]);
  });
});

describe("what is no system", () => {
  it("pass@1, pass@10 and pass@100 of one run are one measure at three depths", async () => {
    const { systems, roles } = await json({ "pass@1": 0.15, "pass@10": 0.25, "pass@100": 0.31 });
    expect([systems, roles.wide, roles.metrics]).toEqual([[], [], ["pass@1", "pass@10", "pass@100"]]);
  });

  it("the verdicts of a judge", async () => {
    const rows = times(20, (i) =>
      ["A>B", "B>A"].map((decision, k) => ({ pair_id: `p${i}`, decision, score: (i + k) % 5 })),
    );
    const { roles } = await json(rows.flat());
    expect(roles.system).toBeUndefined();
  });

  it("the parts of an Excel workbook", async () => {
    const { writeZip } = await import("./packed/write-zip.ts");
    const book = writeZip(
      new Map([
        ["[Content_Types].xml", bytes("<Types/>")],
        ["xl/workbook.xml", bytes("<workbook/>")],
      ]),
    );
    await expect(importFiles([{ name: "stats.xlsx", bytes: book }])).rejects.toMatchObject({
      code: "OfficeFile",
      message: "stats.xlsx is an Excel workbook, which is not read.",
    });
  });
});

describe("what else projects publish", () => {
  it("a dimension that each task has is a kind of task, no measure", async () => {
    const file = (model: string, k: number) => ({
      name: `runs/${model}.json`,
      bytes: bytes(
        JSON.stringify(
          times(30, (i) => ({
            task_id: `t${i}`,
            dimension: ["law", "care", "safety"][i % 3],
            passed: (i + k) % 3 > 0,
            model_used: model,
          })),
        ),
      ),
    });
    const { roles, metrics } = await importFiles([file("llama-a", 0), file("llama-b", 1)]);
    expect([roles.metric, roles.item, metrics[0]?.name]).toEqual([undefined, "task_id", "passed"]);
    // a criterion under which each item comes again stays one
    const rated = await json(
      times(20, (i) =>
        ["law", "care"].map((criterion, k) => ({
          item: `t${i}`,
          system: `s${i % 2}`,
          criterion,
          rating: 1 + ((i + k) % 5),
        })),
      ).flat(),
    );
    expect(rated.roles.metric).toBe("criterion");
  });

  it("scores written as text are numbers, ids written as text are not", async () => {
    const { table, metrics } = await json(
      times(30, (i) => ({
        session_id: `s${i % 15}`,
        model: `m${i < 15 ? 1 : 2}`,
        label: String(i % 3),
        score: String(1 + (i % 9)),
      })),
    );
    expect([table.columns.get("score")?.kind, table.columns.get("label")?.kind]).toEqual(["numeric", "factor"]);
    expect(metrics[0]?.name).toBe("score");
  });

  it("a file is not cut within the number of its name", async () => {
    const file = (model: string) => ({
      name: `${model}_results.jsonl`,
      bytes: bytes(times(12, (i) => JSON.stringify({ task_id: `t${i}`, passed: i % 2 === 0 })).join("\n")),
    });
    const { systems } = await importFiles([file("anna_7b"), file("ben-coder_6.7b")]);
    expect(systems).toEqual(["anna_7b", "ben-coder_6.7b"]);
  });
});

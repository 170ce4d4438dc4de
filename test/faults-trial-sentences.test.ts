/** Sentences of gates and comparisons that said more than the data hold. */
import { describe, expect, it } from "vitest";
import { compare } from "../src/index.ts";
import { importFiles } from "../src/io/import.ts";
import { gate, simplePolicy } from "../src/plan.ts";

const read = (path: string, rows: readonly string[]) =>
  importFiles([{ name: path, bytes: new TextEncoder().encode(rows.join("\n")) }]);
const part = async (path: string, rows: readonly string[]) => [{ path, imported: await read(path, rows) }];

/** Scores between 0 and 1 that look like chance and are the same each time. */
const noise = (k: number): number => {
  const x = Math.sin(12.9898 * (k + 1)) * 43758.5453;
  return x - Math.floor(x);
};

const numbers = (n: number): number[] => Array.from({ length: n }, (_, k) => k);

const MODELS = ["alpha", "bravo", "charlie", "delta", "echo"];
const fiveRows = [
  "model,item,correct",
  ...MODELS.flatMap((model, m) =>
    numbers(80).map((i) => `${model},q${i},${noise(131 * m + i) < (m === 4 ? 0.85 : 0.4) ? 1 : 0}`),
  ),
];

describe("a gate on a file of several systems", () => {
  it("asks which one is the candidate instead of pooling them", async () => {
    const files = { candidate: await part("five.csv", fiveRows), baseline: ["alpha"] };
    const policy = simplePolicy({ margin: 0.02 });
    expect(() => gate(files, { policy })).toThrow(/bravo, charlie, delta.*which one is the candidate/);
    const one = gate(files, { policy, systems: ["alpha", "echo"] });
    expect(one.runs).toEqual({ baseline: ["alpha"], candidate: ["echo"] });
    expect(one.tasks[0]!.candidate).toBeGreaterThan(0.7);
    expect(one.toString()).not.toContain("averaged");
    // who names several says that they are runs of one candidate
    expect(gate(files, { policy, systems: ["bravo", "charlie"] }).runs.candidate).toEqual(["bravo", "charlie"]);
    expect(() => gate(files, { policy, systems: ["alpha", "foxtrot"] })).toThrow(/no system "foxtrot"/);
  });
});

describe("missing scores without bounds", () => {
  const times = (shift: number, scale: number): string[] => [
    "id,latency_s",
    ...numbers(200).map(
      (i) => `q${i},${i % 50 === 7 && shift < 0 ? "" : (scale * (4 + noise(i + 500 * shift) + shift)).toFixed(3)}`,
    ),
  ];
  const judge = async (scale: number) =>
    gate(
      { candidate: await part("new.csv", times(-2, scale)), baseline: await part("old.csv", times(0, scale)) },
      { policy: simplePolicy({ margin: 0.1 * scale }), higherIsBetter: false },
    );

  it("a pass says within which scores it holds", async () => {
    for (const scale of [100, 0.1]) {
      const result = await judge(scale);
      expect([result.outcome, result.reason]).toEqual(["pass", null]);
      expect(result.summary).toContain("if the 4 missing scores lie among those seen");
      expect(result.toString()).toContain("the smallest and the largest seen");
      expect(result.toString()).not.toContain("whatever they are");
    }
  });
});

describe("many systems on a screen", () => {
  it("shows the pairs of the system that the headline is about first", async () => {
    const screen = compare(await read("five.csv", fiveRows), {}).display().screen!;
    expect(screen.title).toContain("echo");
    const pairs = screen.tables[1]!.rows.map(([name]) => String(name));
    expect(pairs).toHaveLength(6);
    expect(pairs.slice(0, 4).every((name) => name.includes("echo"))).toBe(true);
  });

  it("names the pair of each metric", async () => {
    const rows = [
      "item,system,accuracy,f1",
      ...["x", "y", "z"].flatMap((system, s) =>
        numbers(40).map((i) => {
          const [up, down] = [0.2 * s, 0.2 * (2 - s)].map((add) => (0.5 * noise(97 * s + i) + add).toFixed(3));
          return `q${i},${system},${up},${down}`;
        }),
      ),
    ];
    const grid = compare(await read("metrics.csv", rows), { metric: "all" })
      .display()
      .screen!.tables.find(({ caption }) => caption?.startsWith("Every metric"))!;
    expect(grid.head[1]).toBe("pair");
    expect(new Set(grid.rows.map(([, pair]) => pair)).size).toBe(2);
  });
});

describe("parts of a comparison", () => {
  it("say what their figures are adjusted for", async () => {
    const rows = ["task,id,model,correct"];
    for (const model of ["base", "tuned"])
      for (const task of ["maths", "law", "code"])
        for (const i of numbers(40))
          rows.push(
            `${task},${task}${i},${model},${noise(i + 7 * task.length + (model === "base" ? 0 : 991)) < 0.5 ? 1 : 0}`,
          );
    const { facts } = compare(await read("tasks.csv", rows), {}).display().screen!;
    expect(facts.find(({ label }) => label === "Parts")?.text).toBe(
      "p adjusted by Holm over the parts, that of their mean not; each interval holds for itself",
    );
  });
});

describe("advice where items hang together", () => {
  it("asks for clusters, not for items of the same ones", async () => {
    const rows = ["question,passage,system,correct"];
    for (const [s, system] of ["x", "y"].entries())
      for (const i of numbers(240)) {
        const lean = 0.35 * (noise(31 * s + Math.floor(i / 20)) - 0.5) + 0.03 * s;
        rows.push(`q${i},p${Math.floor(i / 20)},${system},${noise(5 * i + 1013 * s) < 0.6 + lean ? 1 : 0}`);
      }
    const { main } = compare(await read("passages.csv", rows), { cluster: "passage" });
    expect(main.verdict).toBe("INCONCLUSIVE");
    const [, items, clusters] = /about (\d+) items in all, in about (\d+) clusters/.exec(main.advice) ?? [];
    expect(Number(clusters)).toBe(Math.ceil((Number(items) * 12) / 240));
  });
});

describe("what was assumed", () => {
  it("does not name a column that the file lacks, and does not call a test a claim", async () => {
    const sheet = ["participant,pre,post", ...numbers(30).map((i) => `${i},${30 + i},${31 + i + (i % 3)}`)];
    const text = compare(await read("sheet.csv", sheet), { systems: ["pre", "post"] }).toString();
    expect(text).not.toContain("matched by item");
    const users = ["user,group,satisfaction"];
    for (const i of numbers(120))
      users.push(`u${i},${i < 60 ? "control" : "treatment"},${3 + Math.floor(4 * noise(i))}`);
    const unpaired = compare(await read("users.csv", users), { unpaired: true });
    expect(unpaired.toString()).not.toContain("no column names the items");
    const { facts } = unpaired.display().screen!;
    expect(facts.find(({ label }) => label === "Claim")?.text ?? "").not.toContain("test");
  });
});

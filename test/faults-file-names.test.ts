/** What tells the files of a comparison apart, and what each of them is. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compare } from "../src/index.ts";
import { gosset, gossetJson } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";
import { lines, readText, times } from "./support/read-text.ts";

const folder = makeFolder("file-names");

function file(path: string, text: string): string {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
  return join(folder, path);
}

const rows = (seed: number, more: (i: number) => object = () => ({})): string =>
  lines(times(60, (i) => JSON.stringify({ id: i, ...more(i), score: ((i + 1) * 7919 * seed) % 7 > 2 ? 1 : 0 })));

describe("a/results.jsonl and b/results.jsonl were called results 1 and results 2", () => {
  const named = async (...paths: readonly string[]): Promise<readonly string[]> => {
    const parts = await Promise.all(
      paths.map(async (path, k) => ({ ...(await readText("results.jsonl", rows(k + 3))), path })),
    );
    return compare(parts).systems.map(({ name }) => name);
  };

  it("by the folders that differ", async () => {
    expect(await named("runs/a/results.jsonl", "runs/b/results.jsonl")).toEqual(["a", "b"]);
    expect(await named("x/old/out/results.jsonl", "x/new/out/results.jsonl")).toEqual(["old", "new"]);
    expect(await named("a/results.jsonl", "b/deep/results.jsonl")).toEqual(["a", "b/deep"]);
  });

  it("by numbers only where nothing differs", async () => {
    expect(await named("a/results.jsonl", "a/results.jsonl")).toEqual(["results 1", "results 2"]);
  });
});

it("a log that names no model was called model though its folder names it", () => {
  const log = (seed: number): string =>
    lines(
      times(60, (i) =>
        JSON.stringify({
          doc_id: i,
          doc: { question: `question ${i}` },
          target: "x",
          arguments: {},
          resps: [["y"]],
          filtered_resps: ["y"],
          filter: "none",
          metrics: ["acc"],
          doc_hash: `h${i}`,
          prompt_hash: `p${i}`,
          target_hash: `t${i}`,
          acc: ((i + 1) * 7919 * seed) % 7 > 2 ? 1 : 0,
        }),
      ),
    );
  const name = "samples_arc_2024-01-01T00-00-00.jsonl";
  const { systems, assumed } = gossetJson("compare", file(`llama/${name}`, log(3)), file(`qwen/${name}`, log(5)));
  expect(systems.map(({ name: own }: { name: string }) => own)).toEqual(["llama", "qwen"]);
  expect(assumed.join("\n")).toContain('the system is called "llama"');
});

it("one model in two files with other prompts was one system, and its ids the tries of each prompt", () => {
  const asked = (more: string) => (i: number) => ({ prompt: `What is ${i} + ${i}?${more}`, model: "m1" });
  const paths = [file("plain.jsonl", rows(3, asked(""))), file("steps.jsonl", rows(5, asked(" Think step by step.")))];
  const told = gosset("describe", ...paths).stdout;
  expect(told).toContain("It has 2 systems (file), 60\n  items (id).");
  expect(told).toContain("Is the difference between plain and steps real?");
});

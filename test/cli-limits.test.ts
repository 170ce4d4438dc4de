/** Small files that ask for much: each is read or refused in one line, within ten seconds of processor time and one gigabyte. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { program } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("limits");
const MOST_SECONDS = 10;
const MOST_KILOBYTES = 2 ** 20;
const KILL_MS = 100_000;

/** Each process of a command writes what it took as it ends. */
const meter = join(folder, "meter.mjs");
const taken = join(folder, "taken.txt");
writeFileSync(
  meter,
  `import { appendFileSync } from "node:fs";
process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  appendFileSync(${JSON.stringify(taken)}, \`\${(userCPUTime + systemCPUTime) / 1e6} \${maxRSS}\\n\`);
});
`,
);

/** Runs a command and holds it to the limits. */
function limited(...args: readonly string[]) {
  rmSync(taken, { force: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: `--import ${pathToFileURL(meter).href}` },
    timeout: KILL_MS,
    maxBuffer: 2 ** 28,
  });
  expect([0, 2]).toContain(status);
  expect(stderr).toMatch(status === 0 ? /^(?!.*internal error)/ : /^gosset: (?!internal error)[^\n]+\n$/);
  const lines = existsSync(taken) ? readFileSync(taken, "utf8").trim().split("\n") : [];
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    const [seconds, kilobytes] = line.split(" ").map(Number);
    expect(seconds).toBeLessThan(MOST_SECONDS);
    expect(kilobytes).toBeLessThan(MOST_KILOBYTES);
  }
  return { status, stdout, stderr };
}

function write(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return name;
}

/** Three rows whose page of Brotli announces 24 bytes and holds 256 MB. */
const BROTLI =
  "UEFSMRUEFRAVGEwVAhUAAACLA4AAAAAAAAD4PwMVABUwFagDLBUGFRAVBhUGAADP//9/ACQBAgzis0Bu7/8b////AZAAiMMC0L3/5///PwASAHFYALr3//z//wdAAiAOC0D3/p////8ASADEYQHo3v/z//8fAAmAOCwA3ft//v//AyABEIcFoHv/z///fwAkAOKwAHTv//n//w+ABEAcFoDu/T////8BkACIwwLQvf/n//8/ABIAcVgAuvf//P//B0ACIA4LQPf+n////wBIAMRhAeje//P//x8ACYA4LADd+3/+//8DIAEQhwWge//P//9/ACQA4rAAdO//IQAQAAAAAxUCGfwCSARyb290FQIAFQolABgBeAAWBhn8ARn8ASYAHBUKGfUDAAYQGfgBAXgVCBYGFv4DFv4DJjomCAAAFtAPFgYAAEUAAABQQVIx";

describe("limits on what a file takes", { timeout: 2 * KILL_MS }, () => {
  it("stops a page of Parquet at the size in its header", () => {
    expect(limited("describe", write("brotli.parquet", Buffer.from(BROTLI, "base64")))).toMatchObject({
      status: 2,
      stderr:
        "gosset: brotli.parquet: the Parquet file cannot be read: a page does not unpack to the size that it says. Copy or write the file again; if it is sound elsewhere, convert it to CSV.\n",
    });
  });

  it.each([
    ["segment scores", "A\t".concat("1".repeat(250_000), "x\n").repeat(4)],
    ["TREC qrels", `q1 0 d1 1\nq1 0 d2 1\nq1 0 d3 1\nq1 0 ${"a".repeat(250_000)}\n`],
    ["YAML", `- a: 1\n-${" ".repeat(250_000)}:\n- a: 2\n`],
    ["line breaks", "\n".repeat(200_000)],
  ])("reads long lines that look like %s in one pass", (_, text) => {
    limited("describe", write("long.txt", text));
  });

  it("reads YAML of many names, anchors and aliases, and refuses what its parser would fill the memory with", () => {
    const many = (count: number, line: (i: number) => string) =>
      Array.from({ length: count }, (_, i) => line(i)).join("\n");
    const statuses = [
      many(40_000, (i) => `k${i}: ${i}`),
      many(20_000, (i) => `- &a${i} {x: ${i}}`),
      many(20_000, (i) => `- &a${i} {x: ${i}}\n- *a${i}`),
      `a: [${"1,".repeat(1_900_000)}1]`,
      `a: ${"[] ".repeat(500_000)}`,
      many(20_000, () => `${"- ".repeat(80)}a: 1`),
      `a:\n${many(20_000, () => `  - ${"? ".repeat(80)}b`)}`,
    ].map((text) => limited("describe", write("many.yaml", `${text}\n`)).status);
    expect(statuses).toEqual([0, 0, 0, 2, 2, 2, 2]);
  });

  it("refuses a reading of more than a few lines, which lies next to a stranger's data and is taken unasked", () => {
    mkdirSync(join(folder, "theirs"));
    const data = write("theirs/d.csv", "system,item,score\nA,1,0\nB,1,1\nA,2,1\nB,2,0\n");
    const readings = {
      names: Array.from({ length: 400_000 }, (_, i) => `k${i}: item\n`).join(""),
      columns: `item: [${"item,".repeat(3_000_000)}item]\n`,
      depth: `item: ${"[".repeat(200_000)}\n`,
    };
    for (const [name, text] of Object.entries(readings)) {
      write("theirs/gosset.yaml", text);
      const { status, stderr } = limited("compare", data);
      expect([name, status, stderr]).toEqual([name, 2, expect.stringMatching(/where a reading has at most 20000/)]);
    }
  });

  it("refuses a plan of more names than a plan has", () => {
    const names = Array.from({ length: 80_000 }, (_, i) => `k${i}: 1`).join("\n");
    expect(limited("plan", "show", write("plan.yaml", names)).stderr).toMatch(/characters are not a plan/);
  });

  it("fits as many levels as there is time for, and says what to write for more", () => {
    const rows = (levels: number): string =>
      Array.from({ length: 6000 }, (_, i) => `${(Math.imul(i, 2654435761) >>> 8) % 101},g${i % levels}`).join("\n");
    expect(limited("fit", "lm", "y ~ g", write("levels.csv", `y,g\n${rows(1000)}\n`)).status).toBe(0);
    expect(limited("fit", "lm", "y ~ g", write("levels.csv", `y,g\n${rows(3000)}\n`)).stderr).toBe(
      "gosset: the factor g has 2999 columns on 6000 rows; there is room for 1180. Write (1 | g) to make it a random effect, or merge levels.\n",
    );
  });

  it("asks whether a label is circular in time that the number of features does not square", () => {
    const names = Array.from({ length: 80 }, (_, j) => `f${j}`);
    let state = 1;
    const draw = (): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32 - 0.5;
    };
    const rows = Array.from({ length: 500 }, () => {
      const own = names.map(draw);
      return [own.reduce((sum, x) => sum + x, 0) > 0 ? 1 : 0, ...own.map((x) => x.toFixed(4))].join(",");
    });
    const file = write("features.csv", `label,${names.join(",")}\n${rows.join("\n")}\n`);
    expect(limited("validity", "circularity", file, "--label", "label", "--workers", "1").status).toBe(0);
  });
});

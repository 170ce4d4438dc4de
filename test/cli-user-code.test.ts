/** Programs of the user's that the command line runs: modules with scenarios, and learners. Whatever they do is one line, and
 *  nothing is left of them: processes and temporary files are counted before and after. */
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { descendants, marked } from "../src/cli/validity/process-tree.ts";
import { gossetProcess, gossetRefuses, program, root } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("user-code");

const FAMILY = `name: "runs", title: "runs", effect: "delta", size: "n", effectRange: () => ({ from: 0, to: 1 }), replicates: 200,
  parameters: [{ name: "n", kind: "count", meaning: "runs" }, { name: "delta", kind: "number", meaning: "gain" }]`;
const SCENARIO = `name: "runs", title: "runs", effect: delta, alpha: 0.05, parameters: [], assumptions: [], diagnostics: [],
  analyses: ["my test"]`;

let count = 0;
function write(text: string): string {
  const path = join(folder, `m${count++}.mjs`);
  writeFileSync(path, text);
  return path;
}
const module = (body: string): string =>
  write(`export default { ${FAMILY}, make: ({ n, delta }) => ({ ${SCENARIO}, simulate(rng) { ${body} } }) };`);
const words = (path: string): string[] => ["power", "module", path, "--set", "n=9", "--set", "delta=0.3"];

describe("a module of the user's", () => {
  const faults: [string, string, string][] = [
    ["gives NaN", "return [{ estimate: NaN, significant: NaN }];", "runs, replicate 1, my test: estimate is NaN"],
    ["throws", 'throw new Error("boom \\u001b[31m");', "runs, replicate 1: `simulate(rng)` failed: boom ␛[31m."],
    [
      "ends its thread",
      "process.exit(0);",
      "ended early over the same piece of work (no reason given, at replicate 1).",
    ],
    [
      "fills the memory",
      "const a = []; for (;;) a.push(new Array(1e5).fill(0.5));",
      "ran out of memory, at replicate 1.",
    ],
  ];
  for (const [name, body, message] of faults) {
    it(`that ${name}: one line with module, replicate and value`, () => {
      const path = module(body);
      const line = gossetRefuses(...words(path), "--workers", "1");
      expect(line).toContain(`gosset: module "${path}": `);
      expect(line).toContain(message);
    });
  }

  it("that imports the library where it is not installed is told that it need not", () => {
    const path = write('import { makeReplicateTask } from "gosset";\nexport default makeReplicateTask;\n');
    expect(gossetRefuses(...words(path))).toMatch(
      /cannot be loaded: Cannot find package 'gosset'.*does not need to import Gosset \(no makeReplicateTask\): remove that import/,
    );
  });

  it("that loops is stopped where it is", () => {
    const path = module(
      "globalThis.drawn = (globalThis.drawn ?? 0) + 1; if (drawn > 4) for (;;); return [{ estimate: 1, significant: true }];",
    );
    const line = gossetRefuses(...words(path), "--workers", "1", "--timeout", "1");
    expect(line).toContain(`module "${path}": the work did not get on for 1 s, at replicate 5. Fix the loop`);
  });

  it("that loops where it is loaded is stopped from outside, and so is one that waits for ever", () => {
    for (const text of ["for (;;);", "await new Promise(() => {});"]) {
      const path = write(text);
      const { status, stderr } = gossetProcess(...words(path), "--timeout", "1");
      expect([status, stderr]).toEqual([
        2,
        `gosset: module "${path}": loading it did not end within 1 s. Fix the loop, or raise --timeout.\n`,
      ]);
    }
  });

  it("that is sound gives the same figures on one thread and on two", () => {
    const path = module(
      "const e = delta + rng.normal() / 3; return [{ estimate: e, significant: Math.abs(e) > 0.65 }];",
    );
    const figures = (workers: string) => {
      const { stdout, stderr } = gossetProcess(...words(path), "--workers", workers, "--json", "--quiet");
      expect(stderr).toBe("");
      return JSON.parse(stdout).analyses;
    };
    expect(figures("2")).toEqual(figures("1"));
  });
});

describe.skipIf(process.platform !== "linux")("what learners start", () => {
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  writeFileSync(
    join(folder, "data.csv"),
    `id,y\n${Array.from({ length: 40 }, (_, i) => `${i},${(i * 7) % 3 === 0 ? 1 : 0}`).join("\n")}\n`,
  );
  /** Ignores the request to end, and starts a process in a session of its own, whose parent ends at once. */
  const stubborn = write(`
import { spawn } from "node:child_process";
if (process.argv[2] !== "left") {
  const code = "require('child_process').spawn(process.execPath, [process.argv[1], 'left'], { detached: true, stdio: 'ignore' }).unref()";
  spawn(process.execPath, ["-e", code, process.argv[1]], { detached: true, stdio: "ignore" }).unref();
}
process.on("SIGTERM", () => {});
setInterval(() => {}, 1000);
`);
  function start(timeout: string) {
    const data = join(folder, "data.csv");
    const learner = `${process.execPath} ${stubborn} {train} {test} {out}`;
    const child = spawn(
      process.execPath,
      [program, "validity", "invariance", data, "--test", data, "--label", "y", "--scales", "id=nominal"].concat([
        "--learner",
        learner,
        "--timeout",
        timeout,
      ]),
      { cwd: root, env: { ...process.env, TMPDIR: temporary }, stdio: ["ignore", "ignore", "pipe"] },
    );
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    const ended = new Promise<string>((resolve) => child.once("close", () => resolve(stderr)));
    return { child, ended };
  }
  /** Processes of this machine that have the path of the learner among their words. */
  const alive = (word = stubborn): number =>
    readdirSync("/proc").filter((name) => {
      try {
        const own = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0");
        return own.includes(stubborn) && own.includes(word) && !own.includes(program);
      } catch {
        return false; // no process, or gone
      }
    }).length;
  const until = async (done: () => boolean): Promise<void> => {
    for (let i = 0; i < 400 && !done(); i++) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(done()).toBe(true);
  };

  it("ends with it after the time-out, a session of its own or not", async () => {
    expect(await start("2").ended).toContain("did not finish within 2 s and was stopped");
    expect(alive()).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("ends when the program is killed", async () => {
    const { child, ended } = start("600");
    await until(() => alive("left") === 1);
    child.kill("SIGKILL");
    await ended;
    await until(() => alive() === 0 && readdirSync(temporary).length === 0);
  });

  it("is found by its mark and by its parents", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
      env: { ...process.env, GOSSET_LEARNER: "mark-of-a-test" },
    });
    await until(() => marked("mark-of-a-test").length === 1);
    expect(marked("mark-of-a-test")).toEqual([child.pid]);
    expect(marked("mark-of-a-tes")).toEqual([]);
    expect(descendants(process.pid)).toContain(child.pid);
    child.kill("SIGKILL");
  });
});

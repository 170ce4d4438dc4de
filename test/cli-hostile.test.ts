/** Files of strangers on the command line: refused in one line, and never the end of the program. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { program } from "./support/cli.ts";

const folder = mkdtempSync(join(tmpdir(), "gosset-hostile-"));
afterAll(() => rmSync(folder, { recursive: true }));

function run(args: readonly string[], env: Record<string, string> = {}) {
  return spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
}

/** One column of 20,000,000 equal numbers in one run: more than a heap of 60 MB can hold. */
const RUNS =
  "UEFSMRUEFRAVEEwVAhUAAAAAAAAAAAD4PxUAFQwVDCwVgLSJExUQFQYVBgAAAYC0iRMAFQIZLEgEcm9vdBUCABUKJQAYAXgAFoC0iRMZHBkcJgAcFQoZNQAGEBkYAXgVABaAtIkTFl4WXiYyJggAABbQDxaAtIkTAABHAAAAUEFSMQ==";

describe("hostile files", () => {
  it("survives the death of the process that decodes Parquet", () => {
    writeFileSync(join(folder, "runs.parquet"), Buffer.from(RUNS, "base64"));
    const { status, stderr } = run(["describe", "runs.parquet", "--max-memory", "4G"], {
      NODE_OPTIONS: "--max-old-space-size=60",
    });
    expect(status).toBe(2);
    expect(stderr).toMatch(/gosset: runs\.parquet: reading it ended the process that read it \(SIG[A-Z]+\)\. .*\n$/);
  });

  it("refuses what unpacks beyond --max-memory, and takes what does not", () => {
    const text = `system,item,score\n${"a,1,1\nb,1,0\n".repeat(50_000)}`;
    writeFileSync(join(folder, "a.csv.gz"), gzipSync(text));
    const refused = run(["describe", "a.csv.gz", "--max-memory", "1M"]);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toBe(
      "gosset: a.csv.gz: unpacked it has more than 0.3 MB (the limit on unpacked data). If the file is honest, raise --max-memory, or give the part that matters.\n",
    );
    expect(run(["describe", "a.csv.gz", "--max-memory", "64M"]).status).toBe(0);
    expect(run(["describe", "a.csv.gz", "--max-memory", "much"]).stderr).toMatch(/--max-memory/);
  });

  it.skipIf(!existsSync("/dev/zero"))("stops reading what never ends", () => {
    const { status, stderr } = run(["describe", "/dev/zero"]);
    expect([status, stderr]).toEqual([
      2,
      'gosset: "/dev/zero" gives more than 512 MB. Write the data to a file, or give the part that matters.\n',
    ]);
    const text = "system,item,score\nA,1,1\nB,1,0\n";
    const piped = spawnSync(process.execPath, [program, "describe", "-"], {
      cwd: folder,
      encoding: "utf8",
      input: text,
    });
    expect([piped.status, piped.stdout]).toEqual([0, expect.stringContaining("-: table (CSV)")]);
  });

  it("neutralises names in error messages", () => {
    writeFileSync(join(folder, "esc.csv"), "a\u001b[31m\u009bx\u202e,b\n1,2\n2,3\n");
    const { stderr, status } = run(["fit", "lm", "nothing ~ b", "esc.csv"]);
    expect(status).toBe(2);
    expect(run(["describe", "no\nsuch\u001b.csv"]).stderr).toMatch(/^gosset: no file "no such␛\.csv"\. [^\n]+\n$/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });
});

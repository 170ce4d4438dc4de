/** The built program, run as a user runs it. `ASSAY_BIN` names another build of it. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const program = process.env.ASSAY_BIN ?? join(root, "dist/bin/assay.js");

export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function assay(...args: string[]): Run {
  return spawnSync(process.execPath, [program, ...args], { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
}

/** The JSON object of a run that must end well and say nothing else. */
export function assayJson(...args: string[]) {
  const { status, stdout, stderr } = assay(...args, "--json", "--quiet");
  expect([status, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

/** Bad input: exit code 2, nothing on stdout, one line on stderr, which is given back. */
export function assayRefuses(...args: string[]): string {
  const { status, stdout, stderr } = assay(...args);
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(2);
  return stderr;
}

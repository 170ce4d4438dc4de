/**
 * What the built program makes of published files: `describe`, and the command that each file is for, without flags.
 *   npm run build && node scripts/real-files.mjs --out table.txt
 *   --bin <path>   another build        --only <text>   files whose path holds the text
 * The files lie outside the project (../shared/trials); units whose file is absent are listed as such.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./project.mjs";

const LIMIT_SECONDS = 60;
const LINES = 3;
const LINE_WIDTH = 160;
const TRIALS = join(root, "../shared/trials");

const { values: flags } = parseArgs({
  options: { out: { type: "string" }, bin: { type: "string" }, only: { type: "string" } },
});
const program = flags.bin ?? join(root, "dist/bin/gosset.js");

const readUnits = (folder, name) => {
  const path = join(TRIALS, folder, name);
  if (!existsSync(path)) return [];
  return JSON.parse(readFileSync(path, "utf8")).map(({ file, path: own, command }) => ({
    file: join(folder, file ?? own),
    command: command ?? "compare",
  }));
};

/** The program tells its own processor time as it ends; one that was stopped tells none. */
function runOnce(command, file, folder) {
  const note = join(folder, "seconds");
  const hook = `import { writeFileSync } from "node:fs";
    process.on("exit", () => {
      const { user, system } = process.cpuUsage();
      writeFileSync(${JSON.stringify(note)}, String((user + system) / 1e6));
    });`;
  rmSync(note, { force: true });
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, program, command, file],
    { cwd: TRIALS, encoding: "utf8", timeout: LIMIT_SECONDS * 1000, killSignal: "SIGKILL", maxBuffer: 1 << 28 },
  );
  const seconds = existsSync(note) ? Number(readFileSync(note, "utf8")).toFixed(1) : "-";
  const code = error?.code === "ETIMEDOUT" ? "limit" : String(status ?? "killed");
  const said = `${stdout ?? ""}\n${stderr ?? ""}`.split("\n").filter((line) => line.trim() !== "");
  return { code, seconds, lines: said.slice(0, LINES).map((line) => line.trimEnd().slice(0, LINE_WIDTH)) };
}

const units = [...readUnits("real3", "outcomes.json"), ...readUnits("real", "expect.json")].filter(({ file }) =>
  file.includes(flags.only ?? ""),
);
const folder = mkdtempSync(join(tmpdir(), "gosset-real-"));
const rows = [];
const tell = (line) => {
  rows.push(line);
  if (flags.out !== undefined) writeFileSync(flags.out, `${rows.join("\n")}\n`);
  process.stdout.write(`${line}\n`);
};
let total = 0;
for (const { file, command } of units) {
  if (!existsSync(join(TRIALS, file))) {
    tell(`${file}\t${command}\tabsent\t-`);
    continue;
  }
  for (const own of new Set(["describe", command])) {
    const { code, seconds, lines } = runOnce(own, file, folder);
    total += Number(seconds) || 0;
    tell([`${file}\t${own}\t${code}\t${seconds} s`, ...lines.map((line) => `    ${line}`)].join("\n"));
  }
}
rmSync(folder, { recursive: true });
tell(`${units.length} units, ${total.toFixed(0)} s of processor time`);

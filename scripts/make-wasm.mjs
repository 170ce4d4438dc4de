/** Compiles wasm/kernels.ts with AssemblyScript (fetched by npx, not a dependency) and writes the bytes, in base64, to
 *  src/numeric/linalg/wasm-bytes.ts. To be run, and its output committed, after a change of wasm/kernels.ts:
 *      node scripts/make-wasm.mjs */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const COMPILER = "assemblyscript@0.28.20";
const LINE = 100;

const source = fileURLToPath(new URL("../wasm/kernels.ts", import.meta.url));
const target = fileURLToPath(new URL("../src/numeric/linalg/wasm-bytes.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "gosset-wasm-"));
try {
  const out = join(folder, "kernels.wasm");
  const options = ["-O3", "--noAssert", "--runtime", "stub", "--enable", "simd", "--enable", "bulk-memory"];
  execFileSync("npx", ["-y", "-p", COMPILER, "asc", source, ...options, "-o", out], { stdio: "inherit", cwd: folder });
  const text = readFileSync(out).toString("base64");
  const lines = text.match(new RegExp(`.{1,${LINE}}`, "g")).map((line) => `  "${line}"`);
  writeFileSync(
    target,
    `/** wasm/kernels.ts compiled with ${COMPILER}; written by scripts/make-wasm.mjs, not by hand. */\n` +
      `export const WASM_KERNELS =\n${lines.join(" +\n")};\n`,
  );
  console.log(`${target}: ${Math.round((text.length * 3) / 4)} bytes`);
} finally {
  rmSync(folder, { recursive: true });
}

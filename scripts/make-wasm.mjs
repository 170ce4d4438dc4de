/** Compiles wasm/*.ts with AssemblyScript (fetched by npx, not a dependency) and writes the bytes, in base64, beside the code
 *  that uses them. To be run, and its output committed, after a change in wasm/:
 *      node scripts/make-wasm.mjs */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const COMPILER = "assemblyscript@0.28.20";
const LINE = 100;
const MODULES = [
  { source: "wasm/kernels.ts", target: "src/numeric/linalg/wasm-bytes.ts", name: "WASM_KERNELS" },
  { source: "wasm/philox.ts", target: "src/numeric/rng/wasm-bytes.ts", name: "WASM_PHILOX" },
];

const inRepository = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "gosset-wasm-"));
try {
  for (const { source, target, name } of MODULES) {
    const out = join(folder, "module.wasm");
    const options = ["-O3", "--noAssert", "--runtime", "stub", "--enable", "simd", "--enable", "bulk-memory"];
    const args = ["-y", "-p", COMPILER, "asc", inRepository(source), ...options, "-o", out];
    execFileSync("npx", args, { stdio: "inherit", cwd: folder });
    const text = readFileSync(out).toString("base64");
    const lines = text.match(new RegExp(`.{1,${LINE}}`, "g")).map((line) => `  "${line}"`);
    writeFileSync(
      inRepository(target),
      `/** ${source} compiled with ${COMPILER}; written by scripts/make-wasm.mjs, not by hand. */\n` +
        `export const ${name} =\n${lines.join(" +\n")};\n`,
    );
    console.log(`${target}: ${Math.round((text.length * 3) / 4)} bytes`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** A run of Philox4x32-10 blocks in WebAssembly with SIMD (wasm/philox.ts): the words of philox.ts, several times faster.
 *  Oracle:    the kernel in TypeScript, bit for bit (philox.test.ts).
 *  Limits:    false where WebAssembly or its SIMD cannot be had; the caller then takes philox.ts. */
import type { StreamId } from "./philox.ts";
import { WASM_PHILOX } from "./wasm-bytes.ts";

/** Words of a run: short enough to waste little where a stream ends, long enough that the call costs nothing. */
export const RUN_WORDS = 256;

interface Generator {
  readonly memory: WebAssembly.Memory;
  fill(out: number, count: number, k0: number, k1: number, c0: number, c1: number, c2: number, c3: number): void;
}

let generator: Generator | undefined;
let words: Int32Array | undefined;
let available = typeof WebAssembly === "object";

/** Writes RUN_WORDS words from the block with counter (c0, c1) on, c0 a multiple of RUN_WORDS / 4. */
export function philoxRunInto(out: Int32Array, { k0, k1, c2, c3 }: StreamId, c0: number, c1: number): boolean {
  if (words === undefined && !start()) return false;
  generator!.fill(0, RUN_WORDS / 4, k0, k1, c0, c1, c2, c3);
  out.set(words!);
  return true;
}

function start(): boolean {
  if (!available) return false;
  try {
    const module = new WebAssembly.Module(Uint8Array.from(atob(WASM_PHILOX), (c) => c.charCodeAt(0)));
    generator = new WebAssembly.Instance(module).exports as unknown as Generator;
    if (generator.memory.buffer.byteLength < 4 * RUN_WORDS) generator.memory.grow(1);
    words = new Int32Array(generator.memory.buffer, 0, RUN_WORDS);
  } catch {
    available = false;
  }
  return available;
}

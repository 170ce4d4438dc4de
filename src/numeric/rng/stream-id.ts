/** Who a stream is. Philox is evaluated at (key, counter) = (64 bits, 128 bits), laid out as
 *
 *    key      k0 k1   from the identity
 *    counter  c0 c1   position: number of the block within the stream, 2^64 of them
 *             c2 c3   from the identity
 *
 *  so that an identity is the 128 bits (k0, k1, c2, c3), and streams with different identities never evaluate Philox at
 *  the same point. A seed's identity is a 128-bit hash of its text; stream i of a parent has the identity
 *
 *    Philox(key = parent key ^ CHILD, counter = (i, parent c2, c3))
 *
 *  Philox being a bijection, the 2^53 children of one parent differ for certain; cousins differ as 128-bit hashes do
 *  (10^9 streams: a clash with probability below 10^-20). CHILD keeps identities apart from the parent's own draws.
 *  Hash: Davies-Meyer over Philox, h <- Philox(key = message block, counter = h) ^ h, four UTF-16 units a block, then
 *  one block with the length. */
import type { StreamId } from "./philox.ts";
import { philoxInto } from "./philox.ts";

// Fractional bits of sqrt(2) and sqrt(5): arbitrary, only different from zero.
const CHILD_0 = 0x6a09e667 | 0;
const CHILD_1 = 0x3c6ef372 | 0;
// Fractional bits of pi: the hash's starting point.
const START = [0x243f6a88 | 0, 0x85a308d3 | 0, 0x13198a2e | 0, 0x03707344 | 0] as const;
const TWO_32 = 4294967296;

/** A trailing "/3" names stream 3; "/03" does not, so that every stream has one spelling. */
const PATH_STEP = /\/(0|[1-9][0-9]{0,15})$/;

export interface SeedParts {
  readonly root: string;
  readonly path: readonly number[];
}

/** "run-7/3/5" is stream 5 of stream 3 of "run-7". */
export function splitSeed(seed: string): SeedParts {
  const path: number[] = [];
  let root = seed;
  for (let match = PATH_STEP.exec(root); match !== null; match = PATH_STEP.exec(root)) {
    const step = Number(match[1]);
    if (!Number.isSafeInteger(step)) break;
    path.unshift(step);
    root = root.slice(0, match.index);
  }
  return { root, path };
}

export function hashSeed(root: string): StreamId {
  const h = Int32Array.from(START);
  const previous = new Int32Array(4);
  const absorb = (k0: number, k1: number): void => {
    previous.set(h);
    philoxInto(h, k0, k1);
    for (let j = 0; j < 4; j++) h[j]! ^= previous[j]!;
  };
  // Beyond the end charCodeAt is NaN, which | 0 makes the zero that pads the last block.
  const unit = (i: number): number => root.charCodeAt(i) | 0;
  for (let i = 0; i < root.length; i += 4) {
    absorb(unit(i) | (unit(i + 1) << 16), unit(i + 2) | (unit(i + 3) << 16));
  }
  absorb(root.length | 0, ~root.length);
  return identityFrom(h);
}

export function childId(parent: StreamId, i: number): StreamId {
  const block = Int32Array.of(i | 0, Math.floor(i / TWO_32), parent.c2, parent.c3);
  philoxInto(block, parent.k0 ^ CHILD_0, parent.k1 ^ CHILD_1);
  return identityFrom(block);
}

function identityFrom(words: Int32Array): StreamId {
  return { k0: words[0]!, k1: words[1]!, c2: words[2]!, c3: words[3]! };
}

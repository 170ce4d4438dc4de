import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Fingerprint, Murmur128 } from "./fingerprint.ts";
import { Sha256, sha256 } from "./hash.ts";

describe("SHA-256", () => {
  // NIST, Cryptographic Standards and Guidelines: examples with intermediate values, and the long-message example.
  it.each([
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    [
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ],
    [
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
    ],
    ["a".repeat(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
  ])("NIST vector %#", (message, expected) => {
    expect(sha256(message)).toBe(expected);
  });

  it("agrees with another implementation, however the message is cut", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 150 }), { maxLength: 5 }), (pieces) => {
        const ours = new Sha256();
        const theirs = createHash("sha256");
        for (const piece of pieces) {
          ours.update(piece);
          theirs.update(piece);
        }
        expect(ours.digest()).toBe(theirs.digest("hex"));
      }),
    );
    expect(sha256("naïve 漢 👍")).toBe(createHash("sha256").update("naïve 漢 👍").digest("hex"));
  });
});

describe("fingerprint", () => {
  const murmur = (bytes: Uint8Array, seed: number): Uint8Array => {
    const hash = new Murmur128(seed);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const whole = bytes.length - (bytes.length % 4);
    for (let i = 0; i < whole; i += 4) hash.addWord(view.getInt32(i, true));
    const out = new Uint8Array(16);
    hash.finish(bytes.subarray(whole)).forEach((word, i) => {
      new DataView(out.buffer).setInt32(4 * i, word, true);
    });
    return out;
  };

  it("is MurmurHash3_x86_128: SMHasher's verification value", () => {
    // Keys {}, {0}, {0, 1} … hashed with seeds 256, 255 …; the hashes, joined, hashed again.
    const hashes = new Uint8Array(256 * 16);
    for (let i = 0; i < 256; i++)
      hashes.set(
        murmur(
          Uint8Array.from({ length: i }, (_, j) => j),
          256 - i,
        ),
        16 * i,
      );
    expect(new DataView(murmur(hashes, 0).buffer).getUint32(0, true)).toBe(0xb3ece62a);
  });

  it("tells order, type, cuts and single values apart", () => {
    const of = (...parts: (Float64Array | Int32Array | string)[]): string => {
      const fingerprint = new Fingerprint();
      for (const part of parts) fingerprint.update(part);
      return fingerprint.digest();
    };
    const different = [
      of(),
      of(""),
      of("", ""),
      of("ab", "c"),
      of("a", "bc"),
      of("abc"),
      of("abc\0"),
      of(Float64Array.of()),
      of(Int32Array.of()),
      of(Float64Array.of(1, 2)),
      of(Float64Array.of(2, 1)),
      of(Float64Array.of(1), Float64Array.of(2)),
      of(Float64Array.of(1, 2 + 2 ** -51)),
      of(Int32Array.of(1, 2)),
      of(Float64Array.of(Number.NaN)),
      of(Float64Array.of(Number.POSITIVE_INFINITY)),
      of(Float64Array.of(0)),
    ];
    expect(new Set(different).size).toBe(different.length);
    for (const digest of different) expect(digest).toMatch(/^[0-9a-f]{32}$/);
    expect(of(Float64Array.of(-0))).toBe(of(Float64Array.of(0)));
    const payload = new Float64Array(new BigUint64Array([0x7ff00000000007a2n]).buffer);
    expect(of(payload)).toBe(of(Float64Array.of(Number.NaN)));
  });

  it("is pinned: stored results name data by it", () => {
    expect(
      new Fingerprint()
        .update("score")
        .update(Float64Array.of(1, Number.NaN, -2.5))
        .digest(),
    ).toMatchInlineSnapshot(`"1fe6952833697d1cf6955c21cca53eac"`);
  });
});

import { describe, expect, it } from "vitest";
import { lookAlikes } from "./look-alikes.ts";

describe("names that look the same", () => {
  it.each([
    [["model-a", "model-\u0430"], "character 7: U+0061 and U+0430"],
    [["GPT", "GP\u0422"], "character 3: U+0054 and U+0422"],
    [["base", "base\u200b"], "character 5: nothing and U+200B"],
    [["base", "ba\u00adse"], "character 3: U+0073 and U+00AD"],
    [["v1", "\uff561"], "character 1: U+0076 and U+FF56"],
    [["caf\u00e9", "cafe\u0301"], "character 4: U+00E9 and U+0065"],
    [["\u039fld", "Old"], "character 1: U+039F and U+004F"],
  ])("%j are told with the characters that differ", (names, codes) => {
    const [found, ...others] = lookAlikes(names, "systems");
    expect(others).toEqual([]);
    expect(found).toMatchObject({ code: "LookAlikeNames", severity: "warning" });
    expect(found!.message).toContain(codes);
  });

  it("are few: capitals, digits and other alphabets differ", () => {
    for (const names of [["base", "Base"], ["model", "модель"], ["v1", "v2"], ["a", "a"], ["α-model", "β-model"], []])
      expect(lookAlikes(names, "systems")).toEqual([]);
  });

  it("are counted where there are many", () => {
    const names = Array.from({ length: 5 }, (_, i) => [`m${i}a`, `m${i}\u0430`]).flat();
    expect(lookAlikes(names, "systems")[0]!.message).toMatch(/"m2a" and "m2а" \([^)]*\) and 2 more\.$/);
  });
});

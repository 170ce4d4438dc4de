import { describe, expect, it } from "vitest";
import { legendOf, shortNames } from "./short-names.ts";

const run = (model: string, temperature: string): string => `provider/${model}-20241022-temperature-${temperature}`;

describe("short names", () => {
  it("leaves names of up to 23 characters alone", () => {
    expect(shortNames(["base", "x".repeat(23)]).size).toBe(0);
  });

  it("keeps what differs between long names", () => {
    const names = [run("large", "0.7"), run("small", "0.7")];
    expect(Object.fromEntries(shortNames(names))).toEqual({ [names[0]!]: "large", [names[1]!]: "small" });
    expect(Object.fromEntries(shortNames([...names, "base"]))).toEqual({ [names[0]!]: "large", [names[1]!]: "small" });
  });

  it("gives letters where what differs is long too, or is another system's name", () => {
    const one = "a-model-with-a-name-that-nobody-can-read";
    expect(Object.fromEntries(shortNames([one, "base"]))).toEqual({ [one]: "A" });
    expect(shortNames([one, "A", "B"]).get(one)).toBe("C");
    const names = [run("large", "0.7"), run("small", "0.7"), "small"];
    expect([...shortNames(names).values()]).toEqual(["A", "B"]);
    expect(legendOf(shortNames([one]))).toBe(`A: ${one}`);
  });

  it("gives different names to different names, however many and alike", () => {
    for (const count of [2, 3, 27, 80]) {
      const names = Array.from(
        { length: count },
        (_, i) => `${"checkpoint-".repeat(4)}${i % 2 === 0 ? "step" : "stage"}-${i}`,
      );
      const all = [...names, "A", "step", "stage-1"];
      const short = shortNames(all);
      const shown = all.map((name) => short.get(name) ?? name);
      expect(new Set(shown).size).toBe(all.length);
      for (const name of shown) expect(name.length).toBeLessThanOrEqual(23);
    }
  });

  it("never empties a name that is the beginning of another", () => {
    const short = shortNames(["the-same-long-model-name-1", "the-same-long-model-name-1-tuned"]);
    expect([...short.values()].every((label) => label !== "")).toBe(true);
    expect(new Set(short.values()).size).toBe(2);
  });
});

import { describe, expect, it } from "vitest";
import { unlikeScales } from "./scales.ts";

const names = (n: number): string[] => Array.from({ length: n }, (_, i) => `s${i}`);
const shares = (i: number): number[] => Array.from({ length: 40 }, (_, k) => 0.3 + ((i + k * 7) % 40) / 100);

describe("scales of many systems", () => {
  it.each([3, 300])("one of %i in percent is found among shares", (n) => {
    const scores = names(n).map((_, i) => (i === n - 2 ? shares(i).map((v) => 100 * v) : shares(i)));
    expect(unlikeScales(scores, names(n), "accuracy")).toMatch(
      new RegExp(`, s${n - 2} from 30 to 69, as shares and percent do$`),
    );
    expect(
      unlikeScales(
        names(n).map((_, i) => shares(i)),
        names(n),
        "accuracy",
      ),
    ).toBeUndefined();
  });

  it("runs of a sweep, a system each, are not paired each with each, which took all memory", () => {
    const n = 20_000;
    expect(
      unlikeScales(
        names(n).map((_, i) => [0.2 + (i % 700) / 1000]),
        names(n),
        "accuracy",
      ),
    ).toBeUndefined();
  });
});

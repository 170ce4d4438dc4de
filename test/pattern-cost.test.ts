/** No regular expression of the source takes longer than the length of a text: names, cells and lines of strangers may be megabytes long.
 *  Steps are counted (support/pattern-steps.ts): twice the text may take at most 2.5 times the steps. */
import { describe, expect, it } from "vitest";
import { type Pattern, repeatingPatterns, writtenPatterns } from "./support/pattern-sources.ts";
import { CountedPattern, longTexts, MOST_GROWTH, MOST_STEPS, type PatternCode } from "./support/pattern-steps.ts";

/** Short texts first; what grows there is looked at again where bounded loops have ended. */
const LENGTHS = [48, 768];

/** Floors that read rows: there words stand in the lexicon. Others parse formats, formulas or command lines. */
const READING = /^src\/(data|study|metrics|significance|reliability|validity|describe|plan|power)\/(?!lexicon\/)/;
const MOST_ALTERNATIVES = 3;

/** Of the group that has most. */
function alternatives(source: string): number {
  const plain = source.replace(/\\./g, "").replace(/\[[^\]]*\]/g, "");
  const open = [1];
  let most = 1;
  for (const sign of plain) {
    if (sign === "(") open.push(1);
    if (sign === ")") open.pop();
    if (sign === "|") open[open.length - 1]! += 1;
    most = Math.max(most, open.at(-1)!);
  }
  return most;
}

/** Those that are put together when the modules are loaded. */
async function builtPatterns(): Promise<Pattern[]> {
  const built: Pattern[] = [];
  const Plain = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Plain, {
    construct(target, args: [string | RegExp, string?]) {
      const made = new target(...args);
      const at = /\bsrc\/[^:)]+:\d+/.exec(new Error().stack ?? "")?.[0] ?? "";
      built.push({ source: made.source, flags: made.flags, at });
      return made;
    },
  });
  try {
    await import("../src/index.ts");
    await import("../src/io.ts");
  } finally {
    globalThis.RegExp = Plain;
  }
  return built;
}

/** The text for which twice the length takes too many steps. */
function slowText(code: PatternCode): string | undefined {
  const pattern = new CountedPattern(code);
  let slow: number[] | undefined;
  for (const length of LENGTHS) {
    const [short, long] = [longTexts(pattern, length), longTexts(pattern, 2 * length)];
    const places: readonly number[] = slow ?? short.map((_, i) => i);
    slow = places.filter((i) => {
      const steps = pattern.count(long[i]!);
      return steps > MOST_STEPS || steps > MOST_GROWTH * pattern.count(short[i]!);
    });
    if (slow.length === 0) return undefined;
  }
  return longTexts(pattern, 8)[slow![0]!];
}

describe("steps of a pattern", () => {
  it("grow with the square of a text, or worse, where a pattern can look at it from every place", () => {
    const slow: [RegExp, string][] = [
      [/\s+$/, "trailing blanks from every blank"],
      [/^(.+?)[_. -]+(.+)$/u, "a name of blanks and a line break"],
      [/^\s*\w+:/m, "line breaks"],
      [/(a+)+b/, "loops in loops"],
      [/(?<=a*)b/, "a look back over all"],
    ];
    for (const [{ source, flags }, why] of slow)
      expect([why, slowText({ source, flags })]).not.toEqual([why, undefined]);
    for (const { source, flags } of [
      /(?<!\s)\s+$/,
      /^\s+/,
      /[a-z]{1,40}$/,
      /^[^:]*:\d+$/,
      /\d+/g,
      /(?<=\d)\.\d{0,20}x/,
    ]) {
      expect([source, slowText({ source, flags })]).toEqual([source, undefined]);
    }
  });

  it("of the source grow with the length of a text", { timeout: 300_000 }, async () => {
    const repeating = repeatingPatterns([...(await builtPatterns()), ...writtenPatterns()]);
    expect(repeating.length).toBeGreaterThan(100);
    const slow = repeating.flatMap((own) => {
      const text = slowText(own);
      return text === undefined ? [] : [`${own.at} /${own.source}/${own.flags} on ${JSON.stringify(text)}`];
    });
    expect(slow).toEqual([]);
  });
});

describe("alternatives of a pattern", () => {
  it("are counted in each group", () => {
    const counts = ["a|b", "(a|b|c)|d", "[a|b]\\|c", "((a|b)|c|d|e)"].map(alternatives);
    expect(counts).toEqual([2, 3, 1, 4]);
  });

  it("are three at most where rows are read: longer lists are words of the lexicon", () => {
    const read = writtenPatterns().filter(({ at }) => READING.test(at));
    expect(read.length).toBeGreaterThan(50);
    const long = read.filter(({ source }) => alternatives(source) > MOST_ALTERNATIVES);
    expect(long.map(({ at, source }) => `${at} /${source}/`)).toEqual([]);
  });
});

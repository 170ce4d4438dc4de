import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { displayWidth, neutralise, padEnd, padStart, wrap } from "./width.ts";

describe("width in terminal columns", () => {
  it.each([
    ["system", 6],
    ["", 0],
    ["naïve", 5],
    ["nai\u0308ve", 5],
    ["系统", 4],
    ["システム", 8],
    ["ｶﾅ", 2],
    ["시스템", 6],
    ["\u1109\u1175", 2],
    ["👍", 2],
    ["👩‍🔬", 2],
    ["🇩🇪🇫🇷", 4],
    ["❤️", 2],
    ["1️⃣", 2],
    ["±0.5…", 5],
    ["Δ–∞", 3],
    ["עברית", 5],
    ["ไทย", 3],
    ["zero\u200bwidth", 9],
    ["soft\u00adhyphen", 11],
  ])("%s is %d wide", (text, width) => {
    expect(displayWidth(text)).toBe(width);
    expect(displayWidth(padEnd(text, 12))).toBe(12);
    expect(displayWidth(padStart(text, 12))).toBe(12);
  });
});

describe("neutralise", () => {
  it("makes escapes, line breaks and direction overrides harmless", () => {
    expect(neutralise("\u001b[31mred\u001b[0m")).toBe("␛[31mred␛[0m");
    expect(neutralise("a\r\nb\tc\u2028d\u0085e")).toBe("a b c d e");
    expect(neutralise("bell\u0007 del\u007f c1\u009b31m")).toBe("bell␇ del␡ c1�31m");
    expect(neutralise("abc\u202edcba\u2066x")).toBe("abc�dcba�x");
    expect(neutralise("lone \ud800 and \udc00, paired \ud83d\ude00")).toBe("lone � and �, paired 😀");
  });

  it("leaves nothing that controls", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(neutralise(text)).toMatch(/^[^\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u);
        expect(neutralise(neutralise(text))).toBe(neutralise(text));
      }),
    );
  });
});

describe("wrap", () => {
  it("breaks at spaces, and within a word that is too long", () => {
    expect(wrap("the quick brown fox", 10)).toEqual(["the quick", "brown fox"]);
    expect(wrap("the quick brown fox", 10, 4)).toEqual(["the quick", "brown", "fox"]);
    expect(wrap("a verylongwordindeed b", 8)).toEqual(["a", "verylong", "wordinde", "ed b"]);
    expect(wrap("漢字漢字漢字", 5)).toEqual(["漢字", "漢字", "漢字"]);
    expect(wrap("", 10)).toEqual([""]);
    expect(wrap("kept  as it  is", 20)).toEqual(["kept  as it  is"]);
  });

  it("no line is too wide, and no character is lost", () => {
    const unit = fc.constantFrom("a", "b", " ", "-", "漢", "é", "e\u0301", "👍", "👩‍🔬", "🇩🇪", "word ", "longer-word");
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 80 }),
        fc.integer({ min: 4, max: 30 }),
        fc.nat(2),
        (text, width, hanging) => {
          const lines = wrap(text, width, hanging);
          lines.forEach((line, i) => {
            expect(displayWidth(line)).toBeLessThanOrEqual(i === 0 ? width : width - hanging);
          });
          expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
        },
      ),
    );
  });
});

it("breaks a name that is too long where its parts meet, not within one", () => {
  expect(wrap("retrieval-augmented-baseline", 20)).toEqual(["retrieval-augmented-", "baseline"]);
  expect(wrap("meta/llama_instruct", 12)).toEqual(["meta/llama_", "instruct"]);
  // a minus or a decimal is no joint
  expect(wrap("-0.1234567", 6)).toEqual(["-0.123", "4567"]);
});

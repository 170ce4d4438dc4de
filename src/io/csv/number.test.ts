import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BIG_INTEGER, LEADING_ZEROS, lastForm, NOT_A_NUMBER, ODD, parseNumber } from "./number.ts";

function parse(text: string): { value: number; form: number } {
  const bytes = new TextEncoder().encode(`,${text},`);
  const value = parseNumber(bytes, 1, bytes.length - 1);
  return { value, form: lastForm[0]! };
}

/** What the column would write again, by the form. */
function respell(value: number, form: number): string {
  return form === 0 ? String(value) : value.toFixed(form);
}

describe("parseNumber", () => {
  const digits = fc
    .integer({ min: 1, max: 25 })
    .chain((n) => fc.array(fc.integer({ min: 0, max: 9 }), { minLength: n, maxLength: n }));
  const decimal = fc
    .record({
      sign: fc.constantFrom("", "-", "+"),
      whole: digits.map((list) => list.join("").replace(/^0+(?=\d)/, "")),
      part: fc.option(
        digits.map((list) => list.join("")),
        { nil: undefined },
      ),
      exponent: fc.option(fc.integer({ min: -330, max: 300 }), { nil: undefined }),
    })
    .map(
      ({ sign, whole, part, exponent }) =>
        `${sign}${whole}${part === undefined ? "" : `.${part}`}${exponent === undefined ? "" : `e${exponent}`}`,
    );

  it("equals Number(text) to the last bit, or refuses for a stated reason", () => {
    fc.assert(
      fc.property(decimal, (text) => {
        const { value, form } = parse(text);
        const expected = Number(text);
        if (/^[+-]?\d+$/.test(text) && !Number.isSafeInteger(expected)) expect(form).toBe(BIG_INTEGER);
        else if (!Number.isFinite(expected)) expect(form).toBe(NOT_A_NUMBER);
        else expect(value).toBe(expected);
      }),
      { numRuns: 3000 },
    );
  });

  it("equals Number(text) on every way to print a double", () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer({ min: 1, max: 21 }),
        (number, precision) => {
          for (const text of [String(number), number.toExponential(), number.toPrecision(precision)]) {
            const refused = /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text));
            // Rounded up, the largest doubles print as more than any double.
            if (!refused && Number.isFinite(Number(text))) expect(parse(text).value).toBe(Number(text));
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("equals Number(text) on 16 to 19 digits, ties and their neighbours included", () => {
    const scale = fc.integer({ min: -6, max: 15 });
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 10, maxExcluded: true, noNaN: true }),
        scale,
        fc.integer({ min: 15, max: 18 }),
        (x, power, digits) => {
          const value = x * 10 ** power;
          const text = value.toFixed(Math.max(1, Math.min(22, digits - power)));
          const { value: found, form } = parse(text);
          expect(found).toBe(Number(text));
          if (form !== ODD) expect(respell(found, form)).toBe(text);
        },
      ),
      { numRuns: 5000 },
    );
    // Half way between two doubles, exactly and by one unit in the last digit.
    for (const text of ["9007199254740993.0", "4503599627370497.25", "4503599627370497.75", "2251799813685249.625"]) {
      for (const change of [text, text.replace(/.$/, (d) => String((Number(d) + 1) % 10)), `${text}01`, `${text}000`]) {
        expect(parse(change).value).toBe(Number(change));
      }
    }
  });

  it("remembers enough to spell the number again", () => {
    fc.assert(
      fc.property(decimal, (text) => {
        const { value, form } = parse(text);
        if (form >= 0 && form !== ODD) expect(respell(value, form)).toBe(text);
      }),
      { numRuns: 3000 },
    );
    expect(parse("1.50").form).toBe(2);
    expect(parse("12").form).toBe(0);
    expect(parse("0.1234567890123456").form).not.toBe(ODD);
  });

  it.each([
    ["-.5", -0.5],
    ["+3", 3],
    ["5.", 5],
    [" 7\t", 7],
    ["1E+05", 1e5],
    ["-0", -0],
    ["Inf", Infinity],
    ["-infinity", -Infinity],
    ["9007199254740991", 9007199254740991],
    ["9007199254740993.5", 9007199254740994],
    ["0.000000000000000000000000000000000001", 1e-36],
  ])("reads %j", (text, value) => expect(parse(text).value).toBe(value));

  it.each([
    ["", NOT_A_NUMBER],
    ["-", NOT_A_NUMBER],
    [".", NOT_A_NUMBER],
    ["e5", NOT_A_NUMBER],
    ["1e", NOT_A_NUMBER],
    ["1e+", NOT_A_NUMBER],
    ["1 2", NOT_A_NUMBER],
    ["1,5", NOT_A_NUMBER],
    ["1.2.3", NOT_A_NUMBER],
    ["0x1f", NOT_A_NUMBER],
    ["--1", NOT_A_NUMBER],
    ["1e400", NOT_A_NUMBER],
    ["inform", NOT_A_NUMBER],
    ["007", LEADING_ZEROS],
    ["-01.5", LEADING_ZEROS],
    ["9007199254740993", BIG_INTEGER],
    ["-12345678901234567890", BIG_INTEGER],
  ])("refuses %j", (text, reason) => {
    expect(parse(text)).toEqual({ value: Number.NaN, form: reason });
  });
});

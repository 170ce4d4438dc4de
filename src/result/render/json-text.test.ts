import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonText } from "./json-text.ts";

describe("jsonText", () => {
  it("escapes what could act on a terminal or in a page", () => {
    const name = "a\u009b31m</script>\u202eb\u2028\u007f\u001b";
    expect(jsonText({ [name]: name })).toMatch(/^[\x20-\x7e]+$/);
    expect(jsonText("</script>")).toBe('"\\u003c/script>"');
    expect(jsonText("\u009b")).toBe('"\\u009b"');
  });

  it("is the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(jsonText(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

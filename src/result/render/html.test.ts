import { describe, expect, it } from "vitest";
import type { Display } from "../display.ts";
import { renderHtml } from "./html.ts";

const display: Display = {
  title: "a <b> & c",
  tables: [{ head: ["term", "estimate"], rows: [["x", -1.5]] }],
  notes: [],
};

describe("a fragment", () => {
  it("has a heading of the level asked for, escapes names and is no page", () => {
    const fragment = renderHtml(display, { level: 3 });
    expect(fragment).toMatch(/^<section class="gosset-result">\n<h3>a &lt;b&gt; &amp; c<\/h3>/);
    expect(fragment).toContain('<td class="number">\u22121.5</td>');
    expect(fragment).not.toMatch(/<html|<style/);
  });
});

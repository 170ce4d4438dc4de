import { describe, expect, it } from "vitest";
import type { Display } from "../display.ts";
import { renderHtml } from "./html.ts";

const display: Display = {
  title: "a <b> & c",
  tables: [{ head: ["term", "estimate"], rows: [["x", -1.5]] }],
  notes: [],
};

describe("a page of its own", () => {
  const page = renderHtml(display, { page: true });

  it("is a whole document that asks for nothing from elsewhere", () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">/);
    expect(page).toContain("<title>a &lt;b&gt; &amp; c</title>");
    expect(page).toMatch(/<\/html>\n$/);
    expect(page).not.toMatch(/https?:|src=|href=|url\(|@import/);
  });

  it("holds the fragment under a first heading, with numbers on the right in light, dark and print", () => {
    expect(page).toContain(renderHtml(display, { level: 1 }));
    expect(page).toMatch(/\.number \{ text-align: right;/);
    expect(page).toContain("@media (prefers-color-scheme: dark)");
    expect(page).toContain("@media print");
  });
});

import { expect, it } from "vitest";
import type { Display } from "../display.ts";
import { render } from "./render.ts";

const LONG = `gosset fit lm "y ~ x" ${"very/".repeat(20)}long.csv`;
const display: Display = {
  title: "T",
  tables: [],
  notes: [],
  sections: [
    { heading: "What now?", items: [{ text: "Is a < b?", code: [LONG, "next & <last>"] }, { text: "plain" }] },
  ],
};

it("lists sections in text, and leaves code whole however long it is", () => {
  const text = render(display, "text", { width: 40 });
  expect(text).toBe(`T\n\nWhat now?\n- Is a < b?\n    ${LONG}\n    next & <last>\n- plain`);
});

it("fences code in Markdown without escaping it", () => {
  const text = render(display, "markdown");
  expect(text).toContain(`**What now?**\n\n- Is a \\< b?\n\n  \`\`\`sh\n  ${LONG}\n  next & <last>\n  \`\`\`\n- plain`);
});

it("escapes code in HTML and LaTeX", () => {
  expect(render(display, "html")).toContain("<pre><code>gosset fit lm &quot;y ~ x&quot;");
  expect(render(display, "html")).toContain("next &amp; &lt;last&gt;</code></pre></li>");
  expect(render(display, "latex")).toContain("\\par\\texttt{next \\& \\textless{}last\\textgreater{}}");
  expect(render(display, "latex")).toContain("\\begin{itemize}");
});

it("neutralises escapes within code", () => {
  const odd: Display = { ...display, sections: [{ heading: "h", items: [{ text: "t", code: ["a\u001b[31mb"] }] }] };
  for (const format of ["text", "markdown", "html", "latex"] as const)
    expect(render(odd, format)).not.toContain("\u001b");
});

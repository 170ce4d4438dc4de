import { describe, expect, it } from "vitest";
import { sceneToPdf } from "./pdf.ts";
import type { Scene } from "./scene.ts";
import { sceneToSvg } from "./svg.ts";
import { shorten, textWidth, wrapText } from "./text-width.ts";
import { sceneToTikz } from "./tikz.ts";

const HOSTILE = `<img src=x onerror=alert(1)> & "\\input{/etc/passwd}" %`;

const scene: Scene = {
  width: 200,
  height: 100,
  shapes: [
    { type: "rect", x: 1, y: 2, width: 3.26, height: 4, style: "bd", tone: "k1" },
    { type: "circle", x: 5, y: 5, r: 2, style: "ho", tone: "v-better" },
    { type: "path", lines: [[[0, 0], [10, 20.04]]], style: "ln", tone: "k2", dash: "dash2" }, // biome-ignore format: one line
    { type: "text", x: 9, y: 9, text: HOSTILE, style: "t0" },
    { type: "text", x: 9, y: 30, text: "−0.5 → φ", style: "t1", anchor: "end" },
  ],
};
const about = { title: HOSTILE, description: HOSTILE, id: `a"b`, data: `name\n${HOSTILE}\n` };

describe("SVG", () => {
  it("keeps whatever users call things as text", () => {
    for (const svg of [sceneToSvg(scene, about), sceneToSvg(scene, about, { theme: "dark" })]) {
      expect(svg).not.toContain("<img");
      expect(svg).toContain("&lt;img src=x onerror=alert(1)&gt; &amp; &quot;");
      expect(svg).toMatch(/aria-labelledby="a-b-t a-b-d"/);
    }
  });

  it("is an image with a name, a description and its data", () => {
    const svg = sceneToSvg(scene, about);
    expect(svg).toMatch(
      /^<svg class="gp" xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 200 100" width="200" height="100" role="img"/,
    );
    expect(svg).toContain('<title id="a-b-t">');
    expect(svg).toContain('<desc id="a-b-d">');
    expect(svg).toContain("<metadata>name\n");
    expect(svg).toContain('class="k2 ln dash2" d="M0 0L10 20"');
  });

  it("follows the reader's theme unless colours are to be literal", () => {
    expect(sceneToSvg(scene, about)).toContain("@media (prefers-color-scheme:dark)");
    const dark = sceneToSvg(scene, about, { theme: "dark" });
    expect(dark).not.toContain("var(");
    expect(dark).not.toContain("<style>");
    expect(dark).toContain('stroke="#5ca1f3"');
    expect(sceneToSvg(scene, about, { inline: true })).not.toContain("<style>");
  });

  it("is the same every time", () => {
    expect(sceneToSvg(structuredClone(scene), about)).toBe(sceneToSvg(scene, about));
  });
});

describe("TikZ", () => {
  it("has no command that a name brought along", () => {
    const tex = sceneToTikz(scene, { title: HOSTILE, description: "line\nbreak" });
    // in comments TeX reads nothing
    expect(tex.replace(/^%.*$/gm, "")).not.toContain("\\input{");
    expect(tex.split("\n").filter((line) => line.startsWith("%"))).toHaveLength(3);
    expect(tex).toContain("$-$0.5 $\\to$ $\\varphi$");
    const bare = tex.replace(/^%.*$/gm, "").replace(/\\[{}]/g, "");
    expect(bare.split("{").length).toBe(bare.split("}").length);
  });
});

describe("PDF", () => {
  const text = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

  it("has a table of objects that lie where it says", () => {
    const file = text(sceneToPdf(scene, about));
    const start = Number(/startxref\n(\d+)/.exec(file)![1]);
    expect(file.slice(start, start + 4)).toBe("xref");
    const offsets = [...file.slice(start).matchAll(/^(\d{10}) 00000 n /gm)].map((match) => Number(match[1]));
    expect(offsets).toHaveLength(8);
    for (const [k, at] of offsets.entries()) expect(file.slice(at)).toMatch(new RegExp(`^${k + 1} 0 obj`));
    const length = Number(/\/Length (\d+)/.exec(file)![1]);
    const stream = file.indexOf("stream\n") + 7;
    expect(file.slice(stream + length, stream + length + 9)).toBe("endstream");
  });

  it("writes minus, arrows and Greek letters in the symbol font", () => {
    expect(text(sceneToPdf(scene, about))).toMatch(/\/S 12 Tf \(-\) Tj\n\/B 12 Tf \(0\.5 \) Tj\n\/S 12 Tf \(\xae\) Tj/);
  });

  it("refuses letters that its fonts lack instead of losing them", () => {
    const chinese = { ...scene, shapes: [{ type: "text", x: 0, y: 0, text: "模型", style: "t0" } as const] };
    expect(() => sceneToPdf(chinese, about)).toThrow(/no "模"/);
  });
});

describe("text over lines has a rim of paper in every format", () => {
  const crossing = { type: "text", x: 9, y: 50, text: "label", style: "t0" } as const;
  const drawn = (halo: boolean): Scene => ({ ...scene, shapes: [{ ...crossing, ...(halo ? { halo } : {}) }] });
  const pdf = (own: Scene): string => String.fromCharCode(...sceneToPdf(own, about));

  it("PDF: the outlines of the letters first, in paper, then the letters", () => {
    expect(pdf(drawn(true))).toMatch(/1 1 1 RG\n4 w 1 J 1 j\nBT\n1 Tr\n.*Tm\n\/F 12 Tf \(label\) Tj\nET\nQ\nBT\n/);
    expect(pdf(drawn(false))).not.toContain("1 Tr");
  });

  it("TikZ: a ground of paper, the text where it was", () => {
    const [plain, ground] = [false, true].map((halo) => sceneToTikz(drawn(halo), about).match(/\\node.*/)![0]);
    expect(plain).toMatch(/inner sep=0,.*at \(9,50\) \{label\}/);
    expect(ground).toMatch(
      /fill=gossetaa,fill opacity=0\.85,text opacity=1,inner sep=1\.5bp,xshift=-1\.5bp,.*at \(9,50\)/,
    );
  });
});

describe("text without a browser", () => {
  it("has the widths of Helvetica", () => {
    // Adobe's metrics: H 722, e 556, l 222, o 556
    expect(textWidth("Hello", 10)).toBeCloseTo(10 * (0.722 + 0.556 + 2 * 0.222 + 0.556), 9);
    expect(textWidth("Hello", 10, true)).toBeCloseTo(10 * (0.722 + 0.556 + 2 * 0.278 + 0.611), 9);
  });

  it("is cut to the longest that fits, however long it is", () => {
    const name = "An 模型 with é, 🙂 and iii WWW ".repeat(3);
    const fitting = Array.from({ length: [...name].length - 3 }, (_, k) => {
      const [kept, all] = [k + 3, [...name]];
      const head = Math.ceil(kept / 2);
      return `${all.slice(0, head).join("")}…${all.slice(all.length - (kept - head)).join("")}`;
    }).filter((short) => textWidth(short) <= 150);
    expect(shorten(name, 150)).toBe(fitting.at(-1));
    expect(textWidth(shorten("word ".repeat(50_000), 150))).toBeLessThanOrEqual(150);
  });

  it("is cut in the middle and wrapped at spaces", () => {
    const short = shorten("checkpoint-0000100-of-a-very-long-run-seed-7", 120);
    expect(short).toMatch(/^check.*….*seed-7$/);
    expect(textWidth(short)).toBeLessThanOrEqual(120);
    for (const line of wrapText("one two three four five six seven", 60))
      expect(textWidth(line)).toBeLessThanOrEqual(60);
  });

  it("keeps numbers with their signs", () => {
    const lines = wrapText("dashed: 80 % of runs; Egger p = 0.0155 and more", 70);
    expect(lines.filter((line) => /^[%=]|[=]$|^0\.0155/.test(line))).toEqual([]);
    expect(lines.join(" ")).toBe("dashed: 80 % of runs; Egger p = 0.0155 and more");
  });
});

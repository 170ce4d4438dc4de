/** Raters and threads, what `size` can find, and the help of `power`, `mde`, `size`, `curve` and `design`. */
import { describe, expect, it } from "vitest";
import { wrapCommand } from "../src/cli/command.ts";
import { gosset, gossetJson, gossetRefuses } from "./support/cli.ts";

const words = (text: string): string[] => text.split(" ");
const CARD = "--effect 0.2 --setting card-high --method approx";

describe("--raters and --workers", () => {
  it("--raters are raters, and --workers are threads, before the command or behind it", () => {
    const plain = gossetJson(...words(`power likert --items 100 --raters 10 ${CARD}`));
    expect(plain.parameters.find(({ name }: { name: string }) => name === "raters").value).toBe(10);
    expect(gossetJson(...words(`power likert --items 100 --raters 10 --workers 3 ${CARD}`))).toEqual(plain);
    expect(gossetJson(...words(`--workers 3 power likert --items 100 --raters 10 ${CARD}`))).toEqual(plain);
  });

  it("--workers alone say nothing about raters", () => {
    for (const scenario of [`likert ${CARD}`, "ordinal --effect 0.3 --setting howcroft-general --method approx"]) {
      expect(gossetRefuses(...words(`power ${scenario} --items 100 --workers 10`))).toContain("--raters 3");
    }
    const votes = "power head-to-head --items 50 --win 0.6 --rater-sd 0.3 --item-sd 0.8 --workers 5";
    expect(gossetRefuses(...words(votes))).toContain("--raters 3");
  });

  it("raters that are worked out, varied or looked for leave --workers to the threads", () => {
    const lists = "--ratings 3 --per-rater 20 --effect 0.31 --setting howcroft-general --method approx";
    const auto = gossetJson(...words(`power ordinal --items 50 --raters auto --workers 2 ${lists}`));
    expect(auto).toEqual(gossetJson(...words(`power ordinal --items 50 ${lists}`)));
    const { points } = gossetJson(...words(`curve likert --over raters=3,10 --workers 2 --items 100 ${CARD}`));
    expect(points.map(({ at }: { at: object }) => at)).toEqual([{ raters: 3 }, { raters: 10 }]);
    const { n, parameter } = gossetJson(...words(`size likert --for raters --workers 2 --items 100 ${CARD}`));
    expect([parameter, n]).toEqual(["raters", 14]);
  });

  it("the help says which is which", () => {
    const help = gosset("power", "likert", "--help").stdout.replace(/\s+/g, " ");
    expect(help).toContain("--raters <n> raters in all");
    expect(gosset("--help").stdout.replace(/\s+/g, " ")).toContain("--workers <n> worker threads");
  });
});

describe("a power that cannot be reached", () => {
  it("is one line with the limit and what it takes", () => {
    const line = gossetRefuses(...words("size likert --raters 10 --effect 0.1 --setting card-high --method approx"));
    expect(line).toContain("with 10 raters the power cannot exceed 0.2502, however many items there are");
    expect(line).toContain("A power of 0.8 takes at least 40 raters; with 50, 295 items will do.");
    expect(gossetRefuses(...words("size likert --raters 10 --effect 0.1 --setting card-high"))).toBe(line);
    const items = gossetRefuses(...words("size likert --for raters --items 10 --effect 0.1 --setting card-high"));
    expect(items).toContain("with 10 items the power cannot exceed");
  });

  it("what is looked for cannot be given", () => {
    expect(gossetRefuses(...words("size accuracy --n 100 --delta 0.1 --agreement 0.5"))).toContain(
      "--n 100 is given, but size solves for n.",
    );
    expect(gossetRefuses(...words(`mde likert --items 9 --raters 9 --beta 0.1 --setting card-high`))).toContain(
      "--beta 0.1 is given, but mde solves for effect.",
    );
    expect(gossetRefuses(...words(`size likert --items 9 --raters 9 ${CARD}`))).toContain("say --for raters");
    expect(gossetRefuses(...words(`size likert --raters 9 --for raters ${CARD}`))).toContain("say --for items");
    expect(gossetRefuses(...words(`size likert --for ratings ${CARD}`))).toContain("Choose items or raters.");
  });
});

describe("help", () => {
  it.each(["power", "mde", "size", "curve", "design"])(
    "of %s keeps within 80 columns, and its examples run on",
    (verb) => {
      const { stdout } = gosset(verb, "--help");
      const lines = stdout.split("\n");
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
      const examples = lines.slice(lines.indexOf("Examples:") + 1).filter((line) => line !== "");
      examples.forEach((line, k) => {
        // a line goes on exactly where the next one is its continuation
        const next = examples[k + 1];
        expect(line.endsWith(" \\"), line).toBe(next !== undefined && !next.startsWith("  $ gosset"));
      });
    },
  );

  it("commands are wrapped before a flag and lose nothing", () => {
    const command = `gosset curve f1 ${"--positive-table 0.75,0.05,0.1,0.1 ".repeat(5)}--n 7`;
    const wrapped = wrapCommand(command);
    expect(Math.max(...wrapped.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(wrapped.replace(/ \\\n\s+/g, " ")).toBe(`  $ ${command}`);
    expect(wrapCommand("gosset power accuracy --n 5")).toBe("  $ gosset power accuracy --n 5");
  });
});

import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { foldCommand } from "./fold-command.ts";
import { quoteFormula, quoteShell } from "./quote.ts";

const NAMES = [
  "plain.csv",
  "",
  "with space",
  "it's",
  'a "b" $c `d` \\e !f',
  "line\nbreak; touch pwned",
  "'\n# x\n'",
  "tab\tand\u001b[31m",
  "\u202eabc",
  "é\u2028ü\r\n",
  "::stop-commands::x",
  "-n",
  "~/x",
  "$(touch pwned)",
  "a\\",
  "*?[x]{a,b}",
];

describe("names as a shell reads them", () => {
  it.each(NAMES)("come out of bash as they went in: %j", (name) => {
    for (const quote of [quoteShell, quoteFormula]) {
      const written = quote(name);
      expect(written).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
      const { stdout } = spawnSync("bash", ["-c", `printf '%s' ${written}`], { encoding: "utf8" });
      expect(stdout).toBe(name);
    }
  });

  it("stay whole where a command is folded into lines", () => {
    const command = `printf '<%s>' ${[...NAMES, ...NAMES].map(quoteShell).join(" ")}`;
    const { stdout } = spawnSync("bash", ["-c", foldCommand(command).join("\n")], { encoding: "utf8" });
    expect(stdout).toBe([...NAMES, ...NAMES].map((name) => `<${name}>`).join(""));
  });

  it("starts no word with a colon, which begins a command to a build server", () => {
    expect(quoteShell("::stop-commands::x")).toBe('"::stop-commands::x"');
    expect(quoteShell("item:rater")).toBe("item:rater");
  });
});

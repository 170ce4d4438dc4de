/** What people read uses the field's words: no phrase of the list stands in a message of src or web, nor in the docs, beyond what is left of
 *  each folder (voice-budget.json), which only goes down: `UPDATE_VOICE=1 npx vitest run test/voice.test.ts` lowers it, and writes docs/messages.txt. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./support/cli.ts";
import { allMessages, messagesIn, writtenMessages } from "./support/messages.ts";
import { phrasesIn } from "./support/voice.ts";

interface Found {
  readonly folder: string;
  readonly where: string;
  readonly phrases: readonly string[];
}

const budgetFile = join(root, "test/voice-budget.json");
const budget = JSON.parse(readFileSync(budgetFile, "utf8")) as Record<string, number>;

/** src/significance, web/doors, docs. */
const folderOf = (path: string): string => {
  const parts = path.split("/");
  return parts.length > 2 ? `${parts[0]}/${parts[1]}` : parts[0]!;
};

const inSource = (): Found[] =>
  allMessages().flatMap(({ path, messages }) =>
    messages.map(({ line, text }) => ({ folder: folderOf(path), where: `${path}:${line}`, phrases: phrasesIn(text) })),
  );

/** Pages without their blocks of code, which are what the program prints. */
const inPages = (): Found[] => {
  const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md"),
  );
  return ["README.md", ...pages.map((name) => `docs/${name}`)].map((path) => ({
    folder: path === "README.md" ? path : "docs",
    where: path,
    phrases: phrasesIn(readFileSync(join(root, path), "utf8").replace(/^```[\s\S]*?^```/gm, "")),
  }));
};

describe("the voice", () => {
  const found = [...inSource(), ...inPages()].filter(({ phrases }) => phrases.length > 0);
  const counts = new Map<string, number>();
  for (const { folder, phrases } of found) counts.set(folder, (counts.get(folder) ?? 0) + phrases.length);
  if (process.env["UPDATE_VOICE"]) {
    const lowered = Object.entries(budget).flatMap(([folder, most]) => {
      const n = Math.min(counts.get(folder) ?? 0, most);
      return n === 0 ? [] : [[folder, n] as const];
    });
    writeFileSync(budgetFile, `${JSON.stringify(Object.fromEntries(lowered.sort()), null, 2)}\n`);
  }

  it("keeps to the field's words, or to what is left of each folder", () => {
    const over = [...counts].filter(([folder, n]) => n > (budget[folder] ?? 0)).map(([folder]) => folder);
    const listed = found
      .filter(({ folder }) => over.includes(folder))
      .map(({ where, phrases }) => `${where}: ${phrases.join("; ")}`);
    expect(listed).toEqual([]);
  });

  it("has no phrase left in significance", () => {
    expect(budget["src/significance"] ?? 0).toBe(0);
  });

  it("sees phrases in strings, templates and text of the page, and not in comments", () => {
    const source =
      '/** items hang together */ const a = "items of one passage hang together"; const b = <p>votes are drawn anew here</p>; const c = `no word is said here`;';
    const seen = messagesIn("a.tsx", source).flatMap(({ text }) => phrasesIn(text));
    expect(seen.map((text) => text.split(" →")[0])).toEqual(["hang together", "anew", "is said"]);
    expect([
      phrasesIn("there is no column"),
      phrasesIn("p is no larger than 0.05"),
      phrasesIn("plan looks, levels of a factor"),
    ]).toEqual([[], [], []]);
  });

  it("writes all messages as text", () => {
    const path = join(root, "docs/messages.txt");
    if (process.env["UPDATE_VOICE"]) writeFileSync(path, writtenMessages());
    expect(readFileSync(path, "utf8")).toBe(writtenMessages());
  });
});

describe("verdict words", () => {
  const WORDS = /\b(BETTER|WORSE|HIGHER|EQUIVALENT|INCONCLUSIVE)\b/;

  it("stand in one file: no other message spells one", () => {
    const spelled = allMessages()
      .filter(({ path }) => path !== "src/result/verdict.ts")
      .flatMap(({ path, messages }) =>
        messages.filter(({ text }) => WORDS.test(text.replace(/\{\w+\}/g, ""))).map(({ text }) => `${path}: ${text}`),
      );
    expect(spelled).toEqual([]);
  });
});

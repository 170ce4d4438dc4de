/** What people read uses the field's words: no phrase of the list stands in a message of src or web, nor in the docs.
 *  `UPDATE_VOICE=1 npx vitest run test/voice.test.ts` writes docs/messages.txt. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./support/cli.ts";
import { docPages, readPage } from "./support/doc-pages.ts";
import { allMessages, messagesIn, writtenMessages } from "./support/messages.ts";
import { phrasesIn } from "./support/voice.ts";

interface Found {
  readonly where: string;
  readonly phrases: readonly string[];
}

/** Parts of sentences too: two words that are glued to others. */
const inSource = (): Found[] =>
  allMessages((text) => /\p{L} \p{L}/u.test(text)).flatMap(({ path, messages }) =>
    messages.map(({ line, text }) => ({ where: `${path}:${line}`, phrases: phrasesIn(text) })),
  );

/** Pages without their blocks of code, which are what the program prints. */
const inPages = (): Found[] =>
  docPages.map((where) => ({ where, phrases: phrasesIn(readPage(where).replace(/^```[\s\S]*?^```/gm, "")) }));

describe("the voice", () => {
  it("keeps to the field's words", () => {
    const found = [...inSource(), ...inPages()].filter(({ phrases }) => phrases.length > 0);
    expect(found.map(({ where, phrases }) => `${where}: ${phrases.join("; ")}`)).toEqual([]);
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

/** Files that comments of src name exist: a header that cites an oracle or a test must not outlive it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => `src/${name}`);

/** Names of our own files: code, pages and scripts; of JSON only what lies in oracle/, the rest being formats of others. */
const NAMED = /[\w./-]*[\w-]\.(?:ts|mjs|md|R|py)\b|oracle\/[\w./-]+\.json\b/g;

/** Block comments, and line comments after white space. */
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g;

/** A path counts from the root, from src/ or from its floor; a bare name is a file of the same folder. */
function exists(name: string, source: string): boolean {
  const floor = source.split("/").slice(0, 2).join("/");
  const places = name.includes("/") ? ["", "src", floor, dirname(source)] : [dirname(source)];
  return places.some((place) => existsSync(join(root, normalize(join(place, name)))));
}

function missing(source: string): string[] {
  const comments = readFileSync(join(root, source), "utf8").match(COMMENT) ?? [];
  const names = comments.flatMap((comment) => comment.match(NAMED) ?? []);
  return [...new Set(names)].filter((name) => !exists(name, source));
}

describe("comments of src", () => {
  it("name files that exist", () => {
    const wrong = sources.flatMap((source) => missing(source).map((name) => `${source}: ${name}`));
    expect(wrong).toEqual([]);
  });

  it("name the oracle of an Oracle line by its path, where it is a stored file", () => {
    const wrong = sources.flatMap((source) => {
      const lines = readFileSync(join(root, source), "utf8").match(/^ \*\s+Oracle:.*(?:\n \*\s{6,}.*)*/gm) ?? [];
      const bare = lines.flatMap((line) => line.match(/(?<![\w/.-])[\w.-]+\.json\b/g) ?? []);
      return bare.map((name) => `${source}: ${name}`);
    });
    expect(wrong).toEqual([]);
  });

  it("finds a file that is not there", () => {
    expect(exists("gone.test.ts", "src/index.ts")).toBe(false);
    expect(exists("oracle/r/gone.json", "src/index.ts")).toBe(false);
    expect(exists("lmm.ts", "src/models/lmm/solve.ts")).toBe(true);
    expect(exists("special/beta.ts", "src/numeric/dist/beta.ts")).toBe(true);
  });
});

describe("stored answers of other programs", () => {
  const oracles = readdirSync(join(root, "oracle"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /^(?:r|python|mpmath|duckdb)\/[^/]+\.json$/.test(name),
  );
  const readers = ["src", "replications", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith("headers.test.ts"))
      .map((name) => readFileSync(join(root, folder, name), "utf8").replace(COMMENT, "")),
  );

  it("are each read by a test", () => {
    expect(oracles.length).toBeGreaterThan(20);
    const named = (path: string): RegExp =>
      new RegExp(`\\b${path.split("/")[1]!.replace(".json", "")}(?:\\.json)?["'\`]`);
    expect(oracles.filter((path) => !readers.some((text) => named(path).test(text)))).toEqual([]);
  });
});

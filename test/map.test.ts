/** The maintainer's map and the recipes against the tree: floors and rooms, files that they name, and how large folders and files are. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), "utf8");
const map = read("docs/architecture.md");
const guide = read("CONTRIBUTING.md");

const foldersOf = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("__"))
    .map(({ name }) => name);

/** Far beyond these a folder or a file holds more than one concept. */
const MOST_FILES = 40;
const MOST_LINES = 700;

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
);
const countBy = (names: readonly string[]): [string, number][] => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
};

describe("the map", () => {
  const rows = [...map.matchAll(/^\| `(\w+)` \| (.*?) \|/gm)].map(([, floor, rooms]) => [
    floor!,
    [...rooms!.matchAll(/`([\w-]+)`/g)].map(([, room]) => room!).sort(),
  ]);

  it("has every floor and its rooms", () => {
    const tree = foldersOf("src").map((floor) => [floor, floor === "cli" ? [] : foldersOf(`src/${floor}`).sort()]);
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(tree));
  });

  it("has every folder that a checkout holds", () => {
    const known = new Set([..."src docs examples action dist demo coverage node_modules".split(" ")]);
    const named = [...map.matchAll(/^\| `([\w/]+)\/` \|/gm)].map(([, name]) => name!);
    const missing = foldersOf(".").filter((name) => !name.startsWith(".") && !known.has(name) && !named.includes(name));
    expect(missing).toEqual([]);
    expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });
});

/** Paths in backticks, as `models/lmm/lmm.ts`: from the root or from src. A new file is called x; bare names are of the folder just told of. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|tsx|mjs|md|txt|json))`/g)]
    .map(([, path]) => path!)
    .filter((path) => !/(^|\/)x[./]/.test(path));

describe.each([
  ["docs/architecture.md", map],
  ["CONTRIBUTING.md", guide],
])("%s", (page, text) => {
  it("names files that exist", () => {
    const paths = pathsIn(text);
    expect(paths.length).toBeGreaterThan(20);
    expect(
      paths.filter((path) => !["", "src", dirname(page)].some((folder) => existsSync(join(root, folder, path)))),
    ).toEqual([]);
  });
});

it("the guide has one recipe for each change that is made often", () => {
  const changes = [...guide.matchAll(/^\| (?:an? )?([^|]+?) \|/gm)].map(([, change]) => change!);
  for (const change of [
    /^metric$/,
    /^log format$/,
    /^option of/,
    /^verdict words$/,
    /^interval of/,
    /\(ddf\)$/,
    /^plot$/,
    /^page door$/,
    /^scenario$/,
    /^JSON field$/,
    /^check of/,
    /^word \(/,
  ])
    expect(changes.filter((own) => change.test(own))).toHaveLength(1);
});

describe("sizes", () => {
  const folders = countBy(sources.map(dirname));
  const files = sources
    .map((name): [string, number] => [name, read(`src/${name}`).split("\n").length])
    .sort(([, a], [, b]) => b - a);

  it("of folders and files are not far beyond what one concept needs", () => {
    expect(folders.filter(([, count]) => count > MOST_FILES)).toEqual([]);
    expect(files.filter(([, lines]) => lines > MOST_LINES)).toEqual([]);
  });

  afterAll(() => {
    const list = (all: readonly [string, number][]): string =>
      all
        .slice(0, 5)
        .map(([name, count]) => `${name} ${count}`)
        .join(", ");
    process.stdout.write(`\nlargest folders: ${list(folders)}\nlargest files: ${list(files)}\n`);
  });
});

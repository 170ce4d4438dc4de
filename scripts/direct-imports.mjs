/** An esbuild plugin for the program, so that a command loads little and from few files.
 *  Direct imports: what a command imports from a public entry point (`src/index.ts`, `src/io.ts`, …) comes straight from the file that has it. An
 *    entry point reaches the whole library, and every command would load all of it; the sources keep to the entry points.
 *  Groups: what commands load when they are called is one entry for each group of commands. With an entry for each command the shared
 *    files would fall into a chunk for every set of commands that shares them: more than a hundred for one comparison. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** `export { a, type B, c as d } from "./x.ts"`, over several lines. */
const EXPORT = /export\s+(type\s+)?\{([^}]*)\}\s+from\s+"([^"]+)";/g;
const IMPORT = /^import\s+\{([^}]*)\}\s+from\s+"([^"]+)";/gm;

const parts = (list) =>
  list
    .replace(/\/\/[^\n]*/g, "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "" && !part.startsWith("type "))
    .map((part) => {
      const [name, as = name] = part.split(/\s+as\s+/);
      return { name, as };
    });

/** Of each entry point: where each of its values comes from. */
function readEntries(source) {
  const entries = new Map();
  for (const file of readdirSync(source).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))) {
    const path = join(source, file);
    const text = readFileSync(path, "utf8");
    const found = new Map();
    for (const [, type, list, from] of text.matchAll(EXPORT)) {
      if (type !== undefined) continue;
      for (const { name, as } of parts(list)) found.set(as, { name, path: resolve(dirname(path), from) });
    }
    entries.set(path, found);
  }
  return entries;
}

/** Folders and files of `src/cli` by group; what stands in none is in the last. */
const GROUPS = {
  compare: ["compare", "context.ts", "format.ts", "reading.ts"],
  rows: ["describe", "score", "next", "gate", "agreement", "reliability", "rank"],
  planning: ["power", "design", "survey", "budget", "importance", "plan"],
  models: ["fit", "anova", "emmeans", "test"],
  others: [],
};

/** `import("./run.ts")`, but no type of one. */
const LATER = /(?<!typeof )\bimport\("(\.[^"]+)"\)/g;

function groupOf(cli, path) {
  const [first] = relative(cli, path).split(/[\\/]/);
  const found = Object.entries(GROUPS).find(([, names]) => names.includes(first));
  return found?.[0] ?? "others";
}

/** Of each file of the commands' folder that is loaded later: its group and its place there. */
function readLater(cli) {
  const later = new Map();
  for (const name of readdirSync(cli, { recursive: true }).sort()) {
    if (!/\.ts$/.test(name) || /\.test\.ts$/.test(name)) continue;
    const path = join(cli, name);
    for (const [, from] of readFileSync(path, "utf8").matchAll(LATER)) {
      const target = resolve(dirname(path), from);
      if (!later.has(target) && existsSync(target))
        later.set(target, { group: groupOf(cli, target), name: `m${later.size}` });
    }
  }
  return later;
}

export function directImports(source) {
  const cli = join(source, "cli");
  let entries;
  let later;
  const inGroup = (folder, whole, from) => {
    const own = later.get(resolve(folder, from));
    return own === undefined ? whole : `import("group:${own.group}").then(({ ${own.name} }) => ${own.name})`;
  };
  const direct = (folder, whole, list, from) => {
    const found = from.startsWith(".") ? entries.get(resolve(folder, from)) : undefined;
    const wanted = parts(list);
    // types alone, or a name that the entry point has in another way
    if (found === undefined || wanted.length === 0 || !wanted.every(({ name }) => found.has(name))) return whole;
    return wanted
      .map(({ name, as }) => {
        const { name: own, path } = found.get(name);
        const place = relative(folder, path).replaceAll("\\", "/");
        const local = place.startsWith(".") ? place : `./${place}`;
        return `import { ${own === as ? own : `${own} as ${as}`} } from ${JSON.stringify(local)};`;
      })
      .join(" ");
  };
  return {
    name: "direct-imports",
    setup(build) {
      build.onStart(() => {
        entries = readEntries(source);
        later = readLater(cli);
      });
      build.onLoad({ filter: /[\\/](?:src[\\/](?:cli|run)|replications)[\\/].*\.ts$/ }, ({ path }) => {
        const folder = dirname(path);
        const text = readFileSync(path, "utf8");
        const contents = text
          .replace(IMPORT, (...given) => direct(folder, ...given))
          .replace(LATER, (...given) => (path.startsWith(cli) ? inGroup(folder, ...given) : given[0]));
        return { contents, loader: "ts", resolveDir: folder };
      });
      build.onResolve({ filter: /^group:/ }, ({ path }) => ({ path: path.slice("group:".length), namespace: "group" }));
      build.onLoad({ filter: /.*/, namespace: "group" }, ({ path: group }) => ({
        contents: [...later]
          .filter(([, own]) => own.group === group)
          .map(([target, { name }]) => `export * as ${name} from ${JSON.stringify(target)};`)
          .join("\n"),
        loader: "ts",
        resolveDir: cli,
      }));
    },
  };
}

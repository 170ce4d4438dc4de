/** YAML as the data it stands for: one pass over the nodes of its parser, so that neither names nor aliases are looked for again and again.
 *  Dates stay text; a number that JSON does not have is null. Faults are plain errors; the caller knows the file's name.
 *  Limits: one document; no merging (<<), as in YAML 1.2. */
import type { Alias, Document, Node, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { StatError } from "../result/error.ts";
import type { ImportBudget } from "./budget.ts";

/** Far more than data has; the time of YAML's parser grows with the square of it. */
const DEEPEST = 100;
/** What aliases stand for may be so many times what the file holds. */
const MOST_EXPANSION = 10;
const FEW_VALUES = 10_000;

/** Its parser is loaded on first use. */
export async function readYaml(text: string, name: string, budget: ImportBudget): Promise<unknown> {
  if (nestsDeeply(text)) {
    const message = `${name}: lists or objects are nested too deeply.`;
    throw new StatError("NestedTooDeep", message, "Give the part that matters.");
  }
  const { isAlias, isMap, isScalar, isSeq, Lexer, parseDocument } = await import("yaml");
  budget.takeValues(countTokens(new Lexer().lex(text)), name, "words and signs");
  // the place of every fault in a long line would be worked out by its parser, though only the first is told; and every name compared with
  // every other of its object
  const parsed: Document = parseDocument(text, { logLevel: "error", prettyErrors: false, uniqueKeys: false });
  const [fault] = parsed.errors;
  if (fault !== undefined) {
    const what = fault.code === "MULTIPLE_DOCS" ? "a second document (---) begins" : fault.message;
    throw new Error(`${what} at ${sayPosition(text, fault.pos[0])}`);
  }
  const anchors = new Map<string, Data>();
  const size = { own: 0, expanded: 0 };

  function convert(node: unknown): Data {
    size.own += 1;
    if (isAlias(node)) return expand(node);
    const data = isMap(node) ? convertMap(node) : isSeq(node) ? convertList(node) : { value: plain(node), size: 1 };
    const { anchor } = (node ?? {}) as { anchor?: string };
    if (anchor !== undefined) anchors.set(anchor, data);
    return data;
  }

  function expand(node: Alias): Data {
    const data = anchors.get(node.source);
    if (data === undefined) throw new Error(`no anchor &${node.source} before its alias at ${placeOf(node)}`);
    size.expanded += data.size;
    if (size.expanded > FEW_VALUES + MOST_EXPANSION * size.own) throw tooMany(name);
    return data;
  }

  function convertList(node: YAMLSeq): Data {
    const parts = node.items.map(convert);
    return { value: parts.map(({ value }) => value), size: parts.reduce((sum, part) => sum + part.size, 1) };
  }

  function convertMap(node: YAMLMap): Data {
    const entries = new Map<string, unknown>();
    let sum = 1;
    for (const { key, value } of node.items as Pair<Node | null, Node | null>[]) {
      const [named, data] = [convert(key), convert(value)];
      if (typeof named.value === "object" && named.value !== null)
        throw new Error(`a name is a list or an object at ${placeOf(key)}`);
      const word = String(named.value ?? "");
      if (entries.has(word)) throw new Error(`Map keys must be unique at ${placeOf(key)}`);
      entries.set(word, data.value);
      sum += named.size + data.size;
    }
    return { value: Object.fromEntries(entries), size: sum };
  }

  function plain(node: unknown): unknown {
    const value: unknown = isScalar(node) ? (node as Scalar).value : null;
    if (typeof value === "bigint") return Number(value);
    if (typeof value === "number" && !Number.isFinite(value)) return null;
    return isDated(value) ? value.toISOString() : (value ?? null);
  }

  const placeOf = (node: Node | null): string => sayPosition(text, node?.range?.[0] ?? 0);
  return convert(parsed.contents).value;
}

interface Data {
  readonly value: unknown;
  /** Values in it, those that aliases stand for too. */
  readonly size: number;
}

const tooMany = (name: string): StatError =>
  new StatError(
    "YamlAliases",
    `${name}: YAML whose aliases (*name) stand for far more than the file holds; such a file is refused.`,
    "If it is honest, write the values out.",
  );

/** Blanks, comments and the lexer's own marks aside. */
function countTokens(tokens: Iterable<string>): number {
  let count = 0;
  for (const token of tokens) if (token > "\u001f" && !/^[\s#]/.test(token)) count += 1;
  return count;
}

function sayPosition(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `line ${before.length}, column ${before.at(-1)!.length + 1}`;
}

function nestsDeeply(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth = Math.max(0, depth + (bracket === "[" || bracket === "{" ? 1 : -1));
    if (depth > DEEPEST) return true;
  }
  return false;
}

/** What YAML calls a timestamp. */
const isDated = (value: unknown): value is { toISOString(): string } =>
  typeof value === "object" && value !== null && "toISOString" in value;

/** Steps that a backtracking matcher takes for a regular expression, counted and not timed, and the texts that a pattern takes longest for.
 *  The pattern is parsed into its structure; whether one character belongs to a class is left to the engine's own RegExp. A step is a
 *  character that is looked at or a turn of a loop. The search goes on behind each match, as `replace` and `split` do.
 *  Limits: no modifiers within a pattern, `(?i:…)`; classes within classes only as far as they are one character long. */

interface Many {
  readonly kind: "many";
  readonly of: Node;
  readonly least: number;
  readonly most: number;
  readonly lazy: boolean;
}

type Node =
  | { readonly kind: "one"; readonly source: string }
  | { readonly kind: "edge"; readonly source: string }
  | { readonly kind: "sequence" | "either"; readonly of: readonly Node[] }
  | { readonly kind: "group"; readonly of: Node; readonly index: number }
  | { readonly kind: "look"; readonly of: Node; readonly behind: boolean; readonly not: boolean }
  | { readonly kind: "again"; readonly index: number }
  | Many;

export interface PatternCode {
  readonly source: string;
  readonly flags: string;
}

/** More than any linear pattern takes for the texts here. */
export const MOST_STEPS = 3_000_000;

/** Twice the text may take so many times the steps. */
export const MOST_GROWTH = 2.5;

class Parser {
  readonly #source: string;
  readonly #sets: boolean;
  #at = 0;
  #groups = 0;
  readonly #names = new Map<string, number>();

  constructor({ source, flags }: PatternCode) {
    this.#source = source;
    this.#sets = flags.includes("v");
  }

  parse(): Node {
    const node = this.#either();
    if (this.#at < this.#source.length) throw new Error(`cannot parse /${this.#source}/ at ${this.#at}`);
    return node;
  }

  #eat(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #either(): Node {
    const of = [this.#sequence()];
    while (this.#eat("|")) of.push(this.#sequence());
    return of.length === 1 ? of[0]! : { kind: "either", of };
  }

  #sequence(): Node {
    const of: Node[] = [];
    while (this.#at < this.#source.length && this.#source[this.#at] !== "|" && this.#source[this.#at] !== ")") {
      of.push(this.#quantified(this.#atom()));
    }
    return { kind: "sequence", of };
  }

  #quantified(of: Node): Node {
    const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/.exec(this.#source.slice(this.#at));
    if (found === null) return of;
    this.#at += found[0].length;
    const [, sign, least, comma, most, lazy] = found;
    const bounds =
      sign === undefined
        ? { least: Number(least), most: most !== "" ? Number(most) : comma === "" ? Number(least) : Infinity }
        : { least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : Infinity };
    return { kind: "many", of, ...bounds, lazy: lazy === "?" };
  }

  #atom(): Node {
    if (this.#eat("(")) return this.#bracket();
    const rest = this.#source.slice(this.#at);
    const edge = /^(?:\^|\$|\\[bB])/.exec(rest)?.[0];
    if (edge !== undefined && this.#eat(edge)) return { kind: "edge", source: edge };
    const again = /^\\(?:([1-9]\d*)|k<([^>]+)>)/.exec(rest);
    if (again !== null && this.#eat(again[0])) {
      return { kind: "again", index: again[1] === undefined ? this.#names.get(again[2]!)! : Number(again[1]) };
    }
    const one =
      rest[0] === "["
        ? this.#set()
        : /^(?:\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|.)|.)/su.exec(rest)![0];
    this.#at += one.length;
    return { kind: "one", source: one };
  }

  #set(): string {
    let depth = 0;
    for (let at = this.#at; at < this.#source.length; at++) {
      const sign = this.#source[at];
      if (sign === "\\") at += 1;
      else if (sign === "[" && (depth === 0 || this.#sets)) depth += 1;
      else if (sign === "]" && --depth === 0) return this.#source.slice(this.#at, at + 1);
    }
    throw new Error(`an open class in /${this.#source}/`);
  }

  #bracket(): Node {
    const look = /^\?(<?)([=!])/.exec(this.#source.slice(this.#at));
    const name = /^\?<([^>=!]+)>/.exec(this.#source.slice(this.#at));
    let index = 0;
    if (look !== null) this.#at += look[0].length;
    else if (!this.#eat("?:")) {
      index = ++this.#groups;
      if (name !== null) {
        this.#names.set(name[1]!, index);
        this.#at += name[0].length;
      }
    }
    const of = this.#either();
    if (!this.#eat(")")) throw new Error(`an open bracket in /${this.#source}/`);
    if (look !== null) return { kind: "look", of, behind: look[1] === "<", not: look[2] === "!" };
    return index === 0 ? of : { kind: "group", of, index };
  }
}

type Next = (at: number) => boolean;
type Matcher = (at: number, next: Next) => boolean;

class TooMany extends Error {}

/** A pattern that counts. */
export class CountedPattern {
  readonly tree: Node;
  readonly #flags: string;
  readonly #multiline: boolean;
  readonly #matcher: Matcher;
  readonly #anchored: boolean;
  readonly #classes = new Map<string, (character: string) => boolean>();
  #text: readonly string[] = [];
  #steps = 0;
  #groups: (readonly [number, number] | undefined)[] = [];

  constructor(code: PatternCode) {
    this.tree = new Parser(code).parse();
    this.#flags = code.flags.replace(/[gymd]/g, "");
    this.#multiline = code.flags.includes("m");
    this.#matcher = this.#compile(this.tree, 1);
    this.#anchored = code.flags.includes("y") || (!this.#multiline && isAnchored(this.tree));
  }

  /** Infinity beyond MOST_STEPS. */
  count(text: string): number {
    this.#text = /[uv]/.test(this.#flags) ? Array.from(text) : text.split("");
    this.#steps = 0;
    try {
      for (let start = 0; start <= this.#text.length; ) {
        this.#step();
        this.#groups = [];
        let end = -1;
        const found = this.#matcher(start, (at) => {
          end = at;
          return true;
        });
        if (this.#anchored) break;
        start = found && end > start ? end : start + 1;
      }
    } catch (error) {
      if (error instanceof TooMany || error instanceof RangeError) return Infinity;
      throw error;
    }
    return this.#steps;
  }

  #step(): void {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) throw new TooMany();
  }

  /** Whether the class, escape or sign is this character. */
  has(source: string, character: string): boolean {
    return this.#classOf(source)(character);
  }

  #classOf(source: string): (character: string) => boolean {
    const known = this.#classes.get(source);
    if (known !== undefined) return known;
    const [pattern, answers] = [new RegExp(`^(?:${source})$`, this.#flags), new Map<string, boolean>()];
    const has = (character: string): boolean => {
      let answer = answers.get(character);
      if (answer === undefined) {
        answer = pattern.test(character);
        answers.set(character, answer);
      }
      return answer;
    };
    this.#classes.set(source, has);
    return has;
  }

  #compile(node: Node, way: 1 | -1): Matcher {
    if (node.kind === "one") {
      const has = this.#classOf(node.source);
      return (at, next) => {
        this.#step();
        const character = this.#text[way === 1 ? at : at - 1];
        return character !== undefined && has(character) && next(at + way);
      };
    }
    if (node.kind === "edge") {
      return (at, next) => {
        this.#step();
        return this.#isEdge(node.source, at) && next(at);
      };
    }
    if (node.kind === "again") {
      return (at, next) => {
        const [from, to] = this.#groups[node.index] ?? [0, 0];
        for (let i = 0; i < to - from; i++) {
          this.#step();
          if (this.#text[from + i] !== this.#text[at + i]) return false;
        }
        return next(at + to - from);
      };
    }
    if (node.kind === "look") {
      const inner = this.#compile(node.of, node.behind ? -1 : 1);
      return (at, next) => inner(at, () => true) !== node.not && next(at);
    }
    if (node.kind === "group") {
      const inner = this.#compile(node.of, way);
      return (at, next) =>
        inner(at, (end) => {
          const before = this.#groups[node.index];
          this.#groups[node.index] = way === 1 ? [at, end] : [end, at];
          if (next(end)) return true;
          this.#groups[node.index] = before;
          return false;
        });
    }
    if (node.kind === "many") return this.#compileMany(node, way);
    const parts = node.of.map((part) => this.#compile(part, way));
    if (node.kind === "either") return (at, next) => parts.some((part) => part(at, next));
    if (way === -1) parts.reverse();
    return (at, next) => {
      const from =
        (k: number): Next =>
        (place) =>
          k === parts.length ? next(place) : parts[k]!(place, from(k + 1));
      return from(0)(at);
    };
  }

  #compileMany({ of, least, most, lazy }: Many, way: 1 | -1): Matcher {
    if (of.kind === "one") return this.#compileRun(of.source, { least, most, lazy }, way);
    const inner = this.#compile(of, way);
    const turn = (count: number, at: number, next: Next): boolean => {
      this.#step();
      const more = (): boolean =>
        count < most && inner(at, (end) => (end !== at || count < least) && turn(count + 1, end, next));
      if (count < least) return more();
      return lazy ? next(at) || more() : more() || next(at);
    };
    return (at, next) => turn(0, at, next);
  }

  #compileRun(source: string, { least, most, lazy }: Omit<Many, "kind" | "of">, way: 1 | -1): Matcher {
    const has = this.#classOf(source);
    const fits = (at: number): boolean => {
      this.#step();
      const character = this.#text[way === 1 ? at : at - 1];
      return character !== undefined && has(character);
    };
    return (at, next) => {
      let count = 0;
      while (count < (lazy ? least : most) && fits(at + way * count)) count += 1;
      if (count < least) return false;
      if (!lazy) {
        for (; count >= least; count--) {
          this.#step();
          if (next(at + way * count)) return true;
        }
        return false;
      }
      for (;;) {
        if (next(at + way * count)) return true;
        if (count >= most || !fits(at + way * count)) return false;
        count += 1;
      }
    };
  }

  #isEdge(source: string, at: number): boolean {
    const [before, after] = [this.#text[at - 1], this.#text[at]];
    const isBreak = (sign: string | undefined): boolean =>
      sign === undefined || (this.#multiline && /[\n\r\u2028\u2029]/.test(sign));
    if (source === "^") return isBreak(before);
    if (source === "$") return isBreak(after);
    const isWord = (sign: string | undefined): boolean => sign !== undefined && /\w/.test(sign);
    return (isWord(before) !== isWord(after)) === (source === "\\b");
  }
}

function isAnchored(node: Node): boolean {
  if (node.kind === "edge") return node.source === "^";
  if (node.kind === "either") return node.of.every(isAnchored);
  if (node.kind === "sequence") return node.of.length > 0 && isAnchored(node.of[0]!);
  return node.kind === "group" && isAnchored(node.of);
}

export const SIGNS = [..." \n\t\r\fa0AbzZ9-_.,:;'\"`()[]{}<>|/\\#%=*+?!@&$~^é中·–…\u00a0\u0000"];

/** The longest texts for a pattern: a way to each of its loops, then many times what the loop repeats, the way to it, or each kind
 *  of character that the loops distinguish, and an end that does not fit. */
export function longTexts(pattern: CountedPattern, length: number): string[] {
  const classes = new Set<string>();
  const loops: { before: string; of: Node }[] = [];
  const visit = (node: Node, before: string, within: boolean): void => {
    if (node.kind === "one") {
      if (within) classes.add(node.source);
    } else if (node.kind === "many") {
      const isLoop = node.most > 16;
      if (isLoop) loops.push({ before, of: node.of });
      visit(node.of, before, within || isLoop);
    } else if (node.kind === "sequence") {
      let so = before;
      for (const part of node.of) {
        visit(part, so, within);
        so += example(part, pattern, 0);
      }
    } else if (node.kind === "either") for (const part of node.of) visit(part, before, within);
    else if (node.kind === "group" || node.kind === "look") visit(node.of, before, within);
  };
  visit(pattern.tree, "", false);
  const kinds = new Map<string, string>();
  for (const sign of SIGNS) {
    const kind = [...classes].map((source) => (pattern.has(source, sign) ? 1 : 0)).join("");
    if (!kinds.has(kind)) kinds.set(kind, sign);
  }
  const texts = new Set<string>();
  for (const before of new Set(loops.flatMap((loop) => ["", loop.before]))) {
    const parts = new Set([
      ...kinds.values(),
      ...loops.flatMap((loop) => [0, 1, 2].map((k) => example(loop.of, pattern, k))),
      // a search starts again at each of them
      ...loops.map((loop) => loop.before),
    ]);
    for (const part of parts) {
      if (part === "") continue;
      const many = part.repeat(Math.ceil(length / part.length));
      for (const end of ["", ...kinds.values()]) texts.add(`${before}${many}${end}`);
    }
  }
  return [...texts];
}

/** A short text that the node matches, the lookarounds aside; `variant` chooses among them. */
function example(node: Node, pattern: CountedPattern, variant: number): string {
  if (node.kind === "one") {
    const fitting = SIGNS.filter((sign) => pattern.has(node.source, sign));
    if (fitting.length > 0) return fitting[variant % fitting.length]!;
    const plain = /^\\?([^\\[])$/u.exec(node.source)?.[1];
    return plain ?? firstOf(node.source, pattern);
  }
  if (node.kind === "sequence") return node.of.map((part) => example(part, pattern, variant)).join("");
  if (node.kind === "either") return example(node.of[variant % node.of.length]!, pattern, variant);
  if (node.kind === "group") return example(node.of, pattern, variant);
  if (node.kind === "many")
    return example(node.of, pattern, variant).repeat(Math.max(node.least, variant === 1 ? 0 : 1));
  return "";
}

/** Of a class without any of the signs. */
function firstOf(source: string, pattern: CountedPattern): string {
  for (let code = 0; code < 0x3100; code++) {
    const sign = String.fromCharCode(code);
    if (pattern.has(source, sign)) return sign;
  }
  return "";
}

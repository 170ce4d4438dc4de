/** Changes to an input: of its bytes, of the values of its JSON, of the entries of its archive. All draws come from one generator. */
import { unzipSync, zipSync } from "fflate";

/** Mulberry32. */
export function makeRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const int = (n) => Math.floor(next() * n);
  return { next, int, pick: (list) => list[int(list.length)] };
}

/** Texts that have broken programs before. */
const NASTY = [
  ..."__proto__ constructor toString hasOwnProperty 1e400 -1e400 0x10 1_000 1,234 NaN Infinity -Infinity -0".split(" "),
  ..."9007199254740993 1e-400 null true [] {} [[[[[[[[ 1e +1 .5 5. 1.2.3 NA None na - =1+1 @SUM(A1) <script> &amp; ]]>".split(
    " ",
  ),
  ..."&a *a <<: !!js/function !!binary --- ... | > ? : {{ \\ \\u \\ud800 $$ \\end{document} \\input{x} ](x) | `".split(
    " ",
  ),
  ...[
    "\0",
    "\ud800",
    "\ufeff",
    "\u202e",
    "\u001b[31m",
    "\u009b2J",
    "\u2028",
    "\r",
    "\n",
    "\r\n",
    ",",
    ";",
    "\t",
    '"',
    "'",
  ],
  ...[
    "𝒳",
    "é",
    "٣",
    "１２",
    "",
    " ",
    "~",
    "(1|g)",
    "s(x, k=9)",
    "poly(x,3)",
    "te(a,b)",
    "a:b",
    "a*b*c",
    "I(x^2)",
    "log(",
    "^",
    "%in%",
  ],
  ...[
    "1".repeat(400),
    "9".repeat(30),
    "(".repeat(200),
    "[".repeat(500),
    '{"a":'.repeat(100),
    "a,".repeat(300),
    "- ".repeat(300),
  ],
];
const VALUES = [
  ...[
    null,
    true,
    false,
    0,
    -0,
    1e308,
    1e9,
    1e15,
    -1,
    3.7,
    2 ** 60,
    "x",
    "",
    "NaN",
    "C",
    "I",
    "1e400",
    "__proto__",
    "\ud800",
    "\u001b[2J",
  ],
  ...[[], {}, [[]], [null], { a: null }, ["a", 1], { length: 5 }, "<img src=x onerror=alert(1)>", "a".repeat(3000)],
];
const KEYS = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "length",
  "",
  "a.b",
  "\0",
  "kind",
  "item",
  "score",
];
const BYTES = [0, 255, 127, 128, 10, 13, 34, 44, 92, 123, 91, 1];

const encode = (text) => new TextEncoder().encode(text);
const decode = (bytes) => new TextDecoder().decode(bytes);

function splice(bytes, at, removed, added) {
  const out = new Uint8Array(bytes.length - removed + added.length);
  out.set(bytes.subarray(0, at));
  out.set(added, at);
  out.set(bytes.subarray(at + removed), at + added.length);
  return out;
}

/** Each takes bytes, a place within them, the generator and another input; none is given an empty input. */
const BYTE_CHANGES = [
  (b, at, { int }) => splice(b, at, 1, [b[at] ^ (1 << int(8))]),
  (b, at, { pick }) => splice(b, at, 1, [pick(BYTES)]),
  (b, at, { int }) => splice(b, at, Math.min(int(50), b.length - at), []),
  (b, at, { pick }) => splice(b, at, 0, encode(pick(NASTY))),
  (b, at) => b.subarray(0, at),
  (b, at) => b.subarray(at),
  (b, at, { int }) => splice(b, int(b.length), 0, b.slice(at, at + int(2000))),
  (b, at, { int }, other) => {
    const from = int(other.length);
    return splice(b, at, 0, other.subarray(from, from + int(500)));
  },
  (b, at, { pick }) => splice(b, at, Math.min(pick([1, 2, 4, 8]), b.length - at), [pick([0, 255, 127, 128, 1])]),
  (b, at, { int }) =>
    splice(
      b,
      at,
      Math.min(8, b.length - at),
      Uint8Array.from({ length: 8 }, () => int(256)),
    ),
  // trailers and directories stand at the end
  (b, _, { int }) => splice(b, Math.max(0, b.length - 1 - int(60)), 1, [int(256)]),
  (b, at, { pick, int }) => splice(b, at, 0, encode(pick(NASTY).repeat(1 + int(40)))),
];

export function mutateBytes(bytes, random, other) {
  let out = bytes;
  for (let k = 1 + random.int(4); k > 0; k--) {
    out =
      out.length === 0
        ? encode(random.pick(NASTY))
        : random.pick(BYTE_CHANGES)(out, random.int(out.length), random, other);
  }
  return out;
}

function spotsOf(root) {
  const spots = [];
  const visit = (node, depth) => {
    if (typeof node !== "object" || node === null || depth > 60) return;
    for (const key of Object.keys(node)) {
      if (spots.length >= 20_000) return;
      spots.push([node, key]);
      visit(node[key], depth + 1);
    }
  };
  visit(root, 0);
  return spots;
}

function mutateValue(root, { int, pick }) {
  const spots = spotsOf(root);
  for (let k = 1 + int(6); k > 0 && spots.length > 0; k--) {
    const [node, key] = pick(spots);
    const change = int(6);
    if (change < 3) node[key] = structuredClone(pick(VALUES));
    else if (change === 3) Array.isArray(node) ? node.splice(Number(key), 1) : delete node[key];
    else if (change === 4) {
      const [from, name] = pick(spots);
      node[key] = structuredClone(from[name] ?? null);
    } else if (!Array.isArray(node)) {
      const value = node[key];
      Object.defineProperty(node, pick(KEYS), { value, enumerable: true, configurable: true, writable: true });
    }
  }
  return root;
}

function mutateJson(bytes, random) {
  const text = decode(bytes);
  try {
    return encode(JSON.stringify(mutateValue(JSON.parse(text), random)));
  } catch {
    const lines = text.split("\n").filter((line) => line !== "");
    const at = random.int(lines.length);
    lines[at] = JSON.stringify(mutateValue(JSON.parse(lines[at]), random));
    return encode(lines.join("\n"));
  }
}

function mutateZip(bytes, random, other) {
  const parts = unzipSync(bytes);
  const name = random.pick(Object.keys(parts));
  parts[name] = random.next() < 0.7 ? mutateJson(parts[name], random) : mutateBytes(parts[name], random, other);
  return zipSync(parts, { level: 1 });
}

/** By structure where the input has one that can be read, else, and every other time, by bytes. */
export function mutate(bytes, random, other) {
  if (random.next() < 0.6) {
    try {
      const zip = bytes[0] === 0x50 && bytes[1] === 0x4b;
      return zip ? mutateZip(bytes, random, other) : mutateJson(bytes, random);
    } catch {
      // by bytes, then
    }
  }
  return mutateBytes(bytes, random, other);
}

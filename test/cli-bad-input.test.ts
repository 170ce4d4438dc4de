/** Bad input of every command: one line that says what, where and what to do, exit code 2, nothing printed and nothing written. A command that
 *  is new fails here until it has a call. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Command, Option } from "commander";
import { describe, expect, it } from "vitest";
import { EXAMPLES } from "../src/cli/power/examples.ts";
import { makeProgram } from "../src/cli/program.ts";
import { gosset } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";
import { JSON_CALLS } from "./support/json-calls.ts";

const folder = makeFolder("bad-input");
const at = (name: string): string => join(folder, name);
function file(name: string, content: string | Uint8Array): string {
  writeFileSync(at(name), content);
  return at(name);
}
const wordsOf = (line: string): string[] => line.split(" ").filter((word) => word !== "");
const jsonCall = (path: string): readonly string[] | undefined =>
  JSON_CALLS.find(([, args]) => args.slice(0, wordsOf(path).length).join(" ") === path)?.[1];

const STORED = jsonCall("verify")![1]!;
const PLAN = jsonCall("plan check")![2]!;
const IDS = file("ids.txt", `${Array.from({ length: 300 }, (_, i) => `i${i}`).join("\n")}\n`);
const MODULE = file(
  "runs.mjs",
  `export default { name: "runs", title: "runs", effect: "delta", size: "n", effectRange: () => ({ from: 0, to: 1 }), replicates: 20,
  parameters: [{ name: "n", kind: "count", meaning: "runs" }, { name: "delta", kind: "number", meaning: "gain" }],
  make: ({ delta }) => ({ name: "runs", title: "runs", effect: delta, alpha: 0.05, parameters: [], assumptions: [], diagnostics: [],
    analyses: ["my test"], simulate: (rng) => [{ estimate: rng.normal(), significant: false }] }) };\n`,
);
const MODULE_CALL = (verb: string, more: string): string[] => [verb, "module", MODULE, ...wordsOf(more)];

/** Of commands that print no result, or that the calls for JSON leave out. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  serve: ["serve", "--export", at("app.html")],
  "plan new": wordsOf(
    `plan new ${at("new.yaml")} --systems old,new --metric acc --items 400 --smallest-effect 0.05 --agreement 0.8`,
  ),
  "plan show": ["plan", "show", PLAN],
  "plan lock": ["plan", "lock", PLAN],
  "plan schedule": ["plan", "schedule", PLAN, "--items", IDS, "--to", at("schedule.csv")],
  bundle: ["bundle", STORED, IDS, "--out", at("study.zip")],
  show: ["show", STORED],
  plot: ["plot", STORED],
  report: ["report", STORED],
  paper: ["paper", STORED],
  cite: ["cite", STORED],
  worker: ["worker", "redis://localhost:1"],
  "design ordinal": wordsOf("design ordinal --effect 0.31 --setting howcroft-general --budget 100 --cost-rating 0.2"),
  "design head-to-head": wordsOf("design head-to-head --win 0.6 --rater-sd 0.3 --item-sd 0.8 --budget 9 --cost-item 1"),
  "power module": MODULE_CALL("power", "--set n=9 --set delta=0.3"),
  "mde module": MODULE_CALL("mde", "--set n=9"),
  "size module": MODULE_CALL("size", "--set delta=0.3"),
  "curve module": MODULE_CALL("curve", "--over n=5,9 --set delta=0.3"),
};

function callOf(path: string): readonly string[] {
  const [verb, scenario] = wordsOf(path);
  const example = EXAMPLES[scenario ?? ""]?.[["power", "mde", "size", "curve"].indexOf(verb!)];
  const call =
    OTHERS[path] ?? jsonCall(path) ?? (example === undefined ? undefined : [...wordsOf(path), ...wordsOf(example)]);
  if (call === undefined) throw new Error(`gosset ${path} is new: give a call of it here`);
  return call;
}

/** Every command that can be called, with its flags and those of the command around it. */
function callable(
  command: Command,
  path: readonly string[],
  outer: readonly Option[],
): (readonly [string, readonly Option[]])[] {
  const options = [...command.options, ...outer];
  const inner = command.commands.flatMap((one) =>
    callable(one, [...path, one.name()], path.length === 0 ? [] : options),
  );
  // gate is a command, and has commands
  const own = command.commands.length === 0 || path.join(" ") === "gate";
  return own ? [[path.join(" "), options], ...inner] : inner;
}
const COMMANDS = callable(makeProgram(), [], []);

/** What no message says: a stack, a value that is none, a code of the system, a name of the library's. */
const NEVER =
  /undefined|\[object|internal error|\bNaN\b|\bE(NOENT|ISDIR|ACCES|NOTDIR)\b|\b\w+\.(js|ts):\d|`|toJSON|\b[a-z]+[A-Z]\w* =/;

/** What is wrong with how the program refuses; empty if nothing is. */
function faults(words: readonly string[], given = "", says?: RegExp): string[] {
  const before = readdirSync(folder).length;
  const { status, stdout, stderr } = gosset(...words);
  const [line = "", ...more] = stderr.trimEnd().split("\n");
  const found = [
    ...(status === 2 ? [] : [`exit code ${status}`]),
    ...(stdout === "" ? [] : ["an answer"]),
    ...(/^gosset: \S.*[.?…] \S.*$/.test(line) ? [] : ["no line with what and what to do"]),
    ...(more.length === 0 ? [] : [`${more.length} more lines`]),
    ...(NEVER.test(line.replaceAll(given || "\0", "")) ? ["words of the inside"] : []),
    ...(says === undefined || says.test(line) ? [] : [`does not say ${says}`]),
    ...(readdirSync(folder).length === before ? [] : ["a file"]),
  ];
  return found.length === 0 ? [] : [`gosset ${words.join(" ")}: ${found.join(", ")}: ${stderr.slice(0, 300)}`];
}

describe("files that are none", () => {
  const isFile = (word: string): boolean => statSync(word, { throwIfNoEntry: false })?.isFile() === true;
  const RUBBISH = Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * 7919 + (i >> 3) * 31) & 255));
  mkdirSync(at("hollow"));
  const [empty, rubbish, cutJson] = [
    file("empty.csv", ""),
    file("rubbish.csv", RUBBISH),
    file("cut.json", '{"kind":"test","list":[1,2,{"b":'),
  ];

  /** One line is a whole module or result; a list of names takes any text. */
  const WHOLE = /^(power|mde|size|curve) module|^(verify|show|plot|report|paper|cite)/;
  function spoilt(path: string, name: string): readonly (readonly [string, RegExp])[] {
    const bytes = readFileSync(path);
    const ending = /\.\w+$/.exec(path)![0];
    const packed = gzipSync(bytes);
    const header = file(`header${ending}`, `${bytes.toString("utf8").split("\n")[0]}\n`);
    const cutPacked = file(`packed${ending}.gz`, packed.subarray(0, Math.max(12, packed.length >> 1)));
    return [
      [path.replace(/(\w)(\.\w+)$/, "$1x$2"), /no file|does not read/],
      [at("hollow"), /holds no files|is a folder|does not read/],
      [empty!, /./],
      [rubbish!, /./],
      [cutJson!, /./],
      [cutPacked, /./],
      ...(WHOLE.test(name) ? [] : [[header, /./] as const]),
    ];
  }

  // the four verbs read a module alike
  it.each(COMMANDS.filter(([name]) => !/^(mde|size|curve) module/.test(name)))("%s", (name) => {
    const call = callOf(name);
    const places = call.flatMap((word, i) => (isFile(word) ? [i] : []));
    const found = places.flatMap((i, k) =>
      // of a second file what the first has not shown: that it is looked at
      spoilt(call[i]!, name)
        .slice(0, k === 0 ? undefined : 2)
        .flatMap(([path, says]) => faults(call.with(i, path), path, says)),
    );
    expect(found).toEqual([]);
  });
});

/** The value of a flag is replaced, or the flag added. */
function withValue(call: readonly string[], { long }: Option, value: string): readonly string[] {
  const i = call.indexOf(long!);
  return i < 0 ? [...call, long!, value] : call.with(i + 1, value);
}

describe("numbers that are none", () => {
  const NUMBER =
    /<(n|x|share|level|sd|p|money|seconds|se|items|accuracy|r|z|k|d2|phi|least,most|N|size|t1,t2,…|1,2,5,10|a,b,…|facet=[^>]*|feature=n|ratio|factor|judgements|sentences)>/;
  const VALUES = ["word", "NaN", "1e999", ""];
  const told = new Set<string>();

  it.each(COMMANDS)("%s", (name, options) => {
    const [verb] = wordsOf(name);
    const call = callOf(name);
    // a flag of the same words is one of all scenarios; each is tried once for each verb, with another value
    const own = options.filter(
      ({ flags, long, required, argChoices }) =>
        required && !argChoices && NUMBER.test(flags) && long !== "--cells" && !told.has(`${verb} ${flags}`),
    );
    for (const { flags } of own) told.add(`${verb} ${flags}`);
    const found = own.flatMap((option, k) => {
      const value = VALUES[(k + told.size) % VALUES.length]!;
      return faults(withValue(call, option, value), value, new RegExp(option.long!));
    });
    expect(found).toEqual([]);
  });

  it("a standard deviation below 0 is said of its flag, also where an effect is sought", () => {
    const seeds = "--items 500 --seeds 3 --item-sd 0.3 --run-item-sd 0.1 --seed-sd -1";
    for (const verb of ["power seeds --delta 0.02", "mde seeds"])
      expect(faults(wordsOf(`${verb} ${seeds}`), "", /--seed-sd -1: a standard deviation cannot be below 0/)).toEqual(
        [],
      );
    const raters = wordsOf("power likert --items 40 --raters 5 --effect 0.4 --setting card-high --rater-slope -1");
    expect(faults(raters, "", /--rater-slope -1: a standard/)).toEqual([]);
  });

  it("a spread of 1e300 had a power of NaN", () => {
    const words = wordsOf(
      "power seeds --items 500 --seeds 3 --delta 0.02 --item-sd 0.3 --run-item-sd 0.1 --seed-sd 1e300",
    );
    expect(faults(words, "", /--seed-sd 1e300: not a number/)).toEqual([]);
  });

  it("a margin of next below 0", () => {
    const words = [...jsonCall("next")!, "--margin", "-1"];
    expect(faults(words, "", /--margin -1: not a number above 0/)).toEqual([]);
  });
});

describe("columns, systems, tests and terms that are not there", () => {
  const MISSPELT: readonly (readonly [string, RegExp])[] = [
    ["compare examples/data/questions.jsonl --metric corect", /"correct"/],
    ["score examples/data/labels.csv --gold lable --pred model_a", /"label"/],
    ["test anova examples/data/summaries.csv --score ratng --by system", /"rating"/],
    ["fit lm rating~sytem examples/data/summaries.csv", /"system"/],
    ["emmeans rating~system examples/data/summaries.csv --by sytem", /"system"/],
    ["agreement examples/data/summaries.csv --item artcle --rater rater --label rating", /"article"/],
    ["reliability examples/data/summaries.csv --score rating --object artcle --facets rater", /"article"/],
    ["survey examples/data/claims.csv --score scroe", /"?score"?/],
    [
      "gate examples/data/questions.jsonl --baseline smal --margin 0.1",
      /"smal".*Did you mean "small"\? The systems are large, small/,
    ],
    ["power from-dev examples/data/questions.jsonl --test nosuch", /--test nosuch/],
    ["validity metrics examples/data/judged/metrics.csv examples/data/judged/human.csv --lower-is-better trr", /"ter"/],
  ];
  it.each(MISSPELT)("%s", (line, says) => {
    const { stderr } = gosset(...wordsOf(line));
    // a formula has its caret below
    expect(faults(wordsOf(line), "", /~/.test(line) ? undefined : says)).toEqual([]);
    expect(stderr).toMatch(says);
  });

  it("a regression of the agreement beside a column of it was ignored", () => {
    const words = [...jsonCall("power from-history")!, "--overlap", "glue"];
    expect(faults(words, "", /--overlap has no effect beside/)).toEqual([]);
  });
});

describe("files that cannot be written are refused before anything is computed", () => {
  const withoutOut = (call: readonly string[]): string[] =>
    call.filter((word, i) => word !== "--out" && call[i - 1] !== "--out");
  it.each(COMMANDS)("%s", (name, options) => {
    const call = withoutOut(callOf(name));
    const nowhere = at("nowhere/answer.md");
    const places = ["--flips", "--shapes", "--comment", "--junit"].filter((flag) =>
      options.some(({ long }) => long === flag),
    );
    const found = [
      ...faults([...call, "--out", nowhere], nowhere, /--out/),
      ...faults([...call, "--out", at("hollow")], "", /--out/),
      ...faults([...call, "--json", "--format", "csv"], "", /--json|--format/),
      ...(name === "cite" ? [] : faults([...call, "--out", at("answer.docx")], "", /--out/)),
      ...places.flatMap((flag) => faults([...call, flag, at("nowhere/items.csv")], "", /there is no folder/)),
    ];
    expect(found).toEqual([]);
  });

  it("bundle took flags that it has no use for", () => {
    for (const flag of ["--format", "--plot", "--html"])
      expect(faults([...OTHERS["bundle"]!, flag, "x.html"], "", /bundle does not take/)).toEqual([]);
  });
});

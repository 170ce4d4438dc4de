/** Gate: a policy tried on the open files, and how often it would err, by the functions that `gosset gate` and `gate check` ask. */
import { makeRng, type NamedImport, StatError } from "../../../src/index.ts";
import { Question } from "../../../src/io.ts";
import { checkGate, type GateColumns, type GateFiles, gate, readPolicy } from "../../../src/plan.ts";
import type { Asked, Asking, Data, EngineDoor } from "../../engine/door.ts";
import type { Settings, Told } from "../../engine/protocol.ts";
import { rowsOf } from "../../engine/rows.ts";
import { Code, flagWords, optionsText } from "../../engine/words.ts";
import { isSimple, policyDocument, policyText, settingsOf, USUAL_MARGIN } from "./policy.ts";

export const gateDoor: EngineDoor = {
  name: "gate",
  ask,
  document: {
    isMeant: (text) => /^[ \t]*"?(margin|no-worse-than|tasks|tier)"?[ \t]*:/m.test(text),
    read: (text, name) => settingsOf(readPolicy(text, name)),
  },
};

/** As it is saved, and as the command names it. */
const FILE = "gate.yaml";
/** What a gate is told of columns; its sides are chosen here, and it knows no raters. */
const ROLES = ["system", "item", "run", "cluster", "task"] as const satisfies readonly (keyof Told)[];
const FEWEST_REPLICATES = 10;

interface Sides {
  readonly files: GateFiles;
  readonly paths: { readonly candidate: readonly string[]; readonly baseline: readonly string[] };
  readonly where?: readonly string[] | undefined;
}

function ask({ settings, told, seed, data, tell }: Asking): Asked {
  const simple = isSimple(settings);
  const policy = readPolicy(policyText(settings, !simple), FILE);
  const sides = sidesOf(data(), settings);
  const rows = rowsOf(settings);
  const columns: GateColumns = {
    ...Object.fromEntries(ROLES.map((role) => [role, told[role]])),
    ...(simple ? named(settings) : {}),
    ...(settings["metric"] === undefined && told.score !== undefined ? { metric: told.score } : {}),
    ...rows,
    ...(sides.where === undefined ? {} : { where: [...sides.where, ...(rows.where ?? [])] }),
  };
  const common = { ...columns, policy };
  const shared = {
    own: { policy: policyText(settings) },
    addition: { where: columns.where ?? [], mutate: columns.mutate ?? [] },
    ...{ readsFiles: true, carriesReading: true },
  };
  if (settings["ask"] !== "check") {
    const result = gate(sides.files, common);
    const { outcome, reason, tasks, summary } = result;
    return {
      ...shared,
      result,
      ...wordsOf({ settings, sides, columns, seed }),
      headline: {
        label: `GATE BY ${result.metric}`,
        word: outcome.toUpperCase(),
        sentence: sentenceOf(summary, reason),
        lead: result.display().summary ?? [],
      },
      own: { ...shared.own, tasks: tasks.map(({ task }) => task) },
    };
  }
  const { replicates, pilotItems: items, pilotRepeats: repeats } = settings as Record<string, number | undefined>;
  const result = checkGate(sides.files, {
    ...common,
    ...{ replicates, items, repeats },
    rng: makeRng(seed),
    onProgress: (done, total) => {
      if (done % FEWEST_REPLICATES === 0) tell({ done, total, sofar: `${done} of ${total} runs of the gate.` });
    },
  });
  const [none, margin, twice] = result.scenarios;
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  return {
    ...shared,
    result,
    ...wordsOf({ settings, sides, columns, seed, check: { replicates, items, repeats } }),
    headline: {
      label: "WHAT THIS GATE WOULD DO",
      lead: result.display().summary!.slice(1),
      number: {
        text: percent(none!.pass),
        unit: "pass unchanged",
        facts: [
          `unchanged: ${percent(none!.fail)} fail`,
          `one margin lost: ${percent(margin!.pass)} pass`,
          `two margins lost: ${percent(twice!.fail)} fail`,
        ],
      },
    },
    own: { ...shared.own, tasks: result.tasks.map(({ task }) => task) },
  };
}

/** "PASS: all 3 tasks are within the margin." without its first word, which stands above it. */
function sentenceOf(summary: string, reason: string | null): string {
  const rest = summary.replace(/^[A-Z]+(?: \([\w-]+\))?: /, "");
  const told = reason === null ? rest : `${reason.replaceAll("-", " ")}: ${rest}`;
  return told.charAt(0).toUpperCase() + told.slice(1);
}

const named = ({ metric, direction }: Settings): GateColumns => ({
  metric: metric as string | undefined,
  higherIsBetter: direction === undefined ? undefined : direction === "higher",
});

/** Of several files the baseline is one or more of them; of one file its systems. */
function sidesOf({ parts, whole }: Data, settings: Settings): Sides {
  const names = parts.length > 1 ? parts.map(({ path }) => path) : whole.systems;
  const open = whole.asks?.find(({ id }) => id === "system");
  if (parts.length === 1 && open !== undefined) throw new Question(open);
  const listed = (name: string): readonly string[] | undefined => {
    const own = (settings[name] as readonly string[] | undefined)?.filter((one) => names.includes(one));
    return own === undefined || own.length === 0 ? undefined : own;
  };
  const baseline = listed("against") ?? names.slice(0, 1);
  const candidate = listed("candidate") ?? names.filter((name) => !baseline.includes(name)).slice(0, 1);
  if (baseline.length === 0 || candidate.length === 0)
    throw new StatError(
      "NoBaseline",
      "a gate compares two systems, and there is one.",
      "Open the log of the other one too.",
    );
  const both = candidate.find((name) => baseline.includes(name));
  if (both !== undefined)
    throw new StatError("NoBaseline", `${both} is both candidate and baseline.`, "Choose another.");
  if (parts.length > 1) {
    const of = (list: readonly string[]): NamedImport[] => parts.filter(({ path }) => list.includes(path));
    return {
      files: { candidate: of(candidate), baseline: of(baseline) },
      paths: { candidate: of(candidate).map(({ path }) => path), baseline: of(baseline).map(({ path }) => path) },
    };
  }
  const used = [...baseline, ...candidate];
  const column = whole.roles.system;
  const where =
    used.length === whole.systems.length || column === undefined
      ? undefined
      : [used.map((name) => `${quoted(column)} == ${JSON.stringify(name)}`).join(" | ")];
  return { files: { candidate: parts, baseline }, paths: { candidate: [parts[0]!.path], baseline }, where };
}

const quoted = (name: string): string => (/^[A-Za-z.][\w.]*$/.test(name) ? name : `\`${name}\``);

interface Worded {
  readonly settings: Settings;
  readonly sides: Sides;
  readonly columns: GateColumns;
  readonly seed: string;
  readonly check?: Readonly<Record<string, number | undefined>> | undefined;
}

function wordsOf({ settings, sides, columns, seed, check }: Worded) {
  const simple = isSimple(settings);
  const { higherIsBetter, ...rest } = columns;
  const flags = {
    "--baseline": sides.paths.baseline,
    ...(simple
      ? { "--margin": settings["margin"] ?? USUAL_MARGIN, "--alpha": settings["alpha"], "--by": settings["by"] }
      : { "--policy": FILE }),
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [`--${name}`, value])),
    "--direction": higherIsBetter === undefined ? undefined : higherIsBetter ? "higher" : "lower",
    ...(check === undefined
      ? {}
      : {
          ...Object.fromEntries(Object.entries(check).map(([name, value]) => [`--${name}`, value])),
          "--seed": seed === "1" ? undefined : seed,
        }),
  };
  const command = ["gosset", "gate", ...(check === undefined ? [] : ["check"]), ...sides.paths.candidate];
  return { command: [...command, ...flagWords(flags)], call: callOf({ settings, sides, columns, seed, check }) };
}

function callOf({ settings, sides, columns, seed, check }: Worded): string {
  const list = (names: readonly string[]): string => `[${names.map((name) => JSON.stringify(name)).join(", ")}]`;
  const inFile = typeof sides.files.baseline[0] === "string";
  const document = JSON.stringify(policyDocument(settings, !isSimple(settings)));
  const options = {
    ...columns,
    policy: new Code(`readPolicy(${JSON.stringify(document)})`),
    ...(check === undefined ? {} : { ...check, rng: new Code(`makeRng(${JSON.stringify(seed)})`) }),
  };
  const name = check === undefined ? "gate" : "checkGate";
  return [
    'import { readFile } from "node:fs/promises";',
    `import { importFiles${check === undefined ? "" : ", makeRng"} } from "gosset";`,
    `import { ${name}, readPolicy } from "gosset/plan";`,
    "",
    "const load = (paths) => Promise.all(paths.map(async (path) =>",
    "  ({ path, imported: await importFiles([{ name: path, bytes: await readFile(path) }]) })));",
    `const files = { candidate: await load(${list(sides.paths.candidate)}), baseline: ${inFile ? list(sides.paths.baseline) : `await load(${list(sides.paths.baseline)})`} };`,
    `console.log(String(${name}(files, ${optionsText(options)})));`,
  ].join("\n");
}

/** The same question as a command and as a call, so that numbers of the page can be had elsewhere. */
import { quoteShell } from "../../src/text.ts";

/** `--margin 0.02 --slice a --slice b`; what is undefined, false or empty is left out. */
export function flagWords(flags: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (value === undefined || value === false || value === "") return [];
    if (value === true) return [name];
    if (Array.isArray(value)) return value.flatMap((one) => [name, String(one)]);
    return [name, String(value)];
  });
}

/** As a shell takes it. */
export const commandLine = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoteShell(word))).join(" ");

/** A setting that is a text; others are not said. */
export const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** The call of a library function on the table of one file. */
export const callOnTable = (
  name: string,
  path: string,
  { options, from = "gosset" }: { readonly options: Readonly<Record<string, unknown>>; readonly from?: string },
): string => {
  const names = ["importFiles", ...("rng" in options ? ["makeRng"] : []), ...(from === "gosset" ? [name] : [])].sort();
  const own = from === "gosset" ? "" : `\nimport { ${name} } from "${from}";`;
  return `import { readFile } from "node:fs/promises";\nimport { ${names.join(", ")} } from "gosset";${own}\n\n${readLines(path)}\nconsole.log(String(await ${name}(imported.table, ${optionsText(options)})));`;
};

/** `{ margin: 0.02, slice: ["a"] }` */
export function optionsText(options: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const parts = given.map(([name, value]) => `${name}: ${typeof value === "object" ? list(value) : plain(value)}`);
  return `{ ${parts.join(", ")} }`;
}

const plain = (value: unknown): string => (value instanceof Code ? value.text : JSON.stringify(value));
const list = (value: unknown): string => {
  if (value instanceof Code) return value.text;
  return Array.isArray(value) ? `[${value.map(plain).join(", ")}]` : optionsText(value as Record<string, unknown>);
};

/** Code of its own within options: `rng: makeRng("1")`. */
export class Code {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The lines that read one file. */
export const readLines = (name: string): string =>
  `const imported = await importFiles([{ name: ${JSON.stringify(name)}, bytes: await readFile(${JSON.stringify(name)}) }]);`;

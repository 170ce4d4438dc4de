/** Plain data as YAML that people go on writing: blocks of keys, lists of plain values in one line. */

const PLAIN_KEY = /^[A-Za-z_][\w-]*$/;
const MEANS_ELSE = /^(true|false|yes|no|on|off|null|y|n)$/i;

const scalar = (value: unknown): string => (typeof value === "string" ? word(value) : JSON.stringify(value));
const word = (text: string): string => (PLAIN_KEY.test(text) && !MEANS_ELSE.test(text) ? text : JSON.stringify(text));

export function yamlText(value: Readonly<Record<string, unknown>>, indent = ""): string {
  return Object.entries(value)
    .filter(([, own]) => own !== undefined)
    .map(([key, own]) => {
      const name = `${indent}${word(key)}:`;
      if (Array.isArray(own)) return `${name} [${own.map(scalar).join(", ")}]\n`;
      if (typeof own !== "object" || own === null) return `${name} ${scalar(own)}\n`;
      return Object.keys(own).length === 0
        ? `${name} {}\n`
        : `${name}\n${yamlText(own as Readonly<Record<string, unknown>>, `${indent}  `)}`;
    })
    .join("");
}

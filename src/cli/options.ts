/** What the flags mean, checked: a wrong value is one clear line, before any file is read. */
import { type Contrast, StatError } from "../index.ts";

export type OutputFormat = "text" | "md" | "latex" | "csv" | "html";

export interface GlobalOptions {
  readonly json?: boolean;
  readonly format: OutputFormat;
  readonly out?: string;
  readonly seed: string;
  readonly workers?: string;
  readonly quiet?: boolean;
  readonly color: boolean;
}

/** How the columns of a file become variables, as commander hands it over. */
export interface DataOptions extends GlobalOptions {
  readonly where: readonly string[];
  readonly mutate: readonly string[];
  readonly levels: readonly string[];
  readonly factor: readonly string[];
  readonly ordered: readonly string[];
  readonly contrasts: readonly string[];
  readonly weights?: string;
  readonly offset?: string;
  readonly inputFormat?: string;
  readonly badRows: "error" | "skip";
}

export interface ModelOptions extends DataOptions {
  readonly family?: "gaussian" | "binomial" | "poisson";
  readonly link?: "identity" | "log" | "logit" | "probit" | "cloglog";
}

const CONTRASTS: readonly string[] = ["treatment", "sum", "helmert", "poly"];

/** `col=a,b,c` → ["col", ["a", "b", "c"]]; a comma inside a level is written `\,`. */
function parseLevels(text: string, flag: string): [string, string[]] {
  const at = text.indexOf("=");
  if (at < 1) {
    throw new StatError(
      "BadOption",
      `${flag} ${text}: no column name before "=".`,
      `Write ${flag} column=first,second,third.`,
    );
  }
  const levels = text
    .slice(at + 1)
    .split(/(?<!\\),/)
    .map((level) => level.replaceAll("\\,", ",").trim());
  if (levels.some((level) => level === "")) {
    throw new StatError("BadOption", `${flag} ${text}: an empty level.`, `Write ${flag} column=first,second,third.`);
  }
  return [text.slice(0, at), levels];
}

export function parseLevelLists(texts: readonly string[], flag: string): Map<string, readonly string[]> {
  return new Map(texts.map((text) => parseLevels(text, flag)));
}

/** `sum` for every factor, or `col=sum` for one. */
export function parseContrasts(texts: readonly string[]): { all?: Contrast; byColumn: Map<string, Contrast> } {
  const byColumn = new Map<string, Contrast>();
  let all: Contrast | undefined;
  for (const text of texts) {
    const at = text.lastIndexOf("=");
    const name = text.slice(at + 1);
    if (!CONTRASTS.includes(name)) {
      throw new StatError(
        "BadOption",
        `--contrasts ${text}: no contrast "${name}".`,
        `Choose one of ${CONTRASTS.join(", ")}.`,
      );
    }
    if (at < 0) all = name as Contrast;
    else byColumn.set(text.slice(0, at), name as Contrast);
  }
  return all === undefined ? { byColumn } : { all, byColumn };
}

export function parseProbability(text: string, flag: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value > 0 && value < 1)) {
    throw new StatError(
      "BadOption",
      `${flag} ${text}: not a number between 0 and 1.`,
      `Write for example ${flag} 0.95.`,
    );
  }
  return value;
}

export function parseCount(text: string, flag: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isInteger(value) || value < 1) {
    throw new StatError("BadOption", `${flag} ${text}: not a whole number above 0.`, `Write for example ${flag} 1000.`);
  }
  return value;
}

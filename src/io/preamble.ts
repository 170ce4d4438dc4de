/** Lines of a delimited table that are no data and no header:
 *    # produced on 3 May, seed 3                 comments before the header
 *    Q1_1 … / Rate A … / {"ImportId":"QID1"}    Qualtrics: names, what was asked, and its own keys
 *  They are left out, which is reported. A last line of comments that heads the columns (numpy writes "# id,score") is the header. */
import { isDecimal } from "../data/levels.ts";
import { listNames } from "../result/quote.ts";
import { sniffTable, splitQuoted, startsWithData } from "./sniff-table.ts";
import { afterRecords } from "./two-headers.ts";

export interface Shortened {
  readonly text: string;
  readonly reading: string;
}

export function dropComments(text: string, whole: boolean): Shortened | undefined {
  if (!text.startsWith("#")) return undefined;
  let [at, last, count] = [0, "", 0];
  while (text[at] === "#") {
    const end = text.indexOf("\n", at);
    if (end < 0) return undefined;
    last = text.slice(at, end).replace(/\r$/, "");
    count += 1;
    at = end + 1;
  }
  const body = text.slice(at);
  const heads = isHeader(last, body, whole);
  // a header that begins with # is read as any other
  if (heads && count === 1) return undefined;
  const kept = heads ? `${last.replace(/^#+[ \t]*/, "")}\n${body}` : body;
  if ((sniffTable(kept, whole)?.header.length ?? 0) < 2) return undefined;
  const left = heads ? count - 1 : count;
  const told = left === 1 ? "The first line begins with # and is" : `The first ${left} lines begin with # and are`;
  return { text: kept, reading: `${told} left out as ${left === 1 ? "a comment" : "comments"}.` };
}

/** As many names as the lines below have fields, and the first of these holds values. */
function isHeader(line: string, body: string, whole: boolean): boolean {
  const below = sniffTable(body, whole);
  if (below === undefined) return sniffTable(`${line}\n${body}`, whole) !== undefined;
  const { header, records, separator } = below;
  if (line.split(separator).length !== header.length) return false;
  return header.some((cell) => isDecimal(cell)) || startsWithData([header, ...records]);
}

const SEPARATORS = [",", "\t"] as const;
const IMPORT_ID = /^\s*\{\s*"ImportId"\s*:/;
const MOST_ASKED = 6;

export function dropSurveyRows(text: string, whole: boolean): Shortened | undefined {
  if (!text.slice(0, SURVEY_HEAD).includes("ImportId")) return undefined;
  for (const separator of SEPARATORS) {
    const records = splitQuoted(text, separator, { whole, most: 3 });
    const [names, asked, keys] = records ?? [];
    if (names === undefined || asked === undefined || keys === undefined || names.length < 2) continue;
    if (keys.length !== names.length || !keys.every((cell) => IMPORT_ID.test(cell))) continue;
    const line = text.slice(0, text.length - afterRecords(text, 1).length).replace(/\r?\n$/, "");
    const questions = names.flatMap((name, k) =>
      /QID/.test(keys[k]!) && asked[k] !== undefined && asked[k]!.trim() !== name.trim()
        ? [`${name} is "${asked[k]!.replace(/\s+/g, " ").trim()}"`]
        : [],
    );
    const told = questions.length === 0 ? "" : `: ${listNames(questions, MOST_ASKED)}`;
    return {
      text: `${line}\n${afterRecords(text, 3)}`,
      reading: `Rows 2 and 3 hold what was asked and the keys of Qualtricsand are not data${told}.`,
    };
  }
  return undefined;
}

/** The names and the texts of many questions stand before the keys. */
const SURVEY_HEAD = 65_536;

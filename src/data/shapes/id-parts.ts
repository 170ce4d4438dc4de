/** doc3_sent12, article7:4: ids that name a document and a place in it → a column for the document, since what is in one hangs together. */
import { type Column, factorColumn, type Table, withColumn } from "../table.ts";
import { cellText, freshName, type Reshaped, usedLevels } from "./reshaped.ts";

const PARTS = /^(?<whole>(?<stem>\p{L}+)[-_ ]?\d+)[-_.:/#| ]+\p{L}*[-_ ]?\d+$/u;
/** What holds several items, as ids shorten it. */
const HOLDERS: readonly (readonly [RegExp, string])[] = [
  [/^(d|docs?|docid|documents?|dokument)$/, "document"],
  [/^(art|articles?|news)$/, "article"],
  [/^(story|stories)$/, "story"],
  [/^(dial|dialogs?|dialogues?|dlg)$/, "dialogue"],
  [/^(conv|conversations?|chat)$/, "conversation"],
  [/^(pass|passages?)$/, "passage"],
  [/^(par|para|paragraphs?)$/, "paragraph"],
  [/^(talks?|ted)$/, "talk"],
  [/^(vid|videos?|clip)$/, "video"],
  [/^(pages?|pg)$/, "page"],
  [/^(ch|chap|chapters?)$/, "chapter"],
  [/^(spk|spkr|speakers?)$/, "speaker"],
  [/^(sess|sessions?)$/, "session"],
  [/^(pat|patients?)$/, "patient"],
  [/^(books?|papers?|threads?|lectures?|interviews?|meetings?)$/, "group"],
];
const FEWEST_GROUPS = 3;

export function findIdParts(table: Table): Reshaped | undefined {
  const known = new Set(HOLDERS.map(([, name]) => name));
  if ([...table.columns.keys()].some((name) => known.has(name.toLowerCase()))) return undefined;
  const found = [...table.columns].flatMap(([id, cells]) => {
    const name = holderOf(cells);
    return name === undefined ? [] : [{ id, cells, name: freshName(table, name) }];
  });
  const [own] = found;
  if (own === undefined || found.length > 1) return undefined;
  const { id, cells, name } = own;
  const wholes = Array.from({ length: table.rows }, (_, row) => wholeOf(cellText(cells, row)));
  const example = usedLevels(cells)[0]!;
  return {
    table: withColumn(table, name, factorColumn(wholes)),
    reading: [
      `The ids of ${id} begin with the ${name} that they are in (${example} with ${wholeOf(example)}): items of one ${name} are taken to belong together.`,
    ],
    hints: [{ role: "cluster", column: name, reason: `the ids of ${id} begin with it`, confidence: 0.75 }],
  };
}

const wholeOf = (id: string | null): string | null =>
  id === null ? null : (PARTS.exec(id.trim())?.groups?.["whole"] ?? null);

/** Of ids that all begin with one such word and its number, several with the same. */
function holderOf(cells: Column): string | undefined {
  if (cells.kind === "numeric") return undefined;
  const levels = usedLevels(cells);
  // most columns are told by their first cell
  if (levels.length < 2 * FEWEST_GROUPS || !PARTS.test(levels[0]!.trim())) return undefined;
  const parts = levels.map((level) => PARTS.exec(level.trim())?.groups);
  if (parts.some((own) => own === undefined)) return undefined;
  const groups = new Set(parts.map((own) => own!["whole"])).size;
  const stems = new Set(parts.map((own) => own!["stem"]!.toLowerCase()));
  if (stems.size > 1 || groups < FEWEST_GROUPS || groups * 2 > levels.length) return undefined;
  const [stem] = stems;
  return HOLDERS.find(([word]) => word.test(stem!))?.[1];
}

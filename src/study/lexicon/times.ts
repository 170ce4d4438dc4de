/** Columns that say when a row was run; the start says more about order than the end, which depends on how long it took. */
import { crossed, listed, splitWords } from "./words.ts";

const MOMENTS = "at on time date";
const RANKS = [
  listed(crossed("start started begin began", `- ${MOMENTS}`)),
  listed(crossed("created", `- ${MOMENTS}`)),
  listed("timestamp datetime ts"),
  listed(crossed("run submitted asked rated judged annotated", MOMENTS)),
  listed(crossed("completed finished end ended", MOMENTS)),
];

/** The lower the better; -1 of other names. */
export function timeRank(name: string): number {
  const words = splitWords(name);
  const ends = [words.slice(-1), words.slice(-2)].map((own) => own.join(""));
  return RANKS.findIndex((names) => ends.some((end) => names.has(end)));
}

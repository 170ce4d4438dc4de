/** A score that was guessed on weak grounds is put to the user as a question: a verdict about the wrong column is worse than none. */
import { StatError } from "../../result/error.ts";
import type { Imported } from "../imported.ts";

/** A guess below this is no ground for an answer. */
const SURE = 0.6;
/** Nor is one below this where another column has as much for it. */
const SURE_ALONE = 0.7;
const MOST_NAMED = 4;

export function refuseUnsureScore({ guesses = [] }: Pick<Imported, "guesses">, score: string): void {
  const scores = guesses.filter(({ role }) => role === "score");
  const own = scores.find(({ column }) => column === score);
  if (own === undefined || own.confidence >= SURE_ALONE) return;
  const equal = scores.filter(({ column, confidence }) => column !== score && confidence === own.confidence);
  if (own.confidence >= SURE && equal.length === 0) return;
  const others = equal.map(({ column }) => column).slice(0, MOST_NAMED);
  const more = equal.length > MOST_NAMED ? ` and ${equal.length - MOST_NAMED} more` : "";
  const doubt = equal.length === 0 ? "nothing else says so" : `as much speaks for ${others.join(", ")}${more}`;
  // to judge by one of several raters would be the wrong way out
  const raters = equal.length > 1 && /rating scale/.test(own.reason);
  const called = [score, ...equal.map(({ column }) => column)];
  throw new StatError(
    "UnsureColumn",
    `is ${score} the score? It was taken ${tellReason(own.reason)}; ${doubt}.`,
    raters
      ? `If each column is another rater, say option \`rater: ${called.join(",")}\`; if each is a criterion, name one, as in option \`metric: ${score}\`.`
      : `Say so with option \`metric: ${score}\`, or name another column.`,
  );
}

const tellReason = (reason: string): string => (/^(by|as) /.test(reason) ? reason : `as ${reason}`);

/** Every published result that can be computed anew, in the order of the papers. */
import { BOOK_CIRCULARITY } from "./book-circularity.ts";
import { BOOK_EXAMPLES } from "./book-examples.ts";
import { BOOK_FIGURES } from "./book-figures.ts";
import { BOOK_RELIABILITY } from "./book-reliability.ts";
import { BOOK_SHAPES } from "./book-shapes.ts";
import { BOOK_SIGNIFICANCE } from "./book-significance.ts";
import { BOOK_VALIDITY } from "./book-validity.ts";
import { CARD_ACCURACY } from "./card-accuracy.ts";
import { CARD_BLEU } from "./card-bleu.ts";
import { CARD_CLAIMS } from "./card-claims.ts";
import { CARD_HUMAN } from "./card-human.ts";
import { CARD_LEADERBOARD } from "./card-leaderboard.ts";
import { HOWCROFT } from "./howcroft.ts";
import type { Reproduction } from "./reproduction.ts";

export const REPRODUCTIONS: readonly Reproduction[] = [
  ...CARD_ACCURACY,
  ...CARD_CLAIMS,
  ...CARD_LEADERBOARD,
  ...CARD_BLEU,
  ...CARD_HUMAN,
  ...BOOK_VALIDITY,
  ...BOOK_CIRCULARITY,
  ...BOOK_SHAPES,
  ...BOOK_FIGURES,
  ...BOOK_RELIABILITY,
  ...BOOK_SIGNIFICANCE,
  ...BOOK_EXAMPLES,
  ...HOWCROFT,
];

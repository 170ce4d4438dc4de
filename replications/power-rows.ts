/** Power of one experiment, and the type-M and type-S errors of its significant results, beside another computation of them. */
import { type Comparison, compareWith, type ReproductionRow } from "./reproduction.ts";

/** Type-M and type-S error are the factor and the share: how much too large, how often of the wrong sign. */
interface PowerFigures {
  readonly power: number;
  readonly typeM: number;
  readonly typeS: number;
}

/** Lists in the order power, type M, type S; what stands behind a list's end is not compared, not printed or as usual. */
interface PowerReference {
  readonly r: readonly number[];
  readonly printed?: readonly string[];
  readonly how?: readonly Comparison[];
}

const FIGURES = ["power", "typeM", "typeS"] as const;

export function powerRows(name: string, own: PowerFigures, reference: PowerReference): ReproductionRow[] {
  const labels = [`power, ${name}`, "  type M", "  type S"];
  return reference.r.map((r, k) =>
    compareWith(labels[k]!, { published: reference.printed?.[k], r, ours: own[FIGURES[k]!] }, reference.how?.[k]),
  );
}

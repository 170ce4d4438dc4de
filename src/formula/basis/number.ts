/** Points of several covariates in the order in which mgcv numbers them: by the text of their coordinates, as R prints numbers, byte by
 *  byte. A point whose text is that of an earlier one is the same point.
 *
 *  R writes a number with the fewest significant digits, at most 15, that give its value to 15; as 0.00012 unless 1.2e-04 is shorter.
 *  Reference: R's ?as.character and ?print.default (before R 4.3); mgcv's ?uniquecombs.
 *  Oracle:    paste0() and smoothCon() in R 4.2, oracle/r/basis-centers.json. */

const DIGITS = 15;

export function textAsR(value: number): string {
  const [mantissa, power] = value.toExponential(DIGITS - 1).split("e") as [string, string];
  const exponent = Number(power);
  const significant = 1 + (mantissa.split(".")[1] ?? "").replace(/(?<!0)0+$/, "").length;
  const decimals = Math.max(0, significant - exponent - 1);
  const fixedWidth = Math.max(1, exponent + 1) + (decimals > 0 ? decimals + 1 : 0);
  const exponentWidth = Math.abs(exponent) >= 100 ? 5 : 4;
  const scientificWidth = significant + (significant > 1 ? 1 : 0) + exponentWidth;
  if (fixedWidth <= scientificWidth) return value.toFixed(decimals);
  const [digits, own] = value.toExponential(significant - 1).split("e") as [string, string];
  return `${digits}e${own[0]}${own.slice(1).padStart(2, "0")}`;
}

/** Places of the points, in R's order, without repetitions. */
export function orderAsR(columns: readonly ArrayLike<number>[]): Int32Array {
  const texts = Array.from(columns[0]!, (_, i) => columns.map((column) => textAsR(column[i]!)).join("*"));
  const order = Int32Array.from(texts.keys()).sort((a, b) =>
    texts[a]! < texts[b]! ? -1 : texts[a]! > texts[b]! ? 1 : a - b,
  );
  return order.filter((point, i) => i === 0 || texts[point] !== texts[order[i - 1]!]);
}

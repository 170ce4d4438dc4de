/** What a row of a sheet is called that sums up others. */
import { crossed, joinedName, listed, splitWords } from "./words.ts";

const MEANS = "average avg mean mittelwert durchschnitt mittel moyenne promedio média 平均 平均值 平均分";
/** "Average", "Macro-Avg.", "Mean score"; what stands in brackets says of what. */
const MEAN = listed(
  `${crossed(crossed("- macro micro overall grand total weighted unweighted task dataset simple", MEANS), "- score all overall total accuracy acc")} overall overallscore`,
);
const SUM = listed("total totals sum summe gesamt somme suma soma 合计 总计 总分 合計");
const SPREAD = listed("std stdev sd standarddeviation median min max minimum maximum variance n count");
/** Places and wins, counted over the rows above. */
const COUNTED = listed(
  `${crossed(crossed("no nr num number noof nrof numof numberof", "win wins best"), "-")} ${crossed(crossed("average avg mean median", "rank"), "- ing")} wtl ${crossed(crossed("win wins", "- tie ties"), "losses")}`,
);
const OF_COUNT = listed(crossed("- of", "win wins best losses ties"));
/** The same in one word, which may also name a row where no mean or sum stands next to it. */
const COUNTED_WORD = listed("win wins best losses ties rank ranking pvalue pvalues");

export function summaryOf(label: string): "mean" | "sum" | "spread" | "counted" | "word" | undefined {
  // none of these words has a digit, which most ids of items have
  if (/\d/.test(label) && !label.includes("(")) return undefined;
  if (splitWords(label).length > MOST_WORDS) return undefined;
  const name = joinedName(label);
  if (MEAN.has(joinedName(label.replace(/ ?\([^()]*\)[^(]*$/, "")))) return "mean";
  if (SUM.has(name)) return "sum";
  if (SPREAD.has(name)) return "spread";
  if (COUNTED.has(name) || (label.trim().startsWith("#") && OF_COUNT.has(name))) return "counted";
  return COUNTED_WORD.has(name) ? "word" : undefined;
}
/** Longer labels are no names. */
const MOST_WORDS = 8;

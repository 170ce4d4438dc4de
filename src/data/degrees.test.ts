import { describe, expect, it } from "vitest";
import { degreesOf } from "./degrees.ts";

/** Places of the words from the lowest, 1, on. */
const places = (text: string): number[] | undefined => {
  const found = degreesOf(text.split(",").map((word) => word.trim().toLowerCase()));
  const rising = [...(found?.values ?? [])].sort((a, b) => a - b);
  return found?.values.map((value) => rising.indexOf(value) + 1);
};

describe("words that are degrees of one property stand in its order, which were labels without one", () => {
  it.each([
    "not helpful at all,slightly helpful,moderately helpful,very helpful,extremely helpful",
    "not helpful,not very helpful,somewhat helpful,helpful,very helpful",
    "very unnatural,unnatural,somewhat natural,natural,very natural",
    "disagree strongly,disagree moderately,disagree slightly,agree slightly,agree moderately,agree strongly",
    "do not understand,understand a little,understand mostly,understand fully",
    "awful,poor,average,above average,outstanding",
    "unacceptable,marginal,acceptable,good,exceptional",
    "trifft nicht zu,trifft eher nicht zu,teils teils,trifft eher zu,trifft zu",
    "per niente d'accordo,poco d'accordo,abbastanza d'accordo,molto d'accordo",
    "discordo totalmente,discordo,neutro,concordo,concordo totalmente",
    "helemaal mee oneens,mee oneens,neutraal,mee eens,helemaal mee eens",
    "zdecydowanie się nie zgadzam,raczej się nie zgadzam,trudno powiedzieć,raczej się zgadzam,zdecydowanie się zgadzam",
    "очень плохо,плохо,нормально,хорошо,отлично",
    "полностью не согласен,не согласен,нейтрально,согласен,полностью согласен",
    "çok kötü,kötü,orta,iyi,çok iyi",
    "mycket dålig,dålig,okej,bra,mycket bra",
    "非常不满意,不满意,一般,满意,非常满意",
    "매우 나쁨,나쁨,보통,좋음,매우 좋음",
    "سيء جدا,سيء,متوسط,جيد,جيد جدا",
    "rất tệ,tệ,bình thường,tốt,rất tốt",
  ])("%s", (text) => {
    const words = text.split(",");
    const rising = words.map((_, k) => k + 1);
    expect(places(text)).toEqual(rising);
    expect(places(words.toReversed().join(","))).toEqual(rising.toReversed());
  });

  it.each([
    ["two words of one step", "bad,poor,good"],
    ["a reader would not know either", "not supported,not fully supported,supported"],
    ["double negation", "not bad,bad,good"],
    ["several properties", "very long,very short,wordy"],
    ["no degrees", "news,sports,politics"],
  ])("%s: no order", (_, text) => {
    expect(places(text)).toBeUndefined();
  });
});

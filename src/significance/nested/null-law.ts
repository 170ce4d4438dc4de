/** The law of a likelihood-ratio or F statistic under the smaller model, for pictures. */
import { chiSquarePdf, chiSquareQuantileUpper, chiSquareSf } from "../../numeric/dist/chi-square.ts";
import { fPdf, fQuantileUpper } from "../../numeric/dist/f.ts";
import { findRoot } from "../../numeric/optim/brent.ts";
import type { NestedComparison } from "./nested.ts";

export interface LrtSeries {
  /** What the statistic is called. */
  readonly statistic: "F" | "chi-square";
  readonly observed: number;
  /** Beyond it lie 5 % of the law. */
  readonly critical: number;
  readonly p: number;
  /** "chi-square on 2 df", … */
  readonly law: string;
  readonly density: readonly (readonly [x: number, density: number])[];
}

const ALPHA = 0.05;
const POINTS = 120;

interface Tested extends Pick<NestedComparison, "chisq" | "df" | "p" | "fTest"> {
  readonly mixture?: { readonly p: number };
}

/** F where it is exact; the mixture where a variance is tested against 0. */
export function nullLaw({ chisq, df, p, fTest, mixture }: Tested): { readonly series?: LrtSeries } {
  if (fTest !== undefined && Number.isFinite(fTest.statistic)) {
    const { statistic, df1, df2 } = fTest;
    const critical = fQuantileUpper(ALPHA, df1, df2);
    const density = curve((x) => fPdf(x, df1, df2), reach(statistic, critical));
    return {
      series: { statistic: "F", observed: statistic, critical, p: fTest.p, law: `F on ${df1} and ${df2} df`, density },
    };
  }
  if (!Number.isFinite(chisq) || !(df > 0)) return {};
  const observed = Math.max(0, chisq);
  if (mixture === undefined) {
    const critical = chiSquareQuantileUpper(ALPHA, df);
    const density = curve((x) => chiSquarePdf(x, df), reach(observed, critical));
    return { series: { statistic: "chi-square", observed, critical, p, law: `chi-square on ${df} df`, density } };
  }
  const tail = (x: number): number => ((df === 1 ? 0 : chiSquareSf(x, df - 1)) + chiSquareSf(x, df)) / 2;
  const critical = findRoot((x) => tail(x) - ALPHA, 1e-9, chiSquareQuantileUpper(ALPHA, df)).root;
  const pdf = (x: number): number => ((df === 1 ? 0 : chiSquarePdf(x, df - 1)) + chiSquarePdf(x, df)) / 2;
  const law = df === 1 ? "half 0, half chi-square on 1 df" : `half chi-square on ${df - 1}, half on ${df} df`;
  const density = curve(pdf, reach(observed, critical));
  return { series: { statistic: "chi-square", observed, critical, p: mixture.p, law, density } };
}

/** As far as the eye needs to see the tail and what was observed. */
const reach = (observed: number, critical: number): number => Math.max(2 * critical, 1.1 * observed);

function curve(pdf: (x: number) => number, to: number): (readonly [number, number])[] {
  return Array.from({ length: POINTS }, (_, k) => {
    // closer together near 0, where the density changes fast
    const x = to * ((k + 0.5) / POINTS) ** 2;
    return [x, pdf(x)] as const;
  });
}

/** How a survey reads: what the claims are worth, benchmark by benchmark, then the literature as a whole. */
import type { FieldsOf } from "../../models/fit.ts";
import type { Display, DisplayTable } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import { ppvSentence } from "../ppv.ts";
import type { SurveyResult } from "./result.ts";

const percentOf = (share: number): string => `${formatNumber(100 * share)} %`;
const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;

export function displaySurvey(survey: FieldsOf<SurveyResult>): Display {
  const { summary, alpha, target, records, ppv } = survey;
  const shown = records.reduce((sum, own) => sum + own.shown, 0);
  const claimed = records.reduce((sum, own) => sum + own.claimed, 0);
  return {
    title: `Survey of ${counted(summary.claims, "claim")}`,
    summary: [
      worthSentence(summary, alpha),
      ...asymmetrySentence(survey),
      ...(ppv === undefined
        ? []
        : [ppvSentence(ppv, ` (at the median power of ${formatNumber(summary.medianPower)})`)]),
      ...(records.length === 0
        ? []
        : [`Of ${counted(claimed, "record")} claimed over time the test sets show ${shown}.`]),
    ],
    tables: [
      tasksTable(survey),
      ...assumptionsTable(survey),
      ...sizesTable(survey),
      ...literatureTables(survey),
      claimsTable(survey),
      ...(records.length === 0 ? [] : [recordsTable(survey)]),
      reportingTable(survey),
    ],
    notes: [
      `MDE: smallest gain found with a power of ${formatNumber(target)}. Typical gain: median of the claimed gains above 0.${survey.accuracy ? " Expected gain: what all claims predict for the next system against the best one. MDE of two samples: without shared items; of least to most agreement: Lachenbruch's bounds." : ""}${survey.percent ? " Scores and gains in percent." : ""}`,
      "Expected: what the other claims predict for this one; power is that of finding it.",
      ...(survey.accuracy
        ? ["p is the reported one, or McNemar's from the scores, the size and the predicted agreement."]
        : []),
    ],
  };
}

/** What nothing is known of is not said in dashes. */
function worthSentence(summary: SurveyResult["summary"], alpha: number): string {
  const { claims, judged, powered, medianPower, significant, significantAndPowered: both } = summary;
  const found = Number.isNaN(significant)
    ? "no p value is known"
    : `${percentOf(significant)} are significant at α = ${formatNumber(alpha)}`;
  if (judged === 0 && Number.isNaN(significant)) {
    const { gains, meanGain, sdGain } = summary;
    return `${counted(gains, "gain")}, on average ${formatNumber(meanGain)} (SD ${formatNumber(sdGain)}): how exact they are is not stated, so none is judged.`;
  }
  if (judged === 0) return `The others lead one to expect no gain of any claim, so none has a power; ${found}.`;
  const some = judged < claims ? ` that can be judged (${judged} of ${claims})` : "";
  return `${percentOf(powered)} of the claims${some} had a power of 0.8 for the gain that the others led one to expect (median power ${formatNumber(medianPower)}); ${found}${Number.isNaN(both) ? "" : `, ${percentOf(both)} are both`}.`;
}

/** Tests of asymmetry with fewer have little power. */
const FEW_CLAIMS = 20;

function asymmetrySentence({
  egger,
  begg,
  alpha,
  summary,
  claims,
  effectAgainstSize,
}: FieldsOf<SurveyResult>): string[] {
  if (egger === undefined && effectAgainstSize !== undefined) {
    const { tau, p, k } = effectAgainstSize;
    return [`Gain and size of ${k} claims: Kendall's τ ${formatNumber(tau)}, p ${formatNumber(p, "p")}.`];
  }
  const p = Math.min(egger?.p ?? Number.NaN, begg?.p ?? Number.NaN);
  if (egger === undefined || begg === undefined || Number.isNaN(p)) return [];
  const sizes = new Set(claims.map(({ n }) => n));
  // their errors differ with the scores alone, which the gains are part of
  if (sizes.size === 1 && claims[0]!.n > 0)
    return [
      `All claims have ${claims[0]!.n} items: whether small studies show other gains than large ones cannot be seen.`,
    ];
  const figures = `Egger's p ${formatNumber(egger.p, "p")}, Begg and Mazumdar's ${formatNumber(begg.p, "p")}`;
  if (p >= alpha) {
    const few = summary.claims < FEW_CLAIMS ? `; with ${summary.claims} claims that says little` : "";
    return [`No sign that small studies show larger or smaller gains than large ones (${figures})${few}.`];
  }
  const larger = egger.p < alpha ? egger.intercept > 0 : begg.tau > 0;
  return [
    `Small studies show ${larger ? "larger" : "smaller"} gains than large ones (${figures}): what is missing may be unpublished, or small test sets are of another kind.`,
  ];
}

function tasksTable({ tasks }: FieldsOf<SurveyResult>): DisplayTable {
  return {
    caption: "What the benchmarks can show",
    head: ["task", "claims", "n", "best", "MDE", "typical gain", "mean gain", "SE", "expected gain", "verdict"],
    formats: ["text", "integer", "integer", "number", "number", "number", "number", "number", "number", "text"],
    rows: tasks.map(({ task, n, best, mde, typicalGain, meanGain, meanSe, gains, expectedGain, advice }) => [
      ...[task === "" ? "all" : task, gains, n, best, mde, typicalGain, meanGain, meanSe, expectedGain],
      advice,
    ]),
  };
}

/** The smallest gain that the test set finds, without Card et al.'s regression of agreement. */
function assumptionsTable({ tasks }: FieldsOf<SurveyResult>): DisplayTable[] {
  const known = tasks.flatMap(({ task, others }) => (others === undefined ? [] : [{ task, ...others }]));
  if (known.length === 0) return [];
  return [
    {
      caption: "MDE under other assumptions",
      head: ["task", "mid-p test", "two samples", "agreement least", "middle", "most"],
      formats: ["text", "number", "number", "number", "number", "number"],
      rows: known.map(({ task, midP, binomial, lachenbruch }) => [
        ...[task === "" ? "all" : task, midP, binomial, lachenbruch.upper, lachenbruch.middle, lachenbruch.lower],
      ]),
    },
  ];
}

function sizesTable({ sizes }: FieldsOf<SurveyResult>): DisplayTable[] {
  if (sizes.length < 2) return [];
  return [
    {
      caption: "Gains by the size of the test set",
      head: ["items", "claims", "share", "mean gain", "SD"],
      formats: ["text", "integer", "percent", "number", "number"],
      rows: sizes.map(({ from, to, claims, share, meanGain, sdGain }) => [
        Number.isFinite(to) ? `${from} to ${to}` : `${from} or more`,
        ...[claims, share, meanGain, sdGain],
      ]),
    },
  ];
}

function literatureTables(survey: FieldsOf<SurveyResult>): DisplayTable[] {
  const { fixed, random, heterogeneity, begg, egger, trimAndFill: filled, effectAgainstSize, confidence } = survey;
  if (fixed === undefined || random === undefined || heterogeneity === undefined) return [];
  const level = `${formatNumber(100 * confidence)}%`;
  const tests: (readonly [string, string, number, number])[] = [
    ["heterogeneity, Q", `${heterogeneity.df} df`, heterogeneity.q, heterogeneity.p],
    ...(begg === undefined
      ? []
      : [["Begg and Mazumdar, τ", begg.exact ? "exact" : "normal", begg.tau, begg.p] as const]),
    ...(egger === undefined ? [] : [["Egger, intercept", `${egger.df} df`, egger.intercept, egger.p] as const]),
    ...(effectAgainstSize === undefined
      ? []
      : [
          [
            "gain against size, τ",
            `${effectAgainstSize.k} claims`,
            effectAgainstSize.tau,
            effectAgainstSize.p,
          ] as const,
        ]),
  ];
  return [
    {
      caption: "Mean gain",
      head: ["", "estimate", "SE", `${level} from`, "to", "τ²", "I² %"],
      rows: [
        ["fixed effect", fixed.estimate, fixed.se, fixed.lower, fixed.upper, "", ""],
        [
          `random effects (${random.method.toUpperCase()})`,
          random.estimate,
          random.se,
          random.lower,
          random.upper,
          random.tau2,
          random.i2,
        ],
        ...(filled === undefined
          ? []
          : [[`trim and fill, ${filled.missing} filled in`, filled.estimate, filled.se, "", "", "", ""]]),
        ["a new claim's own gain", "", "", random.prediction.lower, random.prediction.upper, "", ""],
      ],
    },
    {
      caption: "Tests",
      head: ["test", "", "statistic", "p"],
      formats: ["text", "text", "statistic", "p"],
      rows: tests.map((row) => [...row]),
    },
  ];
}

function claimsTable({ claims, accuracy }: FieldsOf<SurveyResult>): DisplayTable {
  const scores = accuracy ? ["baseline", "score"] : [];
  return {
    caption: "Claims",
    head: ["claim", "task", "n", ...scores, "gain", "SE", "expected", "power", "p"],
    formats: [
      ...(["text", "text", "integer"] as const),
      ...scores.map(() => "number" as const),
      ...(["number", "number", "number", "number", "p"] as const),
    ],
    rows: claims.map((claim) => [
      claim.id,
      claim.task,
      claim.n,
      ...(accuracy ? [claim.baseline, claim.score] : []),
      claim.gain,
      claim.se,
      claim.expected,
      claim.power,
      claim.p,
    ]),
  };
}

function recordsTable({ records }: FieldsOf<SurveyResult>): DisplayTable {
  return {
    caption: "Records over time",
    head: ["task", "date", "submission", "score", "improvement", "p", "record"],
    formats: ["text", "text", "text", "number", "number", "p", "text"],
    rows: records.flatMap(({ task, steps }) =>
      steps.map(({ date, id, score, improvement, p, claimed, shown }, i) => [
        task,
        date,
        id,
        score,
        improvement,
        p,
        i === 0 ? "first" : shown ? "shown" : claimed ? "claimed, not shown" : "",
      ]),
    ),
  };
}

function reportingTable({ reporting }: FieldsOf<SurveyResult>): DisplayTable {
  return {
    caption: "What the claims state",
    head: ["", "claims", "share"],
    formats: ["text", "integer", "percent"],
    rows: reporting.map(({ what, claims, share }) => [what, claims, share]),
  };
}

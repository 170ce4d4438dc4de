/** A circularity test as text: verdict and rule first, then the tables behind them. */
import type { FieldsOf } from "../../models/fit.ts";
import type { Display, DisplaySection, DisplayTable } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { CircularityResult } from "./circularity.ts";
import type { CircularityFinding, NamedModel } from "./finding.ts";
import { circularSet } from "./verdict.ts";

/** Models that are shown; all are in the JSON. */
const SHOWN_MODELS = 8;

export function displayCircularity({ findings, ablation }: FieldsOf<CircularityResult>): Display {
  const several = findings.length > 1;
  return {
    title: "Circularity test",
    summary: findings.flatMap((finding) => summarise(finding)),
    tables: [
      ...findings.flatMap((finding) => [
        ...candidateTable(finding, several),
        ...modelTable(finding, several),
        ...nullificationTable(finding, several),
      ]),
      ...ablationTable(ablation),
    ],
    notes: notesOf(findings),
    sections: findings.flatMap((finding) => [...ruleSection(finding), ...hintSection(finding)]),
  };
}

const percent = (share: number): string => `${formatNumber(Math.floor(1000 * share + 1e-9) / 10)}%`;
const setText = (names: readonly string[]): string => `{${names.join(", ")}}`;

function summarise(finding: CircularityFinding): string[] {
  const { label, role, verdict, chosen, copies, nobs, reason } = finding;
  const what = role === "annotation" ? label : `predictions ${label}`;
  const circular = circularSet(finding);
  const set = setText(circular.length > 0 ? circular : chosen.features);
  const where = {
    circular: ` in ${set}`,
    "partially circular": ` in ${set}`,
    dominated: ` by ${set}`,
    "not circular": "",
  };
  const best =
    verdict === "not circular" && finding.chosenBy === "search"
      ? `A smallest set to which the other candidates add less than ${formatNumber(finding.tolerance)} of D², ${set},`
      : "The set";
  const lines = [
    `${what}: ${verdict.toUpperCase()}${where[verdict]}`,
    `${reason.charAt(0).toUpperCase()}${reason.slice(1)}. ${best} explains ${explanation(finding)}. ${nobs} rows.`,
    triedLine(finding),
  ];
  if (copies.length > 0)
    lines.push(`${copies.join(", ")} is identical to ${label}: a copy of the label among the features.`);
  return lines;
}

/** What was looked at, and what was not. */
function triedLine({ tried, notTried }: CircularityFinding): string {
  const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;
  const done = `Tried: rules in ${count(tried.features, "feature", "features")} (${tried.rules.join(", ")}), ${count(tried.sets, "set", "sets")} of ${count(tried.candidates, "candidate", "candidates")}, ${count(tried.interactions, "pair", "pairs")} of them as a surface`;
  const left = [
    ...(notTried.sets > 0 ? [count(notTried.sets, "other set", "other sets")] : []),
    ...(notTried.interactions > 0 ? [count(notTried.interactions, "other pair", "other pairs")] : []),
    ...(notTried.candidates.length > 0
      ? [`sets with ${count(notTried.candidates.length, "feature that is", "features that are")} no candidate`]
      : []),
    ...(notTried.features.length > 0
      ? [count(notTried.features.length, "feature with missing values", "features with missing values")]
      : []),
  ];
  return `${done}. Not tried: ${left.length === 0 ? "rules of other kinds" : `${left.join(", ")}, rules of other kinds`}.`;
}

/** The share that the verdict rests on, what it is a share of, and how it goes with the D² of the table. */
function explanation({ explained, explainedBy, chosen, label }: CircularityFinding): string {
  // corrected for edf it may fall below nothing
  const share = percent(Math.max(0, explained));
  const d2 = `the D² of the table, ${formatNumber(chosen.d2)}`;
  switch (explainedBy) {
    case "rule":
      return `${share} of the variance of ${label} by a rule of steps (on rows that it was not found on), where smooth curves have ${d2}`;
    case "finer curves":
      return `${share} of the deviance with more knots (corrected for edf), where the curves of the search have ${d2}`;
    case "curves":
      return `${share} of the deviance, which is ${d2}, corrected for edf`;
  }
}

/** Candidates that are shown; every feature is in the JSON. */
const SHOWN_CANDIDATES = 12;

/** Which features entered the search, by their correlation with the label. */
function candidateTable({ ranking, candidates, label }: CircularityFinding, several: boolean): DisplayTable[] {
  const own = ranking.filter(({ feature }) => candidates.includes(feature));
  if (own.length === 0) return [];
  return [
    {
      caption: `Candidates${several ? ` for ${label}` : ""}: correlation with ${label}${own.length > SHOWN_CANDIDATES ? `, the first ${SHOWN_CANDIDATES} of ${own.length}` : ""}`,
      head: ["feature", "r", "association"],
      formats: ["text", "statistic", "statistic"],
      rows: own
        .slice(0, SHOWN_CANDIDATES)
        .map(({ feature, correlation, association }) => [feature, correlation, association]),
    },
  ];
}

function ablationTable(ablation: FieldsOf<CircularityResult>["ablation"]): DisplayTable[] {
  if (ablation.length === 0) return [];
  return [
    {
      caption: "Ablation: scores of the predictions before and after",
      head: ["predictions", "ablated", "score", "rows", "before", "after", "without a model"],
      formats: ["text", "text", "text", "integer", "statistic", "statistic", "statistic"],
      rows: ablation.map((own) => [
        own.predictions,
        own.ablated,
        own.metric === "accuracy" ? "accuracy" : "R²",
        own.n,
        own.before,
        own.after,
        own.floor,
      ]),
    },
  ];
}

function modelTable(finding: CircularityFinding, several: boolean): DisplayTable[] {
  const { models, chosen, label } = finding;
  const shown = models.slice(0, SHOWN_MODELS);
  const isChosen = (model: NamedModel): boolean => nameOf(model) === nameOf(chosen);
  const place = models.findIndex(isChosen);
  const rows = shown.map((model, i) => modelRow(model, i, isChosen(model)));
  if (place >= SHOWN_MODELS) rows.push(modelRow(models[place]!, place, true));
  const without = models.findIndex(({ features }) => !features.some((name) => chosen.features.includes(name)));
  if (without >= SHOWN_MODELS) rows.push(modelRow(models[without]!, without, false));
  return [
    {
      caption: `Models${several ? ` of ${label}` : ""}, by D² (${models.length} fitted; * chosen)`,
      head: ["", "rank", "features", "D²", "edf", "complexity"],
      formats: ["text", "integer", "text", "number", "number", "number"],
      rows,
    },
  ];
}

function modelRow(model: NamedModel, i: number, chosen: boolean): (string | number)[] {
  return [chosen ? "*" : "", i + 1, nameOf(model), model.d2, model.edf, model.complexity];
}

function nameOf({ features, interactions }: NamedModel): string {
  const paired = new Set(interactions.flat());
  return [...interactions.map(([a, b]) => `${a} × ${b}`), ...features.filter((name) => !paired.has(name))].join(", ");
}

function nullificationTable(
  { nullification, chosen, label, verdict }: CircularityFinding,
  several: boolean,
): DisplayTable[] {
  if (nullification === undefined || verdict === "not circular") return [];
  return [
    {
      caption: `Other features${several ? ` of ${label}` : ""}: amplitude without and with ${setText(chosen.features)}, whose own is ${formatNumber(nullification.setAmplitude)}`,
      head: ["feature", "without", "with", "ratio", "at most", "of set", ""],
      formats: ["text", "number", "number", "number", "number", "percent", "text"],
      rows: nullification.features.map(({ feature, before, after, ratio, share, state }) => [
        feature,
        before.value,
        after.value,
        ratio.value,
        ratio.upper,
        share,
        state,
      ]),
    },
  ];
}

function notesOf(findings: readonly CircularityFinding[]): string[] {
  const notes = findings.some(({ chosenBy }) => chosenBy === "search")
    ? [
        `A set is chosen if adding all other candidates would raise D² by less than ${formatNumber(findings.find(({ chosenBy }) => chosenBy === "search")!.tolerance)}, and no part of it does as well; ties are not decided by edf.`,
      ]
    : [];
  for (const { label, chosenBy } of findings) {
    if (chosenBy === "rule") notes.push(`The set of ${label} is the one that its rule needs.`);
  }
  for (const { label, equivalents, verdict } of findings) {
    if (equivalents.length === 0 || verdict === "not circular") continue;
    notes.push(`${label} is explained as well by ${equivalents.slice(0, 3).map(setText).join(", ")}.`);
  }
  return notes;
}

function ruleSection({ rule, reproduction, verdict, label }: CircularityFinding): DisplaySection[] {
  if (reproduction !== undefined && reproduction.extent !== "none") {
    const { share, words, kind } = reproduction;
    const given = kind === "curve" ? "" : ` (it gives ${percent(share)} of the rows)`;
    return [{ heading: `The rule of ${label}, as the data show it${given}`, items: words.map((text) => ({ text })) }];
  }
  if (rule === undefined || verdict !== "circular") return [];
  const exact = Number.isNaN(rule.agreement)
    ? `${percent(rule.d2)} of its variance in these rows`
    : `it gives ${percent(rule.agreement)} of the rows`;
  return [
    { heading: `The rule of ${label}, as the data show it (${exact})`, items: rule.words.map((text) => ({ text })) },
  ];
}

function hintSection({ verdict, chosen, role, label }: CircularityFinding): DisplaySection[] {
  if (verdict === "not circular" || verdict === "dominated") return [];
  const set = chosen.features.join(" and ");
  const text =
    role === "annotation"
      ? `Take ${set} out of the inputs and train again: what remains is what the other features can predict. State the rule with the data.`
      : `Set ${set} to a constant in the test data and predict again: if the score of ${label} collapses, the model does no more than apply the rule.`;
  return [{ heading: "Ablation", items: [{ text }] }];
}

/** Agreement: the coefficients with their intervals, each rater against the others, and who gave which label together; of a model of
 *  labels how often each rater finds the true class, and what is taken for what. */

import type { AgreementJson, CoefficientJson } from "../../reliability/agreement/coefficients-json.ts";
import type { DawidSkeneJson } from "../../reliability/annotation/label-model-display.ts";
import { leastOf, mostOf } from "../../result/extremes.ts";
import type { Figure, Panel } from "../charts/figure.ts";
import type { Tone } from "../draw/style.ts";
import { count, interval, level, percentOf, say, styleFor, write } from "./words.ts";

const MOST_LABELS = 12;
const MOST_RATERS = 40;
/** Confusions are small multiples, which become unreadable in larger numbers. */
const MOST_CONFUSIONS = 12;
const MOST_CLASSES = 6;

export function agreementFigures(json: AgreementJson): Figure[] {
  return [coefficientsFigure(json), ...raterFigure(json), ...coincidenceFigure(json)];
}

function coefficientsFigure(json: AgreementJson): Figure {
  const { alpha, ci, labels, raters, sharedItems } = json;
  const all: readonly (readonly [string, CoefficientJson | undefined])[] = [
    [`Krippendorff’s α (${alpha.scale})`, alpha],
    [json.scott === undefined ? "Conger’s κ" : "Cohen’s κ", json.kappa],
    ["Scott’s π", json.scott],
    ["Fleiss’ κ", json.scott === undefined ? json.fleiss : undefined],
    ["Gwet’s AC1", json.ac1],
    ["share that agrees", json.percent],
  ];
  const shown = all.flatMap(([name, own]) => (own === undefined || Number.isNaN(own.value) ? [] : [{ name, ...own }]));
  const style = styleFor([0.05]);
  return {
    name: "coefficients",
    title: `Krippendorff’s α is ${write(alpha.value, style)}${Number.isNaN(ci.lower) ? "" : ` (${interval(ci.lower, ci.upper, style)})`}`,
    subtitle: `Agreement of ${count(raters.length, "raters")} on ${count(sharedItems, "items")} with two labels or more, ${count(labels.length, "labels")}; ${level(ci.level)} intervals (${ci.method})`,
    description: `Agreement with intervals: ${shown.map(({ name, value, lower, upper }) => `${name} ${write(value, style)} (${interval(lower, upper, style)})`).join("; ")}.`,
    chart: {
      kind: "rows",
      x: {
        title: "coefficient (0: chance, 1: perfect; the share counts chance too)",
        domain: [Math.min(0, leastOf(shown.map(({ value, lower }) => (Number.isNaN(lower) ? value : lower)))), 1],
      },
      zero: 0,
      columns: [{ title: "value" }, { title: `${level(ci.level)} interval` }],
      rows: shown.map(({ name, value, lower, upper }, k) => ({
        label: name,
        bold: k === 0,
        marks: [{ mark: "estimate", value, lower, upper, tone: k === 0 ? "k1" : "k0" }],
        cells: [{ text: write(value, style), bold: true }, { text: interval(lower, upper, style) }],
      })),
    },
    data: {
      head: ["coefficient", "value", "se", "lower", "upper"],
      rows: shown.map(({ name, value, se, lower, upper }) => [name, value, se, lower, upper]),
    },
  };
}

function raterFigure({ perRater }: AgreementJson): Figure[] {
  const known = perRater.filter(({ agreement }) => Number.isFinite(agreement));
  if (known.length < 3 || known.length > MOST_RATERS) return [];
  const sorted = [...known].sort((a, b) => b.agreement - a.agreement);
  const odd = sorted.filter(({ p, agreement, others }) => p < 0.05 && agreement < others).map(({ rater }) => rater);
  return [
    {
      name: "raters",
      title:
        odd.length === 0
          ? "No rater agrees clearly less than the others do among themselves"
          : `${odd.join(", ")}: less agreement than the others have among themselves`,
      subtitle:
        "Filled: how often the other raters of an item agree with this one; hollow: how often those others agree among themselves",
      description: `Agreement of each rater with the others: ${sorted.map(({ rater, agreement }) => `${rater} ${percentOf(agreement)}`).join(", ")}.`,
      chart: {
        kind: "rows",
        x: { title: "share that agrees", format: "percent" },
        step: known.length > 15 ? 22 : 28,
        columns: [{ title: "agrees" }, { title: "others" }, { title: "p" }, { title: "labels" }],
        rows: sorted.map(({ rater, agreement, others, p, labels }) => ({
          label: rater,
          marks: [
            ...(Number.isFinite(others)
              ? ([
                  { mark: "spread", from: others, to: agreement, tone: "k0" },
                  { mark: "estimate", value: others, tone: "k0", symbol: "ring", small: true },
                ] as const)
              : []),
            {
              mark: "estimate",
              value: agreement,
              tone: odd.includes(rater) ? "v-worse" : "k1",
              symbol: odd.includes(rater) ? "diamond" : "circle",
            },
          ],
          cells: [
            { text: percentOf(agreement, 1), bold: true },
            { text: Number.isFinite(others) ? percentOf(others, 1) : "–" },
            { text: Number.isNaN(p) ? "–" : say(Number(p.toFixed(4))) },
            { text: String(labels) },
          ],
        })),
      },
      data: {
        head: ["rater", "agreement", "others", "p", "kappa", "labels"],
        rows: sorted.map((own) => [own.rater, own.agreement, own.others, own.p, own.kappa, own.labels]),
      },
    },
  ];
}

function coincidenceFigure({ confusion, labels, raters }: AgreementJson): Figure[] {
  if (labels.length < 2 || labels.length > MOST_LABELS || confusion.length !== labels.length) return [];
  const two = raters.length === 2;
  const most = mostOf(confusion.flat());
  const total = confusion.flat().reduce((sum, value) => sum + value, 0);
  const diagonal = confusion.reduce((sum, row, k) => sum + row[k]!, 0);
  const shade = (value: number): number =>
    value <= 0 || most <= 0 ? 1 : Math.min(7, 1 + Math.ceil((6 * value) / most));
  const tiles = confusion.flatMap((row, i) =>
    row.map((value, j) => ({
      x: j,
      y: labels.length - 1 - i,
      tone: `s${shade(value)}` as Tone,
      text: say(Number(value.toFixed(1))),
      dark: shade(value) >= 5,
    })),
  );
  return [
    {
      name: "coincidences",
      title: `${percentOf(diagonal / total)} of the pairs of labels are equal`,
      subtitle: two
        ? `How often ${raters[0]} (rows) and ${raters[1]} (columns) gave each pair of labels`
        : "How often two raters of one item gave each pair of labels (coincidences; each pair counts once per item and rater)",
      description: `A table of ${labels.length} by ${labels.length} labels; ${percentOf(diagonal / total, 1)} of its weight lies on the diagonal.`,
      chart: {
        kind: "panels",
        x: { title: two ? raters[1]! : "label of the one", names: labels, domain: [-0.5, labels.length - 0.5] },
        y: {
          title: two ? raters[0]! : "label of the other",
          names: [...labels].reverse(),
          domain: [-0.5, labels.length - 0.5],
        },
        height: Math.min(360, 44 * labels.length),
        panels: [{ marks: [{ mark: "tiles", tiles, halfWidth: 0.5, halfHeight: 0.5 }] }],
      },
      data: { head: ["label", ...labels], rows: confusion.map((row, i) => [labels[i]!, ...row]) },
    },
  ];
}

export function dawidSkeneFigures(json: DawidSkeneJson): Figure[] {
  return [...accuracyFigure(json), ...confusionFigure(json)];
}

function accuracyFigure({ raters, confidence, classes, items, ratings }: DawidSkeneJson): Figure[] {
  if (raters.length > MOST_RATERS) return [];
  const known = raters.filter(({ accuracy }) => Number.isFinite(accuracy.value));
  if (known.length === 0) return [];
  const sorted = [...known].sort((a, b) => b.accuracy.value - a.accuracy.value);
  const unknown = raters.length - known.length;
  const [first, last] = [sorted[0]!, sorted.at(-1)!];
  return [
    {
      name: "accuracy",
      title:
        known.length === 1
          ? `${first.rater} finds the true class in ${percentOf(first.accuracy.value)} of items`
          : `Raters find the true class in ${percentOf(last.accuracy.value)} (${last.rater}) to ${percentOf(first.accuracy.value)} (${first.rater}) of items`,
      subtitle: `Accuracy by the model of ${count(ratings, "labels")} of ${count(items, "items")}, ${level(confidence)} intervals; dashed: guessing among ${classes.length} classes${unknown === 0 ? "" : `; ${count(unknown, "raters")} left out, who never met one of the classes`}`,
      description: `Accuracy of each rater: ${sorted.map(({ rater, accuracy: own }) => `${rater} ${percentOf(own.value)}${Number.isNaN(own.lower) ? "" : ` (${percentOf(own.lower)} to ${percentOf(own.upper)})`}`).join("; ")}.`,
      chart: {
        kind: "rows",
        x: { title: "proportion of items whose true class is found", format: "percent", domain: [0, 1] },
        refs: [{ at: 1 / classes.length, label: "guessing" }],
        step: known.length > 15 ? 22 : 28,
        columns: [{ title: "accuracy" }, { title: `${level(confidence)} interval` }, { title: "labels" }],
        rows: sorted.map(({ rater, accuracy: { value, lower, upper }, labels }) => ({
          label: rater,
          marks: [{ mark: "estimate", value, lower, upper, tone: "k1" }],
          cells: [
            { text: percentOf(value), bold: true },
            { text: Number.isNaN(lower) ? "–" : `${percentOf(lower)} to ${percentOf(upper)}` },
            { text: String(labels) },
          ],
        })),
      },
      data: {
        head: ["rater", "accuracy", "lower", "upper", "labels", "discrimination"],
        rows: raters.map(({ rater, accuracy: own, labels, discrimination }) => [
          ...[rater, own.value, own.lower, own.upper],
          ...[labels, discrimination],
        ]),
      },
    },
  ];
}

function confusionFigure({ confusion, classes, raters }: DawidSkeneJson): Figure[] {
  if (raters.length > MOST_CONFUSIONS || classes.length > MOST_CLASSES || classes.length < 2) return [];
  const shade = (share: number): number => Math.min(7, 1 + Math.ceil(6 * share - 1e-9));
  const small = classes.length > 4;
  const panels = raters.map(({ rater }): Panel => {
    const tiles = confusion[rater]!.flatMap((row, i) =>
      row.flatMap((share, j) =>
        Number.isNaN(share)
          ? []
          : [
              {
                ...{ x: j, y: classes.length - 1 - i, tone: `s${shade(share)}` as Tone },
                text: share < 0.005 ? "" : String(Math.round(100 * share)),
                dark: shade(share) >= 5,
              },
            ],
      ),
    );
    return { label: rater, marks: [{ mark: "tiles", tiles, halfWidth: 0.5, halfHeight: 0.5 }] };
  });
  const worst = raters
    .flatMap(({ rater }) =>
      confusion[rater]!.flatMap((row, i) =>
        row.map((share, j) => ({ rater, share: i === j || Number.isNaN(share) ? -1 : share, i, j })),
      ),
    )
    .reduce((a, b) => (b.share > a.share ? b : a));
  const side = [-0.5, classes.length - 0.5] as const;
  return [
    {
      name: "confusions",
      title: `What each rater calls the classes; most off: ${worst.rater} takes ${percentOf(worst.share)} of “${classes[worst.i]}” for “${classes[worst.j]}”`,
      subtitle:
        "In percent of the items of a class (rows: true class by the model, columns: label given); blank rows: never met",
      description: `Confusions of ${count(raters.length, "raters")} over ${classes.length} classes; on the diagonal: ${raters.map(({ rater }) => `${rater} ${confusion[rater]!.map((row, k) => (Number.isNaN(row[k]!) ? "–" : percentOf(row[k]!))).join(", ")}`).join("; ")}.`,
      chart: {
        kind: "panels",
        x: { title: "label given", names: classes, domain: side },
        y: { title: "true class", names: [...classes].reverse(), domain: side },
        across: 3,
        height: (small ? 26 : 34) * classes.length,
        panels,
      },
      data: {
        head: ["rater", "true class", ...classes],
        rows: raters.flatMap(({ rater }) => confusion[rater]!.map((row, i) => [rater, classes[i]!, ...row])),
      },
    },
  ];
}

/** Coverage of the intervals of the model of labels, and whether consensus labels are right as often as they say. docs/methods/dawid-skene.md
 *  quotes it. */
import { describe, expect, it } from "vitest";
import { factorColumn, makeTable } from "../../src/data/table.ts";
import { binomialCdf } from "../../src/numeric/dist/binomial.ts";
import { makeRng, type Rng } from "../../src/numeric/rng.ts";
import { modelLabels } from "../../src/reliability/annotation/annotation.ts";

const SETS = 300;
const CLASSES = { 2: ["a", "b"], 3: ["a", "b", "c"] } as const;

interface Truth {
  readonly prior: readonly number[];
  /** P(right) of each rater; errors fall on the other classes alike. */
  readonly right: readonly number[];
}

function draw(items: number, raters: number, each: number, { prior, right }: Truth, rng: Rng) {
  const K = prior.length;
  const names = CLASSES[K as 2 | 3];
  const rows: { item: string; rater: string; label: string }[] = [];
  const truth = new Map<string, string>();
  for (let i = 0; i < items; i++) {
    let k = 0;
    let left = rng.uniform();
    while (k < K - 1 && left >= prior[k]!) left -= prior[k++]!;
    const item = `i${String(i).padStart(4, "0")}`;
    truth.set(item, names[k]!);
    const who = new Int32Array(each);
    rng.sampleWithoutReplacementInto(who, raters);
    for (const r of who) {
      const label = rng.uniform() < right[r]! ? k : (k + 1 + rng.int(K - 1)) % K;
      rows.push({ item, rater: `r${r}`, label: names[label]! });
    }
  }
  const table = makeTable(
    (["item", "rater", "label"] as const).map((name) => [name, factorColumn(rows.map((row) => row[name]))] as const),
  );
  return { table, truth };
}

const percent = (hits: number, of: number): string => `${((100 * hits) / of).toFixed(1)} %`;

describe("intervals of the model of labels", () => {
  it.each([
    { items: 100, raters: 5, each: 5, prior: [0.6, 0.4], right: [0.9, 0.85, 0.8, 0.7, 0.65] },
    { items: 100, raters: 3, each: 3, prior: [0.6, 0.4], right: [0.9, 0.8, 0.7] },
    { items: 300, raters: 8, each: 4, prior: [0.5, 0.3, 0.2], right: [0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.6, 0.4] },
    { items: 60, raters: 5, each: 5, prior: [0.9, 0.1], right: [0.95, 0.9, 0.9, 0.85, 0.8] },
  ])("$items items, $each of $raters raters", ({ items, raters, each, prior, right }) => {
    let [shares, accuracies, of, ofShares] = [0, 0, 0, 0];
    let [labels, correct, said, sampled, majority] = [0, 0, 0, 0, 0];
    for (let s = 0; s < SETS; s++) {
      const rng = makeRng(`annotation/${items}/${raters}`).stream(s);
      const { table, truth } = draw(items, raters, each, { prior, right }, rng);
      const own = modelLabels(table, {
        item: "item",
        rater: "rater",
        label: "label",
        replicates: 300,
        rng: rng.stream(1),
      });
      own.prior.forEach(({ lower, upper }, k) => {
        ofShares++;
        shares += Number(lower <= prior[k]! && prior[k]! <= upper);
      });
      own.raters.forEach(({ rater, accuracy }) => {
        of++;
        const is = right[Number(rater.slice(1))]!;
        accuracies += Number(accuracy.lower <= is && is <= accuracy.upper);
      });
      for (const { item, label, probability, sampled: sure } of own.consensus) {
        labels++;
        correct += Number(truth.get(item) === label);
        said += probability;
        sampled += sure;
      }
      majority += own.againstMajority;
    }
    process.stdout.write(
      `${items} items, ${each} of ${raters} raters, ${prior.length} classes: shares ${percent(shares, ofShares)} of ${ofShares}, accuracies ${percent(accuracies, of)} of ${of}; ` +
        `consensus right ${percent(correct, labels)}, said ${percent(said, labels)}, with draws ${percent(sampled, labels)}; against the majority ${percent(majority, SETS)}\n`,
    );
    // not below 90 % beyond chance; raters of one data set hang together, so that data sets are what counts
    expect(binomialCdf(Math.round((accuracies / of) * SETS), SETS, 0.9)).toBeGreaterThan(0.001);
  });
});

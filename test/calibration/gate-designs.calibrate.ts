/** The gate itself in the designs that users have: of unchanged candidates the share that fails, and of those that lost exactly the margin the
 *  share that passes. Figures: docs/methods/gate.md. */
import { describe, expect, it } from "vitest";
import { makeRng, type Rng } from "../../src/numeric/rng.ts";
import { type GateResult, gate, readPolicy } from "../../src/plan.ts";
import type { NamedImport } from "../../src/study/merge.ts";
import { understandTable } from "../../src/study/understand.ts";
import { answerRows, DIFFERENCES, type DifferenceLaw, type Row, ratingRows, tableOf } from "./compare/draw.ts";
import { judgeAtMost } from "./rate.ts";

const SETS = 1000;

type Draw = (rng: Rng, loss: number) => readonly Row[];

/** Rows of A are the baseline's, those of B the candidate's, each a file of its own. */
function run(rows: readonly Row[], policy: string, metric = "accuracy"): GateResult {
  const fileOf = (side: string): NamedImport => {
    const own = rows.filter(({ system }) => system === side).map(({ system: _, score, ...row }) => ({ ...row, score }));
    const table = tableOf(own.map(({ score, ...row }) => ({ ...row, [metric]: score })) as unknown as Row[]);
    const path = `${side}.csv`;
    return { path, imported: { ...understandTable(table), format: "csv", files: [path], summary: "" } };
  };
  return gate({ baseline: [fileOf("A")], candidate: [fileOf("B")] }, { policy: readPolicy(policy), metric });
}

type Counts = Record<GateResult["outcome"], number>;

/** `told`: those of them that were warned that their rate is only about the stated one. */
function count(name: string, draw: (rng: Rng) => readonly Row[], policy: string): Counts & { readonly told: Counts } {
  const [counts, told] = [
    { pass: 0, fail: 0, inconclusive: 0 },
    { pass: 0, fail: 0, inconclusive: 0 },
  ];
  for (let k = 0; k < SETS; k++) {
    const { outcome, diagnostics } = run(draw(makeRng(name, k)), policy);
    counts[outcome] += 1;
    if (diagnostics.some(({ code }) => code === "SkewedDifferences")) told[outcome] += 1;
  }
  return { ...counts, told };
}

/** What is stated without reserve. */
function judgeOutcome(words: string, counts: ReturnType<typeof count>, outcome: "pass" | "fail"): void {
  const warned = counts.told[outcome];
  const tail = warned === 0 ? "" : ` (${counts[outcome]} with ${warned} that were warned of skewness)`;
  judgeAtMost(`${words} and ${outcome.toUpperCase()}${tail}`, [counts[outcome] - warned, SETS]);
}

/** Share of items that only one side gets right, where nothing was lost. */
const DISCORDANT = 0.3;

const flips =
  (n: number): Draw =>
  (rng, loss) =>
    Array.from({ length: n }, (_, i) => {
      const u = rng.uniform();
      const gained = u < DISCORDANT / 2 - loss;
      const lost = !gained && u < DISCORDANT - loss;
      const both = rng.uniform() < 0.6 ? 1 : 0;
      return [
        { system: "A", item: `i${i}`, score: gained ? 0 : lost ? 1 : both },
        { system: "B", item: `i${i}`, score: gained ? 1 : lost ? 0 : both },
      ];
    }).flat();

const scores =
  (n: number, law: DifferenceLaw, sign = 1): Draw =>
  (rng, loss) =>
    Array.from({ length: n }, (_, i) => {
      const base = 5 + 2 * rng.normal();
      return [
        { system: "A", item: `i${i}`, score: base },
        { system: "B", item: `i${i}`, score: base - loss + sign * DIFFERENCES[law](rng) },
      ];
    }).flat();

const documents =
  (n: number): Draw =>
  (rng, loss) => {
    const rows: Row[] = [];
    for (let d = 0; d < n; d++) {
      const lean = 0.4 * rng.normal();
      for (let i = 0; i < 10; i++) {
        const [item, document, base] = [`d${d}i${i}`, `d${d}`, 5 + rng.normal()];
        rows.push({ system: "A", item, document, score: base + 0.5 * rng.normal() });
        rows.push({ system: "B", item, document, score: base + lean - loss + 0.5 * rng.normal() });
      }
    }
    return rows;
  };

const rated =
  (raterSd: number): Draw =>
  (rng, loss) =>
    ratingRows(rng, { items: 30, raters: 4, who: "crossed", raterSd, likert: false }, -loss);

const tasks =
  (...sizes: readonly number[]): Draw =>
  (rng, loss) =>
    sizes.flatMap((n, t) =>
      flips(n)(rng, t === 0 ? loss : 0).map((row) => ({ ...row, item: `t${t}${row.item}`, task: `t${t}` })),
    );

const repeated: Draw = (rng) => answerRows(rng, { items: 60, repeats: 3, interaction: 0.7 }, 0);

const runs = (rng: Rng, runSd: number): readonly Row[] => answerRows(rng, { items: 200, runs: 3, runSd }, 0);

const lossy =
  (draw: Draw, share: number): Draw =>
  (rng, loss) =>
    draw(rng, loss).map((row) => (rng.uniform() < share ? { ...row, score: Number.NaN } : row));

type Design = readonly [words: string, draw: Draw, loss: number, policy: string];

/** Margins are narrow, so that few unchanged candidates pass before they can fail. */
const DESIGNS: readonly Design[] = [
  ...[30, 100, 400].map((n): Design => [`${n} items, 0/1, margin 0.1`, flips(n), 0.1, "margin: 0.1"]),
  ...[30, 100, 400].flatMap((n) =>
    (["normal", "exponential", "lognormal"] as const).flatMap((law) =>
      [1, -1]
        .slice(0, law === "normal" ? 1 : 2)
        .map(
          (sign): Design => [
            `${n} items, ${law} ${sign < 0 ? "losses" : "gains"}, margin 0.1`,
            scores(n, law, sign),
            0.1,
            "margin: 0.1",
          ],
        ),
    ),
  ),
  ...[30, 100, 400].map((n): Design => [`${n} items, 0/1, margin 12.945%`, flips(n), 0.08, "margin: 12.945%"]),
  ...[30, 100].map((n): Design => [`${n} items, scores, margin 2%`, scores(n, "normal"), 0.1, "margin: 2%"]),
  ...[6, 10, 30].map((n): Design => [`${n} documents of 10 items, margin 0.1`, documents(n), 0.1, "margin: 0.1"]),
  ["3 repeats of 60 items, 0/1, margin 0.02", repeated, 0, "margin: 0.02"],
  ["4 raters of 30 items who prefer alike, margin 0.1", rated(0), 0.1, "margin: 0.1"],
  ["5 tasks of 60 items, 0/1, margin 0.1", tasks(60, 60, 60, 60, 60), 0.1, "margin: 0.1"],
  ["tasks of 30 and 400 items, 0/1, margin 0.1", tasks(30, 400), 0.1, "margin: 0.1"],
  ...["bounds", "complete"].map(
    (how): Design => [
      `100 items, 0/1, 3 % without a score, ${how}, margin 0.1`,
      lossy(flips(100), 0.03),
      0.1,
      `margin: 0.1\nunscored: ${how}`,
    ],
  ),
];

describe("the margin of a policy", () => {
  it.each(DESIGNS)("%s", (words, draw, loss, policy) => {
    const still = count(`gate ${words}`, (rng) => draw(rng, 0), policy);
    judgeOutcome(`${words}: unchanged`, still, "fail");
    if (loss === 0) return;
    const lost = count(`gate ${words} lost`, (rng) => draw(rng, loss), policy);
    judgeOutcome(`${words}: the margin is lost`, lost, "pass");
  });
});

/** What the gate takes as it is: the rate over new raters or runs is told here, and the outcome speaks of these. */
describe("raters and runs that differ as wholes", () => {
  const HELD: readonly (readonly [words: string, draw: (rng: Rng) => readonly Row[], policy: string, told: string])[] =
    [
      [
        "4 raters of 30 items, spread of their preferences 0.3",
        (rng) => rated(0.3)(rng, 0),
        "margin: 0.1",
        "for these four raters",
      ],
      ["3 runs of 200 items, spread 0.1 logits", (rng) => runs(rng, 0.1), "margin: 0.02", "for these three runs"],
      ["3 runs of 200 items, spread 0.3 logits", (rng) => runs(rng, 0.3), "margin: 0.02", "for these three runs"],
    ];
  it.each(HELD)("%s", (words, draw, policy, told) => {
    const { fail } = count(`gate ${words}`, draw, policy);
    process.stdout.write(`${words}, unchanged and FAIL: ${fail} of ${SETS}\n`);
    let k = 0;
    while (run(draw(makeRng(`gate ${words}`, k)), policy).outcome !== "fail") k++;
    expect(run(draw(makeRng(`gate ${words}`, k)), policy).summary).toContain(told);
  });
});

describe("a score to reach", () => {
  const FLOORS: readonly (readonly [words: string, draw: (rng: Rng) => readonly Row[], floor: number])[] = [
    ...[30, 100, 400].map((n) => [`${n} items, 0/1`, (rng: Rng) => flips(n)(rng, 0), 0.57] as const),
    ...[30, 100].flatMap((n) =>
      (["normal", "exponential"] as const).map(
        (law) => [`${n} items, ${law} scores`, (rng: Rng) => scores(n, law)(rng, 0), 5] as const,
      ),
    ),
  ];
  it.each(FLOORS)("%s", (words, draw, floor) => {
    const counts = count(`gate floor ${words}`, draw, `no-worse-than: ${floor}`);
    judgeOutcome(`${words}, exactly there`, counts, "fail");
    judgeOutcome(`${words}, exactly there`, counts, "pass");
  });
});

describe("a metric whose direction is unknown", () => {
  it("is never judged", () => {
    for (let k = 0; k < 20; k++)
      expect(run(flips(100)(makeRng("gate direction", k), 0.15), "margin: 0.01", "zeta").reason).toBe(
        "direction-unknown",
      );
  });
});

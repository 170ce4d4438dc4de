/** Missing outcomes: told, bounded, and able to take a verdict back. */
import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { makeRng } from "../../numeric/rng.ts";
import { boundPairs } from "../missing.ts";
import { compare } from "./compare.ts";
import type { CompareOptions } from "./comparison.ts";

/** Rows of one item: what a and b scored, NaN without a score, undefined without a row. */
type Row = readonly [a: number | undefined, b: number | undefined];
const UNSCORED = Number.NaN;
const times = (n: number, row: Row): Row[] => Array<Row>(n).fill(row);

function tableOf(rows: readonly Row[], extra?: (item: number) => string): Table {
  const long = rows.flatMap(([a, b], i) => [
    ...(a === undefined ? [] : [["a", i, a] as const]),
    ...(b === undefined ? [] : [["b", i, b] as const]),
  ]);
  return makeTable([
    ["system", factorColumn(long.map(([system]) => system))],
    ["item", factorColumn(long.map(([, i]) => `q${i}`))],
    ["accuracy", numericColumn(long.map(([, , score]) => score))],
    ...(extra === undefined ? [] : [["topic", factorColumn(long.map(([, i]) => extra(i)))] as const]),
  ]);
}

const run = (rows: readonly Row[], options: CompareOptions = {}) =>
  compare(tableOf(rows), { system: "system", item: "item", metric: "accuracy", higherIsBetter: true, ...options });
const messages = ({ diagnostics }: ReturnType<typeof compare>, code: string): string[] =>
  diagnostics.filter((own) => own.code === code).map(({ message }) => message);

/** b gains 20 and loses 4 of 100. */
const CLEAR: readonly Row[] = [...times(50, [1, 1]), ...times(20, [0, 1]), ...times(4, [1, 0]), ...times(26, [0, 0])];

describe("rows without a score", () => {
  it("that cannot overturn the verdict leave it, and the bounds are told", () => {
    const result = run([...CLEAR, [1, UNSCORED]]);
    expect(result.main.verdict).toBe("BETTER");
    expect(result.main.bounds).toMatchObject({ holds: true, lowest: 0, highest: 1 });
    // 16 of 101 gained net; the missing one is 0 or 1 beside a 1
    expect(result.main.bounds!.lower).toBeCloseTo(15 / 101, 12);
    expect(result.main.bounds!.upper).toBeCloseTo(16 / 101, 12);
    expect(result.coverage).toEqual([
      { system: "a", items: 101, unscored: 0, absent: 0 },
      { system: "b", items: 100, unscored: 1, absent: 0 },
    ]);
    expect(messages(result, "Coverage")[0]).toMatch(/1 of b.*between \+14\.9 and \+15\.8/);
  });

  it.each(["sign", "wilcoxon"] as const)("bound what the %s test is about, not the difference of the means", (test) => {
    const steps = [0, 0.25, 0.5, 0.75, 1];
    const rng = makeRng("typical");
    const whole = Array.from({ length: 21 }, (): Row => [steps[rng.int(4)]!, steps[1 + rng.int(4)]!]);
    const lacking = [0.25, 0.75];
    const { main, ...result } = run([...whole, ...lacking.map((a): Row => [a, UNSCORED])], { test });
    const found = steps.flatMap((x) =>
      steps.map((y) => run([...whole, [lacking[0], x], [lacking[1], y]], { test }).main.difference),
    );
    expect([main.bounds!.lower, main.bounds!.upper]).toEqual([Math.min(...found), Math.max(...found)]);
    expect([main.bounds!.ci!.lower <= main.ci.lower, main.bounds!.ci!.upper >= main.ci.upper]).toEqual([true, true]);
    expect(`${main.reason} ${messages(result as typeof result & ReturnType<typeof compare>, "Coverage")}`).toMatch(
      /the (Hodges-Lehmann|median) difference/,
    );
  });

  it("have the bounds and the interval of boundPairs", () => {
    const rows: Row[] = [...CLEAR, ...times(6, [1, UNSCORED]), ...times(3, [UNSCORED, 0]), [UNSCORED, UNSCORED]];
    const { main } = run(rows);
    const expected = boundPairs(
      rows.map(([, b]) => b!),
      rows.map(([a]) => a!),
    );
    expect(main.bounds!.lower).toBeCloseTo(expected.lower, 12);
    expect(main.bounds!.upper).toBeCloseTo(expected.upper, 12);
    expect(main.bounds!.ci!.lower).toBeCloseTo(expected.ci.lower, 9);
    expect(main.bounds!.ci!.upper).toBeCloseTo(expected.ci.upper, 9);
  });

  it("are taken as missing at random, with what it would take among them to change the verdict", () => {
    const { main, ...result } = run([...CLEAR, ...times(6, [1, UNSCORED]), ...times(5, [UNSCORED, 1])]);
    expect(main.verdict).toBe("BETTER");
    // 11 of 111 items lack a score: the difference moves to the end of its interval where theirs lies by that over 11/111 below it
    expect(main.missing!.tipping).toBeCloseTo(0.16 - main.ci.lower / (11 / 111), 12);
    expect(main.missing).toMatchObject({ items: 11, of: 111, excess: 0, plausible: false });
    expect(messages({ main, ...result } as ReturnType<typeof compare>, "Coverage")[0]).toMatch(
      /missing at random: it would take a mean difference of .* among the 11 items that lack a score/,
    );
  });

  it("leave the verdict open where one system lacks so many more that the data let them be failures", () => {
    const { main } = run([...CLEAR, ...times(40, [1, UNSCORED])]);
    // at least 97.5 % sure: the share of b among the missing is above 0.025^(1/40), so that 40 (2 share - 1) are in excess
    const excess = 40 * (2 * 0.025 ** (1 / 40) - 1);
    expect(main.missing!.excess).toBeCloseTo(excess, 9);
    // all of those lost, beside a right answer of a; the others as elsewhere. What a scored there is not what it scored elsewhere
    const seen = 54 / 100;
    const spread = Math.sqrt(((100 * seen * (1 - seen)) / 138) * (1 / 40 + 1 / 100));
    const delta = 1 - seen - tQuantileUpper(0.025, 138) * spread;
    expect(main.missing!.shift).toBeCloseTo((excess * (1 + 0.16) + (40 - excess) * delta) / 140, 9);
    expect(main.missing!.plausible).toBe(true);
    expect(main.verdict).toBe("INCONCLUSIVE");
    expect(main.reason).toMatch(/40 of b.*may not be missing at random and could overturn BETTER/);
  });

  it("that could overturn it make it INCONCLUSIVE by the rule of bounds", () => {
    const rows = [...CLEAR, ...times(10, [1, UNSCORED])];
    const result = run(rows, { unscored: "bounds" });
    expect(result.main.p).toBeLessThan(0.01);
    expect(result.main.verdict).toBe("INCONCLUSIVE");
    expect(result.main.reason).toMatch(/10 of b.*could overturn BETTER/);
    expect(result.main.bounds!.holds).toBe(false);
    expect(String(result)).toMatch(/INCONCLUSIVE \(coverage\)/);
    expect(result.toJSON()).toMatchObject({ verdict: "INCONCLUSIVE", bounds: { holds: false } });
  });

  it("hold by the rule of bounds where every completion has the same verdict, and only there", () => {
    // with m missing of b beside a right answer of a, the worst completion loses m more: McNemar's mid-p of 20 against 4 + m
    for (const [m, verdict] of [
      [4, "BETTER"],
      [5, "BETTER"],
      [6, "INCONCLUSIVE"],
    ] as const) {
      const worst = run([...CLEAR, ...times(m, [1, 0])]);
      expect(worst.main.verdict).toBe(verdict);
      expect(run([...CLEAR, ...times(m, [1, UNSCORED])], { unscored: "bounds" }).main.verdict).toBe(verdict);
    }
  });

  it("complete: the verdict stands and the warning says what it rests on", () => {
    const result = run([...CLEAR, ...times(10, [1, UNSCORED])], { unscored: "complete" });
    expect(result.main.verdict).toBe("BETTER");
    expect(messages(result, "Coverage")[0]).toMatch(/could overturn the verdict, which uses the complete cases/);
  });

  it("wrong: they are failures, as if the file said so", () => {
    const result = run([...CLEAR, ...times(10, [1, UNSCORED])], { unscored: "wrong" });
    const written = run([...CLEAR, ...times(10, [1, 0])]);
    expect(result.main.p).toBe(written.main.p);
    expect(result.main.difference).toBe(written.main.difference);
    expect(result.n).toBe(110);
    expect(messages(result, "Coverage")[0]).toMatch(/10 of b.* count as 0/);
  });

  it("wrong is the other end where lower is better", () => {
    const result = run([...CLEAR, ...times(10, [0, UNSCORED])], { unscored: "wrong", higherIsBetter: false });
    expect(result.main.difference).toBeCloseTo((16 + 10) / 110, 12);
  });

  it("wrong needs a direction", () => {
    const table = tableOf([...CLEAR, [1, UNSCORED]]);
    const renamed = makeTable([...table.columns].map(([name, cells]) => [name === "accuracy" ? "x" : name, cells]));
    expect(() => compare(renamed, { system: "system", item: "item", metric: "x", unscored: "wrong" })).toThrow(
      /needs to know whether a higher x is better/,
    );
  });
});

describe("items that one system lacks", () => {
  const rows = [...CLEAR, ...times(12, [1, undefined])];

  it("say nothing without a rule", () => {
    const result = run(rows);
    expect(result.main.verdict).toBe("BETTER");
    expect(result.main.bounds).toBeUndefined();
  });

  it("count as missing outcomes with bounds, and as failures with wrong", () => {
    const bounds = run(rows, { unscored: "bounds" });
    expect(bounds.main.verdict).toBe("INCONCLUSIVE");
    expect(bounds.main.reason).toMatch(/items without a row \(12 of b\)/);
    expect(bounds.main.bounds!.lower).toBeCloseTo(4 / 112, 12);
    const wrong = run(rows, { unscored: "wrong" });
    expect(wrong.n).toBe(112);
    expect(wrong.main.difference).toBeCloseTo(4 / 112, 12);
  });
});

describe("the rule", () => {
  it("with nothing missing is told to have had nothing to decide", () => {
    const result = run(CLEAR, { unscored: "bounds" });
    expect(result.main.verdict).toBe("BETTER");
    expect(messages(result, "Coverage")[0]).toMatch(/option `unscored` has no effect/);
  });

  it("holds of repeats: one unscored run of two moves its item by half", () => {
    const long = CLEAR.flatMap(([a, b], i) =>
      [0, 1].flatMap((r) => [["a", i, r, a!] as const, ["b", i, r, b!] as const]),
    );
    const table = makeTable([
      ["system", factorColumn(long.map(([system]) => system))],
      ["item", factorColumn(long.map(([, i]) => `q${i}`))],
      ["epoch", factorColumn(long.map(([, , r]) => String(r)))],
      [
        "accuracy",
        numericColumn(long.map(([system, i, r, v]) => (system === "b" && i === 0 && r === 0 ? UNSCORED : v))),
      ],
    ]);
    const { main } = compare(table, { item: "item", run: "epoch", metric: "accuracy", higherIsBetter: true });
    expect(main.bounds!.upper - main.bounds!.lower).toBeCloseTo(0.5 / 100, 12);
    expect(main.bounds!.upper).toBeCloseTo(0.16, 12);
  });

  it("uses clusters for the interval", () => {
    const rows = [...CLEAR, ...times(4, [1, UNSCORED])];
    const own = { system: "system", item: "item", metric: "accuracy", higherIsBetter: true };
    const table = tableOf(rows, (i) => `t${i % 12}`);
    const apart = compare(table, { ...own, cluster: "none" }).main.bounds!;
    const together = compare(table, { ...own, cluster: "topic" }).main.bounds!;
    expect(together.lower).toBeCloseTo(apart.lower, 12);
    expect(together.ci!.lower).not.toBeCloseTo(apart.ci!.lower, 4);
  });

  it("of several pairs takes the interval of the bounds, and each pair its own", () => {
    const base = tableOf([...CLEAR, ...times(10, [1, UNSCORED])]);
    const c = base.columns.get("system")!;
    const names = c.kind === "factor" ? Array.from(c.codes, (code) => c.levels[code]!) : [];
    const item = base.columns.get("item")!;
    const items = item.kind === "factor" ? Array.from(item.codes, (code) => item.levels[code]!) : [];
    const score = base.columns.get("accuracy")!;
    const values = score.kind === "numeric" ? Array.from(score.values) : [];
    const third = values.map((_, i) => i).filter((i) => names[i] === "a");
    const table = makeTable([
      ["system", factorColumn([...names, ...third.map(() => "c")])],
      ["item", factorColumn([...items, ...third.map((i) => items[i]!)])],
      ["accuracy", numericColumn([...values, ...third.map((i, k) => (k % 2 === 0 ? 1 : values[i]!))])],
    ]);
    const options = { system: "system", item: "item", metric: "accuracy", higherIsBetter: true };
    const result = compare(table, { ...options, unscored: "bounds" });
    const verdict = (a: string, b: string) => result.pairs.find((pair) => pair.a === a && pair.b === b)!;
    expect(verdict("a", "c").bounds!.lower).toBe(verdict("a", "c").bounds!.upper);
    expect(verdict("a", "b").bounds!.holds).toBe(false);
    expect(verdict("a", "b").verdict).toBe("INCONCLUSIVE");
    expect(verdict("a", "c").verdict).toBe("BETTER");
  });

  it("one score of 3,000 leaves a verdict that max-T gives: its ends are held against the level of max-T, not Holm's", () => {
    const rng = makeRng("level of a pair");
    const rows = Array.from({ length: 1000 }, (_, i) => {
      const [a, b, c] = [i === 0 ? 0.5 : rng.uniform(), i === 0 ? UNSCORED : rng.uniform() ** 0.883, rng.uniform()];
      return [a, b, c] as const;
    });
    const table = makeTable([
      ["system", factorColumn(rows.flatMap(() => ["a", "b", "c"]))],
      ["item", factorColumn(rows.flatMap((_, i) => [`q${i}`, `q${i}`, `q${i}`]))],
      ["accuracy", numericColumn(rows.flat())],
    ]);
    const options = { system: "system", item: "item", metric: "accuracy", higherIsBetter: true, test: "t" } as const;
    const result = compare(table, { ...options, unscored: "bounds" });
    // p between the level of a pair and α/3
    expect(result.pairAlpha).toBeGreaterThan(0.05 / 3);
    expect(result.pairs[0]).toMatchObject({ a: "a", b: "b", verdict: "BETTER", bounds: { holds: true } });
    expect(result.pairs[0]!.bounds!.ci!.level).toBe(1 - result.pairAlpha!);
    expect(compare(table, { ...options, unscored: "bounds", adjust: "holm" }).pairs[0]!.verdict).toBe("INCONCLUSIVE");
  });

  it("is refused with labels, votes and texts", () => {
    const texts = { hypotheses: { a: ["x y"], b: ["x"] }, references: [["x y"]] };
    expect(() => compare(texts, { unscored: "wrong" })).toThrow(/unscored` has no effect with texts and references/);
  });
});

describe("with independent samples", () => {
  it("each system's own rows are bounded", () => {
    const { main } = run([...CLEAR, ...times(10, [1, UNSCORED])], { unpaired: true });
    const [a, b] = [64 / 110, 70 / 110];
    expect(main.bounds!.lower).toBeCloseTo(b - a, 12);
    expect(main.bounds!.upper).toBeCloseTo(80 / 110 - a, 12);
  });
});

describe("verdicts that hold for raters too", () => {
  const RATERS = ["r1", "r2", "r3"];
  const ITEMS = 24;

  /** Ratings of 1 to 5, b better by about `gain`; blanks at random. */
  function ratings(seed: number, gain: number, blanks: number) {
    const rng = makeRng("ratings", seed);
    const rows = RATERS.flatMap((rater, r) =>
      ["a", "b"].flatMap((system, s) =>
        Array.from({ length: ITEMS }, (_, i) => {
          const score = Math.round(2.5 + s * gain + 0.1 * r * s + rng.normal() * 0.8 + (i % 3) * 0.3);
          return {
            rater,
            system,
            item: `i${i}`,
            score: Math.min(5, Math.max(1, score)),
            blank: rng.uniform() < blanks,
          };
        }),
      ),
    );
    const table = (fill: Readonly<Record<string, number>>) =>
      makeTable([
        ["rater", factorColumn(rows.map(({ rater }) => rater))],
        ["system", factorColumn(rows.map(({ system }) => system))],
        ["item", factorColumn(rows.map(({ item }) => item))],
        ["adequacy", numericColumn(rows.map(({ blank, system, score }) => (blank ? fill[system]! : score)))],
      ]);
    return { table, scores: rows.filter(({ blank }) => !blank).map(({ score }) => score) };
  }
  const choices = {
    ...{ system: "system", item: "item", rater: "rater", metric: "adequacy", higherIsBetter: true },
    unscored: "bounds" as const,
  };

  it("have no interval narrower than that of the complete cases, and are overturned only where a filling is", () => {
    const met = { open: 0, held: 0 };
    let told = 0;
    for (const [seed, gain] of [0.6, 0.8, 1, 1.4, 0.7, 0.9, 1.2, 0.5].entries()) {
      const { table, scores } = ratings(seed, gain, 0.04);
      const result = compare(table({ a: Number.NaN, b: Number.NaN }), choices);
      const { bounds, ci, reason } = result.main;
      expect(result.scope).toContain("raters");
      if (bounds?.ci !== undefined) {
        expect(bounds.ci.lower).toBeLessThanOrEqual(ci.lower);
        expect(bounds.ci.upper).toBeGreaterThanOrEqual(ci.upper);
      }
      const complete = compare(table({ a: Number.NaN, b: Number.NaN }), { ...choices, unscored: "complete" }).main;
      if (complete.verdict !== "BETTER") continue;
      const [lowest, highest] = [Math.min(...scores), Math.max(...scores)];
      const filled = [
        { a: lowest, b: highest },
        { a: highest, b: lowest },
      ].map((fill) => compare(table(fill), choices).main);
      const same = filled.every(({ verdict }) => verdict === "BETTER");
      expect(reason === undefined).toBe(same);
      const lower = Math.min(ci.lower, ...filled.map((own) => own.ci.lower));
      const upper = Math.max(ci.upper, ...filled.map((own) => own.ci.upper));
      // raters who all agree leave a filling without an interval
      if (Number.isFinite(lower)) {
        expect(bounds!.ci!.lower).toBeCloseTo(lower, 12);
        expect(bounds!.ci!.upper).toBeCloseTo(upper, 12);
        told += 1;
      } else expect(bounds!.ci).toBeUndefined();
      met[same ? "held" : "open"] += 1;
      if (!same) {
        expect(reason).toMatch(
          bounds!.ci ? /could overturn BETTER.*at either end of the scale/ : /could overturn BETTER.*\d\.$/,
        );
        expect(result.main.advice).toMatch(/counts them as 1, the lowest score/);
      }
    }
    expect(Math.min(met.open, met.held, told)).toBeGreaterThan(0);
  });
});

it("names the pairs that missing ratings leave open, and does not say that scores seen bound those missing", () => {
  const rng = makeRng("blanks");
  const rows = Array.from({ length: 30 }, (_, i) =>
    ["A", "B", "C"].flatMap((system, s) =>
      ["r1", "r2", "r3"].map((rater, r) => {
        const score = 12 + 1.5 * s + r + 0.5 * rng.normal();
        return { system, item: `i${i}`, rater, score: (i + s + r) % 4 === 0 ? Number.NaN : score };
      }),
    ),
  ).flat();
  const text = (name: "system" | "item" | "rater") => factorColumn(rows.map((row) => row[name]));
  const table = makeTable([
    ["system", text("system")],
    ["item", text("item")],
    ["rater", text("rater")],
    ["score", numericColumn(rows.map(({ score }) => score))],
  ]);
  const { pairs, diagnostics } = compare(table, { higherIsBetter: true, unscored: "bounds" });
  const open = pairs.filter(({ reason }) => reason !== undefined);
  const told = diagnostics.find(({ code }) => code === "Coverage")!.message;
  expect(open.length).toBeGreaterThan(0);
  for (const { a, b, reason } of open) {
    expect(told.slice(told.indexOf("could overturn"))).toContain(`${b} - ${a} (then `);
    expect(reason).toContain("the smallest and the largest score seen");
  }
  expect(told + open.map(({ reason }) => reason).join()).not.toContain("whatever they are");
});

import { describe, expect, it } from "vitest";
import { column, factorColumn, makeTable, numericColumn, type Table, withColumn } from "../../src/data/table.ts";
import { binomialCdf, binomialSf } from "../../src/numeric/dist/binomial.ts";
import { makeRng, type Rng } from "../../src/numeric/rng.ts";
import { type BiasOptions, testBias } from "../../src/validity/bias/bias.ts";
import { testInvariance } from "../../src/validity/invariance/invariance.ts";
import type { LearnerName } from "../../src/validity/learner/learner.ts";

const RUNS = 1000;

/** Not above 5 % by a binomial test at 0.1 %; printed, since the docs quote it. */
function expectAtMostNominal(name: string, alarms: number, runs = RUNS): void {
  process.stdout.write(`${name}: ${alarms} of ${runs}\n`);
  expect(binomialSf(alarms - 1, runs, 0.05), name).toBeGreaterThan(0.001);
}

function expectNominal(name: string, alarms: number, runs = RUNS): void {
  expectAtMostNominal(name, alarms, runs);
  expect(binomialCdf(alarms, runs, 0.05), name).toBeGreaterThan(0.001);
}

interface Draw {
  readonly x: number | string;
  readonly y: number | string;
  readonly doc?: string;
}

function twoDomains(
  sizes: readonly [number, number],
  draw: (rng: Rng, domain: number, i: number) => Draw,
  rng: Rng,
): Table {
  const rows = sizes.flatMap((n, domain) =>
    Array.from({ length: n }, (_, i) => ({ domain: domain === 0 ? "in" : "out", ...draw(rng, domain, i) })),
  );
  const cells = (values: (number | string)[]) =>
    typeof values[0] === "number" ? numericColumn(values as number[]) : factorColumn(values as string[]);
  return makeTable([
    ["domain", factorColumn(rows.map((row) => row.domain))],
    ["x", cells(rows.map((row) => row.x))],
    ["y", cells(rows.map((row) => row.y))],
    ["doc", factorColumn(rows.map((row, i) => `${row.domain}${row.doc ?? i}`))],
  ]);
}

const options: BiasOptions = { label: "y", domain: "domain", inDomain: "in", features: ["x"], threshold: 0 };

/** Rejections of a true null hypothesis. */
function alarms(make: (rng: Rng) => Table, own: Partial<BiasOptions>, runs = RUNS): number {
  let count = 0;
  for (let run = 0; run < runs; run++) {
    const rng = makeRng("bias", run);
    const { features } = testBias(make(rng.stream(0)), { ...options, ...own, rng: rng.stream(1) });
    if (features[0]!.p < 0.05) count++;
  }
  return count;
}

/** 0/1 variables with P(x = 1) = a, P(y = 1) = b and correlation r. */
function binary(a: number, b: number, r: number) {
  const both = a * b + r * Math.sqrt(a * (1 - a) * b * (1 - b));
  return (rng: Rng): Draw => {
    const x = rng.uniform() < a ? 1 : 0;
    const share = x === 1 ? both / a : (b - both) / (1 - a);
    return { x, y: rng.uniform() < share ? 1 : 0 };
  };
}

describe("bias test: a true null hypothesis is rejected in 5 % of the runs", () => {
  it("normal variables, r = 0.5, n = 200 and 80", () => {
    const draw = (rng: Rng): Draw => {
      const x = rng.normal();
      return { x, y: 0.5 * x + Math.sqrt(0.75) * rng.normal() };
    };
    const make = (rng: Rng) => twoDomains([200, 80], draw, rng);
    expectNominal("robust", alarms(make, { interval: "robust" }));
    expectNominal("fisher", alarms(make, { interval: "fisher" }));
    expectNominal("bootstrap", alarms(make, { interval: "bootstrap", replicates: 200 }));
  });

  it("a rare feature, P = 0.1, r = 0.25, n = 1000 and 300", () => {
    const make = (rng: Rng) => twoDomains([1000, 300], binary(0.1, 0.4, 0.25), rng);
    expectNominal("robust, binary", alarms(make, { interval: "robust" }));
    process.stdout.write(`fisher, binary: ${alarms(make, { interval: "fisher" })} of ${RUNS}\n`);
  });

  it("two halves, r = 0.6, n = 1000 and 300: Fisher's variance is for normal variables only", () => {
    const make = (rng: Rng) => twoDomains([1000, 300], binary(0.5, 0.5, 0.6), rng);
    expectNominal("robust, halves", alarms(make, { interval: "robust" }));
    const fisher = alarms(make, { interval: "fisher" });
    process.stdout.write(`fisher, halves: ${fisher} of ${RUNS}\n`);
    expect(fisher).toBeGreaterThan(80);
  });

  it("documents of 10 rows that share x and lean to one label", () => {
    const make = (rng: Rng) => {
      const mood = new Map<string, [number, number]>();
      const draw = (own: Rng, domain: number, i: number): Draw => {
        const doc = `${domain} ${Math.floor(i / 10)}`;
        if (!mood.has(doc)) mood.set(doc, [own.normal(), own.normal()]);
        const [x, lean] = mood.get(doc)!;
        return { x, y: lean + own.normal(), doc };
      };
      return twoDomains([600, 400], draw, rng);
    };
    expectNominal("clusters", alarms(make, { cluster: "doc" }));
    process.stdout.write(`clusters ignored: ${alarms(make, {})} of ${RUNS}\n`);
  });

  /** Documents of 10 rows, or of 3 to 24; x shared by the rows of a document, or their own in part; r from 0 up. */
  const documents =
    (count: readonly [number, number], { even, own, slope }: { even: boolean; own: boolean; slope: number }) =>
    (rng: Rng): Table => {
      const sizes = count.map((some) => Array.from({ length: some }, () => (even ? 10 : 3 + rng.int(22))));
      const total = sizes.map((some) => some.reduce((sum, size) => sum + size, 0)) as [number, number];
      const docOf = sizes.map((some) => some.flatMap((size, doc) => new Array<number>(size).fill(doc)));
      const moods = count.map((some) => Array.from({ length: some }, () => [rng.normal(), rng.normal()] as const));
      const draw = (stream: Rng, domain: number, i: number): Draw => {
        const doc = docOf[domain]![i]!;
        const [mood, lean] = moods[domain]![doc]!;
        const x = own ? mood + stream.normal() : mood;
        return { x, y: slope * x + lean + stream.normal(), doc: `${doc}` };
      };
      return twoDomains(total, draw, rng);
    };
  for (const clusters of [5, 10, 20] as const) {
    for (const even of [true, false]) {
      for (const own of [false, true]) {
        const name = `${clusters} clusters a domain, ${even ? "even" : "uneven"}, x ${own ? "of rows" : "shared"}`;
        it(`few clusters: ${name}`, () => {
          for (const slope of [0, 0.5]) {
            const make = documents([clusters, clusters], { even, own, slope });
            expectAtMostNominal(`${name}, slope ${slope}`, alarms(make, { cluster: "doc" }));
          }
        });
      }
    }
  }

  it("few clusters: 5 in one domain, 20 in the other", () => {
    const make = documents([5, 20], { even: true, own: false, slope: 0.5 });
    expectAtMostNominal("5 and 20 clusters", alarms(make, { cluster: "doc" }));
  });

  it("few clusters: η, drawn", () => {
    const make = (rng: Rng): Table => {
      const table = documents([10, 10], { even: true, own: true, slope: 0.5 })(rng);
      const x = column(table, "x");
      if (x.kind !== "numeric") throw new Error("x is numeric");
      const grade = Array.from(x.values, (value) => (value < -0.7 ? "low" : value < 0.7 ? "mid" : "high"));
      return withColumn(table, "x", factorColumn(grade));
    };
    expectAtMostNominal("η, 10 clusters", alarms(make, { cluster: "doc", replicates: 200 }));
  });

  /** P(y = x) raised by s for four topics and three classes. */
  const classes =
    (s: number) =>
    (rng: Rng): Draw => {
      const x = rng.int(4);
      return { x: `t${x}`, y: `c${rng.uniform() < s ? x % 3 : rng.int(3)}` };
    };
  for (const s of [0, 0.15, 0.5]) {
    it(`classes, association ${s}: not above nominal for V, η and NMI`, () => {
      const make = (rng: Rng) => twoDomains([500, 150], classes(s), rng);
      expectAtMostNominal(`V ${s}`, alarms(make, { replicates: 200 }));
      expectAtMostNominal(`NMI ${s}`, alarms(make, { replicates: 200, measure: "nmi" }));
      const numbers = (rng: Rng): Draw => {
        const { y } = classes(s)(rng);
        return { x: rng.normal() + 2 * s * Number(String(y).slice(1)), y };
      };
      expectAtMostNominal(
        `η ${s}`,
        alarms((rng) => twoDomains([500, 150], numbers, rng), { replicates: 200 }),
      );
    });
  }
});

/** Patients of five hospitals with ids in blocks; `leakage` is how far the rates of the hospitals lie apart. */
function patients(n: number, leakage: number, rng: Rng): Table {
  const rows = Array.from({ length: n }, () => {
    const hospital = rng.int(5);
    const y = rng.uniform() < 0.5 + (hospital % 3 === 0 ? leakage : -leakage) ? 1 : 0;
    return { id: 1000 * hospital + rng.int(1000), size: y + rng.normal(), y };
  });
  return makeTable([
    ["id", numericColumn(rows.map((row) => row.id))],
    ["size", numericColumn(rows.map((row) => row.size))],
    ["y", numericColumn(rows.map((row) => row.y))],
  ]);
}

async function caught(learner: LearnerName, leakage: number, runs: number): Promise<number> {
  let count = 0;
  for (let run = 0; run < runs; run++) {
    const rng = makeRng("invariance", run);
    const [train, test] = [patients(150, leakage, rng.stream(0)), patients(100, leakage, rng.stream(1))];
    const given = { label: "y", scales: { id: "nominal" }, learner, rng: rng.stream(2) } as const;
    if ((await testInvariance(train, test, given)).verdict.violated.length > 0) count++;
  }
  return count;
}

describe("invariance test: a nominal id", () => {
  for (const learner of ["stumps", "knn"] as const) {
    it(`${learner}: harmless ids raise few false alarms, leakage is caught`, async () => {
      expectAtMostNominal(`${learner}, harmless`, await caught(learner, 0, 400), 400);
      const [weak, strong] = [await caught(learner, 0.15, 100), await caught(learner, 0.35, 100)];
      process.stdout.write(`${learner}: leakage 0.15 caught in ${weak} of 100, 0.35 in ${strong}\n`);
      expect(strong).toBeGreaterThan(90);
    });
  }
});

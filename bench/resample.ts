/** Permutation and bootstrap of a paired difference. ../shared/bench/resample.py and resample.R do the same work in numpy, scipy and R. */
import { makeRng } from "../src/numeric/rng.ts";
import { bootstrapMean, bootstrapScores } from "../src/resample/bootstrap.ts";
import { intervalFromReplicates } from "../src/resample/intervals.ts";
import { permutePaired } from "../src/resample/permutation.ts";
import { permutePairedScores } from "../src/resample/permutation-scores.ts";
import { permuteTwoSample } from "../src/resample/permutation-two-sample.ts";
import { mcnemarTest } from "../src/significance/tests/mcnemar.ts";
import { best, report } from "./support/stopwatch.ts";

const B = 10_000;
const rng = makeRng("bench");
const normals = (n: number) => Float64Array.from({ length: n }, () => rng.normal() + 0.02);

function permutations(): void {
  for (const n of [2000, 10_000]) {
    const d = normals(n);
    report(
      `paired permutation, n = ${n} x ${B}`,
      best(() => permutePaired(d, { method: "monte-carlo", replicates: B, rng }), 7),
    );
  }
  const likert = Float64Array.from({ length: 2000 }, () => rng.int(5) - rng.int(5));
  report(
    "paired permutation, n = 2000, Likert, exact",
    best(() => permutePaired(likert), 5),
  );
  const binary = Float64Array.from({ length: 10_000 }, () => rng.int(3) - 1);
  report(
    "paired permutation, n = 10,000, 0/1, exact",
    best(() => permutePaired(binary), 5),
  );
  const two = normals(1000);
  report(
    `two-sample permutation, 1000 + 1000 x ${B}`,
    best(() => permuteTwoSample(two, normals(1000), { method: "monte-carlo", replicates: B, rng }), 3),
  );
}

/** Ten numbers an item and a logarithm a score, as BLEU has. */
function corpusScores(): void {
  const make = () => Float64Array.from({ length: 3004 * 10 }, () => rng.int(30));
  const scoreOf = (s: Float64Array): number =>
    Math.exp(
      (Math.log(s[0]! / s[4]!) + Math.log(s[1]! / s[5]!) + Math.log(s[2]! / s[6]!) + Math.log(s[3]! / s[7]!)) / 4 +
        Math.min(0, 1 - s[9]! / s[8]!),
    );
  const data = { a: make(), b: make(), width: 10, scoreOf };
  report(
    `permutation of a corpus score, 3004 items x 10 statistics x ${B}`,
    best(() => permutePairedScores(data, { method: "monte-carlo", replicates: B, rng }), 3),
  );
  report(
    "bootstrap of a corpus score, 3004 items x 10 statistics x 1000",
    best(() => bootstrapScores({ rows: data.a, width: 10, scoreOf }, { replicates: 1000, rng }), 3),
  );
}

function bootstraps(): void {
  const d = normals(2000);
  for (const type of ["percentile", "bca"] as const) {
    const run = () => {
      const own = bootstrapMean(d, { replicates: B, rng });
      return intervalFromReplicates({ ...own, acceleration: own.jackknife.acceleration, type });
    };
    report(`bootstrap ${type}, n = 2000 x ${B}`, best(run, 5));
  }
}

permutations();
corpusScores();
bootstraps();
report(
  "McNemar, exact unconditional, n = 390,965",
  best(() => mcnemarTest([350_000, 20_600, 20_000, 365], { method: "unconditional" }), 2),
);

/** Boards with known ranks, for `rank`: how often a simultaneous set misses a rank, and whether the best are in the top set. */
import type { Imported } from "../../../src/data/imported.ts";
import type { Table } from "../../../src/data/table.ts";
import type { Rng } from "../../../src/numeric/rng.ts";
import { type Ranking, type RankOptions, rankSystems } from "../../../src/significance/ranks/ranks.ts";
import type { Cell } from "./cells.ts";
import { type Row, readCsv, tableOf } from "./draw.ts";
import type { Tally } from "./measure.ts";

/** True strengths, larger is better. */
const SHAPES = {
  equal: (S: number) => new Array<number>(S).fill(0),
  spread: (S: number) => Array.from({ length: S }, (_, s) => s / Math.max(1, S - 1)),
  /** Each level is that of two systems. */
  ties: (S: number) => Array.from({ length: S }, (_, s) => Math.floor(s / 2) / Math.max(1, Math.floor(S / 2))),
} as const;
type Shape = keyof typeof SHAPES;

interface Drawn {
  readonly data: Table | Imported;
  readonly truth: readonly number[];
}

/** The sets hold every rank that the truth leaves to a system: of equal ones all from the best to the worst of them. */
function missesARank({ systems }: Ranking, truth: ReadonlyMap<string, number>): boolean {
  const all = [...truth.values()];
  return systems.some(({ name, lower, upper }) => {
    const own = truth.get(name)!;
    const first = 1 + all.filter((other) => other > own).length;
    const last = all.length - all.filter((other) => other < own).length;
    return lower > first || upper < last;
  });
}

/** Every system that may count as one of the k best. */
function holdsTheBest({ top: { k, may } }: Ranking, truth: ReadonlyMap<string, number>): boolean {
  const all = [...truth.values()];
  return [...truth].every(([name, own]) => all.filter((other) => other > own).length >= k || may.includes(name));
}

const TOP = 3;
/** A critical value of so many draws moves no rate. */
const REPLICATES = 1999;

export function measureRanks(
  { data, truth }: Drawn,
  { rng, options }: { readonly rng: Rng; readonly options?: RankOptions | undefined },
): Tally {
  const names = new Map(truth.map((own, s) => [nameOf(s), own]));
  const top = Math.min(TOP, truth.length);
  const result = rankSystems(data, { top, replicates: REPLICATES, ...options, rng });
  const warnings = result.diagnostics.filter(({ severity }) => severity === "warning").map(({ code }) => code);
  return {
    sets: 1,
    counted: missesARank(result, names) ? 1 : 0,
    covered: holdsTheBest(result, names) ? 1 : 0,
    inconclusive: result.separated.pairs === 0 ? 1 : 0,
    none: 0,
    warned: Object.fromEntries(warnings.map((code) => [code, 1])),
  };
}

const nameOf = (s: number): string => `s${String(s).padStart(3, "0")}`;

interface BoardDesign {
  readonly systems: number;
  readonly shape: Shape;
  readonly items: number;
  /** `uneven`: normal, of a spread that grows with the number of the system. */
  readonly law: "right" | "normal" | "skewed" | "uneven";
  /** Items of one of so many clusters share a difference of every system. */
  readonly clusters?: number;
}

function drawBoard(rng: Rng, { systems, shape, items, law, clusters }: BoardDesign): Drawn {
  const truth = SHAPES[shape](systems);
  const rows: Row[] = [];
  const shift = new Float64Array(systems);
  // clusters of 1, 2, 3 … items in turn, so that they differ in size
  const sizes = clusters === undefined ? [] : Array.from({ length: clusters }, (_, g) => 1 + (g % 3));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let [cluster, left] = [-1, 0];
  for (let i = 0; i < items; i++) {
    const hard = rng.normal();
    if (clusters !== undefined && left === 0 && cluster < clusters - 1) {
      cluster += 1;
      left = Math.round((items * sizes[cluster % clusters]!) / total) || 1;
      for (let s = 0; s < systems; s++) shift[s] = 0.7 * rng.normal();
    }
    left -= 1;
    for (let s = 0; s < systems; s++) {
      const own = shift[s]!;
      const noise =
        law === "skewed" ? Math.exp(rng.normal()) - Math.exp(0.5) : rng.normal() * (law === "uneven" ? 1 + s : 1);
      // with probits the mean of a system depends on its strength alone, and in its order
      const score = law === "right" ? Number(hard + truth[s]! + own + noise > 0) : hard + truth[s]! + own + noise;
      rows.push({
        ...{ system: nameOf(s), item: `i${i}`, score },
        ...(clusters === undefined ? {} : { document: `d${cluster}` }),
      });
    }
  }
  return { data: tableOf(rows), truth };
}

const GROUP = "Ranks";
const SHAPE_WORDS: Readonly<Record<Shape, string>> = { equal: "all equal", spread: "spread", ties: "equal in pairs" };
const LAW_WORDS = {
  right: "right or wrong",
  normal: "normal",
  skewed: "skewed",
  uneven: "normal with unequal variances",
} as const;

const board = (design: BoardDesign): Cell => {
  const { systems, shape, items, law, clusters } = design;
  const grouped = clusters === undefined ? "" : ` in ${clusters} clusters`;
  return {
    id: `ranks-${systems}-${shape}-${items}-${law}${clusters === undefined ? "" : `-c${clusters}`}`,
    group: GROUP,
    words: `${systems} systems, ${SHAPE_WORDS[shape]}, ${items} items${grouped}, ${LAW_WORDS[law]}`,
    asks: "ranks",
    draw: (rng) => drawBoard(rng, design).data,
    measure: (rng) =>
      measureRanks(drawBoard(rng.stream(0), design), {
        rng: rng.stream(1),
        options: { higherIsBetter: true, ...(clusters === undefined ? {} : { cluster: "document" }) },
      }),
  };
};

interface VoteDesign {
  readonly systems: number;
  readonly shape: Shape;
  readonly votes: number;
  readonly users: number;
}

/** Users who prefer some systems to others, ties, and both orders. */
async function drawVotes(rng: Rng, { systems, shape, votes, users }: VoteDesign): Promise<Drawn> {
  const truth = SHAPES[shape](systems);
  const taste = Float64Array.from({ length: users * systems }, () => 0.5 * rng.normal());
  const lines = Array.from({ length: votes }, (_, i) => {
    const a = rng.int(systems);
    const b = (a + 1 + rng.int(systems - 1)) % systems;
    const user = i % users;
    const gap = truth[a]! - truth[b]! + taste[user * systems + a]! - taste[user * systems + b]!;
    const x = gap + Math.log(1 / rng.uniform() - 1);
    return `${nameOf(a)},${nameOf(b)},${Math.abs(x) < 0.4 ? "tie" : x > 0 ? "model_a" : "model_b"},u${user}`;
  });
  return { data: await readCsv(["model_a,model_b,winner,judge", ...lines]), truth };
}

const ballot = (design: VoteDesign): Cell => {
  const { systems, shape, votes, users } = design;
  return {
    id: `ranks-votes-${systems}-${shape}-${votes}-u${users}`,
    group: GROUP,
    words: `${systems} systems, ${SHAPE_WORDS[shape]}, ${votes} votes by ${users} users with tastes`,
    asks: "ranks",
    draw: async (rng) => (await drawVotes(rng, design)).data,
    measure: async (rng) => measureRanks(await drawVotes(rng.stream(0), design), { rng: rng.stream(1) }),
  };
};

const SIZES = [2, 5, 20, 50, 100] as const;

export const RANK_CELLS: readonly Cell[] = [
  ...SIZES.map((systems) => board({ systems, shape: "equal", items: 30, law: "right" })),
  ...SIZES.map((systems) => board({ systems, shape: "equal", items: 60, law: "right" })),
  ...SIZES.map((systems) => board({ systems, shape: "equal", items: 200, law: "right" })),
  ...SIZES.map((systems) => board({ systems, shape: "spread", items: 200, law: "right" })),
  ...SIZES.map((systems) => board({ systems, shape: "ties", items: 200, law: "right" })),
  board({ systems: 10, shape: "equal", items: 20, law: "uneven" }),
  ...([2, 20] as const).flatMap((systems) =>
    ([2000, 10_000] as const).map((items) => board({ systems, shape: "equal", items, law: "right" })),
  ),
  ...([5, 20] as const).flatMap((systems) =>
    ([30, 200, 1000] as const).map((items) => board({ systems, shape: "equal", items, law: "normal" })),
  ),
  ...([5, 20] as const).flatMap((systems) =>
    ([30, 60, 200] as const).map((items) => board({ systems, shape: "equal", items, law: "skewed" })),
  ),
  ...([2, 5, 20] as const).flatMap((systems) =>
    ([8, 12, 20, 60] as const).map((clusters) =>
      board({ systems, shape: "equal", items: 240, law: "normal", clusters }),
    ),
  ),
  ...([2, 5, 20] as const).map((systems) => ballot({ systems, shape: "equal", votes: 2000, users: 20 })),
  ballot({ systems: 5, shape: "spread", votes: 2000, users: 20 }),
  ballot({ systems: 5, shape: "equal", votes: 2000, users: 100 }),
];

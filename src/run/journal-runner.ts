/** Runners over a journal: any work resumed, one shard of it, or none of it. The answers lead an adaptive search the same way, so that
 *  it goes on where it was without knowing. */
import type { Rng } from "../numeric/rng.ts";
import { StatError } from "../result/error.ts";
import { nameSet, type StoredSet, type Variant, type Writer } from "./journal.ts";
import type { Keeping, MapOptions, Place, Runner, Task } from "./task.ts";

/** Where answers are kept: a folder (folder.ts), or whatever else appends and reads lines. */
export interface Journal {
  readonly writer: Writer;
  /** Reads what was written since by anybody. */
  refresh(): void;
  find(set: string, place: Place): readonly Variant[];
  /** Makes sure that it can be written, before anything is computed for it. */
  open(): void;
  add(set: StoredSet, place: Place, out: unknown): void;
  close(): void;
}

/** Any runner, but nothing twice. Tasks that are not kept go to the runner as they are. */
export function journalRunner(journal: Journal, inner: Runner): Runner {
  return {
    workers: inner.workers,
    async map<In, Out>(task: Task<In, Out>, inputs: readonly In[], rng: Rng, options: MapOptions<Out> = {}) {
      const { keeping } = task;
      if (keeping === undefined) return inner.map(task, inputs, rng, options);
      const book = openBook(journal, task.name, keeping);
      const known = new Map([...book.recall(inputs), ...(options.known ?? [])]);
      if (known.size < inputs.length) journal.open();
      return inner.map(task, inputs, rng, { ...options, known, onResult: book.keep(inputs, options.onResult) });
    },
    close: () => inner.close(),
  };
}

export interface Shard {
  /** From 0. */
  readonly shard: number;
  readonly shards: number;
}

export interface ShardRunner extends Runner {
  /** Pieces of this shard so far, and those of them that were there already. */
  readonly counts: { readonly pieces: number; readonly found: number };
}

/** Piece k belongs to shard k mod N; what others compute stays blank. Only where the plan does not depend on the answers. */
export function shardRunner(journal: Journal, inner: Runner, { shard, shards }: Shard): ShardRunner {
  const counts = { pieces: 0, found: 0 };
  return {
    workers: inner.workers,
    counts,
    async map<In, Out>(task: Task<In, Out>, inputs: readonly In[], rng: Rng, options: MapOptions<Out> = {}) {
      const keeping = requireKeeping(task);
      const book = openBook(journal, task.name, keeping);
      const known = book.recall(inputs);
      const own = inputs.flatMap((_, i) => (i % shards === shard ? [i] : []));
      const found = own.filter((i) => known.has(i)).length;
      counts.pieces += own.length;
      counts.found += found;
      if (found < own.length) journal.open();
      const { onProgress, onResult, ...rest } = options;
      for (const [i, input] of inputs.entries()) {
        if (i % shards !== shard && !known.has(i)) known.set(i, keeping.blank(input));
      }
      const others = known.size - found;
      return inner.map(task, inputs, rng, {
        ...rest,
        known,
        onResult: book.keep(inputs, onResult),
        ...(onProgress === undefined ? {} : { onProgress: (done) => onProgress(done - others, own.length) }),
      });
    },
    close: () => inner.close(),
  };
}

export interface MissingPiece extends Place {
  /** Among the inputs of its map. */
  readonly index: number;
}

export interface SurveyRunner extends Runner {
  /** Of all maps so far. */
  readonly missing: readonly MissingPiece[];
  readonly pieces: number;
  /** Where the last piece ends: how many experiments are wanted. */
  readonly wanted: number;
  /** Pieces of the longest map: more shards than that have nothing to do. */
  readonly longest: number;
}

/** Computes nothing: what the journal lacks stays blank, and is counted. */
export function surveyRunner(journal: Journal): SurveyRunner {
  const missing: MissingPiece[] = [];
  let pieces = 0;
  let wanted = 0;
  let longest = 0;
  return {
    workers: 1,
    missing,
    get pieces() {
      return pieces;
    },
    get wanted() {
      return wanted;
    },
    get longest() {
      return longest;
    },
    async map<In, Out>(task: Task<In, Out>, inputs: readonly In[]) {
      const keeping = requireKeeping(task);
      const known = openBook(journal, task.name, keeping).recall(inputs);
      pieces += inputs.length;
      longest = Math.max(longest, inputs.length);
      return inputs.map((input, index) => {
        const place = keeping.place(input);
        wanted = Math.max(wanted, place.from + place.count);
        if (known.has(index)) return known.get(index)!;
        missing.push({ index, ...place });
        return keeping.blank(input);
      });
    },
    async close() {},
  };
}

function requireKeeping<In, Out>({ name, keeping }: Task<In, Out>): Keeping<In, Out> {
  if (keeping !== undefined) return keeping;
  throw new StatError("NotKept", `the answers of ${name} are not kept.`, "run it in one process, without shards.");
}

export interface Book<In, Out> {
  /** Answers of the journal by the index of their input. */
  recall(inputs: readonly In[]): Map<number, Out>;
  /** Writes what comes in, and hands it on. */
  keep(inputs: readonly In[], next: MapOptions<Out>["onResult"]): (index: number, out: Out) => void;
}

export function openBook<In, Out>(journal: Journal, task: string, keeping: Keeping<In, Out>): Book<In, Out> {
  const names = new Map<string, StoredSet>();
  const setOf = (input: In): StoredSet => {
    const about = keeping.about(input);
    const key = JSON.stringify(about);
    const known = names.get(key);
    if (known !== undefined) return known;
    const named = { set: nameSet(task, about, journal.writer), task, ...about };
    names.set(key, named);
    return named;
  };
  return {
    recall(inputs) {
      journal.refresh();
      const known = new Map<number, Out>();
      for (const [i, input] of inputs.entries()) {
        const place = keeping.place(input);
        const out = believe(journal.find(setOf(input).set, place), keeping, input);
        if (out !== undefined) known.set(i, out);
      }
      return known;
    },
    keep: (inputs, next) => (i, out) => {
      const input = inputs[i]!;
      journal.add(setOf(input), keeping.place(input), keeping.write(out, input));
      next?.(i, out);
    },
  };
}

/** The one answer among the variants that the input can have; undefined where there is none. */
function believe<In, Out>(variants: readonly Variant[], keeping: Keeping<In, Out>, input: In): Out | undefined {
  const sound = variants.flatMap(({ text, file }) => {
    const out = keeping.read(JSON.parse(text), input);
    return out === undefined ? [] : [{ out, file }];
  });
  if (sound.length <= 1) return sound[0]?.out;
  const { from, count } = keeping.place(input);
  throw new StatError(
    "JournalConflict",
    `experiments ${from} to ${from + count - 1} have other figures in "${sound[0]!.file}" than in "${sound[1]!.file}".`,
    "One of the two machines computes wrongly, or a line was changed: remove the file that is not to be trusted.",
  );
}

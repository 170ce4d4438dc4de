/** What a simulation has drawn so far, in a file that is always whole: written beside its place and renamed. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { StatError } from "../../index.ts";
import type { PieceTally } from "../../power.ts";

interface Stored {
  readonly key: string;
  readonly pieces: readonly (readonly [number, PieceTally])[];
}

export interface Checkpoint {
  readonly known: ReadonlyMap<number, PieceTally>;
  add(piece: number, tally: PieceTally): void;
  save(): void;
}

/** Often enough to lose little, seldom enough to cost nothing. */
const EVERY_MS = 1000;

/** `key`: what must be the same for the pieces to be of use. */
export function openCheckpoint(path: string, key: string): Checkpoint {
  const known = new Map(existsSync(path) ? readStored(path, key).pieces : []);
  let saved = Date.now();
  const save = (): void => {
    const stored: Stored = { key, pieces: [...known] };
    const beside = `${path}.${process.pid}.tmp`;
    try {
      writeFileSync(beside, JSON.stringify(stored));
      renameSync(beside, path);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? String(error);
      throw new StatError("NotWritable", `the checkpoint "${path}" cannot be written (${code}).`, "Name another file.");
    }
    saved = Date.now();
  };
  save();
  return {
    known: new Map(known),
    add(piece, tally) {
      known.set(piece, tally);
      if (Date.now() - saved >= EVERY_MS) save();
    },
    save,
  };
}

function readStored(path: string, key: string): Stored {
  let stored: Stored;
  try {
    stored = JSON.parse(readFileSync(path, "utf8")) as Stored;
  } catch {
    throw new StatError("BadCheckpoint", `"${path}" is not a checkpoint.`, "Remove it, or name another file.");
  }
  if (stored?.key === key && Array.isArray(stored.pieces)) return stored;
  throw new StatError(
    "OtherCheckpoint",
    `the checkpoint "${path}" belongs to another simulation.`,
    "Use the same scenario, parameters and seed, or name another file.",
  );
}

/** Where work is done, and how it is kept: threads of Node, a journal in a folder, shards of a simulation. Slurm and a queue in Redis have entry
 *  points of their own, `gosset/slurm` and `gosset/queue`. */
export type { Rng, RngState } from "./numeric/rng.ts";
export { type FileContent, type FolderJournal, type FolderOptions, openFolder } from "./run/folder.ts";
export type { StoredPiece, StoredSet, Variant, Writer } from "./run/journal.ts";
export {
  type Journal,
  journalRunner,
  type MissingPiece,
  type Shard,
  type ShardRunner,
  type SurveyRunner,
  shardRunner,
  surveyRunner,
} from "./run/journal-runner.ts";
export { journalDraws } from "./run/kept-draws.ts";
export type { DrawKeeper, Keeping, KeptDrawing, KeptSet, MapOptions, Place, Runner, Task } from "./run/task.ts";
export { type ThreadOptions, threadRunner } from "./run/threads.ts";

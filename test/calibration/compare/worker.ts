/** A thread of the bank: measures pieces of a cell as they are asked for. */
import { parentPort } from "node:worker_threads";
import { CELLS } from "./cells.ts";
import { add, EMPTY, measure } from "./measure.ts";

export interface Piece {
  readonly cell: string;
  readonly from: number;
  readonly to: number;
}

parentPort?.on("message", async (piece: Piece) => {
  const cell = CELLS.find(({ id }) => id === piece.cell)!;
  let tally = EMPTY;
  for (let i = piece.from; i < piece.to; i++) tally = add(tally, await measure(cell, i));
  parentPort!.postMessage({ ...piece, tally });
});

/** Which data an answer rests on: equal tables have equal fingerprints on every machine, and a change of any cell, name,
 *  level or order gives another one. Missing cells count as such; -0 counts as 0. */
import { Fingerprint } from "../result/fingerprint.ts";
import type { Table } from "./table.ts";

/** 32 hexadecimal digits. */
export function fingerprint(table: Table): string {
  const hash = new Fingerprint();
  hash.update(Int32Array.of(table.rows, table.columns.size));
  for (const [name, column] of table.columns) {
    hash.update(name);
    if (column.kind === "numeric") hash.update("numeric").update(column.values);
    else {
      hash.update(column.ordered ? "ordered" : "factor").update(Int32Array.of(column.levels.length));
      for (const level of column.levels) hash.update(level);
      hash.update(column.codes);
    }
  }
  return hash.digest();
}

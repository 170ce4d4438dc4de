/** `gosset replicate --json`; see docs/json.md. */

import {
  agreesWithPrint,
  agreesWithR,
  PAPERS,
  type Reproduction,
  type ReproductionRow,
} from "../../replications/reproduction.ts";
import { contractHead } from "../contract.ts";

export interface Reproduced {
  readonly reproduction: Reproduction;
  readonly rows: readonly ReproductionRow[];
  readonly seconds: number;
}

export interface LeftOut {
  readonly reproduction: Reproduction;
  readonly why: string;
}

const about = ({ id, paper, where, shows, data, reference }: Reproduction) => ({
  id,
  paper: PAPERS[paper],
  where,
  shows,
  data,
  reference,
});

export function catalogueContract(reproductions: readonly Reproduction[]): object {
  return {
    ...contractHead("replications", []),
    results: reproductions.map((own) => ({ ...about(own), seconds: own.seconds })),
  };
}

export function replicateContract(results: readonly Reproduced[], leftOut: readonly LeftOut[]): object {
  return {
    ...contractHead("replicate", []),
    agrees: results.every(({ rows }) => rows.every(agreesWithR)),
    results: results.map(({ reproduction, rows, seconds }) => ({
      ...about(reproduction),
      seconds,
      agrees: rows.every(agreesWithR),
      lessons: reproduction.lessons ?? [],
      rows: rows.map(rowContract),
    })),
    leftOut: leftOut.map(({ reproduction, why }) => ({ id: reproduction.id, why })),
  };
}

function rowContract(row: ReproductionRow): object {
  const printed = agreesWithPrint(row);
  return {
    ...row,
    name: row.name.trim(),
    ...(row.r === undefined ? {} : { difference: row.ours - row.r, agreesWithR: agreesWithR(row) }),
    ...(printed === undefined ? {} : { agreesWithPrint: printed }),
  };
}

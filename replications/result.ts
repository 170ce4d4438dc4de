/** The list of what can be computed anew, and what came of it, as results. */
import {
  GOSSET_VERSION,
  makeResult,
  type Published,
  type Result,
  type ResultFields,
  type ResultJson,
  reviveResult,
} from "../src/index.ts";
import type { ReplicatedPicture } from "../src/plot.ts";
import { displayCatalogue, displayMany, displayReproduced } from "./display.ts";
import {
  agreesWithPrint,
  agreesWithR,
  PAPERS,
  type Picture,
  type Reproduction,
  type ReproductionRow,
  sourceOf,
} from "./reproduction.ts";

export interface Reproduced {
  readonly reproduction: Reproduction;
  readonly rows: readonly ReproductionRow[];
  readonly seconds: number;
  readonly pictures?: readonly Picture[];
}

export interface LeftOut {
  readonly reproduction: Reproduction;
  readonly why: string;
}

/** A published table or figure. */
interface AboutJson {
  readonly id: string;
  readonly paper: string;
  readonly where: string;
  readonly shows: string;
  readonly data: readonly string[];
  readonly reference: string;
  readonly seconds: number;
}

export interface ReplicationsJson extends ResultJson<"replications"> {
  readonly results: readonly AboutJson[];
}

export interface ReplicateJson extends ResultJson<"replicate"> {
  readonly agrees: boolean;
  readonly results: readonly ReproducedJson[];
  readonly leftOut: readonly { readonly id: string; readonly why: string }[];
}

interface ReproducedJson extends AboutJson {
  readonly agrees: boolean;
  readonly lessons: readonly string[];
  readonly rows: readonly RowJson[];
  /** What its figures draw. */
  readonly pictures?: readonly ReplicatedPicture[];
}

/** `difference` is ours minus R's. */
interface RowJson extends Omit<ReproductionRow, "source"> {
  /** "derived" where nothing was published. */
  readonly source: ReturnType<typeof sourceOf>;
  readonly difference?: number;
  readonly agreesWithR?: boolean;
  readonly agreesWithPrint?: boolean;
}

export function listReproductions(reproductions: readonly Reproduction[]): Result<"replications"> {
  const fields = { ...head("replications", []), reproductions };
  return makeResult("replications", fields, {
    display: () => displayCatalogue(reproductions),
    json: (): Published<ReplicationsJson> => ({ results: reproductions.map((own) => about(own, own.seconds)) }),
  });
}

/** One result in full where one was asked for, else a line for each. */
export function reportReproductions(
  results: readonly Reproduced[],
  { leftOut, single }: { readonly leftOut: readonly LeftOut[]; readonly single: boolean },
): Result<"replicate"> & { readonly agrees: boolean } {
  const ids = results.map(({ reproduction }) => reproduction.id);
  const agrees = results.every(({ rows }) => rows.every(agreesWithR));
  return makeResult(
    "replicate",
    { ...head("replicate", ids), agrees },
    {
      display: () => (single && results.length === 1 ? displayReproduced(results[0]!) : displayMany(results, leftOut)),
      json: (): Published<ReplicateJson> => ({
        agrees,
        results: results.map(reproducedJson),
        leftOut: leftOut.map(({ reproduction, why }) => ({ id: reproduction.id, why })),
      }),
    },
  );
}

const head = (method: string, ids: readonly string[]): ResultFields => ({
  signature: { method, version: GOSSET_VERSION, options: { ids }, data: "" },
  diagnostics: [],
});

function about({ id, paper, where, shows, data, reference }: Reproduction, seconds: number): AboutJson {
  return { id, paper: PAPERS[paper], where, shows, data, reference, seconds };
}

function reproducedJson({ reproduction, rows, seconds, pictures = [] }: Reproduced): ReproducedJson {
  return {
    ...about(reproduction, seconds),
    agrees: rows.every(agreesWithR),
    lessons: reproduction.lessons ?? [],
    rows: rows.map(rowJson),
    ...(pictures.length === 0 ? {} : { pictures: pictures.map(pictureJson) }),
  };
}

/** A result without its display: the rows of the reproduction say what matters. Its fields as they are, since writing twice would make text
 *  of what is no number. */
function pictureJson(picture: Picture): ReplicatedPicture {
  if (picture.kind !== "result") return picture;
  const result = { ...reviveResult(picture.result.toJSON()) };
  const { kind, name, samples } = picture;
  return { kind, name, result: samples === undefined ? result : { ...result, samples } };
}

function rowJson(row: ReproductionRow): RowJson {
  const printed = agreesWithPrint(row);
  return {
    ...row,
    name: row.name.trim(),
    source: sourceOf(row),
    ...(typeof row.r === "number" && typeof row.ours === "number" ? { difference: row.ours - row.r } : {}),
    ...(row.r === undefined ? {} : { agreesWithR: agreesWithR(row) }),
    ...(printed === undefined ? {} : { agreesWithPrint: printed }),
  };
}

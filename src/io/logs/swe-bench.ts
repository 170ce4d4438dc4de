/** SWE-bench's results: which instances a system resolved, as 0 or 1 for each.
 *    a run's report        {"submitted_ids": […], "resolved_ids": […], "unresolved_ids": […], "error_ids": […], "empty_patch_ids": […],
 *                           "incomplete_ids": […], "total_instances": 500}
 *    a submission          results.json: {"resolved": […], "no_generation": […], "no_logs": […]}; earlier ones list "generated" and more
 *    single instances      per_instance_details.json, report.json: {instance: {"resolved": true, …}}
 *  Items are the instances that a report says were submitted; what it calls incomplete got no prediction and has no score. A submission
 *  lists no unresolved instances: they are those that another file of the comparison names, and those of the benchmark that none names
 *  where the folder says which benchmark it is (lite 300, verified 500, test 2,294).
 *  Reference: SWE-bench/SWE-bench, the module swebench.harness.reporting; SWE-bench/experiments, README. */

import type { Imported } from "../../data/imported.ts";
import { warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { listNames } from "../../result/quote.ts";
import { countOf } from "../detect.ts";
import { asArray, asText, getPath, hasKeys, isObject } from "../json/value.ts";
import type { Opened } from "../open.ts";
import { namesByPath } from "./lines.ts";
import { type LongRow, makeLongTable } from "./long-table.ts";

const RESOLVED = "resolved";
/** Files and folders that every submission has. */
const OWN_NAMES = /^(results|report|per_instance_details|evaluation_results)$/i;
/** Instances of the benchmarks, by the folder that SWE-bench/experiments keeps them in. */
const SIZES: ReadonlyMap<string, number> = new Map([
  ["lite", 300],
  ["verified", 500],
  ["test", 2294],
]);
/** Lists of a submission whose instances count as not resolved. */
const SUBMISSION_LISTS = [
  "no_generation",
  "no_logs",
  "generated",
  "with_logs",
  "install_fail",
  "reset_failed",
  "no_apply",
  "applied",
  "test_errored",
  "test_timeout",
];

interface Outcome {
  readonly file: string;
  readonly resolved: ReadonlySet<string>;
  /** Instances that the file names, with or without success. */
  readonly named: readonly string[];
  /** Whether `named` are all instances of the run. */
  readonly complete: boolean;
  /** Instances without a prediction, which the report leaves out. */
  readonly incomplete: number;
}

export function importSweBench(opened: readonly Opened[]): Imported {
  const outcomes = opened.flatMap(readOutcome);
  const files = outcomes.map(({ file }) => file);
  const systems = nameSystems(outcomes);
  const partial = outcomes.filter(({ complete }) => !complete);
  const size = partial.length === 0 ? undefined : sizeByFolder(files);
  refuseOneSided(outcomes, size);
  const listed = [...new Set(outcomes.flatMap(({ named }) => named))];
  // the instances of the benchmark that no file names: nobody resolved them
  const unnamed = Array.from({ length: Math.max(0, (size ?? 0) - listed.length) }, (_, i) => `not listed ${i + 1}`);
  const rows = outcomes.flatMap(({ resolved, named, complete }, k) =>
    (complete ? named : [...listed, ...unnamed]).map(
      (item): LongRow => ({
        system: systems[k]!,
        item,
        scores: new Map([[RESOLVED, Number(resolved.has(item))]]),
      }),
    ),
  );
  const incomplete = outcomes.filter((outcome) => outcome.incomplete > 0);
  return makeLongTable(rows, {
    format: "swe-bench",
    files,
    summary: `SWE-bench results of ${countOf(outcomes.length, "run")} on ${countOf(listed.length + unnamed.length, "instance")}.`,
    higherIsBetter: new Map([[RESOLVED, true]]),
    mainMetrics: [RESOLVED],
    assumptions: [
      ...(partial.length < outcomes.length
        ? [
            "resolved is counted over the instances that a report says were submitted; errors and empty patches are not resolved.",
          ]
        : []),
      ...(size === undefined
        ? []
        : [
            `resolved is counted over the ${size} instances of the benchmark that the folder names; ${unnamed.length} of them stand in no list and nobody resolved them.`,
          ]),
      ...incomplete.map(
        (own) =>
          `${own.file}: ${countOf(own.incomplete, "instance")} of the data set had no prediction and ${own.incomplete === 1 ? "is" : "are"} not counted.`,
      ),
    ],
    diagnostics:
      partial.length > 0 && size === undefined
        ? [
            warning(
              "UnlistedInstances",
              `${listNames(partial.map(({ file }) => file))}: the file lists what was resolved and not what was tried, so resolved is counted over the ${listed.length} instances that some file names. Proportions are too high; which system resolves more is not affected.`,
              "Give the files with their folder (verified/NAME/results/results.json), or the reports of the runs, which list every instance.",
            ),
          ]
        : [],
  });
}

function readOutcome(opened: Opened): Outcome[] {
  if (opened.kind !== "json" || !isObject(opened.value)) return [];
  // counts by repository or year beside the lists
  if (Object.values(opened.value).every((part) => hasKeys(part, "resolved", "total"))) return [];
  const { value } = opened;
  const file = opened.file.name;
  const ids = (name: string): string[] => asArray(value[name]).flatMap((id) => asText(id) ?? []);
  if (Array.isArray(value["resolved_ids"])) {
    const tried = ["submitted_ids", "resolved_ids", "unresolved_ids", "error_ids", "empty_patch_ids"].flatMap(ids);
    const incomplete = new Set(ids("incomplete_ids")).size;
    return [{ file, resolved: new Set(ids("resolved_ids")), named: [...new Set(tried)], complete: true, incomplete }];
  }
  if (Array.isArray(value[RESOLVED])) {
    const named = [...new Set([RESOLVED, ...SUBMISSION_LISTS].flatMap(ids))];
    // earlier submissions name every instance that got a patch
    const complete = Array.isArray(value["generated"]) && ids("generated").length > 0;
    return [{ file, resolved: new Set(ids(RESOLVED)), named, complete, incomplete: 0 }];
  }
  const named = Object.keys(value);
  const resolved = new Set(named.filter((id) => getPath(value, id, RESOLVED) === true));
  return [{ file, resolved, named, complete: true, incomplete: 0 }];
}

/** One file a run; report.json of single instances of one run lie in folders of their own under it. */
function nameSystems(outcomes: readonly Outcome[]): readonly string[] {
  const instances = new Set(outcomes.flatMap(({ named }) => named));
  const paths = outcomes.map(({ file }) =>
    file
      .split(/[/\\]/)
      .filter((part) => !instances.has(part))
      .join("/"),
  );
  return namesByPath(paths, OWN_NAMES);
}

/** verified/NAME/results/results.json */
function sizeByFolder(files: readonly string[]): number | undefined {
  const sizes = new Set(files.map((file) => SIZES.get(file.split(/[/\\]/).at(-4) ?? "")));
  const [only] = sizes;
  return sizes.size === 1 ? only : undefined;
}

/** A list of what was resolved, alone and without its benchmark, says nothing of a rate. */
function refuseOneSided(outcomes: readonly Outcome[], size: number | undefined): void {
  const [first] = outcomes;
  if (first === undefined || size !== undefined || outcomes.some(({ complete }) => complete)) return;
  if (outcomes.length > 1) return;
  throw new StatError(
    "UnlistedInstances",
    `${first.file} lists ${first.resolved.size} resolved instances and not those that were tried: no rate follows from it.`,
    "Give it with its folder (verified/NAME/results/results.json), with the results.json of another system, or give the run's report.",
  );
}

/** A simulation as a job array: submitted to Slurm and followed, or printed to be submitted by hand. Each task runs the command itself with
 *  its `--shard`, so that experiments with and without an effect, and all points of a grid, are drawn by one array. */
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import type { Job } from "kubernetes-types/batch/v1.js";
import { stringify } from "yaml";
import { GOSSET_VERSION, StatError } from "../index.ts";
import { parseCount } from "../questions.ts";
import { followSlurm, MOST_SLURM_SHARDS, type SlurmJob, writeSlurmScript } from "../run/slurm.ts";
import { type FolderJournal, surveyRunner } from "../runners.ts";
import { quoteShell } from "../text.ts";
import type { Context } from "./context.ts";
import { hashText } from "./files.ts";
import { computingWords } from "./flags.ts";
import { programName } from "./help.ts";
import { nothingDrawn, type Simulation, type SimulationOptions } from "./ways.ts";

/** Enough to keep a small partition busy; each task costs the start of the program. */
const USUAL_SHARDS = 64;
const MOST_SHARDS = 100_000;

interface Plan {
  /** The words that decide what is computed. */
  readonly words: readonly string[];
  readonly name: string;
  readonly shards: number;
  readonly cpus: number;
  readonly minutes: number | undefined;
}

async function makePlan(
  options: SimulationOptions,
  { run }: Simulation,
  { journal, most }: { readonly journal: FolderJournal; readonly most: number },
): Promise<Plan> {
  const survey = surveyRunner(journal);
  await run({ runner: survey });
  if (survey.pieces === 0) throw nothingDrawn(options.on === undefined ? "--print-job" : "--on");
  const asked = options.shards === undefined ? USUAL_SHARDS : parseCount(options.shards, "--shards");
  if (asked > most) {
    throw new StatError("BadOption", `--shards ${asked}: more tasks than a job array holds.`, `Give at most ${most}.`);
  }
  const shards = Math.min(asked, survey.longest);
  const where = options.on === undefined ? options.journal! : [process.cwd(), resolve(options.journal!)];
  const words = computingWords(process.argv.slice(2));
  if (words.includes("-")) {
    throw new StatError(
      "BadOption",
      "standard input cannot be shared out.",
      "Put the data into a file that every task reads.",
    );
  }
  return {
    words,
    shards,
    // the same command again finds its tasks by this name
    name: `gosset-${hashText(JSON.stringify([where, words, shards])).slice(0, 10)}`,
    cpus: options.workers === undefined ? 1 : Number(options.workers),
    minutes: options.maxTime === undefined ? undefined : parseMinutes(options.maxTime),
  };
}

const MINUTES: Readonly<Record<string, number>> = { "": 1, m: 1, h: 60, d: 1440 };

/** "90m", "4h", "2d"; a bare number is minutes, as Slurm has it. */
export function parseMinutes(text: string): number {
  const [, digits, unit] = /^(\d+)\s*([mhd]?)$/.exec(text.trim()) ?? [];
  const minutes = Number(digits) * MINUTES[unit ?? ""]!;
  if (digits !== undefined && minutes >= 1) return minutes;
  throw new StatError("BadOption", `--max-time ${text}: not a time.`, "Write for example --max-time 90m, 4h or 2d.");
}

const slurmJob = (plan: Plan, options: SimulationOptions, command: readonly string[]): SlurmJob => ({
  name: plan.name,
  shards: plan.shards,
  command: [...command, ...plan.words, "--journal", options.journal!, "--quiet"],
  folder: options.journal!,
  cpus: plan.cpus,
  minutes: plan.minutes,
  partition: options.on?.split(":")[1],
});

/** Ends when the journal holds everything; then the answer is made of it. */
export async function drawOnSlurm(
  context: Context<SimulationOptions>,
  simulation: Simulation,
  journal: FolderJournal,
): Promise<void> {
  const { options, progress } = context;
  const plan = await makePlan(options, simulation, { journal, most: MOST_SLURM_SHARDS });
  mkdirSync(options.journal!, { recursive: true }); // tasks cannot print into a folder that is not there
  let pieces = 0;
  await followSlurm(slurmJob(plan, options, [process.execPath, process.argv[1]!]), {
    signal: context.ended(),
    async missing() {
      const survey = surveyRunner(journal);
      await simulation.run({ runner: survey });
      ({ pieces } = survey);
      const shards = new Set(survey.missing.map(({ index }) => index % plan.shards));
      return { shards: [...shards].sort((a, b) => a - b), pieces: survey.missing.length };
    },
    tell: (words, missing) => progress.update(words, pieces - missing.pieces, pieces),
  });
}

export async function printJob(context: Context<SimulationOptions>, simulation: Simulation): Promise<void> {
  const { options } = context;
  const kind = options.printJob!;
  const plan = await makePlan(options, simulation, {
    journal: context.journal(options.journal!),
    most: kind === "slurm" ? MOST_SLURM_SHARDS : MOST_SHARDS,
  });
  const merge = [programName(), ...[...plan.words, "--journal", options.journal!].map(quoteShell)].join(" ");
  const text = kind === "slurm" ? slurmText(plan, options, merge) : kubernetesText(plan, options, merge);
  context.progress.end();
  process.stdout.write(text);
}

function slurmText(plan: Plan, options: SimulationOptions, merge: string): string {
  const submit = `Submit:  mkdir -p ${quoteShell(options.journal!)} && sbatch <this file>      (run it again to redo lost tasks; finished pieces are kept)`;
  return writeSlurmScript(slurmJob(plan, options, programName().split(" ")), [submit, `Answer:  ${merge}`]);
}

/** Memory of a task: the library and a fit; see the sizing page. */
const MEMORY = "512Mi";

/** An Indexed Job: Kubernetes runs each index until it has ended well, and tells it its number. */
function kubernetesJob({ words, name, shards, cpus, minutes }: Plan, journal: string): object {
  const security = {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    runAsNonRoot: true,
    capabilities: { drop: ["ALL"] },
  };
  const job = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name },
    spec: {
      completionMode: "Indexed",
      completions: shards,
      parallelism: shards,
      backoffLimit: 6 * shards,
      ...(minutes === undefined ? {} : { activeDeadlineSeconds: 60 * minutes }),
      template: {
        spec: {
          restartPolicy: "OnFailure",
          terminationGracePeriodSeconds: 60,
          containers: [
            {
              name: "gosset",
              image: `gosset:${GOSSET_VERSION}`,
              args: [...words, "--journal", journal, "--shard", `/${shards}`, "--workers", String(cpus), "--quiet"],
              resources: { requests: { cpu: String(cpus), memory: MEMORY }, limits: { memory: "1Gi" } },
              securityContext: security,
              volumeMounts: [{ name: "journal", mountPath: journal }],
            },
          ],
          volumes: [{ name: "journal", persistentVolumeClaim: { claimName: "gosset-journal" } }],
        },
      },
    },
  } satisfies Job;
  return job;
}

function kubernetesText(plan: Plan, { journal }: SimulationOptions, merge: string): string {
  if (!journal!.startsWith("/") || journal === "/") {
    throw new StatError(
      "BadOption",
      `--journal ${journal}: in a pod it is a mounted volume.`,
      "Name the absolute path where it is mounted: --journal /journal.",
    );
  }
  return [
    "# Submit:  kubectl apply -f <this file>      (set your image and volume claim; the claim must be ReadWriteMany)",
    `# Answer:  ${merge}      (where the volume is mounted; --partial for an answer from finished pieces)`,
    stringify(kubernetesJob(plan, journal!), { lineWidth: 0 }),
  ].join("\n");
}

/** A real Slurm of three nodes on this machine: a simulation is shared out, everything is killed once, and the digits are those of one thread. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { program, root } from "./support/cli.ts";
import { endAll, faultsOf, simulationWords, slurmHere, surviveSlurm } from "./support/deaths.ts";
import { installed } from "./support/installed.ts";

const REPLICATES = Number(process.env["SLURM_REPLICATES"] ?? 4000);
const place = { root, program, folder: mkdtempSync(join(tmpdir(), "gosset-slurm-")) };
const slurm = slurmHere(place);
const words = simulationWords(REPLICATES);

describe.skipIf(!installed("slurm"))("Slurm", () => {
  beforeAll(() => slurm.run("start"), 60_000);
  afterAll(() => {
    endAll();
    slurm.run("stop");
    rmSync(place.folder, { recursive: true, force: true });
  }, 60_000);

  it("gives the digits of one thread though task, node, controller and coordinator are killed and a task is cancelled", async () => {
    const survived = await surviveSlurm(place, slurm, { replicates: REPLICATES, limit: 280_000 });
    const direct = spawnSync(process.execPath, [program, ...words, "--workers", "1", "--json"], {
      cwd: root,
      encoding: "utf8",
    });
    expect(faultsOf(survived, direct.stdout, REPLICATES)).toEqual([]);
    expect(survived.stderr).toBe("");
    expect(survived.deaths).toMatch(/^task, cancelled task, slurmd n\d, coordinator, slurmctld$/);
  }, 300_000);

  it("refuses what Slurm refuses, with its reason", () => {
    const other = [...words, "--journal", join(place.folder, "other"), "--on", "slurm:nowhere"];
    const { status, stderr } = spawnSync(process.execPath, [program, ...other], {
      cwd: root,
      env: slurm.environment,
      encoding: "utf8",
    });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^gosset: sbatch: .*invalid partition.*\n$/i);
  });
});

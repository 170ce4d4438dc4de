/** Property tests draw the same cases in every run, so that a failure comes back; FC_SEED=… draws others. */
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env["FC_SEED"] ?? 1) });

import { expect, it } from "vitest";
import { makeRng } from "../../src/numeric/rng.ts";
import { judgeBattery, rngBattery } from "./rng.calibration.ts";

/** Chance of a false alarm over the whole battery of one seed. */
const FALSE_ALARM = 0.001;
const SCALE = 16;

it.each(["calibrate-a", "calibrate-b", "calibrate-c"])("the generator passes the long battery at seed %s", (seed) => {
  expect(judgeBattery(rngBattery(makeRng(seed), SCALE), FALSE_ALARM)).toEqual([]);
});

import { describe } from "vitest";
import { checkAreas } from "./check-areas.ts";

describe("the corpus, second half of the areas", () => checkAreas(1));

import { describe } from "vitest";
import { checkAreas } from "./check-areas.ts";

describe("the corpus, first half of the areas", () => checkAreas(0));

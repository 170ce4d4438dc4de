import { describe } from "vitest";
import { compareWithMgcv } from "../../../test/support/gam.ts";

describe("gaussian additive models against mgcv", () => {
  compareWithMgcv(({ input }) => input["family"] === "gaussian" && input["link"] === "identity");
});

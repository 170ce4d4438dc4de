import { describe } from "vitest";
import { compareWithMgcv } from "../../../test/support/gam.ts";

describe("binomial and Poisson additive models, and further links, against mgcv", () => {
  compareWithMgcv(({ input }) => input["family"] !== "gaussian" || input["link"] !== "identity");
});

/** Options of the library in messages are controls on the page. */
import { describe, expect, it } from "vitest";
import { nameControls } from "../web/engine/control-names.ts";

describe("options in messages of the page", () => {
  it("have the names of their controls", () => {
    expect(nameControls("Use option `unscored: wrong`.")).toBe("Use “Missing scores”: wrong.");
    expect(nameControls("Option `metric` names another.")).toBe("“Score” names another.");
  });

  it("have plain words where there is no control, and never code", () => {
    expect(nameControls("give their number: `raters: 3`.")).toBe("give their number: “raters”: 3.");
    expect(nameControls("or raise `perRater`")).toBe("or raise “per rater”");
    expect(nameControls("option `higherIsBetter: false` decides")).toBe("“lower is better” decides");
    expect(nameControls('option ``where: "`a b` > 3"``')).not.toContain("``");
    expect(nameControls("`gate check` says how many")).toBe("gate check says how many");
  });
});

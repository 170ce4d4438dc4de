import { describe, expect, it } from "vitest";
import { sentencesOf } from "./screen.ts";

describe("sentences of a screen", () => {
  it("end where the next begins", () => {
    expect(sentencesOf("Items are matched by id. 3 lack a score. `where` names them.")).toEqual([
      "Items are matched by id.",
      "3 lack a score.",
      "`where` names them.",
    ]);
  });

  it("do not end after a title, an initial or the point of a number", () => {
    for (const text of [
      "Dr. Who v2 is a system.",
      "The rater is J. Doe, who saw all items.",
      "Baseline: Mrs. Smith against Prof. Jones by 2.5 points.",
    ])
      expect(sentencesOf(text)).toEqual([text]);
  });
});

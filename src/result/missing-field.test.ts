/** Stored results of other versions: the field that they lack is named, and only that. */
import { describe, expect, it } from "vitest";
import { missingField } from "./missing-field.ts";
import { readStored } from "./stored.ts";

interface Stored {
  readonly kind: string;
  readonly version?: string;
  readonly name?: string;
  readonly pairs?: readonly { readonly a: string; readonly ci?: { readonly level: number }; readonly note?: string }[];
}

const told = ({ pairs }: Stored): string[] =>
  pairs!.map(({ a, ci, note }) => `${a} ${ci!.level}${note === undefined ? "" : `, ${note}`}`);

describe("the field that a reader asked for in vain", () => {
  it("is the one that stops the reading, not one that may be absent", () => {
    expect(missingField<Stored>({ kind: "k" }, told)).toBe("pairs");
    expect(missingField<Stored>({ kind: "k", pairs: [{ a: "x", ci: { level: 0.95 } }, { a: "y" }] }, told)).toBe(
      "pairs[].ci",
    );
  });

  it("is the one that a text would miss", () => {
    expect(missingField<Stored>({ kind: "k" }, ({ name }) => ({ title: `Scores of ${name}` }))).toBe("name");
  });

  it("is none where the reading ends well, or where what is there is wrong", () => {
    expect(missingField<Stored>({ kind: "k", pairs: [{ a: "x", ci: { level: 0.9 } }] }, told)).toBeUndefined();
    expect(missingField<Stored>({ kind: "k", pairs: 3 as never }, told)).toBeUndefined();
  });
});

describe("reading what is stored", () => {
  it("says what lacks, who made it and what to do", () => {
    const old = { kind: "comparison", version: "0.0.3" };
    expect(() => readStored<Stored, string[]>(old, told)).toThrow(
      /^this stored result \(comparison\) has no field "pairs": it was made by gosset 0\.0\.3, and this is \d/,
    );
  });

  it("lets a system be called undefined", () => {
    const named = { kind: "k", name: "undefined" };
    expect(readStored(named, ({ name }) => [name])).toEqual(["undefined"]);
  });
});

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tables } from "../../../test/support/design.ts";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import { evaluateExpression, filterRows, mutateTable, parseExpression } from "./evaluate.ts";

const oracle = JSON.parse(readFileSync(new URL("../../../oracle/r/design.json", import.meta.url), "utf8")) as {
  evaluated: { text: string; full: (number | null)[]; gaps: (number | null)[] }[];
};

const table = makeTable([
  ["x", numericColumn([1, 2, null, 4])],
  ["claimed", factorColumn(["Y", "N", "Y", null])],
  ["sota", factorColumn(["Y", "Y", "N", "Y"])],
  ["size", factorColumn(["small", "large", "mid", "small"], { levels: ["small", "mid", "large"], ordered: true })],
  ["seed", factorColumn(["1", "2", "10", "1"])],
  ["correct", factorColumn(["true", "false", "true", null])],
  ["__proto__", numericColumn([5, 6, 7, 8])],
  ["my col", numericColumn([0, 1, 0, 1])],
]);

function numbers(text: string, from = table): (number | null)[] {
  const cells = evaluateExpression(parseExpression(text), from, text);
  if (cells.kind !== "numeric") throw new Error("not numeric");
  return Array.from(cells.values, (value) => (Number.isNaN(value) ? null : value));
}

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(StatError);
    return (error as StatError).message;
  }
  throw new Error("no error was thrown");
}

describe.each(["full", "gaps"] as const)("R's values on the %s data", (name) => {
  const data = tables[name];
  it.each(oracle.evaluated)("$text", (item) => {
    const ours = numbers(item.text, data);
    expect(ours).toHaveLength(item[name].length);
    item[name].forEach((value, i) => {
      if (value === null) expect(ours[i]).toBeNull();
      else expect(Math.abs(ours[i]! - value)).toBeLessThanOrEqual(1e-14 * Math.max(1, Math.abs(value)));
    });
  });
});

describe("expressions", () => {
  it.each<[string, (number | null)[]]>([
    ["x + `my col`", [1, 3, null, 5]],
    ["__proto__ * 2", [10, 12, 14, 16]],
    ["claimed == 'Y'", [1, 0, 1, null]],
    ["claimed == sota", [1, 0, 0, null]],
    ["claimed == 'Y' & sota == 'Y'", [1, 0, 0, null]],
    ["claimed == 'N' | sota == 'Y'", [1, 1, 0, 1]],
    ["size > 'small'", [0, 1, 1, 0]],
    ["'mid' <= size", [0, 1, 1, 0]],
    ["seed == 10", [0, 0, 1, 0]],
    ["seed %in% c(1, 2)", [1, 1, 0, 1]],
    ["correct == TRUE", [1, 0, 1, null]],
    ["!correct", [0, 1, 0, null]],
    ["correct & `my col`", [0, 0, 0, null]],
    ["x == '2'", [0, 1, null, 0]],
    ["x == NA", [null, null, null, null]],
    ["claimed == NA", [null, null, null, null]],
    ["!is.na(claimed) && x > 1", [0, 1, null, 0]],
    ["ifelse(is.na(x), 0, x)", [1, 2, 0, 4]],
    ["as.numeric(seed)", [1, 2, 10, 1]],
    ["as.numeric(size)", [1, 3, 2, 1]],
    ["scale(`my col`, scale = FALSE)", [-0.5, 0.5, -0.5, 0.5]],
    ["center(x) + mean(x) - median(x) + max(x) - min(x)", [2, 3, null, 5]],
    ["sd(`my col`)^2 * 3", [1, 1, 1, 1]],
    ["round(2.5) + round(0.15, 1) + round(-1.5)", [0.1, 0.1, 0.1, 0.1]],
    ["Inf == Inf", [1, 1, 1, 1]],
    ["7 %% -3", [-2, -2, -2, -2]],
  ])("%s", (text, expected) => {
    const ours = numbers(text);
    expected.forEach((value, i) => {
      if (value === null) expect(ours[i]).toBeNull();
      else expect(ours[i]).toBeCloseTo(value, 12);
    });
  });

  it("text chosen by row becomes a sorted factor", () => {
    const cells = evaluateExpression(parseExpression("ifelse(x > 1, 'high', 'a low')"), table);
    expect(cells).toEqual({
      kind: "factor",
      codes: Int32Array.of(0, 1, -1, 1),
      levels: ["a low", "high"],
      ordered: false,
    });
  });

  it("factor() with levels, labels and order", () => {
    const text = "ordered(seed, levels = c(10, 2, 1), labels = c('ten', 'two', 'one'))";
    const cells = evaluateExpression(parseExpression(text), table);
    expect(cells).toEqual({
      kind: "factor",
      codes: Int32Array.of(2, 1, 0, 2),
      levels: ["ten", "two", "one"],
      ordered: true,
    });
  });

  it.each([
    ["claimed + 1", '"+" needs numbers, but is given text or a factor'],
    ["claimed > 'N'", '">" needs an order'],
    ["size > 'huge'", '"huge" is not among the levels small < mid < large'],
    ["size > claimed", "needs the same ordered levels"],
    ["x & sota", "needs a condition"],
    ["x == 'a'", "needs numbers"],
    ["relevel(claimed, ref = 'X')", "is not among the levels"],
    ["factor(seed, levels = c('1', '2'))", 'meets "10" in row 3'],
    ["x %in% sota", '"%in%" needs a list'],
    ["c(1, 2)", "needs numbers"],
    ["cbind(x, x)", "needs numbers, but is given several columns"],
    ["scale(seed == '7')", "divides by zero"],
    ["poly(x, 3)", "needs more than 3 different values"],
    ["poly(x, -1)", "whole number"],
    ["xx + 1", 'no column "xx"'],
    ["T + 1", 'no column "T"'],
    ["a:b", 'no column "a"'],
    ["x:x", "inside an expression"],
    ["log(offset(x))", "stands inside an expression"],
    ["C(claimed, foo)", "is not a contrast"],
    ["round(x, 'a')", "must be a whole number"],
    ["log(x, x)", "must be a constant"],
  ])("%s is refused, with its place", (text, part) => {
    const message = messageOf(() => numbers(text));
    expect(message).toContain(part);
    expect(message).toContain(`\n    ${text}\n`);
  });

  it("a sum of ten thousand parts needs no stack", () => {
    const [first] = numbers(Array.from({ length: 10_000 }, () => "x").join(" + "));
    expect(first).toBe(10_000);
  });
});

describe("filterRows and mutateTable", () => {
  it("keeps the rows for which the condition holds", () => {
    const kept = filterRows(table, "claimed == 'Y' & sota == 'Y'");
    expect(kept.rows).toBe(1);
    expect(filterRows(table, "x > 1").rows).toBe(2);
    expect(filterRows(table, "TRUE").rows).toBe(4);
    expect(filterRows(table, "`my col`").rows).toBe(2);
    expect(filterRows(table, "x > 100").rows).toBe(0);
  });

  it("refuses what is no condition", () => {
    expect(messageOf(() => filterRows(table, "x + 1"))).toContain('the filter "x + 1" needs a condition');
    expect(messageOf(() => filterRows(table, "claimed = 'Y'"))).toContain("expected an operator or the end");
    expect(messageOf(() => filterRows(table, ""))).toContain("expected a column name");
  });

  it("adds and replaces columns", () => {
    const added = mutateTable(mutateTable(table, "gain = __proto__ - x"), "x = x > 1");
    expect(added.columns.get("gain")).toEqual(numericColumn([4, 4, null, 4]));
    expect(added.columns.get("x")).toEqual(numericColumn([0, 1, null, 1]));
    expect([...added.columns.keys()].indexOf("x")).toBe(0);
    expect(mutateTable(table, "`new col` = 'a'").columns.get("new col")).toMatchObject({ levels: ["a"] });
    expect(mutateTable(table, "__proto__ = 1").columns.get("__proto__")).toEqual(numericColumn([1, 1, 1, 1]));
    expect(messageOf(() => mutateTable(table, "gain == 1"))).toContain('expected "name = expression"');
    expect(messageOf(() => mutateTable(table, "gain = "))).toContain("expected a column name");
  });

  it("any text gives a table or a StatError", () => {
    const pieces = fc.constantFrom(
      ..."+ - * / ^ ( ) | & ! == != < > %in% %% , = 0 2 x claimed size seed `my_col` 'a' \"Y\" log( c( ifelse( factor( poly( scale( relevel( C( round( TRUE NA cbind( min( pmin( as.numeric( is.na(".split(
        " ",
      ),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join(" ")),
          // Unclosed calls are rare luck; closing them reaches the evaluation.
          fc.array(pieces, { maxLength: 10 }).map((parts) => {
            const text = parts.join(" ");
            return text + ")".repeat(Math.max(0, text.split("(").length - text.split(")").length));
          }),
        ),
        (text) => {
          for (const run of [() => filterRows(table, text), () => mutateTable(table, `z = ${text}`)]) {
            try {
              run();
            } catch (error) {
              expect(error).toBeInstanceOf(StatError);
            }
          }
        },
      ),
      { numRuns: 4000, seed: 3 },
    );
  });
});

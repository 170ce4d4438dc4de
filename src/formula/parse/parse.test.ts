import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StatError } from "../../result/error.ts";
import type { Formula } from "../term.ts";
import { labelOf, variablesOf } from "./algebra.ts";
import { columnsIn, parseFormula, printFormula, resolveDot } from "./parse.ts";
import { printExpression } from "./print.ts";
import { readExpression } from "./syntax.ts";

interface Labelled {
  readonly formula: string;
  readonly labels: string[];
  readonly intercept: boolean;
}
const oracle = JSON.parse(readFileSync(new URL("../../../oracle/r/design.json", import.meta.url), "utf8")) as {
  fixed: Labelled[];
  randomFixed: Labelled[];
  dots: { formula: string; labels: string[] }[];
  random: { formula: string; bars: string[] }[];
  smooth: {
    formula: string;
    parametric: string[];
    intercept: boolean;
    smooth: { label: string; term: string[]; by: string; bs: string[]; k: number[] }[];
  }[];
  printed: { text: string; deparsed: string }[];
};

function labelsOf(formula: Formula): string[] {
  return formula.fixed.map(labelOf);
}

function errorOf(run: () => unknown): StatError {
  try {
    run();
  } catch (error) {
    if (error instanceof StatError) return error;
    throw error;
  }
  throw new Error("no error was thrown");
}

/** The parts that define a model, without text and positions. */
function essence(formula: Formula): unknown {
  // Printing may change which variable is named first, and with it the order inside a term and among terms of one degree.
  const fixed = formula.fixed.map((term) =>
    variablesOf(term)
      .map(({ label }) => label)
      .sort()
      .join(":"),
  );
  return {
    response: formula.responseLabel,
    fixed: fixed.sort(),
    intercept: formula.intercept,
    random: formula.random.map(({ of, groupLabel, correlated }) => [of.map(labelOf), groupLabel, correlated]),
    smooth: formula.smooth.map(({ label, basis, k, d, by, m, fx, sp, id }) => [label, basis, k, d, by, m, fx, sp, id]),
    offsets: formula.offsets.map(printExpression),
  };
}

describe("R's terms()", () => {
  it.each(oracle.fixed)("$formula", ({ formula, labels, intercept }) => {
    const parsed = parseFormula(formula);
    expect(labelsOf(parsed)).toEqual(labels);
    expect(parsed.intercept).toBe(intercept);
  });

  it("gives R's labels for hundreds of random formulas", () => {
    let refused = 0;
    for (const { formula, labels, intercept } of oracle.randomFixed) {
      let parsed: Formula;
      try {
        parsed = parseFormula(formula);
      } catch (error) {
        // R lets (x - x):b vanish; here an empty side is an error.
        expect((error as StatError).message).toContain("holds no variable");
        refused += 1;
        continue;
      }
      expect([formula, labelsOf(parsed)]).toEqual([formula, labels]);
      expect(parsed.intercept).toBe(intercept);
    }
    expect(refused).toBeLessThan(oracle.randomFixed.length / 10);
  });

  it.each(oracle.dots)("$formula over columns y, x, a, z", ({ formula, labels }) => {
    expect(labelsOf(resolveDot(parseFormula(formula), ["y", "x", "a", "z"]))).toEqual(labels);
  });
});

describe("lme4's bars", () => {
  it.each(oracle.random)("$formula", ({ formula, bars }) => {
    expect(parseFormula(formula).random.map(({ label }) => label)).toEqual(bars);
  });

  it("keeps diag() apart from us() and from ||", () => {
    const { random } = parseFormula("y ~ us(x | g) + diag(1 + f | g) + (f || g)");
    expect(random.map(({ label, correlated, split }) => [label, correlated, split])).toEqual([
      ["x | g", true, false],
      ["1 + f | g", false, false],
      ["1 | g", true, true],
      ["0 + f | g", true, true],
    ]);
  });

  it("nests any depth and any interaction", () => {
    const names = (text: string): string[] => parseFormula(text).random.map(({ groupLabel }) => groupLabel);
    expect(names("y ~ (1 | a/b/c/d)")).toEqual(["d:(c:(b:a))", "c:(b:a)", "b:a", "a"]);
    expect(names("y ~ (1 | a/(b:c))")).toEqual(["(b:c):a", "a"]);
    expect(names("y ~ (1 | a:b/c)")).toEqual(["c:(a:b)", "a:b"]);
    expect(parseFormula("y ~ (1 | a/b/c)").random[0]!.group).toEqual(["c", "b", "a"]);
  });
});

describe("mgcv's smooth terms", () => {
  it.each(oracle.smooth)("$formula", ({ formula, parametric, intercept, smooth }) => {
    const parsed = parseFormula(formula);
    expect(labelsOf(parsed)).toEqual(parametric);
    expect(parsed.intercept).toBe(intercept);
    expect(parsed.smooth.map(({ label, of }) => ({ label, term: of }))).toEqual(
      smooth.map(({ label, term }) => ({ label, term })),
    );
    parsed.smooth.forEach((term, i) => {
      expect(term.by ?? "NA").toBe(smooth[i]!.by);
      expect(term.basis).toEqual(smooth[i]!.bs);
      // mgcv fills in a tensor margin's default of 5; here the basis chooses.
      const k = smooth[i]!.k.map((size, j) => (size === -1 || Number.isNaN(term.k[j]!) ? Number.NaN : size));
      expect(term.k).toEqual(k);
    });
  });

  it("reads every option", () => {
    const [term] = parseFormula(
      "y ~ te(x, z, t, d = c(2, 1), k = c(20, -1), m = c(2, NA), by = g, id = 3, sp = c(.1, 2))",
    ).smooth;
    expect(term).toMatchObject({ d: [2, 1], k: [20, Number.NaN], m: [2, Number.NaN], by: "g", id: "3", sp: [0.1, 2] });
    expect(term!.basis).toEqual(["tp", "cr"]);
  });

  it.each([
    ["y ~ s()", "names no covariate"],
    ["y ~ s(x, x)", "twice"],
    ["y ~ s(x, knots = 4)", 'no option "knots"'],
    ["y ~ s(x, k = 2.5)", "is not a basis size"],
    ["y ~ s(x, k = c(3, 4))", "2 values for 1 margin"],
    ["y ~ s(x, k = n)", "is not a constant"],
    ["y ~ s(x, bs = cr)", "is not a constant"],
    ["y ~ te(x, z, d = c(2, 1))", "does not fit 2 covariate"],
    ["y ~ s(x, by = 2)", "is not a column"],
    ["y ~ s(x, fx = 1)", "TRUE or FALSE"],
    ["y ~ x * s(z)", "only be added"],
    ["y ~ s(.)", '"." inside'],
  ])("%s is refused", (text, part) => {
    expect(errorOf(() => parseFormula(text)).message).toContain(part);
  });
});

describe("R's deparse", () => {
  it.each(oracle.printed)("$text", ({ text, deparsed }) => {
    expect(printExpression(readExpression(text))).toBe(deparsed);
  });
});

describe("errors", () => {
  it.each([
    ["y ~ x +", 8, "FormulaSyntax", "the end of the text"],
    ["y ~ x + * z", 9, "FormulaSyntax", 'found "*"'],
    ["y x", 3, "FormulaSyntax", 'expected "~"'],
    ["y ~ (x + z", 11, "FormulaSyntax", 'expected ")" for the "(" at position 5'],
    ["y ~ x)", 6, "FormulaSyntax", 'found ")"'],
    ["y ~ x z", 7, "FormulaSyntax", 'found "z"'],
    ["y ~ 2x", 5, "FormulaSyntax", "neither a number nor a name"],
    ["y ~ x $ z", 7, "FormulaSyntax", 'unexpected character "$"'],
    ['y ~ I(x == "a)', 12, "FormulaSyntax", "never closed"],
    ["y ~ a < b < c", 11, "FormulaSyntax", "expected an operator or the end"],
    ["y ~ x + 2", 9, "FormulaTerm", "the number 2 is not a term"],
    ["y ~ 1/x", 6, "FormulaTerm", "holds no variable"],
    ["y ~ x^z", 7, "FormulaTerm", "whole number"],
    ["y ~ x | g", 7, "FormulaTerm", "outside of parentheses"],
    ["y ~ x * (1 | g)", 7, "FormulaTerm", "only be added"],
    ["y ~ x - (1 | g)", 7, "FormulaTerm", "only be added"],
    ["y ~ (1 | a + b)", 12, "FormulaRandom", "is not a grouping factor"],
    ["y ~ (0 | g)", 6, "FormulaRandom", "no random effects"],
    ["y ~ (1 | a | b)", 12, "FormulaRandom", "one bar"],
    ["y ~ lgo(x)", 5, "UnknownFunction", '"lgo"'],
    ["y ~ I(foo(x))", 7, "UnknownFunction", '"foo"'],
    ["y ~ log()", 5, "FormulaCall", 'lacks its argument "x"'],
    ["y ~ poly(x, 2, 3, 4)", 5, "FormulaCall", "4 arguments"],
    ["y ~ relevel(x, rf = 'b')", 5, "FormulaCall", '"rf"'],
    ["y ~ x - offset(z)", 9, "FormulaTerm", "cannot be removed"],
    ["y ~ x + y", 7, "FormulaTerm", "also stands on the right"],
    ["1 ~ x", 1, "FormulaResponse", "does not name a column"],
    ["y ~ 'x'", 5, "FormulaTerm", "is not a term"],
    ["y ~ log(.)", 9, "FormulaTerm", '"." inside'],
    ["y ~ s(x", 8, "FormulaSyntax", 'expected ")"'],
    ["", 1, "FormulaSyntax", "the end of the text"],
  ])("%j points to position %i", (text, position, code, part) => {
    const error = errorOf(() => parseFormula(text));
    expect(error.code).toBe(code);
    expect(error.message).toContain(part);
    expect(error.fix.length).toBeGreaterThan(8);
    if (text === "") return;
    const [, line, caret] = error.message.split("\n");
    expect(error.message).toContain(`(position ${position})`);
    expect(line).toBe(`    ${text}`);
    expect(caret).toBe(`${" ".repeat(4 + position - 1)}^`);
  });

  it("prints the fault, the text, a caret and a way out", () => {
    expect(errorOf(() => parseFormula("score ~ system + lgo(len)")).toString()).toBe(
      [
        'UnknownFunction: no function "lgo" can be used here (position 18).',
        "    score ~ system + lgo(len)",
        "                     ^",
        "  Fix: did you mean log()? Otherwise compute the column first.",
      ].join("\n"),
    );
  });

  it("offers the spelled-out terms for (1 | a*b)", () => {
    expect(errorOf(() => parseFormula("y ~ (1 | a*b)")).fix).toBe("write (1 | a) + (1 | b) + (1 | a:b).");
  });

  it("shows only the neighbourhood in a long text", () => {
    const text = `y ~ ${Array.from({ length: 100 }, (_, i) => `x${i}`).join(" + ")} + @ + z`;
    const [, line, caret] = errorOf(() => parseFormula(text)).message.split("\n");
    expect(line!.length).toBeLessThan(90);
    expect(line![caret!.indexOf("^")]).toBe("@");
  });
});

describe("limits", () => {
  it("takes ten thousand terms, and as many operators of one kind", () => {
    const names = Array.from({ length: 10_000 }, (_, i) => `x${i}`);
    expect(parseFormula(`y ~ ${names.join(" + ")}`).fixed).toHaveLength(10_000);
    expect(parseFormula(`y ~ ${names.slice(0, 100).join(":")}`).fixed).toHaveLength(1);
    expect(parseFormula(`y ~ a${":a".repeat(10_000)}`).fixed).toHaveLength(1);
    expect(parseFormula(`y ~ (1 | ${names.slice(0, 5000).join(":")})`).random[0]!.group).toHaveLength(5000);
    expect(columnsIn(readExpression(names.join(" - ")))).toHaveLength(10_000);
  });

  it.each([
    ["powers", `y ~ (${Array.from({ length: 40 }, (_, i) => `x${i}`).join(" + ")})^9`],
    ["interactions", `y ~ ${Array.from({ length: 101 }, (_, i) => `x${i}`).join(":")}`],
    ["products", `y ~ ${Array.from({ length: 30 }, (_, i) => `x${i}`).join(" * ")}`],
    [
      "products of powers",
      "y ~ (a+b+c+d+e+f+g+h+i+j+k+l)^6 * (a+b+c+d+e+f+g+h+i+j+k+l)^6 * (a+b+c+d+e+f+g+h+i+j+k+l)^6",
    ],
  ])("%s that explode are refused", (_, text) => {
    expect(errorOf(() => parseFormula(text)).code).toBe("FormulaTooLarge");
  });

  it("a huge power of few terms is no explosion", () => {
    expect(labelsOf(parseFormula("y ~ (a + b)^1000000000"))).toEqual(["a", "b", "a:b"]);
  });

  it.each([
    ["(", "(".repeat(50_000)],
    ["minus signs", `y ~ ${"-".repeat(50_000)}x`],
    ["not", `y ~ ${"!".repeat(50_000)}x`],
    ["towers", `y ~ I(${"x^".repeat(20_000)}x)`],
    ["calls", `y ~ ${"log(".repeat(10_000)}`],
  ])("nesting of %s is refused", (_, text) => {
    expect(["FormulaTooDeep", "FormulaSyntax"]).toContain(errorOf(() => parseFormula(text)).code);
  });

  it("refuses text beyond its length", () => {
    expect(errorOf(() => parseFormula(`y ~ ${"x".repeat(200_000)}`)).code).toBe("FormulaTooLong");
  });
});

describe("names", () => {
  it.each([
    "__proto__",
    "constructor",
    "if",
    "T",
    "F",
    "toString",
    "prototype",
    "in",
    "hasOwnProperty",
    "é",
    "变量",
    "x.1",
    ".y",
    "_z",
  ])("%s is a plain name", (name) => {
    const formula = parseFormula(`y ~ ${name} + ${name}:z + log(${name}) + (${name} | ${name}) + s(${name})`);
    const [first, , last] = formula.fixed;
    expect(first).toMatchObject({ kind: "variable", name });
    expect(last).toMatchObject({ kind: "interaction", of: [{ name }, { name: "z" }] });
    expect(formula.random[0]!.group).toEqual([name]);
    expect(formula.smooth[0]!.of).toEqual([name]);
  });

  it("backticks take any name, as text or as part of one", () => {
    const formula = parseFormula("`my y` ~ `a b` * `TRUE` + `x\\`y`");
    expect(columnsIn(formula.response!)).toEqual(["my y"]);
    expect(formula.fixed.map((term) => (term.kind === "variable" ? term.name : ""))).toEqual([
      "a b",
      "TRUE",
      "x`y",
      "",
    ]);
    expect(labelsOf(formula)).toEqual(["`a b`", "`TRUE`", "`x\\`y`", "`a b`:`TRUE`"]);
  });
});

// ---- properties ----

const variable = fc.constantFrom(
  "a",
  "b",
  "c",
  "`my col`",
  "log(a)",
  "I(b^2)",
  "factor(c)",
  "(a > 3)",
  "poly(b, 2)",
  "if",
);
const algebra = fc.letrec<{ term: string }>((tie) => ({
  term: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    variable,
    fc
      .tuple(tie("term"), fc.constantFrom(" + ", " - ", ":", " * ", "/", " %in% "), tie("term"))
      .map(([left, op, right]) => `(${left})${op}(${right})`),
    fc.tuple(tie("term"), fc.integer({ min: 1, max: 3 })).map(([term, power]) => `(${term})^${power}`),
  ),
})).term;
const special = fc.constantFrom(
  "(1 | g)",
  "(1 + a | g)",
  "(a * b || g)",
  "(a > 3 || g)",
  "diag(0 + a | g:h)",
  "us(a | g)",
  "(1 | g/h/k)",
  "(a - 1 | `my g`)",
  "s(a)",
  's(a, b, k = 12, bs = "tp")',
  "te(a, b, k = c(3, 4), by = c)",
  's(g, bs = "re", id = "x", sp = 0.5)',
  "offset(log(c))",
);
const anyFormula = fc
  .tuple(
    fc.constantFrom("y", "log(y)", "cbind(s, f)", "", "`my y`", "y > 2"),
    fc.constantFrom("", "0 + ", "-1 + ", "1 + "),
    algebra,
    fc.array(special, { maxLength: 3 }),
  )
  .map(([response, intercept, terms, specials]) => `${response} ~ ${intercept}${[terms, ...specials].join(" + ")}`);

describe("properties", () => {
  it("a formula prints to text that parses to the same formula", () => {
    let parsed = 0;
    fc.assert(
      fc.property(anyFormula, (text) => {
        let formula: Formula;
        try {
          formula = parseFormula(text);
        } catch (error) {
          expect((error as StatError).message).toMatch(/holds no variable|more than 20000/);
          return;
        }
        parsed += 1;
        expect(essence(parseFormula(printFormula(formula)))).toEqual(essence(formula));
      }),
      { numRuns: 500, seed: 7 },
    );
    expect(parsed).toBeGreaterThan(350);
  });

  const pieces = fc.constantFrom(
    ..."~ + - * / : ^ ( ) | || & && ! == != < <= > >= %in% %% %/% , = . 0 1 2 1e-3 a b `x y` 'a' \" ` % log( I( s( te( k= cbind( offset( diag( us( poly( TRUE NA 1L \\ \n \t".split(
      " ",
    ),
    " ",
    "\u0000",
    "\u{1F600}",
    "\ud800",
  );
  const anyText = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join("")),
    fc.array(pieces, { maxLength: 40 }).map((parts) => `y ~ ${parts.join(" ")}`),
  );

  it("any text gives a formula or a StatError", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        try {
          expect(typeof printFormula(parseFormula(text))).toBe("string");
        } catch (error) {
          expect(error).toBeInstanceOf(StatError);
          expect((error as StatError).fix).not.toBe("");
        }
      }),
      { numRuns: 4000, seed: 11 },
    );
  });
});

/** Functions that make or change factors: factor, ordered, as.factor, as.numeric, relevel, C.
 *  Oracle: R, oracle/r/design.json. */
import { asNumeric, type FactorColumn } from "../../data/table.ts";
import { nearest } from "../../result/suggest.ts";
import { codeOnto, findUsed } from "../coding.ts";
import { printExpression } from "../parse/print.ts";
import type { Contrast } from "../term.ts";
import { argumentConstant, type Call, constantsIn, fail, remember } from "./call.ts";
import { spread, toFactor, toNumbers, type Value } from "./value.ts";

const CONTRASTS: readonly Contrast[] = ["treatment", "sum", "helmert", "poly"];

/** factor(x), ordered(x), with levels and labels; without them, the levels that occurred when the schema was learned. */
export function makeFactor(running: Call): Value {
  const { fn } = running.call;
  const value = toFactor(spread(running.evaluate(running.args[0]!), running.rows), `${fn}()`, running.place);
  const keep = (fn === "as.factor" || fn === "as.ordered") && value.ordered === (fn === "as.ordered");
  const given = constantsIn(running, 1)?.map(String);
  const state = remember(running, "levels", () => {
    const used = findUsed(value);
    const levels = given ?? (keep ? value.levels : value.levels.filter((_, code) => used[code] === 1));
    const ordered = fn.includes("ordered") || value.ordered || argumentConstant(running, 3) === true;
    return { kind: "levels", levels, ordered };
  });
  const coded = codeOnto(value, state.levels);
  if (given !== undefined && coded.levels.length > given.length) {
    const row = coded.codes.findIndex((code) => code >= given.length) + 1;
    const text = `${printExpression(running.call)} meets "${coded.levels[given.length]!}" in row ${row}`;
    throw fail(running, `${text}, which is none of its levels.`, "list every level, or filter the rows first.");
  }
  const labels = constantsIn(running, 2)?.map(String);
  if (labels === undefined) return { ...coded, ordered: state.ordered };
  if (labels.length === state.levels.length && new Set(labels).size === labels.length) {
    return { ...coded, levels: labels, ordered: state.ordered };
  }
  const message = `${labels.length} labels for ${state.levels.length} levels in ${printExpression(running.call)}.`;
  throw fail(running, message, "give one distinct label per level.");
}

/** Text that spells numbers becomes those numbers; other ordered levels their ranks. */
export function makeNumeric(running: Call): Value {
  const value = spread(running.evaluate(running.args[0]!), running.rows);
  if (value.kind !== "factor") return { kind: "numeric", values: toNumbers(value, "as.numeric()", running.place).data };
  const spelled = value.levels.every((level) => level.trim() !== "" && !Number.isNaN(Number(level)));
  if (!value.ordered || spelled) return asNumeric(value, printExpression(running.args[0]!));
  return { kind: "numeric", values: Float64Array.from(value.codes, (code) => (code < 0 ? Number.NaN : code + 1)) };
}

export function putReferenceFirst(running: Call): Value {
  const value = toFactor(running.evaluate(running.args[0]!), "relevel()", running.place);
  const reference = String(argumentConstant(running, 1));
  if (value.ordered) throw fail(running, "relevel() of an ordered factor.", "list its levels in the wanted order.");
  if (!value.levels.includes(reference)) {
    const near = nearest(reference, [...value.levels]);
    throw fail(
      running,
      `the reference "${reference}" is not among the levels (${value.levels.slice(0, 12).join(", ")}).`,
      near === undefined ? "name one of the levels." : `did you mean "${near}"?`,
    );
  }
  return { ...codeOnto(value, [reference, ...value.levels.filter((level) => level !== reference)]), ordered: false };
}

export function chooseContrast(running: Call): Value {
  const value = toFactor(running.evaluate(running.args[0]!), "C()", running.place);
  const named = running.args[1]!;
  const text = named.kind === "variable" ? named.name : named.kind === "string" ? named.value : "";
  const contrast = CONTRASTS.find((name) => name === text.replace(/^contr\./, ""));
  if (contrast !== undefined) return { ...(value as FactorColumn), contrast };
  throw fail(running, `"${printExpression(named)}" is not a contrast.`, `use ${CONTRASTS.join(", ")}.`);
}

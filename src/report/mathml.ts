/** Equations as MathML, from short words: `y = X β + Z u + e` with _ and ^ for indices. Enough for the formulas of the method texts. */
import { escapeHtml } from "../result/render/html.ts";

/** Tokens are parted by spaces; `a_b^c` has an index and an exponent; `sum_i`, `frac(a,b)` and `bar(d)` are what they say;
 *  "," parts equations, ";" is the comma within one. */
export function equation(text: string): string {
  return `<math display="block"><mrow>${text.split(" ").map(token).join("")}</mrow></math>`;
}

function token(word: string): string {
  const fraction = /^frac\((.*),([^,]*)\)$/.exec(word);
  if (fraction !== null) return `<mfrac><mrow>${parts(fraction[1]!)}</mrow><mrow>${parts(fraction[2]!)}</mrow></mfrac>`;
  const bar = /^bar\((.*)\)$/.exec(word);
  if (bar !== null) return `<mover accent="true"><mrow>${parts(bar[1]!)}</mrow><mo>¯</mo></mover>`;
  if (word === ";") return "<mo>,</mo>";
  if (word === ",") return '<mo>,</mo><mspace width="1em"/>';
  const scripts = /^([^_^]+)(?:_([^^]+))?(?:\^(.+))?$/.exec(word);
  if (scripts === null) return symbol(word);
  const [, base = "", lower, upper] = scripts;
  const own = base === "sum" ? "<mo>∑</mo>" : symbol(base);
  if (lower !== undefined && upper !== undefined)
    return `<msubsup>${own}<mrow>${parts(lower)}</mrow><mrow>${parts(upper)}</mrow></msubsup>`;
  if (lower !== undefined) return `<msub>${own}<mrow>${parts(lower)}</mrow></msub>`;
  if (upper !== undefined) return `<msup>${own}<mrow>${parts(upper)}</mrow></msup>`;
  return own;
}

const parts = (text: string): string => text.split("|").map(token).join("");

function symbol(text: string): string {
  if (/^[\d.]+$/.test(text)) return `<mn>${text}</mn>`;
  if (/^[=+−~≤≥<>()/·∈]$/.test(text)) return `<mo>${escapeHtml(text)}</mo>`;
  return `<mi>${escapeHtml(text)}</mi>`;
}

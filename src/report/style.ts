/** The style sheet of a report: the tokens that its pictures have, and rules for text, tables and print. One string, nothing from elsewhere. */
import { markCss } from "../plot/draw/style.ts";
import { BANDS, DARK, LIGHT, SANS, tokenCss } from "../plot/draw/tokens.ts";

const MONO = 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace';

const SIZES = `--sans:${SANS};--mono:${MONO};
--f-12:12px/16px var(--sans);--f-13:13px/18px var(--sans);--f-15:15px/22px var(--sans);--f-18:18px/26px var(--sans);--f-32:32px/38px var(--sans);--f-code:12.5px/19px var(--mono);
--warn:#8a5800;--warn-wash:#fdf4e0;--warn-line:#d9a441`;
const DARK_WARN = "--warn:#f0bd62;--warn-wash:#2e2415;--warn-line:#8f6a22";

const BASE = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:var(--f-15);font-variant-numeric:tabular-nums lining-nums;overflow-wrap:break-word}
h1,h2,h3,p,ul,ol,dl,dd,figure,table,pre{margin:0;padding:0}
h2{font:var(--f-18);font-weight:600;margin-bottom:12px}h3{font:var(--f-15);font-weight:600}
ul,ol{list-style:none}
a{color:inherit;text-decoration:underline;text-underline-offset:3px;text-decoration-color:var(--line-2)}
code,pre{font:var(--f-code)}pre{white-space:pre-wrap;overflow-wrap:anywhere}.flag{white-space:nowrap}
:focus-visible{outline:2px solid var(--ink);outline-offset:2px}
.sheet{max-width:820px;margin:0 auto;padding:48px 24px 72px}
.masthead{display:flex;flex-wrap:wrap;justify-content:space-between;gap:4px 24px;font:var(--f-12);color:var(--ink-3);padding-bottom:12px;border-bottom:1px solid var(--line)}
.verdict{padding:32px 0 24px}
.tag{display:inline-flex;align-items:center;gap:10px;font:var(--f-13);font-weight:700;letter-spacing:.06em}
.tag svg{width:36px;height:20px;flex:none}
.verdict h1{font:var(--f-32);font-weight:600;letter-spacing:-.018em;margin-top:8px;text-wrap:balance;overflow-wrap:anywhere}
.lead{font:var(--f-18);color:var(--ink-2);max-width:68ch;margin-top:12px}
.block{padding:32px 0;border-top:1px solid var(--line)}
.two{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:32px 48px}
.chart+.chart{margin-top:40px}
.chart figcaption{font:var(--f-15);font-weight:600;margin-bottom:4px}
.chart>p{font:var(--f-13);color:var(--ink-2);margin-bottom:12px}
.chart>.src{font:var(--f-12);color:var(--ink-3);margin:8px 0 0}
.gp{display:block;max-width:100%;height:auto}
.narrow{display:none}
.scroll{overflow-x:auto}.scroll+.scroll{margin-top:24px}
table{border-collapse:collapse;width:100%;font:var(--f-13)}
th{text-align:left;font:var(--f-12);color:var(--ink-3);vertical-align:bottom;padding:0 16px 6px 0;border-bottom:1px solid var(--line-2)}
tbody th{font:var(--f-13);color:var(--ink);min-width:8em;vertical-align:middle;padding:8px 16px 8px 0;border-bottom:1px solid var(--line)}
td{padding:8px 16px 8px 0;border-bottom:1px solid var(--line)}
thead td{padding:0 16px 6px 0;border-bottom:1px solid var(--line-2)}
th:last-child,td:last-child{padding-right:0}
.num{text-align:right;white-space:nowrap}.long{min-width:14em}
caption{caption-side:top;text-align:left;font:var(--f-13);font-weight:600;padding-bottom:8px}
caption span{display:block;position:sticky;left:0;max-width:calc(100vw - 32px)}
.bullets li{padding-left:16px;position:relative;font:var(--f-13);line-height:20px;color:var(--ink-2)}
.bullets li::before{content:"";position:absolute;left:0;top:9px;width:6px;border-top:1px solid var(--line-2)}
.bullets li+li{margin-top:6px}
.warning{padding:12px 16px;background:var(--warn-wash);border-left:3px solid var(--warn-line);font:var(--f-13);line-height:20px}
.warning+.warning,.warning+.note,.note+.note,.note+.warning{margin-top:8px}
.note{padding-left:16px;border-left:1px solid var(--line);font:var(--f-13);line-height:20px;color:var(--ink-2)}
.measure{max-width:68ch}.measure+.measure,.eq+p{margin-top:12px}
.eq{margin:12px 0;overflow-x:auto}math{font-size:1.06em}
.copy{background:var(--tint);padding:12px 16px;margin-top:12px}
.defs{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:6px 16px;font:var(--f-13);margin-top:16px}
.defs dt{color:var(--ink-3)}.defs dd{overflow-wrap:anywhere}
.refs li{font:var(--f-13);color:var(--ink-2);padding-left:1.9em;text-indent:-1.9em}.refs li+li{margin-top:6px}
.item+.item{margin-top:20px}.question{font:var(--f-13);color:var(--ink-3);margin:4px 0 8px;max-width:80ch}.bullets+.question{margin-top:8px}
.contents li{font:var(--f-15)}.contents li+li{margin-top:6px}
.part{border-top:2px solid var(--ink);margin-top:48px}
.v-better{color:var(--better)}.v-worse{color:var(--worse)}.v-equivalent{color:var(--equivalent)}.v-inconclusive{color:var(--inconclusive)}.v-higher,.v-lower{color:var(--directed)}
@media (max-width:639px){:root{--f-32:25px/31px var(--sans);--f-18:16px/24px var(--sans)}.sheet{padding:24px 16px 48px}table,tbody th{font:var(--f-12)}th,tbody th,td,thead td{padding-right:7px}tbody th{min-width:5.5em}.long{min-width:10em}.two{grid-template-columns:minmax(0,1fr)}.wide{display:none}.narrow{display:block}.block{padding:24px 0}.defs{grid-template-columns:minmax(0,1fr);gap:0}.defs dd{margin-bottom:8px}}
@page{size:auto;margin:16mm 17mm 18mm}`;

const PRINT = `--f-15:10pt/14.5pt var(--sans);--f-13:8.8pt/12.4pt var(--sans);--f-12:8pt/11pt var(--sans);--f-18:11.5pt/16pt var(--sans);--f-32:19pt/23pt var(--sans);--f-code:8pt/11.5pt var(--mono)`;

/** Print is always light; figures, rows and boxes stay whole. */
export function reportCss(): string {
  const light = tokenCss(LIGHT, BANDS.light);
  const dark = tokenCss(DARK, BANDS.dark);
  return [
    `:root{color-scheme:light;${light};${SIZES}}`,
    `@media (prefers-color-scheme:dark){:root:not([data-theme="light"]){color-scheme:dark;${dark};${DARK_WARN}}}`,
    `:root[data-theme="dark"]{color-scheme:dark;${dark};${DARK_WARN}}`,
    BASE,
    markCss(),
    `@media print{:root,:root[data-theme="dark"],:root:not([data-theme="light"]){color-scheme:light;${light};--ink:#000;--line:#d9d6d0;--warn-wash:#fff;${PRINT}}`,
    ".sheet{max-width:none;padding:0}.block{padding:14pt 0}.verdict{padding:14pt 0 10pt}figure,tr,li,.item,.warning,.copy,.verdict,.whole,.measure,.refs{break-inside:avoid}h2,h3,figcaption{break-after:avoid}",
    ".copy{border:1px solid var(--line);background:none}a{text-decoration:none}.wide{display:block}.narrow,.screen-only{display:none}.part{break-before:page}}",
  ].join("\n");
}

/** Documents of results: `gosset/report`. Apart from the library's main entry, as the pictures are. */
export { citeResults, type ReportOptions, renderReport } from "./report/report.ts";

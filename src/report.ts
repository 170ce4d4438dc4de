/** Documents of results: `gosset/report`. Apart from the library's main entry, as the pictures are. */
export { tag as verdictTag } from "./report/blocks.ts";
export { type ChecklistAnswer, checklistOf } from "./report/checklist.ts";
export { type Paper, paperOf, writePaper, writePapers } from "./report/paper.ts";
export { checklistResults, citeResults, type ReportOptions, renderReport } from "./report/report.ts";

/** `gosset/io`: files to tables and back, and what their columns mean. */

export type {
  Ask,
  Decision,
  FilesAre,
  Format,
  Imported,
  ImportedMetric,
  ImportLimits,
  InputFile,
  JoinedFiles,
  RoleName,
  Roles,
  RunSettings,
  StudyKind,
  Told,
} from "./data/imported.ts";
export { COLUMN_SHAPES, SHAPE_OPTIONS, type ShapeDone, type ShapeName, type ShapeOptions } from "./data/shapes.ts";
export type { Column, FactorColumn, NumericColumn, Table } from "./data/table.ts";
export { type BudgetOptions, ImportBudget } from "./io/budget.ts";
export { companionsIn } from "./io/companions.ts";
export { type CsvOptions, type CsvReader, type CsvReading, createCsvReader, readCsv } from "./io/csv/csv.ts";
export { MISSING_VALUES } from "./io/csv/missing.ts";
export type { WriteCsvOptions } from "./io/csv/write.ts";
export { writeCsv } from "./io/csv/write.ts";
export { detectFormat } from "./io/detect.ts";
export type { Encoding } from "./io/encoding.ts";
export type { Failures, JsonOptions, JsonReading } from "./io/json/json.ts";
export { readJson } from "./io/json/json.ts";
export type { JsonlOptions, JsonlReading } from "./io/json/lines.ts";
export { readJsonl } from "./io/json/lines.ts";
export { writeZip } from "./io/packed/write-zip.ts";
export { isZip, listZip, readZipEntry, type ZipEntry } from "./io/packed/zip.ts";
export type { ParquetOptions, ParquetReading } from "./io/parquet/parquet.ts";
export { readParquet } from "./io/parquet/parquet.ts";
export { makePseudonyms, type Pseudonyms, renameRaters } from "./io/pseudonyms.ts";
export type { Diagnostic } from "./result/result.ts";
export { Question, tellAnswer, tellAsk, tellDecision } from "./study/tell.ts";
export { withTold } from "./study/understand.ts";

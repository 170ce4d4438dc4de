/** The only user of hyparquet: a file in memory, its schema, and its columns as the chunks in which they are stored. */
import type { DecodedArray, FileMetaData, ParquetParsers, SchemaTree } from "hyparquet";
import type { ImportBudget } from "../budget.ts";
import { checkParquet, measureParquet } from "./check.ts";

export type Chunk = DecodedArray;

export interface ParquetSource {
  readonly metadata: FileMetaData;
  readonly schema: SchemaTree;
  /** A top-level column, chunks in order of rows. */
  readColumn(name: string): Promise<Chunk[]>;
}

export async function openParquet(bytes: Uint8Array, budget: ImportBudget, name: string): Promise<ParquetSource> {
  const { parquetMetadata, parquetRead, parquetSchema } = await import("hyparquet");
  const { parquetHeader } = await import("hyparquet/src/column.js");
  const { decompressPage } = await import("hyparquet/src/datapage.js");
  const { compressors: unbounded } = await import("hyparquet-compressors");
  const { boundedCompressors, pageCost } = await import("./unpack.ts");
  const compressors = boundedCompressors(unbounded);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const metadata = parquetMetadata(buffer, { geoparquet: false });
  const schema = parquetSchema(metadata);
  const { rows, columns } = measureParquet(metadata, schema);
  budget.checkTable(rows, columns, name);
  checkParquet(metadata, schema, buffer, {
    readHeader: parquetHeader,
    decompress: decompressPage,
    compressors,
    takePage: (codec, size) => budget.takeBytes(pageCost(codec, size), name),
    takeValues: (count) => budget.takeValues(count, name),
  });
  const file = { byteLength: buffer.byteLength, slice: (start: number, end?: number) => buffer.slice(start, end) };
  return {
    metadata,
    schema,
    async readColumn(name) {
      const found: { rowStart: number; data: Chunk }[] = [];
      await parquetRead({
        file,
        metadata,
        columns: [name],
        compressors,
        parsers: PARSERS,
        utf8: false,
        onChunk: ({ columnName, columnData, rowStart }) => {
          if (columnName === name) found.push({ rowStart, data: columnData });
        },
      });
      return found.sort((a, b) => a.rowStart - b.rowStart).map(({ data }) => data);
    },
  };
}

/** Times as ISO text; JSON as the text it is. */
const PARSERS: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (millis) => formatInstant(millis, 3),
  timestampFromMicroseconds: (micros) => formatInstant(micros, 6),
  timestampFromNanoseconds: (nanos) => formatInstant(nanos, 9),
  dateFromDays: (days) => formatDate(days),
  jsonFromBytes: (bytes) => bytes && new TextDecoder().decode(bytes),
};

const DAY_SECONDS = 86_400n;

/** Seconds × 10^digits since 1970 as 2024-05-01T12:00:00, with a fraction if there is one. */
export function formatInstant(since: bigint, digits: number): string {
  const unit = 10n ** BigInt(digits);
  const seconds = floorDivide(BigInt(since), unit);
  const fraction = BigInt(since) - seconds * unit;
  const days = floorDivide(seconds, DAY_SECONDS);
  const second = Number(seconds - days * DAY_SECONDS);
  const clock = [Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60]
    .map((part) => pad(part, 2))
    .join(":");
  const decimals =
    fraction === 0n
      ? ""
      : `.${String(fraction)
          .padStart(digits, "0")
          .replace(/(?<!0)0+$/, "")}`;
  return `${formatDate(Number(days))}T${clock}${decimals}`;
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

/** Days since 1970-01-01 in the proleptic Gregorian calendar. Years are counted from March, so that the leap day comes
 *  last, and in eras of 400 years = 146,097 days; 719,468 days lie between 0000-03-01 and 1970-01-01. */
export function formatDate(days: number): string {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  // Leap days passed within the era: one per 4 years, none per century, one at its very end.
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  // Months from March repeat 31, 30, 31, 30, 31: five of them have 153 days.
  const month = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * month + 2) / 5) + 1;
  const year = yearOfEra + 400 * era + (month >= 10 ? 1 : 0);
  return `${pad(year, 4)}-${pad(month < 10 ? month + 3 : month - 9, 2)}-${pad(day, 2)}`;
}

function pad(number: number, width: number): string {
  return `${number < 0 ? "-" : ""}${String(Math.abs(number)).padStart(width, "0")}`;
}

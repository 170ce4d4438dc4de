/** Which delimiter a file uses, judged by its first records: the one that cuts them all into as many fields as the header. */
import { StatError } from "../../result/error.ts";
import { RecordScanner, type Syntax } from "./scan.ts";

export const DELIMITERS = [",", "\t", ";", "|"] as const;

/** Enough to meet the odd comma in free text, little enough to cost nothing. */
export const SAMPLE_BYTES = 1 << 16;
const SAMPLE_RECORDS = 200;

/** A comma if nothing cuts the header; `complete` says that the sample is the whole file. */
export function sniffDelimiter(sample: Uint8Array, complete: boolean, quote = true): string {
  let best = { delimiter: ",", share: 0, fields: 1 };
  for (const delimiter of DELIMITERS) {
    const counts = countFields(sample, { delimiter, quote }, complete);
    const fields = counts[0] ?? 1;
    if (fields < 2) continue;
    const share = counts.filter((count) => count === fields).length / counts.length;
    if (share > best.share || (share === best.share && fields > best.fields)) best = { delimiter, share, fields };
  }
  return best.delimiter;
}

function countFields(sample: Uint8Array, syntax: Syntax, complete: boolean): number[] {
  const counts: number[] = [];
  const scanner = new RecordScanner(syntax, "", (record) => {
    if (counts.length < SAMPLE_RECORDS) counts.push(record.count);
  });
  try {
    scanner.push(sample);
    // The last record of a cut sample is cut too; alone it still is the best evidence there is.
    if (complete || counts.length === 0) scanner.finish();
  } catch (error) {
    // A fault is reported when the file is read; here the records before it are evidence enough.
    if (!(error instanceof StatError)) throw error;
  }
  return counts;
}

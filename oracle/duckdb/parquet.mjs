// Parquet files written by DuckDB, with the values that DuckDB reads back as text.
// Run in a folder where `npm install @duckdb/node-api` was done: node parquet.mjs > parquet.json
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance, version } from "@duckdb/node-api";

const connection = await (await DuckDBInstance.create()).connect();
const folder = mkdtempSync(join(tmpdir(), "parquet-"));

await connection.run(`
  create type mood as enum ('sad', 'ok', 'happy');
  create table typed as select * from (values
    (1, 10::bigint, 9007199254740993::bigint, 18446744073709551615::ubigint, 1.5::float, 0.1::double, true, 'x',
     1.15::decimal(9,2), 12345678901234567.0000000001::decimal(38,10), timestamp '2024-05-01 12:00:00.5',
     timestamp_ms '1969-12-31 23:59:59.999', timestamp_ns '2000-02-29 00:00:00.000000001', date '1900-03-01',
     uuid '12345678-9abc-def0-1234-56789abcdef0', 'sad'::mood, '\\xFF\\x00'::blob),
    (null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null),
    (-2147483648, -9007199254740991, 1, 0, -0.25, 'nan', false, '', -0.57, 0.57, timestamp '0001-01-01 00:00:00',
     timestamp_ms '2400-02-29 01:02:03', timestamp_ns '1970-01-01 00:00:00', date '2024-12-31',
     uuid 'ffffffff-0000-0000-0000-000000000000', 'happy', 'a'::blob),
    (7, 3, 2, 5, 3, 'infinity', true, '__proto__', 8.19, 1, timestamp '1970-01-01 00:00:00.000001',
     timestamp_ms '1970-01-01 00:00:00', timestamp_ns '1969-12-31 23:59:59.999999999', date '1970-01-01',
     uuid '00000000-0000-0000-0000-000000000001', 'ok', ''::blob),
    (7, 3, 2, 5, 3, 1e-300, true, 'é, "q"', 1234567.89, -1, timestamp '2024-05-01 12:00:00', timestamp_ms '2024-01-01 00:00:00',
     timestamp_ns '2024-05-01 12:00:00.25', date '-0044-03-15', uuid '00000000-0000-0000-0000-000000000002', 'ok', 'b'::blob)
  ) t(i, big, huge, u, f, d, b, s, "decimal", wide, ts, ms, ns, day, id, mood, bytes);
  create table nested as select * from (values
    ({'a': 1, 'b': 'x'}, [1, 2], map {'k': 5}, {'in': {'deep': 1.5}}, '{"j": 1}'::json, [9007199254740993::bigint]),
    ({'a': null, 'b': 'y'}, [], map {}, {'in': null}, null, [1]),
    (null, null, null, null, '[1]', null)
  ) t(st, list, m, n, js, biglist);
  create table long as select (i % 7)::int as item, 'sys' || (i % 3) as "constructor", i / 8.0::double as score
    from range(5000) r(i);
`);

const files = {};
for (const [table, options] of Object.entries({
  typed: ["uncompressed", "snappy", "gzip", "zstd", "brotli", "lz4_raw"],
  nested: ["zstd"],
  long: ["zstd"],
})) {
  for (const codec of options) {
    const path = join(folder, `${table}-${codec}.parquet`);
    await connection.run(`copy ${table} to '${path}' (format parquet, compression ${codec}, row_group_size 2048)`);
    files[`${table}-${codec}`] = readFileSync(path).toString("base64");
  }
}

const columns = "i, big, huge, u, f, d, b, s, \"decimal\", wide, ts, ms, ns, day, id, mood".split(", ");
const query = `select ${columns.map((name) => `${name}::varchar as ${name}`).join(", ")} from typed`;
const typed = (await connection.runAndReadAll(query)).getRowObjects();
console.log(JSON.stringify({ tool: `DuckDB, @duckdb/node-api ${version()}`, typed, files }, null, 1));

/** TREC's files, which have no header; fields are separated by blanks or tabs:
 *    trec_eval -q      measure, topic, value; the topic "all" is the total          → one row a topic, one column a measure
 *    qrels             topic, iteration, document, relevance                        → labels without systems
 *    run               topic, Q0, document, rank, score, tag                        → what a system found, not how good that is
 *  Reference: usnistgov/trec_eval, README and m_*.c. */

import type { Imported } from "../../data/imported.ts";
import { note } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { measureDesign } from "../../study/layout.ts";
import { TableBuilder } from "../columns.ts";
import { countOf } from "../detect.ts";
import { decodeText } from "../encoding.ts";
import type { Opened } from "../open.ts";
import { stemOf } from "./lines.ts";
import { type LongRow, makeLongTable } from "./long-table.ts";

type TrecFile = Extract<Opened, { kind: "trec" }>;

export function importTrec(opened: readonly Opened[]): Imported {
  const files = opened.filter((file): file is TrecFile => file.kind === "trec");
  const [first] = files;
  if (first === undefined) {
    throw new StatError(
      "NotTrec",
      `${opened[0]?.file.name}: not a TREC file.`,
      "Give trec_eval's output, a run or qrels.",
    );
  }
  const evals = files.filter(({ layout }) => layout === "eval");
  if (evals.length > 0) return importEval(evals);
  const layout = first.layout;
  return importList(
    files.filter((file) => file.layout === layout),
    layout,
  );
}

const fieldsOf = (file: TrecFile): string[][] =>
  decodeText(file.file.bytes, file.file.name)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .map((line) => line.trim().split(/\s+/));

/** Numbers of documents describe a topic, they do not grade a system. */
const COUNT = /(^|_)num_/;
const MAIN = ["map", "ndcg", "ndcg_cut_10", "recip_rank", "P_10"];
const TOTAL = "all";

function importEval(files: readonly TrecFile[]): Imported {
  const rows: LongRow[] = [];
  const measures = new Set<string>();
  for (const file of files) {
    const records = fieldsOf(file);
    const tag = records.find(([measure, topic]) => measure === "runid" && topic === TOTAL)?.[2];
    const byTopic = new Map<string, Map<string, number>>();
    for (const [measure, topic, value] of records as [string, string, string][]) {
      const number = Number(value);
      if (topic === TOTAL || !Number.isFinite(number)) continue;
      byTopic.set(topic, (byTopic.get(topic) ?? new Map()).set(measure, number));
      if (!COUNT.test(measure)) measures.add(measure);
    }
    for (const [topic, values] of byTopic) {
      const all = [...values];
      rows.push({
        system: tag ?? stemOf(file.file.name),
        item: topic,
        scores: new Map(all.filter(([name]) => !COUNT.test(name))),
        properties: new Map(all.filter(([name]) => COUNT.test(name))),
      });
    }
  }
  if (rows.length === 0) {
    throw new StatError(
      "TotalsOnly",
      "trec_eval's totals without topics.",
      "Run trec_eval with -q, which writes every topic.",
    );
  }
  return makeLongTable(rows, {
    format: "trec",
    files: files.map(({ file }) => file.name),
    summary: `trec_eval's measures by topic: ${countOf(new Set(rows.map(({ item }) => item)).size, "topic")}, ${countOf(measures.size, "measure")}.`,
    mainMetrics: MAIN,
    // every measure of trec_eval is a gain
    higherIsBetter: new Map([...measures].map((measure) => [measure, true])),
    assumptions: [
      'The file has no header: its fields are measure, topic and value. The totals (topic "all") are left out.',
      files.length > 1 ? "Each file is one system." : "The file is one system.",
    ],
    diagnostics: [],
  });
}

const FIELDS = {
  qrels: ["topic", "iteration", "document", "relevance"],
  run: ["topic", "q0", "document", "rank", "retrieval_score", "system"],
} as const;

function importList(files: readonly TrecFile[], layout: "qrels" | "run" | "eval"): Imported {
  const names = layout === "run" ? FIELDS.run : FIELDS.qrels;
  const numbers = new Set<string>(["rank", "retrieval_score", "relevance", "iteration"]);
  const builder = new TableBuilder();
  for (const file of files) {
    for (const fields of fieldsOf(file))
      builder.add(names.map((name, j) => [name, numbers.has(name) ? Number(fields[j]) : fields[j]!] as const));
  }
  const table = builder.finish();
  const roles = {
    ...(layout === "run" ? { system: "system" } : { label: "relevance" }),
    cluster: "topic",
    metrics: [],
    parameters: [],
    covariates: [],
    identifiers: names.filter((name) => !["system", "topic", "relevance"].includes(name)),
  };
  const documents = `${countOf(table.rows, layout === "run" ? "retrieved document" : "judged document")}`;
  const { systems } = measureDesign(table, roles);
  const unfit =
    layout === "run"
      ? note(
          "NoMeasures",
          "a run says what was found, not how good it is.",
          "Evaluate it by topic: trec_eval -q qrels run > run.eval, and give run.eval.",
        )
      : note(
          "NoSystems",
          "qrels say which documents are relevant; there is no system in them to compare.",
          "Evaluate runs with them: trec_eval -q qrels run > run.eval, and give run.eval.",
        );
  return {
    table,
    roles,
    systems,
    items: 0,
    repeats: 0,
    metrics: [],
    assumptions: [`The file has no header: its fields are ${names.join(", ")}.`],
    format: "trec",
    files: files.map(({ file }) => file.name),
    summary: layout === "run" ? `A run: ${documents}.` : `Relevance judgements (qrels): ${documents}.`,
    unfit,
    diagnostics: [unfit],
  };
}

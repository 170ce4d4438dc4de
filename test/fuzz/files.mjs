/** Small files of each kind, from which fuzzing starts. */
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";

export const encode = (value) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));

const CSV =
  'system,item,score,rater,len\nA,1,0.5,r1,10\nB,1,1,r1,10\nA,2,"0,5",r2,12\nB,2,NA,r2,12\nA,3,1e3,r1,7\nB,3,-0,r2,7\n';
const INSPECT = {
  version: 2,
  status: "success",
  eval: { task: "t", model: "m", created: "2024-01-01", dataset: { name: "d", samples: 2 }, config: { epochs: 1 } },
  results: { scores: [{ name: "acc", metrics: { accuracy: { name: "accuracy", value: 0.5 } } }] },
  samples: [
    { id: 1, epoch: 1, input: "q", target: "a", scores: { acc: { value: "C", answer: "a" } } },
    { id: 2, epoch: 1, input: "q", target: "b", scores: { acc: { value: "I", answer: "a" } } },
  ],
};
const lines = (...rows) => rows.map((row) => JSON.stringify(row)).join("\n");

/** Small files of each kind, by their name. */
export const FILES = {
  csv: {
    "a.csv": CSV,
    "b.csv": 'id;value;text\r\n1;0,5;"a ""b"" c"\r\n2;1,5;"x\ny"\r\n3;2,5;z\r\n',
    "c.tsv": CSV.replaceAll(",", "\t"),
    "d.csv": "# note\nmodel,acc ↑,f1 (%)\nA,1/3,90%\nB,2/3,91 %\n",
  },
  json: {
    "a.json": [
      { item: 1, system: "A", score: 0.5, meta: { a: 1, b: [1, 2] } },
      { item: 2, system: "B", score: null },
    ],
    "b.json": '{"item":[1,2,3],"score":[0.1,NaN,Infinity],"system":["A","B","A"],"id":[9007199254740993,1e400,3]}',
    "c.jsonl": lines(
      { item: 1, system: "A", score: 0.5 },
      { item: 1, system: "B", score: 1 },
      { item: 2, system: "A" },
    ),
  },
  yaml: {
    "a.yaml": "- {item: 1, system: A, score: 0.5}\n- {item: 2, system: B, score: 1}\n",
    "plan.yaml":
      "plan: 1\nquestion: is B better than A?\nmetric: {name: accuracy, better: higher}\nunits: &u\n  items: 500\n  power: 0.8\nlooks: [0.5, 1.0]\nbudget: *u\n",
    "b.yml": "item: [1, 2]\nscore:\n  - 0.5\n  - .nan\nsystem: !!str A\n",
  },
  parquet: {},
  packed: {
    "a.csv.gz": gzipSync(CSV),
    "b.zip": zipSync({ "a.csv": encode(CSV), "b.json": encode('[{"a":1}]') }),
    "c.eval": zipSync({
      "header.json": encode({ ...INSPECT, samples: undefined }),
      "samples/1_epoch_1.json": encode(INSPECT.samples[0]),
    }),
    "d.csv.zst": Buffer.from("KLUv/SAMYQAAYSxiCjEsMgozLDQK", "base64"),
  },
  logs: {
    "inspect.json": INSPECT,
    "samples_task_2024.jsonl": lines(
      {
        doc_id: 0,
        doc: { question: "q" },
        target: "a",
        arguments: [],
        resps: [["x"]],
        filtered_resps: ["x"],
        acc: 1.0,
      },
      {
        doc_id: 1,
        doc: { question: "r" },
        target: "b",
        arguments: [],
        resps: [["x"]],
        filtered_resps: ["x"],
        acc: 0.0,
      },
    ),
    "results_2024.json": {
      results: { task: { "acc,none": 0.5, "acc_stderr,none": 0.1, alias: "task" } },
      config: { model: "m" },
      n_samples: { task: { original: 2, effective: 2 } },
    },
    "promptfoo.json": {
      version: 3,
      results: {
        results: [
          { provider: { id: "a" }, vars: { q: 1 }, success: true, score: 1, prompt: { raw: "p" }, testIdx: 0 },
          { provider: "b", vars: { q: 1 }, success: false, score: 0, testIdx: 0 },
        ],
      },
    },
    "per_instance_stats.json": [
      {
        instance_id: "id1",
        perturbation: null,
        train_trial_index: 0,
        stats: [{ name: { name: "exact_match", split: "test" }, count: 1, sum: 1, mean: 1 }],
      },
    ],
    "o.jsonl": lines(
      { spec: { eval_name: "e", completion_fns: ["gpt-4"], run_id: "r" } },
      {
        run_id: "r",
        event_id: 0,
        sample_id: "s.0",
        type: "match",
        data: { correct: true, expected: "a", picked: "a" },
      },
      { final_report: { accuracy: 0.5 } },
    ),
    "arena.jsonl": lines(
      { model_a: "x", model_b: "y", winner: "model_a", question_id: "q1", judge: "j" },
      { model_a: "y", model_b: "z", winner: "tie (bothbad)", question_id: "q2", judge: "k" },
    ),
    "prodigy.jsonl": lines(
      {
        text: "a",
        _input_hash: 1,
        _task_hash: 2,
        answer: "accept",
        _annotator_id: "u1",
        accept: ["X"],
        options: [{ id: "X" }],
      },
      { text: "b", _input_hash: 3, _task_hash: 4, answer: "reject", _annotator_id: "u2" },
    ),
    "studio.json": [
      {
        id: 1,
        data: { text: "a" },
        annotations: [
          {
            id: 5,
            completed_by: { id: 2, email: "x@y" },
            lead_time: 2.1,
            result: [{ type: "choices", from_name: "c", to_name: "t", value: { choices: ["pos"] } }],
          },
        ],
      },
    ],
    "bleu.json": [{ name: "BLEU", score: 30.1, signature: "nrefs:1", verbose_score: "x" }],
    "da.csv":
      "user1,sysA,1,TGT,eng,deu,80,doc1,False,1.0,2.0\nuser1,sysB,1,TGT,eng,deu,70,doc1,False,1.0,2.0\nuser2,sysA,2,BAD,eng,deu,10,doc1,False,1.0,2.0\n",
    "mqm.tsv":
      "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\nA\td\t1\t1\tr1\ts\tt\tAccuracy/Mistranslation\tMajor\nB\td\t1\t1\tr1\ts\tt\tNo-error\tNo-error\n",
    "eval_results.json": {
      date: "d",
      hash: "h",
      eval: { "HumanEval/0": [{ task_id: "HumanEval/0", base_status: "pass", plus_status: "fail" }] },
    },
    "run.eval": "map\tq1\t0.5\nmap\tq2\t0.25\nmap\tall\t0.375\n",
    "eee.json": {
      schema_version: "0.1.0",
      evaluation_id: "e",
      model_info: { name: "m", id: "o/m" },
      evaluation_results: [
        {
          evaluation_name: "t",
          metric_config: { lower_is_better: false, score_type: "continuous" },
          score_details: { score: 0.5 },
        },
      ],
    },
    "text.txt": "one line\nand another one\n",
  },
};

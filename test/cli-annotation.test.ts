/** Nested and one-way ratings, consistency of a scale, and the model of labels from the command line: figures and refusals. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gosset, gossetJson, shellWords } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";
import { expectClose } from "./support/oracle.ts";
import { readReference } from "./support/reference.ts";

const folder = makeFolder("annotation");
const file = (name: string, lines: readonly string[]): string => {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
};
const DATA = "oracle/reference/data";
const CROWD = `${DATA}/crowd1.csv --item item --rater annotator --label label --model dawid-skene`;
const ONE = file("one.csv", ["item,rater,label,score", "a,r,x,1", "b,r,y,2", "c,r,x,3"]);
const SAME = file("same.csv", ["item,rater,label,score", "a,r,x,1", "a,s,x,1", "b,r,x,1", "b,s,x,1"]);
const EMPTY = file("empty.csv", ["item,rater,label,score", ",r,x,1", "a,,y,2"]);
const WIDE = file("wide.csv", ["id,p,q,w", "1,3,2,x", "2,5,4,y", "3,4,4,x"]);

describe("the reference cases", () => {
  const consistency = readReference("reliability.json").cases;

  it.each(readReference("dawid-skene.json").cases)("$id", ({ input, expected: e }) => {
    const words = `${DATA}/${input["data"]}.csv --item item --rater annotator --label label --model dawid-skene --replicates 0`;
    const own = gossetJson("agreement", ...shellWords(words));
    expect(own.kind).toBe("dawid-skene");
    expectClose(own.prior, e.class_priors, { tolerance: 1e-9 });
    expectClose([own.logLik], [e.loglik], { tolerance: 1e-10 });
    expect(own.consensus.map(({ label }: { label: string }) => label)).toEqual(e.map_label);
    expectClose(
      own.consensus.flatMap(({ posterior }: { posterior: number[] }) => posterior),
      e.posterior.flat(),
      { tolerance: 1e-8, floor: 1 },
    );
    for (const rater of e.annotators)
      expectClose(own.confusion[rater].flat(), e.confusion[rater].flat(), { tolerance: 1e-8, floor: 1 });
  });

  it.each(consistency.filter(({ id }) => id.startsWith("icc1")))("$id", ({ input, expected: e }) => {
    const own = gossetJson(
      "reliability",
      ...shellWords(`${DATA}/${input["data"]}.csv --score score --object item --intervals none`),
    ).oneWay;
    expectClose([own.icc1, own.icc1Lower, own.icc1Upper], [e.icc1, ...e.icc1_ci95], { tolerance: 1e-10 });
    expectClose([own.icc1k, own.icc1kLower, own.icc1kUpper], [e.icc1k, ...e.icc1k_ci95], { tolerance: 1e-10 });
  });

  it.each(consistency.filter(({ id }) => id.startsWith("alpha")))("$id", ({ input, expected: e }) => {
    const columns = Array.from({ length: e.k }, (_, i) => `q${i + 1}`).join(",");
    const own = gossetJson(
      "reliability",
      ...shellWords(`${DATA}/${input["data"]}.csv --columns ${columns} --intervals none`),
    ).consistency;
    expectClose(
      [own.alpha, own.alphaLower, own.alphaUpper, own.lambda2, own.lambda6, own.splits.guttman.max],
      [e.alpha, ...e.alpha_feldt_ci95, e.lambda2, e.lambda6, e.splits_covariance_guttman.max],
      { tolerance: 1e-10 },
    );
  });

  it("names what varies where nothing is said about raters", () => {
    const { stdout, status } = gosset(
      "reliability",
      ...shellWords(`${DATA}/nested2.csv --score score --object item --facets rater --intervals none`),
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/ICC\(1\), one rater\s+0\.219/);
    expect(stdout).not.toMatch(/\bt1\b/);
  });
});

const WRONG: Readonly<Record<string, readonly string[]>> = {
  agreement: [
    `${CROWD} --scale nominal`,
    `${CROWD} --weighting linear`,
    `${CROWD} --cluster item`,
    `${CROWD} --certainty 2`,
    `${CROWD} --certainty 0`,
    `${CROWD} --certainty sure`,
    `${CROWD} --replicates 5`,
    `${CROWD} --replicates -1`,
    `${CROWD} --replicates many`,
    `${CROWD} --confidence 95`,
    `${CROWD} --confidence x`,
    `${CROWD} --categories neg,pos`,
    `${DATA}/crowd1.csv --item item --rater annotator --label label --model bayes`,
    `${DATA}/crowd1.csv --item item --rater annotator --label label --certainty .9`,
    `${DATA}/crowd1.csv --item item --rater annotator --label nope --model dawid-skene`,
    `${DATA}/crowd1.csv --item nope --rater annotator --label label --model dawid-skene`,
    `${DATA}/crowd1.csv --item item --rater nope --label label --model dawid-skene`,
    `${ONE} --item item --rater rater --label label --model dawid-skene`,
    `${SAME} --item item --rater rater --label label --model dawid-skene`,
    `${EMPTY} --item item --rater rater --label label --model dawid-skene`,
    `${WIDE} --raters p,q --rater w --model dawid-skene`,
    "nofile.csv --item item --rater annotator --label label --model dawid-skene",
  ],
  reliability: [
    `${ONE} --score score --object item`,
    `${ONE} --score score --object item --facets rater`,
    `${ONE} --score label --object item --facets rater`,
    `${SAME} --score score --object item --facets rater`,
    `${SAME} --score nope --object item --facets rater`,
    `${SAME} --score score --object nope --facets rater`,
    `${SAME} --score score --object item --facets nope`,
    `${SAME} --score score --object item --facets item`,
    `${EMPTY} --score score --object item --facets rater`,
    `${WIDE} --columns p`,
    `${WIDE} --columns p,nope`,
    `${WIDE} --columns p,w`,
    `${WIDE} --columns p,p`,
    `${WIDE} --columns p,q --score p`,
    `${WIDE} --columns p,q --facets w`,
    `${WIDE} --columns p,q --object nope`,
    `${WIDE} --columns p,q --n nope=1-3`,
    `${WIDE} --columns p,q --target 2`,
    `${WIDE} --columns p,q --cost nope=2 --target .8`,
    `${WIDE} --columns p,q --confidence 3`,
    `${DATA}/nested1.csv --score score --object item --n rater=0`,
    "nofile.csv --columns p,q",
  ],
};

describe.each(Object.entries(WRONG))("wrong calls of %s", (name, calls) => {
  it.each(calls)("%s", (call) => {
    const { status, stdout, stderr } = gosset(name, ...shellWords(call));
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(2);
    expect(stderr).not.toMatch(/undefined|\[object|TypeError|at .*\.ts|\bt\d\b/);
  });
});

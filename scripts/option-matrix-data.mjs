/** The files that option-matrix.mjs tries its calls on, written into a folder of their own, which becomes the current one. */
import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "gosset-matrix-"));
// options that name files write them beside the data, not into the project
symlinkSync(join(root, "examples"), join(folder, "examples"));
process.chdir(folder);
export const at = (name) => join(folder, name);
const times = (n, make) => Array.from({ length: n }, (_, i) => make(i));
export function file(name, lines) {
  writeFileSync(at(name), `${lines.join("\n")}\n`);
  return at(name);
}
export const words = (text) =>
  (text.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));

const rowsOf = (quote) => [
  "system,item,rater,doc,rating,y,count,words,domain,bin,extra,flag",
  ...["A", "B"].flatMap((s, k) =>
    times(18, (i) =>
      times(3, (r) => {
        const noise = (i * 37 + r * 53 + k * 11) % 17;
        return `${quote(s)},i${i},r${r},d${i % 6},${1 + (noise % 5)},${(noise / 4 + k + r / 3).toFixed(2)},${noise % 7},${20 + ((i * 13) % 31)},${quote(i % 2 ? "news" : "blog")},${noise % 3 ? 1 : 0},${(i * 7 + r) % 5},${i % 3 ? "yes" : "no"}`;
      }),
    ).flat(),
  ),
];
export const rows = file(
  "rows.csv",
  rowsOf((text) => text),
);
// numbers too: without quotes as quotes they are no numbers, which shows where no name is printed
export const quoted = file(
  "rows-quoted.csv",
  rowsOf((text) => text).map((line, i) => (i === 0 ? line : line.replace(/[^,]+/g, '"$&"'))),
);
export const faulty = file("rows-faulty.csv", [
  ...rowsOf((text) => text),
  "A,i1,r1,too,many,cells,1,2,3,4,5,6,7,8,9,10",
]);
export const comma = file(
  "rows-comma.csv",
  rowsOf((text) => text).map((line) => line.replaceAll(",", ";").replaceAll(".", ",")),
);
export const voted = file(
  "rows-votes.csv",
  rowsOf((text) => text).map(
    (line, i) => `${line},${i === 0 ? "left,right,choice" : `X,Y,${i % 3 ? "left" : "right"}`}`,
  ),
);
export const latin = at("rows-latin.csv");
writeFileSync(latin, Buffer.from(`${rowsOf((text) => `${text}é`).join("\n")}\n`, "latin1"));
export const runs = file("runs.csv", [
  "run,lr,depth,model,score",
  ...times(
    36,
    (i) =>
      `r${i},${[0.1, 0.01, 0.001][i % 3]},${1 + (Math.floor(i / 3) % 3)},${i % 2 ? "m1" : "m2"},${(0.5 + ((i * 37) % 23) / 60 + (i % 3) / 20).toFixed(3)}`,
  ),
]);
export const claims = file("claims.csv", [
  "paper,items,sota,accuracy,bench,year,yi,vi,se,p,agree,devacc,other",
  ...times(
    14,
    (i) =>
      `c${i},${400 + i * 130},${(0.7 + i / 80).toFixed(3)},${(0.712 + i / 70).toFixed(3)},${i % 2 ? "sst" : "nli"},${2010 + i},${(0.1 + ((i * 7) % 11) / 30).toFixed(3)},${(0.01 + ((i * 5) % 7) / 300).toFixed(4)},${Math.sqrt(0.01 + ((i * 5) % 7) / 300).toFixed(4)},${(0.001 + ((i * 3) % 13) / 60).toFixed(4)},${(0.9 - i / 100).toFixed(3)},${(0.72 + i / 60).toFixed(3)},${300 + 20 * i}`,
  ),
]);
export const history = file("history.csv", [
  "old,new,same,task",
  ...times(
    16,
    (i) =>
      `${(0.7 + i / 80).toFixed(3)},${(0.705 + i / 72).toFixed(3)},${(0.93 - ((i * 3) % 7) / 100).toFixed(3)},${i % 2 ? "sst" : "nli"}`,
  ),
]);
export const texts = (seed) =>
  times(40, (i) =>
    times(9, (w) => `W${(i * 3 + w * (1 + ((seed * (i + 1)) % 5))) % 17}`)
      .join(" ")
      .concat(seed ? " ." : " !"),
  );
export const [base, reference] = [1, 0].map((seed) => file(`text${seed}.txt`, texts(seed)));
export const ours = file(
  "text2.txt",
  texts(2).map((line, i) => (i % 4 ? line : texts(0)[i])),
);
/** Long enough for BLEU to notice how it is tokenised. */
export const [tokenised, longReference] = [1, 0].map((seed) =>
  file(`long-text${seed}.txt`, [...texts(seed), ...texts(seed), ...texts(seed)]),
);
export const ids = file(
  "ids.txt",
  times(40, (i) => `q${i}`),
);
export const again = file("rows-again.csv", rowsOf((text) => text).slice(0, 60));
export const planFile = file("plan.yaml", [
  "version: 1",
  "systems: [old, new]",
  "metric: acc",
  "items: 40",
  "smallest-effect: 0.05",
  "expected: { agreement: 0.8 }",
]);
const devOf = (models) => [
  "model,id,acc,f1,topic",
  ...models.flatMap((model, s) =>
    times(
      80,
      (i) => `${model},q${i},${(i * 7 + s * 3) % (4 + s) ? 1 : 0},${((i * 37 + s * 11) % 101) / 100},t${i % 8}`,
    ),
  ),
];
export const [dev, three] = [file("dev.csv", devOf(["old", "new"])), file("three.csv", devOf(["old", "new", "mid"]))];
const runOf = (shift) => [
  "id,acc,topic",
  ...times(80, (i) => `q${i},${(i * 7 + shift * (i % 5)) % 4 ? 1 : 0},t${i % 8}`),
];
export const [oldRun, newRun] = [file("run1.csv", runOf(0)), file("run2.csv", runOf(1))];
export const train = file("train.csv", [
  "y,age,grade,site,code,doc",
  ...times(
    90,
    (i) =>
      `${(((i * 37) % 41) / 10 + (i % 7)).toFixed(2)},${20 + ((i * 13) % 47)},${1 + (i % 4)},s${i % 3},${1 + ((i * 5) % 6)},d${i % 9}`,
  ),
]);
export const exam = file("exam.csv", [
  "y,age,grade,site,code,doc",
  ...times(
    60,
    (i) =>
      `${(((i * 31) % 41) / 10 + (i % 7)).toFixed(2)},${20 + ((i * 17) % 47)},${1 + (i % 4)},s${i % 3},${1 + ((i * 5) % 6)},d${i % 9}`,
  ),
]);
export const circular = file("circular.csv", [
  "target,bili,plt,noise,lab,pred,other",
  ...times(120, (i) => {
    const [bili, plt] = [((i * 37) % 53) / 10, ((i * 29) % 47) / 10];
    const target = (bili > 2.6 ? 1 : 0) + (plt > 2.3 ? 1 : 0);
    return `${target},${bili},${plt},${((i * 17) % 31) / 10},${i % 3 ? "x" : "z"},${(target + ((i * 7) % 9) / 20).toFixed(2)},${((i * 11) % 19) / 5}`;
  }),
]);
export const inference = "examples/data/inference.csv";
export const stored = at("stored.json");
/** As `stored`, but with a number that is rounded, and with a command that takes what a stranger's may not. */
export const [roundedStored, trustedStored] = [at("stored-rounded.json"), at("stored-trusted.json")];
export const policy = file("gate.yaml", ["version: 1", "margin: 0.1"]);

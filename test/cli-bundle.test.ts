import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unzipSync, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeRng } from "../src/numeric/rng.ts";
import { gosset, type Run, root } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("bundle-test");
const at = (name: string): string => join(folder, name);
const example = (name: string): string => {
  copyFileSync(join(root, "examples/data", name), at(name));
  return at(name);
};
const store = (name: string, ...args: string[]): string => {
  const run = gosset(...args, "--json", "--quiet", "--out", at(name));
  expect([run.stderr, run.status]).toEqual(["", 0]);
  return at(name);
};
const written = (name: string, content: string | Uint8Array): string => {
  writeFileSync(at(name), content);
  return at(name);
};
const edit = (path: string, name: string, change: (json: Record<string, unknown>) => void): string => {
  const json = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  change(json);
  writeFileSync(at(name), JSON.stringify(json));
  return at(name);
};
/** Everything temporary lies here, where no other file of tests writes. */
const temporaryFolder = at("tmp");
mkdirSync(temporaryFolder);
const { TMPDIR } = process.env;
beforeAll(() => {
  process.env.TMPDIR = temporaryFolder;
});
afterAll(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
});
const temporary = (): string[] => readdirSync(temporaryFolder);

const ratings = example("summaries.csv");
const agreement = store("agreement.json", "agreement", ratings);

describe("gosset verify", () => {
  it("finds a stored result again to the last digit", () => {
    const run = gosset("verify", agreement, "--json");
    const json = JSON.parse(run.stdout);
    expect([run.status, json.kind, json.of, json.identical, json.differences]).toEqual([
      0,
      "verification",
      "agreement",
      true,
      [],
    ]);
    expect(json.values).toBeGreaterThan(100);
  });

  it("names each value that was edited", () => {
    const edited = edit(agreement, "edited.json", (json) => void (json["items"] = 7));
    const run = gosset("verify", edited, "--json");
    const { identical, differences } = JSON.parse(run.stdout);
    expect([run.status, identical]).toEqual([1, false]);
    expect(differences).toEqual([expect.objectContaining({ field: "items", stored: "7" })]);
  });

  it("lets a stored command write nothing: the curves of a gam went where a stranger's --shapes said", () => {
    const rows = Array.from({ length: 40 }, (_, i) => `${i},${(i * 7) % 11}`);
    const data = at("curve.csv");
    writeFileSync(data, `x,y\n${rows.join("\n")}\n`);
    const stored = store("curve.json", "fit", "gam", "y ~ s(x)", data);
    const victim = at("victim.txt");
    writeFileSync(victim, "mine");
    for (const [i, more] of [["--shapes", victim], [`--shapes=${victim}`]].entries()) {
      const words = ["gosset", "fit", "gam", "y ~ s(x)", data, ...more];
      expect(
        gosset(
          "verify",
          edit(stored, `shapes${i}.json`, (json) => void (json["command"] = words)),
        ).status,
      ).toBe(0);
    }
    expect(readFileSync(victim, "utf8")).toBe("mine");
  });

  it("says that the data changed", () => {
    const data = at("moved.csv");
    writeFileSync(data, "item,rater,label\na,x,1\na,y,1\nb,x,2\nb,y,2\nc,x,1\nc,y,2\n");
    const stored = store("moved.json", "agreement", data);
    writeFileSync(data, "item,rater,label\na,x,1\na,y,1\nb,x,2\nb,y,2\nc,x,1\nc,y,1\n");
    const run = gosset("verify", stored);
    expect(run.status).toBe(1);
    expect(run.stdout).toMatch(/^DIFFERENT/);
    expect(run.stdout).toContain("The data are not those of the stored result");
  });
});

describe("gosset bundle", () => {
  const zip = at("study.zip");

  it("holds data with other names for raters, and comes out again elsewhere", () => {
    const made = gosset("bundle", agreement, ratings, "--out", zip);
    expect([made.status, made.stderr]).toEqual([0, ""]);
    const entries = unzipSync(readFileSync(zip));
    expect(Object.keys(entries).sort()).toEqual(["data/summaries.csv", "gosset-bundle.json", "result.json"]);
    const rows = (bytes: Uint8Array | Buffer): string[][] =>
      Buffer.from(bytes)
        .toString("utf8")
        .trim()
        .split("\n")
        .map((line) => line.split(","));
    const [before, after] = [rows(readFileSync(ratings)), rows(entries["data/summaries.csv"]!)];
    const without = (table: string[][]): string[][] => table.map((row) => row.filter((_, j) => j !== 2));
    expect(without(after)).toEqual(without(before));
    const pairs = new Set(before.slice(1).map((row, i) => `${row[2]} ${after[i + 1]![2]}`));
    const old = new Set(before.slice(1).map((row) => row[2]));
    expect(pairs.size).toBe(old.size);
    for (const name of old)
      expect(Buffer.from(entries["result.json"]!).toString()).not.toMatch(new RegExp(`"${name}"`));
    const run = gosset("verify", zip, "--json");
    expect([run.status, JSON.parse(run.stdout).identical]).toEqual([0, true]);
    expect(temporary()).toEqual([]);
  });

  it("keeps names on request, byte for byte", () => {
    const run = gosset("bundle", agreement, ratings, "--keep-names", "--out", at("named.zip"));
    expect(run.status).toBe(0);
    const entries = unzipSync(readFileSync(at("named.zip")));
    expect(Buffer.from(entries["data/summaries.csv"]!)).toEqual(readFileSync(ratings));
  });

  it("whose data were changed is refused", () => {
    const entries = unzipSync(readFileSync(zip));
    const changed = Buffer.from(entries["data/summaries.csv"]!).toString().replace(/,5,/, ",4,");
    writeFileSync(at("changed.zip"), zipSync({ ...entries, "data/summaries.csv": new TextEncoder().encode(changed) }));
    const run = gosset("verify", at("changed.zip"));
    expect([run.status, run.stderr]).toEqual([2, expect.stringContaining("is not the file that was bundled")]);
  });

  it("of a stranger reads nothing outside it", () => {
    const entries = unzipSync(readFileSync(zip));
    const result = JSON.parse(Buffer.from(entries["result.json"]!).toString());
    const evil = { ...result, command: ["gosset", "agreement", "../../etc/passwd"] };
    writeFileSync(
      at("evil.zip"),
      zipSync({ ...entries, "result.json": new TextEncoder().encode(JSON.stringify(evil)) }),
    );
    const run = gosset("verify", at("evil.zip"));
    expect([run.status, run.stderr]).toEqual([2, expect.stringContaining("which is not in the bundle")]);
  });
});

describe("a certificate of ranks", () => {
  const rng = makeRng("certificate");
  const rows = [
    "system,item,task,accuracy",
    ...["law", "math", "code"].flatMap((task) =>
      Array.from({ length: 30 }, (_, i) => {
        const hard = rng.normal();
        return ["low", "mid", "high"].map(
          (name, s) => `${name},${task}-${i},${task},${Number(hard + [-1, 0, 1][s]! + rng.normal() > 0)}`,
        );
      }).flat(),
    ),
  ];
  const tasks = written("tasks.csv", rows.join("\n"));
  const zip = at("certificate.zip");
  const run = gosset("rank", tasks, "--certify", zip);
  const text = (entry: Uint8Array): string => new TextDecoder().decode(entry);
  /** With one entry changed. */
  const planted = (name: string, entry: string, change: (text: string) => string): string => {
    const entries = unzipSync(readFileSync(zip));
    const path = at(name);
    writeFileSync(path, zipSync({ ...entries, [entry]: new TextEncoder().encode(change(text(entries[entry]!))) }));
    return path;
  };
  // biome-ignore lint/suspicious/noExplicitAny: JSON
  const edited = (name: string, change: (result: any) => void): string =>
    planted(name, "result.json", (own) => {
      const result = JSON.parse(own);
      change(result);
      return JSON.stringify(result);
    });
  // biome-ignore lint/suspicious/noExplicitAny: JSON
  const verified = (path: string): any => {
    const { stdout, status } = gosset("verify", path, "--json");
    return { status, ...JSON.parse(stdout) };
  };
  const fields = (path: string): string[] => verified(path).differences.map((own: { field: string }) => own.field);

  it("holds the page, the data and the ranking, and is reproduced to the last digit", () => {
    expect([run.status, run.stderr]).toEqual([0, expect.stringContaining("Check it with: gosset verify")]);
    const entries = unzipSync(readFileSync(zip));
    expect(Object.keys(entries).sort()).toEqual([
      "certificate.html",
      "data/tasks.csv",
      "gosset-bundle.json",
      "result.json",
    ]);
    const page = text(entries["certificate.html"]!);
    expect(readFileSync(at("certificate.html"), "utf8")).toBe(page);
    expect(page).toMatch(/Gosset certificate/);
    expect(page).toContain(JSON.parse(text(entries["gosset-bundle.json"]!)).files[0].sha256);
    expect(verified(zip)).toMatchObject({ status: 0, identical: true, of: "ranking" });
  });

  it("with a wrong pair names it", () => {
    const found = fields(
      edited("pair.zip", (own) => {
        own.neighbors[0].separated = !own.neighbors[0].separated;
      }),
    );
    expect(found).toContain("neighbors[high > mid].separated");
  });

  it("with an edited number names it", () => {
    const { differences, status } = verified(
      edited("number.zip", (own) => {
        own.systems[1].upper += 1;
      }),
    );
    expect(status).toBe(1);
    expect(differences[0]).toMatchObject({ field: "systems[mid].upper" });
  });

  it("without a task names it", () => {
    const named = fields(
      edited("task.zip", (own) => {
        own.tasks = own.tasks.filter((task: string) => task !== "math");
      }),
    );
    // then come the lines of the page that count tasks
    expect(named[0]).toBe("tasks[math]");
    expect(named.slice(1).every((name) => name.startsWith("certificate.html.line"))).toBe(true);
    // rows left out of the data, with a manifest that is made to fit
    const entries = unzipSync(readFileSync(zip));
    const data = new TextEncoder().encode(
      text(entries["data/tasks.csv"]!)
        .split("\n")
        .filter((line) => !line.includes(",math,"))
        .join("\n"),
    );
    const manifest = JSON.parse(text(entries["gosset-bundle.json"]!));
    const without = at("rows.zip");
    const pack = (): void =>
      writeFileSync(
        without,
        zipSync({
          ...entries,
          "data/tasks.csv": data,
          "gosset-bundle.json": new TextEncoder().encode(JSON.stringify(manifest)),
        }),
      );
    pack();
    expect(gosset("verify", without)).toMatchObject({ status: 2, stderr: expect.stringMatching(/not the file/) });
    manifest.files[0].sha256 = createHash("sha256").update(data).digest("hex");
    pack();
    const found = verified(without);
    expect(found).toMatchObject({ status: 1, sameData: false });
    expect(found.differences.map((own: { field: string }) => own.field)).toContain("tasks[math]");
  });

  it("with another page names the line", () => {
    const found = fields(planted("page.zip", "certificate.html", (own) => own.replace("<h1>high", "<h1>low")));
    expect(found).toEqual([expect.stringMatching(/^certificate\.html\.line \d+$/)]);
  });

  it("is a zip", () => {
    expect(gosset("rank", tasks, "--certify", "a.html")).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/--certify a\.html: not a zip/),
    });
  });
});

describe("wrong calls of bundle and verify", () => {
  const words = (name: string, command: readonly string[]): string =>
    edit(agreement, name, (json) => void (json["command"] = command));
  const cases: readonly (readonly [why: string, args: () => string[], line: RegExp])[] = [
    ["no file", () => ["verify", at("none.json")], /no file/],
    ["no JSON", () => ["verify", ratings], /not a stored result/],
    ["other JSON", () => ["verify", written("o.json", "{}")], /not a stored result/],
    ["an empty file", () => ["verify", written("e.json", "")], /not a stored result/],
    [
      "a zip of something else",
      () => ["verify", written("z.zip", zipSync({ a: new Uint8Array(3) }))],
      /no gosset-bundle.json/,
    ],
    ["no command", () => ["verify", words("w1.json", [])], /does not say which command/],
    ["another program", () => ["verify", words("w2.json", ["rm", "-rf", "/"])], /does not say which command/],
    ["no computing command", () => ["verify", words("w3.json", ["gosset", "report", "x"])], /computes no result/],
    [
      "another command behind the value of a flag, which was taken for the command",
      () => ["verify", words("w3b.json", ["gosset", "--seed", "agreement", "runs", folder])],
      /"gosset runs" computes no result/,
    ],
    [
      "another command behind a flag that is none of every command",
      () => ["verify", words("w3c.json", ["gosset", "--item", "agreement", "runs", folder])],
      /"gosset " computes no result/,
    ],
    [
      "a word that no system hands to a program",
      () => ["verify", words("w3d.json", ["gosset", "agreement", ratings, "--where", "(".repeat(300_000)])],
      /has an argument of 300000 bytes/,
    ],
    [
      "more words than that",
      () => ["verify", words("w3e.json", ["gosset", "agreement", ...Array(300_000).fill("a.csv")])],
      /has 300001 arguments/,
    ],
    [
      "a zero byte",
      () => ["verify", words("w3f.json", ["gosset", "agreement", "a\0.csv"])],
      /has an argument with a zero byte/,
    ],
    [
      "a module",
      () => ["verify", words("w4.json", ["gosset", "power", "module", "./x.mjs"])],
      /starts a module.*--trust/,
    ],
    [
      "a learner",
      () => ["verify", words("w5.json", ["gosset", "validity", "invariance", "x.csv", "--learner", "sh x"])],
      /starts a program: sh x.*--trust/,
    ],
    [
      "a learner after =",
      () => ["verify", words("w6.json", ["gosset", "validity", "invariance", "x.csv", "--learner=sh x"])],
      /starts a program: sh x/,
    ],
    [
      "a second learner",
      () => [
        "verify",
        words("w6b.json", ["gosset", "validity", "circularity", "x.csv", "--learner", "gam", "--learner", "sh x"]),
      ],
      /starts a program: sh x/,
    ],
    [
      "a command that fails",
      () => ["verify", words("w7.json", ["gosset", "agreement", "nowhere.csv"])],
      /fails here: no file/,
    ],
    [
      "a command of another kind",
      () => ["verify", words("w8.json", ["gosset", "describe", ratings])],
      /kind agreement.*kind describe/,
    ],
    [
      "a command without end",
      () => [
        "verify",
        words(
          "w10.json",
          "gosset power likert --items 200 --raters 20 --effect 0.1 --setting card-high --replicates 9000000".split(
            " ",
          ),
        ),
        "--timeout",
        "2",
      ],
      /did not end within 2 s \(--timeout\)/,
    ],
    [
      "a command that takes memory of its own choice",
      () => ["verify", words("w11.json", ["gosset", "agreement", ratings, "--max-memory", "900G"])],
      /sets its own memory limit \(--max-memory 900G\).*--trust/,
    ],
    [
      "a bundle that names a file twice",
      () => {
        const entries = unzipSync(readFileSync(at("study.zip")));
        const manifest = JSON.parse(Buffer.from(entries["gosset-bundle.json"]!).toString());
        const twice = { ...manifest, files: [...manifest.files, ...manifest.files] };
        const bytes = new TextEncoder().encode(JSON.stringify(twice));
        return ["verify", written("twice.zip", zipSync({ ...entries, "gosset-bundle.json": bytes }))];
      },
      /cannot be unpacked \(EEXIST\)/,
    ],
    ["a tolerance that is none", () => ["verify", agreement, "--tolerance", "-1"], /at least 0/],
    ["a tolerance that takes all for the same", () => ["verify", agreement, "--tolerance", "1e400"], /below 1/],
    ["two results", () => ["verify", agreement, agreement], /too many arguments/],
    ["no zip", () => ["bundle", agreement, ratings], /Say where: --out/],
    ["another extension", () => ["bundle", agreement, ratings, "--out", at("x.tar")], /writes a zip/],
    ["a missing input", () => ["bundle", agreement, agreement, "--out", at("x.zip")], /also reads/],
    [
      "an input that is not read",
      () => ["bundle", agreement, ratings, agreement, "--out", at("x.zip")],
      /does not read/,
    ],
    [
      "a column that is not there",
      () => ["bundle", agreement, ratings, "--rater", "judge", "--out", at("x.zip")],
      /no file has such a column/,
    ],
    [
      "a result that does not come out",
      () => ["bundle", edit(agreement, "w9.json", (json) => void (json["items"] = 1)), ratings, "--out", at("x.zip")],
      /are not reproduced \(items: 1 stored/,
    ],
    [
      "a folder that is not there",
      () => ["bundle", agreement, ratings, "--out", at("none/x.zip")],
      /there is no folder/,
    ],
  ];
  it.each(cases)("%s", (_, args, line) => {
    const { status, stdout, stderr }: Run = gosset(...args());
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toMatch(line);
  });

  it("leaves nothing behind", () => {
    expect(temporary()).toEqual([]);
    expect(readdirSync(folder).filter((name) => /^x\.|\.tmp$/.test(name))).toEqual([]);
  });
});

describe.skipIf(process.platform === "win32")("links in a folder", () => {
  it("are not followed out of it: a private file went into the bundle", () => {
    const given = at("given");
    mkdirSync(join(given, "inner"), { recursive: true });
    const rows = (offset: number): string =>
      `system,item,score\n${Array.from({ length: 20 }, (_, i) => `A,${i},${(i + offset) % 2}\nB,${i},${(i * 3) % 2}`).join("\n")}\n`;
    writeFileSync(join(given, "a.csv"), rows(0));
    symlinkSync("../a.csv", join(given, "inner", "same.csv"));
    symlinkSync(written("secret.csv", rows(1).replaceAll("A,", "private,")), join(given, "leak.csv"));
    const described = gosset("describe", given);
    expect(described.status).toBe(0);
    expect(described.stdout.replace(/\s+/g, " ")).toContain(
      "1 file could not be read (given/leak.csv: a link to a place outside its folder)",
    );
    const stored = store("linked.json", "describe", given);
    const run = gosset("bundle", stored, given, "--out", at("linked.zip"));
    expect([run.stderr, run.status]).toEqual(["", 0]);
    expect(run.stdout).toContain("Not included: given/leak.csv, a link to a place outside its folder.");
    const entries = unzipSync(readFileSync(at("linked.zip")));
    expect(Object.keys(entries).filter((name) => name.endsWith(".csv"))).toEqual([
      "data/given/a.csv",
      "data/given/inner/same.csv",
    ]);
    expect(Object.values(entries).some((bytes) => new TextDecoder().decode(bytes).includes("private"))).toBe(false);
  });

  it("are no reading: an error would print lines of a private file", () => {
    mkdirSync(at("linked"));
    writeFileSync(join(at("linked"), "d.csv"), "system,item,score\nA,1,0\nB,1,1\n");
    symlinkSync(written("private.yaml", "token: s3cret\n"), join(at("linked"), "gosset.yaml"));
    const { status, stderr } = gosset("compare", join(at("linked"), "d.csv"));
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/gosset\.yaml is a link to a place outside its folder/),
    ]);
    expect(stderr).not.toContain("token");
  });

  it("that are all there is are named", () => {
    mkdirSync(at("only"));
    symlinkSync(written("elsewhere.csv", "y,x\n1,2\n"), join(at("only"), "x.csv"));
    expect(gosset("describe", at("only"))).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /holds no files but links, such as ".*x\.csv", a link to a place outside its folder\. Name the links that you trust as single files\./,
      ),
    });
    // a link that the user names is the user's own
    expect(gosset("describe", join(at("only"), "x.csv")).status).toBe(0);
  });
});

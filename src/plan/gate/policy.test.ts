/** Policies as people write them, and what is said where they go wrong. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { policySchema, readPolicy, ruleFor, simplePolicy } from "./policy.ts";

const FULL = `version: 1
alpha: 0.1
correction: fixed-sequence
metric: accuracy
higher-is-better: true
by: topic
unscored: wrong
changes: [temperature]
baselines:
  main: [runs/a.json, runs/b.json]
margin: 5%
coverage: 0.9
tasks:
  gsm8k: { margin: 0.03, tier: critical, items: 200 }
  mmlu: { no-worse-than: 0.7, tier: supporting, required: false }
  chat: { tier: advisory }
`;

describe("a policy", () => {
  it("is read with its defaults", () => {
    const policy = readPolicy(FULL);
    expect(policy).toMatchObject({
      alpha: 0.1,
      correction: "fixed-sequence",
      unscored: "wrong",
      power: 0.8,
      by: "topic",
    });
    expect(policy.tasks["gsm8k"]).toEqual({
      allowance: { kind: "absolute", value: 0.03 },
      tier: "critical",
      required: true,
      items: 200,
      coverage: 0.9,
    });
    expect(policy.tasks["mmlu"]).toMatchObject({ allowance: { kind: "floor", score: 0.7 }, required: false });
    expect(policy.tasks["chat"]!.allowance).toEqual({ kind: "relative", share: 0.05 });
    expect(ruleFor(policy, "other")).toMatchObject({ allowance: { kind: "relative", share: 0.05 }, required: false });
    expect(simplePolicy({ margin: 0.02 }).fallback!.allowance).toEqual({ kind: "absolute", value: 0.02 });
  });

  it.each([
    ["alpha: 2\nmargin: 0.1", /gate\.yaml:1:8: alpha should be a number above 0, up to 0\.5, not 2/],
    ["margin: 0.1\ntier: vital", /gate\.yaml:2:7: tier should be critical or supporting or advisory, not "vital"/],
    ["margin: 0.1\nmargn: 0.2", /gate\.yaml:2:1: margn is unknown/],
    [
      "margin: 0.1\ntasks:\n  a: { margin: -1 }",
      /gate\.yaml:3:16: tasks\.a\.margin should be a number from 0, or a proportion/,
    ],
    ["margin: 0.1\ntasks:\n  a: { items: 1.5 }", /tasks\.a\.items should be a whole number from 2/],
    ["margin: [1", /gate\.yaml:1:/],
    ["margin: 0.1\nmargin: 0.2", /gate\.yaml:2:1: Map keys must be unique/],
    ["- 1", /the file should be names with values, not a list/],
    ["", /the file should be names with values, not nothing/],
    ["alpha: 0.05", /has no margin/],
    ["margin: 0.1\nno-worse-than: 0.5", /a margin and no-worse-than at once/],
    ["margin: 0.1\ntier: advisory", /every task is advisory/],
    ["margin: 0.1\nhigher-is-better: maybe", /higher-is-better should be true or false, not "maybe"/],
    ["margin: 0.1\nchanges: temperature", /changes should be a list, not "temperature"/],
  ])("%j is refused with its place", (text, message) => {
    expect(() => readPolicy(text, "gate.yaml")).toThrow(message);
  });

  it("refuses names that every object has, which ended in an internal error", () => {
    for (const name of ["__proto__", "constructor", "toString"])
      expect(() => readPolicy(`margin: 0.02\n${name}: { alpha: 0.5 }\n`)).toThrow(`${name} is unknown.`);
  });

  it("suggests the name that was meant", () => {
    expect(() => readPolicy("margn: 0.1", "p")).toThrow(expect.objectContaining({ fix: 'Did you mean "margin"?' }));
  });

  it("has a JSON Schema that accepts and refuses the same", () => {
    const check = new Ajv2020({ strict: false }).compile(policySchema());
    expect(check({ margin: "5%", tasks: { a: { margin: 0.1, tier: "critical" } } })).toBe(true);
    expect(check({ margin: -1 })).toBe(false);
    expect(check({ margin: 0.1, tier: "vital" })).toBe(false);
    expect(check({ margn: 0.1 })).toBe(false);
  });
});

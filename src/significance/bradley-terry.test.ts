import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { reviveResult } from "../result/result.ts";
import { fitBradleyTerry, outcomesOf, TIE_MODELS } from "./bradley-terry.ts";

interface Case {
  readonly id: string;
  readonly input: { data: string; model: string; order_effect: boolean; reference: string };
  readonly expected: {
    levels: string[];
    ability: number[];
    ability_se: number[];
    parameters: { names: string[]; estimate: number[]; se: number[]; p: number[] };
    vcov: number[][];
    loglik: number;
  };
}
const place = (path: string) => new URL(`../../oracle/next/${path}`, import.meta.url);
const { cases } = JSON.parse(readFileSync(place("bradley-terry.json"), "utf8")) as { cases: Case[] };
const battlesOf = (name: string) =>
  readFileSync(place(`data/${name}.csv`), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","))
    .map(([first, second, a, b, t]) => ({
      ...{ first: first!, second: second! },
      ...{ winsFirst: Number(a), winsSecond: Number(b), ties: Number(t) },
    }));
const MODELS = { bt: "half", "bt-half": "half", davidson: "davidson", raokupper: "rao-kupper" } as const;

describe("Bradley-Terry with ties and an order effect", () => {
  for (const { id, input, expected } of cases)
    it(`agrees with ${id}`, () => {
      const all = battlesOf(input.data);
      const battles = input.model === "bt" ? all.map((own) => ({ ...own, ties: 0 })) : all;
      const ties = MODELS[input.model as keyof typeof MODELS];
      const fit = fitBradleyTerry(battles, { reference: input.reference, ties, order: input.order_effect });
      const near = (own: number, want: number) =>
        expect(Math.abs(own - want)).toBeLessThan(1e-7 * Math.max(1, Math.abs(want)));
      for (const [i, name] of expected.levels.entries()) {
        const own = fit.abilities.find((ability) => ability.name === name)!;
        near(own.value, expected.ability[i]!);
        near(own.se, expected.ability_se[i]!);
      }
      const { names, estimate, se, p } = expected.parameters;
      for (const [i, name] of names.entries()) {
        const own = fit.parameters.find((one) => one.name === name.replace("_", " "));
        if (own === undefined) continue;
        near(own.value, estimate[i]!);
        near(own.se, se[i]!);
        near(own.p, p[i]!);
      }
      expect(fit.parameters).toHaveLength(names.filter((name) => /log_|order/.test(name)).length);
      const order = expected.levels.map((name) => fit.abilities.findIndex((own) => own.name === name));
      const free = order.slice(1);
      for (const [i, a] of free.entries())
        for (const [j, b] of free.entries()) near(fit.vcov.data[a + b * fit.vcov.rows]!, expected.vcov[i]![j]!);
      expect(String(reviveResult(JSON.stringify(fit)))).toBe(String(fit));
    });

  it("has probabilities that sum to 1, with derivatives that are those of the logarithm", () => {
    const h = 1e-5;
    for (const ties of TIE_MODELS)
      for (const [d, tau] of [
        [0.3, 0.4],
        [-2, 1.1],
        [4, 0.2],
      ] as const) {
        const own = outcomesOf(ties, d, tau);
        const sum = own.slice(0, ties === "half" ? 2 : 3).reduce((total, { log }) => total + Math.exp(log), 0);
        expect(sum).toBeCloseTo(1, 12);
        const at = (x: number, y: number) => outcomesOf(ties, x, y);
        for (const [k, one] of own.entries()) {
          expect(one.d).toBeCloseTo((at(d + h, tau)[k]!.log - at(d - h, tau)[k]!.log) / (2 * h), 6);
          expect(one.t).toBeCloseTo((at(d, tau + h)[k]!.log - at(d, tau - h)[k]!.log) / (2 * h), 6);
          expect(one.dd).toBeCloseTo((at(d + h, tau)[k]!.d - at(d - h, tau)[k]!.d) / (2 * h), 6);
          expect(one.dt).toBeCloseTo((at(d, tau + h)[k]!.d - at(d, tau - h)[k]!.d) / (2 * h), 6);
          expect(one.tt).toBeCloseTo((at(d, tau + h)[k]!.t - at(d, tau - h)[k]!.t) / (2 * h), 6);
        }
      }
  });

  it("takes a tie for a link between players, and turns round with the sides", () => {
    const battles = [
      { first: "a", second: "b", winsFirst: 5, winsSecond: 0, ties: 2 },
      { first: "b", second: "c", winsFirst: 3, winsSecond: 2, ties: 1 },
    ];
    const fit = fitBradleyTerry(battles, { ties: "davidson", reference: "b" });
    const turned = battles.map(({ first, second, winsFirst, winsSecond, ties }) => ({
      ...{ first: second, second: first, winsFirst: winsSecond, winsSecond: winsFirst, ties },
    }));
    const other = fitBradleyTerry(turned, { ties: "davidson", reference: "b" });
    for (const [i, own] of fit.abilities.entries()) expect(own.value).toBeCloseTo(other.abilities[i]!.value, 9);
    expect(() => fitBradleyTerry([{ first: "a", second: "b", winsFirst: 5, winsSecond: 0 }])).toThrow(/never won/);
  });
});

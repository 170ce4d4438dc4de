/** Questions about raters and repeats: agreement, reliability, and models that let items and raters vary. */

import type { Imported } from "../../data/imported.ts";
import { groupKeys } from "../../data/keys.ts";
import { column, selectRows, type Table } from "../../data/table.ts";
import { systemFacet } from "../../reliability/columns.ts";
import { quoteName, quoteShell } from "../../result/quote.ts";
import { listValues } from "../../study/facts.ts";
import { type Design, measureDesign } from "../../study/layout.ts";
import { isChoiceName } from "../../study/lexicon/others.ts";
import { levelOf } from "../../study/score-facts.ts";
import { fitCommand, type Offer, sourceArguments } from "./command.ts";
import type { Question } from "./question.ts";

import { comparedSystems } from "./scores.ts";
import { isClustered, isRated, randomTerms } from "./terms.ts";

/** z tests of a model with fewer raters than this are too sure of themselves. */
const FEW_RATERS = 30;

export function offerMixedModels({ imported, facts, source }: Question): Offer[] {
  if (facts === undefined || facts.isFactor || imported.roles.opponent !== undefined) return [];
  const { roles } = imported;
  const { design, kind } = facts;
  const systems = comparedSystems(facts);
  const rated = isRated(roles, facts);
  if (roles.system === undefined || systems.length < 2 || (!rated && design.items < 2)) return [];
  // Where no item, rater or repeat comes twice there is nothing for a random effect to hold on to.
  if (design.pairedItems === 0 && design.raters < 2 && design.repeats < 2) return [];
  const terms = [quoteName(roles.system), ...randomTerms(roles, facts)];
  if (terms.length < 2) return [];
  const command = (model: "lmm" | "glmm" | "clmm"): string => {
    const factors = [roles.system!, ...(model === "clmm" ? [facts.name] : [])];
    const fit = { model, response: quoteName(facts.name), terms, factors, binomial: model === "glmm" };
    return fitCommand(fit, facts.table, source);
  };
  const clustered = isClustered(roles, facts);
  const latent = kind === "rating" ? "clmm" : kind === "binary" ? "glmm" : undefined;
  const among = [
    ...(design.items > 1 ? ["items"] : []),
    ...(rated ? ["raters"] : []),
    ...(clustered ? ["clusters"] : []),
    ...(design.repeats > 1 ? ["repeats"] : []),
  ];
  const question = `How do the systems differ, adjusted for ${among.join(" and ")}`;
  const linear: Offer = { needs: "fit lmm", question: `${question}?`, command: command("lmm") };
  // A logit is infinite for a system that is always or never right.
  if (latent === undefined || facts.separated) return rated || latent === undefined ? [linear] : [];
  const scale = latent === "clmm" ? ", with ratings as ordered categories" : rated ? ", as odds" : "";
  const note =
    rated && design.raters < FEW_RATERS
      ? `its z tests ignore that there are only ${design.raters} raters; the linear model accounts for it`
      : undefined;
  return [
    ...(rated ? [linear] : []),
    { needs: `fit ${latent}`, question: `${question}${scale}?`, command: command(latent), note },
  ];
}

export function offerAgreement({ imported, facts, source, design: all, profile }: Question): Offer[] {
  const { roles } = imported;
  if (roles.rater === undefined || roles.item === undefined) return [];
  if (roles.opponent !== undefined) return offerVoters(imported, source, facts?.design ?? all);
  const given = roles.label !== undefined && isOfItems(imported, roles.label) ? undefined : roles.label;
  const label = facts?.name ?? given ?? loneCategory(imported, profile);
  if (label === undefined || profile(label).distinct < 2) return [];
  const design = facts?.design ?? all;
  if (design.multiplyRated === 0) return [];
  // what a rater judges is one system's output on one item
  const unit = [roles.item, ...(roles.system === undefined ? [] : [roles.system])].join(",");
  const units = [...new Set([...unit.split(","), roles.rater])].map((name) => column(imported.table, name));
  const isOnce = groupKeys(units, imported.table.rows).count === imported.table.rows;
  // several labels of a rater on one item are asked about: the offer holds the likeliest answer
  const likely = imported.asks?.find(({ id }) => id === "repeats")?.answers[0]?.item;
  const own = isOnce ? unit : typeof likely === "string" ? likely : undefined;
  const item = own === undefined ? "" : ` --item ${quoteShell(own)}`;
  const command = `gosset agreement ${sourceArguments(source).join(" ")}${item} --rater ${quoteShell(roles.rater)} --label ${quoteShell(label)}`;
  const who = imported.unnamedRaters === true ? "raters (whom the file does not name)" : `${design.raters} raters`;
  return [{ needs: "agreement", question: `Do the ${who} agree on ${label}?`, command }];
}

/** The same for an item whoever judges it: its right answer, no judgement. */
function isOfItems({ table, roles }: Imported, name: string): boolean {
  const columns = [roles.item!, ...(roles.system === undefined ? [] : [roles.system])].map((own) => column(table, own));
  const units = groupKeys(columns, table.rows).count;
  return groupKeys([...columns, column(table, name)], table.rows).count === units;
}

/** Votes name their own label: who was preferred. */
function offerVoters({ roles }: Imported, source: Question["source"], design: Design): Offer[] {
  if (design.raters < 2 || design.multiplyRated === 0 || roles.cluster === undefined) return [];
  const command = `gosset agreement ${sourceArguments(source).join(" ")}`;
  return [{ needs: "agreement", question: `Do the ${design.raters} raters prefer the same system?`, command }];
}

/** Judgements in words are no score, yet raters can agree on them: the one column of few levels. */
function loneCategory(imported: Imported, profile: Question["profile"]): string | undefined {
  const { table, roles } = imported;
  const all = roles.covariates.filter(
    (name) => column(table, name).kind === "factor" && profile(name).distinct <= MOST_CATEGORIES,
  );
  // beside what is the same for an item, its domain say, the judgement is what raters differ in
  const found = all.length > 1 && roles.item !== undefined ? all.filter((name) => !isOfItems(imported, name)) : all;
  return found.length === 1 ? found[0] : undefined;
}

const HALF = "an interval that contains 0.5 is inconclusive; p tests a proportion of 0";
const MOST_CATEGORIES = 10;

/** Which of two was preferred, item by item, without their outputs' scores: a share to hold against one half. */
export function offerChoice({ imported, facts, source, profile }: Question): Offer[] {
  const { roles, table } = imported;
  const name = facts === undefined && roles.system === undefined ? loneCategory(imported, profile) : undefined;
  if (name === undefined || !isChoiceName(name) || roles.item === undefined) return [];
  const levels = listValues(column(table, name));
  const [first, second] = levels;
  const won = `${name}_01`;
  if (first === undefined || levels.length !== 2 || /['"\\]/.test(first) || table.columns.has(won)) return [];
  const random = randomTerms(roles, { design: measureDesign(table, roles), table });
  const fit = {
    model: random.length > 0 ? ("lmm" as const) : ("lm" as const),
    response: quoteName(won),
    terms: ["1", ...random],
    mutate: `${quoteName(won)} = ${quoteName(name)} == '${first}'`,
  };
  return [
    {
      needs: `fit ${fit.model}`,
      question: `How often is ${first} preferred to ${second}, with an interval?`,
      command: fitCommand(fit, table, source),
      note: HALF,
    },
  ];
}

/** Votes about the same two systems, one row of each: what the side does to them, and where prompts or raters come again the share of wins by a
 *  model that knows it. */
export function offerVotes({ imported, facts, source }: Question): Offer[] {
  const { opponent, cluster: battle, system, ...roles } = imported.roles;
  if (facts === undefined || opponent === undefined || system === undefined || source.where !== undefined) return [];
  const [first, second, ...others] = facts.design.systems;
  if (first === undefined || second === undefined || others.length > 0 || /['"\\]/.test(first)) return [];
  const cells = column(facts.table, system);
  const table = selectRows(facts.table, (row) => levelOf(cells, row) === first);
  const random = randomTerms(roles, { design: measureDesign(table, roles), table });
  const oneSide = { ...source, where: `${quoteName(system)} == '${first}'` };
  const model = random.length > 0 ? ("lmm" as const) : ("lm" as const);
  const response = quoteName(facts.name);
  const sides = (roles.covariates ?? []).filter((name) => isSide(imported.table, battle, { name, votes: table }));
  const influences = sides.map((name): Offer => {
    const fit = { model, response, terms: [quoteName(name), ...random] };
    const question = `Does ${name} influence who wins?`;
    return { needs: `fit ${model}`, question, command: fitCommand(fit, table, oneSide) };
  });
  if (random.length === 0) return influences;
  const fit = { model, response, terms: ["1", ...random] };
  return [
    ...influences,
    {
      needs: "fit lmm",
      question: `How often does ${first} win against ${second}, with correlated votes?`,
      command: fitCommand(fit, table, oneSide),
      note: HALF,
    },
  ];
}

/** What differs between the two rows of every battle, and among those of one system. */
function isSide(
  table: Table,
  battle: string | undefined,
  { name, votes }: { readonly name: string; readonly votes: Table },
): boolean {
  if (battle === undefined || listValues(column(votes, name)).length < 2) return false;
  const cells = [column(table, battle), column(table, name)];
  return groupKeys(cells, table.rows).count === 2 * groupKeys(cells.slice(0, 1), table.rows).count;
}

export function offerReliability({ imported, facts, source }: Question): Offer[] {
  const { roles } = imported;
  if (facts === undefined || facts.isFactor || roles.opponent !== undefined) return [];
  const { design } = facts;
  const settings = roles.parameters.length > 1;
  if (roles.item === undefined && !settings) return [];
  if (settings && roles.item === undefined) {
    // data sets and systems were varied too, which the command knows
    const command = `gosset importance ${sourceArguments(source).join(" ")} --score ${quoteShell(facts.name)}`;
    return [{ needs: "importance", question: `Which settings matter most for ${facts.name}?`, command }];
  }
  const facets = [
    ...(design.raters > 1 && design.multiplyRated > 0 ? [roles.rater!] : []),
    ...((design.repeats > 1 || settings) && roles.repeat !== undefined ? [roles.repeat] : []),
    ...(settings ? roles.parameters : []),
  ];
  if (facets.length === 0) return [];
  const asked = facets.join(", ");
  // named systems are no sample of any: what is scored again is a system's output on an item
  const systems = systemFacet(roles, facts.table).filter((name) => !facets.includes(name));
  const outputs = !settings && systems.length > 0;
  if (settings) facets.push(...systems);
  const measured = outputs ? [roles.item!, ...systems].join(",") : roles.item;
  const object = measured === undefined ? "" : ` --object ${quoteShell(measured)}`;
  return [
    {
      needs: "reliability",
      question: settings
        ? `How much of the variation in ${facts.name} comes from each setting${roles.item === undefined ? "" : " and from the items"}?`
        : `Would the same ${outputs ? "outputs" : "items"} score the same again (by another ${asked})?`,
      command: `gosset reliability ${sourceArguments(source).join(" ")} --score ${quoteShell(facts.name)}${object} --facets ${quoteShell(facets.join(","))}`,
    },
  ];
}

/** Questions about raters and repeats: agreement, reliability, and models that let items and raters vary. */
import type { Question } from "./answers.ts";
import { fitCommand, type Offer, sourceArguments } from "./command.ts";
import { comparedSystems } from "./offer-scores.ts";
import { quoteName, quoteShell } from "./quote.ts";

export function offerMixedModels({ imported, facts, source }: Question): Offer[] {
  if (facts === undefined || facts.isFactor || imported.roles.opponent !== undefined) return [];
  const { roles } = imported;
  const { design, kind } = facts;
  // A logit is infinite for a system that is always or never right.
  if (facts.separated) return [];
  const systems = comparedSystems(facts);
  if (roles.item === undefined || roles.system === undefined || systems.length < 2 || design.items < 2) return [];
  // Where no item, rater or repeat comes twice there is nothing for a random effect to hold on to.
  if (design.pairedItems === 0 && design.raters < 2 && design.repeats < 2) return [];
  const item = quoteName(roles.item);
  const groups = [`(1 | ${item})`];
  if (design.raters > 1) groups.push(`(1 | ${quoteName(roles.rater!)})`);
  // Repeated runs of a system on an item are not independent items.
  else if (design.repeats > 1 && design.pairedItems > 0) groups.push(`(1 | ${item}:${quoteName(roles.system)})`);
  const model = kind === "rating" ? "clmm" : kind === "binary" ? "glmm" : "lmm";
  const terms = [quoteName(roles.system), ...groups];
  const factors = [roles.system, ...(model === "clmm" ? [facts.name] : [])];
  const fit = { model, response: quoteName(facts.name), terms, factors, binomial: model === "glmm" } as const;
  const among = ["items", ...(design.raters > 1 ? ["raters"] : []), ...(design.repeats > 1 ? ["repeats"] : [])];
  const scale = model === "clmm" ? ", with ratings as ordered steps" : "";
  return [
    {
      needs: `fit ${model}`,
      question: `How do the systems differ beyond the differences among ${among.join(" and ")}${scale}?`,
      command: fitCommand(fit, facts.table, source),
    },
  ];
}

export function offerAgreement({ imported, facts, source, design: all, profile }: Question): Offer[] {
  const { roles } = imported;
  if (roles.rater === undefined || roles.item === undefined || roles.opponent !== undefined) return [];
  const label = facts?.name ?? roles.label;
  if (label === undefined || profile(label).distinct < 2) return [];
  const design = facts?.design ?? all;
  if (design.multiplyRated === 0) return [];
  // what a rater judges is one system's output on one item
  const unit = [roles.item, ...(roles.system === undefined ? [] : [roles.system])].join(",");
  const command = `assay agreement ${sourceArguments(source).join(" ")} --item ${quoteShell(unit)} --rater ${quoteShell(roles.rater)} --label ${quoteShell(label)}`;
  return [{ needs: "agreement", question: `Do the ${design.raters} raters agree on ${label}?`, command }];
}

export function offerReliability({ imported, facts, source }: Question): Offer[] {
  const { roles } = imported;
  if (facts === undefined || facts.isFactor || roles.opponent !== undefined) return [];
  const { design } = facts;
  const settings = roles.parameters.length > 1;
  if (roles.item === undefined && !settings) return [];
  const facets = [
    ...(design.raters > 1 && design.multiplyRated > 0 ? [roles.rater!] : []),
    ...((design.repeats > 1 || settings) && roles.repeat !== undefined ? [roles.repeat] : []),
    ...(settings ? roles.parameters : []),
  ];
  if (facets.length === 0) return [];
  const object = roles.item === undefined ? "" : ` --object ${quoteShell(roles.item)}`;
  return [
    {
      needs: "reliability",
      question: settings
        ? `How much of the variation in ${facts.name} comes from each setting${roles.item === undefined ? "" : " and from the items"}?`
        : `Would the same items score the same again (${facets.join(", ")})?`,
      command: `assay reliability ${sourceArguments(source).join(" ")} --score ${quoteShell(facts.name)}${object} --facets ${quoteShell(facets.join(","))}`,
    },
  ];
}

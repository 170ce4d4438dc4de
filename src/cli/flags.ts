/** Flags that several commands share. */
import { type Command, InvalidArgumentError, Option } from "commander";

const FORMATS = ["text", "md", "latex", "csv", "html"];
const FAMILIES = ["gaussian", "binomial", "poisson"];
const LINKS = ["identity", "log", "logit", "probit", "cloglog"];
export const ROBUST = ["HC0", "HC1", "HC2", "HC3", "CR0", "CR1", "CR1S", "CR2"];

function checkWorkers(text: string): string {
  if (/^[1-9]\d*$/.test(text.trim())) return text;
  throw new InvalidArgumentError("It must be a whole number of at least 1.");
}

function checkSeed(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("Any text will do, but not none.");
}

export const collect = (value: string, earlier: string[] = []): string[] => [...earlier, value];

/** Flags of every command; they may stand before or after its name. */
export function addGlobalOptions(command: Command): Command {
  return command
    .option("--json", "print one JSON object at full precision (the documented contract)")
    .addOption(new Option("--format <format>", "how to print the answer").choices(FORMATS).default("text"))
    .option("--out <file>", "write the answer to a file (whole or not at all)")
    .option("--seed <seed>", "seed of everything random: a number or any text", checkSeed, "1")
    .option(
      "--workers <n>",
      "worker threads for simulations (default: one per processor; the digits do not depend on it)",
      checkWorkers,
    )
    .option("--quiet", "no progress and no warnings on stderr")
    .option("--no-color", "plain text even on a terminal");
}

/** How the columns of a file become the variables of a model. */
export function addDataOptions(command: Command): Command {
  return command
    .option("--where <condition>", "keep the rows for which it holds: \"split == 'test' & n > 3\"", collect, [])
    .option("--mutate <name=expr>", 'add a column: "gain = after - before"', collect, [])
    .option("--levels <col=a,b,c>", "order of a factor's levels; the first is the reference", collect, [])
    .option("--factor <col>", "read a numeric column as a factor", collect, [])
    .option("--ordered <col=a,b,c>", "ordered factor, lowest level first", collect, [])
    .option(
      "--contrasts <sum|col=sum>",
      "treatment (default), sum, helmert or poly, for all factors or one",
      collect,
      [],
    )
    .option("--weights <col>", "precision weights, or trials of a binomial proportion")
    .option("--offset <col>", "a known part of the linear predictor");
}

/** How a file is read. */
export function addReadOptions(command: Command): Command {
  return command
    .option("--input-format <format>", "do not guess what the file is: csv, tsv, jsonl, json, parquet, inspect, …")
    .addOption(new Option("--bad-rows <what>", "faulty rows of a table").choices(["error", "skip"]).default("error"))
    .option("--delimiter <char>", "CSV: what separates fields, if the guess is wrong; tab for a tab")
    .addOption(new Option("--decimal <sign>", "CSV: what separates decimals").choices([".", ","]))
    .option("--missing <a,b,c>", "CSV: texts that mean a missing value, beside the empty cell, NA, null …")
    .option("--no-quote", "CSV: a quotation mark is a character like any other")
    .option("--encoding <name>", "of text files: utf-8 (default), windows-1252, utf-16le …");
}

export function addModelOptions(command: Command): Command {
  return addReadOptions(addDataOptions(command))
    .addOption(new Option("--family <family>", "response distribution of a glm").choices(FAMILIES))
    .addOption(new Option("--link <link>", "link function of a glm").choices(LINKS));
}

export const ddfOption = (): Option =>
  new Option("--ddf <method>", "lmm: degrees of freedom (default: satterthwaite)").choices([
    "satterthwaite",
    "kenward-roger",
    "none",
  ]);

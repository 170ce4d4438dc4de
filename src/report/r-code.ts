/** The same model in R, as code that runs when pasted; only where every word of the command is understood, so that it is the same model.
 *  R reads texts as characters: levels in the order that Gosset used are written out where they matter. */
import type { ResultJson } from "../result/result.ts";
import type { ComparisonJson } from "../significance/compare/json.ts";

/** Flags that do not change the model that is fitted. */
const HARMLESS = /^--(json|quiet|out|plot|figure|html|format|seed|workers|no-color|include-text|modes|terms|margin)$/;
const READ: Readonly<Record<string, (file: string) => string>> = {
  csv: (file) => `d <- read.csv(${file})`,
  tsv: (file) => `d <- read.delim(${file})`,
};

interface Command {
  readonly file: string;
  /** Of flags that matter. */
  readonly flags: ReadonlyMap<string, string>;
}

export function rCode(json: ResultJson): string | undefined {
  const make = CODE[json.kind];
  const command = make === undefined ? undefined : understand(json.command);
  if (make === undefined || command === undefined) return undefined;
  const read = READ[/\.(\w+)$/.exec(command.file)?.[1] ?? ""];
  const body = make(json as Fields, command);
  if (read === undefined || body === undefined) return undefined;
  return [...body.libraries.map((name) => `library(${name})`), read(quote(command.file)), ...body.lines].join("\n");
}

/** By default glmer's search ends a little before the optimum. */
const TIGHT = 'glmerControl(optimizer = "bobyqa", tolPwrss = 1e-12)';

type Fields = ResultJson & Readonly<Record<string, unknown>>;

interface Body {
  readonly libraries: readonly string[];
  readonly lines: readonly string[];
}

/** One file and flags that are known; undefined otherwise. */
function understand(command: readonly string[]): Command | undefined {
  const flags = new Map<string, string>();
  const files: string[] = [];
  for (let k = 1; k < command.length; k++) {
    const word = command[k]!;
    const next = command[k + 1];
    if (word.startsWith("--")) {
      const value = next !== undefined && !next.startsWith("--") ? next : "";
      if (!HARMLESS.test(word)) flags.set(word.slice(2), value);
      if (value !== "" && !VALUELESS.test(word)) k++;
    } else if (READ[/\.(\w+)$/.exec(word)?.[1] ?? ""] !== undefined) files.push(word);
  }
  return files.length === 1 ? { file: files[0]!, flags } : undefined;
}

const VALUELESS = /^--(json|quiet|no-color|include-text|modes|terms|reml|ml)$/;

/** Undefined where a flag is not among those that the code below knows. */
function only(flags: Command["flags"], known: readonly string[]): boolean {
  return [...flags.keys()].every((name) => known.includes(name));
}

const quote = (text: string): string => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

const CODE: Readonly<Record<string, (json: Fields, command: Command) => Body | undefined>> = {
  lm: ({ formula }, { flags }) =>
    only(flags, []) ? { libraries: [], lines: [`m <- lm(${formula}, data = d)`, "summary(m)"] } : undefined,
  glm: ({ formula, family, link }, { flags }) =>
    only(flags, ["family", "link"]) ? glmBody(String(formula), String(family), String(link)) : undefined,
  lmm: ({ formula, method, ddf }, { flags }) =>
    only(flags, ["ddf", "ml"])
      ? {
          libraries: ["lmerTest"],
          lines: [
            `m <- lmer(${formula}, data = d, REML = ${method === "REML" ? "TRUE" : "FALSE"})`,
            ddf === "kenward-roger" ? 'summary(m, ddf = "Kenward-Roger")' : "summary(m)",
          ],
        }
      : undefined,
  glmm: ({ formula, family, link, method }, { flags }) =>
    only(flags, ["family", "link"]) && method === "Laplace"
      ? {
          libraries: ["lme4"],
          lines: [
            `m <- glmer(${formula}, family = ${family}(link = "${link}"), data = d, control = ${TIGHT})`,
            "summary(m)",
          ],
        }
      : undefined,
  clm: ({ formula, link }, { flags }) =>
    only(flags, ["link"]) ? ordinal("clm", String(formula), String(link)) : undefined,
  clmm: ({ formula, link, method }, { flags }) =>
    only(flags, ["link"]) && method === "Laplace" ? ordinal("clmm", String(formula), String(link)) : undefined,
  gam: ({ formula, family, link, method }, { flags }) =>
    only(flags, ["family", "link"]) && (method === "REML" || method === "ML")
      ? {
          libraries: ["mgcv"],
          lines: [
            `m <- gam(${formula}, family = ${family}(link = "${link}"), method = "${method}", data = d)`,
            "summary(m)",
          ],
        }
      : undefined,
  lrt: nestedCode,
  emmeans: emmeansCode,
  reliability: reliabilityCode,
  comparison: (json, command) => comparisonCode(json as unknown as ComparisonJson, command),
};

/** Families of R's glm, by our names. */
const GLM_FAMILIES: Readonly<Record<string, string>> = {
  binomial: "binomial",
  poisson: "poisson",
  gaussian: "gaussian",
  gamma: "Gamma",
  quasibinomial: "quasibinomial",
  quasipoisson: "quasipoisson",
};

function glmBody(formula: string, family: string, link: string): Body | undefined {
  if (family === "negative-binomial") {
    return { libraries: ["MASS"], lines: [`m <- glm.nb(${formula}, link = ${link}, data = d)`, "summary(m)"] };
  }
  const name = GLM_FAMILIES[family];
  if (name === undefined) return undefined;
  return { libraries: [], lines: [`m <- glm(${formula}, family = ${name}(link = "${link}"), data = d)`, "summary(m)"] };
}

/** By what was compared: linear models by F, the others by the likelihood ratio (mixed models refitted by ML, as here). */
function nestedCode(json: Fields, { flags }: Command): Body | undefined {
  const formulas = (json["models"] as readonly { readonly formula: string }[]).map(({ formula }) => formula);
  const compared = String(json["compared"]);
  const names = formulas.map((_, k) => `m${k + 1}`).join(", ");
  const fits = (call: (formula: string) => string): string[] =>
    formulas.map((formula, k) => `m${k + 1} <- ${call(formula)}`);
  if (compared === "linear models" && only(flags, [])) {
    return { libraries: [], lines: [...fits((own) => `lm(${own}, data = d)`), `anova(${names})`] };
  }
  if (compared === "linear mixed models" && only(flags, [])) {
    return { libraries: ["lme4"], lines: [...fits((own) => `lmer(${own}, data = d)`), `anova(${names})`] };
  }
  const ordinalCall = /^cumulative link (mixed )?models \((\w+) link\)$/.exec(compared);
  if (ordinalCall !== null && only(flags, ["model", "link"])) {
    const [, mixed, link] = ordinalCall;
    const bodies = formulas.map((own) => ordinal(mixed === undefined ? "clm" : "clmm", own, link!));
    if (bodies.some((own) => own === undefined)) return undefined;
    const [factor = "", first = ""] = bodies[0]!.lines;
    const others = bodies.slice(1).map((own) => own!.lines[1]!);
    const calls = [first, ...others].map((line, k) => line.replace(/^m <-/, `m${k + 1} <-`));
    return { libraries: ["ordinal"], lines: [factor, ...calls, `anova(${names})`] };
  }
  return undefined;
}

/** Pairwise contrasts of linear and linear mixed models, on their own scale. */
function emmeansCode(json: Fields, { flags }: Command): Body | undefined {
  const { formula, by, within, adjust, contrastMethod, type, contrastType } = json as Fields & {
    readonly by: readonly string[];
    readonly within: readonly string[];
  };
  const plain = contrastMethod === "pairwise" && type === "link" && contrastType === "difference" && adjust === "tukey";
  if (!plain || !only(flags, ["by", "within"])) return undefined;
  const mixed = /\|/.test(String(formula));
  const over = [by.join(" * "), ...(within.length === 0 ? [] : [within.join(" * ")])].join(" | ");
  return {
    libraries: [mixed ? "lmerTest" : "stats", "emmeans"],
    lines: [
      `m <- ${mixed ? "lmer" : "lm"}(${formula}, data = d)`,
      `e <- emmeans(m, ~ ${over}${mixed ? ', lmer.df = "satterthwaite"' : ""})`,
      "pairs(e)",
    ],
  };
}

/** The components; φ is a quotient of them. */
function reliabilityCode(json: Fields, { flags }: Command): Body | undefined {
  const { score, object, facets, model, components } = json as Fields & {
    readonly facets: readonly string[];
    readonly components: readonly { readonly term: string }[];
  };
  const terms = [String(object), ...facets];
  const same =
    components.length === terms.length + 1 && terms.every((own) => components.some(({ term }) => term === own));
  if (model !== "lmm" || !same || !terms.every((own) => /^[A-Za-z.][\w.]*$/.test(own))) return undefined;
  if (!only(flags, ["score", "object", "facets", "target", "cost", "replicates", "intervals"])) return undefined;
  const random = terms.map((own) => `(1 | ${own})`).join(" + ");
  return { libraries: ["lme4"], lines: [`m <- lmer(${score} ~ 1 + ${random}, data = d)`, "as.data.frame(VarCorr(m))"] };
}

/** The response has to be an ordered factor. */
function ordinal(call: string, formula: string, link: string): Body | undefined {
  const response = /^\s*([\w.]+)\s*~/.exec(formula)?.[1];
  if (response === undefined) return undefined;
  return {
    libraries: ["ordinal"],
    lines: [
      `d$${response} <- factor(d$${response}, ordered = TRUE)`,
      `m <- ${call}(${formula}, link = "${link}", data = d)`,
      "summary(m)",
    ],
  };
}

function comparisonCode({ model, systems, itemsLost, adjust }: ComparisonJson, { flags }: Command): Body | undefined {
  if (
    model === undefined ||
    model.by !== undefined ||
    itemsLost > 0 ||
    adjust !== "tukey" ||
    !only(flags, ["metric", "rater", "item", "system"])
  )
    return undefined;
  const system = /~\s*([\w.]+)/.exec(model.formula)?.[1];
  if (system === undefined) return undefined;
  const levels = systems.map(({ name }) => quote(name)).join(", ");
  return {
    libraries: ["lmerTest", "emmeans"],
    lines: [
      `d$${system} <- factor(d$${system}, levels = c(${levels}))`,
      `m <- lmer(${model.formula}, data = d)`,
      "# the same differences; compare() has standard errors and df of its own, so p differs",
      `pairs(emmeans(m, "${system}"), reverse = TRUE)`,
    ],
  };
}

/** The same model in R, as code that runs when pasted; only where every word of the command is understood, so that it is the same model.
 *  R reads texts as characters: levels in the order that Gosset used are written out where they matter.
 *  A stored result may be a stranger's, and whoever pastes the code runs it: names and paths stand in quotes, numbers are numbers, and what
 *  stands in the code as it is calls the functions of formulas and no others. */
import type { ResultJson } from "../result/result.ts";
import type { ComparisonJson } from "../significance/compare/json.ts";

/** Flags that do not change the model that is fitted. */
const HARMLESS =
  /^--(json|quiet|out|plot|figure|html|format|seed|workers|no-color|include-text|modes|terms|margin|details|paper|journal)$/;
const VALUELESS = /^--(json|quiet|no-color|include-text|modes|terms|details|paper|reml|ml|loo|select|effect-size)$/;
const READ: Readonly<Record<string, (file: string) => string>> = {
  csv: (file) => `read.csv(${file})`,
  tsv: (file) => `read.delim(${file})`,
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
  const { link = "" } = json as Fields;
  if (!/^\w*$/.test(String(link)) || !written(json as Fields, command).every(isPlain)) return undefined;
  const [body, where] = [make(json as Fields, command), subset(command.flags.get("where"))];
  if (body === undefined || where === undefined) return undefined;
  const read = reading(command.file);
  return [...body.libraries.map((name) => `library(${name})`), `d <- ${read}`, ...where, ...body.lines].join("\n");
}

type Fields = ResultJson & Readonly<Record<string, unknown>>;

/** What stands in the code as it is: formulas, columns, the condition on rows. */
function written(json: Fields, { flags }: Command): unknown[] {
  const { formula, nominal, scaleFormula, score, by, within, model, models, components } = json;
  const part = (value: unknown, name: string): unknown => (value as Readonly<Record<string, unknown>> | null)?.[name];
  const each = (value: unknown, name: string): unknown[] =>
    Array.isArray(value) ? value.map((own) => part(own, name)) : [];
  return [
    ...[formula, nominal, scaleFormula, score, by, within].flat(),
    ...[part(model, "formula"), part(model, "by"), ...each(models, "formula"), ...each(components, "term")],
    flags.get("where"),
  ].filter((own) => own !== undefined && own !== null);
}

/** Functions of formulas, and the smooth terms of mgcv. */
const FORMULA_FUNCTIONS: ReadonlySet<string> = new Set(
  "I log log2 log10 log1p exp expm1 sqrt abs sign sin cos tan floor ceiling trunc round scale center factor ordered as.factor as.ordered as.numeric relevel C poly is.na mean median sd min max offset ifelse pmin pmax c cbind s te ti t2".split(
    " ",
  ),
);
/** A name in backticks or a text, without anything escaped; a name; a number, which no name may follow; an operator, or what
 *  belongs to a call. */
const TOKEN =
  /\s*(?:(`[^`\\\p{C}]*`|"[^"\\\p{C}]*"|'[^'\\\p{C}]*')|([\p{L}.][\p{L}\p{N}._]*)|(\d[\d.]*(?:e[+-]?\d+)?(?![\p{L}\p{N}._]))|(%in%|[-~+*/:^|&!<>=,()]))/uy;

/** One line that holds no statement, and in which only functions of formulas are called: in R a name in backticks, a text and a bracket
 *  can be called too. */
function isPlain(text: unknown): boolean {
  if (typeof text !== "string" || /[\n\r]|<-|->/.test(text)) return false;
  let [called, depth] = [true, 0];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const [, , name, , operator] = TOKEN.exec(text) ?? [];
    if (TOKEN.lastIndex === 0) return false;
    if (operator === "(" && !called) return false;
    depth += operator === "(" ? 1 : operator === ")" ? -1 : 0;
    if (depth < 0 || (depth === 0 && operator === ",")) return false;
    called = name === undefined ? operator !== undefined && operator !== ")" : FORMULA_FUNCTIONS.has(name);
  }
  return depth === 0;
}

interface Body {
  readonly libraries: readonly string[];
  readonly lines: readonly string[];
}

/** One file and flags that are known, each once; undefined otherwise. */
function understand(command: readonly string[]): Command | undefined {
  const flags = new Map<string, string>();
  const files: string[] = [];
  for (let k = 1; k < command.length; k++) {
    const word = command[k]!;
    if (word.startsWith("--")) {
      const next = command[k + 1];
      const value = next === undefined || next.startsWith("--") || VALUELESS.test(word) ? "" : next;
      const name = word.slice(2);
      if (flags.has(name)) return undefined;
      if (!HARMLESS.test(word)) flags.set(name, value);
      if (value !== "") k++;
    } else if (isReadable(word)) files.push(word);
  }
  return files.length === 1 ? { file: files[0]!, flags } : undefined;
}

const readerOf = (file: string) => READ[/\.(csv|tsv)$/.exec(file)?.[1] ?? ""];
const isReadable = (file: string): boolean => readerOf(file) !== undefined;
const reading = (file: string): string => readerOf(file)!(quote(file));

/** Undefined where a flag is not among those that the code below knows. */
function only(flags: Command["flags"], known: readonly string[]): boolean {
  return [...flags.keys()].every((name) => name === "where" || known.includes(name));
}

/** Comparisons of columns with values, joined by and and or, are written in R as here; other conditions have no code. */
function subset(condition: string | undefined): string[] | undefined {
  if (condition === undefined) return [];
  const bare = condition.replace(/'[^'\\]*'|"[^"\\]*"/g, "0");
  return /^[\w.\s<>=!&|()-]+$/.test(bare) && !/\w\s*\(/.test(bare) ? [`d <- subset(d, ${condition})`] : undefined;
}

/** A text of R, whose escapes are those of JSON; also what would turn the direction of writing is escaped. */
const quote = (text: string): string =>
  JSON.stringify(text.replace(/\p{Surrogate}/gu, "\ufffd")).replace(/\p{C}|[\u2028\u2029]/gu, (own) =>
    [...own].map((sign) => `\\U${sign.codePointAt(0)!.toString(16).padStart(8, "0")}`).join(""),
  );

/** An argument that says another level of confidence than R's own. */
const levelArgument = ({ flags }: Command): string => {
  const own = flags.get("confidence");
  return own === undefined || Number(own) === 0.95 ? "" : `, level = ${Number(own)}`;
};

/** By default glmer's search ends a little before the optimum. */
const TIGHT = 'glmerControl(optimizer = "bobyqa", tolPwrss = 1e-12)';

const CODE: Readonly<Record<string, (json: Fields, command: Command) => Body | undefined>> = {
  lm: lmCode,
  glm: glmCode,
  lmm: lmmCode,
  glmm: ({ formula, family, link, method }, command) =>
    only(command.flags, ["family", "link", "intervals", "confidence"]) && method === "Laplace" && isFamily(family)
      ? {
          libraries: ["lme4"],
          lines: [
            `m <- glmer(${formula}, family = ${GLM_FAMILIES[String(family)]}(link = "${link}"), data = d, control = ${TIGHT})`,
            "summary(m)",
            ...(command.flags.has("intervals") ? ["# profile intervals: confint(m), where lme4 can follow them"] : []),
          ],
        }
      : undefined,
  clm: (json, command) => {
    if (json["structure"] !== undefined) return structuredCode(json, command);
    const body = only(command.flags, ["link", "intervals", "confidence"])
      ? ordinal("clm", String(json["formula"]), String(json["link"]))
      : undefined;
    if (body === undefined || !command.flags.has("intervals")) return body;
    return { ...body, lines: [...body.lines, `confint(m${levelArgument(command)})`] };
  },
  clmm: ({ formula, link, method }, { flags }) => {
    const known = only(flags, ["link", "intervals", "confidence"]) && method === "Laplace";
    const body = known ? ordinal("clmm", String(formula), String(link)) : undefined;
    if (body === undefined || !flags.has("intervals")) return body;
    return { ...body, lines: [...body.lines, "# clmm of R has no profile intervals"] };
  },
  gam: gamCode,
  lrt: nestedCode,
  emmeans: emmeansCode,
  reliability: (json, command) => {
    const known = ["score", "object", "facets", "target", "cost", "replicates", "intervals", "confidence"];
    return json["model"] === "lmm" && only(command.flags, known) ? componentCode(json) : undefined;
  },
  importance: (json, command) => {
    const known = ["score", "object", "parameters", "replicates", "intervals", "confidence"];
    const cut = json.diagnostics.some(({ code }) => code === "CutIntoClasses");
    return !cut && only(command.flags, known) ? componentCode(json) : undefined;
  },
  comparison: (json, command) => comparisonCode(json as unknown as ComparisonJson, command),
};

function lmCode({ formula }: Fields, command: Command): Body | undefined {
  const { flags } = command;
  const cluster = flags.get("cluster");
  const robust = cluster !== undefined;
  if (!only(flags, robust ? ["cluster"] : ["loo", "predict", "confidence"])) return undefined;
  const fit = `m <- lm(${formula}, data = d)`;
  if (robust) {
    const rows = `d[rownames(model.frame(m)), ${quote(cluster)}]`;
    return { libraries: ["clubSandwich"], lines: [fit, `coef_test(m, vcov = "CR2", cluster = ${rows})`] };
  }
  const predicted = flags.get("predict");
  if (predicted !== undefined && !isReadable(predicted)) return undefined;
  return {
    libraries: [],
    lines: [
      ...[fit, "summary(m)"],
      ...(flags.has("loo") ? ["# leaving each row out", "sqrt(mean((residuals(m) / (1 - hatvalues(m)))^2))"] : []),
      ...(predicted === undefined
        ? []
        : [`predict(m, newdata = ${reading(predicted)}, interval = "confidence"${levelArgument(command)})`]),
    ],
  };
}

/** Families of R's glm, by our names. */
const GLM_FAMILIES: Readonly<Record<string, string>> = {
  binomial: "binomial",
  poisson: "poisson",
  gaussian: "gaussian",
  gamma: "Gamma",
  quasibinomial: "quasibinomial",
  quasipoisson: "quasipoisson",
};
const isFamily = (name: unknown): boolean => Object.hasOwn(GLM_FAMILIES, String(name));
/** Whose intervals are normal: their variance follows from the mean. */
const KNOWN_VARIANCE = ["binomial", "poisson", "negative-binomial"];

function glmCode({ formula, family, link }: Fields, command: Command): Body | undefined {
  const { flags } = command;
  if (!only(flags, ["family", "link", "intervals", "predict", "confidence"])) return undefined;
  const negative = family === "negative-binomial";
  const fit = glmCall(String(formula), String(family), String(link));
  const predicted = predictionLines(String(family), command);
  if (fit === undefined || predicted === undefined) return undefined;
  return {
    libraries: negative ? ["MASS"] : [],
    lines: [
      `m <- ${fit}`,
      "summary(m)",
      ...(flags.has("intervals") ? [`confint(m${levelArgument(command)})`] : []),
      ...predicted,
    ],
  };
}

function glmCall(formula: string, family: string, link: string): string | undefined {
  if (family === "negative-binomial") return `glm.nb(${formula}, link = ${link}, data = d)`;
  const name = isFamily(family) ? GLM_FAMILIES[family] : undefined;
  return name === undefined ? undefined : `glm(${formula}, family = ${name}(link = "${link}"), data = d)`;
}

/** Intervals of predictions are made on the scale of the link; undefined where R cannot read the file. */
function predictionLines(family: string, { flags }: Command): string[] | undefined {
  const file = flags.get("predict");
  if (file === undefined) return [];
  if (!isReadable(file)) return undefined;
  const tail = (1 + Number(flags.get("confidence") ?? 0.95)) / 2;
  const quantile = KNOWN_VARIANCE.includes(family) ? `qnorm(${tail})` : `qt(${tail}, df.residual(m))`;
  return [
    `p <- predict(m, newdata = ${reading(file)}, se.fit = TRUE)`,
    `half <- ${quantile} * p$se.fit`,
    "m$family$linkinv(cbind(p$fit, p$fit - half, p$fit + half))",
  ];
}

function lmmCode(json: Fields, command: Command): Body | undefined {
  const { formula, method, ddf } = json;
  const { flags } = command;
  if (!only(flags, ["ddf", "ml", "intervals", "replicates", "confidence"])) return undefined;
  const [roger, intervals] = [ddf === "kenward-roger", flags.get("intervals")];
  const nsim = Number(flags.get("replicates") ?? 1000);
  return {
    libraries: ["lmerTest"],
    lines: [
      `m <- lmer(${formula}, data = d, REML = ${method === "REML" ? "TRUE" : "FALSE"})`,
      roger ? 'summary(m, ddf = "Kenward-Roger")' : "summary(m)",
      ...(json["terms"] === undefined ? [] : [roger ? 'anova(m, ddf = "Kenward-Roger")' : "anova(m)"]),
      ...(intervals === "profile" ? [`confint(m, oldNames = FALSE${levelArgument(command)})`] : []),
      ...(intervals === "bootstrap"
        ? [
            "# draws of its own",
            `confint(m, method = "boot", nsim = ${nsim}, boot.type = "perc", oldNames = FALSE${levelArgument(command)})`,
          ]
        : []),
      ...(json["modes"] === undefined ? [] : ["as.data.frame(ranef(m))"]),
    ],
  };
}

function gamCode({ formula, family, link, method }: Fields, command: Command): Body | undefined {
  const known = only(command.flags, ["family", "link", "predict", "confidence"]);
  const predicted = predictionLines(String(family), command);
  if (!known || predicted === undefined || (method !== "REML" && method !== "ML") || !isFamily(family))
    return undefined;
  return {
    libraries: ["mgcv"],
    lines: [
      `m <- gam(${formula}, family = ${GLM_FAMILIES[String(family)]}(link = "${link}"), method = "${method}", data = d)`,
      "summary(m)",
      ...predicted,
    ],
  };
}

/** By what was compared: linear models by F, the others by the likelihood ratio (mixed models refitted by ML, as here). */
function nestedCode(json: Fields, { flags }: Command): Body | undefined {
  const formulas = (json["models"] as readonly { readonly formula: string }[]).map(({ formula }) => formula);
  const compared = String(json["compared"]);
  const names = formulas.map((_, k) => `m${k + 1}`).join(", ");
  const fits = (call: (formula: string) => string | undefined): string[] =>
    formulas.map((formula, k) => `m${k + 1} <- ${call(formula)}`);
  if (compared === "linear models" && only(flags, [])) {
    return { libraries: [], lines: [...fits((own) => `lm(${own}, data = d)`), `anova(${names})`] };
  }
  if (compared === "linear mixed models" && only(flags, [])) {
    return { libraries: ["lme4"], lines: [...fits((own) => `lmer(${own}, data = d)`), `anova(${names})`] };
  }
  const [, family, glmLink] = /^([\w-]+) models \((\w+) link\)$/.exec(compared) ?? [];
  if (family !== undefined && isFamily(family) && only(flags, ["family", "link"])) {
    const test = KNOWN_VARIANCE.includes(family) ? "LRT" : "F";
    return {
      libraries: [],
      lines: [...fits((own) => glmCall(own, family, glmLink!)), `anova(${names}, test = "${test}")`],
    };
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

interface Means extends Fields {
  readonly by: readonly string[];
  readonly within: readonly string[];
  readonly effectSd?: { readonly name: string };
}

/** Pairwise contrasts of linear and linear mixed models, on their own scale. */
function emmeansCode(json: Fields, command: Command): Body | undefined {
  const { flags } = command;
  const { formula, by, within, adjust, contrastMethod, type, contrastType, effectSd } = json as Means;
  if (type === "prob" && contrastMethod === "pairwise" && adjust === "tukey")
    return probabilityCode(json as Means, command);
  const plain = contrastMethod === "pairwise" && type === "link" && contrastType === "difference" && adjust === "tukey";
  const mixed = /\|/.test(String(formula));
  const sized = effectSd !== undefined;
  if (!plain || !only(flags, ["by", "within", "effect-size"]) || (sized && (mixed || effectSd.name !== "residual SD")))
    return undefined;
  const over = [by.join(" * "), ...(within.length === 0 ? [] : [within.join(" * ")])].join(" | ");
  return {
    libraries: [mixed ? "lmerTest" : "stats", "emmeans"],
    lines: [
      `m <- ${mixed ? "lmer" : "lm"}(${formula}, data = d)`,
      `e <- emmeans(m, ~ ${over}${mixed ? ', lmer.df = "satterthwaite"' : ""})`,
      "pairs(e)",
      ...(sized ? ["eff_size(e, sigma = sigma(m), edf = df.residual(m))"] : []),
    ],
  };
}

/** Variance components, each a random effect; φ and shares are quotients of them. */
function componentCode(json: Fields): Body | undefined {
  const { score, components } = json as Fields & { readonly components: readonly { readonly term: string }[] };
  const terms = components.map(({ term }) => term).filter((term) => term !== "residual");
  const name = /^[A-Za-z.][\w.]*(:[A-Za-z.][\w.]*)*$/;
  if (!terms.every((own) => name.test(own)) || !name.test(String(score))) return undefined;
  const random = terms.map((own) => `(1 | ${own})`).join(" + ");
  return { libraries: ["lme4"], lines: [`m <- lmer(${score} ~ 1 + ${random}, data = d)`, "as.data.frame(VarCorr(m))"] };
}

/** Effects on thresholds or on the spread; steps that stop at a level. */
function structuredCode(json: Fields, { flags }: Command): Body | undefined {
  const { formula, link, structure, nominal, scaleFormula, reverse, information } = json;
  const known = structure === "cumulative" && only(flags, ["link", "structure", "nominal", "scale"]);
  const response = /^\s*([\w.]+)\s*~/.exec(String(formula))?.[1];
  if (structure === "stopping" && only(flags, ["structure", "nominal"]) && response !== undefined) {
    if (reverse === true || information !== "expected" || link !== "logit") return undefined;
    const own = nominal === undefined ? "" : String(nominal).replace(/^\s*~/, "").trim();
    const [more, parallel] = own === "" ? ["", "TRUE"] : [` + ${own}`, `FALSE ~ ${own}`];
    return {
      libraries: ["VGAM"],
      lines: [
        `d$${response} <- factor(d$${response}, ordered = TRUE)`,
        `m <- vglm(${formula}${more}, sratio(parallel = ${parallel}), data = d)`,
        "summary(m)",
      ],
    };
  }
  const more = [
    ...(nominal === undefined ? [] : [`, nominal = ${nominal}`]),
    ...(scaleFormula === undefined ? [] : [`, scale = ${scaleFormula}`]),
  ];
  return known ? ordinal("clm", `${formula}${more.join("")}`, String(link)) : undefined;
}

/** Marginal probabilities of a cumulative link model. */
function probabilityCode({ formula, link, by }: Means, { flags }: Command): Body | undefined {
  const body = only(flags, ["by", "model", "type", "link"]) ? ordinal("clm", String(formula), String(link)) : undefined;
  const response = /^\s*([\w.]+)\s*~/.exec(String(formula))?.[1];
  if (body === undefined || flags.get("model") !== "clm" || by.length !== 1) return undefined;
  return {
    libraries: [...body.libraries, "emmeans"],
    lines: [...body.lines, `e <- emmeans(m, ~ ${by[0]} | ${response}, mode = "prob")`, "e", "pairs(e)"],
  };
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
    (model.by !== undefined && !/^[A-Za-z.][\w.]*$/.test(model.by)) ||
    itemsLost > 0 ||
    adjust !== "tukey" ||
    !only(flags, ["metric", "rater", "item", "system", "by"])
  )
    return undefined;
  const system = /~\s*([\w.]+)/.exec(model.formula)?.[1];
  if (system === undefined) return undefined;
  const levels = systems.map(({ name }) => quote(name)).join(", ");
  // slopes of the difference between two systems
  const slope = /\(1 \+ ([\w.]+) \|\| /.exec(model.formula)?.[1];
  return {
    libraries: ["lmerTest", "emmeans"],
    lines: [
      `d$${system} <- factor(d$${system}, levels = c(${levels}))`,
      ...(slope === undefined ? [] : [`d$${slope} <- as.numeric(d$${system}) - 1.5`]),
      `m <- lmer(${model.formula}, data = d)`,
      "# the same differences; compare() has standard errors and df of its own, so p differs",
      `pairs(emmeans(m, ~ ${system}${model.by === undefined ? "" : ` | ${model.by}`}), reverse = TRUE)`,
    ],
  };
}

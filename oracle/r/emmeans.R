# Marginal means, contrasts and slopes: what emmeans gives on small data of our own.
#   Rscript oracle/r/emmeans.R        (from the project's root; writes oracle/r/emmeans.json)
# Needs jsonlite, emmeans, clubSandwich.
suppressMessages({ library(jsonlite); library(emmeans); library(clubSandwich) })
options(contrasts = c("contr.treatment", "contr.poly"))
emm_options(msg.interaction = FALSE, msg.nesting = FALSE)
RNGkind("Mersenne-Twister", "Inversion", "Rejection"); set.seed(20240611)

n <- 150
d <- data.frame(
  item = rep(sprintf("i%02d", 1:25), each = 6),
  system = factor(sample(c("base", "new", "x-large"), n, TRUE, c(.5, .3, .2))),
  length = factor(sample(c("long", "mid", "short"), n, TRUE), levels = c("short", "mid", "long")),
  domain = factor(sample(c("news", "chat"), n, TRUE, c(.7, .3)), levels = c("chat", "news")),
  temp = sample(c(0, 0.5, 1), n, TRUE),
  tokens = round(runif(n, 5, 90), 1),
  w = round(rexp(n) + 0.3, 2))
d$size <- factor(sample(c("1", "3", "7", "13", "70"), n, TRUE), levels = c("1", "3", "7", "13", "70"))
d$centred <- d$tokens - 47.25
d$score <- round(3 + 0.5 * (d$system == "new") + 0.9 * (d$system == "x-large") - 0.4 * (d$length == "long") +
  0.6 * (d$system == "new" & d$length == "long") - 0.01 * d$tokens + rep(rnorm(25, 0, 0.5), each = 6) + rnorm(n), 3)
d$positive <- round(exp(d$score / 3), 4)
eta <- -0.3 + 0.8 * (d$system == "new") + 0.4 * (d$domain == "news") + 0.01 * d$tokens
d$correct <- rbinom(n, 1, plogis(eta))
d$tries <- sample(3:9, n, TRUE); d$hits <- rbinom(n, d$tries, plogis(eta - 0.4)); d$misses <- d$tries - d$hits
d$errors <- rpois(n, exp(0.2 + 0.3 * (d$system == "new") + log(d$tokens) / 4))
d$logtokens <- round(log(d$tokens), 4)
d$holey <- d$score; d$holey[d$system == "x-large" & d$domain == "chat"] <- NA     # a cell without rows
d$gappy <- d$score; d$gappy[c(2, 40, 41, 99)] <- NA

vec <- function(x) { x <- unclass(x); attributes(x) <- NULL; as.numeric(x) }
fit_model <- function(input) {
  call <- list(formula = as.formula(input$formula), data = d)
  if (!is.null(input$weights)) call$weights <- as.name(input$weights)
  if (!is.null(input$offset)) call$offset <- as.name(input$offset)
  if (!is.null(input$contrasts)) call$contrasts <- setNames(as.list(paste0("contr.", input$contrasts)), names(input$contrasts))
  if (is.null(input$family)) return(eval(as.call(c(as.name("lm"), call))))
  call$family <- do.call(input$family, list(link = input$link))
  call$control <- glm.control(epsilon = 1e-15, maxit = 200)
  fit <- eval(as.call(c(as.name("glm"), call)))
  for (again in 1:25) { call$start <- coef(fit); fit <- eval(as.call(c(as.name("glm"), call))) }
  fit
}

columns_of <- function(s, names) vec(s[[intersect(names, colnames(s))[1]]])
estimate_of <- function(s) columns_of(s, c("emmean", "estimate", "prob", "rate", "response", "odds.ratio", "ratio", grep("trend$", colnames(s), value = TRUE)))

# input: formula, [weights, offset, contrasts, family, link], by, [within, at, grid_weights, slopes, type, regrid, method, ref, custom]
case <- function(id, formula, by, ..., adjust = c("tukey", "holm", "bonferroni", "sidak", "none", "BH")) {
  input <- list(formula = formula, by = by, ...)
  fit <- fit_model(input)
  spec <- list(fit, specs = if (length(by) == 0) "1" else by)
  if (!is.null(input$within)) spec$by <- input$within
  if (!is.null(input$at)) spec$at <- input$at
  if (!is.null(input$grid_weights)) spec$weights <- input$grid_weights
  if (isTRUE(input$regrid)) spec$regrid <- "response"
  if (!is.null(input$slopes)) spec$var <- input$slopes
  type <- if (is.null(input$type)) "link" else input$type
  em <- do.call(if (is.null(input$slopes)) "emmeans" else "emtrends", spec)
  s <- as.data.frame(summary(em, type = type, infer = c(TRUE, FALSE)))
  g <- em@grid
  means <- list(estimate = estimate_of(s), se = vec(s$SE), df = vec(s$df),
    lower = columns_of(s, c("lower.CL", "asymp.LCL")), upper = columns_of(s, c("upper.CL", "asymp.UCL")),
    levels = lapply(g[c(if (length(by) > 0) by, input$within)], as.character))
  expected <- list(means = means)
  method <- if (is.null(input$method)) "pairwise" else input$method
  if (method != "none") {
    arg <- switch(method, treatment = "trt.vs.ctrl", consecutive = "consec", effects = "eff", custom = lapply(input$custom, unlist), method)
    args <- list(em, method = arg); if (!is.null(input$ref)) args$ref <- input$ref
    con <- do.call(contrast, args)
    one <- function(how) {
      s <- as.data.frame(suppressMessages(summary(con, type = type, infer = c(TRUE, TRUE), adjust = how)))
      list(p = vec(s$p.value), lower = columns_of(s, c("lower.CL", "asymp.LCL")), upper = columns_of(s, c("upper.CL", "asymp.UCL")))
    }
    s <- as.data.frame(suppressMessages(summary(con, type = type, infer = c(TRUE, TRUE), adjust = "none")))
    expected$contrasts <- list(name = as.character(s$contrast), estimate = estimate_of(s), se = vec(s$SE), df = vec(s$df),
      statistic = columns_of(s, c("t.ratio", "z.ratio")),
      within = lapply(s[c(input$within)], as.character),
      adjusted = sapply(adjust, one, simplify = FALSE))
  }
  input$id <- NULL
  list(id = id, kind = "emmeans", input = input, expected = expected)
}

cases <- list(
  case("one-way", "score ~ system", "system"),
  case("one-way-revpairwise", "score ~ system", "system", method = "revpairwise"),
  case("one-way-treatment", "score ~ system", "system", method = "treatment", ref = 2, adjust = c("holm", "sidak", "none")),
  case("one-way-effects", "score ~ system", "system", method = "effects", adjust = c("BH", "holm", "none")),
  case("five-consecutive", "score ~ size + system", "size", method = "consecutive", adjust = c("holm", "bonferroni", "none")),
  case("five-poly", "score ~ size + system", "size", method = "poly", adjust = c("none", "bonferroni")),
  case("five-pairs", "score ~ size", "size", adjust = c("tukey", "holm", "hochberg", "hommel", "BH", "BY", "sidak")),
  case("five-custom", "score ~ size", "size", method = "custom", custom = list("small vs large" = c(.5, .5, 0, -.5, -.5), "sum" = c(1, 1, 1, 1, 1)), adjust = c("none", "holm")),
  case("covariate", "score ~ system + tokens", "system"),
  case("covariate-at", "score ~ system * tokens", "system", at = list(tokens = c(10, 80)), within = "tokens"),
  case("covariate-levels", "score ~ system * tokens", "tokens", at = list(tokens = c(10, 40, 80))),
  case("transformed", "score ~ system * log(tokens) + scale(tokens) + I(tokens^2)", "system", at = list(tokens = 30)),
  case("poly", "score ~ system + poly(tokens, 3)", "system"),
  case("numeric-factor", "score ~ system + factor(temp)", "temp"),
  case("two-way", "score ~ system * length", "system"),
  case("two-way-within", "score ~ system * length + domain", "system", within = "length"),
  case("interaction-means", "score ~ system * length + domain", c("length", "system"), adjust = c("none", "holm", "tukey")),
  case("within-two", "score ~ system * length + domain", "system", within = c("length", "domain")),
  case("three-way-proportional", "score ~ system + length * domain", "system", grid_weights = "proportional"),
  case("proportional-interaction", "score ~ system * length * domain + tokens", "system", grid_weights = "proportional"),
  case("proportional-weighted", "score ~ system * length + tokens", "system", weights = "w", grid_weights = "proportional"),
  case("weights", "score ~ system + length", "length", weights = "w"),
  case("sum-coding", "score ~ system * length + tokens", "length", contrasts = list(system = "sum", length = "helmert")),
  case("no-intercept", "score ~ 0 + system + domain", "system"),
  case("missing-values", "gappy ~ system + tokens", "system"),
  case("at-level", "score ~ system * length", "system", at = list(length = c("mid", "long"))),
  case("overall", "score ~ system * domain", character(0), method = "none"),
  case("log-response", "log(positive) ~ system + tokens", "system", type = "response"),
  case("log2-response", "log2(positive) ~ system", "system", type = "response"),
  case("sqrt-response", "sqrt(positive) ~ system", "system", type = "response"),
  case("offset", "score ~ system + offset(log(tokens))", "system"),
  case("slopes", "score ~ system * tokens + domain", "system", slopes = "tokens"),
  case("slopes-within", "score ~ system * length * tokens", "system", within = "length", slopes = "tokens"),
  case("slopes-scaled", "score ~ system * scale(tokens)", "system", slopes = "tokens"),
  case("logit", "correct ~ system + domain + tokens", "system", family = "binomial", link = "logit"),
  case("logit-response", "correct ~ system + domain + tokens", "system", family = "binomial", link = "logit", type = "response"),
  case("logit-within", "correct ~ system * domain", "system", within = "domain", family = "binomial", link = "logit", type = "response"),
  case("logit-effects", "correct ~ system", "system", family = "binomial", link = "logit", type = "response", method = "effects", adjust = c("none", "holm")),
  case("logit-regrid", "correct ~ system * domain + tokens", "system", family = "binomial", link = "logit", regrid = TRUE),
  case("logit-slopes", "correct ~ system * tokens", "system", family = "binomial", link = "logit", slopes = "tokens"),
  case("counts", "cbind(hits, misses) ~ system + domain", "system", family = "binomial", link = "logit", type = "response", grid_weights = "proportional"),
  case("probit-response", "correct ~ system + tokens", "system", family = "binomial", link = "probit", type = "response"),
  case("poisson", "errors ~ system + tokens", "system", family = "poisson", link = "log", type = "response"),
  case("poisson-offset", "errors ~ system", "system", family = "poisson", link = "log", offset = "logtokens", type = "response"),
  case("gaussian-glm", "score ~ system + tokens", "system", family = "gaussian", link = "identity"),
  case("missing-cell-additive", "holey ~ system + domain", "system"),
  case("missing-cell", "holey ~ system * domain", "system", adjust = "none"),
  case("missing-cell-within", "holey ~ system * domain", "system", within = "domain", adjust = "none"))


# cluster-robust: emmeans with the CR2 covariance for estimates and SEs, clubSandwich for each function's own df
cluster_case <- function(id, formula, by, ...) {
  input <- list(formula = formula, by = by, ..., cluster = "item")
  fit <- fit_model(input)
  V <- vcovCR(fit, cluster = d$item, type = "CR2")
  em <- emmeans(fit, by, vcov. = as.matrix(V))
  con <- pairs(em)
  # the approximate Hotelling test of one function has the Satterthwaite df (linear_contrast fails with a target variance)
  df_of <- function(L) sapply(seq_len(nrow(L)), function(i) Wald_test(fit, constraints = L[i, , drop = FALSE], vcov = V, test = "HTZ")$df_denom)
  s <- as.data.frame(summary(em)); p <- as.data.frame(summary(con, adjust = "none"))
  list(id = id, kind = "cluster", input = input, expected = list(
    means = list(estimate = vec(s$emmean), se = vec(s$SE), df = df_of(em@linfct)),
    contrasts = list(name = as.character(p$contrast), estimate = vec(p$estimate), se = vec(p$SE), df = df_of(con@linfct))))
}
cases <- c(cases, list(
  cluster_case("cluster-lm", "score ~ system * length + tokens", "system"),
  cluster_case("cluster-weighted", "score ~ system + domain", "system", weights = "w"),
  cluster_case("cluster-glm", "correct ~ system + tokens", "system", family = "binomial", link = "logit")))

# slopes of curved terms in closed form: d/dx at the mean of tokens; emtrends takes a forward difference
slope_case <- function(id, formula, derivative, at = mean(d$tokens)) {
  fit <- lm(as.formula(formula), d)
  L <- derivative(fit, at)                       # one row per system
  V <- vcov(fit)
  list(id = id, kind = "slopes", input = list(formula = formula, by = "system", slopes = "tokens", at = list(tokens = at)),
    expected = list(estimate = vec(L %*% coef(fit)), se = vec(sqrt(diag(L %*% V %*% t(L))))))
}
by_system <- function(f) function(fit, x) t(sapply(levels(d$system), function(s) f(fit, x, s)))
row_for <- function(fit, named) { L <- setNames(numeric(length(coef(fit))), names(coef(fit))); L[names(named)] <- named; L }
cases <- c(cases, list(
  slope_case("slope-log", "score ~ system * log(tokens)", by_system(function(fit, x, s) {
    own <- c("log(tokens)" = 1 / x); if (s != "base") own[paste0("system", s, ":log(tokens)")] <- 1 / x; row_for(fit, own) })),
  slope_case("slope-square", "score ~ system + tokens + I(tokens^2)", by_system(function(fit, x, s)
    row_for(fit, c("tokens" = 1, "I(tokens^2)" = 2 * x)))),
  slope_case("slope-centred", "score ~ system + centred + I(centred^3)", by_system(function(fit, x, s)
    row_for(fit, c("centred" = 1, "I(centred^3)" = 3 * x^2))), at = 0)))
cases[[length(cases)]]$input$slopes <- "centred"
names(cases[[length(cases)]]$input$at) <- "centred"

# standardised contrasts: the SE by emmeans' eff_size; intervals by inverting the noncentral t distribution
effect_case <- function(id, formula, by) {
  fit <- lm(as.formula(formula), d)
  con <- as.data.frame(summary(pairs(emmeans(fit, by), adjust = "none")))
  es <- as.data.frame(summary(eff_size(emmeans(fit, by), sigma(fit), df.residual(fit))))
  ends <- function(p) mapply(function(t, df) uniroot(function(ncp) suppressWarnings(pt(t, df, ncp)) - p, t + c(-12, 12), tol = 1e-13)$root, con$t.ratio, con$df)
  h <- con$SE / sigma(fit); m <- df.residual(fit)
  list(id = id, kind = "effect", input = list(formula = formula, by = by), expected = list(
    d = vec(es$effect.size), se = vec(es$SE), j = exp(lgamma(m / 2) - lgamma((m - 1) / 2)) / sqrt(m / 2),
    lower = vec(h * ends(.975)), upper = vec(h * ends(.025)), lower_delta = vec(es$lower.CL), upper_delta = vec(es$upper.CL)))
}
cases <- c(cases, list(effect_case("effect-one-way", "score ~ system", "system"), effect_case("effect-covariate", "score ~ length + tokens", "length")))

# nested factors: sub-domains of their own in every area, parts that are numbered anew, and a third floor below
set.seed(20261115)
subs <- list(code = c("js", "py", "sql"), law = c("civil", "penal"), med = c("card", "onco"))
d$area <- factor(sample(names(subs), n, TRUE, c(.5, .3, .2)))
d$sub <- factor(sapply(as.character(d$area), function(a) sample(subs[[a]], 1)), levels = sort(unlist(subs)))
d$part <- factor(sapply(as.character(d$area), function(a) sample(seq_along(subs[[a]]), 1)))
d$leaf <- factor(paste0(d$sub, sample(1:2, n, TRUE)))
nested_case <- function(id, formula, by, ..., adjust = c("holm", "none")) {
  input <- list(formula = formula, by = by, ...)
  fit <- fit_model(input)
  spec <- list(fit, specs = by)
  if (!is.null(input$within)) spec$by <- input$within
  if (!is.null(input$grid_weights)) spec$weights <- input$grid_weights
  em <- suppressMessages(do.call(emmeans, spec))
  s <- as.data.frame(summary(em, infer = c(TRUE, FALSE)))
  names_of <- intersect(colnames(s), c("system", "area", "sub", "part", "leaf"))
  con <- suppressMessages(contrast(em, "pairwise"))
  one <- function(how) { s <- as.data.frame(suppressMessages(summary(con, infer = c(TRUE, TRUE), adjust = how)))
    list(p = vec(s$p.value), lower = columns_of(s, c("lower.CL", "asymp.LCL")), upper = columns_of(s, c("upper.CL", "asymp.UCL"))) }
  p <- as.data.frame(suppressMessages(summary(con, adjust = "none")))
  if (length(by) == 1 && is.null(input$within)) adjust <- c(adjust, "tukey")
  list(id = id, kind = "emmeans", input = input, expected = list(
    means = list(estimate = estimate_of(s), se = vec(s$SE), df = vec(s$df), lower = columns_of(s, c("lower.CL", "asymp.LCL")),
      upper = columns_of(s, c("upper.CL", "asymp.UCL")), levels = lapply(s[names_of], as.character)),
    contrasts = list(name = as.character(p$contrast), estimate = estimate_of(p), se = vec(p$SE), df = vec(p$df),
      statistic = columns_of(p, c("t.ratio", "z.ratio")), within = lapply(p[c(input$within)], as.character),
      adjusted = sapply(adjust, one, simplify = FALSE))))
}
cases <- c(cases, list(
  nested_case("nested-outer", "score ~ area/sub", "area"),
  nested_case("nested-inner", "score ~ area/sub", "sub"),
  nested_case("nested-within", "score ~ area/sub + tokens", "sub", within = "area"),
  nested_case("nested-additive", "score ~ area + sub + system", "area"),
  nested_case("nested-crossed", "score ~ system * area + sub", "system"),
  nested_case("nested-crossed-proportional", "score ~ system * area + sub", "system", grid_weights = "proportional"),
  nested_case("nested-proportional", "score ~ area/sub + system", "area", grid_weights = "proportional"),
  nested_case("nested-numbered", "score ~ area/part", "area"),
  nested_case("nested-numbered-inner", "score ~ area/part + system", "part", within = "area"),
  nested_case("nested-three", "score ~ area/sub/leaf", "area"),
  nested_case("nested-three-middle", "score ~ area + sub + leaf + system", "sub", adjust = "none")))

columns <- lapply(d, function(x) if (is.factor(x)) list(values = as.character(x), levels = levels(x)) else if (is.character(x)) list(values = x, levels = sort(unique(x))) else list(values = x))
# 17 significant digits, which jsonlite does not write; undefined and infinite numbers as JavaScript's Number() reads them
number <- function(x) ifelse(is.na(x), '"NaN"', ifelse(is.infinite(x), '"Infinity"', sprintf("%.17g", x)))
exact <- function(x, scalar = FALSE) {                 # scalar: a single value stays one, otherwise it is a list of one
  if (is.list(x)) return(lapply(x, exact, scalar))
  one <- scalar && length(x) == 1
  if (!is.numeric(x)) return(if (one) x else I(x))
  structure(if (one) number(x) else paste0("[", paste(number(x), collapse = ","), "]"), class = "json")
}
cells <- function(x) { json <- exact(x); if (is.numeric(x)) structure(gsub('"NaN"', "null", json), class = "json") else json }
out <- list(schema = "oracle/1", generated_with = list(R = as.character(getRversion()),
  emmeans = as.character(packageVersion("emmeans")), clubSandwich = as.character(packageVersion("clubSandwich"))),
  columns = lapply(columns, lapply, cells),
  cases = lapply(cases, function(c) { c$expected <- exact(c$expected); c$input <- exact(c$input, TRUE); c }))
text <- toJSON(out, auto_unbox = TRUE, null = "null", json_verbatim = TRUE)
writeLines(gsub('\\{"id"', '\n{"id"', text), "oracle/r/emmeans.json")

# Tests, marginal means and profile intervals of ordinal::clm, ordinal::clmm and lme4::glmer on made-up ratings.
# Profile ends are exact: roots of the deviance profile with all other parameters minimised, not interpolated splines; those of
# confint() are stored beside them.
# Run: Rscript oracle/r/categorical-inference.R   (writes oracle/r/categorical-inference.json)
suppressMessages({
  library(ordinal)
  library(lme4)
  library(emmeans)
  library(jsonlite)
})
set.seed(90417)

d <- expand.grid(system = c("A", "B", "C"), length = c("short", "long"), item = sprintf("i%02d", 1:12), rater = sprintf("r%d", 1:6))
d <- d[sort(sample(nrow(d), 240)), ]
n <- nrow(d)
d$x <- round(rnorm(n), 3)
item <- as.integer(d$item)
rater <- as.integer(d$rater)
shift <- 0.5 * (d$system == "B") + 0.9 * (d$system == "C") + 0.3 * (d$length == "long") - 0.4 * (d$system == "C" & d$length == "long") +
  0.3 * d$x
slope <- rnorm(12, 0, 0.4)
latent <- shift + rnorm(12, 0, 0.7)[item] + slope[item] * d$x + rnorm(6, 0, 0.5)[rater] + rlogis(n, 0, 0.6)
d$rating <- factor(findInterval(latent, c(-0.9, 0.2, 0.9, 1.9)) + 1, levels = 1:5, ordered = TRUE)
d$correct <- as.integer(shift + rnorm(12, 0, 0.8)[item] + slope[item] * d$x + rlogis(n) > 0.2)
d$errors <- rpois(n, exp(0.2 + 0.4 * shift + rnorm(12, 0, 0.4)[item]))

tight <- glmerControl(optimizer = "nloptwrap", optCtrl = list(xtol_abs = 1e-10, ftol_abs = 1e-12, xtol_rel = 1e-12, ftol_rel = 1e-14, maxeval = 5000),
  tolPwrss = 1e-13, check.conv.grad = "ignore")
ordinal_control <- clmm.control(grtol = 1e-9, gradTol = 1e-9, maxIter = 300)
family_of <- function(k) switch(if (is.null(k$family)) "binomial" else k$family, binomial = binomial(if (is.null(k$link)) "logit" else k$link), poisson = poisson())
or <- function(a, b) if (is.null(a)) b else a
fit <- function(k, formula, threshold = or(k[["threshold"]], "flexible")) {
  f <- as.formula(formula)
  mixed <- grepl("|", formula, fixed = TRUE)
  link <- or(k$link, "logit")
  if (k$model == "glmm") {
    family <- family_of(k)
    return(eval(bquote(if (mixed) suppressMessages(glmer(.(f), d, family = family, nAGQ = .(or(k$nagq, 1)), control = tight)) else glm(.(f), family, d, epsilon = 1e-14))))
  }
  # formulas stand in the call, where emmeans looks for them
  if (mixed) eval(bquote(clmm(.(f), data = d, link = .(link), threshold = .(threshold), nAGQ = .(or(k$nagq, 1)), control = ordinal_control)))
  else eval(bquote(clm(.(f), data = d, link = .(link), threshold = .(threshold), control = clm.control(gradTol = 1e-12, maxIter = 200))))
}

# --- likelihood-ratio tests ------------------------------------------------------------------------------------------------
tests <- list(
  list(model = "clm", small = "rating ~ length", large = "rating ~ length + system"),
  list(model = "clm", small = "rating ~ 1", large = "rating ~ system * x", link = "probit"),
  list(model = "clm", small = "rating ~ system", large = "rating ~ system", thresholds = c("equidistant", "flexible")),
  list(model = "clm", small = "rating ~ 1", large = "rating ~ system", thresholds = c("equidistant", "symmetric"), link = "cloglog"),
  list(model = "clmm", small = "rating ~ length + (1 | item)", large = "rating ~ length + system + (1 | item)"),
  list(model = "clmm", small = "rating ~ system + (1 | item)", large = "rating ~ system + (1 | item) + (1 | rater)", link = "probit"),
  list(model = "clmm", small = "rating ~ system", large = "rating ~ system + (1 | item)"),
  list(model = "clmm", small = "rating ~ x + (1 | item)", large = "rating ~ x + (1 + x | item)"),
  list(model = "glmm", small = "correct ~ length + (1 | item)", large = "correct ~ length + system + (1 | item)"),
  list(model = "glmm", small = "correct ~ system + (1 | item)", large = "correct ~ system + (1 | item) + (1 | rater)", link = "probit"),
  list(model = "glmm", small = "correct ~ x + (1 | item)", large = "correct ~ x + (1 + x | item)"),
  list(model = "glmm", small = "correct ~ system", large = "correct ~ system + (1 | item)"),
  list(model = "glmm", small = "errors ~ 1 + (1 | item)", large = "errors ~ system + (1 | item)", family = "poisson"))
test_case <- function(k) {
  pair <- or(k$thresholds, rep("flexible", 2))
  m0 <- fit(k, k$small, pair[1])
  m1 <- fit(k, k$large, pair[2])
  l0 <- logLik(m0); l1 <- logLik(m1)
  chisq <- 2 * as.numeric(l1 - l0)
  df <- attr(l1, "df") - attr(l0, "df")
  # where anova of the package takes the pair, its own answer
  own <- tryCatch({
    a <- suppressMessages(if (inherits(m1, "glmerMod")) anova(m1, m0) else anova(m0, m1))
    list(chisq = or(a$LR.stat, a$Chisq)[2], df = or(a$df, a$Df)[2], p = or(a[["Pr(>Chisq)"]], NA)[2])
  }, error = function(e) NULL)
  list(kind = "lrt", input = k, expected = list(loglik = c(l0, l1), parameters = c(attr(l0, "df"), attr(l1, "df")), chisq = chisq, df = df,
    p = pchisq(max(0, chisq), df, lower.tail = FALSE), anova = own))
}

# --- marginal means ------------------------------------------------------------------------------------------------------
modes <- c("latent", "linear.predictor", "cum.prob", "exc.prob", "prob", "mean.class")
means <- c(
  lapply(modes, function(m) list(model = "clm", formula = "rating ~ system * length + x", by = "system", mode = m)),
  lapply(modes, function(m) list(model = "clm", formula = "rating ~ system * length + x", by = "system", within = "length", mode = m, threshold = "symmetric", link = "probit")),
  lapply(c("latent", "prob", "mean.class"), function(m) list(model = "clm", formula = "rating ~ system + length", by = "system", mode = m, threshold = "equidistant", link = "cloglog")),
  lapply(c("latent", "prob", "mean.class", "exc.prob"), function(m) list(model = "clmm", formula = "rating ~ system + length + (1 | item)", by = "system", mode = m)),
  list(list(model = "clmm", formula = "rating ~ system * length + (1 | item) + (1 | rater)", by = "system", within = "length", mode = "latent", link = "probit")),
  lapply(c("link", "response"), function(m) list(model = "glmm", formula = "correct ~ system * length + (1 | item)", by = "system", within = "length", mode = m)),
  lapply(c("link", "response"), function(m) list(model = "glmm", formula = "correct ~ system + x + (1 | item) + (1 | rater)", by = "system", mode = m, link = "probit")),
  lapply(c("link", "response"), function(m) list(model = "glmm", formula = "errors ~ system + (1 | item)", by = "system", mode = m, family = "poisson")))
table_of <- function(s, value) {
  s <- as.data.frame(s)
  names(s)[names(s) == value] <- "estimate"
  names(s) <- sub("^(asymp\\.)?(LCL|UCL)$", "\\2", names(s))
  s[] <- lapply(s, function(v) if (is.factor(v)) as.character(v) else v)
  s
}
means_case <- function(k) {
  m <- fit(k, k$formula)
  inner <- or(k$within, character())
  extra <- switch(k$mode, prob = "rating", cum.prob = "cut", exc.prob = "cut", linear.predictor = "cut", NULL)
  spec <- as.formula(paste("~", k$by, if (length(c(inner, extra))) paste("|", paste(c(inner, extra), collapse = " * ")) else ""))
  e <- if (k$model == "glmm") emmeans(m, spec, type = k$mode) else emmeans(m, spec, mode = k$mode)
  s <- confint(e, adjust = "none")
  value <- attr(s, "estName")
  pairs <- if (k$mode == "response") pairs(e, type = "response") else pairs(e)
  ps <- summary(pairs, infer = TRUE, adjust = "tukey")
  list(kind = "means", input = k, expected = list(means = table_of(s, value), contrasts = table_of(ps, attr(ps, "estName"))))
}

# --- profile intervals ---------------------------------------------------------------------------------------------------
# f: negative log-likelihood of all parameters; value: parameter number k as a function of x, or a constraint map
polish <- function(f, start) {
  x <- start
  for (i in 1:4) x <- nlminb(x, f, control = list(rel.tol = 1e-15, x.tol = 1e-12, abs.tol = 0, iter.max = 1000, eval.max = 4000))$par
  x
}
# outwards in small steps, each minimisation from the last one; a start outside the parameter space is replaced
root <- function(constrained, start_of, best, center, step, lowest = -Inf) {
  cut <- qchisq(0.95, 1)
  end <- function(side) {
    x <- start_of(center)
    at <- function(v) {
      from <- if (constrained(x, v) < 1e9) x else start_of(v)
      x <<- polish(function(z) constrained(z, v), from)
      2 * (constrained(x, v) - best) - cut
    }
    if (side < 0 && is.finite(lowest) && at(lowest) <= 0) return(lowest)
    x <- start_of(center)
    near <- center
    repeat {
      far <- near + side * step
      if (side < 0) far <- max(far, lowest)
      if (at(far) > 0) break
      near <- far
    }
    uniroot(at, sort(c(near, far)), tol = 1e-9)$root
  }
  c(end(-1), end(1))
}
# every parameter with its name, unnamed ones (theta) with none
fixed_names <- function(x, fixed) { labels <- rep("", length(x)); labels[unlist(fixed)] <- names(fixed); setNames(x, labels) }
profile_all <- function(f, best, fixed, sds) {
  x0 <- polish(f, best)
  f0 <- f(x0)
  H <- optimHess(x0, f, control = list(ndeps = rep(1e-4, length(x0))))
  se <- sqrt(diag(solve(H)))
  out <- list()
  for (name in names(fixed)) {
    k <- fixed[[name]]
    constrained <- function(z, v) f(append(z, v, k - 1))
    # thresholds move together
    start_of <- function(v) (x0 + (grepl("|", names(fixed_names(x0, fixed)), fixed = TRUE) & grepl("|", name, fixed = TRUE)) * (v - x0[k]))[-k]
    out[[name]] <- c(x0[k], root(constrained, start_of, f0, x0[k], 0.7 * se[k]))
  }
  for (name in names(sds)) {
    s <- sds[[name]]
    out[[name]] <- c(s$value(x0), root(function(z, v) f(s$fill(z, v)), function(v) s$start(x0), f0, s$value(x0), 0.5, 0))
  }
  list(names = names(out), estimate = unname(sapply(out, `[`, 1)), lower = unname(sapply(out, `[`, 2)), upper = unname(sapply(out, `[`, 3)))
}
links <- list(logit = plogis, probit = pnorm)
densities <- list(
  logit = list(f = dlogis, g = function(x) ifelse(is.finite(x), dlogis(x) * (1 - 2 * plogis(x)), 0)),
  probit = list(f = dnorm, g = function(x) ifelse(is.finite(x), -x * dnorm(x), 0)))
clm_negative <- function(X, link) function(p) {
  m <- nlevels(d$rating) - 1
  if (any(diff(p[1:m]) <= 0)) return(1e10)
  tau <- c(-Inf, p[1:m], Inf)
  eta <- as.vector(X %*% p[-(1:m)])
  y <- as.integer(d$rating)
  -sum(log(links[[link]](tau[y + 1] - eta) - links[[link]](tau[y] - eta)))
}
# Laplace with one random intercept: the modes group by group
clmm_negative <- function(X, group, link) function(p) {
  m <- nlevels(d$rating) - 1
  if (any(diff(p[2:(m + 1)]) <= 0)) return(1e10)
  tau <- c(-Inf, p[2:(m + 1)], Inf)
  eta0 <- as.vector(X %*% p[-(1:(m + 1))])
  y <- as.integer(d$rating)
  u <- rep(0, nlevels(group))
  for (step in 1:200) {
    eta <- eta0 + p[1] * u[group]
    a <- tau[y + 1] - eta; b <- tau[y] - eta
    P <- links[[link]](a) - links[[link]](b)
    E0 <- (densities[[link]]$f(a) - densities[[link]]$f(b)) / P
    W <- E0^2 - (densities[[link]]$g(a) - densities[[link]]$g(b)) / P
    H <- p[1]^2 * as.vector(tapply(W, group, sum)) + 1
    move <- (-p[1] * as.vector(tapply(E0, group, sum)) - u) / H
    if (anyNA(move)) return(1e10)
    if (max(abs(move)) < 1e-13) break
    u <- u + move
  }
  -(sum(log(P)) - sum(u^2) / 2 - sum(log(H)) / 2)
}
glmm_negative <- function(k) {
  formula <- as.formula(k$formula)
  parts <- glFormula(formula, d, family = family_of(k), control = tight)
  devfun <- do.call(mkGlmerDevfun, c(parts, list(control = tight)))
  optimizeGlmer(devfun)
  devfun <- updateGlmerDevfun(devfun, parts$reTrms, nAGQ = 1L)
  function(p) devfun(p) / 2
}
one_sd <- list(value = function(x) abs(x[1]), start = function(x) x[-1], fill = function(z, v) c(v, z))
profiles <- list(
  list(model = "clm", formula = "rating ~ system + x", link = "logit"),
  list(model = "clm", formula = "rating ~ system", link = "probit"),
  list(model = "clmm", formula = "rating ~ system + (1 | item)", link = "logit"),
  list(model = "glmm", formula = "correct ~ system + (1 | item)"),
  list(model = "glmm", formula = "correct ~ x + (1 + x | item)"),
  list(model = "glmm", formula = "correct ~ x + (1 | item) + (1 | rater)", link = "probit"))
profile_case <- function(k) {
  m <- fit(k, k$formula)
  X <- model.matrix(as.formula(sub(" \\+ \\(.*", "", k$formula)), d)
  if (k$model == "clm") {
    p <- coef(m)
    exact <- profile_all(clm_negative(X[, -1, drop = FALSE], k$link), p, as.list(setNames(seq_along(p), names(p))), list())
    spline <- confint(m, type = "profile")
  } else if (k$model == "clmm") {
    p <- c(m$ST[[1]][1], coef(m))
    exact <- profile_all(clmm_negative(X[, -1, drop = FALSE], d$item, k$link), p, as.list(setNames(seq_along(coef(m)) + 1, names(coef(m)))),
      list("sd_(Intercept)|item" = one_sd))
    spline <- NULL
  } else {
    theta <- getME(m, "theta")
    p <- c(theta, fixef(m))
    q <- length(theta)
    fixed <- as.list(setNames(q + seq_along(fixef(m)), names(fixef(m))))
    sds <- if (q == 1) list("sd_(Intercept)|item" = one_sd)
    else if (q == 3) list(
      "sd_(Intercept)|item" = one_sd,
      # the second row of the factor, on a circle
      "sd_x|item" = list(value = function(x) sqrt(x[2]^2 + x[3]^2), start = function(x) c(x[1], atan2(x[3], x[2]), x[-(1:3)]),
        fill = function(z, v) c(z[1], v * cos(z[2]), v * sin(z[2]), z[-(1:2)])))
    else list("sd_(Intercept)|item" = one_sd,
      "sd_(Intercept)|rater" = list(value = function(x) abs(x[2]), start = function(x) x[-2], fill = function(z, v) c(z[1], v, z[-1])))
    exact <- profile_all(glmm_negative(k), p, fixed, sds)
    spline <- if (q == 1) suppressMessages(suppressWarnings(confint(m, method = "profile", oldNames = FALSE)))
  }
  list(kind = "profile", input = k, expected = list(exact = exact, spline = if (!is.null(spline)) list(names = rownames(spline), ends = unname(spline))))
}

stage <- function(cases, run) lapply(cases, function(k) { message(k$model, " ", or(k$formula, k$large), " ", or(k[["mode"]], "")); run(k) })
cases <- c(stage(tests, test_case), stage(means, means_case), stage(profiles, profile_case))
for (i in seq_along(cases)) cases[[i]]$id <- sprintf("%s-%02d", cases[[i]]$kind, i)
columns <- list()
for (name in c("system", "length", "item", "rater", "rating")) columns[[name]] <- list(values = as.character(d[[name]]), levels = levels(d[[name]]))
for (name in c("x", "correct", "errors")) columns[[name]] <- list(values = d[[name]])
versions <- sapply(c("ordinal", "lme4", "emmeans"), function(p) as.character(packageVersion(p)))
writeLines(toJSON(list(tool = c(R = R.version.string, versions), columns = columns, cases = cases), digits = NA, auto_unbox = TRUE, null = "null", na = "string"),
  "oracle/r/categorical-inference.json")

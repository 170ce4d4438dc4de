# lme4 on made-up data: the profiled criterion at fixed theta, and fits polished until the gradient vanishes.
# Run: Rscript oracle/r/lmm.R   (writes oracle/r/lmm.json)
suppressMessages({
  library(lme4)
  library(jsonlite)
})
set.seed(7301)

ratings <- expand.grid(system = c("old", "new"), item = sprintf("i%02d", 1:20), worker = sprintf("w%d", 1:8))
ratings <- ratings[sort(sample(nrow(ratings), 250)), ]
n <- nrow(ratings)
ratings$system <- factor(ratings$system, levels = c("old", "new"))
ratings$lang <- factor(ifelse(as.integer(ratings$item) %% 3 == 0, "de", "en"))
ratings$x <- round(rnorm(n), 3)
ratings$z <- round(rnorm(n, 5, 2), 3)
ratings$x2 <- 2 * ratings$x - 1
ratings$w <- round(runif(n, 0.5, 3), 2)
ratings$off <- round(rnorm(n), 3)
item <- as.integer(ratings$item)
worker <- as.integer(ratings$worker)
ratings$y <- round(3 + 0.4 * (ratings$system == "new") + 0.2 * ratings$x + 0.1 * ratings$z +
  rnorm(20, 0, 0.6)[item] + rnorm(8, 0, 0.4)[worker] + rnorm(8, 0, 0.3)[worker] * ratings$x +
  rnorm(20, 0, 0.3)[item] * (ratings$system == "new") + rnorm(n, 0, 0.7), 4)
ratings$flat <- round(rnorm(n), 4) # no group effects at all

schools <- expand.grid(pupil = 1:4, class = c("a", "b", "c"), school = sprintf("s%02d", 1:12))
schools <- schools[sort(sample(nrow(schools), 130)), c("school", "class")]
schools$g <- round(rnorm(nrow(schools)), 2)
schools$score <- round(50 + 2 * schools$g + rnorm(12, 0, 3)[as.integer(schools$school)] +
  rnorm(36, 0, 2)[as.integer(interaction(schools$school, schools$class))] + rnorm(nrow(schools), 0, 4), 3)

cases <- list(
  list(id = "crossed", data = "ratings", formula = "y ~ system + (1 | item) + (1 | worker)"),
  list(id = "correlated and independent slopes", data = "ratings", formula = "y ~ system + x + (system | item) + (x || worker)"),
  list(id = "weights", data = "ratings", formula = "y ~ x + (x | worker)", weights = "w"),
  list(id = "weights and offset", data = "ratings", formula = "y ~ x + (1 | item) + (x | worker)", weights = "w", offset = "off"),
  list(id = "nested", data = "schools", formula = "score ~ g + (1 | school/class)"),
  list(id = "nested slopes", data = "schools", formula = "score ~ g + (g | school) + (1 | school:class)"),
  list(id = "sum contrasts", data = "ratings", formula = "y ~ system * lang + (1 | item) + (0 + x | worker) + (1 | worker)", contrasts = "sum"),
  list(id = "three factors", data = "ratings", formula = "y ~ system + (1 | worker) + (1 | item) + (1 | item:system)"),
  list(id = "three correlated columns", data = "ratings", formula = "y ~ x + z + (1 + x + z | worker)"),
  list(id = "rank deficient", data = "ratings", formula = "y ~ x + x2 + system + (1 | item)"),
  list(id = "no intercept", data = "ratings", formula = "y ~ 0 + z + (1 | item) + (0 + system | worker)"),
  list(id = "factor in a double bar", data = "ratings", formula = "y ~ system + (system || item)"),
  list(id = "nothing there", data = "ratings", formula = "flat ~ x + (1 | item) + (1 | worker)")
)

# Newton steps on central differences: the criterion is smooth, its noise about 1e-12.
polish <- function(f, theta, lower) {
  h <- 1e-4
  for (step in 1:8) {
    free <- which(theta > lower + 1e-5 | lower < 0)
    if (length(free) == 0) break
    at <- function(d) { t <- theta; t[free] <- t[free] + d; f(t) }
    k <- length(free)
    e <- diag(h, k)
    g <- sapply(1:k, function(i) (8 * (at(e[i, ]) - at(-e[i, ])) - (at(2 * e[i, ]) - at(-2 * e[i, ]))) / (12 * h))
    H <- matrix(0, k, k)
    for (i in 1:k) for (j in 1:k) H[i, j] <- (at(10 * (e[i, ] + e[j, ])) - at(10 * (e[i, ] - e[j, ])) - at(10 * (e[j, ] - e[i, ])) + at(-10 * (e[i, ] + e[j, ]))) / (400 * h^2)
    d <- try(solve(H, g), silent = TRUE)
    if (inherits(d, "try-error")) break
    t <- theta
    t[free] <- t[free] - d
    t[theta <= lower + 1e-5 & lower == 0] <- 0
    if (any(t < lower) || f(t) > f(theta) + 1e-9) break
    theta <- t
  }
  theta[theta < 1e-5 & lower == 0] <- 0
  theta
}

run <- function(case, reml) {
  d <- get(case$data)
  f <- as.formula(case$formula)
  args <- list(formula = f, data = d, REML = reml)
  if (!is.null(case$weights)) args$weights <- d[[case$weights]]
  if (!is.null(case$offset)) args$offset <- d[[case$offset]]
  if (!is.null(case$contrasts)) args$contrasts <- list(system = "contr.sum", lang = "contr.sum")
  quiet <- function(x) suppressWarnings(suppressMessages(x))
  parsed <- quiet(do.call(lFormula, args))
  devfun <- do.call(mkLmerDevfun, parsed)
  lower <- parsed$reTrms$lower
  k <- length(lower)
  unit <- parsed$reTrms$theta + 0 # a copy: lme4 overwrites the original in place
  at <- list(unit + 0, unit * 0.4 + ifelse(unit == 0, 0.15, 0), seq(0.9, 0.3, length.out = k) * ifelse(unit == 0, -1, 1))
  at <- c(at, list(c(0, seq(0.9, 0.3, length.out = k))[seq_len(k)]))
  values <- sapply(at, devfun)
  fit <- quiet(do.call(lmer, c(args, list(control = lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-9, maxfun = 1e5), calc.derivs = FALSE)))))
  theta <- polish(devfun, getME(fit, "theta"), lower)
  devfun(theta)
  opt <- list(par = theta, fval = devfun(theta), feval = 1, conv = 0, message = "")
  fit <- mkMerMod(environment(devfun), opt, parsed$reTrms, fr = parsed$fr)
  vc <- VarCorr(fit)
  re <- ranef(fit, condVar = TRUE)
  spread <- function(a) matrix(apply(a, 3, function(m) sqrt(diag(as.matrix(m)))), ncol = dim(a)[1], byrow = TRUE)
  se <- function(r) { v <- attr(r, "postVar"); if (is.list(v)) do.call(cbind, lapply(v, spread)) else spread(v) }
  list(
    id = paste(case$id, if (reml) "REML" else "ML"), kind = "lmm",
    input = c(case[-1], list(reml = reml)),
    expected = list(
      fixed_theta = at, criterion_at = values,
      theta_names = as.list(names(getME(fit, "theta"))), theta = as.list(unname(theta)),
      criterion = as.numeric(devfun(theta)), sigma = sigma(fit),
      fixef = list(names = as.list(names(fixef(fit))), estimate = as.list(unname(fixef(fit))), se = as.list(unname(sqrt(diag(as.matrix(vcov(fit))))))),
      dropped = as.list(names(attr(getME(fit, "X"), "col.dropped"))),
      logLik = as.numeric(logLik(fit)), aic = AIC(fit), bic = BIC(fit), df = attr(logLik(fit), "df"),
      variances = lapply(seq_along(vc), function(i) list(group = sub("\\.[0-9]+$", "", names(vc)[i]), names = as.list(colnames(vc[[i]])), cov = matrix(as.numeric(vc[[i]]), ncol = ncol(vc[[i]])))),
      modes = lapply(names(re), function(g) {
        list(group = g, names = as.list(colnames(re[[g]])), levels = rownames(re[[g]]), values = unname(as.matrix(re[[g]])), sd = se(re[[g]]))
      }),
      fitted = unname(fitted(fit))[1:20], singular = isSingular(fit)
    )
  )
}

columns <- function(d) lapply(d, function(v) if (is.factor(v)) list(values = as.character(v), levels = levels(droplevels(v))) else list(values = v))
results <- c(lapply(cases, run, reml = TRUE), lapply(cases[c(1, 2, 4, 5, 9)], run, reml = FALSE))
versions <- list(R = as.character(getRversion()), lme4 = as.character(packageVersion("lme4")))
writeLines(toJSON(list(tool = versions, data = list(ratings = columns(ratings), schools = columns(schools)), cases = results),
  digits = I(17), auto_unbox = TRUE, matrix = "rowmajor", null = "null"), "oracle/r/lmm.json")

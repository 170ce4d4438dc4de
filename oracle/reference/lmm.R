# Linear mixed models of lme4's data sets and of simulated ones: fits, lmerTest's and pbkrtest's tests, emmeans' marginal means,
# likelihood-ratio and Kenward-Roger F tests; profile intervals by root finding; InstEval (73,421 rows).
# Run from the project's root:  Rscript oracle/reference/lmm.R [lmm|lmm-insteval|lmm-profile]   (writes the .json of that name)
# lme4's optimiser stops at about four digits of theta: Newton steps on the profiled criterion follow, and gradient (beside the
# answers) says how well they ended. A variance of 0 stays 0.
suppressMessages({ library(lme4); library(lmerTest); library(pbkrtest); library(emmeans); library(numDeriv) })
source("oracle/reference/cases.R")
source("oracle/reference/tukey.R")
options(contrasts = c("contr.treatment", "contr.poly"))

fit_with <- function(input, data, control, start = NULL) {
  args <- list(formula = as.formula(input$formula), data = data, REML = input$reml, control = control, start = start)
  if (!is.null(input$contrasts)) args$contrasts <- lapply(input$contrasts, function(c) paste0("contr.", c))
  if (!is.null(input$weights)) args$weights <- as.name(input$weights)
  if (!is.null(input$offset)) args$offset <- as.name(input$offset)
  quiet(do.call(lme4::lmer, args))
}
at_theta <- function(input, data, theta) fit_with(input, data, lmerControl(optimizer = "stay_at_start", calc.derivs = FALSE,
  restart_edge = FALSE, boundary.tol = 0, check.conv.grad = "ignore", check.conv.singular = "ignore", check.conv.hess = "ignore"), theta)

# Central differences of the profiled criterion over steps of 0.001, sixth order: its rounding is about 1e-12, so theta ends
# within about 1e-10 (steps of 0.01 are too long where a theta is small).
slopes <- function(f, x, h) sapply(seq_along(x), function(i) {
  e <- replace(numeric(length(x)), i, h)
  (45 * (f(x + e) - f(x - e)) - 9 * (f(x + 2 * e) - f(x - 2 * e)) + (f(x + 3 * e) - f(x - 3 * e))) / (60 * h)
})
polish <- function(input, data, start = NULL, step = 1e-3) {
  first <- fit_with(input, data, lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-8, maxfun = 1e5), calc.derivs = FALSE), start)
  criterion <- getME(first, "devfun")
  theta <- vec(getME(first, "theta")); lower <- getME(first, "lower")
  free <- !(lower == 0 & theta < 1e-5)
  theta[!free] <- 0
  g <- function(x) { t <- theta; t[free] <- x; criterion(t) }
  if (any(free)) for (k in 1:8) {
    d <- try(solve(hessian(g, theta[free]), slopes(g, theta[free], step)), silent = TRUE)
    if (inherits(d, "try-error")) break
    moved <- theta[free] - d
    if (any(moved < lower[free]) || g(moved) > g(theta[free]) + 1e-8) break
    theta[free] <- moved
    if (max(abs(d)) < 1e-11) break
  }
  list(fit = at_theta(input, data, theta), gradient = if (any(free)) max(abs(slopes(g, theta[free], step))) else 0)
}

spread <- function(a) matrix(apply(a, 3, function(m) sqrt(diag(as.matrix(m)))), ncol = dim(a)[1], byrow = TRUE)
modes <- function(fit, most) {
  re <- ranef(fit, condVar = TRUE)
  sapply(names(re), function(g) {
    own <- re[[g]]; v <- attr(own, "postVar"); head <- seq_len(min(nrow(own), most))
    out <- list(levels = I(rownames(own)[head]), terms = I(colnames(own)), values = rows(as.matrix(own)[head, , drop = FALSE]))
    if (!is.list(v)) out$cond_sd <- rows(spread(v)[head, , drop = FALSE]) # none where a term is split by ||
    out
  }, simplify = FALSE)
}
type3 <- function(a) list(terms = I(rownames(a)), num_df = I(vec(a$NumDF)), den_df = I(vec(a$DenDF)), f = I(vec(a[, "F value"])), p = I(vec(a[, "Pr(>F)"])))

means_of <- function(fit, of, mode) {
  grid <- emmeans(fit, of, lmer.df = mode, lmerTest.limit = 1e5, pbkrtest.limit = 1e5)
  m <- as.data.frame(quiet(summary(grid, infer = c(TRUE, FALSE))))
  p <- as.data.frame(quiet(summary(pairs(grid), adjust = "none")))
  k <- nrow(m); q <- abs(p$estimate / p$SE) * sqrt(2)
  crit <- sapply(p$df, function(df) tukey_quantile(0.95, k, df) / sqrt(2))
  list(means = list(level = I(as.character(m[[1]])), emmean = I(m$emmean), se = I(m$SE), df = I(m$df), lower95 = I(m$lower.CL), upper95 = I(m$upper.CL)),
    pairs = list(contrast = I(as.character(p$contrast)), estimate = I(p$estimate), se = I(p$SE), df = I(p$df), p_unadjusted = I(p$p.value),
      p_tukey = I(mapply(function(q, df) tukey_upper(q, k, df), q, p$df)), lower95_tukey = I(p$estimate - crit * p$SE), upper95_tukey = I(p$estimate + crit * p$SE)))
}

answers <- function(case, data, want, most) {
  polished <- polish(case$input, data); fit <- polished$fit
  vc <- VarCorr(fit); p <- length(fixef(fit)); L <- diag(p)
  e <- list(theta = I(vec(getME(fit, "theta"))), theta_names = I(names(getME(fit, "theta"))), gradient = polished$gradient,
    criterion = list(kind = if (case$input$reml) "REML" else "ML deviance", value = vec(getME(fit, "devfun")(getME(fit, "theta")))),
    aic = AIC(fit), bic = BIC(fit), sigma = sigma(fit), singular = isSingular(fit),
    fixef = list(names = I(names(fixef(fit))), estimate = I(vec(fixef(fit))), se = I(sqrt(diag(as.matrix(vcov(fit)))))),
    dropped_columns = I(as.character(names(attr(getME(fit, "X"), "col.dropped")))), vcov = rows(as.matrix(vcov(fit))),
    varcorr = lapply(seq_along(vc), function(t) list(group = sub("\\.[0-9]+$", "", names(vc)[t]), terms = I(colnames(vc[[t]])), sd = I(vec(attr(vc[[t]], "stddev"))))),
    ranef = modes(fit, most), fitted_head = I(vec(fitted(fit))[1:8]))
  lt <- try(quiet(as_lmerModLmerTest(fit)), silent = TRUE)
  if (want("satterthwaite")) {
    each <- contest(lt, L, joint = FALSE)
    e$satterthwaite <- list(df = I(vec(each[, "df"])), p = I(vec(each[, "Pr(>|t|)"])))
  }
  if (want("anova_type3_satterthwaite")) e$anova_type3_satterthwaite <- type3(anova(lt, type = 3))
  if (want("kenward_roger")) {
    adjusted <- vcovAdj(fit)
    e$kenward_roger <- list(df = I(sapply(seq_len(p), function(j) Lb_ddf(L[j, ], vcov(fit), adjusted))), se = I(sqrt(diag(as.matrix(adjusted)))), vcov_adjusted = rows(as.matrix(adjusted)))
  }
  if (want("anova_type3_kenward_roger")) e$anova_type3_kenward_roger <- type3(anova(lt, type = 3, ddf = "Kenward-Roger"))
  if (want("emmeans")) {
    of <- case$expected$emmeans$of
    e$emmeans <- list(of = of, satterthwaite = means_of(lt, of, "satterthwaite"))
    if (want("kenward_roger")) e$emmeans$kenward_roger <- means_of(fit, of, "kenward-roger")
  }
  list(expected = e, fit = fit)
}

make_lmm <- function(name, most) {
  reference <- read_cases(name); fits <- list()
  for (i in seq_along(reference$cases)) {
    case <- reference$cases[[i]]; kind <- case$input$kind
    if (is.null(kind)) {
      made <- answers(case, data_of(reference, case$input$data), function(part) !is.null(case$expected[[part]]), most)
      fits[[case$id]] <- made$fit
      case$expected <- made$expected
    } else if (kind == "likelihood ratio test") {
      a <- logLik(fits[[case$input$small]]); b <- logLik(fits[[case$input$big]])
      x <- 2 * (as.numeric(b) - as.numeric(a)); df <- attr(b, "df") - attr(a, "df")
      case$expected <- list(chisq = x, df = df, p = pchisq(x, df, lower.tail = FALSE))
    } else {
      big <- fits[[case$input$big]]
      tested <- if (grepl("recipe", case$id)) "recipe" else "system" # all columns with the factor in their name
      k <- KRmodcomp(big, diag(length(fixef(big)))[grepl(tested, names(fixef(big))), , drop = FALSE])$stats
      case$expected <- list(f = k$Fstat, ndf = k$ndf, ddf = k$ddf, p = k$p.value, f_scaling = k$F.scaling)
    }
    reference$cases[[i]] <- case
    cat(case$id, if (!is.null(case$expected$gradient)) case$expected$gradient, "\n", file = stderr())
  }
  write_cases(reference, name, c("lme4", "lmerTest", "pbkrtest", "emmeans"))
}
what <- commandArgs(trailingOnly = TRUE)
if (length(what) == 0) what <- c("lmm", "lmm-insteval", "lmm-profile")
if ("lmm" %in% what) make_lmm("lmm.json", most = 60)
if ("lmm-insteval" %in% what) make_lmm("lmm-insteval.json", most = 14)

# Ends of 95 % profile intervals: root finding on the ML deviance as a function of (log sigma, theta), the fixed effects profiled
# out; a lower end of 0 (or -1, 1 for a correlation) where the profile never reaches the cut-off.
profile_ends <- function(case, data) {
  fit <- polish(case$input, data)$fit
  y <- getME(fit, "y"); X <- getME(fit, "X"); Z <- as.matrix(getME(fit, "Z")); n <- length(y)
  ZZ <- crossprod(Z)
  parts <- lFormula(as.formula(case$input$formula), data, REML = FALSE)$reTrms
  theta <- vec(getME(fit, "theta")); s <- sigma(fit); best <- -2 * as.numeric(logLik(fit)); cut <- qchisq(case$input$level, 1)
  deviance <- function(theta, sigma = NULL, fixed = NULL) {
    Lt <- parts$Lambdat; Lt@x <- theta[parts$Lind]; Lt <- as.matrix(Lt)
    if (!is.null(fixed)) { y <- y - X[, fixed$j] * fixed$b; X <- X[, -fixed$j, drop = FALSE] }
    R <- chol(Lt %*% ZZ %*% t(Lt) + diag(nrow(Lt)))
    cu <- backsolve(R, Lt %*% crossprod(Z, y), transpose = TRUE)
    rss <- sum(y^2) - sum(cu^2)
    if (ncol(X) > 0) {
      RZX <- backsolve(R, Lt %*% crossprod(Z, X), transpose = TRUE)
      RX <- try(chol(crossprod(X) - crossprod(RZX)), silent = TRUE)
      if (inherits(RX, "try-error")) return(1e10) # a search that went far astray
      rss <- rss - sum(backsolve(RX, crossprod(X, y) - crossprod(RZX, cu), transpose = TRUE)^2)
    }
    log_det <- 2 * sum(log(diag(R)))
    if (is.null(sigma)) log_det + n * (1 + log(2 * pi * rss / n)) else log_det + n * log(2 * pi * sigma^2) + rss / sigma^2
  }
  smallest <- function(f, x) {
    if (length(x) == 0) return(f(x))
    x <- optim(x, f, method = "BFGS", control = list(reltol = 1e-13, maxit = 500))$par
    for (k in 1:3) { d <- try(solve(hessian(f, x), grad(f, x)), silent = TRUE); if (inherits(d, "try-error") || f(x - d) > f(x)) break; x <- x - d }
    f(x)
  }
  root <- function(h, from, to) uniroot(function(x) h(x) - best - cut, c(from, to), tol = 1e-11)$root
  ends <- list(); add <- function(name, estimate, lower, upper) ends[[length(ends) + 1]] <<- list(name, estimate, lower, upper)
  slope <- length(theta) == 3 # one correlated pair: theta = (a, b, d) has SDs a s, sqrt(b^2 + d^2) s and correlation b / sqrt(b^2 + d^2)
  group <- names(parts$cnms); terms <- parts$cnms
  if (slope) {
    second <- sqrt(theta[2]^2 + theta[3]^2); rho <- theta[2] / second
    build <- function(sd1, sd2, r, sigma) c(sd1, sd2 * r, sd2 * sqrt(1 - r^2)) / sigma
    start <- c(log(theta[1] * s), log(second * s), atanh(rho), log(s))
    at <- function(which, value) function(psi) smallest(function(x) {
      full <- numeric(4); full[-which] <- x; full[which] <- value(psi)
      deviance(build(exp(full[1]), exp(full[2]), tanh(full[3]), exp(full[4])), exp(full[4]))
    }, start[-which])
    h <- at(1, log); v <- theta[1] * s; add(sprintf("sd_%s|%s", terms[[1]][1], group), v, root(h, v / 4, v), root(h, v, 4 * v))
    h <- at(3, atanh); add(sprintf("cor_%s.%s|%s", terms[[1]][2], terms[[1]][1], group), rho, root(h, -0.95, rho), root(h, rho, 0.95))
    h <- at(2, log); v <- second * s; add(sprintf("sd_%s|%s", terms[[1]][2], group), v, root(h, v / 4, v), root(h, v, 4 * v))
  } else for (j in seq_along(theta)) {
    h <- function(psi) smallest(function(x) { t <- numeric(length(theta)); t[-j] <- x[-1]; t[j] <- psi / exp(x[1]); deviance(t, exp(x[1])) }, c(log(s), theta[-j]))
    v <- theta[j] * s
    add(sprintf("sd_%s|%s", terms[[j]], group[j]), v, if (h(0) - best <= cut) 0 else root(h, 0, v), root(h, v, 6 * v + s))
  }
  h <- function(psi) smallest(function(x) deviance(x, psi), theta); add("sigma", s, root(h, s / 2, s), root(h, s, 2 * s))
  se <- sqrt(diag(as.matrix(vcov(fit))))
  for (j in seq_along(se)) {
    h <- function(b) smallest(function(x) deviance(x, NULL, list(j = j, b = b)), theta)
    b <- fixef(fit)[[j]]; add(names(fixef(fit))[j], b, root(h, b - 6 * se[j], b), root(h, b, b + 6 * se[j]))
  }
  column <- function(k) I(sapply(ends, `[[`, k))
  list(parameter = column(1), estimate = column(2), exact_lower = column(3), exact_upper = column(4))
}
if ("lmm-profile" %in% what) {
  reference <- read_cases("lmm-profile.json")
  for (i in seq_along(reference$cases)) {
    case <- reference$cases[[i]]
    reference$cases[[i]]$expected <- profile_ends(case, data_of(reference, case$input$data))
    cat(case$id, "\n", file = stderr())
  }
  write_cases(reference, "lmm-profile.json", "lme4")
}

# Inference of linear mixed models: what lmerTest and pbkrtest give on small data of our own, and exact profile intervals.
#   Rscript oracle/r/lmm-inference.R        (from the project's root; writes oracle/r/lmm-inference.json)
# Needs jsonlite, lme4, lmerTest, pbkrtest. Every fit is polished by Newton steps on its criterion, since lme4's own optimiser
# stops at about four digits of theta.
suppressMessages({ library(jsonlite); library(lme4); library(lmerTest); library(pbkrtest); library(numDeriv) })
options(contrasts = c("contr.treatment", "contr.poly"))
RNGkind("Mersenne-Twister", "Inversion", "Rejection"); set.seed(19970903)

# unbalanced ratings: 12 raters, 15 items, 3 systems in two domains, one covariate
d <- expand.grid(rater = sprintf("r%02d", 1:12), item = sprintf("i%02d", 1:15), system = c("A", "B", "C"))
d <- d[sort(sample(nrow(d), 260)), ]
d$domain <- factor(ifelse(as.integer(factor(d$item)) <= 7, "chat", "news"))
d$length <- round(rnorm(15, 20, 6))[as.integer(factor(d$item))] + round(runif(nrow(d), -3, 3))
d$w <- round(runif(nrow(d), 0.5, 2), 2)
n <- nrow(d); ri <- as.integer(factor(d$rater)); ii <- as.integer(factor(d$item))
d$score <- round(3 + 0.4 * (d$system == "B") + 0.2 * (d$system == "C") * (d$domain == "news") - 0.02 * d$length +
  rnorm(12, 0, 0.5)[ri] + rnorm(12, 0, 0.3)[ri] * (d$system == "B") + rnorm(15, 0, 0.4)[ii] + rnorm(n, 0, 0.6), 3)
d$flat <- round(rnorm(n), 3)   # no variance between raters worth speaking of
# a group mean removed, so that the variance between raters is estimated as exactly 0
d$none <- round(d$flat - ave(d$flat, d$rater), 6)
d$rater <- factor(d$rater); d$item <- factor(d$item); d$system <- factor(d$system)

vec <- function(x) { x <- unclass(x); attributes(x) <- NULL; as.numeric(x) }
mat <- function(m) unname(lapply(seq_len(nrow(m)), function(i) vec(m[i, ])))

# a fit at the exact optimum
polish <- function(f, data, reml, contrasts = NULL, weighted = FALSE) {
  fit <- function(control, start = NULL) {
    args <- list(formula = f, data = data, REML = reml, control = control, start = start)
    if (!is.null(contrasts)) args$contrasts <- contrasts
    if (weighted) args$weights <- quote(w)
    suppressMessages(suppressWarnings(do.call(lme4::lmer, args)))
  }
  fm <- fit(lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-9), calc.derivs = FALSE))
  dev <- getME(fm, "devfun"); th <- vec(getME(fm, "theta")); low <- getME(fm, "lower")
  free <- !(low == 0 & th < 1e-5)
  if (any(free)) for (k in 1:8) {
    g <- function(x) { t <- th; t[free] <- x; dev(t) }
    step <- solve(hessian(g, th[free]), grad(g, th[free])); th[free] <- th[free] - step
    if (max(abs(step)) < 1e-11) break
  }
  th[!free] <- 0
  fit(lmerControl(optimizer = "stay_at_start", calc.derivs = FALSE, restart_edge = FALSE, boundary.tol = 0,
                  check.conv.grad = "ignore", check.conv.singular = "ignore", check.conv.hess = "ignore"), th)
}
# an "optimiser" that returns its start
stay_at_start <- function(fn, par, lower, upper, control) list(par = par, fval = fn(par), convergence = 0, conv = 0, message = "", feval = 1)

inference <- function(id, formula, reml = TRUE, contrasts = NULL, weighted = FALSE, kr = reml && !weighted) {
  f <- as.formula(formula)
  fm <- polish(f, d, reml, contrasts, weighted)
  lt <- suppressMessages(as_lmerModLmerTest(fm))
  p <- length(fixef(fm)); I <- diag(p)
  sat <- contest(lt, I, joint = FALSE)
  three <- anova(lt, type = 3)
  e <- list(names = I(names(fixef(fm))), theta = I(vec(getME(fm, "theta"))), sigma = sigma(fm), loglik = as.numeric(logLik(fm)),
    beta = I(vec(fixef(fm))), vcov = mat(as.matrix(vcov(fm))),
    satterthwaite = list(df = I(vec(sat[, "df"])), p = I(vec(sat[, "Pr(>|t|)"]))),
    type3_satterthwaite = list(terms = I(rownames(three)), df1 = I(vec(three$NumDF)), df2 = I(vec(three$DenDF)), f = I(vec(three[, "F value"])), p = I(vec(three[, "Pr(>F)"]))))
  if (p > 2) {
    joint <- contest(lt, I[2:3, ], joint = TRUE)
    e$joint <- list(rows = mat(I[2:3, ]), df1 = joint$NumDF, df2 = joint$DenDF, f = joint[, "F value"], p = joint[, "Pr(>F)"])
  }
  if (kr) {
    VA <- vcovAdj(fm)
    e$kenward_roger <- list(vcov = mat(as.matrix(VA)), df = I(sapply(seq_len(p), function(j) Lb_ddf(I[j, ], vcov(fm), VA))))
    t3 <- anova(lt, type = 3, ddf = "Kenward-Roger")
    e$type3_kenward_roger <- list(df1 = I(vec(t3$NumDF)), df2 = I(vec(t3$DenDF)), f = I(vec(t3[, "F value"])), p = I(vec(t3[, "Pr(>F)"])))
    if (p > 2) { k <- KRmodcomp(fm, I[2:3, ])$stats; e$kr_joint <- list(f = k$Fstat, df1 = k$ndf, df2 = k$ddf, p = k$p.value, scaling = k$F.scaling) }
  }
  # R squared, by its formulas
  X <- getME(fm, "X"); vf <- var(as.vector(X %*% fixef(fm))); rt <- lFormula(f, d, contrasts = contrasts)$reTrms
  vr <- sum(sapply(seq_along(rt$Ztlist), function(t) { Zt <- as.matrix(rt$Ztlist[[t]]); q <- length(rt$cnms[[t]])
    S <- matrix(vec(VarCorr(fm)[[t]]), q); Zr <- t(Zt); mean(rowSums((Zr %*% kronecker(diag(ncol(Zr) / q), S)) * Zr)) }))
  vs <- sigma(fm)^2
  e$r2 <- list(marginal = vf / (vf + vr + vs), conditional = (vf + vr) / (vf + vr + vs), icc = vr / (vr + vs))
  input <- list(formula = formula, reml = reml)
  if (!is.null(contrasts)) input$contrasts <- contrasts
  if (weighted) input$weights <- "w"
  list(id = id, kind = "inference", input = input, expected = e)
}

# exact profile ends: root finding on the ML deviance, the other parameters by Nelder-Mead and BFGS polishing
profile_case <- function(id, formula) {
  f <- as.formula(formula)
  fm <- polish(f, d, FALSE); dev0 <- -2 * as.numeric(logLik(fm)); s <- sigma(fm); th <- vec(getME(fm, "theta"))
  y <- getME(fm, "y"); X <- getME(fm, "X"); Z <- as.matrix(getME(fm, "Z")); n <- length(y)
  parts <- lFormula(f, d, REML = FALSE)$reTrms
  full <- function(theta, sigma = NULL, fixed = NULL) {
    Lt <- parts$Lambdat; Lt@x <- theta[parts$Lind]; L <- t(as.matrix(Lt))
    V <- diag(n) + tcrossprod(Z %*% L); R <- chol(V)
    yy <- y; XX <- X
    if (!is.null(fixed)) { yy <- y - X[, fixed$j] * fixed$b; XX <- X[, -fixed$j, drop = FALSE] }
    yt <- backsolve(R, yy, transpose = TRUE)
    if (ncol(XX) > 0) { Xt <- backsolve(R, XX, transpose = TRUE); yt <- qr.resid(qr(Xt), yt) }
    rss <- sum(yt^2); ld <- 2 * sum(log(diag(R)))
    if (is.null(sigma)) ld + n * (1 + log(2 * pi * rss / n)) else ld + n * log(2 * pi * sigma^2) + rss / sigma^2
  }
  minimise <- function(g, x) { for (k in 1:3) x <- optim(x, g, method = "BFGS", control = list(reltol = 1e-15, maxit = 500))$par; g(x) }
  cut <- qchisq(0.95, 1)
  root <- function(h, from, to) uniroot(function(x) h(x) - dev0 - cut, c(from, to), tol = 1e-10, extendInt = "no")$root
  k <- length(th)
  sds <- th * s
  # scalar terms only: sd_k = psi is theta_k = psi / sigma
  sd_at <- function(j) function(psi) minimise(function(x) { t <- numeric(k); t[-j] <- x[-1]; t[j] <- psi / exp(x[1]); full(t, exp(x[1])) }, c(log(s), th[-j]))
  sig_at <- function(psi) minimise(function(x) full(x, psi), th)
  b_at <- function(j) function(b) minimise(function(x) full(x, NULL, list(j = j, b = b)), th)
  se <- sqrt(diag(as.matrix(vcov(fm))))
  ends <- list()
  for (j in seq_len(k)) {
    h <- sd_at(j)
    lower <- if (h(0) - dev0 <= cut) 0 else root(h, 1e-6, sds[j])
    ends[[length(ends) + 1]] <- c(sds[j], lower, root(h, max(sds[j], 1e-6), 4 * sds[j] + s))
  }
  ends[[length(ends) + 1]] <- c(s, root(sig_at, 0.7 * s, s), root(sig_at, s, 1.5 * s))
  for (j in seq_along(se)) { b <- fixef(fm)[[j]]; ends[[length(ends) + 1]] <- c(b, root(b_at(j), b - 5 * se[j], b), root(b_at(j), b, b + 5 * se[j])) }
  cn <- parts$cnms
  names <- c(sprintf("sd_%s|%s", unlist(cn), names(cn)), "sigma", names(fixef(fm)))
  list(id = id, kind = "profile", input = list(formula = formula), expected = list(names = names,
    estimate = sapply(ends, `[`, 1), lower = sapply(ends, `[`, 2), upper = sapply(ends, `[`, 3)))
}

lrt_case <- function(id, small, big, reml = FALSE) {
  fit <- function(f) if (grepl("|", f, fixed = TRUE)) polish(as.formula(f), d, reml) else lm(as.formula(f), d)
  a <- fit(small); b <- fit(big)
  la <- as.numeric(logLik(a, REML = reml)); lb <- as.numeric(logLik(b, REML = reml))
  df <- attr(logLik(b), "df") - attr(logLik(a), "df"); x <- 2 * (lb - la)
  list(id = id, kind = "lrt", input = list(small = small, big = big, reml = reml),
       expected = list(loglik = c(la, lb), chisq = x, df = df, p = pchisq(x, df, lower.tail = FALSE)))
}

cases <- list(
  inference("intercepts", "score ~ system + length + (1 | rater) + (1 | item)"),
  inference("intercepts-ml", "score ~ system + length + (1 | rater) + (1 | item)", reml = FALSE),
  inference("slopes", "score ~ system + (system | rater) + (1 | item)"),
  inference("slopes-uncorrelated", "score ~ system * domain + (length || rater) + (1 | item)"),
  inference("sum", "score ~ system * domain + length + (1 | rater) + (1 | item)", contrasts = list(system = "contr.sum", domain = "contr.sum")),
  inference("nested", "score ~ domain + (1 | rater/system)"),
  inference("weights", "score ~ system * length + (1 | rater) + (1 | item)", weighted = TRUE),
  inference("boundary", "none ~ system + (1 | rater)"),
  profile_case("profile-crossed", "score ~ length + (1 | rater) + (1 | item)"),
  profile_case("profile-boundary", "none ~ length + (1 | rater)"),
  lrt_case("lrt-system", "score ~ 1 + (1 | rater) + (1 | item)", "score ~ system + (1 | rater) + (1 | item)"),
  lrt_case("lrt-item", "score ~ system + (1 | rater)", "score ~ system + (1 | rater) + (1 | item)"),
  lrt_case("lrt-item-reml", "score ~ system + (1 | rater)", "score ~ system + (1 | rater) + (1 | item)", TRUE),
  lrt_case("lrt-lm", "score ~ system", "score ~ system + (1 | rater)"),
  lrt_case("lrt-lm-reml", "score ~ system", "score ~ system + (1 | rater)", TRUE))
columns <- lapply(d, function(x) if (is.factor(x)) list(values = as.character(x), levels = levels(x)) else list(values = vec(x)))
out <- list(generated_with = list(R = as.character(getRversion()), lme4 = as.character(packageVersion("lme4")),
  lmerTest = as.character(packageVersion("lmerTest")), pbkrtest = as.character(packageVersion("pbkrtest"))), columns = columns, cases = cases)
writeLines(toJSON(out, auto_unbox = TRUE, digits = I(17), na = "null"), "oracle/r/lmm-inference.json")

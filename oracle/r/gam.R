# Additive models for gam.test.ts: mgcv's numbers for many kinds of smooths, families and criteria.
# Rscript oracle/r/gam.R > oracle/r/gam.json
suppressMessages({ library(mgcv); library(jsonlite) })
RNGversion("4.0.0"); set.seed(20240131)
num <- function(x) unname(as.numeric(x))
r4 <- function(x) round(x, 4)

n <- 240
d1 <- data.frame(x = r4(runif(n)), z = r4(runif(n, -2, 3)), v = r4(rexp(n)), f = factor(sample(c("a", "b", "c"), n, TRUE)),
  g = factor(sample(paste0("g", 1:15), n, TRUE)), h = factor(sample(paste0("h", 1:6), n, TRUE)), t = r4(runif(n, 0, 2 * pi)))
eff <- rnorm(15)[d1$g] * .5 + rnorm(6)[d1$h] * .3
mu <- with(d1, sin(5 * x) + .3 * z^2 * x + .4 * (f == "b") + ifelse(f == "c", cos(7 * x), 0) + eff * .6 + .5 * sin(t))
d1$y <- r4(mu + rnorm(n) * .4)
d1$ypos <- r4(exp(.3 * mu) + rnorm(n) * .2)
d1$c <- rpois(n, exp(.6 + .5 * mu))
d1$cp <- rpois(n, 3 + 2 * sin(6 * d1$x))
d1$b <- rbinom(n, 1, plogis(1.2 * mu - .8))
d1$m <- sample(3:12, n, TRUE); d1$s <- rbinom(n, d1$m, plogis(mu - .5)); d1$u <- d1$m - d1$s
d1$share <- d1$s / d1$m
d1$w <- r4(runif(n, .3, 2)); d1$o <- r4(rnorm(n) * .3)

case <- function(id, formula, data = "d1", family = "gaussian", link = NULL, method = "REML", select = FALSE, weights = NULL,
                 offset = NULL, gamma = 1, sp = NULL) {
  fam <- get(family)(); if (!is.null(link)) fam <- get(family)(link)
  D <- get(data); D$.w <- if (is.null(weights)) rep(1, nrow(D)) else D[[weights]]
  D$.o <- if (is.null(offset)) rep(0, nrow(D)) else D[[offset]]
  ctl <- gam.control(epsilon = 1e-12, maxit = 400, mgcv.tol = 1e-11, newton = list(conv.tol = 1e-10, maxNstep = 5, maxSstep = 2, maxHalf = 30, use.svd = FALSE))
  args <- list(formula = as.formula(formula), data = D, family = fam, method = method, select = select, gamma = gamma, control = ctl)
  if (!is.null(weights)) args$weights <- quote(.w)
  if (!is.null(offset)) args$offset <- quote(.o)
  if (!is.null(sp)) args$sp <- sp
  b <- suppressWarnings(do.call(gam, args))
  s <- summary(b); st <- if (length(b$smooth) > 0) s$s.table else matrix(0, 0, 4)
  k <- 0
  sm <- lapply(b$smooth, function(q) { m <- length(q$S); i <- seq_len(m) + k; k <<- k + m
    list(label = q$label, sp = I(num((if (is.null(b$full.sp)) b$sp else b$full.sp)[i])), edf = num(sum(b$edf[q$first.para:q$last.para]))) })
  idx <- round(seq(1, nrow(D), length.out = 12)); nd <- D[idx, , drop = FALSE]
  pr <- predict(b, nd, se.fit = TRUE); pt <- predict(b, nd, type = "terms", se.fit = TRUE)
  labs <- as.character(sapply(b$smooth, function(q) q$label))
  ll <- logLik(b)
  list(id = id, input = list(data = data, formula = formula, family = family, link = if (is.null(link)) fam$link else link,
    method = method, select = select, weights = weights, offset = offset, gamma = gamma, sp = if (is.null(sp)) NULL else I(sp)),
    expected = list(nobs = nrow(D), edf_total = num(sum(b$edf)), scale = num(b$sig2), criterion = list(kind = b$method, value = num(b$gcv.ubre)),
      deviance = num(b$deviance), null_deviance = num(b$null.deviance), deviance_explained = num(s$dev.expl), r_sq_adjusted = num(s$r.sq),
      loglik = num(ll), loglik_df = num(attr(ll, "df")), aic = num(AIC(b)),
      parametric = list(names = I(rownames(s$p.table)), estimate = I(num(s$p.table[, 1])), se = I(num(s$p.table[, 2])), p = I(num(s$p.table[, 4]))),
      smooths = sm, smooth_tests = list(label = I(as.character(rownames(st))), ref_df = I(num(st[, 2])), statistic = I(num(st[, 3])), p = I(num(st[, 4]))),
      rows = I(idx - 1), predictions = if (is.null(offset)) list(link = num(pr$fit), se_link = num(pr$se.fit), response = num(fam$linkinv(pr$fit)),
        term_names = I(labs), terms = pt$fit[, labs, drop = FALSE], se_terms = pt$se.fit[, labs, drop = FALSE]) else NULL,
      fitted_head = num(b$fitted.values[1:8])))
}

cases <- list(
  case("te-cr-REML", "y ~ te(x, z)"), case("te-cr-GCV", "y ~ te(x, z)", method = "GCV.Cp"), case("te-tp-ML", "y ~ te(x, z, bs = 'tp', k = 4)", method = "ML"),
  case("te-poisson", "c ~ te(x, z, k = 4) + f", family = "poisson"), case("te-binomial-UBRE", "b ~ te(x, z, k = 4)", family = "binomial", method = "GCV.Cp"),
  case("ti-main", "y ~ s(x) + s(z) + ti(x, z)"), case("ti-all", "y ~ ti(x) + ti(z) + ti(x, z, k = 4) + f"),
  case("nested-te", "y ~ s(x, bs = 'cr') + te(x, z, k = 4)"), case("nested-tp2", "y ~ s(x) + s(z) + s(x, z, k = 25)"),
  case("tp2-REML", "y ~ s(x, z, k = 20) + f"), case("tp2-GCV", "y ~ s(x, z, k = 20)", method = "GCV.Cp"), case("tp2-poisson", "c ~ s(x, z, k = 15)", family = "poisson"),
  case("ps", "y ~ s(x, bs = 'ps') + s(z, bs = 'ps', k = 8)"), case("ps-m", "y ~ s(x, bs = 'ps', m = c(2, 1), k = 12) + s(z, bs = 'ps', m = c(1, 2))"),
  case("bs", "y ~ s(x, bs = 'bs') + s(z, bs = 'bs', m = c(3, 1), k = 9)"), case("cc", "y ~ s(t, bs = 'cc', k = 8) + s(x, bs = 'cr')"),
  case("ts", "y ~ s(x, bs = 'ts') + s(z, bs = 'ts') + s(v, bs = 'ts')"), case("tp-m1", "y ~ s(x, m = 1, k = 15)"),
  case("by-factor-main", "y ~ f + s(x, by = f) + s(z)"), case("by-numeric", "y ~ f + s(x, by = z, bs = 'cr', k = 7)"), case("confounded", "y ~ z + s(x, by = z, bs = 'cr', k = 7)"),
  case("by-numeric-poisson", "c ~ s(x, by = v, k = 6) + f", family = "poisson"), case("by-te", "y ~ f + te(x, z, by = f, k = 3)"),
  case("re-1", "y ~ s(x) + s(g, bs = 're')"), case("re-2", "y ~ s(x) + s(g, bs = 're') + s(h, bs = 're')"),
  case("re-slope", "y ~ x + s(g, bs = 're') + s(g, x, bs = 're')"), case("re-binomial", "b ~ s(x, k = 6) + s(g, bs = 're')", family = "binomial"),
  case("re-poisson-ML", "c ~ s(x, k = 6) + s(g, bs = 're')", family = "poisson", method = "ML"),
  case("poisson-REML", "c ~ s(x) + s(z) + s(v) + f", family = "poisson"), case("poisson-UBRE", "c ~ s(x) + s(z) + s(v) + f", family = "poisson", method = "GCV.Cp"),
  case("poisson-offset", "c ~ s(x) + s(z, bs = 'cr')", family = "poisson", offset = "o"), case("poisson-identity", "cp ~ s(x, bs = 'cr', k = 6)", family = "poisson", link = "identity"),
  case("counts", "cbind(s, u) ~ s(x) + s(z) + f", family = "binomial"), case("shares", "share ~ s(x, bs = 'cr') + z", family = "binomial", weights = "m", method = "ML"),
  case("probit", "b ~ s(x) + z", family = "binomial", link = "probit"), case("probit-UBRE", "b ~ s(x) + s(z, k = 5)", family = "binomial", link = "probit", method = "GCV.Cp"),
  case("cloglog", "b ~ s(x) + s(z)", family = "binomial", link = "cloglog"), case("gaussian-log", "ypos ~ s(x) + s(z, k = 5)", link = "log"),
  case("gaussian-log-GCV", "ypos ~ s(x, bs = 'cr')", link = "log", method = "GCV.Cp"),
  case("select", "y ~ s(x) + s(z) + s(v)", select = TRUE), case("select-binomial", "b ~ s(x, bs = 'cr') + s(z, bs = 'cr') + s(v, bs = 'cr')", family = "binomial", select = TRUE),
  case("select-GCV", "y ~ s(x, bs = 'cr') + s(z, bs = 'cr')", method = "GCV.Cp", select = TRUE),
  case("weights-offset", "y ~ s(x) + s(z) + f", weights = "w", offset = "o"), case("weights-GCV", "y ~ s(x) + te(x, z, k = 3)", weights = "w", method = "GCV.Cp"),
  case("gamma-GCV", "y ~ s(x) + s(z)", method = "GCV.Cp", gamma = 1.4), case("gamma-REML", "y ~ s(x) + s(z)", gamma = 1.4), case("gamma-UBRE", "c ~ s(x) + s(z)", family = "poisson", gamma = 1.4, method = "GCV.Cp"),
  case("fixed-sp", "y ~ s(x) + s(z)", sp = c(.01, 2)), case("fixed-one", "y ~ s(x) + s(z)", sp = c(-1, 2)), case("fx", "y ~ s(x, fx = TRUE, k = 6) + s(z)"),
  case("no-intercept", "y ~ f - 1 + s(x)"), case("log-covariate", "y ~ s(log(v), k = 8) + poly(x, 2)"), case("parametric-only", "y ~ x + f"),
  case("k3", "y ~ s(x, k = 3) + s(z, k = 4, bs = 'cr')"))
cols <- lapply(d1, function(q) if (is.factor(q)) list(type = "factor", levels = levels(q)) else list(type = "numeric"))
vals <- lapply(d1, function(q) if (is.factor(q)) as.character(q) else q)
cat(toJSON(list(schema = "gam-oracle/1", generated_with = list(R = paste(R.version$major, R.version$minor, sep = "."), mgcv = as.character(packageVersion("mgcv"))),
  datasets = list(d1 = list(columns = cols, values = vals)), cases = cases), auto_unbox = TRUE, digits = NA, na = "string", null = "null"))

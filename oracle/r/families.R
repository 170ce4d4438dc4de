# Quasi-, negative binomial and beta families of glm, and profile intervals of glm coefficients.
#   Rscript oracle/r/families.R        (from the project's root; writes oracle/r/families.json)
# quasi: glm; negative binomial: MASS::glm.nb, its two steps repeated until nothing moves; beta: betareg.fit of betareg 3.1-4, from the package or,
# where it is not installed, from its sources in the folder that BETAREG names; saturated likelihoods and profile ends: roots found here.
suppressMessages({ library(jsonlite); library(MASS); library(sandwich); library(clubSandwich); library(emmeans) })
if (requireNamespace("betareg", quietly = TRUE)) betareg.fit <- betareg::betareg.fit else
  for (f in list.files(file.path(Sys.getenv("BETAREG"), "R"), full.names = TRUE)) source(f)
options(digits = 17)
RNGkind("Mersenne-Twister", "Inversion", "Rejection"); set.seed(20040801)
n <- 120
d <- data.frame(system = rep(c("A", "B", "C"), 40), length = round(rnorm(n), 2), doc = sprintf("d%02d", rep(1:24, each = 5)))
d$logn <- round(log(runif(n, 0.5, 4)), 2); d$copies <- sample(1:3, n, TRUE)
lift <- c(A = 0, B = 0.3, C = 0.7)[d$system]
d$count <- rnbinom(n, mu = exp(0.8 + lift + 0.3 * d$length + d$logn), size = 1.3)
d$rare <- rnbinom(n, mu = exp(-0.7 + lift), size = 0.4)
d$many <- rnbinom(n, mu = exp(13 + lift), size = 2)
d$even <- rbinom(n, 6, plogis(0.2 + 0.3 * d$length))                                    # varies less than Poisson counts
d$share <- round(pmin(pmax(rbeta(n, plogis(0.4 + lift + 0.5 * d$length) * 6, (1 - plogis(0.4 + lift + 0.5 * d$length)) * 6), 1e-3), 1 - 1e-3), 4)
d$low <- round(pmax(rbeta(n, plogis(-3 + lift) * 5, (1 - plogis(-3 + lift)) * 5), 1e-4), 6)   # mean and precision strongly correlated
d$tries <- sample(4:12, n, TRUE); d$hits <- rbinom(n, d$tries, rbeta(n, 2 * plogis(lift), 2 * (1 - plogis(lift)))); d$misses <- d$tries - d$hits
d$right <- rbinom(n, 1, plogis(-0.5 + lift + d$length))
tight <- glm.control(epsilon = 1e-300, maxit = 40)                                       # R's own limit leaves 1e-8 in the estimates
table_of <- function(s) list(names = I(rownames(s)), estimate = I(unname(s[, 1])), se = I(unname(s[, 2])), statistic = I(unname(s[, 3])), p = I(unname(s[, 4])))
shared <- function(fit) list(deviance = deviance(fit), null_deviance = fit$null.deviance, df_residual = df.residual(fit), fitted_head = I(unname(head(fitted(fit), 6))))
pick <- function(w) if (is.null(w)) NULL else d[[w]]
new <- data.frame(system = c("A", "C", "B"), length = c(-1, 0.5, 2), logn = c(0, 0.3, -0.2))
cr2 <- function(fit) { t <- coef_test(fit, vcovCR(fit, cluster = d$doc, type = "CR2")); list(se = I(t$SE), df = I(t$df_Satt)) }

quasi_case <- function(id, formula, family, link, small, weights = NULL, offset = NULL) {
  fam <- get(family)(link); off <- pick(offset); w <- pick(weights)
  run <- function(f) { e <- new.env(); e$w <- w; e$off <- off; f <- as.formula(f, e); suppressWarnings(glm(f, fam, d, weights = w, offset = off, control = tight)) }
  fit <- run(formula); a <- anova(run(small), fit, test = "F")
  list(id = id, kind = "quasi", input = list(formula = formula, family = family, link = link, small = small, weights = weights, offset = offset),
    expected = c(table_of(coef(summary(fit))), shared(fit), list(dispersion = summary(fit)$dispersion, hc0 = I(unname(sqrt(diag(sandwich(fit))))),
      f = list(statistic = a$F[2], df1 = a$Df[2], df2 = df.residual(fit), p = a$`Pr(>F)`[2]))))
}
negbin <- function(formula, weights = NULL, offset = NULL) {
  w <- if (is.null(weights)) rep(1, n) else d[[weights]]; off <- if (is.null(offset)) rep(0, n) else d[[offset]]
  e <- new.env(); e$w <- w; e$off <- off; f <- as.formula(formula, e)
  plain <- suppressWarnings(glm.nb(update(f, . ~ . + offset(off)), d, weights = w)); th <- plain$theta
  for (i in 1:60) { fit <- suppressWarnings(glm(f, negative.binomial(th), d, weights = w, offset = off, control = tight))
    th <- theta.ml(fit$y, fitted(fit), sum(w), w, limit = 200, eps = 1e-13) }
  fit$theta <- as.numeric(th); fit$SE.theta <- attr(theta.ml(fit$y, fitted(fit), sum(w), w, limit = 200, eps = 1e-13), "SE")
  y <- fit$y; mu <- fitted(fit); fit$ll <- sum(w * dnbinom(y, size = fit$theta, mu = mu, log = TRUE)); fit$plain <- plain; fit
}
nb_case <- function(id, formula, small, weights = NULL, offset = NULL) {
  fit <- negbin(formula, weights, offset); s <- coef(summary(fit, dispersion = 1)); less <- negbin(small, weights, offset); k <- length(coef(fit)) + 1
  keep <- emmeans(fit$plain, "system"); pr <- predict(fit$plain, cbind(new, off = 0), se.fit = TRUE)
  list(id = id, kind = "nb", input = list(formula = formula, small = small, weights = weights, offset = offset), expected = c(table_of(s), shared(fit), list(
    theta = fit$theta, theta_se = fit$SE.theta, loglik = fit$ll, aic = -2 * fit$ll + 2 * k, bic = -2 * fit$ll + log(n) * k, hc0 = I(unname(sqrt(diag(sandwich(fit))))),
    lr = 2 * (fit$ll - less$ll), lr_p = pchisq(2 * (fit$ll - less$ll), length(coef(fit)) - length(coef(less)), lower.tail = FALSE),
    glm_nb = list(estimate = I(unname(coef(fit$plain))), se = I(unname(coef(summary(fit$plain))[, 2])), theta = fit$plain$theta, theta_se = fit$plain$SE.theta,
      twologlik = fit$plain$twologlik, aic = AIC(fit$plain), deviance = deviance(fit$plain), null_deviance = fit$plain$null.deviance,
      lr = anova(less$plain, fit$plain)$`LR stat.`[2]),
    predict = list(eta = I(unname(pr$fit)), se = I(unname(pr$se.fit))),
    emmeans = list(estimate = I(summary(keep)$emmean), se = I(summary(keep)$SE), df = I(as.character(summary(keep)$df))))))
}
saturated <- function(y, phi) optimize(function(eta) dbeta(y, plogis(eta) * phi, plogis(-eta) * phi, log = TRUE), qlogis(y) + c(-30, 30), maximum = TRUE, tol = 1e-10)$objective
beta_fit <- function(formula, y, link = "logit", weights = NULL, offset = NULL) {
  X <- model.matrix(as.formula(formula), d); attr(X, "assign") <- attr(X, "contrasts") <- NULL
  betareg.fit(X, y, weights = pick(weights), offset = pick(offset), link = link, link.phi = "identity", control = ctl)
}
ctl <- list(phi = TRUE, method = "BFGS", hessian = FALSE, start = NULL, fsmaxit = 2000, fstol = 1e-13, trace = FALSE, maxit = 5000, fnscale = -1, reltol = 1e-15)
beta_case <- function(id, response, formula, small, link = "logit", weights = NULL, offset = NULL) {
  y <- d[[response]]; fit <- beta_fit(formula, y, link, weights, offset); less <- beta_fit(small, y, link, weights, offset)
  b <- fit$coefficients$mean; phi <- unname(fit$coefficients$precision); se <- sqrt(diag(fit$vcov)); k <- length(b); w <- if (is.null(weights)) rep(1, n) else d[[weights]]
  off <- if (is.null(offset)) rep(0, n) else d[[offset]]; inv <- make.link(link)$linkinv
  sat <- sum(w * sapply(y, saturated, phi = phi)); mu <- fit$fitted.values
  null <- optimize(function(b0) sum(w * dbeta(y, inv(b0 + off) * phi, (1 - inv(b0 + off)) * phi, log = TRUE)), c(-10, 10), maximum = TRUE, tol = 1e-10)$objective
  list(id = id, kind = "beta", input = list(response = response, formula = formula, small = small, link = link, weights = weights, offset = offset),
    expected = list(names = I(names(b)), estimate = I(unname(b)), se = I(unname(se[seq_len(k)])), statistic = I(unname(b / se[seq_len(k)])), p = I(unname(2 * pnorm(-abs(b / se[seq_len(k)])))),
      phi = phi, phi_se = unname(se[k + 1]), loglik = fit$loglik, aic = -2 * fit$loglik + 2 * (k + 1), deviance = 2 * (sat - fit$loglik), null_deviance = 2 * (sat - null),
      lr = 2 * (fit$loglik - less$loglik), fitted_head = I(unname(head(mu, 6)))))
}
profile_case <- function(id, formula, family, level = 0.95, offset = NULL, response = NULL) {
  cut <- qchisq(level, 1); off <- if (is.null(offset)) rep(0, n) else d[[offset]]
  if (family == "beta") { X <- model.matrix(as.formula(paste("~", formula)), d); y <- d[[response]]
    ll <- function(par) { mu <- plogis(drop(X %*% par[-length(par)])); f <- exp(par[length(par)]); v <- sum(dbeta(y, mu * f, (1 - mu) * f, log = TRUE)); if (is.finite(v)) v else -1e10 }
    fit <- beta_fit(paste("~", formula), y); best <- c(fit$coefficients$mean, log(fit$coefficients$precision)); se <- sqrt(diag(fit$vcov)); full <- ll(best)
    drop_at <- function(j, v) { f <- function(r) { p <- numeric(length(best)); p[-j] <- r; p[j] <- v; -ll(p) }; r <- best[-j]
      for (i in 1:4) r <- optim(r, f, method = "BFGS", control = list(reltol = 1e-15, maxit = 2000))$par
      r <- nlm(f, r, gradtol = 1e-12, steptol = 1e-14, iterlim = 500)$estimate; 2 * (full + f(r)) }
    b <- best[seq_len(ncol(X))]; spline <- NULL
  } else { fam <- if (family == "nb") NULL else get(family)()
    fit <- if (family == "nb") negbin(formula, offset = offset) else { e <- new.env(); e$off <- off; suppressWarnings(glm(as.formula(formula, e), fam, d, offset = off, control = tight)) }
    if (family == "nb") fam <- negative.binomial(fit$theta)
    X <- model.matrix(fit); y <- fit$y; b <- coef(fit); se <- sqrt(diag(summary(fit, dispersion = 1)$cov.scaled))
    drop_at <- function(j, v) suppressWarnings(glm.fit(X[, -j, drop = FALSE], y, family = fam, offset = off + X[, j] * v, control = tight)$deviance) - deviance(fit)
    of <- if (family == "nb") fit$plain else fit
    spline <- suppressMessages(confint(of, level = level)) }
  ends <- sapply(seq_along(b), function(j) { g <- function(v) drop_at(j, v) - cut; s <- se[j]
    c(uniroot(g, c(b[j] - 2.5 * s, b[j]), tol = 1e-11, extendInt = "downX")$root, uniroot(g, c(b[j], b[j] + 2.5 * s), tol = 1e-11, extendInt = "upX")$root) })
  list(id = id, kind = "profile", input = list(formula = if (family == "beta") paste(response, "~", formula) else formula, family = family, level = level, offset = offset),
    expected = list(names = I(names(b)), lower = I(unname(ends[1, ])), upper = I(unname(ends[2, ])), spline = if (is.null(spline)) NULL else list(lower = I(unname(spline[, 1])), upper = I(unname(spline[, 2])))))
}
cases <- list(
  quasi_case("quasibinomial-counts", "cbind(hits, misses) ~ system + length", "quasibinomial", "logit", "cbind(hits, misses) ~ length"),
  quasi_case("quasibinomial-probit", "share ~ system + length", "quasibinomial", "probit", "share ~ system"),
  quasi_case("quasipoisson", "count ~ system * length", "quasipoisson", "log", "count ~ length", offset = "logn"),
  quasi_case("quasipoisson-weights", "count ~ system", "quasipoisson", "log", "count ~ 1", weights = "copies"),
  nb_case("nb", "count ~ system + length", "count ~ length"), nb_case("nb-offset", "count ~ system + length", "count ~ 1", offset = "logn"),
  nb_case("nb-weights", "count ~ system", "count ~ 1", weights = "copies"), nb_case("nb-rare", "rare ~ system", "rare ~ 1"), nb_case("nb-many", "many ~ system", "many ~ 1"),
  beta_case("beta", "share", "~ system + length", "~ length"), beta_case("beta-probit", "share", "~ length", "~ 1", "probit"),
  beta_case("beta-offset", "share", "~ system", "~ 1", offset = "logn"), beta_case("beta-weights", "share", "~ system", "~ 1", weights = "copies"),
  beta_case("beta-low", "low", "~ system", "~ 1"),
  profile_case("profile-binomial", "right ~ system + length", "binomial"), profile_case("profile-poisson", "rare ~ system", "poisson", 0.9),
  profile_case("profile-nb", "count ~ system + length", "nb", offset = "logn"), profile_case("profile-beta", "system", "beta", response = "low"))
no_theta <- suppressWarnings(glm.nb(even ~ length, d)); poisson_fit <- suppressWarnings(glm(even ~ length, poisson, d, control = tight))
cases <- c(cases, list(list(id = "nb-none", kind = "none", input = list(formula = "even ~ length"), expected = list(theta = no_theta$theta,
  estimate = I(unname(coef(poisson_fit))), se = I(unname(coef(summary(poisson_fit))[, 2])), loglik = as.numeric(logLik(poisson_fit))))))
nbfit <- glm.nb(count ~ system + length, d); quasifit <- glm(count ~ system + length, quasipoisson, d)
versions <- list(R = as.character(getRversion()), MASS = as.character(packageVersion("MASS")), sandwich = as.character(packageVersion("sandwich")),
  betareg = if (requireNamespace("betareg", quietly = TRUE)) as.character(packageVersion("betareg")) else "3.1-4", quasi_df_in_emmeans = as.character(summary(emmeans(quasifit, "system"))$df[1]), cr2_nb = cr2(nbfit))
columns <- lapply(d, function(x) if (is.character(x)) list(values = x, levels = sort(unique(x))) else list(values = x))
writeLines(gsub('\\{"id"', '\n{"id"', toJSON(list(schema = "oracle/1", generated_with = versions, columns = columns, newdata = new, cases = cases), auto_unbox = TRUE, digits = I(17), null = "null")), "oracle/r/families.json")

# Linear and generalised linear models: what R gives on small data of our own.
#   Rscript oracle/r/lm.R        (from the project's root; writes oracle/r/lm.json)
# Needs jsonlite, sandwich, clubSandwich.
suppressMessages({ library(jsonlite); library(sandwich); library(clubSandwich) })
options(contrasts = c("contr.treatment", "contr.poly"))
RNGkind("Mersenne-Twister", "Inversion", "Rejection"); set.seed(20200815)

n <- 120
item <- rep(sprintf("i%02d", 1:24), each = 5)
ratings <- data.frame(
  item = item,
  system = factor(rep(c("A", "B", "C"), length.out = n)),
  length = round(runif(n, 3, 40), 1),
  domain = factor(sample(c("news", "chat"), n, TRUE), levels = c("chat", "news")),
  w = round(rexp(n) + 0.2, 2))
ratings$score <- round(2 + 0.4 * (ratings$system == "B") - 0.02 * ratings$length + rep(rnorm(24, 0, 0.6), each = 5) + rnorm(n), 3)
eta <- -0.4 + 0.9 * (ratings$system == "C") + 0.03 * ratings$length + rep(rnorm(24, 0, 0.5), each = 5)
ratings$correct <- rbinom(n, 1, plogis(eta))
ratings$tries <- sample(3:9, n, TRUE)
ratings$hits <- rbinom(n, ratings$tries, plogis(eta - 0.5))
ratings$misses <- ratings$tries - ratings$hits
ratings$errors <- rpois(n, exp(0.2 + 0.03 * ratings$length - 0.3 * (ratings$system == "B")))
ratings$logtokens <- round(log(ratings$length * 3), 4)
ratings$length2 <- ratings$length * 2
ratings$gappy <- ratings$score; ratings$gappy[c(3, 50, 51, 118)] <- NA
# clusters of unequal size
ratings$doc <- c(rep("d1", 30), rep("d2", 25), rep("d3", 9), rep("d4", 1), rep("d5", 17), rep("d6", 12), rep("d7", 20), rep("d8", 6))

vec <- function(x) { x <- unclass(x); attributes(x) <- NULL; as.numeric(x) }
mat <- function(m) unname(lapply(seq_len(nrow(m)), function(i) vec(m[i, ])))
control <- glm.control(epsilon = 1e-15, maxit = 200)
POLISH <- 25

lm_case <- function(id, formula, weights = NULL, contrasts = NULL, cluster = NULL, newdata = NULL) {
  f <- as.formula(formula)
  call <- list(formula = f, data = ratings)
  if (!is.null(weights)) call$weights <- as.name(weights)
  if (!is.null(contrasts)) call$contrasts <- as.list(contrasts)
  fit <- eval(as.call(c(as.name("lm"), call)))
  s <- summary(fit)
  keep <- !is.na(coef(fit))
  ci <- confint(fit)[keep, , drop = FALSE]
  expected <- list(
    nobs = nobs(fit), names = names(coef(fit))[keep], dropped = I(names(coef(fit))[!keep]),
    estimate = vec(coef(fit)[keep]), se = vec(s$coefficients[, 2]), t = vec(s$coefficients[, 3]), p = vec(s$coefficients[, 4]),
    lower = vec(ci[, 1]), upper = vec(ci[, 2]), vcov = mat(vcov(fit, complete = FALSE)),
    sigma = s$sigma, df_residual = fit$df.residual, r2 = s$r.squared, adj_r2 = s$adj.r.squared,
    f = if (is.null(s$fstatistic)) NULL else vec(s$fstatistic),
    f_p = if (is.null(s$fstatistic)) NULL else unname(pf(s$fstatistic[1], s$fstatistic[2], s$fstatistic[3], lower.tail = FALSE)),
    loglik = as.numeric(logLik(fit)), aic = AIC(fit), bic = BIC(fit), deviance = deviance(fit),
    fitted_head = vec(head(fitted(fit), 6)), resid_head = vec(head(residuals(fit), 6)),
    hat_head = vec(head(hatvalues(fit), 6)))
  # leave-one-out predictions by refitting, not by the formula
  used <- as.integer(rownames(model.frame(fit)))
  if (is.null(weights) && is.null(contrasts) && all(keep)) {
    expected$loo_head <- sapply(used[1:6], function(i) unname(predict(lm(f, ratings[-i, ]), ratings[i, ])))
  }
  if (!is.null(newdata)) {
    nd <- as.data.frame(newdata)
    expected$predict <- list(newdata = newdata,
      confidence = mat(predict(fit, nd, interval = "confidence")),
      prediction = mat(suppressWarnings(predict(fit, nd, interval = "prediction"))),
      se = vec(predict(fit, nd, se.fit = TRUE)$se.fit))
  }
  expected$hc <- lapply(list(HC0 = "HC0", HC1 = "HC1", HC2 = "HC2", HC3 = "HC3"), function(type) vec(sqrt(diag(vcovHC(fit, type = type)))))
  if (!is.null(cluster)) {
    g <- ratings[used, cluster]
    one <- function(type, test) {
      v <- vcovCR(fit, cluster = g, type = type)
      ct <- coef_test(fit, vcov = v, test = test)
      list(se = vec(ct$SE), df = vec(if (test == "Satterthwaite") ct$df_Satt else ct$df_t), p = vec(if (test == "Satterthwaite") ct$p_Satt else ct$p_t), vcov = mat(as.matrix(v)))
    }
    expected$cluster <- list(by = cluster, CR0 = one("CR0", "naive-t"), CR1 = one("CR1", "naive-t"), CR1S = one("CR1S", "naive-t"), CR2 = one("CR2", "Satterthwaite"))
  }
  list(id = id, kind = "lm", input = list(formula = formula, weights = weights, contrasts = contrasts), expected = expected)
}

glm_case <- function(id, formula, family, link, weights = NULL, offset = NULL, cluster = NULL, newdata = NULL) {
  f <- as.formula(formula)
  call <- list(formula = f, data = ratings, family = do.call(family, list(link = link)), control = control)
  if (!is.null(weights)) call$weights <- as.name(weights)
  if (!is.null(offset)) call$offset <- as.name(offset)
  fit <- eval(as.call(c(as.name("glm"), call)))
  # glm stops when the deviance stands still, where a non-canonical link leaves errors of 1e-8 in the estimates: go on
  for (again in 1:POLISH) { call$start <- coef(fit); fit <- eval(as.call(c(as.name("glm"), call))) }
  s <- summary(fit)
  ci <- confint.default(fit)
  expected <- list(
    nobs = nobs(fit), names = names(coef(fit)), estimate = vec(coef(fit)), se = vec(s$coefficients[, 2]),
    statistic = vec(s$coefficients[, 3]), p = vec(s$coefficients[, 4]), wald_lower = vec(ci[, 1]), wald_upper = vec(ci[, 2]),
    vcov = mat(vcov(fit)), dispersion = s$dispersion, deviance = fit$deviance, null_deviance = fit$null.deviance,
    df_residual = fit$df.residual, df_null = fit$df.null, loglik = as.numeric(logLik(fit)), aic = AIC(fit), bic = BIC(fit),
    fitted_head = vec(head(fitted(fit), 6)), deviance_residuals_head = vec(head(residuals(fit, "deviance"), 6)),
    pearson_head = vec(head(residuals(fit, "pearson"), 6)), hat_head = vec(head(hatvalues(fit), 6)))
  if (is.null(weights) && is.null(offset)) {
    expected$loo_head <- sapply(1:6, function(i) {
      fam <- do.call(family, list(link = link))
      m <- glm(f, data = ratings[-i, ], family = fam, control = control)
      for (again in 1:POLISH) m <- glm(f, data = ratings[-i, ], family = fam, control = control, start = coef(m))
      unname(predict(m, ratings[i, ], type = "response"))
    })
  }
  if (!is.null(newdata)) {
    nd <- as.data.frame(newdata)
    p <- predict(fit, nd, se.fit = TRUE)
    expected$predict <- list(newdata = newdata, link = vec(p$fit), se = vec(p$se.fit), response = vec(predict(fit, nd, type = "response")))
  }
  expected$hc0 <- vec(sqrt(diag(sandwich(fit))))
  if (!is.null(cluster)) {
    g <- ratings[[cluster]]
    cr2 <- vcovCR(fit, cluster = g, type = "CR2"); ct <- coef_test(fit, vcov = cr2, test = "Satterthwaite")
    expected$cluster <- list(by = cluster,
      CR0 = vec(sqrt(diag(vcovCR(fit, cluster = g, type = "CR0")))), CR1 = vec(sqrt(diag(vcovCR(fit, cluster = g, type = "CR1")))),
      CR2 = list(se = vec(ct$SE), df = vec(ct$df_Satt), p = vec(ct$p_Satt)))
  }
  list(id = id, kind = "glm", input = list(formula = formula, family = family, link = link, weights = weights, offset = offset), expected = expected)
}

anova_case <- function(id, f0, f1, kind, family = NULL, link = NULL) {
  if (kind == "lm") {
    m0 <- lm(as.formula(f0), ratings); m1 <- lm(as.formula(f1), ratings); a <- anova(m0, m1)
    e <- list(f = a$F[2], df1 = a$Df[2], df2 = a$Res.Df[2], p_f = a$`Pr(>F)`[2])
  } else {
    fam <- do.call(family, list(link = link))
    m0 <- glm(as.formula(f0), family = fam, data = ratings, control = control); m1 <- glm(as.formula(f1), family = fam, data = ratings, control = control)
    e <- list()
  }
  w <- 2 * (as.numeric(logLik(m1)) - as.numeric(logLik(m0))); df <- attr(logLik(m1), "df") - attr(logLik(m0), "df")
  e$chisq <- w; e$df <- df; e$p <- pchisq(w, df, lower.tail = FALSE)
  list(id = id, kind = "anova", input = list(f0 = f0, f1 = f1, model = kind, family = family, link = link), expected = e)
}

new3 <- list(system = c("A", "C", "B"), length = c(5, 22.5, 60), domain = c("chat", "news", "news"))
cases <- list(
  lm_case("lm-simple", "score ~ system", cluster = "item"),
  lm_case("lm-covariate", "score ~ system + length + domain", cluster = "doc", newdata = new3),
  lm_case("lm-interaction", "score ~ system * length", cluster = "item", newdata = new3),
  lm_case("lm-sum", "score ~ system * domain", contrasts = list(system = "contr.sum", domain = "contr.sum"), cluster = "doc"),
  lm_case("lm-no-intercept", "score ~ 0 + system + length"),
  lm_case("lm-weights", "score ~ system + length", weights = "w", cluster = "doc", newdata = new3),
  lm_case("lm-alias", "score ~ length + length2 + system"),
  lm_case("lm-transform", "log(length) ~ I(score^2) + system:domain"),
  lm_case("lm-missing", "gappy ~ system + length"),
  lm_case("lm-mean", "score ~ 1", cluster = "doc"),
  glm_case("glm-logit", "correct ~ system + length", "binomial", "logit", cluster = "doc", newdata = new3),
  glm_case("glm-probit", "correct ~ system * domain", "binomial", "probit", cluster = "item"),
  glm_case("glm-cloglog", "correct ~ length", "binomial", "cloglog"),
  glm_case("glm-counts", "cbind(hits, misses) ~ system + length", "binomial", "logit", cluster = "doc"),
  glm_case("glm-poisson", "errors ~ system + length", "poisson", "log", cluster = "doc", newdata = new3),
  glm_case("glm-poisson-offset", "errors ~ system", "poisson", "log", offset = "logtokens"),
  glm_case("glm-gaussian", "score ~ system + length", "gaussian", "identity", weights = "w"),
  glm_case("glm-gaussian-log", "length ~ system + score", "gaussian", "log"),
  anova_case("anova-lm", "score ~ length", "score ~ system * length", "lm"),
  anova_case("anova-glm", "correct ~ 1", "correct ~ system + length", "glm", "binomial", "logit"),
  anova_case("anova-poisson", "errors ~ length", "errors ~ system + length", "glm", "poisson", "log"))

versions <- list(R = as.character(getRversion()), sandwich = as.character(packageVersion("sandwich")), clubSandwich = as.character(packageVersion("clubSandwich")))
columns <- lapply(ratings, function(x) if (is.factor(x)) list(levels = levels(x), values = as.character(x)) else if (is.character(x)) list(values = x, levels = sort(unique(x))) else list(values = x))
writeLines(toJSON(list(tool = versions, columns = columns, cases = cases), digits = I(17), auto_unbox = TRUE, null = "null", na = "null"), "oracle/r/lm.json")

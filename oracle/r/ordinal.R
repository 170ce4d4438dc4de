# ordinal::clm and clmm on made-up ratings. clmm stops early (log-likelihoods off by up to 1e-4); its answers are stored as
# they are, and beside them those of a dense Laplace approximation written here, maximised from clmm's estimates.
# Run: Rscript oracle/r/ordinal.R   (writes oracle/r/ordinal.json)
suppressMessages({
  library(ordinal)
  library(numDeriv)
  library(jsonlite)
})
set.seed(5121)

d <- expand.grid(system = c("A", "B", "C"), item = sprintf("i%02d", 1:16), rater = sprintf("r%d", 1:9))
d <- d[sort(sample(nrow(d), 260)), ]
n <- nrow(d)
d$x <- round(rnorm(n), 3)
d$off <- round(rnorm(n, 0, 0.3), 3)
d$freq <- sample(1:3, n, TRUE)
item <- as.integer(d$item)
rater <- as.integer(d$rater)
latent <- 0.5 * (d$system == "B") + 0.9 * (d$system == "C") + 0.4 * d$x + rnorm(16, 0, 0.7)[item] + rnorm(9, 0, 0.6)[rater] +
  rnorm(9, 0, 0.4)[rater] * d$x + rnorm(n)
d$rating <- factor(findInterval(latent, c(-0.9, 0.1, 0.9, 1.9)) + 1, levels = 1:5, ordered = TRUE)
d$gap <- factor(ifelse(d$rating == 3, NA, as.character(d$rating)), levels = 1:5, ordered = TRUE)

fixed <- list()
for (link in c("logit", "probit", "cloglog")) for (threshold in c("flexible", "symmetric", "equidistant"))
  fixed[[length(fixed) + 1]] <- list(formula = "rating ~ system * x", link = link, threshold = threshold)
fixed <- c(fixed, list(
  list(formula = "rating ~ 1", link = "logit", threshold = "flexible"),
  list(formula = "gap ~ system", link = "logit", threshold = "flexible"),
  list(formula = "gap ~ system + x", link = "probit", threshold = "symmetric"),
  list(formula = "rating ~ system + offset(off)", link = "probit", threshold = "flexible"),
  list(formula = "rating ~ system", link = "logit", threshold = "flexible", weights = "freq")))
clm_case <- function(k) {
  w <- if (is.null(k$weights)) rep(1, n) else d[[k$weights]]
  m <- suppressWarnings(clm(as.formula(k$formula), data = cbind(d, w = w), weights = w, link = k$link, threshold = k$threshold,
    control = clm.control(gradTol = 1e-12, maxIter = 200)))
  s <- summary(m)$coefficients
  newdata <- data.frame(system = c("A", "B", "C"), x = c(-1, 0, 2), off = 0)
  list(kind = "clm", input = k, expected = list(loglik = as.numeric(logLik(m)), nobs = m$nobs, aic = AIC(m), names = rownames(s),
    estimate = unname(s[, 1]), se = unname(s[, 2]), cuts = as.numeric(m$Theta), vcov = unname(vcov(m)),
    prob = unname(predict(m, newdata, type = "prob")$fit)))
}

# P(y = j) = F(a) - F(b) with f and f' at both ends; everything dense
links <- list(
  logit = list(F = plogis, f = dlogis, g = function(x) dlogis(x) * (1 - 2 * plogis(x))),
  probit = list(F = pnorm, f = dnorm, g = function(x) ifelse(is.finite(x), -x * dnorm(x), 0)),
  cloglog = list(F = function(x) 1 - exp(-exp(x)), f = function(x) ifelse(is.finite(x), exp(x - exp(x)), 0),
    g = function(x) ifelse(is.finite(x), exp(x - exp(x)) * (1 - exp(x)), 0)))
laplace_negative <- function(psi, y, X, Z, Lambda, link, count, A) {
  L <- links[[link]]
  tau <- c(-Inf, as.vector(A %*% psi[count + seq_len(ncol(A))]), Inf)
  beta <- psi[-seq_len(count + ncol(A))]
  ZL <- Z %*% Lambda(psi[seq_len(count)])
  u <- rep(0, ncol(ZL))
  for (step in 1:100) {
    eta <- as.vector(X %*% beta + ZL %*% u)
    a <- tau[y + 1] - eta; b <- tau[y] - eta
    P <- L$F(a) - L$F(b)
    E0 <- (L$f(a) - L$f(b)) / P; W <- E0^2 - (L$g(a) - L$g(b)) / P
    H <- crossprod(ZL, W * ZL) + diag(ncol(ZL))
    move <- solve(H, as.vector(-crossprod(ZL, E0)) - u)
    if (max(abs(move)) < 1e-12) break
    u <- u + move
  }
  -(sum(log(P)) - sum(u^2) / 2 - as.numeric(determinant(H)$modulus) / 2)
}
polish <- function(start, f) {
  x <- nlminb(start, f, control = list(rel.tol = 1e-14, x.tol = 1e-10, iter.max = 500, eval.max = 2000))$par
  for (i in 1:3) x <- x - solve(hessian(f, x), grad(f, x))
  list(x = x, value = -f(x), gradient = max(abs(grad(f, x))), se = sqrt(diag(solve(hessian(f, x)))))
}
scalar <- function(levels) function(theta) diag(rep(theta, levels))
mixed <- list(
  list(id = "one intercept", formula = "rating ~ system + (1 | rater)", link = "logit", threshold = "flexible", nagq = 1),
  list(id = "equidistant", formula = "rating ~ system + (1 | item)", link = "probit", threshold = "equidistant", nagq = 1),
  list(id = "crossed", formula = "rating ~ system + x + (1 | item) + (1 | rater)", link = "probit", threshold = "flexible", nagq = 1),
  list(id = "crossed cloglog", formula = "rating ~ x + (1 | item) + (1 | rater)", link = "cloglog", threshold = "flexible", nagq = 1),
  list(id = "slopes", formula = "rating ~ x + (x | rater) + (1 | item)", link = "probit", threshold = "flexible", nagq = 1),
  list(id = "quadrature", formula = "rating ~ system + (1 | rater)", link = "probit", threshold = "flexible", nagq = 7))
clmm_case <- function(k) {
  m <- suppressWarnings(clmm(as.formula(k$formula), data = d, link = k$link, threshold = k$threshold, nAGQ = k$nagq))
  s <- summary(m)$coefficients
  expected <- list(names = rownames(s), clmm = list(loglik = as.numeric(logLik(m)), estimate = unname(s[, 1]), se = unname(s[, 2])))
  if (k$nagq == 1) {
    fixedPart <- as.formula(gsub(" \\+ \\([^)]*\\)", "", k$formula))
    X <- model.matrix(fixedPart, d)[, -1, drop = FALSE]
    groups <- if (k$id == "slopes") c("item", "rater") else names(sort(-sapply(ranef(m), nrow)))
    Zs <- lapply(groups, function(g) {
      I <- model.matrix(~ 0 + d[[g]])
      if (k$id == "slopes" && g == "rater") I <- do.call(cbind, lapply(seq_len(ncol(I)), function(l) cbind(I[, l], I[, l] * d$x)))
      I
    })
    sizes <- sapply(groups, function(g) nlevels(d[[g]]))
    Lambda <- if (k$id == "slopes") function(t) {
      T <- matrix(c(t[2], t[3], 0, t[4]), 2)
      as.matrix(Matrix::bdiag(diag(t[1], sizes[1]), kronecker(diag(sizes[2]), T)))
    } else function(t) diag(rep(t, sizes), sum(sizes))
    start <- if (k$id == "slopes") c(0.6, 0.5, 0, 0.4) else rep(0.6, length(groups))
    A <- if (k$threshold == "equidistant") cbind(1, 0:3) else diag(4)
    f <- function(psi) laplace_negative(psi, as.integer(d$rating), X, do.call(cbind, Zs), Lambda, k$link, length(start), A)
    best <- polish(c(start, unname(coef(m))[seq_len(ncol(A) + ncol(X))]), f)
    expected <- c(expected, list(loglik = best$value, theta = best$x[seq_along(start)], estimate = best$x[-seq_along(start)],
      se = best$se[-seq_along(start)], gradient = best$gradient))
  }
  list(kind = "clmm", input = k, expected = expected)
}
nominal <- anova(clm(rating ~ system + x, data = d), clm(rating ~ system, nominal = ~x, data = d))
odds <- list(kind = "proportional odds", input = list(formula = "rating ~ system + x", term = "x"),
  expected = list(chisq = nominal$LR.stat[2], df = nominal$df[2], p = nominal$`Pr(>Chisq)`[2]))

columns <- lapply(d, function(v) if (is.factor(v)) list(values = as.character(v), levels = levels(v)) else list(values = v))
out <- list(tool = list(R = as.character(getRversion()), ordinal = as.character(packageVersion("ordinal"))),
  columns = columns, cases = c(lapply(fixed, clm_case), lapply(mixed, clmm_case), list(odds)))
writeLines(toJSON(out, auto_unbox = TRUE, digits = I(17), na = "null"), "oracle/r/ordinal.json")

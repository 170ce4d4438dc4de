# lme4::glmer on made-up data, with conditional modes iterated to rounding and the optimum polished by Newton steps. lme4's
# deviance still carries noise of 1e-7, which its differenced Hessian shows (SEs to 1e-4); beside its answers stand those of a
# dense Laplace approximation written here (expected information in the determinant, as in lme4), free of it.
# Run: Rscript oracle/r/glmm.R   (writes oracle/r/glmm.json)
suppressMessages({
  library(lme4)
  library(numDeriv)
  library(jsonlite)
})
set.seed(9147)

d <- expand.grid(item = sprintf("i%02d", 1:18), seed = sprintf("s%d", 1:7), system = c("A", "B"))
d <- d[sort(sample(nrow(d), 220)), ]
n <- nrow(d)
d$x <- round(rnorm(n), 3)
d$off <- round(rnorm(n, 0, 0.2), 3)
item <- as.integer(d$item)
seed <- as.integer(d$seed)
eta <- -0.2 + 0.6 * (d$system == "B") + 0.4 * d$x + rnorm(18, 0, 0.9)[item] + rnorm(18, 0, 0.5)[item] * d$x + rnorm(7, 0, 0.5)[seed]
d$correct <- rbinom(n, 1, plogis(eta))
d$trials <- sample(2:9, n, TRUE)
d$hits <- rbinom(n, d$trials, plogis(eta))
d$misses <- d$trials - d$hits
d$errors <- rpois(n, exp(0.3 + 0.5 * eta))
d$verdict <- factor(ifelse(d$correct == 1, "right", "wrong"), levels = c("wrong", "right"))

cases <- list(
  list(id = "one intercept", formula = "correct ~ system + x + (1 | item)", family = "binomial", link = "logit", nagq = 1),
  list(id = "factor response", formula = "verdict ~ x + (1 | item)", family = "binomial", link = "logit", nagq = 1),
  list(id = "crossed counts", formula = "cbind(hits, misses) ~ system + (1 | item) + (1 | seed)", family = "binomial", link = "logit", nagq = 1),
  list(id = "probit", formula = "cbind(hits, misses) ~ system + x + (1 | item) + (1 | seed)", family = "binomial", link = "probit", nagq = 1),
  list(id = "cloglog", formula = "cbind(hits, misses) ~ x + (1 | item)", family = "binomial", link = "cloglog", nagq = 1),
  list(id = "slopes", formula = "cbind(hits, misses) ~ system + x + (x | item) + (1 | seed)", family = "binomial", link = "logit", nagq = 1),
  list(id = "poisson", formula = "errors ~ system + x + offset(off) + (1 | item)", family = "poisson", link = "log", nagq = 1),
  list(id = "quadrature", formula = "correct ~ system + x + (1 | item)", family = "binomial", link = "logit", nagq = 9),
  list(id = "poisson quadrature", formula = "errors ~ x + (1 | item)", family = "poisson", link = "log", nagq = 5))
# log-likelihood, score and both informations of a row, as functions of eta
rows <- function(k, y, w, eta) {
  if (k$family == "poisson") return(list(l = dpois(y, exp(eta), log = TRUE), s = y - exp(eta), W = exp(eta)))
  b <- binomial(k$link); mu <- b$linkinv(eta); slope <- b$mu.eta(eta)
  list(l = dbinom(round(y * w), w, mu, log = TRUE), s = w * (y - mu) * slope / (mu * (1 - mu)), W = w * slope^2 / (mu * (1 - mu)))
}
laplace_negative <- function(psi, k, y, w, X, off, Z, Lambda, count) {
  ZL <- Z %*% Lambda(psi[seq_len(count)])
  fixedPart <- as.vector(X %*% psi[-seq_len(count)]) + off
  u <- rep(0, ncol(ZL))
  for (step in 1:200) {
    r <- rows(k, y, w, fixedPart + as.vector(ZL %*% u))
    H <- crossprod(ZL, r$W * ZL) + diag(ncol(ZL))
    move <- solve(H, as.vector(crossprod(ZL, r$s)) - u)
    if (max(abs(move)) < 1e-13) break
    u <- u + move
  }
  -(sum(r$l) - sum(u^2) / 2 - as.numeric(determinant(H)$modulus) / 2)
}
dense <- function(k, m, x, p) {
  frame <- model.frame(m); y <- model.response(frame)
  w <- rep(1, n)
  if (is.matrix(y)) { w <- rowSums(y); y <- y[, 1] / w } else if (is.factor(y)) y <- as.integer(y) - 1
  off <- if (is.null(model.offset(frame))) rep(0, n) else model.offset(frame)
  I <- model.matrix(~ 0 + d$item); S <- model.matrix(~ 0 + d$seed)
  slopes <- grepl("x | item", k$formula, fixed = TRUE); crossed <- grepl("seed", k$formula)
  if (slopes) I <- do.call(cbind, lapply(seq_len(ncol(I)), function(l) cbind(I[, l], I[, l] * d$x)))
  Lambda <- function(t) {
    first <- if (slopes) kronecker(diag(18), matrix(c(t[1], t[2], 0, t[3]), 2)) else diag(t[1], 18)
    if (crossed) as.matrix(Matrix::bdiag(first, diag(t[length(t)], 7))) else first
  }
  f <- function(psi) laplace_negative(psi, k, y, w, getME(m, "X"), off, if (crossed) cbind(I, S) else I, Lambda, p)
  for (i in 1:4) x <- x - solve(hessian(f, x), grad(f, x))
  s <- sqrt(diag(solve(hessian(f, x))))
  list(loglik = -f(x), gradient = max(abs(grad(f, x))), theta = unname(x[seq_len(p)]), estimate = unname(x[-seq_len(p)]),
    se = unname(s[-seq_len(p)]))
}
run <- function(k) {
  family <- if (k$family == "poisson") poisson() else binomial(k$link)
  control <- glmerControl(tolPwrss = 1e-13, optimizer = "bobyqa", optCtrl = list(rhoend = 1e-9, maxfun = 1e5))
  m <- suppressWarnings(suppressMessages(glmer(as.formula(k$formula), d, family = family, nAGQ = k$nagq, control = control)))
  f <- update(m, devFunOnly = TRUE)
  x <- c(getME(m, "theta"), fixef(m))
  for (i in 1:3) x <- x - solve(hessian(f, x), grad(f, x))
  H <- hessian(f, x) / 2
  p <- length(getME(m, "theta"))
  # with quadrature lme4 leaves the saturated model's constant out; at one node the constant is what differs
  constant <- if (k$nagq == 1) 0 else {
    y <- model.response(model.frame(m)); if (k$family == "poisson") sum(dpois(y, y, log = TRUE)) else 0
  }
  s <- sqrt(diag(solve(H)))
  glmer <- list(loglik = -f(x) / 2 + constant, theta = unname(x[seq_len(p)]), estimate = unname(x[-seq_len(p)]), se = unname(s[-seq_len(p)]))
  best <- if (k$nagq == 1) dense(k, m, x, p) else glmer
  list(kind = "glmm", input = k, expected = c(list(names = names(fixef(m)), glmer = glmer), best))
}
columns <- lapply(d, function(v) if (is.factor(v)) list(values = as.character(v), levels = levels(v)) else list(values = v))
out <- list(tool = list(R = as.character(getRversion()), lme4 = as.character(packageVersion("lme4"))), columns = columns,
  cases = lapply(cases, run))
writeLines(toJSON(out, auto_unbox = TRUE, digits = I(17), na = "null"), "oracle/r/glmm.json")

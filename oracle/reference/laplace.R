# The marginal likelihood of a model with random effects, for glmm.R and ordinal.R: Laplace's approximation, or adaptive
# Gauss-Hermite quadrature for one grouping factor with one effect, with conditional modes iterated to rounding. Sparse matrices
# from lme4's parser; the densities of the rows come from the caller. rows_at(psi, eta) gives l (log-likelihood of each row),
# s (its derivative by eta) and W (the information that goes into the determinant).
suppressMessages({ library(lme4); library(numDeriv); library(Matrix) })

random_terms <- function(formula, data) {
  data$.zero <- 0
  form <- as.formula(formula)
  form[[2]] <- quote(.zero)
  quiet(lFormula(form, data, control = lmerControl(check.nobs.vs.nRE = "ignore", check.nobs.vs.nlev = "ignore", check.formula.LHS = "ignore")))$reTrms
}
gauss_hermite <- function(n) { # weight exp(-x^2), by the eigenvalues of the Jacobi matrix
  i <- seq_len(n - 1); J <- matrix(0, n, n); J[cbind(i, i + 1)] <- J[cbind(i + 1, i)] <- sqrt(i / 2)
  e <- eigen(J, symmetric = TRUE)
  list(x = e$values, w = sqrt(pi) * e$vectors[1, ]^2)
}
# minus the log-likelihood at psi = (theta, everything else), with u, H, eta as attributes
negative <- function(psi, terms, fixed_part, rows_at, nagq = 1) {
  k <- length(terms$theta); theta <- psi[seq_len(k)]
  Lt <- terms$Lambdat; Lt@x <- theta[terms$Lind]
  ZLt <- Lt %*% terms$Zt
  fixed <- fixed_part(psi)
  u <- numeric(nrow(ZLt))
  goal <- function(u) sum(rows_at(psi, fixed + as.vector(crossprod(ZLt, u)))$l) - sum(u^2) / 2
  for (step in 1:200) {
    r <- rows_at(psi, fixed + as.vector(crossprod(ZLt, u)))
    H <- ZLt %*% Diagonal(x = r$W) %*% t(ZLt) + Diagonal(length(u))
    move <- as.vector(solve(H, as.vector(ZLt %*% r$s) - u))
    if (max(abs(move)) < 1e-13) break
    scale <- 1
    while (goal(u + scale * move) < goal(u) - 1e-9 && scale > 1e-6) scale <- scale / 2
    u <- u + scale * move
  }
  eta <- fixed + as.vector(crossprod(ZLt, u)); r <- rows_at(psi, eta)
  H <- ZLt %*% Diagonal(x = r$W) %*% t(ZLt) + Diagonal(length(u))
  if (nagq == 1) value <- sum(r$l) - sum(u^2) / 2 - as.numeric(determinant(H)$modulus) / 2
  else {
    rule <- gauss_hermite(nagq); h <- diag(as.matrix(H)); group <- as.integer(terms$flist[[1]])
    parts <- sapply(seq_along(rule$x), function(j) {
      v <- u + sqrt(2 / h) * rule$x[j]
      l <- rows_at(psi, fixed + as.vector(crossprod(ZLt, v)))$l
      as.vector(tapply(l, group, sum)) - v^2 / 2 + log(rule$w[j]) + rule$x[j]^2
    })
    top <- apply(parts, 1, max)
    value <- sum(top + log(rowSums(exp(parts - top))) + log(2 / h) / 2 - log(2 * pi) / 2)
  }
  structure(-value, u = u, eta = eta, b = as.vector(t(Lt) %*% u))
}
# Newton steps from a good start until the gradient vanishes; a theta of 0 on its boundary stays there.
newton <- function(psi, f, lower) {
  free <- !(seq_along(psi) <= length(lower) & c(lower, rep(-Inf, length(psi) - length(lower))) == 0 & psi == 0)
  g <- function(x) { full <- psi; full[free] <- x; as.numeric(f(full)) }
  x <- psi[free]
  for (k in 1:4) {
    H <- hessian(g, x); d <- solve(H, grad(g, x)); x <- x - d
    if (max(abs(d)) < 1e-9) break
  }
  H <- hessian(g, x)
  if (any(eigen(H, symmetric = TRUE)$values <= 0)) stop("no maximum")
  psi[free] <- x
  se <- rep(NaN, length(psi)); se[free] <- sqrt(diag(solve(H)))
  list(psi = psi, value = -g(x), se = se, gradient = max(abs(grad(g, x))))
}
modes_of <- function(b, terms, most) lapply(seq_along(terms$cnms), function(t) {
  q <- length(terms$cnms[[t]]); from <- terms$Gp[t]
  own <- matrix(b[seq(from + 1, terms$Gp[t + 1])], ncol = q, byrow = TRUE)
  list(group = names(terms$cnms)[t], terms = I(terms$cnms[[t]]), values = rows(own[seq_len(min(nrow(own), most)), , drop = FALSE]))
})
likelihood_ratio <- function(case, done) {
  a <- done[[case$input$small]]; b <- done[[case$input$big]]
  x <- 2 * (b$loglik - a$loglik); df <- b$df - a$df
  list(chisq = x, df = df, p = pchisq(x, df, lower.tail = FALSE))
}

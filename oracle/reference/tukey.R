# The studentized range by its double integral: R's ptukey is off in its far tails and takes df above 25000 for infinite.
gauss <- local({ n <- 20; i <- seq_len(n - 1); b <- i / sqrt(4 * i^2 - 1); J <- matrix(0, n, n)
  J[cbind(i, i + 1)] <- b; J[cbind(i + 1, i)] <- b; e <- eigen(J, symmetric = TRUE); list(x = e$values, w = 2 * e$vectors[1, ]^2) })
panels <- function(f, from, to, count) { h <- (to - from) / count; mid <- from + h * (seq_len(count) - 0.5)
  x <- as.vector(outer(gauss$x * h / 2, mid, "+")); sum(rep(gauss$w, count) * h / 2 * f(x)) }
tukey_upper <- function(q, k, df) {
  # 1 - P(range <= w) = integral of k phi(z) [Phi(z)^(k-1) - (Phi(z) - Phi(z - w))^(k-1)]
  tail <- function(w) sapply(w, function(one) panels(function(z) { a <- pnorm(z); b <- pnorm(z - one)
    k * dnorm(z) * if (k == 2) b else a^(k - 1) * -expm1((k - 1) * log1p(-b / a)) }, -10, 10, 80))
  if (is.infinite(df)) return(tail(q))
  # s = chi/sqrt(df): log density
  sd <- 1 / sqrt(2 * df)
  density <- function(s) exp(df / 2 * log(df) - lgamma(df / 2) - (df / 2 - 1) * log(2) + (df - 1) * log(s) - df * s^2 / 2)
  panels(function(s) density(s) * tail(q * s), max(1e-12, 1 - 14 * sd - 0.2 / df), 1 + 14 * sd, 12)
}
tukey_quantile <- function(p, k, df) uniroot(function(q) log(tukey_upper(q, k, df) / (1 - p)), c(0.5, 60), tol = 1e-12)$root

# Student's t joined with Hall's (1992) transformation, from the formulae: tails at several means, intervals by a numerical inverse (uniroot).
# Run: Rscript oracle/r/skewed-mean.R > oracle/r/skewed-mean.json
suppressMessages(library(jsonlite))
set.seed(92)
case <- function(id, x) {
  n <- length(x); m <- mean(x); s <- sd(x)
  g1 <- mean((x - m)^3) / mean((x - m)^2)^1.5
  g <- g1 * (1 + 6 / n)
  h <- function(mu) { u <- (m - mu) / s; sqrt(n) * (u + g * u^2 / 3 + g^2 * u^3 / 27 + g / (6 * n)) }
  t <- function(mu) sqrt(n) * (m - mu) / s
  tails <- function(mu) c(max(pt(t(mu), n - 1), pt(h(mu), n - 1)),
                          max(pt(t(mu), n - 1, lower.tail = FALSE), pt(h(mu), n - 1, lower.tail = FALSE)))
  ends <- function(level) {
    q <- qt((1 + level) / 2, n - 1)
    solve <- function(f, at) uniroot(function(mu) f(mu) - at, m + c(-1, 1) * 200 * s / sqrt(n), tol = 1e-14)$root
    c(min(solve(t, q), solve(h, q)), max(solve(t, -q), solve(h, -q)))
  }
  mus <- c(0, m - s, m + s, m)
  list(id = id, x = x, mean = m, skewness = g1, mus = mus, tails = base::t(sapply(mus, tails)),
       ends95 = ends(.95), ends90 = ends(.9), t95 = as.numeric(t.test(x)$conf.int))
}
cat(toJSON(list(tool = paste("R", getRversion()), cases = list(
  case("exponential", round(rexp(20) - 1, 4)), case("lognormal", round(exp(rnorm(50)) - exp(.5), 4)),
  case("skewed to the left", round(1 - rexp(12), 4)), case("normal", round(rnorm(30), 4)),
  case("symmetric", c(-3, -1, 1, 3) + .5), case("zeros and one", c(rep(0, 9), 1)))), digits = I(17), auto_unbox = TRUE), "\n")

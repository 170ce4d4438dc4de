# p of the largest |Z| of differences between systems with a given covariance, by mvtnorm (Genz and Bretz).
# Run: Rscript oracle/r/joint-tests.R > oracle/r/joint-tests.json
suppressMessages({library(jsonlite); library(mvtnorm)})
set.seed(38)
pairsOf <- function(k, which) { if (which == "baseline") return(rbind(1, 2:k)); all <- combn(k, 2); all[, order(all[2, ], all[1, ]), drop = FALSE] }
precise <- GenzBretz(maxpts = 1e5, abseps = 1e-5)
case <- function(id, S, which) {
  pr <- pairsOf(nrow(S), which)
  A <- t(sapply(seq_len(ncol(pr)), function(j) { v <- numeric(nrow(S)); v[pr[2, j]] <- 1; v[pr[1, j]] <- -1; v }))
  R <- cov2cor(A %*% S %*% t(A))
  p <- c(.3, .05, .01, .001)
  adjusted <- sapply(p, function(v) { z <- qnorm(v / 2, lower.tail = FALSE)
    as.numeric(1 - pmvnorm(rep(-z, nrow(R)), rep(z, nrow(R)), corr = R, algorithm = precise)) })
  list(id = id, covariance = S, pairs = t(pr) - 1, p = p, adjusted = adjusted)
}
L <- matrix(round(rnorm(25), 2), 5)
cat(toJSON(list(tool = paste0("R ", getRversion(), ", mvtnorm ", packageVersion("mvtnorm")), cases = list(
  case("four systems of unequal variance, all pairs", diag(c(.2, 1, 1, 4)), "all"),
  case("five correlated systems, all pairs", L %*% t(L), "all"),
  case("five correlated systems, against the first", L %*% t(L), "baseline"),
  case("Dunnett, six equal systems", diag(6), "baseline"))), digits = I(10), auto_unbox = TRUE), "\n")

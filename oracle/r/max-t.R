# The largest |t| of all pairs over every joint flip of signs (t.test of each flip; CR2 of a constant for clusters), and mvtnorm's
# quantile of the largest |t| of normal differences.
# Run: Rscript oracle/r/max-t.R > oracle/r/max-t.json
suppressMessages({library(jsonlite); library(mvtnorm)})
set.seed(131)
pairsOf <- function(k) { all <- combn(k, 2); all[, order(all[2, ], all[1, ]), drop = FALSE] }
differences <- function(x) { pr <- pairsOf(ncol(x)); sapply(seq_len(ncol(pr)), function(j) x[, pr[2, j]] - x[, pr[1, j]]) }
cr2 <- function(d, cluster) {
  n <- length(d); m <- mean(d); e <- d - m; h <- 1 / n
  v <- 0
  for (g in unique(cluster)) { i <- cluster == g; k <- sum(i)
    H <- matrix(h, k, k); s <- eigen(diag(k) - H); A <- s$vectors %*% diag(s$values^-.5, k) %*% t(s$vectors)
    v <- v + sum(A %*% e[i])^2 }
  m / sqrt(v / n^2)
}
case <- function(id, x, cluster = NULL) {
  d <- differences(x)
  stat <- function(v) if (is.null(cluster)) unname(t.test(v)$statistic) else cr2(v, cluster)
  t0 <- apply(d, 2, stat)
  unit <- if (is.null(cluster)) seq_len(nrow(x)) else cluster
  ids <- unique(unit)
  flips <- as.matrix(expand.grid(rep(list(c(-1, 1)), length(ids))))
  top <- apply(flips, 1, function(s) max(abs(apply(d * s[match(unit, ids)], 2, stat))))
  near <- 1e-9
  list(id = id, scores = x, cluster = cluster, t = t0, p = sapply(abs(t0), function(v) mean(top >= v - near)),
       critical80 = sort(top, decreasing = TRUE)[floor(.2 * length(top) + near) + 1])
}
x <- matrix(round(rnorm(9 * 3), 3), 9) + rep(c(0, .6, 1.1), each = 9)
y <- matrix(round(rexp(11 * 4), 3), 11)
z <- matrix(round(rnorm(20 * 3), 3), 20) + rep(c(0, .4, .8), each = 20)
normal <- local({
  n <- 300; w <- matrix(round(rnorm(n * 4), 4), n) %*% diag(c(.5, 1, 1, 2)) + rnorm(n)
  d <- differences(w)
  list(scores = w, critical = qmvt(.95, tail = "both.tails", df = n - 1, corr = cor(d))$quantile)
})
cat(toJSON(list(tool = paste0("R ", getRversion(), ", mvtnorm ", packageVersion("mvtnorm")), cases = list(
  case("three systems", x), case("four systems, skewed", y),
  case("clusters of unequal size", z, rep(1:8, c(1, 2, 2, 3, 1, 4, 2, 5)))), normal = normal), digits = I(15), auto_unbox = TRUE), "\n")

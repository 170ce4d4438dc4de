# Interval of a paired difference of proportions that agrees with McNemar's exact (mid-p) test: the definition of
# Fay & Lumbard (2021), Stat. Med. 40(5), by R's own beta distribution, integrate and uniroot. Over theta here, over psi in src/.
library(jsonlite)

cdf <- function(x, shapes) {
  one <- function(s) if (s[1] == 0) as.numeric(x >= 0) else if (s[2] == 0) as.numeric(x >= 1) else pbeta(x, s[1], s[2])
  Reduce(`+`, lapply(shapes, one)) / length(shapes)
}

# P(psi (2 theta - 1) <= d)
chance <- function(d, theta, psi) {
  over <- function(t) {
    if (t[1] == 0) return(if (d >= 0) 1 else 1 - cdf(-d, psi))
    if (t[2] == 0) return(if (d >= 0) cdf(d, psi) else 0)
    if (d >= 0) {
      at <- (1 + d) / 2
      f <- function(x) dbeta(x, t[1], t[2]) * cdf(d / (2 * x - 1), psi)
      return(pbeta(at, t[1], t[2]) + pieces(f, at, 1, t))
    }
    at <- (1 + d) / 2
    f <- function(x) dbeta(x, t[1], t[2]) * (1 - cdf(d / (2 * x - 1), psi))
    pieces(f, 0, at, t)
  }
  mean(sapply(theta, over))
}

# between quantiles of theta, in pieces, so that integrate meets the peak
pieces <- function(f, from, to, t) {
  cuts <- unique(pmin(to, pmax(from, c(from, qbeta(c(1e-13, 1e-8, 1e-4, .01, .1, .25, .5, .75, .9, .99, 1 - 1e-4, 1 - 1e-8, 1 - 1e-13), t[1], t[2]), to))))
  if (length(cuts) < 2) return(0)
  sum(mapply(function(a, b) integrate(f, a, b, rel.tol = 1e-11, abs.tol = 1e-14, subdivisions = 2000, stop.on.error = FALSE)$value,
             head(cuts, -1), tail(cuts, -1)))
}

lower <- function(b, c, n, tail, midp) {
  m <- b + c
  theta <- if (midp) list(c(b, c + 1), c(b + 1, c)) else list(c(b, c + 1))
  positive <- cdf(.5, theta) < tail
  psi <- if (midp) list(c(m, n - m + 1), c(m + 1, n - m)) else if (positive) list(c(m, n - m + 1)) else list(c(m + 1, n - m))
  excess <- function(d) chance(d, theta, psi) - tail
  if (positive) uniroot(excess, c(1e-12, 1), tol = 1e-13)$root
  else if (excess(-1) >= 0) -1
  else uniroot(excess, c(-1, -1e-12), tol = 1e-13)$root
}

tables <- list(c(12, 5, 100), c(6, 0, 40), c(0, 0, 40), c(10, 0, 10), c(1, 1, 3), c(25, 12, 60), c(1, 7, 21), c(70, 50, 872), c(9, 2, 161), c(3, 4, 7), c(400, 350, 5000))
cases <- do.call(c, lapply(tables, function(t) lapply(c(FALSE, TRUE), function(midp) lapply(c(.95, .9), function(level) {
  tail <- (1 - level) / 2
  list(b = t[1], c = t[2], n = t[3], midp = midp, confidence = level,
       lower = lower(t[1], t[2], t[3], tail, midp), upper = -lower(t[2], t[1], t[3], tail, midp))
}))))
cases <- unlist(cases, recursive = FALSE)
cat(toJSON(list(versions = list(R = as.character(getRversion())), cases = cases), digits = NA, auto_unbox = TRUE, pretty = TRUE))

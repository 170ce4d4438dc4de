# Tests of scores that tie up to rounding error (0.1 + 0.2 against 0.3), by R on the scores rounded to 12 significant digits.
# The raw scores are sums of tenths in different orders; R itself does not see their ties.
# Run: Rscript oracle/r/ties.R > oracle/r/ties.json
suppressMessages(library(jsonlite))
set.seed(1203)
tenths <- function(k, way) switch(way, k / 10, Reduce("+", rep(.1, k)), (k + 2) / 10 - .2)
draw <- function(n, shift = 0) sapply(seq_len(n), function(i) tenths(sample(2:6, 1) + shift, sample(1:3, 1)))
x <- draw(40, 1); y <- draw(40); z <- draw(40)
rx <- signif(x, 12); ry <- signif(y, 12); rz <- signif(z, 12)
stopifnot(any(x != rx), any(x != y & rx == ry))
exactly <- function(v) sprintf("%.17g", v)              # as text: 17 digits keep every bit
bm <- function(x, y) {                                  # Brunner & Munzel (2000), as scipy has it
  n <- length(x); m <- length(y); r <- rank(c(x, y)); a <- r[1:n]; b <- r[n + 1:m]
  s <- function(joint, own) sum((joint - rank(own) - mean(joint) + (length(own) + 1) / 2)^2) / (length(own) - 1)
  sx <- s(a, x); sy <- s(b, y)
  t <- n * m * (mean(b) - mean(a)) / ((n + m) * sqrt(n * sx + m * sy))
  df <- (n * sx + m * sy)^2 / ((n * sx)^2 / (n - 1) + (m * sy)^2 / (m - 1))
  list(t = t, df = df, p = 2 * pt(-abs(t), df))
}
d <- signif(rx - ry, 12)
w <- wilcox.test(rx, ry, exact = FALSE); f <- friedman.test(cbind(rx, ry, rz)); k <- kruskal.test(list(rx, ry, rz))
v <- wilcox.test(d, exact = FALSE); ks <- suppressWarnings(ks.test(rx, ry, exact = TRUE))
cat(toJSON(list(tool = paste("R", getRversion()), x = exactly(x), y = exactly(y), z = exactly(z),
  sign = list(positive = sum(d > 0), negative = sum(d < 0), p = binom.test(sum(d > 0), sum(d != 0))$p.value),
  wilcoxon = list(V = unname(v$statistic), p = v$p.value),
  rankSum = list(W = unname(w$statistic), p = w$p.value),
  friedman = list(statistic = unname(f$statistic), p = f$p.value),
  kruskal = list(statistic = unname(k$statistic), p = k$p.value),
  ks = list(D = unname(ks$statistic), p = ks$p.value),
  brunnerMunzel = bm(rx, ry),
  kendall = unclass(cor.test(rx, ry, method = "kendall", exact = FALSE))[c("estimate", "statistic", "p.value")],
  spearman = unclass(suppressWarnings(cor.test(rx, ry, method = "spearman", exact = FALSE)))[c("estimate", "p.value")],
  # without the rule: what R says of the raw scores
  raw = list(rankSum = wilcox.test(x, y, exact = FALSE)$p.value, sign = binom.test(sum(x > y), sum(x != y))$p.value)),
  digits = I(17), auto_unbox = TRUE), "\n")

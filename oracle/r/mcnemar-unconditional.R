# Power of the unconditional McNemar test at 390,965 pairs, by brute force: no code is shared with the package.
# Run: Rscript oracle/r/mcnemar-unconditional.R   (writes oracle/r/mcnemar-unconditional.json)
# The critical z is the smallest whose size is at most alpha for every rate of discordant pairs; the size is a sum over their number.
alpha <- 0.05
n <- 390965
agreement <- 0.94
delta <- 0.001
tail_mass <- 1e-16

# P(wins - losses >= z sqrt(m)), m discordant pairs of which each is a win with probability p
upper <- function(z, m, p) {
  k <- pmax(0, ceiling((m + z * sqrt(m)) / 2 - 1e-9))
  ifelse(m == 0, 0, pbinom(k - 1, m, p, lower.tail = FALSE))
}
numbers <- function(rate) max(0, qbinom(tail_mass, n, rate)):qbinom(tail_mass, n, rate, lower.tail = FALSE)
size_at <- function(z, rate) {
  m <- numbers(rate)
  2 * sum(dbinom(m, n, rate) * upper(z, m, 0.5))
}
# the size has many maxima while few pairs are discordant, and is flat where they are many
expected <- c(seq(1, 60, by = 0.02), exp(seq(log(60), log(2000), length.out = 400)), exp(seq(log(2000), log(n / 2), length.out = 30)))
sup <- function(z) {
  sizes <- vapply(expected / n, function(rate) size_at(z, rate), 0)
  best <- expected[which.max(sizes)]
  refined <- optimize(function(e) size_at(z, e / n), c(max(0.5, best - 0.05), best + 0.05), maximum = TRUE)
  max(sizes, refined$objective)
}
lo <- qnorm(1 - alpha / 2)
hi <- lo + 0.1
while (hi - lo > 1e-6) {
  middle <- (lo + hi) / 2
  if (sup(middle) <= alpha) hi <- middle else lo <- middle
}
d <- 1 - agreement
win <- (d + delta) / 2
m <- numbers(d)
power <- sum(dbinom(m, n, d) * upper(hi, m, win / d))
writeLines(jsonlite::toJSON(
  list(tool = R.version.string, n = n, delta = delta, agreement = agreement, alpha = alpha, z = hi, power = power),
  auto_unbox = TRUE, digits = 12, pretty = TRUE
), "oracle/r/mcnemar-unconditional.json")

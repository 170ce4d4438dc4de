# Welch's t of every way to deal out two samples (combn), and the interval that its critical value gives.
# Run: Rscript oracle/r/permutation-studentised.R > oracle/r/permutation-studentised.json
suppressMessages(library(jsonlite))
set.seed(97)
welch <- function(a, b) unname(t.test(a, b)$statistic)
case <- function(id, x, y) {
  z <- c(x, y); n <- length(x); t0 <- welch(x, y)
  t <- apply(combn(length(z), n), 2, function(i) welch(z[i], z[-i]))
  near <- 1e-9
  se <- t.test(x, y)$stderr; d <- mean(x) - mean(y)
  q <- sort(abs(t), decreasing = TRUE)[floor(.1 * length(t) + near) + 1]
  list(id = id, x = x, y = y, t = t0, difference = d, se = se, deals = length(t),
       p = mean(abs(t) >= abs(t0) - near), greater = mean(t >= t0 - near), less = mean(t <= t0 + near),
       ends90 = d + c(-1, 1) * q * se)
}
cat(toJSON(list(tool = paste("R", getRversion()), cases = list(
  case("five against seven", round(rnorm(5, 1, 3), 3), round(rnorm(7), 3)),
  case("three against nine", round(rexp(3), 3), round(rexp(9), 3)),
  case("ties", c(1, 2, 2, 4), c(2, 3, 3, 5, 5, 6)))), digits = I(17), auto_unbox = TRUE), "\n")

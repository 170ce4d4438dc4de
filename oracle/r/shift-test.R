# Bootstrap of a difference of F1 on the same items, with stored draws: replicates, shift test (Riezler & Hagmann 2021, Alg. 4.1, one added
# to count and replicates), percentile and BCa intervals of boot.ci.
# Run: Rscript oracle/r/shift-test.R > oracle/r/shift-test.json
suppressMessages({ library(jsonlite); library(boot) })
set.seed(411)
n <- 24
gold <- rbinom(n, 1, .4)
answer <- function(error) ifelse(runif(n) < error, 1 - gold, gold)
counts <- function(said) cbind(tp = said * gold, fp = said * (1 - gold), fn = (1 - said) * gold)
a <- counts(answer(.35)); b <- counts(answer(.2))
f1 <- function(s) 2 * s[[1]] / (2 * s[[1]] + s[[2]] + s[[3]])
statistic <- function(rows, i) f1(colSums(rows[i, 4:6, drop = FALSE])) - f1(colSums(rows[i, 1:3, drop = FALSE]))
rows <- cbind(a, b)
R <- 499
out <- boot(rows, statistic, R = R)
t <- out$t[, 1]
jack <- sapply(seq_len(n), function(i) statistic(rows, setdiff(seq_len(n), i)))
L <- (n - 1) * (out$t0 - jack)
L <- L - mean(L)
ends <- function(type, k) {
  ci <- boot.ci(out, conf = .95, type = type, L = L)
  unname(ci[[k]][1, 4:5])
}
answer <- list(
  tool = paste("R", getRversion(), "boot", packageVersion("boot")),
  a = a, b = b, indices = boot.array(out, indices = TRUE) - 1L,
  estimate = out$t0, mean = mean(t), sd = sd(t), replicates = t, leftOut = jack,
  p = (sum(abs(t - mean(t)) >= abs(out$t0) - 1e-12) + 1) / (R + 1),
  greater = (sum(t - mean(t) >= out$t0 - 1e-12) + 1) / (R + 1),
  less = (sum(t - mean(t) <= out$t0 + 1e-12) + 1) / (R + 1),
  # centred at the estimate instead: another answer, which must not come out
  centredAtEstimate = (sum(abs(t - out$t0) >= abs(out$t0) - 1e-12) + 1) / (R + 1),
  percentile = ends("perc", "percent"), bca = ends("bca", "bca"))
cat(toJSON(answer, digits = I(17), auto_unbox = TRUE, matrix = "rowmajor"), "\n")

# Thin plate splines of several covariates at more than 2000 distinct points: mgcv draws 2000 of them as centers, numbered by the
# text of their coordinates after the means are subtracted.
# Run: Rscript oracle/r/basis-centers.R   (writes oracle/r/basis-centers.json)
suppressMessages({
  library(mgcv)
  library(jsonlite)
})

# tests make the same numbers from the same formulas; z of the grid has fractions that binary numbers do not have
golden <- function(i, step) (i * step) %% 1
spread <- function(n) { i <- 1:n; data.frame(x = golden(i, 0.6180339887498949), z = 100 * golden(i, 0.7548776662466927) - 50, w = golden(i, 0.5698402909980532) / 1e4) }
grid <- function(n) { i <- 0:(n - 1); data.frame(x = i %% 60, z = (i %/% 60) / 10, w = i %% 7) }
respond <- function(d) sin(3 * d$x) + d$z / 40 + ((seq_len(nrow(d)) * 7919) %% 101) / 100

fit <- function(text, make, n) {
  d <- make(n)
  y <- respond(d)
  s <- smoothCon(eval(parse(text = text)), d, absorb.cons = TRUE, scale.penalty = TRUE)[[1]]
  X <- cbind(1, s$X)
  P <- matrix(0, ncol(X), ncol(X)); P[-1, -1] <- s$S[[1]]
  b <- solve(crossprod(X) + P, crossprod(X, y))
  at <- round(seq(1, n, length.out = 7))
  list(text = text, data = deparse(substitute(make)), rows = n, penaltyScale = s$S.scale, at = at - 1, predicted = as.numeric(X[at, ] %*% b))
}
fits <- list(fit("s(x, z, k = 12)", spread, 2600), fit("s(x, z)", grid, 2580), fit("s(x, z, w, k = 15)", spread, 2200),
  fit('s(z, x, bs = "ts", k = 10)', grid, 3000), fit("s(w, z, k = 9)", spread, 2300))

numbers <- c(0, 1, -1, 10, 0.1, 1 / 3, -2 / 3, 100000, 1e5 + 0.1, 123456, 1e15, 1e16, 123456789012345, 0.0001, 0.00012, 1e-5, 1.5e-5, -0.00001234, 1e-15,
  1.23456789012345678e-10, 0.1 + 0.2, 1e22, 5e-324, 1.7976931348623157e308, 2^53, 1234.5678901234567, 99999.99999999999, 0.99999999999999999, 29.5 - 29.49)
texts <- paste0(numbers, "")
out <- list(tool = list(R = as.character(getRversion()), mgcv = as.character(packageVersion("mgcv"))), fits = fits, numbers = sprintf("%.17g", numbers), texts = texts)
writeLines(toJSON(out, auto_unbox = TRUE, digits = I(17)), "oracle/r/basis-centers.json")

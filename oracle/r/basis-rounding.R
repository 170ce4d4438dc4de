# Thin plate splines of values that differ by rounding only: some fall together when mgcv subtracts the mean, some do not.
# Rscript oracle/r/basis-rounding.R > oracle/r/basis-rounding.json
suppressMessages({library(mgcv); library(jsonlite)})
set.seed(20)
case <- function(n, scale, k, shape = 2) {
  a <- round(rgamma(n, shape, 1), 1) * scale
  # the mean of three readings, as databases print it
  x <- ifelse(seq_len(n) %% 3 == 0, (a + a + a) / 3, a + 0.1 * scale - 0.1 * scale)
  y <- sin(2 * x / scale) + rnorm(n) / 4
  m <- gam(y ~ s(x, k = k, sp = 0.01))
  list(x = sprintf('%.17g', x), y = y, k = k, distinct = length(unique(x)), knots = nrow(m$smooth[[1]]$Xu), penaltyScale = m$smooth[[1]]$S.scale,
       gcv = unname(m$gcv.ubre), edf = sum(m$edf), deviance = m$deviance)
}
cases <- list(case(150, 1, 10), case(150, 0.01, 10), case(200, 7, 12), case(200, 1, 9, 0.4), case(200, 0.1, 9, 0.3))
cat(toJSON(list(versions = list(R = paste(R.version$major, R.version$minor, sep = "."), mgcv = as.character(packageVersion("mgcv"))), cases = cases),
  digits = NA, auto_unbox = TRUE, pretty = FALSE), "\n")

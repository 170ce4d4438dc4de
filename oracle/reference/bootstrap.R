# Bootstrap intervals as the R package boot defines them, with every resampling index stored beside its data.
# Run from the project's root:  Rscript oracle/reference/bootstrap.R   (writes oracle/reference/bootstrap.json)
suppressMessages(library(boot))
source("oracle/reference/cases.R")
statistics <- list(mean = mean, median = median, correlation = function(d) cor(d[, 1], d[, 2]), mean_difference = function(d) mean(d[, 1] - d[, 2]))
reference <- read_cases("bootstrap.json")
for (k in seq_along(reference$cases)) {
  case <- reference$cases[[k]]
  data <- if (is.list(case$input$data[[1]])) do.call(rbind, lapply(case$input$data, unlist)) else unlist(case$input$data)
  n <- NROW(data); take <- function(i) if (is.matrix(data)) data[i, , drop = FALSE] else data[i]
  f <- statistics[[case$input$statistic]]
  indices <- do.call(rbind, lapply(case$input$indices_zero_based, function(i) unlist(i) + 1))
  t <- apply(indices, 1, function(i) f(take(i))); t0 <- f(take(seq_len(n))); R <- length(t)
  # what boot() returns, for boot.ci(): the same replicates from the stored indices
  out <- list(t0 = t0, t = matrix(t), R = R, data = data, sim = "ordinary", stype = "i", strata = rep(1, n), weights = rep(1 / n, n),
    statistic = function(d, i) f(take(i)), call = quote(boot(data, statistic, R)))
  class(out) <- "boot"; attr(out, "boot_type") <- "boot"
  L <- empinf(data = data, statistic = function(d, i) f(take(i)), stype = "i", type = "jack")
  L <- L - mean(L) # empinf centres at the estimate, Efron's acceleration at the mean of the jackknife
  ci <- boot.ci(out, conf = c(0.9, 0.95), type = c("norm", "basic", "perc", "bca"), L = L)
  pair <- function(m, cols) list(I(vec(m[1, cols])), I(vec(m[2, cols])))
  a <- sum(L^3) / (6 * sum(L^2)^1.5); z0 <- qnorm(sum(t < t0) / R)
  z <- qnorm(c(0.025, 0.975)); levels <- pnorm(z0 + (z0 + z) / (1 - a * (z0 + z)))
  case$expected <- list(t0 = t0, replicates_head = I(t[1:10]), bias = mean(t) - t0, se = sd(t), z0 = z0, acceleration = a,
    adjusted_levels_95 = I(levels), boot_normal_90_95 = pair(ci$normal, 2:3), boot_basic_90_95 = pair(ci$basic, 4:5),
    boot_percentile_90_95 = pair(ci$percent, 4:5), boot_bca_90_95 = pair(ci$bca, 4:5),
    quantile7_percentile_95 = I(vec(quantile(t, c(0.025, 0.975)))), quantile7_bca_95 = I(vec(quantile(t, levels))))
  reference$cases[[k]] <- case
}
write_cases(reference, "bootstrap.json", "boot")

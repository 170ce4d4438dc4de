# Nested cross-validation (Bates, Hastie & Tibshirani 2024) in plain R: losses of least squares and of the mean, as a table, and what their formulas make of it.
suppressMessages(library(jsonlite))
set.seed(20261117)
n <- 36; p <- 4; K <- 6; reps <- 3
X <- matrix(rnorm(n * p), n); Y <- as.vector(X %*% c(1, .5, 0, 0)) + rnorm(n)
fit <- function(i) lm.fit(cbind(1, X[i, ]), Y[i])$coefficients
ols <- function(i, j) (Y[j] - as.vector(cbind(1, X[j, ]) %*% fit(i)))^2
avg <- function(i, j) (Y[j] - mean(Y[i]))^2
rows <- NULL
for (r in 1:reps) {
  id <- sample(rep(1:K, length.out = n))
  for (a in 1:K) for (b in 1:K) {
    train <- which(id != a & id != b); test <- which(id == a)
    rows <- rbind(rows, data.frame(rep = r, fold = a, left = b, ols = ols(train, test), avg = avg(train, test)))
  }
}
answer <- function(e, level = .95, alternative = "two.sided", mu = 0, power = 1) {
  piv <- NULL; ho <- e[rows$fold != rows$left]
  for (r in 1:reps) for (k in 1:K) {
    out <- e[rows$rep == r & rows$fold == k & rows$left == k]
    inn <- e[rows$rep == r & rows$fold != k & rows$left == k]
    piv <- rbind(piv, c(mean(inn) - mean(out), var(out) / length(out)))
  }
  mse <- mean(piv[, 1]^2 - piv[, 2])
  infl <- max(1, min(sqrt(max(0, mse)) / (sd(ho) / sqrt(floor(n * (K - 1) / K))), sqrt(K)))
  cv <- mean(e[rows$fold == rows$left])
  bias <- (mean(ho) - cv) * (1 + ((K - 2) / K)^power)
  est <- mean(ho) - bias; se <- sd(ho) / sqrt(n) * infl
  z <- (est - mu) / se
  list(nested = mean(ho), ordinary = cv, mse = mse, inflation = infl, bias = bias, estimate = est, se = se, z = z,
       p = 2 * pnorm(-abs(z)), p_greater = pnorm(z, lower.tail = FALSE), p_less = pnorm(z),
       lower = est - qnorm(1 - (1 - level) / 2) * se, upper = est + qnorm(1 - (1 - level) / 2) * se)
}
out <- list(tools = list(R = R.version.string), columns = as.list(rows),
  cases = list(list(id = "ols", mu = 1, expected = answer(rows$ols, mu = 1)),
               list(id = "avg", mu = 1, expected = answer(rows$avg, level = .9, mu = 1), confidence = .9),
               list(id = "difference", mu = 0, expected = answer(rows$avg - rows$ols))))
# the losses of a fold drawn from one law whatever is left out: inflation at its lower bound; of fold means that lie far apart: at its upper one
noise <- rnorm(nrow(rows)); far <- noise / 50 + (rows$fold - 3.5)^3
out$columns$noise <- noise; out$columns$far <- far
out$cases <- c(out$cases, list(list(id = "noise", mu = 0, expected = answer(noise))), list(list(id = "far", mu = 0, expected = answer(far))))
write(toJSON(out, digits = NA, auto_unbox = TRUE), "oracle/r/nested-cv.json")
for (c in out$cases) cat(c$id, c$expected$inflation, c$expected$estimate, c$expected$se, c$expected$mse, "\n")

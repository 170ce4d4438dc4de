# Rank, aliased columns and least-squares quantities of rank-deficient designs, as lm sees them.
# Run from the project root: Rscript oracle/r/qr-alias.R
set.seed(20240517)
n <- 24
x <- rnorm(n); z <- rnorm(n); u <- runif(n)
g <- rep(c("a", "b", "c", "d"), length.out = n)
h <- rep(c("p", "q"), each = n / 2)
dummies <- sapply(unique(g), function(l) as.numeric(g == l))
cells <- model.matrix(~ factor(g) * factor(h))
empty <- cells
unseen <- which(g == "b" & h == "q")
empty[unseen, ] <- cells[rep(which(g == "a" & h == "p")[1], length(unseen)), ]  # that cell is never observed
noise <- rnorm(n)
designs <- list(
  "full rank" = cbind(1, x, z),
  "duplicated column" = cbind(1, x, z, x, u),
  "sum of dummies" = cbind(1, dummies, x),
  "dummies before the intercept" = cbind(dummies, 1, x),
  "zero column" = cbind(1, 0, x, z),
  "zero column first" = cbind(0, 1, x),
  "near collinear 1e-6" = cbind(1, x, x + 1e-6 * noise, z),
  "near collinear 1e-8" = cbind(1, x, x + 1e-8 * noise, z),
  "near collinear 1e-6 of a large column" = cbind(1, 1e8 * x, 1e8 * x + 100 * noise, z),
  "badly scaled but independent" = cbind(1, 1e-9 * x, 1e9 * z),
  "linear combination" = cbind(1, x, z, 2 * x - 3 * z + 1, u, x * u),
  "several aliased in the middle" = cbind(1, x, x, z, x + z, 0, u, u - z),
  "interaction with an empty cell" = empty,
  "centred far away" = cbind(1, 1e5 + x, 1e5 + x + 1e-4 * noise),
  "wide panel" = cbind(1, x, z, u, x^2, z^2, x * z, x * u, z * u, x, u^2, x^3, x + u^2),
  "more columns than rows" = cbind(1, x, z, u)[1:3, ]
)
y <- round(3 + x - 0.5 * z + rnorm(n), 6)
num <- function(v) I(sprintf("%.17g", v))  # as text: toJSON keeps only 15 digits of a number
cases <- lapply(names(designs), function(name) {
  X <- unname(designs[[name]])
  yy <- y[seq_len(nrow(X))]
  fit <- lm.fit(X, yy)
  p1 <- seq_len(fit$rank)
  R <- fit$qr$qr[p1, p1, drop = FALSE]
  list(name = name, rows = nrow(X), cols = ncol(X), x = num(as.vector(X)), y = num(yy),
       rank = fit$rank, pivot = I(fit$qr$pivot - 1L),
       aliased = I(which(is.na(fit$coefficients)) - 1L),
       coefficients = num(unname(fit$coefficients[!is.na(fit$coefficients)])),
       residuals = num(unname(fit$residuals)),
       hat = num(unname(lm.influence(structure(fit, class = "lm"), do.coef = FALSE)$hat)),
       inverseGram = num(as.vector(chol2inv(R))), diagonalR = num(diag(R)))
})
out <- list(tool = R.version.string, method = "lm.fit (dqrdc2), lm.influence, chol2inv", cases = cases)
json <- jsonlite::toJSON(out, auto_unbox = TRUE)
writeLines(gsub('"(-?[0-9]+[-0-9.e+]*)"', "\\1", json), "oracle/r/qr-alias.json")

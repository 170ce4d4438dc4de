# Bases and penalties of smooth terms as mgcv makes them, and penalised least squares with them at fixed smoothing parameters.
# Run: Rscript oracle/r/basis.R   (from the project's root; writes oracle/r/basis.json)
suppressPackageStartupMessages({ library(mgcv); library(jsonlite) })
set.seed(20240613)

# ---- data: ties in x, a wide z, a small w ----
n <- 48
d <- data.frame(x = round(runif(n), 2), z = round(rnorm(n, 20, 8), 2), w = round(runif(n, -1, 1) / 50, 4), v = round(rnorm(n), 3), c = 2)
d$g <- factor(sample(rep(c("A", "B", "C"), n / 3)))
d$h <- factor(sample(rep(c("u", "v"), n / 2)))
d$o <- factor(sample(rep(c("lo", "mid", "hi"), n / 3)), levels = c("lo", "mid", "hi"), ordered = TRUE)
d$y <- round(sin(6 * d$x) + d$z / 20 + 10 * d$w + as.numeric(d$g) / 2 + rnorm(n, 0, 0.3), 4)
new <- data.frame(x = c(-0.4, 0, 0.123, 0.5, 0.77, 0.99, 1.2, 0.3), z = c(15, 21.5, -20, 30, 18, 60, 20, 25),
  w = c(0.001, -0.01, 0.015, 0, 0.03, -0.04, 0.005, 0.01), v = c(1, -1, 0.5, 0, 2, 1, 1, -0.3), c = 2,
  g = factor(c("A", "B", "C", "A", "B", "C", "A", "B")), h = factor(c("u", "v", "u", "v", "v", "u", "v", "u")),
  o = factor(c("lo", "mid", "hi", "hi", "mid", "lo", "hi", "mid"), levels = c("lo", "mid", "hi"), ordered = TRUE))

# ---- penalised least squares: y ~ 1 + smooths, sum of lambda_i b'S_i b ----
penalised <- function(smooths, y, lambda) {
  X <- cbind(1, do.call(cbind, lapply(smooths, function(s) s$X)))
  P <- matrix(0, 0, ncol(X)); from <- 2; i <- 0
  for (s in smooths) {
    for (S in s$S) {
      i <- i + 1; e <- eigen(S, symmetric = TRUE)
      root <- sqrt(pmax(e$values, 0)) * t(e$vectors)
      P <- rbind(P, sqrt(lambda(i)) * cbind(matrix(0, nrow(S), from - 1), root, matrix(0, nrow(S), ncol(X) - from + 1 - nrow(S))))
    }
    from <- from + ncol(s$X)
  }
  qr.coef(qr(rbind(X, P), LAPACK = TRUE), c(y, rep(0, nrow(P))))
}
lambdas <- list(even = function(i) 1, uneven = function(i) c(0.02, 50, 3, 0.4)[(i - 1) %% 4 + 1])
rows <- function(m) unname(lapply(seq_len(nrow(m)), function(i) unname(m[i, ])))
shown <- c(1:4, n)

describe <- function(text, kind = "exact", select = FALSE, knots = NULL, data = d, at = seq_len(nrow(new))) {
  new <- new[at, ]
  smooths <- smoothCon(eval(parse(text = text)), data, knots = knots, absorb.cons = TRUE, scale.penalty = TRUE, null.space.penalty = select)
  fits <- lapply(lambdas, function(lambda) {
    b <- penalised(smooths, data$y, lambda)
    at <- function(Xs) as.numeric(cbind(1, do.call(cbind, Xs)) %*% b)
    list(fitted = at(lapply(smooths, function(s) s$X)), predicted = at(lapply(smooths, PredictMat, new)))
  })
  list(text = text, kind = kind, at = at - 1, select = select, knots = lapply(knots, as.numeric), fits = fits,
    lambda = lapply(lambdas, function(lambda) sapply(1:8, lambda)),
    smooths = lapply(smooths, function(s) list(label = s$label, columns = ncol(s$X), rank = as.list(s$rank), nullDim = s$null.space.dim,
      penaltyScale = as.list(s$S.scale[seq_along(s$S)]), X = rows(s$X[shown, , drop = FALSE]), S = lapply(s$S, rows),
      predicted = rows(PredictMat(s, new)), placed = if (!is.null(s$xp)) unname(s$xp) else if (!is.null(s$knots)) unname(s$knots) else NULL)))
}

# cs: mgcv gives the larger shrinkage to whichever unpenalised direction rounding puts first; take basis sizes where that is the
# direction that is zero at the first knot
direction <- function(k) eigen(smoothCon(eval(bquote(s(z, bs = "cs", k = .(k)))), d)[[1]]$S[[1]], symmetric = TRUE)$vectors[1, k - 1]
shrunk <- head(Filter(function(k) abs(direction(k)) < 1e-9, 4:16), 3)
stopifnot(length(shrunk) == 3)

exact <- c('s(x, bs = "cr")', 's(x, bs = "cr", k = 3)', 's(z, bs = "cr", k = 20)', 's(x, bs = "cr", k = 6, fx = TRUE)',
  's(x, bs = "cc")', 's(z, bs = "cc", k = 5)', 's(x, bs = "ps")', 's(z, bs = "ps", k = 15, m = c(2, 1))',
  's(w, bs = "ps", k = 7, m = c(1, 2))', 's(x, bs = "ps", k = 9, m = 3)', 's(x, bs = "ps", k = 8, m = c(2, 0))',
  's(x, bs = "bs")', 's(z, bs = "bs", k = 12, m = c(3, 1))', 's(w, bs = "bs", k = 8, m = c(2, 1))', 's(x, bs = "bs", k = 9, m = c(3, 2, 1))',
  's(x, bs = "bs", k = 8, m = c(3, 3))', 's(z, bs = "bs", m = 2)',
  's(g, bs = "re")', 's(g, h, bs = "re")', 's(x, g, bs = "re")', 's(x, bs = "re")', 's(h, x, g, z, bs = "re")', 's(g, bs = "re", by = v)',
  's(x, bs = "cr", k = 6, by = g)', 's(x, bs = "cr", k = 6, by = o)', 's(x, bs = "cr", k = 6, by = v)', 's(x, bs = "cr", k = 6, by = c)',
  's(z, bs = "ps", k = 6, by = g)', 'te(x, z)', 'te(x, z, k = c(4, 6))', 'te(x, z, w, k = 3)', 'te(x, z, bs = "ps", k = 5)',
  'te(x, z, bs = c("bs", "cc"), k = c(6, 5))', 'te(x, z, bs = c("tp", "cr"), k = c(5, 4))', 'te(x, z, bs = "ts", k = 4)', 'te(x, z, k = 4, by = g)',
  'te(x, z, k = 4, by = v)', 'te(x, g, bs = c("cr", "re"), k = 5)', 'te(x, z, k = 4, fx = TRUE)', 'te(x, z, bs = "ps", k = 6, m = 1)', 'te(x)',
  'ti(x, z)', 'ti(x)', 'ti(x, z, w, k = 3)', 'ti(x, z, bs = c("tp", "ps"), k = 5)', 'ti(x, g, bs = c("cr", "re"), k = 4)', 'ti(x, z, k = 4, by = o)',
  'ti(x, z, bs = c("cc", "ps"), k = 6)')
signs <- c('s(x)', 's(z, k = 6)', 's(w, k = 5)', 's(x, k = 4, m = 1)', 's(x, k = 8, m = 3)', 's(x, z)', 's(x, z, k = 10)', 's(x, w, k = 12)',
  's(x, z, k = 14, m = 3)', 's(x, z, w, k = 16)', 's(x, bs = "ts")', 's(x, z, bs = "ts", k = 9)', 's(x, k = 7, by = g)', 's(x, z, k = 8, by = v)',
  's(x, k = 6, fx = TRUE)', 'te(x, z, w, d = c(2, 1), bs = c("tp", "cr"), k = c(8, 3))', 'ti(x, z, w, d = c(2, 1), bs = c("tp", "cr"), k = c(6, 4))')
selected <- c('s(x, bs = "cr", k = 6)', 's(z, bs = "ps", k = 6)', 'te(x, z, k = 4)', 's(x, bs = "cr", k = 6, by = g)', 's(x, bs = "cr", k = 5, by = v)')
cases <- c(lapply(exact, describe), lapply(sprintf('s(z, bs = "cs", k = %d)', shrunk), describe), lapply(signs, describe, kind = "signs"), lapply(selected, describe, select = TRUE),
  # degree 1: above the range mgcv goes on flat, below it on the line
  lapply(c('s(x, bs = "ps", k = 8, m = c(0, 1))', 's(x, bs = "bs", k = 8, m = c(1, 0))'), describe, at = which(new$x <= max(d$x))),
  list(describe('s(x, k = 8)', kind = "signs", select = TRUE),
    describe('s(x, bs = "cr", k = 4)', knots = list(x = c(0.1, 0.3, 0.6, 0.9))), describe('s(x, bs = "cc", k = 5)', knots = list(x = c(0, 1))),
    describe('s(x, bs = "ps", k = 6)', knots = list(x = c(-0.5, 1.5))), describe('s(x, bs = "bs", k = 6)', knots = list(x = c(-0.5, 1.5))),
    describe('s(x, bs = "bs", k = 5)', knots = list(x = c(-1, -0.8, -0.3, -0.1, 0.4, 1.1, 1.5, 1.9, 2.2))),
    describe('te(x, z, k = 4)', knots = list(x = c(0, 0.4, 0.7, 1)))))

# ---- more than 2000 distinct points: the centers are a sample ----
N <- 2600; i <- 1:N
big <- data.frame(x = (i * 0.6180339887498949) %% 1)
big$y <- sin(9 * big$x) + ((i * 7919) %% 101) / 100
at <- data.frame(x = c(-0.2, 0, 0.11, 0.5, 0.83, 1, 1.3))
large <- lapply(c(8, 30), function(k) {
  s <- smoothCon(s(x, k = k), big, absorb.cons = TRUE, scale.penalty = TRUE)
  b <- penalised(s, big$y, lambdas$even)
  list(k = k, penaltyScale = s[[1]]$S.scale, predicted = as.numeric(cbind(1, PredictMat(s[[1]], at)) %*% b))
})
draws <- lapply(list(c(2600, 12), c(70000, 12), c(5, 5), c(16, 16), c(65536, 4), c(65537, 4)), function(a) {
  set.seed(1); list(n = a[1], size = a[2], drawn = sample(a[1], a[2]) - 1)
})

plain <- function(d) lapply(seq_along(d), function(i) {
  v <- d[[i]]; out <- list(name = names(d)[i])
  if (is.factor(v)) c(out, list(kind = "factor", levels = levels(v), ordered = is.ordered(v), codes = as.integer(v) - 1L)) else c(out, list(kind = "numeric", values = v))
})
out <- list(tool = list(R = as.character(getRversion()), mgcv = as.character(packageVersion("mgcv"))), data = plain(d), new = plain(new),
  shown = shown - 1, cases = cases, large = list(rows = N, at = at$x, fits = large), draws = draws)
writeLines(toJSON(out, auto_unbox = TRUE, digits = I(17), null = "null", na = "null"), "oracle/r/basis.json")

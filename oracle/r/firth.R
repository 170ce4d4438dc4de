# Firth's logistic regression: brglm for estimates and SEs; ratios and profile ends by an optimiser of the penalised likelihood.
#   Rscript oracle/r/firth.R        (from the project's root; writes oracle/r/firth.json)
suppressMessages({ library(jsonlite); library(brglm) })
options(digits = 17)
RNGkind("Mersenne-Twister", "Inversion", "Rejection"); set.seed(19930301)
n <- 60
d <- data.frame(x = round(rnorm(n), 2), z = round(runif(n), 2), g = sample(c("a", "b", "c"), n, TRUE))
d$y <- rbinom(n, 1, plogis(-0.5 + 0.8 * d$x)); d$y[d$g == "c"] <- 1                          # group c is separated
d$tries <- sample(1:6, n, TRUE); d$hits <- rbinom(n, d$tries, plogis(-1 + d$x)); d$misses <- d$tries - d$hits
small <- data.frame(x = c(1, 2, 3, 4, 5, 6, 7, 8), y = c(0, 0, 0, 0, 1, 1, 1, 1))             # completely separated
penalised <- function(b, X, y, m) { eta <- drop(X %*% b); W <- m * plogis(eta) * plogis(-eta)
  value <- sum(m * (y * plogis(eta, log.p = TRUE) + (1 - y) * plogis(-eta, log.p = TRUE))) + 0.5 * determinant(crossprod(X * sqrt(W)))$modulus[1]
  if (is.finite(value)) value else -1e10 }
best <- function(f, start) { for (i in 1:6) start <- optim(start, f, method = "BFGS", control = list(fnscale = -1, reltol = 1e-15, maxit = 2000))$par
  for (i in 1:3) start <- tryCatch(nlm(function(b) -f(b), start, gradtol = 1e-12, steptol = 1e-14, iterlim = 500)$estimate, error = function(e) start); start }
case <- function(id, formula, data, name) {
  fit <- suppressWarnings(brglm(as.formula(formula), family = binomial, data = data, control.brglm = brglm.control(br.epsilon = 1e-13, br.maxit = 2000)))
  X <- model.matrix(fit); r <- model.response(model.frame(fit)); y <- if (is.matrix(r)) r[, 1] / rowSums(r) else r; m <- if (is.matrix(r)) rowSums(r) else rep(1, length(y))
  b <- coef(fit); full <- penalised(b, X, y, m); k <- length(b)
  held <- function(j, v) { if (k == 1) return(penalised(v, X, y, m))
    f <- function(rest) { beta <- numeric(k); beta[-j] <- rest; beta[j] <- v; penalised(beta, X, y, m) }; f(best(f, b[-j])) }
  se <- sqrt(diag(vcov(fit)))
  ends <- sapply(seq_len(k), function(j) { g <- function(v) 2 * (full - held(j, v)) - qchisq(.95, 1)
    c(uniroot(g, c(b[j] - 2 * se[j], b[j]), tol = 1e-10, extendInt = "downX")$root, uniroot(g, c(b[j], b[j] + 2 * se[j]), tol = 1e-10, extendInt = "upX")$root) })
  list(id = id, kind = "firth", input = list(formula = formula, data = name), expected = list(names = I(names(b)), estimate = I(unname(b)), se = I(unname(se)),
    penalised = full, ratio = I(sapply(seq_len(k), function(j) 2 * (full - held(j, 0)))), lower = I(ends[1, ]), upper = I(ends[2, ])))
}
cases <- list(case("firth-separated-group", "y ~ x + g", d, "d"), case("firth-counts", "cbind(hits, misses) ~ x + z", d, "d"), case("firth-complete", "y ~ x", small, "small"))
columns <- function(t) lapply(t, function(x) if (is.character(x)) list(values = x, levels = sort(unique(x))) else list(values = x))
writeLines(gsub('\\{"id"', '\n{"id"', toJSON(list(schema = "oracle/1", generated_with = list(R = as.character(getRversion()), brglm = as.character(packageVersion("brglm"))),
  columns = columns(d), small = columns(small), cases = cases), auto_unbox = TRUE, digits = I(17))), "oracle/r/firth.json")

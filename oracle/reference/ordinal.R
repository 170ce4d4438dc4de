# Cumulative link models of wine and soup (ordinal) and of simulated ratings: ordinal::clm; with random effects the maximum of
# the likelihood that ordinal::clmm approximates (Laplace with the observed information, or adaptive quadrature), whose own
# optimiser stops up to 4e-5 short of it. Started from the stored answers; gradient says how well the steps ended.
# Run from the project's root:  Rscript oracle/reference/ordinal.R   (writes oracle/reference/ordinal.json)
suppressMessages(library(ordinal))
source("oracle/reference/cases.R")
source("oracle/reference/laplace.R")

fixed_answer <- function(case, data) {
  input <- case$input
  args <- list(formula = as.formula(input$formula), data = data, link = input$link, threshold = input$threshold,
    control = clm.control(gradTol = 1e-11, maxIter = 200))
  if (!is.null(input$nominal)) args$nominal <- as.formula(input$nominal)
  if (!is.null(input$scale)) args$scale <- as.formula(input$scale)
  m <- quiet(do.call(clm, args)); s <- summary(m)$coefficients
  loglik <- as.numeric(logLik(m)); df <- attr(logLik(m), "df")
  list(loglik = loglik, df = df, expected = list(loglik = loglik, max_gradient = m$maxGradient,
    coefficients = list(names = I(rownames(s)), estimate = I(vec(s[, 1])), se = I(vec(s[, 2])))))
}
links <- list(
  logit = list(F = plogis, f = dlogis, g = function(x) dlogis(x) * (1 - 2 * plogis(x))),
  probit = list(F = pnorm, f = dnorm, g = function(x) ifelse(is.finite(x), -x * dnorm(x), 0)))
mixed_answer <- function(case, data) {
  input <- case$input; stored <- case$expected; form <- as.formula(input$formula); L <- links[[input$link]]
  y <- as.integer(eval(form[[2]], data)); J <- nlevels(eval(form[[2]], data)) - 1
  A <- if (input$threshold == "equidistant") cbind(1, seq_len(J) - 1) else diag(J)
  X <- model.matrix(lme4::nobars(form)[-2], data)[, -1, drop = FALSE]
  terms <- random_terms(input$formula, data); k <- length(terms$theta); a <- ncol(A)
  rows_at <- function(psi, eta) {
    tau <- c(-Inf, as.vector(A %*% psi[k + seq_len(a)]), Inf)
    up <- tau[y + 1] - eta; low <- tau[y] - eta
    flip <- up + low > 0 & is.finite(low) # differences of upper tails where those are small
    P <- ifelse(flip, L$F(-low) - L$F(-up), L$F(up) - L$F(low))
    score <- (L$f(up) - L$f(low)) / P
    list(l = log(P), s = -score, W = score^2 - (L$g(up) - L$g(low)) / P)
  }
  fixed_part <- function(psi) as.vector(X %*% psi[-seq_len(k + a)])
  f <- function(psi) negative(psi, terms, fixed_part, rows_at, input$nagq)
  best <- newton(c(unlist(stored$theta), unlist(stored$coefficients$estimate)), f, terms$lower)
  at <- f(best$psi)
  list(loglik = best$value, df = length(best$psi), expected = list(loglik = best$value, gradient = best$gradient,
    singular = stored$singular, theta = I(best$psi[seq_len(k)]),
    coefficients = list(names = I(unlist(stored$coefficients$names)), estimate = I(best$psi[-seq_len(k)]), se = I(best$se[-seq_len(k)])),
    ranef = modes_of(attr(at, "b"), terms, 30)))
}
reference <- read_cases("ordinal.json"); done <- list()
for (i in seq_along(reference$cases)) {
  case <- reference$cases[[i]]
  if (is.null(case$input$formula)) case$expected <- likelihood_ratio(case, done)
  else {
    data <- data_of(reference, case$input$data)
    made <- if (case$input$kind == "clm") fixed_answer(case, data) else mixed_answer(case, data)
    done[[case$id]] <- made; case$expected <- made$expected
  }
  reference$cases[[i]] <- case
  cat(case$id, case$expected$gradient, "\n", file = stderr())
}
write_cases(reference, "ordinal.json", c("ordinal", "lme4", "Matrix", "numDeriv"))

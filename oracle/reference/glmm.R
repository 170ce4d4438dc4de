# Logistic and probit mixed models of cbpp, VerbAgg (lme4) and simulated answers. lme4's own maximum carries noise of 1e-5 to 1e-3
# in the log-likelihood (modes stopped early); these are the maxima of the same function without it, started from the stored ones.
# With a probit link the determinant has the expected information, as in lme4.
# Run from the project's root:  Rscript oracle/reference/glmm.R   (writes oracle/reference/glmm.json)
source("oracle/reference/cases.R")
source("oracle/reference/laplace.R")
binomial_rows <- function(y, n, link) {
  b <- binomial(link); coefficient <- lchoose(n, y)
  if (link == "logit") function(psi, eta) list(l = coefficient + y * plogis(eta, log.p = TRUE) + (n - y) * plogis(-eta, log.p = TRUE),
    s = y - n * plogis(eta), W = n * dlogis(eta))
  else function(psi, eta) list(l = coefficient + y * pnorm(eta, log.p = TRUE) + (n - y) * pnorm(-eta, log.p = TRUE),
    s = dnorm(eta) * (y / pnorm(eta) - (n - y) / pnorm(-eta)), W = n * dnorm(eta)^2 / (pnorm(eta) * pnorm(-eta)))
}
answer <- function(case, data) {
  input <- case$input; form <- as.formula(input$formula); stored <- case$expected
  y <- eval(form[[2]], data)
  if (is.matrix(y)) { n <- rowSums(y); y <- y[, 1] } else { if (is.factor(y)) y <- as.integer(y) - 1; n <- rep(1, length(y)) }
  X <- model.matrix(lme4::nobars(form)[-2], data)
  terms <- random_terms(input$formula, data); k <- length(terms$theta)
  f <- function(psi) negative(psi, terms, function(psi) as.vector(X %*% psi[-seq_len(k)]), binomial_rows(y, n, input$link), input$nagq)
  best <- newton(c(unlist(stored$theta), unlist(stored$fixef$estimate)), f, terms$lower)
  at <- f(best$psi); p <- length(best$psi); fixed <- best$psi[-seq_len(k)]; se <- best$se[-seq_len(k)]
  list(df = p, loglik = best$value, expected = list(loglik = best$value, gradient = best$gradient, aic = 2 * p - 2 * best$value,
    bic = p * log(length(y)) - 2 * best$value, theta = I(best$psi[seq_len(k)]), theta_names = I(unlist(stored$theta_names)),
    fixef = list(names = I(colnames(X)), estimate = I(fixed), se = I(se)),
    fitted_head = I(binomial(input$link)$linkinv(attr(at, "eta"))[1:8])))
}
reference <- read_cases("glmm.json"); done <- list()
for (i in seq_along(reference$cases)) {
  case <- reference$cases[[i]]
  if (is.null(case$input$formula)) case$expected <- likelihood_ratio(case, done)
  else { made <- answer(case, data_of(reference, case$input$data)); done[[case$id]] <- made; case$expected <- made$expected }
  reference$cases[[i]] <- case
  cat(case$id, case$expected$gradient, "\n", file = stderr())
}
write_cases(reference, "glmm.json", c("lme4", "Matrix", "numDeriv"))

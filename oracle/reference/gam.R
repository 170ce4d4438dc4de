# Additive models by mgcv, on simulated data, with the tolerances of its outer iteration tightened until nothing moves.
# Run from the project's root:  Rscript oracle/reference/gam.R   (writes oracle/reference/gam.json)
suppressMessages(library(mgcv))
source("oracle/reference/cases.R")
fit_case <- function(input, data) {
  family <- if (input$family == "binomial") binomial(input$link) else gaussian(input$link)
  args <- list(formula = as.formula(input$formula), family = family, data = data, method = input$method, select = input$select)
  if (!is.null(input$weights)) args$weights <- data[[input$weights]]
  if (input$engine == "bam") return(quiet(do.call(bam, args)))
  args$control <- gam.control(epsilon = 1e-13, mgcv.tol = 1e-12, maxit = 400, newton = list(conv.tol = 1e-12, maxNstep = 5, maxSstep = 2, maxHalf = 60, use.svd = FALSE))
  quiet(do.call(gam, args))
}
answer <- function(case, data) {
  m <- fit_case(case$input, data); s <- summary(m); stored <- case$expected
  sp <- if (is.null(m$full.sp)) m$sp else m$full.sp
  new <- as.data.frame(lapply(stored$predictions$newdata, unlist), stringsAsFactors = FALSE)
  for (column in names(new)) if (is.factor(data[[column]])) new[[column]] <- factor(as.character(new[[column]]), levels = levels(data[[column]]))
  link <- predict(m, new, se.fit = TRUE); terms <- predict(m, new, type = "terms", se.fit = TRUE)
  smooth_columns <- colnames(terms$fit)
  par <- s$p.table
  list(nobs = nobs(m), edf_total = sum(m$edf), scale = s$scale, criterion = list(kind = stored$criterion$kind, value = vec(m$gcv.ubre)),
    deviance = deviance(m), null_deviance = m$null.deviance, deviance_explained = s$dev.expl, r_sq_adjusted = s$r.sq,
    loglik = as.numeric(logLik(m)), loglik_df = attr(logLik(m), "df"), aic = AIC(m),
    parametric = list(names = I(rownames(par)), estimate = I(vec(par[, 1])), se = I(vec(par[, 2]))),
    smooths = lapply(seq_along(m$smooth), function(i) { t <- m$smooth[[i]]
      own <- list(label = t$label, sp = I(vec(sp[seq(t$first.sp, t$last.sp)])), penalty_scale = I(vec(t$S.scale)), edf = sum(m$edf[t$first.para:t$last.para]))
      if (inherits(t, "cr.smooth")) own$knots <- I(vec(t$xp))
      own$near_null_space <- stored$smooths[[i]]$near_null_space
      own }),
    smooth_tests = list(label = I(rownames(s$s.table)), edf = I(vec(s$s.table[, 1])), ref_df = I(vec(s$s.table[, 2])), statistic = I(vec(s$s.table[, 3])), p = I(vec(s$s.table[, 4]))),
    predictions = list(newdata = stored$predictions$newdata, link = I(vec(link$fit)), se_link = I(vec(link$se.fit)), response = I(vec(m$family$linkinv(link$fit))),
      term_names = I(smooth_columns), terms = rows(terms$fit), se_terms = rows(terms$se.fit)),
    fitted_head = I(vec(fitted(m))[1:8]))
}
reference <- read_cases("gam.json")
for (i in seq_along(reference$cases)) {
  case <- reference$cases[[i]]
  reference$cases[[i]]$expected <- answer(case, data_of(reference, case$input$data))
  cat(case$id, "\n", file = stderr())
}
write_cases(reference, "gam.json", "mgcv")
